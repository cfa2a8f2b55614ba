//! How a problem is taught: boards that show what each literal of a formula is about.

use super::Problem;
use crate::board::Size;
use crate::errors::Unsupported;
use crate::spec::EngineSpec;
use counterpoint_encodings::{Forward, Lit, Sink, Var};
use std::fmt;

/// What a lesson needs of a problem.
pub struct Lesson<P: Problem> {
    /// The engine whose formula reads best, by its id.
    pub engine: &'static str,
    /// The boards beside a formula.
    pub scene: WriteScene<P>,
}

/// Writes the formula of a model, as [`WriteFormula`](super::WriteFormula) does, and says what its literals are about.
pub type WriteScene<P> = fn(
    &<P as Problem>::Rules,
    &<P as Problem>::Instance,
    &EngineSpec,
    &mut dyn Sink,
) -> Result<Scene, Unsupported>;

/// Boards beside a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// What the formula says: the end of a sentence.
    pub question: String,
    /// From top to bottom.
    pub strips: Vec<Strip>,
}

/// Boards beside each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strip {
    /// What stands before them; may be empty.
    pub title: String,
    /// From left to right.
    pub boards: Vec<Board>,
}

/// A board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// What stands above it; may be empty.
    pub title: String,
    /// The literal that says this board is the one, if there is such a literal.
    pub lit: Option<Lit>,
    /// Width and height.
    pub size: Size,
    /// Row by row.
    pub squares: Vec<Square>,
}

/// A square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Square {
    /// What it is at first.
    pub ground: Ground,
    /// Each of these that holds turns white to black or black to white.
    pub turned: Vec<Lit>,
    /// What is drawn on it.
    pub marks: Vec<Mark>,
}

/// What a square is before anything is drawn on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// White.
    White,
    /// Black.
    Black,
    /// Known to belong to a ship.
    Hit,
    /// Known to belong to none.
    Miss,
    /// Not known.
    Unknown,
    /// Nothing in particular.
    Plain,
}

/// What a literal draws on a square if it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The literal; `None` if the mark is there in any case.
    pub lit: Option<Lit>,
    /// What is drawn.
    pub shape: Shape,
    /// Whether the square shows as well that the literal does not hold, or is open.
    pub own: bool,
}

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A press.
    Disc,
    /// A spot.
    Spot,
    /// A ring around the middle.
    Ring,
    /// A part of a ship, which is told from others by its number.
    Ship(usize),
    /// Nothing: the literal is about the square, no more.
    Nothing,
}

impl Square {
    /// A square on which nothing is drawn.
    pub fn plain(ground: Ground) -> Square {
        Square { ground, turned: Vec::new(), marks: Vec::new() }
    }
}

impl Mark {
    /// A mark that a square is there to show.
    pub fn own(lit: Lit, shape: Shape) -> Mark {
        Mark { lit: Some(lit), shape, own: true }
    }

    /// A mark of a literal that is about several squares.
    pub fn shared(lit: Lit, shape: Shape) -> Mark {
        Mark { lit: Some(lit), shape, own: false }
    }

    /// A mark that is there in any case.
    pub fn always(shape: Shape) -> Mark {
        Mark { lit: None, shape, own: false }
    }
}

/// Hands a formula on, with the names of its variables in words that a reader finds on the board.
pub struct InWords<'a, F: Fn(&str) -> Option<String>> {
    /// Takes the formula.
    pub sink: &'a mut dyn Sink,
    /// Other words for a name; with `None` it stays.
    pub words: F,
}

impl<'a, F: Fn(&str) -> Option<String>> Forward for InWords<'a, F> {
    type Inner = dyn Sink + 'a;

    fn inner(&self) -> &Self::Inner {
        self.sink
    }

    fn inner_mut(&mut self) -> &mut Self::Inner {
        self.sink
    }

    fn forward_named_var(&mut self, name: fmt::Arguments<'_>) -> Var {
        match (self.words)(&name.to_string()) {
            Some(words) => self.sink.named_var(format_args!("{words}")),
            None => self.sink.named_var(name),
        }
    }
}
