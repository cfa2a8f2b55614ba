//! `run`: carries out what is missing of an experiment, and shows how it goes.

use super::args::Run as Args;
use super::compare::table;
use super::config;
use super::context::{self, Context, Failure, Status};
use super::experiment::Experiment;
use super::{interrupt, repeat};
use crate::engine::{Limit, Stop};
use crate::harness::plan::{Family, Source};
use crate::harness::{
    End, Held, Outer, Queue, Segment, Set, Surroundings, Tier, Unstarted, Watcher, Work, best_tier,
    carry_out, program_hash,
};
use crate::process::Identity;
use crate::record::{Origin, Record, Run, Tally, Verdict, disputes};
use crate::solver::outside::Program;
use indexmap::IndexMap;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// How often a line is written where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// The most wrong answers that are listed.
const MOST_LISTED: usize = 20;

pub(super) fn run(context: &Context, args: &Args, out: &mut dyn Write) -> Result<Status, Failure> {
    let experiment = Experiment::open(context, &args.exp)?;
    let folder = experiment.set(&args.set)?;
    let set = context::named(&folder, Set::open(&folder))?;
    if args.dry_run {
        return dry(&experiment, &set, args, out);
    }
    if let Some(key) = &args.repeat {
        let (_, outer) = outer(context, &experiment, 1)?;
        return repeat::run(&experiment, (&set, &outer), key, out);
    }
    let again = experiment.failed(&set).filter(|_| args.retry).map(|record| record.attempt.clone());
    let again: FxHashSet<String> = again.collect();
    let missing = experiment.missing(&set).count() + again.len();
    let total = experiment.expanded.runs.len();
    if missing == 0 {
        context::warn(&format!("all {total} runs of {} have their records", experiment.name));
        Queue::tidy(&folder);
        return finish(&experiment, &folder, out);
    }
    let (surroundings, outer) = outer(context, &experiment, args.jobs.get())?;
    not_mixed(&set, &folder, &surroundings, args)?;
    let segment =
        Segment::new(&folder, Identity::this().name(), &surroundings).map_err(|e| unwritten(&folder, &e))?;
    let stop: Stop = Arc::new(|| interrupt::asked().then_some(Limit::Cancelled));
    let work = Work { runs: experiment.expanded.runs.clone(), again, folder: &folder, jobs: args.jobs, stop };
    let progress = Progress::new(&experiment.name, total, total - missing);
    let ended = interrupt::listening(|| carry_out(&outer, work, segment, &progress));
    progress.end();
    if let Some(why) = outer.no_cgroup.get() {
        context::warn(&format!(
            "warning: some runs had no control group ({why}); their limits were held as by tier {}, and their \
             records name surroundings that say so",
            Tier::Rlimit
        ));
    }
    match ended {
        Ok(End::Complete) => finish(&experiment, &folder, out),
        Ok(End::Stopped) => {
            let left = experiment.missing(&context::named(&folder, Set::open(&folder))?).count();
            context::warn(&format!(
                "stopped; {} of {total} runs have their records, the same command goes on from there",
                total - left
            ));
            Ok(Status::Interrupted)
        }
        Err(error) => Err(unwritten(&folder, &error)),
    }
}

/// What runs are made with, and where.
fn outer<'a>(
    context: &'a Context,
    experiment: &Experiment,
    jobs: usize,
) -> Result<(Surroundings, Outer<'a>), Failure> {
    let hash = |program: &Program| program.command.first().map_or(String::new(), |name| program_hash(name));
    let solvers = experiment.solvers().map(|program| (program.name.clone(), hash(program)));
    let (tier, cgroups) = best_tier();
    let surroundings = Surroundings::here(jobs, tier, solvers.collect())
        .map_err(|error| Failure::usage(format!("this program cannot be read: {error}")))?;
    let outer = Outer {
        program: this_program()?,
        registry: &context.registry,
        roster: config::roster(context, &experiment.plan.programs),
        programs: experiment.plan.programs.clone(),
        children: Arc::clone(&context.children),
        cgroups,
        surroundings: surroundings.hash(),
        uncontained: Surroundings { limit_tier: Tier::Rlimit, ..surroundings.clone() },
        no_cgroup: OnceLock::new(),
    };
    Ok((surroundings, outer))
}

