//! Processes that a run leaves behind on purpose, as an ordinary user without control groups: none of them survives.

use crate::experiment::{Experiment, said, wait_until};
use crate::limits::leftovers;
use counterpoint::harness::Tier;
use counterpoint::record::Verdict;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// Shell functions by which a solver starts what shall outlive it. Each has a path in its command line.
const ESCAPES: &str = r#"#!/bin/sh
here=$(dirname "$0")
# Away from the group, the session, the environment and the parent.
daemon() { ( setsid env -i "$@" & ) }
# Stops itself.
stopped() { daemon sh -c 'kill -STOP $$; exec tail -f "$0"' "$here/plan.toml"; }
# Starts its successor and ends, over and over.
chain() {
    printf '#!/bin/sh\n: >>"$0.runs"\nsetsid env -i "$0" &\n' >"$here/chain"
    chmod +x "$here/chain"
    daemon "$here/chain"
}
# Two that start each other again.
pair() {
    printf '#!/bin/sh\n[ -n "$1" ] || setsid env -i "$0" $$ &\nwhile kill -0 ${1:-$!}; do :; done 2>/dev/null
setsid env -i "$0" &\n' >"$here/pair"
    chmod +x "$here/pair"
    daemon "$here/pair"
}
# Until all of them run.
settle() { while ! [ -e "$here/chain.runs" ]; do :; done; : >"$here/ready"; }
"#;

/// An experiment whose solver is a script; its folder is open to all users, since it is run by another one.
fn with_solver(engines: &str, cpu: &str, script: &str) -> Experiment {
    use std::os::unix::fs::PermissionsExt;
    let experiment = Experiment::new(&format!(
        "problem = \"parity\"\nengines = {engines}\nlimits = {{ cpu = \"{cpu}\" }}
[solver.inner]\ncommand = [\"./solver\"]\n[[family]]\nname = \"number\"\nn = 4\n"
    ));
    let program = experiment.path().join("solver");
    fs::write(&program, format!("{ESCAPES}{script}")).unwrap();
    for (path, mode) in [(program.as_path(), 0o755), (experiment.path(), 0o777)] {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }
    experiment
}

/// A command on the experiment by an ordinary user: another one if this is root.
fn command(experiment: &Experiment, name: &str, args: &[&str]) -> Command {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    // This program may lie where other users have no way.
    static COPY: std::sync::OnceLock<(tempfile::TempDir, PathBuf)> = std::sync::OnceLock::new();
    let (_, program) = COPY.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let program = folder.path().join("program");
        fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
        (folder, program)
    });
    let mut command = experiment.command_of(program, name, args);
    if fs::metadata("/proc/self").unwrap().uid() == 0 {
        command.uid(65534).gid(65534);
    }
    command
}

fn run(experiment: &Experiment) -> Output {
    command(experiment, "run", &[]).output().unwrap()
}

/// Processes that the experiment's solver started, and that solver itself.
fn started(experiment: &Experiment) -> usize {
    leftovers(&experiment.path().display().to_string()) - workbenches(experiment)
}

/// Processes of this program on the experiment.
fn workbenches(experiment: &Experiment) -> usize {
    leftovers(&format!("/program run {}", experiment.path().display()))
}

pub(crate) fn what_escapes_ends_with_its_run() {
    let all = "stopped; chain; pair; daemon tail -f \"$here/plan.toml\"; settle; while :; do :; done";
    let experiment = with_solver(r#"["sat:unit@inner"]"#, "300ms", all);
    let output = run(&experiment);
    assert_eq!(started(&experiment), 0, "{}", said(&output));
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(experiment.record("unit").findings.limit.as_deref(), Some("cpu"));
    assert!(experiment.path().join("ready").exists());
    let tiers = experiment.environment().into_iter().map(|(_, found)| found.limit_tier);
    assert_eq!(tiers.collect::<Vec<_>>(), [Tier::Rlimit]);
}

pub(crate) fn what_escapes_ends_with_a_killed_worker() {
    // While another run goes on.
    let all = "stopped; pair; daemon tail -f \"$here/plan.toml\"; chain; settle; kill -KILL $PPID; sleep 100";
    let experiment = with_solver(r#"["sat:unit@inner", "search:sleepy"]"#, "1h", all);
    let mut runner = command(&experiment, "run", &["-j", "2"]).spawn().unwrap();
    wait_until(|| experiment.lines() == 1);
    assert_eq!(experiment.record("unit").findings.verdict, Some(Verdict::Failed));
    wait_until(|| started(&experiment) == 0);
    assert_eq!(workbenches(&experiment), 1);
    runner.kill().unwrap();
    runner.wait().unwrap();
}

pub(crate) fn what_escapes_ends_with_a_killed_runner() {
    let all = "stopped; chain; pair; daemon tail -f \"$here/plan.toml\"; settle; sleep 100";
    let experiment = with_solver(r#"["sat:unit@inner"]"#, "1h", all);
    let mut runner = command(&experiment, "run", &[]).spawn().unwrap();
    wait_until(|| experiment.path().join("ready").exists());
    assert!(started(&experiment) > 0);
    runner.kill().unwrap();
    runner.wait().unwrap();
    wait_until(|| started(&experiment) == 0);
}
