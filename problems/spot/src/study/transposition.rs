//! The transposition table of a pursuit: exact while there are few positions, then by 128-bit hashes.
//!
//! A position is identified by the number of moves left, the current class and the produced classes within reach, up to
//! automorphisms of the class graph. Up to [`MAX_EXACT`] positions are stored in canonical form, as the smallest of
//! their images. When there are more, the table changes to Zobrist hashing (A. Zobrist, *A New Hashing Method with
//! Application for Game Playing*, 1970): the hash of an image is the exclusive-or of random codes, and the smallest
//! hash among all images represents the position. The positions that were stored before the change are converted.
//! [`TranspositionTable::collision_exponent`] bounds the probability of a collision, which could make a result wrong.

use chacha20::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::{Hash, Hasher};

/// The maximum number of positions that are stored exactly. They take up to 200 MB.
pub const MAX_EXACT: usize = 1 << 20;
/// The maximum number of positions that are stored by hash. The table then has 2^25 slots of 17 bytes, which take
/// 570 MB, and half as much again while the table grows.
pub const MAX_HASHED: usize = (1 << 25) / 8 * 7;

/// A position of the pursuit.
pub struct Position {
    /// The number of moves that the pursued has left.
    pub moves: usize,
    /// The index of the current class, at which the pursuer is to move.
    pub class: usize,
    /// The indices of the produced classes that the remaining moves could reach, in any order.
    pub near: Vec<u32>,
}

/// Stores, for positions that were searched, whether the pursuer can force a repeat.
pub struct TranspositionTable<'a> {
    automorphisms: &'a [Vec<u32>],
    max_exact: usize,
    storage: Storage,
}

enum Storage {
    /// Maps the canonical form of each position to its result.
    Exact(FxHashMap<Box<[u32]>, bool>),
    /// For each position, the smallest hash of its images, with its result.
    Hashed { codes: Codes, entries: FxHashSet<HashedResult> },
}

/// A hash whose lowest bit is replaced by the result: whether the pursuer can force the other to repeat.
#[derive(Clone, Copy)]
struct HashedResult(u128);

impl HashedResult {
    fn new(hash: u128, forced: bool) -> HashedResult {
        HashedResult(hash & !1 | u128::from(forced))
    }
}

impl PartialEq for HashedResult {
    fn eq(&self, other: &HashedResult) -> bool {
        self.0 >> 1 == other.0 >> 1
    }
}

impl Eq for HashedResult {}

impl Hash for HashedResult {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64((self.0 >> 64) as u64);
    }
}

/// The random codes of Zobrist hashing.
struct Codes {
    /// First, for each class, the code that it has as the current class; then, for each class, the code that it has as
    /// a produced class.
    classes: Vec<u128>,
    /// A code for each number of moves left, from 0.
    moves: Vec<u128>,
}

impl Codes {
    fn new(classes: usize) -> Codes {
        let mut rng = ChaCha8Rng::seed_from_u64(141);
        let mut codes = |count: usize| (0..count).map(|_| rng.random()).collect();
        // Each move of the pursued produces a class, so the pursued has at most `classes` moves.
        Codes { classes: codes(2 * classes), moves: codes(classes + 1) }
    }

    fn hash(&self, map: &[u32], &Position { moves, class, ref near }: &Position) -> u128 {
        let produced = |&other: &u32| self.classes[map.len() + map[other as usize] as usize];
        let place = self.moves[moves % self.moves.len()] ^ self.classes[map[class] as usize];
        near.iter().map(produced).fold(place, |hash, code| hash ^ code)
    }

    fn smallest_hash(&self, maps: &[Vec<u32>], position: &Position) -> u128 {
        maps.iter().map(|map| self.hash(map, position)).min().unwrap_or_default()
    }
}

