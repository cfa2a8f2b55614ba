//! The kinds of squares: from a basis of the presses that keep a solved board solved, or from a smaller board.
//!
//! Let n + 1 = k (n0 + 1). The lines whose number is a multiple of n0 + 1 cut n×n into k² blocks n0×n0. Null vectors of
//! n0×n0, copied to all blocks with a reflection from each block to the next, and 0 on the lines, are null vectors of n×n:
//! a square of a line has two equal neighbours, one on each side. If the nullities agree, n×n has no other null vectors.

use counterpoint_core::board::{Bits, Size};
use counterpoint_core::engine::{Budget, Limit};
use std::collections::BTreeMap;

/// The kinds of an n×n board.
pub(super) struct Kinds {
    pub(super) size: Size,
    /// The number of basis vectors.
    pub(super) dimensions: usize,
    /// For each square, the basis vectors that contain it.
    pub(super) keys: Vec<u32>,
    /// The number of squares of each kind that lies in some vector.
    pub(super) counts: BTreeMap<u32, i64>,
    /// The number of squares in no vector.
    pub(super) fixed: i64,
}

impl Kinds {
    fn new(size: Size, dimensions: usize, keys: Vec<u32>) -> Kinds {
        let mut counts: BTreeMap<u32, i64> = BTreeMap::new();
        keys.iter().for_each(|key| *counts.entry(*key).or_default() += 1);
        let fixed = counts.remove(&0).unwrap_or(0);
        Kinds { size, dimensions, keys, counts, fixed }
    }

    /// The kinds with respect to a basis of at most 32 vectors.
    pub(super) fn of(size: Size, basis: &[Bits]) -> Kinds {
        let bit = |square: usize, k: usize| u32::from(basis[k].get(square)) << k;
        let key = |square: usize| (0..basis.len()).map(|k| bit(square, k)).sum();
        Kinds::new(size, basis.len(), (0..size.cells()).map(key).collect())
    }

    /// The kinds of n×n if its null vectors are copies of those of a smaller board. `turn_all`, if given, is one more
    /// basis vector.
    pub(super) fn copied(size: Size, small: &Kinds, turn_all: Option<&Bits>) -> Kinds {
        let n0 = small.size.width as usize;
        let period = 2 * (n0 + 1);
        // Rows 0 to n0 - 1 are copied, n0 is a line, n0 + 1 to 2 n0 are reflected, 2 n0 + 1 is a line.
        let original = |line: u32| match line as usize % period {
            line if line < n0 => Some(line),
            line if line > n0 && line < period - 1 => Some(2 * n0 - line),
            _ => None,
        };
        let key = |square: usize| {
            let cell = size.cell(square);
            let copy = match (original(cell.row), original(cell.col)) {
                (Some(row), Some(col)) => small.keys[row * n0 + col],
                _ => 0,
            };
            copy | turn_all.map_or(0, |all| u32::from(all.get(square)) << small.dimensions)
        };
        let dimensions = small.dimensions + usize::from(turn_all.is_some());
        Kinds::new(size, dimensions, (0..size.cells()).map(key).collect())
    }

    /// The kinds with respect to the first basis vectors alone.
    pub(super) fn null(&self, dimensions: usize) -> Kinds {
        let keys = self.keys.iter().map(|key| key & ((1 << dimensions) - 1)).collect();
        Kinds::new(self.size, dimensions, keys)
    }

    /// The number of squares in some vector.
    pub(super) fn length(&self) -> i64 {
        self.counts.values().sum()
    }

    /// The greatest of the sums Σ a(t) χ(t) over all characters χ, each of which counts as a node.
    ///
    /// # Errors
    /// The limit that was reached.
    pub(super) fn greatest(&self, sums: &BTreeMap<u32, i64>, budget: &mut Budget) -> Result<i64, Limit> {
        let sign = |chi: u32, t: u32| if (chi & t).count_ones().is_multiple_of(2) { 1 } else { -1 };
        let mut greatest = i64::MIN;
        for chi in 0..1u32 << self.dimensions {
            budget.node()?;
            greatest = greatest.max(sums.iter().map(|(&t, a)| a * sign(chi, t)).sum());
        }
        Ok(greatest)
    }
}

/// Light chasing on n×n with the plus stencil: the nullity, and presses that turn every square, if there are some.
///
/// Each press is an affine form in the n presses of the first row: bit k for press k, and bit n for the constant 1.
pub(super) fn chase(n: usize) -> (usize, Option<Bits>) {
    let zero = || Bits::zeros(n + 1);
    let unit = |k: usize| Bits::from_indices(n + 1, [k]);
    let (mut above, mut row): (Vec<Bits>, Vec<Bits>) = (vec![zero(); n], (0..n).map(unit).collect());
    let mut rows = vec![row.clone()];
    for _ in 0..n {
        let below = |c: usize| {
            let mut form = unit(n);
            form.xor(&above[c]);
            let near = [c.checked_sub(1), Some(c), Some(c + 1).filter(|&c| c < n)];
            near.into_iter().flatten().for_each(|c| form.xor(&row[c]));
            form
        };
        (above, row) = (row.clone(), (0..n).map(below).collect());
        rows.push(row.clone());
    }
    // The row below the board needs no press.
    let mut pivots: Vec<(usize, Bits)> = Vec::new();
    let mut solvable = true;
    for mut form in rows.remove(n) {
        for (k, pivot) in &pivots {
            if form.get(*k) {
                form.xor(pivot);
            }
        }
        match form.first() {
            None => {}
            Some(k) if k == n => solvable = false,
            Some(k) => {
                pivots.iter_mut().filter(|(_, pivot)| pivot.get(k)).for_each(|(_, pivot)| pivot.xor(&form));
                pivots.push((k, form));
            }
        }
    }
    let nullity = n - pivots.len();
    // The presses that have no pivot are 0.
    let first = pivots.iter().filter(|(_, pivot)| pivot.get(n)).map(|(k, _)| *k);
    let values = Bits::from_indices(n + 1, first.chain([n]));
    let pressed = |form: &Bits| form.count_common(&values) % 2 == 1;
    let presses = rows.iter().flatten().enumerate().filter(|(_, form)| pressed(form)).map(|(i, _)| i);
    (nullity, solvable.then(|| Bits::from_indices(n * n, presses)))
}
