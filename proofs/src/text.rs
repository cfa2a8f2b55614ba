//! DRAT as text, a step a line: `1 -2 0` adds a clause, `d 1 -2 0` deletes one, `c` begins a remark.

use crate::drat::{Kind, Steps};
use crate::{Place, ProofError};
use counterpoint_base::excerpt::excerpt;

pub(crate) struct Text<'a> {
    rest: &'a [u8],
    line: usize,
}

/// What the number of a literal should be.
const LITERAL: &str = "literal; a step is 'LIT ... 0' or 'd LIT ... 0'";

impl<'a> Text<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Text { rest: bytes, line: 0 }
    }
}

/// The next line with its number, and what is behind it; a last line need not be ended.
pub(crate) fn line<'a>(rest: &mut &'a [u8], number: &mut usize) -> Option<&'a [u8]> {
    if rest.is_empty() {
        return None;
    }
    *number += 1;
    let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    let line = &rest[..end];
    *rest = rest.get(end + 1..).unwrap_or_default();
    Some(line.trim_ascii())
}

/// What stands between blanks.
pub(crate) fn tokens(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|token| !token.is_empty())
}

/// A whole number.
pub(crate) fn number(token: &[u8]) -> Option<i64> {
    std::str::from_utf8(token).ok()?.parse().ok()
}

/// The least `i32` has no negation.
pub(crate) fn literal(number: i64) -> Option<i32> {
    i32::try_from(number).ok().filter(|&lit| lit > i32::MIN)
}

impl Steps for Text<'_> {
    fn next(&mut self, lits: &mut Vec<i32>) -> Result<Option<Kind>, ProofError> {
        while let Some(line) = line(&mut self.rest, &mut self.line) {
            let (kind, body) = match line.strip_prefix(b"d") {
                Some(body) if body.first().is_none_or(u8::is_ascii_whitespace) => (Kind::Delete, body),
                _ => (Kind::Add, line),
            };
            if line.is_empty() || line.starts_with(b"c") {
                continue;
            }
            let refuse = |found: &[u8]| {
                let found = excerpt(found);
                Err(ProofError::Syntax { place: self.place(), found, expected: LITERAL })
            };
            let mut tokens = tokens(body);
            loop {
                let Some(token) = tokens.next() else { return refuse(b"end of line") };
                match number(token).and_then(literal) {
                    Some(0) => break,
                    Some(lit) => lits.push(lit),
                    None => return refuse(token),
                }
            }
            return tokens.next().map_or(Ok(Some(kind)), refuse);
        }
        Ok(None)
    }

    fn place(&self) -> Place {
        Place::Line(self.line)
    }
}
