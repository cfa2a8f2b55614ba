//! The program behind all mutants: a simple referee whose options switch on faults.
//!
//! It stores all images of each board and looks up each new board among them.

use super::super::{Entry, Instance, Sign, Start};
use super::{HALF, QUARTER, THREE_QUARTERS, UNTURNED};
use counterpoint_core::board::{Bits, Cell, Size, Symmetry};
use std::collections::{BTreeSet, HashSet};

/// The options of a referee. [`RIGHT`] has no fault.
pub(super) struct Referee {
    /// Images of an earlier pattern that count as equal to it.
    pub(super) images: &'static [Symmetry],
    pub(super) likeness: Likeness,
    pub(super) symmetric: Symmetric,
    pub(super) start: Start,
    pub(super) named: NamedWinner,
    /// Maps the number of a move, counted from 1, to the number that is printed for it.
    pub(super) number: fn(usize) -> usize,
    pub(super) reported: ReportedRepeat,
    /// The number of moves that are judged on an n×n board.
    pub(super) limit: fn(usize) -> usize,
    pub(super) removal: Removal,
    /// How many of the latest patterns a new pattern is compared with.
    pub(super) remembered: usize,
    pub(super) carried_over: CarriedOver,
}

/// The player who is named as the winner of a game with a repeat.
#[derive(PartialEq)]
pub(super) enum NamedWinner {
    /// The player who did not repeat.
    Other,
    /// The player who repeated.
    Mover,
    /// Player 1.
    First,
    /// Player 2.
    Second,
}

/// How a pattern that is its own rotation is treated.
#[derive(PartialEq)]
pub(super) enum Symmetric {
    /// Like any other pattern.
    New,
    /// As a repeat, because each image is looked up while the others are being stored.
    Repeat,
}

/// Which repeat of a game is printed.
#[derive(PartialEq)]
pub(super) enum ReportedRepeat {
    First,
    Last,
}

/// When two images are equal.
#[derive(Clone, Copy)]
pub(super) enum Likeness {
    /// If they have spots on the same squares.
    Squares,
    /// If a translation maps one to the other.
    Shape,
    /// If they have spots on the same squares. But images are rotated in a frame that has one row and one column more
    /// than the board. `OffCentre(1)` adds the first row and column, and `OffCentre(0)` adds the last ones.
    OffCentre(u32),
    /// If they have spots on the same squares. But a quarter turn moves each spot to the square that this function
    /// returns for the board's side and the spot's square, and spots that leave the board are lost.
    Lost(fn(u32, Cell) -> Cell),
    /// If they have spots on the same squares after this function was applied to each square. The function maps all
    /// squares that share a bit of a 32-bit word to the same square.
    Word(fn(Cell) -> Cell),
    /// If they have the same number of spots.
    Number,
}

/// How a move that takes a spot away is treated.
#[derive(PartialEq)]
pub(super) enum Removal {
    /// Like any other move.
    Judged,
    /// The pattern is not looked up.
    Unchecked,
    /// The pattern is not stored.
    Forgotten,
    /// The spot is not removed.
    Ignored,
    /// The move is skipped.
    Skipped,
}

/// What is not cleared between two games.
#[derive(PartialEq)]
pub(super) enum CarriedOver {
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
    named: NamedWinner::Other,
    number: |mv| mv,
    reported: ReportedRepeat::First,
    limit: |n| 2 * n,
    removal: Removal::Judged,
    remembered: usize::MAX,
    carried_over: CarriedOver::Nothing,
};

/// The state of a referee.
#[derive(Default)]
pub(super) struct State {
    pub(super) spots: BTreeSet<Cell>,
    /// The images of each pattern, in order.
    pub(super) patterns: Vec<HashSet<Bits>>,
}

impl State {
    /// Plays a game and returns its decisive move, counted from 1. The inner option is `None` if there is no decisive
    /// move, and the outer one if the record is smudged.
    pub(super) fn play(&mut self, game: &Instance, referee: &Referee) -> Option<Option<usize>> {
        let size = game.size();
        let mut decisive = None;
        for (i, mv) in game.record.iter().map(Entry::known).enumerate() {
            let mv = mv?;
            let takes = mv.sign == Sign::Take;
            let skipped = takes && referee.removal == Removal::Skipped;
            // A move after the last one that is judged must be known, but is not played.
            let over = decisive.is_some() && referee.reported == ReportedRepeat::First;
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
            let first = self.patterns.len().saturating_sub(referee.remembered);
            let mut last = self.patterns[first..].iter();
            let unchecked = takes && referee.removal == Removal::Unchecked;
            let unturned = image(size, &board, UNTURNED, referee.likeness);
            if !unchecked && last.any(|images| images.contains(&unturned)) {
                decisive = Some(i + 1);
            }
            let is_symmetric = || images(size, &board, referee).len() < referee.images.len();
            if decisive.is_none() && referee.symmetric == Symmetric::Repeat && is_symmetric() {
                decisive = Some(i + 1);
            }
            if !(takes && referee.removal == Removal::Forgotten) {
                self.patterns.push(images(size, &board, referee));
            }
        }
        Some(decisive)
    }
}

/// The images of a board that count as equal to it.
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
        Likeness::Word(wrapped) => bits(size, moved(size, 0).into_iter().map(wrapped).collect()),
        Likeness::Number => Bits::from_indices(size.cells(), 0..board.iter().count()),
    }
}
