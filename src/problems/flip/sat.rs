//! `presses`: one formula, then one bound after another.
//!
//! The first model gives a number of presses; each further call demands fewer by one unit clause,
//! until there is no model.

use super::answer::Answer;
use super::{Goal, Instance, Rules, formula};
use crate::board::Digits;
use crate::choice::Choice;
use crate::engine::{Budget, Limit, Outcome};
use crate::solver;
use counterpoint_encodings::Lit;

/// As for the formula, but without a fixed bound.
///
/// # Errors
/// Why the instance is not served.
pub fn supports(rules: &Rules, instance: &Instance, choice: &Choice) -> Result<(), String> {
    if rules.within.is_some() {
        return Err("the rule within is for encode alone".to_owned());
    }
    formula::supports(rules, instance, choice)
}

/// Solves one board.
pub fn solve(rules: &Rules, instance: &Instance, choice: &Choice, budget: &mut Budget) -> Outcome<Answer> {
    let mut best = None;
    let outcome = descend(rules, instance, choice, &mut best, budget);
    let least = outcome.is_ok() && rules.goal == Goal::Least;
    let found = best.map(|presses| Answer::Presses { presses, least });
    match outcome {
        Ok(()) => Outcome::Decided(found.unwrap_or(Answer::Impossible(None))),
        Err(limit) => Outcome::GaveUp(limit, found),
    }
}

/// Leaves the fewest presses found so far in `best`.
fn descend(
    rules: &Rules,
    instance: &Instance,
    choice: &Choice,
    best: &mut Option<Digits>,
    budget: &mut Budget,
) -> Result<(), Limit> {
    // Ids are resolved against the list of solvers, so the name is known.
    let Some(mut solver) = solver::new(choice.solver()) else { return Err(Limit::Cancelled) };
    let press: Vec<Lit> = formula::presses(rules, instance, formula::parity(choice), &mut *solver);
    let mut total = None;
    loop {
        let (sat, next) = solver::step(solver, &[], budget)?;
        solver = next;
        if !sat {
            return Ok(());
        }
        let pressed = press.iter().enumerate().filter(|(_, lit)| solver.value(**lit));
        let presses = Digits::counts(instance.size.cells(), pressed.map(|(i, _)| i));
        let n = presses.total();
        *best = Some(presses);
        if n == 0 || rules.goal == Goal::Any {
            return Ok(());
        }
        let total = total.get_or_insert_with(|| formula::count(&press, &mut *solver));
        if let Some(as_many) = total.more_than(n - 1) {
            solver.clause(&[!as_many]);
        }
    }
}
