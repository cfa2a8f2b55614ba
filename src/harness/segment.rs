//! A segment of a set: the file of records that this process appends to.

use super::environment::{Environment, FILE_PREFIX};
use super::set::files;
use crate::process::{Identity, Life};
use crate::record::Record;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What the names of files begin with that are being written.
const NEW: &str = "new-";

/// How long a process of another machine, which cannot be seen from here, may take to write such a file.
const LONGEST_WRITE: Duration = Duration::from_secs(3600);

/// A file of records that this process appends to. It is made with its first record; if somebody deletes it, the next
/// record begins another one.
pub struct Segment {
    writer: String,
    path: PathBuf,
    file: Option<File>,
    /// How many were deleted.
    lost: u32,
    /// Bytes that are whole records.
    whole: u64,
    dirty: bool,
    environment: Environment,
}

impl Segment {
    /// A segment of the set in `folder`, named after the process that writes it. The surroundings of its records are
    /// written first unless another process has done that.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn new(folder: &Path, writer: &str, environment: &Environment) -> io::Result<Self> {
        let segment = Segment {
            writer: writer.to_owned(),
            path: folder.join(format!("{writer}.jsonl")),
            file: None,
            lost: 0,
            whole: 0,
            dirty: false,
            environment: environment.clone(),
        };
        segment.describe(&segment.environment)?;
        Ok(segment)
    }

    /// Writes surroundings of records of the set, unless another process has done that.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn describe(&self, environment: &Environment) -> io::Result<()> {
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

    /// Appends a record; it is safe from whatever may happen to this process, but not yet to the machine.
    ///
    /// # Errors
    /// If it cannot be written, such as on a full disk. What was written of it is taken back.
    pub fn append(&mut self, record: &Record) -> io::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        if self.file.as_ref().is_some_and(is_deleted) {
            // By another name, since those who were reading the first would go on where they were.
            self.lost += 1;
            self.path = self.path.with_file_name(format!("{}-{}.jsonl", self.writer, self.lost));
            (self.file, self.whole) = (None, 0);
        }
        if self.file.is_none() {
            self.describe(&self.environment)?;
            self.file = Some(OpenOptions::new().append(true).create_new(true).open(&self.path)?);
        }
        let Some(file) = &mut self.file else { return Ok(()) };
        if let Err(error) = file.write_all(&line) {
            // Should this fail too, the line lacks its end and counts for nothing.
            let _ = file.set_len(self.whole);
            return Err(error);
        }
        self.whole += line.len() as u64;
        self.dirty = true;
        Ok(())
    }

    /// Makes everything so far safe from a machine that stops.
    ///
    /// # Errors
    /// If it cannot be.
    pub fn sync(&mut self) -> io::Result<()> {
        if let (Some(file), true) = (&self.file, self.dirty) {
            file.sync_data()?;
            self.dirty = false;
        }
        Ok(())
    }

    /// Where it stands.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Whether somebody has deleted an open file, so that what is written to it is lost.
fn is_deleted(file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    file.metadata().is_ok_and(|file| file.nlink() == 0)
}

/// Removes what processes that were killed had begun to write into the set in a folder.
///
/// # Errors
/// If the folder cannot be read.
pub fn sweep(folder: &Path) -> io::Result<()> {
    let me = Identity::this();
    for path in files(folder, |name| name.starts_with(NEW))? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_old = || {
            let age =
                path.metadata().and_then(|file| file.modified()).ok().and_then(|time| time.elapsed().ok());
            age.is_some_and(|age| age > LONGEST_WRITE)
        };
        let is_left = match me.life(name.strip_prefix(NEW).unwrap_or_default()) {
            Life::Ended => true,
            Life::Elsewhere => is_old(),
            Life::Running | Life::Stopped => false,
        };
        if is_left {
            // Somebody else may be quicker.
            let _ = fs::remove_file(&path);
        }
    }
    Ok(())
}
