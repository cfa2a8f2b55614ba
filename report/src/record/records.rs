//! Records in columns. A million records of some hundred bytes each would need gigabytes as separate
//! [`Record`] values; in columns, they need about 180 bytes each.
//!
//! What many records share is stored once and referred to by number: the source of the instance, the setup of the
//! engine, and words. Keys and hashes are stored as bytes, counters in as few bytes as possible. A column takes memory
//! only from the first record on that has a value in it. Every value can be restored exactly.

use super::Record;
use super::line::{Line, Members, Text};
use super::part::Part;
use super::parts::{Hundredths, NONE, Pool, Setup, Source, end, micros, split};
use super::words::{Column, Hex, Words, from_hex};
use counterpoint_base::keyed::{KeyedMap, Keys};
use indexmap::IndexSet;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The number of bytes of a key. The text of a key has two hexadecimal digits for each byte.
const KEY: usize = 12;
/// The number of bytes of an instance's hash.
const HASH: usize = 32;
/// A hash that is not 64 hexadecimal digits is stored as a text, and its number has this bit.
const OTHER: u32 = 1 << 31;
/// Records in columns. A record is a [`Row`](super::Row), and has a number.
#[derive(Clone, Debug)]
pub struct Records {
    pub(super) words: Words,
    pub(super) sources: Pool<Source>,
    /// For each source, the number of its rules in `all_rules`.
    pub(super) rules: Vec<u32>,
    all_rules: Pool<Map<String, Value>>,
    pub(super) setups: Pool<Setup>,
    pub(super) all_programs: Pool<BTreeMap<String, String>>,
    pub(super) shapes: Pool<Vec<String>>,
    shape_numbers: KeyedMap<Vec<u32>, u32>,
    hashes: IndexSet<[u8; HASH], Keys>,
    other_hashes: Words,
    keys: Vec<[u8; KEY]>,
    other_keys: KeyedMap<u32, Box<str>>,
    pub(super) attempt: Column<u32>,
    /// The number after the last dot of an attempt's name.
    pub(super) attempt_end: Column<u32>,
    /// 0 is not a valid number, so it stands for an absent one.
    pub(super) attempt_number: Column<u32>,
    pub(super) environment: Column<u32>,
    pub(super) build: Column<u32>,
    /// For each environment, the build of its records. The column `build` contains only exceptions.
    pub(super) builds: KeyedMap<u32, u32>,
    pub(super) node: Column<u32>,
    pub(super) cpu_model: Column<u32>,
    pub(super) pilot: Column<u32>,
    pub(super) source: Vec<u32>,
    pub(super) setup: Vec<u32>,
    pub(super) hash: Vec<u32>,
    pub(super) seed: Column<u64>,
    pub(super) repetition: Column<u32>,
    pub(super) shuffle: Column<u32>,
    pub(super) solver_seed: Column<u32>,
    pub(super) programs: Column<u32>,
    /// The fields of records whose formula is split into cubes.
    pub(super) parts: KeyedMap<u32, Box<Part>>,
    /// Verdict and check.
    pub(super) end: Vec<u8>,
    pub(super) limit: Column<u32>,
    pub(super) outcome: Column<u32>,
    pub(super) reason: Column<u32>,
    pub(super) remarks: KeyedMap<u32, Vec<String>>,
    /// CPU and wall time, and the CPU times of building, solving, checking and proving.
    pub(super) times: [Column<f64>; 6],
    pub(super) proof_bytes: Column<u64>,
    pub(super) peak_bytes: Column<u64>,
    /// The names of the counters.
    pub(super) shape: Column<u32>,
    /// The position of the first counter in `counts`.
    pub(super) counts_at: Vec<u64>,
    /// Counters, seven bits in each byte.
    pub(super) counts: Vec<u8>,
    pub(super) answers: KeyedMap<u32, Box<str>>,
    pub(super) contradicts: KeyedMap<u32, Box<str>>,
    pub(super) startup_cpu_s: Column<f64>,
    pub(super) process_s: [Column<f64>; 2],
    /// Microseconds after 1970.
    pub(super) start: Column<u64>,
    pub(super) other_starts: KeyedMap<u32, Box<str>>,
    pub(super) load: Hundredths,
    pub(super) pressure_percent: Hundredths,
    pub(super) core: Column<u64>,
}

