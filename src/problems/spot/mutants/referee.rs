//! The program behind all mutants: a plain referee whose options are faults.
//!
//! It stores every board in all images that it counts as equal, and looks up each new board among them.

use super::super::{Entry, Instance, Sign, Start};
use super::{HALF, QUARTER, THREE_QUARTERS, UNTURNED};
use crate::board::{Bits, Cell, Size, Symmetry};
use std::collections::{BTreeSet, HashSet};

/// The options of a referee.
pub(super) struct Referee {
    /// Images of an earlier pattern that count as equal to it.
    pub(super) images: &'static [Symmetry],
    pub(super) likeness: Likeness,
    pub(super) symmetric: Symmetric,
    pub(super) start: Start,
    pub(super) named: Named,
    /// The number that is printed for a move, which is counted from 1.
    pub(super) number: fn(usize) -> usize,
    pub(super) told: Told,
    /// The number of moves that are judged on an n×n board.
    pub(super) limit: fn(usize) -> usize,
    pub(super) removal: Removal,
    /// How many of the last patterns are remembered.
    pub(super) memory: usize,
    pub(super) kept: Kept,
}

/// Who is named as the winner.
#[derive(PartialEq)]
pub(super) enum Named {
    Other,
    Mover,
    First,
    Second,
}

/// How a pattern that is its own rotation is treated.
#[derive(PartialEq)]
pub(super) enum Symmetric {
    New,
    /// As a repeat, because each image is looked up while the others are being stored.
    Repeat,
}

/// Which repeat of a game is printed.
#[derive(PartialEq)]
pub(super) enum Told {
    First,
    Last,
}

/// When two images are equal.
#[derive(Clone, Copy)]
pub(super) enum Likeness {
    Squares,
    /// Up to translation.
    Shape,
    /// Rotated in a frame with one more row and column: before the first one if the number is 1, after the last one
    /// if it is 0.
    OffCentre(u32),
    /// As with `OffCentre(0)`, but spots that leave the board at a quarter turn are lost.
    Lost(fn(u32, Cell) -> Cell),
    /// As sets of bits in 32-bit words, so that some squares coincide.
    Word(fn(Cell) -> Cell),
    /// If they have the same number of spots.
    Number,
}

/// How a move that takes a spot away is treated.
#[derive(PartialEq)]
pub(super) enum Removal {
    Judged,
    Unchecked,
    Forgotten,
    Ignored,
    Skipped,
}

/// What is not cleared between two games.
#[derive(PartialEq)]
pub(super) enum Kept {
    Nothing,
    Patterns,
    Spots,
}

/// The referee without a fault.
pub(super) const RIGHT: Referee = Referee {
    images: &[UNTURNED, QUARTER, HALF, THREE_QUARTERS],
    likeness: Likeness::Squares,
    symmetric: Symmetric::New,
    start: Start::Uncounted,
    named: Named::Other,
    number: |mv| mv,
    told: Told::First,
    limit: |n| 2 * n,
    removal: Removal::Judged,
    memory: usize::MAX,
    kept: Kept::Nothing,
};

/// The state of a referee.
#[derive(Default)]
pub(super) struct Memory {
    pub(super) spots: BTreeSet<Cell>,
    /// The images of each pattern, in order.
    pub(super) patterns: Vec<HashSet<Bits>>,
}

impl Memory {
    /// The decisive move, counted from 1, if there is one; the outer option is `None` for a smudged record.
    pub(super) fn play(&mut self, game: &Instance, referee: &Referee) -> Option<Option<usize>> {
        let size = game.size();
        let mut decisive = None;
        for (i, mv) in game.record.iter().map(Entry::known).enumerate() {
            let mv = mv?;
            let takes = mv.sign == Sign::Take;
            let skipped = takes && referee.removal == Removal::Skipped;
            // Moves after the last one that is judged are only read.
            let over = decisive.is_some() && referee.told == Told::First;
            if over || skipped || i >= (referee.limit)(game.n as usize) {
                continue;
            }
            if !takes {
                self.spots.insert(mv.cell);
            } else if referee.removal != Removal::Ignored {
                self.spots.remove(&mv.cell);
            }
            let inside = self.spots.iter().filter(|cell| size.contains(**cell));
            let board = Bits::from_indices(size.cells(), inside.map(|&cell| size.index(cell)));
            let first = self.patterns.len().saturating_sub(referee.memory);
            let mut last = self.patterns[first..].iter();
            let unchecked = takes && referee.removal == Removal::Unchecked;
            let own = image(size, &board, UNTURNED, referee.likeness);
            if !unchecked && last.any(|images| images.contains(&own)) {
                decisive = Some(i + 1);
            }
            let alike = || images(size, &board, referee).len() < referee.images.len();
            if decisive.is_none() && referee.symmetric == Symmetric::Repeat && alike() {
                decisive = Some(i + 1);
            }
            if !(takes && referee.removal == Removal::Forgotten) {
                self.patterns.push(images(size, &board, referee));
            }
        }
        Some(decisive)
    }
}

pub(super) fn images(size: Size, board: &Bits, referee: &Referee) -> HashSet<Bits> {
    referee.images.iter().map(|&symmetry| image(size, board, symmetry, referee.likeness)).collect()
}

/// The image of a board, in the form in which this program compares it.
fn image(size: Size, board: &Bits, symmetry: Symmetry, likeness: Likeness) -> Bits {
    let moved = |frame: Size, first: u32| {
        let cells =
            board.iter().map(|i| size.cell(i)).map(|cell| Cell::new(cell.row + first, cell.col + first));
        cells.map(|cell| symmetry.apply(frame.width, cell)).collect::<Vec<_>>()
    };
    let bits = |size: Size, cells: Vec<Cell>| {
        Bits::from_indices(size.cells(), cells.into_iter().map(|cell| size.index(cell)))
    };
    match likeness {
        Likeness::Squares => bits(size, moved(size, 0)),
        Likeness::Shape => {
            let mut cells = moved(size, 0);
            let top = cells.iter().map(|cell| cell.row).min().unwrap_or(0);
            let left = cells.iter().map(|cell| cell.col).min().unwrap_or(0);
            cells.iter_mut().for_each(|cell| *cell = Cell::new(cell.row - top, cell.col - left));
            bits(size, cells)
        }
        Likeness::OffCentre(first) => {
            let frame = Size::new(size.width + 1, size.height + 1);
            bits(frame, moved(frame, first))
        }
        Likeness::Lost(turn) => {
            let mut cells: Vec<_> = board.iter().map(|i| size.cell(i)).collect();
            for _ in 0..symmetry.turns {
                let turned = cells.into_iter().map(|cell| turn(size.width, cell));
                cells = turned.filter(|&cell| size.contains(cell)).collect();
            }
            bits(size, cells)
        }
        Likeness::Word(held) => bits(size, moved(size, 0).into_iter().map(held).collect()),
        Likeness::Number => Bits::from_indices(size.cells(), 0..board.iter().count()),
    }
}
