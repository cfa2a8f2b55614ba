//! Gives numbers without gaps to the literals of a formula, and to those of a proof that adds variables to it.
//!
//! Variable v of the formula has the index v - 1. A variable that only the proof has gets the next index when a clause
//! first contains it. A hash map stores these indices, so memory depends on the length of the proof and not on the
//! numbers in it. The code of a literal is twice the index of its variable, plus one if it is negated.

use counterpoint_base::keyed::KeyedMap;

/// The code of a literal; `code ^ 1` is that of its negation.
pub(crate) type Code = u32;

pub(crate) struct Variables {
    /// The number of variables of the formula.
    formula: u32,
    /// The index of each variable that only the proof has.
    extension: KeyedMap<u32, u32>,
}

impl Variables {
    /// The variables of a formula with `n_vars` variables.
    pub(crate) fn new(n_vars: i32) -> Self {
        Variables { formula: n_vars.unsigned_abs(), extension: KeyedMap::default() }
    }

    /// The code of a literal, which must not be 0. A new variable gets an index.
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

    /// The code of a literal, or `None` if neither the formula nor an added clause has its variable.
    pub(crate) fn known(&self, lit: i32) -> Option<Code> {
        let variable = lit.unsigned_abs();
        let index = match variable <= self.formula {
            true => variable - 1,
            false => *self.extension.get(&variable)?,
        };
        Some(index * 2 + u32::from(lit < 0))
    }

    /// The index of a literal among the literals of variables that only the proof has; `None` for other literals.
    pub(crate) fn of_extension(&self, code: Code) -> Option<usize> {
        (code / 2).checked_sub(self.formula).map(|index| index as usize * 2 + (code & 1) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::Variables;

    #[test]
    fn literals_of_the_proof_have_indices_of_their_own() {
        let mut variables = Variables::new(3);
        let codes = [1, -1, 3, -3, 9, -9, -4].map(|lit| variables.code(lit));
        assert_eq!(codes, [0, 1, 4, 5, 6, 7, 9]);
        let known = [1, -1, -3, 9, -9, 4, 5, -5].map(|lit| variables.known(lit));
        assert_eq!(known, [Some(0), Some(1), Some(5), Some(6), Some(7), Some(8), None, None]);
        let indices = codes.map(|code| variables.of_extension(code));
        assert_eq!(indices, [None, None, None, None, Some(0), Some(1), Some(3)]);
    }
}
