//! Programs that the runner itself starts, before its first run: it asks them for their version, and measures how long
//! they need to start. They end with the runner, and the limits of the plan apply to them.

use crate::experiment::{Experiment, said, wait_until};
use crate::interrupted::runs;
use counterpoint::record::Verdict;
use std::fs;

/// Prints the right verdict on the number `$n`.
const VERDICT: &str = "[ $((n % 2)) = 0 ] && echo true || echo false";

/// An experiment on one number with the program `script.sh`, which runs in the folder of the experiment.
fn experiment(number: u32, limits: &str, version: &str, script: &str) -> Experiment {
    let experiment = Experiment::new(&format!(
        "problem = \"parity\"\nengines = [\"exec:p\"]\n{limits}\n[engine.p]\nproblem = \"parity\"\n\
         command = [\"sh\", \"script.sh\"]\n{version}\n[[family]]\nname = \"number\"\nn = {number}\n"
    ));
    fs::write(experiment.path().join("script.sh"), script).unwrap();
    experiment
}

/// Shell commands that write the ids of two processes into the file `mark`, then sleep. One of these processes has left
/// the group.
const SLEEP: &str = "setsid sleep 1000 & echo $! $$ >mark.new; mv mark.new mark; exec sleep 1000";

pub(crate) fn programs_end_with_a_runner_that_is_killed_before_its_first_run() {
    for (what, version, script) in [
        ("the runner measures the start", "", SLEEP),
        ("the runner asks for the version", "version = [\"sh\", \"version.sh\"]", "read n; echo true"),
    ] {
        let experiment = experiment(6, "", version, script);
        fs::write(experiment.path().join("version.sh"), SLEEP).unwrap();
        let mut runner = experiment.start(&[]);
        let mark = experiment.path().join("mark");
        wait_until(|| mark.exists());
        let text = fs::read_to_string(mark).unwrap();
        let sleeping: Vec<i32> = text.split_whitespace().map(|id| id.parse().unwrap()).collect();
        assert!(sleeping.len() == 2 && sleeping.iter().all(|&id| runs(id)), "{what}: {text}");
        runner.kill().unwrap();
        runner.wait().unwrap();
        wait_until(|| sleeping.iter().all(|&id| !runs(id)));
    }
}

pub(crate) fn the_start_of_a_program_is_measured_within_the_limits_of_the_plan() {
    // On the sample, the program uses 300 MiB.
    let script = format!("read n; [ $n = 4 ] && head -c 300M /dev/zero | tail -n 1 >/dev/null; {VERDICT}");
    for (limits, is_measured) in
        [("limits = { memory = \"100MiB\" }", false), ("limits = { memory = \"1GiB\" }", true)]
    {
        let experiment = experiment(6, limits, "", &script);
        let output = experiment.run(&[]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let record = experiment.record("p");
        assert!(record.is_solved(), "{record:?}");
        assert_eq!(record.startup_cpu_s.is_some(), is_measured, "{limits}: {record:?}");
    }
}

pub(crate) fn the_start_of_a_program_is_measured_once_for_a_set() {
    for (script, is_measured) in [
        (format!("read n; [ $n = 4 ] && echo >>starts; {VERDICT}"), true),
        (format!("read n; [ $n = 4 ] && echo >>starts && exit 1; {VERDICT}"), false),
    ] {
        let experiment = experiment(7, "", "", &script);
        let starts = || fs::read_to_string(experiment.path().join("starts")).unwrap().len();
        let output = experiment.run(&[]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let (first, time) = (starts(), experiment.record("p").startup_cpu_s);
        assert_eq!(time.is_some(), is_measured);
        let more = |number: u32| {
            let plan = experiment.path().join("plan.toml");
            let text = fs::read_to_string(&plan).unwrap();
            let (before, _) = text.rsplit_once("n = ").unwrap();
            fs::write(plan, format!("{before}n = [7, {number}]\n")).unwrap();
            let output = experiment.run(&[]);
            assert_eq!(output.status.code(), Some(0), "{}", said(&output));
            let found = experiment.records().into_iter().find(|record| record.params["n"] == number);
            found.unwrap().startup_cpu_s
        };
        assert_eq!(more(9), time);
        assert_eq!(starts(), first, "a known program was started");
        // A program that has changed is measured again.
        fs::write(experiment.path().join("script.sh"), format!("{script} # changed")).unwrap();
        assert_eq!(more(11).is_some(), is_measured);
        assert!(starts() > first);
    }
}

pub(crate) fn a_program_that_is_refused_memory_reaches_the_limit() {
    let fail = |more: &str| format!("read n; [ $n = 4 ] || {{ {more}; exit 1; }}; {VERDICT}");
    let python = "python3 -c 'bytearray(1 << 30)'";
    let limited = "limits = { memory = \"100MiB\" }";
    let message = "echo \"terminate called after throwing an instance of 'std::bad_alloc'\" >&2";
    for (limits, script, is_limit) in [
        (limited, fail(python), true),
        (limited, fail(message), true),
        (limited, fail(&format!("{message}; kill -ABRT $$")), true),
        (limited, fail("echo other >&2"), false),
        ("", fail(message), false),
    ] {
        let experiment = experiment(6, limits, "", &script);
        let output = experiment.run(&[]);
        assert_eq!(output.status.code(), Some(if is_limit { 0 } else { 2 }), "{script}: {}", said(&output));
        let findings = experiment.record("p").findings;
        let expected = if is_limit { Verdict::Limit } else { Verdict::Failed };
        assert_eq!(findings.verdict, Some(expected), "{script}: {findings:?}");
        assert_eq!(findings.limit.as_deref(), is_limit.then_some("memory"), "{script}: {findings:?}");
    }
}
