//! Probing, for one miss: decides a board without enumerating all sets.
//!
//! With one miss, a cell is safe if exactly one set lacks it, because a miss there leaves only that set. Let the
//! *current* sets be the known sets that contain all cells shot at so far.
//! 1. Take a cell that exactly one current set lacks, and ask for another set that lacks it and contains all cells shot
//!    at.
//! 2. If there is one, the cell is not safe; the new set becomes a current one.
//! 3. If there is none, the cell is safe. Shoot at it, and drop the set that lacks it.
//!
//! If no such cell is left, ask for any other set that contains all cells shot at. The board is won if one current set
//! is left and no other set contains these cells. Then all sets are known, because each dropped set was the only one to
//! lack its cell. The board is lost if two or more current sets are left and no cell is lacked by exactly one of them.
//! Let k be the number of unknown cells of a set. At most k + 2 sets are found, and at most k + 1 questions are
//! answered with no.

use super::set_finder::{Found, SetFinder};
use crate::answer::Answer;
use counterpoint_core::board::Bits;
use counterpoint_core::engine::{Budget, Unfinished};

/// Decides a board with one miss; `None` if idle ships could not be placed.
pub(super) fn decide(mut finder: SetFinder<'_>, budget: &mut Budget) -> Result<Option<Answer>, Unfinished> {
    // `left` holds the current sets, and `shot` the assumptions that the cells shot at are covered.
    let mut left: Vec<Bits> = Vec::new();
    let mut shot = Vec::new();
    loop {
        // The cell and the literal that is true iff it is covered; `None` if no cell qualifies.
        let cell = (0..finder.last().len()).find_map(|i| {
            let lacking = left.iter().filter(|set| !set.get(i)).take(2).count();
            finder.covered(i).filter(|_| left.len() > 1 && lacking == 1).map(|lit| (i, lit))
        });
        let mut assumptions = shot.clone();
        assumptions.extend(cell.map(|(_, covered)| !covered));
        let (found, next) = finder.next_set(&assumptions, budget)?;
        finder = next;
        match (found, cell) {
            (Found::Open, _) => left.push(finder.last().clone()),
            (Found::Exhausted, Some((i, covered))) => {
                shot.push(covered);
                left.retain(|set| set.get(i));
            }
            (Found::Exhausted, None) | (Found::Lost, _) => return Ok(Some(finder.answer(budget)?)),
            (Found::Unplaced, _) => return Ok(None),
        }
    }
}
