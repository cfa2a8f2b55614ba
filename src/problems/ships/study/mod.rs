//! Studies: questions about ships that the judge does not ask.

pub mod anatomy;
pub mod automaton;
pub mod certificate;
pub mod count;
mod effort;
pub mod families;
pub mod hardness;
pub mod layers;
pub mod least;
pub mod marginals;
pub mod merge;
pub mod misses;
pub mod placements;
pub mod plain;
pub mod sets;
pub mod shoot;
pub mod transition;
pub mod tree;
pub mod trim;
pub mod unrank;
pub mod weigh;
