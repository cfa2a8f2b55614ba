//! `run --on slurm`: submits pilots, and `cancel` ends them.

mod ask;
mod status;

pub(super) use ask::{chosen, remedy};
pub(super) use status::show;

use self::ask::{is_too_many, patiently, refused};
use super::args::Run as Args;
use super::context::Context;
use super::estimate::likely_s;
use super::exit::{Failure, Status};
use super::experiment::Experiment;
use super::{interrupt, print, program, read};
use crate::engine::{Limit, Stop};
use crate::harness::plan::PlannedRun;
use crate::harness::slurm::{
    Cluster, ClusterError, Lately, Pilots, Settings, Size, Spool, Submitted, altered_program, script,
};
use crate::harness::{Completion, LEASE, Queue, Set, own_program};
use crate::process::Identity;
use crate::record::{Limits, Run};
use crate::study::plural;
use humantime::format_duration;
use itertools::Itertools;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

impl From<ClusterError> for Failure {
    fn from(error: ClusterError) -> Self {
        Failure::usage(error.to_string())
    }
}

/// Environment variables that override the options of the job script on which pilots depend. Others, such as
/// `SBATCH_ACCOUNT`, are the user's choice.
const OVERRIDING: [&str; 7] = [
    "SBATCH_ARRAY_INX",
    "SBATCH_JOB_NAME",
    "SBATCH_NO_REQUEUE",
    "SBATCH_OPEN_MODE",
    "SBATCH_SIGNAL",
    "SBATCH_TIMELIMIT",
    "SBATCH_WAIT",
];

/// Why plans that set no limit on CPU time are refused.
pub(super) const NO_CPU_LIMIT: &str = "the time of pilots follows from the limit on CPU time, which the plan must set \
    itself (the default does not count here); add `cpu = \"…\"` to its `limits`";

/// The pilots that the missing runs of an experiment need.
struct Submission<'a> {
    cluster: Cluster,
    settings: Settings,
    size: Size,
    /// The partition that they go to.
    partition: String,
    missing: Vec<PlannedRun<'a>>,
    /// The halves of cubes that are missing, too.
    halves: Vec<Run>,
    name: String,
    spool: Spool,
}

/// The cluster that Slurm's programs talk to. Ctrl-C ends a command early.
pub(super) fn cluster(context: &Context) -> Cluster {
    let stop: Stop = Arc::new(|| interrupt::is_requested().then_some(Limit::Cancelled));
    Cluster::new(Arc::clone(&context.children), stop)
}

