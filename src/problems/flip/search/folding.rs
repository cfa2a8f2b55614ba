//! Squares that stay alike are counted as one: what is left of a board once some null vectors are chosen.
//!
//! Write a set of presses as signs, -1 for a press; the fewest presses are the greatest sum of signs. A
//! null vector changes the signs of its squares. Once the null vectors of the first stages are added or
//! not, squares that all later ones contain alike keep their signs relative to each other, so they fold
//! into one number, the sum of their signs; squares in no later vector fold into a constant. The sum of
//! the constant and of the absolute values bounds what the later stages can reach.

use crate::board::Bits;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A sum of signs. It is at most the number of squares, see [`MAX_SQUARES`].
pub(super) type Sum = i16;

/// The most squares whose signs can be summed.
pub(super) const MAX_SQUARES: usize = Sum::MAX as usize;

/// The most dimensions: a word holds which vectors contain a square.
pub(super) const MAX_DIMENSIONS: usize = 64;

/// Some null vectors, and how the board folds once they are chosen.
pub(super) struct Stage {
    /// For each vector -1 in the slots that it changes, and 0 elsewhere.
    pub(super) changes: Vec<Vec<Sum>>,
    /// As many slots as the next stage has, so many times; then slots that become constant.
    pub(super) layers: usize,
    /// The slots of the next stage.
    pub(super) width: usize,
}

/// A null space in stages, with the slots of the first.
pub(super) struct Folding {
    pub(super) stages: Vec<Stage>,
    /// Slots of the first stage.
    slots: usize,
    /// The slot of each square; none for squares in no null vector.
    slot_of: Vec<Option<u32>>,
}

/// Slots are told apart by which vectors from their stage on contain them (bit k for the k-th of these);
/// none are slots that hold no square.
pub(super) type Slots = Vec<Option<u64>>;

/// Folds a board of `squares` squares. Panics for more than 64 vectors in all.
pub(super) fn fold(squares: usize, stages: &[Vec<Bits>]) -> Folding {
    onto(squares, stages, &[], Slots::new())
}

/// The same where the vectors `after` the stages stay: what the last stage leaves is folded onto these slots of theirs.
pub(super) fn onto(squares: usize, stages: &[Vec<Bits>], after: &[Bits], mut slots: Slots) -> Folding {
    let vectors: Vec<&Bits> = stages.iter().flatten().chain(after).collect();
    assert!(vectors.len() <= MAX_DIMENSIONS, "{} null vectors", vectors.len());
    let mut member = vec![0u64; squares];
    for (k, vector) in vectors.iter().enumerate() {
        vector.iter().for_each(|square| member[square] |= 1 << k);
    }
    let mut folded = Vec::new();
    let mut before = vectors.len() - after.len();
    for vectors in stages.iter().rev() {
        before -= vectors.len();
        let (stage, here) = unfold(&member, before, vectors.len(), &slots);
        folded.push(stage);
        slots = here;
    }
    folded.reverse();
    let places: FxHashMap<u64, u32> =
        slots.iter().zip(0..).filter_map(|(key, i)| Some(((*key)?, i))).collect();
    let slot_of = member.iter().map(|key| places.get(key).copied()).collect();
    Folding { stages: folded, slots: slots.len(), slot_of }
}

/// The stage of the `count` vectors from number `first` on and its slots, given the slots of the next.
fn unfold(member: &[u64], first: usize, count: usize, next: &Slots) -> (Stage, Slots) {
    // What becomes of each kind of square in the next stage, ascending.
    let later = |key: u64| key.checked_shr(count as u32).unwrap_or(0);
    let mut kinds: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    let mut keys: Vec<u64> = member.iter().map(|key| key >> first).filter(|key| *key > 0).collect();
    keys.sort_unstable();
    keys.dedup();
    keys.into_iter().for_each(|key| kinds.entry(later(key)).or_default().push(key));
    let constant = kinds.remove(&0).unwrap_or_default();
    let layers = kinds.values().map(Vec::len).max().unwrap_or(0);
    let member_of = |slot: &Option<u64>, layer: usize| {
        slot.and_then(|key| kinds.get(&key)).and_then(|keys| keys.get(layer)).copied()
    };
    let mut slots: Slots = (0..layers)
        .flat_map(|layer| next.iter().map(move |slot| (slot, layer)))
        .map(|(s, l)| member_of(s, l))
        .collect();
    slots.extend(constant.into_iter().map(Some));
    let change =
        |k: usize| slots.iter().map(|key| -Sum::from(key.is_some_and(|key| key >> k & 1 == 1))).collect();
    let stage = Stage { changes: (0..count).map(change).collect(), layers, width: next.len() };
    (stage, slots)
}

impl Folding {
    /// The sums of signs of a set of presses in the slots of the first stage, and over squares that no
    /// null vector changes.
    pub(super) fn signs(&self, presses: &Bits) -> (Vec<Sum>, i32) {
        let (mut sums, mut constant) = (vec![0; self.slots], 0);
        for (square, slot) in self.slot_of.iter().enumerate() {
            let sign = if presses.get(square) { -1 } else { 1 };
            match slot {
                Some(slot) => sums[*slot as usize] += sign,
                None => constant += i32::from(sign),
            }
        }
        (sums, constant)
    }
}

impl Stage {
    /// Changes the signs of a vector of this stage.
    pub(super) fn change(&self, vector: usize, sums: &mut [Sum]) {
        for (sum, change) in sums.iter_mut().zip(&self.changes[vector]) {
            *sum = (*sum ^ change) - change;
        }
    }

    /// Folds the sums into those of the next stage; says by how much the constant grows and the sum of
    /// all absolute values that are left.
    pub(super) fn fold(&self, sums: &[Sum], next: &mut [Sum]) -> (i32, i32) {
        let (layers, constant) = sums.split_at(self.layers * self.width);
        next.fill(0);
        if self.width > 0 {
            for layer in layers.chunks_exact(self.width) {
                next.iter_mut().zip(layer).for_each(|(a, b)| *a += b);
            }
        }
        let reach: Sum = next.iter().map(|sum| sum.abs()).sum();
        let constant: Sum = constant.iter().sum();
        (i32::from(constant), i32::from(reach))
    }
}
