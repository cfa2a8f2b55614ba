//! Splits a stream into lines within one large buffer.
//!
//! The buffer grows only for a line that does not fit, and the length of a line is limited. So the size of the buffer
//! depends neither on the length of the text nor on its number of lines.

use super::{InputError, Line, OnDisk};
use std::io::{ErrorKind, Read};
use std::ops::Range;
use std::sync::Arc;

/// Maximum length of a line in bytes, without its end.
pub const MAX_LINE: usize = 1 << 20;

/// Size of the buffer unless a line is longer. It fits into a second-level cache.
const BUFFER: usize = 1 << 17;

/// The bytes of a source of which nothing has been read yet.
pub struct RawSource<'a> {
    /// The name in messages.
    pub name: Arc<str>,
    /// The path by which answers name the file; `None` if the text does not come from a file that can be read again.
    pub path: Option<Arc<str>>,
    /// Where the bytes are on the disk, if that is known.
    pub on_disk: Option<OnDisk>,
    /// The bytes.
    pub reader: Box<dyn Read + 'a>,
}

/// A named stream of lines.
pub struct Source<'a> {
    file: Arc<str>,
    path: Option<Arc<str>>,
    on_disk: Option<OnDisk>,
    reader: Box<dyn Read + 'a>,
    buffer: Vec<u8>,
    /// The part of `buffer` that was read but not returned yet. It begins at the start of a line.
    ahead: Range<usize>,
    /// The start of the line that was returned last; valid until more is read.
    last: usize,
    line: usize,
}

impl<'a> Source<'a> {
    /// Reads from `reader`; `file` is its name in messages. The reader needs no buffer of its own.
    pub fn new(file: &str, reader: impl Read + 'a) -> Self {
        let (file, reader) = (file.into(), Box::new(reader));
        Source {
            file,
            path: None,
            on_disk: None,
            reader,
            buffer: vec![0; BUFFER],
            ahead: 0..0,
            last: 0,
            line: 0,
        }
    }

    /// Reads from a file that can be read again later; `path` names it in answers.
    pub fn of_file(file: &str, path: &str, reader: impl Read + 'a) -> Self {
        Source { path: Some(path.into()), ..Self::new(file, reader) }
    }

    /// Says where the bytes are on the disk.
    #[must_use]
    pub fn on_disk(self, place: Option<OnDisk>) -> Self {
        Source { on_disk: place, ..self }
    }

