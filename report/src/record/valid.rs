//! Reads the record on a line and validates it: every number, name and date must be within bounds that no measurement
//! exceeds. The code that counts, adds up or draws records relies on these bounds.

use super::line::Line;
use super::{Limits, Record, Verdict};
use crate::errors::RecordError;
use counterpoint_base::cube::CubeNumber;
use std::time::{Duration, SystemTime};

/// The longest time, in seconds: some 30 years.
const MAX_SECONDS: f64 = 1e9;
/// The maximum size of memory or of a proof: an exbibyte.
const MAX_BYTES: u64 = 1 << 60;
/// The highest value of a work counter: a step per nanosecond for eleven days, on a hundred threads.
const MAX_COUNT: u64 = 100_000_000_000_000_000;
/// The highest load average.
const MAX_LOAD: f64 = 1e6;
/// The length in bytes of a line up to which an error is as precise as it can be.
const MAX_PRECISE: usize = 1 << 16;
/// The names of limits.
const LIMITS: &[&str] = &["cpu", "wall", "memory", "work", "solver", "cancelled"];

/// Why a line is not a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The column of the error, from 1, if it is known.
    pub column: Option<usize>,
    /// The reason.
    pub reason: String,
}

/// Reads the record on a line.
///
/// # Errors
/// If the line is not a record or has an impossible value.
pub fn read(line: &[u8]) -> Result<Line<'_>, Unreadable> {
    let found: Line<'_> = serde_json::from_slice(line).map_err(|error| {
        // The error of `Record` says more precisely what the line lacks, but reading one takes many times the memory.
        let precise =
            if line.len() <= MAX_PRECISE { serde_json::from_slice::<Record>(line).err() } else { None };
        let error = precise.unwrap_or(error);
        // The message ends with a position within this line. It is cut off, because the column is returned separately.
        let message = error.to_string();
        let what = message.split(" at line ").next().unwrap_or_default();
        let column = Some(error.column()).filter(|&column| column > 0);
        Unreadable { column, reason: format!("not a record: {what}") }
    })?;
    found.validate().map_err(|error| Unreadable { column: None, reason: error.into() })?;
    Ok(found)
}

impl Line<'_> {
    /// Checks that all values are possible.
    ///
    /// # Errors
    /// The first impossible value.
    pub(super) fn validate(&self) -> Result<(), RecordError> {
        seconds("process_cpu_s", Some(self.process_cpu_s))?;
        seconds("process_wall_s", Some(self.process_wall_s))?;
        between("load", self.load, MAX_LOAD, "")?;
        between("pressure_percent", self.pressure_percent, 100.0, "%")?;
        self.tags.validate()?;
        self.limits.validate()?;
        self.validate_findings()?;
        if self.repetition == 0 {
            return Err("repetition is 0; repetitions are numbered from 1".into());
        }
        if self.attempt_number == Some(0) {
            return Err("attempt_number is 0; attempts are numbered from 1".into());
        }
        if let Some(Err(error)) = self.cube.as_deref().map(str::parse::<CubeNumber>) {
            return Err(format!("cube is {:?}; {error}", self.cube.as_deref().unwrap_or_default()).into());
        }
        // Years have four digits here, so that dates can be ordered as text.
        let start = &*self.start;
        let date = humantime::parse_rfc3339(start).ok();
        let ends = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(253_402_300_800));
        if start.len() > 40 || date.is_none_or(|date| ends.is_some_and(|ends| date >= ends)) {
            return Err(format!("start is {start:?}; expected a date such as 2026-01-31T12:00:00Z").into());
        }
        Ok(())
    }

    fn validate_findings(&self) -> Result<(), RecordError> {
        let Line { verdict, limit, check, cpu_s, wall_s, build_cpu_s, solve_cpu_s, .. } = self;
        let times = [
            ("cpu_s", *cpu_s),
            ("wall_s", *wall_s),
            ("build_cpu_s", *build_cpu_s),
            ("solve_cpu_s", *solve_cpu_s),
            ("check_cpu_s", self.check_cpu_s),
            ("prove_cpu_s", self.prove_cpu_s),
        ];
        times.into_iter().try_for_each(|(name, value)| seconds(name, value))?;
        bytes("proof_bytes", self.proof_bytes)?;
        bytes("peak_bytes", self.peak_bytes)?;
        bytes("proof.bytes", self.proof.as_ref().map(|proof| proof.bytes))?;
        if let Some((name, count)) = self.work.0.iter().find(|(_, count)| *count > MAX_COUNT) {
            return Err(format!("work.{} is {count}; expected at most {MAX_COUNT}", &**name).into());
        }
        let verdict = verdict.ok_or("verdict is missing")?;
        if (verdict == Verdict::Decided) != check.is_some() {
            return Err(match check {
                Some(_) => "check is present, but only a decided answer is checked".into(),
                None => "check is missing, although the answer is decided".into(),
            });
        }
        match limit {
            None if verdict == Verdict::Limit => {
                Err("limit is missing, although the verdict is 'limit'".into())
            }
            Some(_) if verdict != Verdict::Limit => {
                Err("limit is present, but the verdict is not 'limit'".into())
            }
            Some(name) if !LIMITS.contains(&&**name) => {
                Err(format!("limit is {:?}; expected one of {}", &**name, LIMITS.join(", ")).into())
            }
            _ => Ok(()),
        }
    }
}

impl Limits {
    fn validate(&self) -> Result<(), RecordError> {
        // A plan may set limits of any size.
        between("limits.cpu_s", self.cpu_s, f64::MAX, " s")?;
        between("limits.wall_s", self.wall_s, f64::MAX, " s")?;
        between("limits.proof_s", self.proof_s, f64::MAX, " s")
    }
}

fn seconds(name: &str, value: Option<f64>) -> Result<(), RecordError> {
    between(name, value, MAX_SECONDS, " s")
}

fn bytes(name: &str, value: Option<u64>) -> Result<(), RecordError> {
    match value {
        Some(value) if value > MAX_BYTES => {
            Err(format!("{name} is {value}; expected at most {MAX_BYTES}").into())
        }
        _ => Ok(()),
    }
}

fn between(name: &str, value: Option<f64>, most: f64, unit: &str) -> Result<(), RecordError> {
    match value {
        Some(value) if value.is_finite() && (0.0..=most).contains(&value) => Ok(()),
        None => Ok(()),
        Some(value) if most == f64::MAX => {
            Err(format!("{name} is {value:?}{unit}; expected a number that is not negative").into())
        }
        Some(value) => Err(format!("{name} is {value:?}{unit}; expected 0 to {most:?}{unit}").into()),
    }
}
