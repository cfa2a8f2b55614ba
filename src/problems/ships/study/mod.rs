//! Questions about ships beyond the judge's.

pub mod automaton;
pub mod count;
pub mod layers;
pub mod merge;
pub mod placements;
pub mod plain;
pub mod sets;
pub mod trim;
pub mod unrank;
