//! Errors of standard output: a full disk is an error for every command, a closed pipe is not.

use std::fs::OpenOptions;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Commands that print something and need no input.
fn commands() -> Vec<Vec<&'static str>> {
    let lines = [
        "help",
        "--help",
        "-h",
        "--version",
        "help solve",
        "solve --help",
        "solve -h",
        "list engines",
        "list encodings",
        "list solvers",
        "list rules flip",
        "man",
        "man solve",
        "completions bash",
        "completions zsh",
        "doctor",
        "generate flip random n=9",
        "study flip nullity n=5",
        "study flip nullity n=5 --json",
        "stress flip --list",
        "status 002 --by engine",
        "status 002 --records csv",
        "status 002 --records jsonl",
    ];
    lines.iter().map(|line| line.split(' ').collect()).collect()
}

fn run(words: &[&str], stdout: Stdio) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_counterpoint"));
    command.args(words).current_dir(env!("CARGO_MANIFEST_DIR"));
    let child = command.stdin(Stdio::null()).stdout(stdout).stderr(Stdio::piped()).spawn();
    let mut child = child.unwrap();
    // A pipe whose reading end is closed.
    drop(child.stdout.take());
    child.wait_with_output().unwrap()
}

#[test]
fn output_that_cannot_be_written_ends_with_2() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    for words in commands() {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = run(&words, full.into());
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {err}");
        assert!(err.contains("counterpoint: error: cannot write"), "{words:?}: {err}");
    }
}

#[test]
fn a_closed_pipe_is_silent_for_every_command() {
    for words in commands() {
        let output = run(&words, Stdio::piped());
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), err.as_ref()), (Some(0), ""), "{words:?}");
    }
}

/// `-V` shows the version, and `--version` also the commit of the sources, if they lie in a repository.
#[test]
fn the_version_names_the_commit() {
    let print = |flag| {
        let output = Command::new(env!("CARGO_BIN_EXE_counterpoint")).arg(flag).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let short = format!("counterpoint {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(print("-V"), short);
    // Within somebody else's repository, or without git, the commit is not known.
    let known = Command::new("git").args(["log", "-1"]).output().is_ok_and(|output| output.status.success());
    if known && Path::new(".git").exists() {
        let long = print("--version");
        let rest = long.strip_prefix(short.trim_end()).unwrap();
        let (commit, date) = rest.strip_prefix(" (").unwrap().split_once(" of ").unwrap();
        assert!(commit.len() == 12 && commit.chars().all(|c| c.is_ascii_hexdigit()), "{long}");
        assert_eq!(date.chars().filter(|c| *c == '-').count(), 2, "{long}");
    }
}
