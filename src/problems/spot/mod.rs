//! Spot (UVa 141, *The Spot Game*): who repeats a pattern, turned or not, loses.
//!
//! Two players in turn put a spot on an empty square or take one away. The first move that produces a
//! board equal to an earlier one, up to a symmetry of the rules' group, ends the game: its maker
//! loses. A record without such a move is a draw. In a *smudged* record moves are unknown in part or
//! whole; the question is then which endings some completion has.

pub mod answer;
pub mod check;
pub mod entry;
pub mod explain;
pub mod families;
pub mod formula;
pub mod lesson;
pub mod model;
pub mod mutants;
pub mod picture;
pub mod read;
pub mod sat;
pub mod search;
pub mod study;
pub mod tiny;
pub mod trials;
pub mod write;

use crate::board::{Bits, Cell, Group, Size};
use std::fmt;

/// The greatest board side of the judge.
pub const JUDGE_SIDE: u32 = 50;
/// The greatest board side that is read at all.
pub const MAX_SIDE: u32 = 200;

/// The record of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Side of the board, 1 to [`MAX_SIDE`].
    pub n: u32,
    /// The moves in order, no more than the rules' limit. Those after the decisive one lie on the
    /// board but need not be legal.
    pub record: Vec<Entry>,
}

/// One line of a record, in four bytes: x, y, the sign as in text, and whether one of them is unknown.
/// What is unknown is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry(u32);

/// A move that is wholly known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where. The input's x is the column and its y the row; to read them the other way round would
    /// transpose every board alike, which changes which way a board turns but no outcome.
    pub cell: Cell,
    /// What is done there.
    pub sign: Sign,
}

/// What a move does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Sign {
    /// `+`: puts a spot.
    Place = b'+',
    /// `-`: takes a spot away.
    Take = b'-',
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Which boards count as equal.
    pub group: Group,
    /// Whether the empty board counts as produced from the start.
    pub start: Start,
    /// When a game without a repeat is drawn.
    pub limit: MoveLimit,
    /// What becomes of an illegal move before the decisive one.
    pub legality: Legality,
}

/// Whether the empty board counts as produced from the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Only what a move produces counts.
    Uncounted,
    /// The empty board counts as board 0.
    Counted,
}

/// When a game without a repeat is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveLimit {
    /// After 2N moves, each of them in the record.
    TwiceN,
    /// Where the record ends.
    None,
    /// After so many moves, or where the record ends before.
    Moves(u32),
}

/// What becomes of placing on an occupied square or taking from an empty one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Legality {
    /// It is an error, and no completion of a smudged record contains one.
    Strict,
    /// The square becomes what a known move says. Unknown moves are completed by legal ones still.
    Lenient,
}

/// The player who wins if move `mv`, from 1, repeats: not its maker. Player 1 makes the odd moves.
pub const fn winner(mv: usize) -> u8 {
    if mv % 2 == 1 { 2 } else { 1 }
}

impl Rules {
    /// The number of moves after which a game on an `n`×`n` board is drawn, if there is one.
    pub const fn moves(&self, n: u32) -> Option<usize> {
        match self.limit {
            MoveLimit::TwiceN => Some(2 * n as usize),
            MoveLimit::None => None,
            MoveLimit::Moves(most) => Some(most as usize),
        }
    }
}

impl Instance {
    /// The board's size.
    pub const fn size(&self) -> Size {
        Size::new(self.n, self.n)
    }

    /// The moves of a record without unknowns; `None` for a smudged one.
    pub fn moves(&self) -> Option<Vec<Move>> {
        self.record.iter().map(|entry| entry.known()).collect()
    }

    /// The index of the first move that is not wholly known, from 0.
    pub fn first_unknown(&self) -> Option<usize> {
        // A sum over all is a matter of few words; where there is none nobody asks for its place.
        let some = self.record.iter().fold(0, |some, entry| some | entry.0) >= Entry::SMUDGED;
        some.then(|| self.record.iter().position(|entry| entry.known().is_none())).flatten()
    }
}

