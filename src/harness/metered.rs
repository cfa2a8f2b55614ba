//! A solver that tells a gauge how large its formula is and when it is built.

use super::gauge::Gauge;
use crate::engine::Budget;
use crate::solver::{Solver, SolverFactory, Verdict};
use counterpoint_encodings::{Lit, Sink, Var};
use std::fmt;
use std::sync::Arc;

/// The same solver, metered.
pub(super) fn metered(factory: &SolverFactory, gauge: &Arc<Gauge>) -> SolverFactory {
    let (inner, gauge) = (factory.clone(), Arc::clone(gauge));
    SolverFactory::new(factory.profile().clone(), move || {
        Box::new(Metered { inner: inner.fresh(), clauses: 0, gauge: Arc::clone(&gauge) })
    })
}

struct Metered {
    inner: Box<dyn Solver>,
    clauses: u64,
    gauge: Arc<Gauge>,
}

impl Metered {
    fn tell(&self) {
        self.gauge.size(self.inner.n_vars(), self.clauses);
    }
}

impl Sink for Metered {
    fn new_var(&mut self) -> Var {
        self.inner.new_var()
    }

    fn n_vars(&self) -> u32 {
        self.inner.n_vars()
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.clauses += 1;
        self.tell();
        self.inner.clause(lits);
    }

    fn xor(&mut self, lits: &[Lit], odd: bool) {
        self.inner.xor(lits, odd);
        self.clauses = self.inner.n_clauses();
        self.tell();
    }

    fn named_var(&mut self, name: fmt::Arguments<'_>) -> Var {
        self.inner.named_var(name)
    }

    fn group(&mut self, label: &str) {
        self.inner.group(label);
    }
}

impl Solver for Metered {
    fn solve(self: Box<Self>, assumptions: &[Lit], budget: &mut Budget) -> Verdict {
        self.gauge.built();
        let Metered { inner, clauses, gauge } = *self;
        let again = |inner| Box::new(Metered { inner, clauses, gauge });
        match inner.solve(assumptions, budget) {
            Verdict::Sat(inner) => Verdict::Sat(again(inner)),
            Verdict::Unsat(inner) => Verdict::Unsat(again(inner)),
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
