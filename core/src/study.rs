//! The output of a study: rows, notes, files, progress, and the error with which it may end.

mod effort;

pub use effort::{Effort, decided};

use crate::engine::Limit;
use crate::errors::{GenerateError, ParamsError, RulesError, UnknownName, Unsupported};
use serde_json::{Map, Value};
use std::fmt;

/// One finding: columns with their values, in order. All rows of a study have the same columns. Tables omit arrays and
/// objects, which appear only in JSON. In JSON, spaces in the names of columns become `_`.
pub type Row = Map<String, Value>;

/// Receives the output of a study. If a study ends with an error, the output before it remains valid.
pub trait StudyOutput {
    /// A finding, as soon as it is known.
    fn row(&mut self, row: Row);

    /// A text that does not fit into a table, such as a drawing of a tree.
    fn note(&mut self, text: &str) {
        let _ = text;
    }

    /// A summary of all rows: a text for people and an object for programs.
    fn summary(&mut self, text: &str, object: Row) {
        let _ = object;
        self.note(text);
    }

    /// A file to be saved with the findings, such as a drawing or the `certificate.json` that `check` reads. The
    /// contents are computed only if they are saved.
    fn file(&mut self, name: &str, contents: &dyn Fn() -> Vec<u8>) {
        let _ = (name, contents);
    }

    /// Called if no file, or no further file, will be saved. `reason` says why.
    fn no_file(&mut self, reason: &str) {
        let _ = reason;
    }

    /// The progress of a long study: what it does now. It may be called often. The elapsed time and the number of nodes
    /// that the study's budget has counted are shown as well, so `text` need not contain them.
    fn progress(&mut self, text: fmt::Arguments<'_>) {
        let _ = text;
    }

    /// The progress of a study, or a part of it, that consists of `all` similar steps: `done` of them are done. `what` names
    /// the steps, such as `boards`. It may be called often.
    fn steps(&mut self, (done, all): (u64, u64), what: fmt::Arguments<'_>) {
        self.progress(format_args!("{what}: {done} of {all}"));
    }
}

impl StudyOutput for Vec<Row> {
    fn row(&mut self, row: Row) {
        self.push(row);
    }
}

/// Whether a study reads positions from a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionInput {
    /// It reads no position.
    None,
    /// It may read a position. Without a file, it is about an empty board.
    Optional,
    /// It needs at least one position.
    Required,
}

/// A row from its columns.
pub fn row<const N: usize>(columns: [(&str, Value); N]) -> Row {
    columns.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// A count as JSON: a number if it is at most 2^53, because every reader represents such numbers exactly; otherwise, a
/// string of digits.
pub fn number(count: u128) -> Value {
    u64::try_from(count).ok().filter(|&n| n <= 1 << 53).map_or_else(|| count.to_string().into(), Value::from)
}

/// A count with its noun: `1 press`, `2 presses`.
pub fn plural(count: impl fmt::Display, one: &str, more: &str) -> String {
    let count = count.to_string();
    let word = if count == "1" { one } else { more };
    format!("{count} {word}")
}

/// Why a study ended early. The rows reported before remain valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StudyError {
    /// These rules or parameters are not supported, for this reason.
    #[error(transparent)]
    Unsupported(Unsupported),
    /// A limit was reached.
    #[error("stopped: {0}")]
    Limit(Limit),
}

impl StudyError {
    /// These rules or parameters are not supported, for this reason.
    pub fn unsupported(reason: impl Into<Unsupported>) -> Self {
        StudyError::Unsupported(reason.into())
    }
}

impl From<String> for StudyError {
    fn from(message: String) -> Self {
        StudyError::unsupported(message)
    }
}

impl From<&str> for StudyError {
    fn from(message: &str) -> Self {
        StudyError::unsupported(message)
    }
}

macro_rules! unsupported {
    ($($error:ident),*) => {$(
        impl From<$error> for StudyError {
            fn from(error: $error) -> Self {
                StudyError::unsupported(String::from(error))
            }
        }
    )*};
}

unsupported!(RulesError, ParamsError, GenerateError, Unsupported, UnknownName);

impl From<Limit> for StudyError {
    fn from(limit: Limit) -> Self {
        StudyError::Limit(limit)
    }
}

#[cfg(test)]
mod tests {
    use super::{number, plural};

    #[test]
    fn large_counts_are_strings_and_nouns_agree_with_their_number() {
        assert_eq!(number(1 << 53), serde_json::json!(9_007_199_254_740_992_u64));
        assert_eq!(number((1 << 53) + 1), serde_json::json!("9007199254740993"));
        assert_eq!([0, 1, 2].map(|n| plural(n, "press", "presses")), ["0 presses", "1 press", "2 presses"]);
    }
}
