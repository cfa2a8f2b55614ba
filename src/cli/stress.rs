//! `stress`: somebody's judge program against the reference, on inputs made to hurt.

mod dialect;
mod encoding;
mod files;
mod progress;
mod told;

use super::args::Stress;
use super::context::Context;
use super::exit::{Failure, Status};
use super::{interrupt, read, settings};
use crate::engine::Limit;
use crate::erased::{Trials, unsupported};
use crate::problem::Promise;
use crate::process::Limits;
use crate::spec::{nearest, suggestion};
use crate::stress::{self, Bench, Input, Origin, Plan, Program, Setup, Stage};
use progress::Progress;
use std::io::Write;
use std::num::NonZero;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Generated inputs for a program, and where they are only written.
const COUNT: u64 = 1_000;
const WRITTEN: u64 = 50;

/// How long a difference may be made smaller.
const SHRINKING: Duration = Duration::from_secs(30);

/// The same where a limit was met, so that runs take long.
const SHRINKING_LIMIT: Duration = Duration::from_secs(10);

/// How long inputs may be run to tell causes apart.
const TELLING: Duration = Duration::from_secs(8);

/// How long the known fault that comes nearest is looked for.
const COMPARING: Duration = Duration::from_secs(5);

/// The longest input that somebody may bring.
pub(super) const MAX_INPUT: u64 = 1 << 24;

pub(super) fn run(context: &Context, args: &Stress, out: &mut dyn Write) -> Result<Status, Failure> {
    let problem = context.registry.find(&args.problem)?;
    let trials = problem.info().stress.clone();
    let trials = trials.ok_or_else(|| unsupported(&args.problem, "stress tests", "STRESS"))?;
    if args.list {
        told::list(&*trials, out)?;
        return Ok(Status::Done);
    }
    let bench = Bench {
        problem,
        trials,
        settings: settings::of(problem, &args.rules)?,
        engine: context.engine(problem, if args.cnf { "sat" } else { "search" })?,
        stop: Arc::new(|| interrupt::asked().then_some(Limit::Cancelled)),
    };
    match args.cnf {
        true => encoding::run(context, args, bench, out),
        false => judge(context, args, bench, out),
    }
}

/// A program that judges.
fn judge(context: &Context, args: &Stress, bench: Bench<'_>, out: &mut dyn Write) -> Result<Status, Failure> {
    let plan = Plan { trials: chosen(&*bench.trials, args)?, seed: args.seed };
    if args.count != Some(0) {
        plan.check_supported(&bench)?;
    }
    if args.command.is_empty() {
        return write_inputs(&bench, &plan, args);
    }
    args.save.as_deref().map_or(Ok(()), files::takes)?;
    let mut given: Vec<Input> = Vec::new();
    if let Some(folder) = &args.replay {
        for (name, text) in files::replay(folder)? {
            let input = stress::given(&bench, &name, &text)?;
            files::compare_answer(&name, &input);
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
    let ended = interrupt::listening(|| -> Result<_, Failure> {
        let outcome = stress::stress(&setup, &given, &plan, count)?;
        let other = dialect::other(context, args, &setup, &outcome)?;
        Ok((outcome, other))
    });
    progress.finish();
    let (outcome, other) = ended?;
    told::tell((&outcome, other), args, clock.start.elapsed(), out)?;
    if let Some(folder) = &args.save {
        files::save(folder, &outcome)?;
    }
    Ok(status(outcome.wrong.is_some()))
}

/// The program with its limits. CPU time counts; the time that passes ends only a program that waits, so it has to leave
/// enough for one that shares the processors with others.
fn program<'a>(context: &'a Context, args: &'a Stress, bench: &Bench<'_>) -> Program<'a> {
    let wall = args.time_limit.saturating_mul(5).saturating_add(Duration::from_secs(5));
    let limits = Limits { cpu: Some(args.time_limit), memory: Some(args.memory_limit), wall: Some(wall) };
    Program { command: &args.command, limits, children: &context.children, stop: Arc::clone(&bench.stop) }
}

