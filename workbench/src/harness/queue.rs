//! The queue of a set, which distributes the runs of a plan to *runners*, the processes of `counterpoint run`. Batches
//! of runs are files, and a runner claims a batch by renaming its file. This works between processes and, in a shared
//! folder, between machines.
//!
//! A waiting batch B is the file `todo/B`; a batch B that runner R holds is the file `taken/B@R`. Only one runner can
//! rename a file. On a network file system, a rename can succeed and yet return an error, so the runner checks
//! afterwards whether it has the file. To show that it is alive, R increments a counter in `alive/R`, and renames
//! `beats/R@COUNT`. If R has ended, or its counter has not changed for the length of a *lease*, other runners take its
//! batches. The lease is needed even
//! on one machine, because a signal can suspend a process, which then exists but does no work. When a suspended runner
//! is continued, it notices that it has lost its batch and claims another one.
//!
//! The runs of a batch whose runner died may have killed it, so the batch is divided, and a run that has killed several
//! runners is set aside (`deaths.rs`).
//!
//! No file of a queue is indispensable. If files are deleted or damaged, the runner still compares the records with the
//! plan before it ends, and queues missing runs again. It does no harm if a run is made twice, because records are
//! merged by key.

mod deaths;
mod ending;
mod heartbeats;
mod holder;
mod storage;
#[cfg(test)]
mod tests;

pub use deaths::MAX_DEATHS;
pub use ending::HeldBatches;
pub use heartbeats::Heartbeats;
pub use holder::{Comparison, Holder, Idle, Records};
pub use storage::{Disk, Flush, Part, Place, Storage};

use crate::process::Identity;
use crate::record::Run;
use deaths::hash;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::VecDeque;
use std::io;
use std::marker::PhantomData;
use std::path::Path;
use std::time::Duration;
use storage::absent_is_fine;

/// The default lease: how long a counter may remain unchanged before its runner counts as dead.
pub const LEASE: Duration = Duration::from_secs(60);

/// The maximum number of runs of a batch. A folder with many files is slow to list.
const MAX_RUNS: usize = 1000;

/// The number of batches for each runner, if there are enough runs. With fewer batches, the last runner would work
/// alone for longer.
const BATCHES_EACH: usize = 8;

/// The number of runners for which batches are made if the actual number is not known.
const SHARES: usize = 4;

/// The number of names of waiting batches that a runner remembers, so that it need not list the folder for each claim.
const MAX_REMEMBERED: usize = 1000;

/// When others have claimed this many batches first, a runner lists the folder again.
const MAX_LOST: usize = 3;

/// The end of the name of a batch if any runner may have recorded some of its runs.
const UNSURE: char = '+';

/// The end of the name of a batch if a runner died while it held the batch; it may have recorded some runs.
const DIED: char = '~';

/// Something that is queued: a run, or its stand-in in a simulation.
pub trait Item: Clone + Serialize + DeserializeOwned {
    /// Identifies it. Consists of letters and digits.
    fn key(&self) -> String;

