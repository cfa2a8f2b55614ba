//! Repeat detection by canonical form: each class is represented by its smallest board.
//!
//! All images of the current board are kept as bit matrices; a move flips one bit in each of them. The canonical form
//! is the lexicographically smallest image (R. C. Read, *Every one a winner*, Annals of Discrete Mathematics 2, 1978).
//! The canonical forms of all produced boards are stored in a hash table and compared word by word, so hash collisions
//! do not matter.
//!
//! A move takes O(|G| N²/64) in the worst case. Finding the smallest image is usually faster, because most comparisons
//! end at the first word. Hashing and storing it always takes O(N²/64).

use super::super::answer::Answer;
use super::super::{Instance, Rules, Start};
use counterpoint_core::board::{Bits, Size, Symmetry};
use counterpoint_core::engine::{Budget, Limit, Outcome};
use counterpoint_core::errors::Unsupported;
use counterpoint_core::spec::EngineSpec;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Supports complete records whose boards all fit into memory.
///
/// # Errors
/// Returns why the record is not supported.
pub fn supports(_: &Rules, instance: &Instance, _: &EngineSpec) -> Result<(), Unsupported> {
    super::complete_and_storable(instance)
}

/// Decides a complete record.
pub fn solve(
    rules: &Rules,
    instance: &Instance,
    session: &mut Session,
    budget: &mut Budget,
) -> Outcome<Answer> {
    decide(rules, instance, session, budget).into()
}

/// Buffers reused from game to game.
#[derive(Default)]
pub struct Session {
    /// The images of the current board, one for each element of the group, concatenated.
    images: Vec<u64>,
    /// The canonical forms of the produced boards in the order of moves, concatenated.
    classes: Vec<u64>,
    /// A hash table with linear probing, at most half full. A slot has the index of a class in `classes`,
    /// plus 1; 0 marks an empty slot. The number of slots is a power of two.
    slots: Vec<u32>,
}

fn decide(
    rules: &Rules,
    instance: &Instance,
    session: &mut Session,
    budget: &mut Budget,
) -> Result<Answer, Limit> {
    let size = instance.size();
    let group = rules.group.elements();
    let words = size.cells().div_ceil(64).max(1);
    let Session { images, classes, slots } = session;
    images.clear();
    images.resize(group.len() * words, 0);
    classes.clear();
    slots.clear();
    slots.resize((2 * instance.record.len() + 2).next_power_of_two(), 0);
    // Each move adds one class, so the class with index i was produced by move i + first.
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
        let canonical = images.chunks_exact(words).min().unwrap_or_default();
        if let Some(class) = find_or_add(classes, slots, canonical) {
            let earlier = class + first;
            let before = after(instance, earlier);
            if let Some(symmetry) = group.iter().copied().find(|g| image(size, &before, *g) == board) {
                return Ok(Answer::Repeat { mv: i + 1, earlier, symmetry });
            }
        }
    }
    Ok(Answer::Draw)
}

/// The index of a class in `classes`; `None` if it was not there and has been added.
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
