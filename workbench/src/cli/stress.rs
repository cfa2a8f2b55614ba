//! `stress`: tests a program that was written for a judge, on inputs that are designed to break such programs. The
//! program's output is compared with that of the reference. With `--cnf`, tests a program that writes formulas: their
//! models are compared with the models of our formulas.

mod dialect;
mod encoding;
mod files;
mod progress;
mod render;

use super::args::Stress;
use super::context::Context;
use super::exit::{Failure, Status};
use super::staging::replace;
use super::{interrupt, read, settings};
use crate::engine::Limit;
use crate::erased::{Trials, unsupported};
use crate::errors::UnknownName;
use crate::problem::{Package, Promise};
use crate::process::Limits;
use crate::spec::{nearest, suggestion};
use crate::stress::{self, Bench, Input, Origin, Plan, Program, Setup, Stage};
use progress::Progress;
use std::io::Write;
use std::num::NonZero;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// The default number of generated inputs for testing a program.
const COUNT: u64 = 1_000;
/// The default number of generated inputs if they are only written to files.
const COUNT_WRITTEN: u64 = 50;

/// How long a failing input is shrunk.
const SHRINK_TIME: Duration = Duration::from_secs(30);

/// How long an input is shrunk if the program reached a limit on it. Each run on such an input takes long.
const SHRINK_LIMIT_TIME: Duration = Duration::from_secs(10);

/// How long the program is run on further inputs to distinguish similar bugs.
const EVIDENCE_TIME: Duration = Duration::from_secs(8);

/// How long the program is compared with the known bugs to find the nearest one.
const COMPARE_TIME: Duration = Duration::from_secs(5);

/// The maximum length of an input file, in bytes.
pub(super) const MAX_INPUT: u64 = 1 << 24;

pub(super) fn run(context: &Context, args: &Stress, out: &mut dyn Write) -> Result<Status, Failure> {
    let problem = context.registry.find(&args.problem)?;
    let trials = problem.info().stress.clone();
    let trials = trials.ok_or_else(|| unsupported(problem.name(), "stress tests", "STRESS"))?;
    if args.list {
        render::list(&*trials, out)?;
        return Ok(Status::Done);
    }
    let bench = Bench {
        problem,
        trials,
        settings: settings::of(problem, &args.rules)?,
        engine: context.engine(problem, if args.cnf { "sat" } else { problem.info().default_engine })?,
        stop: Arc::new(|| interrupt::is_requested().then_some(Limit::Cancelled)),
    };
    match args.cnf {
        true => encoding::run(context, args, bench, out),
        false => judge(context, args, bench, out),
    }
}

/// Tests a program that was written for a judge.
fn judge(context: &Context, args: &Stress, bench: Bench<'_>, out: &mut dyn Write) -> Result<Status, Failure> {
    let plan = Plan { trials: chosen(&*bench.trials, args)?, seed: args.seed };
    if args.count != Some(0) {
        plan.check_supported(&bench)?;
    }
    if args.command.is_empty() {
        return write_inputs(&bench, &plan, args);
    }
    args.save.as_deref().map_or(Ok(()), files::check_writable)?;
    let mut given: Vec<Input> = Vec::new();
    if let Some(folder) = &args.replay {
        for (path, text) in files::replay(folder)? {
            let input = stress::given(&bench, &path.display().to_string(), &text)?;
            files::compare_answer(&path, &input);
            given.push(input);
        }
    }
    if let Some(file) = &args.input {
        given.push(stress::given(&bench, file, &read::whole(file, MAX_INPUT)?)?);
    }
    let count = if args.input.is_some() { 0 } else { args.count.unwrap_or(COUNT) };
    let clock = Clock::new(args);
    let program = program(context, args, &bench);
    let progress = Progress::new();
    let (over, watch) = (|stage| clock.is_over(stage), |event: stress::Event<'_>| progress.watch(event));
    let setup = Setup { bench, program, threads: threads(args), is_over: &over, on_event: &watch };
    let ended = interrupt::interruptible(|| -> Result<_, Failure> {
        let outcome = stress::stress(&setup, &given, &plan, count)?;
        let other = dialect::other(context, args, &setup, &outcome)?;
        Ok((outcome, other))
    });
    progress.finish();
    let (outcome, other) = ended?;
    render::outcome((&outcome, other), args, clock.start.elapsed(), out)?;
    if let Some(folder) = &args.save {
        files::save(folder, &outcome)?;
    }
    Ok(status(outcome.wrong.is_some()))
}

/// The program with its limits on CPU time, memory and wall time. The limit on wall time is only for programs that wait
/// instead of computing. Its default is generous, because a program that computes may have to share its processor with
/// other programs.
fn program<'a>(context: &'a Context, args: &'a Stress, bench: &Bench<'_>) -> Program<'a> {
    let generous = args.time_limit.saturating_mul(5).saturating_add(Duration::from_secs(5));
    let wall = args.wall_limit.unwrap_or(generous);
    let limits = Limits { cpu: Some(args.time_limit), memory: Some(args.memory_limit), wall: Some(wall) };
    Program { command: &args.command, limits, children: &context.children, stop: Arc::clone(&bench.stop) }
}

