//! A line of a source and its tokens, which are slices of the source's buffer.

use super::InputError;
use std::fmt;
use std::sync::Arc;

/// One line of a source.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    pub(super) file: &'a Arc<str>,
    /// The number of the line, counted from 1.
    pub number: usize,
    /// The column of the first byte, counted from 1: 4 if the line follows a byte order mark, and 1 otherwise.
    pub(super) first_column: usize,
    /// The line without its end.
    pub bytes: &'a [u8],
}

/// A sequence of bytes other than white space, with its place.
#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    file: &'a Arc<str>,
    /// The number of the line, counted from 1.
    pub line: usize,
    /// The column of its first byte, counted from 1.
    pub column: usize,
    /// Its bytes, at least one.
    pub bytes: &'a [u8],
}

/// ASCII white space, including the vertical tab.
#[inline]
fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

impl<'a> Line<'a> {
    /// The tokens of the line.
    #[inline]
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

    /// Whether the line contains no token.
    #[inline]
    pub fn is_blank(&self) -> bool {
        self.bytes.iter().all(|&b| is_space(b))
    }

    /// An error at a column of this line, counted from 1.
    pub fn error(&self, column: usize, message: impl Into<String>) -> InputError {
        InputError { file: Arc::clone(self.file), line: self.number, column, message: message.into() }
    }
}

impl<'a> Token<'a> {
    /// The value of a number without a sign and with at most 9 digits; `None` for any other token.
    #[inline]
    pub fn number(&self) -> Option<u32> {
        let digits = self.bytes.len() <= 9 && self.bytes.iter().all(u8::is_ascii_digit);
        digits.then(|| self.bytes.iter().fold(0, |n, b| n * 10 + u32::from(b - b'0')))
    }

    /// Splits the token before its byte `at`, counted from 0. Panics if `at` exceeds the token's length.
    #[inline]
    pub fn split_at(self, at: usize) -> (Token<'a>, Token<'a>) {
        let (left, right) = self.bytes.split_at(at);
        (Token { bytes: left, ..self }, Token { column: self.column + at, bytes: right, ..self })
    }

    /// An error at the first byte of the token.
    pub fn error(&self, message: impl Into<String>) -> InputError {
        self.error_at(0, message)
    }

    /// An error at byte `at` of the token, counted from 0; `at` may be the length of the token, that is, its end.
    pub fn error_at(&self, at: usize, message: impl Into<String>) -> InputError {
        let column = self.column + at;
        InputError { file: Arc::clone(self.file), line: self.line, column, message: message.into() }
    }
}

/// The token in quotes. It is shortened if necessary, and unprintable bytes are escaped.
impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MAX_BYTES: usize = 24;
        let shown = &self.bytes[..self.bytes.len().min(MAX_BYTES)];
        let dots = if self.bytes.len() > MAX_BYTES { "…" } else { "" };
        write!(f, "'{}{dots}'", shown.escape_ascii())
    }
}