impl Default for Records {
    fn default() -> Self {
        let numbers = || Column::new(NONE);
        let times = || Column::new(f64::NAN);
        let sizes = || Column::new(u64::MAX);
        Records {
            words: Words::default(),
            sources: Pool::default(),
            rules: Vec::new(),
            all_rules: Pool::default(),
            setups: Pool::default(),
            all_programs: Pool::default(),
            shapes: Pool::default(),
            shape_numbers: KeyedMap::default(),
            hashes: IndexSet::default(),
            other_hashes: Words::default(),
            keys: Vec::new(),
            other_keys: KeyedMap::default(),
            attempt: numbers(),
            attempt_end: numbers(),
            attempt_number: Column::new(0),
            environment: numbers(),
            build: numbers(),
            builds: KeyedMap::default(),
            node: numbers(),
            cpu_model: numbers(),
            pilot: numbers(),
            source: Vec::new(),
            setup: Vec::new(),
            hash: Vec::new(),
            seed: sizes(),
            repetition: Column::new(1),
            shuffle: Column::new(0),
            solver_seed: Column::new(0),
            programs: numbers(),
            parts: KeyedMap::default(),
            end: Vec::new(),
            limit: numbers(),
            outcome: numbers(),
            reason: numbers(),
            remarks: KeyedMap::default(),
            times: std::array::from_fn(|_| times()),
            proof_bytes: sizes(),
            peak_bytes: sizes(),
            shape: numbers(),
            counts_at: Vec::new(),
            counts: Vec::new(),
            answers: KeyedMap::default(),
            contradicts: KeyedMap::default(),
            startup_cpu_s: times(),
            process_s: std::array::from_fn(|_| times()),
            start: sizes(),
            other_starts: KeyedMap::default(),
            load: Hundredths::new(),
            pressure_percent: Hundredths::new(),
            core: sizes(),
        }
    }
}

impl Records {
    /// The number of records.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The number of a source, for [`Records::add`].
    pub fn source(&mut self, source: Source) -> u32 {
        let rules = self.all_rules.number(source.rules.clone());
        let number = self.sources.number(source);
        if self.rules.len() < self.sources.len() {
            self.rules.push(rules);
        }
        number
    }

    /// The number of a setup, for [`Records::add`].
    pub fn setup(&mut self, setup: Setup) -> u32 {
        self.setups.number(setup)
    }

    /// Adds a record, and returns its number.
    pub fn push(&mut self, record: &Record) -> usize {
        self.push_line(&Line::of(record))
    }

    /// Adds the record of a line, and returns its number.
    pub fn push_line(&mut self, line: &Line<'_>) -> usize {
        let text = |text: &Text<'_>| text.to_string();
        let map = |members: &Members<'_>| members.to_map();
        let source = self.source(Source {
            problem: text(&line.problem),
            family: text(&line.family),
            params: map(&line.params),
            rules: map(&line.rules),
        });
        let setup = self.setup(Setup {
            engine: text(&line.engine),
            side: text(&line.side),
            encoding: text(&line.encoding),
            axes: line.axes.0.iter().map(|(axis, value)| (text(axis), text(value))).collect(),
            solver: line.solver.as_ref().map(text),
            limits: line.limits,
            tags: line.tags.clone(),
        });
        self.add(line, source, setup, line.seed)
    }

    /// Adds the record of a line, and returns its number. Its source, setup and seed are the given ones instead of those
    /// on the line.
    pub fn add(&mut self, line: &Line<'_>, source: u32, setup: u32, seed: u64) -> usize {
        let row = self.len();
        let at = row as u32;
        let key = from_hex(&line.key);
        if key.is_none() {
            self.other_keys.insert(at, (&*line.key).into());
        }
        self.keys.push(key.unwrap_or_default());
        let (name, number) = split(&line.attempt);
        self.attempt.set(row, Some(self.words.number(name)));
        self.attempt_end.set(row, number);
        self.attempt_number.set(row, line.attempt_number);
        let words = &mut self.words;
        self.environment.set(row, Some(words.number(&line.surroundings)));
        for (column, word) in [
            (&mut self.build, &line.build),
            (&mut self.node, &line.node),
            (&mut self.cpu_model, &line.cpu_model),
            (&mut self.pilot, &line.pilot),
            (&mut self.limit, &line.limit),
            (&mut self.outcome, &line.outcome),
            (&mut self.reason, &line.reason),
        ] {
            column.set(row, word.as_ref().map(|word| words.number(word)));
        }
        self.source.push(source);
        self.setup.push(setup);
        let hash = self.hash_number(&line.instance_hash);
        self.hash.push(hash);
        self.seed.set(row, Some(seed));
        self.repetition.set(row, Some(line.repetition).filter(|&number| number != 1));
        self.shuffle.set(row, Some(line.shuffle).filter(|&number| number != 0));
        self.solver_seed.set(row, Some(line.solver_seed).filter(|&number| number != 0));
        if !line.programs.is_empty() {
            self.programs.set(row, Some(self.all_programs.number(line.programs.clone())));
        }
        if let Some(part) = Part::of(line) {
            self.parts.insert(at, Box::new(part));
        }
        self.end.push(end(line.verdict, line.check));
        if !line.remarks.is_empty() {
            self.remarks.insert(at, line.remarks.clone());
        }
        let times =
            [line.cpu_s, line.wall_s, line.build_cpu_s, line.solve_cpu_s, line.check_cpu_s, line.prove_cpu_s];
        self.times.iter_mut().zip(times).for_each(|(column, time)| column.set(row, time));
        self.proof_bytes.set(row, line.proof_bytes);
        self.peak_bytes.set(row, line.peak_bytes);
        self.add_counts(row, &line.work.0);
        if let Some(answer) = &line.answer {
            self.answers.insert(at, answer.to_string().into());
        }
        if let Some(other) = &line.contradicts {
            self.contradicts.insert(at, (&**other).into());
        }
        self.startup_cpu_s.set(row, line.startup_cpu_s);
        self.process_s[0].set(row, Some(line.process_cpu_s));
        self.process_s[1].set(row, Some(line.process_wall_s));
        let start = micros(&line.start);
        self.start.set(row, start);
        if start.is_none() {
            self.other_starts.insert(at, (&*line.start).into());
        }
        self.load.set(row, line.load);
        self.pressure_percent.set(row, line.pressure_percent);
        self.core.set(row, line.core.map(u64::from));
        row
    }

