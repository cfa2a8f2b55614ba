//! Measures an engine for a comparison: solves an instance, checks the answer, and takes the time of each.

use super::context::Context;
use super::exit::Status;
use super::verdict::{self, Ended, verdict};
use super::{interrupt, print};
use crate::claim;
use crate::engine::{Outcome, Work};
use crate::erased::{DynAnswer, DynInstance, DynSession};
use crate::problem::Agreement;
use crate::spec::EngineSpec;
use std::time::Duration;

/// The result of one engine on one instance.
pub(super) struct Run {
    /// The answer; `None` unless the engine decided the question.
    pub(super) answer: Option<Box<dyn DynAnswer>>,
    /// The outcome, or why there is none: the limit, `failed`, or `–` if the engine does not support the instance.
    pub(super) outcome: String,
    /// The verdict on the answer, or `–` if there is none.
    pub(super) verdict: &'static str,
    /// Why the engine failed; `None` if it did not.
    pub(super) failure: Option<String>,
    pub(super) status: Status,
    /// Why the engine does not support the instance; `None` if it does.
    pub(super) unsupported: Option<String>,
    /// The time to solve the instance.
    pub(super) time: Duration,
    /// The time to check the answer.
    pub(super) check_time: Duration,
    pub(super) work: Work,
}

/// Solves an instance, then checks the answer. Takes the time of each.
pub(super) fn solve(
    context: &Context,
    instance: &dyn DynInstance,
    engine: &mut dyn DynSession,
    limits: &super::args::Limits,
) -> Run {
    let mut budget = context.budget(limits);
    let (outcome, time) = context.timed(|| interrupt::interruptible(|| engine.solve(instance, &mut budget)));
    let mut run = Run {
        answer: None,
        outcome: String::new(),
        verdict: "–",
        failure: None,
        status: Status::Done,
        unsupported: None,
        time,
        check_time: Duration::ZERO,
        work: budget.work,
    };
    match outcome {
        Outcome::Decided(answer) => {
            let check = || answer.check(&[], &mut verdict::check_budget());
            let (claims, check_time) = context.timed(|| interrupt::interruptible(check));
            run.check_time = check_time;
            run.outcome = answer.outcome();
            run.verdict = verdict(&claims, Ended::Settled);
            run.status = if claim::any_failed(&claims) { Status::Wrong } else { Status::Done };
            run.answer = Some(answer);
        }
        Outcome::GaveUp(limit, _) => {
            run.outcome = limit.to_string();
            run.status = Status::of(limit);
        }
        Outcome::Unsupported(reason) => {
            run.outcome = "–".to_owned();
            run.unsupported = Some(reason.into());
        }
        Outcome::Failed(reason) => {
            print::warn(&format!("error: {reason}"));
            run.outcome = "failed".to_owned();
            run.status = Status::Usage;
            run.failure = Some(reason);
        }
    }
    run
}

/// Marks as wrong each answer that is not checked and contradicts a checked answer. `runs` has one run for each engine.
pub(super) fn blame(runs: &mut [Run]) {
    let contradicts = |one: &Run, other: &Run| match (&one.answer, &other.answer) {
        (Some(one), Some(other)) => one.agree(&**other) == Agreement::Contradict,
        _ => false,
    };
    let checked = |run: &&Run| run.verdict == verdict::CHECKED;
    let is_wrong =
        |run: &Run| !checked(&run) && runs.iter().filter(checked).any(|other| contradicts(run, other));
    let wrong: Vec<bool> = runs.iter().map(is_wrong).collect();
    for (run, _) in runs.iter_mut().zip(wrong).filter(|(_, is_wrong)| *is_wrong) {
        (run.verdict, run.status) = (verdict::WRONG, run.status.max(Status::Wrong));
    }
}

/// A sentence for each pair of engines whose answers contradict each other. `runs` has one run for each engine.
pub(super) fn disagreements(engines: &[EngineSpec], runs: &[Run]) -> Vec<String> {
    let answered: Vec<_> =
        engines.iter().zip(runs).filter_map(|(e, run)| Some((e, run.answer.as_deref()?))).collect();
    let mut found = Vec::new();
    for (i, (a, left)) in answered.iter().enumerate() {
        for (b, right) in &answered[i + 1..] {
            if left.agree(*right) == Agreement::Contradict {
                found.push(format!("{a} says {}, {b} says {}", left.outcome(), right.outcome()));
            }
        }
    }
    found
}
