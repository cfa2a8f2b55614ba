//! `status --verify`: checks the stored answers of a set again, and lists the records that do not match their answers.
//! In this way, it finds records in which `outcome` or `check` was altered. The record alone does not show such a
//! change.

use super::context::Context;
use super::exit::{Failure, Status};
use super::experiment::Experiment;
use super::{interrupt, print, texts};
use crate::engine::{Limit, Stop};
use crate::erased::DynAnswer;
use crate::harness::cubes::{FOLDER, Folder, recheck as recheck_cubes};
use crate::harness::plan::PlannedRun;
use crate::harness::{Set, opener, recheck, verdict};
use crate::problem::Agreement;
use crate::record::{Check, Record, Row, Run, Verdict};
use counterpoint_base::keyed::KeyedMap;
use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The CPU time limit for checking and proving is twice the limit of the run, but at least this many seconds.
const MIN_CPU_S: f64 = 20.0;

/// The interval between lines of progress.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Counts of records by the result of checking their answers again.
#[derive(Default)]
struct Counts {
    /// The result is as recorded; or no result is recorded, because the run ended at a limit with a best answer.
    same: usize,
    /// The answer is recorded as open, and was checked completely this time.
    closed: usize,
    /// The answer is recorded as checked, but checking it again reached the limit on CPU time.
    stopped: usize,
    /// The record does not match its answer, or its answer contradicts that of another record.
    altered: usize,
    /// The record has an outcome, but its answer is not stored.
    absent: usize,
}

/// For each question (instance hash and rules), the first answer and its record. If the instance is a file, the answer
/// is `None`, because an answer would keep the whole file in memory. The outcome in the record is sufficient.
type First = KeyedMap<(String, String), (Record, Option<Box<dyn DynAnswer>>)>;

pub(super) fn run(
    context: &Context,
    experiment: &Experiment,
    set: &Set,
    out: &mut dyn Write,
) -> Result<Status, Failure> {
    let has_files = context.registry.find(&experiment.plan.problem)?.info().has_files;
    let (mut counts, mut first, mut last_line) = (Counts::default(), First::default(), Instant::now());
    let planned: Vec<(PlannedRun<'_>, Row<'_>)> =
        experiment.whole_runs().filter_map(|run| Some((run, set.record_of(run)?))).collect();
    for (i, (run, row)) in planned.iter().enumerate() {
        if last_line.elapsed() >= LINE_EVERY {
            last_line = Instant::now();
            print::warn(&format!("{}: verified {i} of {} records", experiment.name, planned.len()));
        }
        let Some(answer) = row.answer() else {
            counts.absent += usize::from(row.outcome().is_some());
            continue;
        };
        let (run, record) = (run.run(), row.record());
        let outcome = check_again((context, &experiment.folder), (&run, &record), &answer, set);
        if interrupt::is_requested() {
            return Ok(Status::Interrupted);
        }
        let outcome = outcome.and_then(|(outcome, answer)| {
            compare(&mut first, &record, (!has_files).then_some(answer))?;
            Ok(outcome)
        });
        match outcome {
            Ok(Outcome::Same) => counts.same += 1,
            Ok(Outcome::Closed) => counts.closed += 1,
            Ok(Outcome::Stopped) => counts.stopped += 1,
            Err(why) => {
                counts.altered += 1;
                let place = set.place(&run.key).unwrap_or_default();
                let label = texts::emphasized("ALTERED");
                let line = format!("{label} {place}: run {}, {}: {why}", run.key, run.engine);
                writeln!(out, "{}", texts::visible(&line))?;
            }
        }
    }
    counts.print(set, out)
}

/// The result of checking an answer again, if it does not contradict the record.
enum Outcome {
    Same,
    Closed,
    Stopped,
}

counterpoint_base::message_errors! {
    /// How a record differs from its answer or from another record.
    struct Altered;
}