/// This very program, even if its file is replaced meanwhile.
fn this_program() -> std::io::Result<PathBuf> {
    let itself = Path::new("/proc/self/exe");
    if itself.exists() { Ok(itself.to_owned()) } else { std::env::current_exe() }
}

fn unwritten(folder: &Path, error: &std::io::Error) -> Failure {
    if error.get_ref().is_some_and(|error| error.is::<Unstarted>()) {
        return Failure::usage(format!("{error}; what was recorded before stands"));
    }
    Failure::usage(format!("{}: {error}; what was recorded before stands", folder.display()))
}

/// Records of different programs are not mixed unless they were before.
fn not_mixed(set: &Set, folder: &Path, here: &Surroundings, args: &Args) -> Result<(), Failure> {
    if set.iter().next().is_none() {
        return Ok(());
    }
    let others = context::named(folder, set.surroundings())?;
    if let Some((_, other)) = others.iter().find(|(_, other)| other.binary_hash != here.binary_hash) {
        return Err(Failure::usage(format!(
            "set '{}' holds records of another build of this program ({} of {}); name another set with --set",
            args.set,
            &other.binary_hash.get(..12).unwrap_or_default(),
            other.version
        )));
    }
    Ok(())
}

/// What came of it all, and the status that it deserves.
fn finish(experiment: &Experiment, folder: &Path, out: &mut dyn Write) -> Result<Status, Failure> {
    let set = context::named(folder, Set::open(folder))?;
    let tallies = experiment.tally(&set);
    writeln!(out, "{}", summary(&tallies))?;
    let wrong: Vec<&Record> = set.iter().filter(|record| record.is_wrong()).collect();
    list_wrong(&wrong, out)?;
    let disputed = list_disputes(&set, out)?;
    let failed = experiment.failed(&set).count();
    if failed > 0 {
        context::warn(&format!("{failed} runs have failed; --retry runs them again"));
        return Ok(Status::Usage);
    }
    Ok(if wrong.is_empty() && disputed == 0 { Status::Done } else { Status::Wrong })
}

/// Answers to the same question that differ where the checker has not closed both, loudly; says how many.
pub(super) fn list_disputes(set: &Set, out: &mut dyn Write) -> Result<usize, Failure> {
    let disputes = disputes(set.iter());
    for (one, other) in disputes.iter().take(MOST_LISTED) {
        let told = |record: &Record| {
            format!("{} says {}", record.engine, record.findings.outcome.as_deref().unwrap_or("nothing"))
        };
        let (loud, seed) = (context::loud("DIFFERENT ANSWERS"), one.seed);
        writeln!(out, "{loud} to {} seed {seed}: {}, {}", one.family, told(one), told(other))?;
    }
    Ok(disputes.len())
}

/// Answers that are wrong or contradict each other, loudly.
pub(super) fn list_wrong(wrong: &[&Record], out: &mut dyn Write) -> Result<(), Failure> {
    for record in wrong.iter().take(MOST_LISTED) {
        let Record { engine, family, seed, findings, contradicts, key, .. } = record;
        let answer = findings.outcome.as_deref().unwrap_or("nothing");
        let (loud, why) = match contradicts {
            Some(other) => ("DISAGREEMENT", format!("contradicts run {other}")),
            None => ("WRONG", findings.reason.clone().unwrap_or_default()),
        };
        let loud = context::loud(loud);
        writeln!(out, "{loud} run {key}, {engine} on {family} seed {seed} says {answer}: {why}")?;
    }
    if wrong.len() > MOST_LISTED {
        writeln!(out, "and {} more", wrong.len() - MOST_LISTED)?;
    }
    Ok(())
}

