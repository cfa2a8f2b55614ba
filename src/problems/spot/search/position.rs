//! A board on which a search moves forth and back, and the classes that its path has produced.
//!
//! Every image of the board is kept, so a class is named by the least of them: exactly, whatever the
//! board's size. Classes that were produced once have a number, by which sets of them can be compared.

use super::super::{Rules, Start};
use crate::board::Size;
use rustc_hash::{FxHashMap, FxHashSet};

/// Words kept for classes that are not on the path, and again for positions: 64 MiB each.
const MAX_WORDS: usize = 1 << 23;

/// The board after the moves of a path.
pub(super) struct Position {
    /// Where each element of the group takes each square, the identity first.
    maps: Vec<Vec<u32>>,
    /// The board under each of them, so many words each.
    images: Vec<u64>,
    words: usize,
    spots: usize,
    /// The numbers of classes by their least image.
    numbers: FxHashMap<Box<[u64]>, u32>,
    next_number: u32,
    /// The classes produced by the path, with their spots, in order.
    path: Vec<(u32, usize)>,
    produced: FxHashSet<u32>,
    /// How many of them have an even number of spots, and an odd one.
    by_parity: [u64; 2],
    /// Positions that were entered before, and the words that they take.
    entered: FxHashSet<Box<[u64]>>,
    entered_words: usize,
}

impl Position {
    /// The empty board.
    pub(super) fn new(rules: &Rules, size: Size) -> Self {
        let map = |g: &crate::board::Symmetry| {
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

    pub(super) fn occupied(&self, square: usize) -> bool {
        self.images[square / 64] >> (square % 64) & 1 == 1
    }

    /// Even or odd, as 0 or 1.
    pub(super) fn parity(&self) -> usize {
        self.spots % 2
    }

    /// How many classes of that parity the path has produced.
    pub(super) fn produced_of(&self, parity: usize) -> u64 {
        self.by_parity[parity]
    }

    /// Turns a square over. O(|G|).
    pub(super) fn toggle(&mut self, square: usize) {
        self.spots = if self.occupied(square) { self.spots - 1 } else { self.spots + 1 };
        for (image, map) in self.images.chunks_exact_mut(self.words).zip(&self.maps) {
            let to = map[square] as usize;
            image[to / 64] ^= 1 << (to % 64);
        }
    }

    fn least(&self) -> &[u64] {
        self.images.chunks_exact(self.words).min().unwrap_or_default()
    }

    /// Whether the path has produced this board's class.
    pub(super) fn is_produced(&self) -> bool {
        self.numbers.get(self.least()).is_some_and(|number| self.produced.contains(number))
    }

    /// Whether the path has produced the class to which that toggle leads.
    pub(super) fn leads_back(&mut self, square: usize) -> bool {
        self.toggle(square);
        let back = self.is_produced();
        self.toggle(square);
        back
    }

    /// The path produces this board's class, which it has not before.
    pub(super) fn produce(&mut self) {
        let least = self.least();
        let number = match self.numbers.get(least) {
            Some(&number) => number,
            None => {
                let least: Box<[u64]> = least.into();
                if self.numbers.len() * self.words >= MAX_WORDS {
                    self.forget_all();
                }
                self.numbers.insert(least, self.next_number);
                self.next_number += 1;
                self.next_number - 1
            }
        };
        self.produced.insert(number);
        self.path.push((number, self.spots));
        self.by_parity[self.parity()] += 1;
    }

    /// Takes back the class that the path produced last.
    pub(super) fn take_back(&mut self) {
        if let Some((number, spots)) = self.path.pop() {
            self.produced.remove(&number);
            self.by_parity[spots % 2] -= 1;
        }
    }

    /// True the first time that this board is met after `moves` moves with the same classes behind it, as
    /// far as `left` moves can lead to them: each move changes the number of spots by one.
    pub(super) fn enters(&mut self, moves: usize, left: usize) -> bool {
        let near = self.path.iter().filter(|(_, spots)| spots.abs_diff(self.spots) <= left);
        let mut classes: Vec<u64> = near.map(|(number, _)| u64::from(*number)).collect();
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

    /// Keeps the numbers of the path only, and no position, since positions are told apart by numbers.
    fn forget_all(&mut self) {
        let produced = &self.produced;
        self.numbers.retain(|_, number| produced.contains(number));
        self.entered.clear();
        self.entered_words = 0;
    }
}
