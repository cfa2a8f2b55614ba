//! The runner's side of an attempt at a run: starts the worker process, waits for its end or kills it, and makes a
//! record from the output, the resource usage and the exit status of the process.

use super::cores::Cores;
use super::cubes::CubeRequest;
use super::environment::{self, Environment};
use super::planned::empty_record;
use super::request::{self, Phase, Request};
use super::wall_monitor::WallMonitor;
use crate::declared::Declaration;
use crate::engine::{EngineInfo, Limit, Stop};
use crate::process::{self, Cgroups, Children, Ending, Job, Limits};
use crate::record::{Check, Findings, Record, Run, Verdict};
use crate::registry::Registry;
use crate::solver::SolverRegistry;
use crate::solver::external::Program;
use crate::spec::{self, EngineSpec};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, Seek, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant, SystemTime};
use tempfile::TempDir;

/// The slack in [`outer_limits`]. It covers the minimum time that proving and checking get.
const SLACK: Duration = Duration::from_secs(15);

/// Added to the reason of a failure if the kernel killed a process meanwhile.
const KILLED_FOR_MEMORY: &str = "; killed for memory: the control group of this job had no memory left";

/// The maximum number of bytes that a worker may write.
const MAX_OUTPUT: u64 = 1 << 28;

/// Everything that is needed to start a worker.
pub struct Launcher<'a> {
    /// The path of this program.
    pub program: PathBuf,
    /// The folder of the plan.
    pub folder: PathBuf,
    /// All problems.
    pub registry: &'a Registry,
    /// All solvers.
    pub solvers: SolverRegistry,
    /// The external solvers.
    pub programs: Vec<Program>,
    /// The versions of external programs: of solvers by their names, and of declared engines by their ids. Programs
    /// without a known version are absent.
    pub versions: BTreeMap<String, String>,
    /// The engines of the plan's problem, with the declared ones.
    pub engines: Vec<EngineInfo>,
    /// The declarations of the declared engines.
    pub declared: Vec<Declaration>,
    /// The CPU time that the programs of declared engines need to start, by their ids without axes and solver.
    pub startup_cpu_s: BTreeMap<String, f64>,
    /// The running child processes.
    pub children: Arc<Children>,
    /// Makes a control group for each run; `None` if this machine does not allow it.
    pub cgroups: Option<Cgroups>,
    /// The name of the environment in records, unless `uncontained` applies to the run.
    pub environment: String,
    /// The environment of runs for which a control group was wanted but could not be used.
    pub uncontained: Environment,
    /// The cores that runs are pinned to, one for each slot; none if runs are not pinned.
    pub cores: Cores,
    /// Why the first run to which `uncontained` applies had no control group.
    pub no_cgroup: OnceLock<String>,
    /// How often the kernel is known to have killed a process of our control group for lack of memory.
    pub memory_kills: AtomicU64,
}

impl Launcher<'_> {
    /// Whether the kernel has killed a process of our control group for lack of memory since the last call. On a
    /// cluster, Slurm limits the memory of that group.
    fn is_out_of_memory(&self) -> bool {
        let kills = process::memory_kills().unwrap_or(0);
        self.memory_kills.swap(kills, Relaxed) < kills
    }
}

/// The error that an attempt could not be made, for example because its worker could not be started. This type
/// distinguishes such errors from errors about the folder of the records.
#[derive(Debug, thiserror::Error)]
#[error("a run cannot be started: {0}")]
pub struct StartError(io::Error);

impl StartError {
    pub(super) fn wrap(error: io::Error) -> io::Error {
        io::Error::other(StartError(error))
    }
}

