//! Numbers for the variables of an OPB file or formula and of a proof, in the order in which they first occur.

use super::scanner::Scanner;
use crate::ProofError;
use crate::variables::Code;
use counterpoint_base::keyed::KeyedMap;

/// The variables by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// The names `x1` to `x{numbered}` belong to the variables with the indices below `numbered`.
    numbered: u32,
    /// The indices of the other variables.
    others: KeyedMap<Box<[u8]>, u32>,
}

impl Names {
    /// The variables `x1` to `x{n}`.
    pub(super) fn numbered(n: u32) -> Self {
        Names { numbered: n, others: KeyedMap::default() }
    }

    /// The index of the variable with a name. A new one gets the next index.
    pub(super) fn index(&mut self, name: &[u8]) -> u32 {
        if let Some(number) = numbered(name).filter(|number| *number <= self.numbered) {
            return number - 1;
        }
        let next = self.numbered + self.others.len() as u32;
        match self.others.get(name) {
            Some(&index) => index,
            None => *self.others.entry(name.into()).or_insert(next),
        }
    }

    /// Reads a variable.
    pub(super) fn variable(&mut self, scanner: &mut Scanner<'_>) -> Result<u32, ProofError> {
        match scanner.next() {
            Some(token) if is_name(token.text) => Ok(self.index(token.text)),
            other => scanner.reject(other, "a variable"),
        }
    }

    /// Reads a literal.
    pub(super) fn literal(&mut self, scanner: &mut Scanner<'_>) -> Result<Code, ProofError> {
        let token = scanner.next();
        match token.and_then(|token| self.code(token.text)) {
            Some(lit) => Ok(lit),
            None => scanner.reject(token, "a literal"),
        }
    }

    /// The code of a literal: a variable, or its negation with `~` before it. `None` if the text is not a literal.
    pub(super) fn code(&mut self, text: &[u8]) -> Option<Code> {
        let (name, sign) = text.strip_prefix(b"~").map_or((text, 0), |name| (name, 1));
        is_name(name).then(|| self.index(name) * 2 + sign)
    }
}

/// The number of a variable such as `x12`.
fn numbered(name: &[u8]) -> Option<u32> {
    let digits = name.strip_prefix(b"x").filter(|digits| !digits.starts_with(b"0"))?;
    // `parse` also accepts a sign.
    let is_number = digits.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(digits).ok().filter(|_| is_number)?.parse().ok()
}

/// Whether a token can be the name of a variable: a letter or an underscore, then at least one more character.
pub(super) fn is_name(text: &[u8]) -> bool {
    text.len() > 1 && (text[0].is_ascii_alphabetic() || text[0] == b'_')
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn names_of_the_formula_come_first() {
        let mut names = Names::numbered(3);
        let indices = ["x3", "y1", "x1", "x4", "x03", "x", "x2", "y1", "x+1", "x4294967296"]
            .map(|name| names.index(name.as_bytes()));
        assert_eq!(indices, [2, 3, 0, 4, 5, 6, 1, 3, 7, 8]);
        let codes = ["x2", "~x2", "_1", "~y1", "x", "2x", "~"].map(|name| names.code(name.as_bytes()));
        assert_eq!(codes, [Some(2), Some(3), Some(18), Some(7), None, None, None]);
    }
}
