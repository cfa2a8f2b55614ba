//! Runs of other people's programs and encoders that are interrupted: the runner is killed, the worker is suspended, a
//! program leaves its process group or changes its version. Each leaves the record that is expected, or none.

use crate::experiment::{Experiment, said, wait_until};
use counterpoint::record::{Check, Record, Verdict};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::path::Path;
use std::process::Child;

/// A shell function that writes the ids of the script's process and of the worker into the file `mark`, and waits for
/// the file `go`. Both files are in the folder of the experiment, which is the first argument of each script. It does
/// not wait on the problem's sample, on which the runner measures how long a program needs to start.
const WAIT: &str = r#"
wait_for_go() {
    [ "$n" = 4 ] && return
    echo "$$ $PPID" >"$1/mark.new"; mv "$1/mark.new" "$1/mark"
    while ! [ -e "$1/go" ]; do sleep 0.02; done
}
"#;

/// Prints the right verdict on the number `$n`.
const VERDICT: &str = "[ $((n % 2)) = 0 ] && echo true || echo false";

/// Prints a formula whose only model is right for the number `$n`.
const FORMULA: &str =
    "echo 'c varname 1 even'; echo 'p cnf 1 1'; [ $((n % 2)) = 0 ] && echo '1 0' || echo '-1 0'";

/// Prints a model of a formula of one clause with one literal.
const MODEL: &str = "echo s SATISFIABLE; echo \"v $(tail -n 1 \"$2\")\"; exit 10";

/// An experiment on these numbers with an engine whose program, encoder or solver is a script.
fn experiment(engine: &str, numbers: &str, limits: &str, script: &str) -> Experiment {
    let experiment = Experiment::of(&format!("[{engine:?}]"), numbers, "");
    let (folder, file) = (experiment.path().display(), experiment.path().join("plan.toml"));
    let command = format!("command = [\"sh\", \"{folder}/script.sh\", \"{folder}\"");
    let more = format!(
        "[engine.p]\nproblem = \"parity\"\n{command}]\nversion = [\"cat\", \"version\"]\n\
         [encoding.e]\nproblem = \"parity\"\n{command}]\n\
         [solver.s]\n{command}, \"{{}}\"]\n"
    );
    let plan = fs::read_to_string(&file).unwrap().replace("[[family]]", &format!("{more}[[family]]"));
    fs::write(&file, format!("{limits}\n{plan}")).unwrap();
    fs::write(experiment.path().join("version"), "1\n").unwrap();
    fs::write(experiment.path().join("script.sh"), format!("{WAIT}{script}")).unwrap();
    experiment
}

/// Waits until the script waits. Returns the ids of its process and of the worker.
fn processes(folder: &Path) -> [i32; 2] {
    wait_until(|| folder.join("mark").exists());
    let text = fs::read_to_string(folder.join("mark")).unwrap();
    let ids: Vec<i32> = text.split_whitespace().map(|id| id.parse().unwrap()).collect();
    ids.try_into().unwrap()
}

/// Whether a process exists and has not ended.
pub(crate) fn runs(id: i32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}

fn signal(id: i32, signal: Signal) {
    kill_process(Pid::from_raw(id).unwrap(), signal).unwrap();
}

/// Kills the runner. No record and no process may be left. The same command then makes the run.
fn kill_and_resume(experiment: &Experiment, mut runner: Child, processes: &[i32], what: &str) {
    runner.kill().unwrap();
    runner.wait().unwrap();
    wait_until(|| processes.iter().all(|&id| !runs(id)));
    assert_eq!(experiment.lines(), 0, "{what}");
    fs::write(experiment.path().join("go"), "").unwrap();
    let output = experiment.run(&[]);
    assert_eq!(output.status.code(), Some(0), "{what}: {}", said(&output));
    assert_eq!(experiment.lines(), 1, "{what}");
    let records = experiment.records();
    assert!(records.iter().all(|record| record.is_solved() && record.attempt_number == Some(1)), "{what}");
}

pub(crate) fn a_killed_runner_leaves_no_record_of_a_program() {
    for (what, engine, script) in [
        ("the program runs", "exec:p", format!("read n; wait_for_go \"$1\"; {VERDICT}")),
        ("the encoder runs", "sat:e", format!("read n; wait_for_go \"$1\"; {FORMULA}")),
        ("the solver runs", "sat:unit@s", format!("wait_for_go \"$1\"; {MODEL}")),
        ("a process of the program runs in a session of its own", "exec:p", {
            format!("read n; export n; setsid sh -c '{WAIT} wait_for_go \"$1\"; {VERDICT}' sh \"$1\"")
        }),
    ] {
        let experiment = experiment(engine, "6", "", &script);
        let runner = experiment.start(&[]);
        let [program, worker] = processes(experiment.path());
        kill_and_resume(&experiment, runner, &[program, worker], what);
    }
}

