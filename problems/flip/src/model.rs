//! Reads models of Flip's formulas as presses, and predicts from an answer whether a formula is satisfiable.

use super::answer::Answer;
use super::{Flip, Goal, Instance, Rules, sat};
use counterpoint_core::claim::Claim;
use counterpoint_core::engine::Budget;
use counterpoint_core::errors::Unsupported;
use counterpoint_core::problem::{Assignment, DecodedModel, ModelKind};
use counterpoint_core::rules::Settings;
use counterpoint_core::spec::EngineSpec;
use std::sync::Arc;

/// The presses of a model, as an answer with its claims.
///
/// # Errors
/// Returns why the engine's formula cannot be written. It is written again to learn what its variables mean.
pub fn read(
    rules: &Rules,
    instance: &Instance,
    Assignment { spec, sink, value, kind }: Assignment<'_>,
    budget: &mut Budget,
) -> Result<DecodedModel, Unsupported> {
    let presses = sat::decode(rules, instance, spec, sink, value)?;
    let n = presses.total();
    let answer = Answer::Presses { presses: Arc::new(presses), optimal: kind == ModelKind::Optimum };
    let Some(max) = rules.within else {
        return Ok(DecodedModel::answer::<Flip>(rules, instance, &answer, budget));
    };
    // Under the rule `within`, any number of presses up to its bound answers the question.
    let any = Rules { within: None, goal: Goal::Any, ..rules.clone() };
    let mut decoded = DecodedModel::answer::<Flip>(&any, instance, &answer, budget);
    let kept = if n <= max as usize { Ok(()) } else { Err(format!("there are {n}")) };
    decoded.claims.push(Claim::replayed(format!("at most {max} presses are made"), kept));
    Ok(decoded)
}

/// The answer if the formula of the base question has no model: no presses solve the board.
///
/// # Errors
/// Under the rule `within`, no answer follows.
pub fn if_refuted(rules: &Rules, _: &Instance, _: &EngineSpec) -> Result<Answer, Unsupported> {
    match rules.within {
        None => Ok(Answer::Impossible(None)),
        Some(max) => Err(format!(
            "under the rule within={max}, a formula without a model says that more than {max} presses are needed, \
             which is not an answer; without this rule, it says that the board is impossible"
        )
        .into()),
    }
}

/// The presses of a model as an answer.
///
/// # Errors
/// Returns why the engine's formula cannot be written again.
pub fn of_model(
    rules: &Rules,
    instance: &Instance,
    Assignment { spec, sink, value, .. }: Assignment<'_>,
) -> Result<Answer, Unsupported> {
    let presses = sat::decode(rules, instance, spec, sink, value)?;
    Ok(Answer::Presses { presses: Arc::new(presses), optimal: false })
}

/// Whether the formula of the base question is satisfiable, provided that `answer` is right. `None` if the answer has
/// more presses than the rule `within` allows and does not claim that they are the fewest.
pub fn satisfiable(rules: &Rules, _: &EngineSpec, answer: &Answer) -> Option<bool> {
    match (answer.number(), rules.within) {
        (None, _) => Some(false),
        (Some(_), None) => Some(true),
        (Some(count), Some(max)) if count.presses <= max as usize => Some(true),
        (Some(count), Some(_)) => count.optimal.then_some(false),
    }
}

/// The settings with which a search decides whether the bound `within` can be met; `None` if `within` is not
/// set. Two settings are removed: `within`, which searches do not support, and `goal`, so that the search
/// finds the fewest presses.
pub fn search_settings(settings: &Settings) -> Option<Settings> {
    (settings.get("within") != "none").then(|| settings.clone().without(&["within", "goal"]))
}
