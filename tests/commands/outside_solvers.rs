//! External solvers in the configuration: versions, presets, counters, seeds.

use crate::fakes;
use crate::fakes::home::{entry, folder, run};

fn solver(name: &str, command: &[String]) -> String {
    entry(&format!("solver.{name}"), command)
}

/// A command for a configuration that runs a script.
fn shell(script: &str) -> String {
    format!("{:?}", ["sh", "-c", script])
}

#[test]
fn a_program_is_asked_for_its_version_once() {
    let dir = folder("configuration-version", "");
    let honest = solver("honest", &fakes::command("honest", &[]));
    let asks = dir.join("asks");
    let script = format!("echo >> {}; echo; echo ' c honest 1.2 '; echo more", asks.display());
    let with = |script: &str| format!("{honest}version = {}\n", shell(script));
    std::fs::write(dir.join("counterpoint.toml"), with(&script)).unwrap();
    let plan = "problem = \"flip\"\nengines = [\"search\", \"sat@honest\"]\n[[family]]\nname = \"random\"\nw = 2\nh = 2\nseeds = \"1..=3\"\n";
    std::fs::create_dir(dir.join("plan")).unwrap();
    std::fs::write(dir.join("plan/plan.toml"), plan).unwrap();
    let (status, out, err) = run(&dir, &["run", "plan"]);
    assert_eq!(status, 0, "{out}{err}");
    assert_eq!(std::fs::read_to_string(&asks).unwrap().len(), 1, "asked more than once");
    let (_, text, _) = run(&dir, &["status", "plan", "--records", "jsonl"]);
    assert_eq!(text.matches(r#""programs":{"honest":"honest 1.2"}"#).count(), 3, "{text}");
    for command in ["list", "doctor"] {
        let (_, out, err) = run(&dir, if command == "list" { &["list", "solvers"] } else { &["doctor"] });
        assert!(out.contains("honest 1.2") && !out.contains("more"), "{command}: {out}{err}");
    }
    // A failing command is a warning, and the record has no version.
    for (script, words) in [
        ("exit 3", "the version of solver honest is not known: ended with exit status: 3; it wrote nothing"),
        (
            "echo 'unknown flag' >&2; exit 1",
            "is 'unknown flag'; its version command is defined in counterpoint.toml",
        ),
        ("true", "printed no version; its version command is defined in"),
        ("yes", "printed more than 1048576 bytes"),
    ] {
        std::fs::write(dir.join("counterpoint.toml"), with(script)).unwrap();
        let (status, out, err) = run(&dir, &["list", "solvers"]);
        assert_eq!(status, 0);
        assert!(err.contains(words) && out.contains("honest"), "{script}: {out}{err}");
    }
    std::fs::write(dir.join("counterpoint.toml"), format!("{honest}version = []\n")).unwrap();
    let (status, _, err) = run(&dir, &["list", "solvers"]);
    assert_eq!(status, 2);
    assert!(err.contains("3:11: expected a list: the program and its arguments"), "{err}");
}

#[test]
fn presets_are_listed() {
    let solver = "[solver.mine]\ncommand = [\"true\"]\nstatistics = ";
    let dir = folder("configuration-presets", &format!("{solver}\"clasp\"\n"));
    // The solvers of the configuration, with the regular expressions of their presets or of their own.
    for (statistics, pattern) in
        [("\"clasp\"", r"^c Choices\s+: (\d+)"), ("{ conflicts = '^n (\\d+)' }", r"^n (\d+)")]
    {
        std::fs::write(dir.join("counterpoint.toml"), format!("{solver}{statistics}\n")).unwrap();
        let (status, out, err) = run(&dir, &["list", "solvers"]);
        assert_eq!(status, 0, "{err}");
        assert!(out.contains("regular expression") && out.contains(pattern), "{out}");
    }
    let (status, out, _) = run(&dir, &["list", "presets"]);
    assert_eq!(status, 0);
    for words in ["kissat -s", "runs without end", "SIGINT", r"^c Choices\s+: (\d+)", "DRAT, LRAT"] {
        assert!(out.contains(words), "{words}: {out}");
    }
}

/// The record of a run contains the counters of its solver, even if the run reached its limit. A pattern that matches
/// nothing causes one warning.
#[test]
#[cfg(target_os = "linux")]
fn counters_of_external_solvers_are_recorded() {
    let dir = folder("configuration-counters", "");
    let lines = "echo 'c conflicts: 42 x'; echo 'n 1.5K'";
    let slow = format!("trap \"{lines}; exit 0\" TERM; while :; do :; done");
    let quick = format!("{lines}; echo s UNSATISFIABLE; exit 20");
    let solver = |name: &str, script: &str, statistics: &str| {
        format!("[solver.{name}]\ncommand = {}\nstatistics = {statistics}\n", shell(script))
    };
    let own = "{ conflicts = '^n ([\\d.]+K)', restarts = '^never (\\d+)' }";
    let plan = "problem = \"flip\"\nengines = [\"sat@{slow,quick}\"]\nlimits = { cpu = \"300ms\" }\n";
    let family = "[[family]]\nname = \"random\"\nw = 3\nh = 3\nseeds = \"1..=2\"\n";
    let text = [plan, &solver("slow", &slow, "\"kissat\""), &solver("quick", &quick, own), family].concat();
    std::fs::create_dir(dir.join("plan")).unwrap();
    std::fs::write(dir.join("plan/plan.toml"), text).unwrap();
    let (_, out, err) = run(&dir, &["run", "plan"]);
    let warning = "warning: no line that solver quick printed matches its statistics for restarts; does its command make it print them?";
    assert_eq!(err.matches(warning).count(), 1, "{out}{err}");
    // The slow solver was stopped before it could print decisions, so that is no fault of its pattern.
    assert_eq!(err.matches("warning: no line").count(), 1, "{err}");
    let (_, text, _) = run(&dir, &["status", "plan", "--records", "jsonl"]);
    for line in text.lines() {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        let conflicts = record["work"]["conflicts"].as_u64();
        match record["solver"].as_str() {
            Some("slow") => {
                assert_eq!((record["limit"].as_str(), conflicts), (Some("cpu"), Some(42)), "{line}");
            }
            _ => assert!(conflicts.is_some_and(|n| n >= 1500 && n % 1500 == 0), "{line}"),
        }
    }
    assert_eq!(text.lines().count(), 4);
}

/// Shuffles and solver seeds are two axes. Only a solver that accepts a seed is run with several seeds.
#[test]
fn a_plan_gives_seeds_to_solvers_that_accept_them() {
    let dir = folder("configuration-seeds", "");
    let log = dir.join("log");
    let script = format!("echo $@ >> {}; echo s UNSATISFIABLE; exit 20", log.display());
    let command = format!("[solver.seeded]\ncommand = {:?}\n", ["sh", "-c", &script, "sh"]);
    let plan = "problem = \"flip\"\nengines = [\"search\", \"sat@{varisat,seeded}\"]\nshuffles = 1\n";
    let family = "[[family]]\nname = \"random\"\nw = 2\nh = 2\n";
    std::fs::create_dir(dir.join("plan")).unwrap();
    let write = |more: &str, seed: &str| {
        let text = [plan, more, &command, seed, family].concat();
        std::fs::write(dir.join("plan/plan.toml"), text).unwrap();
    };
    let keys = || -> std::collections::BTreeMap<String, (String, u64)> {
        let (_, text, _) = run(&dir, &["status", "plan", "--records", "jsonl"]);
        let records = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        records
            .map(|r| (text(&r["key"]), (text(&r["solver"]), r["solver_seed"].as_u64().unwrap_or(0))))
            .collect()
    };
    write("", "");
    run(&dir, &["run", "plan"]);
    let before = keys();
    assert_eq!(before.len(), 5);
    write("solver_seeds = 2\n", "seed = [\"--seed\", \"n{}\"]\n");
    let (_, out, err) = run(&dir, &["run", "plan"]);
    let after = keys();
    assert!(
        before.keys().all(|key| after.contains_key(key)),
        "keys of runs without a seed changed: {out}{err}"
    );
    let count =
        |solver: &str, seed: u64| after.values().filter(|value| **value == (solver.to_owned(), seed)).count();
    let counts =
        [count("", 0), count("varisat", 0), count("seeded", 0), count("seeded", 1), count("seeded", 2)];
    assert_eq!((counts, after.len()), ([1, 2, 2, 2, 2], 9));
    let log = std::fs::read_to_string(log).unwrap();
    let with = |words: &str| log.lines().filter(|line| line.starts_with(words)).count();
    assert!(with("--seed n1 /") >= 2 && with("--seed n2 /") >= 2 && with("/") >= 2, "{log}");
    let (_, out, _) = run(&dir, &["status", "plan", "--by", "solver_seed"]);
    assert!(out.contains("solver_seed"), "{out}");
    write("solver_seeds = 2\n", "");
    let (status, _, err) = run(&dir, &["run", "plan"]);
    assert_eq!(status, 2);
    assert!(err.contains("plan.toml:4:16: no solver of this plan accepts a seed; add seed ="), "{err}");
}
