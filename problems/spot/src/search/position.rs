//! The state of the search through completions: the board, the classes produced so far, and a transposition table.
//!
//! All images of the board are kept up to date, and the smallest of them is the canonical form of its class.
//! Each class gets a number when it is produced, so that a set of classes can be stored as a list of numbers.
//!
//! # Invariants
//! * `images` has the image of the board under element g of the group in words `g * words..(g + 1) * words`.
//!   Element 0 is the identity.
//! * `path` lists the produced classes in order, and `produced` and `by_parity` describe the same set.
//! * Every class on the path has its number in `numbers`, even after `drop_off_path`.

use super::super::{Rules, Start};
use counterpoint_core::board::Size;
use rustc_hash::{FxHashMap, FxHashSet};

/// The maximum number of words for the canonical forms in `numbers`, and also for the keys of the transposition table:
/// 64 MiB each. Classes on the path are stored even beyond this maximum.
const MAX_WORDS: usize = 1 << 23;

/// The board after the moves of a path, with the classes that they produced.
pub(super) struct Position {
    /// For each element of the group, the image of each square. The identity comes first.
    maps: Vec<Vec<u32>>,
    /// The images of the board, concatenated; each has `words` words.
    images: Vec<u64>,
    words: usize,
    /// Number of spots on the board.
    spots: usize,
    /// The number of each class, by its canonical form.
    numbers: FxHashMap<Box<[u64]>, u32>,
    next_number: u32,
    /// The classes produced by the path, in order, each with its number of spots.
    path: Vec<(u32, usize)>,
    produced: FxHashSet<u32>,
    /// The numbers of classes on the path with an even and with an odd number of spots.
    by_parity: [u64; 2],
    /// The transposition table: keys of positions that were entered. See [`Position::is_new`].
    entered: FxHashSet<Box<[u64]>>,
    /// Total length of the keys.
    entered_words: usize,
}

impl Position {
    /// The position before the first move.
    pub(super) fn new(rules: &Rules, size: Size) -> Self {
        let map = |g: &counterpoint_core::board::Symmetry| {
            size.iter().map(|cell| size.index(g.apply(size.width, cell)) as u32).collect()
        };
        let maps: Vec<Vec<u32>> = rules.group.elements().iter().map(map).collect();
        let words = size.cells().div_ceil(64).max(1);
        let mut position = Position {
            images: vec![0; maps.len() * words],
            maps,
            words,
            spots: 0,
            numbers: FxHashMap::default(),
            next_number: 0,
            path: Vec::new(),
            produced: FxHashSet::default(),
            by_parity: [0; 2],
            entered: FxHashSet::default(),
            entered_words: 0,
        };
        if rules.start == Start::Counted {
            position.produce();
        }
        position
    }

    /// The order of the symmetry group.
    pub(super) fn order(&self) -> usize {
        self.maps.len()
    }

    /// Whether an element of the group fixes a square.
    pub(super) fn fixes_square(&self, element: usize) -> bool {
        (0..).zip(&self.maps[element]).any(|(square, image): (u32, _)| square == *image)
    }

    /// The image of a square under an element of the group.
    pub(super) fn image_of(&self, element: usize, square: usize) -> usize {
        self.maps[element][square] as usize
    }

    /// The image of the board under an element of the group.
    pub(super) fn image(&self, element: usize) -> &[u64] {
        &self.images[element * self.words..][..self.words]
    }

    /// Whether a square has a spot.
    pub(super) fn is_occupied(&self, square: usize) -> bool {
        self.images[square / 64] >> (square % 64) & 1 == 1
    }

    /// The number of spots modulo 2.
    pub(super) fn parity(&self) -> usize {
        self.spots % 2
    }

    /// The number of spots.
    pub(super) fn spots(&self) -> usize {
        self.spots
    }

    /// How many moves of the path come before the one that produced the class of the board; `None` if none did.
    pub(super) fn produced_before(&self) -> Option<usize> {
        let number = self.numbers.get(self.canonical_form())?;
        self.path.iter().position(|(other, _)| other == number)
    }

    /// How many classes of this parity the path has produced.
    pub(super) fn produced_of(&self, parity: usize) -> u64 {
        self.by_parity[parity]
    }

    /// Toggles a square. O(|G|).
    pub(super) fn toggle(&mut self, square: usize) {
        self.spots = if self.is_occupied(square) { self.spots - 1 } else { self.spots + 1 };
        for (image, map) in self.images.chunks_exact_mut(self.words).zip(&self.maps) {
            let to = map[square] as usize;
            image[to / 64] ^= 1 << (to % 64);
        }
    }

    fn canonical_form(&self) -> &[u64] {
        self.images.chunks_exact(self.words).min().unwrap_or_default()
    }

    /// Whether the path has produced the class of the board.
    pub(super) fn is_produced(&self) -> bool {
        self.numbers.get(self.canonical_form()).is_some_and(|number| self.produced.contains(number))
    }

    /// Whether toggling a square would be a repeat.
    pub(super) fn repeats(&mut self, square: usize) -> bool {
        self.toggle(square);
        let repeats = self.is_produced();
        self.toggle(square);
        repeats
    }

    /// Appends the class of the board to the path. It must not be on the path yet.
    pub(super) fn produce(&mut self) {
        let canonical = self.canonical_form();
        let number = match self.numbers.get(canonical) {
            Some(&number) => number,
            None => {
                let canonical: Box<[u64]> = canonical.into();
                if self.numbers.len() * self.words >= MAX_WORDS {
                    self.drop_off_path();
                }
                self.numbers.insert(canonical, self.next_number);
                self.next_number += 1;
                self.next_number - 1
            }
        };
        self.produced.insert(number);
        self.path.push((number, self.spots));
        self.by_parity[self.parity()] += 1;
    }

    /// Removes the last class from the path.
    pub(super) fn take_back(&mut self) {
        if let Some((number, spots)) = self.path.pop() {
            self.produced.remove(&number);
            self.by_parity[spots % 2] -= 1;
        }
    }

    /// Whether the position is new, that is, not in the transposition table. A new position is stored there
    /// unless the table is full.
    ///
    /// What can follow after `moves` moves depends on the board and on those produced classes that the `left` remaining
    /// moves can reach. (The class of the board is not enough, because later lines of the record may name squares.)
    /// Each move changes the number of spots by at most one, so classes whose number of spots differs by more than
    /// `left` are left out of the key.
    pub(super) fn is_new(&mut self, moves: usize, left: usize) -> bool {
        let reachable = self.path.iter().filter(|(_, spots)| spots.abs_diff(self.spots) <= left);
        let mut classes: Vec<u64> = reachable.map(|(number, _)| u64::from(*number)).collect();
        classes.sort_unstable();
        let board = &self.images[..self.words];
        let key: Box<[u64]> = board.iter().copied().chain([moves as u64]).chain(classes).collect();
        if self.entered.contains(&key) {
            return false;
        }
        if self.entered_words < MAX_WORDS {
            self.entered_words += key.len();
            self.entered.insert(key);
        }
        true
    }

    /// Empties the transposition table.
    pub(super) fn forget(&mut self) {
        self.entered.clear();
        self.entered_words = 0;
    }

    /// Drops the numbers of classes that are not on the path. Keys of stored positions may contain such numbers, so all
    /// stored positions are dropped, too.
    fn drop_off_path(&mut self) {
        let produced = &self.produced;
        self.numbers.retain(|_, number| produced.contains(number));
        self.forget();
    }
}