    /// Whether it has the same key as another one.
    fn is(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Item for Run {
    fn key(&self) -> String {
        self.key.clone()
    }

    fn is(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

/// The queue of one set, as this runner uses it.
pub struct Queue<R = Run, S = Disk> {
    storage: S,
    lease: Duration,
    /// This runner's counter.
    counter: u64,
    /// For each other runner, what was seen of its counter.
    counters: FxHashMap<String, deaths::Sight>,
    /// Whether some runner's process cannot be looked up here, so that its changes of files may be seen late.
    is_remote: bool,
    /// Names of batches that were waiting when the folder was last listed.
    waiting: VecDeque<String>,
    /// Names of batches that others claimed first. A listing may show them for a while.
    lost: FxHashSet<String>,
    /// The names of the batches that this runner holds, and when their files were last seen.
    held: FxHashMap<String, Duration>,
    /// The state of a generator of pseudo-random numbers.
    random: u64,
    items: PhantomData<R>,
}

/// A batch that this runner holds.
#[derive(Debug)]
pub struct Claim<R = Run> {
    name: String,
    /// The runs of the batch.
    pub runs: Vec<R>,
}

impl<R> Claim<R> {
    /// Whether any runner may have recorded some of the runs.
    pub fn is_unsure(&self) -> bool {
        self.name.trim_end_matches(DIED).ends_with(UNSURE)
    }

    /// Whether a runner died while it held the batch.
    pub fn is_suspect(&self) -> bool {
        self.name.ends_with(DIED)
    }
}

/// What was found at the place of a batch.
enum Batch<R> {
    /// A batch with these runs.
    Runs(Vec<R>),
    /// A file that is not a complete batch.
    Unreadable,
    /// No file.
    Absent,
}

impl Queue {
    /// Opens the queue of the set in `folder`, or creates it. A runner that does not call [`beat`](Self::beat) for the
    /// length of `lease` loses its batches.
    ///
    /// # Errors
    /// Returns an error if the queue cannot be written.
    pub fn open(folder: &Path, me: Identity, lease: Duration) -> io::Result<Self> {
        Queue::on(Disk::of(folder, me), lease)
    }
}

impl<R: Item, S: Storage> Queue<R, S> {
    /// Opens the queue in this storage, or creates it.
    ///
    /// # Errors
    /// Returns an error if the queue cannot be written.
    pub fn on(storage: S, lease: Duration) -> io::Result<Self> {
        let random = hash(storage.me()) | 1;
        let (counters, waiting, lost, held) = Default::default();
        let (counter, is_remote, items) = (0, false, PhantomData);
        let mut queue =
            Queue { storage, lease, counter, counters, is_remote, waiting, lost, held, random, items };
        // No lock is taken, because a thousand runners that start together would wait for it. If the last of
        // the other runners leaves and removes the folders meanwhile, the next beat creates them again.
        queue.storage.create_folders()?;
        queue.beat()?;
        Ok(queue)
    }

    /// Queues those of the runs that are not queued yet, in batches small enough to be shared between runners.
    ///
    /// # Errors
    /// Returns an error if the queue cannot be read or written.
    pub fn enqueue(&self, runs: Vec<R>) -> io::Result<()> {
        self.enqueue_for(runs, SHARES, Flush::Later)
    }

    /// As [`enqueue`](Self::enqueue), for this many runners.
    ///
    /// # Errors
    /// Returns an error if the queue cannot be read or written.
    pub fn enqueue_for(&self, runs: Vec<R>, runners: usize, flush: Flush) -> io::Result<()> {
        let size = Self::batch_size(runs.len(), runners);
        self.enqueue_batches(runs, size, flush)
    }

    /// The number of runs of a batch if this many runs are for this many runners.
    pub fn batch_size(runs: usize, runners: usize) -> usize {
        runs.div_ceil(BATCHES_EACH * runners).clamp(1, MAX_RUNS)
    }

    /// As [`enqueue`](Self::enqueue), in batches of this size.
    ///
    /// # Errors
    /// Returns an error if the queue cannot be read or written.
    pub fn enqueue_batches(&self, runs: Vec<R>, size: usize, flush: Flush) -> io::Result<()> {
        self.storage.create_folders()?;
        let _lock = self.storage.lock()?;
        let mut end = String::new();
        if self.is_alone()? {
            // Batches of earlier plans and of dead runners are removed. Their runs are queued again if they are in
            // `runs`.
            self.clear()?;
        } else {
            // Others may have recorded some of the runs since the caller read the records.
            end.push(UNSURE);
        }
        let mut queued = FxHashSet::default();
        for part in [Part::Todo, Part::Taken] {
            for name in self.storage.list(part)? {
                if let Batch::Runs(runs) = self.read((part, &name))? {
                    queued.extend(runs.iter().map(R::key));
                }
            }
        }
        let missing: Vec<R> = runs.into_iter().filter(|run| !queued.contains(&run.key())).collect();
        for (i, batch) in missing.chunks(size).enumerate() {
            // Batches sorted by name are in the order of the plan.
            let first = batch.first().map_or_else(String::new, R::key);
            self.put(&format!("{i:06}-{first}{end}"), batch, flush)?;
        }
        Ok(())
    }

    /// Queues further runs as batches with the lowest number, which are claimed early. Others may queue the
    /// same runs at the same time.
    ///
    /// # Errors
    /// Returns an error if the queue cannot be written.
    pub fn add(&self, runs: &[R]) -> io::Result<()> {
        let name = |run: &R| format!("{:06}-{}{UNSURE}", 0, run.key());
        runs.iter().try_for_each(|run| self.put(&name(run), std::slice::from_ref(run), Flush::Later))
    }

    fn put(&self, name: &str, runs: &[R], flush: Flush) -> io::Result<()> {
        self.publish((Part::Todo, name), &serde_json::to_vec(runs)?, flush)
    }

    /// Writes a file atomically.
    fn publish(&self, place: Place<'_>, bytes: &[u8], flush: Flush) -> io::Result<()> {
        let is_absent = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
        let new = format!("{}.{}", place.1, self.storage.me());
        let new = (Part::New, new.as_str());
        let write = || self.storage.write(new, bytes, flush);
        let rename = || self.storage.rename(new, place);
        let written = write().or_else(|error| match is_absent(&error) {
            // The folder was deleted.
            true => self.storage.create_folders().and_then(|()| write()),
            false => Err(error),
        });
        let published = written.and_then(|()| rename()).or_else(|error| match is_absent(&error) {
            // If the new file is gone, the rename succeeded although it reported an error.
            true if !self.storage.exists(new)? => Ok(()),
            true => self.storage.create_folders().and_then(|()| absent_is_fine(rename())),
            false => Err(error),
        });
        published.inspect_err(|_| drop(self.storage.remove(new)))
    }

    fn read(&self, place: Place<'_>) -> io::Result<Batch<R>> {
        match self.storage.read(place) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).map_or(Batch::Unreadable, Batch::Runs)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Batch::Absent),
            Err(error) => Err(error),
        }
    }

    /// Claims the next batch; `None` if none is waiting, or if others claimed all that were tried. A file
    /// that is not a batch is removed. A runner that is too late for a batch goes on at a random place.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be read or written.
    pub fn claim(&mut self) -> io::Result<Option<Claim<R>>> {
        let (mut lost, mut is_listed) = (0, false);
        loop {
            if self.waiting.is_empty() || lost >= MAX_LOST {
                if is_listed {
                    // Perhaps no batch was found because a folder was deleted.
                    self.storage.create_folders()?;
                    return Ok(None);
                }
                self.list_waiting()?;
                (lost, is_listed) = (0, !self.waiting.is_empty());
            }
            let Some(name) = self.waiting.pop_front() else { return Ok(None) };
            let mine = self.taken(&name);
            // If this process is suspended from here on, it may lose the batch before it opens it.
            let now = self.storage.now();
            // The files show whether the rename succeeded; its result may be wrong.
            let renamed = self.storage.rename((Part::Todo, &name), (Part::Taken, &mine));
            match self.read((Part::Taken, &mine))? {
                Batch::Runs(runs) => {
                    self.held.insert(name.clone(), now);
                    return Ok(Some(Claim { name, runs }));
                }
                Batch::Unreadable => absent_is_fine(self.storage.remove((Part::Taken, &mine)))?,
                Batch::Absent => {
                    // If the batch is still waiting, the rename would fail again, so its error is reported.
                    let is_there = || self.storage.exists((Part::Todo, &name));
                    match renamed {
                        Err(error) if error.kind() != io::ErrorKind::NotFound && is_there()? => {
                            return Err(error);
                        }
                        _ => (),
                    }
                    lost += 1;
                    self.lost.insert(name);
                    let at = self.random(self.waiting.len());
                    self.waiting.rotate_left(at);
                }
            }
        }
    }

    /// Lists the waiting batches anew.
    fn list_waiting(&mut self) -> io::Result<()> {
        let mut names = self.storage.list(Part::Todo)?;
        names.retain(|name| !self.lost.contains(name));
        if !self.lost.is_empty() {
            if names.is_empty() {
                self.lost.clear();
            }
            // Other runners begin with the first names.
            let at = self.random(names.len());
            names.rotate_left(at);
        }
        names.truncate(MAX_REMEMBERED);
        self.waiting = names.into();
        Ok(())
    }

    /// A pseudo-random number below `end`; 0 if `end` is 0.
    fn random(&mut self, end: usize) -> usize {
        // Marsaglia's xorshift.
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random % (end.max(1) as u64)) as usize
    }

