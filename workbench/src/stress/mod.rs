//! Stress-tests programs that were written for a judge: compares a program, in any language, with the reference on
//! inputs that reveal typical bugs.
//!
//! ```text
//! trials ─► inputs ─► program, in parallel ─► first difference ─► smallest input ─► cause
//!              └────► reference ─► expected ─────────┘
//! ```
//!
//! A *trial* is a family of inputs. The seed and the number of an input determine the input. The first difference is
//! that on the input with the lowest number. So results do not depend on the number of threads. A cause, which is a
//! format fault or a mutant, is named only if it explains everything that the program printed on all inputs that the
//! program answered. Otherwise the nearest mutant is reported. The caller's `is_over` decides when time is up.
//!
//! Quick trials come first. A timeout does not end the search, because a slow program may also be wrong. A wrong answer
//! takes precedence over a timeout. A timeout is reported only if a second run confirms it (`search.rs`).

mod cause;
pub mod cnf;
mod error;
mod format;
mod input;
mod package;
mod program;
mod search;
mod shrink;
mod threads;
mod verdict;

pub use cause::{Causes, Count, NearestFault};
pub use error::{GivenError, StressError};
pub use format::format_faults;
pub use input::{Bench, Game, Input, Origin, Plan, Reference};
pub use package::{foreign_part, write_package};
pub use program::{Program, Ran};
pub use search::Trace;
pub use verdict::{LineDifference, Verdict, first_difference};

use crate::erased::DynProblem;
use crate::input::{Source, Warnings};
use crate::problem::Promise;
use search::{Pacing, Search};

/// The minimum number of inputs that are run after the first wrong answer, to distinguish causes.
const MIN_EVIDENCE_INPUTS: u64 = 30;

/// More inputs are run if inputs can have only few games: at least this number divided by the maximum number of games
/// in an input.
const MIN_EVIDENCE_GAMES: usize = 120;

/// The program under test, and how to test it.
pub struct Setup<'a> {
    /// The problem with its rules and reference.
    pub bench: Bench<'a>,
    /// The program.
    pub program: Program<'a>,
    /// How many runs take place at the same time.
    pub threads: usize,
    /// Whether to start no further run at this stage, for example because the stage's time is up.
    pub is_over: &'a (dyn Fn(Stage) -> bool + Sync),
    /// Called for each event, to show progress.
    pub on_event: &'a (dyn Fn(Event<'_>) + Sync),
}

impl Setup<'_> {
    /// Runs the program on an input, and judges its output. Returns `None` if the user asked to stop.
    fn run(&self, input: &Input) -> Result<Option<Ran>, StressError> {
        self.program.run(input, &*self.bench.trials)
    }
}

/// An event during a test.
#[derive(Clone, Copy)]
pub enum Event<'e> {
    /// An input was run at this stage.
    Ran(Stage, &'e Trace),
    /// This is the smallest failing input so far.
    Best(&'e Trace),
}

/// The purpose of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// To find a difference.
    Search,
    /// To shrink the input.
    Shrink,
    /// To shrink an input on which the program reaches a limit, so that each run may take long.
    ShrinkLimit,
    /// To distinguish causes.
    Evidence,
    /// To find the nearest known fault; this runs no program.
    Compare,
}

/// The result of a series of inputs.
#[derive(Default)]
pub struct Outcome {
    /// The number of inputs that were run, up to the first difference that ends the search.
    pub inputs: usize,
    /// The number of games in these inputs.
    pub games: usize,
    /// How many of the inputs were accepted.
    pub accepted: usize,
    /// On how many of the inputs the program said that it does not know the answer.
    pub unknown: usize,
    /// The first difference. It is a limit only if there is no other difference.
    pub wrong: Option<Finding>,
    /// Inputs on which the program reached a limit, with their verdicts, except those reported in other fields.
    pub limits: Vec<(Origin, Verdict)>,
    /// A limit that the program reached, but not in a second run.
    pub unsteady: Option<Finding>,
    /// The first difference on a game for which the problem statement does not define the right answer.
    pub silent: Option<Finding>,
}

