//! What a runner reports while it works.

use super::queue::HeldBatches;
use crate::record::Record;

/// Receives notifications of progress.
pub trait Observer: Sync {
    /// A run was recorded.
    fn recorded(&self, record: &Record);
    /// A short time has passed since the last call.
    fn tick(&self);
    /// Other runners hold all remaining runs.
    fn waiting(&self, held: &[HeldBatches]);
    /// `runs` runs have no record and were no longer in the queue, so they are queued again.
    fn requeued(&self, runs: usize);
}
