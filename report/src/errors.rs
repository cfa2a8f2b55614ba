//! Errors of reports: a plan asks for something that the records do not have, or a record is not possible.
//!
//! If a caller can distinguish causes, the type is an enum. The other types wrap a message for people.

use counterpoint_base::message_errors;

/// A column or a value that no record has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ColumnError {
    /// No record has this column.
    #[error("no record has a column '{name}'; {suggestion}")]
    Unknown {
        /// The name of the column.
        name: String,
        /// The nearest name, or all names, as part of a sentence.
        suggestion: String,
    },
    /// The column stands for all tags, but no record has a tag.
    #[error("no run has a tag; `tags` in a plan attaches words to families and engines")]
    NoTags,
    /// No record has this value in the column.
    #[error("no run has {name} = {value}; {suggestion}")]
    UnknownValue {
        /// The name of the column.
        name: String,
        /// The value.
        value: String,
        /// The nearest value, or all values, as part of a sentence.
        suggestion: String,
    },
}

/// A word that cannot be a tag.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{shown:?} is not a valid tag; expected one word of letters, digits, '-', '_', '.' and '+', at most {max} bytes long"
)]
pub struct InvalidTag {
    /// The beginning of the word.
    pub shown: String,
    /// The maximum length of a tag in bytes.
    pub max: usize,
}

/// Why a table cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// The table names a column that no record has.
    #[error(transparent)]
    Column(#[from] ColumnError),
    /// All runs are left out.
    #[error("no run meets the conditions")]
    NoRun,
}

message_errors! {
    /// A value of a record is not possible.
    pub struct RecordError;
    /// The records do not allow a figure, or its kind does not support a setting.
    pub struct ChartError;
    /// The records do not allow a comparison.
    pub struct ComparisonError;
    /// An expression in a text is invalid, or the records give it no value.
    pub struct ExpressionError;
}

impl From<ColumnError> for ChartError {
    fn from(error: ColumnError) -> Self {
        error.to_string().into()
    }
}

impl From<ColumnError> for ComparisonError {
    fn from(error: ColumnError) -> Self {
        error.to_string().into()
    }
}

impl From<ColumnError> for ExpressionError {
    fn from(error: ColumnError) -> Self {
        error.to_string().into()
    }
}