/// A difference, with its smallest input.
pub struct Finding {
    /// The input on which it was found.
    pub first: Trace,
    /// The smallest input that was found.
    pub smallest: Trace,
    /// The number of runs for shrinking.
    pub runs: usize,
    /// False if the program fails only on inputs with several games. True if it fails on a single game, or if that was
    /// not tried.
    pub fails_alone: bool,
    /// Whether the same games failed in a second run, or the user asked to stop before that run ended.
    pub repeats: bool,
    /// Whether every smaller input was tried.
    pub minimal: bool,
    /// The likely causes.
    pub causes: Causes,
    /// The number of inputs that the program answered. The causes were compared on these inputs.
    pub evidence: usize,
    /// How many inputs of each trial were answered wrongly. Trials without a wrong answer are omitted.
    pub families: Vec<Count>,
}

/// If the program reached limits, at most this many of the inputs concerned are tried again.
const MAX_LIMITS_TRIED: usize = 3;

/// Runs the program on given inputs, and then on a plan's inputs 1 to `count`, until the program gives a wrong answer.
/// Shrinks the failing input and finds the cause.
///
/// # Errors
/// If the program or the reference cannot be run.
pub fn stress(setup: &Setup<'_>, given: &[Input], plan: &Plan, count: u64) -> Result<Outcome, StressError> {
    let all = given.len() as u64 + count;
    let make = |number: u64, reference: &mut Reference<'_>| match given.get(number as usize) {
        Some(input) => Some(input.clone()),
        None => Some(plan.input(number - given.len() as u64 + 1, reference)),
    };
    let pacing = Pacing::default();
    let is_wrong = |trace: &Trace| trace.ran.verdict.is_wrong() && trace.input.is_promised();
    let search = Search { setup, stage: Stage::Search, pacing: &pacing };
    let traces = search.run(0..all, &make, &|trace| is_wrong(trace) && !trace.ran.verdict.is_limit())?;
    let mut outcome = Outcome {
        inputs: traces.len(),
        games: traces.iter().map(|(_, trace)| trace.input.games.len()).sum(),
        accepted: traces.iter().filter(|(_, trace)| trace.ran.verdict == Verdict::Accepted).count(),
        unknown: traces.iter().filter(|(_, trace)| trace.ran.verdict == Verdict::Unknown).count(),
        ..Outcome::default()
    };
    let silent = traces.iter().find(|(_, trace)| trace.ran.verdict.is_wrong() && !trace.input.is_promised());
    let silent = silent.cloned();
    let (limits, others): (Vec<_>, Vec<_>) = traces
        .iter()
        .filter(|(_, trace)| is_wrong(trace))
        .cloned()
        .partition(|(_, t)| t.ran.verdict.is_limit());
    let all_traces: Vec<_> = traces.into_iter().map(|(_, trace)| trace).collect();
    let runs = Runs { setup, pacing: &pacing, traces: &all_traces };
    let mut wrong = others.into_iter().next();
    if let Some((number, trace)) = silent {
        // The same input may also contain a game for which the problem statement defines the right answer.
        match promised_part(setup, &trace)? {
            Some(part) if wrong.is_none() => wrong = Some((number, part)),
            _ => outcome.silent = Some(runs.finding(trace, None)?),
        }
    }
    if let Some((number, trace)) = wrong {
        let after = (number + 1).saturating_sub(given.len() as u64);
        outcome.wrong = Some(runs.finding(trace, Some(Further { seed: plan.seed, after }))?);
    } else {
        for (_, trace) in limits.iter().take(MAX_LIMITS_TRIED) {
            let finding = runs.finding(trace.clone(), None)?;
            if finding.repeats {
                outcome.wrong = Some(finding);
                break;
            }
            outcome.unsteady.get_or_insert(finding);
        }
    }
    let is_reported = |trace: &Trace| {
        let findings = outcome.wrong.iter().chain(&outcome.unsteady);
        findings.map(|finding| &finding.first.input.origin).any(|origin| *origin == trace.input.origin)
    };
    let others = limits.into_iter().filter(|(_, trace)| !is_reported(trace));
    outcome.limits = others.map(|(_, trace)| (trace.input.origin, trace.ran.verdict)).collect();
    Ok(outcome)
}

