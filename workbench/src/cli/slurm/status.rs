//! What `status` says about pilots. The files of the set come first: Slurm forgets jobs, and may not answer.

use super::super::context::Context;
use super::super::exit::Failure;
use super::super::experiment::Experiment;
use super::super::read;
use super::super::table::{Table, table};
use super::cluster;
use crate::harness::slurm::{Job, JobState, Lately, OUT_OF_MEMORY, Spool, killed_for_memory, last_lines};
use crate::harness::{Queue, Set};
use crate::record::Verdict;
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

/// For `status`: prints the records of each node, and what Slurm says about the pilots. Prints nothing if no
/// pilots were submitted.
pub(in crate::cli) fn show(
    context: &Context,
    experiment: &Experiment,
    (set, folder): (&Set, &Path),
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let spool = Spool::of(folder);
    let submitted = spool.submitted();
    let Some(last) = submitted.last().map(|last| last.job.as_str()) else { return Ok(()) };
    let (nodes, processors) = by_node(experiment, (set, folder))?;
    writeln!(out, "\n{nodes}")?;
    if processors > 1 {
        writeln!(
            out,
            "the records come from {processors} kinds of processors, so do not compare their times; `--by cpu_model` \
             separates them, and `constraint` in [slurm] prevents it"
        )?;
    }
    let (waiting, _) = read::named(folder, Queue::sizes(folder))?;
    if waiting > 0 {
        writeln!(out, "{} in the queue", plural(waiting, "batch waits", "batches wait"))?;
    }
    let is_complete = experiment.missing(set).next().is_none();
    let killed = if is_complete { Vec::new() } else { killed_for_memory(&spool.log(), last) };
    if !killed.is_empty() {
        let (many, first) = (plural(killed.len(), "pilot was", "pilots were"), &killed[0]);
        writeln!(out, "job {last}: {many} killed for memory (slurm/log/{first}); {OUT_OF_MEMORY}")?;
    }
    let lately = match Lately::ask(&cluster(context), folder, &spool.job_name(&experiment.name)?) {
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
        let counts = tasks.map(state).counts();
        let counts = counts.iter().sorted().map(|(state, count)| format!("{count} × {state}")).join(", ");
        writeln!(out, "job {job}{age}: {counts}")?;
    }
    if !lately.jobs.iter().any(|job| job.state.is_live()) {
        writeln!(out, "no pilot is left (last job: {last})")?;
        if !is_complete {
            let lines = last_lines(&spool.log(), last);
            for (count, line) in lines.iter().dedup_with_count().take(MAX_LINES) {
                writeln!(out, "the last line of {}: {line}", plural(count, "pilot", "pilots"))?;
            }
        }
    }
    if !is_complete {
        remedies(&spool, (&lately.jobs, last, killed.is_empty()), out)?;
    }
    Ok(())
}

/// The state of a pilot in words.
fn state(job: &Job) -> String {
    match &job.state {
        JobState::Running => format!("runs on {}", job.node),
        other => other.explanation(),
    }
}

/// Says what to do about pilots that wait for ever or for a long time, and about pilots of the last job that were
/// ended. `is_memory_unsaid`: their output has not said that they were killed for memory.
fn remedies(
    spool: &Spool,
    (jobs, last, is_memory_unsaid): (&[Job], &str, bool),
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
    let ended =
        |word: &str| jobs.iter().any(|job| job.job == last && job.state == JobState::Ended(word.to_owned()));
    if ended("OUT_OF_MEMORY") && is_memory_unsaid {
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
            format!("the files {}/{last}_*.txt say why", log.display())
        } else {
            "they have no output, so the nodes may not see this folder; it must be on a file system that all nodes share, \
             which `doctor --on slurm` tests"
                .to_owned()
        };
        writeln!(out, "pilots have failed; {why}")?;
    }
    Ok(())
}

/// A table with the records of each node, and the number of kinds of processors.
fn by_node(experiment: &Experiment, (set, folder): (&Set, &Path)) -> Result<(Table, usize), Failure> {
    let environments: BTreeMap<_, _> = read::named(folder, set.environment())?.into_iter().collect();
    let mut nodes: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    for record in experiment.expanded.runs.iter().filter_map(|run| set.record_of(run)) {
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
