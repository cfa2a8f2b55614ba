//! `run`: carries out the missing runs of an experiment and shows the progress.

mod dry;
mod progress;

use super::args::{On, Run as Args};
use super::context::Context;
use super::exit::{Failure, Status};
use super::experiment::{Experiment, warn_rejected};
use super::outside;
use super::program;
use super::summary::{list_disputes, list_unsupported, list_wrong, startups, summary};
use super::{config, cubes, interrupt, print, read, repeat, slurm};
use crate::engine::{Limit, Stop};
use crate::harness::slurm::MARGIN;
use crate::harness::{
    Completion, Cores, Enforcement, Environment, Launcher, Queue, Segment, Set, StartError, Tier, Work,
    best_tier, carry_out, own_hash, own_program, program_hash, sweep,
};
use crate::process::{self, Identity};
use crate::record::Row;
use crate::solver::external::Program;
use crate::study::plural;
use itertools::Itertools;
use progress::Progress;
use rustc_hash::FxHashSet;
use std::io::{ErrorKind, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

pub(super) fn run(context: &Context, args: &Args, out: &mut dyn Write) -> Result<Status, Failure> {
    let started = Instant::now();
    if args.on == On::Local && (args.nodes.is_some() || args.time.is_some()) {
        return Err(Failure::usage("--nodes and --time are for --on slurm"));
    }
    if args.on == On::Slurm && args.jobs.is_some() {
        return Err(Failure::usage(
            "--jobs is for --on local: a pilot makes one run at a time; --nodes limits the number of pilots",
        ));
    }
    let experiment = Experiment::open(context, &args.exp)?;
    let folder = experiment.set(&args.set)?;
    let set = experiment.records(&folder)?;
    warn_rejected(&set);
    if args.dry_run {
        dry::run(&experiment, &set, &folder, args, out)?;
        return match args.on {
            On::Local => Ok(Status::Done),
            On::Slurm => slurm::dry(context, &experiment, (&set, &folder), args, out),
        };
    }
    if let Some(key) = &args.repeat {
        let (_, launcher) =
            launcher(context, (&experiment, &set), cores(&experiment, NonZero::<usize>::MIN)?)?;
        return repeat::run(&experiment, &set, &launcher, key, out);
    }
    read::named(&folder, sweep(&folder))?;
    let repeat = experiment.failed(&set).filter(|_| args.retry).map(|record| record.attempt());
    let repeat: FxHashSet<String> = repeat.collect();
    let missing = experiment.missing(&set).count() + repeat.len();
    let total = experiment.expanded.runs.len();
    if args.pilot.is_some() && !slurm::may_start(&folder)? {
        return Ok(Status::Done);
    }
    if missing == 0 && args.pilot.is_some() {
        return slurm::pilot_ended(Completion::Complete);
    }
    if missing == 0 {
        print::warn(&format!("all {total} runs of {} have records", experiment.name));
        let hashes: Vec<_> = outside::hashes(&experiment).collect();
        outside::warn_changed(&read::named(&folder, set.environment())?, &hashes);
        Queue::tidy(&folder);
        return finish(context, &experiment, &folder, args, out);
    }
    if args.on == On::Slurm {
        if let Some(refusal) = refusal(&set, &folder, &own_hash()?, args)? {
            return Err(refusal);
        }
        return slurm::submit(context, &experiment, (&set, &folder), args, out);
    }
    let (jobs, held) = cores(&experiment, args.jobs.unwrap_or(NonZero::<usize>::MIN))?;
    let (environment, launcher) = launcher(context, (&experiment, &set), (jobs, held))?;
    if let Some(refusal) = refusal(&set, &folder, &environment.binary_hash, args)? {
        return Err(refusal);
    }
    outside::warn_changed(&read::named(&folder, set.environment())?, &environment.solvers);
    let segment =
        Segment::new(&folder, Identity::this().name(), &environment).map_err(|e| unwritten(&folder, &e))?;
    let stop: Stop = Arc::new(|| interrupt::is_requested().then_some(Limit::Cancelled));
    let work = Work {
        runs: &experiment.expanded.runs,
        set,
        repeat,
        folder: &folder,
        jobs,
        lease: args.lease.unwrap_or_else(|| slurm::lease(&experiment, &folder)),
        stop,
        until: args.pilot.map(|time| started + time.saturating_sub(MARGIN)),
        is_queued: args.pilot.is_some(),
    };
    let progress = Progress::new(&experiment.name, total, total - missing);
    let ended = interrupt::interruptible(|| carry_out(&launcher, work, segment, &progress));
    progress.end();
    if let Some(why) = launcher.no_cgroup.get() {
        print::warn(&format!(
            "warning: some runs had no control group ({why}); tier {} enforced their limits \
             instead, and their records say so",
            Tier::Rlimit
        ));
    }
    if args.pilot.is_some() {
        return slurm::pilot_ended(ended.map_err(|error| unwritten(&folder, &error))?);
    }
    match ended {
        Ok(Completion::Complete | Completion::Incomplete | Completion::NoBatch) => {
            finish(context, &experiment, &folder, args, out)
        }
        Ok(Completion::Stopped | Completion::OutOfTime) => {
            let left = experiment.missing(&experiment.records(&folder)?).count();
            print::warn(&format!(
                "stopped; {} of {total} runs have records; the same command resumes the experiment",
                total - left
            ));
            Ok(Status::Interrupted)
        }
        Err(error) => Err(unwritten(&folder, &error)),
    }
}

/// Why pinned runs cannot start.
const NO_CORE: &str =
    "other pinned experiments use all processor cores; wait until they end, or remove `pin` from the plan";

/// The number of runs that are carried out at the same time, and the cores to which they are pinned if the plan has
/// `pin = true`. Each pinned run needs a core of its own, so if there are fewer cores, there are fewer runs at a time.
fn cores(experiment: &Experiment, jobs: NonZero<usize>) -> Result<(NonZero<usize>, Cores), Failure> {
    if !experiment.plan.pin {
        return Ok((jobs, Cores::default()));
    }
    let held = match Cores::claim(jobs.get()) {
        Ok(held) => held,
        Err(why) => {
            print::warn(&format!("warning: `pin` has no effect, so runs may move between processors: {why}"));
            return Ok((jobs, Cores::default()));
        }
    };
    let Some(count) = NonZero::new(held.len()) else {
        return Err(Failure::usage(NO_CORE));
    };
    if count < jobs {
        let free = plural(count, "is free", "are free");
        print::warn(&format!(
            "warning: {count} instead of {jobs} runs at a time: each pinned run needs its own core, and only {free}"
        ));
    }
    Ok((count, held))
}

/// The environment of the new records, and what is needed to start worker processes.
fn launcher<'a>(
    context: &'a Context,
    (experiment, set): (&Experiment, &Set),
    (jobs, cores): (NonZero<usize>, Cores),
) -> Result<(Environment, Launcher<'a>), Failure> {
    let hash = |program: &Program| program.command.first().map_or(String::new(), |name| program_hash(name));
    let solvers = experiment.solvers().map(|program| (program.name.clone(), hash(program)));
    let solvers = solvers.chain(outside::hashes(experiment));
    let Enforcement { tier, cgroups } = best_tier();
    let environment = Environment::here(jobs.get(), tier, solvers.collect())
        .map_err(|error| Failure::usage(format!("this program cannot be read: {error}")))?
        .built_from(program::get().revision);
    let mut versions = config::versions(context, experiment.solvers());
    let of_declared =
        experiment.declared().map(|declared| (declared.id(), outside::version(context, declared)));
    versions.extend(of_declared.filter_map(|(id, version)| Some((id, version?))));
    let environment = Environment { programs: versions.clone(), ..environment };
    let launcher = Launcher {
        program: own_program()?,
        folder: std::path::absolute(&experiment.folder)?,
        registry: &context.registry,
        solvers: config::registry(context, &experiment.plan.programs),
        programs: experiment.plan.programs.clone(),
        versions,
        engines: config::engines(
            context,
            context.registry.find(&experiment.plan.problem)?,
            &experiment.plan.declared,
        ),
        declared: experiment.plan.declared.clone(),
        startup_cpu_s: outside::startup(context, experiment, (set, &environment))?,
        children: Arc::clone(&context.children),
        cgroups,
        environment: environment.hash(),
        uncontained: Environment { limit_tier: Tier::Rlimit, ..environment.clone() },
        cores,
        no_cgroup: OnceLock::new(),
        memory_kills: AtomicU64::new(process::memory_kills().unwrap_or(0)),
    };
    Ok((environment, launcher))
}

