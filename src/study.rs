//! What studies give: findings row by row, and why they end early.

use crate::engine::Limit;
use serde_json::{Map, Value};

/// One finding: columns with their values, in order. All rows of a study have the same columns.
pub type Row = Map<String, Value>;

/// A row from its columns.
pub fn row<const N: usize>(columns: [(&str, Value); N]) -> Row {
    columns.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// Why a study ended early. The rows that it gave before stand.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Halt {
    /// These rules or parameters have no answer here, with the reason.
    #[error("{0}")]
    Refused(String),
    /// A limit was met.
    #[error("stopped: {0}")]
    Limit(Limit),
}

impl From<Limit> for Halt {
    fn from(limit: Limit) -> Self {
        Halt::Limit(limit)
    }
}
