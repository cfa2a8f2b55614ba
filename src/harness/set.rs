//! A set of records: a folder of JSON-lines files, one for each process that wrote into it.
//!
//! A file is only ever appended to, by the one who made it, a line a record; so what a killed process had
//! written stays, and a machine that stops loses what was not yet flushed, at most a second of it. A last
//! line without its end is nobody's record. Reading merges attempts by the key of their run.
//!
//! Files may have been edited, so nothing in them is believed: a line counts only if it is a record, its values are
//! possible, and it agrees with the run of the plan that it names. Other lines are remembered as rejected.

use super::builds::Builds;
use super::environment::{Environment, FILE_PREFIX};
use super::planned::Planned;
use crate::record::{self, Record, Unreadable};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The longest line that can be a record; answers that records keep are far shorter.
const MAX_LINE: u64 = 1 << 24;

/// The records of a set, as far as they were read.
pub struct Set {
    folder: PathBuf,
    planned: Arc<Planned>,
    /// How many bytes and lines of each file were read.
    read: FxHashMap<PathBuf, (u64, usize)>,
    builds: Builds,
    runs: FxHashMap<String, Attempts>,
    rejected: Vec<Rejected>,
    /// The highest number that a rejected line gives to an attempt at a run, so that no other attempt gets it.
    taken: FxHashMap<String, u32>,
}

/// As much of a rejected line as may be left.
#[derive(Deserialize)]
struct Numbered {
    key: String,
    #[serde(default)]
    attempt_number: Option<u32>,
}

/// The attempts at a run.
struct Attempts {
    /// The one that counts.
    record: Record,
    /// Where it stands.
    place: Place,
    /// The highest number among all.
    last: u32,
    /// How many did not fail.
    done: usize,
}

/// A line of a file.
#[derive(Clone)]
struct Place {
    file: Arc<Path>,
    /// From 1.
    line: usize,
}

/// Something in the folder of a set that counts for nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// `FILE`, `FILE:LINE` or `FILE:LINE:COLUMN`.
    pub place: String,
    /// Why.
    pub reason: String,
}

