//! The likely cause: mutants of the judge that print what the program printed, on every input that it answered, and
//! faults of form. Where there is none, the mutant that does so most often.

use super::form::{form, words};
use super::hunt::Trace;
use super::input::Origin;
use super::verdict::Verdict;
use super::{Setup, Stage};
use crate::erased::{DynInstance, MutantInfo};

/// What is known of the cause of a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Causes {
    /// Faults that give all these outputs; none if it is unlike all of them.
    Known(Vec<MutantInfo>),
    /// No fault gives them all, but this one gives more of them than a program without a fault.
    Nearest(Near),
    /// Nobody has looked: there is no wrong answer, or somebody asked to stop.
    NotSought,
    /// Outputs that no fault of form gives, under rules or on boards on which mutants say nothing.
    Unsaid,
}

/// The known fault that comes nearest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Near {
    /// The fault.
    pub info: MutantInfo,
    /// Inputs on which such a program prints what the program printed, and how many were compared.
    pub agrees: usize,
    /// See `agrees`.
    pub of: usize,
    /// The trials on whose inputs it prints something else: how many inputs, and of how many.
    pub differs: Vec<(&'static str, usize, usize)>,
}

/// The most inputs with a wrong answer, and with a right one, on which mutants are compared one by one.
const COMPARED: usize = 100;

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
            let instances: Vec<&dyn DynInstance> =
                trace.input.games.iter().map(|game| &*game.instance).collect();
            let told = if (setup.bench.stop)().is_some() { None } else { trials.tell(mutant, &instances) };
            says |= told.is_some();
            told.is_some_and(|text| words(text.as_bytes()) == words(&trace.ran.output))
        });
        known.extend(reproduces.then_some(info));
    }
    let near = if known.is_empty() && says { nearest(setup, &answered) } else { None };
    if let Some(near) = near {
        return Causes::Nearest(near);
    }
    match () {
        // Whoever asked to stop gets no cause rather than a wrong one.
        () if (setup.bench.stop)().is_some() => Causes::NotSought,
        () if !says && known.is_empty() => Causes::Unsaid,
        () => Causes::Known(known),
    }
}

/// The mutant that prints what the program printed on most inputs, if on more than are right; the shortest inputs are
/// compared, the wrong answers first.
fn nearest(setup: &Setup<'_>, answered: &[&Trace]) -> Option<Near> {
    // What comes from making one input small is much alike.
    let own = || answered.iter().filter(|trace| trace.input.origin != Origin::Shrunk);
    let is_wrong = |trace: &&&Trace| trace.ran.verdict == Verdict::WrongAnswer;
    let wrong = own().filter(is_wrong).take(COMPARED);
    let right = own().filter(|trace| !is_wrong(trace)).take(COMPARED);
    let compared: Vec<&Trace> = wrong.chain(right).copied().collect();
    let n_right = compared.iter().filter(|trace| trace.ran.verdict != Verdict::WrongAnswer).count();
    let trials = &setup.bench.trials;
    let mut best: Option<(usize, MutantInfo, Vec<bool>)> = None;
    'mutants: for (mutant, info) in trials.mutants().into_iter().enumerate() {
        let prints = |trace: &&Trace| {
            let instances: Vec<&dyn DynInstance> =
                trace.input.games.iter().map(|game| &*game.instance).collect();
            let told = trials.tell(mutant, &instances);
            told.is_some_and(|text| words(text.as_bytes()) == words(&trace.ran.output))
        };
        let mut same = Vec::new();
        for trace in &compared {
            if (setup.over)(Stage::Compare) {
                break 'mutants;
            }
            same.push(prints(trace));
        }
        let agrees = same.iter().filter(|same| **same).count();
        if agrees > best.as_ref().map_or(n_right, |(most, ..)| *most) {
            best = Some((agrees, info, same));
        }
    }
    best.map(|(agrees, info, same)| {
        let owned: Vec<Trace> = compared.iter().map(|trace| (*trace).clone()).collect();
        let mut same = same.into_iter();
        Near { info, agrees, of: owned.len(), differs: by_trial(&owned, |_| same.next() == Some(false)) }
    })
}

/// The trials with inputs that are meant, in order: how many inputs are, and of how many.
pub(super) fn by_trial(
    traces: &[Trace],
    mut is_meant: impl FnMut(&Trace) -> bool,
) -> Vec<(&'static str, usize, usize)> {
    let mut counts: Vec<(&'static str, usize, usize)> = Vec::new();
    for trace in traces {
        let meant = usize::from(is_meant(trace));
        let Origin::Generated(_, trial) = trace.input.origin else { continue };
        match counts.iter_mut().find(|(name, ..)| *name == trial) {
            Some((_, some, all)) => (*some, *all) = (*some + meant, *all + 1),
            None => counts.push((trial, meant, 1)),
        }
    }
    counts.retain(|(_, some, _)| *some > 0);
    counts
}
