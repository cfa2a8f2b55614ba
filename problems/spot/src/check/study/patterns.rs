//! Patterns by the plain definition: boards that are images of each other are one pattern.
//!
//! A board is written as a number, in which bit i is set if the square with row-major index i has a spot. A pattern is
//! represented by its smallest board.

use super::super::super::Start;
use counterpoint_core::board::{Group, Size};

/// The greatest supported side, because all boards are enumerated.
pub(super) const MAX_SIDE: u64 = 4;

/// The patterns of one board size.
pub(super) struct Patterns {
    /// For each board, its smallest image.
    smallest: Vec<u32>,
    squares: usize,
}

impl Patterns {
    pub(super) fn new(n: usize, group: Group) -> Patterns {
        let size = Size::new(n as u32, n as u32);
        let mut smallest: Vec<u32> = (0..1 << size.cells()).collect();
        for symmetry in group.elements() {
            let to: Vec<usize> =
                size.iter().map(|cell| size.index(symmetry.apply(size.width, cell))).collect();
            for (board, smallest) in smallest.iter_mut().enumerate() {
                let image = to.iter().enumerate().filter(|(i, _)| board >> i & 1 == 1).map(|(_, to)| 1 << to);
                *smallest = image.sum::<u32>().min(*smallest);
            }
        }
        Patterns { smallest, squares: size.cells() }
    }

    /// All patterns in ascending order.
    pub(super) fn all(&self) -> impl Iterator<Item = u32> {
        (0..self.smallest.len() as u32).filter(|&board| self.smallest[board as usize] == board)
    }

    /// Whether a number represents a pattern.
    pub(super) fn is_pattern(&self, number: u64) -> bool {
        usize::try_from(number)
            .is_ok_and(|board| self.smallest.get(board).is_some_and(|&other| other as usize == board))
    }

    /// The pattern that toggling a square leads to.
    pub(super) fn toggled(&self, pattern: u32, square: usize) -> u32 {
        self.smallest[pattern as usize ^ 1 << square]
    }

    /// The patterns that one toggle leads to. Each occurs once, at the place of the first square whose toggle leads to
    /// it.
    pub(super) fn around(&self, pattern: u32) -> Vec<u32> {
        let mut around = Vec::new();
        for square in 0..self.squares {
            let next = self.toggled(pattern, square);
            if !around.contains(&next) {
                around.push(next);
            }
        }
        around
    }

    /// The index of a square, if it is on the board.
    pub(super) fn square(&self, index: u64) -> Option<usize> {
        usize::try_from(index).ok().filter(|&square| square < self.squares)
    }
}

/// A game in progress.
pub(super) struct Game<'a> {
    pub(super) patterns: &'a Patterns,
    /// For each board that represents a pattern, whether this pattern counts as produced.
    produced: Vec<bool>,
    /// The empty board, and then the pattern after each move.
    path: Vec<u32>,
}

impl<'a> Game<'a> {
    pub(super) fn new(patterns: &'a Patterns, start: Start) -> Game<'a> {
        let mut produced = vec![false; patterns.smallest.len()];
        produced[0] = start == Start::Counted;
        Game { patterns, produced, path: vec![0] }
    }

    /// The last pattern.
    pub(super) fn at(&self) -> u32 {
        // The path begins with the empty board, which is never taken back.
        self.path.last().copied().unwrap_or(0)
    }

    pub(super) fn is_fresh(&self, pattern: u32) -> bool {
        !self.produced[pattern as usize]
    }

    /// The patterns that the next move can produce without a repeat.
    pub(super) fn fresh(&self) -> Vec<u32> {
        self.patterns.around(self.at()).into_iter().filter(|&next| self.is_fresh(next)).collect()
    }

    pub(super) fn play(&mut self, pattern: u32) {
        self.produced[pattern as usize] = true;
        self.path.push(pattern);
    }

    pub(super) fn take_back(&mut self) {
        if self.path.len() > 1
            && let Some(pattern) = self.path.pop()
        {
            // Only fresh patterns are played, so this one was not produced before.
            self.produced[pattern as usize] = false;
        }
    }
}