    /// Adds the counters of a record.
    fn add_counts(&mut self, row: usize, work: &[(Text<'_>, u64)]) {
        self.counts_at.push(self.counts.len() as u64);
        if work.is_empty() {
            return;
        }
        let names: Vec<u32> = work.iter().map(|(name, _)| self.words.number(name)).collect();
        let shape = match self.shape_numbers.get(&names) {
            Some(&known) => known,
            None => {
                let shape = self.shapes.number(work.iter().map(|(name, _)| name.to_string()).collect());
                self.shape_numbers.insert(names, shape);
                shape
            }
        };
        self.shape.set(row, Some(shape));
        for (_, count) in work {
            let mut rest = *count;
            while rest >= 0x80 {
                self.counts.push(rest as u8 | 0x80);
                rest >>= 7;
            }
            self.counts.push(rest as u8);
        }
    }

    fn hash_number(&mut self, hash: &str) -> u32 {
        match from_hex(hash) {
            Some(bytes) => self.hashes.insert_full(bytes).0 as u32,
            None => self.other_hashes.number(hash) | OTHER,
        }
    }

    /// The hash with a number.
    pub(super) fn hash_of(&self, number: u32) -> Hex<'_> {
        match number & OTHER {
            0 => Hex::Bytes(self.hashes.get_index(number as usize).map_or(&[], |bytes| bytes)),
            _ => Hex::Text(self.other_hashes.text(number & !OTHER)),
        }
    }

    pub(super) fn key_of(&self, at: u32) -> Hex<'_> {
        self.other_keys.get(&at).map_or(Hex::Bytes(&self.keys[at as usize]), |text| Hex::Text(text))
    }

    /// Sets the build of the program that made a record. It should be the same for all records of an environment.
    pub fn set_build(&mut self, number: usize, build: Option<&str>) {
        let build = build.map(|build| self.words.number(build));
        let known = self.environment.get(number).zip(build);
        let of_environment =
            known.map(|(environment, build)| *self.builds.entry(environment).or_insert(build));
        self.build.set(number, build.filter(|_| of_environment != build));
    }

    /// Reserves memory for `count` records, so that columns need not be moved when they grow.
    pub fn reserve(&mut self, count: usize) {
        self.keys.reserve_exact(count);
        self.source.reserve_exact(count);
        self.setup.reserve_exact(count);
        self.hash.reserve_exact(count);
        self.end.reserve_exact(count);
        self.counts_at.reserve_exact(count);
        let words = [
            &mut self.attempt,
            &mut self.attempt_end,
            &mut self.attempt_number,
            &mut self.environment,
            &mut self.outcome,
            &mut self.shape,
            &mut self.shuffle,
        ];
        words.into_iter().for_each(|column| column.reserve(count));
        self.times.iter_mut().chain(&mut self.process_s).for_each(|column| column.reserve(count));
        [&mut self.seed, &mut self.start, &mut self.peak_bytes]
            .into_iter()
            .for_each(|column| column.reserve(count));
    }

    /// Sets the node and the processor of a record.
    pub fn set_node(&mut self, number: usize, node: Option<&str>, cpu_model: Option<&str>) {
        self.node.set(number, node.map(|node| self.words.number(node)));
        self.cpu_model.set(number, cpu_model.map(|model| self.words.number(model)));
    }

    /// Sets the pilot that made the run of a record.
    pub fn set_pilot(&mut self, number: usize, pilot: Option<&str>) {
        self.pilot.set(number, pilot.map(|pilot| self.words.number(pilot)));
    }

    /// Sets the key of the run that a record contradicts.
    pub(super) fn set_contradicts(&mut self, at: u32, other: Option<String>) {
        match other {
            Some(other) => drop(self.contradicts.insert(at, other.into())),
            None => drop(self.contradicts.remove(&at)),
        }
    }
}

impl<'r> FromIterator<&'r Record> for Records {
    fn from_iter<I: IntoIterator<Item = &'r Record>>(records: I) -> Self {
        let mut found = Records::default();
        for record in records {
            found.push(record);
        }
        found
    }
}
