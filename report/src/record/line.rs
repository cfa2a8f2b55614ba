//! A record as it stands on a line of a file. Texts are borrowed from the line unless they contain escapes, so that
//! reading a line allocates almost nothing.

use super::{Check, Limits, ProofFile, Record, Tags, Verdict};
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;

/// A text, borrowed if possible.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Text<'a>(pub Cow<'a, str>);

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Borrowing;
        impl<'de> Visitor<'de> for Borrowing {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Borrowing)
    }
}

/// The maximum number of members of a small object. Members are searched one by one, so the limit keeps the time for
/// a line linear in its length.
const MAX_MEMBERS: usize = 1000;

/// The error for an object with more members, at the place where it occurs.
fn limited<E: Error>(members: usize) -> Result<(), E> {
    if members > MAX_MEMBERS {
        return Err(E::custom(format_args!("an object has more than {MAX_MEMBERS} members")));
    }
    Ok(())
}

/// A small object in the order in which it is written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Members<'a>(pub Vec<(Text<'a>, Value)>);

impl Members<'_> {
    /// As a JSON object.
    pub fn to_map(&self) -> Map<String, Value> {
        self.0.iter().map(|(key, value)| (key.to_string(), value.clone())).collect()
    }
}

impl PartialEq<Map<String, Value>> for Members<'_> {
    fn eq(&self, other: &Map<String, Value>) -> bool {
        self.0.len() == other.len() && self.0.iter().all(|(key, value)| other.get(&**key) == Some(value))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Ordered;
        impl<'de> Visitor<'de> for Ordered {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members: Vec<(Text<'de>, Value)> = Vec::new();
                while let Some((key, value)) = map.next_entry::<Text<'de>, Value>()? {
                    match members.iter_mut().find(|(known, _)| *known == key) {
                        Some(known) => known.1 = value,
                        None => members.push((key, value)),
                    }
                    limited(members.len())?;
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Ordered)
    }
}

/// A small object whose keys are texts, in the order of the keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairs<'a, T>(pub Vec<(Text<'a>, T)>);

impl<T> Default for Pairs<'_, T> {
    fn default() -> Self {
        Pairs(Vec::new())
    }
}

impl<'de: 'a, 'a, T: Deserialize<'de>> Deserialize<'de> for Pairs<'a, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Sorting<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Sorting<T> {
            type Value = Pairs<'de, T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs: Vec<(Text<'de>, T)> = Vec::new();
                while let Some((key, value)) = map.next_entry::<Text<'de>, T>()? {
                    match pairs.last() {
                        Some((last, _)) if **last >= *key => {
                            match pairs.binary_search_by(|(k, _)| k.cmp(&key)) {
                                Ok(at) => pairs[at].1 = value,
                                Err(at) => pairs.insert(at, (key, value)),
                            }
                        }
                        _ => pairs.push((key, value)),
                    }
                    limited(pairs.len())?;
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Sorting(std::marker::PhantomData))
    }
}

