//! What studies give: findings row by row, words and files beside them, and why they end early.

use crate::engine::Limit;
use crate::errors::{GenerateError, ParamsError, RulesError, UnknownName, Unsupported};
use serde_json::{Map, Value};
use std::fmt;

/// One finding: columns with their values, in order. All rows of a study have the same columns. Arrays and objects are
/// for JSON alone, where spaces in names of columns are `_`; a table leaves them out.
pub type Row = Map<String, Value>;

/// Who listens to a study. What was told before it ends early stands.
pub trait StudyOutput {
    /// A finding, as soon as it is known.
    fn row(&mut self, row: Row);

    /// What a table cannot hold, in words for people, such as a tree.
    fn note(&mut self, text: &str) {
        let _ = text;
    }

    /// What all rows say together: words for people, an object for programs.
    fn summary(&mut self, text: &str, object: Row) {
        let _ = object;
        self.note(text);
    }

    /// A file for whoever keeps the findings: `certificate.json` for `check`, a drawing. Contents are made only if
    /// they are kept.
    fn file(&mut self, name: &str, contents: &dyn Fn() -> Vec<u8>) {
        let _ = (name, contents);
    }

    /// Why nothing, or nothing more, is there for whoever keeps the findings.
    fn no_file(&mut self, why: &str) {
        let _ = why;
    }

    /// How far a long study is, as often as one likes.
    fn progress(&mut self, words: fmt::Arguments<'_>) {
        let _ = words;
    }
}

impl StudyOutput for Vec<Row> {
    fn row(&mut self, row: Row) {
        self.push(row);
    }
}

/// Whether a question is about a position that is read from a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionInput {
    /// It is not.
    None,
    /// It may be; without a file it is about an empty board.
    Optional,
    /// It is.
    Required,
}

/// A row from its columns.
pub fn row<const N: usize>(columns: [(&str, Value); N]) -> Row {
    columns.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// A count as a number where every reader of JSON keeps it whole, up to 2^53; in words of digits past that.
pub fn number(count: u128) -> Value {
    u64::try_from(count).ok().filter(|&n| n <= 1 << 53).map_or_else(|| count.to_string().into(), Value::from)
}

/// So many of something: `1 press`, `2 presses`.
pub fn plural(count: impl fmt::Display, one: &str, more: &str) -> String {
    let count = count.to_string();
    let word = if count == "1" { one } else { more };
    format!("{count} {word}")
}

/// Why a study ended early. The rows that it gave before stand.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StudyError {
    /// These rules or parameters have no answer here, with the reason.
    #[error("{0}")]
    Unsupported(String),
    /// A limit was met.
    #[error("stopped: {0}")]
    Limit(Limit),
}

impl From<String> for StudyError {
    fn from(message: String) -> Self {
        StudyError::Unsupported(message)
    }
}

impl From<&str> for StudyError {
    fn from(message: &str) -> Self {
        StudyError::Unsupported(message.to_owned())
    }
}

macro_rules! unsupported {
    ($($error:ident),*) => {$(
        impl From<$error> for StudyError {
            fn from(error: $error) -> Self {
                StudyError::Unsupported(error.into())
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
    fn counts_stay_whole_and_words_fit_them() {
        assert_eq!(number(1 << 53), serde_json::json!(9_007_199_254_740_992_u64));
        assert_eq!(number((1 << 53) + 1), serde_json::json!("9007199254740993"));
        assert_eq!([0, 1, 2].map(|n| plural(n, "press", "presses")), ["0 presses", "1 press", "2 presses"]);
    }
}
