//! A board a step, or all the boards that a step may produce, as the model has it.

use super::formula;
use super::{Instance, Rules};
use crate::choice::Choice;
use crate::problem::Scene;
use counterpoint_encodings::Sink;

/// The boards beside the formula of the base question.
///
/// # Errors
/// As for the formula.
pub fn scene(
    rules: &Rules,
    instance: &Instance,
    choice: &Choice,
    sink: &mut dyn Sink,
) -> Result<Scene, String> {
    let mut model = formula::whole(rules, instance, choice)?;
    formula::draw(instance, &mut *model, sink);
    let question = "the record can be completed so that no pattern comes twice".to_owned();
    Ok(Scene { question, strips: model.strips() })
}