impl Set {
    /// The set in a folder, which need not exist. Records are held against no plan.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn open(folder: &Path) -> io::Result<Self> {
        Set::of(folder, Arc::new(Planned::default()))
    }

    /// The set in a folder, which need not exist, of records that agree with a plan. Those of runs that the plan does
    /// not have are kept.
    ///
    /// # Errors
    /// As for [`Set::open`].
    pub fn of(folder: &Path, planned: Arc<Planned>) -> io::Result<Self> {
        let (read, runs, rejected, taken, builds) = Default::default();
        let mut set = Set { folder: folder.to_owned(), planned, read, runs, rejected, taken, builds };
        set.refresh()?;
        Ok(set)
    }

    /// The same set, read from the start, in case records were deleted.
    ///
    /// # Errors
    /// As for [`Set::open`].
    pub(super) fn anew(&self) -> io::Result<Self> {
        Set::of(&self.folder, Arc::clone(&self.planned))
    }

    /// Reads what was written since.
    ///
    /// # Errors
    /// As for [`Set::open`].
    pub fn refresh(&mut self) -> io::Result<()> {
        for path in files(&self.folder, |name| name.ends_with(".jsonl"))? {
            let known = self.read.get(&path).copied();
            let (mut at, mut lines) = known.unwrap_or_default();
            // A pipe would wait for its other end.
            let about = about(&path)?;
            if !about.is_file() {
                if known.is_none() {
                    self.reject(path.display().to_string(), "not a regular file".to_owned());
                    self.read.insert(path, (0, 0));
                }
                continue;
            }
            if about.len() <= at {
                continue;
            }
            let file = File::open(&path).and_then(|mut file| file.seek(SeekFrom::Start(at)).map(|_| file));
            let mut file = BufReader::new(file.map_err(|error| unread(&path, &error))?);
            let shared: Arc<Path> = path.as_path().into();
            let mut line = Vec::new();
            while let Some(length) = next(&mut file, &mut line).map_err(|error| unread(&path, &error))? {
                at += length;
                lines += 1;
                self.take(&line, Place { file: Arc::clone(&shared), line: lines });
            }
            self.read.insert(path, (at, lines));
        }
        Ok(())
    }

    /// Takes in a whole line.
    fn take(&mut self, line: &[u8], place: Place) {
        if line.trim_ascii().is_empty() {
            return;
        }
        if line.len() as u64 > MAX_LINE {
            return self.reject(place.to_string(), format!("longer than {MAX_LINE} bytes"));
        }
        let line = line.trim_ascii_end();
        let mut read = record::read(line);
        if let Ok(record) = &mut read
            && let Err(reason) = self.planned.admit(record)
        {
            read = Err(Unreadable { column: None, reason });
        }
        let mut record = match read {
            Ok(record) => record,
            Err(Unreadable { column, reason }) => {
                if let Ok(Numbered { key, attempt_number }) = serde_json::from_slice(line) {
                    let taken = self.taken.entry(key).or_default();
                    *taken = attempt_number.unwrap_or(1).max(*taken);
                }
                let column = column.map_or_else(String::new, |column| format!(":{column}"));
                return self.reject(format!("{place}{column}"), reason);
            }
        };
        record.build = self.builds.of(&self.folder, &record.environment);
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

    /// The record of a run.
    pub fn get(&self, key: &str) -> Option<&Record> {
        self.runs.get(key).map(|attempts| &attempts.record)
    }

    /// Where the record of a run stands, as `FILE:LINE`.
    pub fn place(&self, key: &str) -> Option<String> {
        self.runs.get(key).map(|attempts| attempts.place.to_string())
    }

    /// The number of the next attempt at a run.
    pub fn next_attempt(&self, key: &str) -> u32 {
        let last = self.runs.get(key).map_or(0, |attempts| attempts.last);
        last.max(self.taken.get(key).copied().unwrap_or(0)).saturating_add(1)
    }

    /// How many attempts do not count although they did not fail, since an earlier one did not fail either.
    pub fn duplicates(&self) -> usize {
        self.runs.values().map(|attempts| attempts.done.saturating_sub(1)).sum()
    }

    /// All records, in no order.
    pub fn iter(&self) -> impl Iterator<Item = &Record> {
        self.runs.values().map(|attempts| &attempts.record)
    }

    /// What was found in the folder but counts for nothing, in the order of files and lines.
    pub fn rejected(&self) -> &[Rejected] {
        &self.rejected
    }

    /// All surroundings that records were made in, by their names.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn environment(&self) -> io::Result<Vec<(String, Environment)>> {
        let of_set = |name: &str| name.starts_with(FILE_PREFIX) && name.ends_with(".json");
        let mut found = Vec::new();
        for path in files(&self.folder, of_set)? {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let hash = name.strip_prefix(FILE_PREFIX).unwrap_or_default().to_owned();
            let wrong = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
            if !about(&path)?.is_file() {
                return Err(wrong(format!("{}: not a regular file; remove it", path.display())));
            }
            let text = fs::read(&path).map_err(|error| unread(&path, &error))?;
            let environment = serde_json::from_slice(&text)
                .map_err(|error| wrong(format!("{}: {error}", path.display())))?;
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

/// The next whole line, of which no more than [`MAX_LINE`] bytes and one are kept, and its length in the file; `None` if
/// there is none.
fn next(file: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<u64>> {
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

/// What a file is; a link stands for what it leads to.
fn about(path: &Path) -> io::Result<fs::Metadata> {
    fs::metadata(path).map_err(|error| unread(path, &error))
}

fn unread(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{} cannot be read: {error}", path.display()))
}

/// Files of a folder in the order of their names; none if there is no folder.
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
