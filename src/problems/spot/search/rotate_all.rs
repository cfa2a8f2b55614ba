//! Baseline: keep every board, turn each new one every way and look it up. The textbook's referee.
//!
//! O(|G| N²) a move for turning and hashing whole boards.

use super::super::answer::Answer;
use super::super::{Instance, Rules, Start};
use crate::board::{Bits, Symmetry};
use crate::engine::{Budget, Limit, Outcome};
use crate::spec::EngineSpec;
use rustc_hash::FxHashMap;

/// Complete records whose boards can all be kept.
///
/// # Errors
/// Why not.
pub fn supports(_: &Rules, instance: &Instance, _: &EngineSpec) -> Result<(), String> {
    super::complete_and_stored(instance)
}

/// Decides a complete record.
pub fn solve(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Outcome<Answer> {
    decide(rules, instance, budget).into()
}

fn decide(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Result<Answer, Limit> {
    let (n, size) = (instance.n, instance.size());
    let mut board = Bits::zeros(size.cells());
    let mut seen: FxHashMap<Bits, usize> = FxHashMap::default();
    if rules.start == Start::Counted {
        seen.insert(board.clone(), 0);
    }
    for (i, mv) in instance.record.iter().filter_map(|entry| entry.known()).enumerate() {
        budget.node()?;
        mv.apply(n, &mut board);
        for symmetry in rules.group.elements() {
            let cells = board.iter().map(|c| size.index(symmetry.apply(n, size.cell(c))));
            let turned = Bits::from_indices(size.cells(), cells);
            if let Some(&earlier) = seen.get(&turned) {
                return Ok(Answer::Repeat { mv: i + 1, earlier, symmetry: inverse(symmetry) });
            }
        }
        seen.insert(board.clone(), i + 1);
    }
    Ok(Answer::Draw)
}

/// Takes the found board back to the new one. A mirroring undoes itself.
fn inverse(symmetry: Symmetry) -> Symmetry {
    if symmetry.mirrored { symmetry } else { Symmetry { turns: (4 - symmetry.turns) % 4, ..symmetry } }
}
