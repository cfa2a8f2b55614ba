//! Why a test cannot be completed. The faults of the program under test are not among these errors.

use crate::errors::{RulesError, UnknownName, Unsupported};
use crate::input::InputError;
use std::io;

/// Why a program or an encoder cannot be tested.
#[derive(Debug, thiserror::Error)]
pub enum StressError {
    /// The command has no words.
    #[error("the command is empty")]
    NoCommand,
    /// The program cannot be started. The message names the program, and says why and perhaps what to do.
    #[error("{0}")]
    NotStarted(String),
    /// A file that the program reads or writes cannot be used.
    #[error("{what}: {error}")]
    File {
        /// What cannot be done with which file.
        what: &'static str,
        /// The reason.
        error: io::Error,
    },
    /// The problem does not have the reference engine.
    #[error(transparent)]
    Reference(#[from] UnknownName),
    /// The rules contradict each other.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// Our formula for a board cannot be written.
    #[error(transparent)]
    Formula(#[from] Unsupported),
    /// The solver that compares the formulas failed, for this reason.
    #[error("{0}")]
    Solver(String),
}

/// Why a text is not an input of a test.
#[derive(Debug, thiserror::Error)]
pub enum GivenError {
    /// The problem does not have the reference engine.
    #[error(transparent)]
    Reference(#[from] UnknownName),
    /// The rules contradict each other.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The text is invalid.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The reference does not decide a game.
    #[error("{name}: the reference did not decide game {game} within its limit")]
    Undecided {
        /// The name of the text.
        name: String,
        /// The number of the game, from 1.
        game: usize,
    },
    /// The text of this name has no game.
    #[error("{0}: contains no game")]
    NoGame(String),
}