fn threads(args: &Stress) -> usize {
    args.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZero::get)
}

/// When each stage began, so that it can be ended in time. The search begins with the test. Any other stage
/// begins when [`is_over`](Self::is_over) is first called for it.
struct Clock {
    start: Instant,
    search_time: Duration,
    shrink: OnceLock<Instant>,
    shrink_limit: OnceLock<Instant>,
    evidence: OnceLock<Instant>,
    compare: OnceLock<Instant>,
}

impl Clock {
    fn new(args: &Stress) -> Clock {
        Clock {
            start: Instant::now(),
            search_time: Duration::from_secs(args.seconds),
            shrink: OnceLock::new(),
            shrink_limit: OnceLock::new(),
            evidence: OnceLock::new(),
            compare: OnceLock::new(),
        }
    }

    fn is_over(&self, stage: Stage) -> bool {
        let (start, limit) = match stage {
            Stage::Search => (self.start, self.search_time),
            Stage::Shrink => (*self.shrink.get_or_init(Instant::now), SHRINK_TIME),
            Stage::ShrinkLimit => (*self.shrink_limit.get_or_init(Instant::now), SHRINK_LIMIT_TIME),
            Stage::Evidence => (*self.evidence.get_or_init(Instant::now), EVIDENCE_TIME),
            Stage::Compare => (*self.compare.get_or_init(Instant::now), COMPARE_TIME),
        };
        interrupt::is_requested() || start.elapsed() > limit
    }
}

fn status(wrong: bool) -> Status {
    match wrong {
        _ if interrupt::is_requested() => Status::Interrupted,
        true => Status::Wrong,
        false => Status::Done,
    }
}

/// The indices of the trials that the command line names. If the command line names none, all trials within the
/// statement are chosen or, with `--beyond`, all trials.
fn chosen(trials: &dyn Trials, args: &Stress) -> Result<Vec<usize>, UnknownName> {
    let infos = trials.trials();
    if args.families.is_empty() {
        let meant = |promise| promise == Promise::Promised || args.beyond;
        return Ok((0..infos.len()).filter(|&i| meant(infos[i].promise)).collect());
    }
    let find = |name: &String| {
        infos.iter().position(|info| info.name == name).ok_or_else(|| {
            let names: Vec<_> = infos.iter().map(|info| info.name.to_owned()).collect();
            let near = nearest(name, infos.iter().map(|info| info.name));
            let hint = if args.command.is_empty() { "; write the command after `--`" } else { "" };
            let suggestion = suggestion(near, &names);
            format!("{} has no family '{name}' for stress; {suggestion}{hint}", args.problem).into()
        })
    };
    args.families.iter().map(find).collect()
}

/// Writes inputs, because no program was given.
fn write_inputs(bench: &Bench<'_>, plan: &Plan, args: &Stress) -> Result<Status, Failure> {
    if args.package.is_none() && args.save.is_none() {
        return Err(Failure::usage(
            "no program to test: write its command after `--`, or use --save DIR to write inputs",
        ));
    }
    let package = args.package.as_deref().map(|folder| package(bench, folder, &args.problem)).transpose()?;
    let mut reference = bench.reference()?;
    let mut made = Vec::new();
    for number in 1..=args.count.unwrap_or(COUNT_WRITTEN) {
        if interrupt::is_requested() {
            return Ok(Status::Interrupted);
        }
        let input = plan.input(number, &mut reference);
        // Small boards are often generated twice.
        let known = made.iter().any(|(_, other): &(String, Input)| other.text == input.text);
        if let (false, Origin::Generated(_, trial)) = (known || input.games.is_empty(), &input.origin) {
            made.push((format!("{number:04}-{trial}"), input));
        }
    }
    match (package, &args.save) {
        (Some((folder, package)), _) => {
            let sample = stress::given(bench, "the sample", bench.problem.info().sample)?;
            let write = |path: &Path, bytes: &[u8]| replace(path, bytes);
            let written = stress::write_package(folder, bench.problem, &package, &sample, &made, write);
            read::named(folder, written)?;
        }
        (None, Some(folder)) => {
            made.iter().try_for_each(|(name, input)| files::write(folder, name, input))?;
        }
        (None, None) => {}
    }
    Ok(Status::Done)
}

/// What a package contains besides its tests, and its folder. Fails if the package would replace files of others.
fn package<'a>(bench: &Bench<'_>, folder: &'a Path, problem: &str) -> Result<(&'a Path, Package), Failure> {
    let package = bench.trials.package().ok_or_else(|| {
        format!("{problem} has no package for contests: an input can have several right outputs")
    })?;
    match stress::foreign_part(folder, &package) {
        None => Ok((folder, package)),
        Some(part) => Err(Failure::usage(format!(
            "{}: --package would write to {part}, and there is no problem.yaml of an earlier package; choose another \
             folder",
            folder.display()
        ))),
    }
}
