//! SAT solvers behind one object-safe trait.
//!
//! A solver is a [`Sink`]: encoders write into it. `solve` consumes it and gives it back unless a
//! limit was met, since a stopped varisat cannot be used again.

mod batsat;
#[cfg(feature = "cadical")]
mod cadical;
mod factory;
#[cfg(feature = "cli")]
pub mod outside;
mod registry;
#[cfg(feature = "splr")]
mod splr;
mod varisat;

pub use self::factory::{Capabilities, Count, Profile, SolverFactory, Stops};
pub use self::registry::{DEFAULT, OPTIONAL, SolverRegistry};
pub use self::varisat::prove;

use crate::engine::{Budget, Limit, Unfinished};
use counterpoint_encodings::{Lit, Sink};

/// What a call of the solver found.
pub enum Verdict {
    /// A model, to be read with [`Solver::value`] until the next clause is added.
    Sat(Box<dyn Solver>),
    /// No model under the assumptions.
    Unsat(Box<dyn Solver>),
    /// A limit came first; the solver is gone.
    Stopped(Limit),
    /// The solver went wrong, and is gone; the reason names it.
    Failed(String),
}

/// A SAT solver.
pub trait Solver: Sink {
    /// Looks for a model in which `assumptions` hold, and adds what it did to `budget`.
    fn solve(self: Box<Self>, assumptions: &[Lit], budget: &mut Budget) -> Verdict;

    /// The value of `lit` in the last model; variables that do not matter are false.
    fn value(&self, lit: Lit) -> bool;

    /// Clauses added so far.
    fn n_clauses(&self) -> u64;
}

/// Solves, and brings `budget` up to date on the formula's size.
///
/// # Errors
/// The limit that was met, or how the solver went wrong.
pub fn step(
    solver: Box<dyn Solver>,
    assumptions: &[Lit],
    budget: &mut Budget,
) -> Result<(bool, Box<dyn Solver>), Unfinished> {
    budget.poll()?;
    budget.work.solves += 1;
    budget.work.variables = u64::from(solver.n_vars());
    budget.work.clauses = solver.n_clauses();
    match solver.solve(assumptions, budget) {
        Verdict::Sat(next) => Ok((true, next)),
        Verdict::Unsat(next) => Ok((false, next)),
        Verdict::Stopped(limit) => Err(limit.into()),
        Verdict::Failed(reason) => Err(Unfinished::Failed(reason)),
    }
}
