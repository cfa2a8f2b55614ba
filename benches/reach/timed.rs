//! Solvers with a clock: the CPU time of their calls, to be subtracted from the time of an engine.

use counterpoint::engine::Budget;
use counterpoint::solver::{Solver, SolverFactory, Verdict};
use counterpoint_encodings::{Forward, Lit};
use cpu_time::ProcessTime;
use std::cell::Cell;
use std::time::Duration;

thread_local! {
    static IN_CALLS: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// The CPU time of all calls since this function was called last.
pub(crate) fn take_time_in_calls() -> Duration {
    IN_CALLS.take()
}

/// The same solver, but its calls are timed.
pub(crate) fn timed(factory: &SolverFactory) -> SolverFactory {
    let (profile, factory) = (factory.profile().clone(), factory.clone());
    SolverFactory::new(profile, move || Box::new(Timed(factory.fresh())))
}

struct Timed(Box<dyn Solver>);

impl Forward for Timed {
    type Inner = dyn Solver;

    fn inner(&self) -> &Self::Inner {
        &*self.0
    }

    fn inner_mut(&mut self) -> &mut Self::Inner {
        &mut *self.0
    }
}

impl Solver for Timed {
    fn solve(self: Box<Self>, assumptions: &[Lit], budget: &mut Budget) -> Verdict {
        let start = ProcessTime::now();
        let verdict = self.0.solve(assumptions, budget);
        IN_CALLS.set(IN_CALLS.get() + start.elapsed());
        match verdict {
            Verdict::Sat(next) => Verdict::Sat(Box::new(Timed(next))),
            Verdict::Unsat(next) => Verdict::Unsat(Box::new(Timed(next))),
            other => other,
        }
    }

    fn value(&self, lit: Lit) -> bool {
        self.0.value(lit)
    }

    fn n_clauses(&self) -> u64 {
        self.0.n_clauses()
    }
}