/// Carries out a run in a process of its own. `cubes` is what the worker needs if the run is a part of a cut
/// run. `slot` determines the core of a pinned run, and `name` is the name of the attempt. Returns `None` if
/// `stop` cancels the run.
///
/// # Errors
/// Returns an error if the problem or the engine of the run is unknown, or the process cannot be started or watched.
pub fn attempt(
    launcher: &Launcher<'_>,
    (run, cubes): (&Run, Option<CubeRequest>),
    slot: usize,
    name: String,
    stop: &Stop,
) -> io::Result<Option<Record>> {
    let spec = engine(launcher, run)?;
    let solver = spec.solver_name().map(str::to_owned);
    let programs = launcher.programs.iter().filter(|program| Some(&program.name) == solver.as_ref());
    let declared = spec.declared().and_then(|engine| {
        launcher.declared.iter().find(|d| (d.prints, &d.name) == (engine.prints, &engine.name)).cloned()
    });
    let versioned = solver.clone().into_iter().chain(declared.as_ref().map(Declaration::id));
    let startup_cpu_s = declared.as_ref().and_then(|d| launcher.startup_cpu_s.get(&d.id())).copied();
    let core = launcher.cores.of_slot(slot);
    let request = Request {
        run: run.clone(),
        programs: programs.cloned().collect(),
        declared,
        folder: launcher.folder.clone(),
        parent: std::process::id(),
        cubes,
        core,
    };
    let mut input = process::file()?;
    input.write_all(&serde_json::to_vec(&request)?)?;
    input.rewind()?;
    let (load, pressure) = (environment::load(), environment::pressure());
    let start = (SystemTime::now(), Instant::now());
    // This folder holds the files of external programs. It is deleted when the run ends, even if the run fails or is
    // killed.
    let is_external = !request.programs.is_empty() || request.declared.is_some();
    let folder = is_external.then(process::folder).transpose()?;
    let output = process::file()?;
    let monitor = WallMonitor::new(output.try_clone()?, &run.limits);
    let job = Job {
        program: launcher.program.as_os_str(),
        args: &[OsString::from("worker")],
        input: Some(input),
        output: Some(output),
        limits: outer_limits(run),
        stop_signal: None,
        max_output: MAX_OUTPUT,
        file: None,
        is_worker: true,
        cgroups: launcher.cgroups.as_ref(),
        folder: folder.as_ref().map(TempDir::path),
        ..Job::default()
    };
    let mut ran = launcher.children.run(job, &monitor.or(stop))?;
    let engine_time = monitor.engine_time();
    let wall = start.1.elapsed();
    launcher.children.sweep();
    if ran.ending == Ending::Stopped(Limit::Cancelled) {
        return Ok(None);
    }
    let mut findings = findings_of(&mut ran, &launcher.children)?;
    if let (Some(Verdict::Failed), Some(reason)) = (findings.verdict, &mut findings.reason)
        && launcher.is_out_of_memory()
    {
        reason.push_str(KILLED_FOR_MEMORY);
    }
    if findings.limit.is_some() && findings.wall_s.is_none() {
        // The worker was killed before it could report a time.
        findings.wall_s = engine_time.map(|time| time.as_secs_f64());
    }
    findings.peak_bytes.get_or_insert(ran.usage.peak_bytes);
    if findings.verdict == Some(Verdict::Limit) {
        // If the worker was killed from outside, only the times of the whole process are known.
        findings.cpu_s.get_or_insert(ran.usage.cpu.as_secs_f64());
        findings.wall_s.get_or_insert(wall.as_secs_f64());
    }
    Ok(Some(Record {
        attempt: name,
        environment: match ran.no_cgroup {
            None => launcher.environment.clone(),
            Some(why) => {
                launcher.no_cgroup.get_or_init(|| why);
                launcher.uncontained.hash()
            }
        },
        programs: versioned.filter_map(|name| launcher.versions.get_key_value(&name)).map(owned).collect(),
        startup_cpu_s,
        findings,
        process_cpu_s: ran.usage.cpu.as_secs_f64(),
        process_wall_s: wall.as_secs_f64(),
        start: date(start.0),
        load,
        pressure_percent: pressure,
        core,
        ..empty_record(run, &spec, launcher.registry.find(&run.problem).map_err(io::Error::other)?)
    }))
}

/// The record of a run that is not attempted.
///
/// # Errors
/// Returns an error if the problem or the engine of the run is unknown.
pub(super) fn failed(launcher: &Launcher<'_>, run: &Run, name: String, reason: String) -> io::Result<Record> {
    let spec = engine(launcher, run)?;
    let findings = Findings { verdict: Some(Verdict::Failed), reason: Some(reason), ..Findings::default() };
    Ok(Record {
        attempt: name,
        environment: launcher.environment.clone(),
        findings,
        start: date(SystemTime::now()),
        ..empty_record(run, &spec, launcher.registry.find(&run.problem).map_err(io::Error::other)?)
    })
}

