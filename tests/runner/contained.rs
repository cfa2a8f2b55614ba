//! Solvers that try to leave processes behind. None of these processes survives, even if the user cannot use control
//! groups.

use crate::experiment::{Experiment, said, wait_until};
use crate::limits::leftovers;
use counterpoint::harness::Tier;
use counterpoint::record::Verdict;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// Shell functions with which a solver starts processes that try to outlive it. The command line of each process
/// contains the path of the experiment.
const ESCAPES: &str = r#"#!/bin/sh
here=$(dirname "$0")
# Leaves the group, the session, the environment and the parent.
daemon() { ( setsid env -i "$@" & ) }
# Stops itself.
stopped() { daemon sh -c 'kill -STOP $$; exec tail -f "$0"' "$here/plan.toml"; }
# Starts its successor and ends; the successor does the same.
chain() {
    printf '#!/bin/sh\n: >>"$0.runs"\nsetsid env -i "$0" &\n' >"$here/chain"
    chmod +x "$here/chain"
    daemon "$here/chain"
}
# Two processes that restart each other.
pair() {
    printf '#!/bin/sh\n[ -n "$1" ] || setsid env -i "$0" $$ &\nwhile kill -0 ${1:-$!}; do :; done 2>/dev/null
setsid env -i "$0" &\n' >"$here/pair"
    chmod +x "$here/pair"
    daemon "$here/pair"
}
# Waits until all of them run.
settle() { while ! [ -e "$here/chain.runs" ]; do :; done; : >"$here/ready"; }
"#;

/// An experiment whose solver is a script. All users may write into its folder, because another user may run it.
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

/// A command on the experiment, to be run by an ordinary user. This is `nobody` if root runs the tests.
fn command(experiment: &Experiment, name: &str, args: &[&str]) -> Command {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    // Other users may have no access to this program, so they run a copy.
    static COPY: std::sync::OnceLock<(tempfile::TempDir, PathBuf)> = std::sync::OnceLock::new();
    let (_, program) = COPY.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let program = folder.path().join("program");
        // A file that this process had open for writing could be inherited by a child that another test starts at the
        // same moment, and the copy could not be run while that child exists.
        let copied = Command::new("cp").arg(std::env::current_exe().unwrap()).arg(&program).status().unwrap();
        assert!(copied.success());
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

/// The number of processes that the experiment's solver started, including the solver itself.
fn started(experiment: &Experiment) -> usize {
    leftovers(&experiment.path().display().to_string()) - workbenches(experiment)
}

/// The number of processes of this program, such as runners, whose command line names the command `run` and the
/// experiment.
fn workbenches(experiment: &Experiment) -> usize {
    leftovers(&format!("/program run {}", experiment.path().display()))
}

pub(crate) fn escaped_processes_end_with_their_run() {
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

pub(crate) fn escaped_processes_end_with_a_killed_worker() {
    // Meanwhile, another run continues.
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

pub(crate) fn escaped_processes_end_with_a_killed_runner() {
    let all = "stopped; chain; pair; daemon tail -f \"$here/plan.toml\"; settle; sleep 100";
    let experiment = with_solver(r#"["sat:unit@inner"]"#, "1h", all);
    let mut runner = command(&experiment, "run", &[]).spawn().unwrap();
    wait_until(|| experiment.path().join("ready").exists());
    assert!(started(&experiment) > 0);
    runner.kill().unwrap();
    runner.wait().unwrap();
    wait_until(|| started(&experiment) == 0);
}
