//! The searches, one a file, and the linear algebra that they share.

pub mod algebra;
pub mod bfs;
mod elimination;
pub mod first_row;
mod least;

use super::{Goal, Rules};
use crate::board::{Bits, Cell, Size};

/// The cells whose bits are set, ascending.
fn cells(size: Size, bits: &Bits) -> Vec<Cell> {
    bits.iter().map(|i| size.cell(i)).collect()
}

/// Why a search that always looks for presses cannot serve these rules.
pub(super) fn refuse_within(rules: &Rules) -> Result<(), String> {
    match rules.within {
        Some(_) => Err("the rule within is for encode alone".to_owned()),
        None => Ok(()),
    }
}

/// Whether fewest presses are asked for.
fn wants_least(rules: &Rules) -> bool {
    rules.goal == Goal::Least
}
