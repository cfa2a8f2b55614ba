//! Stress tests: somebody's judge program, in any language, against the reference, on inputs made to hurt.
//!
//! ```text
//! trials ─► inputs ─► program, in parallel ─► first difference ─► smallest input ─► cause
//!              └────► reference ─► expected ─────────┘
//! ```
//!
//! An input is a pure function of the seed and its number, and the first difference is that of the lowest number, so
//! threads change nothing. The cause is named only where a mutant reference prints what the program printed, on all
//! inputs that were run; where none does, the one that comes nearest is. The clock is read by whoever hands in `over`.
//!
//! Quick trials come first. A limit that is met does not end the hunt, because a slow program may be wrong, too: a wrong
//! answer is reported rather than a limit, and a limit only if it is met once more (`hunt.rs`).

mod cause;
pub mod cnf;
mod crew;
mod form;
mod hunt;
mod input;
mod package;
mod program;
mod shrink;
mod verdict;

pub use cause::{Causes, Near};
pub use form::forms;
pub use hunt::Trace;
pub use input::{Bench, Game, Input, Origin, Plan, Reference};
pub use package::write_package;
pub use program::{Program, Ran};
pub use verdict::{Verdict, first_difference};

use crate::erased::DynProblem;
use crate::input::{Source, Warnings};
use crate::problem::Promise;
use hunt::{Hunt, Pace};

/// Inputs that are run behind a first wrong answer, to tell causes apart, and the games that they have at least.
const EVIDENCE: u64 = 30;
const EVIDENCE_GAMES: usize = 120;

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
    /// Whoever follows what happens.
    pub watch: &'a (dyn Fn(Event<'_>) + Sync),
}

/// What happens while a program is tested.
#[derive(Clone, Copy)]
pub enum Event<'e> {
    /// An input was run at this stage.
    Ran(Stage, &'e Trace),
    /// This is the smallest failing input so far.
    Best(&'e Trace),
}

/// What runs are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// To find a difference.
    Hunt,
    /// To make it small.
    Shrink,
    /// To make an input small on which a limit was met, so that each run may take long.
    ShrinkLimit,
    /// To tell causes apart.
    Evidence,
    /// To find the known fault that comes nearest; runs no program.
    Compare,
}

/// What became of a series of inputs.
#[derive(Default)]
pub struct Outcome {
    /// Inputs that were run, up to the first difference.
    pub inputs: usize,
    /// Their games.
    pub games: usize,
    /// How many of them were accepted.
    pub accepted: usize,
    /// The first difference: a limit only if nothing else was found.
    pub wrong: Option<Finding>,
    /// Inputs on which a limit was met and that are not reported otherwise, with their verdicts.
    pub limits: Vec<(Origin, Verdict)>,
    /// A limit that was met, but not in a second run.
    pub unsteady: Option<Finding>,
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
    /// Whether everything smaller was tried.
    pub minimal: bool,
    /// The likely causes.
    pub causes: Causes,
    /// Inputs with an output that the causes explain.
    pub evidence: usize,
    /// The trials on whose inputs the program answered wrongly: how many inputs, and of how many.
    pub families: Vec<(&'static str, usize, usize)>,
}

/// Inputs on which a limit was met that are tried once more.
const LIMITS_TRIED: usize = 3;

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
    let pace = Pace::default();
    let is_wrong = |trace: &Trace| trace.ran.verdict.is_wrong() && trace.input.is_promised();
    let hunt = Hunt { setup, stage: Stage::Hunt, pace: &pace };
    let traces = hunt.run(0..all, &make, &|trace| is_wrong(trace) && !trace.ran.verdict.is_limit())?;
    let mut outcome = Outcome {
        inputs: traces.len(),
        games: traces.iter().map(|(_, trace)| trace.input.games.len()).sum(),
        accepted: traces.iter().filter(|(_, trace)| !trace.ran.verdict.is_wrong()).count(),
        ..Outcome::default()
    };
    let silent = traces.iter().find(|(_, trace)| trace.ran.verdict.is_wrong() && !trace.input.is_promised());
    let silent = silent.cloned();
    let (limits, others): (Vec<_>, Vec<_>) = traces
        .iter()
        .filter(|(_, trace)| is_wrong(trace))
        .cloned()
        .partition(|(_, t)| t.ran.verdict.is_limit());
    let seen: Vec<_> = traces.into_iter().map(|(_, trace)| trace).collect();
    let run_until = |number: u64| (number + 1).saturating_sub(given.len() as u64);
    let mut wrong = others.into_iter().next();
    if let Some((number, trace)) = silent {
        // It may be wrong where the statement speaks, too.
        match promised_part(setup, &trace)? {
            Some(part) if wrong.is_none() => wrong = Some((number, part)),
            _ => outcome.silent = Some(finding((setup, &pace), trace, &seen, None)?),
        }
    }
    if let Some((number, trace)) = wrong {
        let further = Some((plan.seed, run_until(number)));
        outcome.wrong = Some(finding((setup, &pace), trace, &seen, further)?);
    } else {
        for (_, trace) in limits.iter().take(LIMITS_TRIED) {
            let finding = finding((setup, &pace), trace.clone(), &seen, None)?;
            if finding.repeats {
                outcome.wrong = Some(finding);
                break;
            }
            outcome.unsteady.get_or_insert(finding);
        }
    }
    let reported = |trace: &Trace| {
        let told = outcome.wrong.iter().chain(&outcome.unsteady);
        told.map(|finding| &finding.first.input.origin).any(|origin| *origin == trace.input.origin)
    };
    let others = limits.into_iter().filter(|(_, trace)| !reported(trace));
    outcome.limits = others.map(|(_, trace)| (trace.input.origin, trace.ran.verdict)).collect();
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
    Ok(ran.filter(|ran| ran.verdict.is_wrong()).map(|ran| Trace { input, ran }))
}

