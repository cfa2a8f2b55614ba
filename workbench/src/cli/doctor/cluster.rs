//! `doctor --on slurm`: tests a cluster with one small array of jobs. Each task and this process test a folder that
//! they should share (`harness/slurm/probe.rs`). The command ends in bounded time, and cancels its job and removes
//! its folder however it ends.

mod findings;

use super::super::args::Doctor as Args;
use super::super::context::Context;
use super::super::exit::{Failure, Status};
use super::super::experiment::Experiment;
use super::super::plan_file::PLAN;
use super::super::slurm::{NO_CPU_LIMIT, chosen, cluster as connect, halved, remedy};
use super::super::table::table;
use super::super::{config, interrupt, print, read};
use crate::harness::own_program;
use crate::harness::slurm::{
    Cluster, ClusterError, Facts, InJob, Job, JobState, Partition, Pilots, Probe, Report, Settings, Size,
    Spool, script,
};
use crate::study::plural;
use itertools::Itertools;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The most nodes that are tested unless --nodes says more.
const MAX_NODES: u32 = 8;

/// The time and the memory of a task.
const TIME: Duration = Duration::from_secs(600);
const MEMORY_BYTES: u64 = 256 << 20;

/// How often the folder is looked at while the tasks begin.
const LOOK: Duration = Duration::from_millis(100);

/// How long to wait before Slurm is asked for the first time. Each later wait is twice as long, but at most
/// [`ASK`].
const FIRST_ASK: Duration = Duration::from_millis(200);
const ASK: Duration = Duration::from_secs(5);

/// How long the tasks may take to end after the test.
const END: Duration = Duration::from_secs(15);

/// The name of the job, and the beginning of the name of the folder.
const NAME: &str = "counterpoint-doctor";

/// The test, as far as it got.
struct Test {
    version: String,
    partition: Partition,
    settings: Settings,
    job: String,
    tasks: u32,
    /// How long it took until the last task had begun.
    begun: Duration,
    /// The names of the programs that were looked for.
    programs: Vec<String>,
    facts: BTreeMap<u32, Facts>,
    reports: BTreeMap<u32, Report>,
    /// The SHA-256 of this program, as the name of its copy has it.
    program: String,
    /// The jobs as Slurm last reported them.
    jobs: Vec<Job>,
    /// By task, the exit status of those that have ended, as far as Slurm tells it.
    exit_codes: BTreeMap<u32, u32>,
    /// The last line in the output of some task; `None` if all tasks began in time or none wrote anything.
    complaint: Option<String>,
    /// Whether the job was cancelled. If not, a warning has said so.
    is_cancelled: bool,
}

/// Takes part in a test as a task of its job.
pub(super) fn probe(args: &Args) -> Result<Status, Failure> {
    let folder = args.folder.as_deref().unwrap_or(Path::new("."));
    let me = InJob::this()
        .and_then(|job| job.task)
        .ok_or_else(|| Failure::usage("--probe is for tasks of a job"))?;
    read::named(folder, Probe::new(folder, me).follow(args.wait))?;
    Ok(Status::Done)
}

pub(super) fn run(context: &Context, args: &Args, out: &mut dyn Write) -> Result<Status, Failure> {
    let folder = args.folder.as_deref().unwrap_or(Path::new("."));
    let Wanted { settings, programs, refusal } = wanted(context, folder)?;
    let cluster = connect(context);
    let version = cluster.version()?;
    let partitions = cluster.partitions()?;
    let partition = chosen(&cluster, &partitions, &settings)?.clone();
    let usable: u32 = partition.nodes.iter().map(|(count, _)| count).sum();
    if usable == 0 {
        return Err(Failure::usage(format!(
            "no node of partition {} can be used now; `sinfo -R` says why",
            partition.name
        )));
    }
    let tasks = usable.min(args.nodes.unwrap_or(MAX_NODES));
    let place = std::path::absolute(folder)?;
    let place = read::named(folder, tempfile::Builder::new().prefix(&format!("{NAME}-")).tempdir_in(place))?;
    let tested = interrupt::interruptible(|| {
        test(
            context,
            args,
            (&cluster, &place),
            Test {
                version,
                partition,
                settings,
                job: String::new(),
                tasks,
                begun: Duration::ZERO,
                programs,
                facts: BTreeMap::new(),
                reports: BTreeMap::new(),
                program: String::new(),
                jobs: Vec::new(),
                exit_codes: BTreeMap::new(),
                complaint: None,
                is_cancelled: false,
            },
        )
    });
    let left = tidy(place);
    let test = tested?;
    if let Some(left) = left {
        print::warn(&format!("warning: {left} could not be removed; remove it when the job has ended"));
    }
    if interrupt::is_requested() {
        return Err(Failure {
            status: Status::Interrupted,
            message: if test.is_cancelled { "interrupted; the job was cancelled" } else { "interrupted" }
                .to_owned(),
        });
    }
    let found = findings::of(&test);
    let rows = found.lines.into_iter().map(Vec::from).collect();
    writeln!(out, "{}", table(&["property", "value", "remark"], rows))?;
    match refusal {
        Some(why) => Err(Failure::usage(format!("`run --on slurm` would refuse the plan: {why}"))),
        None => Ok(if found.is_usable && test.is_cancelled { Status::Done } else { Status::Usage }),
    }
}

