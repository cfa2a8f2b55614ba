//! The game on a family of sets: uncover the one that was drawn, with so many misses at most.

use crate::board::ones;
use crate::engine::{Budget, Limit};
use rustc_hash::FxHashMap;

/// Bit c for cell c.
pub type Set = u64;

/// Cells that some sets hold and some do not, a bit each.
pub fn ambiguous(family: &[Set]) -> Set {
    let all = family.iter().fold(Set::MAX, |all, set| all & set);
    family.iter().fold(0, |any, set| any | set) & !all
}

/// The cells of a set, as sets of one.
pub fn cells(set: Set) -> impl Iterator<Item = Set> {
    ones(set).map(|c| 1 << c)
}

/// The sets that hold a cell, and those that lack it.
pub fn parted(family: &[Set], cell: Set) -> (Vec<Set>, Vec<Set>) {
    family.iter().partition(|&set| set & cell != 0)
}

/// Whether `misses` are enough, by the theorem of the safe choice: any cell whose miss leaves a won part is shot at.
pub fn is_won(family: &[Set], misses: u32) -> bool {
    if family.len() <= 1 || misses == 0 {
        return family.len() <= 1;
    }
    let mut left = family.to_vec();
    while left.len() > 1 {
        let safe = cells(ambiguous(&left)).map(|cell| parted(&left, cell));
        let Some((hold, _)) = { safe }.find(|(_, lack)| is_won(lack, misses - 1)) else { return false };
        left = hold;
    }
    true
}

/// Parts with their misses, and whether they are won.
pub type Known = FxHashMap<(Vec<Set>, u32), bool>;

/// Whether `misses` are enough, by definition: some shot is won either way.
pub fn is_won_plainly(family: &[Set], misses: u32, known: &mut Known) -> bool {
    if family.len() <= 1 || misses == 0 {
        return family.len() <= 1;
    }
    if let Some(&won) = known.get(&(family.to_vec(), misses)) {
        return won;
    }
    let won = cells(ambiguous(family)).any(|cell| {
        let (hold, lack) = parted(family, cell);
        is_won_plainly(&lack, misses - 1, known) && is_won_plainly(&hold, misses, known)
    });
    known.insert((family.to_vec(), misses), won);
    won
}

/// Whether shooting always at an ambiguous cell that the fewest sets lack wins, in some order of equal ones; a node
/// a shot.
///
/// # Errors
/// The budget's limits.
pub fn fewest_wins(family: &[Set], misses: u32, budget: &mut Budget) -> Result<bool, Limit> {
    if family.len() <= 1 || misses == 0 {
        return Ok(family.len() <= 1);
    }
    let parts: Vec<_> = cells(ambiguous(family)).map(|cell| parted(family, cell)).collect();
    let fewest = parts.iter().map(|(_, lack)| lack.len()).min();
    for (hold, lack) in parts.iter().filter(|(_, lack)| Some(lack.len()) == fewest) {
        budget.node()?;
        if fewest_wins(lack, misses - 1, budget)? && fewest_wins(hold, misses, budget)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A set as a word of 1 and 0, cell by cell.
pub fn word(set: Set, cells: u32) -> String {
    (0..cells).map(|c| if set >> c & 1 == 1 { '1' } else { '0' }).collect()
}
