//! Flip (POJ 1753, *Flip Game*): press squares until the board is of one colour.
//!
//! A press turns over the squares of its stencil, which always holds the pressed square itself. The
//! order of presses does not matter and a second press undoes the first, so a solution is a set of
//! squares: a vector over GF(2). Every stencil here is symmetric: if pressing a turns b over, then
//! pressing b turns a over. With the stencils' matrix A and the squares t that must change, the
//! question is the least weight of x with A x = t.

pub mod answer;
pub mod check;
pub mod entry;
pub mod explain;
pub mod families;
pub mod formula;
pub mod picture;
pub mod read;
pub mod sat;
pub mod search;
pub mod write;

use crate::board::{Bits, Cell, Size};

/// The greatest width and height that is read.
pub const MAX_SIDE: u32 = 16_384;

/// A board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Its size, 1×1 to [`MAX_SIDE`]×[`MAX_SIDE`].
    pub size: Size,
    /// The black squares, row by row.
    pub black: Bits,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The size of every board, if the text does not say it.
    pub size: Option<Size>,
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

/// The colour to reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Whichever takes fewer presses.
    Either,
    /// All white.
    White,
    /// All black.
    Black,
}

/// What kind of solution is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Fewest presses.
    Least,
    /// Any presses that do.
    Any,
}

/// One of the two colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// `w`.
    White,
    /// `b`.
    Black,
}

impl Target {
    /// The colours that count, white first.
    pub fn colours(self) -> &'static [Colour] {
        match self {
            Target::Either => &[Colour::White, Colour::Black],
            Target::White => &[Colour::White],
            Target::Black => &[Colour::Black],
        }
    }
}

impl Colour {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Colour::White => "white",
            Colour::Black => "black",
        }
    }
}

impl Instance {
    /// The squares that have to change for the board to be all of `colour`.
    pub fn wrong(&self, colour: Colour) -> Bits {
        let mut wrong = self.black.clone();
        if colour == Colour::Black {
            wrong.xor(&Bits::ones(self.size.cells()));
        }
        wrong
    }
}

impl Stencil {
    /// The squares that a press of `at` turns over, `at` first, each once.
    pub fn squares(self, size: Size, at: Cell) -> Vec<Cell> {
        let Size { width, height } = size;
        let mut squares = vec![at];
        let mut push = |row: i64, col: i64| {
            let (w, h) = (i64::from(width), i64::from(height));
            let (row, col) =
                if self == Stencil::Torus { (row.rem_euclid(h), col.rem_euclid(w)) } else { (row, col) };
            if (0..h).contains(&row) && (0..w).contains(&col) {
                let cell = Cell::new(row as u32, col as u32);
                if !squares.contains(&cell) {
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
        squares
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
