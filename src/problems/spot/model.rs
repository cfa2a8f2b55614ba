//! Models of Spot's formulas, read back: endings with their completed records, and which verdict an answer predicts.

use super::answer::{Answer, Ending, Finding};
use super::{Instance, Rules, Spot, check, formula, sat};
use crate::engine::Budget;
use crate::problem::{Assignment, DecodedModel, ModelKind};
use crate::spec::EngineSpec;
use counterpoint_encodings::Sink;

/// The ending of a model with its completed record, as an answer with its claims.
///
/// # Errors
/// Why the engine's formula cannot be written again.
pub fn read(
    rules: &Rules,
    instance: &Instance,
    Assignment { spec, sink, value, kind }: Assignment<'_>,
    budget: &mut Budget,
) -> Result<DecodedModel, String> {
    let answer = match kind {
        ModelKind::UnderAssumptions => sat::decode_ending(rules, instance, spec, sink, value)?,
        ModelKind::Plain | ModelKind::Optimum => sat::decode(rules, instance, spec, sink, value)?,
    };
    Ok(DecodedModel::answer::<Spot>(rules, instance, &answer, budget))
}

/// Whether a formula is satisfiable, by an answer. The base question is the last ending, the draw.
pub fn satisfiable(_: &Rules, _: &EngineSpec, answer: &Answer) -> Option<bool> {
    match answer {
        Answer::Draw => Some(true),
        Answer::Repeat { .. } => Some(false),
        Answer::Smudged(findings) => match findings.last() {
            Some(Finding::Possible(_)) => Some(true),
            Some(Finding::Refuted) => Some(false),
            Some(Finding::Open) | None => None,
        },
    }
}

/// The formula of a refuted ending: a repeat has its own, the draw is the base question.
pub fn obligation_formula(
    rules: &Rules,
    instance: &Instance,
    answer: &Answer,
    spec: &EngineSpec,
    obligation: usize,
    sink: &mut dyn Sink,
) -> Option<Result<(), String>> {
    match check::refuted(instance, answer).nth(obligation)? {
        Ending::Repeat(mv) => Some(formula::write_repeat(rules, instance, spec, mv, sink)),
        Ending::Draw => None,
    }
}
