//! Judges what SAT solvers print. A model may omit variables, but each constraint must hold whatever their values are:
//! MiniSat prints no values of variables that occur in no clause.

use super::answer::Answer;
use super::check::{Values, broken};
use super::{Instance, write};
use counterpoint_core::problem::{Judgement, Printed};

/// The exit status of a program that found a model.
pub(super) const SATISFIABLE: u8 = 10;
/// The exit status of a program that found that there is no model.
pub(super) const UNSATISFIABLE: u8 = 20;

/// What a solver printed, as far as it is well formed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    /// Whether there is a model; `None` for `s UNKNOWN`.
    pub(super) satisfiable: Option<bool>,
    /// The printed values of the variables.
    pub(super) values: Values,
    /// Whether a 0 ends the model.
    pub(super) is_complete: bool,
}

/// Judges an output. `answer` is checked.
pub(super) fn judge(instance: &Instance, answer: &Answer, printed: Printed<'_>) -> Judgement {
    let failed = ![0, SATISFIABLE.into(), UNSATISFIABLE.into()].contains(&printed.status);
    let claim = match write::read_claim(instance, printed.output) {
        Ok(Claim { satisfiable: None, .. }) => return Judgement::Unknown,
        _ if failed => return Judgement::Crashed,
        Ok(claim) => claim,
        Err(error) => return Judgement::Wrong(error.to_string()),
    };
    match wrong(instance, answer, &claim) {
        Some(reason) => Judgement::Wrong(reason),
        None => {
            let expected =
                i32::from(if claim.satisfiable == Some(true) { SATISFIABLE } else { UNSATISFIABLE });
            match printed.status {
                status if status == expected => Judgement::Right,
                status => Judgement::Wrong(format!("its exit status is {status}; expected {expected}")),
            }
        }
    }
}

/// Why a claim is wrong.
fn wrong(instance: &Instance, answer: &Answer, claim: &Claim) -> Option<String> {
    match (claim.satisfiable, answer) {
        (Some(false), Answer::Satisfiable(_)) => Some("the formula has a model".to_owned()),
        (Some(false), _) if claim.values.iter().any(Option::is_some) => Some(write::MODEL.to_owned()),
        (Some(false), Answer::Unsatisfiable) => None,
        (_, Answer::Unsatisfiable) if !claim.is_complete => Some("the formula has no model".to_owned()),
        _ if !claim.is_complete && instance.formula.n_vars() > 0 => Some(write::NO_MODEL.to_owned()),
        _ => broken(&instance.formula, &claim.values),
    }
}
