//! CaDiCaL 1.9.5, built from its C++ sources with a C++ compiler (feature `cadical`).
//!
//! The binding reports no statistics, but passes on each learnt clause. We count these as conflicts. This count is
//! slightly too low, because a few conflicts learn no clause. CaDiCaL's own limit on conflicts is exact; for the other
//! limits, its terminator polls the budget.

use super::{Capabilities, Count, Profile, Solver, SolverFactory, Stops, Verdict};
use crate::engine::{Budget, Limit, Stop};
use cadical::Callbacks;
use counterpoint_encodings::{Lit, Sink, Var};

/// The factory of CaDiCaL solvers.
pub(super) fn factory() -> SolverFactory {
    let basic = Capabilities::new(Stops::Soon, &[Count::Conflicts]);
    let capabilities = Capabilities { incremental: true, assumptions: true, ..basic };
    SolverFactory::new(Profile::new("cadical", "1.9.5", capabilities), || Box::new(Cadical::new()))
}

struct Cadical {
    solver: cadical::Solver<Watch>,
    n_vars: u32,
    n_clauses: u64,
    model: Vec<bool>,
}

/// CaDiCaL's callbacks, which count learnt clauses and stop the solver at a limit.
struct Watch {
    conflicts: u64,
    stop: Stop,
    stopped: Option<Limit>,
}

impl Callbacks for Watch {
    fn terminate(&mut self) -> bool {
        self.stopped = self.stopped.or_else(|| (self.stop)());
        self.stopped.is_some()
    }

    fn max_length(&self) -> i32 {
        i32::MAX
    }

    fn learn(&mut self, _: &[i32]) {
        self.conflicts += 1;
    }
}

impl Cadical {
    fn new() -> Self {
        Cadical { solver: cadical::Solver::new(), n_vars: 0, n_clauses: 0, model: Vec::new() }
    }
}

impl Sink for Cadical {
    fn new_var(&mut self) -> Var {
        self.n_vars += 1;
        Var::new(self.n_vars - 1)
    }

    fn n_vars(&self) -> u32 {
        self.n_vars
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.n_clauses += 1;
        self.solver.add_clause(lits.iter().map(|lit| lit.to_ipasir()));
    }
}

impl Solver for Cadical {
    fn solve(mut self: Box<Self>, assumptions: &[Lit], budget: &mut Budget) -> Verdict {
        self.solver.set_callbacks(Some(Watch { conflicts: 0, stop: budget.stop(), stopped: None }));
        let limited = i32::try_from(budget.left()).ok().map(|left| self.solver.set_limit("conflicts", left));
        if let Some(Err(error)) = limited {
            return Verdict::Failed(format!("solver cadical: {error}"));
        }
        let result = self.solver.solve_with(assumptions.iter().map(|lit| lit.to_ipasir()));
        let (mut conflicts, mut stopped) = (0, None);
        if let Some(watch) = self.solver.get_callbacks() {
            (conflicts, stopped) = (watch.conflicts, watch.stopped);
        }
        if result.is_none() && stopped.is_none() {
            // CaDiCaL reached its own limit, which counts every conflict.
            conflicts = conflicts.max(budget.left());
        }
        budget.work.conflicts += conflicts;
        match result {
            Some(true) => {
                self.model = (1..=self.n_vars.cast_signed())
                    .map(|var| self.solver.value(var).unwrap_or(false))
                    .collect();
                Verdict::Sat(self)
            }
            Some(false) => Verdict::Unsat(self),
            None => Verdict::Stopped(stopped.unwrap_or(Limit::Work)),
        }
    }

    fn value(&self, lit: Lit) -> bool {
        self.model[lit.vidx()] == lit.is_pos()
    }

    fn n_clauses(&self) -> u64 {
        self.n_clauses
    }
}
