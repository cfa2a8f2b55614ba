//! Programs and encoders that `counterpoint.toml` declares: errors with their position, ids, answers, failures.

use crate::fakes::home::{folder, run};
use std::path::Path;

/// A configuration with a table whose first two lines are correct.
fn table(name: &str, more: &str) -> String {
    format!("[{name}]\nproblem = \"ships\"\n{more}")
}

#[test]
fn errors_in_declarations_have_a_position() {
    let mine = "[engine.mine]\n";
    for (config, words) in [
        (
            mine.to_owned(),
            "counterpoint.toml:1:1: engine mine names no problem; add a line such as problem =",
        ),
        (format!("{mine}problem = \"chess\"\n"), "counterpoint.toml:2:11: no problem is called 'chess'"),
        (table("engine.mine", ""), "counterpoint.toml:1:1: engine mine has no command"),
        (table("encoding.mine", ""), "counterpoint.toml:1:1: encoding mine has no command"),
        (table("engine.mine", "command = []"), "3:11: expected a list: the program and its arguments"),
        (table("engine.mine", "comand = []"), "3:1: there is no key 'comand' here; did you mean 'command'?"),
        (table("engine.\"a b\"", "command = [\"a\"]"), "1:9: an engine's name may contain only letters"),
        (
            table("engine.mine", "command = [\"a\"]\noutput = \"xml\""),
            "4:10: expected \"judge\" or \"json\", found \"xml\"",
        ),
        (
            table("encoding.mine", "command = [\"a\"]\noutput = \"json\""),
            "4:1: there is no key 'output' here",
        ),
        (
            table("encoding.owner", "command = [\"a\"]"),
            "1:1: ships already has the engine sat:owner; use another name",
        ),
        (
            table("engine.mine", "command = [\"a\", \"{}\", \"-m{mises}\"]\nrules = [\"misses\"]"),
            "3:23: '{mises}' is not a rule or an axis of this table; did you mean '{misses}'?",
        ),
        (
            table("engine.mine", "command = [\"a\", \"{misses}\"]"),
            "3:17: '{misses}' is not a rule or an axis of this table; there are {}",
        ),
        (table("engine.mine", "command = [\"a{}\"]"), "3:12: the name of the program cannot contain"),
        (
            table("engine.mine", "command = [\"a\"]\nrules = [\"misses\"]"),
            "4:10: the rule 'misses' has no placeholder; write {misses} in the command",
        ),
        (
            table("encoding.mine", "command = [\"a\"]\nrules = [\"misses\", \"mirror\"]"),
            "4:20: the rule 'mirror' has no placeholder; write {mirror} in the command; the formula depends on this",
        ),
        (
            table("engine.mine", "command = [\"a\"]\nrules = [\"mises\"]"),
            "4:10: ships has no rule 'mises'; did you mean 'misses'?",
        ),
        (
            table("engine.mine", "command = [\"a\", \"{misses}\"]\nrules = [\"misses\", \"misses\"]"),
            "4:20: the rule 'misses' is listed twice",
        ),
        (table("engine.mine", "command = [\"a\"]\nrules = \"misses\""), "4:9: expected a list of rules"),
        (
            table("encoding.mine", "command = [\"a\"]\naxes = { amo = [\"x\"] }"),
            "4:10: the axis 'amo' has no placeholder; write {amo} in the command",
        ),
        (
            table("encoding.mine", "command = [\"a\", \"{amo}\"]\naxes = { amo = [] }"),
            "4:16: the axis amo has no values",
        ),
        (
            table("encoding.mine", "command = [\"a\", \"{amo}\"]\naxes = { amo = [\"x\", \"x\"] }"),
            "4:22: the axis amo has the value 'x' twice",
        ),
        (
            table("encoding.mine", "command = [\"a\", \"{amo}\"]\naxes = { amo = [\"x@y\"] }"),
            "4:17: a value of an axis contains only letters",
        ),
        (
            table("encoding.mine", "command = [\"a\", \"{amo}\"]\naxes = { \"a/b\" = [\"x\"] }"),
            "4:10: an axis begins with a letter",
        ),
        (
            table(
                "encoding.mine",
                "command = [\"a\", \"{misses}\"]\nrules = [\"misses\"]\naxes = { misses = [1] }",
            ),
            "5:10: 'misses' is already the name of a rule",
        ),
        (table("engine.mine", "command = [\"a\"]\nversion = []"), "4:11: expected a list: the program"),
        (
            table("engine.mine", "command = [\"a\"]\nlimits = { cpu = 2 }"),
            "4:18: expected a string with a unit",
        ),
        (
            "[encoding.mine]\nproblem = \"cnf\"\ncommand = [\"a\"]".to_owned(),
            "1:1: cnf does not support formulas of encoders",
        ),
    ] {
        let dir = folder("outside-wrong", &config);
        let (status, out, err) = run(&dir, &["list", "engines"]);
        assert_eq!((status, out.as_str()), (2, ""), "{config}");
        assert!(err.contains(words), "{config}: {err}");
        // Such errors do not stop a command that uses only built-in engines.
        assert_eq!(run(&dir, &["judge", "flip", "flip.txt", "-e", "sat"]).0, 0);
    }
}