fn threads(args: &Stress) -> usize {
    args.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZero::get)
}

/// When a stage has lasted long enough.
struct Clock {
    start: Instant,
    hunt: Duration,
    shrinking: OnceLock<Instant>,
    limit: OnceLock<Instant>,
    telling: OnceLock<Instant>,
    comparing: OnceLock<Instant>,
}

impl Clock {
    fn new(args: &Stress) -> Clock {
        let hunt = Duration::from_secs(args.seconds);
        let unset = OnceLock::new;
        let (shrinking, limit, telling, comparing) = (unset(), unset(), unset(), unset());
        Clock { start: Instant::now(), hunt, shrinking, limit, telling, comparing }
    }

    fn is_over(&self, stage: Stage) -> bool {
        let (start, most) = match stage {
            Stage::Search => (self.start, self.hunt),
            Stage::Shrink => (*self.shrinking.get_or_init(Instant::now), SHRINKING),
            Stage::ShrinkLimit => (*self.limit.get_or_init(Instant::now), SHRINKING_LIMIT),
            Stage::Evidence => (*self.telling.get_or_init(Instant::now), TELLING),
            Stage::Compare => (*self.comparing.get_or_init(Instant::now), COMPARING),
        };
        interrupt::asked() || start.elapsed() > most
    }
}

fn status(wrong: bool) -> Status {
    match wrong {
        _ if interrupt::asked() => Status::Interrupted,
        true => Status::Wrong,
        false => Status::Done,
    }
}

/// The trials that are named; else all that the statement promises, and with `--beyond` the others.
fn chosen(trials: &dyn Trials, args: &Stress) -> Result<Vec<usize>, String> {
    let infos = trials.trials();
    if args.families.is_empty() {
        let meant = |promise| promise == Promise::Promised || args.beyond;
        return Ok((0..infos.len()).filter(|&i| meant(infos[i].promise)).collect());
    }
    let find = |name: &String| {
        infos.iter().position(|info| info.name == name).ok_or_else(|| {
            let names: Vec<_> = infos.iter().map(|info| info.name.to_owned()).collect();
            let near = nearest(name, infos.iter().map(|info| info.name));
            let behind = if args.command.is_empty() { "; a command stands behind `--`" } else { "" };
            format!(
                "{} has no family '{name}' for stress; {}{behind}",
                args.problem,
                suggestion(near, &names)
            )
        })
    };
    args.families.iter().map(find).collect()
}

/// Without a program inputs are written and nothing is run.
fn write_inputs(bench: &Bench<'_>, plan: &Plan, args: &Stress) -> Result<Status, Failure> {
    if args.package.is_none() && args.save.is_none() {
        return Err(Failure::usage("which program? name its command behind `--`, or a folder by --save"));
    }
    let mut reference = bench.reference()?;
    let mut made = Vec::new();
    for number in 1..=args.count.unwrap_or(WRITTEN) {
        if interrupt::asked() {
            return Ok(Status::Interrupted);
        }
        let input = plan.input(number, &mut reference);
        // Small boards come again.
        let known = made.iter().any(|(_, other): &(String, Input)| other.text == input.text);
        if let (false, Origin::Generated(_, trial)) = (known || input.games.is_empty(), &input.origin) {
            made.push((format!("{number:04}-{trial}"), input));
        }
    }
    match (&args.package, &args.save) {
        (Some(folder), _) => {
            let sample = stress::given(bench, "the sample", bench.problem.info().sample)?;
            let package = bench.trials.package();
            let written = stress::write_package(folder, (bench.problem, &package), &sample, &made);
            read::named(folder, written)?;
        }
        (None, Some(folder)) => {
            made.iter().try_for_each(|(name, input)| files::write(folder, name, input))?;
        }
        (None, None) => {}
    }
    Ok(Status::Done)
}
