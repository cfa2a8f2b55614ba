//! Leases: which runners count as dead, and what happens to the batches that they held.
//!
//! A runner judges others by its own clock: it notes when it saw a counter change. Times of different
//! machines are never compared. If the runner has not looked for more than half a lease, the other runner's
//! lease starts anew, because this runner may have been suspended, or nobody may have reached the folder.
//! Each runner watches the counters of a few others, which follow it in the order of the hashes of their
//! names. So the load on the folder is proportional to the number of runners, and runners of one machine are
//! mostly watched from other machines.
//!
//! When runner R dies, each batch B that it held gets the empty file `deaths/B@R` and waits as `B~`. If a runner proves
//! to be alive after all, it removes the file. A runner that ends as planned gives its batches back, which is not a
//! death. After [`MAX_DEATHS_TOGETHER`] deaths, the batch is divided into batches `B.KEY~` of one run each, and each of
//! them inherits the deaths of B. So when a run kills a runner for the last time, it is the only run in its batch.
//! After [`MAX_DEATHS`] deaths, this run is recorded as failed.

use super::storage::absent_is_fine;
use super::{Claim, DIED, Flush, HeldBatches, Item, Part, Queue, Storage, UNSURE};
use crate::process::Life;
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::Hasher;
use std::io;
use std::time::Duration;

/// A run is not repeated after this many runners have died while they held it.
pub const MAX_DEATHS: usize = 3;

/// The runs of a batch are separated after this many runners have died while they held it.
pub(super) const MAX_DEATHS_TOGETHER: usize = 2;

/// How many other runners each runner watches.
const WATCHED: usize = 3;

/// What a runner has seen of another runner's counter.
pub(super) struct Sight {
    counter: Option<u64>,
    /// Since when the counter is known to be unchanged.
    since: Duration,
    /// When the counter was last looked at.
    last: Duration,
}

impl<R: Item, S: Storage> Queue<R, S> {
    /// Gives back the batches of dead runners, removes their counters, and returns the number of batches that each of
    /// the other live runners holds. The time of another runner's lease is counted from the first call that watches
    /// that runner, so call this at regular intervals.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be read or written.
    pub fn reclaim(&mut self) -> io::Result<Vec<HeldBatches>> {
        let (taken, alive) = (self.storage.list(Part::Taken)?, self.storage.list(Part::Alive)?);
        let holders =
            taken.iter().filter_map(|name| Some(name.rsplit_once('@')?.1)).filter(|o| !o.is_empty());
        let mut others: Vec<&str> = holders.chain(alive.iter().map(String::as_str)).collect();
        others.retain(|other| *other != self.storage.me());
        others.sort_unstable();
        others.dedup();
        let me = hash(self.storage.me());
        others.sort_by_cached_key(|other| hash(other).wrapping_sub(me));
        let dead = self.dead(&others)?;
        let mut owners: Vec<&str> = Vec::new();
        for name in &taken {
            // A batch whose file names no owner is given back, too.
            let (batch, owner) = name.rsplit_once('@').unwrap_or((name, ""));
            if owner == self.storage.me() {
                if !self.held.contains_key(batch) {
                    // This runner does not know that it took the batch: the rename succeeded but reported an
                    // error.
                    absent_is_fine(self.storage.rename((Part::Taken, name), (Part::Todo, batch)))?;
                }
            } else if owner.is_empty() || dead.contains(owner) {
                if !owner.is_empty() {
                    let mark = format!("{}@{owner}", base(batch));
                    self.storage.write((Part::Deaths, &mark), b"", Flush::Later)?;
                }
                let back = format!("{}{DIED}", batch.trim_end_matches(DIED));
                // Another runner may have moved the file first.
                absent_is_fine(self.storage.rename((Part::Taken, name), (Part::Todo, &back)))?;
            } else {
                owners.push(owner);
            }
        }
        for owner in alive.iter().filter(|owner| dead.contains(owner.as_str())) {
            absent_is_fine(self.storage.remove((Part::Alive, owner)))?;
        }
        Ok(super::ending::held(owners.into_iter(), &self.storage))
    }

