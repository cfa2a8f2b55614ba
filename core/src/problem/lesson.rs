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

/// The boards beside a formula, in rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// What the formula says, such as `a fleet fits the board`. The page puts "The clauses say: " before this text.
    pub question: String,
    /// The rows of boards, from top to bottom.
    pub strips: Vec<Strip>,
    /// What groups of clauses say in the words of the puzzle: the label of each group and a sentence about it.
    pub groups: &'static [(&'static str, &'static str)],
    /// What the question minimises, such as the number of presses; `None` if it minimises nothing.
    pub minimised: Option<Minimised>,
}

/// A number that is minimised, and the clauses that count it. The page adds these clauses when the reader chooses a
/// bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minimised {
    /// What is counted, such as `presses`.
    pub noun: &'static str,
    /// The label of the group of clauses that count. This group is written last.
    pub group: &'static str,
    /// The number of variables before those of this group.
    pub n_vars: u32,
    /// The smallest bound that is demanded by a literal.
    pub least: usize,
    /// The literal with index `i` demands a number of at most `least + i`.
    pub at_most: Vec<Lit>,
}

/// A row of boards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strip {
    /// The text before the boards; may be empty.
    pub title: String,
    /// The boards, from left to right.
    pub boards: Vec<Board>,
}

/// A board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The text above the board; may be empty.
    pub title: String,
    /// The literal that is true iff this board is the right one among several alternatives; `None` if the board is not
    /// an alternative.
    pub lit: Option<Lit>,
    /// Width and height.
    pub size: Size,
    /// The squares, row by row.
    pub squares: Vec<Square>,
}

/// A square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Square {
    /// What the square looks like before anything is drawn on it.
    pub ground: Ground,
    /// Literals, each of which flips the colour of the square between white and black if it is true.
    pub turned: Vec<Lit>,
    /// What is drawn on it.
    pub marks: Vec<Mark>,
}

/// What a square looks like before anything is drawn on it.
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
    /// It is unknown whether the square belongs to a ship.
    Unknown,
    /// A neutral colour that says nothing about the square; only the marks matter.
    Plain,
}

/// A drawing on a square. It appears if its literal is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The literal; `None` if the mark always appears.
    pub lit: Option<Lit>,
    /// What is drawn.
    pub shape: Shape,
    /// Whether the literal belongs to this square alone. If so, the square shows whether the literal is true, false or
    /// unassigned. Otherwise, it shows only that the literal is true.
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
    /// Nothing is drawn, but the literal belongs to the square.
    Nothing,
}

impl Square {
    /// A square that shows only its ground.
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

/// A sink that passes a formula on, with the names of its variables replaced by words about the board.
pub struct InWords<'a, F: Fn(&str) -> Option<String>> {
    /// Receives the formula.
    pub sink: &'a mut dyn Sink,
    /// Returns the words that replace a name, or `None` to keep the name.
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
