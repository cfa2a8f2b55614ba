//! Reading text: lines with their numbers, tokens with their columns, and errors with their place.
//!
//! A line ends with LF or CRLF; the last line may lack its end. A byte order mark at the start is skipped. Lines and
//! tokens are slices of the source's buffer, so reading a line allocates nothing.

pub mod binary;
mod file;
mod line;
pub mod short;
mod source;

pub use file::{FileReference, OnDisk, OpenFile, OpenedFile, Stamp, no_files};
pub use line::{Line, Token};
pub use source::{MAX_LINE, RawSource, Source};

use std::cell::RefCell;
use std::sync::Arc;

/// An input error: its place, what was found, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}")]
pub struct InputError {
    /// The name of the file, or `-` for standard input.
    pub file: Arc<str>,
    /// The line, counted from 1.
    pub line: usize,
    /// The column in bytes, counted from 1.
    pub column: usize,
    /// What was found and what was expected.
    pub message: String,
}

/// The warnings of a reader, in the same form as errors.
#[derive(Debug, Default)]
pub struct Warnings(RefCell<Vec<InputError>>);

impl Warnings {
    /// Adds a warning.
    pub fn push(&self, warning: InputError) {
        self.0.borrow_mut().push(warning);
    }

    /// Whether there is a warning since the last call of [`take`](Self::take).
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }

    /// Removes and returns all warnings since the last call.
    #[inline]
    pub fn take(&self) -> Vec<InputError> {
        self.0.take()
    }
}

/// An iterator over the items that `next` returns. It ends at the first `None` or after the first error.
pub fn until_error<'a, T: 'a>(
    mut next: impl FnMut() -> Result<Option<T>, InputError> + 'a,
) -> impl Iterator<Item = Result<T, InputError>> + 'a {
    let mut done = false;
    std::iter::from_fn(move || {
        let item = if done { None } else { next().transpose() };
        done = !matches!(item, Some(Ok(_)));
        item
    })
}

/// A byte in quotes, escaped if it is not printable.
pub fn quoted(byte: u8) -> String {
    format!("'{}'", byte.escape_ascii())
}