/// The fields of a [`Record`](super::Record), in the form in which they are read.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs, reason = "the fields are those of a record")]
pub struct Line<'a> {
    #[serde(borrow)]
    pub key: Text<'a>,
    pub attempt: Text<'a>,
    #[serde(default)]
    pub attempt_number: Option<u32>,
    pub surroundings: Text<'a>,
    #[serde(default)]
    pub build: Option<Text<'a>>,
    #[serde(default)]
    pub node: Option<Text<'a>>,
    #[serde(default)]
    pub cpu_model: Option<Text<'a>>,
    #[serde(default)]
    pub pilot: Option<Text<'a>>,
    pub problem: Text<'a>,
    pub family: Text<'a>,
    #[serde(default)]
    pub params: Members<'a>,
    pub seed: u64,
    pub instance_hash: Text<'a>,
    #[serde(default)]
    pub rules: Members<'a>,
    pub engine: Text<'a>,
    pub side: Text<'a>,
    #[serde(alias = "model")]
    pub encoding: Text<'a>,
    #[serde(default)]
    pub axes: Pairs<'a, Text<'a>>,
    #[serde(default)]
    pub solver: Option<Text<'a>>,
    #[serde(default)]
    pub programs: BTreeMap<String, String>,
    #[serde(default)]
    pub tags: Tags,
    pub repetition: u32,
    pub shuffle: u32,
    #[serde(default)]
    pub solver_seed: u32,
    #[serde(default)]
    pub cube: Option<Text<'a>>,
    #[serde(default)]
    pub split_of: Option<Text<'a>>,
    #[serde(default)]
    pub cubes: Option<u32>,
    pub limits: Limits,
    #[serde(default)]
    pub verdict: Option<Verdict>,
    #[serde(default)]
    pub limit: Option<Text<'a>>,
    #[serde(default)]
    pub outcome: Option<Text<'a>>,
    #[serde(default)]
    pub check: Option<Check>,
    #[serde(default)]
    pub reason: Option<Text<'a>>,
    #[serde(default)]
    pub remarks: Vec<String>,
    #[serde(default)]
    pub cpu_s: Option<f64>,
    #[serde(default)]
    pub wall_s: Option<f64>,
    #[serde(default)]
    pub build_cpu_s: Option<f64>,
    #[serde(default)]
    pub solve_cpu_s: Option<f64>,
    #[serde(default)]
    pub check_cpu_s: Option<f64>,
    #[serde(default)]
    pub prove_cpu_s: Option<f64>,
    #[serde(default)]
    pub proof_bytes: Option<u64>,
    #[serde(default)]
    pub peak_bytes: Option<u64>,
    #[serde(default)]
    pub literals: Option<Text<'a>>,
    #[serde(default)]
    pub proof: Option<ProofFile>,
    #[serde(default)]
    pub work: Pairs<'a, u64>,
    #[serde(default)]
    pub answer: Option<Value>,
    #[serde(default)]
    pub contradicts: Option<Text<'a>>,
    #[serde(default)]
    pub startup_cpu_s: Option<f64>,
    pub process_cpu_s: f64,
    pub process_wall_s: f64,
    pub start: Text<'a>,
    #[serde(default)]
    pub load: Option<f64>,
    #[serde(default)]
    pub pressure_percent: Option<f64>,
    #[serde(default)]
    pub core: Option<u32>,
}

impl<'a> Line<'a> {
    /// The line of a record.
    pub fn of(record: &'a Record) -> Self {
        let text = |text: &'a str| Text(Cow::Borrowed(text));
        let some = |word: &'a Option<String>| word.as_deref().map(text);
        let members = |map: &'a Map<String, Value>| {
            Members(map.iter().map(|(key, value)| (text(key), value.clone())).collect())
        };
        let findings = &record.findings;
        Line {
            key: text(&record.key),
            attempt: text(&record.attempt),
            attempt_number: record.attempt_number,
            surroundings: text(&record.environment),
            build: some(&record.build),
            node: some(&record.node),
            cpu_model: some(&record.cpu_model),
            pilot: some(&record.pilot),
            problem: text(&record.problem),
            family: text(&record.family),
            params: members(&record.params),
            seed: record.seed,
            instance_hash: text(&record.instance_hash),
            rules: members(&record.rules),
            engine: text(&record.engine),
            side: text(&record.side),
            encoding: text(&record.encoding),
            axes: Pairs(record.axes.iter().map(|(axis, value)| (text(axis), text(value))).collect()),
            solver: some(&record.solver),
            programs: record.programs.clone(),
            tags: record.tags.clone(),
            repetition: record.repetition,
            shuffle: record.shuffle,
            solver_seed: record.solver_seed,
            cube: some(&record.cube),
            split_of: some(&record.split_of),
            cubes: record.cubes,
            limits: record.limits,
            verdict: findings.verdict,
            limit: some(&findings.limit),
            outcome: some(&findings.outcome),
            check: findings.check,
            reason: some(&findings.reason),
            remarks: findings.remarks.clone(),
            cpu_s: findings.cpu_s,
            wall_s: findings.wall_s,
            build_cpu_s: findings.build_cpu_s,
            solve_cpu_s: findings.solve_cpu_s,
            check_cpu_s: findings.check_cpu_s,
            prove_cpu_s: findings.prove_cpu_s,
            proof_bytes: findings.proof_bytes,
            peak_bytes: findings.peak_bytes,
            literals: some(&findings.literals),
            proof: findings.proof.clone(),
            work: Pairs(findings.work.iter().map(|(name, &count)| (text(name), count)).collect()),
            answer: findings.answer.clone(),
            contradicts: some(&record.contradicts),
            startup_cpu_s: record.startup_cpu_s,
            process_cpu_s: record.process_cpu_s,
            process_wall_s: record.process_wall_s,
            start: text(&record.start),
            load: record.load,
            pressure_percent: record.pressure_percent,
            core: record.core,
        }
    }
}
