//! The inner process of a run: makes the instance, solves it, checks the answer, and tells after each phase
//! what is known by then.

use super::checking::{Proofs, verdict};
use super::gauge::{CpuClock, Gauge};
use super::metered::metered;
use super::request::{self, Phase, Request, announce};
use super::shuffled::shuffled;
use super::watchdog::{self, Bounds, Watch, watch};
use crate::claim::{CHECK_WORK, Claim};
use crate::engine::{Budget, Limit, Outcome, Side};
use crate::erased::{DynAnswer, DynInstance, DynProblem};
use crate::process::Children;
use crate::record::{Check, Findings, Limits, Origin, Run, Verdict};
use crate::registry::Registry;
use crate::rules::Settings;
use crate::solver::external;
use crate::solver::{SolverFactory, SolverRegistry};
use crate::spec::{self, EngineSpec};
use serde_json::Value;
use std::io;
use std::num::NonZero;
use std::sync::Arc;
use std::time::Duration;

/// CPU time that checking and proving get at least.
const CHECK_TIME: Duration = Duration::from_secs(10);

/// The longest answer, in bytes of JSON, that is handed on.
const MAX_ANSWER: usize = 1 << 20;

/// The deepest nesting of an answer that is handed on: readers of JSON give up at 128, a record around it included.
const MAX_DEPTH: usize = 100;

/// What the worker of a run works with.
pub struct Inner<'a> {
    /// All problems.
    pub registry: &'a Registry,
    /// Outside programs that run.
    pub children: &'a Arc<Children>,
    /// CPU time of this process and of those.
    pub clock: CpuClock,
}

/// Carries out a request; lines of findings go to standard output.
///
/// # Errors
/// If nobody takes them.
pub fn work(inner: &Inner<'_>, request: &Request) -> io::Result<()> {
    let gauge = Gauge::new(Arc::clone(&inner.clock));
    if let Err(reason) = carry_out(inner, request, &gauge) {
        gauge.note(|findings| {
            findings.verdict = Some(Verdict::Failed);
            findings.reason = Some(reason);
        });
    }
    tell(Phase::Ending, gauge.findings())
}

/// Tells what is known by now, before a phase begins.
fn tell(phase: Phase, mut findings: Findings) -> io::Result<()> {
    findings.peak_bytes = watchdog::peak();
    request::tell(phase, findings)
}

fn carry_out(inner: &Inner<'_>, request: &Request, gauge: &Arc<Gauge>) -> Result<(), String> {
    let run = &request.run;
    let problem = inner.registry.find(&run.problem)?;
    let instance = instance(problem, run)?;
    let solvers = (request.programs.iter()).fold(SolverRegistry::built_in(), |solvers, program| {
        let mut program = program.clone();
        let memory = [program.limits.memory, run.limits.memory_bytes];
        program.limits.memory = memory.into_iter().flatten().min();
        solvers.with(external::factory(program, Arc::clone(inner.children)))
    });
    let engine = one(spec::resolve(problem.engines(), &solvers, &run.engine)?, &run.engine)?;
    if let Err(reason) = instance.supports(&engine) {
        gauge.note(|findings| {
            findings.verdict = Some(Verdict::Unsupported);
            findings.reason = Some(reason);
        });
        return Ok(());
    }
    let engine = engine.map_solver(|factory| metered(&permuted(factory, run), gauge));
    let said = |error: io::Error| error.to_string();
    announce(if engine.side == Side::Sat { Phase::Building } else { Phase::Solving }).map_err(said)?;
    let mut budget = Budget::new(run.limits.work, gauge.stop()).on_threads(Some(NonZero::<usize>::MIN));
    let outcome = {
        let _watch = guard(inner, gauge, Bounds::of(&run.limits), stopped)?;
        let outcome = instance.solve(&engine, &mut budget);
        gauge.end(&budget.work);
        outcome
    };
    let Some(reply) = judged(outcome, &engine, gauge) else { return Ok(()) };
    let next = if run.certify { Phase::Certifying } else { Phase::Checking };
    tell(next, gauge.findings()).map_err(said)?;
    // As much time again, as CPU time.
    let cpu_s = run.limits.cpu_s.or(run.limits.wall_s);
    let bounds = Bounds::of(&Limits { cpu_s, wall_s: None, ..run.limits }).at_least(CHECK_TIME);
    let claims = {
        let _watch = guard(inner, gauge, bounds, unchecked)?;
        check(&*reply, run, gauge).map_err(said)?
    };
    announce(Phase::Writing).map_err(said)?;
    let check = verdict(&claims);
    let standing = claims.iter().find(|claim| claim.status.is_failed());
    let standing = standing.or_else(|| claims.iter().find(|claim| !claim.status.is_closed()));
    gauge.note(|findings| {
        findings.check = Some(check);
        findings.reason = standing.map(|claim| format!("{}: {}", claim.text, claim.status));
        findings.answer = Some(reply.to_json(&run.engine, &claims)).filter(short);
    });
    Ok(())
}