/// A line an engine.
pub(super) fn summary(tallies: &IndexMap<String, Tally>) -> comfy_table::Table {
    let head = [
        "engine",
        ">runs",
        ">done",
        ">solved",
        ">open",
        ">wrong",
        ">at a limit",
        ">unserved",
        ">failed",
        ">CPU, mean",
    ];
    let rows = tallies.iter().map(|(engine, tally)| {
        let blank = |n: usize| if n == 0 { String::new() } else { n.to_string() };
        let limits: Vec<String> = tally.limits.iter().map(|(name, n)| format!("{n} {name}")).collect();
        vec![
            engine.clone(),
            tally.planned.to_string(),
            tally.done.to_string(),
            tally.solved.to_string(),
            blank(tally.open),
            blank(tally.wrong),
            limits.join(", "),
            blank(tally.unsupported),
            blank(tally.failed),
            tally.mean_cpu_s().map_or(String::new(), |s| context::duration(Duration::from_secs_f64(s))),
        ]
    });
    table(&head, rows.collect())
}

/// The runs, and how long they may take.
fn dry(experiment: &Experiment, set: &Set, args: &Args, out: &mut dyn Write) -> Result<Status, Failure> {
    let runs = &experiment.expanded.runs;
    let tallies = experiment.tally(set);
    let planned = experiment.plan.families.iter().flat_map(places);
    let mut families: IndexMap<String, usize> = planned.map(|place| (place, 0)).collect();
    for run in runs {
        *families.entry(place(run)).or_default() += 1;
    }
    let rows = families.into_iter().map(|(family, n)| vec![family, n.to_string()]);
    writeln!(out, "{}\n", table(&["instances", ">runs"], rows.collect()))?;
    let rows =
        tallies.iter().map(|(engine, t)| vec![engine.clone(), t.planned.to_string(), t.done.to_string()]);
    writeln!(out, "{}\n", table(&["engine", ">runs", ">done"], rows.collect()))?;
    let missing: Vec<&Run> = experiment.missing(set).collect();
    writeln!(
        out,
        "{}: {} runs on {} instances, {} of them to be done, {} side by side",
        experiment.name,
        runs.len(),
        experiment.expanded.instances,
        missing.len(),
        args.jobs
    )?;
    writeln!(out, "{}", estimate(&missing, set, args.jobs.get()))?;
    Ok(Status::Done)
}

fn place(run: &Run) -> String {
    match &run.origin {
        Origin::File { name, .. } => name.clone(),
        Origin::Family { name, params, .. } => generated(name, params),
    }
}

/// Where a family of the plan has its instances from.
fn places(family: &Family) -> Vec<String> {
    match &family.source {
        Source::File { name, .. } => vec![name.clone()],
        Source::Generated { name, params, .. } => {
            params.iter().map(|params| generated(name, params)).collect()
        }
    }
}

fn generated(name: &str, params: &[(String, String)]) -> String {
    let params: String = params.iter().map(|(key, value)| format!(" {key}={value}")).collect();
    format!("{name}{params}")
}

