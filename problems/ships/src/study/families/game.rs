//! The game on a family of sets: a hidden set of the family must be uncovered with a limited number of misses. The
//! family is *won* if some plan of shots achieves this whichever set is hidden; otherwise it is *lost*.

use counterpoint_core::board::ones;
use counterpoint_core::engine::{Budget, Limit};
use rustc_hash::FxHashMap;

/// A set of cells: bit c stands for cell c.
pub type Set = u64;

/// The cells that some sets contain and some do not.
pub fn ambiguous(family: &[Set]) -> Set {
    let all = family.iter().fold(Set::MAX, |all, set| all & set);
    family.iter().fold(0, |any, set| any | set) & !all
}

/// The cells of a set, as one-element sets.
pub fn cells(set: Set) -> impl Iterator<Item = Set> {
    ones(set).map(|c| 1 << c)
}

/// The sets that contain a cell, and those that lack it.
pub fn split(family: &[Set], cell: Set) -> (Vec<Set>, Vec<Set>) {
    family.iter().partition(|&set| set & cell != 0)
}

/// True if `misses` misses suffice. Uses the theorem of the safe choice: any cell is a good shot if the sets that lack
/// it are won with one fewer miss.
pub fn is_won(family: &[Set], misses: u32) -> bool {
    if family.len() <= 1 || misses == 0 {
        return family.len() <= 1;
    }
    let mut left = family.to_vec();
    while left.len() > 1 {
        let shots = cells(ambiguous(&left)).map(|cell| split(&left, cell));
        let Some((containing, _)) = { shots }.find(|(_, lacking)| is_won(lacking, misses - 1)) else {
            return false;
        };
        left = containing;
    }
    true
}

/// The memo table: whether these sets are won with this many misses.
pub type Known = FxHashMap<(Vec<Set>, u32), bool>;

/// True if `misses` misses suffice. Uses the definition: for some shot, both outcomes are won.
pub fn is_won_by_definition(family: &[Set], misses: u32, known: &mut Known) -> bool {
    if family.len() <= 1 || misses == 0 {
        return family.len() <= 1;
    }
    if let Some(&won) = known.get(&(family.to_vec(), misses)) {
        return won;
    }
    let won = cells(ambiguous(family)).any(|cell| {
        let (containing, lacking) = split(family, cell);
        is_won_by_definition(&lacking, misses - 1, known) && is_won_by_definition(&containing, misses, known)
    });
    known.insert((family.to_vec(), misses), won);
    won
}

/// What is known of the fewest-`o` policies on a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FewestO {
    /// Some such policy wins.
    Wins,
    /// No such policy wins.
    Fails,
    /// There are more than 64 ambiguous squares or too many policies to try, or no policy was tried.
    Unknown,
}

/// True if some *fewest-`o` policy* wins: one that always shoots at an ambiguous cell that the fewest sets lack. Tries
/// every way to break ties. Counts one node for each shot.
///
/// # Errors
/// Returns the limit of the budget that was reached.
pub fn fewest_o_wins(family: &[Set], misses: u32, budget: &mut Budget) -> Result<bool, Limit> {
    if family.len() <= 1 || misses == 0 {
        return Ok(family.len() <= 1);
    }
    let parts: Vec<_> = cells(ambiguous(family)).map(|cell| split(family, cell)).collect();
    let fewest = parts.iter().map(|(_, lacking)| lacking.len()).min();
    for (containing, lacking) in parts.iter().filter(|(_, lacking)| Some(lacking.len()) == fewest) {
        budget.node()?;
        if fewest_o_wins(lacking, misses - 1, budget)? && fewest_o_wins(containing, misses, budget)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A set as a string of 1 and 0, one digit for each cell.
pub fn bit_string(set: Set, cells: u32) -> String {
    (0..cells).map(|c| if set >> c & 1 == 1 { '1' } else { '0' }).collect()
}
