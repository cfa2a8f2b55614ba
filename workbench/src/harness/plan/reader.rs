//! Reads what occurs in several tables of a plan: patterns of engines, lists and ranges of values.

use super::super::files::FilesError;
use crate::declared::Declaration;
use crate::document::{Document, DocumentError, Placed};
use crate::engine::EngineInfo;
use crate::erased::DynProblem;
use crate::errors::OpenError;
use crate::input::FileReference;
use crate::registry::Registry;
use crate::rules::Load;
use crate::solver::SolverRegistry;
use crate::solver::external::Program;
use crate::spec::{self, EngineSpec};
use indexmap::IndexSet;
use itertools::Itertools;
use std::cell::Cell;
use toml::de::DeTable;

/// The maximum number of values of a range, and the maximum number of combinations of the values of several keys.
const MAX_VALUES: u64 = 1_000_000;

/// The maximum number of values in all lists and combinations of a plan together. A short plan can contain many ranges.
const MAX_LISTED: u64 = 4 * MAX_VALUES;

/// What reading a plan needs from its caller.
pub struct ReadContext<'a> {
    /// All problems.
    pub registry: &'a Registry,
    /// Loads a file that a rule names. The path is relative to the plan's folder.
    pub load_rule: Load<'a>,
    /// Loads a file of instances.
    pub load_games: &'a dyn Fn(&str) -> Result<String, OpenError>,
    /// The files that a pattern matches, relative to the plan's folder.
    pub find_files: &'a dyn Fn(&str) -> Result<Vec<FileReference>, FilesError>,
    /// Reads the plan's table `solver`.
    pub read_programs: &'a ReadPrograms<'a>,
    /// The registry of all solvers, which includes the given programs.
    pub solvers: &'a dyn Fn(&[Program]) -> SolverRegistry,
    /// Reads the plan's tables of declared engines, and adds those that are declared elsewhere.
    pub read_declared: &'a ReadDeclared<'a>,
    /// The engines of a problem: its own and the given ones.
    pub engines: &'a ListEngines<'a>,
}

/// Lists the engines of a problem: its own and the given ones.
pub type ListEngines<'a> = dyn Fn(&dyn DynProblem, &[Declaration]) -> Vec<EngineInfo> + 'a;

/// Reads the plan's table of external solvers; `None` stands for a plan without one.
pub type ReadPrograms<'a> =
    dyn Fn(&Document<'_>, Option<&Placed<'_>>) -> Result<Vec<Program>, DocumentError> + 'a;

/// Reads the declared engines of a plan, given the whole plan.
pub type ReadDeclared<'a> =
    dyn Fn(&Document<'_>, &DeTable<'_>) -> Result<Vec<Declaration>, DocumentError> + 'a;

/// Reads the tables of one plan.
pub(super) struct Reader<'a> {
    pub(super) document: &'a Document<'a>,
    pub(super) problem: &'a dyn DynProblem,
    pub(super) solvers: SolverRegistry,
    pub(super) engines: Vec<EngineInfo>,
    pub(super) context: &'a ReadContext<'a>,
    /// The number of values listed so far.
    pub(super) listed: Cell<u64>,
}

impl Reader<'_> {
    /// The engines that one or several patterns match, each once.
    pub(super) fn engines(&self, value: &Placed<'_>) -> Result<Vec<EngineSpec>, DocumentError> {
        let mut found: IndexSet<EngineSpec> = IndexSet::new();
        for pattern in self.document.one_or_many(value) {
            let text = self.document.as_str(pattern)?;
            let named = spec::resolve(&self.engines, &self.solvers, text);
            found.extend(named.or_else(|why| self.document.error_at(pattern.span().start, why.message()))?);
        }
        if found.is_empty() {
            return self.document.error_at(value.span().start, "the list of engines is empty");
        }
        Ok(found.into_iter().collect())
    }

    /// All combinations of the values of a table's keys, without the keys in `skipped`. Each combination is a list of
    /// keys with one value each, in the order in which the keys are written. The value of the last key varies fastest.
    pub(super) fn combinations(
        &self,
        table: &DeTable<'_>,
        skipped: &[&str],
    ) -> Result<Vec<Vec<(String, String)>>, DocumentError> {
        let keys = table.iter().filter(|(key, _)| !skipped.contains(&key.get_ref().as_ref()));
        let axes = keys.sorted_by_key(|(key, _)| key.span().start).map(|(key, value)| {
            let values = self.all_values(value)?.into_iter();
            Ok(values.map(|value| (key.get_ref().to_string(), value)).collect::<Vec<_>>())
        });
        let axes = axes.collect::<Result<Vec<_>, DocumentError>>()?;
        if axes.is_empty() {
            return Ok(vec![Vec::new()]);
        }
        let count = axes.iter().try_fold(1u64, |count, axis| count.checked_mul(axis.len() as u64));
        if count.is_none_or(|count| count > MAX_VALUES) {
            let at = table.keys().map(|key| key.span().start).min().unwrap_or(0);
            return self
                .document
                .error_at(at, &format!("there are more than {MAX_VALUES} combinations of these values"));
        }
        let at = table.keys().map(|key| key.span().start).min().unwrap_or(0);
        self.count(count.unwrap_or(u64::MAX).saturating_mul(axes.len() as u64), at)?;
        Ok(axes.into_iter().multi_cartesian_product().collect())
    }

    /// Counts values that are about to be listed. An error is about the position `at`.
    pub(super) fn count(&self, more: u64, at: usize) -> Result<(), DocumentError> {
        self.listed.set(self.listed.get().saturating_add(more));
        match self.listed.get() > MAX_LISTED {
            true => self
                .document
                .error_at(at, &format!("the plan lists more than {MAX_LISTED} values up to here")),
            false => Ok(()),
        }
    }

    /// The values of a list or of a single value, with each range written out.
    pub(super) fn all_values(&self, value: &Placed<'_>) -> Result<Vec<String>, DocumentError> {
        let values = all_values(self.document, value)?;
        self.count(values.len() as u64, value.span().start)?;
        Ok(values)
    }
}