/// At most the limits; likely what runs of the same engine and instances have taken.
fn estimate(missing: &[&Run], set: &Set, jobs: usize) -> String {
    let time = |seconds: f64| Duration::try_from_secs_f64(seconds / jobs as f64).unwrap_or(Duration::MAX);
    let shown = |seconds: f64| HumanDuration(time(seconds)).to_string();
    let most: Option<f64> = missing.iter().map(|run| run.limits.cpu_s).sum();
    let mut known: BTreeMap<(&str, &str), (f64, usize)> = BTreeMap::new();
    for record in set.iter() {
        let (sum, n) = known.entry((&record.engine, &record.instance_hash)).or_default();
        *sum += record.process_wall_s;
        *n += 1;
    }
    let mut by_engine: BTreeMap<&str, (f64, usize)> = BTreeMap::new();
    for ((engine, _), (sum, n)) in &known {
        let (all, count) = by_engine.entry(engine).or_default();
        *all += sum;
        *count += n;
    }
    let mean = |(sum, n): &(f64, usize)| sum / *n as f64;
    let likely: Option<f64> = missing
        .iter()
        .map(|run| {
            let same = known.get(&(run.engine.as_str(), run.instance_hash.as_str())).map(mean);
            same.or_else(|| by_engine.get(run.engine.as_str()).map(mean))
        })
        .sum();
    let most = most.map_or("without a limit on CPU time".to_owned(), |s| {
        format!("at most {} by their CPU limits", shown(s))
    });
    match likely {
        Some(likely) if !missing.is_empty() => format!("{most}; about {} by earlier runs", shown(likely)),
        _ => most,
    }
}

/// A bar on a terminal, a line now and then elsewhere.
struct Progress {
    name: String,
    bar: ProgressBar,
    total: usize,
    state: Mutex<State>,
}

struct State {
    done: usize,
    before: usize,
    counts: Tally,
    started: Instant,
    told: Instant,
    waiting: bool,
}

impl Progress {
    fn new(name: &str, total: usize, before: usize) -> Self {
        let bar = ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{prefix} {bar:20} {pos}/{len} {wide_msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_prefix(name.to_owned());
        bar.set_position(before as u64);
        let (counts, now) = (Tally::default(), Instant::now());
        let state = State { done: before, before, counts, started: now, told: now, waiting: false };
        Progress { name: name.to_owned(), bar, total, state: Mutex::new(state) }
    }

    fn message(&self, state: &State) -> String {
        let rate = (state.done - state.before) as f64 / state.started.elapsed().as_secs_f64().max(1e-3);
        let left = (self.total - state.done) as f64 / rate.max(1e-9);
        let Tally { solved, open, wrong, limits, unsupported, failed, .. } = &state.counts;
        let at_limits: usize = limits.values().sum();
        let counts = [
            (*solved, "solved"),
            (*open, "open"),
            (*wrong, "WRONG"),
            (at_limits, "at a limit"),
            (*unsupported, "unserved"),
            (*failed, "failed"),
        ];
        let mut parts: Vec<String> =
            counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
        if state.done > state.before {
            parts.push(format!("{rate:.1}/s"));
            if state.done < self.total && left < 1e7 {
                parts.push(format!("{} left", HumanDuration(Duration::from_secs_f64(left))));
            }
        }
        parts.join(", ")
    }

    fn end(&self) {
        self.bar.finish_and_clear();
    }

    fn update(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut state);
        let message = self.message(&state);
        if !self.bar.is_hidden() {
            self.bar.set_position(state.done as u64);
            self.bar.set_message(message);
        } else if !std::io::stderr().is_terminal() && state.told.elapsed() >= LINE_EVERY {
            state.told = Instant::now();
            context::warn(&format!("{}: {}/{}: {message}", self.name, state.done, self.total));
        }
    }
}

impl Watcher for Progress {
    fn recorded(&self, record: &Record) {
        if record.findings.verdict == Some(Verdict::Failed) {
            let why = record.findings.reason.as_deref().unwrap_or("for no reason given");
            self.bar.suspend(|| {
                context::warn(&format!("{} on {} seed {}: {why}", record.engine, record.family, record.seed))
            });
        }
        self.update(|state| {
            state.done += 1;
            state.counts.add(record);
        });
    }

    fn tick(&self) {
        self.update(|_| ());
    }

    fn waiting(&self, held: &[Held]) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if !std::mem::replace(&mut state.waiting, true) {
            let who: Vec<&str> = held.iter().map(|held| held.worker.as_str()).collect();
            self.bar.suspend(|| context::warn(&format!("waiting for what others do: {}", who.join(", "))));
        }
    }
}
