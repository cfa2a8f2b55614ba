//! Hints for unknown options, and messages in plain words.

use super::run_in;
use std::fs;

#[test]
fn unknown_options_get_a_hint() {
    let instances: [(&[&str], &str); 15] = [
        (&["compare", "flip", "b.txt", "search", "sat"], "-e search,sat"),
        (&["compare", "flip", "b.txt", "search:bfs"], "-e search:bfs"),
        (&["solve", "flip", "b.txt", "sat"], "-e sat"),
        (&["judge", "flip", "b.txt", "sat:presses"], "-e sat:presses"),
        (&["compare", "flip", "--timeout", "2s"], "--cpu-limit 2s"),
        (&["compare", "flip", "--timeout=2s"], "--cpu-limit 2s"),
        (&["solve", "flip", "--time-limit", "2s"], "--cpu-limit 2s"),
        (&["stress", "flip", "--timeout", "2s", "--", "true"], "--time-limit 2s"),
        (&["generate", "flip", "--n", "5"], "n=5"),
        (&["generate", "flip", "random", "--n=5"], "n=5"),
        (&["generate", "flip", "random", "-n", "5"], "n=5"),
        (&["study", "flip", "histogram", "--w", "5"], "w=5"),
        (&["play", "spot", "--n", "4"], "n=4"),
        (&["solve", "flip", "--solver", "batsat"], "-e sat@batsat"),
        (&["compare", "flip", "--size", "5x5"], "--rule size=5x5"),
    ];
    for (words, hint) in instances {
        let (status, out, err) = run_in(".".as_ref(), words);
        assert_eq!((status, out.as_str()), (2, ""), "{words:?}: {err}");
        assert!(err.contains(&format!("'{hint}'")), "{words:?}: {err}");
    }
    // There is no hint if the command has no similar option.
    let (_, _, err) = run_in(".".as_ref(), &["doctor", "--timeout", "2s"]);
    assert!(!err.contains("cpu-limit"), "{err}");
}

#[test]
fn the_message_about_a_limit_without_a_unit_shows_one() {
    let folder = tempfile::tempdir().unwrap();
    let plan = |limit: &str| {
        let family = "[[family]]\nname = \"random\"\n";
        fs::write(
            folder.path().join("plan.toml"),
            format!("problem = \"flip\"\nlimits = {{ {limit} }}\n{family}"),
        )
        .unwrap();
        run_in(folder.path(), &["run", ".", "--dry-run"])
    };
    for (limit, message) in [
        ("cpu = 2", "plan.toml:2:18: expected a string with a unit such as \"2s\", found 2"),
        ("cpu = 0.5", "plan.toml:2:18: expected a string with a unit such as \"500ms\", found 0.5"),
        ("cpu = \"2\"", "plan.toml:2:18: expected a time with a unit such as \"2s\", found \"2\""),
        ("wall = true", "plan.toml:2:19: expected a string with a unit such as \"2s\", found true"),
        (
            "memory = 1000",
            "plan.toml:2:21: expected a string with a unit such as \"512MiB\" or \"2GiB\", found 1000",
        ),
        (
            "memory = \"2Gig\"",
            "plan.toml:2:21: expected a size with a unit such as \"512MiB\" or \"2GiB\", found \"2Gig\"",
        ),
        ("work = \"many\"", "plan.toml:2:19: expected a whole number of at least 1, found \"many\""),
        ("work = 0", "plan.toml:2:19: expected a whole number of at least 1, found 0"),
        ("cpu = \"0s\"", "plan.toml:2:18: expected a time above 0s and of at most 10 years, found \"0s\""),
        (
            "proof = \"0ms\"",
            "plan.toml:2:20: expected a time above 0s and of at most 10 years, found \"0ms\"",
        ),
        (
            "wall = \"10years 1ns\"",
            "plan.toml:2:19: expected a time above 0s and of at most 10 years, found \"10years 1ns\"",
        ),
        (
            "cpu = \"18446744073709551615s\"",
            "plan.toml:2:18: expected a time above 0s and of at most 10 years, found \"18446744073709551615s\"",
        ),
        ("memory = \"0\"", "plan.toml:2:21: expected a size of at least 1MiB, found \"0\""),
        ("memory = \"1023KiB\"", "plan.toml:2:21: expected a size of at least 1MiB, found \"1023KiB\""),
    ] {
        let (status, _, err) = plan(limit);
        assert_eq!((status, err.contains(message)), (2, true), "{limit}: {err}");
    }
    let (status, _, err) = plan("cpu = \"2s\"");
    assert_eq!(status, 0, "{err}");
    fs::write(folder.path().join("plan.toml"), "problem = 3\n").unwrap();
    let (_, _, err) = run_in(folder.path(), &["run", "."]);
    assert!(err.contains("plan.toml:1:11: expected a string, found 3"), "{err}");
    fs::write(
        folder.path().join("plan.toml"),
        "problem = \"flip\"\nlimits = [\"2s\"]\n[[family]]\nname = \"random\"\n",
    )
    .unwrap();
    let (_, _, err) = run_in(folder.path(), &["run", "."]);
    assert!(err.contains("plan.toml:2:11: expected a table, found \"2s\""), "{err}");
}

