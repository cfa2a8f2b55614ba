//! The runs of a plan in columns. A plan can have a million runs, so what they have in common is stored once.

use crate::record::{Cut, Limits, Origin, Run, Tags, from_hex, to_hex};
use counterpoint_base::cube::CubeNumber;
use counterpoint_base::keyed::KeyedMap;
use serde_json::Value;

/// The number of bytes of a key, which has two hexadecimal digits for each.
pub(super) const KEY: usize = 12;

/// The key of a run, as bytes.
pub(super) type Key = [u8; KEY];

/// The number of leading bits of keys that determine the bucket of a run.
const BUCKET_BITS: u32 = 18;
const BUCKETS: usize = 1 << BUCKET_BITS;

/// The number of runs that [`Runs::find_from`] looks at first.
const NEAR: usize = 32;

/// The runs of a plan, in the order in which they are made.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    pub(super) problem: String,
    pub(super) certify: bool,
    pub(super) instances: Vec<Instance>,
    pub(in crate::harness) places: Vec<Place>,
    pub(in crate::harness) rules: Vec<Value>,
    pub(in crate::harness) engines: Vec<String>,
    pub(super) limits: Vec<Limits>,
    /// The number of cubes of a formula that is cut.
    pub(super) cubes: u32,
    /// The number of each cube, or `None` for a run that puts the results of all cubes together; and the key of the
    /// latter.
    pub(super) cuts: Vec<(Option<u32>, Key)>,
    pub(super) tags: TagPool,
    pub(super) rows: Vec<Row>,
    /// The keys in ascending order, each with the number of its run. The keys are repeated here because a search that
    /// reads them in the rows waits for memory at each step.
    by_key: Vec<(Key, u32)>,
    /// By the first bits of a key, where its runs begin in `by_key`.
    starts: Vec<u32>,
}

/// The distinct tags, each with a number.
#[derive(Clone, Debug, Default)]
pub(super) struct TagPool {
    known: KeyedMap<String, u32>,
    pub(super) values: Vec<Tags>,
    /// The number that was returned last.
    last: u32,
}

impl TagPool {
    pub(super) fn number(&mut self, tags: &Tags) -> u32 {
        if self.values.get(self.last as usize) != Some(tags) {
            self.last = *self.known.entry(format!("{tags:?}")).or_insert_with(|| {
                self.values.push(tags.clone());
                (self.values.len() - 1) as u32
            });
        }
        self.last
    }
}

/// An instance under one choice of rules.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub(super) place: u32,
    pub(in crate::harness) rules: u32,
    /// The seed, the number of the game, or the number of the file.
    pub(super) seed: u64,
    pub(super) hash: Hash,
    /// The instance as input text, unless a generator makes it.
    pub(super) text: Box<str>,
}

/// The hash of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Hash {
    Bytes([u8; 32]),
    Text(Box<str>),
}

impl Hash {
    pub(super) fn text(&self) -> String {
        match self {
            Hash::Bytes(bytes) => to_hex(bytes),
            Hash::Text(text) => text.to_string(),
        }
    }

    pub(super) fn of(text: &str) -> Self {
        from_hex(text).map_or_else(|| Hash::Text(text.into()), Hash::Bytes)
    }
}

/// Where instances come from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    Family { name: String, params: Vec<(String, String)> },
    File { name: String },
    Found { pattern: String, file: String },
}

/// Stands for the absent number in `cuts` of a run whose formula is not cut.
pub(super) const UNCUT: u32 = u32::MAX;

/// One run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) key: Key,
    pub(super) instance: u32,
    pub(super) engine: u32,
    pub(super) limits: u32,
    /// The number in `cuts`, or [`UNCUT`].
    pub(super) cut: u32,
    pub(super) tags: u32,
    pub(super) repetition: u32,
    pub(super) shuffle: u32,
    pub(super) solver_seed: u32,
    pub(super) keep: bool,
}

/// A run of a plan.
#[derive(Clone, Copy, Debug)]
pub struct PlannedRun<'a> {
    runs: &'a Runs,
    number: usize,
}

impl Runs {
    /// The number of runs.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// All runs in the order in which they are made.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = PlannedRun<'_>> + Clone {
        (0..self.len()).map(|number| PlannedRun { runs: self, number })
    }

    /// A run by its number.
    pub fn get(&self, number: usize) -> PlannedRun<'_> {
        PlannedRun { runs: self, number }
    }

    /// The number of the run with a key.
    pub fn find(&self, key: &str) -> Option<usize> {
        self.find_key(&from_hex(key)?)
    }

    /// As [`find`](Self::find), but first looks at a few runs from number `start` on. The runs of neighboring lines of a
    /// file are near each other in the plan, and looking at near runs is faster than searching all keys.
    pub(in crate::harness) fn find_from(&self, start: usize, key: &str) -> Option<usize> {
        let key: Key = from_hex(key)?;
        let mut near = self.rows.iter().enumerate().skip(start).take(NEAR);
        near.find(|(_, row)| row.key == key).map(|(number, _)| number).or_else(|| self.find_key(&key))
    }

    pub(super) fn find_key(&self, key: &Key) -> Option<usize> {
        let bucket = bucket(key);
        let within = self.starts.get(bucket).copied()? as usize..*self.starts.get(bucket + 1)? as usize;
        let (_, number) = self.by_key[within].iter().find(|(other, _)| other == key)?;
        Some(*number as usize)
    }

    /// Sorts the runs by key for [`Runs::find`]. Call this after all runs were added.
    pub(super) fn sort(&mut self) {
        self.by_key = self.rows.iter().zip(0..).map(|(row, number)| (row.key, number)).collect();
        self.by_key.sort_unstable();
        self.starts = vec![0; BUCKETS + 1];
        for row in &self.rows {
            self.starts[bucket(&row.key) + 1] += 1;
        }
        for i in 0..BUCKETS {
            self.starts[i + 1] += self.starts[i];
        }
    }
}

