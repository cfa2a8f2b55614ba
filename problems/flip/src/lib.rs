//! Flip (POJ 1753, *Flip Game*): press squares until the board has one colour.
//!
//! A press turns over the squares of its stencil, which always includes the pressed square itself. There are p colours,
//! where p is prime: a press adds 1 to the colour modulo p, so p presses of the same square change nothing. The order
//! of presses does not matter. A solution is therefore a vector x over GF(p), the number of presses of each square.
//!
//! Let A be the matrix whose columns are the stencils, and t the change that each square needs. The task is to find a
//! solution of A x = t of minimum weight (total number of presses). If several final boards count as solved, each has
//! its own t. In the terms of coding theory, t is a syndrome, the solutions are a coset of the null space of A, and the
//! answer is a coset leader. All stencils are symmetric (if a press of a turns over b, then a press of b turns over a),
//! so A is symmetric.

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

use counterpoint_core::board::{Bits, Cell, Digits, Size};
use counterpoint_core::erased::{DynProblem, Erased};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// The problem: POJ 1753, *Flip Game*.
pub struct Flip;

/// The problem as a trait object, for a registry. The conversion is in this crate, so that the compiler instantiates
/// the generic code of the commands here, together with the functions of the problem that this code calls.
pub fn problem() -> Box<dyn DynProblem> {
    Box::new(Erased::<Flip>::new())
}

/// The greatest width and height that the reader accepts.
pub const MAX_SIDE: u32 = 16_384;

/// A board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The size of the board, from 1×1 to [`MAX_SIDE`]×[`MAX_SIDE`].
    pub size: Size,
    /// The colour of each square, row by row, from 0 to p - 1. With two colours, 0 is white and 1 is black.
    pub squares: Digits,
}

/// The rules of the game and the kind of solution that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The size of every board. If it is `None`, `judge` reads boards of 4×4, and other commands derive the size of
    /// each board from the text.
    pub size: Option<Size>,
    /// The number of colours, a prime.
    pub colours: u32,
    /// Which squares a press turns over.
    pub stencil: Stencil,
    /// The final boards that count as solved.
    pub target: Target,
    /// Whether the fewest presses are asked for, or any solution.
    pub goal: Goal,
    /// An upper bound on the number of presses, for exported formulas only; `None` for no bound.
    pub within: Option<u32>,
}

/// Which squares a press turns over besides the pressed square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stencil {
    /// The orthogonal neighbours.
    Plus,
    /// The orthogonal and diagonal neighbours, up to eight.
    King,
    /// The other squares of the same row and the other squares of the same column.
    Cross,
    /// The orthogonal neighbours on a torus, where opposite edges of the board meet.
    Torus,
}

/// The final boards that count as solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// All squares of one colour; any colour is allowed.
    Either,
    /// All white, which is colour 0.
    White,
    /// All black, which is colour 1; for two colours only.
    Black,
    /// Exactly this board.
    Board(Arc<Instance>),
}

/// One final board that counts as solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// All squares have one colour.
    Colour {
        /// The colour of all squares.
        colour: u32,
        /// The number of colours in the game.
        colours: u32,
    },
    /// Exactly this board.
    Board(Arc<Instance>),
}

/// Which solution is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// One with the fewest presses.
    Fewest,
    /// Any solution.
    Any,
}

impl Rules {
    /// The first of [`Rules::ends`].
    pub fn first_end(&self) -> End {
        match &self.target {
            Target::Either | Target::White => End::Colour { colour: 0, colours: self.colours },
            Target::Black => End::Colour { colour: 1, colours: self.colours },
            Target::Board(board) => End::Board(Arc::clone(board)),
        }
    }

    /// All final boards that count as solved. Any two of them differ by the same amount in every square.
    pub fn ends(&self) -> impl Iterator<Item = End> {
        let more = if self.target == Target::Either { 1..self.colours } else { 0..0 };
        std::iter::once(self.first_end())
            .chain(more.map(|colour| End::Colour { colour, colours: self.colours }))
    }
}

/// `white` or `black`; with more than two colours, the number of the colour, as in `all 3`; or `the target`.
impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Colour { colour: 0, colours: 2 } => f.write_str("white"),
            End::Colour { colours: 2, .. } => f.write_str("black"),
            End::Colour { colour, .. } => write!(f, "all {colour}"),
            End::Board(_) => f.write_str("the target"),
        }
    }
}

impl End {
    /// The colour of square `i` on the final board.
    pub fn colour(&self, i: usize) -> u32 {
        match self {
            End::Colour { colour, .. } => *colour,
            End::Board(board) => board.squares.get(i),
        }
    }
}

impl Instance {
    /// The squares that have to change to reach `end` (the syndrome t). There must be two colours, and a target board
    /// must have the size of this board.
    pub fn wrong(&self, end: &End) -> Cow<'_, Bits> {
        let black = self.squares.odd();
        let other = match end {
            End::Colour { colour: 0, .. } => return Cow::Borrowed(black),
            End::Colour { .. } => &Bits::ones(self.size.cells()),
            End::Board(board) => board.squares.odd(),
        };
        let mut wrong = black.clone();
        wrong.xor(other);
        Cow::Owned(wrong)
    }
}

impl Stencil {
    /// The squares that a press of `at` turns over, each once; `at` comes first.
    pub fn squares(self, size: Size, at: Cell) -> Vec<Cell> {
        let mut squares = Vec::with_capacity(self.max_squares(size));
        self.squares_into(size, at, &mut squares);
        squares
    }

    /// Like [`Stencil::squares`], but overwrites a list that the caller reuses.
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

    /// An upper bound on the number of squares that one press turns over on a board of this size.
    pub fn max_squares(self, size: Size) -> usize {
        match self {
            Stencil::Plus | Stencil::Torus => 5,
            Stencil::King => 9,
            Stencil::Cross => (size.width + size.height - 1) as usize,
        }
    }
}