/// Checks the answer of a record again.
fn check_again(
    (context, folder): (&Context, &Path),
    (run, record): (&Run, &Record),
    answer: &Value,
    set: &Set,
) -> Result<(Outcome, Box<dyn DynAnswer>), Altered> {
    let map = answer.as_object().ok_or("its answer is not a JSON object")?;
    for (key, wanted) in [
        ("problem", &Value::from(run.problem.as_str())),
        ("engine", &Value::from(run.engine.as_str())),
        ("rules", &run.rules),
        ("instance_hash", &Value::from(run.instance_hash.as_str())),
    ] {
        if map.get(key) != Some(wanted) {
            return Err(format!("its answer belongs to another run: {key:?} differs from the plan").into());
        }
    }
    let problem = context.registry.find(&run.problem).map_err(String::from)?;
    let answer = problem
        .restore_with(map, &opener(folder))
        .map_err(|why| format!("its answer cannot be read: {why}"))?;
    let shown = |outcome: Option<&str>| outcome.map_or("absent".to_owned(), |text| format!("\"{text}\""));
    let (recorded, outcome) = (record.findings.outcome.as_deref(), answer.outcome());
    if recorded != Some(outcome.as_str()) {
        let (recorded, outcome) = (shown(recorded), shown(Some(&outcome)));
        return Err(format!("outcome is {recorded}, but its answer says {outcome}").into());
    }
    // An answer has claims if and only if it is decided.
    let has_claims = map.get("claims").and_then(Value::as_array).is_some_and(|claims| !claims.is_empty());
    if has_claims != (record.findings.verdict == Some(Verdict::Decided)) {
        let claims = if has_claims { "decided: it has claims" } else { "not decided: it has no claims" };
        return Err(
            format!("verdict is {}, but its answer is {claims}", word(&record.findings.verdict)).into()
        );
    }
    let Some(recorded) = record.findings.check else { return Ok((Outcome::Same, answer)) };
    // The proofs of cubes are read from the folder. Proving all cubes again would take as long as many runs.
    let folder = Folder(set.folder().join(FOLDER).join(&run.key));
    let recheck = |stop: &Stop| match run.cubes() {
        None => Ok(recheck(&*answer, run.certify, stop)),
        Some(_) => recheck_cubes(&*answer, map, &folder, stop),
    };
    let (claims, was_stopped) = within_limits(context, run, &recheck);
    let claims = claims.map_err(|why| format!("its cubes cannot be checked: {why}"))?;
    let now = verdict(&claims);
    let outcome = match (recorded, now) {
        (recorded, now) if recorded == now => Outcome::Same,
        (Check::Checked, Check::Open) if was_stopped => Outcome::Stopped,
        // The recorded check reached a limit, but this one did not. A record always says why an answer is open.
        (Check::Open, Check::Checked)
            if record.findings.reason.as_ref().is_some_and(|r| r.contains("limit")) =>
        {
            Outcome::Closed
        }
        _ => {
            let decisive = claims.iter().find(|claim| claim.status.is_failed());
            let decisive = decisive.or_else(|| claims.iter().find(|claim| !claim.status.is_closed()));
            let why = decisive.map_or(String::new(), |claim| format!(" ({}: {})", claim.text, claim.status));
            let (recorded, now) = (word(&Some(recorded)), word(&Some(now)));
            return Err(format!("check is {recorded}, but checking the answer again gives {now}{why}").into());
        }
    };
    Ok((outcome, answer))
}

/// Checks an answer within twice the CPU time limit of its run, or [`MIN_CPU_S`] if that is longer. If the run has no
/// such limit, neither has this check. The flag says whether the limit was reached.
fn within_limits<T>(context: &Context, run: &Run, check: &dyn Fn(&Stop) -> T) -> (T, bool) {
    // Each cube had this limit to itself.
    let runs = f64::from(run.cubes().unwrap_or(1));
    let limit_s = run.limits.cpu_s.map(|s| (2.0 * s * runs).max(MIN_CPU_S));
    let (clock, reached) = (context.cpu_clock(), Arc::new(AtomicBool::new(false)));
    let set_reached = Arc::clone(&reached);
    let stop: Stop = Arc::new(move || match limit_s {
        _ if interrupt::is_requested() => Some(Limit::Cancelled),
        Some(limit_s) if clock().as_secs_f64() > limit_s => {
            set_reached.store(true, Relaxed);
            Some(Limit::Cpu)
        }
        _ => None,
    });
    let found = interrupt::interruptible(|| check(&stop));
    (found, reached.load(Relaxed))
}

/// Compares an answer with the first one to the same question. Returns an error if the two answers contradict each
/// other and neither of their records says so.
fn compare(first: &mut First, record: &Record, answer: Option<Box<dyn DynAnswer>>) -> Result<(), Altered> {
    // Answers of two kinds are not compared: undecided ones, because they claim nothing, and wrong ones, because they
    // may contradict others.
    if record.findings.verdict != Some(Verdict::Decided) || record.findings.check == Some(Check::Wrong) {
        return Ok(());
    }
    let question = (record.instance_hash.clone(), Value::from(record.rules.clone()).to_string());
    let Some((one, known)) = first.get(&question) else {
        first.insert(question, (record.clone(), answer));
        return Ok(());
    };
    let is_recorded = one.contradicts.is_some() || record.contradicts.is_some();
    let contradict = match (known, &answer) {
        (Some(known), Some(answer)) => known.agree(&**answer) == Agreement::Contradict,
        _ => one.findings.outcome != record.findings.outcome,
    };
    if !is_recorded && contradict {
        return Err(format!(
            "\"contradicts\" is absent, but its answer contradicts the answer of run {}",
            one.key
        )
        .into());
    }
    Ok(())
}

fn word(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

impl Counts {
    /// Prints the counts and returns the exit status.
    fn print(&self, set: &Set, out: &mut dyn Write) -> Result<Status, Failure> {
        let Counts { same, closed, stopped, altered, absent } = *self;
        let rejected = set.rejected_count();
        let mut parts = vec![format!("{same} answers match their records")];
        for (count, what) in [
            (closed, "open answers now checked"),
            (stopped, "answers not checked again within the limits"),
            (altered, "records ALTERED"),
            (rejected, "lines not counted"),
            (absent, "records without their answer, which cannot be checked again"),
        ] {
            parts.extend((count > 0).then(|| format!("{count} {what}")));
        }
        writeln!(out, "verified: {}", parts.join("; "))?;
        Ok(match () {
            () if altered + rejected > 0 => Status::Wrong,
            () if stopped > 0 => Status::Limit,
            () => Status::Done,
        })
    }
}