fn bucket(key: &Key) -> usize {
    (u32::from_be_bytes([key[0], key[1], key[2], key[3]]) >> (32 - BUCKET_BITS)) as usize
}

impl<'a> PlannedRun<'a> {
    fn row(self) -> &'a Row {
        &self.runs.rows[self.number]
    }

    fn instance(self) -> &'a Instance {
        &self.runs.instances[self.row().instance as usize]
    }

    /// The number of the run in the plan, from 0.
    pub fn number(self) -> usize {
        self.number
    }

    /// The runs of the plan.
    pub(crate) fn runs(self) -> &'a Runs {
        self.runs
    }

    /// The numbers of place, rules, engine, limits and tags.
    pub(crate) fn parts(self) -> [u32; 5] {
        let Row { engine, limits, tags, .. } = *self.row();
        let Instance { place, rules, .. } = *self.instance();
        [place, rules, engine, limits, tags]
    }

    /// The identifier of the run.
    pub fn key(self) -> String {
        to_hex(&self.row().key)
    }

    /// The engine's id.
    pub fn engine(self) -> &'a str {
        &self.runs.engines[self.row().engine as usize]
    }

    /// The limits.
    pub fn limits(self) -> Limits {
        self.runs.limits[self.row().limits as usize]
    }

    /// The number of the repetition, from 1.
    pub fn repetition(self) -> u32 {
        self.row().repetition
    }

    /// 0 for the formula as it is; otherwise the seed of a shuffle.
    pub fn shuffle(self) -> u32 {
        self.row().shuffle
    }

    /// 0 for the default of the external solver; otherwise the seed that it is given.
    pub fn solver_seed(self) -> u32 {
        self.row().solver_seed
    }

    /// The seed of the instance, or the number of the game or the file.
    pub fn seed(self) -> u64 {
        self.instance().seed
    }

    /// The hash of the instance.
    pub fn instance_hash(self) -> String {
        self.instance().hash.text()
    }

    /// Whether this is the hash of the instance.
    pub(crate) fn has_hash(self, text: &str) -> bool {
        Hash::of(text) == self.instance().hash
    }

    fn part(self) -> Option<(Option<u32>, &'a Key)> {
        let (number, whole) = self.runs.cuts.get(self.row().cut as usize)?;
        Some((*number, whole))
    }

    /// Whether the run solves one cube.
    pub fn is_cube(self) -> bool {
        self.part().is_some_and(|(number, _)| number.is_some())
    }

    /// The number of the cube that the run solves; `None` if it solves a whole instance.
    pub fn cube_number(self) -> Option<CubeNumber> {
        CubeNumber::new(self.part()?.0?, self.runs.cubes)
    }

    /// The cube that the run solves, such as `3/64`; `None` if it solves a whole instance.
    pub fn cube(self) -> Option<String> {
        Some(self.cube_number()?.to_string())
    }

    /// The number of cubes whose results the run puts together; `None` for any other run.
    pub fn cubes(self) -> Option<u32> {
        self.part().filter(|(number, _)| number.is_none()).map(|_| self.runs.cubes)
    }

    /// The part of the instance that the run solves, if its formula is cut.
    pub fn cut(self) -> Option<Cut> {
        let (_, whole) = self.part()?;
        Some(Cut { cubes: self.runs.cubes, cube: self.cube(), split_of: None, whole: to_hex(whole) })
    }

    /// The rules.
    pub fn rules(self) -> &'a Value {
        &self.runs.rules[self.instance().rules as usize]
    }

    /// The words that the plan attaches to the run.
    pub fn tags(self) -> &'a Tags {
        &self.runs.tags.values[self.row().tags as usize]
    }

    /// The source of the instance.
    pub fn origin(self) -> Origin {
        let Instance { place, seed, text, .. } = self.instance();
        let text = text.to_string();
        match self.runs.places[*place as usize].clone() {
            Place::Family { name, params } => Origin::Family { name, params, seed: *seed },
            Place::File { name } => Origin::File { name, game: *seed, text },
            Place::Found { pattern, file } => Origin::Found { pattern, file, number: *seed, text },
        }
    }

    /// The source of the instance without the instance itself: a family with its parameters, or the name of a file.
    pub(crate) fn place(self) -> &'a Place {
        &self.runs.places[self.instance().place as usize]
    }

    /// The run by itself.
    pub fn run(self) -> Run {
        Run {
            key: self.key(),
            problem: self.runs.problem.clone(),
            rules: self.rules().clone(),
            origin: self.origin(),
            instance_hash: self.instance_hash(),
            engine: self.engine().to_owned(),
            repetition: self.repetition(),
            shuffle: self.shuffle(),
            solver_seed: self.solver_seed(),
            limits: self.limits(),
            cut: self.cut(),
            certify: self.runs.certify,
            keep: self.row().keep,
            tags: self.tags().clone(),
        }
    }
}