impl Entry {
    /// Nothing is known.
    pub const UNKNOWN: Entry = Entry(Entry::SMUDGED);
    const SMUDGED: u32 = 1 << 24;

    /// Column and row from 1 to [`MAX_SIDE`], left and top first, and what is done there; `None` for
    /// what is unknown.
    pub fn new(x: Option<u32>, y: Option<u32>, sign: Option<Sign>) -> Entry {
        debug_assert!([x, y].iter().flatten().all(|number| (1..=MAX_SIDE).contains(number)));
        let [x, y] = [x, y].map(|number| number.unwrap_or(0) as u8);
        let sign = sign.map_or(0, |sign| sign as u8);
        let smudged = x == 0 || y == 0 || sign == 0;
        Entry(u32::from_le_bytes([x, y, sign, u8::from(smudged)]))
    }

    /// A known square as [`Entry::square`] gives it, with a sign that is `+` or `-`.
    #[inline]
    const fn plain(square: u16, sign: u8) -> Entry {
        Entry(square as u32 | (sign as u32) << 16)
    }

    /// Column and row from 1 in a byte each, the column in the lower one.
    #[inline]
    const fn square(&self) -> u16 {
        self.0 as u16
    }

    /// Column from 1, left first.
    pub fn x(&self) -> Option<u32> {
        (self.0 as u8 != 0).then_some(self.0 & 0xff)
    }

    /// Row from 1, top first.
    pub fn y(&self) -> Option<u32> {
        Entry(self.0 >> 8).x()
    }

    /// What is done there.
    pub const fn sign(&self) -> Option<Sign> {
        match (self.0 >> 16) as u8 {
            b'+' => Some(Sign::Place),
            b'-' => Some(Sign::Take),
            _ => None,
        }
    }

    /// The move, if nothing of it is unknown.
    #[inline]
    pub const fn known(&self) -> Option<Move> {
        if self.0 >= Entry::SMUDGED {
            return None;
        }
        let [x, y, sign, _] = self.0.to_le_bytes();
        let cell = Cell::new(y as u32 - 1, x as u32 - 1);
        Some(Move { cell, sign: if sign == b'+' { Sign::Place } else { Sign::Take } })
    }

    /// Whether the square may be `cell`.
    pub fn allows(&self, cell: Cell) -> bool {
        self.x().is_none_or(|x| x == cell.col + 1) && self.y().is_none_or(|y| y == cell.row + 1)
    }
}

impl Move {
    /// The only legal move at `cell` of `board`, with `n` squares a side.
    pub fn toggle(n: u32, board: &Bits, cell: Cell) -> Move {
        let occupied = board.get(Size::new(n, n).index(cell));
        Move { cell, sign: if occupied { Sign::Take } else { Sign::Place } }
    }

    /// Makes the square what the move says; true if that changes it, as every legal move does.
    #[inline]
    pub fn apply(self, n: u32, board: &mut Bits) -> bool {
        let square = Size::new(n, n).index(self.cell);
        let legal = board.toggle(square) == (self.sign == Sign::Place);
        if !legal {
            board.flip(square);
        }
        legal
    }
}

impl From<Move> for Entry {
    fn from(mv: Move) -> Entry {
        Entry::new(Some(mv.cell.col + 1), Some(mv.cell.row + 1), Some(mv.sign))
    }
}

impl fmt::Display for Sign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Sign::Place => "+",
            Sign::Take => "-",
        })
    }
}

/// As a line of the input, `?` for what is unknown.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for coordinate in [self.x(), self.y()] {
            match coordinate {
                Some(number) => write!(f, "{number} ")?,
                None => f.write_str("? ")?,
            }
        }
        match self.sign() {
            Some(sign) => write!(f, "{sign}"),
            None => f.write_str("?"),
        }
    }
}
