//! splr: a solver in Rust in the style of Glucose, with variable elimination and vivification (feature `splr`).
//!
//! splr takes a whole formula and can solve it only once. So the clauses are stored here, and every call is a fresh run
//! with the assumptions as unit clauses. Only splr's own clock can stop it, so limits take effect after a call.

use super::{Capabilities, Count, Profile, Solver, SolverFactory, Stops, Verdict};
use crate::engine::{Budget, Limit};
use counterpoint_encodings::{Cnf, Lit, Sink, Var};
use splr::assign::property::Tusize;
use splr::{Certificate, Config, PropertyDereference, SolveIF, SolverError, VERSION};

/// The factory of splr solvers.
pub(super) fn factory() -> SolverFactory {
    let counts = [Count::Conflicts, Count::Decisions, Count::Propagations];
    let capabilities = Capabilities::new(Stops::AfterCall, &counts);
    SolverFactory::new(Profile::new("splr", VERSION, capabilities), || Box::new(Splr::default()))
}

#[derive(Default)]
struct Splr {
    formula: Cnf,
    model: Vec<bool>,
}

impl Sink for Splr {
    fn new_var(&mut self) -> Var {
        self.formula.new_var()
    }

    fn n_vars(&self) -> u32 {
        self.formula.n_vars()
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.formula.clause(lits);
    }
}

/// A timeout in seconds that splr's clock never reaches. It must be positive and finite.
const NEVER: f64 = 1e15;

impl Splr {
    /// Runs splr. Returns whether there is a model, and stores it.
    fn run(&mut self, assumptions: &[Lit], budget: &mut Budget) -> Result<bool, SolverError> {
        let dimacs = |lits: &[Lit]| lits.iter().map(|lit| lit.to_ipasir()).collect::<Vec<i32>>();
        let mut clauses: Vec<Vec<i32>> = self.formula.clauses().map(dimacs).collect();
        clauses.extend(assumptions.iter().map(|lit| vec![lit.to_ipasir()]));
        if clauses.iter().any(Vec::is_empty) {
            return Ok(false);
        }
        let config = Config { c_timeout: NEVER, quiet_mode: true, ..Config::default() };
        let mut solver = match splr::Solver::try_from((config, &clauses[..])) {
            Ok(solver) => solver,
            Err(Ok(_) | Err(SolverError::EmptyClause)) => return Ok(false),
            Err(Err(error)) => return Err(error),
        };
        let certificate = solver.solve();
        let count = |what| solver.asg.derefer(what) as u64;
        budget.work.conflicts += count(Tusize::NumConflict);
        budget.work.decisions += count(Tusize::NumDecision);
        budget.work.propagations += count(Tusize::NumPropagation);
        let Certificate::SAT(lits) = certificate? else { return Ok(false) };
        self.model.clear();
        self.model.resize(self.formula.n_vars() as usize, false);
        for lit in lits {
            if let Some(value) = self.model.get_mut(lit.unsigned_abs() as usize - 1) {
                *value = lit > 0;
            }
        }
        let holds = |lit: &Lit| self.value(*lit);
        let is_model = self.formula.clauses().all(|c| c.iter().any(holds)) && assumptions.iter().all(holds);
        if is_model { Ok(true) } else { Err(SolverError::SolverBug) }
    }
}

impl Solver for Splr {
    fn solve(mut self: Box<Self>, assumptions: &[Lit], budget: &mut Budget) -> Verdict {
        if let Err(limit) = budget.poll() {
            return Verdict::Stopped(limit);
        }
        let result = self.run(assumptions, budget);
        match (result, budget.poll()) {
            (_, Err(limit)) => Verdict::Stopped(limit),
            (Ok(true), _) => Verdict::Sat(self),
            (Ok(false), _) => Verdict::Unsat(self),
            (Err(SolverError::OutOfMemory), _) => Verdict::Stopped(Limit::Memory),
            (Err(error), _) => Verdict::Failed(format!("solver splr: {error}")),
        }
    }

    fn value(&self, lit: Lit) -> bool {
        self.model[lit.vidx()] == lit.is_pos()
    }

    fn n_clauses(&self) -> u64 {
        self.formula.clauses().len() as u64
    }
}
