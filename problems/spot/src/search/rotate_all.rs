//! Baseline: stores every board, and looks up all images of each new board in a hash table.
//!
//! A move takes O(|G| N²), because every image is computed and hashed from scratch.

use super::super::answer::Answer;
use super::super::{Instance, Rules, Start};
use counterpoint_core::board::{Bits, Symmetry};
use counterpoint_core::engine::{Budget, Limit, Outcome};
use counterpoint_core::errors::Unsupported;
use counterpoint_core::keyed::KeyedMap;
use counterpoint_core::spec::EngineSpec;

/// Supports complete records whose boards all fit into memory.
///
/// # Errors
/// Returns why the record is not supported.
pub fn supports(_: &Rules, instance: &Instance, _: &EngineSpec) -> Result<(), Unsupported> {
    super::complete_and_storable(instance)
}

/// Decides a complete record.
pub fn solve(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Outcome<Answer> {
    decide(rules, instance, budget).into()
}

fn decide(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Result<Answer, Limit> {
    let (n, size) = (instance.n, instance.size());
    let mut board = Bits::zeros(size.cells());
    // Each produced board with the number of the move that produced it.
    let mut produced: KeyedMap<Bits, usize> = KeyedMap::default();
    if rules.start == Start::Counted {
        produced.insert(board.clone(), 0);
    }
    for (i, mv) in instance.record.iter().filter_map(|entry| entry.known()).enumerate() {
        budget.node()?;
        mv.apply(n, &mut board);
        for symmetry in rules.group.elements() {
            let cells = board.iter().map(|c| size.index(symmetry.apply(n, size.cell(c))));
            let image = Bits::from_indices(size.cells(), cells);
            if let Some(&earlier) = produced.get(&image) {
                // `symmetry` maps the new board to the earlier one; the answer has the other direction.
                return Ok(Answer::Repeat { mv: i + 1, earlier, symmetry: inverse(symmetry) });
            }
        }
        produced.insert(board.clone(), i + 1);
    }
    Ok(Answer::Draw)
}

/// The inverse of a symmetry. Reflections are their own inverses.
fn inverse(symmetry: Symmetry) -> Symmetry {
    if symmetry.mirrored { symmetry } else { Symmetry { turns: (4 - symmetry.turns) % 4, ..symmetry } }
}
