//! Spot (UVa 141, *The Spot Game*): a player who recreates an earlier position, possibly rotated, loses.
//!
//! Two players move in turn. A move puts a spot on an empty square or takes a spot away. Two boards are equal up to
//! symmetry, or in one *class*, if an element of the rules' symmetry group maps one to the other. A move is a *repeat*
//! if it produces a board of a class that was produced before. The first repeat of a game is its *decisive* move: the
//! player who made it loses. A game without a repeat is a draw.
//!
//! In a *smudged* record some moves are unknown, partly or entirely. A *completion* replaces them by known moves. The
//! question is then which endings are possible. An ending is possible if at least one completion has it.

pub mod answer;
pub mod check;
pub mod edit;
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

use counterpoint_core::board::{Bits, Cell, Group, Size};
use counterpoint_core::erased::{DynProblem, Erased};
use std::fmt;

/// The problem: UVa 141, *The Spot Game*.
pub struct Spot;

/// The problem as a trait object, for a registry. The conversion is in this crate, so that the compiler instantiates
/// the generic code of the commands here, together with the functions of the problem that this code calls.
pub fn problem() -> Box<dyn DynProblem> {
    Box::new(Erased::<Spot>::new())
}

/// The largest board side in the judge's inputs.
pub const JUDGE_SIDE: u32 = 50;
/// The largest board side that the reader accepts.
pub const MAX_SIDE: u32 = 200;

/// The record of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Side of the board, 1 to [`MAX_SIDE`].
    pub n: u32,
    /// The moves in order, at most as many as the rules' limit. The squares of all moves are on the board, but moves
    /// after the decisive one need not be legal.
    pub record: Vec<Entry>,
}

/// One line of a record, packed into four bytes. From the lowest to the highest, the bytes are x, y, the sign as an
/// ASCII character, and a flag: 1 if x, y or the sign is unknown, else 0. An unknown part is stored as 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry(u32);

/// A move that is entirely known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The square. The input's x is the column and its y the row. Swapping them would transpose all
    /// boards, which reverses the direction of rotations but changes no outcome.
    pub cell: Cell,
    /// Whether the move puts a spot there or takes one away.
    pub sign: Sign,
}

/// What a move does to its square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Sign {
    /// `+`: puts a spot on it.
    Place = b'+',
    /// `-`: takes its spot away.
    Take = b'-',
}

/// The rules of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The symmetries up to which two boards are equal.
    pub group: Group,
    /// Whether the empty board before move 1 counts as produced.
    pub start: Start,
    /// When a game without a repeat is drawn.
    pub limit: MoveLimit,
    /// How an illegal move before the decisive one is treated.
    pub legality: Legality,
}

/// Whether the empty board before move 1 counts as produced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Only boards produced by a move count.
    Uncounted,
    /// The empty board counts as produced by move 0.
    Counted,
}

/// When a game without a repeat is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveLimit {
    /// After 2N moves; a record has exactly 2N.
    TwiceN,
    /// At the end of the record.
    None,
    /// After this many moves, or at the end of the record if it is shorter.
    Moves(u32),
}

/// How a move that puts a spot on an occupied square or takes one from an empty square is treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Legality {
    /// Such a move is an error, and no completion of a smudged record contains one.
    Strict,
    /// A known move sets its square to what the sign says, even if that changes nothing. Unknown moves
    /// are still completed by legal moves only.
    Lenient,
}

/// The player who wins if move `mv`, counted from 1, is the first repeat: the one who did not make this move. Player 1
/// makes the odd moves.
pub const fn winner(mv: usize) -> u8 {
    if mv % 2 == 1 { 2 } else { 1 }
}

impl Start {
    /// The values of the rule `start`; the first is the default.
    pub const NAMES: [&'static str; 2] = ["uncounted", "counted"];

    /// The value of the rule `start`.
    pub const fn name(self) -> &'static str {
        match self {
            Start::Uncounted => Self::NAMES[0],
            Start::Counted => Self::NAMES[1],
        }
    }

    /// The start with this name.
    pub fn from_name(name: &str) -> Option<Start> {
        [Start::Uncounted, Start::Counted].into_iter().find(|start| start.name() == name)
    }
}

