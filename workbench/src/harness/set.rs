//! A set of records: a folder of JSON-lines files, one for each process that wrote into it.
//!
//! Each line is a record. Only the process that created a file appends to it. So the records of a killed process are
//! kept. If a machine stops, at most the records of the last second are lost, because records are flushed to disk every
//! second. An unterminated last line is ignored. Records with the same key come from attempts at the same run, so only
//! one of them counts.
//!
//! Files may have been edited, so each line is validated: it counts only if it is a record, its values are possible,
//! and it agrees with the planned run of its key. Other lines are rejected.

use super::environment::{Environment, FILE_PREFIX};
use super::places::Places;
use super::planned::Planned;
use crate::record::{self, Record, Unreadable};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The maximum length of a record in bytes. The answers that records keep are much shorter.
const MAX_LINE: u64 = 1 << 24;

/// The records of a set that were read so far.
pub struct Set {
    folder: PathBuf,
    planned: Arc<Planned>,
    /// By file, how many bytes and how many lines of it were read.
    read: FxHashMap<PathBuf, (u64, usize)>,
    places: Places,
    runs: FxHashMap<String, Attempts>,
    rejected: Vec<Rejected>,
    /// By key, the highest attempt number on a rejected line. New attempts get higher numbers.
    rejected_numbers: FxHashMap<String, u32>,
}

/// The fields of a rejected line that may still be readable.
#[derive(Deserialize)]
struct Numbered {
    key: String,
    #[serde(default)]
    attempt_number: Option<u32>,
}

/// The attempts at a run that were read so far.
struct Attempts {
    /// The record of the attempt that counts.
    record: Record,
    /// The position of that record.
    place: Place,
    /// The highest attempt number.
    last: u32,
    /// The number of attempts that did not fail.
    done: usize,
}

/// The position of a line.
#[derive(Clone)]
struct Place {
    file: Arc<Path>,
    /// The number of the line, from 1.
    line: usize,
}

/// A line or a file that is not counted, although it is in the folder of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// `FILE`, `FILE:LINE` or `FILE:LINE:COLUMN`.
    pub place: String,
    /// Why it is not counted.
    pub reason: String,
}

impl Set {
    /// Reads the set in a folder, which need not exist, without comparing its records with a plan.
    ///
    /// # Errors
    /// Returns an error if the folder or a file in it cannot be read.
    pub fn open(folder: &Path) -> io::Result<Self> {
        Set::of(folder, Arc::new(Planned::default()))
    }

    /// Reads the set in a folder, which need not exist. Records that disagree with the plan are rejected. Records of
    /// runs that are not in the plan are kept.
    ///
    /// # Errors
    /// Returns the errors of [`Set::open`].
    pub fn of(folder: &Path, planned: Arc<Planned>) -> io::Result<Self> {
        let (read, runs, rejected, rejected_numbers, places) = Default::default();
        let folder = folder.to_owned();
        let mut set = Set { folder, planned, read, runs, rejected, rejected_numbers, places };
        set.refresh()?;
        Ok(set)
    }

    /// Reads the set again from the start, because records may have been deleted.
    ///
    /// # Errors
    /// Returns the errors of [`Set::open`].
    pub(super) fn reopen(&self) -> io::Result<Self> {
        Set::of(&self.folder, Arc::clone(&self.planned))
    }

    /// Reads the lines that were added since the last time.
    ///
    /// # Errors
    /// Returns the errors of [`Set::open`].
    pub fn refresh(&mut self) -> io::Result<()> {
        self.refresh_of(|_| true)
    }

    /// As [`refresh`](Self::refresh), but only in files whose names `wanted` accepts.
    ///
    /// # Errors
    /// Returns the errors of [`Set::open`].
    pub(super) fn refresh_of(&mut self, wanted: impl Fn(&str) -> bool) -> io::Result<()> {
        for path in files(&self.folder, |name| name.ends_with(".jsonl") && wanted(name))? {
            let known = self.read.get(&path).copied();
            let (mut at, mut lines) = known.unwrap_or_default();
            // Reading a pipe would block.
            let metadata = metadata(&path)?;
            if !metadata.is_file() {
                if known.is_none() {
                    self.reject(path.display().to_string(), "not a regular file".to_owned());
                    self.read.insert(path, (0, 0));
                }
                continue;
            }
            if metadata.len() <= at {
                continue;
            }
            let file = File::open(&path).and_then(|mut file| file.seek(SeekFrom::Start(at)).map(|_| file));
            let mut file = BufReader::new(file.map_err(|error| read_error(&path, &error))?);
            let shared: Arc<Path> = path.as_path().into();
            let mut line = Vec::new();
            while let Some(length) =
                next_line(&mut file, &mut line).map_err(|error| read_error(&path, &error))?
            {
                at += length;
                lines += 1;
                self.add_line(&line, Place { file: Arc::clone(&shared), line: lines });
            }
            self.read.insert(path, (at, lines));
        }
        self.name_nodes();
        record::blame(self.runs.values_mut().map(|attempts| &mut attempts.record));
        Ok(())
    }

    /// If records come from several nodes, each of them names its node and its processor.
    fn name_nodes(&mut self) {
        if !self.places.are_several_nodes() {
            return;
        }
        for record in self.runs.values_mut().map(|attempts| &mut attempts.record) {
            let place = self.places.known(&record.environment);
            record.node = place.map(|place| place.node.clone());
            record.cpu_model = place.map(|place| place.cpu_model.clone());
        }
    }

