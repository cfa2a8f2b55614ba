//! Solves boards of at most 64 squares, each stored in one word, from tables that depend only on stencil and size.
//!
//! The system is linear, so the solution of a board is the sum of the contributions of its bytes. Elimination
//! records, for each row, the original rows that were added to make it. If a row has become 0, the indices of
//! these original rows are the squares of a null vector, because the matrix is symmetric. The board is
//! solvable iff each null vector has an even number of squares in common with the squares that must change.
//! With the tables, solving a board takes one look-up per byte; weighing all vectors of a coset takes 2^d
//! steps for nullity d.

use crate::Stencil;
use counterpoint_core::board::Size;
use counterpoint_core::engine::{Budget, Limit};

/// The tables for one stencil and size.
pub(super) struct Tables {
    /// For each byte of a board and each value of this byte: its contribution.
    bytes: Vec<[Part; 256]>,
    /// A basis of the null space.
    pub(super) null: Vec<u64>,
    /// Presses that turn all squares over; `None` if there are none.
    pub(super) over: Option<u64>,
}

/// The contribution of some squares of a board to its solution.
#[derive(Clone, Copy, Default)]
struct Part {
    /// The contribution to the presses.
    presses: u64,
    /// Bit i is the parity of the number of these squares that null vector i contains.
    odd: u64,
}

/// The maximum number of squares that a board may have: the bits of a word.
pub(super) const MAX_SQUARES: usize = 64;

/// Computes the tables by reducing the stencil's matrix beside a unit matrix. Takes O(n²) word operations for n
/// squares. The board must have at most [`MAX_SQUARES`].
pub(super) fn tables(stencil: Stencil, size: Size) -> Tables {
    let n = size.cells();
    let word = |cells: Vec<counterpoint_core::board::Cell>| {
        cells.iter().fold(0u64, |word, &c| word | 1 << size.index(c))
    };
    // Each row, with a mask of the original rows that were added to make it.
    let mut rows: Vec<(u64, u64)> =
        size.iter().enumerate().map(|(i, cell)| (word(stencil.squares(size, cell)), 1 << i)).collect();
    let mut pivots = Vec::new();
    for unknown in 0..n {
        let rank = pivots.len();
        let Some(found) = (rank..n).find(|&r| rows[r].0 >> unknown & 1 == 1) else { continue };
        rows.swap(rank, found);
        let pivot = rows[rank];
        for (_, row) in rows.iter_mut().enumerate().filter(|(r, row)| *r != rank && row.0 >> unknown & 1 == 1)
        {
            row.0 ^= pivot.0;
            row.1 ^= pivot.1;
        }
        pivots.push(unknown);
    }
    let part = |square: usize| {
        let sum = |row: &(u64, u64)| row.1 >> square & 1;
        let presses = pivots.iter().zip(&rows).fold(0, |presses, (p, row)| presses | sum(row) << p);
        let odd = rows[pivots.len()..].iter().enumerate().fold(0, |odd, (i, row)| odd | sum(row) << i);
        Part { presses, odd }
    };
    let mut bytes = vec![[Part::default(); 256]; n.div_ceil(8)];
    for square in 0..n {
        let (values, bit, part) = (&mut bytes[square / 8], 1 << (square % 8), part(square));
        for value in 0..bit {
            let known = values[value];
            values[value | bit] = Part { presses: known.presses ^ part.presses, odd: known.odd ^ part.odd };
        }
    }
    let mut tables =
        Tables { bytes, null: rows[pivots.len()..].iter().map(|row| row.1).collect(), over: None };
    tables.over = tables.solve(u64::MAX >> (64 - n)).ok();
    tables
}

impl Tables {
    /// Returns presses that turn over exactly the squares `wrong`. If there are none, the error is the index of a null
    /// vector that has an odd number of squares in common with them.
    pub(super) fn solve(&self, wrong: u64) -> Result<u64, usize> {
        let mut sum = Part::default();
        for (values, byte) in self.bytes.iter().zip(wrong.to_le_bytes()) {
            let part = &values[usize::from(byte)];
            sum.presses ^= part.presses;
            sum.odd ^= part.odd;
        }
        if sum.odd == 0 { Ok(sum.presses) } else { Err(sum.odd.trailing_zeros() as usize) }
    }
}

/// The lightest vector of the cosets `starts[i]` + span(`null`); among equals, the first that the search visits. Each
/// sum counts as a node.
///
/// # Errors
/// Returns the limit that was reached, with the lightest vector so far.
pub(super) fn lightest(starts: &[u64], null: &[u64], budget: &mut Budget) -> Result<u64, (Limit, u64)> {
    let mut best = starts[0];
    for &start in starts {
        let mut sum = start;
        for step in 1u64..=1 << null.len() {
            budget.node().map_err(|limit| (limit, best))?;
            if sum.count_ones() < best.count_ones() {
                best = sum;
            }
            // Step k of the Gray code flips the coordinate of the lowest set bit of k; the last step flips none.
            sum ^= null.get(step.trailing_zeros() as usize).unwrap_or(&0);
        }
    }
    Ok(best)
}
