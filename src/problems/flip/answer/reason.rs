//! Why fewer presses cannot do, and which squares alone make a board impossible.

use super::super::End;

/// What an explanation adds to an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// How many solutions each end has, and how light the lightest is.
    Solutions {
        /// Dimension of the null space: p to this power are the solutions of an end that has any.
        nullity: usize,
        /// Each end with the least weight of its solutions, if it has any and all were gone through.
        ends: Vec<(End, Lightest)>,
    },
    /// Squares with weights: every press changes the weighted sum of their colours by 0, though it would have to
    /// change. No weights but multiples of these do so on these squares or on some of them, so the turns that all
    /// but one of these squares need can be had.
    Circuit(Vec<(usize, u32)>),
}

/// The lightest solution for an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lightest {
    /// There is no solution.
    None,
    /// Its weight.
    Weighs(usize),
    /// There are too many to look at each.
    Unseen,
}
