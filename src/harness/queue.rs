//! The queue of a set: batches of runs as files, claimed by renaming them. It works between processes and, on a shared
//! folder, between machines.
//!
//! `todo/B` waits, `taken/B@W` is held by worker W. A rename succeeds for one claimant only; one that failed is looked at
//! again, because a network file system may have carried it out all the same. W shows that it is alive by counting up in
//! `alive/W`. Its batches go to others when its process has ended or its counter has not changed for the length of a
//! lease, on the same machine too: a process that was stopped does no work. One that continues finds its batch gone,
//! and takes another.
//!
//! Nothing in this folder is needed: whatever is deleted or unreadable here, the runner holds the records against the plan
//! before it ends and queues what is missing. Runs that are done twice do no harm, because records are merged by key.

mod files;

use crate::process::{Identity, Life};
use crate::record::Run;
use files::{Batch, absent_is_fine, batches, read};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a counter may stand still before its owner counts as dead, unless the caller says otherwise.
pub const LEASE: Duration = Duration::from_secs(60);

/// The most runs of a batch.
const MAX_RUNS: usize = 100;

/// The folders of a queue.
const PARTS: [&str; 4] = ["todo", "taken", "alive", "new"];

/// The queue of one set.
pub struct Queue {
    folder: PathBuf,
    me: Identity,
    lease: Duration,
    beats: u64,
    /// The last change of every other worker's counter that was seen.
    seen: FxHashMap<String, (u64, Instant)>,
}

/// A batch that is ours.
#[derive(Debug)]
pub struct Claim {
    name: String,
    path: PathBuf,
    /// Its runs.
    pub runs: Vec<Run>,
}

/// What another worker holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// Its name.
    pub worker: String,
    /// Its batches.
    pub batches: usize,
    /// What its process is doing.
    pub life: Life,
}

