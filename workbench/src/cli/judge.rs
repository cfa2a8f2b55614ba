//! `judge`: reads the judge's input and writes exactly the judge's output.

use super::args::Judge;
use super::context::Context;
use super::exit::{Failure, Status};
use super::{interrupt, print, read, settings};
use crate::erased::JudgeJob;
use std::io::Write;

pub(super) fn run(context: &Context, args: &Judge, out: &mut dyn Write) -> Result<Status, Failure> {
    let problem = context.registry.find(&args.input.problem)?;
    let settings = settings::of(problem, &args.input.rules)?;
    let engine = args.engine.as_deref().unwrap_or(problem.info().default_engine);
    let engine = context.engine(problem, engine)?;
    // Without a CPU limit, each game gets a copy of this unused budget.
    let fresh = context.budget(&args.limits);
    let job = JudgeJob {
        settings: &settings,
        engine: &engine,
        source: read::source(args.input.file.as_deref())?,
        budget: &|| match args.limits.cpu_limit {
            None => fresh.clone(),
            Some(_) => context.budget(&args.limits),
        },
        warn: &|message| print::warn(&format!("warning: {message}")),
        running: &interrupt::set_phase,
    };
    let status = problem.judge(job, out)?;
    Ok(status.map_or(Status::Done, Status::Answered))
}