/// A difference made small, with its cause. That of a wrong answer is looked for on further inputs, too, by a seed and
/// the number behind which they begin.
fn finding(
    (setup, pace): (&Setup<'_>, &Pace),
    trace: Trace,
    seen: &[Trace],
    further: Option<(u64, u64)>,
) -> Result<Finding, String> {
    (setup.watch)(Event::Best(&trace));
    let is_answer = trace.ran.verdict == Verdict::WrongAnswer;
    let shrunk = shrink::shrink(setup, pace, trace)?;
    let runs = shrunk.seen.len();
    let further = further.filter(|_| is_answer);
    let more = further.map(|(seed, from)| evidence((setup, pace), seed, from)).transpose()?;
    let seen: Vec<_> = seen.iter().chain(&shrunk.seen).chain(more.iter().flatten()).cloned().collect();
    let causes = cause::causes(setup, &seen);
    let evidence = seen.iter().filter(|trace| trace.ran.verdict.has_answer()).count();
    let families = cause::by_trial(&seen, |trace| trace.ran.verdict == Verdict::WrongAnswer);
    let shrink::Shrunk { first, least, alone, repeats, minimal, .. } = shrunk;
    Ok(Finding { first, least, runs, alone, repeats, minimal, causes, evidence, families })
}

/// Generated inputs of all that the statement promises, whatever the hunt is for.
fn evidence((setup, pace): (&Setup<'_>, &Pace), seed: u64, from: u64) -> Result<Vec<Trace>, String> {
    let trials = setup.bench.trials.trials();
    let promised = (0..trials.len()).filter(|&i| trials[i].promise == Promise::Promised);
    let plan = Plan { trials: promised.collect(), seed };
    let inputs = EVIDENCE.max((EVIDENCE_GAMES / setup.bench.trials.games().max(1)) as u64);
    let make = |number: u64, reference: &mut Reference<'_>| Some(plan.input(number, reference));
    let numbers = from.saturating_add(1)..from.saturating_add(1 + inputs);
    pace.count_anew();
    let hunt = Hunt { setup, stage: Stage::Evidence, pace };
    let traces = hunt.run(numbers, &make, &|_| false)?;
    Ok(traces.into_iter().map(|(_, trace)| trace).collect())
}

/// The input that a text is, handed to the program as it stands.
///
/// # Errors
/// What is wrong with the text, by place; that it holds no game, or one that the reference does not decide.
pub fn given(bench: &Bench<'_>, name: &str, text: &str) -> Result<Input, String> {
    let warnings = Warnings::default();
    let mut reference = bench.reference()?;
    let mut games = Vec::new();
    let problem: &dyn DynProblem = bench.problem;
    for instance in problem.open(&bench.settings, Source::from_text(name, text), &warnings)? {
        let instance = instance.map_err(|error| error.to_string())?;
        let game = reference.answer(instance);
        games.push(game.ok_or_else(|| format!("{name}: game {} is not decided in time", games.len() + 1))?);
    }
    if games.is_empty() {
        return Err(format!("{name}: holds no game"));
    }
    let input = bench.input(games, Origin::File(name.to_owned()));
    Ok(Input { text: text.to_owned(), ..input })
}
