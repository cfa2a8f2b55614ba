//! Which known moves alone rule an ending out.

use super::Ending;
use crate::problem::Core;

/// Why an ending of a smudged record is refuted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The ending.
    pub ending: Ending,
    /// Lines of the record that are known in part or whole, by number from 0, each as it stands: no completion of
    /// these lines, with nothing known of the others, ends so.
    pub core: Core<usize>,
}
