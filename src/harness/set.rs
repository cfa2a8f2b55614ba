//! A set of records: a folder of JSON-lines files, one for each process that wrote into it.
//!
//! A file is only ever appended to, by the one who made it, a line a record; so what a killed process had
//! written stays, and a machine that stops loses what was not yet flushed, at most a second of it. A last
//! line without its end is nobody's record. Reading merges attempts by the key of their run.

use super::builds::Builds;
use super::surroundings::Surroundings;
use crate::record::Record;
use rustc_hash::FxHashMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// What the files of surroundings begin with.
pub(super) const SURROUNDINGS: &str = "surroundings-";

/// The records of a set, as far as they were read.
pub struct Set {
    folder: PathBuf,
    /// How many bytes and lines of each file were read.
    read: FxHashMap<PathBuf, (u64, usize)>,
    records: FxHashMap<String, Record>,
    builds: Builds,
}

impl Set {
    /// The set in a folder, which need not exist.
    ///
    /// # Errors
    /// If it cannot be read, or holds what is no record.
    pub fn open(folder: &Path) -> io::Result<Self> {
        let mut set = Set {
            folder: folder.to_owned(),
            read: FxHashMap::default(),
            records: FxHashMap::default(),
            builds: Builds::default(),
        };
        set.refresh()?;
        Ok(set)
    }

    /// Reads what was written since.
    ///
    /// # Errors
    /// As for [`Set::open`].
    pub fn refresh(&mut self) -> io::Result<()> {
        for path in files(&self.folder, |name| name.ends_with(".jsonl"))? {
            let (mut at, mut lines) = self.read.get(&path).copied().unwrap_or_default();
            let mut file = File::open(&path)?;
            if file.metadata()?.len() <= at {
                continue;
            }
            file.seek(SeekFrom::Start(at))?;
            let mut file = BufReader::new(file);
            let mut line = Vec::new();
            while file.read_until(b'\n', &mut line)? > 0 {
                if line.last() != Some(&b'\n') {
                    break;
                }
                let mut record: Record = serde_json::from_slice(&line).map_err(|error| {
                    let (line, column) = (lines + 1, error.column());
                    let what =
                        format!("{}:{line}:{column}: no record ({error}); remove the line", path.display());
                    io::Error::new(io::ErrorKind::InvalidData, what)
                })?;
                record.build = self.builds.of(&self.folder, &record.surroundings);
                at += line.len() as u64;
                lines += 1;
                line.clear();
                let kept = self.records.remove(&record.key);
                let record = kept.map_or(record.clone(), |kept| kept.newer(record));
                self.records.insert(record.key.clone(), record);
            }
            self.read.insert(path, (at, lines));
        }
        Ok(())
    }

    /// The record of a run.
    pub fn get(&self, key: &str) -> Option<&Record> {
        self.records.get(key)
    }

    /// All records, in no order.
    pub fn iter(&self) -> impl Iterator<Item = &Record> {
        self.records.values()
    }

    /// All surroundings that records were made in, by their names.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn surroundings(&self) -> io::Result<Vec<(String, Surroundings)>> {
        let of_set = |name: &str| name.starts_with(SURROUNDINGS) && name.ends_with(".json");
        let mut found = Vec::new();
        for path in files(&self.folder, of_set)? {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let hash = name.strip_prefix(SURROUNDINGS).unwrap_or_default().to_owned();
            let surroundings = serde_json::from_slice(&fs::read(&path)?).map_err(|error| {
                io::Error::new(io::ErrorKind::InvalidData, format!("{}: {error}", path.display()))
            })?;
            found.push((hash, surroundings));
        }
        Ok(found)
    }
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
