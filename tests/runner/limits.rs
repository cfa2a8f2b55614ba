//! Engines that misbehave are stopped at their limits and reported correctly, and leave no processes behind.

use crate::experiment::{Experiment, said, wait_until};
use counterpoint::harness::Tier;
use counterpoint::record::{Check, Verdict};
use std::fs;
use std::path::PathBuf;

/// The number of processes with this text in their command lines.
pub(crate) fn leftovers(mark: &str) -> usize {
    let commands = fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| {
        let command = fs::read(entry.path().join("cmdline")).ok()?;
        Some(String::from_utf8_lossy(&command).replace('\0', " "))
    });
    commands.filter(|command| command.contains(mark)).count()
}

pub(crate) fn engines_that_do_not_stop_are_ended_by_limits() {
    let busy = r#"["search:forever", "search:polite"]"#;
    let busy = Experiment::of(busy, "3", r#"limits = { cpu = "300ms", wall = "1min" }"#);
    let idle = r#"["search:sleepy", "sat:builder"]"#;
    let idle = Experiment::of(idle, "3", r#"limits = { cpu = "1min", wall = "700ms" }"#);
    for experiment in [&busy, &idle] {
        let output = experiment.run(&["-j", "2"]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    }
    for (engine, limit) in [("forever", "cpu"), ("polite", "cpu"), ("sleepy", "wall"), ("builder", "wall")] {
        let experiment = if limit == "cpu" { &busy } else { &idle };
        let findings = experiment.record(engine).findings;
        assert_eq!(findings.verdict, Some(Verdict::Limit), "{engine}: {findings:?}");
        assert_eq!(findings.limit.as_deref(), Some(limit), "{engine}");
        let spent = if limit == "cpu" { findings.cpu_s } else { findings.wall_s };
        assert!(spent.unwrap() >= if limit == "cpu" { 0.3 } else { 0.7 }, "{engine}: {findings:?}");
    }
    // The record of an engine that polls its budget has its best answer and its counters. The record of an engine that
    // never completes its formula has the size that the formula had reached.
    let polite = busy.record("polite").findings;
    assert_eq!(polite.outcome.as_deref(), Some("even"));
    assert!(polite.work["nodes"] > 1000);
    assert!(polite.answer.is_some());
    let builder = idle.record("builder").findings;
    assert!(builder.work["variables"] > 10 && builder.work["clauses"] > 10);
    assert!(builder.build_cpu_s.is_some() && builder.solve_cpu_s.is_none());
}

pub(crate) fn memory_is_bounded() {
    let limits = r#"limits = { cpu = "20s", memory = "64MiB" }"#;
    let experiment = Experiment::of(r#"["search:hungry", "search:even"]"#, "3", limits);
    let output = experiment.run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let findings = experiment.record("hungry").findings;
    assert_eq!(findings.limit.as_deref(), Some("memory"), "{findings:?}");
    assert!(experiment.record("even").is_solved());
}

pub(crate) fn no_process_is_left_behind() {
    let limits = r#"limits = { cpu = "200ms" }"#;
    let experiment = Experiment::of(r#"["search:orphan"]"#, "3", limits);
    let before = leftovers("sleep 1000");
    experiment.run(&[]);
    assert_eq!(experiment.record("orphan").findings.limit.as_deref(), Some("cpu"));
    assert_eq!(leftovers("sleep 1000"), before);
    // If the runner itself is killed, its worker ends, too.
    let experiment = Experiment::of(r#"["search:forever"]"#, "3", r#"limits = { cpu = "1h" }"#);
    let mut child = experiment.start(&[]);
    let workers = || {
        let of = |stat: String| Some(stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.to_owned());
        let parents = fs::read_dir("/proc").unwrap().flatten();
        let stats = parents.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
        stats.filter_map(of).filter(|parent| *parent == child.id().to_string()).count()
    };
    wait_until(|| workers() == 1);
    let worker = fs::read_to_string(format!("/proc/{0}/task/{0}/children", child.id())).unwrap_or_default();
    child.kill().unwrap();
    child.wait().unwrap();
    if let Ok(worker) = worker.trim().parse::<u32>() {
        wait_until(|| {
            let stat = fs::read_to_string(format!("/proc/{worker}/stat")).unwrap_or_default();
            stat.is_empty() || stat.contains(") Z")
        });
    }
}

pub(crate) fn crashes_wrong_answers_and_refusals_are_reported() {
    let engines = r#"["search:crash", "search:liar", "search:choosy", "search:even"]"#;
    let experiment = Experiment::of(engines, "7", "");
    let output = experiment.run(&[]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("WRONG"), "{}", said(&output));
    assert_eq!(experiment.record("crash").findings.verdict, Some(Verdict::Failed));
    assert!(experiment.record("crash").findings.reason.unwrap().contains("signal"));
    let liar = experiment.record("liar");
    assert_eq!(liar.findings.check, Some(Check::Wrong));
    assert!(!liar.is_solved() && liar.findings.answer.is_some());
    let choosy = experiment.record("choosy").findings;
    assert_eq!(choosy.verdict, Some(Verdict::Unsupported));
    assert_eq!(choosy.reason.as_deref(), Some("the number is too large"));
    assert!(experiment.record("even").is_solved());
    // An unsupported run has no time. `status --by` counts it in a separate column.
    let row = |text: &str| {
        let line = text.lines().find(|line| line.contains("search:choosy")).unwrap();
        line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(row(&said(&output)), ["search:choosy", "1", "1", "0", "1"], "{}", said(&output));
    let by = said(&experiment.command("status", &["--by", "n"]).output().unwrap());
    assert!(by.lines().next().unwrap().contains("unsupported"), "{by}");
    assert_eq!(row(&by), ["7", "search:choosy", "0", "0", "1"], "{by}");
    // `run` and `status` say why.
    let why = "1 of 1 run of search:choosy is unsupported: the number is too large";
    for text in [said(&output), by] {
        assert!(text.lines().any(|line| line == why), "{text}");
    }
    // Records of runs that are no longer in the plan do not count.
    let plan = experiment.path().join("plan.toml");
    let text = fs::read_to_string(&plan).unwrap();
    fs::write(&plan, text.replace(engines, r#"["search:even"]"#)).unwrap();
    let output = experiment.run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(!said(&output).contains("WRONG"), "{}", said(&output));
}

pub(crate) fn contradictions_are_found() {
    // The checker leaves claims about numbers above 1,000 open.
    let experiment = Experiment::of(r#"["search:even", "search:liar"]"#, "1001", "");
    let output = experiment.run(&[]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("DISAGREEMENT"), "{}", said(&output));
    assert_eq!(experiment.records().iter().filter(|r| r.contradicts.is_some()).count(), 1);
    let status = experiment.command("status", &[]).output().unwrap();
    assert_eq!(status.status.code(), Some(1));
}

/// A solver that starts two processes, one of them outside its process group, and never answers.
const BROODY: &str = "#!/bin/sh\nsleep 2000 &\nsetsid sleep 2000 &\nwhile :; do :; done\n";

pub(crate) fn solvers_end_with_their_run() {
    use std::os::unix::fs::PermissionsExt;
    let plan = |cpu: &str| {
        let experiment = Experiment::new(&format!(
            "problem = \"parity\"\nengines = [\"sat:unit@inner\"]\nlimits = {{ cpu = \"{cpu}\" }}
[solver.inner]\ncommand = [\"./solver\"]\n[[family]]\nname = \"number\"\nn = 4\n"
        ));
        let program = experiment.path().join("solver");
        fs::write(&program, BROODY).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        experiment
    };
    let experiment = plan("300ms");
    experiment.run(&[]);
    let findings = experiment.record("unit").findings;
    assert_eq!(findings.limit.as_deref(), Some("cpu"), "{findings:?}");
    assert_eq!(leftovers("sleep 2000"), 0);
    // The solver's processes end even if the runner itself is killed.
    let experiment = plan("1h");
    let mut child = experiment.start(&[]);
    wait_until(|| leftovers("sleep 2000") == 2);
    child.kill().unwrap();
    child.wait().unwrap();
    wait_until(|| leftovers("sleep 2000") == 0);
}

/// The control groups that a process created, found by their names.
fn groups(of: u32) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from("/sys/fs/cgroup")];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        for entry in entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with("counterpoint-") && name.contains(&format!(".{of}.")) {
                found.push(entry.path());
            }
            folders.push(entry.path());
        }
    }
    found
}

pub(crate) fn limits_may_be_very_large() {
    for limit in ["cpu = \"10years\"", "wall = \"3650days\"", "memory = \"14757395258913954336B\""] {
        let experiment = Experiment::of(r#"["search:even"]"#, "4", &format!("limits = {{ {limit} }}"));
        let output = experiment.run(&[]);
        assert_eq!(output.status.code(), Some(0), "{limit}: {}", said(&output));
        assert!(experiment.record("even").is_solved(), "{limit}");
    }
}

pub(crate) fn a_lost_control_group_does_not_end_a_run() {
    let experiment = Experiment::of(r#"["search:slow"]"#, "\"1..=60\"", "");
    let mut child = experiment.start(&["-j", "2"]);
    let mut removed = 0;
    // A control group without processes and subgroups can be removed by any user who may write there.
    while child.try_wait().unwrap().is_none() {
        removed += groups(child.id()).iter().filter(|group| fs::remove_dir(group).is_ok()).count();
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(experiment.records().iter().filter(|record| record.is_solved()).count(), 60);
    let environment = experiment.environment();
    let lost = environment.iter().filter(|(_, found)| found.limit_tier == Tier::Rlimit).count();
    if environment.len() == 1 {
        // No group was removed, or this machine has none.
        return assert!(!said(&output).contains("warning"), "{removed} removed: {}", said(&output));
    }
    assert_eq!((environment.len(), lost), (2, 1), "{}", said(&output));
    assert!(said(&output).contains("warning: some runs had no control group ("), "{}", said(&output));
    let (without, _) = environment.iter().find(|(_, found)| found.limit_tier == Tier::Rlimit).unwrap();
    assert!(experiment.records().iter().any(|record| record.environment == *without));
}

pub(crate) fn a_missing_temporary_folder_is_named() {
    let experiment = Experiment::of(r#"["search:even"]"#, "3", "");
    let output = experiment.command("run", &[]).env("TMPDIR", "/nowhere/at/all").output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    let wanted = "error: a run cannot be started: the temporary folder /nowhere/at/all (from TMPDIR) cannot be \
                  used: No such file or directory (os error 2); set TMPDIR to a writable folder";
    let said = said(&output);
    assert!(said.contains(wanted) && !said.contains("results/main"), "{said}");
}

pub(crate) fn folders_of_killed_runs_are_deleted() {
    let experiment = Experiment::new(
        "problem = \"parity\"\nengines = [\"sat:unit@inner\"]\nlimits = { cpu = \"1h\" }
[solver.inner]\ncommand = [\"sh\", \"-c\", \"sleep 5000\"]\n[[family]]\nname = \"number\"\nn = 4\n",
    );
    let temporary = experiment.path().join("temporary");
    fs::create_dir(&temporary).unwrap();
    let kept = temporary.join("counterpoint-by-hand");
    fs::create_dir(&kept).unwrap();
    let start = || experiment.command("run", &[]).env("TMPDIR", &temporary).spawn().unwrap();
    let folders = || -> Vec<PathBuf> {
        let entries = fs::read_dir(&temporary).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| *path != kept).collect()
    };
    let mut first = start();
    // Wait for the folder of the runner and, inside it, that of its worker, which contains the formula.
    wait_until(|| {
        folders().iter().any(|folder| fs::read_dir(folder).is_ok_and(|mut inner| inner.next().is_some()))
    });
    let left = folders();
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!((left.len(), folders()), (1, left.clone()));
    let mut second = start();
    wait_until(|| folders().len() == 1 && folders() != left);
    assert!(kept.is_dir());
    second.kill().unwrap();
    second.wait().unwrap();
}

/// A solver that suspends the worker that started it, again and again, and never answers.
const STOPPER: &str = "#!/bin/sh\nwhile :; do kill -STOP $PPID; sleep 0.01; done\n";

pub(crate) fn the_wall_limit_holds_if_the_worker_is_suspended() {
    use std::os::unix::fs::PermissionsExt;
    let experiment = Experiment::new(
        "problem = \"parity\"\nengines = [\"sat:unit@inner\"]\nlimits = { cpu = \"1h\", wall = \"500ms\" }
[solver.inner]\ncommand = [\"./solver\"]\n[[family]]\nname = \"number\"\nn = 4\n",
    );
    let program = experiment.path().join("solver");
    fs::write(&program, STOPPER).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let mut child = experiment.start(&[]);
    let mut ends = || child.try_wait().unwrap().is_some();
    let start = std::time::Instant::now();
    while !ends() && start.elapsed() < std::time::Duration::from_secs(60) {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let ended = ends();
    let _ = child.kill();
    assert!(ended, "the run never ended");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let findings = experiment.record("unit").findings;
    assert_eq!(findings.verdict, Some(Verdict::Limit), "{findings:?}");
    assert_eq!(findings.limit.as_deref(), Some("wall"), "{findings:?}");
    assert!(findings.wall_s.unwrap() >= 0.5);
}

pub(crate) fn checking_does_not_count_towards_the_wall_limit() {
    // The checker sleeps for 4 s, longer than the limit plus the 2 s after which the runner would kill the worker.
    let experiment = Experiment::of(r#"["search:even"]"#, "999", r#"limits = { wall = "100ms" }"#);
    let output = experiment.run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(experiment.record("even").is_solved());
}
