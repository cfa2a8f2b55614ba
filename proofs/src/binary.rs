//! Proofs in bytes: `a` or `d`, then numbers in base 128, lowest digits first and all but the last one plus
//! 128. A literal of variable v is 2v, or 2v + 1 if negated, and 0 ends a step.
//!
//! M. Heule, *The DRAT Format and DRAT-trim Checker*, arXiv:1610.06229, section 4. In LRAT, as CaDiCaL writes it, the
//! clause's number stands behind `a`, the hints behind the literals with a 0 of their own, and numbers of
//! clauses are written as literals are.

use crate::drat::{Kind, Steps};
use crate::hinted::{Line, Lines};
use crate::{Place, ProofError};

pub(crate) struct Binary<'a> {
    bytes: &'a [u8],
    /// Where the step starts that was read last.
    step: usize,
    /// What was read.
    at: usize,
}

/// How many bytes tell the formats apart.
const LOOKED_AT: usize = 10;

/// True if a step of DRAT in bytes starts here and no text does: none has a step that starts with `a`, and in one
/// a blank is behind `d`. Else it is drat-trim's test, that one of the first ten bytes is none of a text's.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    let of_text = |byte: &u8| byte.is_ascii_whitespace() || byte.is_ascii_alphanumeric() || *byte == b'-';
    match bytes {
        [b'a', ..] => true,
        [b'd', next, ..] => !next.is_ascii_whitespace() || !bytes.iter().take(LOOKED_AT).all(of_text),
        _ => false,
    }
}

impl<'a> Binary<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Binary { bytes, step: 0, at: 0 }
    }

    fn byte(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.at).copied();
        self.at += usize::from(byte.is_some());
        byte
    }

    fn refuse<T>(&self, found: Option<u8>, expected: &'static str) -> Result<T, ProofError> {
        let found = found.map_or("end of file".to_owned(), |byte| format!("byte {byte}"));
        Err(ProofError::Syntax { place: Place::Byte(self.step), found, expected })
    }

    /// The kind of the next step.
    fn kind(&mut self) -> Result<Option<Kind>, ProofError> {
        self.step = self.at;
        match self.byte() {
            None => Ok(None),
            Some(b'a') => Ok(Some(Kind::Add)),
            Some(b'd') => Ok(Some(Kind::Delete)),
            other => self.refuse(other, "step; one starts with 'a' or 'd'"),
        }
    }

    /// A number other than 0 whose code is at most `most`, or `None` for the 0 of one byte.
    fn number(&mut self, most: u64, expected: &'static str) -> Result<Option<i64>, ProofError> {
        let (mut code, mut shift) = (0u128, 0);
        loop {
            let byte = self.byte();
            code |= u128::from(byte.unwrap_or(0) & 127) << shift;
            shift += 7;
            match byte {
                // No more bytes than 64 bits take, whatever they are.
                Some(_) if shift > 70 || code > u128::from(most) => return self.refuse(byte, expected),
                Some(128..) => {}
                Some(_) => break,
                None => return self.refuse(None, expected),
            }
        }
        match ((code >> 1) as i64, code % 2) {
            (0, 0) if shift == 7 => Ok(None),
            (0, _) => self.refuse(self.bytes.get(self.at - 1).copied(), "end of a literal"),
            (number, 0) => Ok(Some(number)),
            (number, _) => Ok(Some(-number)),
        }
    }

    fn literal(&mut self) -> Result<Option<i32>, ProofError> {
        let lit = self.number(u64::from(u32::MAX), "literal; one is at most 2^32 - 1")?;
        // Half of what 32 bits hold, with a sign.
        Ok(lit.map(|lit| lit as i32))
    }

    fn clause_number(&mut self) -> Result<Option<i64>, ProofError> {
        self.number(u64::MAX, "clause number; one is at most 2^64 - 1")
    }
}

impl Steps for Binary<'_> {
    fn next(&mut self, lits: &mut Vec<i32>) -> Result<Option<Kind>, ProofError> {
        let Some(kind) = self.kind()? else { return Ok(None) };
        while let Some(lit) = self.literal()? {
            lits.push(lit);
        }
        Ok(Some(kind))
    }

    fn place(&self) -> Place {
        Place::Byte(self.step)
    }
}

impl Lines for Binary<'_> {
    fn next(&mut self, line: &mut Line) -> Result<Option<Kind>, ProofError> {
        let Some(kind) = self.kind()? else { return Ok(None) };
        if kind == Kind::Add {
            let first = self.clause_number()?;
            let Some(id) = first.and_then(|id| u64::try_from(id).ok()) else {
                return self.refuse(self.bytes.get(self.at - 1).copied(), "number of a new clause");
            };
            line.id = id;
            while let Some(lit) = self.literal()? {
                line.lits.push(lit);
            }
        }
        while let Some(number) = self.clause_number()? {
            line.numbers.push(number);
        }
        Ok(Some(kind))
    }

    fn place(&self) -> Place {
        Place::Byte(self.step)
    }
}