/// What an experiment needs on a cluster.
struct Wanted {
    /// The settings of pilots.
    settings: Settings,
    /// The names of the programs that runs may need on the nodes.
    programs: Vec<String>,
    /// Why `run --on slurm` would refuse the plan.
    refusal: Option<&'static str>,
}

/// What the experiment in a folder needs; if there is none, what the configuration says.
fn wanted(context: &Context, folder: &Path) -> Result<Wanted, Failure> {
    let is_experiment = folder.join(PLAN).is_file();
    let experiment =
        is_experiment.then(|| Experiment::open(context, &folder.display().to_string())).transpose()?;
    let refusal =
        experiment.as_ref().filter(|experiment| !experiment.plan.sets_cpu_limit).map(|_| NO_CPU_LIMIT);
    let (slurm, programs, declared) = match experiment {
        Some(Experiment { plan, .. }) => (plan.slurm, plan.programs, plan.declared),
        None => {
            let config = config::load(context)?;
            (config.slurm, config.programs, config.declared)
        }
    };
    let programs = programs.iter().filter_map(|program| program.command.first().cloned());
    let declared = declared.iter().map(|declared| declared.program().to_string_lossy().into_owned());
    let programs = programs.chain(declared).unique().collect();
    Ok(Wanted { settings: slurm.unwrap_or_default(), programs, refusal })
}

fn test(
    context: &Context,
    args: &Args,
    (cluster, place): (&Cluster, &TempDir),
    mut test: Test,
) -> Result<Test, Failure> {
    let folder = place.path();
    let spool = Spool::of(folder);
    let program = read::named(folder, spool.copy_program(&own_program()?))?;
    test.program = program.to_string_lossy().rsplit('-').next().unwrap_or_default().to_owned();
    let leader = Probe::new(folder, 0);
    read::named(folder, leader.prepare(&test.programs))?;
    let name = folder.file_name().map_or(NAME.to_owned(), |name| name.to_string_lossy().into_owned());
    let start = Instant::now();
    let submitted = halved(test.tasks, |tasks| {
        test.tasks = tasks;
        let script = task_script(context, args, &test, (&name, folder, &program, &spool.log()))?;
        read::named(folder, spool.write_script(&script))?;
        Ok(cluster.submit(&spool.script()))
    })?;
    test.job = submitted.map_err(|error| match &error {
        ClusterError::Refused { words, .. } => Failure::usage(format!("{error}; {}", remedy(words))),
        _ => error.into(),
    })?;
    print::warn(&format!(
        "job {}: {} on partition {}",
        test.job,
        plural(test.tasks as usize, "task", "tasks"),
        test.partition.name
    ));
    let tested = wait(&mut test, (&leader, folder), (cluster, &name), (start, args.wait))
        .and_then(|()| measure(&mut test, (&leader, folder)));
    match end(cluster, (&name, &test.job)) {
        Ok(()) => test.is_cancelled = true,
        // What the test has found is still said.
        Err(error) => print::warn(&format!(
            "warning: {error}; job {0} may still wait or run. `scancel {0}` cancels it",
            test.job
        )),
    }
    tested.map(|()| test)
}

