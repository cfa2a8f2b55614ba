//! The outer process of a run: starts the worker, waits for its end or ends it, and makes a record of what
//! it told, of what it used, and of how it ended.

use super::environment::{self, Environment};
use super::overseer::Overseer;
use super::planned::blank;
use super::request::{self, Phase, Request};
use crate::engine::{Limit, Stop};
use crate::process::{self, Cgroups, Children, Ending, Job, Limits};
use crate::record::{Check, Findings, Record, Run, Verdict};
use crate::registry::Registry;
use crate::solver::SolverRegistry;
use crate::solver::external::Program;
use crate::spec::{self, EngineSpec};
use std::ffi::OsString;
use std::io::{self, Seek, Write};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant, SystemTime};
use tempfile::TempDir;

/// What the worker's own limits may be exceeded by before it is ended from outside: time of checking, and some.
const SLACK: Duration = Duration::from_secs(15);

/// The most bytes that a worker may write.
const MAX_OUTPUT: u64 = 1 << 28;

/// What runs are made with.
pub struct Outer<'a> {
    /// This program.
    pub program: PathBuf,
    /// All problems.
    pub registry: &'a Registry,
    /// All solvers.
    pub solvers: SolverRegistry,
    /// Outside solvers.
    pub programs: Vec<Program>,
    /// Processes that run.
    pub children: Arc<Children>,
    /// Where runs get control groups, if they do.
    pub cgroups: Option<Cgroups>,
    /// Names the surroundings in records.
    pub environment: String,
    /// Environment of runs without the control group that they should have had.
    pub uncontained: Environment,
    /// Why the first of these had none.
    pub no_cgroup: OnceLock<String>,
}

/// Why no process could be had for a run, which is not the fault of the folder that takes its record.
#[derive(Debug, thiserror::Error)]
#[error("a run cannot be started: {0}")]
pub struct Unstarted(io::Error);

impl Unstarted {
    pub(super) fn because(error: io::Error) -> io::Error {
        io::Error::other(Unstarted(error))
    }
}

/// Carries out a run in a process of its own; nothing if `stop` ended it.
///
/// # Errors
/// If no process can be had.
pub fn attempt(outer: &Outer<'_>, run: &Run, attempt: String, stop: &Stop) -> io::Result<Option<Record>> {
    let spec = engine(outer, run)?;
    let solver = spec.solver_name().map(str::to_owned);
    let programs = outer.programs.iter().filter(|program| Some(&program.name) == solver.as_ref());
    let request =
        Request { run: run.clone(), programs: programs.cloned().collect(), parent: std::process::id() };
    let mut input = process::file()?;
    input.write_all(&serde_json::to_vec(&request)?)?;
    input.rewind()?;
    let (load, pressure) = (environment::load(), environment::pressure());
    let start = (SystemTime::now(), Instant::now());
    // What outside solvers read and write goes when the run has ended, however it ends.
    let folder =
        solver.as_ref().filter(|_| !request.programs.is_empty()).map(|_| process::folder()).transpose()?;
    let output = process::file()?;
    let overseer = Overseer::new(output.try_clone()?, &run.limits);
    let job = Job {
        program: outer.program.as_os_str(),
        args: &[OsString::from("worker")],
        input: Some(input),
        output: Some(output),
        limits: outmost(run),
        max_output: MAX_OUTPUT,
        is_worker: true,
        cgroups: outer.cgroups.as_ref(),
        folder: folder.as_ref().map(TempDir::path),
    };
    let mut ran = outer.children.run(job, &overseer.or(stop))?;
    let engine_time = overseer.engine_time();
    let wall = start.1.elapsed();
    outer.children.sweep();
    if ran.ending == Ending::Stopped(Limit::Cancelled) {
        return Ok(None);
    }
    let mut findings = ended(&mut ran)?;
    if findings.limit.is_some() && findings.wall_s.is_none() {
        // The worker was ended before it could say so.
        findings.wall_s = engine_time.map(|time| time.as_secs_f64());
    }
    findings.peak_bytes.get_or_insert(ran.usage.peak_bytes);
    if findings.verdict == Some(Verdict::Limit) {
        // It was ended from outside, so nobody else measured what it took.
        findings.cpu_s.get_or_insert(ran.usage.cpu.as_secs_f64());
        findings.wall_s.get_or_insert(wall.as_secs_f64());
    }
    Ok(Some(Record {
        attempt,
        environment: match ran.no_cgroup {
            None => outer.environment.clone(),
            Some(why) => {
                outer.no_cgroup.get_or_init(|| why);
                outer.uncontained.hash()
            }
        },
        findings,
        process_cpu_s: ran.usage.cpu.as_secs_f64(),
        process_wall_s: wall.as_secs_f64(),
        start: humantime::format_rfc3339_micros(start.0).to_string(),
        load,
        pressure_percent: pressure,
        ..blank(run, &spec, outer.registry.find(&run.problem).map_err(io::Error::other)?)
    }))
}

