//! A worker carries out one run: it makes the instance, solves it, checks the answer, and reports its findings after
//! solving and at the end.

use super::checking::{Proofs, verdict};
use super::cubes;
use super::files::opener;
use super::metered::metered;
use super::progress::{CpuClock, RunProgress};
use super::request::{self, Phase, Request, announce};
use super::shuffled::shuffled;
use super::watchdog::{self, Bounds, Watch, watch};
use crate::certify::{self, Prover};
use crate::claim::{CHECK_WORK, Claim};
use crate::engine::{Budget, EngineInfo, Limit, Outcome, Side};
use crate::erased::{DynAnswer, DynInstance, DynProblem};
use crate::errors::{FormatError, GenerateError, RulesError, UnknownName};
use crate::process::Children;
use crate::record::{Check, Findings, Limits, Origin, Run, Verdict};
use crate::registry::Registry;
use crate::rules::Settings;
use crate::solver::external;
use crate::solver::{Recorder, SolverFactory, SolverRegistry};
use crate::spec::{self, EngineSpec};
use counterpoint_base::cube::NotACubeNumber;
use serde_json::Value;
use std::io;
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The minimum limit on the CPU time of proving and checking together.
const MIN_CHECK_TIME: Duration = Duration::from_secs(10);

/// The deepest nesting of an answer that is reported. Readers of JSON reject more than 128 levels, and the record
/// around the answer adds some.
const MAX_DEPTH: usize = 100;

/// What a worker needs besides its request.
pub struct WorkerContext<'a> {
    /// All problems.
    pub registry: &'a Registry,
    /// The running external programs.
    pub children: &'a Arc<Children>,
    /// The CPU time of this process and of the external programs.
    pub clock: CpuClock,
}

