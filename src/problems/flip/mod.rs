//! Flip (POJ 1753, *Flip Game*): press squares until the board is of one colour.
//!
//! A press turns over the squares of its stencil, which always holds the pressed square itself. With p
//! colours, a prime, it moves them on by one colour, and p presses of a square change nothing. The order
//! does not matter, so a solution is a number of presses for each square: a vector over GF(p). Every
//! stencil here is symmetric: if pressing a turns b over, then pressing b turns a over. With the
//! stencils' matrix A and the turns t that each square needs, the question is the least weight of x
//! with A x = t.

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

use crate::board::{Bits, Cell, Digits, Size};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// The greatest width and height that is read.
pub const MAX_SIDE: u32 = 16_384;

/// A board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Its size, 1×1 to [`MAX_SIDE`]×[`MAX_SIDE`].
    pub size: Size,
    /// The colour of each square, row by row: 0 to p - 1; of two colours 0 is white and 1 is black.
    pub squares: Digits,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The size of every board, if the text does not say it.
    pub size: Option<Size>,
    /// How many colours there are: a prime.
    pub colours: u32,
    /// What a press turns over.
    pub stencil: Stencil,
    /// Which colour all squares shall have.
    pub target: Target,
    /// Whether fewest presses are asked for.
    pub goal: Goal,
    /// A bound on the presses, for formulas.
    pub within: Option<u32>,
}

/// Which squares a press turns over, besides its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stencil {
    /// The orthogonal neighbours.
    Plus,
    /// The up to eight squares around.
    King,
    /// The whole row and column.
    Cross,
    /// The orthogonal neighbours on a board whose edges meet.
    Torus,
}

/// How the board shall look in the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Of one colour, whichever takes fewest presses.
    Either,
    /// All white.
    White,
    /// All black.
    Black,
    /// Just so.
    Board(Arc<Instance>),
}

/// One board to end with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// All squares of this colour, out of so many.
    Colour(u32, u32),
    /// This very board.
    Board(Arc<Instance>),
}

/// What kind of solution is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Fewest presses.
    Least,
    /// Any presses that do.
    Any,
}

impl Rules {
    /// The first of the boards to end with.
    pub fn first_end(&self) -> End {
        match &self.target {
            Target::Either | Target::White => End::Colour(0, self.colours),
            Target::Black => End::Colour(1, self.colours),
            Target::Board(board) => End::Board(Arc::clone(board)),
        }
    }

    /// The boards to end with; any of them will do. Their differences are of one colour.
    pub fn ends(&self) -> impl Iterator<Item = End> {
        let more = if self.target == Target::Either { 1..self.colours } else { 0..0 };
        std::iter::once(self.first_end()).chain(more.map(|colour| End::Colour(colour, self.colours)))
    }
}

/// `white`, `black`; of more than two colours `all 3`; `the target`.
impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Colour(0, 2) => f.write_str("white"),
            End::Colour(_, 2) => f.write_str("black"),
            End::Colour(colour, _) => write!(f, "all {colour}"),
            End::Board(_) => f.write_str("the target"),
        }
    }
}

impl End {
    /// The colour of square `i` in the end.
    pub fn colour(&self, i: usize) -> u32 {
        match self {
            End::Colour(colour, _) => *colour,
            End::Board(board) => board.squares.get(i),
        }
    }
}

impl Instance {
    /// With two colours, the squares that have to change. A target has the board's size.
    pub fn wrong(&self, end: &End) -> Cow<'_, Bits> {
        let black = self.squares.odd();
        let other = match end {
            End::Colour(0, _) => return Cow::Borrowed(black),
            End::Colour(..) => &Bits::ones(self.size.cells()),
            End::Board(board) => board.squares.odd(),
        };
        let mut wrong = black.clone();
        wrong.xor(other);
        Cow::Owned(wrong)
    }
}

impl Stencil {
    /// The squares that a press of `at` turns over, `at` first, each once.
    pub fn squares(self, size: Size, at: Cell) -> Vec<Cell> {
        let mut squares = Vec::with_capacity(self.most(size));
        self.squares_into(size, at, &mut squares);
        squares
    }

    /// The same into a list that is used again.
    pub fn squares_into(self, size: Size, at: Cell, squares: &mut Vec<Cell>) {
        let Size { width, height } = size;
        squares.clear();
        squares.push(at);
        let mut push = |row: i64, col: i64| {
            let (w, h) = (i64::from(width), i64::from(height));
            let (row, col) =
                if self == Stencil::Torus { (row.rem_euclid(h), col.rem_euclid(w)) } else { (row, col) };
            if (0..h).contains(&row) && (0..w).contains(&col) {
                let cell = Cell::new(row as u32, col as u32);
                let new = match self {
                    Stencil::Cross => cell != at,
                    _ => !squares.contains(&cell),
                };
                if new {
                    squares.push(cell);
                }
            }
        };
        let (row, col) = (i64::from(at.row), i64::from(at.col));
        match self {
            Stencil::Plus | Stencil::Torus => {
                [(-1, 0), (0, -1), (0, 1), (1, 0)].into_iter().for_each(|(r, c)| push(row + r, col + c));
            }
            Stencil::King => (-1..=1).for_each(|r| (-1..=1).for_each(|c| push(row + r, col + c))),
            Stencil::Cross => {
                (0..i64::from(width)).for_each(|c| push(row, c));
                (0..i64::from(height)).for_each(|r| push(r, col));
            }
        }
    }

    /// The most squares that one press turns over on a board of that size.
    pub fn most(self, size: Size) -> usize {
        match self {
            Stencil::Plus | Stencil::Torus => 5,
            Stencil::King => 9,
            Stencil::Cross => (size.width + size.height - 1) as usize,
        }
    }
}
