//! The SAT engine: one call of a solver.

use super::answer::Answer;
use super::{Formula, Instance};
use counterpoint_core::engine::{Budget, Limit, Outcome, Side, Unfinished};
use counterpoint_core::solver::{self, Given, SolverFactory};
use counterpoint_core::spec::EngineSpec;
use counterpoint_encodings::Lit;
use std::sync::Arc;

/// Solves a formula.
pub fn solve(instance: &Instance, spec: &EngineSpec, budget: &mut Budget) -> Outcome<Answer> {
    let mut solver = spec.solver();
    let formula = Arc::clone(&instance.formula);
    solver.load(&Given::new(formula, instance.text.clone()));
    instance.formula.parities.iter().for_each(|(lits, odd)| solver.xor(lits, *odd));
    match solver::step(solver, &[], budget) {
        Ok((true, solver)) => Outcome::Decided(read(instance, &|lit| solver.value(lit))),
        Ok((false, _)) => Outcome::Decided(Answer::Unsatisfiable),
        Err(unfinished) => unfinished.outcome(None),
    }
}

/// Whether the engine gives its solver the clauses that the checker's plain formula has, in the same order. The checker
/// turns parity constraints into clauses in its own way.
pub fn is_obligation(instance: &Instance, spec: &EngineSpec) -> bool {
    spec.side == Side::Sat && instance.formula.parities.is_empty()
}

/// The maximum number of conflicts of all tests for one explanation.
const MAX_CONFLICTS: u64 = 100_000;

/// The maximum number of clauses and parity constraints for which an explanation looks for a minimal unsatisfiable
/// subset. Each test writes the clauses anew.
const MAX_PARTS: usize = 20_000;

/// Whether no assignment satisfies these clauses and parity constraints, given by their indices.
///
/// # Errors
/// Returns the limit of the budget that was reached, `Limit::Work` after 100,000 conflicts in total, `Limit::Memory` if
/// there are more than 20,000 parts, or `Limit::Solver` if the solver fails.
pub fn refutes(
    formula: &Formula,
    clauses: &[usize],
    parities: &[usize],
    budget: &mut Budget,
) -> Result<bool, Limit> {
    budget.poll()?;
    if clauses.len() + parities.len() > MAX_PARTS {
        return Err(Limit::Memory);
    }
    let left = MAX_CONFLICTS.saturating_sub(budget.work.conflicts).min(budget.left());
    if left == 0 {
        return Err(Limit::Work);
    }
    let mut solver = SolverFactory::default().fresh();
    for _ in 0..formula.n_vars() {
        solver.new_var();
    }
    let mut wanted = clauses.iter().copied().peekable();
    for (i, clause) in formula.clauses().enumerate() {
        if wanted.next_if_eq(&i).is_some() {
            solver.clause(clause);
        }
    }
    for (lits, odd) in parities.iter().filter_map(|&i| formula.parities.get(i)) {
        solver.xor(lits, *odd);
    }
    let mut part = budget.part(left);
    let found = solver::step(solver, &[], &mut part);
    budget.work.conflicts += part.work.conflicts;
    match found {
        Ok((satisfiable, _)) => Ok(!satisfiable),
        Err(Unfinished::Limit(limit)) => Err(limit),
        Err(Unfinished::Failed(_)) => Err(Limit::Solver),
    }
}

/// Reads the model of the formula.
pub(super) fn read(instance: &Instance, value: &dyn Fn(Lit) -> bool) -> Answer {
    Answer::Satisfiable((0..instance.formula.n_vars()).map(|var| value(Lit::positive(var))).collect())
}
