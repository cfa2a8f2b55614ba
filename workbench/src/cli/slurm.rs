//! `run --on slurm`: submits pilots. What `status` and `cancel` say and do about them.

use super::args::Run as Args;
use super::context::Context;
use super::exit::{Failure, Status};
use super::experiment::Experiment;
use super::table::table;
use super::{interrupt, print, program, read};
use crate::engine::{Limit, Stop};
use crate::harness::plan::PlannedRun;
use crate::harness::slurm::{
    Cluster, ClusterError, Job, JobState, Partition, Pilots, Settings, Size, Spool, Submitted,
    altered_program, script,
};
use crate::harness::{Completion, LEASE, Queue, Set, own_program};
use crate::process::Identity;
use crate::record::{Limits, Run, Verdict};
use crate::study::plural;
use humantime::format_duration;
use itertools::Itertools;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The messages of Slurm that say that an array is too large for the site.
const TOO_MANY: [&str; 4] = [
    "Invalid job array specification",
    "QOSMaxSubmitJobPerUserLimit",
    "AssocMaxSubmitJobLimit",
    "job submit limit",
];

impl From<ClusterError> for Failure {
    fn from(error: ClusterError) -> Self {
        Failure::usage(error.to_string())
    }
}

/// The pilots that the missing runs of an experiment need.
struct Submission<'a> {
    cluster: Cluster,
    settings: Settings,
    size: Size,
    /// The partition that they go to.
    partition: String,
    missing: Vec<PlannedRun<'a>>,
    name: String,
    spool: Spool,
}

fn cluster(context: &Context) -> Cluster {
    let stop: Stop = Arc::new(|| interrupt::is_requested().then_some(Limit::Cancelled));
    Cluster::new(Arc::clone(&context.children), stop)
}

impl<'a> Submission<'a> {
    /// Asks the cluster what it has, and decides on the pilots. Writes nothing.
    fn of(
        context: &Context,
        experiment: &'a Experiment,
        (set, folder): (&'a Set, &Path),
        args: &Args,
    ) -> Result<Self, Failure> {
        let settings = experiment.plan.slurm.clone().unwrap_or_default();
        let cluster = cluster(context);
        let partitions = cluster.partitions()?;
        let partition = chosen(&partitions, &settings)?;
        let missing: Vec<PlannedRun<'_>> = experiment.missing(set).collect();
        let limits: Vec<Limits> = missing.iter().map(|run| run.limits()).collect();
        if limits.iter().any(|limits| limits.cpu_s.is_none()) {
            return Err(Failure::usage(
                "a run without a limit on CPU time cannot be planned on a cluster; set `limits`",
            ));
        }
        let size = Size::of((&limits, limits.len()), partition, &settings, (args.nodes, args.time));
        let size = size.map_err(|error| Failure::usage(error.to_string()))?;
        let spool = Spool::of(folder);
        let name = spool.job_name(&experiment.name)?;
        Ok(Submission { cluster, settings, size, partition: partition.name.clone(), missing, name, spool })
    }

    /// The job script for this many pilots.
    fn script(
        &self,
        context: &Context,
        experiment: &Experiment,
        program: &Path,
        args: &Args,
    ) -> Result<String, Failure> {
        let mut command = vec![program.display().to_string()];
        if let Some(config) = &context.config {
            command.extend(["--config".to_owned(), std::path::absolute(config)?.display().to_string()]);
        }
        let folder = std::path::absolute(&experiment.folder)?.display().to_string();
        command.extend(["run".to_owned(), folder, "--set".to_owned(), args.set.clone()]);
        command.extend(["--pilot".to_owned(), format!("{}s", self.size.time.as_secs())]);
        command.extend(["--lease".to_owned(), format!("{}ms", self.settings.lease.as_millis())]);
        if args.accept_build {
            command.push("--accept-build".to_owned());
        }
        Ok(script(&Pilots {
            name: &self.name,
            size: self.size,
            settings: &self.settings,
            directory: &std::env::current_dir()?,
            log: &std::path::absolute(self.spool.log())?,
            command: &command,
        }))
    }

    /// Submits the script; if the site does not allow so many pilots, a script with half as many.
    fn send(&mut self, script: impl Fn(&Self) -> Result<String, Failure>) -> Result<String, Failure> {
        for is_last in [false, true] {
            let text = script(self)?;
            read::named(&self.spool.script(), self.spool.write_script(&text))?;
            match self.cluster.submit(&self.spool.script()) {
                Err(ClusterError::Refused { words, .. })
                    if !is_last
                        && self.size.pilots > 1
                        && TOO_MANY.iter().any(|sign| words.contains(sign)) =>
                {
                    let fewer = self.size.pilots.div_ceil(2);
                    print::warn(&format!(
                        "sbatch says: {words}; trying {fewer} pilots instead of {}",
                        self.size.pilots
                    ));
                    self.size.pilots = fewer;
                }
                other => return Ok(other?),
            }
        }
        Err(Failure::usage("Slurm refuses the pilots"))
    }
}

/// The partition that the settings name, or the default one.
fn chosen<'a>(partitions: &'a [Partition], settings: &Settings) -> Result<&'a Partition, Failure> {
    let names = || partitions.iter().map(|partition| partition.name.as_str()).join(", ");
    match &settings.partition {
        // Slurm accepts a list of partitions and takes the first that is free.
        Some(list) => {
            let first = list.split(',').next().unwrap_or_default();
            let found = partitions.iter().find(|partition| partition.name == first);
            found.ok_or_else(|| {
                Failure::usage(format!("Slurm has no partition '{first}'; it has: {}", names()))
            })
        }
        None => {
            let found = partitions.iter().find(|partition| partition.is_default);
            found.or_else(|| partitions.first().filter(|_| partitions.len() == 1)).ok_or_else(|| {
                Failure::usage(format!(
                    "Slurm has no default partition; name one in [slurm], for example partition = \"…\"; it has: {}",
                    names()
                ))
            })
        }
    }
}

