//! `counterpoint.toml` and outside solvers as a user meets them: names, errors with their place, limits, Ctrl-C.

#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

mod fakes;

use fakes::home::{entry, finish, folder, run, start};
use std::path::Path;
use std::process::Command;

/// What a fake runs in; a test of no worth in itself.
#[test]
fn fake() {
    fakes::run();
}

fn solver(name: &str, command: &[String]) -> String {
    entry(&format!("solver.{name}"), command)
}

#[test]
fn a_configured_program_is_a_solver_like_any_other() {
    let config = solver("honest", &fakes::command("honest", &[])) + &solver("gone", &["no-such".to_owned()]);
    let dir = folder("configuration-solver", &config);
    let (status, out, _) = run(&dir, &["judge", "spot", "spot.txt", "-e", "sat@honest"]);
    let (_, expected, _) = run(&dir, &["judge", "spot", "spot.txt"]);
    assert_eq!((status, out), (0, expected));
    let (status, out, _) = run(&dir, &["list", "solvers"]);
    assert_eq!(status, 0);
    for words in ["varisat", "batsat", "honest", "'no-such' not found; named by counterpoint.toml:4:11"] {
        assert!(out.contains(words), "{out}");
    }
    let (status, _, err) = run(&dir, &["solve", "flip", "flip.txt", "-e", "sat@honset"]);
    assert_eq!(status, 2);
    assert!(err.contains("no solver is called 'honset'; did you mean 'honest'?"), "{err}");
    let (status, _, err) = run(&dir, &["solve", "flip", "flip.txt", "-e", "sat@gone"]);
    assert_eq!(status, 2);
    assert!(err.contains("game 1: solver gone: the program 'no-such' is not found"), "{err}");
    let (status, _, err) = run(&dir, &["solve", "flip", "flip.txt", "-e", "sat@honest", "--work-limit", "9"]);
    assert_eq!(status, 2);
    assert!(err.contains("a limit on work cannot bound it"), "{err}");
}

#[test]
fn the_configuration_can_lie_elsewhere_and_paths_are_meant_from_there() {
    let dir = folder("configuration-elsewhere", "");
    std::fs::write(dir.join("tmp.toml"), "[solver.near]\ncommand = [\"./bin/near\"]\n").unwrap();
    let (_, out, _) = run(&dir, &["list", "solvers", "--config", "tmp.toml"]);
    assert!(out.contains("near") && out.contains("'./bin/near' not found; named by tmp.toml:2:11"), "{out}");
    let (status, _, err) = run(&dir, &["list", "solvers", "--config", "none.toml"]);
    assert_eq!(status, 2);
    assert!(err.contains("none.toml: cannot be read"), "{err}");
    let elsewhere = Command::new(env!("CARGO_BIN_EXE_counterpoint"))
        .args(["list", "solvers"])
        .env("COUNTERPOINT_CONFIG", dir.join("tmp.toml"))
        .output()
        .unwrap();
    assert!(String::from_utf8(elsewhere.stdout).unwrap().contains("near"));
}

