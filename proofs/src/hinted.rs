//! Lines of an LRAT proof: `ID LIT ... 0 HINT ... 0` adds a clause, `ID d ID ... 0` deletes some, `c` begins a
//! remark. In bytes they look as `binary` says.

use crate::drat::Kind;
use crate::text::{line, literal, number, tokens};
use crate::{Place, ProofError};
use counterpoint_base::excerpt::excerpt;

/// What a line holds beside its kind.
#[derive(Default)]
pub(crate) struct Line {
    /// The number of a clause that is added.
    pub(crate) id: u64,
    pub(crate) lits: Vec<i32>,
    /// Hints, or the numbers of the clauses to be deleted.
    pub(crate) numbers: Vec<i64>,
}

/// The lines of a proof, one a call.
pub(crate) trait Lines {
    /// Fills a line that is empty; `None` behind the last.
    fn next(&mut self, line: &mut Line) -> Result<Option<Kind>, ProofError>;

    /// Where the line is that was read last.
    fn place(&self) -> Place;
}

/// True if the proof is in bytes: no line of a text starts with a letter but `c`.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    matches!(bytes, [b'a' | b'd', ..])
}

pub(crate) struct Text<'a> {
    rest: &'a [u8],
    line: usize,
}

impl<'a> Text<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Text { rest: bytes, line: 0 }
    }

    fn refuse<T>(&self, found: Option<&[u8]>, expected: &'static str) -> Result<T, ProofError> {
        let found = excerpt(found.unwrap_or(b"end of line"));
        Err(ProofError::Syntax { place: self.place(), found, expected })
    }

    /// Hands on numbers up to a 0.
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
                _ => return self.refuse(token, expected),
            }
        }
    }
}

impl Lines for Text<'_> {
    fn next(&mut self, to: &mut Line) -> Result<Option<Kind>, ProofError> {
        let line = loop {
            let Some(line) = line(&mut self.rest, &mut self.line) else { return Ok(None) };
            if !line.is_empty() && !line.starts_with(b"c") {
                break line;
            }
        };
        let mut tokens = tokens(line).peekable();
        let first = tokens.next();
        let id = first.and_then(number).and_then(|id| u64::try_from(id).ok()).filter(|&id| id > 0);
        let Some(id) = id else { return self.refuse(first, "clause number") };
        to.id = id;
        let keep = |number| {
            to.numbers.push(number);
            true
        };
        let kind = if tokens.next_if_eq(&&b"d"[..]).is_some() {
            self.list(&mut tokens, "clause number", keep)?;
            Kind::Delete
        } else {
            let take = |number| literal(number).map(|lit| to.lits.push(lit)).is_some();
            self.list(&mut tokens, "literal", take)?;
            self.list(&mut tokens, "hint", keep)?;
            Kind::Add
        };
        let behind = tokens.next();
        behind.map_or(Ok(Some(kind)), |_| self.refuse(behind, "line of 'ID LIT ... 0 HINT ... 0'"))
    }

    fn place(&self) -> Place {
        Place::Line(self.line)
    }
}
