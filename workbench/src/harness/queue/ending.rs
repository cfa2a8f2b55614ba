//! The end of a queue: who holds batches, requests to stop, and the removal of the queue by the last runner.

use super::storage::absent_is_fine;
use super::{Disk, Flush, Item, LEASE, Part, Queue, Storage};
use crate::process::{Identity, Life};
use crate::record::Run;
use indexmap::IndexMap;
use std::io;
use std::path::Path;

/// The name of the file that asks all runners to stop.
pub(super) const CANCEL: (Part, &str) = (Part::Root, "cancel");

/// A runner that holds batches, and how many it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldBatches {
    /// The runner's name.
    pub worker: String,
    /// The number of batches.
    pub batches: usize,
    /// The state of the runner's process.
    pub life: Life,
}

impl Queue {
    /// Queues runs for this many other runners, as [`enqueue`](Self::enqueue) does, and leaves without
    /// carrying out any. Withdraws an earlier request to stop.
    ///
    /// # Errors
    /// If the queue cannot be read or written.
    pub fn submit(folder: &Path, me: Identity, runs: Vec<Run>, runners: usize) -> io::Result<()> {
        let queue = Queue::open(folder, me, LEASE)?;
        let submitted = queue.enqueue_for(runs, runners.max(1), Flush::Now);
        absent_is_fine(queue.storage.remove(CANCEL))?;
        queue.withdraw()?;
        submitted
    }

    /// The numbers of batches that wait and that are held in the set in `folder`.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn sizes(folder: &Path) -> io::Result<(usize, usize)> {
        let disk = Disk::of(folder, Identity::this());
        Ok((disk.list(Part::Todo)?.len(), disk.list(Part::Taken)?.len()))
    }

    /// For each runner that holds batches of the set in `folder`, how many it holds. Dead runners are included.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be read.
    pub fn look(folder: &Path) -> io::Result<Vec<HeldBatches>> {
        let disk = Disk::of(folder, Identity::this());
        let taken = disk.list(Part::Taken)?;
        Ok(held(taken.iter().filter_map(|name| Some(name.rsplit_once('@')?.1)), &disk))
    }

    /// Asks all runners of the set in `folder` to stop. The request is withdrawn when the last of them leaves, or by
    /// [`submit`](Self::submit).
    ///
    /// # Errors
    /// Returns an error if the folder cannot be written.
    pub fn cancel(folder: &Path) -> io::Result<()> {
        let disk = Disk::of(folder, Identity::this());
        disk.create_folders()?;
        disk.write(CANCEL, b"", Flush::Now)
    }

    /// Whether the runners of the set in `folder` were asked to stop.
    pub fn was_cancelled(folder: &Path) -> bool {
        folder.join("queue").join(CANCEL.1).exists()
    }

    /// Removes what killed runners left in the queue of the set in `folder`, unless other runners use it.
    pub fn tidy(folder: &Path) {
        if folder.join("queue").is_dir()
            && let Ok(queue) = Queue::open(folder, Identity::this(), LEASE)
        {
            queue.leave();
        }
    }
}

impl<R: Item, S: Storage> Queue<R, S> {
    /// Whether every other runner of this queue is known to have ended.
    pub(super) fn is_alone(&self) -> io::Result<bool> {
        let mut others = self.storage.list(Part::Alive)?;
        others.retain(|name| name != self.storage.me());
        Ok(others.iter().all(|name| self.storage.life(name) == Life::Ended))
    }

    /// Removes all batches, the request to stop, and the counters of all other runners.
    pub(super) fn clear(&self) -> io::Result<()> {
        absent_is_fine(self.storage.remove(CANCEL))?;
        for part in Part::FOLDERS {
            for name in self.storage.list(part)? {
                if name != self.storage.me() {
                    absent_is_fine(self.storage.remove((part, &name)))?;
                }
            }
        }
        Ok(())
    }

    /// Whether all runners of this set were asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.storage.exists(CANCEL).unwrap_or(false)
    }

    /// Leaves the queue. The last runner to leave removes the queue. If runs are left in it, the next `counterpoint
    /// run` queues them again.
    pub fn leave(&self) {
        let Ok(_lock) = self.storage.lock() else { return };
        if self.is_alone().unwrap_or(false) {
            let _ = self.clear();
        }
        let _ = self.withdraw();
        // If a folder is not empty, another runner still uses the queue.
        let in_use = [Part::Todo, Part::Taken, Part::Alive];
        if in_use.iter().all(|part| self.storage.list(*part).is_ok_and(|names| names.is_empty())) {
            let _ = self.clear();
            self.storage.remove_folders();
        }
    }

    /// Takes this runner out of the list of live ones, until it beats again. Returns whether it was the last one.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be read or written.
    pub fn retire(&self) -> io::Result<bool> {
        self.withdraw()?;
        self.is_alone()
    }

    /// Leaves the queue to runners that have not started yet. Batches and a request to stop stay where they are.
    pub fn leave_to_others(&self) {
        let is_empty = self.is_empty().unwrap_or(false);
        if is_empty && !self.is_cancelled() {
            self.leave();
        } else {
            let _ = self.withdraw();
        }
    }

    /// Whether no batch is waiting or held.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be read.
    pub fn is_empty(&self) -> io::Result<bool> {
        Ok(self.storage.list(Part::Todo)?.is_empty() && self.storage.list(Part::Taken)?.is_empty())
    }
}

/// For each owner of a batch, how many it holds, in the order of their first batches.
pub(super) fn held<'a>(owners: impl Iterator<Item = &'a str>, storage: &impl Storage) -> Vec<HeldBatches> {
    let mut counts: IndexMap<&str, usize> = IndexMap::new();
    for owner in owners {
        *counts.entry(owner).or_default() += 1;
    }
    let held = |(owner, batches): (&str, usize)| HeldBatches {
        worker: owner.to_owned(),
        batches,
        life: storage.life(owner),
    };
    counts.into_iter().map(held).collect()
}
