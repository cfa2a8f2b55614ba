//! Referee by hashing: one incremental hash for each image of the board, the least is canonical.
//!
//! A move changes the hash of the image under g by the key of the square's image, so a move costs
//! O(|G|) whatever the board's size (A. Zobrist, *A New Hashing Method with Application for Game
//! Playing*, 1970). Equal boards have equal canonical hashes; the converse is checked exactly on every
//! hit, so a collision costs time and never an answer.

use super::super::answer::Answer;
use super::super::{Instance, Rules, Start};
use crate::board::{Bits, Size, Symmetry};
use crate::choice::Choice;
use crate::engine::{Budget, Limit, Outcome};
use rustc_hash::FxHashMap;

/// Complete records.
///
/// # Errors
/// That the record is smudged.
pub fn supports(_: &Rules, instance: &Instance, _: &Choice) -> Result<(), String> {
    super::complete(instance)
}

/// Decides a complete record.
pub fn solve(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Outcome<Answer> {
    decide(rules, instance, key, budget).into()
}

/// The key of a square by its index: splitmix64 of it (Steele, Lea, Flood, OOPSLA 2014).
fn key(square: usize) -> u64 {
    let mut z = (square as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// The same with any keys; those of squares that are unknown in the record are skipped.
///
/// # Errors
/// The limit that was met; each move is a node.
pub fn decide(
    rules: &Rules,
    instance: &Instance,
    key: impl Fn(usize) -> u64,
    budget: &mut Budget,
) -> Result<Answer, Limit> {
    let (n, size) = (instance.n, instance.size());
    let group = rules.group.elements();
    let mut hashes = vec![0u64; group.len()];
    let mut board = Bits::zeros(size.cells());
    // What each move turned over: `None` for one that changed nothing.
    let mut turned = Vec::with_capacity(instance.record.len());
    // The moves after which a board of that canonical hash stood.
    let mut seen: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    if rules.start == Start::Counted {
        seen.insert(0, vec![0]);
    }
    for (i, mv) in instance.record.iter().filter_map(|entry| entry.known()).enumerate() {
        budget.node()?;
        let changed = mv.apply(n, &mut board);
        if changed {
            for (hash, symmetry) in hashes.iter_mut().zip(&group) {
                *hash ^= key(size.index(symmetry.apply(n, mv.cell)));
            }
        }
        turned.push(changed.then(|| size.index(mv.cell)));
        let canonical = hashes.iter().copied().min().unwrap_or_default();
        let alike = seen.entry(canonical).or_default();
        for &earlier in &*alike {
            let before = rebuild(size, &turned[..earlier]);
            if let Some(symmetry) = group.iter().find(|&&g| is_image(size, &before, g, &board)) {
                return Ok(Answer::Repeat { mv: i + 1, earlier, symmetry: *symmetry });
            }
        }
        alike.push(i + 1);
    }
    Ok(Answer::Draw)
}

/// The board after the moves that turned over those squares.
fn rebuild(size: Size, turned: &[Option<usize>]) -> Bits {
    let mut board = Bits::zeros(size.cells());
    turned.iter().flatten().for_each(|&square| board.flip(square));
    board
}

/// Whether `symmetry` takes `before` to `after`. O(N²).
fn is_image(size: Size, before: &Bits, symmetry: Symmetry, after: &Bits) -> bool {
    before.count() == after.count()
        && before.iter().all(|i| after.get(size.index(symmetry.apply(size.width, size.cell(i)))))
}
