//! The queue of a set, which distributes the runs of a plan to *runners*, the processes of `counterpoint run`. Batches
//! of runs are files, and a runner claims a batch by renaming its file. This works between processes and, in a shared
//! folder, between machines.
//!
//! A waiting batch B is the file `todo/B`; a batch B that runner R holds is the file `taken/B@R`. Only one runner can
//! rename a file. On a network file system, a rename can succeed and yet return an error, so the runner checks
//! afterwards whether it has the file. To show that it is alive, R increments a counter in `alive/R`. If R has ended,
//! or its counter has not changed for the length of a *lease*, other runners take its batches. The lease is needed even
//! on one machine, because a signal can suspend a process, which then exists but does no work. When a suspended runner
//! is continued, it notices that it has lost its batch and claims another one.
//!
//! No file of a queue is indispensable. If files are deleted or damaged, the runner still compares the records with the
//! plan before it ends, and queues missing runs again. It does no harm if a run is made twice, because records are
//! merged by key.

mod files;

use crate::process::{Identity, Life};
use crate::record::Run;
use files::{Batch, absent_is_fine, batches, read};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The default lease: how long a counter may remain unchanged before its runner counts as dead.
pub const LEASE: Duration = Duration::from_secs(60);

/// The maximum number of runs of a batch.
const MAX_RUNS: usize = 100;

/// The number of batches for each runner, if there are enough runs. With fewer batches, the last runner would work
/// alone for longer.
const BATCHES_EACH: usize = 8;

/// The number of runners for which batches are made if the actual number is not known.
const SHARES: usize = 4;

/// The subfolders of a queue.
const PARTS: [&str; 4] = ["todo", "taken", "alive", "new"];

/// The queue of one set, as this runner uses it.
pub struct Queue {
    folder: PathBuf,
    me: Identity,
    lease: Duration,
    /// This runner's counter.
    counter: u64,
    /// For each other runner, the last known value of its counter, and when the counter was last seen to change.
    counters: FxHashMap<String, (u64, Instant)>,
}