#[test]
fn what_is_wrong_in_the_configuration_is_said_with_its_place() {
    for (config, words) in [
        ("[solver.a\n", "counterpoint.toml:1:10: "),
        ("[slover.a]\n", "counterpoint.toml:1:2: there is no key 'slover' here; did you mean 'solver'?"),
        (
            "[solver.a]\ncomand = []\n",
            "counterpoint.toml:2:1: there is no key 'comand' here; did you mean 'command'?",
        ),
        ("[solver.a]\n", "counterpoint.toml:1:1: solver a has no command"),
        ("[solver.a]\ncommand = \"a -q\"\n", "counterpoint.toml:2:11: a command is a list"),
        ("[solver.a]\ncommand = [1]\n", "counterpoint.toml:2:12: a string belongs here"),
        (
            "[solver.batsat]\ncommand = [\"a\"]\n",
            "counterpoint.toml:1:9: 'batsat' is the name of a solver of our own",
        ),
        ("[solver.\"a@b\"]\ncommand = [\"a\"]\n", "counterpoint.toml:1:9: a solver's name has letters"),
        (
            "[solver.a]\ncommand = [\"a\"]\nparity = \"xor\"\n",
            "3:10: parity is 'clauses' or 'lines', not 'xor'",
        ),
        ("[solver.a]\ncommand = [\"a\"]\ninput = \"pipe\"\n", "3:9: input is 'file' or 'stdin', not 'pipe'"),
        (
            "[solver.a]\ncommand = [\"a\", \"{}\"]\ninput = \"stdin\"\n",
            "3:9: the command names the formula by '{}'",
        ),
        ("[solver.a]\ncommand = [\"a\"]\nlimits = { cpu = \"2 x\" }\n", "3:18: no time such as 20s"),
        ("[solver.a]\ncommand = [\"a\"]\nlimits = { wall = \"2 x\" }\n", "3:19: no time such as 20s"),
        ("[solver.a]\ncommand = [\"a\"]\nlimits = { memory = \"2GB\" }\n", "3:21: no size such as 512MiB"),
        ("[checker.a]\n", "counterpoint.toml:1:1: checker a has no command"),
        ("[checker.\"a b\"]\ncommand = [\"a\"]\n", "1:10: a checker's name has letters"),
        (
            "[checker.a]\ncommand = [\"a\"]\nreads = [\"lpr\"]\n",
            "3:9: 'reads' is a list of \"drat\" or \"lrat\"",
        ),
        ("[checker.a]\ncommand = [\"a\"]\ninput = \"file\"\n", "3:1: there is no key 'input' here"),
        ("[checker.a]\ncommand = [\"{proof}\"]\n", "2:11: the program itself cannot be put in"),
        ("solver = 3\n", "counterpoint.toml:1:10: a table belongs here"),
    ] {
        let dir = folder("configuration-wrong", config);
        let (status, out, err) = run(&dir, &["list", "solvers"]);
        assert_eq!((status, out.as_str()), (2, ""));
        assert!(err.contains(words), "{config}: {err}");
        // Who names no solver needs no configuration.
        assert_eq!(run(&dir, &["judge", "flip", "flip.txt", "-e", "sat"]).0, 0);
    }
}

#[test]
fn a_program_that_fails_loses_no_answer_that_was_given() {
    let dir = folder("configuration-moody", "");
    let count = format!("count={}", dir.join("count").display());
    std::fs::write(dir.join("counterpoint.toml"), solver("moody", &fakes::command("moody", &[&count])))
        .unwrap();
    let (_, expected, _) = run(&dir, &["judge", "spot", "spot.txt"]);
    let (status, out, err) = run(&dir, &["judge", "spot", "spot.txt", "-e", "sat@moody"]);
    assert_eq!(status, 2);
    assert!(err.contains("solver moody: ended with exit status: 3"), "{err}");
    assert!(!out.is_empty() && out.len() < expected.len() && expected.starts_with(&out), "{out}");
    let (status, out, err) = run(&dir, &["compare", "spot", "spot.txt", "-e", "search,sat@moody"]);
    assert_eq!(status, 2);
    assert!(out.contains("failed") && err.contains("error: solver moody"), "{out}{err}");
}

#[test]
#[cfg(target_os = "linux")]
fn limits_and_ctrl_c_end_a_program() {
    let dir = folder("configuration-stubborn", "");
    let pid = dir.join("pid");
    let command = fakes::command("stubborn", &[&format!("pid={}", pid.display())]);
    std::fs::write(dir.join("counterpoint.toml"), solver("stubborn", &command)).unwrap();
    let args = ["solve", "flip", "flip.txt", "-e", "sat@stubborn"];
    let (status, out, err) = run(&dir, &[&args[..], &["--cpu-limit", "200ms"]].concat());
    assert_eq!((status, out.as_str()), (3, ""));
    assert!(err.contains("game 1: CPU limit; no answer"), "{err}");
    std::fs::remove_file(&pid).unwrap();
    // One that sleeps, by the time that its limits leave it.
    let sleeper = entry("solver.sleeper", &fakes::command("parent", &[]));
    std::fs::write(dir.join("sleeper.toml"), format!("{sleeper}limits = {{ wall = \"100ms\" }}\n")).unwrap();
    std::fs::write(dir.join("patient.toml"), sleeper).unwrap();
    let asleep = ["solve", "flip", "flip.txt", "-e", "sat@sleeper", "--config"];
    for more in [&["sleeper.toml"][..], &["patient.toml", "--cpu-limit", "10ms"]] {
        let (status, out, err) = run(&dir, &[&asleep[..], more].concat());
        assert_eq!((status, out.as_str()), (3, ""), "{err}");
        assert!(err.contains("game 1: time limit; no answer") || err.contains("CPU limit"), "{err}");
    }
    let child = start(&dir, &args);
    while !pid.exists() {
        std::thread::yield_now();
    }
    let number = std::fs::read_to_string(&pid).unwrap();
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::INT)
        .unwrap();
    assert_eq!(finish(&dir, child).0, 130);
    assert!(!Path::new(&format!("/proc/{number}")).exists());
}
