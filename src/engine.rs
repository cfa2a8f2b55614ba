//! What an engine is: a session that turns instances into outcomes within a budget.
//!
//! An engine counts its work (nodes, conflicts) and reads no clock; whoever runs it gives a closure
//! that says when to stop. A spent budget is never an answer.

pub use counterpoint_base::budget::{Budget, Limit, Stop, Work};

use std::fmt;

/// What became of an instance.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome<A> {
    /// The question is answered.
    Decided(A),
    /// A limit came first; perhaps with the best answer so far, which counts as not settled.
    GaveUp(Limit, Option<A>),
    /// The engine does not serve this instance, with the reason.
    Unsupported(String),
    /// What the engine relies on failed, such as an outside program, with the reason.
    Failed(String),
}

/// Why an engine did not come to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfinished {
    /// A limit was met.
    #[error("{0}")]
    Limit(Limit),
    /// What the engine relies on failed, with the reason.
    #[error("{0}")]
    Failed(String),
}

impl Unfinished {
    /// The outcome of an engine that got no further than `best`. After a failure nothing is kept.
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
    /// The answer, final or best so far.
    pub fn answer(self) -> Option<A> {
        match self {
            Outcome::Decided(a) | Outcome::GaveUp(_, Some(a)) => Some(a),
            _ => None,
        }
    }
}

/// `Ok` decides, `Err` is the limit that was met.
impl<A> From<Result<A, Limit>> for Outcome<A> {
    fn from(result: Result<A, Limit>) -> Self {
        match result {
            Ok(answer) => Outcome::Decided(answer),
            Err(limit) => Outcome::GaveUp(limit, None),
        }
    }
}

/// `Ok` decides, `Err` says why not.
impl<A> From<Result<A, Unfinished>> for Outcome<A> {
    fn from(result: Result<A, Unfinished>) -> Self {
        result.map_or_else(|unfinished| unfinished.outcome(None), Outcome::Decided)
    }
}

/// Which of the two ways an engine goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Hand-written search.
    Search,
    /// SAT encoding.
    Sat,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Search => "search",
            Side::Sat => "sat",
        })
    }
}

/// One dimension along which a SAT model varies.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// Its name in engine ids.
    pub name: &'static str,
    /// Its values; the first is the default.
    pub values: &'static [&'static str],
}

/// An engine by name: what ids are made from.
#[derive(Clone, Copy, Debug)]
pub struct EngineInfo {
    /// Search or SAT.
    pub side: Side,
    /// Name within its side.
    pub name: &'static str,
    /// One line for `list engines`.
    pub about: &'static str,
    /// Where the idea comes from: a publication, or whose it is.
    pub source: &'static str,
    /// Axes of a SAT model.
    pub axes: &'static [Axis],
}

impl EngineInfo {
    /// A hand-written search.
    pub const fn search(name: &'static str, about: &'static str) -> Self {
        EngineInfo { side: Side::Search, name, about, source: "", axes: &[] }
    }

    /// A SAT model.
    pub const fn sat(name: &'static str, about: &'static str, axes: &'static [Axis]) -> Self {
        EngineInfo { side: Side::Sat, name, about, source: "", axes }
    }

    /// The same with the source of its idea.
    #[must_use]
    pub const fn after(self, source: &'static str) -> Self {
        EngineInfo { source, ..self }
    }
}
