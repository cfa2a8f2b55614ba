//! Wraps a solver. The wrapper notes in the run's progress how large the formula is and when it is complete.

use super::progress::RunProgress;
use crate::engine::Budget;
use crate::solver::{Given, Solver, SolverFactory, Verdict};
use counterpoint_encodings::{Forward, Lit};
use std::sync::Arc;

/// Wraps the solvers that a factory makes.
pub(super) fn metered(factory: &SolverFactory, progress: &Arc<RunProgress>) -> SolverFactory {
    let (inner, progress) = (factory.clone(), Arc::clone(progress));
    SolverFactory::new(factory.profile().clone(), move || {
        Box::new(Metered { inner: inner.fresh(), progress: Arc::clone(&progress) })
    })
}

struct Metered {
    inner: Box<dyn Solver>,
    progress: Arc<RunProgress>,
}

impl Forward for Metered {
    type Inner = dyn Solver;

    fn inner(&self) -> &Self::Inner {
        &*self.inner
    }

    fn inner_mut(&mut self) -> &mut Self::Inner {
        &mut *self.inner
    }

    fn constraint_added(&mut self) {
        self.progress.set_size(self.inner.n_vars(), self.inner.n_clauses());
    }
}

impl Metered {
    /// Notes that the formula is complete, calls the inner solver, and wraps it again.
    fn call(self, call: impl FnOnce(Box<dyn Solver>) -> Verdict) -> Verdict {
        self.progress.note_built();
        let Metered { inner, progress } = self;
        let wrap = |inner| Box::new(Metered { inner, progress });
        match call(inner) {
            Verdict::Sat(inner) => Verdict::Sat(wrap(inner)),
            Verdict::Unsat(inner) => Verdict::Unsat(wrap(inner)),
            ended @ (Verdict::Stopped(_) | Verdict::Failed(_)) => ended,
        }
    }
}

impl Solver for Metered {
    fn load(&mut self, given: &Given) {
        self.inner.load(given);
        self.constraint_added();
    }

    fn solve(self: Box<Self>, assumptions: &[Lit], budget: &mut Budget) -> Verdict {
        self.call(|inner| inner.solve(assumptions, budget))
    }

    fn optimises(&self) -> bool {
        self.inner.optimises()
    }

    fn minimise(self: Box<Self>, costs: &[(Lit, u64)], budget: &mut Budget) -> Verdict {
        self.call(|inner| inner.minimise(costs, budget))
    }

    fn value(&self, lit: Lit) -> bool {
        self.inner.value(lit)
    }

    fn n_clauses(&self) -> u64 {
        self.inner.n_clauses()
    }
}
