//! The known moves that by themselves make an ending impossible.

use super::Ending;
use counterpoint_core::problem::Core;

/// Why an ending of a smudged record is refuted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The ending.
    pub ending: Ending,
    /// Indices, from 0, of lines of the record that suffice: if these lines are kept as they are and every other
    /// line becomes unknown, no completion has this ending.
    pub core: Core<usize>,
}