impl<'a> TranspositionTable<'a> {
    /// An empty table. It treats two positions as the same if one of these automorphisms of the class graph maps one to
    /// the other; all automorphisms fix class 0. If the list is empty, without even the identity, nothing is stored. Up
    /// to `max_exact` positions, usually [`MAX_EXACT`], are stored exactly.
    pub fn new(automorphisms: &'a [Vec<u32>], max_exact: usize) -> TranspositionTable<'a> {
        TranspositionTable { automorphisms, max_exact, storage: Storage::Exact(FxHashMap::default()) }
    }

    /// The number of stored positions.
    pub fn len(&self) -> usize {
        match &self.storage {
            Storage::Exact(positions) => positions.len(),
            Storage::Hashed { entries, .. } => entries.len(),
        }
    }

    /// Whether no position is stored.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// If positions are stored by hash, an upper bound on the probability that a collision occurs among `looked_up`
    /// different positions. The bound is 2 to the power of the returned number. `None` if positions are stored exactly.
    pub fn collision_exponent(&self, looked_up: u64) -> Option<i32> {
        // This is a union bound over all pairs of images. Two images collide if 127 bits of their hashes agree.
        let pairs = 2.0 * (looked_up as f64 * self.automorphisms.len() as f64).log2();
        matches!(self.storage, Storage::Hashed { .. }).then(|| pairs.ceil() as i32 - 127)
    }

    /// The stored result of a position; `None` if there is none.
    pub fn get(&self, position: &Position) -> Option<bool> {
        match &self.storage {
            Storage::Exact(positions) => positions.get(&self.canonical_form(position)?).copied(),
            Storage::Hashed { codes, entries } => {
                let entry = HashedResult::new(codes.smallest_hash(self.automorphisms, position), false);
                entries.get(&entry).map(|entry| entry.0 & 1 == 1)
            }
        }
    }

    /// Stores the result of a position, unless the table is full.
    pub fn insert(&mut self, position: &Position, forced: bool) {
        let Some(canonical) = self.canonical_form(position) else { return };
        match &mut self.storage {
            Storage::Exact(positions) if positions.len() < self.max_exact => {
                positions.insert(canonical, forced);
            }
            Storage::Exact(positions) => {
                let codes = Codes::new(self.automorphisms[0].len());
                let known = std::mem::take(positions);
                let hashed = known.iter().map(|(words, &forced)| {
                    let near = words[2..].to_vec();
                    let position = Position { moves: words[0] as usize, class: words[1] as usize, near };
                    HashedResult::new(codes.smallest_hash(self.automorphisms, &position), forced)
                });
                let entries = hashed.collect();
                self.storage = Storage::Hashed { codes, entries };
                self.insert(position, forced);
            }
            Storage::Hashed { codes, entries } if entries.len() < MAX_HASHED => {
                entries.insert(HashedResult::new(codes.smallest_hash(self.automorphisms, position), forced));
            }
            Storage::Hashed { .. } => {}
        }
    }

    /// The canonical form: the smallest image, as moves left, class, and produced classes in ascending order. `None` if
    /// the table has no automorphisms.
    fn canonical_form(&self, position: &Position) -> Option<Box<[u32]>> {
        let image = |map: &Vec<u32>| {
            let mut image = vec![position.moves as u32, map[position.class]];
            image.extend(position.near.iter().map(|&other| map[other as usize]));
            image[2..].sort_unstable();
            image
        };
        self.automorphisms.iter().map(image).min().map(Vec::into_boxed_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::{Position, TranspositionTable};
    use chacha20::ChaCha8Rng;
    use rand::{RngExt, SeedableRng, seq::SliceRandom};

    const CLASSES: u32 = 40;

    /// Random positions; those with an even index are forced.
    fn positions(rng: &mut ChaCha8Rng) -> Vec<(Position, bool)> {
        let position = |i: usize| {
            let mut near: Vec<u32> = (0..CLASSES).filter(|_| rng.random_bool(0.3)).collect();
            near.shuffle(rng);
            let (moves, class) = (rng.random_range(1..9), rng.random_range(0..CLASSES as usize));
            (Position { moves, class, near }, i.is_multiple_of(2))
        };
        (0..500).map(position).collect()
    }

    #[test]
    fn stored_positions_are_found_by_any_image_before_and_after_hashing() {
        let mut rng = ChaCha8Rng::seed_from_u64(9);
        let identity: Vec<u32> = (0..CLASSES).collect();
        let mirror: Vec<u32> = identity.iter().rev().copied().collect();
        let maps = [identity, mirror.clone()];
        let positions = positions(&mut rng);
        let mut table = TranspositionTable::new(&maps, 200);
        for (i, (position, forced)) in positions.iter().enumerate() {
            assert_eq!(table.get(position), None);
            table.insert(position, *forced);
            assert_eq!(table.collision_exponent(1 << 20).is_some(), i >= 200);
            // Earlier positions are still found, in any order of their classes and by their mirror images.
            let (Position { moves, class, near }, forced) = &positions[rng.random_range(0..=i)];
            let mut near: Vec<u32> = near.iter().map(|&class| mirror[class as usize]).collect();
            near.shuffle(&mut rng);
            let image = Position { moves: *moves, class: mirror[*class] as usize, near };
            assert_eq!(table.get(&image), Some(*forced));
            assert_eq!(table.get(&Position { moves: moves + 9, ..image }), None);
        }
        assert_eq!((table.len(), table.collision_exponent(1 << 20)), (500, Some(2 * 21 - 127)));
    }
}
