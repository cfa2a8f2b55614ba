//! Referee by canonical boards: the least of a board's images stands for its class.
//!
//! Exact, without hashing keys: O(|G| N²) a move, and every class is kept whole.

use super::super::answer::Answer;
use super::super::{Instance, Rules, Start};
use crate::board::{Bits, Size, Symmetry};
use crate::choice::Choice;
use crate::engine::{Budget, Limit, Outcome};
use rustc_hash::FxHashMap;

/// Complete records whose boards can all be kept.
///
/// # Errors
/// Why not.
pub fn supports(_: &Rules, instance: &Instance, _: &Choice) -> Result<(), String> {
    super::complete_and_stored(instance)
}

/// Decides a complete record.
pub fn solve(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Outcome<Answer> {
    decide(rules, instance, budget).into()
}

fn decide(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Result<Answer, Limit> {
    let size = instance.size();
    let group = rules.group.elements();
    let mut boards = vec![Bits::zeros(size.cells())];
    let mut seen = FxHashMap::default();
    if rules.start == Start::Counted {
        seen.insert(boards[0].clone(), 0);
    }
    for (i, mv) in instance.record.iter().filter_map(|entry| entry.known()).enumerate() {
        budget.node()?;
        let mut board = boards[i].clone();
        mv.apply(instance.n, &mut board);
        let least = group.iter().map(|&g| image(size, &board, g)).min().unwrap_or_default();
        if let Some(&earlier) = seen.get(&least) {
            let symmetry = group.iter().find(|&&g| image(size, &boards[earlier], g) == board);
            if let Some(&symmetry) = symmetry {
                return Ok(Answer::Repeat { mv: i + 1, earlier, symmetry });
            }
        }
        seen.insert(least, i + 1);
        boards.push(board);
    }
    Ok(Answer::Draw)
}

fn image(size: Size, board: &Bits, symmetry: Symmetry) -> Bits {
    let cells = board.iter().map(|i| size.index(symmetry.apply(size.width, size.cell(i))));
    Bits::from_indices(size.cells(), cells)
}
