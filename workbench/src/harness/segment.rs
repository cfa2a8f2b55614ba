//! A segment of a set: the file to which this process appends its records.

use super::environment::{Environment, FILE_PREFIX};
use super::folder::files;
use crate::process::{Identity, Life};
use crate::record::Record;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The prefix of the names of temporary files.
pub(super) const NEW: &str = "new-";

/// How long a process on another machine may take to write a temporary file. The state of such a process is unknown.
const MAX_WRITE_TIME: Duration = Duration::from_secs(3600);

/// The file to which this process appends its records. It is created with the first record. If it is deleted, the next
/// record begins another file.
pub struct Segment {
    writer: String,
    path: PathBuf,
    file: Option<File>,
    /// How many files of this segment were deleted; part of the name of the next file.
    lost: u32,
    /// The number of bytes of complete records in the file.
    complete: u64,
    /// Whether there are records that were not flushed to disk.
    is_dirty: bool,
    environment: Environment,
}

impl Segment {
    /// A segment of the set in `folder`, named after the process that writes it. Writes the environment of its records,
    /// unless another process has written it.
    ///
    /// # Errors
    /// Returns an error if the environment cannot be written.
    pub fn new(folder: &Path, writer: &str, environment: &Environment) -> io::Result<Self> {
        let segment = Segment {
            writer: writer.to_owned(),
            path: folder.join(format!("{writer}.jsonl")),
            file: None,
            lost: 0,
            complete: 0,
            is_dirty: false,
            environment: environment.clone(),
        };
        segment.write_environment(&segment.environment)?;
        Ok(segment)
    }

    /// Writes the file of an environment into the folder of the set, unless the file exists.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn write_environment(&self, environment: &Environment) -> io::Result<()> {
        let folder = self.path.parent().unwrap_or(&self.path);
        fs::create_dir_all(folder)?;
        let path = folder.join(format!("{FILE_PREFIX}{}.json", environment.hash()));
        if path.exists() {
            return Ok(());
        }
        let new = folder.join(format!("{NEW}{}", self.writer));
        let text = serde_json::to_string_pretty(environment)? + "\n";
        let written = File::create(&new).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()
        });
        written.and_then(|()| fs::rename(&new, path)).inspect_err(|_| drop(fs::remove_file(&new)))
    }

    /// Appends a record. The record then survives if this process is killed. After [`sync`](Self::sync), it also
    /// survives if the machine stops.
    ///
    /// # Errors
    /// Returns an error if the record cannot be written, for example because the disk is full. If only a part of it was
    /// written, that part is removed.
    pub fn append(&mut self, record: &Record) -> io::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        self.write(&line)?;
        // Compacting may have removed the file just before the line was written.
        if self.file.as_ref().is_some_and(is_deleted) {
            self.write(&line)?;
        }
        Ok(())
    }

    /// Appends a line to the file, or to a new one if the file was deleted.
    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        if self.file.as_ref().is_some_and(is_deleted) {
            // The new file needs another name. Otherwise, processes that have read a part of the deleted file would
            // continue at their old position in the new one.
            self.lost += 1;
            self.path = self.path.with_file_name(format!("{}-{}.jsonl", self.writer, self.lost));
            (self.file, self.complete) = (None, 0);
        }
        if self.file.is_none() {
            self.write_environment(&self.environment)?;
            self.file = Some(OpenOptions::new().append(true).create_new(true).open(&self.path)?);
        }
        let Some(file) = &mut self.file else { return Ok(()) };
        if let Err(error) = file.write_all(line) {
            // If this also fails, an incomplete line remains, which readers ignore.
            let _ = file.set_len(self.complete);
            return Err(error);
        }
        self.complete += line.len() as u64;
        self.is_dirty = true;
        Ok(())
    }

    /// Flushes all records to disk.
    ///
    /// # Errors
    /// Returns an error if the records cannot be flushed.
    pub fn sync(&mut self) -> io::Result<()> {
        if let (Some(file), true) = (&self.file, self.is_dirty) {
            file.sync_data()?;
            self.is_dirty = false;
        }
        Ok(())
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Whether an open file was deleted, so that anything written to it would be lost.
fn is_deleted(file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    file.metadata().is_ok_and(|file| file.nlink() == 0)
}

/// Removes temporary files of killed processes from the set in `folder`. If the state of a process is unknown, because
/// it belongs to another machine, its file is removed once it is older than an hour.
///
/// # Errors
/// Returns an error if the folder cannot be read.
pub fn sweep(folder: &Path) -> io::Result<()> {
    let me = Identity::this();
    for path in files(folder, |name| name.starts_with(NEW))? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_old = || {
            let age =
                path.metadata().and_then(|file| file.modified()).ok().and_then(|time| time.elapsed().ok());
            age.is_some_and(|age| age > MAX_WRITE_TIME)
        };
        let is_orphaned = match me.life(name.strip_prefix(NEW).unwrap_or_default()) {
            Life::Ended => true,
            Life::Elsewhere => is_old(),
            Life::Running | Life::Stopped => false,
        };
        if is_orphaned {
            // Another process may have removed the file first.
            let _ = fs::remove_file(&path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

    use super::*;
    use crate::harness::Tier;

    #[test]
    fn no_process_appends_to_the_file_of_another() {
        let home = tempfile::tempdir().unwrap();
        let environment = Environment::here(1, Tier::Rlimit, Vec::new()).unwrap();
        let segment = |name| Segment::new(home.path(), name, &environment).unwrap();
        let (mut one, mut two) = (segment("n1.1.17.99"), segment("n1.1.18.99"));
        one.append(&Record::default()).unwrap();
        two.append(&Record::default()).unwrap();
        assert_ne!(one.path(), two.path());
        // If names were not unique, a process would rather end than write into the middle of another's line.
        let error = segment("n1.1.17.99").append(&Record::default()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(one.path()).unwrap().lines().count(), 1);
    }
}
