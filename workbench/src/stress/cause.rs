//! Finds the likely causes of a difference. A cause is a format fault or a mutant that prints, on every input that the
//! program answered, what the program printed. If there is no cause, finds the nearest mutant: the one that prints the
//! same as the program on the most inputs.

use super::format::explain;
use super::input::Origin;
use super::search::Trace;
use super::verdict::Verdict;
use super::{Setup, Stage};
use crate::erased::{DynInstance, MutantInfo};
use crate::problem::Printed;

/// The likely causes of a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Causes {
    /// Faults that explain all outputs; empty if no known fault does.
    Known(Vec<MutantInfo>),
    /// No fault explains all outputs, but this mutant agrees with the program on more inputs than the reference does.
    Nearest(NearestFault),
    /// The search for causes was not made or not finished: there is no wrong answer, or the user asked to stop.
    NotSearched,
    /// No format fault explains the outputs, and mutants do not support these rules or boards.
    Unsupported,
}

/// The mutant that explains the most outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NearestFault {
    /// The fault.
    pub info: MutantInfo,
    /// The number of inputs on which the mutant prints what the program printed.
    pub agrees: usize,
    /// The number of inputs that were compared.
    pub compared: usize,
    /// By trial, the number of compared inputs on which the mutant prints something else.
    pub differs: Vec<Count>,
}

/// How many inputs of a trial have a certain property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// The name of the trial.
    pub trial: &'static str,
    /// The number of inputs with the property.
    pub some: usize,
    /// The number of all inputs.
    pub all: usize,
}

/// To find the nearest mutant, all mutants are compared on at most this many wrongly answered inputs, and on at most
/// this many correctly answered inputs.
const MAX_COMPARED: usize = 100;

/// The faults that reproduce all outputs: a format fault, then mutants in the problem's order; or else the nearest
/// mutant. White space is ignored.
pub(super) fn causes(setup: &Setup<'_>, traces: &[Trace]) -> Causes {
    let mut answered: Vec<_> = traces.iter().filter(|trace| trace.ran.verdict.has_answer()).collect();
    if answered.iter().all(|trace| trace.ran.verdict != Verdict::WrongAnswer) {
        return Causes::NotSearched;
    }
    // Wrong answers rule out most mutants at once, and short inputs are the quickest.
    answered.sort_by_key(|trace| (trace.ran.verdict != Verdict::WrongAnswer, trace.input.text.len()));
    let outputs: Vec<_> = answered.iter().map(|trace| (&trace.input, trace.ran.output.as_slice())).collect();
    let trials = &setup.bench.trials;
    // Format faults are defined relative to the single right output, so they need inputs that have only one.
    let format = if trials.has_judge() { None } else { explain(&outputs) };
    let mut known: Vec<_> = format.into_iter().collect();
    let mut supported = false;
    for (mutant, info) in trials.mutants().into_iter().enumerate() {
        let reproduces = answered.iter().all(|trace| {
            let instances: Vec<&dyn DynInstance> =
                trace.input.games.iter().map(|game| &*game.instance).collect();
            let same = if (setup.bench.stop)().is_some() {
                None
            } else {
                trials.may_print(mutant, &instances, printed(trace))
            };
            supported |= same.is_some();
            same == Some(true)
        });
        known.extend(reproduces.then_some(info));
    }
    let near = if known.is_empty() && supported { nearest(setup, &answered) } else { None };
    if let Some(near) = near {
        return Causes::Nearest(near);
    }
    match () {
        // After a stop, the comparison is incomplete, so no cause is named.
        () if (setup.bench.stop)().is_some() => Causes::NotSearched,
        () if !supported && known.is_empty() => Causes::Unsupported,
        () => Causes::Known(known),
    }
}

/// What the program printed in a run.
fn printed(trace: &Trace) -> Printed<'_> {
    Printed { output: &trace.ran.output, status: trace.ran.status }
}

/// The mutant that agrees with the program on the most inputs, if it agrees on more inputs than the reference does. The
/// comparison uses the shortest [`MAX_COMPARED`] wrongly answered inputs, and the shortest [`MAX_COMPARED`] correctly
/// answered inputs.
fn nearest(setup: &Setup<'_>, answered: &[&Trace]) -> Option<NearestFault> {
    // Inputs from shrinking are omitted, because they resemble each other.
    let own = || answered.iter().filter(|trace| trace.input.origin != Origin::Shrunk);
    let is_wrong = |trace: &&&Trace| trace.ran.verdict == Verdict::WrongAnswer;
    let wrong = own().filter(is_wrong).take(MAX_COMPARED);
    let right = own().filter(|trace| !is_wrong(trace)).take(MAX_COMPARED);
    let compared: Vec<&Trace> = wrong.chain(right).copied().collect();
    let n_right = compared.iter().filter(|trace| trace.ran.verdict != Verdict::WrongAnswer).count();
    let trials = &setup.bench.trials;
    let mut best: Option<(usize, MutantInfo, Vec<bool>)> = None;
    'mutants: for (mutant, info) in trials.mutants().into_iter().enumerate() {
        let prints = |trace: &&Trace| {
            let instances: Vec<&dyn DynInstance> =
                trace.input.games.iter().map(|game| &*game.instance).collect();
            trials.may_print(mutant, &instances, printed(trace)) == Some(true)
        };
        let mut same = Vec::new();
        for trace in &compared {
            if (setup.is_over)(Stage::Compare) {
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
        let differs = by_trial(&owned, |_| same.next() == Some(false));
        NearestFault { info, agrees, compared: owned.len(), differs }
    })
}

/// Counts, by trial, the generated inputs with a property. Trials without such an input are omitted.
pub(super) fn by_trial(traces: &[Trace], mut has_property: impl FnMut(&Trace) -> bool) -> Vec<Count> {
    let mut counts: Vec<Count> = Vec::new();
    for trace in traces {
        let some = usize::from(has_property(trace));
        let Origin::Generated(_, trial) = trace.input.origin else { continue };
        match counts.iter_mut().find(|count| count.trial == trial) {
            Some(count) => (count.some, count.all) = (count.some + some, count.all + 1),
            None => counts.push(Count { trial, some, all: 1 }),
        }
    }
    counts.retain(|count| count.some > 0);
    counts
}