/// The end of the years with four digits, in seconds after 1970.
const YEAR_10_000: u64 = 253_402_300_800;

/// A time as a date. If the clock is before 1970 or after year 9999, for which the format has no dates, the nearest date.
fn date(time: SystemTime) -> String {
    let latest = SystemTime::UNIX_EPOCH + Duration::from_secs(YEAR_10_000 - 1);
    humantime::format_rfc3339_micros(time.clamp(SystemTime::UNIX_EPOCH, latest)).to_string()
}

fn owned((name, version): (&String, &String)) -> (String, String) {
    (name.clone(), version.clone())
}

/// The engine of a run.
fn engine(launcher: &Launcher<'_>, run: &Run) -> io::Result<EngineSpec> {
    let found = spec::resolve(&launcher.engines, &launcher.solvers, &run.engine).map_err(io::Error::other)?;
    found.into_iter().next().ok_or_else(|| io::Error::other(format!("no engine is called '{}'", run.engine)))
}

/// The limits that are enforced from outside, in case the worker fails to enforce its own.
fn outer_limits(run: &Run) -> Limits {
    let time = |seconds: f64| Duration::try_from_secs_f64(seconds).ok();
    // Building and solving may use the limit `cpu` once. Proving and checking together may use the limit `proof`. If it
    // is not set, they may use `cpu` again, but at least a minimum time, which the slack covers.
    let proof = run.limits.proof_s.and_then(time);
    let cpu = run
        .limits
        .cpu_s
        .and_then(time)
        .map(|cpu| cpu.saturating_add(proof.unwrap_or(cpu)).saturating_add(2 * SLACK));
    let both = |wall: Duration| wall.saturating_add(cpu.unwrap_or(wall)).saturating_add(SLACK);
    let wall = run.limits.wall_s.and_then(time).map(|wall| both(wall).saturating_mul(2));
    let memory = run.limits.memory_bytes.map(|max| max.saturating_add(max / 4).saturating_add(64 << 20));
    Limits { cpu, wall, memory }
}

/// The findings of a worker that has ended. The worker succeeded in two cases:
/// * It announced its end and exited with status 0.
/// * It announced its end with a decided answer, and then other processes of its group reached a limit.
///
/// Otherwise it failed or reached a limit. An answer that the worker found before it reached a limit is kept, and the
/// check of this answer counts as incomplete. `children` notes which counters of external solvers the worker found.
fn findings_of(ran: &mut process::Run, children: &Children) -> io::Result<Findings> {
    let (phase, found) =
        request::parse_output(process::reader(&mut ran.output), |counter| children.note_counter(counter))?;
    let is_done = phase == Phase::Ending;
    let mut findings = found.unwrap_or_default();
    // The limit that was reached, or how the worker failed.
    let failure = match ran.ending {
        Ending::Ended(status) if is_done && status.success() => return Ok(findings),
        // The worker itself is done; the limit was reached by other processes of its group.
        Ending::Stopped(_) if is_done && findings.verdict == Some(Verdict::Decided) => return Ok(findings),
        Ending::Stopped(limit) => Err(limit),
        Ending::TooMuchOutput => Ok(format!("the worker wrote too much while {phase}")),
        Ending::Ended(status) => {
            let said = ran.quote_errors();
            // Rust prints this message before it aborts the process.
            if said.contains("'memory allocation of") {
                Err(Limit::Memory)
            } else {
                Ok(format!("the worker ended with {status} while {phase}{said}"))
            }
        }
    };
    let has_answer = findings.verdict == Some(Verdict::Decided);
    match failure {
        // The answer is kept; only its check is incomplete.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_clock_has_a_date() {
        let epoch = SystemTime::UNIX_EPOCH;
        let year = Duration::from_secs(31_557_600);
        assert_eq!(date(epoch + 56 * year), "2026-01-01T00:00:00.000000Z");
        assert_eq!(date(epoch - 60 * year), "1970-01-01T00:00:00.000000Z");
        assert_eq!(date(epoch + 9000 * year), "9999-12-31T23:59:59.000000Z");
    }
}
