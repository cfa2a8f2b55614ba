//! Literals of a formula and of a proof that extends it, as indices without gaps.
//!
//! A formula's variable v is v - 1; a variable that only the proof has gets the next index when a
//! clause first names it, by way of a hash map, so that memory follows the proof's length and not the
//! numbers in it. A literal is twice its variable, plus one if negated.

use rustc_hash::FxHashMap;

/// A literal; `code ^ 1` is its negation.
pub(crate) type Code = u32;

pub(crate) struct Variables {
    formula: u32,
    extension: FxHashMap<u32, u32>,
}

impl Variables {
    /// Those of a formula with `n_vars` variables.
    pub(crate) fn new(n_vars: i32) -> Self {
        Variables { formula: n_vars.unsigned_abs(), extension: FxHashMap::default() }
    }

    /// The literal, which becomes known; `lit` is not 0.
    pub(crate) fn code(&mut self, lit: i32) -> Code {
        let variable = lit.unsigned_abs();
        let index = if variable <= self.formula {
            variable - 1
        } else {
            let next = self.formula + self.extension.len() as u32;
            *self.extension.entry(variable).or_insert(next)
        };
        index * 2 + u32::from(lit < 0)
    }

    /// The literal, unless no clause has named its variable.
    pub(crate) fn known(&self, lit: i32) -> Option<Code> {
        let variable = lit.unsigned_abs();
        let index = match variable <= self.formula {
            true => variable - 1,
            false => *self.extension.get(&variable)?,
        };
        Some(index * 2 + u32::from(lit < 0))
    }

    /// The literals' place among those of variables that only the proof has; `None` for the formula's.
    pub(crate) fn of_extension(&self, code: Code) -> Option<usize> {
        (code / 2).checked_sub(self.formula).map(|index| index as usize * 2 + (code & 1) as usize)
    }
}
