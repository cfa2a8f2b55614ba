//! Reasons that an explanation adds to an answer: why fewer presses do not suffice, or which squares alone make a board
//! impossible.

use super::super::End;

/// The reason for an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Why fewer presses do not suffice: how many solutions lead to each final board, and the minimum weight among
    /// them.
    Solutions {
        /// The dimension d of the null space. A final board that can be reached has p^d solutions.
        nullity: usize,
        /// Each final board with the minimum weight of its solutions.
        ends: Vec<(End, Lightest)>,
    },
    /// A minimal set of squares, as pairs of index and weight, that makes the board impossible: every press changes the
    /// weighted sum of their colours by a multiple of p, but solving the board would change it by a number that is not
    /// a multiple of p. The equations of these squares are a circuit (a minimal dependent set): if any one of them is
    /// dropped, the rest can be solved.
    Circuit(Vec<(usize, u32)>),
}

/// The minimum weight among the solutions for one final board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lightest {
    /// There is no solution.
    None,
    /// The minimum weight.
    Weight(usize),
    /// Not computed, because there are too many solutions to enumerate.
    Unknown,
}
