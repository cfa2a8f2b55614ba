//! Splits pseudo-Boolean proofs and OPB files into statements and tokens, each with its place.

use crate::{Place, ProofError};
use counterpoint_base::excerpt::excerpt;

/// How statements end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    /// At the end of the line, as in proofs of versions 1 and 2. A line that begins with `*` is a comment.
    Lines,
    /// At a semicolon, as in proofs of version 3. Comments go from `%` to the end of the line.
    Semicolons,
    /// At a semicolon, as in OPB files. A line that begins with `*` is a comment.
    Opb,
}

/// A word, or a semicolon or colon. Its place is that of its first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) text: &'a [u8],
    pub(super) place: Place,
}

#[derive(Clone)]
pub(super) struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
    line_start: usize,
    pub(super) syntax: Syntax,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(bytes: &'a [u8], syntax: Syntax) -> Self {
        Scanner { bytes, at: 0, line: 1, line_start: 0, syntax }
    }

    pub(super) fn place(&self) -> Place {
        Place::Column { line: self.line, column: self.at - self.line_start + 1 }
    }

    fn peek_byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_line_break(&mut self) {
        self.at += 1;
        self.line += 1;
        self.line_start = self.at;
    }

    fn skip_line(&mut self) {
        self.at += memchr::memchr(b'\n', &self.bytes[self.at..]).unwrap_or(self.bytes.len() - self.at);
    }

    /// Moves to the next statement. Returns false at the end of the file.
    pub(super) fn begin(&mut self) -> bool {
        loop {
            match self.peek_byte() {
                None => return false,
                Some(b'\n') => self.skip_line_break(),
                Some(byte) if byte.is_ascii_whitespace() => self.at += 1,
                Some(b'*') if self.syntax != Syntax::Semicolons => self.skip_line(),
                Some(b'%') if self.syntax == Syntax::Semicolons => self.skip_line(),
                Some(_) => return true,
            }
        }
    }

    /// The next token of the statement, without moving; `None` at its end.
    pub(super) fn peek(&self) -> Option<Token<'a>> {
        self.clone().next()
    }

    /// The next token of the statement; `None` at its end.
    pub(super) fn next(&mut self) -> Option<Token<'a>> {
        loop {
            match self.peek_byte()? {
                b'\n' if self.syntax == Syntax::Lines => return None,
                b'\n' => self.skip_line_break(),
                byte if byte.is_ascii_whitespace() => self.at += 1,
                b'%' if self.syntax == Syntax::Semicolons => self.skip_line(),
                b'*' if self.syntax == Syntax::Opb => self.skip_line(),
                b';' if self.syntax != Syntax::Lines => return None,
                _ => break,
            }
        }
        let (start, place) = (self.at, self.place());
        let is_mark = |byte: u8| matches!(byte, b';' | b':');
        self.at += 1;
        if !is_mark(self.bytes[start]) {
            let is_end = |byte: &u8| byte.is_ascii_whitespace() || is_mark(*byte);
            self.at += self.bytes[self.at..].iter().position(is_end).unwrap_or(self.bytes.len() - self.at);
        }
        Some(Token { text: &self.bytes[start..self.at], place })
    }

    /// Ends a statement, which must have no further tokens.
    pub(super) fn end(&mut self) -> Result<(), ProofError> {
        if let Some(token) = self.next() {
            return self.reject(Some(token), "the end of the statement");
        }
        self.skip_end()
    }

    /// Ends a statement and ignores its further tokens.
    pub(super) fn skip_rest(&mut self) -> Result<(), ProofError> {
        while self.next().is_some() {}
        self.skip_end()
    }

    fn skip_end(&mut self) -> Result<(), ProofError> {
        match self.peek_byte() {
            Some(b';') => self.at += 1,
            Some(_) => self.skip_line_break(),
            None if self.syntax == Syntax::Lines => {}
            None => return self.reject(None, "';'"),
        }
        Ok(())
    }

    /// The error for a token, or for the end of the statement.
    pub(super) fn reject<T>(
        &self,
        found: Option<Token<'_>>,
        expected: &'static str,
    ) -> Result<T, ProofError> {
        let place = found.map_or(self.place(), |token| token.place);
        let found = found.map_or("end of statement".to_owned(), |token| format!("'{}'", excerpt(token.text)));
        Err(ProofError::Syntax { place, found, expected })
    }

    /// Skips the next token if it is this word, and returns whether it was.
    pub(super) fn next_if(&mut self, word: &[u8]) -> bool {
        let is_next = self.peek().is_some_and(|token| token.text == word);
        if is_next {
            self.next();
        }
        is_next
    }

    pub(super) fn expect(&mut self, word: &'static str) -> Result<(), ProofError> {
        match self.next_if(word.as_bytes()) {
            true => Ok(()),
            false => self.reject(self.peek(), word),
        }
    }

    /// A whole number with an optional sign.
    pub(super) fn number(&mut self, expected: &'static str) -> Result<i128, ProofError> {
        let token = self.next();
        match token.map(|token| (token, number(token.text))) {
            Some((_, Some(Ok(number)))) => Ok(number),
            Some((token, Some(Err(TooLarge)))) => Err(ProofError::too_large(token.place)),
            _ => self.reject(token, expected),
        }
    }
}

/// A number that does not fit 127 bits and a sign.
pub(super) struct TooLarge;

/// The number that a token stands for; `None` if it is not a number.
pub(super) fn number(text: &[u8]) -> Option<Result<i128, TooLarge>> {
    let digits = text.strip_prefix(b"+").or(text.strip_prefix(b"-")).unwrap_or(text);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let text = std::str::from_utf8(text).ok()?;
    Some(text.parse().map_err(|_| TooLarge))
}