pub(crate) fn a_killed_runner_leaves_no_record_of_an_unchecked_answer() {
    for phase in ["certifying", "checking", "writing"] {
        for (engine, script) in
            [("exec:p", format!("read n; {VERDICT}")), ("sat:e", format!("read n; {FORMULA}"))]
        {
            let experiment = experiment(engine, "6", "certify = true", &script);
            let mark = experiment.path().join("mark");
            let runner = crate::deaths::lingering(&experiment, phase, &mark).spawn().unwrap();
            wait_until(|| mark.exists());
            let worker = fs::read_to_string(&mark).unwrap().parse().unwrap();
            kill_and_resume(&experiment, runner, &[worker], &format!("{engine}, {phase}"));
        }
    }
}

pub(crate) fn a_suspended_worker_is_continued() {
    for (engine, script) in [
        ("exec:p", format!("read n; wait_for_go \"$1\"; {VERDICT}")),
        ("sat:e", format!("read n; wait_for_go \"$1\"; {FORMULA}")),
        ("sat:unit@s", format!("wait_for_go \"$1\"; {MODEL}")),
    ] {
        let experiment = experiment(engine, "6", "", &script);
        let runner = experiment.start(&[]);
        let [_, worker] = processes(experiment.path());
        for _ in 0..3 {
            signal(worker, Signal::STOP);
        }
        // The runner resumes the worker, whether the program is still running or has ended.
        fs::write(experiment.path().join("go"), "").unwrap();
        let output = runner.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{engine}: {}", said(&output));
        assert_eq!(experiment.records().iter().filter(|record| record.is_solved()).count(), 1, "{engine}");
    }
}

pub(crate) fn a_suspended_worker_reaches_its_wall_limit() {
    let script = "read n; wait_for_go \"$1\"";
    let experiment = experiment("exec:p", "6", "limits = { wall = \"300ms\" }", script);
    let runner = experiment.start(&[]);
    let [program, worker] = processes(experiment.path());
    // The worker may have reached the limit already.
    let _ = kill_process(Pid::from_raw(worker).unwrap(), Signal::STOP);
    let output = runner.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let findings = experiment.record("p").findings;
    assert_eq!((findings.verdict, findings.check), (Some(Verdict::Limit), None), "{findings:?}");
    assert_eq!(findings.limit.as_deref(), Some("wall"), "{findings:?}");
    assert!(!runs(program) && !runs(worker));
}

pub(crate) fn a_program_that_leaves_its_group_is_measured_and_ended() {
    // The answer comes from a session of its own, and another process stays behind.
    let leave = "(setsid sleep 31415 >/dev/null 2>&1 &)";
    let script = format!("read n; export n; {leave}; setsid sh -c '{VERDICT}'");
    let answers = experiment("exec:p", "[3, 6]", "", &script);
    let output = answers.run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(answers.records().iter().all(|record| record.findings.check == Some(Check::Checked)));
    // CPU time outside the group counts.
    let spin = "setsid sh -c 'while :; do :; done'";
    let script = format!("read n; {leave}; if [ $n = 4 ]; then {VERDICT}; else {spin}; fi");
    let spins = experiment("exec:p", "6", "limits = { cpu = \"300ms\", wall = \"1h\" }", &script);
    let output = spins.run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let record = spins.record("p");
    assert_eq!(record.findings.limit.as_deref(), Some("cpu"), "{record:?}");
    assert!(record.process_cpu_s < 5.0, "{record:?}");
    assert_eq!(crate::limits::leftovers("sleep 31415"), 0);
}

pub(crate) fn a_program_that_changes_its_version_is_recorded_with_the_version_of_the_session() {
    // Each run raises the version.
    let raise = "v=$(cat \"$1/version\"); echo $((v + 1)) >\"$1/version\"";
    let experiment = experiment("exec:p", "[3, 6]", "", &format!("read n; {VERDICT}; {raise}"));
    let output = experiment.run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let versions = || {
        let mut records: Vec<Record> = experiment.records();
        records.sort_by_key(|record| record.params["n"].as_u64());
        records.iter().map(|record| record.programs["exec:p"].clone()).collect::<Vec<_>>()
    };
    // The runner asks once, before the first run.
    let first = versions();
    assert_eq!(first[0], first[1]);
    let file = experiment.path().join("plan.toml");
    fs::write(&file, fs::read_to_string(&file).unwrap().replace("[3, 6]", "[3, 6, 7]")).unwrap();
    let output = experiment.run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let now = versions();
    assert_eq!(now[..2], first[..], "earlier records keep their version");
    assert!(now[2].parse::<u32>().unwrap() > first[0].parse::<u32>().unwrap(), "{now:?}");
    assert!(experiment.records().iter().all(Record::is_solved));
}
