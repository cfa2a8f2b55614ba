//! `counterpoint.toml` and external solvers: names, errors with their position, limits, Ctrl-C.

use crate::fakes;
use crate::fakes::home::{entry, finish, folder, run, start};
use std::path::Path;
use std::process::Command;

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
    assert!(err.contains("game 1: solver gone: program 'no-such' not found"), "{err}");
    let (status, _, err) = run(&dir, &["solve", "flip", "flip.txt", "-e", "sat@honest", "--work-limit", "9"]);
    assert_eq!(status, 2);
    assert!(err.contains("a work limit cannot stop an external solver"), "{err}");
}

#[test]
fn the_configuration_can_be_elsewhere_and_its_paths_are_relative_to_it() {
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
fn errors_in_the_configuration_have_a_position() {
    for (config, words) in [
        ("[solver.a\n", "counterpoint.toml:1:10: "),
        ("[slover.a]\n", "counterpoint.toml:1:2: there is no key 'slover' here; did you mean 'solver'?"),
        (
            "[solver.a]\ncomand = []\n",
            "counterpoint.toml:2:1: there is no key 'comand' here; did you mean 'command'?",
        ),
        ("[solver.a]\n", "counterpoint.toml:1:1: solver a has no command"),
        (
            "[solver.a]\ncommand = \"a -q\"\n",
            "counterpoint.toml:2:11: expected a list: the program and its arguments",
        ),
        ("[solver.a]\ncommand = [1]\n", "counterpoint.toml:2:12: expected a string, found 1"),
        (
            "[solver.batsat]\ncommand = [\"a\"]\n",
            "counterpoint.toml:1:9: 'batsat' is the name of a built-in solver",
        ),
        (
            "[solver.\"a@b\"]\ncommand = [\"a\"]\n",
            "counterpoint.toml:1:9: a solver's name may contain only letters",
        ),
        (
            "[solver.a]\ncommand = [\"a\"]\nparity = \"xor\"\n",
            "3:10: expected \"clauses\" or \"lines\", found \"xor\"",
        ),
        (
            "[solver.a]\ncommand = [\"a\"]\ninput = \"pipe\"\n",
            "3:9: expected \"file\" or \"stdin\", found \"pipe\"",
        ),
        ("[solver.a]\ncommand = [\"a\", \"{}\"]\ninput = \"stdin\"\n", "3:9: the command contains '{}'"),
        (
            "[solver.a]\ncommand = [\"a\"]\nlimits = { cpu = \"2 x\" }\n",
            "3:18: expected a time with a unit such as \"2s\", found \"2 x\"",
        ),
        (
            "[solver.a]\ncommand = [\"a\"]\nlimits = { wall = \"2 x\" }\n",
            "3:19: expected a time with a unit such as \"2s\", found \"2 x\"",
        ),
        (
            "[solver.a]\ncommand = [\"a\"]\nlimits = { memory = \"2XB\" }\n",
            "3:21: expected a size with a unit such as \"512MiB\" or \"2GiB\", found \"2XB\"",
        ),
        (
            "[solver.a]\ncommand = [\"a\"]\nstatistics = \"kisat\"\n",
            "3:14: no preset is called 'kisat'; did you mean 'kissat'?; `list presets` shows them",
        ),
        (
            "[solver.a]\ncommand = [\"a\"]\nstatistics = 3\n",
            "3:14: expected a preset such as \"kissat\", or a table such as { conflicts = \"REGEX\" }",
        ),
        (
            "[solver.a]\ncommand = [\"a\"]\nstatistics = {}\n",
            "3:14: the table is empty; expected a regular expression",
        ),
        (
            "[solver.a]\ncommand = [\"a\"]\nstatistics = { conflict = '(x)' }\n",
            "3:16: there is no key 'conflict' here; did you mean 'conflicts'?",
        ),
        (
            "[solver.a]\ncommand = [\"a\"]\nstatistics = { conflicts = '(x' }\n",
            "3:28: '(x' is not a regular expression: ",
        ),
        (
            "[solver.a]\ncommand = [\"a\"]\nstatistics = { conflicts = 'x' }\n",
            "3:28: 'x' has 0 capture groups; expected one",
        ),
        (
            "[solver.a]\ncommand = [\"a\"]\nparity = \"lines\"\nstatistics = \"clasp\"\n",
            "3:10: clasp does not read parity lines (it runs without end); remove parity = \"lines\"",
        ),
        (
            "[solver.a]\ncommand = [\"a\"]\nseed = [\"--seed\"]\n",
            "3:8: expected a list of arguments with '{}' for the seed, such as [\"--seed={}\"]",
        ),
        ("[checker.a]\n", "counterpoint.toml:1:1: checker a has no command"),
        ("[checker.\"a b\"]\ncommand = [\"a\"]\n", "1:10: a checker's name may contain only letters"),
        (
            "[checker.a]\ncommand = [\"a\"]\nreads = [\"lpr\"]\n",
            "3:9: expected a list of \"drat\" or \"lrat\"",
        ),
        ("[checker.a]\ncommand = [\"a\"]\ninput = \"file\"\n", "3:1: there is no key 'input' here"),
        (
            "[checker.a]\ncommand = [\"{proof}\"]\n",
            "2:11: the name of the program cannot contain a placeholder",
        ),
        ("solver = 3\n", "counterpoint.toml:1:10: expected a table, found 3"),
    ] {
        let dir = folder("configuration-wrong", config);
        let (status, out, err) = run(&dir, &["list", "solvers"]);
        assert_eq!((status, out.as_str()), (2, ""));
        assert!(err.contains(words), "{config}: {err}");
        // Such errors do not stop a command that uses only built-in solvers.
        assert_eq!(run(&dir, &["judge", "flip", "flip.txt", "-e", "sat"]).0, 0);
    }
}

#[test]
fn a_failing_program_does_not_lose_earlier_answers() {
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
    // A sleeping program uses no CPU time, so a limit on wall time ends it: its own, or the one that `--cpu-limit`
    // implies.
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

#[test]
fn a_misspelt_alternative_is_an_error() {
    let dir = folder("configuration-patterns", "");
    for (pattern, words) in [
        ("sat:presses/card={totalizer,sequentail}@{varisat,batsat}", "did you mean 'sequential'?"),
        ("sat:presses@{varisat,batsta}", "no solver is called 'batsta'; did you mean 'batsat'?"),
        ("sat:presses/card=x*", "axis card has no value 'x*'; it has totalizer"),
        ("search:{algebra,{bfs,firstrow}}", "did you mean 'search:first-row'?"),
        ("sat:presses@{varisat", "has a '{' without a '}'"),
    ] {
        let (status, out, err) = run(&dir, &["compare", "flip", "flip.txt", "-e", pattern]);
        assert_eq!((status, out.as_str()), (2, ""), "{pattern}: {err}");
        assert!(err.contains(words), "{pattern}: {err}");
    }
    let four = "sat:presses/card={totalizer,sequential}@{varisat,batsat}";
    let (status, out, err) = run(&dir, &["compare", "flip", "flip.txt", "-e", four]);
    assert_eq!(status, 0, "{err}");
    assert_eq!(out.matches("sat:presses").count(), 4, "{out}");
}

#[test]
fn a_plan_finds_the_configuration_in_its_own_folder_first() {
    let here =
        solver("everywhere", &fakes::command("crash", &[])) + &solver("here", &fakes::command("honest", &[]));
    let dir = folder("configuration-plan", &here);
    let plan = dir.join("plan");
    std::fs::create_dir(&plan).unwrap();
    let write = |engine: &str, more: &str| {
        let text = format!(
            "problem = \"flip\"\nengines = \"sat@{engine}\"\n[[family]]\nname = \"random\"\nw = 2\nh = 2\n{more}"
        );
        std::fs::write(plan.join("plan.toml"), text).unwrap();
    };
    let configure = |names: &[&str], kind: &str| {
        let text: String = names.iter().map(|name| solver(name, &fakes::command(kind, &[]))).collect();
        std::fs::write(plan.join("counterpoint.toml"), text).unwrap();
    };
    // If there is no configuration beside the plan, the one in the working directory is read.
    write("here", "");
    assert_eq!(run(&dir, &["run", "plan"]).0, 0);
    // If there is one beside the plan, no other is read unless the command line names it.
    configure(&["everywhere", "beside"], "honest");
    for engine in ["everywhere", "beside"] {
        write(engine, "");
        let (status, out, err) = run(&dir, &["run", "plan", "--set", engine]);
        assert_eq!(status, 0, "{out}{err}");
    }
    write("here", "");
    let (status, _, err) = run(&dir, &["run", "plan", "--set", "none"]);
    assert_eq!(status, 2);
    let words = "plan/plan.toml:2:11: no solver is called 'here'; there are varisat, batsat, everywhere, beside (configuration: plan/counterpoint.toml)";
    assert!(err.contains(words), "{err}");
    assert_eq!(run(&dir, &["run", "plan", "--set", "named", "--config", "counterpoint.toml"]).0, 0);
    // A table in the plan takes precedence over both files.
    write("beside", &solver("beside", &fakes::command("honest", &[])));
    configure(&["beside"], "crash");
    assert_eq!(run(&dir, &["run", "plan", "--set", "table"]).0, 0);
    for folder in [&plan, &dir] {
        std::fs::remove_file(folder.join("counterpoint.toml")).unwrap();
    }
    write("here", "");
    let (_, _, err) = run(&dir, &["run", "plan", "--set", "none"]);
    assert!(
        err.contains("(no configuration: there is no counterpoint.toml in plan or the working directory)"),
        "{err}"
    );
}

#[test]
fn the_message_about_an_unknown_solver_names_the_configuration() {
    let dir = folder("configuration-unknown", &solver("honest", &fakes::command("honest", &[])));
    let ask = |engine: &str| run(&dir, &["solve", "flip", "flip.txt", "-e", engine]);
    let (status, _, err) = ask("sat@kissat");
    assert_eq!(status, 2);
    assert!(err.contains("no solver is called 'kissat'; there are varisat, batsat"), "{err}");
    assert!(err.contains("honest (configuration: counterpoint.toml)"), "{err}");
    std::fs::remove_file(dir.join("counterpoint.toml")).unwrap();
    let (_, _, err) = ask("sat@kissat");
    assert!(
        err.contains("(no configuration: there is no counterpoint.toml in the working directory)"),
        "{err}"
    );
    std::fs::write(dir.join("other.toml"), "").unwrap();
    let (_, _, err) = run(&dir, &["solve", "flip", "flip.txt", "-e", "sat@kissat", "--config", "other.toml"]);
    assert!(err.contains("(configuration: other.toml)"), "{err}");
}

/// If CaDiCaL or splr is not built in, the configuration may define a solver of that name.
#[test]
#[cfg(not(any(feature = "cadical", feature = "splr")))]
fn an_absent_built_in_solver_can_be_configured() {
    let dir = folder("configuration-optional", "");
    let (_, _, err) = run(&dir, &["solve", "flip", "flip.txt", "-e", "sat@cadical"]);
    let remedy = "solver cadical is not built in; build with the feature 'cadical', or configure it as [solver.cadical]";
    assert!(err.contains(remedy), "{err}");
    let config =
        solver("cadical", &fakes::command("honest", &[])) + &solver("splr", &fakes::command("honest", &[]));
    std::fs::write(dir.join("counterpoint.toml"), config).unwrap();
    for name in ["cadical", "splr"] {
        let (status, out, err) = run(&dir, &["judge", "spot", "spot.txt", "-e", &format!("sat@{name}")]);
        assert_eq!((status, &out), (0, &run(&dir, &["judge", "spot", "spot.txt"]).1), "{err}");
    }
    let (_, out, _) = run(&dir, &["list", "solvers"]);
    assert!(out.contains("cadical") && !out.contains("not built in"), "{out}");
}

#[test]
fn shuffled_parities_reach_programs_that_read_them() {
    let dir = folder("configuration-shuffled", "");
    let logs = ["lines", "clauses"].map(|parity| {
        let log = dir.join(format!("{parity}.log"));
        let command = fakes::command("honest", &[&format!("log={}", log.display())]);
        let plan = dir.join(parity);
        std::fs::create_dir(&plan).unwrap();
        let text =
            "problem = \"flip\"\nengines = [\"search\", \"sat:presses/xor=native@honest\"]\nshuffles = 3\n";
        let family = "[[family]]\nname = \"random\"\nw = 2\nh = 2\nseeds = \"1..=4\"\n";
        let solver = format!("{}parity = \"{parity}\"\n", solver("honest", &command));
        std::fs::write(plan.join("plan.toml"), [text, family, &solver].concat()).unwrap();
        let (status, out, err) = run(&dir, &["run", parity, "-j", "1"]);
        assert_eq!(status, 0, "answers should agree: {out}{err}");
        std::fs::read_to_string(log).unwrap()
    });
    let formulas = |log: &str| log.split("p cnf ").skip(1).map(str::to_owned).collect::<Vec<_>>();
    let native = formulas(&logs[0]);
    let without = native.iter().filter(|formula| !formula.contains("\nx")).count();
    assert_eq!(without, 0, "{without} of {} formulas have no parity constraint: {}", native.len(), logs[0]);
    let order = |formula: &String| formula.lines().filter(|line| line.starts_with('x')).collect::<String>();
    let orders: std::collections::BTreeSet<String> = native.iter().map(order).collect();
    assert!(orders.len() > 4, "formulas should be shuffled: {orders:?}");
    assert!(!logs[1].contains('x'));
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
    let script = format!("echo >> {}; echo; echo ' honest 1.2 '; echo more", asks.display());
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
    let dir = folder("configuration-presets", "");
    let (status, out, _) = run(&dir, &["list", "presets"]);
    assert_eq!(status, 0);
    for words in ["kissat -s", "runs without end", "SIGINT", r"^c Choices\s+: (\d+)", "DRAT, LRAT"] {
        assert!(out.contains(words), "{words}: {out}");
    }
}

/// Counters stand in records, also those of a run that reached its limit. A pattern that matches nothing causes one
/// warning.
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
