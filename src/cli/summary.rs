//! What an experiment's records say so far: a table by engine, wrong answers, answers that contradict each other.

use super::exit::Failure;
use super::print;
use super::table::{Table, table};
use crate::harness::Set;
use crate::record::{Record, Tally, disputes};
use indexmap::IndexMap;
use std::io::Write;

/// The most wrong answers that are listed.
const MAX_LISTED: usize = 20;

/// A line an engine.
pub(super) fn summary(tallies: &IndexMap<String, Tally>) -> Table {
    let head = [
        "engine",
        ">runs",
        ">done",
        ">solved",
        ">open",
        ">wrong",
        ">at a limit",
        ">unserved",
        ">failed",
        ">CPU, mean",
    ];
    let rows = tallies.iter().map(|(engine, tally)| {
        let blank = |n: usize| if n == 0 { String::new() } else { n.to_string() };
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
        ]
    });
    table(&head, rows.collect())
}

/// Answers that are wrong or contradict each other, loudly.
pub(super) fn list_wrong(wrong: &[&Record], out: &mut dyn Write) -> Result<(), Failure> {
    for record in wrong.iter().take(MAX_LISTED) {
        let Record { engine, family, seed, findings, contradicts, key, .. } = record;
        let answer = findings.outcome.as_deref().unwrap_or("nothing");
        let (loud, why) = match contradicts {
            Some(other) => ("DISAGREEMENT", format!("contradicts run {other}")),
            None => ("WRONG", findings.reason.clone().unwrap_or_default()),
        };
        let loud = print::loud(loud);
        writeln!(out, "{loud} run {key}, {engine} on {family} seed {seed} says {answer}: {why}")?;
    }
    if wrong.len() > MAX_LISTED {
        writeln!(out, "and {} more", wrong.len() - MAX_LISTED)?;
    }
    Ok(())
}

/// Answers to the same question that differ where the checker has not closed both, loudly; says how many.
pub(super) fn list_disputes(set: &Set, out: &mut dyn Write) -> Result<usize, Failure> {
    let disputes = disputes(set.iter());
    for (one, other) in disputes.iter().take(MAX_LISTED) {
        let told = |record: &Record| {
            format!("{} says {}", record.engine, record.findings.outcome.as_deref().unwrap_or("nothing"))
        };
        let (loud, seed) = (print::loud("DIFFERENT ANSWERS"), one.seed);
        writeln!(out, "{loud} to {} seed {seed}: {}, {}", one.family, told(one), told(other))?;
    }
    Ok(disputes.len())
}