/// The job script of the tasks. Each has a node for itself, so that the tasks are on different nodes.
fn task_script(
    context: &Context,
    args: &Args,
    test: &Test,
    (name, folder, program, log): (&str, &Path, &Path, &Path),
) -> Result<String, Failure> {
    let mut command = vec![program.display().to_string()];
    if let Some(config) = &context.config {
        command.extend(["--config".to_owned(), std::path::absolute(config)?.display().to_string()]);
    }
    command.extend(["doctor".to_owned(), folder.display().to_string(), "--probe".to_owned()]);
    command.extend(["--wait".to_owned(), format!("{}s", args.wait.as_secs().max(1))]);
    let settings = Settings { exclusive: true, ..test.settings.clone() };
    let limit = test.partition.limit.unwrap_or(TIME);
    Ok(script(&Pilots {
        name,
        size: Size { pilots: test.tasks, time: TIME.min(limit), memory_bytes: Some(MEMORY_BYTES) },
        settings: &settings,
        directory: &std::env::current_dir()?,
        log,
        tested: Some(folder),
        command: &command,
    })?)
}

/// Waits until each task has begun or ended, or the time is up.
fn wait(
    test: &mut Test,
    (leader, folder): (&Probe, &Path),
    (cluster, name): (&Cluster, &str),
    (start, limit): (Instant, Duration),
) -> Result<(), Failure> {
    let (mut asked, mut pause) = (Instant::now(), FIRST_ASK);
    while !interrupt::is_requested() {
        test.facts = read::named(folder, leader.present())?;
        if test.facts.len() == test.tasks as usize {
            break;
        }
        let is_over = start.elapsed() > limit;
        if is_over || asked.elapsed() > pause {
            (asked, pause) = (Instant::now(), (2 * pause).min(ASK));
            // An empty list does not show that the job has ended: Slurm may have forgotten it.
            let jobs = cluster.jobs(name)?;
            let is_live = jobs.iter().any(|job| job.state.is_live());
            let is_lost = |job: &&Job| {
                !job.state.is_live() && job.task.is_none_or(|task| !test.facts.contains_key(&task))
            };
            // A task waits for the others, so one that has ended has failed.
            let lost = jobs.iter().filter(is_lost).count();
            let is_decided = !jobs.is_empty() && !is_live || test.facts.len() + lost >= test.tasks as usize;
            test.jobs = jobs;
            if is_over || is_decided {
                test.exit_codes = cluster.exit_codes(name);
                test.complaint = complaint(&folder.join("slurm").join("log"));
                break;
            }
        }
        std::thread::sleep(LOOK);
    }
    test.begun = start.elapsed();
    Ok(())
}

fn measure(test: &mut Test, (leader, folder): (&Probe, &Path)) -> Result<(), Failure> {
    let present: BTreeSet<u32> = test.facts.keys().copied().collect();
    if !present.is_empty() {
        test.reports = read::named(folder, leader.lead(&present, &interrupt::is_requested))?;
    }
    Ok(())
}

/// Cancels the job and waits until its tasks have ended, so that they no longer use the folder.
fn end(cluster: &Cluster, (name, job): (&str, &String)) -> Result<(), ClusterError> {
    cluster.cancel(std::slice::from_ref(job))?;
    let start = Instant::now();
    while cluster.jobs(name)?.iter().any(|job| job.state == JobState::Running) && start.elapsed() < END {
        std::thread::sleep(Duration::from_millis(500));
    }
    Ok(())
}

/// The last line that is not blank in the output of some task.
fn complaint(log: &Path) -> Option<String> {
    let entries = fs::read_dir(log).ok()?.flatten();
    let texts = entries.filter_map(|entry| fs::read_to_string(entry.path()).ok());
    let last = |text: String| text.lines().rfind(|line| !line.trim().is_empty()).map(str::to_owned);
    texts.filter_map(last).next()
}

/// Removes the folder. A network file system may need a moment until the last file is gone. Returns the folder if it
/// remains.
fn tidy(place: TempDir) -> Option<String> {
    let path: PathBuf = place.keep();
    for _ in 0..20 {
        if fs::remove_dir_all(&path).is_ok() || !path.exists() {
            return None;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Some(path.display().to_string())
}
