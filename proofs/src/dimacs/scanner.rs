//! Splits a DIMACS file into tokens and literals, and knows the line and column of each.
//!
//! Literals are read straight from the input's buffer by [`Scanner::literals`]. What this function does not recognise,
//! for example a token that continues in the next buffer, is left to [`Scanner::token`], which is slower but reads any
//! token. The result does not depend on where the input's buffers end.

use super::{Error, ErrorKind};
use std::io::{self, BufRead};

/// The length at which a token is cut. Numbers, keywords and excerpts of tokens are shorter.
pub(super) const MAX_TOKEN: usize = 256;

#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) line: usize,
    pub(super) column: usize,
}

impl Place {
    pub(super) fn error(self, kind: ErrorKind) -> Error {
        Error { line: self.line, column: self.column, kind }
    }
}

pub(super) struct Scanner<R> {
    input: R,
    /// The number of bytes consumed.
    pub(super) offset: u64,
    /// The current line, from 1.
    line: usize,
    /// The offset of the current line's first byte.
    line_start: u64,
    /// Whether the end of the file was seen. After that, a terminal must not be read again.
    ended: bool,
    token: Vec<u8>,
}

/// White space other than the end of a line.
fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() && byte != b'\n'
}

impl<R: BufRead> Scanner<R> {
    pub(super) fn new(input: R) -> Self {
        Scanner { input, offset: 0, line: 1, line_start: 0, ended: false, token: Vec::new() }
    }

    /// The place of the next byte.
    pub(super) fn place(&self) -> Place {
        let column = usize::try_from(self.offset - self.line_start).unwrap_or(usize::MAX).saturating_add(1);
        Place { line: self.line, column }
    }

