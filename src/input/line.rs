//! One line of a source and the words on it, all slices of the source's buffer.

use super::InputError;
use std::fmt;
use std::sync::Arc;

/// One line of a source.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    pub(super) file: &'a Arc<str>,
    /// From 1.
    pub number: usize,
    pub(super) first_column: usize,
    /// The line without its end.
    pub bytes: &'a [u8],
}

/// A run of visible bytes with its place.
#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    file: &'a Arc<str>,
    /// From 1.
    pub line: usize,
    /// Of its first byte, from 1.
    pub column: usize,
    /// At least one byte.
    pub bytes: &'a [u8],
}

/// White space of ASCII, the vertical tab included.
fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

impl<'a> Line<'a> {
    /// Runs of bytes that are not white space.
    pub fn tokens(&self) -> impl Iterator<Item = Token<'a>> + use<'a> {
        let Line { file, number, first_column, bytes } = *self;
        let mut at = 0;
        std::iter::from_fn(move || {
            at += bytes[at..].iter().position(|&b| !is_space(b))?;
            let rest = &bytes[at..];
            let length = rest.iter().position(|&b| is_space(b)).unwrap_or(rest.len());
            let token = Token { file, line: number, column: first_column + at, bytes: &rest[..length] };
            at += length;
            Some(token)
        })
    }

    /// True if no token stands on it.
    pub fn is_blank(&self) -> bool {
        self.bytes.iter().all(|&b| is_space(b))
    }

    /// An error at a column of this line, from 1.
    pub fn error(&self, column: usize, message: impl Into<String>) -> InputError {
        InputError { file: Arc::clone(self.file), line: self.number, column, message: message.into() }
    }
}

impl<'a> Token<'a> {
    /// A number without a sign, of at most 9 digits.
    pub fn number(&self) -> Option<u32> {
        let digits = self.bytes.len() <= 9 && self.bytes.iter().all(u8::is_ascii_digit);
        digits.then(|| self.bytes.iter().fold(0, |n, b| n * 10 + u32::from(b - b'0')))
    }

    /// The token cut in two before its byte number `at`, which lies within it.
    pub fn split_at(self, at: usize) -> (Token<'a>, Token<'a>) {
        let (left, right) = self.bytes.split_at(at);
        (Token { bytes: left, ..self }, Token { column: self.column + at, bytes: right, ..self })
    }

    /// An error at its first byte.
    pub fn error(&self, message: impl Into<String>) -> InputError {
        self.error_at(0, message)
    }

    /// An error at its byte number `at`, or just behind it.
    pub fn error_at(&self, at: usize, message: impl Into<String>) -> InputError {
        let column = self.column + at;
        InputError { file: Arc::clone(self.file), line: self.line, column, message: message.into() }
    }
}

/// In quotes, shortened, with unprintable bytes escaped.
impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 24;
        let shown = &self.bytes[..self.bytes.len().min(MOST)];
        let dots = if self.bytes.len() > MOST { "…" } else { "" };
        write!(f, "'{}{dots}'", shown.escape_ascii())
    }
}
