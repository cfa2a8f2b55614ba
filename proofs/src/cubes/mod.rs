//! Cubes: a formula split into cases.
//!
//! A cube is a conjunction of literals. If a proof refutes the formula together with each cube, and the cubes cover all
//! cases, the formula has no model. The cubes *cover all cases* if the formula together with the negation of each cube
//! has no model. So a claim that one formula has no model becomes n + 1 claims for n cubes, each with a formula of its
//! own. Each of them is proved and checked like any claim.
//!
//! If some cubes were split into halves, the cubes listed here are the leaves of the trees that result: the halves
//! replace the cube. Whether they cover all cases is proved as for any cubes; their numbers only name them.
//!
//! # Reference
//! M. Heule, O. Kullmann, S. Wieringa, A. Biere, *Cube and Conquer: Guiding CDCL SAT Solvers by Lookaheads*, HVC 2011.

mod error;
mod icnf;
mod obligations;
#[cfg(test)]
mod tests;

pub use error::{CubeError, IcnfError};
pub use obligations::combine;

use counterpoint_base::cube::{CubeNumber, LeavesError};
use std::collections::HashMap;

/// Cubes over the variables of a formula. No cube is empty, has a variable twice, or has the same literals as another.
#[derive(Clone, Debug, Default)]
pub struct Cubes {
    lits: Vec<i32>,
    /// For each cube, the index in `lits` after its last literal.
    ends: Vec<usize>,
    /// The sorted literals of each cube, with its index.
    known: HashMap<Vec<i32>, usize>,
    /// The number of each cube; empty if they are numbered from 1 on, because none of them is split.
    numbers: Vec<CubeNumber>,
}

/// Cubes are equal if they have the same literals in the same order.
impl PartialEq for Cubes {
    fn eq(&self, other: &Self) -> bool {
        (&self.lits, &self.ends) == (&other.lits, &other.ends)
    }
}

impl Eq for Cubes {}

impl Cubes {
    /// No cubes.
    pub fn new() -> Self {
        Cubes::default()
    }

    /// Adds a cube over the variables 1 to `n_vars`.
    ///
    /// # Errors
    /// Returns why the literals are not a cube, or which earlier cube they repeat. Then nothing is added.
    pub fn push(&mut self, lits: &[i32], n_vars: i32) -> Result<(), CubeError> {
        if lits.is_empty() {
            return Err(CubeError::Empty);
        }
        let outside = |lit: &&i32| !(1..=n_vars.unsigned_abs()).contains(&lit.unsigned_abs());
        if let Some(&literal) = lits.iter().find(outside) {
            return Err(CubeError::Outside { literal, variables: n_vars });
        }
        let mut sorted = lits.to_vec();
        sorted.sort_unstable_by_key(|lit| (lit.unsigned_abs(), *lit));
        let same_variable = |pair: &&[i32]| pair[0].abs() == pair[1].abs();
        if let Some(pair) = sorted.windows(2).find(same_variable) {
            return Err(CubeError::Twice { variable: pair[0].abs() });
        }
        let index = self.len();
        if let Some(&earlier) = self.known.get(&sorted) {
            return Err(CubeError::Repeats { earlier: earlier + 1 });
        }
        self.known.insert(sorted, index);
        self.lits.extend_from_slice(lits);
        self.ends.push(self.lits.len());
        Ok(())
    }

    /// The number of cubes.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no cubes.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The literals of the cube with this index, counted from 0.
    pub fn get(&self, index: usize) -> Option<&[i32]> {
        let end = *self.ends.get(index)?;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.lits[start..end])
    }

    /// Numbers the cubes as the leaves of trees, because some cubes are halves of others.
    ///
    /// # Errors
    /// Returns the first number that is missing or not expected.
    pub fn set_numbers(&mut self, numbers: Vec<CubeNumber>) -> Result<(), LeavesError> {
        CubeNumber::are_leaves(&numbers)?;
        self.numbers = numbers;
        Ok(())
    }

    /// The number of the cube with this index, counted from 0; `None` if there is no such cube.
    pub fn number(&self, index: usize) -> Option<CubeNumber> {
        match self.is_split() {
            true => self.numbers.get(index).cloned(),
            false => CubeNumber::at(index, self.len()),
        }
    }

    /// Whether some cubes are halves of others.
    pub fn is_split(&self) -> bool {
        !self.numbers.is_empty()
    }

    /// The number of cubes before some of them were split.
    pub fn n_original(&self) -> usize {
        self.numbers.first().map_or(self.len(), |number| number.of() as usize)
    }

    /// The literals of each cube.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[i32]> {
        (0..self.len()).map(|i| self.get(i).unwrap_or_default())
    }
}
