//! Sums of numbers over the squares that each press turns over.
//!
//! A press of the cross turns over a whole row and a whole column. Sums of all rows and columns make the work linear in
//! the number of squares; square by square, a short answer about a large board would take hours.

use crate::Stencil;
use counterpoint_core::board::{Cell, Digits, Size};

/// For each square, the sum of the digits of the squares that a press of it turns over. As all stencils are symmetric,
/// these are also the squares whose presses turn it over.
pub(super) fn around(stencil: Stencil, size: Size, digits: &Digits) -> Vec<u64> {
    let mut turned = Vec::new();
    let neighbours = |cell| -> u64 {
        stencil.squares_into(size, cell, &mut turned);
        turned.iter().map(|&cell| u64::from(digits.get(size.index(cell)))).sum()
    };
    if stencil != Stencil::Cross {
        return size.iter().map(neighbours).collect();
    }
    let (mut rows, mut cols) = (vec![0; size.height as usize], vec![0; size.width as usize]);
    for (i, digit) in digits.iter() {
        let Cell { row, col } = size.cell(i);
        rows[row as usize] += u64::from(digit);
        cols[col as usize] += u64::from(digit);
    }
    let cross = |(i, Cell { row, col })| rows[row as usize] + cols[col as usize] - u64::from(digits.get(i));
    size.iter().enumerate().map(cross).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_rows_and_columns_agree_with_the_stencil() {
        for (width, height) in [(1, 1), (1, 4), (3, 1), (2, 2), (5, 3)] {
            let size = Size::new(width, height);
            let mut digits = Digits::zeros(size.cells());
            (0..size.cells()).for_each(|i| (0..i * i % 5).for_each(|_| digits.increment(i)));
            let at = |cell: Cell| u64::from(digits.get(size.index(cell)));
            for stencil in [Stencil::Plus, Stencil::Torus, Stencil::King, Stencil::Cross] {
                let of_stencil =
                    size.iter().map(|cell| stencil.squares(size, cell).into_iter().map(at).sum());
                assert_eq!(around(stencil, size, &digits), of_stencil.collect::<Vec<u64>>());
            }
        }
    }

    #[test]
    fn a_replay_of_the_cross_is_linear() {
        // One press at a time would take 2^37 steps.
        let size = Size::new(1 << 12, 1 << 12);
        let sums = around(Stencil::Cross, size, &Digits::all(size.cells(), 1));
        assert!(sums.iter().all(|&sum| sum == (1 << 13) - 1));
    }
}
