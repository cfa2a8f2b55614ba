//! Detects a program that reads headers in the other dialect, for example with width and height exchanged. If no other
//! cause is known, the program is tried on inputs in the other dialect of its problem.

use super::super::settings;
use super::EVIDENCE_TIME;
use crate::cli::args::{Rules, Stress};
use crate::cli::context::Context;
use crate::cli::exit::Failure;
use crate::cli::interrupt;
use crate::stress::{self, Bench, Causes, Outcome, Plan, Program, Setup, Stage, Verdict};
use std::time::Instant;

/// The rule that sets the dialect of headers.
const RULE: &str = "dialect";
/// The dialects: the values of the rule, apart from `auto`.
const DIALECTS: [&str; 2] = ["uva", "poj"];

/// The number of inputs in the other dialect.
const INPUTS: u64 = 20;

/// The other dialect, if no cause of the difference is known and the program answers inputs in the other dialect
/// correctly: apart from limits, it fails on none, and at least half of [`INPUTS`] are accepted within
/// [`EVIDENCE_TIME`].
pub(super) fn other(
    context: &Context,
    args: &Stress,
    setup: &Setup<'_>,
    outcome: &Outcome,
) -> Result<Option<&'static str>, Failure> {
    let bench = &setup.bench;
    let crashes = |verdict: &Verdict| !matches!(verdict, Verdict::WrongAnswer | Verdict::Presentation);
    let unexplained = outcome.wrong.as_ref().is_some_and(|finding| match &finding.causes {
        Causes::Known(known) => known.is_empty(),
        Causes::Unsupported | Causes::Nearest(_) => true,
        Causes::NotSearched => crashes(&finding.first.ran.verdict),
    });
    if !unexplained || interrupt::is_requested() || bench.problem.rules().iter().all(|rule| rule.key != RULE)
    {
        return Ok(None);
    }
    let here = bench.settings.get(RULE);
    let other = DIALECTS[usize::from(here != DIALECTS[1])];
    let mut rules: Rules = args.rules.clone();
    rules.rule.retain(|(key, _)| key != RULE);
    rules.dialect = Some(other.to_owned());
    let bench = Bench {
        problem: bench.problem,
        trials: std::sync::Arc::clone(&bench.trials),
        settings: settings::of(bench.problem, &rules)?,
        engine: context.engine(bench.problem, bench.problem.info().default_engine)?,
        stop: std::sync::Arc::clone(&bench.stop),
    };
    let trials = (0..bench.trials.trials().len())
        .filter(|&i| bench.trials.trials()[i].promise == crate::problem::Promise::Promised);
    let plan = Plan { trials: trials.collect(), seed: args.seed };
    let start = Instant::now();
    let over =
        |stage: Stage| stage != Stage::Search || interrupt::is_requested() || start.elapsed() > EVIDENCE_TIME;
    let Program { command, limits, children, stop } = &setup.program;
    let program = Program { command, limits: *limits, children, stop: std::sync::Arc::clone(stop) };
    let setup = Setup { bench, program, threads: setup.threads, is_over: &over, on_event: setup.on_event };
    let tried = stress::stress(&setup, &[], &plan, INPUTS)?;
    let only_limits = tried.wrong.as_ref().is_none_or(|finding| finding.first.ran.verdict.is_limit());
    let right = only_limits && tried.accepted as u64 >= INPUTS / 2 && !interrupt::is_requested();
    Ok(right.then_some(other))
}
