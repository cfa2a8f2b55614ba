//! Bitboards, that is, boards of up to 8×8 as 64-bit words: images, canonical form, neighbours.
//!
//! Bit i is set if the square with row-major index i has a spot. Transposition shifts all squares of a diagonal by the
//! same distance, and a left-right reflection shifts all squares of a column by the same distance. So each of these two
//! operations takes only a few masks and shifts. A half turn reverses the bits of the word (H. Warren, *Hacker's
//! Delight*, chapter 7).

use counterpoint_core::board::{Cell, Group, Size};
use counterpoint_core::errors::Unsupported;

/// The largest side of a board that fits into a word.
pub const MAX_SIDE: u32 = 8;
/// The maximum number of images of a board.
const MAX_IMAGES: usize = 8;
/// The number of images that are compared at once.
const LANES: usize = 4;

/// The symmetries of an n×n board, n up to [`MAX_SIDE`], as operations on words.
#[derive(Clone, Debug)]
pub struct Words {
    group: Group,
    /// The number of squares, n².
    squares: u32,
    transposition: Vec<Shift>,
    mirror: Vec<Shift>,
    /// For each square, by row-major index, the images of the board that has a spot on this square alone.
    toggles: Vec<Images>,
}

/// Moves the squares of `mask` to bits that are higher by `by`, modulo 64.
#[derive(Clone, Copy, Debug)]
struct Shift {
    mask: u64,
    by: u32,
}

/// The shifts that together apply `map` to all cells, one for each distance.
fn shifts(n: u32, map: impl Fn(Cell) -> Cell) -> Vec<Shift> {
    let size = Size::new(n, n);
    let mut shifts: Vec<Shift> = Vec::new();
    for cell in size.iter() {
        let (from, to) = (size.index(cell) as u32, size.index(map(cell)) as u32);
        let by = to.wrapping_sub(from) % 64;
        match shifts.iter_mut().find(|shift| shift.by == by) {
            Some(shift) => shift.mask |= 1 << from,
            None => shifts.push(Shift { mask: 1 << from, by }),
        }
    }
    shifts
}

fn moved(board: u64, shifts: &[Shift]) -> u64 {
    shifts.iter().fold(0, |image, shift| image | (board & shift.mask).rotate_left(shift.by))
}

/// A board's images under the elements of a group, in the order of [`Group::elements`].
#[derive(Clone, Copy, Debug)]
pub struct Images {
    /// The first `len` are the images; the rest are copies of the board.
    images: [u64; MAX_IMAGES],
    len: usize,
}

impl Images {
    /// The images as a slice. The board itself is the first.
    pub fn as_slice(&self) -> &[u64] {
        &self.images[..self.len]
    }

    /// The canonical form: the smallest image, which represents the class.
    pub fn least(&self) -> u64 {
        self.as_slice().iter().copied().fold(u64::MAX, u64::min)
    }

    /// The smallest image of the board after toggling a square. `square` has the images of that square. The copies of
    /// the board after the last image are toggled and compared, too, which does not change the result.
    fn least_toggled(&self, square: &Images) -> u64 {
        let mut least = u64::MAX;
        for at in (0..self.len).step_by(LANES) {
            for lane in at..at + LANES {
                least = least.min(self.images[lane] ^ square.images[lane]);
            }
        }
        least
    }
}

impl Words {
    /// The symmetries of `n`×`n` boards.
    ///
    /// # Errors
    /// Returns an error if the side is 0 or greater than [`MAX_SIDE`].
    pub fn new(n: u32, group: Group) -> Result<Words, Unsupported> {
        if !(1..=MAX_SIDE).contains(&n) {
            return Err(format!("bitboards support boards of 1 to {MAX_SIDE} squares a side, not {n}").into());
        }
        let transposition = shifts(n, |cell| Cell::new(cell.col, cell.row));
        let mirror = shifts(n, |cell| Cell::new(cell.row, n - 1 - cell.col));
        let mut words = Words { group, squares: n * n, transposition, mirror, toggles: Vec::new() };
        words.toggles = (0..n * n).map(|square| words.images(1 << square)).collect();
        Ok(words)
    }

    /// The number of squares.
    pub fn squares(&self) -> u32 {
        self.squares
    }

    /// The images of a board, in the order of [`Group::elements`].
    pub fn images(&self, board: u64) -> Images {
        let half = |board: u64| board.reverse_bits() >> (64 - self.squares);
        let quarter = |board| moved(moved(board, &self.transposition), &self.mirror);
        let turned = |board| {
            let turned = quarter(board);
            [board, turned, half(board), half(turned)]
        };
        let mut images = [board; MAX_IMAGES];
        let len = match self.group {
            Group::Trivial => 1,
            Group::C2 => {
                images[1] = half(board);
                2
            }
            Group::C4 => {
                images[..4].copy_from_slice(&turned(board));
                4
            }
            Group::D4 => {
                images[..4].copy_from_slice(&turned(board));
                images[4..].copy_from_slice(&turned(moved(board, &self.mirror)));
                8
            }
        };
        Images { images, len }
    }

    /// The canonical boards of the classes that one toggle leads to. Each class occurs once, at the place of the first
    /// square whose toggle leads to it.
    ///
    /// An image of a toggled board is the image of the board, toggled at the image of the square. Two toggles lead to
    /// the same class only if for some g ≠ 1 the image of the board under g differs from the board in at most two
    /// squares. If there is no such g, the neighbours need not be compared with each other.
    pub fn neighbours(&self, board: u64) -> Neighbours<'_> {
        let images = self.images(board);
        let near = |image: &u64| (image ^ board).count_ones() <= 2;
        let repeats = if images.as_slice()[1..].iter().any(near) { Repeats::Possible } else { Repeats::None };
        Neighbours { words: self, images, next: 0, repeats }
    }
}

/// Whether two toggles may lead to the same class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Repeats {
    None,
    Possible,
}

/// Canonical boards of neighbouring classes, computed one by one.
#[derive(Clone, Debug)]
pub struct Neighbours<'a> {
    words: &'a Words,
    images: Images,
    /// The index of the next square to toggle.
    next: usize,
    repeats: Repeats,
}

impl Neighbours<'_> {
    /// The canonical board of the class after toggling a square.
    fn toggled(&self, square: usize) -> u64 {
        self.images.least_toggled(&self.words.toggles[square])
    }
}

impl Iterator for Neighbours<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        while self.next < self.words.toggles.len() {
            let (square, class) = (self.next, self.toggled(self.next));
            self.next += 1;
            if self.repeats == Repeats::None || !(0..square).any(|before| self.toggled(before) == class) {
                return Some(class);
            }
        }
        None
    }

    fn count(self) -> usize {
        match self.repeats {
            Repeats::None => self.words.toggles.len() - self.next,
            Repeats::Possible => self.fold(0, |count, _| count + 1),
        }
    }
}
