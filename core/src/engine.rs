//! Engines: their names and axes, and the outcome of a run within a budget.
//!
//! An engine counts its work (nodes, conflicts) and reads no clock. The engine's caller provides a closure that says
//! when to stop. If the budget is spent, the outcome is a limit, never a decision such as "impossible".

mod declared;
pub mod threads;

pub use self::declared::{Declared, Printed, Prints, Run};
pub use counterpoint_base::budget::{Budget, Limit, Stop, Work};

use crate::errors::Unsupported;
use std::fmt;

/// The outcome of a run of an engine on an instance.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome<A> {
    /// The question is answered.
    Decided(A),
    /// A limit was reached first. The answer, if any, is the best one so far, and it is not final.
    GaveUp(Limit, Option<A>),
    /// The engine does not support this instance, for this reason.
    Unsupported(Unsupported),
    /// Something that the engine needs, such as an external program, failed for this reason.
    Failed(String),
}

/// Why an engine stopped early.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfinished {
    /// A limit was reached.
    #[error("{0}")]
    Limit(Limit),
    /// Something that the engine needs failed, for this reason.
    #[error("{0}")]
    Failed(String),
}

impl Unfinished {
    /// The outcome of an engine whose best answer so far is `best`. After a failure, that answer is dropped.
    pub fn outcome<A>(self, best: Option<A>) -> Outcome<A> {
        match self {
            Unfinished::Limit(limit) => Outcome::GaveUp(limit, best),
            Unfinished::Failed(reason) => Outcome::Failed(reason),
        }
    }
}

impl From<Limit> for Unfinished {
    fn from(limit: Limit) -> Self {
        Unfinished::Limit(limit)
    }
}

impl<A> Outcome<A> {
    /// The final answer or, if a limit was reached, the best one so far.
    pub fn answer(self) -> Option<A> {
        match self {
            Outcome::Decided(a) | Outcome::GaveUp(_, Some(a)) => Some(a),
            _ => None,
        }
    }
}

/// `Ok` is the decision, `Err` the limit that was reached.
impl<A> From<Result<A, Limit>> for Outcome<A> {
    fn from(result: Result<A, Limit>) -> Self {
        match result {
            Ok(answer) => Outcome::Decided(answer),
            Err(limit) => Outcome::GaveUp(limit, None),
        }
    }
}

/// `Ok` is the decision, `Err` the reason why there is none.
impl<A> From<Result<A, Unfinished>> for Outcome<A> {
    fn from(result: Result<A, Unfinished>) -> Self {
        result.map_or_else(|unfinished| unfinished.outcome(None), Outcome::Decided)
    }
}

/// The kinds of engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Hand-written search.
    Search,
    /// SAT encoding.
    Sat,
    /// A program that a configuration declares.
    Exec,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Search => "search",
            Side::Sat => "sat",
            Side::Exec => "exec",
        })
    }
}

/// A choice that a SAT encoding or a declared program leaves open, such as the at-most-one encoding.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// Its name in engine ids.
    pub name: &'static str,
    /// Its values; the first is the default.
    pub values: &'static [&'static str],
    /// What it chooses, and what each value means, in one line; may be empty.
    pub about: &'static str,
}

/// Describes an engine: its name, its axes, and where its idea comes from.
#[derive(Clone, Copy, Debug)]
pub struct EngineInfo {
    /// What kind of engine it is.
    pub side: Side,
    /// Name within its side.
    pub name: &'static str,
    /// One line for `list engines`.
    pub about: &'static str,
    /// The source of the idea: a publication or an author.
    pub source: &'static str,
    /// The axes; empty for a search.
    pub axes: &'static [Axis],
    /// The declaration of an engine that a configuration declares; `None` for an engine of ours.
    pub declared: Option<&'static Declared>,
}

impl EngineInfo {
    /// A hand-written search.
    pub const fn search(name: &'static str, about: &'static str) -> Self {
        EngineInfo { side: Side::Search, name, about, source: "", axes: &[], declared: None }
    }

    /// A SAT encoding.
    pub const fn sat(name: &'static str, about: &'static str, axes: &'static [Axis]) -> Self {
        EngineInfo { side: Side::Sat, name, about, source: "", axes, declared: None }
    }

    /// Adds the source of the idea.
    #[must_use]
    pub const fn after(self, source: &'static str) -> Self {
        EngineInfo { source, ..self }
    }
}