    /// Adds the record on a line, or rejects the line.
    fn add_line(&mut self, line: &[u8], place: Place) {
        if line.trim_ascii().is_empty() {
            return;
        }
        if line.len() as u64 > MAX_LINE {
            return self.reject(place.to_string(), format!("longer than {MAX_LINE} bytes"));
        }
        let line = line.trim_ascii_end();
        let mut read = record::read(line);
        if let Ok(record) = &mut read
            && let Err(error) = self.planned.admit(record)
        {
            read = Err(Unreadable { column: None, reason: error.to_string() });
        }
        let mut record = match read {
            Ok(record) => record,
            Err(Unreadable { column, reason }) => {
                if let Ok(Numbered { key, attempt_number }) = serde_json::from_slice(line) {
                    let last = self.rejected_numbers.entry(key).or_default();
                    *last = attempt_number.unwrap_or(1).max(*last);
                }
                let column = column.map_or_else(String::new, |column| format!(":{column}"));
                return self.reject(format!("{place}{column}"), reason);
            }
        };
        record.build = self.places.of(&self.folder, &record.environment).map(|place| place.build.clone());
        let (number, done) = (record.number(), usize::from(!record.has_failed()));
        let key = record.key.clone();
        let merged = match self.runs.remove(&key) {
            None => Attempts { record, place, last: number, done },
            Some(known) => {
                let (last, done) = (known.last.max(number), known.done + done);
                let (attempt, earlier) = (record.attempt.clone(), known.place);
                let record = known.record.counting(record);
                let place = if record.attempt == attempt { place } else { earlier };
                Attempts { record, place, last, done }
            }
        };
        self.runs.insert(key, merged);
    }

    fn reject(&mut self, place: String, reason: String) {
        self.rejected.push(Rejected { place, reason });
    }

    /// The folder of the set.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The record that counts for a run; `None` if the run has no record.
    pub fn get(&self, key: &str) -> Option<&Record> {
        self.runs.get(key).map(|attempts| &attempts.record)
    }

    /// The position of the record that counts for a run, as `FILE:LINE`; `None` if the run has no record.
    pub fn place(&self, key: &str) -> Option<String> {
        self.runs.get(key).map(|attempts| attempts.place.to_string())
    }

    /// The number of the next attempt at a run.
    pub fn next_attempt(&self, key: &str) -> u32 {
        let last = self.runs.get(key).map_or(0, |attempts| attempts.last);
        last.max(self.rejected_numbers.get(key).copied().unwrap_or(0)).saturating_add(1)
    }

    /// The number of attempts that did not fail but do not count, because the record of another attempt at the same run
    /// counts.
    pub fn duplicates(&self) -> usize {
        self.runs.values().map(|attempts| attempts.done.saturating_sub(1)).sum()
    }

    /// The record that counts for each run of a whole instance, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = &Record> {
        self.runs.values().map(|attempts| &attempts.record).filter(|record| record.cube.is_none())
    }

    /// The record that counts for each run of a cube, in no particular order.
    pub fn cubes(&self) -> impl Iterator<Item = &Record> {
        self.runs.values().map(|attempts| &attempts.record).filter(|record| record.cube.is_some())
    }

    /// The lines and files that are not counted, in the order in which they were read.
    pub fn rejected(&self) -> &[Rejected] {
        &self.rejected
    }

    /// The environments that have a file in the folder of the set, each with its name.
    ///
    /// # Errors
    /// Returns an error if the file of an environment cannot be read.
    pub fn environment(&self) -> io::Result<Vec<(String, Environment)>> {
        let is_environment = |name: &str| name.starts_with(FILE_PREFIX) && name.ends_with(".json");
        let mut found = Vec::new();
        for path in files(&self.folder, is_environment)? {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let hash = name.strip_prefix(FILE_PREFIX).unwrap_or_default().to_owned();
            let invalid = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
            if !metadata(&path)?.is_file() {
                return Err(invalid(format!("{}: not a regular file; remove it", path.display())));
            }
            let text = fs::read(&path).map_err(|error| read_error(&path, &error))?;
            let environment = serde_json::from_slice(&text)
                .map_err(|error| invalid(format!("{}: {error}", path.display())))?;
            found.push((hash, environment));
        }
        Ok(found)
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file.display(), self.line)
    }
}

/// Reads the next complete line and returns its length; `None` if no complete line is left. If the line is longer than
/// [`MAX_LINE`] bytes, only its first [`MAX_LINE`] + 1 bytes are kept.
fn next_line(file: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<u64>> {
    line.clear();
    let mut length = file.take(MAX_LINE + 1).read_until(b'\n', line)? as u64;
    let mut rest = Vec::new();
    while line.len() as u64 > MAX_LINE && line.last() != Some(&b'\n') && rest.last() != Some(&b'\n') {
        rest.clear();
        match file.take(MAX_LINE).read_until(b'\n', &mut rest)? {
            0 => return Ok(None),
            more => length += more as u64,
        }
    }
    Ok([&*line, &rest].iter().any(|part| part.last() == Some(&b'\n')).then_some(length))
}

/// The metadata of a file. Links are followed.
fn metadata(path: &Path) -> io::Result<fs::Metadata> {
    fs::metadata(path).map_err(|error| read_error(path, &error))
}

fn read_error(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{} cannot be read: {error}", path.display()))
}

/// The entries of a folder whose names `wanted` accepts, in the order of their names; none if the folder does not
/// exist.
pub(super) fn files(folder: &Path, wanted: impl Fn(&str) -> bool) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        if wanted(&entry.file_name().to_string_lossy()) {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}