impl Queue {
    /// The queue of the set in a folder, which is made if need be. A worker that does not beat for the length of `lease`
    /// loses its batches.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn open(folder: &Path, me: Identity, lease: Duration) -> io::Result<Self> {
        let mut queue =
            Queue { folder: folder.join("queue"), me, lease, beats: 0, seen: FxHashMap::default() };
        let _lock = queue.lock()?;
        queue.beat()?;
        Ok(queue)
    }

    /// Makes what is not there.
    fn make(&self) -> io::Result<()> {
        PARTS.iter().try_for_each(|part| fs::create_dir_all(self.folder.join(part)))
    }

    /// Others wait until it is dropped. Where locks do nothing, runs may be done twice.
    fn lock(&self) -> io::Result<File> {
        self.make()?;
        let set = File::open(self.folder.parent().unwrap_or(&self.folder))?;
        let _ = set.lock();
        Ok(set)
    }

    /// Shows that this worker is alive.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn beat(&mut self) -> io::Result<()> {
        self.beats += 1;
        self.make()?;
        self.write(&self.folder.join("alive").join(self.me.name()), self.beats.to_string().as_bytes())
    }

    /// Whether every other worker that was here is known to have ended.
    fn is_alone(&self) -> io::Result<bool> {
        let others = self.batches("alive")?.into_iter().filter(|(name, _)| name != self.me.name());
        Ok(others.into_iter().all(|(name, _)| self.me.life(&name) == Life::Ended))
    }

    /// Forgets all batches and workers but this one.
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

    /// Puts runs that are not queued yet into the queue, in batches small enough to be shared out.
    ///
    /// # Errors
    /// If it cannot be read or written.
    pub fn enqueue(&self, runs: Vec<Run>) -> io::Result<()> {
        let _lock = self.lock()?;
        if self.is_alone()? {
            // What is left of earlier plans, or in the hands of the dead, is queued anew if it is still wanted.
            self.clear()?;
        }
        let mut queued = FxHashSet::default();
        for (_, path) in self.batches("todo")?.into_iter().chain(self.batches("taken")?) {
            if let Batch::Runs(runs) = read(&path)? {
                queued.extend(runs.into_iter().map(|run| run.key));
            }
        }
        let missing: Vec<Run> = runs.into_iter().filter(|run| !queued.contains(&run.key)).collect();
        let size = missing.len().div_ceil(32).clamp(1, MAX_RUNS);
        for (i, batch) in missing.chunks(size).enumerate() {
            // Names ascend in the order of the plan.
            let first = batch.first().map_or("", |run| &run.key);
            self.put(&format!("{i:06}-{first}"), batch)?;
        }
        Ok(())
    }

    fn put(&self, name: &str, runs: &[Run]) -> io::Result<()> {
        self.write(&self.folder.join("todo").join(name), &serde_json::to_vec(runs)?)
    }

    /// Writes a file so that it is there whole or not at all.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let new = self.folder.join("new").join(format!("{name}.{}", self.me.name()));
        let written = || {
            File::create(&new)
                .and_then(|mut file| file.write_all(bytes))
                .and_then(|()| fs::rename(&new, path))
        };
        let first = match written() {
            // Somebody has deleted the folder.
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.make().and_then(|()| written()),
            other => other,
        };
        first.inspect_err(|_| drop(fs::remove_file(&new)))
    }

    /// Takes the next batch, if there is one. A file that holds no runs is removed.
    ///
    /// # Errors
    /// If the folder cannot be read or written.
    pub fn claim(&self) -> io::Result<Option<Claim>> {
        for (name, path) in self.batches("todo")? {
            let mine = self.folder.join("taken").join(format!("{name}@{}", self.me.name()));
            // Whether it succeeded is seen by what is there, not by what is said.
            let renamed = fs::rename(&path, &mine);
            match read(&mine)? {
                Batch::Runs(runs) => return Ok(Some(Claim { name, path: mine, runs })),
                Batch::Unreadable => absent_is_fine(fs::remove_file(&mine))?,
                // A rename that failed although the batch still waits will fail again.
                Batch::Absent if path.exists() => absent_is_fine(renamed)?,
                Batch::Absent => (),
            }
        }
        Ok(None)
    }

    /// Whether a batch is still ours: it is not if this process was stopped for longer than the lease, or if somebody
    /// deleted the batch.
    pub fn holds(&self, claim: &Claim) -> bool {
        claim.path.try_exists().unwrap_or(true)
    }

    /// A batch is done.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub fn finish(&self, claim: &Claim) -> io::Result<()> {
        absent_is_fine(fs::remove_file(&claim.path))
    }

    /// Gives a batch back, with the runs of it that are left, unless others took it over.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn release(&self, claim: &Claim, left: &[Run]) -> io::Result<()> {
        if !left.is_empty() && self.holds(claim) {
            self.put(&claim.name, left)?;
        }
        self.finish(claim)
    }

    /// Gives back what dead workers hold and sweeps what they left; returns what live ones hold. Leases of others run from
    /// the first call on, so it should be called at regular intervals.
    ///
    /// # Errors
    /// If the folder cannot be read or written.
    pub fn reclaim(&mut self) -> io::Result<Vec<Held>> {
        let mut held: Vec<Held> = Vec::new();
        for (name, path) in self.batches("taken")? {
            // A file that names no owner belongs to nobody.
            let (batch, owner) = name.rsplit_once('@').unwrap_or((&name, ""));
            if owner == self.me.name() {
                continue;
            }
            if owner.is_empty() || self.is_dead(owner) {
                // Somebody else may be quicker.
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

    /// Whether a process has ended or was silent for the length of the lease.
    fn is_dead(&mut self, owner: &str) -> bool {
        let counter = fs::read_to_string(self.folder.join("alive").join(owner));
        let counter = counter.ok().and_then(|text| text.parse().ok()).unwrap_or(0);
        let seen = self.seen.entry(owner.to_owned()).or_insert((counter, Instant::now()));
        if seen.0 != counter {
            *seen = (counter, Instant::now());
        }
        seen.1.elapsed() > self.lease || self.me.life(owner) == Life::Ended
    }

    /// Who holds batches of the set in a folder, the dead included.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn look(folder: &Path) -> io::Result<Vec<Held>> {
        let me = Identity::this();
        let mut held: Vec<Held> = Vec::new();
        for (name, _) in batches(&folder.join("queue").join("taken"))? {
            if let Some((_, owner)) = name.rsplit_once('@') {
                add(&mut held, owner, me.life(owner));
            }
        }
        Ok(held)
    }

    /// Whether somebody asked all workers of this set to stop.
    pub fn is_cancelled(&self) -> bool {
        self.folder.join("cancel").exists()
    }

    /// Asks all workers of the set in a folder to stop. Whoever comes when they are gone takes that back.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn cancel(folder: &Path) -> io::Result<()> {
        File::create(folder.join("queue").join("cancel")).map(drop)
    }

    /// Removes what killed workers of the set in a folder left, if nobody else is there.
    pub fn tidy(folder: &Path) {
        if folder.join("queue").is_dir()
            && let Ok(queue) = Queue::open(folder, Identity::this(), LEASE)
        {
            queue.leave();
        }
    }

    /// Leaves; the last one to leave removes the queue. What is left of it is queued anew by whoever goes on.
    pub fn leave(&self) {
        let Ok(_lock) = self.lock() else { return };
        if self.is_alone().unwrap_or(false) {
            let _ = self.clear();
        }
        let _ = fs::remove_file(self.folder.join("alive").join(self.me.name()));
        // A folder that is not empty stays: somebody still uses it.
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

    /// Whether nothing waits and nobody does anything.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn is_empty(&self) -> io::Result<bool> {
        Ok(self.batches("todo")?.is_empty() && self.batches("taken")?.is_empty())
    }

    fn batches(&self, part: &str) -> io::Result<Vec<(String, PathBuf)>> {
        batches(&self.folder.join(part))
    }
}

/// Counts a batch of a worker.
fn add(held: &mut Vec<Held>, owner: &str, life: Life) {
    match held.iter_mut().find(|held| held.worker == owner) {
        Some(held) => held.batches += 1,
        None => held.push(Held { worker: owner.to_owned(), batches: 1, life }),
    }
}
