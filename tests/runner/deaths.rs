//! Workers that end before they are done, in each phase of a run: killed, crashed, or exited without a result.

use crate::doubles::{DEADLY, eat};
use crate::experiment::{Experiment, said, wait_until};
use crate::samples::some;
use counterpoint::record::{Check, Verdict};
use rustix::process::{Pid, Signal, getpid, getppid, kill_process};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// The phases of a run, in order.
const PHASES: [&str; 6] = ["reading", "building", "solving", "certifying", "checking", "writing"];

/// The environment variable that says in which phase a worker ends, and how: `PHASE:WAY`.
const DEATH: &str = "PARITY_DEATH";

/// The environment variable that names a file. A worker that waits to be killed writes its process id into it.
const MARK: &str = "PARITY_MARK";

/// Ends this process if it is a worker and [`DEATH`] names this phase. [`DEATH`] also names the way; if the way is
/// unknown, the worker waits to be killed.
pub(crate) fn visit(phase: &str) {
    let death = std::env::var(DEATH).unwrap_or_default();
    let is_worker = std::env::args().nth(1).is_some_and(|first| first == "worker");
    let Some(way) = death.strip_prefix(phase).and_then(|rest| rest.strip_prefix(':')) else { return };
    if !is_worker {
        return;
    }
    match way {
        "kill" => kill_process(getpid(), Signal::KILL).unwrap(),
        "kill runner" => kill_process(getppid().unwrap(), Signal::KILL).unwrap(),
        "panic" => panic!("a double panics"),
        "exit 7" => std::process::exit(7),
        "exit 0" => std::process::exit(0),
        "eat" => eat(),
        _ => {
            let mark = std::env::var(MARK).unwrap();
            fs::write(format!("{mark}.new"), std::process::id().to_string()).unwrap();
            fs::rename(format!("{mark}.new"), mark).unwrap();
        }
    }
    loop {
        std::thread::sleep(Duration::from_secs(1));
    }
}

