//! The parts of records that are stored in a shorter form: what many records have in common, names of attempts, and
//! numbers with two digits after the point.

use super::words::Column;
use super::{Check, Limits, Tags, Verdict};
use counterpoint_base::keyed::KeyedMap;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::time::{Duration, UNIX_EPOCH};

/// Stands for an absent number.
pub(super) const NONE: u32 = u32::MAX;

/// What the records of an instance and of similar instances have in common.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Source {
    /// The problem's name.
    pub problem: String,
    /// The family, or the file that the instance was read from.
    pub family: String,
    /// The parameters of the family.
    pub params: Map<String, Value>,
    /// The rules that differ from the judge's.
    pub rules: Map<String, Value>,
}

/// What the records of an engine under the same limits have in common.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Setup {
    /// The engine's id.
    pub engine: String,
    /// `search`, `sat` or `exec`.
    pub side: String,
    /// The name of a SAT engine's encoding, or the name of the search.
    pub encoding: String,
    /// The value of every axis.
    pub axes: BTreeMap<String, String>,
    /// The solver; SAT engines only.
    pub solver: Option<String>,
    /// The limits of the run.
    pub limits: Limits,
    /// The words that the plan attaches to family and engine.
    pub tags: Tags,
}

/// Different values by number.
#[derive(Clone, Debug)]
pub(super) struct Pool<T> {
    known: KeyedMap<String, u32>,
    values: Vec<T>,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Pool { known: KeyedMap::default(), values: Vec::new() }
    }
}

impl<T: Serialize> Pool<T> {
    pub(super) fn number(&mut self, value: T) -> u32 {
        let text = serde_json::to_string(&value).unwrap_or_default();
        *self.known.entry(text).or_insert_with(|| {
            self.values.push(value);
            (self.values.len() - 1) as u32
        })
    }
}

impl<T> Pool<T> {
    pub(super) fn get(&self, number: u32) -> &T {
        &self.values[number as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }
}

/// A column of numbers that usually have at most two digits after the point.
#[derive(Clone, Debug)]
pub(super) struct Hundredths {
    usual: Column<u32>,
    others: KeyedMap<u32, f64>,
}

impl Hundredths {
    pub(super) fn new() -> Self {
        Hundredths { usual: Column::new(NONE), others: KeyedMap::default() }
    }

    pub(super) fn set(&mut self, row: usize, value: Option<f64>) {
        let Some(value) = value else { return };
        let scaled = (value * 100.0).round();
        if (0.0..f64::from(NONE)).contains(&scaled) && (scaled / 100.0).to_bits() == value.to_bits() {
            self.usual.set(row, Some(scaled as u32));
        } else {
            self.others.insert(row as u32, value);
        }
    }

    pub(super) fn get(&self, row: usize) -> Option<f64> {
        let usual = self.usual.get(row).map(|scaled| f64::from(scaled) / 100.0);
        usual.or_else(|| self.others.get(&(row as u32)).copied())
    }
}

/// The name of an attempt, and the number after its last dot if it has one.
pub(super) fn split(attempt: &str) -> (&str, Option<u32>) {
    let parts =
        attempt.rsplit_once('.').and_then(|(name, number)| Some((name, number.parse::<u32>().ok()?, number)));
    match parts {
        Some((name, number, digits)) if number != NONE && number.to_string() == digits => {
            (name, Some(number))
        }
        _ => (attempt, None),
    }
}

/// The length of a date with microseconds.
const DATE: usize = 27;

/// A date in microseconds after 1970; `None` if this would lose a part of the text.
pub(super) fn micros(text: &str) -> Option<u64> {
    if text.len() != DATE {
        return None;
    }
    let since = humantime::parse_rfc3339(text).ok()?.duration_since(UNIX_EPOCH).ok()?;
    let micros = u64::try_from(since.as_micros()).ok()?;
    (date(micros) == text).then_some(micros)
}

pub(super) fn date(micros: u64) -> String {
    humantime::format_rfc3339_micros(UNIX_EPOCH + Duration::from_micros(micros)).to_string()
}

/// The values of a verdict, in the order of their numbers.
pub(super) const VERDICTS: [Option<Verdict>; 5] =
    [None, Some(Verdict::Decided), Some(Verdict::Limit), Some(Verdict::Unsupported), Some(Verdict::Failed)];
/// The values of a check, in the order of their numbers.
pub(super) const CHECKS: [Option<Check>; 4] =
    [None, Some(Check::Checked), Some(Check::Open), Some(Check::Wrong)];

/// Verdict and check in one byte.
pub(super) fn end(verdict: Option<Verdict>, check: Option<Check>) -> u8 {
    let verdict = VERDICTS.iter().position(|known| *known == verdict).unwrap_or(0);
    let check = CHECKS.iter().position(|known| *known == check).unwrap_or(0);
    (verdict << 2 | check) as u8
}
