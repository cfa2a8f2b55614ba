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
    let (status, out, _) = run(&dir, &["judge", "spot", "spot.txt", "-e", "sat:path@honest"]);
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
            "3:9: expected \"file\", \"stdin\", \"opb\" or \"wcnf\", found \"pipe\"",
        ),
        (
            "[solver.a]\ncommand = [\"a\"]\ninput = \"opb\"\nparity = \"lines\"\n",
            "4:10: parity = \"lines\" is for programs that read DIMACS",
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
            "[solver.a]\ncommand = [\"a\"]\nlimits = { cpu = \"0s\" }\n",
            "3:18: expected a time above 0s and of at most 10 years, found \"0s\"",
        ),
        (
            "[solver.a]\ncommand = [\"a\"]\nlimits = { memory = \"1\" }\n",
            "3:21: expected a size of at least 1MiB, found \"1\"",
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
        (
            "[solver.a]\ncommand = [\"a\"]\nproof = { arguments = [\"-p\"] }\n",
            "3:23: expected arguments with '{proof}' for the proof's path, such as [\"{proof}\"]",
        ),
        (
            "[solver.a]\ncommand = [\"a\"]\nproof = { arguments = [\"{proof}\"], format = \"frat\" }\n",
            "3:45: expected \"drat\", \"lrat\" or \"veripb\", found \"frat\"",
        ),
        (
            "[solver.a]\ncommand = [\"a\"]\nproof = { arguments = [\"{proof}\"], format = \"veripb\" }\n",
            "3:9: proofs in the format of VeriPB are for programs that read OPB; set input = \"opb\" or another format",
        ),
        (
            "[solver.a]\ncommand = [\"a\"]\ninput = \"opb\"\nproof = { arguments = [\"{proof}\"] }\n",
            "4:9: proofs in DRAT and LRAT are for programs that read DIMACS; set format = \"veripb\", or remove proof or input",
        ),
        (
            "[solver.a]\ncommand = [\"a\"]\ninput = \"wcnf\"\nproof = { arguments = [\"{proof}\"] }\n",
            "4:9: programs that read WCNF write no proofs that can be checked; remove proof",
        ),
        (
            "[solver.a]\ncommand = [\"a\"]\nstatistics = \"minisat\"\nproof = { arguments = [\"{proof}\"] }\n",
            "4:9: minisat writes no proofs in DRAT or LRAT",
        ),
        (
            "[solver.a]\ncommand = [\"a\"]\nstatistics = \"kissat\"\nproof = { arguments = [\"{proof}\"], format = \"lrat\" }\n",
            "4:45: kissat writes no proofs in LRAT",
        ),
        ("[checker.a]\n", "counterpoint.toml:1:1: checker a has no command"),
        ("[checker.\"a b\"]\ncommand = [\"a\"]\n", "1:10: a checker's name may contain only letters"),
        (
            "[checker.a]\ncommand = [\"a\"]\nreads = [\"lpr\"]\n",
            "3:9: expected a list of \"drat\", \"lrat\" or \"pbp\"",
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
    let (status, out, err) = run(&dir, &["judge", "spot", "spot.txt", "-e", "sat:path@moody"]);
    assert_eq!(status, 2);
    assert!(err.contains("solver moody: ended with exit status: 3"), "{err}");
    assert!(!out.is_empty() && out.len() < expected.len() && expected.starts_with(&out), "{out}");
    let (status, out, err) = run(&dir, &["compare", "spot", "spot.txt", "-e", "search,sat:path@moody"]);
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
        let (status, out, err) = run(&dir, &["judge", "spot", "spot.txt", "-e", &format!("sat:path@{name}")]);
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
