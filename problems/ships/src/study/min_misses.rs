//! The minimum number of misses that suffice for a list of covered sets.

use crate::answer::Answer;
use crate::answer::family::{Family, Standing};
use counterpoint_core::board::{Bits, Cell, Size};
use counterpoint_core::engine::{Budget, Limit};

/// The minimum number of misses with which `sets` are won; 0 for at most one set. The sets must be distinct and of
/// equal size.
///
/// # Errors
/// Returns the limit of the budget that was reached.
pub fn min_misses(size: Size, sets: &[&[Cell]], budget: &mut Budget) -> Result<u32, Limit> {
    // The loop ends, because n sets are always won with n - 1 misses.
    let mut misses = 0;
    while !wins(size, sets, misses, budget)? {
        misses += 1;
    }
    Ok(misses)
}

fn wins(size: Size, sets: &[&[Cell]], misses: u32, budget: &mut Budget) -> Result<bool, Limit> {
    let mut family = Family::new(size, misses);
    for set in sets {
        let bits = Bits::from_indices(size.cells(), set.iter().map(|&cell| size.index(cell)));
        if family.add(bits.words(), budget)? == Standing::Lost {
            return Ok(false);
        }
    }
    Ok(!matches!(family.answer(budget)?, Answer::No { .. }))
}
