//! The likely cause: mutants of the judge that print what the program printed, on every input that it answered.

use super::Setup;
use super::hunt::Trace;
use super::verdict::Verdict;
use crate::erased::MutantInfo;

/// The mutants that reproduce all outputs, in the problem's order. White space is not looked at.
///
/// No mutant stands for a program whose answers are all right.
pub(super) fn causes(setup: &Setup<'_>, seen: &[Trace]) -> Vec<MutantInfo> {
    let mut answered: Vec<_> = seen.iter().filter(|trace| trace.ran.verdict.has_answer()).collect();
    if answered.iter().all(|trace| trace.ran.verdict != Verdict::WrongAnswer) {
        return Vec::new();
    }
    // Wrong answers tell most mutants off at once, and short ones soonest.
    answered.sort_by_key(|trace| (trace.ran.verdict != Verdict::WrongAnswer, trace.input.text.len()));
    let trials = &setup.bench.trials;
    let reproduces = |mutant: usize| {
        answered.iter().all(|trace| {
            // Whoever asked to stop gets no cause rather than a wrong one.
            if (setup.bench.stop)().is_some() {
                return false;
            }
            let cases: Vec<_> = trace.input.games.iter().map(|game| &*game.case).collect();
            let told = trials.tell(mutant, &cases);
            told.is_some_and(|text| same_words(text.as_bytes(), &trace.ran.output))
        })
    };
    let numbered = trials.mutants().into_iter().enumerate();
    numbered.filter(|(mutant, _)| reproduces(*mutant)).map(|(_, info)| info).collect()
}

fn same_words(a: &[u8], b: &[u8]) -> bool {
    let words = |text: &[u8]| {
        text.split(u8::is_ascii_whitespace).filter(|w| !w.is_empty()).map(<[u8]>::to_vec).collect::<Vec<_>>()
    };
    words(a) == words(b)
}
