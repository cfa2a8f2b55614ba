//! Finds a solver's counters in its output by regular expressions.

use super::super::Count;
use super::preset::{Preset, preset};
use crate::engine::Work;
use crate::process::{Children, Counter, reader};
use counterpoint_base::suggest::{nearest, suggestion};
use regex_lite::Regex;
use std::fs::File;
use std::io::BufRead;

/// How a solver's counters are found.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Statistics {
    /// They are not looked for.
    #[default]
    None,
    /// As the preset of this name says.
    Preset(String),
    /// By a regular expression for the line of each counter.
    Patterns(Vec<(Count, String)>),
}

/// Why a solver's counters cannot be looked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StatisticsError {
    /// There is no preset of this name.
    #[error("no preset is called '{name}'; {suggestion}")]
    UnknownPreset {
        /// The name.
        name: String,
        /// The nearest name, or all names, as part of a sentence.
        suggestion: String,
    },
    /// A pattern is not a regular expression.
    #[error("'{pattern}' is not a regular expression: {why}")]
    NotRegex {
        /// The pattern.
        pattern: String,
        /// Why not.
        why: String,
    },
    /// A pattern does not have exactly one capture group.
    #[error(
        "'{pattern}' has {groups} capture groups; expected one, such as (\\d+), that contains the number"
    )]
    Groups {
        /// The pattern.
        pattern: String,
        /// The number of its groups.
        groups: usize,
    },
}

impl Statistics {
    /// The preset, if one is named.
    ///
    /// # Errors
    /// Returns an error if there is no such preset. The message suggests the nearest name.
    pub fn preset(&self) -> Result<Option<&'static Preset>, StatisticsError> {
        let Statistics::Preset(name) = self else { return Ok(None) };
        preset(name).map(Some).ok_or_else(|| {
            let names: Vec<String> = super::PRESETS.iter().map(|preset| preset.name.to_owned()).collect();
            let near = nearest(name, names.iter().map(String::as_str));
            StatisticsError::UnknownPreset { name: name.clone(), suggestion: suggestion(near, &names) }
        })
    }

    /// The counters that are looked for, each with its regular expression.
    ///
    /// # Errors
    /// Returns an error if there is no such preset.
    pub fn patterns(&self) -> Result<Vec<(Count, String)>, StatisticsError> {
        let owned = |(count, pattern): &(Count, &str)| (*count, (*pattern).to_owned());
        Ok(match self {
            Statistics::None => Vec::new(),
            Statistics::Preset(_) => {
                self.preset()?.map_or(Vec::new(), |preset| preset.patterns.iter().map(owned).collect())
            }
            Statistics::Patterns(patterns) => patterns.clone(),
        })
    }
}

/// Compiles a regular expression for the line of a counter.
///
/// # Errors
/// Returns an error if the expression is invalid, or if it does not have exactly one capture group.
pub fn pattern(text: &str) -> Result<Regex, StatisticsError> {
    let pattern = text.to_owned();
    let regex = match Regex::new(text) {
        Ok(regex) => regex,
        Err(error) => return Err(StatisticsError::NotRegex { pattern, why: error.to_string() }),
    };
    match regex.captures_len() - 1 {
        1 => Ok(regex),
        groups => Err(StatisticsError::Groups { pattern, groups }),
    }
}

/// Compiled regular expressions, which are matched with each line by itself.
#[derive(Debug)]
pub(super) struct Patterns(Vec<Pattern>);

#[derive(Debug)]
struct Pattern {
    count: Count,
    regex: Regex,
    /// Whether the line is missing if the counter is zero.
    absent_if_zero: bool,
}

/// At most this many bytes at the end of the output are searched, because solvers print their counters last. Lines of a
/// model do not count.
const MAX_BYTES: usize = 1 << 18;

/// The greatest number that is accepted as a counter.
const MAX_NUMBER: f64 = 1e15;