fn engine(outer: &Outer<'_>, run: &Run) -> io::Result<EngineSpec> {
    let problem = outer.registry.find(&run.problem).map_err(io::Error::other)?;
    let found = spec::resolve(problem.engines(), &outer.solvers, &run.engine).map_err(io::Error::other)?;
    found.into_iter().next().ok_or_else(|| io::Error::other(format!("no engine is called '{}'", run.engine)))
}

/// Limits of the last resort, which a worker meets that does not keep its own.
fn outmost(run: &Run) -> Limits {
    let time = |seconds: f64| Duration::try_from_secs_f64(seconds).ok();
    // Solving, proving and checking, each within the limit or the least that checking gets.
    let cpu = run.limits.cpu_s.and_then(time).map(|cpu| (cpu + SLACK) * 2);
    let wall = run.limits.wall_s.and_then(time).map(|wall| (wall + cpu.unwrap_or(wall) + SLACK) * 2);
    let memory = run.limits.memory_bytes.map(|most| most + most / 4 + (64 << 20));
    Limits { cpu, wall, memory }
}

/// What a worker found that ended in this way. Only one that said so has done all that was asked of it: any other
/// failed, unless it met a limit, and its answer, if there is one, was not checked to the end.
fn ended(ran: &mut process::Run) -> io::Result<Findings> {
    let (phase, found) = request::heard(process::reader(&mut ran.output))?;
    let is_done = phase == Phase::Ending;
    let mut findings = found.unwrap_or_default();
    let met = match ran.ending {
        Ending::Ended(status) if is_done && status.success() => return Ok(findings),
        // It is complete, whatever the rest of its process group used.
        Ending::Stopped(_) if is_done && findings.verdict == Some(Verdict::Decided) => return Ok(findings),
        Ending::Stopped(limit) => Err(limit),
        Ending::TooMuchOutput => Ok(format!("the worker wrote too much while {phase}")),
        Ending::Ended(status) => {
            let said = ran.quote_errors();
            // What Rust says before it gives up.
            if said.contains("'memory allocation of") {
                Err(Limit::Memory)
            } else {
                Ok(format!("the worker ended with {status} while {phase}{said}"))
            }
        }
    };
    let has_answer = findings.verdict == Some(Verdict::Decided);
    match met {
        // What has an answer keeps it; it is the check that did not end.
        Err(limit) if has_answer => {
            findings.check = Some(Check::Open);
            findings.reason = Some(format!("{phase} met the {limit}"));
        }
        Err(limit) => {
            findings.verdict = Some(Verdict::Limit);
            findings.limit = Some(limit.word().to_owned());
        }
        Ok(reason) => {
            findings.verdict = Some(Verdict::Failed);
            (findings.limit, findings.check, findings.reason) = (None, None, Some(reason));
        }
    }
    Ok(findings)
}