/// A folder with a configuration and files.
fn home(name: &str, config: &str, files: &[(&str, &str)]) -> std::path::PathBuf {
    let dir = folder(name, config);
    for (name, text) in files {
        std::fs::write(dir.join(name), text).unwrap();
    }
    dir
}

#[test]
fn declared_engines_have_ids_like_others() {
    let config = "[engine.mine]\nproblem = \"ships\"\ncommand = [\"./mine.sh\"]\n\
        [engine.second]\nproblem = \"ships\"\ncommand = [\"sh\", \"x\"]\n[engine.other]\nproblem = \"flip\"\n\
        command = [\"sh\"]\n[encoding.mine]\nproblem = \"ships\"\ncommand = [\"sh\", \"{amo}\"]\n\
        axes = { amo = [\"pairwise\", \"ladder\"] }\n";
    let board = format!("10 10\n{}0 0\n", "..........\n".repeat(10));
    let dir = home("outside-ids", config, &[("board.txt", &board)]);
    let (status, out, _) = run(&dir, &["list", "engines", "ships"]);
    assert_eq!(status, 0);
    for words in ["exec:mine", "./mine.sh", "counterpoint.toml:3:11", "sat:mine", "pairwise, ladder"] {
        assert!(out.contains(words), "{words}: {out}");
    }
    assert!(!out.contains("exec:other"), "{out}");
    // None of the programs exists or prints anything.
    for (pattern, ids) in [
        ("exec", &["exec:mine"][..]),
        ("exec:*", &["exec:mine", "exec:second"]),
        ("sat:mine/amo=*", &["sat:mine", "sat:mine/amo=ladder"]),
        ("sat:mine@{varisat,batsat}", &["sat:mine", "sat:mine@batsat"]),
    ] {
        let (status, out, err) = run(&dir, &["compare", "ships", "board.txt", "-e", pattern]);
        assert_eq!(status, 2, "{out}{err}");
        let found: Vec<&str> = ids.iter().copied().filter(|id| out.contains(&format!("{id} "))).collect();
        assert_eq!(found, ids, "{out}");
    }
    for pattern in ["exec", "exec:mine"] {
        let (status, _, err) = run(&dir, &["judge", "spot", "spot.txt", "-e", pattern]);
        let words = "[engine.NAME] declares a program (configuration: counterpoint.toml), also in a plan";
        assert!(status == 2 && err.contains(words), "{pattern}: {err}");
    }
    for (pattern, words) in [
        ("exec:min", "no engine is called 'exec:min'; did you mean 'exec:mine'?"),
        ("exec:other", "no engine is called 'exec:other'; did you mean"),
        ("sat:mine/amo=laddr", "axis amo has no value 'laddr'; did you mean 'ladder'?"),
        ("exec:mine@batsat", "exec:mine takes no solver"),
    ] {
        let (status, _, err) = run(&dir, &["judge", "ships", "board.txt", "-e", pattern]);
        assert!(status == 2 && err.contains(words), "{pattern}: {err}");
    }
}

/// Failures of a program with the given text, as `judge` reports them.
fn failure(dir: &Path, program: &str, more: &[&str]) -> (i32, String) {
    std::fs::write(dir.join("program.sh"), program).unwrap();
    let (status, out, err) = run(dir, &[&["judge", "flip", "flip.txt", "-e", "exec:json"], more].concat());
    assert_eq!(out, "");
    (status, err)
}