/// The greatest sum over several calls that records allow.
const MAX_SUM: u64 = 100_000_000_000_000_000;

impl Patterns {
    pub(super) fn of(statistics: &Statistics) -> Result<Self, StatisticsError> {
        let absent = statistics.preset()?.map_or(&[][..], |preset| preset.absent_if_zero);
        let compiled = |(count, text): &(Count, String)| {
            let absent_if_zero = absent.contains(count);
            Ok(Pattern { count: *count, regex: pattern(text)?, absent_if_zero })
        };
        statistics.patterns()?.iter().map(compiled).collect::<Result<_, StatisticsError>>().map(Patterns)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the counters in these outputs to `work`. The last match of each pattern counts. `children`
    /// records which counters were found and, if `is_complete`, which were not.
    pub(super) fn count<'f>(
        &self,
        outputs: impl IntoIterator<Item = &'f mut File>,
        work: &mut Work,
        (program, is_complete, children): (&str, bool, &Children),
    ) {
        if self.is_empty() {
            return;
        }
        let mut found = vec![None; self.0.len()];
        for output in outputs {
            let text = last_lines(output);
            for line in text.lines() {
                for (pattern, found) in self.0.iter().zip(&mut found) {
                    let number =
                        pattern.regex.captures(line).and_then(|captured| number(captured.get(1)?.as_str()));
                    *found = number.or(*found);
                }
            }
        }
        for (Pattern { count, absent_if_zero, .. }, found) in self.0.iter().zip(found) {
            let total = match count {
                Count::Conflicts => &mut work.conflicts,
                Count::Decisions => &mut work.decisions,
                Count::Propagations => &mut work.propagations,
                Count::Restarts => &mut work.restarts,
            };
            *total = total.saturating_add(found.unwrap_or(0)).min(MAX_SUM);
            if found.is_some() || is_complete {
                let (program, name) = (program.to_owned(), count.name().to_owned());
                children.note_counter(Counter {
                    program,
                    name,
                    is_found: found.is_some() || *absent_if_zero,
                });
            }
        }
    }
}

/// The last lines of a file, except those of a model.
fn last_lines(file: &mut File) -> String {
    let (mut kept, mut line) = (Vec::new(), Vec::new());
    let mut text = reader(file);
    // After an error, use what could be read.
    while text.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
        if !line.starts_with(b"v ") && line.len() < MAX_BYTES {
            kept.extend_from_slice(&line);
        }
        if kept.len() > 2 * MAX_BYTES {
            kept.drain(..kept.len() - MAX_BYTES);
        }
        line.clear();
    }
    String::from_utf8_lossy(&kept[kept.len().saturating_sub(MAX_BYTES)..]).into_owned()
}