/// Why a run fails before its engine ends, or its answer cannot be checked.
#[derive(Debug, thiserror::Error)]
pub(super) enum RunError {
    #[error(transparent)]
    Name(#[from] UnknownName),
    #[error(transparent)]
    Rules(#[from] RulesError),
    #[error(transparent)]
    Instance(#[from] FormatError),
    #[error(transparent)]
    Generate(#[from] GenerateError),
    #[error(transparent)]
    Cube(#[from] NotACubeNumber),
    #[error("the instance differs from the planned one; was the program changed in the meantime?")]
    OtherInstance,
    #[error("'{id}' matches {count} engines; expected one")]
    Engines { id: String, count: usize },
    #[error("the watchdog cannot be started: {0}")]
    Watchdog(io::Error),
    /// Standard output cannot be written.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Carries out a request and writes its phases and findings to standard output, as lines of JSON.
///
/// # Errors
/// Returns an error if standard output cannot be written.
pub fn work(context: &WorkerContext<'_>, request: &Request) -> io::Result<()> {
    let progress = RunProgress::new(Arc::clone(&context.clock));
    if let Err(error) = carry_out(context, request, &progress) {
        progress.note(|findings| {
            findings.verdict = Some(Verdict::Failed);
            findings.reason = Some(error.to_string());
        });
    }
    report(Phase::Ending, progress.findings(), context.children)
}

/// Announces a phase and reports the findings so far, with the peak memory of this process or of a program that it ran,
/// whichever is larger.
fn report(phase: Phase, mut findings: Findings, children: &Children) -> io::Result<()> {
    findings.peak_bytes = watchdog::peak().map(|own| own.max(children.peak_bytes()));
    request::report(phase, findings, children)
}

fn carry_out(
    context: &WorkerContext<'_>,
    request: &Request,
    progress: &Arc<RunProgress>,
) -> Result<(), RunError> {
    let run = &request.run;
    let problem = context.registry.find(&run.problem)?;
    let instance = instance(problem, run, &request.folder)?;
    let tightest = |memory: Option<u64>| [memory, run.limits.memory_bytes].into_iter().flatten().min();
    let solvers = (request.programs.iter()).fold(SolverRegistry::built_in(), |solvers, program| {
        let mut program = program.clone().with_seed(run.solver_seed);
        program.limits.memory = tightest(program.limits.memory);
        solvers.with(external::factory(program, Arc::clone(context.children)))
    });
    let declared = request.declared.clone().map(|mut declared| {
        declared.limits.memory = tightest(declared.limits.memory);
        declared.engine(context.children)
    });
    let engines: Vec<EngineInfo> = problem.engines().iter().copied().chain(declared).collect();
    let engine = exactly_one(spec::resolve(&engines, &solvers, &run.engine)?, &run.engine)?;
    if let Err(reason) = instance.supports(&engine) {
        progress.note(|findings| {
            findings.verdict = Some(Verdict::Unsupported);
            findings.reason = Some(reason.into());
        });
        return Ok(());
    }
    // The proof of a shuffled formula would not refute the checker's formula.
    let records = run.certify && run.shuffle == 0 && instance.is_obligation(&engine);
    let recorder = records.then(|| Recorder::new(certify::MAX_BYTES));
    let recording = |factory: &SolverFactory| factory.recording(recorder.as_ref()?);
    let recorder_is_used = engine.solver_factory().is_some_and(|factory| recording(factory).is_some());
    let prover = Prover::of(engine.solver_factory());
    let engine = engine.map_solver(|factory| {
        let factory = recording(factory).unwrap_or_else(|| factory.clone());
        metered(&permuted(&factory, run), progress)
    });
    let recorder = recorder.filter(|_| recorder_is_used);
    let mut job = Job { context, run, progress, instance: &*instance, engine: &engine, prover, recorder };
    match (&run.cut, &request.cubes) {
        (Some(cut), Some(cubes)) => match cut.number()? {
            Some(number) => cubes::solve_case(&mut job, &number, cubes),
            None => cubes::assemble(&mut job, cubes),
        },
        _ => job.solve(),
    }
}

/// A run whose instance and engine are known.
pub(super) struct Job<'a> {
    pub(super) context: &'a WorkerContext<'a>,
    pub(super) run: &'a Run,
    pub(super) progress: &'a Arc<RunProgress>,
    pub(super) instance: &'a dyn DynInstance,
    pub(super) engine: &'a EngineSpec,
    pub(super) prover: Prover,
    /// What the engine's solver records while it solves; `None` if it records nothing.
    pub(super) recorder: Option<Recorder>,
}

impl Job<'_> {
    /// Lets the engine solve the instance, and checks the answer.
    fn solve(&mut self) -> Result<(), RunError> {
        let engine = self.engine;
        announce(if engine.side == Side::Sat { Phase::Building } else { Phase::Solving })?;
        let outcome = self.within_limits(|job, budget| job.instance.solve(engine, budget))?;
        let Some(answer) = note_outcome(outcome, engine, self.progress) else { return Ok(()) };
        self.take_recorded();
        self.conclude(&*answer)
    }

    /// Builds and solves within the limits of the run, and notes the times and the work.
    pub(super) fn within_limits<T>(
        &mut self,
        solve: impl FnOnce(&mut Self, &mut Budget) -> T,
    ) -> Result<T, RunError> {
        let (run, progress) = (self.run, self.progress);
        let mut budget =
            Budget::new(run.limits.work, progress.stop()).on_threads(Some(NonZero::<usize>::MIN));
        let _watch = guard(self.context, progress, Bounds::of(&run.limits), note_limit)?;
        let found = solve(self, &mut budget);
        progress.end(&budget.work);
        Ok(found)
    }

    /// If the solver recorded a proof while it solved, makes the prover use this proof first.
    pub(super) fn take_recorded(&mut self) {
        if let Some(recorder) = self.recorder.take() {
            self.prover = Prover::recorded(recorder.take(), self.engine.solver_factory());
        }
    }

    /// Proves and checks within limits of their own.
    ///
    /// Without a limit of their own, proving and checking together may use as much CPU time again as the run's limit
    /// allows. If the run has no limit on CPU time, its limit on wall time is used as their limit on CPU time.
    pub(super) fn within_check_limits<T>(
        &mut self,
        check: impl FnOnce(&mut Self) -> io::Result<T>,
    ) -> Result<T, RunError> {
        let (context, run, progress) = (self.context, self.run, self.progress);
        let next = if run.certify { Phase::Certifying } else { Phase::Checking };
        report(next, progress.findings(), context.children)?;
        let own = run.limits.proof_s;
        let cpu_s = own.or(run.limits.cpu_s).or(run.limits.wall_s);
        let bounds = Bounds::of(&Limits { cpu_s, wall_s: None, ..run.limits });
        let bounds = if own.is_some() { bounds } else { bounds.at_least(MIN_CHECK_TIME) };
        let _watch = guard(context, progress, bounds, note_unchecked)?;
        Ok(check(self)?)
    }

    /// Checks an answer, and notes the answer with its claims.
    pub(super) fn conclude(&mut self, answer: &dyn DynAnswer) -> Result<(), RunError> {
        let (run, progress) = (self.run, self.progress);
        let claims = self.within_check_limits(|job| check(answer, run, &mut job.prover, progress))?;
        announce(Phase::Writing)?;
        let json = answer.to_json(&run.engine, &claims);
        progress.note(|findings| {
            note_claims(&claims, findings);
            findings.answer = Some(json).filter(is_reportable);
        });
        Ok(())
    }
}

/// Notes the result of checking all claims, and the first claim that decides it.
pub(super) fn note_claims(claims: &[Claim], findings: &mut Findings) {
    let failed = claims.iter().find(|claim| claim.status.is_failed());
    let unverified = failed.or_else(|| claims.iter().find(|claim| !claim.status.is_closed()));
    findings.check = Some(verdict(claims));
    findings.reason = unverified.map(|claim| format!("{}: {}", claim.text, claim.status));
}

/// Whether an answer is small enough to be reported.
pub(super) fn is_reportable(answer: &Value) -> bool {
    depth(answer) <= MAX_DEPTH && request::is_short(answer)
}

/// The depth of nesting; 0 if the value is neither an array nor an object.
fn depth(value: &Value) -> usize {
    let inner = match value {
        Value::Array(values) => values.iter().map(depth).max(),
        Value::Object(values) => values.values().map(depth).max(),
        _ => return 0,
    };
    1 + inner.unwrap_or(0)
}

/// Makes the instance of a run.
fn instance(problem: &dyn DynProblem, run: &Run, folder: &Path) -> Result<Box<dyn DynInstance>, RunError> {
    let instance = match &run.origin {
        Origin::File { text, .. } | Origin::Found { text, .. } => {
            problem.instance_with(&run.rules, text, &opener(folder))?
        }
        Origin::Family { name, params, seed } => {
            let settings = Settings::from_json(problem.rules(), &run.rules)?;
            problem.generate(&settings, name, params, *seed)?
        }
    };
    if instance.hash() != run.instance_hash {
        return Err(RunError::OtherInstance);
    }
    Ok(instance)
}

fn exactly_one(mut engines: Vec<EngineSpec>, id: &str) -> Result<EngineSpec, RunError> {
    match engines.pop() {
        Some(engine) if engines.is_empty() => Ok(engine),
        found => {
            let count = engines.len() + usize::from(found.is_some());
            Err(RunError::Engines { id: id.to_owned(), count })
        }
    }
}

/// Wraps the solvers that a factory makes so that they shuffle their formulas, if the run solves a shuffle.
pub fn permuted(factory: &SolverFactory, run: &Run) -> SolverFactory {
    if run.shuffle == 0 { factory.clone() } else { shuffled(factory, run.shuffle.into()) }
}

/// Begins and watches a phase. If the phase reaches a limit and does not stop, its children are killed, `note` adds the
/// limit to the findings, the findings are reported, and the process exits.
fn guard(
    context: &WorkerContext<'_>,
    progress: &Arc<RunProgress>,
    bounds: Bounds,
    note: fn(&mut Findings, Limit),
) -> Result<Watch, RunError> {
    let (shared, children) = (Arc::clone(progress), Arc::clone(context.children));
    let end = move || {
        let mut findings = shared.findings();
        note(&mut findings, shared.requested_stop().unwrap_or(Limit::Cancelled));
        children.end();
        // The process exits even if this cannot be written.
        let _ = report(Phase::Ending, findings, &children);
        std::process::exit(0);
    };
    watch(progress, bounds, context.children, end).map_err(RunError::Watchdog)
}

/// Notes that building or solving reached a limit.
fn note_limit(findings: &mut Findings, limit: Limit) {
    findings.verdict = Some(Verdict::Limit);
    findings.limit = Some(limit.word().to_owned());
}

/// Notes that proving or checking reached a limit.
fn note_unchecked(findings: &mut Findings, limit: Limit) {
    findings.check = Some(Check::Open);
    findings.reason = Some(format!("checking met the {limit}"));
}

/// Notes the outcome of the engine. Returns the answer if the engine decided the instance; only such an answer is
/// checked.
pub(super) fn note_outcome(
    outcome: Outcome<Box<dyn DynAnswer>>,
    engine: &EngineSpec,
    progress: &RunProgress,
) -> Option<Box<dyn DynAnswer>> {
    let (mut verdict, mut reached, mut reason, mut answer) = (Verdict::Decided, None, None, None);
    match outcome {
        Outcome::Decided(decided) => answer = Some(decided),
        Outcome::GaveUp(limit, best) => {
            (verdict, reached, answer) = (Verdict::Limit, Some(limit.word().to_owned()), best);
        }
        Outcome::Unsupported(why) => (verdict, reason) = (Verdict::Unsupported, Some(why.into())),
        Outcome::Failed(why) => (verdict, reason) = (Verdict::Failed, Some(why)),
    }
    progress.note(|findings| {
        findings.verdict = Some(verdict);
        findings.limit = reached;
        findings.reason = reason;
        findings.outcome = answer.as_ref().map(|answer| answer.outcome());
        if let (Verdict::Limit, Some(best)) = (verdict, &answer) {
            findings.answer = Some(best.to_json(&engine.to_string(), &[])).filter(is_reportable);
        }
    });
    answer.filter(|_| verdict == Verdict::Decided)
}

/// Checks every claim of an answer, with proofs if the run asks for them.
fn check(
    answer: &dyn DynAnswer,
    run: &Run,
    prover: &mut Prover,
    progress: &Arc<RunProgress>,
) -> io::Result<Vec<Claim>> {
    let spent = || progress.spent().0.as_secs_f64();
    let budget = |work| Budget::new(work, progress.stop());
    let mut proofs = Proofs::default();
    if run.certify {
        proofs = Proofs::of(answer, prover, &mut budget(None));
        let elapsed = spent();
        progress.note(|findings| {
            findings.prove_cpu_s = Some(elapsed);
            findings.proof_bytes = Some(proofs.bytes());
            findings.remarks = prover.take_remarks();
        });
        announce(Phase::Checking)?;
    }
    let before = spent();
    let claims = proofs.check(answer, &mut budget(Some(CHECK_WORK)));
    let elapsed = spent() - before;
    progress.note(|findings| findings.check_cpu_s = Some(elapsed));
    Ok(claims)
}