#[test]
fn failures_of_programs_are_quoted() {
    let config = "[engine.json]\nproblem = \"flip\"\noutput = \"json\"\ncommand = [\"sh\", \"program.sh\"]\n";
    let dir = home("outside-failures", config, &[]);
    for (program, words) in [
        (
            "echo a >&2; echo b >&2; exit 3",
            "game 1: exec:json: ended with exit status: 3; standard error: a | b; its",
        ),
        (
            "echo one; echo two; exit 1",
            "exit status: 1; it printed: one | two; its command is defined in counterpoint.toml:4:11",
        ),
        ("exit 1", "exit status: 1; it printed nothing;"),
        ("kill -SEGV $$", "was killed by signal 11"),
        ("echo yes", "game 1: exec:json: its output is not JSON: "),
        ("printf 'no\\n\\n\\033[2Jx\\n'", "; it printed: no | \u{fffd}[2Jx"),
        ("", "; it printed nothing"),
        ("yes", "wrote more than 67108864 bytes"),
    ] {
        let (status, err) = failure(&dir, program, &[]);
        assert!(status == 2 && err.contains(words), "{program}: {err}");
    }
    let (status, err) = failure(&dir, "while :; do :; done", &["--cpu-limit", "100ms"]);
    assert!(status == 3 && err.contains("CPU limit"), "{err}");
    let (status, err) = failure(&dir, "", &["--work-limit", "100"]);
    assert!(status == 2 && err.contains("a work limit cannot stop a program"), "{err}");
    let config = "[engine.json]\nproblem = \"flip\"\noutput = \"json\"\ncommand = [\"./none\"]\n";
    std::fs::write(dir.join("counterpoint.toml"), config).unwrap();
    let (status, err) = failure(&dir, "", &[]);
    let words = "exec:json: program './none' not found; its command is defined in counterpoint.toml:4:11";
    assert!(status == 2 && err.contains(words), "{err}");
}

#[test]
fn answers_with_evidence_are_checked() {
    // The program receives the game in a file, and the rule as an argument.
    let config = "[engine.json]\nproblem = \"flip\"\noutput = \"json\"\nrules = [\"goal\"]\n\
        command = [\"sh\", \"program.sh\", \"{}\", \"{goal}\"]\n";
    let dir =
        home("outside-json", config, &[("program.sh", "cat \"$1\" > seen; echo \"$2\" >> seen; cat answer")]);
    let (_, answer, _) = run(&dir, &["solve", "flip", "flip.txt", "--json", "-e", "search"]);
    std::fs::write(dir.join("answer"), &answer).unwrap();
    let (status, out, err) = run(&dir, &["solve", "flip", "flip.txt", "-e", "exec:json"]);
    assert_eq!(status, 0, "{out}{err}");
    assert!(out.contains("game 1: 4 presses, checked\n  by exec:json"), "{out}");
    let (_, saved, _) = run(&dir, &["solve", "flip", "flip.txt", "-e", "exec", "--json"]);
    std::fs::write(dir.join("answer.json"), saved).unwrap();
    let (status, out, err) = run(&dir, &["check", "answer.json"]);
    assert!(status == 0 && out.contains("by the program exec:json, "), "{out}{err}");
}

/// A board on which the fleet of a domino and a tromino fits in several ways that share a square.
const BOARD: &str = "4 4\n.x..\nxoo.\n.o.o\nx...\n0 0\n";

#[test]
fn verdicts_and_formulas_of_others_are_checked() {
    let root = env!("CARGO_MANIFEST_DIR");
    let fleet = format!("{root}/examples/lessons/domino-and-tromino.txt");
    let mut config = String::new();
    for verdict in ["yes", "no"] {
        let command = format!("[\"printf\", \"Game #1\\\\n{verdict}.\\\\n\\\\n\", \"{{fleet}}\"]");
        config +=
            &format!("[engine.{verdict}]\nproblem = \"ships\"\ncommand = {command}\nrules = [\"fleet\"]\n");
    }
    for fault in ["right", "unturned", "misses"] {
        let encoder = format!("{root}/tests/encoders/ships.py");
        let command =
            format!("[\"python3\", \"-SEB\", \"{encoder}\", \"{fleet}\", \"{fault}\", \"{{fleet}}\"]");
        config +=
            &format!("[encoding.{fault}]\nproblem = \"ships\"\ncommand = {command}\nrules = [\"fleet\"]\n");
    }
    config += &format!("[encoding.rigid]\nproblem = \"ships\"\ncommand = [\"python3\", \"{fleet}\"]\n");
    let dir = home("outside-checked", &config, &[("board.txt", BOARD)]);
    let rule = format!("fleet={fleet}");
    let with = |command: &str, more: &[&str]| {
        run(&dir, &[&[command, "ships", "board.txt", "-r", &rule], more].concat())
    };
    let (status, out, err) = with("compare", &["-e", "search,exec:yes,sat:right@{varisat,batsat}"]);
    assert_eq!(status, 0, "{out}{err}");
    assert_eq!(out.matches(" checked ").count(), 4, "{out}");
    for (engine, words) in [
        ("exec:no", "stress ships --rule fleet=FILE --input board.txt -- printf "),
        ("sat:unturned", "stress ships --cnf --rule fleet=FILE --input board.txt -- python3 -SEB "),
        ("sat:misses", "stress ships --cnf --rule fleet=FILE --input board.txt -- python3 -SEB "),
    ] {
        let (status, out, err) = with("compare", &["-e", &format!("search,{engine}")]);
        assert_eq!(status, 1, "{engine}: {out}{err}");
        let found = out.contains("WRONG") && out.contains(words) && out.contains("DISAGREEMENT");
        assert!(found && out.matches(" checked ").count() == 1, "{out}");
    }
    let (status, out, err) = with("judge", &["-e", "sat:rigid"]);
    let words = "its declaration does not list the rule fleet";
    assert!(status == 2 && out.is_empty() && err.contains(words), "{err}");
    assert_eq!(with("judge", &["-e", "sat:right"]).1, with("judge", &[]).1);
    let (status, out, err) = with("encode", &["-e", "sat:right"]);
    assert!(status == 0 && out.contains("covered r1c1") && out.contains("\np cnf "), "{out}{err}");
    let (status, _, err) = with("encode", &["-e", "exec:yes"]);
    assert!(status == 2 && err.contains("exec:yes is not a SAT engine"), "{err}");
}

