//! The queue of a set: batches of runs as files, claimed by renaming them. Works between processes and,
//! on a shared folder, between machines.
//!
//! `todo/B` waits, `taken/B.W` is being done by W. A rename succeeds for one claimant only; one that
//! failed is looked at again, since a network file system may have done it all the same. W shows that it
//! lives by counting up in `alive/W`, which others judge by their own clock; on the same machine they look
//! at its process instead. Runs that are done twice do no harm: records are merged by their keys.

use crate::process::Identity;
use crate::record::Run;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a counter may stand still before its owner counts as dead.
const PATIENCE: Duration = Duration::from_secs(60);

/// The most runs of a batch.
const MOST_RUNS: usize = 100;

/// The queue of one set.
pub struct Queue {
    folder: PathBuf,
    me: Identity,
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

impl Queue {
    /// The queue of the set in a folder, which is made if need be.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn open(folder: &Path, me: Identity) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let mut queue = Queue { folder: folder.join("queue"), me, beats: 0, seen: FxHashMap::default() };
        let _lock = queue.lock()?;
        for part in ["todo", "taken", "alive", "new"] {
            fs::create_dir_all(queue.folder.join(part))?;
        }
        queue.beat()?;
        Ok(queue)
    }

    /// Others wait until it is dropped. Where locks do nothing, runs may be done twice.
    fn lock(&self) -> io::Result<File> {
        let set = File::open(self.folder.parent().unwrap_or(&self.folder))?;
        let _ = set.lock();
        Ok(set)
    }

    /// Shows that this worker lives.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn beat(&mut self) -> io::Result<()> {
        self.beats += 1;
        self.write(&self.folder.join("alive").join(self.me.name()), self.beats.to_string().as_bytes())
    }

    /// Whether every other worker that was here is known to have ended.
    fn is_alone(&self) -> io::Result<bool> {
        let others = self.batches("alive")?.into_iter().filter(|(name, _)| name != self.me.name());
        Ok(others.into_iter().all(|(name, _)| self.me.has_ended(&name) == Some(true)))
    }

    /// Forgets all batches and workers but this one.
    fn clear(&self) -> io::Result<()> {
        absent_is_fine(fs::remove_file(self.folder.join("cancel")))?;
        for part in ["todo", "taken", "alive", "new"] {
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
    /// If it cannot be written, or holds what is no batch.
    pub fn enqueue(&self, runs: Vec<Run>) -> io::Result<()> {
        let _lock = self.lock()?;
        if self.is_alone()? {
            // What is left of earlier plans, or in the hands of the dead, is queued anew if it is still wanted.
            self.clear()?;
        }
        let mut queued = FxHashSet::default();
        for (_, path) in self.batches("todo")?.into_iter().chain(self.batches("taken")?) {
            if let Some(runs) = read(&path)? {
                queued.extend(runs.into_iter().map(|run| run.key));
            }
        }
        let missing: Vec<Run> = runs.into_iter().filter(|run| !queued.contains(&run.key)).collect();
        let size = missing.len().div_ceil(32).clamp(1, MOST_RUNS);
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
        let written = File::create(&new).and_then(|mut file| file.write_all(bytes));
        written.and_then(|()| fs::rename(&new, path)).inspect_err(|_| drop(fs::remove_file(&new)))
    }

    /// Takes the next batch, if there is one.
    ///
    /// # Errors
    /// If the folder cannot be read or written.
    pub fn claim(&self) -> io::Result<Option<Claim>> {
        for (name, path) in self.batches("todo")? {
            let mine = self.folder.join("taken").join(format!("{name}@{}", self.me.name()));
            // Whether it succeeded is seen by what is there, not by what is said.
            let _ = fs::rename(&path, &mine);
            if let Some(runs) = read(&mine)? {
                return Ok(Some(Claim { name, path: mine, runs }));
            }
        }
        Ok(None)
    }

    /// A batch is done.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub fn finish(&self, claim: &Claim) -> io::Result<()> {
        absent_is_fine(fs::remove_file(&claim.path))
    }

    /// Gives a batch back, with the runs of it that are left.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn release(&self, claim: &Claim, left: &[Run]) -> io::Result<()> {
        if !left.is_empty() {
            self.put(&claim.name, left)?;
        }
        self.finish(claim)
    }

    /// Gives back what dead workers hold, and says how many runs live ones do.
    ///
    /// # Errors
    /// If the folder cannot be read or written.
    pub fn reclaim(&mut self) -> io::Result<Vec<Held>> {
        let mut held: Vec<Held> = Vec::new();
        for (name, path) in self.batches("taken")? {
            let Some((batch, owner)) = name.split_once('@') else { continue };
            if owner == self.me.name() {
                continue;
            }
            if self.is_dead(owner) {
                // Somebody else may be quicker.
                absent_is_fine(fs::rename(&path, self.folder.join("todo").join(batch)))?;
                absent_is_fine(fs::remove_file(self.folder.join("alive").join(owner)))?;
                continue;
            }
            add(&mut held, owner);
        }
        Ok(held)
    }

    fn is_dead(&mut self, owner: &str) -> bool {
        if let Some(ended) = self.me.has_ended(owner) {
            return ended;
        }
        let counter = fs::read_to_string(self.folder.join("alive").join(owner));
        let counter = counter.ok().and_then(|text| text.parse().ok()).unwrap_or(0);
        let seen = self.seen.entry(owner.to_owned()).or_insert((counter, Instant::now()));
        if seen.0 != counter {
            *seen = (counter, Instant::now());
        }
        seen.1.elapsed() > PATIENCE
    }

    /// Who works on the set in a folder, as far as is known without waiting.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn look(folder: &Path) -> io::Result<Vec<Held>> {
        if !folder.join("queue").is_dir() {
            return Ok(Vec::new());
        }
        let me = Identity::this();
        let queue = Queue { folder: folder.join("queue"), me, beats: 0, seen: FxHashMap::default() };
        let mut held: Vec<Held> = Vec::new();
        for (name, _) in queue.batches("taken")? {
            let Some((_, owner)) = name.split_once('@') else { continue };
            if queue.me.has_ended(owner) == Some(true) {
                continue;
            }
            add(&mut held, owner);
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
            && let Ok(queue) = Queue::open(folder, Identity::this())
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
            for part in ["new", "todo", "taken", "alive"] {
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
        let mut found = Vec::new();
        for entry in fs::read_dir(self.folder.join(part))? {
            let entry = entry?;
            found.push((entry.file_name().to_string_lossy().into_owned(), entry.path()));
        }
        found.sort();
        Ok(found)
    }
}

/// What another worker does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// Its name.
    pub worker: String,
    /// Batches that it holds.
    pub batches: usize,
}

/// Counts a batch of a worker.
fn add(held: &mut Vec<Held>, owner: &str) {
    match held.iter_mut().find(|held| held.worker == owner) {
        Some(held) => held.batches += 1,
        None => held.push(Held { worker: owner.to_owned(), batches: 1 }),
    }
}

/// The runs of a batch; `None` if it is not there.
fn read(path: &Path) -> io::Result<Option<Vec<Run>>> {
    match fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|error| {
            io::Error::other(format!("{} is no batch of runs ({error}); remove it", path.display()))
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn absent_is_fine(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
