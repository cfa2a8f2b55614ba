//! Turns models of formulas that were written for other solvers into answers.

use super::answer::Answer;
use super::{Cnf, Instance, formula, sat};
use counterpoint_core::engine::Budget;
use counterpoint_core::errors::Unsupported;
use counterpoint_core::problem::{Assignment, DecodedModel};
use counterpoint_encodings::Lit;

/// The model as an answer with its claims.
///
/// # Errors
/// Returns the errors of [`formula::write`], which has none.
pub fn read(
    instance: &Instance,
    Assignment { sink, value, .. }: Assignment<'_>,
    budget: &mut Budget,
) -> Result<DecodedModel, Unsupported> {
    formula::write(instance, sink)?;
    Ok(DecodedModel::answer::<Cnf>(&(), instance, &sat::read(instance, value), budget))
}

/// The answer if the formula has no model.
///
/// # Errors
/// Returns an error if the formula has parity constraints: the solver and the checker turn them into different clauses.
pub fn if_refuted(instance: &Instance) -> Result<Answer, Unsupported> {
    match instance.formula.parities.len() {
        0 => Ok(Answer::Unsatisfiable),
        n => Err(format!(
            "its {n} parity constraints (x lines) become different clauses in solver and checker; \
             only a formula of clauses alone can be split"
        )
        .into()),
    }
}

/// The model as an answer.
///
/// # Errors
/// Never returns an error.
pub fn of_model(instance: &Instance, value: &dyn Fn(Lit) -> bool) -> Result<Answer, Unsupported> {
    Ok(sat::read(instance, value))
}

/// Whether the formula is satisfiable, provided that the answer is right.
pub fn satisfiable(answer: &Answer) -> bool {
    matches!(answer, Answer::Satisfiable(_))
}