/// The formula of Ships says that a fleet fits. How many misses are allowed is decided on its models, so an encoder need
/// not know that rule. The same holds for Flip's goal.
#[test]
fn encoders_need_no_value_of_a_rule_that_the_formula_does_not_depend_on() {
    let own = env!("CARGO_BIN_EXE_counterpoint");
    let encoding = |problem: &str, rule: &str| {
        format!(
            "[encoding.mine-{problem}]\nproblem = \"{problem}\"\ncommand = [\"{own}\", \"encode\", \
             \"{problem}\"]\nrules = [\"{rule}\"]\n"
        )
    };
    let config = encoding("ships", "misses") + &encoding("flip", "goal");
    let board = "6 6\noxxxxo\n.xxxxo\nxxxxxo\n.xoxxx\nxxoxxx\nxxxxox\n0 0\n";
    let dir = home("outside-ignored", &config, &[("board.txt", board)]);
    for (misses, outcome) in [("0", "no"), ("1", "yes"), ("3", "yes")] {
        let rule = format!("misses={misses}");
        let args = ["compare", "ships", "board.txt", "-r", &rule, "-e", "search,sat:mine-ships"];
        let (status, out, err) = run(&dir, &args);
        assert_eq!(status, 0, "{out}{err}");
        let cells = format!("  {outcome} ");
        assert!(out.matches(" checked ").count() == 2 && out.matches(&cells).count() == 2, "{out}");
    }
    for goal in ["goal=least", "goal=any"] {
        let (status, out, err) = run(&dir, &["solve", "flip", "flip.txt", "-r", goal, "-e", "sat:mine-flip"]);
        assert!(status == 0 && out.contains("presses, checked"), "{out}{err}");
    }
    let (status, _, err) =
        run(&dir, &["judge", "ships", "board.txt", "-r", "mirror=yes", "-e", "sat:mine-ships"]);
    assert!(status == 2 && err.contains("does not list the rule mirror"), "{err}");
}

