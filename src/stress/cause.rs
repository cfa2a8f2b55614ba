//! The likely cause: mutants of the judge that print what the program printed, on every input that it answered, and
//! faults of form.

use super::Setup;
use super::form::{form, words};
use super::hunt::Trace;
use super::verdict::Verdict;
use crate::erased::{Case, MutantInfo};

/// What is known of the cause of a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Causes {
    /// Faults that give all these outputs; none if it is unlike all of them.
    Known(Vec<MutantInfo>),
    /// Nobody has looked: there is no wrong answer, or somebody asked to stop.
    NotSought,
    /// Outputs that no fault of form gives, under rules or on boards on which mutants say nothing.
    Unsaid,
}

/// The faults that reproduce all outputs: one of form, then mutants in the problem's order. White space is not looked
/// at.
pub(super) fn causes(setup: &Setup<'_>, seen: &[Trace]) -> Causes {
    let mut answered: Vec<_> = seen.iter().filter(|trace| trace.ran.verdict.has_answer()).collect();
    // No fault stands for a program whose answers are all right.
    if answered.iter().all(|trace| trace.ran.verdict != Verdict::WrongAnswer) {
        return Causes::NotSought;
    }
    // Wrong answers tell most mutants off at once, and short ones soonest.
    answered.sort_by_key(|trace| (trace.ran.verdict != Verdict::WrongAnswer, trace.input.text.len()));
    let outputs: Vec<_> = answered.iter().map(|trace| (&trace.input, trace.ran.output.as_slice())).collect();
    let mut known: Vec<_> = form(&outputs).into_iter().collect();
    let trials = &setup.bench.trials;
    let mut says = false;
    for (mutant, info) in trials.mutants().into_iter().enumerate() {
        let reproduces = answered.iter().all(|trace| {
            let cases: Vec<&dyn Case> = trace.input.games.iter().map(|game| &*game.case).collect();
            let told = if (setup.bench.stop)().is_some() { None } else { trials.tell(mutant, &cases) };
            says |= told.is_some();
            told.is_some_and(|text| words(text.as_bytes()) == words(&trace.ran.output))
        });
        known.extend(reproduces.then_some(info));
    }
    match () {
        // Whoever asked to stop gets no cause rather than a wrong one.
        () if (setup.bench.stop)().is_some() => Causes::NotSought,
        () if !says && known.is_empty() => Causes::Unsaid,
        () => Causes::Known(known),
    }
}
