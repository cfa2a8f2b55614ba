//! Folds a board: squares that all remaining null vectors change alike become one number, the sum of their signs.
//!
//! # Idea
//! Write a set of presses as signs, one per square: -1 for a press, 1 for none. Over n squares, a sum of signs S means
//! (n - S) / 2 presses, so the fewest presses have the greatest sum. Adding a null vector changes the signs of its
//! squares. The basis comes in stages. Suppose that the vectors of the first stages have been decided: each is added or
//! left out. Squares are of the same *kind* if the same later vectors contain them. Later vectors change all signs of a
//! kind together or not at all, so one number, the sum of these signs, replaces the squares of a kind. The signs of
//! squares in no later vector are added to a constant. No choice of later vectors makes the sum S greater than the
//! constant plus the sum of the absolute values of the numbers.
//!
//! # Slots
//! A stage stores its numbers in *slots*. A slot belongs to a kind, which is given by a *key*: bit k of the key says
//! whether vector k contains the squares of the kind. Vectors are numbered from 0 at the first vector of the stage. The
//! slots of a stage consist of `layers` copies of the slots of the next stage, followed by the slots that become
//! constant. Slot i of every layer folds into slot i of the next stage. So folding adds arrays of equal length, a loop
//! that the compiler vectorizes. A kind of the next stage may come from fewer kinds than there are layers; the unused
//! slots have no key and always hold 0.
//!
//! # Construction
//! The stages are built from the last back to the first (`unfold`), because the layout of a stage depends on that of
//! the next one. After the last stage no slots are left, unless another algorithm continues there and the caller gives
//! its slots to `onto`.
//!
//! # Invariants
//! * The absolute value of every sum is at most the number of squares, and so is every sum of absolute values. So
//!   [`Sum`] does not overflow on boards of at most [`MAX_SQUARES`] squares.
//! * Squares in no vector at all have no slot; `Folding::signs` returns their sum as the initial constant.
//!
//! # Complexity
//! `Stage::change` and `Stage::fold` are linear in the slots of the stage.

use counterpoint_core::board::Bits;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A sum of signs. Its absolute value is at most the number of squares, see [`MAX_SQUARES`].
pub(super) type Sum = i16;

/// The greatest number of squares whose signs can be summed.
pub(super) const MAX_SQUARES: usize = Sum::MAX as usize;

/// The greatest number of vectors: a key has one bit for each.
pub(super) const MAX_DIMENSIONS: usize = 64;

/// The null vectors of a stage, and how the board folds when they have been decided.
pub(super) struct Stage {
    /// For each vector, a mask over the slots: -1 for slots whose sign the vector changes, otherwise 0.
    pub(super) changes: Vec<Vec<Sum>>,
    /// The number of copies of the next stage's slots. The slots that become constant follow these copies.
    pub(super) layers: usize,
    /// The number of slots of the next stage; for the last stage, the number of slots that were given to [`onto`].
    pub(super) width: usize,
}

/// A null space in stages, and the slot of each square.
pub(super) struct Folding {
    pub(super) stages: Vec<Stage>,
    /// The number of slots of the first stage.
    slots: usize,
    /// The slot of each square in the first stage; `None` for squares in no null vector.
    slot_of: Vec<Option<u32>>,
}

/// The key of each slot; `None` for slots that hold no square.
pub(super) type Slots = Vec<Option<u64>>;

/// Prepares the folding of a board of `squares` squares.
///
/// # Panics
/// Panics if there are more than [`MAX_DIMENSIONS`] vectors in all.
pub(super) fn fold(squares: usize, stages: &[Vec<Bits>]) -> Folding {
    onto(squares, stages, &[], Slots::new())
}

/// Like [`fold`], but after the last stage the vectors `after` remain undecided. The last stage folds onto the given
/// slots, whose keys refer to the vectors `after`.
///
/// # Panics
/// Panics if there are more than [`MAX_DIMENSIONS`] vectors in all.
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

/// Builds the stage of the vectors `first..first + count` and its slots, given the slots of the next stage. Bit k of
/// `member[i]` says whether vector k contains square i.
fn unfold(member: &[u64], first: usize, count: usize, next: &Slots) -> (Stage, Slots) {
    // `later` is the key that a kind has in the next stage. `kinds` groups the kinds of this stage by their later keys,
    // in ascending order.
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
    /// The sums of signs of a set of presses: for each slot of the first stage, and over the squares that no null
    /// vector changes.
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
    /// Adds a vector of this stage, or removes it, by changing the signs of its slots. (`(s ^ -1) - -1` is `-s`.)
    pub(super) fn change(&self, vector: usize, sums: &mut [Sum]) {
        for (sum, change) in sums.iter_mut().zip(&self.changes[vector]) {
            *sum = (*sum ^ change) - change;
        }
    }

    /// Folds the sums into those of the next stage. Returns the increase of the constant, and the *reach*: the sum of
    /// the absolute values of `next`. Later stages increase the constant by at most the reach.
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