/// A formula that cannot be used is a fault that `stress --cnf` can shrink, so the message says how.
#[test]
fn faults_in_formulas_name_the_test_that_finds_them() {
    let encoding = |name: &str, formula: &str| {
        format!("[encoding.{name}]\nproblem = \"flip\"\ncommand = [\"printf\", {formula:?}]\n")
    };
    let config = encoding("bare", "p cnf 1 0\\n")
        + &encoding("twice", "c varname 1 press r1c1\\nc varname 1 press r1c2\\np cnf 1 0\\n")
        + "[encoding.missing]\nproblem = \"flip\"\ncommand = [\"./no-such-program\"]\n"
        + &format!(
            "[encoding.torus]\nproblem = \"flip\"\ncommand = [{:?}, \"encode\", \"flip\", \"-r\", \"stencil=torus\"]\n",
            env!("CARGO_BIN_EXE_counterpoint")
        );
    let plan = "problem = \"flip\"\nengines = [\"sat:{twice,torus}\"]\n[[family]]\nname = \"random\"\nn = 3\nseeds = 3\n";
    let dir = home("outside-faults", &config, &[("plan.toml", plan)]);
    for (name, why) in [
        ("bare", "no variable of the formula is called 'press r1c1'"),
        ("twice", "its output, line 2: variable 1 is called 'press r1c2' here, but 'press r1c1' above"),
    ] {
        let engine = format!("sat:{name}");
        let remedy = "to find the cause, save the board as board.txt and run\n  \
                      counterpoint stress flip --cnf --input board.txt -- printf ";
        let (status, _, err) = run(&dir, &["solve", "flip", "flip.txt", "-e", &engine]);
        assert!(status == 2 && err.contains(why) && err.contains(remedy), "{err}");
        let (status, out, err) =
            run(&dir, &["compare", "flip", "flip.txt", "-e", &format!("search,{engine}")]);
        assert_eq!(status, 2, "{out}{err}");
        assert!(err.contains(why) && out.contains(&format!("{engine} has failed; {remedy}")), "{out}{err}");
    }
    let (status, out, err) = run(&dir, &["run", "plan.toml"]);
    assert_eq!(status, 1, "{out}{err}");
    let words = [
        "sat:twice has failed (",
        "sat:torus is wrong on this board:\n",
        "stress flip --cnf --input board.txt -- printf ",
        "encode flip -r stencil=torus\n",
    ];
    assert!(words.iter().all(|words| out.contains(words)), "{out}{err}");
    let (status, _, err) = run(&dir, &["solve", "flip", "flip.txt", "-e", "sat:missing"]);
    assert!(status == 2 && !err.contains("stress"), "{err}");
}

/// An encoder that prints a formula without variables.
const ENCODER: &str = "#!/bin/sh\nread size\necho 'p cnf 0 0'\n";

#[test]
fn a_plan_declares_engines_for_all_commands() {
    let dir = folder("outside-plan", "[engine.other]\nproblem = \"flip\"\ncommand = [\"cat\"]\n");
    let plan = dir.join("mine");
    std::fs::create_dir_all(&plan).unwrap();
    std::fs::write(plan.join("encode.sh"), ENCODER).unwrap();
    let binary = env!("CARGO_BIN_EXE_counterpoint");
    let text = format!(
        "problem = \"flip\"\nengines = [\"search\"]\n[[family]]\nname = \"random\"\n\
         [solver.theirs]\ncommand = [{binary:?}, \"judge\", \"cnf\"]\n\
         [engine.mine]\nproblem = \"flip\"\ncommand = [{binary:?}, \"judge\", \"flip\"]\n\
         [encoding.empty]\nproblem = \"flip\"\ncommand = [\"sh\", \"encode.sh\"]\n"
    );
    std::fs::write(plan.join("plan.toml"), text).unwrap();
    // The encoder is found in the folder of the plan.
    let encode = ["encode", "flip", "flip.txt", "-e", "sat:empty", "--plan"];
    let (status, out, err) = run(&dir, &[&encode[..], &["mine"]].concat());
    assert!(status == 0 && out.contains("\np cnf 0 0\n"), "{out}{err}");
    let (status, out, err) = run(&dir, &[&encode[..], &["mine/plan.toml", "--stats"]].concat());
    assert!(status == 0 && out.contains(" total"), "{out}{err}");
    let engines = "exec:mine,search,sat@theirs";
    let (status, out, err) = run(&dir, &["--plan", "mine", "compare", "flip", "flip.txt", "-e", engines]);
    assert!(status == 0 && out.matches(" checked ").count() == 3, "{out}{err}");
    let (status, out, _) = run(&dir, &["judge", "flip", "flip.txt", "-e", "exec:mine", "--plan", "mine"]);
    assert_eq!((status, out.as_str()), (0, "4\n"));
    // The configuration that `run` reads is used, too.
    let (_, out, _) = run(&dir, &["list", "engines", "flip", "--plan", "mine"]);
    assert!(["exec:mine", "exec:other", "sat:empty"].iter().all(|name| out.contains(name)), "{out}");
    let (status, _, err) = run(&dir, &["encode", "flip", "flip.txt", "-e", "sat:empty"]);
    assert!(status == 2 && err.contains("no engine is called 'sat:empty'"), "{err}");
    for (args, words) in [
        (&["solve", "flip", "flip.txt", "--plan", "none"][..], "there is no experiment 'none'"),
        (&["run", "mine", "--plan", "mine"], {
            "--plan is for commands without an experiment; this one uses the plan of its experiment"
        }),
    ] {
        let (status, out, err) = run(&dir, args);
        assert_eq!((status, out.as_str()), (2, ""), "{err}");
        assert!(err.contains(words), "{err}");
    }
}
