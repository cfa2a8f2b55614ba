//! What `status` says about pilots. The files of the set come first: Slurm forgets jobs, and may not answer.

use super::super::context::Context;
use super::super::exit::Failure;
use super::super::experiment::Experiment;
use super::super::table::{Table, table};
use super::super::texts::Visible;
use super::super::{program, read};
use super::{cluster, contradiction, lease};
use crate::harness::cubes::walk;
use crate::harness::slurm::{
    Job, JobState, Lately, OUT_OF_MEMORY, Spool, killed_for_memory, last_line, last_lines,
};
use crate::harness::{LEASE, Queue, Set};
use crate::record::{Condition, Row, Verdict};
use crate::study::plural;
use itertools::Itertools;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// How long pilots may wait before `status` says what would start them sooner.
const LONG: Duration = Duration::from_secs(600);

/// The most different last lines of pilots that `status` repeats.
const MAX_LINES: usize = 3;

/// For `status`: prints the records of each node that meet the conditions, and what Slurm says about the pilots. If no
/// pilots were submitted, only says whether batches wait in vain.
pub(in crate::cli) fn show(
    context: &Context,
    experiment: &Experiment,
    (set, folder): (&Set, &Path),
    conditions: &[Condition<'_>],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    // Nodes, reasons and the last lines of pilots are words of others.
    let out = &mut Visible(out);
    let spool = Spool::of(folder);
    let (waiting, _) = read::named(folder, Queue::sizes(folder))?;
    let command = format!("`{} run {} --on slurm`", program::name(), experiment.name);
    if !spool.is_used() {
        if waiting > 0 && !read::named(folder, Queue::heartbeats(folder))?.any_live(LEASE) {
            let batches = plural(waiting, "batch waits", "batches wait");
            writeln!(
                out,
                "{batches} in the queue, and no process takes them; {command} submits pilots, and `{} run {}` carries out \
                 the runs here",
                program::name(),
                experiment.name
            )?;
        }
        return Ok(());
    }
    let (nodes, processors) = by_node(experiment, (set, folder), conditions)?;
    writeln!(out, "\n{nodes}")?;
    if processors > 1 {
        writeln!(
            out,
            "the records come from {processors} kinds of processors, so do not compare their times; `--by cpu_model` \
             separates them, and `constraint` in [slurm] prevents it"
        )?;
    }
    if waiting > 0 {
        writeln!(out, "{} in the queue", plural(waiting, "batch waits", "batches wait"))?;
    }
    let is_complete = experiment.missing(set).next().is_none();
    let lately = Lately::ask(&cluster(context), folder, &spool.job_name(&experiment.name)?);
    if let Ok(lately) = &lately {
        // A set that may only be read is shown nevertheless.
        let _ = spool.recover(&lately.jobs);
    }
    let submitted = spool.submitted();
    let last = submitted.last().map_or("", |last| last.job.as_str());
    let killed = if is_complete { Vec::new() } else { killed_for_memory(&spool.log(), last) };
    if !killed.is_empty() {
        let (many, first) = (plural(killed.len(), "pilot was", "pilots were"), &killed[0]);
        writeln!(out, "job {last}: {many} killed for memory (slurm/log/{first}); {OUT_OF_MEMORY}")?;
    }
    let lately = match lately {
        Ok(lately) => lately,
        Err(error) => {
            writeln!(out, "{error}; the output above comes from the files of the set")?;
            return Ok(());
        }
    };
    let age = match lately.age().as_secs() {
        0 => String::new(),
        seconds => format!(" {seconds} s ago"),
    };
    let is_shown =
        |job: &&Job| job.state.is_live() || !is_complete && job.job == last && job.state.was_ended();
    for (job, tasks) in &lately.jobs.iter().filter(is_shown).chunk_by(|job| job.job.clone()) {
        let counts = tasks.map(|task| state(task, &killed)).counts();
        let counts = counts.iter().sorted().map(|(state, count)| format!("{count} × {state}")).join(", ");
        writeln!(out, "job {job}{age}: {counts}")?;
    }
    let lease = lease(experiment, folder);
    let beating = match lately.jobs.is_empty() {
        true => read::named(folder, Queue::heartbeats(folder))?.live_elsewhere(lease),
        false => 0,
    };
    let is_live = beating > 0 || lately.jobs.iter().any(|job| job.state.is_live());
    if beating > 0 {
        writeln!(out, "{}; ask again later", contradiction(beating, lease))?;
    }
    if !is_live {
        let which = if last.is_empty() { String::new() } else { format!(" (last job: {last})") };
        writeln!(out, "no pilot is left{which}")?;
        if waiting > 0 {
            writeln!(out, "no pilot takes the batches that wait; {command} submits pilots")?;
        }
        if !is_complete {
            let lines = last_lines(&spool.log(), last);
            for (count, line) in lines.iter().dedup_with_count().take(MAX_LINES) {
                writeln!(out, "the last line of {}: {line}", plural(count, "pilot", "pilots"))?;
            }
        }
    }
    if !is_complete {
        remedies(&spool, (&lately.jobs, last, &killed), is_live, out)?;
    }
    Ok(())
}

/// Whether the output of a pilot, whose name is among `killed`, says that it was killed for memory. Slurm itself may
/// only say that it failed or was cancelled.
fn is_killed(job: &Job, killed: &[String]) -> bool {
    let is_vague =
        matches!(&job.state, JobState::Ended(word) if ["FAILED", "CANCELLED"].contains(&word.as_str()));
    is_vague && job.task.is_some_and(|task| killed.contains(&format!("{}_{task}.txt", job.job)))
}

/// The state of a pilot in words.
fn state(job: &Job, killed: &[String]) -> String {
    match &job.state {
        JobState::Running => format!("runs on {}", job.node),
        JobState::Ended(word) if is_killed(job, killed) => format!("killed for memory ({word})"),
        other => other.explanation(),
    }
}

/// Says what to do about pilots that wait for ever or for a long time, and about pilots of the last job that were
/// ended. `killed` has the outputs that say that their pilots were killed for memory.
fn remedies(
    spool: &Spool,
    (jobs, last, killed): (&[Job], &str, &[String]),
    is_live: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let waits = jobs.iter().filter(|job| matches!(job.state, JobState::Waiting(_)));
    let runs = jobs.iter().any(|job| job.state == JobState::Running);
    // The job script is written at each submission. Times are those of the file system, and serve only as a hint.
    let age = fs::metadata(spool.script()).and_then(|script| script.modified()).ok();
    let age = age.and_then(|at| at.elapsed().ok()).unwrap_or_default();
    let is_long = age >= LONG && !runs;
    for state in waits
        .map(|job| &job.state)
        .filter(|state| is_long || state.is_hopeless())
        .unique_by(|s| s.explanation())
    {
        let Some(remedy) = state.remedy() else { continue };
        let since = if is_long { format!(" for {} min", age.as_secs() / 60) } else { String::new() };
        writeln!(out, "pilots have not started{since}: {}; {remedy}", state.explanation())?;
    }
    let ended = |word: &str| {
        jobs.iter()
            .filter(|job| job.job == last && !is_killed(job, killed))
            .any(|job| job.state == JobState::Ended(word.to_owned()))
    };
    if ended("OUT_OF_MEMORY") && killed.is_empty() {
        writeln!(out, "pilots were killed for memory; {OUT_OF_MEMORY}")?;
    }
    if ended("FAILED") {
        let log = spool.log();
        let prefix = format!("{last}_");
        let has_output = fs::read_dir(&log).into_iter().flatten().flatten().any(|entry| {
            entry.file_name().to_string_lossy().starts_with(&prefix)
                && entry.metadata().is_ok_and(|file| file.len() > 0)
        });
        let why = if has_output {
            // If no pilot is left, the last lines were printed already.
            let said = jobs.iter().filter(|job| is_live && job.state == JobState::Ended("FAILED".to_owned()));
            let said =
                said.filter_map(|job| last_line(&log.join(format!("{last}_{}.txt", job.task?)))).next();
            let said = said.map_or(String::new(), |line| format!("{line}; "));
            format!("{said}the files {}/{last}_*.txt say why", log.display())
        } else {
            "they have no output, so the nodes may not see this folder; it must be on a file system that all nodes share, \
             which `doctor --on slurm` tests"
                .to_owned()
        };
        writeln!(out, "pilots have failed; {why}")?;
    }
    Ok(())
}

/// A table with the records of each node that meet the conditions, and the number of kinds of processors. Cubes count,
/// and so do the halves of cubes that were split.
fn by_node(
    experiment: &Experiment,
    (set, folder): (&Set, &Path),
    conditions: &[Condition<'_>],
) -> Result<(Table, usize), Failure> {
    let environments: BTreeMap<_, _> = read::named(folder, set.environment())?.into_iter().collect();
    let mut nodes: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    let mut records: Vec<Row<'_>> = Vec::new();
    for run in experiment.expanded.runs.iter() {
        match (run.is_cube(), run.cube_number()) {
            (true, Some(number)) => {
                walk((&run.key(), number), &|key| set.get(key), &mut |node| records.extend(node.record));
            }
            _ => records.extend(set.record_of(run)),
        }
    }
    records.retain(|record| conditions.iter().all(|condition| condition.holds(*record)));
    for record in records {
        let place = environments.get(record.environment());
        let place = place.map_or(("unknown", ""), |place| (place.node.as_str(), place.cpu_model.as_str()));
        let (done, failed) = nodes.entry(place).or_default();
        *done += 1;
        *failed += usize::from(record.verdict() == Some(Verdict::Failed));
    }
    let processors = nodes.keys().map(|(_, model)| model).unique().count();
    let rows = nodes.into_iter().map(|((node, model), (done, failed))| {
        let failed = if failed == 0 { String::new() } else { failed.to_string() };
        vec![node.to_owned(), done.to_string(), failed, model.to_owned()]
    });
    Ok((table(&["node", ">runs", ">failed", "processor"], rows.collect()), processors))
}
