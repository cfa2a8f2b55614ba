//! Decodes models of Spot's formulas into endings with completed records, and says whether, according to an answer, a
//! formula is satisfiable.

use super::answer::{Answer, Ending, Finding};
use super::{Instance, Rules, Spot, check, formula, sat};
use counterpoint_core::engine::Budget;
use counterpoint_core::errors::Unsupported;
use counterpoint_core::problem::{Assignment, DecodedModel, ModelKind};
use counterpoint_core::spec::EngineSpec;
use counterpoint_encodings::Sink;

/// Decodes a model: the ending and the completed record, as an answer with its claims.
///
/// # Errors
/// Returns why the engine cannot write the formula again. Decoding writes it to learn what the variables mean.
pub fn read(
    rules: &Rules,
    instance: &Instance,
    Assignment { spec, sink, value, kind }: Assignment<'_>,
    budget: &mut Budget,
) -> Result<DecodedModel, Unsupported> {
    let answer = match kind {
        ModelKind::UnderAssumptions => sat::decode_ending(rules, instance, spec, sink, value)?,
        ModelKind::Plain | ModelKind::Optimum => sat::decode(rules, instance, spec, sink, value)?,
    };
    Ok(DecodedModel::answer::<Spot>(rules, instance, &answer, budget))
}

/// The answer if the formula that [`formula::write`] writes has no model: no completion is a draw. The other endings are
/// open.
///
/// # Errors
/// If all moves are known, no answer follows, because the formula does not say which move repeats a board.
pub fn if_refuted(_: &Rules, instance: &Instance, _: &EngineSpec) -> Result<Answer, Unsupported> {
    if instance.first_unknown().is_none() {
        return Err(
            "all moves are known, and one formula does not say which of them repeats a board; use a search"
                .into(),
        );
    }
    let mut findings = vec![Finding::Open; instance.record.len()];
    findings.push(Finding::Refuted);
    Ok(Answer::Smudged(findings))
}

/// The completed record of a model as an answer.
///
/// # Errors
/// Returns why the engine cannot write the formula again.
pub fn of_model(
    rules: &Rules,
    instance: &Instance,
    Assignment { spec, sink, value, .. }: Assignment<'_>,
) -> Result<Answer, Unsupported> {
    sat::decode(rules, instance, spec, sink, value)
}

/// Whether the formula that [`formula::write`] writes is satisfiable, according to an answer; `None` if the answer does
/// not decide this. The formula is satisfiable if and only if a draw is possible, and the draw is the last of the
/// endings.
pub fn satisfiable(_: &Rules, _: &EngineSpec, answer: &Answer) -> Option<bool> {
    match answer {
        Answer::Draw => Some(true),
        Answer::Repeat { .. } | Answer::RepeatAt(_) => Some(false),
        Answer::Smudged(findings) => match findings.last() {
            Some(Finding::Possible(_) | Finding::Unwitnessed) => Some(true),
            Some(Finding::Refuted) => Some(false),
            Some(Finding::Open) | None => None,
        },
    }
}

/// Writes the engine's formula for the ending that an obligation refutes. Returns `None` for the draw, because
/// [`formula::write`] writes the formula of the draw.
pub fn obligation_formula(
    rules: &Rules,
    instance: &Instance,
    answer: &Answer,
    spec: &EngineSpec,
    obligation: usize,
    sink: &mut dyn Sink,
) -> Option<Result<(), Unsupported>> {
    match check::refuted(instance, answer).nth(obligation)? {
        Ending::Repeat(mv) => Some(formula::write_repeat(rules, instance, spec, mv, sink)),
        Ending::Draw => None,
    }
}