impl<'a> Submission<'a> {
    /// Asks the cluster for its partitions, and decides how many pilots there are and what each of them gets. Writes
    /// nothing.
    fn of(
        context: &Context,
        experiment: &'a Experiment,
        (set, folder): (&'a Set, &Path),
        args: &Args,
    ) -> Result<Self, Failure> {
        let settings = experiment.plan.slurm.clone().unwrap_or_default();
        let cluster = cluster(context);
        let partitions = patiently(|| cluster.partitions())?;
        let partition = chosen(&cluster, &partitions, &settings)?;
        let missing: Vec<PlannedRun<'_>> = experiment.missing(set).collect();
        let halves = experiment.missing_halves(set);
        let limits = missing.iter().map(|run| run.limits());
        let limits: Vec<Limits> = limits.chain(halves.iter().map(|run| run.limits)).collect();
        if let Some(name) = OVERRIDING.iter().find(|name| std::env::var_os(name).is_some()) {
            return Err(Failure::usage(format!(
                "the environment variable {name} overrides an option of the job script; unset it"
            )));
        }
        if !experiment.plan.sets_cpu_limit {
            return Err(Failure::usage(NO_CPU_LIMIT));
        }
        let size = Size::of((&limits, limits.len()), partition, &settings, (args.nodes, args.time));
        let size = size.map_err(|error| Failure::usage(error.to_string()))?;
        let spool = Spool::of(folder);
        let name = spool.job_name(&experiment.name)?;
        Ok(Submission {
            cluster,
            settings,
            size,
            partition: partition.name.clone(),
            missing,
            halves,
            name,
            spool,
        })
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

    /// Asks Slurm whether it would accept the script, without submitting it.
    fn test(&self, context: &Context, text: &str) -> Result<Result<String, ClusterError>, Failure> {
        let file = context.children.file()?;
        std::fs::write(file.path(), text)?;
        Ok(self.cluster.test(file.path()))
    }

    /// Submits the script. If the site does not allow so many pilots, submits a script with half as many.
    fn send(&mut self, script: impl Fn(&Self) -> Result<String, Failure>) -> Result<String, Failure> {
        let known: BTreeSet<String> = self.cluster.jobs(&self.name)?.into_iter().map(|job| job.job).collect();
        for is_last in [false, true] {
            let text = script(self)?;
            read::named(&self.spool.script(), self.spool.write_script(&text))?;
            let is_again = std::cell::Cell::new(false);
            let submitted = patiently(|| {
                // A controller that did not answer may nevertheless have accepted the job.
                let jobs = if is_again.replace(true) { self.cluster.jobs(&self.name)? } else { Vec::new() };
                let taken = jobs.into_iter().map(|job| job.job).find(|job| !known.contains(job));
                taken.map_or_else(|| self.cluster.submit(&self.spool.script()), Ok)
            });
            match submitted {
                Err(ClusterError::Refused { words, .. })
                    if !is_last && self.size.pilots > 1 && is_too_many(&words) =>
                {
                    let fewer = self.size.pilots.div_ceil(2);
                    print::warn(&format!(
                        "sbatch says: {words}; trying {fewer} pilots instead of {}",
                        self.size.pilots
                    ));
                    self.size.pilots = fewer;
                }
                other => return other.map_err(refused),
            }
        }
        Err(Failure::usage("Slurm refuses the pilots"))
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
    let live = submission.cluster.jobs(&submission.name)?;
    let live = live.iter().filter(|job| job.state.is_live()).count();
    // `sbatch` accepts a job that no node can run, and the job waits for ever; only `--test-only` rejects it.
    // The test asks for one pilot. Whether the site allows all of them shows when they are submitted.
    let pilots = std::mem::replace(&mut submission.size.pilots, 1);
    let text = submission.script(context, experiment, &std::path::absolute(folder)?, args)?;
    submission.size.pilots = pilots;
    if let Err(ClusterError::Refused { program, words }) = submission.test(context, &text)? {
        return Err(Failure::usage(format!(
            "{program} --test-only says: {words}; {}; nothing was queued",
            remedy(&words)
        )));
    }
    let planned = submission.missing.iter().map(|run| run.run());
    let runs: Vec<Run> = planned.chain(submission.halves.iter().cloned()).collect();
    let missing = runs.len();
    let program = read::named(folder, submission.spool.copy_program(&own_program()?))?;
    let program = std::path::absolute(program)?;
    let wanted = submission.size.pilots as usize;
    read::named(folder, Queue::submit(folder, Identity::this(), runs, wanted))?;
    let (waiting, held) = read::named(folder, Queue::sizes(folder))?;
    writeln!(
        out,
        "{}: {missing} runs have no record; {waiting} batches wait, {held} are held",
        experiment.name
    )?;
    // A pilot holds one batch at a time. So if more batches are held than pilots are live, the others
    // belonged to dead pilots, and other pilots take them after a lease.
    let needed = wanted.min(waiting + held.saturating_sub(live)).saturating_sub(live);
    if needed == 0 {
        writeln!(out, "{} carry them out, so no more are submitted", plural(live, "pilot", "pilots"))?;
        return Ok(Status::Done);
    }
    submission.size.pilots = u32::try_from(needed).unwrap_or(u32::MAX);
    let job = submission.send(|submission| submission.script(context, experiment, &program, args))?;
    let Size { pilots, time, .. } = submission.size;
    let submitted = Submitted { job: job.clone(), pilots, minutes: time.as_secs() / 60 };
    read::named(folder, submission.spool.note(&submitted))?;
    Lately::forget(folder);
    writeln!(
        out,
        "job {job}: {} of {} on partition {}",
        plural(pilots as usize, "pilot", "pilots"),
        format_duration(time),
        submission.partition
    )?;
    let (name, exp) = (program::name(), args.experiment_and_set());
    print::warn(&format!(
        "`{name} status {exp}` shows the progress, `{name} cancel {exp}` ends the pilots, and `{name} run {exp}` joins in \
         or prints the results"
    ));
    Ok(Status::Done)
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
    if submission.missing.is_empty() && submission.halves.is_empty() {
        writeln!(out, "Slurm: all runs have records, so no pilots are needed")?;
        return Ok(Status::Done);
    }
    let Size { pilots, time, .. } = submission.size;
    let (cpus, what) = match submission.settings.exclusive {
        true => (1, "node-hours"),
        false => (submission.settings.cpus, "CPU-hours"),
    };
    // Two digits, unless there are more before the point.
    let hours = |seconds: f64| {
        let hours = seconds * f64::from(cpus) / 3600.0;
        let places = if hours > 0.0 { (1.0 - hours.log10().floor()).clamp(0.0, 4.0) } else { 0.0 };
        format!("{hours:.*}", places as usize)
    };
    let halves = submission.halves.iter().filter_map(|run| run.limits.cpu_s);
    let work: f64 = submission.missing.iter().filter_map(|run| run.limits().cpu_s).chain(halves).sum();
    let likely = likely_s(&submission.missing, set);
    let likely = likely.map_or(String::new(), |seconds| {
        format!("; about {} are likely, according to earlier runs", hours(seconds))
    });
    writeln!(
        out,
        "Slurm: {} of {} on partition {}: at most {} {what}; the limits of the runs add up to {}{likely}",
        plural(pilots as usize, "pilot", "pilots"),
        format_duration(time),
        submission.partition,
        hours(f64::from(pilots) * time.as_secs_f64()),
        hours(work),
    )?;
    let program = std::path::absolute(folder)?.join("slurm").join("program-HASH");
    let text = submission.script(context, experiment, &program, args)?;
    let (words, refusal) = match submission.test(context, &text)? {
        Ok(words) => (words, None),
        Err(ClusterError::Refused { words, .. }) => (words.clone(), Some(remedy(&words))),
        Err(error) => return Err(error.into()),
    };
    writeln!(out, "sbatch --test-only: {}\n", words.trim_start_matches("sbatch: "))?;
    write!(out, "{text}")?;
    refusal.map_or(Ok(Status::Done), |remedy| {
        Err(Failure::usage(format!(
            "without --dry-run, this command would fail, because Slurm refuses the script; {remedy}"
        )))
    })
}

/// How long another process may show no progress before its batches are taken over.
pub(super) fn lease(experiment: &Experiment, folder: &Path) -> Duration {
    let settings = experiment.plan.slurm.clone().unwrap_or_default();
    if Spool::of(folder).submitted().is_empty() { LEASE } else { settings.lease.max(LEASE) }
}

/// Whether a pilot may begin: nobody has cancelled the experiment, and the program is the one that was submitted.
pub(super) fn may_start(folder: &Path) -> Result<bool, Failure> {
    if Queue::was_cancelled(folder) {
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

/// Says how a pilot ended. The exit status says only whether the pilot worked; its results are in the records.
pub(super) fn pilot_ended(completion: Completion) -> Result<Status, Failure> {
    print::warn(match completion {
        Completion::Complete => "all runs have records",
        Completion::Incomplete => "some runs have no record, although they were queued again",
        Completion::NoBatch => "no batch is left; another pilot compares the records with the plan",
        Completion::Stopped => "asked to stop; the runs that were not finished went back to the queue",
        Completion::OutOfTime => {
            "no further run fits into the time of this pilot; the rest went back to the queue"
        }
    });
    Ok(Status::Done)
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
    Lately::forget(folder);
    if live.as_ref().is_ok_and(|jobs| !jobs.iter().any(|job| job.state.is_live())) {
        return Ok(false);
    }
    read::named(folder, Queue::cancel(folder))?;
    let ids: Vec<String> = match &live {
        Ok(jobs) => {
            jobs.iter().filter(|job| job.state.is_live()).map(|job| job.job.clone()).unique().collect()
        }
        Err(_) => submitted.into_iter().map(|submitted| submitted.job).collect(),
    };
    match live.map(drop).and_then(|()| cluster.cancel(&ids)) {
        Ok(()) => print::warn(&format!("cancelled: job {}; `run` resumes the experiment", ids.join(", "))),
        Err(error) => print::warn(&format!(
            "warning: {error}; running pilots stop by themselves. Job {} may still start pilots; they stop at once",
            ids.join(", ")
        )),
    }
    Ok(true)
}
