//! The SAT engine: one call of a solver.

use super::answer::Answer;
use super::{Instance, formula};
use crate::engine::{Budget, Outcome};
use crate::solver;
use crate::spec::EngineSpec;
use counterpoint_encodings::Lit;

/// Solves a formula.
pub fn solve(instance: &Instance, spec: &EngineSpec, budget: &mut Budget) -> Outcome<Answer> {
    let mut solver = spec.solver();
    if let Err(reason) = formula::write(instance, &mut *solver) {
        return Outcome::Unsupported(reason);
    }
    match solver::step(solver, &[], budget) {
        Ok((true, solver)) => Outcome::Decided(read(instance, &|lit| solver.value(lit))),
        Ok((false, _)) => Outcome::Decided(Answer::Unsatisfiable),
        Err(unfinished) => unfinished.outcome(None),
    }
}

/// Reads the model of the formula.
pub(super) fn read(instance: &Instance, value: &dyn Fn(Lit) -> bool) -> Answer {
    Answer::Satisfiable((0..instance.formula.n_vars()).map(|var| value(Lit::positive(var))).collect())
}