/// A batch that this runner holds.
#[derive(Debug)]
pub struct Claim {
    name: String,
    path: PathBuf,
    /// The runs of the batch.
    pub runs: Vec<Run>,
}

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
    /// Opens the queue of the set in `folder`, or creates it. A runner that does not call [`beat`](Self::beat) for the
    /// length of `lease` loses its batches.
    ///
    /// # Errors
    /// Returns an error if the queue cannot be written.
    pub fn open(folder: &Path, me: Identity, lease: Duration) -> io::Result<Self> {
        let mut queue =
            Queue { folder: folder.join("queue"), me, lease, counter: 0, counters: FxHashMap::default() };
        let _lock = queue.lock()?;
        queue.beat()?;
        Ok(queue)
    }

    /// Creates missing folders.
    fn create_folders(&self) -> io::Result<()> {
        PARTS.iter().try_for_each(|part| fs::create_dir_all(self.folder.join(part)))
    }

    /// Locks the set until the result is dropped. On a file system without locks, runs may be made twice.
    fn lock(&self) -> io::Result<File> {
        self.create_folders()?;
        let set = File::open(self.folder.parent().unwrap_or(&self.folder))?;
        let _ = set.lock();
        Ok(set)
    }

    /// Shows that this runner is alive, by incrementing its counter.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be written.
    pub fn beat(&mut self) -> io::Result<()> {
        self.counter += 1;
        self.create_folders()?;
        self.write(&self.folder.join("alive").join(self.me.name()), self.counter.to_string().as_bytes())
    }

    /// Whether every other runner of this queue is known to have ended.
    fn is_alone(&self) -> io::Result<bool> {
        let others = self.batches("alive")?.into_iter().filter(|(name, _)| name != self.me.name());
        Ok(others.into_iter().all(|(name, _)| self.me.life(&name) == Life::Ended))
    }

    /// Removes all batches, the request to stop, and the counters of all other runners.
    fn clear(&self) -> io::Result<()> {
        absent_is_fine(fs::remove_file(self.folder.join("cancel")))?;
        for part in PARTS {
            for (name, path) in self.batches(part)? {
                if name != self.me.name() {
                    absent_is_fine(fs::remove_file(path))?;
                }
            }
        }
        Ok(())
    }

    /// Queues those of the runs that are not queued yet, in batches small enough to be shared between runners.
    ///
    /// # Errors
    /// Returns an error if the queue cannot be read or written.
    pub fn enqueue(&self, runs: Vec<Run>) -> io::Result<()> {
        self.enqueue_for(runs, SHARES)
    }

    /// Like [`enqueue`](Self::enqueue), for this many runners.
    fn enqueue_for(&self, runs: Vec<Run>, runners: usize) -> io::Result<()> {
        let _lock = self.lock()?;
        if self.is_alone()? {
            // Batches of earlier plans and of dead runners are removed. Their runs are queued again if they are in
            // `runs`.
            self.clear()?;
        }
        let mut queued = FxHashSet::default();
        for (_, path) in self.batches("todo")?.into_iter().chain(self.batches("taken")?) {
            if let Batch::Runs(runs) = read(&path)? {
                queued.extend(runs.into_iter().map(|run| run.key));
            }
        }
        let missing: Vec<Run> = runs.into_iter().filter(|run| !queued.contains(&run.key)).collect();
        let size = missing.len().div_ceil(BATCHES_EACH * runners).clamp(1, MAX_RUNS);
        for (i, batch) in missing.chunks(size).enumerate() {
            // Batches sorted by name are in the order of the plan.
            let first = batch.first().map_or("", |run| &run.key);
            self.put(&format!("{i:06}-{first}"), batch)?;
        }
        Ok(())
    }

    /// Queues runs for this many other runners, as [`enqueue`](Self::enqueue) does, and leaves the queue without
    /// carrying out any of them. An earlier request to stop is withdrawn.
    ///
    /// # Errors
    /// If the queue cannot be read or written.
    pub fn submit(folder: &Path, me: Identity, runs: Vec<Run>, runners: usize) -> io::Result<()> {
        let queue = Queue::open(folder, me, LEASE)?;
        let submitted = queue.enqueue_for(runs, runners.max(1));
        absent_is_fine(fs::remove_file(queue.folder.join("cancel")))?;
        absent_is_fine(fs::remove_file(queue.folder.join("alive").join(queue.me.name())))?;
        submitted
    }

    /// The numbers of batches that wait and that are held in the set in `folder`.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn sizes(folder: &Path) -> io::Result<(usize, usize)> {
        let count = |part: &str| Ok::<_, io::Error>(batches(&folder.join("queue").join(part))?.len());
        Ok((count("todo")?, count("taken")?))
    }

    fn put(&self, name: &str, runs: &[Run]) -> io::Result<()> {
        self.write(&self.folder.join("todo").join(name), &serde_json::to_vec(runs)?)
    }

    /// Writes a file atomically.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let new = self.folder.join("new").join(format!("{name}.{}", self.me.name()));
        let written = || {
            File::create(&new)
                .and_then(|mut file| file.write_all(bytes))
                .and_then(|()| fs::rename(&new, path))
        };
        let first = match written() {
            // The folder was deleted.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.create_folders().and_then(|()| written())
            }
            other => other,
        };
        first.inspect_err(|_| drop(fs::remove_file(&new)))
    }

    /// Claims the next batch, if there is one. A file that is not a batch is removed.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be read or written.
    pub fn claim(&self) -> io::Result<Option<Claim>> {
        for (name, path) in self.batches("todo")? {
            let mine = self.folder.join("taken").join(format!("{name}@{}", self.me.name()));
            // The files show whether the rename succeeded; the result of the call may be wrong.
            let renamed = fs::rename(&path, &mine);
            match read(&mine)? {
                Batch::Runs(runs) => return Ok(Some(Claim { name, path: mine, runs })),
                Batch::Unreadable => absent_is_fine(fs::remove_file(&mine))?,
                // If the batch is still waiting, another attempt to rename it would fail, too, so the error of this one
                // is reported.
                Batch::Absent if path.exists() => absent_is_fine(renamed)?,
                Batch::Absent => (),
            }
        }
        Ok(None)
    }

    /// Whether this runner still holds a batch. It has lost the batch if another runner has taken it, or if the file
    /// was deleted.
    pub fn holds(&self, claim: &Claim) -> bool {
        claim.path.try_exists().unwrap_or(true)
    }

    /// Removes a batch that is done.
    ///
    /// # Errors
    /// Returns an error if the batch cannot be removed.
    pub fn finish(&self, claim: &Claim) -> io::Result<()> {
        absent_is_fine(fs::remove_file(&claim.path))
    }

    /// Gives a batch back with only the runs in `left`, unless another runner has taken the batch.
    ///
    /// # Errors
    /// Returns an error if the batch cannot be written.
    pub fn release(&self, claim: &Claim, left: &[Run]) -> io::Result<()> {
        if !left.is_empty() && self.holds(claim) {
            self.put(&claim.name, left)?;
        }
        self.finish(claim)
    }

    /// Gives back the batches of dead runners, removes files that they left, and returns how many batches each other
    /// live runner holds. The time of another runner's lease is counted from the first call that finds that runner, so
    /// this method must be called at regular intervals.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be read or written.
    pub fn reclaim(&mut self) -> io::Result<Vec<HeldBatches>> {
        let mut held: Vec<HeldBatches> = Vec::new();
        for (name, path) in self.batches("taken")? {
            // A batch whose file names no owner is given back, too.
            let (batch, owner) = name.rsplit_once('@').unwrap_or((&name, ""));
            if owner == self.me.name() {
                continue;
            }
            if owner.is_empty() || self.is_dead(owner) {
                // Another runner may have moved the file first.
                absent_is_fine(fs::rename(&path, self.folder.join("todo").join(batch)))?;
            } else {
                add(&mut held, owner, self.me.life(owner));
            }
        }
        for (owner, path) in self.batches("alive")? {
            if owner != self.me.name() && self.is_dead(&owner) {
                absent_is_fine(fs::remove_file(path))?;
            }
        }
        for (name, path) in self.batches("new")? {
            if files::writer(&name).is_some_and(|writer| self.me.life(writer) == Life::Ended) {
                absent_is_fine(fs::remove_file(path))?;
            }
        }
        Ok(held)
    }

    /// Whether a runner's process has ended, or its counter has not changed for the length of the lease.
    fn is_dead(&mut self, owner: &str) -> bool {
        let counter = fs::read_to_string(self.folder.join("alive").join(owner));
        let counter = counter.ok().and_then(|text| text.parse().ok()).unwrap_or(0);
        let last = self.counters.entry(owner.to_owned()).or_insert((counter, Instant::now()));
        if last.0 != counter {
            *last = (counter, Instant::now());
        }
        last.1.elapsed() > self.lease || self.me.life(owner) == Life::Ended
    }

    /// For each runner that holds batches of the set in `folder`, how many it holds. Dead runners are included.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be read.
    pub fn look(folder: &Path) -> io::Result<Vec<HeldBatches>> {
        let me = Identity::this();
        let mut held: Vec<HeldBatches> = Vec::new();
        for (name, _) in batches(&folder.join("queue").join("taken"))? {
            if let Some((_, owner)) = name.rsplit_once('@') {
                add(&mut held, owner, me.life(owner));
            }
        }
        Ok(held)
    }

    /// Whether all runners of this set were asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.folder.join("cancel").exists()
    }

    /// Asks all runners of the set in `folder` to stop. The request is withdrawn when the last of them leaves, or by
    /// [`submit`](Self::submit).
    ///
    /// # Errors
    /// Returns an error if the folder cannot be written.
    pub fn cancel(folder: &Path) -> io::Result<()> {
        let queue = folder.join("queue");
        fs::create_dir_all(&queue)?;
        File::create(queue.join("cancel")).map(drop)
    }

    /// Removes what killed runners left in the queue of the set in `folder`, unless other runners use it.
    pub fn tidy(folder: &Path) {
        if folder.join("queue").is_dir()
            && let Ok(queue) = Queue::open(folder, Identity::this(), LEASE)
        {
            queue.leave();
        }
    }

    /// Leaves the queue. The last runner to leave removes the queue. If runs are left in it, the next `counterpoint
    /// run` queues them again.
    pub fn leave(&self) {
        let Ok(_lock) = self.lock() else { return };
        if self.is_alone().unwrap_or(false) {
            let _ = self.clear();
        }
        let _ = fs::remove_file(self.folder.join("alive").join(self.me.name()));
        // If a folder is not empty, another runner still uses the queue.
        let empty = ["todo", "taken", "alive"].iter().all(|part| {
            fs::read_dir(self.folder.join(part)).is_ok_and(|mut entries| entries.next().is_none())
        });
        if empty {
            let _ = fs::remove_file(self.folder.join("cancel"));
            for part in PARTS {
                let _ = fs::remove_dir(self.folder.join(part));
            }
            let _ = fs::remove_dir(&self.folder);
        }
    }

    /// Whether no batch is waiting or held.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be read.
    pub fn is_empty(&self) -> io::Result<bool> {
        Ok(self.batches("todo")?.is_empty() && self.batches("taken")?.is_empty())
    }

    fn batches(&self, part: &str) -> io::Result<Vec<(String, PathBuf)>> {
        batches(&self.folder.join(part))
    }
}

/// Counts one more batch of a runner in the list.
fn add(held: &mut Vec<HeldBatches>, owner: &str, life: Life) {
    match held.iter_mut().find(|held| held.worker == owner) {
        Some(held) => held.batches += 1,
        None => held.push(HeldBatches { worker: owner.to_owned(), batches: 1, life }),
    }
}