    /// The bytes, for readers that do not read lines. Call it before anything is read.
    pub fn into_raw(self) -> RawSource<'a> {
        debug_assert!(self.line == 0 && self.ahead.is_empty(), "something was read already");
        RawSource { name: self.file, path: self.path, on_disk: self.on_disk, reader: self.reader }
    }

    /// Reads from a string.
    pub fn from_text(file: &str, text: &'a str) -> Self {
        Self::new(file, text.as_bytes())
    }

    /// The number of lines read so far.
    #[inline]
    pub fn line(&self) -> usize {
        self.line
    }

    /// The next line without its end, or `None` at the end of the text.
    ///
    /// # Errors
    /// Returns an error if the stream cannot be read, or if the line is longer than [`MAX_LINE`] bytes.
    #[inline]
    pub fn next_line(&mut self) -> Result<Option<Line<'_>>, InputError> {
        let found = self.advance()?;
        Ok(found.map(|found| self.at(found)))
    }

    /// The next line that contains a token, or `None` at the end of the text.
    ///
    /// # Errors
    /// Returns the errors of [`Source::next_line`].
    #[inline]
    pub fn next_nonblank(&mut self) -> Result<Option<Line<'_>>, InputError> {
        while let Some(found) = self.advance()? {
            if !self.at(found.clone()).is_blank() {
                return Ok(Some(self.at(found)));
            }
        }
        Ok(None)
    }

    /// Makes the next call of [`Source::next_line`] return the last line again. Call it at most once after
    /// each line.
    #[inline]
    pub fn put_back(&mut self) {
        debug_assert!(self.last < self.ahead.start, "no line to put back");
        self.ahead.start = self.last;
        self.line -= 1;
    }

    /// The next bytes, as far as they are in the buffer already; possibly none. They begin at the start of a line.
    /// Readers with a fast path for common lines look at these bytes and then call [`Source::skip`].
    #[inline]
    pub fn ahead(&self) -> &[u8] {
        &self.buffer[self.ahead.clone()]
    }

    /// Skips the first `bytes` of [`Source::ahead`], which must be `lines` whole lines with their ends.
    #[inline]
    pub fn skip(&mut self, bytes: usize, lines: usize) {
        debug_assert!(
            bytes == 0 || self.ahead().get(bytes - 1) == Some(&b'\n'),
            "only whole lines can be skipped"
        );
        self.ahead.start += bytes;
        self.line += lines;
    }

    /// An error at a place in this source.
    pub fn error(&self, line: usize, column: usize, message: impl Into<String>) -> InputError {
        InputError { file: Arc::clone(&self.file), line, column, message: message.into() }
    }

    /// An error after the last line read, where something is missing.
    pub fn error_at_end(&self, message: impl Into<String>) -> InputError {
        self.error(self.line + 1, 1, message)
    }

    /// Skips the next line and returns its place in the buffer, without its end; `None` at the end of the text.
    fn advance(&mut self) -> Result<Option<Range<usize>>, InputError> {
        let mut searched = 0;
        let (length, end) = loop {
            let ahead = &self.buffer[self.ahead.clone()];
            if let Some(more) = memchr::memchr(b'\n', &ahead[searched..]) {
                break (searched + more, 1);
            }
            searched = ahead.len();
            // A line of at most `MAX_LINE` bytes ends within these bytes, even if its end has two bytes.
            if searched >= MAX_LINE + 2 {
                break (searched, 0);
            }
            match self.fill() {
                Ok(0) if searched == 0 => return Ok(None),
                Ok(0) => break (searched, 0),
                Ok(_) => {}
                Err(error) => return Err(self.error_at_end(format!("cannot be read: {error}"))),
            }
        };
        self.line += 1;
        self.last = self.ahead.start;
        self.ahead.start += length + end;
        let mut found = self.last..self.last + length;
        if self.buffer[found.clone()].last() == Some(&b'\r') {
            found.end -= 1;
        }
        if found.len() > MAX_LINE {
            let message = format!("the line is longer than {MAX_LINE} bytes");
            return Err(self.error(self.line, 1, message));
        }
        if self.line == 1 && self.buffer[found.clone()].starts_with(b"\xef\xbb\xbf") {
            found.start += 3;
        }
        Ok(Some(found))
    }

    /// The line at this place in the buffer.
    #[inline]
    fn at(&self, found: Range<usize>) -> Line<'_> {
        let first_column = found.start - self.last + 1;
        Line { file: &self.file, number: self.line, first_column, bytes: &self.buffer[found] }
    }

    /// Reads more bytes and returns their number, which is 0 at the end of the text.
    fn fill(&mut self) -> std::io::Result<usize> {
        self.buffer.copy_within(self.ahead.clone(), 0);
        self.ahead = 0..self.ahead.len();
        if self.ahead.end == self.buffer.len() {
            self.buffer.resize(2 * self.ahead.end, 0);
        }
        loop {
            match self.reader.read(&mut self.buffer[self.ahead.end..]) {
                Ok(more) => {
                    self.ahead.end += more;
                    return Ok(more);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_marks_and_columns() {
        let mut source = Source::from_text("f", "\u{feff}2 2-\r\n\n \t\nend");
        let line = source.next_nonblank().unwrap().unwrap();
        let tokens: Vec<_> = line.tokens().collect();
        assert_eq!(tokens.iter().map(|t| (t.line, t.column)).collect::<Vec<_>>(), [(1, 4), (1, 6)]);
        assert_eq!(tokens[0].number(), Some(2));
        assert_eq!((tokens[1].number(), tokens[1].to_string()), (None, "'2-'".to_owned()));
        assert_eq!(source.next_nonblank().unwrap().unwrap().number, 4);
        source.put_back();
        assert_eq!(source.next_line().unwrap().unwrap().bytes, b"end");
        assert!(source.next_nonblank().unwrap().is_none());
        assert_eq!(source.error_at_end("x").to_string(), "f:5:1: x");
    }

    #[test]
    fn a_line_without_end_is_bounded() {
        let mut source = Source::new("f", std::io::repeat(b'x').take(1 << 24));
        assert_eq!(source.next_line().unwrap_err().message, "the line is longer than 1048576 bytes");
        assert!(source.buffer.len() <= 4 * MAX_LINE);
        for (end, fits) in [("", true), ("\n", true), ("\r\n", true), ("x\r\n", false), ("x", false)] {
            let text = "x".repeat(MAX_LINE) + end;
            let mut source = Source::from_text("f", &text);
            assert_eq!(source.next_line().is_ok(), fits, "{end:?}");
        }
    }

    /// A reader that returns at most this many bytes at a time.
    struct Drip<'a>(&'a [u8], usize);

    impl Read for Drip<'_> {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            let most = self.1.min(into.len());
            self.0.read(&mut into[..most])
        }
    }

    #[test]
    fn lines_do_not_depend_on_the_sizes_of_reads() {
        let mut text = String::new();
        for i in 0..40_000 {
            text += &"ab c".repeat(i % 7);
            text += ["\n", "\r\n", " \n"][i % 3];
        }
        for most in [1, 7, 1000, 1 << 20] {
            let mut source = Source::new("f", Drip(text.as_bytes(), most));
            let mut expected = text.lines().enumerate();
            while let Some((i, expected_bytes)) = expected.next() {
                let line = source.next_line().unwrap().unwrap();
                assert_eq!((line.number, line.bytes), (i + 1, expected_bytes.as_bytes()));
                if i % 5 == 0 {
                    source.put_back();
                    assert_eq!(source.next_line().unwrap().unwrap().bytes, expected_bytes.as_bytes());
                }
                if let Some(end) = memchr::memchr(b'\n', source.ahead()).filter(|_| i % 4 == 0) {
                    source.skip(end + 1, 1);
                    expected.next();
                }
            }
            assert!(source.next_line().unwrap().is_none());
        }
    }
}
