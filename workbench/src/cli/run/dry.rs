//! `run --dry-run`: counts the runs by source of instances and by engine, and estimates how long the missing ones take.

use super::super::args::Run as Args;
use super::super::estimate::likely_s;
use super::super::exit::{Failure, Status};
use super::super::experiment::Experiment;
use super::super::table::{hung, table};
use crate::harness::plan::{Family, Source};
use crate::harness::plan::{Place, PlannedRun};
use crate::harness::{Cores, Preview, Set, own_hash};
use crate::record::{Row, Verdict};
use indexmap::IndexMap;
use indicatif::HumanDuration;
use std::io::Write;
use std::num::NonZero;
use std::path::Path;
use std::time::Duration;

/// Prints the counts and the estimate, and fails if `run` would refuse to start.
pub(super) fn run(
    experiment: &Experiment,
    set: &Set,
    folder: &Path,
    args: &Args,
    out: &mut dyn Write,
) -> Result<Status, Failure> {
    let runs = &experiment.expanded.runs;
    let tallies = experiment.tally(set);
    let planned = experiment.plan.families.iter().flat_map(places);
    let mut families: IndexMap<String, usize> = planned.map(|place| (place, 0)).collect();
    for run in runs.iter() {
        *families.entry(place(run)).or_default() += 1;
    }
    let rows = families.into_iter().map(|(family, n)| vec![family, n.to_string()]);
    writeln!(out, "{}\n", table(&["instances", ">runs"], rows.collect()))?;
    let rows =
        tallies.iter().map(|(engine, t)| vec![engine.clone(), t.planned.to_string(), t.done.to_string()]);
    writeln!(out, "{}\n", table(&["engine", ">runs", ">done"], rows.collect()))?;
    let again = |record: Row<'_>| args.retry && record.verdict() == Some(Verdict::Failed);
    let missing: Vec<PlannedRun<'_>> =
        runs.iter().filter(|run| set.record_of(*run).is_none_or(again)).collect();
    let mut jobs = args.jobs.map_or(1, NonZero::get);
    let pinned = experiment.plan.pin.then(|| match Cores::preview(jobs) {
        Ok(Preview { cores, words }) => {
            jobs = cores;
            format!("pinned: {words}")
        }
        Err(why) => format!("not pinned, although the plan asks for it: {why}"),
    });
    let line = format!(
        "{}: {} runs on {} instances; missing runs: {}; runs at a time: {jobs}",
        experiment.name,
        runs.len(),
        experiment.expanded.instances,
        missing.len(),
    );
    writeln!(out, "{}", hung(&line, 2))?;
    if let Some(pinned) = pinned {
        writeln!(out, "{pinned}")?;
    }
    writeln!(out, "{}", estimate(&missing, set, jobs.max(1)))?;
    let refusal = match (missing.is_empty(), jobs) {
        (true, _) => None,
        (false, 0) => Some(Failure::usage(super::NO_CORE)),
        (false, _) => super::refusal(set, folder, &own_hash()?, args)?,
    };
    refusal.map_or(Ok(Status::Done), |Failure { message, .. }| {
        Err(Failure::usage(format!("without --dry-run, this command would fail: {message}")))
    })
}

/// The source of a run's instance: the name of a file, or a family with its parameters.
fn place(run: PlannedRun<'_>) -> String {
    match run.place() {
        Place::File { name } => name.clone(),
        Place::Found { pattern, .. } => pattern.clone(),
        Place::Family { name, params } => generated(name, params),
    }
}

/// The sources of the instances that a family of the plan has, in the form of [`place`].
fn places(family: &Family) -> Vec<String> {
    match &family.source {
        Source::File { name, .. } => vec![name.clone()],
        Source::Files(found) => found.iter().map(|found| found.pattern.clone()).collect(),
        Source::Generated { name, params, .. } => {
            params.iter().map(|params| generated(name, params)).collect()
        }
    }
}

fn generated(name: &str, params: &[(String, String)]) -> String {
    let params: String = params.iter().map(|(key, value)| format!(" {key}={value}")).collect();
    format!("{name}{params}")
}

/// Says how long the missing runs take at most, according to their limits, and how long they will likely take.
fn estimate(missing: &[PlannedRun<'_>], set: &Set, jobs: usize) -> String {
    let time = |seconds: f64| Duration::try_from_secs_f64(seconds / jobs as f64).unwrap_or(Duration::MAX);
    let shown = |seconds: f64| HumanDuration(time(seconds)).to_string();
    let bound: Option<f64> = missing.iter().map(|run| run.limits().cpu_s).sum();
    let bound = bound.map_or("no limit on CPU time".to_owned(), |s| {
        format!("at most {}, according to their CPU limits", shown(s))
    });
    match likely_s(missing, set) {
        Some(likely) if !missing.is_empty() => {
            format!("{bound}; about {}, according to earlier runs", shown(likely))
        }
        _ => bound,
    }
}