fn unwritten(folder: &Path, error: &std::io::Error) -> Failure {
    if error.get_ref().is_some_and(|error| error.is::<StartError>()) {
        return Failure::usage(format!("{error}; earlier records are kept"));
    }
    let remedy = match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            "; make space, then `run` resumes the experiment"
        }
        _ => "",
    };
    Failure::usage(format!("{}: {error}; earlier records are kept{remedy}", folder.display()))
}

/// A failure if the set contains records of other builds but none of this build, and `--accept-build` is not given.
/// `None` if this command may add records to the set.
fn refusal(set: &Set, folder: &Path, own_hash: &str, args: &Args) -> Result<Option<Failure>, Failure> {
    if args.accept_build || set.is_empty() {
        return Ok(None);
    }
    let known = read::named(folder, set.environment())?;
    if known.iter().any(|(_, known)| known.binary_hash == own_hash) {
        return Ok(None);
    }
    let others = known.iter().map(|(_, other)| format!("{} of {}", other.build(), other.version)).unique();
    let others = others.collect::<Vec<_>>();
    Ok((!others.is_empty()).then(|| {
        Failure::usage(format!(
            "set '{}' contains records of another build of this program ({}); use --accept-build to add runs of this build \
             to it, or --set NAME for a separate set",
            args.set,
            others.join(", ")
        ))
    }))
}