/// The values of a list or of a single value, with each range written out.
///
/// # Errors
/// If there is no value, if there are too many, or if one is neither a string nor a number.
pub fn all_values(document: &Document<'_>, value: &Placed<'_>) -> Result<Vec<String>, DocumentError> {
    let mut values = Vec::new();
    for value in document.one_or_many(value) {
        let word = document.as_scalar(value)?;
        match range(&word) {
            None => values.push(word),
            Some(Ok(range)) => values.extend(range.map(|n| n.to_string())),
            Some(Err(why)) => return document.error_at(value.span().start, &why.to_string()),
        }
        if values.len() as u64 > MAX_VALUES {
            let why = format!("the values up to here are more than {MAX_VALUES}");
            return document.error_at(value.span().start, &why);
        }
    }
    if values.is_empty() {
        return document
            .error_at(value.span().start, "the list is empty; a plan needs at least one value here");
    }
    Ok(values)
}

/// Why the values of a range cannot be listed. The string is the range.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum RangeError {
    #[error("the range {0} is empty")]
    Empty(String),
    #[error("the range {0} never ends")]
    Endless(String),
    #[error("the range {0} has more than {MAX_VALUES} values")]
    TooLong(String),
}

/// The values of a range such as `1..=50`, `1..50` or `4..=16 by 4`; `None` if the text is not a range.
fn range(text: &str) -> Option<Result<impl Iterator<Item = u64> + use<>, RangeError>> {
    let (bounds, step) = text.split_once(" by ").map_or((text, "1"), |(bounds, step)| (bounds, step.trim()));
    let (first, last, inclusive) = match bounds.split_once("..=") {
        Some((first, last)) => (first, last, true),
        None => bounds.split_once("..").map(|(first, last)| (first, last, false))?,
    };
    let number = |number: &str| number.trim().parse::<u64>().ok();
    let (first, last, step) = (number(first)?, number(last)?, number(step)?);
    let end = if inclusive { last.checked_add(1)? } else { last };
    Some(match end.saturating_sub(first).div_ceil(step.max(1)) {
        0 => Err(RangeError::Empty(text.to_owned())),
        _ if step == 0 => Err(RangeError::Endless(text.to_owned())),
        n if n > MAX_VALUES => Err(RangeError::TooLong(text.to_owned())),
        n => Ok((0..n).map(move |i| first + i * step)),
    })
}

#[cfg(test)]
mod tests {
    use super::{RangeError, range};

    #[test]
    fn ranges_are_whole_numbers() {
        let values = |word: &str| range(word).map(|found| found.map(|values| values.collect::<Vec<_>>()));
        assert_eq!(values("3..=5"), Some(Ok(vec![3, 4, 5])));
        assert_eq!(values("3..5"), Some(Ok(vec![3, 4])));
        assert_eq!(values("4..=13 by 4"), Some(Ok(vec![4, 8, 12])));
        assert_eq!(values("plus"), None);
        assert_eq!(values("0.5"), None);
        assert_eq!(values("5..5"), Some(Err(RangeError::Empty("5..5".to_owned()))));
        assert!(values("1..=3 by 0").is_some_and(|found| found.is_err()));
        assert!(values("0..=9999999999").is_some_and(|found| found.is_err()));
    }
}
