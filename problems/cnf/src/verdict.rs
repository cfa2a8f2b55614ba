//! Judges what SAT solvers print. A printed model may omit variables, because MiniSat prints no values of
//! variables that occur in no clause. But each constraint must hold whatever the values of the omitted
//! variables are.

use super::Instance;
use super::answer::Answer;
use super::check::broken;
use super::write::{self, Claim};
use counterpoint_core::problem::{Judgement, Printed};

/// The exit status of a program that found a model.
pub(super) const SATISFIABLE: u8 = 10;
/// The exit status of a program that found that there is no model.
pub(super) const UNSATISFIABLE: u8 = 20;

/// Judges an output. `answer` is an answer that the checker has verified.
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