#[test]
fn an_existing_experiment_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let plan = folder.path().join("x/plan.toml");
    assert_eq!(run_in(folder.path(), &["new", "x"]).0, 0);
    fs::write(&plan, "mine").unwrap();
    let (status, _, err) = run_in(folder.path(), &["new", "x"]);
    assert_eq!(status, 2);
    assert!(err.contains("experiment 'x' already exists") && err.contains("x/plan.toml"), "{err}");
    assert_eq!(fs::read_to_string(&plan).unwrap(), "mine");
    // If there is a folder `experiments`, a new experiment gets a number in it. Later, its name is recognized without
    // the number.
    fs::create_dir(folder.path().join("experiments")).unwrap();
    assert_eq!(run_in(folder.path(), &["new", "first"]).0, 0);
    let (status, _, err) = run_in(folder.path(), &["new", "first"]);
    assert_eq!(status, 2, "{err}");
    assert!(err.contains("experiment 'first' already exists: experiments/001-first/plan.toml"), "{err}");
    assert_eq!(run_in(folder.path(), &["new", "second"]).0, 0);
    assert!(folder.path().join("experiments/002-second/plan.toml").exists());
}

#[test]
fn few_presses_are_counted_in_the_singular() {
    let folder = tempfile::tempdir().unwrap();
    // One press at r1c1 makes this board white.
    fs::write(folder.path().join("one.txt"), "bbww\nbwww\nwwww\nwwww\n").unwrap();
    let (_, out, _) = run_in(folder.path(), &["solve", "flip", "one.txt", "--explain"]);
    assert!(out.contains("at least 1 press is needed"), "{out}");
    assert!(!out.contains("fewer than 1") && !out.contains("1 presses"), "{out}");
    let (_, json, _) = run_in(folder.path(), &["solve", "flip", "one.txt", "--certify", "--json"]);
    fs::write(folder.path().join("answer.json"), &json).unwrap();
    let (status, out, _) = run_in(folder.path(), &["check", "answer.json"]);
    assert_eq!((status, out.contains("proved      at least 1 press is needed")), (0, true), "{out}");
    // Answers of earlier versions have the claim's earlier text.
    let earlier = json.replace("at least 1 press is needed", "fewer than 1 presses never do");
    assert_ne!(earlier, json);
    fs::write(folder.path().join("answer.json"), earlier).unwrap();
    let (status, out, _) = run_in(folder.path(), &["check", "answer.json"]);
    assert_eq!((status, out.contains("proved      at least 1 press is needed")), (0, true), "{out}");
}

#[test]
fn a_best_answer_so_far_says_what_is_settled() {
    let folder = tempfile::tempdir().unwrap();
    let (_, board, _) = run_in(folder.path(), &["generate", "flip", "solvable", "n=5"]);
    fs::write(folder.path().join("b.txt"), board).unwrap();
    let limited = ["solve", "flip", "b.txt", "-e", "sat", "--work-limit", "20", "--explain"];
    let (status, out, _) = run_in(folder.path(), &limited);
    assert_eq!(status, 3, "{out}");
    assert!(
        out.contains("the engine stopped before it could decide this; in fact 10 presses suffice"),
        "{out}"
    );
    assert!(!out.contains("was not settled") && !out.contains("do for the same end"), "{out}");
    assert!(out.contains("The engine did not find out whether fewer presses suffice."), "{out}");
}

#[test]
fn lists_and_doctor_use_plain_words() {
    let (_, out, _) = run_in(".".as_ref(), &["doctor"]);
    let clock = out.lines().find(|line| line.contains("CPU clock")).unwrap();
    assert!(clock.contains("CPU clock resolution"), "{clock}");
    let words: Vec<&str> = clock.split_whitespace().collect();
    let (number, unit) = (words[3].parse::<f64>(), words[4]);
    assert!(number.is_ok() && ["ns", "µs", "ms"].contains(&unit), "{clock}");
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("counterpoint.toml"), "[solver.mine]\ncommand = [\"true\"]\n").unwrap();
    let (_, out, _) = run_in(folder.path(), &["list", "solvers"]);
    assert!(!out.contains("at once; none on work") && !out.contains("limits act"), "{out}");
    assert!(out.contains("how it stops at a limit") && out.contains("killed; no work limit"), "{out}");
}
