//! `run --repeat KEY`: repeats one run and compares it with its record. Nothing is stored.

use super::exit::{Failure, Status};
use super::experiment::Experiment;
use super::table::{Table, table};
use super::{interrupt, print};
use crate::engine::{Limit, Stop};
use crate::harness::{Launcher, Set, attempt};
use crate::record::{Check, Findings, Record, Row, Run, Verdict};
use std::collections::BTreeSet;
use std::io::Write;
use std::sync::Arc;

/// The name of the repeated attempt.
const ATTEMPT: &str = "repeated";

pub(super) fn run(
    experiment: &Experiment,
    set: &Set,
    launcher: &Launcher<'_>,
    key: &str,
    out: &mut dyn Write,
) -> Result<Status, Failure> {
    let run = &find(experiment, key)?;
    if run.cut.is_some() {
        return Err(Failure::usage(format!(
            "run {} is a part of an instance that is cut into cubes; --repeat takes a run of a whole instance",
            run.key
        )));
    }
    let stop: Stop = Arc::new(|| interrupt::is_requested().then_some(Limit::Cancelled));
    let Some(now) =
        interrupt::interruptible(|| attempt(launcher, (run, None), 0, ATTEMPT.to_owned(), &stop))?
    else {
        return Ok(Status::Interrupted);
    };
    writeln!(out, "run {} of {}: {}", run.key, experiment.name, run.engine)?;
    writeln!(out, "on {} seed {}, {}", now.family, now.seed, parameters(&now))?;
    let Some(before) = set.get(&run.key).map(Row::record) else {
        writeln!(out, "{}", shown(&now.findings, None))?;
        print::warn("this run has no record yet, so there is nothing to compare");
        return Ok(Status::Done);
    };
    writeln!(out, "{}", shown(&now.findings, Some(&before.findings)))?;
    let (text, status) = verdict(&before.findings, &now.findings);
    writeln!(out, "{text}")?;
    Ok(status)
}

/// The only run whose key begins with `key`.
fn find(experiment: &Experiment, key: &str) -> Result<Run, Failure> {
    let runs = &experiment.expanded.runs;
    let mut found = runs.iter().filter(|run| run.key().starts_with(key));
    match (found.next(), found.next()) {
        (Some(run), None) if !key.is_empty() => Ok(run.run()),
        (None, _) => Err(Failure::usage(format!(
            "no run of {} has a key that begins with '{key}'; `status {} --records csv` lists the keys",
            experiment.name, experiment.name
        ))),
        _ => Err(Failure::usage(format!(
            "several runs have keys that begin with '{key}'; use a longer prefix"
        ))),
    }
}

fn parameters(record: &Record) -> String {
    let params = record.params.iter().chain(&record.rules).map(|(key, value)| format!("{key}={value}"));
    let seed = (record.solver_seed > 0).then(|| format!("solver seed {}", record.solver_seed));
    params.chain([format!("shuffle {}", record.shuffle)]).chain(seed).collect::<Vec<_>>().join(" ")
}

/// A table with the outcome, the counters and the CPU time of the record (`before`) and of the repeated run. Without a
/// record, the column *recorded* is empty.
fn shown(now: &Findings, before: Option<&Findings>) -> Table {
    let names: BTreeSet<&String> = now.work.keys().chain(before.iter().flat_map(|b| b.work.keys())).collect();
    let count = |of: Option<&Findings>, name: &str| {
        of.and_then(|findings| findings.work.get(name)).map_or(String::new(), ToString::to_string)
    };
    let time = |of: Option<&Findings>| {
        let s = of.and_then(|findings| findings.cpu_s);
        s.map_or(String::new(), print::seconds)
    };
    let word = |of: Option<&Findings>| of.map_or(String::new(), ended);
    let mut rows = vec![vec!["ended".to_owned(), word(before), word(Some(now))]];
    rows.extend(names.iter().map(|name| vec![name.to_string(), count(before, name), count(Some(now), name)]));
    rows.push(vec!["CPU".to_owned(), time(before), time(Some(now))]);
    table(&["", ">recorded", ">now"], rows)
}

/// How a run ended, in a word or two.
fn ended(findings: &Findings) -> String {
    let limit = findings.limit.as_deref().map(|limit| format!("{limit} limit"));
    let reason = || findings.reason.clone().unwrap_or_default();
    match findings.verdict {
        Some(Verdict::Decided) => {
            let check = match findings.check {
                Some(Check::Checked) => "checked",
                Some(Check::Wrong) => "WRONG",
                Some(Check::Open) | None => "open",
            };
            format!("{}, {check}", findings.outcome.as_deref().unwrap_or_default())
        }
        Some(Verdict::Limit) => limit.unwrap_or_default(),
        Some(Verdict::Unsupported) => "unsupported".to_owned(),
        Some(Verdict::Failed) | None => format!("failed: {}", reason()),
    }
}

/// Says whether the result was reproduced. If one of the runs ended at a limit other than the work limit, the results
/// may differ.
fn verdict(before: &Findings, now: &Findings) -> (&'static str, Status) {
    let by_clock = |findings: &Findings| {
        findings.verdict == Some(Verdict::Limit) && findings.limit.as_deref() != Some("work")
    };
    if by_clock(before) || by_clock(now) {
        return ("the run reached a limit on time or memory, so its counters may differ", Status::Done);
    }
    if now.check == Some(Check::Wrong) {
        return ("THE ANSWER IS WRONG", Status::Wrong);
    }
    if now.verdict == Some(Verdict::Failed) {
        return ("the run failed", Status::Usage);
    }
    let result = |findings: &Findings| (findings.outcome.clone(), findings.verdict, findings.check);
    let same = before.work == now.work && result(before) == result(now);
    if same {
        ("answer and counters are equal", Status::Done)
    } else {
        ("ANSWER OR COUNTERS DIFFER", Status::Wrong)
    }
}
