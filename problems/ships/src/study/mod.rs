//! Studies: questions about fleets beyond the judge's, and the algorithms that answer them.

pub mod anatomy;
pub mod automaton;
pub mod certificate;
pub mod count;
mod effort;
pub mod families;
pub mod hardness;
pub mod layers;
pub mod marginals;
pub mod merge;
pub mod min_misses;
pub mod misses;
pub mod placements;
pub mod plain;
pub mod position;
pub mod sets;
pub mod shoot;
pub mod transition;
pub mod tree;
pub mod trim;
pub mod unrank;
