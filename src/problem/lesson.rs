//! The capability `LESSON`: boards that show what each literal of a formula means.

use super::Problem;
use crate::board::Size;
use crate::errors::Unsupported;
use crate::spec::EngineSpec;
use counterpoint_encodings::{Forward, Lit, Sink, Var};
use std::fmt;

/// The parts of a lesson.
pub struct Lesson<P: Problem> {
    /// The id of the engine whose formula is easiest to read.
    pub engine: &'static str,
    /// The boards beside a formula.
    pub scene: WriteScene<P>,
}

/// Writes the formula of an engine, as [`WriteFormula`](super::WriteFormula) does, and returns the boards that show its
/// literals.
pub type WriteScene<P> = fn(
    &<P as Problem>::Rules,
    &<P as Problem>::Instance,
    &EngineSpec,
    &mut dyn Sink,
) -> Result<Scene, Unsupported>;

/// Boards beside a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// The question that the formula asks, as the end of a sentence.
    pub question: String,
    /// From top to bottom.
    pub strips: Vec<Strip>,
}

/// Boards beside each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strip {
    /// The text before them; may be empty.
    pub title: String,
    /// From left to right.
    pub boards: Vec<Board>,
}

/// A board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The text above it; may be empty.
    pub title: String,
    /// The literal that selects this board, if there is one.
    pub lit: Option<Lit>,
    /// Width and height.
    pub size: Size,
    /// Row by row.
    pub squares: Vec<Square>,
}

/// A square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Square {
    /// The square before anything is drawn on it.
    pub ground: Ground,
    /// Each of these literals that is true turns white to black or black to white.
    pub turned: Vec<Lit>,
    /// What is drawn on it.
    pub marks: Vec<Mark>,
}

/// A square before anything is drawn on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// White.
    White,
    /// Black.
    Black,
    /// Known to belong to a ship.
    Hit,
    /// Known to belong to no ship.
    Miss,
    /// Not known.
    Unknown,
    /// Without a meaning.
    Plain,
}

/// A drawing on a square that appears if a literal is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The literal; `None` if the mark always appears.
    pub lit: Option<Lit>,
    /// What is drawn.
    pub shape: Shape,
    /// Whether the square also shows that the literal is false or unassigned.
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
    /// A part of the ship with this number.
    Ship(usize),
    /// Nothing; the literal just belongs to the square.
    Nothing,
}

impl Square {
    /// A square on which nothing is drawn.
    pub fn plain(ground: Ground) -> Square {
        Square { ground, turned: Vec::new(), marks: Vec::new() }
    }
}

impl Mark {
    /// A mark of a literal that belongs to this square alone.
    pub fn own(lit: Lit, shape: Shape) -> Mark {
        Mark { lit: Some(lit), shape, own: true }
    }

    /// A mark of a literal that belongs to several squares.
    pub fn shared(lit: Lit, shape: Shape) -> Mark {
        Mark { lit: Some(lit), shape, own: false }
    }

    /// A mark that always appears.
    pub fn always(shape: Shape) -> Mark {
        Mark { lit: None, shape, own: false }
    }
}

/// Passes a formula on, with the names of its variables replaced by words that fit the board.
pub struct InWords<'a, F: Fn(&str) -> Option<String>> {
    /// Receives the formula.
    pub sink: &'a mut dyn Sink,
    /// The replacement of a name; `None` keeps it.
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
