//! Text in: lines with their numbers, tokens with their columns, errors that say where.
//!
//! Lines end in LF or CRLF; the last may lack its end; a byte order mark at the start is skipped.
//! A line is bounded before memory is taken for it.

use std::cell::RefCell;
use std::fmt;
use std::io::{BufRead, Read};
use std::sync::Arc;

/// The longest line that is read, in bytes.
pub const MAX_LINE: usize = 1 << 20;

/// Bad input: where, what stands there, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}")]
pub struct InputError {
    /// The name of the file, or `-` for standard input.
    pub file: Arc<str>,
    /// From 1.
    pub line: usize,
    /// In bytes, from 1.
    pub column: usize,
    /// What is wrong and what would be right.
    pub message: String,
}

/// Warnings that a reader gives on the way, in the same form as errors.
#[derive(Debug, Default)]
pub struct Warnings(RefCell<Vec<InputError>>);

impl Warnings {
    /// Adds one.
    pub fn push(&self, warning: InputError) {
        self.0.borrow_mut().push(warning);
    }

    /// Takes all that came since the last call.
    pub fn take(&self) -> Vec<InputError> {
        self.0.take()
    }
}

/// A named stream of lines.
pub struct Source<'a> {
    file: Arc<str>,
    reader: Box<dyn BufRead + 'a>,
    line: usize,
    buffer: Vec<u8>,
}

impl<'a> Source<'a> {
    /// Reads from `reader`, called `file` in messages.
    pub fn new(file: &str, reader: impl BufRead + 'a) -> Self {
        Source { file: file.into(), reader: Box::new(reader), line: 0, buffer: Vec::new() }
    }

    /// Reads from memory.
    pub fn from_text(file: &str, text: &'a str) -> Self {
        Self::new(file, text.as_bytes())
    }

    /// The number of lines read so far.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The next line without its end, or `None` at the end of the text.
    ///
    /// # Errors
    /// An unreadable stream, or a line of over [`MAX_LINE`] bytes.
    pub fn next_line(&mut self) -> Result<Option<Line<'_>>, InputError> {
        self.buffer.clear();
        let most = MAX_LINE as u64 + 2;
        let read = self.reader.by_ref().take(most).read_until(b'\n', &mut self.buffer);
        if let Err(error) = read {
            return Err(self.error(self.line + 1, 1, format!("cannot be read: {error}")));
        }
        if self.buffer.is_empty() {
            return Ok(None);
        }
        self.line += 1;
        if self.buffer.last() == Some(&b'\n') {
            self.buffer.pop();
        }
        if self.buffer.last() == Some(&b'\r') {
            self.buffer.pop();
        }
        if self.buffer.len() > MAX_LINE {
            let message = format!("the line is longer than {MAX_LINE} bytes");
            return Err(self.error(self.line, 1, message));
        }
        let mark = if self.line == 1 && self.buffer.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Ok(Some(Line { number: self.line, first_column: mark + 1, bytes: &self.buffer[mark..] }))
    }

    /// An error at a place in this source.
    pub fn error(&self, line: usize, column: usize, message: impl Into<String>) -> InputError {
        InputError { file: Arc::clone(&self.file), line, column, message: message.into() }
    }

    /// An error just behind the last line read: something is missing.
    pub fn error_at_end(&self, message: impl Into<String>) -> InputError {
        self.error(self.line + 1, 1, message)
    }

    /// The next line that holds a token, or `None`; see [`Source::next_line`].
    ///
    /// # Errors
    /// As for [`Source::next_line`].
    pub fn next_tokens(&mut self) -> Result<Option<Vec<Token>>, InputError> {
        while let Some(line) = self.next_line()? {
            let tokens: Vec<_> = line.tokens().collect();
            if !tokens.is_empty() {
                return Ok(Some(tokens));
            }
        }
        Ok(None)
    }

    /// An error at `token`.
    pub fn error_at(&self, token: &Token, message: impl Into<String>) -> InputError {
        self.error(token.line, token.column, message)
    }
}

/// What `next` yields, up to its first `None` or error.
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

/// One line of a source.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// From 1.
    pub number: usize,
    first_column: usize,
    /// The line without its end.
    pub bytes: &'a [u8],
}

impl Line<'_> {
    /// Runs of bytes that are not white space.
    pub fn tokens(&self) -> impl Iterator<Item = Token> {
        let is_space = |b: &u8| b.is_ascii_whitespace() || *b == 0x0b;
        let mut at = 0;
        std::iter::from_fn(move || {
            at += self.bytes[at..].iter().take_while(|b| is_space(b)).count();
            let length = self.bytes[at..].iter().take_while(|b| !is_space(b)).count();
            let token = Token {
                line: self.number,
                column: self.first_column + at,
                bytes: self.bytes[at..at + length].to_vec(),
            };
            at += length;
            (length > 0).then_some(token)
        })
    }
}

/// A run of visible bytes with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// From 1.
    pub line: usize,
    /// Of its first byte, from 1.
    pub column: usize,
    /// At least one byte.
    pub bytes: Vec<u8>,
}

impl Token {
    /// A number without a sign, of at most 9 digits.
    pub fn number(&self) -> Option<u32> {
        let digits = self.bytes.len() <= 9 && self.bytes.iter().all(u8::is_ascii_digit);
        digits.then(|| self.bytes.iter().fold(0, |n, b| n * 10 + u32::from(b - b'0')))
    }
}

/// In quotes, shortened, with unprintable bytes escaped.
impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 24;
        let shown = &self.bytes[..self.bytes.len().min(MOST)];
        let dots = if self.bytes.len() > MOST { "…" } else { "" };
        write!(f, "'{}{dots}'", shown.escape_ascii())
    }
}

/// One byte in quotes, escaped if unprintable.
pub fn quoted(byte: u8) -> String {
    format!("'{}'", byte.escape_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_marks_and_columns() {
        let mut source = Source::from_text("f", "\u{feff}2 2-\r\n\n \t\nend");
        let tokens = source.next_tokens().unwrap().unwrap();
        assert_eq!(tokens.iter().map(|t| (t.line, t.column)).collect::<Vec<_>>(), [(1, 4), (1, 6)]);
        assert_eq!(tokens[0].number(), Some(2));
        assert_eq!((tokens[1].number(), tokens[1].to_string()), (None, "'2-'".to_owned()));
        assert_eq!(source.next_tokens().unwrap().unwrap()[0].line, 4);
        assert_eq!(source.next_tokens().unwrap(), None);
        assert_eq!(source.error_at_end("x").to_string(), "f:5:1: x");
    }

    #[test]
    fn a_line_without_end_is_bounded() {
        let mut source = Source::new("f", std::io::repeat(b'x').take(1 << 24).chain(&b""[..]).buffered());
        assert_eq!(source.next_line().unwrap_err().message, "the line is longer than 1048576 bytes");
    }

    trait Buffered: Read + Sized {
        fn buffered(self) -> std::io::BufReader<Self> {
            std::io::BufReader::new(self)
        }
    }
    impl<R: Read> Buffered for R {}
}
