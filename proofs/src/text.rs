//! Proofs as text, one step per line. Lines that begin with `c` are comments.
//!
//! DRAT: `1 -2 0` adds a clause, and `d 1 -2 0` deletes one. LRAT: `ID LIT ... 0 HINT ... 0` adds a clause, and
//! `ID d ID ... 0` deletes the clauses with these numbers.

use crate::steps::{HintedStep, HintedSteps, Kind, Steps};
use crate::{Place, ProofError};
use counterpoint_base::excerpt::excerpt;

pub(crate) struct Text<'a> {
    rest: &'a [u8],
    /// The number of the line that was read last, from 1.
    line: usize,
}

const DRAT_STEP: &str = "a step of the form 'LIT ... 0' or 'd LIT ... 0'";

impl<'a> Text<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Text { rest: bytes, line: 0 }
    }

    /// The next line that is neither blank nor a comment, without white space at its ends. The last line may lack its
    /// line break.
    fn line(&mut self) -> Option<&'a [u8]> {
        while !self.rest.is_empty() {
            self.line += 1;
            let end = memchr::memchr(b'\n', self.rest).unwrap_or(self.rest.len());
            let line = self.rest[..end].trim_ascii();
            self.rest = self.rest.get(end + 1..).unwrap_or_default();
            if !line.is_empty() && !line.starts_with(b"c") {
                return Some(line);
            }
        }
        None
    }

    /// The error for a token, or for the end of the line.
    fn reject<T>(&self, found: Option<&[u8]>, expected: &'static str) -> Result<T, ProofError> {
        let found = found.map_or("end of line".to_owned(), |token| format!("'{}'", excerpt(token)));
        Err(ProofError::Syntax { place: Place::Line(self.line), found, expected })
    }

    /// Reads numbers up to a 0. `each` returns false for a number that is not allowed.
    fn list<'t>(
        &self,
        tokens: &mut impl Iterator<Item = &'t [u8]>,
        expected: &'static str,
        mut each: impl FnMut(i64) -> bool,
    ) -> Result<(), ProofError> {
        loop {
            let token = tokens.next();
            match token.and_then(number) {
                Some(0) => return Ok(()),
                Some(number) if each(number) => {}
                _ => return self.reject(token, expected),
            }
        }
    }
}

/// The tokens of a line, separated by white space.
fn tokens(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|token| !token.is_empty())
}

fn number(token: &[u8]) -> Option<i64> {
    std::str::from_utf8(token).ok()?.parse().ok()
}

/// Appends a literal. Returns false if the number is out of range, or `i32::MIN`, which has no negation.
fn push_literal(number: i64, lits: &mut Vec<i32>) -> bool {
    let lit = i32::try_from(number).ok().filter(|&lit| lit > i32::MIN);
    lits.extend(lit);
    lit.is_some()
}

impl Steps for Text<'_> {
    fn next(&mut self, lits: &mut Vec<i32>) -> Result<Option<Kind>, ProofError> {
        let Some(line) = self.line() else { return Ok(None) };
        let (kind, body) = match line.strip_prefix(b"d") {
            Some(body) if body.first().is_none_or(u8::is_ascii_whitespace) => (Kind::Delete, body),
            _ => (Kind::Add, line),
        };
        let mut tokens = tokens(body);
        self.list(&mut tokens, DRAT_STEP, |number| push_literal(number, lits))?;
        match tokens.next() {
            None => Ok(Some(kind)),
            extra => self.reject(extra, DRAT_STEP),
        }
    }

    fn place(&self) -> Place {
        Place::Line(self.line)
    }
}

impl HintedSteps for Text<'_> {
    fn next(&mut self, step: &mut HintedStep) -> Result<Option<Kind>, ProofError> {
        let Some(line) = self.line() else { return Ok(None) };
        let mut tokens = tokens(line).peekable();
        let first = tokens.next();
        let id = first.and_then(number).and_then(|id| u64::try_from(id).ok()).filter(|&id| id > 0);
        let Some(id) = id else { return self.reject(first, "a clause number") };
        step.id = id;
        let HintedStep { lits, numbers, .. } = step;
        let keep = |number| {
            numbers.push(number);
            true
        };
        let kind = if tokens.next_if_eq(&&b"d"[..]).is_some() {
            self.list(&mut tokens, "a clause number", keep)?;
            Kind::Delete
        } else {
            self.list(&mut tokens, "a literal", |number| push_literal(number, lits))?;
            self.list(&mut tokens, "a hint", keep)?;
            Kind::Add
        };
        match tokens.next() {
            None => Ok(Some(kind)),
            extra => self.reject(extra, "the end of a step 'ID LIT ... 0 HINT ... 0' or 'ID d ID ... 0'"),
        }
    }

    fn place(&self) -> Place {
        Place::Line(self.line)
    }
}