    /// Fills the input's buffer if it is empty. Returns false at the end of the file.
    fn fill(&mut self) -> Result<bool, Error> {
        while !self.ended {
            match self.input.fill_buf() {
                Ok([]) => self.ended = true,
                Ok(_) => return Ok(true),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.place().error(ErrorKind::Io(error))),
            }
        }
        Ok(false)
    }

    /// The buffer, after [`Scanner::fill`] returned true.
    fn buffer(&mut self) -> Result<&[u8], Error> {
        let place = self.place();
        self.input.fill_buf().map_err(|error| place.error(ErrorKind::Io(error)))
    }

    /// Consumes `n` bytes of the buffer, none of which ends a line.
    pub(super) fn skip(&mut self, n: usize) {
        self.input.consume(n);
        self.offset += n as u64;
    }

    /// Consumes the end of a line, which must be the next byte.
    pub(super) fn end_line(&mut self) {
        self.skip(1);
        self.line += 1;
        self.line_start = self.offset;
    }

    /// Skips blanks. Returns the next byte, which may be the end of the line, or `None` at the end of the file.
    pub(super) fn peek(&mut self) -> Result<Option<u8>, Error> {
        while self.fill()? {
            let buffer = self.buffer()?;
            let blanks = buffer.iter().position(|&byte| !is_blank(byte));
            let (next, blanks) = (blanks.map(|at| buffer[at]), blanks.unwrap_or(buffer.len()));
            self.skip(blanks);
            if next.is_some() {
                return Ok(next);
            }
        }
        Ok(None)
    }

    /// Consumes and returns the bytes up to the next white space, at most [`MAX_TOKEN`] of them.
    pub(super) fn token(&mut self) -> Result<&[u8], Error> {
        let mut token = std::mem::take(&mut self.token);
        token.clear();
        while token.len() < MAX_TOKEN && self.fill()? {
            let buffer = self.buffer()?;
            let part = &buffer[..buffer.len().min(MAX_TOKEN - token.len())];
            let end = part.iter().position(u8::is_ascii_whitespace);
            let length = end.unwrap_or(part.len());
            token.extend_from_slice(&part[..length]);
            self.skip(length);
            if end.is_some() {
                break;
            }
        }
        self.token = token;
        Ok(&self.token)
    }

    /// Consumes the rest of the line without its end, and copies at most `max_len` bytes of it to `text`. Returns
    /// whether that was all of it.
    pub(super) fn rest_of_line(&mut self, text: &mut Vec<u8>, max_len: usize) -> Result<bool, Error> {
        let mut fits = true;
        while self.fill()? {
            let buffer = self.buffer()?;
            let end = memchr::memchr(b'\n', buffer);
            let part = &buffer[..end.unwrap_or(buffer.len())];
            // The carriage return of a CRLF does not count.
            let kept = part.len().min(max_len.saturating_add(1).saturating_sub(text.len()));
            text.extend_from_slice(&part[..kept]);
            fits &= kept == part.len();
            let length = part.len();
            self.skip(length);
            if end.is_some() {
                break;
            }
        }
        if text.last() == Some(&b'\r') {
            text.pop();
        }
        Ok(fits && text.len() <= max_len)
    }

    /// Appends the literals that are on this line and in the buffer, up to a 0. Returns whether the 0 was reached.
    /// Stops before any other token, before a variable above `max_variable`, and before a token that may go on in the
    /// next buffer.
    pub(super) fn literals(&mut self, max_variable: u32, lits: &mut Vec<i32>) -> Result<bool, Error> {
        if !self.fill()? {
            return Ok(false);
        }
        let (read, is_finished) = literals_in(self.buffer()?, 0, max_variable, lits);
        self.skip(read);
        Ok(is_finished)
    }

    /// Consumes the blanks and ends of lines that are next in the buffer. If a clause follows that lies on one line and
    /// entirely in the buffer, also consumes the clause, appends its literals, and returns its place.
    pub(super) fn clause(&mut self, max_variable: u32, lits: &mut Vec<i32>) -> Result<Option<Place>, Error> {
        let (mut line, mut line_start, offset, before) =
            (self.line, self.line_start, self.offset, lits.len());
        if !self.fill()? {
            return Ok(None);
        }
        let buffer = self.buffer()?;
        let mut at = 0;
        let starts = loop {
            match buffer.get(at) {
                Some(b'\n') => (line, line_start) = (line + 1, offset + at as u64 + 1),
                Some(&byte) if is_blank(byte) => {}
                first => break matches!(first, Some(b'-' | b'0'..=b'9')),
            }
            at += 1;
        };
        let (read, is_finished) =
            if starts { literals_in(buffer, at, max_variable, lits) } else { (at, false) };
        if !is_finished {
            lits.truncate(before);
        }
        let column = usize::try_from(offset + at as u64 - line_start).unwrap_or(usize::MAX).saturating_add(1);
        self.skip(if is_finished { read } else { at });
        (self.line, self.line_start) = (line, line_start);
        Ok(is_finished.then_some(Place { line, column }))
    }
}

/// Appends the literals in the buffer from `read` on, as [`Scanner::literals`] says. Returns where they end, and whether
/// the 0 was reached.
fn literals_in(buffer: &[u8], mut read: usize, max_variable: u32, lits: &mut Vec<i32>) -> (usize, bool) {
    let mut is_finished = false;
    while !is_finished {
        let mut at = read;
        while buffer.get(at).is_some_and(|&byte| is_blank(byte)) {
            at += 1;
        }
        let is_negated = buffer.get(at) == Some(&b'-');
        at += usize::from(is_negated);
        let digits = at;
        let mut variable = 0u64;
        // Twenty digits might overflow; ten suffice for variables.
        while let Some(digit @ b'0'..=b'9') = buffer.get(at)
            && at - digits < 10
        {
            variable = variable * 10 + u64::from(digit - b'0');
            at += 1;
        }
        let is_whole = at > digits && buffer.get(at).is_some_and(u8::is_ascii_whitespace);
        if !is_whole || variable > u64::from(max_variable) {
            break;
        }
        read = at;
        is_finished = variable == 0;
        if !is_finished {
            lits.push(if is_negated { -(variable as i32) } else { variable as i32 });
        }
    }
    (read, is_finished)
}

/// A number as its sign (true for a minus) and its absolute value, which saturates; `None` for another token.
pub(super) fn number(token: &[u8]) -> Option<(bool, u64)> {
    let (is_negative, digits) = match token {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) && token.len() < MAX_TOKEN;
    let push = |n: u64, digit: &u8| n.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
    is_number.then(|| (is_negative, digits.iter().fold(0, push)))
}
