//! The results of an experiment: a table by engine, wrong answers, and different answers to the same question.

use super::exit::Failure;
use super::table::{Table, table};
use super::{print, texts};
use crate::erased::DynProblem;
use crate::harness::Set;
use crate::record::{Check, Row, Tally, disputes, unsupported};
use indexmap::IndexMap;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::io::Write;

/// The maximum number of wrong answers that are listed. The same maximum holds for pairs of different answers.
const MAX_LISTED: usize = 20;

/// A table with one row per engine.
pub(super) fn summary(tallies: &IndexMap<String, Tally>) -> Table {
    let head = [
        "engine",
        ">runs",
        ">done",
        ">solved",
        ">open",
        ">wrong",
        ">limit reached",
        ">unsupported",
        ">failed",
        ">CPU, mean",
        ">memory",
    ];
    let rows = tallies.iter().map(|(engine, tally)| {
        let blank = |n: usize| if n == 0 { String::new() } else { n.to_string() };
        // The limits that were reached, for example "3 cpu, 1 memory".
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
            tally.mean_cpu_s().map_or(String::new(), print::seconds),
            tally.peak_bytes.map_or(String::new(), print::bytes),
        ]
    });
    table(&head, rows.collect())
}

/// A line with the CPU time that the programs of declared engines need to start; empty if no record has it.
pub(super) fn startups<'a>(records: impl Iterator<Item = Row<'a>>) -> String {
    let mut times: BTreeMap<String, f64> = BTreeMap::new();
    for record in records {
        if let Some(time) = record.startup_cpu_s() {
            let setup = record.setup();
            let known = times.entry(format!("{}:{}", setup.side, setup.encoding)).or_insert(time);
            *known = known.min(time);
        }
    }
    let shown: Vec<String> =
        times.iter().map(|(engine, time)| format!("{engine} {}", print::seconds(*time))).collect();
    match shown.is_empty() {
        true => String::new(),
        false => format!("start-up, measured on the problem's first sample: {}\n", shown.join(", ")),
    }
}

/// Lines about the engines with unsupported runs, each with the first reason. `engines` is the order of the engines.
pub(super) fn list_unsupported<'a>(
    engines: &[String],
    records: impl IntoIterator<Item = Row<'a>>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut found = unsupported(records);
    found.sort_by_key(|found| engines.iter().position(|engine| *engine == found.engine));
    found.iter().try_for_each(|found| writeln!(out, "{}", found.sentence()))?;
    Ok(())
}

/// Lists wrong and contradictory answers, at most [`MAX_LISTED`] of them.
pub(super) fn list_wrong(wrong: &[Row<'_>], out: &mut dyn Write) -> Result<(), Failure> {
    for record in wrong.iter().take(MAX_LISTED) {
        let (engine, key) = (record.engine(), record.key());
        let answer = record.outcome().unwrap_or("nothing");
        let (label, why) = match record.contradicts() {
            Some(other) => ("DISAGREEMENT", format!("contradicts run {other}")),
            None => ("WRONG", record.reason().unwrap_or_default().to_owned()),
        };
        let label = texts::emphasized(label);
        let line = format!("{label} run {key}, {engine} on {} says {answer}: {why}", instance(*record));
        writeln!(out, "{}", texts::visible(&line))?;
    }
    if wrong.len() > MAX_LISTED {
        writeln!(out, "and {} more", wrong.len() - MAX_LISTED)?;
    }
    Ok(())
}

/// The name of a record's instance, such as `random n=4 seed 2`.
fn instance(record: Row<'_>) -> String {
    let value = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let params = record.params().iter().map(|(name, given)| format!(" {name}={}", value(given)));
    format!("{}{} seed {}", record.family(), params.collect::<String>(), record.seed())
}

/// Lists pairs of decided answers that differ although their question is the same, at most [`MAX_LISTED`]
/// pairs. A pair is left out if both answers are checked or one of them is wrong. Answers that leave a part
/// of the question open are left out, too: where they contradict others, their records say so. Returns the
/// number of pairs that are not left out.
pub(super) fn list_disputes(
    set: &Set,
    problem: &dyn DynProblem,
    out: &mut dyn Write,
) -> Result<usize, Failure> {
    let is_partial = |record: &Row<'_>| {
        record.check() == Some(Check::Open)
            && matches!(record.answer(), Some(Value::Object(answer)) if is_partial(problem, &answer))
    };
    // Answers are read only if some differ.
    if disputes(set.iter()).is_empty() {
        return Ok(0);
    }
    let disputes = disputes(set.iter().filter(|record| !is_partial(record)));
    for (one, other) in disputes.iter().take(MAX_LISTED) {
        let says =
            |record: Row<'_>| format!("{} says {}", record.engine(), record.outcome().unwrap_or("nothing"));
        let label = texts::emphasized("DIFFERENT ANSWERS");
        let line = format!("{label} to {}: {}, {}", instance(*one), says(*one), says(*other));
        writeln!(out, "{}", texts::visible(&line))?;
    }
    Ok(disputes.len())
}

fn is_partial(problem: &dyn DynProblem, answer: &Map<String, Value>) -> bool {
    problem.restore(answer).is_ok_and(|answer| answer.is_partial())
}
