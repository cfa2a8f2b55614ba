//! A wrapper around a solver that reports to a gauge how large the formula is and when it is built.

use super::gauge::Gauge;
use crate::engine::Budget;
use crate::solver::{Solver, SolverFactory, Verdict};
use counterpoint_encodings::{Forward, Lit};
use std::sync::Arc;

/// Wraps the solvers of a factory.
pub(super) fn metered(factory: &SolverFactory, gauge: &Arc<Gauge>) -> SolverFactory {
    let (inner, gauge) = (factory.clone(), Arc::clone(gauge));
    SolverFactory::new(factory.profile().clone(), move || {
        Box::new(Metered { inner: inner.fresh(), gauge: Arc::clone(&gauge) })
    })
}

struct Metered {
    inner: Box<dyn Solver>,
    gauge: Arc<Gauge>,
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
        self.gauge.set_size(self.inner.n_vars(), self.inner.n_clauses());
    }
}

impl Solver for Metered {
    fn solve(self: Box<Self>, assumptions: &[Lit], budget: &mut Budget) -> Verdict {
        self.gauge.note_built();
        let Metered { inner, gauge } = *self;
        let wrap = |inner| Box::new(Metered { inner, gauge });
        match inner.solve(assumptions, budget) {
            Verdict::Sat(inner) => Verdict::Sat(wrap(inner)),
            Verdict::Unsat(inner) => Verdict::Unsat(wrap(inner)),
            ended @ (Verdict::Stopped(_) | Verdict::Failed(_)) => ended,
        }
    }

    fn value(&self, lit: Lit) -> bool {
        self.inner.value(lit)
    }

    fn n_clauses(&self) -> u64 {
        self.inner.n_clauses()
    }
}
