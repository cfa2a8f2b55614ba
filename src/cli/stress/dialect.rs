//! A header that is read the wrong way round: where no other cause is known, the program is tried on inputs in the other
//! dialect of its problem.

use super::super::settings;
use super::TELLING;
use crate::cli::args::{Rules, Stress};
use crate::cli::context::Context;
use crate::cli::exit::Failure;
use crate::cli::interrupt;
use crate::stress::{self, Bench, Causes, Outcome, Plan, Program, Setup, Stage, Verdict};
use std::time::Instant;

/// The rule that says how headers are written, and its two ways.
const RULE: &str = "dialect";
const WAYS: [&str; 2] = ["uva", "poj"];

/// Inputs on which the program is to be right.
const INPUTS: u64 = 20;

/// The dialect whose inputs the program gets right, if it is the other one and the difference has no cause yet.
pub(super) fn other(
    context: &Context,
    args: &Stress,
    setup: &Setup<'_>,
    outcome: &Outcome,
) -> Result<Option<&'static str>, Failure> {
    let bench = &setup.bench;
    let crashes = |verdict: &Verdict| !matches!(verdict, Verdict::WrongAnswer | Verdict::Presentation);
    let open = outcome.wrong.as_ref().is_some_and(|finding| match &finding.causes {
        Causes::Known(known) => known.is_empty(),
        Causes::Unsupported | Causes::Nearest(_) => true,
        Causes::NotSearched => crashes(&finding.first.ran.verdict),
    });
    if !open || interrupt::asked() || bench.problem.rules().iter().all(|rule| rule.key != RULE) {
        return Ok(None);
    }
    let here = bench.settings.get(RULE);
    let way = WAYS[usize::from(here != WAYS[1])];
    let mut rules: Rules = args.rules.clone();
    rules.rule.retain(|(key, _)| key != RULE);
    rules.dialect = Some(way.to_owned());
    let bench = Bench {
        problem: bench.problem,
        trials: std::sync::Arc::clone(&bench.trials),
        settings: settings::of(bench.problem, &rules)?,
        engine: context.engine(bench.problem, "search")?,
        stop: std::sync::Arc::clone(&bench.stop),
    };
    let trials = (0..bench.trials.trials().len())
        .filter(|&i| bench.trials.trials()[i].promise == crate::problem::Promise::Promised);
    let plan = Plan { trials: trials.collect(), seed: args.seed };
    let start = Instant::now();
    let over = |stage: Stage| stage != Stage::Search || interrupt::asked() || start.elapsed() > TELLING;
    let Program { command, limits, children, stop } = &setup.program;
    let program = Program { command, limits: *limits, children, stop: std::sync::Arc::clone(stop) };
    let setup = Setup { bench, program, threads: setup.threads, is_over: &over, on_event: setup.on_event };
    let tried = stress::stress(&setup, &[], &plan, INPUTS)?;
    let only_limits = tried.wrong.as_ref().is_none_or(|finding| finding.first.ran.verdict.is_limit());
    let right = only_limits && tried.accepted as u64 >= INPUTS / 2 && !interrupt::asked();
    Ok(right.then_some(way))
}
