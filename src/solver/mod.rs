//! SAT solvers behind one object-safe trait.
//!
//! A solver is a [`Sink`]: encoders write into it. `solve` consumes it and gives it back unless a
//! limit was met, since a stopped varisat cannot be used again.

mod batsat;
mod varisat;

pub use self::varisat::prove;

use crate::engine::{Budget, Limit};
use counterpoint_encodings::{Lit, Sink};

/// The solvers by name, the default first.
pub const NAMES: &[&str] = &["varisat", "batsat"];

/// What a solver can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Clauses may be added between calls.
    pub incremental: bool,
    /// Literals may be assumed for one call.
    pub assumptions: bool,
    /// Writes DRAT proofs of a single, non-incremental call.
    pub drat: bool,
    /// How soon a limit acts.
    pub stops: Stops,
}

/// How soon a limit acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stops {
    /// Within some thousand steps of the search.
    Soon,
    /// When 8 KiB of learnt clauses have come together; never while nothing is learnt.
    WhenLearning,
}

/// What a call of the solver found.
pub enum Verdict {
    /// A model, to be read with [`Solver::value`] until the next clause is added.
    Sat(Box<dyn Solver>),
    /// No model under the assumptions.
    Unsat(Box<dyn Solver>),
    /// A limit came first; the solver is gone.
    Stopped(Limit),
}

/// A SAT solver.
pub trait Solver: Sink {
    /// Looks for a model in which `assumptions` hold, and adds what it did to `budget`.
    fn solve(self: Box<Self>, assumptions: &[Lit], budget: &mut Budget) -> Verdict;

    /// The value of `lit` in the last model; variables that do not matter are false.
    fn value(&self, lit: Lit) -> bool;

    /// What it can do.
    fn capabilities(&self) -> Capabilities;

    /// Clauses added so far.
    fn n_clauses(&self) -> u64;
}

/// The solver of that name, empty.
pub fn new(name: &str) -> Option<Box<dyn Solver>> {
    match name {
        "varisat" => Some(Box::new(self::varisat::Varisat::new())),
        "batsat" => Some(Box::new(self::batsat::Batsat::new())),
        _ => None,
    }
}

/// Solves, and brings `budget` up to date on the formula's size.
///
/// # Errors
/// The limit that was met.
pub fn step(
    solver: Box<dyn Solver>,
    assumptions: &[Lit],
    budget: &mut Budget,
) -> Result<(bool, Box<dyn Solver>), Limit> {
    budget.poll()?;
    budget.work.solves += 1;
    budget.work.variables = u64::from(solver.n_vars());
    budget.work.clauses = solver.n_clauses();
    match solver.solve(assumptions, budget) {
        Verdict::Sat(next) => Ok((true, next)),
        Verdict::Unsat(next) => Ok((false, next)),
        Verdict::Stopped(limit) => Err(limit),
    }
}
