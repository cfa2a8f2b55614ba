//! Judging: a run of `judge`, and why it stopped.

use crate::engine::{Budget, Limit};
use crate::errors::{RulesError, UnknownName};
use crate::input::{InputError, Source};
use crate::rules::Settings;
use crate::spec::EngineSpec;
use std::io;

/// Why judging stopped before the end of the input. The answers that were written before that are valid.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// The input is wrong or cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The rules contradict each other.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The problem has no such engine.
    #[error(transparent)]
    Engine(#[from] UnknownName),
    /// The engine does not support an instance.
    #[error("game {game}: {engine} does not support it: {reason}")]
    Unsupported {
        /// The number of the game, counted from 1.
        game: usize,
        /// The engine's id.
        engine: String,
        /// Why not.
        reason: String,
    },
    /// A limit was reached.
    #[error("game {game}: {limit}")]
    Limit {
        /// The number of the game, counted from 1.
        game: usize,
        /// The limit.
        limit: Limit,
    },
    /// An answer is evidently wrong. It was not written.
    #[error("game {game}: the answer of {engine} is wrong: {reason}")]
    Wrong {
        /// The number of the game, counted from 1.
        game: usize,
        /// The engine's id.
        engine: String,
        /// What is wrong.
        reason: String,
    },
    /// Something that the engine needs failed.
    #[error("game {game}: {reason}")]
    Failed {
        /// The number of the game, counted from 1.
        game: usize,
        /// What went wrong.
        reason: String,
    },
    /// The output cannot be written.
    #[error("cannot write: {0}")]
    Output(#[from] io::Error),
}

/// A run of `judge`: its input, engine and limits.
pub struct JudgeJob<'a> {
    /// The rules.
    pub settings: &'a Settings,
    /// The engine.
    pub engine: &'a EngineSpec,
    /// The input.
    pub source: Source<'a>,
    /// Creates a fresh budget for each game.
    pub budget: &'a dyn Fn() -> Budget,
    /// Receives warnings and remarks, each before the answer that it concerns.
    pub warn: &'a dyn Fn(&str),
    /// Called when the engine begins and ends its work on a game.
    pub running: &'a dyn Fn(Phase),
}

/// What a run of `judge` is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// An engine works, and polls its budget.
    Engine,
    /// Text is read or written.
    Between,
}