/// Writes everything that pilots need, submits them, and prints the id of the job.
pub(super) fn submit(
    context: &Context,
    experiment: &Experiment,
    (set, folder): (&Set, &Path),
    args: &Args,
    out: &mut dyn Write,
) -> Result<Status, Failure> {
    let mut submission = Submission::of(context, experiment, (set, folder), args)?;
    let live = submission.cluster.jobs(&submission.name)?.into_iter().filter(is_live).count();
    let runs: Vec<Run> = submission.missing.iter().map(|run| run.run()).collect();
    let program = read::named(folder, submission.spool.copy_program(&own_program()?))?;
    let program = std::path::absolute(program)?;
    let wanted = submission.size.pilots as usize;
    read::named(folder, Queue::submit(folder, Identity::this(), runs, wanted))?;
    let (waiting, held) = read::named(folder, Queue::sizes(folder))?;
    let missing = submission.missing.len();
    writeln!(
        out,
        "{}: {missing} runs have no record; {waiting} batches wait, {held} are held",
        experiment.name
    )?;
    let needed = wanted.min(waiting).saturating_sub(live);
    if needed == 0 {
        writeln!(out, "{} carry them out, so no more are submitted", plural(live, "pilot", "pilots"))?;
        return Ok(Status::Done);
    }
    submission.size.pilots = u32::try_from(needed).unwrap_or(u32::MAX);
    let job = submission.send(|submission| submission.script(context, experiment, &program, args))?;
    let Size { pilots, time, .. } = submission.size;
    let submitted = Submitted { job: job.clone(), pilots, minutes: time.as_secs() / 60 };
    read::named(folder, submission.spool.note(&submitted))?;
    writeln!(
        out,
        "job {job}: {} of {} on partition {}",
        plural(pilots as usize, "pilot", "pilots"),
        format_duration(time),
        submission.partition
    )?;
    let (name, exp) = (program::name(), &args.exp);
    print::warn(&format!(
        "`{name} status {exp}` shows the progress, `{name} cancel {exp}` ends the pilots, and `{name} run {exp}` joins in \
         or prints the results"
    ));
    Ok(Status::Done)
}

fn is_live(job: &Job) -> bool {
    !matches!(job.state, JobState::Ended(_))
}

/// Prints what `run --on slurm` would submit.
pub(super) fn dry(
    context: &Context,
    experiment: &Experiment,
    (set, folder): (&Set, &Path),
    args: &Args,
    out: &mut dyn Write,
) -> Result<Status, Failure> {
    let submission = Submission::of(context, experiment, (set, folder), args)?;
    let Size { pilots, time, .. } = submission.size;
    let hours = |time: Duration| time.as_secs_f64() * f64::from(submission.settings.cpus) / 3600.0;
    let work: f64 = submission.missing.iter().filter_map(|run| run.limits().cpu_s).sum();
    writeln!(
        out,
        "Slurm: {} of {} on partition {}: {:.1} CPU-hours are asked for; the limits of the runs add up to {:.1}",
        plural(pilots as usize, "pilot", "pilots"),
        format_duration(time),
        submission.partition,
        f64::from(pilots) * hours(time),
        work / 3600.0,
    )?;
    let program = folder.join("slurm").join("program-HASH");
    let text = submission.script(context, experiment, &program, args)?;
    let file = context.children.file()?;
    std::fs::write(file.path(), &text)?;
    match submission.cluster.test(file.path()) {
        Ok(words) | Err(ClusterError::Refused { words, .. }) => {
            writeln!(out, "sbatch --test-only: {}\n", words.trim_start_matches("sbatch: "))?;
        }
        Err(error) => return Err(error.into()),
    }
    write!(out, "{text}")?;
    Ok(Status::Done)
}

/// How long another process may show no progress.
pub(super) fn lease(experiment: &Experiment, folder: &Path) -> Duration {
    let settings = experiment.plan.slurm.clone().unwrap_or_default();
    if Spool::of(folder).submitted().is_empty() { LEASE } else { settings.lease.max(LEASE) }
}

