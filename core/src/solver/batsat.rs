//! batsat: MiniSat in Rust.

use super::{Capabilities, Count, Profile, Solver, SolverFactory, Stops, Verdict};
use crate::engine::{Budget, Limit, Stop};
use batsat::{Callbacks, SolverInterface, lbool};
use counterpoint_encodings::{Lit, Sink, Var};
use std::cell::Cell;

/// The factory of batsat solvers.
pub(super) fn factory() -> SolverFactory {
    let counts = [Count::Conflicts, Count::Decisions, Count::Propagations];
    let basic = Capabilities::new(Stops::Soon, &counts);
    let capabilities = Capabilities { incremental: true, assumptions: true, ..basic };
    SolverFactory::new(Profile::new("batsat", "0.6.0", capabilities), || Box::new(Batsat::new()))
}

struct Batsat {
    solver: batsat::Solver<Watch>,
    n_clauses: u64,
    clause: Vec<batsat::Lit>,
    model: Vec<bool>,
}

/// batsat's callbacks, which count learnt clauses and stop the solver at a limit.
struct Watch {
    conflicts: u64,
    max_conflicts: u64,
    stop: Stop,
    stopped: Cell<Option<Limit>>,
}

impl Callbacks for Watch {
    fn on_new_clause(&mut self, _: &[batsat::Lit], kind: batsat::ClauseKind) {
        self.conflicts += u64::from(matches!(kind, batsat::ClauseKind::Learnt));
    }

    fn stop(&self) -> bool {
        if self.stopped.get().is_none() {
            let over = (self.conflicts > self.max_conflicts).then_some(Limit::Work);
            self.stopped.set((self.stop)().or(over));
        }
        self.stopped.get().is_some()
    }
}

fn lit(lit: Lit) -> batsat::Lit {
    batsat::Lit::new(batsat::Var::unsafe_from_idx(lit.vidx32()), lit.is_pos())
}

impl Batsat {
    fn new() -> Self {
        let stop = Budget::unlimited().stop();
        let watch = Watch { conflicts: 0, max_conflicts: u64::MAX, stop, stopped: Cell::new(None) };
        let solver = batsat::Solver::new(batsat::SolverOpts::default(), watch);
        Batsat { solver, n_clauses: 0, clause: Vec::new(), model: Vec::new() }
    }
}

impl Sink for Batsat {
    fn new_var(&mut self) -> Var {
        Var::new(self.solver.new_var_default().idx())
    }

    fn n_vars(&self) -> u32 {
        self.solver.num_vars()
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.n_clauses += 1;
        self.clause.clear();
        self.clause.extend(lits.iter().map(|&l| lit(l)));
        // The returned flag can be ignored: if it says that the formula is unsatisfiable, so does the next
        // call of `solve`.
        self.solver.add_clause_reuse(&mut self.clause);
    }
}

impl Solver for Batsat {
    fn solve(mut self: Box<Self>, assumptions: &[Lit], budget: &mut Budget) -> Verdict {
        let assumed: Vec<_> = assumptions.iter().map(|&l| lit(l)).collect();
        let count = |s: &batsat::Solver<Watch>| [s.num_conflicts(), s.num_decisions(), s.num_propagations()];
        let before = count(&self.solver);
        let watch = self.solver.cb_mut();
        watch.max_conflicts = watch.conflicts.saturating_add(budget.left());
        watch.stop = budget.stop();
        let result = self.solver.solve_limited(&assumed);
        let after = count(&self.solver);
        budget.work.conflicts += after[0] - before[0];
        budget.work.decisions += after[1] - before[1];
        budget.work.propagations += after[2] - before[2];
        if result == lbool::TRUE {
            let model = self.solver.get_model();
            self.model = (0..self.solver.num_vars() as usize)
                .map(|v| model.get(v).is_some_and(|&value| value == lbool::TRUE))
                .collect();
            Verdict::Sat(self)
        } else if result == lbool::FALSE {
            Verdict::Unsat(self)
        } else {
            Verdict::Stopped(self.solver.cb().stopped.get().unwrap_or(Limit::Cancelled))
        }
    }

    fn value(&self, lit: Lit) -> bool {
        self.model[lit.vidx()] == lit.is_pos()
    }

    fn n_clauses(&self) -> u64 {
        self.n_clauses
    }
}
