//! How many ways a fleet lies on an empty board, and how many sets of squares it covers.
//!
//! Plain enumeration, ship by ship, for boards of at most 64 squares: a reference for small boards
//! (5×7: 1.3 million placements), hopeless from 7×7 on (7.2 billion).

use crate::board::Size;
use crate::engine::{Budget, Limit};
use crate::problems::ships::Fleet;
use rustc_hash::FxHashSet;

/// What was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// Placements of the whole fleet. Equal ships are told apart.
    pub placements: u64,
    /// Distinct covered sets.
    pub sets: u64,
}

/// Counts by enumeration; a node a partial placement, a word of memory a covered set.
///
/// # Errors
/// The limit that was met; `Limit::Memory` at once for boards of over 64 squares.
pub fn count(size: Size, fleet: &Fleet, budget: &mut Budget) -> Result<Count, Limit> {
    if size.cells() > 64 {
        return Err(Limit::Memory);
    }
    let mask =
        |cells: &[crate::board::Cell]| cells.iter().fold(0u64, |mask, &cell| mask | 1 << size.index(cell));
    let mut ships: Vec<Vec<u64>> = fleet
        .ships
        .iter()
        .map(|ship| ship.placements(size).iter().map(|p| mask(&p.cells)).collect())
        .collect();
    // The order does not change the counts; few choices first keep the tree narrow.
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
    for place_mask in ship.iter().filter(|&mask| mask & covered == 0) {
        placements += place(rest, covered | place_mask, sets, budget)?;
    }
    Ok(placements)
}
