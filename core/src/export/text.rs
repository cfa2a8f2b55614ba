//! A buffered writer of numbers and literals: digits are written directly to their place in the buffer, without
//! `std::fmt`.

use counterpoint_encodings::{Lit, Var};
use std::fmt;
use std::io::{self, Write};

/// The size of the buffer in bytes. The buffer grows if a single write needs more.
const BUFFER: usize = 1 << 16;

/// The digits of 00 to 99, concatenated.
const PAIRS: [u8; 200] = pairs();

const fn pairs() -> [u8; 200] {
    let mut pairs = [0; 200];
    let mut n = 0;
    while n < 100 {
        pairs[2 * n] = b'0' + (n / 10) as u8;
        pairs[2 * n + 1] = b'0' + (n % 10) as u8;
        n += 1;
    }
    pairs
}

/// An upper bound on the length of a literal with its sign and a space, in bytes.
const MAX_LITERAL: usize = 16;

/// Writes bytes, numbers and literals to `out`, and remembers the first error of `out`.
pub(super) struct Text<'a> {
    out: &'a mut dyn Write,
    buffer: Vec<u8>,
    /// The number of bytes in the buffer that are in use.
    len: usize,
    result: io::Result<()>,
}

impl<'a> Text<'a> {
    pub(super) fn new(out: &'a mut dyn Write) -> Self {
        Text { out, buffer: vec![0; BUFFER], len: 0, result: Ok(()) }
    }

    /// Makes space for `n` bytes.
    fn reserve(&mut self, n: usize) {
        if self.buffer.len() - self.len < n {
            self.write_out();
            if self.buffer.len() < n {
                self.buffer.resize(n, 0);
            }
        }
    }

    fn put(&mut self, bytes: &[u8]) {
        self.buffer[self.len..self.len + bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.reserve(bytes.len());
        self.put(bytes);
    }

    pub(super) fn number(&mut self, number: u64) {
        match u32::try_from(number) {
            Ok(small) => {
                self.reserve(MAX_LITERAL);
                self.digits(small);
            }
            Err(_) => self.format(format_args!("{number}")),
        }
    }

    /// Writes the digits from the last to the first. There must be space for them.
    fn digits(&mut self, mut n: u32) {
        let length = n.checked_ilog10().map_or(1, |log| log as usize + 1);
        let place = &mut self.buffer[self.len..self.len + length];
        let mut left = length;
        while left >= 2 {
            let pair = 2 * (n % 100) as usize;
            n /= 100;
            left -= 2;
            place[left..left + 2].copy_from_slice(&PAIRS[pair..pair + 2]);
        }
        if left == 1 {
            place[0] = b'0' + n as u8;
        }
        self.len += length;
    }

    pub(super) fn var(&mut self, var: Var) {
        self.number(u64::from(var.idx32()) + 1);
    }

    /// Writes formatted text. This is slower than the other methods.
    pub(super) fn format(&mut self, text: fmt::Arguments<'_>) {
        // An error is remembered in `result`.
        let _ = fmt::Write::write_fmt(self, text);
    }

    /// Writes each line of `text` as a comment.
    pub(super) fn comment(&mut self, sign: &str, text: fmt::Arguments<'_>) {
        for line in text.to_string().lines() {
            self.format(format_args!("{sign} {line}\n"));
        }
    }

    /// Writes literals as in DIMACS, each followed by a space, and then `end`.
    pub(super) fn lits(&mut self, lits: &[Lit], end: &[u8]) {
        self.reserve(MAX_LITERAL * (lits.len() + 1) + end.len());
        for lit in lits {
            if lit.is_neg() {
                self.put(b"-");
            }
            self.digits(lit.var().idx32() + 1);
            self.put(b" ");
        }
        self.put(end);
    }

    fn write_out(&mut self) {
        if self.result.is_ok() {
            self.result = self.out.write_all(&self.buffer[..self.len]);
        }
        self.len = 0;
    }

    /// Writes out the rest of the buffer.
    ///
    /// # Errors
    /// Returns the first error of `out`.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.write_out();
        self.result
    }
}

impl fmt::Write for Text<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.bytes(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_by_the_standard_library() {
        let edges = (0..10).flat_map(|d| [10u64.pow(d) - 1, 10u64.pow(d), 10u64.pow(d) + 1]);
        for n in (0..20_000).chain(edges).chain([u64::from(u32::MAX), u64::from(u32::MAX) + 1, u64::MAX]) {
            let mut written = Vec::new();
            let mut text = Text::new(&mut written);
            text.number(n);
            assert!(text.finish().is_ok());
            assert_eq!(written, n.to_string().as_bytes());
        }
    }
}
