//! Reads models of written formulas as answers.

use super::answer::Answer;
use super::{Cnf, Instance, formula, sat};
use counterpoint_core::engine::Budget;
use counterpoint_core::errors::Unsupported;
use counterpoint_core::problem::{Assignment, DecodedModel};

/// The model as an answer with its claims.
///
/// # Errors
/// Returns why the formula cannot be written again.
pub fn read(
    instance: &Instance,
    Assignment { sink, value, .. }: Assignment<'_>,
    budget: &mut Budget,
) -> Result<DecodedModel, Unsupported> {
    formula::write(instance, sink)?;
    Ok(DecodedModel::answer::<Cnf>(&(), instance, &sat::read(instance, value), budget))
}

/// Whether the formula is satisfiable, provided that the answer is right.
pub fn satisfiable(answer: &Answer) -> bool {
    matches!(answer, Answer::Satisfiable(_))
}
