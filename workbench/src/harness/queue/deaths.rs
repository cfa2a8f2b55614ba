//! Leases: which runners count as dead, and what happens to the batches that they held.
//!
//! A runner judges others by its own clock: it notes when it saw a counter change. Times of different
//! machines are never compared. If the runner has not looked for more than half a lease, the other runner's
//! lease starts anew, because this runner may have been suspended, or nobody may have reached the folder.
//!
//! Each runner watches all others, so that the batches of many dead runners come back at the same time. One listing of
//! `beats/` shows the counters of all. A listing may be old, so before a runner counts as dead, its counter is read from
//! `alive/`. If that file has vanished, somebody else has noticed the death, and is giving the batches back.
//!
//! When runner R dies, each batch B that it held gets the empty file `deaths/B@R` and waits as `B~`. If a runner proves
//! to be alive after all, it removes the file. A runner that ends as planned gives its batches back, which is not a
//! death. After [`MAX_DEATHS_TOGETHER`] deaths, the batch is divided into batches `B.KEY~` of one run each, and each of
//! them inherits the deaths of B. So when a run kills a runner for the last time, it is the only run in its batch.
//! After [`MAX_DEATHS`] deaths, this run is recorded as failed.

use super::storage::absent_is_fine;
use super::{Claim, DIED, Flush, HeldBatches, Item, Part, Queue, Storage, UNSURE};
use crate::process::Life;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::Hasher;
use std::io;
use std::time::Duration;

/// A run is not repeated after this many runners have died while they held it.
pub const MAX_DEATHS: usize = 3;

/// The runs of a batch are separated after this many runners have died while they held it.
pub(super) const MAX_DEATHS_TOGETHER: usize = 2;

/// The number of times that a runner increments its counter within a lease.
const BEATS: u32 = 10;

/// What a runner has seen of another runner's counter.
pub(super) struct Sight {
    /// The counter in the last listing.
    listed: Option<u64>,
    /// The counter when it was last read. It may be newer than the listing.
    read: Option<u64>,
    /// Whether the file to read had vanished, although the counter is listed.
    is_gone: bool,
    /// Since when the counter is known to be unchanged.
    since: Duration,
    /// When the counter was last looked at.
    last: Duration,
}

impl<R: Item, S: Storage> Queue<R, S> {
    /// The time between two calls of [`beat`](Self::beat).
    pub fn beat_interval(lease: Duration) -> Duration {
        lease / BEATS
    }

    /// Shows that this runner is alive, by incrementing its counter.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be written.
    pub fn beat(&mut self) -> io::Result<()> {
        let old = self.beat_name();
        self.counter += 1;
        self.publish((Part::Alive, self.storage.me()), self.counter.to_string().as_bytes(), Flush::Later)?;
        let new = self.beat_name();
        match self.storage.rename((Part::Beats, &old), (Part::Beats, &new)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.storage.write((Part::Beats, &new), b"", Flush::Later)
            }
            renamed => renamed,
        }
    }

    /// The name of the file whose name contains this runner's counter.
    fn beat_name(&self) -> String {
        format!("{}@{}", self.storage.me(), self.counter)
    }

    /// Takes this runner out of the list of live ones, until it beats again.
    pub(super) fn withdraw(&self) -> io::Result<()> {
        absent_is_fine(self.storage.remove((Part::Beats, &self.beat_name())))?;
        absent_is_fine(self.storage.remove((Part::Alive, self.storage.me())))
    }

    /// Gives back the batches of dead runners, removes their counters, and returns the number of batches that each of
    /// the other live runners holds. The time of another runner's lease is counted from the first call that watches
    /// that runner, so call this at regular intervals.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be read or written.
    pub fn reclaim(&mut self) -> io::Result<Vec<HeldBatches>> {
        let (taken, beats) = (self.storage.list(Part::Taken)?, self.storage.list(Part::Beats)?);
        let me = self.storage.me().to_owned();
        let holders = taken.iter().filter_map(|name| Some(name.rsplit_once('@')?.1));
        let holders: Vec<&str> = holders.filter(|owner| !owner.is_empty() && *owner != me).collect();
        // Runners that hold nothing matter only at the end. Until then, those whose counters are listed are enough.
        let alive = if holders.is_empty() { self.storage.list(Part::Alive)? } else { Vec::new() };
        let mut others: FxHashMap<&str, Option<u64>> = FxHashMap::default();
        others.extend(holders.into_iter().chain(alive.iter().map(String::as_str)).map(|other| (other, None)));
        for (other, counter) in beats.iter().filter_map(|name| name.rsplit_once('@')) {
            let listed = others.entry(other).or_default();
            // A listing that is made during a renaming may contain both names. Any change of their sum is one of the
            // counter.
            let counter = counter.parse::<u64>().unwrap_or_default();
            *listed = Some(listed.unwrap_or_default().wrapping_add(counter));
        }
        others.remove(me.as_str());
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
        for name in beats.iter().filter(|name| name.rsplit_once('@').is_some_and(|(of, _)| dead.contains(of)))
        {
            absent_is_fine(self.storage.remove((Part::Beats, name)))?;
        }
        // This comes last: as long as the counter is there, other runners give the batches back, too.
        for owner in &dead {
            absent_is_fine(self.storage.remove((Part::Alive, owner)))?;
        }
        Ok(super::ending::held(owners.into_iter(), &self.storage))
    }

    /// Which of the other runners are dead: their processes have ended, or their counters have not changed
    /// for the length of the lease. `others` has the counters according to a listing; `None` if it is not listed.
    fn dead(&mut self, others: &FxHashMap<&str, Option<u64>>) -> io::Result<FxHashSet<String>> {
        self.counters.retain(|name, _| others.contains_key(name.as_str()));
        let mut dead = FxHashSet::default();
        for (&other, &listed) in others {
            let life = self.storage.life(other);
            self.is_remote |= life == Life::Elsewhere;
            if life == Life::Ended || self.is_expired(other, listed)? {
                dead.insert(other.to_owned());
            }
        }
        Ok(dead)
    }

    /// Looks at the counter of another runner. Returns whether the lease of that runner has expired.
    fn is_expired(&mut self, other: &str, listed: Option<u64>) -> io::Result<bool> {
        let now = self.storage.now();
        let new = || Sight { listed, read: None, is_gone: false, since: now, last: now };
        let sight = self.counters.entry(other.to_owned()).or_insert_with(new);
        // A counter that is not listed has not changed.
        if listed.is_some() && listed != sight.listed || now.saturating_sub(sight.last) > self.lease / 2 {
            *sight = Sight { listed: listed.or(sight.listed), is_gone: false, since: now, ..*sight };
        }
        sight.last = now;
        if now.saturating_sub(sight.since) <= self.lease {
            return Ok(false);
        }
        let read = match self.storage.read((Part::Alive, other)) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).parse().ok(),
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Err(_) if listed.is_some() && !sight.is_gone => {
                // Another runner has noticed the death. If the batches are still held after another lease, they are
                // given back nevertheless.
                *sight = Sight { is_gone: true, since: now, ..*sight };
                return Ok(false);
            }
            Err(_) => None,
        };
        // A counter that cannot be read has not changed.
        let is_alive = read.is_some() && read != sight.read.or(sight.listed);
        if is_alive {
            *sight = Sight { read, since: now, ..*sight };
        }
        Ok(!is_alive)
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