    /// Which of the other runners are dead: their processes have ended, or their counters have not changed
    /// for the length of the lease. Of the runners whose processes are not known to have ended, the counters
    /// of the first [`WATCHED`] are watched.
    fn dead(&mut self, others: &[&str]) -> io::Result<FxHashSet<String>> {
        let known: FxHashSet<&str> = others.iter().copied().collect();
        self.counters.retain(|name, _| known.contains(name.as_str()));
        let mut dead = FxHashSet::default();
        let mut unknown: Vec<&str> = Vec::new();
        for other in others {
            match self.storage.life(other) {
                Life::Ended => drop(dead.insert((*other).to_owned())),
                life => {
                    self.is_remote |= life == Life::Elsewhere;
                    unknown.push(other);
                }
            }
        }
        for other in unknown.into_iter().take(WATCHED) {
            if self.is_expired(other)? {
                dead.insert(other.to_owned());
            }
        }
        Ok(dead)
    }

    /// Looks at the counter of another runner. Returns whether the lease of that runner has expired.
    fn is_expired(&mut self, other: &str) -> io::Result<bool> {
        let counter = match self.storage.read((Part::Alive, other)) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).parse().ok(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let now = self.storage.now();
        let new = || Sight { counter, since: now, last: now };
        let sight = self.counters.entry(other.to_owned()).or_insert_with(new);
        // A counter that cannot be read has not changed.
        if counter.is_some_and(|counter| sight.counter != Some(counter))
            || now.saturating_sub(sight.last) > self.lease / 2
        {
            *sight = Sight { counter: counter.or(sight.counter), since: now, last: now };
        }
        sight.last = now;
        Ok(now.saturating_sub(sight.since) > self.lease)
    }

    /// The runners that died while they held this batch, or the batch from which it was divided.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be read.
    pub fn deaths(&self, claim: &Claim<R>) -> io::Result<Vec<String>> {
        let own = base(&claim.name);
        let parent = own.split_once('.').map(|(parent, _)| parent);
        let mut owners = Vec::new();
        for mark in self.storage.list(Part::Deaths)? {
            if let Some((batch, owner)) = mark.rsplit_once('@')
                && (batch == own || Some(batch) == parent)
            {
                owners.push(owner.to_owned());
            }
        }
        owners.sort();
        owners.dedup();
        Ok(owners)
    }

    /// Divides a batch into batches of one run each, and gives them back.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be written.
    pub fn divide(&mut self, claim: &Claim<R>) -> io::Result<()> {
        for run in &claim.runs {
            let name = format!("{}.{}{DIED}", base(&claim.name), run.key());
            self.put(&name, std::slice::from_ref(run), Flush::Now)?;
        }
        self.finish(claim)
    }

    /// Removes a batch that is recorded as failed, and its deaths. If its run is queued again, these no longer count.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be written.
    pub fn set_aside(&mut self, claim: &Claim<R>, deaths: &[String]) -> io::Result<()> {
        for owner in deaths {
            let mark = format!("{}@{owner}", base(&claim.name));
            absent_is_fine(self.storage.remove((Part::Deaths, &mark)))?;
        }
        self.finish(claim)
    }

    /// Notes that this runner is alive, although others took this batch from it because they thought otherwise.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be written.
    pub fn deny_death(&mut self, claim: &Claim<R>) -> io::Result<()> {
        self.held.remove(&claim.name);
        let mark = self.taken(base(&claim.name));
        absent_is_fine(self.storage.remove((Part::Deaths, &mark)))
    }
}

/// The name of a batch without the marks at its end that say what happened to it.
fn base(batch: &str) -> &str {
    batch.trim_end_matches([DIED, UNSURE])
}

/// A pseudo-random number that depends on a text alone.
pub(super) fn hash(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    // The high bits are the best ones.
    hasher.finish().rotate_left(32)
}