/// A number that may end with K, M or G, for thousands, millions or billions.
fn number(text: &str) -> Option<u64> {
    let factors = [('K', 1e3), ('M', 1e6), ('G', 1e9)];
    let suffix = factors.iter().find_map(|&(suffix, factor)| Some((text.strip_suffix(suffix)?, factor)));
    let (digits, factor) = suffix.unwrap_or((text, 1.0));
    let number = digits.parse::<f64>().ok()? * factor;
    (0.0..=MAX_NUMBER).contains(&number).then_some(number as u64)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

    use super::*;
    use crate::solver::external::PRESETS;
    use std::io::Write;

    /// The counters that are found in a text.
    fn count(statistics: &Statistics, text: &str) -> [u64; 4] {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let (mut work, children) = (Work::default(), Children::default());
        Patterns::of(statistics).unwrap().count([&mut file], &mut work, ("x", true, &children));
        [work.conflicts, work.decisions, work.propagations, work.restarts]
    }

    /// Lines as the solvers printed them.
    #[test]
    fn presets_find_the_counters() {
        for (name, text, expected) in [
            (
                "kissat",
                "c   level restarts redundant glue\nc chronological:       0        0 %  conflicts\n\
                 c conflicts:                             1017            37205.05 per second\n\
                 c decisions:                             1217                1.20 per conflict\n\
                 c kitten_propagations:                 274857              231.95 per solved\n\
                 c propagations:                         23647           865081    per second\n\
                 c restarts:                                 5              203    interval\n",
                [1017, 1217, 23647, 5],
            ),
            (
                "cadical",
                "c chronological:                79        14.03 %  of conflicts\n\
                 c conflicts:                   563    180275.38    per second\n\
                 c decisions:                   645    206532.18    per second\n\
                 c propagations:              13270         4.25 M  per second\n",
                [563, 645, 13270, 0],
            ),
            (
                "minisat",
                "restarts              : 3\nconflicts             : 369            (102728 /sec)\n\
                 decisions             : 448            (0.00 % random) (-nan /sec)\n\
                 propagations          : 8753           (2436804 /sec)\n",
                [369, 448, 8753, 3],
            ),
            (
                "glucose",
                "c | Adapt dynamically the solver after 100000 conflicts (restarts, reduction strategies...)\n\
                 c restarts              : 1 (421 conflicts in avg)\nc blocked restarts      : 0 (multiple: 0) \n\
                 c conflicts             : 421            (97319 /sec)\n\
                 c decisions             : 506            (0.00 % random) (116967 /sec)\n\
                 c propagations          : 10195          (2356681 /sec)\n",
                [421, 506, 10195, 1],
            ),
            (
                "cryptominisat",
                "c conflicts                : 3       \nc restarts                 : 4           (96.75     confls per restart)\n\
                 c decisions                : 469         (0.00      % random)\n\
                 c propagations             : 58K         (2919K     props/s)\n\
                 c decisions/conflicts      : 1.21        \nc conflicts                : 387         \n",
                [387, 469, 58000, 4],
            ),
            (
                "clasp",
                "c Choices        : 341     \nc Conflicts      : 288      (Analyzed: 287)\nc Restarts       : 0       \n",
                [288, 341, 0, 0],
            ),
        ] {
            assert_eq!(count(&Statistics::Preset(name.to_owned()), text), expected, "{name}");
        }
        assert_eq!(PRESETS.len(), 6);
    }

    #[test]
    fn numbers_may_have_suffixes_and_must_be_possible() {
        for (text, expected) in [
            ("0", Some(0)),
            ("58K", Some(58_000)),
            ("1.5M", Some(1_500_000)),
            ("2G", Some(2_000_000_000)),
            ("-1", None),
            ("", None),
            ("K", None),
            ("nan", None),
            ("inf", None),
            ("1e300", None),
        ] {
            assert_eq!(number(text), expected, "{text}");
        }
    }

    #[test]
    fn only_the_end_of_a_long_output_is_searched_and_models_do_not_count() {
        let statistics = Statistics::Patterns(vec![(Count::Conflicts, "^n (.*)".to_owned())]);
        let long = format!("{}n 7\n", "junk\n".repeat(1 << 17));
        assert_eq!(count(&statistics, &long)[0], 7);
        let model = format!("n 8\n{}\n", "v 1 2 3\n".repeat(1 << 17));
        assert_eq!(count(&statistics, &model)[0], 8);
        let endless = format!("n 9\n{}", "x".repeat(1 << 20));
        assert_eq!(count(&statistics, &endless)[0], 9);
    }

    #[test]
    fn a_pattern_has_one_group() {
        for (text, words) in [
            ("(", "'(' is not a regular expression"),
            ("conflicts", "has 0 capture groups; expected one"),
            ("(a)(b)", "has 2 capture groups"),
        ] {
            assert!(pattern(text).unwrap_err().to_string().contains(words), "{text}");
        }
        let unknown = Statistics::Preset("kisat".to_owned()).patterns().unwrap_err();
        assert_eq!(unknown.to_string(), "no preset is called 'kisat'; did you mean 'kissat'?");
    }
}