impl Rules {
    /// The number of moves after which a game on an `n`×`n` board is drawn; `None` without a limit.
    pub const fn moves(&self, n: u32) -> Option<usize> {
        match self.limit {
            MoveLimit::TwiceN => Some(2 * n as usize),
            MoveLimit::None => None,
            MoveLimit::Moves(moves) => Some(moves as usize),
        }
    }
}

impl Instance {
    /// The board's size.
    pub const fn size(&self) -> Size {
        Size::new(self.n, self.n)
    }

    /// The moves of a complete record; `None` for a smudged one.
    pub fn moves(&self) -> Option<Vec<Move>> {
        self.record.iter().map(|entry| entry.known()).collect()
    }

    /// The index, from 0, of the first move with an unknown part; `None` for a complete record.
    pub fn first_unknown(&self) -> Option<usize> {
        // Most records are complete. To find that out, a bitwise or over all entries is faster than a search
        // that stops early.
        let smudged = self.record.iter().fold(0, |all, entry| all | entry.0) >= Entry::SMUDGED;
        smudged.then(|| self.record.iter().position(|entry| entry.known().is_none())).flatten()
    }
}

impl Entry {
    /// A move that is entirely unknown.
    pub const UNKNOWN: Entry = Entry(Entry::SMUDGED);
    /// The highest byte of an entry with an unknown part.
    const SMUDGED: u32 = 1 << 24;

    /// An entry with this column and row, each from 1 to [`MAX_SIDE`] counted from the top left, and this
    /// sign; `None` stands for an unknown part.
    pub fn new(x: Option<u32>, y: Option<u32>, sign: Option<Sign>) -> Entry {
        debug_assert!([x, y].iter().flatten().all(|number| (1..=MAX_SIDE).contains(number)));
        let [x, y] = [x, y].map(|number| number.unwrap_or(0) as u8);
        let sign = sign.map_or(0, |sign| sign as u8);
        let smudged = x == 0 || y == 0 || sign == 0;
        Entry(u32::from_le_bytes([x, y, sign, u8::from(smudged)]))
    }

    /// A known move. `square` has the form that [`Entry::square`] returns, and `sign` is `+` or `-`.
    #[inline]
    const fn from_bytes(square: u16, sign: u8) -> Entry {
        Entry(square as u32 | (sign as u32) << 16)
    }

    /// Column (low byte) and row (high byte), each counted from 1; 0 if unknown.
    #[inline]
    const fn square(&self) -> u16 {
        self.0 as u16
    }

    /// The column, counted from 1 at the left; `None` if unknown.
    pub fn x(&self) -> Option<u32> {
        (self.0 as u8 != 0).then_some(self.0 & 0xff)
    }

    /// The row, counted from 1 at the top; `None` if unknown.
    pub fn y(&self) -> Option<u32> {
        Entry(self.0 >> 8).x()
    }

    /// The sign; `None` if unknown.
    pub const fn sign(&self) -> Option<Sign> {
        match (self.0 >> 16) as u8 {
            b'+' => Some(Sign::Place),
            b'-' => Some(Sign::Take),
            _ => None,
        }
    }

    /// The move, if no part of it is unknown.
    #[inline]
    pub const fn known(&self) -> Option<Move> {
        if self.0 >= Entry::SMUDGED {
            return None;
        }
        let [x, y, sign, _] = self.0.to_le_bytes();
        let cell = Cell::new(y as u32 - 1, x as u32 - 1);
        Some(Move { cell, sign: if sign == b'+' { Sign::Place } else { Sign::Take } })
    }

    /// Whether `cell` agrees with the known coordinates.
    pub fn allows(&self, cell: Cell) -> bool {
        self.x().is_none_or(|x| x == cell.col + 1) && self.y().is_none_or(|y| y == cell.row + 1)
    }
}

impl Move {
    /// The only legal move at `cell`: the one that toggles it. `board` has `n` squares a side.
    pub fn toggle(n: u32, board: &Bits, cell: Cell) -> Move {
        let occupied = board.get(Size::new(n, n).index(cell));
        Move { cell, sign: if occupied { Sign::Take } else { Sign::Place } }
    }

    /// Sets the square to what the sign says. Returns whether that changed the board, that is, whether the
    /// move was legal.
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

/// A line of the input, with `?` for an unknown part.
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
