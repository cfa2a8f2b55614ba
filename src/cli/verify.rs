//! `status --verify`: checks every answer that the records of a set keep once more, and says which records do not agree
//! with what comes out. Reading a record cannot show that its `check` or its outcome was changed; this does.

use super::context::Context;
use super::exit::{Failure, Status};
use super::experiment::Experiment;
use super::{interrupt, print};
use crate::claim::Claim;
use crate::engine::{Limit, Stop};
use crate::erased::DynAnswer;
use crate::harness::{Set, recheck, verdict};
use crate::problem::Agreement;
use crate::record::{Check, Record, Run, Verdict};
use rustc_hash::FxHashMap;
use serde_json::Value;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// CPU time that checking and proving get at least, in seconds: twice what the run gave them.
const MIN_CPU_S: f64 = 20.0;

/// How often a line says how far it is.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// What became of the answers.
#[derive(Default)]
struct Found {
    /// Those that came out as recorded.
    same: usize,
    /// Open ones that could be checked to the last claim now.
    closed: usize,
    /// Those that met the limit on CPU time.
    stopped: usize,
    /// Those that the records contradict.
    altered: usize,
    /// Answers that are not kept.
    absent: usize,
}

/// The first answer to each question, with the key of its run.
type First<'a> = FxHashMap<(&'a str, String), (&'a Record, Box<dyn DynAnswer>)>;

pub(super) fn run(
    context: &Context,
    experiment: &Experiment,
    set: &Set,
    out: &mut dyn Write,
) -> Result<Status, Failure> {
    let (mut found, mut first, mut told) = (Found::default(), First::default(), Instant::now());
    let planned: Vec<(&Run, &Record)> =
        experiment.expanded.runs.iter().filter_map(|run| Some((run, set.get(&run.key)?))).collect();
    for (i, (run, record)) in planned.iter().enumerate() {
        if told.elapsed() >= LINE_EVERY {
            told = Instant::now();
            print::warn(&format!("{}: verified {i} of {} records", experiment.name, planned.len()));
        }
        let outcome = match &record.findings.answer {
            None => {
                found.absent += usize::from(record.findings.outcome.is_some());
                continue;
            }
            Some(answer) => one(context, (run, record), answer),
        };
        if interrupt::asked() {
            return Ok(Status::Interrupted);
        }
        let outcome = outcome.and_then(|(outcome, reply)| {
            compare(&mut first, record, reply)?;
            Ok(outcome)
        });
        match outcome {
            Ok(Outcome::Same) => found.same += 1,
            Ok(Outcome::Closed) => found.closed += 1,
            Ok(Outcome::Stopped) => found.stopped += 1,
            Err(why) => {
                found.altered += 1;
                let place = set.place(&run.key).unwrap_or_default();
                let loud = print::loud("ALTERED");
                writeln!(out, "{loud} {place}: run {}, {}: {why}", run.key, run.engine)?;
            }
        }
    }
    found.tell(set, out)
}

/// How a record stands to its answer.
enum Outcome {
    Same,
    Closed,
    Stopped,
}

/// Checks the answer of a record once more.
fn one(
    context: &Context,
    (run, record): (&Run, &Record),
    answer: &Value,
) -> Result<(Outcome, Box<dyn DynAnswer>), String> {
    let map = answer.as_object().ok_or("its answer is not a JSON object")?;
    for (key, wanted) in [
        ("problem", &Value::from(run.problem.as_str())),
        ("engine", &Value::from(run.engine.as_str())),
        ("rules", &run.rules),
        ("instance_hash", &Value::from(run.instance_hash.as_str())),
    ] {
        if map.get(key) != Some(wanted) {
            return Err(format!("its answer is of another run: {key:?} differs from the plan"));
        }
    }
    let problem = context.registry.find(&run.problem)?;
    let reply = problem.restore(map).map_err(|why| format!("its answer cannot be read: {why}"))?;
    let shown = |outcome: Option<&str>| outcome.map_or("absent".to_owned(), |text| format!("\"{text}\""));
    let (recorded, outcome) = (record.findings.outcome.as_deref(), reply.outcome());
    if recorded != Some(outcome.as_str()) {
        let (recorded, outcome) = (shown(recorded), shown(Some(&outcome)));
        return Err(format!("outcome is {recorded}, but its answer says {outcome}"));
    }
    // Claims are written with decided answers only, and these always make some.
    let has_claims = map.get("claims").and_then(Value::as_array).is_some_and(|claims| !claims.is_empty());
    if has_claims != (record.findings.verdict == Some(Verdict::Decided)) {
        let claims = if has_claims { "decided: it makes claims" } else { "not decided: it makes no claim" };
        return Err(format!("verdict is {}, but its answer is {claims}", word(&record.findings.verdict)));
    }
    let Some(recorded) = record.findings.check else { return Ok((Outcome::Same, reply)) };
    let (claims, was_stopped) = again(context, run, &*reply);
    let now = verdict(&claims);
    let outcome = match (recorded, now) {
        (recorded, now) if recorded == now => Outcome::Same,
        (Check::Checked, Check::Open) if was_stopped => Outcome::Stopped,
        // It met a limit then, and does not now. A run always says why an answer is open.
        (Check::Open, Check::Checked)
            if record.findings.reason.as_ref().is_some_and(|r| r.contains("limit")) =>
        {
            Outcome::Closed
        }
        _ => {
            let standing = claims.iter().find(|claim| claim.status.is_failed());
            let standing = standing.or_else(|| claims.iter().find(|claim| !claim.status.is_closed()));
            let why = standing.map_or(String::new(), |claim| format!(" ({}: {})", claim.text, claim.status));
            let (recorded, now) = (word(&Some(recorded)), word(&Some(now)));
            return Err(format!("check is {recorded}, but checking the answer again gives {now}{why}"));
        }
    };
    Ok((outcome, reply))
}

/// Every claim of an answer, checked within twice the time that its run had for that, and whether that was too little.
fn again(context: &Context, run: &Run, reply: &dyn DynAnswer) -> (Vec<Claim>, bool) {
    let most = run.limits.cpu_s.map(|s| (2.0 * s).max(MIN_CPU_S));
    let (clock, met) = (context.cpu_clock(), Arc::new(AtomicBool::new(false)));
    let tripped = Arc::clone(&met);
    let stop: Stop = Arc::new(move || match most {
        _ if interrupt::asked() => Some(Limit::Cancelled),
        Some(most) if clock().as_secs_f64() > most => {
            tripped.store(true, Relaxed);
            Some(Limit::Cpu)
        }
        _ => None,
    });
    let claims = interrupt::listening(|| recheck(reply, run.certify, &stop));
    (claims, met.load(Relaxed))
}

/// Holds an answer against the first one to the same question.
fn compare<'a>(first: &mut First<'a>, record: &'a Record, reply: Box<dyn DynAnswer>) -> Result<(), String> {
    // What the checker refutes is wrong by itself, and no measure for others.
    if record.findings.verdict != Some(Verdict::Decided) || record.findings.check == Some(Check::Wrong) {
        return Ok(());
    }
    let question = (record.instance_hash.as_str(), Value::from(record.rules.clone()).to_string());
    let Some((one, known)) = first.get(&question) else {
        first.insert(question, (record, reply));
        return Ok(());
    };
    let is_told = one.contradicts.is_some() || record.contradicts.is_some();
    if !is_told && known.agree(&*reply) == Agreement::Contradict {
        return Err(format!("contradicts is absent, but its answer contradicts that of run {}", one.key));
    }
    Ok(())
}

fn word(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

impl Found {
    /// How many of each kind there are, and the status that they deserve.
    fn tell(&self, set: &Set, out: &mut dyn Write) -> Result<Status, Failure> {
        let Found { same, closed, stopped, altered, absent } = *self;
        let rejected = set.rejected().len();
        let mut parts = vec![format!("{same} answers checked again as recorded")];
        for (count, what) in [
            (closed, "open answers closed now"),
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
