//! Stress tests: somebody's judge program, in any language, against the reference, on inputs made to hurt.
//!
//! ```text
//! trials ─► inputs ─► program, in parallel ─► first difference ─► smallest input ─► cause
//!              └────► reference ─► expected ─────────┘
//! ```
//!
//! An input is a pure function of the seed and its number, and the first difference is that of the lowest number, so
//! threads change nothing. The cause is named only where a mutant reference prints what the program printed, on all
//! inputs that were run. The clock is read by whoever hands in `over`.

mod cause;
pub mod cnf;
mod crew;
mod hunt;
mod input;
mod package;
mod program;
mod shrink;
mod verdict;

pub use hunt::Trace;
pub use input::{Bench, Game, Input, Origin, Plan, Reference};
pub use package::write_package;
pub use program::{Program, Ran};
pub use verdict::{Verdict, first_difference};

use crate::erased::{MutantInfo, Workbench};
use crate::input::{Source, Warnings};

/// Inputs that are run behind a first wrong answer, to tell causes apart.
const EVIDENCE: u64 = 30;

/// Who is tested, and how.
pub struct Setup<'a> {
    /// The problem.
    pub bench: Bench<'a>,
    /// The program.
    pub program: Program<'a>,
    /// Runs at a time.
    pub threads: usize,
    /// Whether no further input shall be started at this stage.
    pub over: &'a (dyn Fn(Stage) -> bool + Sync),
}

/// What runs are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// To find a difference.
    Hunt,
    /// To make it small and find its cause.
    Shrink,
}

/// What became of a series of inputs.
#[derive(Default)]
pub struct Outcome {
    /// Inputs that were run, up to the first difference.
    pub inputs: usize,
    /// Their games.
    pub games: usize,
    /// The first difference.
    pub wrong: Option<Finding>,
    /// The first difference where the statement does not say what is right.
    pub silent: Option<Finding>,
}

/// A difference, made small.
pub struct Finding {
    /// The input on which it was found.
    pub first: Trace,
    /// The smallest one.
    pub least: Trace,
    /// Runs that making it small took.
    pub runs: usize,
    /// Whether some game fails alone; else several are needed in one input.
    pub alone: bool,
    /// Whether the same games failed in a second run.
    pub repeats: bool,
    /// The likely causes.
    pub causes: Vec<MutantInfo>,
    /// Inputs with an output that the causes explain.
    pub evidence: usize,
}

/// Runs the program on given inputs, and behind them on inputs 1 to `count` of a plan.
///
/// # Errors
/// Why the program or the reference cannot be run.
pub fn stress(setup: &Setup<'_>, given: &[Input], plan: &Plan, count: u64) -> Result<Outcome, String> {
    let all = given.len() as u64 + count;
    let make = |number: u64, reference: &mut Reference<'_>| match given.get(number as usize) {
        Some(input) => Some(input.clone()),
        None => Some(plan.input(number - given.len() as u64 + 1, reference)),
    };
    let is_wrong = |trace: &Trace| trace.ran.verdict != Verdict::Accepted;
    let traces = hunt::run((setup, Stage::Hunt), 0..all, &make, &|trace| {
        is_wrong(trace) && trace.input.is_promised()
    })?;
    let mut outcome = Outcome {
        inputs: traces.len(),
        games: traces.iter().map(|(_, trace)| trace.input.games.len()).sum(),
        ..Outcome::default()
    };
    let found = traces.iter().find(|(_, trace)| is_wrong(trace) && trace.input.is_promised()).cloned();
    let silent = traces.iter().find(|(_, trace)| is_wrong(trace) && !trace.input.is_promised()).cloned();
    let mut seen: Vec<_> = traces.into_iter().map(|(_, trace)| trace).collect();
    let mut settled = false;
    if let Some((_, trace)) = silent {
        // It may be wrong where the statement speaks, too.
        match promised_part(setup, &trace)? {
            Some(part) if found.is_none() => {
                outcome.wrong = Some(finding(setup, part, &seen)?);
                settled = true;
            }
            _ => outcome.silent = Some(finding(setup, trace, &seen)?),
        }
    }
    if let Some((number, trace)) = found.filter(|_| !settled) {
        if trace.ran.verdict == Verdict::WrongAnswer {
            let more = number + 1..all.min(number + 1 + EVIDENCE);
            seen.extend(
                hunt::run((setup, Stage::Shrink), more, &make, &|_| false)?
                    .into_iter()
                    .map(|(_, trace)| trace),
            );
        }
        outcome.wrong = Some(finding(setup, trace, &seen)?);
    }
    Ok(outcome)
}

/// The games of an input of which the statement says what is right, if the program fails on them alone.
fn promised_part(setup: &Setup<'_>, trace: &Trace) -> Result<Option<Trace>, String> {
    let games: Vec<_> = trace.input.games.iter().filter(|game| game.silent.is_none()).cloned().collect();
    if games.is_empty() {
        return Ok(None);
    }
    let input = setup.bench.input(games, trace.input.origin.clone());
    let ran = setup.program.run(&input)?;
    Ok(ran.filter(|ran| ran.verdict != Verdict::Accepted).map(|ran| Trace { input, ran }))
}

fn finding(setup: &Setup<'_>, trace: Trace, seen: &[Trace]) -> Result<Finding, String> {
    let shrunk = shrink::shrink(setup, trace)?;
    let runs = shrunk.seen.len();
    let seen: Vec<_> = seen.iter().chain(&shrunk.seen).cloned().collect();
    let causes = cause::causes(setup, &seen);
    let evidence = seen.iter().filter(|trace| trace.ran.verdict.has_answer()).count();
    let shrink::Shrunk { first, least, alone, repeats, .. } = shrunk;
    Ok(Finding { first, least, runs, alone, repeats, causes, evidence })
}

/// The input that a text is, handed to the program as it stands.
///
/// # Errors
/// What is wrong with the text, by place; that it holds no game, or one that the reference does not decide.
pub fn given(bench: &Bench<'_>, name: &str, text: &str) -> Result<Input, String> {
    let warnings = Warnings::default();
    let mut reference = bench.reference()?;
    let mut games = Vec::new();
    let problem: &dyn Workbench = bench.problem;
    for case in problem.open(&bench.settings, Source::from_text(name, text), &warnings)? {
        let case = case.map_err(|error| error.to_string())?;
        let game = reference.answer(case);
        games.push(game.ok_or_else(|| format!("{name}: game {} is not decided in time", games.len() + 1))?);
    }
    if games.is_empty() {
        return Err(format!("{name}: holds no game"));
    }
    let input = bench.input(games, Origin::File(name.to_owned()));
    Ok(Input { text: text.to_owned(), ..input })
}