fn experiment(more: &str) -> Experiment {
    Experiment::of(r#"["sat:unit"]"#, "4", &format!("certify = true\n{more}"))
}

fn dying(experiment: &Experiment, phase: &str, way: &str) -> Command {
    let mut command = experiment.command("run", &[]);
    command.env(DEATH, format!("{phase}:{way}"));
    command
}

/// The command that runs an experiment whose workers wait in a phase. Each writes its process id into the file `mark`.
pub(crate) fn lingering(experiment: &Experiment, phase: &str, mark: &Path) -> Command {
    let mut command = dying(experiment, phase, "linger");
    command.env(MARK, mark);
    command
}

/// Asserts that the record says what the worker was doing, and that `--retry` performs the run again.
fn assert_failed(experiment: &Experiment, (phase, how): (&str, &str), result: (Option<i32>, String)) {
    let findings = experiment.record("unit").findings;
    assert_eq!(findings.verdict, Some(Verdict::Failed), "{phase}, {how}: {findings:?}");
    assert_eq!(findings.check, None, "{phase}, {how}");
    let reason = findings.reason.unwrap();
    assert!(reason.contains(how) && reason.contains(&format!("while {phase}")), "{phase}, {how}: {reason}");
    assert_eq!(result.0, Some(2), "{phase}, {how}: {}", result.1);
    assert!(result.1.contains(&reason) && result.1.contains("--retry"), "{phase}, {how}: {}", result.1);
    let again = experiment.run(&["--retry"]);
    assert_eq!(again.status.code(), Some(0), "{phase}, {how}: {}", said(&again));
    assert!(experiment.record("unit").is_solved(), "{phase}, {how}");
}

pub(crate) fn a_worker_that_dies_fails_in_any_phase() {
    let ways = [
        ("kill", "signal: 9"),
        ("panic", "exit status: 101"),
        ("exit 7", "exit status: 7"),
        ("exit 0", "exit status: 0"),
    ];
    for phase in PHASES {
        for (way, how) in some(ways) {
            let experiment = experiment("");
            let output = dying(&experiment, phase, way).output().unwrap();
            assert_failed(&experiment, (phase, how), (output.status.code(), said(&output)));
        }
    }
}

pub(crate) fn a_worker_that_is_killed_fails_in_any_phase() {
    for phase in PHASES {
        let experiment = experiment("");
        let mark = experiment.path().join("mark");
        let child = lingering(&experiment, phase, &mark).spawn().unwrap();
        wait_until(|| mark.exists());
        let worker: i32 = fs::read_to_string(&mark).unwrap().parse().unwrap();
        kill_process(Pid::from_raw(worker).unwrap(), Signal::KILL).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_failed(&experiment, (phase, "signal: 9"), (output.status.code(), said(&output)));
    }
}

#[cfg(target_os = "linux")]
pub(crate) fn a_run_that_ends_with_its_pilot_does_not_fail() {
    let experiment = experiment("");
    let mark = experiment.path().join("mark");
    let mut pilot = experiment.command("run", &["--pilot", "10h"]);
    let pilot = pilot.env(DEATH, "solving:linger").env(MARK, &mark).spawn().unwrap();
    wait_until(|| mark.exists());
    let worker: i32 = fs::read_to_string(&mark).unwrap().parse().unwrap();
    kill_process(Pid::from_raw(worker).unwrap(), Signal::TERM).unwrap();
    // The pilot gets its signal when it has noticed the end of the worker.
    wait_until(|| !Path::new(&format!("/proc/{worker}")).exists());
    kill_process(Pid::from_child(&pilot), Signal::TERM).unwrap();
    let output = pilot.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(experiment.lines(), 0, "the run was not made");
    assert_eq!(experiment.run(&[]).status.code(), Some(0));
    assert!(experiment.record("unit").is_solved());
}

pub(crate) fn a_worker_that_reaches_a_limit_does_not_fail() {
    for (i, phase) in PHASES.into_iter().enumerate() {
        let experiment = experiment(r#"limits = { cpu = "20s", memory = "64MiB" }"#);
        let output = dying(&experiment, phase, "eat").output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{phase}: {}", said(&output));
        let findings = experiment.record("unit").findings;
        // Before there is an answer, the run reaches the limit; after that, the check reaches it.
        if i < 3 {
            assert_eq!(findings.verdict, Some(Verdict::Limit), "{phase}: {findings:?}");
            assert_eq!(findings.limit.as_deref(), Some("memory"), "{phase}");
            assert!(findings.cpu_s.is_some_and(|s| s > 0.0), "{phase}: {findings:?}");
        } else {
            assert_eq!(findings.verdict, Some(Verdict::Decided), "{phase}: {findings:?}");
            assert_eq!(findings.check, Some(Check::Open), "{phase}");
            assert!(findings.reason.as_ref().unwrap().contains("memory limit"), "{phase}: {findings:?}");
        }
    }
}

pub(crate) fn a_run_that_kills_its_runners_is_set_aside() {
    let experiment = Experiment::of(r#"["sat:unit"]"#, "\"600..=700\"", "");
    let run = |args: &[&str]| {
        let mut command = experiment.command("run", &[&["-j", "1"], args].concat());
        let output = command.env(DEATH, "killing:kill runner").output().unwrap();
        (output.status.code(), said(&output))
    };
    assert_eq!(run(&[]).0, None, "the first runner should die");
    // The others take over the queue of the first one.
    let pilot = ["--pilot", "10h"];
    for number in 2..=3 {
        let (status, said) = run(&pilot);
        assert_eq!(status, None, "runner {number} should die: {said}");
    }
    let (status, words) = run(&pilot);
    assert_eq!(status, Some(0), "{words}");
    let records = experiment.records();
    assert_eq!(records.len(), 101);
    let failed: Vec<_> = records.iter().filter(|record| !record.is_solved()).collect();
    assert_eq!(failed.len(), 1);
    assert_eq!(failed[0].params["n"], DEADLY);
    let reason = failed[0].findings.reason.as_deref().unwrap_or_default();
    assert!(reason.starts_with("3 processes died while they held this run: "), "{reason}");
    assert_eq!(reason.matches(" on ").count(), 3, "{reason}");
    assert!(words.contains(reason), "{words}");
    let status = said(&experiment.command("status", &[]).output().unwrap());
    assert!(status.contains("101 of 101 runs have records"), "{status}");
    let ordinary = experiment.run(&[]);
    assert_eq!(ordinary.status.code(), Some(2));
    assert!(said(&ordinary).contains("1 runs failed; --retry repeats them"), "{}", said(&ordinary));
    let retried = experiment.run(&["--retry"]);
    assert_eq!(retried.status.code(), Some(0), "{}", said(&retried));
    assert!(experiment.records().iter().all(|record| record.is_solved()));
}