/// Whether a pilot may begin: nobody has cancelled the experiment, and the program is the one that was submitted.
pub(super) fn may_start(folder: &Path) -> Result<bool, Failure> {
    if folder.join("queue").join("cancel").exists() {
        print::warn("the experiment was cancelled before this pilot began");
        return Ok(false);
    }
    match altered_program(&std::env::current_exe()?)? {
        None => Ok(true),
        Some(hash) => Err(Failure::usage(format!(
            "{} was altered: its SHA-256 is now {hash}; submit the experiment again",
            std::env::current_exe()?.display()
        ))),
    }
}

/// Says how a pilot ended. Its exit status says only that it worked: what it found is in the records.
pub(super) fn pilot_ended(completion: Completion) -> Result<Status, Failure> {
    print::warn(match completion {
        Completion::Complete => "all runs have records",
        Completion::Incomplete => "some runs have no record, although they were queued again",
        Completion::Stopped => "asked to stop; the runs that were not finished went back to the queue",
        Completion::OutOfTime => {
            "no further run fits into the time of this pilot; the rest went back to the queue"
        }
    });
    Ok(Status::Done)
}

/// For `status`: the records of each node, and what Slurm says about the pilots. Nothing if no pilots were submitted.
pub(super) fn show(
    context: &Context,
    experiment: &Experiment,
    (set, folder): (&Set, &Path),
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let spool = Spool::of(folder);
    let submitted = spool.submitted();
    if submitted.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", by_node(experiment, (set, folder))?)?;
    let (waiting, _) = read::named(folder, Queue::sizes(folder))?;
    if waiting > 0 {
        writeln!(out, "{} in the queue", plural(waiting, "batch waits", "batches wait"))?;
    }
    let jobs = match cluster(context).jobs(&spool.job_name(&experiment.name)?) {
        Ok(jobs) => jobs,
        Err(error) => {
            writeln!(out, "{error}; what stands above comes from the files of the set")?;
            return Ok(());
        }
    };
    let state = |job: &Job| match &job.state {
        JobState::Running => format!("runs on {}", job.node),
        other => other.explanation(),
    };
    for (job, tasks) in &jobs.iter().filter(|job| is_live(job)).chunk_by(|job| job.job.clone()) {
        let counts = tasks.map(state).counts();
        let counts = counts.iter().sorted().map(|(state, count)| format!("{count} × {state}")).join(", ");
        writeln!(out, "job {job}: {counts}")?;
    }
    if !jobs.iter().any(is_live) {
        let last = submitted.last().map_or("", |last| last.job.as_str());
        writeln!(out, "no pilot is left (last job: {last})")?;
    }
    Ok(())
}

/// A table with the records of each node.
fn by_node(experiment: &Experiment, (set, folder): (&Set, &Path)) -> Result<super::table::Table, Failure> {
    let environments: BTreeMap<_, _> = read::named(folder, set.environment())?.into_iter().collect();
    let mut nodes: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    for record in experiment.expanded.runs.iter().filter_map(|run| set.record_of(run)) {
        let place = environments.get(record.environment());
        let place = place.map_or(("unknown", ""), |place| (place.node.as_str(), place.cpu_model.as_str()));
        let (done, failed) = nodes.entry(place).or_default();
        *done += 1;
        *failed += usize::from(record.verdict() == Some(Verdict::Failed));
    }
    let rows = nodes.into_iter().map(|((node, model), (done, failed))| {
        let failed = if failed == 0 { String::new() } else { failed.to_string() };
        vec![node.to_owned(), done.to_string(), failed, model.to_owned()]
    });
    Ok(table(&["node", ">runs", ">failed", "processor"], rows.collect()))
}

/// For `cancel`: asks the pilots to end, first by the file in the queue, then by Slurm. Returns whether there were any.
pub(super) fn cancel(context: &Context, experiment: &Experiment, folder: &Path) -> Result<bool, Failure> {
    let spool = Spool::of(folder);
    let submitted = spool.submitted();
    if submitted.is_empty() {
        return Ok(false);
    }
    let cluster = cluster(context);
    let live = cluster.jobs(&spool.job_name(&experiment.name)?);
    if live.as_ref().is_ok_and(|jobs| !jobs.iter().any(is_live)) {
        return Ok(false);
    }
    read::named(folder, Queue::cancel(folder))?;
    let ids: Vec<String> = match &live {
        Ok(jobs) => jobs.iter().filter(|job| is_live(job)).map(|job| job.job.clone()).unique().collect(),
        Err(_) => submitted.into_iter().map(|submitted| submitted.job).collect(),
    };
    match live.map(drop).and_then(|()| cluster.cancel(&ids)) {
        Ok(()) => print::warn(&format!("cancelled: job {}; `run` resumes the experiment", ids.join(", "))),
        Err(error) => print::warn(&format!(
            "warning: {error}; pilots that run will stop by themselves, but job {} may still start others, which stop at \
             once",
            ids.join(", ")
        )),
    }
    Ok(true)
}
