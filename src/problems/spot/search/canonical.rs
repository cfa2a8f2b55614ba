//! Referee by canonical boards: the least of a board's images stands for its class.
//!
//! Every image is kept as a bit matrix in which a move turns one bit, so the least of them costs a
//! comparison of words that mostly ends early, and keeping it O(N²/64) words. Nothing but whole
//! matrices is ever compared. (Smallest labelled representatives: R. C. Read, *Every one a winner*,
//! Annals of Discrete Mathematics 2, 1978.)

use super::super::answer::Answer;
use super::super::{Instance, Rules, Start};
use crate::board::{Bits, Size, Symmetry};
use crate::engine::{Budget, Limit, Outcome};
use crate::spec::EngineSpec;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Complete records whose boards can all be kept.
///
/// # Errors
/// Why not.
pub fn supports(_: &Rules, instance: &Instance, _: &EngineSpec) -> Result<(), String> {
    super::complete_and_stored(instance)
}

/// Decides a complete record.
pub fn solve(
    rules: &Rules,
    instance: &Instance,
    memory: &mut Memory,
    budget: &mut Budget,
) -> Outcome<Answer> {
    decide(rules, instance, memory, budget).into()
}

/// Room that serves one game after another.
#[derive(Default)]
pub struct Memory {
    /// The current board under each element of the group, one matrix after the other.
    images: Vec<u64>,
    /// The least image of each board that counts, in the order in which they came.
    classes: Vec<u64>,
    /// Open addressing in a power of two: one more than the index of a class, or 0; at most half full.
    slots: Vec<u32>,
}

fn decide(
    rules: &Rules,
    instance: &Instance,
    memory: &mut Memory,
    budget: &mut Budget,
) -> Result<Answer, Limit> {
    let size = instance.size();
    let group = rules.group.elements();
    let words = size.cells().div_ceil(64).max(1);
    let Memory { images, classes, slots } = memory;
    images.clear();
    images.resize(group.len() * words, 0);
    classes.clear();
    slots.clear();
    slots.resize((2 * instance.record.len() + 2).next_power_of_two(), 0);
    // Classes come one a move, so their index tells the move.
    let first = usize::from(rules.start == Start::Uncounted);
    if first == 0 {
        find_or_add(classes, slots, &images[..words]);
    }
    let mut board = Bits::zeros(size.cells());
    for (i, mv) in instance.record.iter().filter_map(|entry| entry.known()).enumerate() {
        budget.node()?;
        if mv.apply(instance.n, &mut board) {
            for (image, symmetry) in images.chunks_exact_mut(words).zip(&group) {
                let square = size.index(symmetry.apply(instance.n, mv.cell));
                image[square / 64] ^= 1 << (square % 64);
            }
        }
        let least = images.chunks_exact(words).min().unwrap_or_default();
        if let Some(class) = find_or_add(classes, slots, least) {
            let earlier = class + first;
            let before = after(instance, earlier);
            if let Some(symmetry) = group.iter().copied().find(|g| image(size, &before, *g) == board) {
                return Ok(Answer::Repeat { mv: i + 1, earlier, symmetry });
            }
        }
    }
    Ok(Answer::Draw)
}

/// The index of a class among `classes`, to which it is added if it is not there.
fn find_or_add(classes: &mut Vec<u64>, slots: &mut [u32], class: &[u64]) -> Option<usize> {
    let mut hasher = FxHasher::default();
    class.hash(&mut hasher);
    let mask = slots.len() - 1;
    let mut at = hasher.finish() as usize & mask;
    while slots[at] != 0 {
        let index = slots[at] as usize - 1;
        if classes[index * class.len()..].starts_with(class) {
            return Some(index);
        }
        at = (at + 1) & mask;
    }
    classes.extend_from_slice(class);
    slots[at] = (classes.len() / class.len()) as u32;
    None
}

/// The board after the first `moves` moves.
fn after(instance: &Instance, moves: usize) -> Bits {
    let mut board = Bits::zeros(instance.size().cells());
    for mv in instance.record.iter().filter_map(|entry| entry.known()).take(moves) {
        mv.apply(instance.n, &mut board);
    }
    board
}

fn image(size: Size, board: &Bits, symmetry: Symmetry) -> Bits {
    let cells = board.iter().map(|i| size.index(symmetry.apply(size.width, size.cell(i))));
    Bits::from_indices(size.cells(), cells)
}
