//! What the page asks, as JSON.

use super::address::State;
use counterpoint_core::board::Cell;
use counterpoint_core::problem;
use serde::Deserialize;
use serde_json::{Map, Value};

/// A request. Its member `ask` is the name of the variant in lower case.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase")]
pub(super) enum Request {
    /// What is known about the problems.
    Problems,
    /// The games of a text.
    Read(Board),
    /// The text after a click or a drag.
    Touch { board: Board, touch: Touch },
    /// A generated board.
    Generate(Wanted),
    /// An empty board.
    Empty(Empty),
    /// An engine's answer, with its claims as the checker found them.
    Solve {
        board: Board,
        engine: String,
        /// The limit on nodes plus conflicts.
        work: Option<u64>,
    },
    /// The explanation of an answer that `solve` returned.
    Explain { answer: Map<String, Value> },
    /// The size of an engine's formula, by groups of clauses.
    Size { board: Board, engine: String },
    /// The data of a lesson.
    Lesson { board: Board, engine: String, answer: Map<String, Value> },
    /// The address of a state of the page.
    Share(State),
    /// The state of an address.
    Open { address: String },
}

/// A board, as the page has it.
#[derive(Debug, Deserialize)]
pub(super) struct Board {
    pub(super) problem: String,
    /// The rules that differ from the judge's.
    #[serde(default)]
    pub(super) rules: Vec<(String, String)>,
    pub(super) text: String,
    /// The number of the game in the text, from 1.
    #[serde(default = "first")]
    pub(super) game: usize,
}

fn first() -> usize {
    1
}

/// A click or a drag. Rows and columns are counted from 0.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Touch {
    board: usize,
    from: (u32, u32),
    to: (u32, u32),
}

impl From<Touch> for problem::Touch {
    fn from(Touch { board, from, to }: Touch) -> Self {
        problem::Touch { board, from: Cell::new(from.0, from.1), to: Cell::new(to.0, to.1) }
    }
}

/// A board that is to be generated.
#[derive(Debug, Deserialize)]
pub(super) struct Wanted {
    pub(super) problem: String,
    #[serde(default)]
    pub(super) rules: Vec<(String, String)>,
    pub(super) family: String,
    #[serde(default)]
    pub(super) params: Vec<(String, String)>,
    pub(super) seed: u64,
}

/// An empty board of a size that the user chose.
#[derive(Debug, Deserialize)]
pub(super) struct Empty {
    pub(super) problem: String,
    #[serde(default)]
    pub(super) rules: Vec<(String, String)>,
    #[serde(default)]
    pub(super) params: Vec<(String, String)>,
}
