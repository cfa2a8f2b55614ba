//! What a queue needs of a shared folder and of a clock. [`Disk`] is the real thing; a simulation has its own.

use crate::process::{Identity, Life};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A subfolder of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// Batches that wait.
    Todo,
    /// Batches that a runner holds.
    Taken,
    /// The counters of the runners.
    Alive,
    /// The same counters: an empty file `R@COUNT` for each runner R. One listing shows all of them.
    Beats,
    /// Files that are being written.
    New,
    /// For each batch and each runner that died while it held the batch, an empty file.
    Deaths,
    /// The folder of the queue itself, which holds the request to stop.
    Root,
}

impl Part {
    /// All subfolders.
    pub const FOLDERS: [Part; 6] =
        [Part::Todo, Part::Taken, Part::Alive, Part::Beats, Part::New, Part::Deaths];

    fn name(self) -> &'static str {
        match self {
            Part::Todo => "todo",
            Part::Taken => "taken",
            Part::Alive => "alive",
            Part::Beats => "beats",
            Part::New => "new",
            Part::Deaths => "deaths",
            Part::Root => "",
        }
    }
}

/// When a file is flushed to disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flush {
    /// When the system chooses.
    Later,
    /// Before it is closed. On a network file system, only this reports that a quota is exceeded.
    Now,
}

/// A file of a queue.
pub type Place<'a> = (Part, &'a str);

/// The folder of one queue, as one runner sees it, and the runner's clock.
pub trait Storage {
    /// Keeps the set locked.
    type Lock;

    /// The name of this runner.
    fn me(&self) -> &str;

    /// The state of the runner of that name.
    fn life(&self, name: &str) -> Life;

    /// The time since some moment. It never decreases, and it cannot be compared with the time of another runner.
    fn now(&self) -> Duration;

    /// Creates the folders of the queue that do not exist.
    ///
    /// # Errors
    /// If they cannot be created.
    fn create_folders(&self) -> io::Result<()>;

    /// Removes the folders of the queue that are empty.
    fn remove_folders(&self);

    /// Locks the set until the result is dropped. A lock may have no effect on other machines.
    ///
    /// # Errors
    /// If the set does not exist.
    fn lock(&self) -> io::Result<Self::Lock>;

    /// The names of the regular files of a subfolder, sorted; none if it does not exist. Names that begin with a dot
    /// are left out: NFS keeps deleted files under such names as long as they are open. Names that are not UTF-8 are
    /// left out, too.
    ///
    /// # Errors
    /// If the folder cannot be read.
    fn list(&self, part: Part) -> io::Result<Vec<String>>;

    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read. A file that exists may count as absent for a while if another machine has created it.
    fn read(&self, place: Place<'_>) -> io::Result<Vec<u8>>;

    /// Whether a file exists.
    ///
    /// # Errors
    /// If this cannot be determined.
    fn exists(&self, place: Place<'_>) -> io::Result<bool>;

    /// Creates or overwrites a file.
    ///
    /// # Errors
    /// If it cannot be written.
    fn write(&self, place: Place<'_>, bytes: &[u8], flush: Flush) -> io::Result<()>;

    /// Renames a file. An existing file of the new name is replaced.
    ///
    /// # Errors
    /// If it cannot be renamed. On a network file system, a rename may succeed and yet report that the file is absent.
    fn rename(&self, from: Place<'_>, to: Place<'_>) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    /// If it cannot be removed.
    fn remove(&self, place: Place<'_>) -> io::Result<()>;
}

/// The folder `queue/` of a set, and the clock of this machine.
pub struct Disk {
    folder: PathBuf,
    me: Identity,
    start: Instant,
}

impl Disk {
    /// The queue of the set in `set`, for the runner `me`.
    pub(super) fn of(set: &Path, me: Identity) -> Self {
        Disk { folder: set.join("queue"), me, start: Instant::now() }
    }

    fn path(&self, (part, name): Place<'_>) -> PathBuf {
        self.folder.join(part.name()).join(name)
    }
}

impl Storage for Disk {
    type Lock = File;

    fn me(&self) -> &str {
        self.me.name()
    }

    fn life(&self, name: &str) -> Life {
        self.me.life(name)
    }

    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn create_folders(&self) -> io::Result<()> {
        Part::FOLDERS.iter().try_for_each(|part| fs::create_dir_all(self.folder.join(part.name())))
    }

    fn remove_folders(&self) {
        for part in Part::FOLDERS {
            let _ = fs::remove_dir(self.folder.join(part.name()));
        }
        let _ = fs::remove_dir(&self.folder);
    }

    fn lock(&self) -> io::Result<File> {
        let set = File::open(self.folder.parent().unwrap_or(&self.folder))?;
        let _ = set.lock();
        Ok(set)
    }

    fn list(&self, part: Part) -> io::Result<Vec<String>> {
        let entries = match fs::read_dir(self.folder.join(part.name())) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut found = Vec::new();
        for entry in entries {
            let entry = entry?;
            // A queue writes only names in UTF-8. Another name, changed to UTF-8, would name no file, so the file could
            // be neither claimed nor removed.
            let Ok(name) = entry.file_name().into_string() else { continue };
            if !name.starts_with('.') && entry.file_type().is_ok_and(|kind| kind.is_file()) {
                found.push(name);
            }
        }
        found.sort();
        Ok(found)
    }

    fn read(&self, place: Place<'_>) -> io::Result<Vec<u8>> {
        fs::read(self.path(place))
    }

    fn exists(&self, place: Place<'_>) -> io::Result<bool> {
        self.path(place).try_exists()
    }

    fn write(&self, place: Place<'_>, bytes: &[u8], flush: Flush) -> io::Result<()> {
        let mut file = File::create(self.path(place))?;
        file.write_all(bytes)?;
        if flush == Flush::Now { file.sync_all() } else { Ok(()) }
    }

    fn rename(&self, from: Place<'_>, to: Place<'_>) -> io::Result<()> {
        fs::rename(self.path(from), self.path(to))
    }

    fn remove(&self, place: Place<'_>) -> io::Result<()> {
        fs::remove_file(self.path(place))
    }
}

/// Treats the error that a file does not exist as success.
pub(super) fn absent_is_fine(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn only_files_of_a_queue_are_listed() {
        let home = tempfile::tempdir().unwrap();
        let disk = Disk::of(home.path(), Identity::this());
        assert_eq!(disk.list(Part::Todo).unwrap(), [""; 0]);
        disk.create_folders().unwrap();
        for name in ["b", "a", ".nfs000001"] {
            disk.write((Part::Todo, name), b"", Flush::Later).unwrap();
        }
        fs::create_dir(home.path().join("queue/todo/folder")).unwrap();
        fs::write(home.path().join("queue/todo").join(OsStr::from_bytes(b"c\xff")), b"").unwrap();
        assert_eq!(disk.list(Part::Todo).unwrap(), ["a", "b"]);
    }
}
