//! Counts placements and covered sets on an empty board by plain enumeration, ship by ship.
//!
//! This is the reference for boards of at most 64 squares. It is fast enough for 5×7, with 1.3 million placements, but
//! takes too long for 7×7, with 7.2 billion.

use crate::Fleet;
use counterpoint_core::board::{Cell, Size};
use counterpoint_core::engine::{Budget, Limit};
use rustc_hash::FxHashSet;

/// The two counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// Number of placements of the whole fleet. Equal ships are distinguished.
    pub placements: u64,
    /// Number of distinct covered sets.
    pub sets: u64,
}

/// Counts by enumeration, with one node for each partial placement. Stores one word for each covered set.
///
/// # Errors
/// Returns the limit of the budget that was reached, or `Limit::Memory` if the board has more than 64 squares.
pub fn count(size: Size, fleet: &Fleet, budget: &mut Budget) -> Result<Count, Limit> {
    if size.cells() > 64 {
        return Err(Limit::Memory);
    }
    let mask = |cells: &[Cell]| cells.iter().fold(0u64, |mask, &cell| mask | 1 << size.index(cell));
    let mut ships: Vec<Vec<u64>> = fleet
        .ships
        .iter()
        .map(|ship| ship.placements(size).iter().map(|p| mask(&p.cells)).collect())
        .collect();
    // The order does not change the counts. Ships with few placements come first to keep the tree narrow.
    ships.sort_by_key(Vec::len);
    let mut sets = FxHashSet::default();
    let placements = place(&ships, 0, &mut sets, budget)?;
    Ok(Count { placements, sets: sets.len() as u64 })
}

fn place(
    ships: &[Vec<u64>],
    covered: u64,
    sets: &mut FxHashSet<u64>,
    budget: &mut Budget,
) -> Result<u64, Limit> {
    budget.node()?;
    let Some((ship, rest)) = ships.split_first() else {
        sets.insert(covered);
        return Ok(1);
    };
    let mut placements = 0;
    for mask in ship.iter().filter(|&mask| mask & covered == 0) {
        placements += place(rest, covered | mask, sets, budget)?;
    }
    Ok(placements)
}