/// Runs the program on those games of an input for which the problem statement defines the right answer. `None` if
/// there are no such games or the program does not fail on them.
fn promised_part(setup: &Setup<'_>, trace: &Trace) -> Result<Option<Trace>, StressError> {
    let games: Vec<_> = trace.input.games.iter().filter(|game| game.silent.is_none()).cloned().collect();
    if games.is_empty() {
        return Ok(None);
    }
    let input = setup.bench.input(games, trace.input.origin.clone());
    let ran = setup.run(&input)?;
    Ok(ran.filter(|ran| ran.verdict.is_wrong()).map(|ran| Trace { input, ran }))
}

/// A finished search, from which findings are made.
struct Runs<'r> {
    setup: &'r Setup<'r>,
    pacing: &'r Pacing,
    /// All runs of the search.
    traces: &'r [Trace],
}

/// Further inputs on which to compare causes.
struct Further {
    seed: u64,
    /// The number, in the plan, of the last input that the search has used; 0 for none.
    after: u64,
}

impl Runs<'_> {
    /// Shrinks a difference and finds its cause. For a wrong answer, the cause must also explain further inputs.
    fn finding(&self, trace: Trace, further: Option<Further>) -> Result<Finding, StressError> {
        (self.setup.on_event)(Event::Best(&trace));
        let is_answer = trace.ran.verdict == Verdict::WrongAnswer;
        let shrunk = shrink::shrink(self.setup, self.pacing, trace)?;
        let runs = shrunk.traces.len();
        let further = further.filter(|_| is_answer);
        let more = further.map(|further| self.evidence(&further)).transpose()?;
        let traces: Vec<_> =
            self.traces.iter().chain(&shrunk.traces).chain(more.iter().flatten()).cloned().collect();
        let causes = cause::causes(self.setup, &traces);
        let evidence = traces.iter().filter(|trace| trace.ran.verdict.has_answer()).count();
        let families = cause::by_trial(&traces, |trace| trace.ran.verdict == Verdict::WrongAnswer);
        let shrink::Shrunk { first, smallest, fails_alone, repeats, minimal, .. } = shrunk;
        Ok(Finding { first, smallest, runs, fails_alone, repeats, minimal, causes, evidence, families })
    }

    /// Runs the program on further generated inputs. They come from all trials whose games the problem statement
    /// covers, even if the search used only some of these trials.
    fn evidence(&self, further: &Further) -> Result<Vec<Trace>, StressError> {
        let (trials, max_games) = (self.setup.bench.trials.trials(), self.setup.bench.trials.games());
        let promised = (0..trials.len()).filter(|&i| trials[i].promise == Promise::Promised);
        let plan = Plan { trials: promised.collect(), seed: further.seed };
        let inputs = MIN_EVIDENCE_INPUTS.max((MIN_EVIDENCE_GAMES / max_games.max(1)) as u64);
        let make = |number: u64, reference: &mut Reference<'_>| Some(plan.input(number, reference));
        // The first inputs all come from one trial, so they are skipped.
        let after = further.after.max(self.setup.bench.trials.first_inputs());
        let numbers = after.saturating_add(1)..after.saturating_add(1 + inputs);
        self.pacing.reset_count();
        let search = Search { setup: self.setup, stage: Stage::Evidence, pacing: self.pacing };
        let traces = search.run(numbers, &make, &|_| false)?;
        Ok(traces.into_iter().map(|(_, trace)| trace).collect())
    }
}

/// The input with exactly this text.
///
/// # Errors
/// If the text is invalid, contains no game, or contains a game that the reference does not decide. The message names
/// the place.
pub fn given(bench: &Bench<'_>, name: &str, text: &str) -> Result<Input, GivenError> {
    let warnings = Warnings::default();
    let mut reference = bench.reference()?;
    let mut games = Vec::new();
    let problem: &dyn DynProblem = bench.problem;
    for instance in problem.open(&bench.settings, Source::from_text(name, text), &warnings)? {
        let game = reference.answer(instance?);
        let undecided = || GivenError::Undecided { name: name.to_owned(), game: games.len() + 1 };
        let game = game.ok_or_else(undecided)?;
        games.push(game);
    }
    if games.is_empty() {
        return Err(GivenError::NoGame(name.to_owned()));
    }
    let input = bench.input(games, Origin::File(name.to_owned()));
    Ok(Input { text: text.to_owned(), ..input })
}
