//! Proofs in the binary formats.
//!
//! A step is `a` (add) or `d` (delete), then numbers, then a byte 0. A number is written in base 128, lowest digit
//! first, with 128 added to every byte but the last. The literal of variable v is encoded as 2v, or as 2v + 1 if it is
//! negated (M. Heule, *The DRAT Format and DRAT-trim Checker*, arXiv:1610.06229, section 4). In LRAT, as CaDiCaL
//! writes it, the number of the clause follows `a`. The hints follow the 0 of the literals and end with a 0 of their
//! own. Clause numbers are encoded like literals.

use crate::steps::{HintedStep, HintedSteps, Kind, Steps};
use crate::{Place, ProofError};

pub(crate) struct Binary<'a> {
    bytes: &'a [u8],
    /// The offset of the first byte of the step that was read last.
    step: usize,
    /// The offset of the next byte.
    at: usize,
}

/// The number of leading bytes that are examined to distinguish binary DRAT from text.
const EXAMINED: usize = 10;

/// Whether a DRAT proof is binary. No step of a text starts with `a`. If a text starts with `d`, white space follows,
/// and the first ten bytes are white space, letters, digits or `-`. (drat-trim also looks at the first ten bytes.)
pub(crate) fn is_binary_drat(bytes: &[u8]) -> bool {
    let is_text = |byte: &u8| byte.is_ascii_whitespace() || byte.is_ascii_alphanumeric() || *byte == b'-';
    match bytes {
        [b'a', ..] => true,
        [b'd', next, ..] => !next.is_ascii_whitespace() || !bytes.iter().take(EXAMINED).all(is_text),
        _ => false,
    }
}

/// Whether an LRAT proof is binary. The only letter that starts a line of a text is `c`.
pub(crate) fn is_binary_lrat(bytes: &[u8]) -> bool {
    matches!(bytes, [b'a' | b'd', ..])
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

    fn last_byte(&self) -> Option<u8> {
        self.bytes.get(self.at.checked_sub(1)?).copied()
    }

    /// The error for a byte, or for the end of the file.
    fn reject<T>(&self, found: Option<u8>, expected: &'static str) -> Result<T, ProofError> {
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
            other => self.reject(other, "a step that starts with 'a' or 'd'"),
        }
    }

    /// A nonzero number whose code is at most `max`, or `None` for the byte 0.
    fn number(&mut self, max: u64, expected: &'static str) -> Result<Option<i64>, ProofError> {
        let (mut code, mut shift) = (0u128, 0);
        loop {
            let byte = self.byte();
            code |= u128::from(byte.unwrap_or(0) & 127) << shift;
            shift += 7;
            match byte {
                // A code of 64 bits takes at most ten bytes. More bytes are an error, even if they add only zeros.
                Some(_) if shift > 70 || code > u128::from(max) => return self.reject(byte, expected),
                Some(128..) => {}
                Some(_) => break,
                None => return self.reject(None, expected),
            }
        }
        match ((code >> 1) as i64, code % 2) {
            (0, 0) if shift == 7 => Ok(None),
            (0, _) => self.reject(self.last_byte(), "a number other than 0, or the single byte 0"),
            (number, 0) => Ok(Some(number)),
            (number, _) => Ok(Some(-number)),
        }
    }

    fn literal(&mut self) -> Result<Option<i32>, ProofError> {
        let lit = self.number(u64::from(u32::MAX), "a literal whose code is at most 2^32 - 1")?;
        // The variable is at most half of the code, so it fits.
        Ok(lit.map(|lit| lit as i32))
    }

    fn clause_number(&mut self) -> Result<Option<i64>, ProofError> {
        self.number(u64::MAX, "a clause number whose code is at most 2^64 - 1")
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

impl HintedSteps for Binary<'_> {
    fn next(&mut self, step: &mut HintedStep) -> Result<Option<Kind>, ProofError> {
        let Some(kind) = self.kind()? else { return Ok(None) };
        if kind == Kind::Add {
            let id = self.clause_number()?.and_then(|id| u64::try_from(id).ok());
            let Some(id) = id else {
                return self.reject(self.last_byte(), "the positive number of a new clause");
            };
            step.id = id;
            while let Some(lit) = self.literal()? {
                step.lits.push(lit);
            }
        }
        while let Some(number) = self.clause_number()? {
            step.numbers.push(number);
        }
        Ok(Some(kind))
    }

    fn place(&self) -> Place {
        Place::Byte(self.step)
    }
}