fn short(answer: &Value) -> bool {
    depth(answer) <= MAX_DEPTH && serde_json::to_vec(answer).is_ok_and(|text| text.len() <= MAX_ANSWER)
}

fn depth(value: &Value) -> usize {
    let inner = match value {
        Value::Array(values) => values.iter().map(depth).max(),
        Value::Object(values) => values.values().map(depth).max(),
        _ => return 0,
    };
    1 + inner.unwrap_or(0)
}

/// The instance of a run.
fn instance(problem: &dyn DynProblem, run: &Run) -> Result<Box<dyn DynInstance>, String> {
    let instance = match &run.origin {
        Origin::File { text, .. } => problem.instance(&run.rules, text)?,
        Origin::Family { name, params, seed } => {
            let settings = Settings::from_json(problem.rules(), &run.rules)?;
            problem.generate(&settings, name, params, *seed)?
        }
    };
    if instance.hash() != run.instance_hash {
        return Err("the instance is another than was planned; was the program changed since?".to_owned());
    }
    Ok(instance)
}

fn one(mut engines: Vec<EngineSpec>, id: &str) -> Result<EngineSpec, String> {
    match engines.pop() {
        Some(engine) if engines.is_empty() => Ok(engine),
        _ => Err(format!("'{id}' is not one engine")),
    }
}

/// The solver of a run: it gets its formulas as they are, or permuted by the number that the run names.
pub fn permuted(factory: &SolverFactory, run: &Run) -> SolverFactory {
    if run.shuffle == 0 { factory.clone() } else { shuffled(factory, run.shuffle.into()) }
}

/// Watches a phase. If it does not end by itself, what `last` makes of the findings is told, and the process
/// ends with its children.
fn guard(
    inner: &Inner<'_>,
    gauge: &Arc<Gauge>,
    bounds: Bounds,
    last: fn(&mut Findings, Limit),
) -> Result<Watch, String> {
    let (shown, children) = (Arc::clone(gauge), Arc::clone(inner.children));
    let end = move || {
        let mut findings = shown.findings();
        last(&mut findings, shown.tripped().unwrap_or(Limit::Cancelled));
        children.end();
        // Whether anybody hears it or not, this is the end.
        let _ = tell(Phase::Ending, findings);
        std::process::exit(0);
    };
    watch(gauge, bounds, end).map_err(|error| format!("there can be no watchdog: {error}"))
}

fn stopped(findings: &mut Findings, limit: Limit) {
    findings.verdict = Some(Verdict::Limit);
    findings.limit = Some(limit.word().to_owned());
}

fn unchecked(findings: &mut Findings, limit: Limit) {
    findings.check = Some(Check::Open);
    findings.reason = Some(format!("checking met the {limit}"));
}

/// Notes how the engine ended; an answer that is to be checked comes back.
fn judged(
    outcome: Outcome<Box<dyn DynAnswer>>,
    engine: &EngineSpec,
    gauge: &Gauge,
) -> Option<Box<dyn DynAnswer>> {
    let (mut verdict, mut met, mut reason, mut reply) = (Verdict::Decided, None, None, None);
    match outcome {
        Outcome::Decided(answer) => reply = Some(answer),
        Outcome::GaveUp(limit, best) => {
            (verdict, met, reply) = (Verdict::Limit, Some(limit.word().to_owned()), best);
        }
        Outcome::Unsupported(why) => (verdict, reason) = (Verdict::Unsupported, Some(why)),
        Outcome::Failed(why) => (verdict, reason) = (Verdict::Failed, Some(why)),
    }
    gauge.note(|findings| {
        findings.verdict = Some(verdict);
        findings.limit = met;
        findings.reason = reason;
        findings.outcome = reply.as_ref().map(|reply| reply.outcome());
        if let (Verdict::Limit, Some(best)) = (verdict, &reply) {
            findings.answer = Some(best.to_json(&engine.to_string(), &[])).filter(short);
        }
    });
    reply.filter(|_| verdict == Verdict::Decided)
}

/// Every claim with its status, by proofs where they are asked for.
fn check(reply: &dyn DynAnswer, run: &Run, gauge: &Arc<Gauge>) -> io::Result<Vec<Claim>> {
    let spent = || gauge.spent().0.as_secs_f64();
    let budget = |work| Budget::new(work, gauge.stop());
    let mut proofs = Proofs::default();
    if run.certify {
        proofs = Proofs::of(reply, &mut budget(None));
        let took = spent();
        gauge.note(|findings| {
            findings.prove_cpu_s = Some(took);
            findings.proof_bytes = Some(proofs.bytes());
        });
        announce(Phase::Checking)?;
    }
    let before = spent();
    let claims = proofs.check(reply, &mut budget(Some(CHECK_WORK)));
    let took = spent() - before;
    gauge.note(|findings| findings.check_cpu_s = Some(took));
    Ok(claims)
}
