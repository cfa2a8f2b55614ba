//! SAT solvers behind one object-safe trait.
//!
//! A solver is a [`Sink`], so encoders write into it directly. `solve` takes the solver by value, and returns the
//! solver only if solving finished, because varisat cannot be used again after it was stopped.

mod batsat;
#[cfg(feature = "cadical")]
mod cadical;
#[cfg(feature = "external")]
pub mod external;
mod factory;
mod given;
mod recorder;
mod registry;
#[cfg(feature = "splr")]
mod splr;
mod varisat;

pub use self::factory::{Capabilities, Count, Counts, NoProof, Profile, Prove, SolverFactory, Stops};
pub use self::given::Given;
pub use self::recorder::{Recorded, Recorder};
pub use self::registry::{DEFAULT, OPTIONAL, SolverRegistry};
pub use self::varisat::prove;

use crate::engine::{Budget, Limit, Unfinished};
use counterpoint_encodings::{Lit, Sink};

/// The result of a call of [`Solver::solve`].
pub enum Verdict {
    /// Satisfiable. [`Solver::value`] reads the model until the next clause is added.
    Sat(Box<dyn Solver>),
    /// Unsatisfiable under the assumptions.
    Unsat(Box<dyn Solver>),
    /// A limit stopped the solver. The solver is lost.
    Stopped(Limit),
    /// The solver failed and is lost. The message names the solver.
    Failed(String),
}

/// A SAT solver.
pub trait Solver: Sink {
    /// Adds the variables and clauses of a formula. A solver that stores formulas may keep this one.
    fn load(&mut self, given: &Given) {
        given.write(self);
    }

    /// Searches for a model in which `assumptions` are true, and adds the conflicts, decisions, propagations and
    /// restarts of this call to `budget`, as far as it counts them.
    fn solve(self: Box<Self>, assumptions: &[Lit], budget: &mut Budget) -> Verdict;

    /// Whether [`minimise`](Solver::minimise) is supported.
    fn optimises(&self) -> bool {
        false
    }

    /// Searches for a model in which the true literals among `costs` cost as little as possible, all in one call.
    /// [`Verdict::Sat`] means that its model is optimal. A literal may occur several times.
    fn minimise(self: Box<Self>, costs: &[(Lit, u64)], budget: &mut Budget) -> Verdict {
        let _ = (costs, budget);
        Verdict::Failed("the solver does not support objectives".to_owned())
    }

    /// The value of `lit` in the last model. Variables that the model does not mention are false.
    fn value(&self, lit: Lit) -> bool;

    /// The number of clauses added so far.
    fn n_clauses(&self) -> u64;
}

/// Calls `solve`, and records the size of the formula in `budget`. Returns whether there is a model.
///
/// # Errors
/// Returns the limit that was reached, or how the solver failed.
pub fn step(
    solver: Box<dyn Solver>,
    assumptions: &[Lit],
    budget: &mut Budget,
) -> Result<(bool, Box<dyn Solver>), Unfinished> {
    note_call(&*solver, budget)?;
    finished(solver.solve(assumptions, budget))
}

/// Calls `minimise`, and records the size of the formula in `budget`. Returns whether there is a model.
///
/// # Errors
/// Returns the limit that was reached, or how the solver failed.
pub fn minimise(
    solver: Box<dyn Solver>,
    costs: &[(Lit, u64)],
    budget: &mut Budget,
) -> Result<(bool, Box<dyn Solver>), Unfinished> {
    note_call(&*solver, budget)?;
    finished(solver.minimise(costs, budget))
}

fn note_call(solver: &dyn Solver, budget: &mut Budget) -> Result<(), Limit> {
    budget.poll()?;
    budget.work.solves += 1;
    budget.work.variables = u64::from(solver.n_vars());
    budget.work.clauses = solver.n_clauses();
    Ok(())
}

fn finished(verdict: Verdict) -> Result<(bool, Box<dyn Solver>), Unfinished> {
    match verdict {
        Verdict::Sat(next) => Ok((true, next)),
        Verdict::Unsat(next) => Ok((false, next)),
        Verdict::Stopped(limit) => Err(limit.into()),
        Verdict::Failed(reason) => Err(Unfinished::Failed(reason)),
    }
}
