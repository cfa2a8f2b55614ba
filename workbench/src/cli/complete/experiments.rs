//! The candidates for experiments, their sets, and the columns of their records.

use super::super::context::Context;
use super::super::experiment::Experiment;
use super::super::plan_file::{self, PLAN};
use super::Candidate;
use crate::record::{Records, Row, names, values_in};
use std::fs;
use std::path::Path;

/// The maximum number of runs whose values are offered.
const MAX_RUNS: usize = 10_000;

/// The maximum number of values of a column that are offered.
const MAX_VALUES: usize = 200;

/// The name that stands for the tags of families and engines in conditions.
const TAG: &str = "tag";

/// The experiments under `experiments/` and in the working directory. If none of their names begins with `word`, the
/// names without numbers are offered. A path is completed as a path.
pub(super) fn all(word: &str) -> Vec<Candidate> {
    if word.contains('/') || word.starts_with(['.', '~']) {
        return vec![Candidate::Folders];
    }
    let mut names = plan_file::names();
    let is_new = |name: &String| !names.contains(name);
    let here: Vec<String> = folders(Path::new(".")).into_iter().filter(is_new).collect();
    names.extend(here.into_iter().filter(|name| Path::new(name).join(PLAN).is_file()));
    let begins = |name: &&str| name.starts_with(word);
    let mut found: Vec<&str> = names.iter().map(String::as_str).filter(begins).collect();
    if found.is_empty() {
        found = names.iter().filter_map(|name| Some(name.split_once('-')?.1)).filter(begins).collect();
    }
    found.into_iter().map(|name| Candidate::word(name, "")).collect()
}

/// The sets of an experiment. Most experiments have the set `main`.
pub(super) fn sets(exp: &str) -> Vec<Candidate> {
    let Ok(plan) = plan_file::find(exp) else { return Vec::new() };
    let results = plan.parent().unwrap_or(Path::new("")).join("results");
    folders(&results).into_iter().map(|name| Candidate::word(name, "")).collect()
}

/// The names of the folders in a folder, sorted. Hidden folders are left out.
fn folders(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let entries = entries.filter(|entry| entry.path().is_dir());
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| !name.starts_with('.'));
    names.sort();
    names
}

/// The columns of an experiment's records, for a comma-separated list that begins with `word`.
pub(super) fn columns(context: &Context, exp: &str, word: &str) -> Vec<Candidate> {
    let (before, _) = word.split_at(word.rfind(',').map_or(0, |comma| comma + 1));
    let given: Vec<&str> = before.split(',').collect();
    with_planned(context, exp, |rows| {
        let open = names(rows).into_iter().filter(|name| !given.contains(&name.as_str()));
        open.map(|name| Candidate::word(format!("{before}{name}"), "")).collect()
    })
}

/// The columns of an experiment's records with `=`, or after `COLUMN=`, the values that the plan gives to its runs.
pub(super) fn conditions(context: &Context, exp: &str, word: &str) -> Vec<Candidate> {
    with_planned(context, exp, |rows| match word.split_once('=') {
        None => {
            let has_tags = rows.iter().any(|row| !row.tags().is_empty());
            let all = has_tags.then(|| TAG.to_owned()).into_iter().chain(names(rows));
            all.map(|name| Candidate::part(format!("{name}="), "")).collect()
        }
        Some((column, values)) => {
            let before = &values[..values.rfind(',').map_or(0, |comma| comma + 1)];
            let given: Vec<&str> = before.split(',').collect();
            let known = values_in(rows, column, MAX_VALUES).into_iter();
            let open = known.filter(|value| !given.contains(&value.as_str()));
            open.map(|value| Candidate::word(format!("{column}={before}{value}"), "")).collect()
        }
    })
}

/// What `find` finds in the planned runs of an experiment, without their results. Reading all records would take too
/// long.
fn with_planned(
    context: &Context,
    exp: &str,
    find: impl FnOnce(&[Row<'_>]) -> Vec<Candidate>,
) -> Vec<Candidate> {
    let Ok(experiment) = Experiment::open(context, exp) else { return Vec::new() };
    let mut records = Records::default();
    for run in experiment.whole_runs().take(MAX_RUNS) {
        records.push(&experiment.planned.without_findings(run));
    }
    let rows: Vec<Row<'_>> = records.iter().collect();
    find(&rows)
}
