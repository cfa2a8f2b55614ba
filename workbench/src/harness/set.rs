//! A set of records: a folder of JSON-lines files, one for each process that wrote into it.
//!
//! Each line is a record. Only the process that created a file appends to it. What was appended survives if the process
//! is killed. If a machine stops, at most the records of the last second are lost, because records are flushed to disk
//! every second. An unterminated last line is ignored. Records with the same key come from attempts at the same run, so
//! only one of them counts.
//!
//! Files may have been edited, so each line is validated: it counts only if it is a record, its values are possible,
//! and it agrees with the planned run of its key. Other lines are rejected.

use super::environment::Environment;
use super::folder::{BUFFER, MAX_LINE, environments, files, metadata, next_line, read_error};
use super::places::Places;
use super::plan::PlannedRun;
use super::planned::Planned;
use crate::record::{self, Line, Records, Row, Unreadable};
use counterpoint_base::keyed::{KeyedMap, KeyedSet, Keys};
use indexmap::IndexMap;
use serde::Deserialize;
use std::fs::File;
use std::io::{self, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The records of a set that were read so far.
#[derive(Default)]
pub struct Set {
    folder: PathBuf,
    planned: Arc<Planned>,
    /// By file, how many bytes and how many lines of it were read, and its number.
    read: KeyedMap<PathBuf, (u64, u32, u32)>,
    places: Places,
    /// All records, also those that do not count.
    records: Records,
    /// By run of the plan, the number of the record that counts, or [`NONE`].
    counting: Vec<u32>,
    /// By key, the same for runs that are not in the plan, in the order in which they were read.
    unplanned: IndexMap<String, u32, Keys>,
    /// By the number of the record that counts, all attempts at its run, if there are several.
    attempts: KeyedMap<u32, Attempts>,
    files: Vec<PathBuf>,
    /// By record, the number of its file and the number of its line, from 1.
    lines: Vec<(u32, u32)>,
    /// The number of the run that follows the run of the last line.
    next: usize,
    /// The numbers of sources and setups in `records`, by their numbers in the plan.
    sources: KeyedMap<[u32; 2], u32>,
    setups: KeyedMap<[u32; 3], u32>,
    rejected: Vec<Rejected>,
    /// The number of all such lines and files.
    rejected_count: usize,
    /// By key, the highest attempt number on a rejected line. New attempts get higher numbers.
    rejected_numbers: KeyedMap<String, u32>,
}

/// How often the files of a set are listed again because one of them was removed.
const MAX_LISTS: usize = 10;

/// Stands for a record that does not exist.
const NONE: u32 = u32::MAX;

/// The number of rejected lines of which place and reason are kept. A line of two bytes may be rejected.
const MAX_REJECTED: usize = 1000;

/// The fields of a rejected line that may still be readable.
#[derive(Deserialize)]
struct Numbered {
    key: String,
    #[serde(default)]
    attempt_number: Option<u32>,
}

/// Several attempts at a run.
struct Attempts {
    /// The highest attempt number.
    last: u32,
    /// The number of attempts that did not fail.
    done: usize,
    /// Their names.
    names: KeyedSet<String>,
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
        let counting = vec![NONE; planned.runs().len()];
        let mut set = Set { folder: folder.to_owned(), planned, counting, ..Set::default() };
        set.records.reserve(set.counting.len());
        set.lines.reserve_exact(set.counting.len());
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
        // If the set is compacted meanwhile, a listed file may be gone. Its lines are then in the new file,
        // which is in the next list.
        let mut lists = 0;
        while self.read_files(&wanted, lists < MAX_LISTS)? {
            lists += 1;
        }
        self.name_nodes();
        let planned = self.counting.iter().filter(|number| **number != NONE);
        record::blame(&mut self.records, planned.chain(self.unplanned.values()).copied());
        Ok(())
    }

    /// Reads the lines that were added. Returns whether a file was removed meanwhile, which is an error unless `again`.
    fn read_files(&mut self, wanted: impl Fn(&str) -> bool, again: bool) -> io::Result<bool> {
        let is_gone = |error: &io::Error| again && error.kind() == io::ErrorKind::NotFound;
        let mut was_removed = false;
        for path in files(&self.folder, |name| name.ends_with(".jsonl") && wanted(name))? {
            let known = self.read.get(&path).copied();
            let (mut at, mut lines, number) = known.unwrap_or((0, 0, self.files.len() as u32));
            // Reading a pipe would block.
            let metadata = match metadata(&path) {
                Err(error) if is_gone(&error) => {
                    was_removed = true;
                    continue;
                }
                metadata => metadata?,
            };
            if !metadata.is_file() {
                if known.is_none() {
                    self.reject(path.display().to_string(), "not a regular file".to_owned());
                    self.files.push(path.clone());
                    self.read.insert(path, (0, 0, number));
                }
                continue;
            }
            if metadata.len() <= at {
                continue;
            }
            let file = File::open(&path).and_then(|mut file| file.seek(SeekFrom::Start(at)).map(|_| file));
            let file = match file {
                Err(error) if is_gone(&error) => {
                    was_removed = true;
                    continue;
                }
                file => file.map_err(|error| read_error(&path, &error))?,
            };
            let mut file = BufReader::with_capacity(BUFFER, file);
            if known.is_none() {
                self.files.push(path.clone());
            }
            let mut line = Vec::new();
            while let Some(length) =
                next_line(&mut file, &mut line).map_err(|error| read_error(&path, &error))?
            {
                at += length;
                lines += 1;
                self.add_line(&line, (number, lines));
            }
            self.read.insert(path, (at, lines, number));
        }
        Ok(was_removed)
    }

    /// If records come from several nodes, each of them names its node and its processor.
    fn name_nodes(&mut self) {
        if !self.places.are_several_nodes() {
            return;
        }
        for number in 0..self.records.len() {
            let place = self.places.known(self.records.row(number).environment()).cloned();
            let place = place.as_ref();
            let node = place.map(|place| place.node.as_str());
            self.records.set_node(number, node, place.map(|place| place.cpu_model.as_str()));
        }
    }

    /// Adds the record on a line, or rejects the line.
    fn add_line(&mut self, line: &[u8], place: (u32, u32)) {
        if line.trim_ascii().is_empty() {
            return;
        }
        let shown = |set: &Set| format!("{}:{}", set.files[place.0 as usize].display(), place.1);
        if line.len() as u64 > MAX_LINE {
            return self.reject(shown(self) + ":1", format!("longer than {MAX_LINE} bytes"));
        }
        let line = line.trim_ascii_end();
        let planned = Arc::clone(&self.planned);
        let read = record::read(line).and_then(|found| match planned.admit(&found, self.next) {
            Ok(run) => Ok((found, run)),
            Err(error) => Err(Unreadable { column: None, reason: error.to_string() }),
        });
        let (found, run) = match read {
            Ok(read) => read,
            Err(Unreadable { column, reason }) => {
                if let Ok(Numbered { key, attempt_number }) = serde_json::from_slice(line) {
                    let last = self.rejected_numbers.entry(key).or_default();
                    *last = attempt_number.unwrap_or(1).max(*last);
                }
                let column = column.map_or_else(String::new, |column| format!(":{column}"));
                return self.reject(format!("{}{column}", shown(self)), reason);
            }
        };
        self.next = run.map_or(self.next, |run| run.number() + 1);
        let number = match run {
            Some(run) => self.add_planned(&found, run),
            None => self.records.push_line(&found),
        } as u32;
        self.lines.push(place);
        let place = self.places.of(&self.folder, &found.surroundings);
        self.records.set_build(number as usize, place.map(|place| place.build.as_str()));
        self.records.set_pilot(number as usize, place.and_then(|place| place.pilot.as_deref()));
        // A half of a cube is not in the plan, but its cube is.
        let run = run.filter(|_| found.split_of.is_none());
        let known = match run {
            Some(run) => Some(self.counting[run.number()]).filter(|&known| known != NONE),
            None => self.unplanned.get(&*found.key).copied(),
        };
        let counting = known.map_or(number, |known| self.counting_of(known, number));
        match run {
            Some(run) => self.counting[run.number()] = counting,
            None => drop(self.unplanned.insert(found.key.to_string(), counting)),
        }
    }

    /// Adds the record of a planned run, and returns its number.
    fn add_planned(&mut self, line: &Line<'_>, run: PlannedRun<'_>) -> usize {
        let [place, rules, engine, limits, tags] = run.parts();
        let (planned, records) = (&self.planned, &mut self.records);
        let source =
            *self.sources.entry([place, rules]).or_insert_with(|| records.source(planned.source_of(run)));
        let setup = match line.limits == run.limits() {
            true => *(self.setups.entry([engine, limits, tags]))
                .or_insert_with(|| records.setup(planned.setup_of(run, line.limits))),
            false => records.setup(planned.setup_of(run, line.limits)),
        };
        records.add(line, source, setup, run.seed())
    }

    /// Of two records of a run, `known`, which counted so far, and `number`, returns the one that counts.
    fn counting_of(&mut self, known: u32, number: u32) -> u32 {
        let row = |number: u32| self.records.row(number as usize);
        // While a set is compacted, each attempt is in two files.
        let attempt = row(number).attempt();
        if row(known).attempt() == attempt
            || self.attempts.get(&known).is_some_and(|all| all.names.contains(&attempt))
        {
            return known;
        }
        let one = |number: u32| Attempts {
            last: row(number).attempt_number(),
            done: usize::from(!row(number).has_failed()),
            names: KeyedSet::from_iter([row(number).attempt()]),
        };
        let (new, mut all) = (one(number), self.attempts.remove(&known).unwrap_or_else(|| one(known)));
        let record = row(known).record().counting(row(number).record());
        let counting = if record.attempt == attempt { number } else { known };
        all.last = all.last.max(new.last);
        all.done += new.done;
        all.names.extend(new.names);
        self.attempts.insert(counting, all);
        counting
    }

    fn reject(&mut self, place: String, reason: String) {
        self.rejected_count += 1;
        if self.rejected.len() < MAX_REJECTED {
            self.rejected.push(Rejected { place, reason });
        }
    }

    /// The folder of the set.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The record that counts for the run with a key; `None` if the run has no record.
    pub fn get(&self, key: &str) -> Option<Row<'_>> {
        self.number(key).map(|number| self.records.row(number as usize))
    }

    /// The record that counts for a run of a plan; `None` if the run has no record.
    pub fn record_of(&self, run: PlannedRun<'_>) -> Option<Row<'_>> {
        if !std::ptr::eq(run.runs(), &raw const **self.planned.runs()) {
            return self.get(&run.key());
        }
        let number = self.counting[run.number()];
        (number != NONE).then(|| self.records.row(number as usize))
    }

    /// The number of the record that counts for the run with a key.
    fn number(&self, key: &str) -> Option<u32> {
        match self.planned.runs().find(key) {
            Some(run) => Some(self.counting[run]).filter(|&number| number != NONE),
            None => self.unplanned.get(key).copied(),
        }
    }

    /// The position of the record that counts for a run, as `FILE:LINE`; `None` if the run has no record.
    pub fn place(&self, key: &str) -> Option<String> {
        let (file, line) = self.lines[self.number(key)? as usize];
        Some(format!("{}:{line}", self.files[file as usize].display()))
    }

    /// The number of the next attempt at a run.
    pub fn next_attempt(&self, key: &str) -> u32 {
        let last = self.number(key).map_or(0, |number| match self.attempts.get(&number) {
            Some(attempts) => attempts.last,
            None => self.records.row(number as usize).attempt_number(),
        });
        last.max(self.rejected_numbers.get(key).copied().unwrap_or(0)).saturating_add(1)
    }

    /// The number of attempts that did not fail but do not count, because the record of another attempt at the same run
    /// counts.
    pub fn duplicates(&self) -> usize {
        self.attempts.values().map(|attempts| attempts.done.saturating_sub(1)).sum()
    }

    /// The number of runs of whole instances with a record.
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether no run of a whole instance has a record.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// The record that counts for each run of a whole instance: first those of the plan's runs, in the order of the
    /// plan.
    pub fn iter(&self) -> impl Iterator<Item = Row<'_>> + Clone {
        self.all().filter(|record| record.cube().is_none())
    }

    /// The record that counts for each run of a cube, in the same order.
    pub fn cubes(&self) -> impl Iterator<Item = Row<'_>> {
        self.all().filter(|record| record.cube().is_some())
    }

    /// All records that count.
    pub fn all(&self) -> impl Iterator<Item = Row<'_>> + Clone {
        let planned = self.counting.iter().filter(|number| **number != NONE);
        planned.chain(self.unplanned.values()).map(|&number| self.records.row(number as usize))
    }

    /// The first lines and files that are not counted, in the order in which they were read.
    pub fn rejected(&self) -> &[Rejected] {
        &self.rejected
    }

    /// The number of all lines and files that are not counted.
    pub fn rejected_count(&self) -> usize {
        self.rejected_count
    }

    /// The environments that have a file in the folder of the set, each with its name.
    ///
    /// # Errors
    /// Returns an error if the file of an environment cannot be read.
    pub fn environment(&self) -> io::Result<Vec<(String, Environment)>> {
        environments(&self.folder)
    }
}
