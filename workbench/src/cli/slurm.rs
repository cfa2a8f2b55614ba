//! `run --on slurm`: submits pilots.

mod ask;
mod cancel;
mod dry;
mod status;

pub(super) use ask::{chosen, halved, remedy};
pub(super) use cancel::cancel;
pub(super) use dry::dry;
pub(super) use status::show;

use self::ask::{patiently, refused};
use super::args::Run as Args;
use super::context::Context;
use super::exit::{Failure, Status};
use super::experiment::Experiment;
use super::{interrupt, print, program, read};
use crate::engine::{Limit, Stop};
use crate::harness::plan::PlannedRun;
use crate::harness::slurm::{
    Cluster, ClusterError, Job, Lately, Pilots, Settings, Size, Spool, Submitted, altered_program, script,
};
use crate::harness::{Completion, LEASE, Queue, Set, own_program};
use crate::process::Identity;
use crate::record::{Limits, Run};
use crate::study::plural;
use humantime::format_duration;
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

    /// The job script.
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
            tested: None,
            command: &command,
        })?)
    }

    /// Asks Slurm whether it would accept the script, without submitting it.
    fn test(&self, context: &Context, text: &str) -> Result<Result<String, ClusterError>, Failure> {
        let file = context.children.file()?;
        std::fs::write(file.path(), text)?;
        match self.cluster.test(file.path()) {
            // Without `sbatch`, nothing can be submitted later either.
            Err(error @ (ClusterError::Missing(_) | ClusterError::Unconfigured { .. })) => Err(error.into()),
            tested => Ok(tested),
        }
    }

    /// Submits the script. If the site does not allow so many pilots, submits a script with half as many.
    fn send(&mut self, script: impl Fn(&Self) -> Result<String, Failure>) -> Result<String, Failure> {
        let known: BTreeSet<String> = self.cluster.jobs(&self.name)?.into_iter().map(|job| job.job).collect();
        let submitted = halved(self.size.pilots, |pilots| {
            self.size.pilots = pilots;
            let text = script(self)?;
            read::named(&self.spool.script(), self.spool.write_script(&text))?;
            let is_again = std::cell::Cell::new(false);
            Ok(patiently(|| {
                // A controller that did not answer may nevertheless have accepted the job.
                let jobs = if is_again.replace(true) { self.cluster.jobs(&self.name)? } else { Vec::new() };
                let taken = jobs.into_iter().map(|job| job.job).find(|job| !known.contains(job));
                taken.map_or_else(|| self.cluster.submit(&self.spool.script()), Ok)
            }))
        })?;
        submitted.map_err(refused)
    }

    /// The jobs of this set that Slurm knows, live or ended.
    fn jobs(&self) -> Result<Vec<Job>, Failure> {
        Ok(self.cluster.jobs(&self.name)?)
    }

    /// The number of pilots that are live according to Slurm or, if Slurm knows no job of this set, according to their
    /// heartbeats. Writes nothing.
    fn live(&self, folder: &Path, jobs: &[Job]) -> Result<usize, Failure> {
        if !jobs.is_empty() || !self.spool.is_used() {
            return Ok(jobs.iter().filter(|job| job.state.is_live()).count());
        }
        let beating = read::named(folder, Queue::heartbeats(folder))?.live_elsewhere(self.settings.lease);
        if beating > 0 {
            print::warn(&format!("{}, so they count as pilots", contradiction(beating, self.settings.lease)));
        }
        Ok(beating)
    }
}

/// What to say if Slurm knows no job of a set, but pilots seem to be alive. An empty answer is no answer: just after the
/// controller has started, for example, it may know no jobs.
fn contradiction(beating: usize, lease: Duration) -> String {
    format!(
        "squeue lists no job of this set, but {} on other machines showed that they are alive within the last {}",
        plural(beating, "process", "processes"),
        format_duration(lease)
    )
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
    // Jobs that cannot be noted are not submitted.
    read::named(folder, submission.spool.list())?;
    let jobs = submission.jobs()?;
    read::named(folder, submission.spool.recover(&jobs))?;
    let live = submission.live(folder, &jobs)?;
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

/// How long another process may show no progress before its batches are taken over.
pub(super) fn lease(experiment: &Experiment, folder: &Path) -> Duration {
    let settings = experiment.plan.slurm.clone().unwrap_or_default();
    if Spool::of(folder).is_used() { settings.lease.max(LEASE) } else { LEASE }
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