/// The maximum number of remarks of records that are printed.
const MAX_REMARKS: usize = 5;

/// The command line that resumes this experiment.
fn command(args: &Args) -> String {
    format!("{} run {}", program::name(), args.experiment_and_set())
}

/// Prints the results of all runs that have records, and returns the exit status.
fn finish(
    context: &Context,
    experiment: &Experiment,
    folder: &Path,
    args: &Args,
    out: &mut dyn Write,
) -> Result<Status, Failure> {
    let set = experiment.records(folder)?;
    let tallies = experiment.tally(&set);
    writeln!(out, "{}", summary(&tallies))?;
    // Records of runs that are no longer in the plan do not count, as in `status`.
    let planned = || experiment.whole_runs().filter_map(|run| set.record_of(run));
    write!(out, "{}", startups(planned()))?;
    list_unsupported(&experiment.engines(), planned(), out)?;
    let with_keys = |record: Row<'_>| {
        let remarks = record.remarks().iter();
        remarks.map(|text| format!("warning: run {}: {text}", record.key())).collect::<Vec<_>>()
    };
    let remarks: Vec<String> = planned().flat_map(with_keys).collect();
    remarks.iter().take(MAX_REMARKS).for_each(|remark| print::warn(remark));
    let more = remarks.len().saturating_sub(MAX_REMARKS);
    if more > 0 {
        print::warn(&format!("warning: {more} more remarks; see the field `remarks` of the records"));
    }
    let wrong: Vec<Row<'_>> = planned().filter(|record| record.is_wrong()).collect();
    list_wrong(&wrong, out)?;
    cubes::show(experiment, &set, out)?;
    let failures: Vec<Row<'_>> = experiment.failed(&set).collect();
    let problem = context.registry.find(&experiment.plan.problem)?;
    outside::remedies((experiment, problem), &wrong, &failures, out)?;
    let disputed = list_disputes(&set, problem, out)?;
    let (missing, failed) = (experiment.missing(&set).count(), failures.len());
    if missing > 0 {
        let (total, name) = (experiment.expanded.runs.len(), &experiment.name);
        print::warn(&format!(
            "{missing} of {total} runs of {name} have no record, although they were queued again; `{}` repeats them",
            command(args)
        ));
    } else if failed > 0 {
        print::warn(&format!("{failed} runs failed; --retry repeats them"));
    }
    // A wrong answer is the result that a script must not miss, so it counts more than runs that failed.
    Ok(match (wrong.len() + disputed, missing + failed) {
        (0, 0) => Status::Done,
        (0, _) => Status::Usage,
        _ => Status::Wrong,
    })
}