    /// The name of a batch that this runner holds.
    fn taken(&self, batch: &str) -> String {
        format!("{batch}@{}", self.storage.me())
    }

    /// Whether this runner still holds a batch. It has lost the batch if another runner has taken it, or if
    /// the file was deleted. The file is not looked at every time, because a runner that beats regularly
    /// loses no batch.
    pub fn holds(&mut self, claim: &Claim<R>) -> bool {
        let now = self.storage.now();
        let seen = self.held.get(&claim.name).copied();
        if seen.is_some_and(|seen| now.saturating_sub(seen) < Self::beat_interval(self.lease)) {
            return true;
        }
        let is_there = self.storage.exists((Part::Taken, &self.taken(&claim.name))).unwrap_or(true);
        if is_there {
            self.held.insert(claim.name.clone(), now);
        }
        is_there
    }

    /// Removes a batch that is done.
    ///
    /// # Errors
    /// Returns an error if the batch cannot be removed.
    pub fn finish(&mut self, claim: &Claim<R>) -> io::Result<()> {
        self.held.remove(&claim.name);
        absent_is_fine(self.storage.remove((Part::Taken, &self.taken(&claim.name))))
    }

    /// Gives a batch back with only the runs in `left`, unless another runner has taken the batch.
    ///
    /// # Errors
    /// Returns an error if the batch cannot be written.
    pub fn release(&mut self, claim: &Claim<R>, left: &[R]) -> io::Result<()> {
        if !left.is_empty() && self.holds(claim) {
            self.put(&claim.name, left, Flush::Now)?;
        }
        self.finish(claim)
    }
}
