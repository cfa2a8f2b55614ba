//! Other people's programs and encoders in experiments. Shell scripts stand in for them.

use crate::experiment::{Experiment, said, wait_until};
use counterpoint::record::{Check, Record, Verdict};
use std::fs;

/// Prints the right verdict.
const RIGHT: &str = "read n; [ $((n % 2)) = 0 ] && echo true || echo false";

/// Prints the opposite.
const LIAR: &str = "read n; [ $((n % 2)) = 1 ] && echo true || echo false";

/// Prints a formula that forces the right value of `even`. Its argument is the number of further variables, which are
/// free.
const ENCODER: &str = "read n; echo \"c varname 1 even\"; echo \"p cnf $((1 + ${1:-0})) 1\"; \
    [ $((n % 2)) = 0 ] && echo '1 0' || echo '-1 0'";

/// An experiment with these engines on these numbers, with further lines of the plan (`more`) and scripts beside the
/// plan. Each script is declared under its name: as an encoder if the name begins with `e`, otherwise as a program.
fn experiment(engines: &str, numbers: &str, more: &str, scripts: &[(&str, &str)]) -> Experiment {
    let table = |(name, _): &(&str, &str)| {
        let kind = if name.starts_with('e') { "encoding" } else { "engine" };
        format!("[{kind}.{name}]\nproblem = \"parity\"\ncommand = [\"sh\", \"{name}.sh\"]\n")
    };
    let tables: String = scripts.iter().map(table).collect();
    let experiment = Experiment::new(&format!(
        "problem = \"parity\"\nengines = {engines}\n{more}\n{tables}[[family]]\nname = \"number\"\nn = {numbers}\n"
    ));
    for (name, text) in scripts {
        fs::write(experiment.path().join(format!("{name}.sh")), text).unwrap();
    }
    experiment
}

/// The records of an engine, sorted by the number.
fn of(experiment: &Experiment, engine: &str) -> Vec<Record> {
    let mut found: Vec<Record> = experiment.records().into_iter().filter(|r| r.engine == engine).collect();
    found.sort_by_key(|record| record.params["n"].as_u64());
    found
}

pub(crate) fn declared_engines_take_part_in_experiments() {
    let experiment = Experiment::new(
        "problem = \"parity\"\nengines = [\"search:even\", \"exec\", \"sat:mine/more=*@{varisat,batsat}\"]
shuffles = 1
[engine.right]
problem = \"parity\"
command = [\"sh\", \"right.sh\", \"{}\"]
version = [\"sh\", \"-c\", \"echo right 7\"]
[encoding.mine]
problem = \"parity\"
command = [\"sh\", \"encoder.sh\", \"{more}\"]
axes = { more = [0, 4] }
[[family]]
name = \"number\"
n = [3, 4]
",
    );
    fs::write(experiment.path().join("right.sh"), format!("exec < \"$1\"; {RIGHT}")).unwrap();
    fs::write(experiment.path().join("encoder.sh"), ENCODER).unwrap();
    let output = experiment.run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let records = experiment.records();
    // For each number: two engines without shuffles, and four SAT engines with one shuffle.
    assert_eq!(records.len(), 2 * (2 + 4 * 2));
    assert!(records.iter().all(Record::is_solved), "{records:?}");
    let right = &of(&experiment, "exec:right")[0];
    assert_eq!((right.side.as_str(), right.encoding.as_str()), ("exec", "right"));
    assert_eq!(right.programs["exec:right"], "right 7");
    assert!(right.startup_cpu_s.is_some_and(|start| start > 0.0 && start < 5.0), "{right:?}");
    // CPU time includes that of the program.
    assert!(right.findings.cpu_s.is_some_and(|cpu| cpu > 0.0), "{right:?}");
    let mine = &of(&experiment, "sat:mine/more=4@batsat")[0];
    assert_eq!((mine.findings.work["variables"], mine.findings.work["clauses"]), (5, 1));
    assert_eq!(mine.axes["more"], "4");
    assert!(mine.findings.build_cpu_s.is_some() && mine.findings.solve_cpu_s.is_some());
    assert!(of(&experiment, "search:even")[0].startup_cpu_s.is_none());
    let report = experiment.command("report", &[]).output().unwrap();
    assert_eq!(report.status.code(), Some(0), "{}", said(&report));
    let table = experiment.command("status", &["--records", "csv"]).output().unwrap();
    assert!(said(&table).lines().next().unwrap().contains("startup_cpu_s"));
    // A program that has changed is reported.
    fs::write(experiment.path().join("right.sh"), format!("exec < \"$1\"; {RIGHT}\n# changed")).unwrap();
    let plan = fs::read_to_string(experiment.path().join("plan.toml")).unwrap();
    fs::write(experiment.path().join("plan.toml"), plan.replace("[3, 4]", "[3, 4, 5]")).unwrap();
    let output = experiment.run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("the program of exec:right or a file in its command has changed"));
    assert!(!said(&output).contains("the program of sat:mine"), "{}", said(&output));
}

pub(crate) fn failures_of_declared_engines_are_recorded() {
    let scripts = [
        ("three", "echo first >&2; echo second >&2; exit 3"),
        ("crash", "kill -SEGV $$"),
        ("foreign", "echo maybe; echo not"),
        ("silent", ""),
        ("many", "echo true; echo true"),
        ("gush", "yes"),
        ("spin", "while :; do :; done"),
        ("sleep", "sleep 1000"),
        ("right", RIGHT),
    ];
    let limits = "limits = { cpu = \"300ms\", wall = \"3s\" }";
    let experiment = experiment(
        "[\"exec:*\", \"exec:gone\"]",
        "4",
        &format!(
            "{limits}\n[engine.gone]\nproblem = \
        \"parity\"\ncommand = [\"./gone\"]"
        ),
        &scripts,
    );
    let output = experiment.run(&["-j", "2"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    for (name, verdict, words) in [
        (
            "three",
            Verdict::Failed,
            "exec:three: ended with exit status: 3; standard error: first | second; its command",
        ),
        ("crash", Verdict::Failed, "exec:crash: was killed by signal 11"),
        ("foreign", Verdict::Failed, "exec:foreign: expected 'true' or 'false'; it printed: maybe | not"),
        ("silent", Verdict::Failed, "it printed nothing"),
        ("many", Verdict::Failed, "it printed: true | true"),
        ("gush", Verdict::Failed, "wrote more than"),
        ("gone", Verdict::Failed, "program './gone' not found"),
        ("spin", Verdict::Limit, "cpu"),
        ("sleep", Verdict::Limit, "wall"),
        ("right", Verdict::Decided, ""),
    ] {
        let findings = experiment.record(name).findings;
        assert_eq!(findings.verdict, Some(verdict), "{name}: {findings:?}");
        let text = findings.reason.or(findings.limit).unwrap_or_default();
        assert!(text.contains(words), "{name}: {text}");
    }
}

pub(crate) fn faulty_formulas_are_recorded() {
    let scripts = [
        ("eright", ENCODER),
        ("etext", "echo hello"),
        ("enone", ""),
        ("etwice", "echo 'c varname 1 even'; echo 'c varname 2 even'; echo 'p cnf 2 0'"),
        ("eunnamed", "echo 'c varname 1 evn'; echo 'p cnf 1 0'"),
        ("eheader", "echo 'c varname 1 even'; echo 'p cnf 1 2'; echo '1 0'"),
        ("ebeyond", "echo 'c varname 1 even'; echo 'p cnf 1 1'; echo '2 0'"),
        ("espin", "while :; do :; done"),
        ("egush", "yes '1 0'"),
        ("esize", "echo 'p cnf 2000000000 0'"),
        ("efail", "echo 'p cnf 0 0'; echo why >&2; exit 1"),
    ];
    let limits = "limits = { cpu = \"1s\", wall = \"60s\" }";
    let engines = "[\"sat:e*\"]";
    let experiment = experiment(engines, "4", limits, &scripts);
    let output = experiment.run(&["-j", "2"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    for (name, words) in [
        ("eright", ""),
        ("etext", "sat:etext: its output, line 1: unexpected 'hello'"),
        ("enone", "unexpected end of file; expected the header"),
        ("etwice", "line 2: 'even' is variable 2 here, but variable 1 above"),
        ("eunnamed", "no variable of the formula is called 'even'; the most similar name is 'evn'"),
        ("eheader", "the header declares 2 clauses"),
        ("ebeyond", "unexpected literal 2; the header declares 1 variable"),
        ("espin", "cpu"),
        ("egush", ""),
        ("esize", "the header declares 2000000000 variables"),
        ("efail", "ended with exit status: 1; standard error: why"),
    ] {
        let findings = experiment.record(name).findings;
        let text = findings.reason.or(findings.limit).unwrap_or_default();
        assert!(text.contains(words), "{name}: {text}");
        assert_eq!(findings.verdict == Some(Verdict::Decided), name == "eright", "{name}");
    }
}

pub(crate) fn wrong_programs_are_named() {
    // The checker recomputes claims about small numbers.
    let plan = "[\"search:even\", \"exec:*\", \"sat:e\"]";
    let scripts =
        [("liar", LIAR), ("right", RIGHT), ("e", "echo 'c varname 1 even'; echo 'p cnf 1 1'; echo '1 0'")];
    let experiment = experiment(plan, "[7, 8]", "", &scripts);
    let output = experiment.run(&[]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let checks =
        |engine: &str| of(&experiment, engine).iter().map(|r| r.findings.check.unwrap()).collect::<Vec<_>>();
    assert_eq!(checks("exec:liar"), [Check::Wrong, Check::Wrong]);
    assert_eq!(checks("exec:right"), [Check::Checked, Check::Checked]);
    assert_eq!(checks("sat:e"), [Check::Wrong, Check::Checked]);
    for words in ["exec:liar is wrong on this board:\n", "sat:e is wrong on this board:\n7\n"] {
        assert!(said(&output).contains(words), "{words}: {}", said(&output));
    }
    // The problem has no stress tests.
    assert!(!said(&output).contains("stress"), "{}", said(&output));
    assert!(!said(&output).contains("right.sh"), "{}", said(&output));
}

pub(crate) fn wrong_answers_count_more_than_failures() {
    let scripts = [("fail", "exit 3"), ("liar", LIAR)];
    let experiment = experiment("[\"exec:*\"]", "7", "", &scripts);
    for command in ["run", "status"] {
        let output = experiment.command(command, &[]).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{command}: {}", said(&output));
    }
    assert!(said(&experiment.run(&[])).contains("1 runs failed; --retry repeats them"));
}

pub(crate) fn a_slot_that_panics_ends_the_runner() {
    // The runner reads both answers, because they differ, and the problem panics when it reads them.
    let number = crate::doubles::UNREADABLE.to_string();
    let experiment = experiment("[\"exec:*\"]", &number, "", &[("liar", LIAR), ("right", RIGHT)]);
    let runner = std::cell::RefCell::new(experiment.start(&["-j", "2"]));
    wait_until(|| runner.borrow_mut().try_wait().unwrap().is_some());
    let output = runner.into_inner().wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("a thread has panicked; earlier records are kept"), "{}", said(&output));
    assert_eq!(experiment.lines(), 1);
}

pub(crate) fn declarations_are_part_of_the_plan() {
    let plan = |command: &str| {
        let experiment = experiment("[\"exec:p\"]", "4", "", &[("p", RIGHT)]);
        let file = experiment.path().join("plan.toml");
        let text = fs::read_to_string(&file).unwrap().replace("[\"sh\", \"p.sh\"]", command);
        fs::write(file, text).unwrap();
        experiment
    };
    let key = |command: &str| {
        let experiment = plan(command);
        let output = experiment.run(&[]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        // The same plan from its own folder has the same runs.
        let mut inside = std::process::Command::new(std::env::current_exe().unwrap());
        let output = inside.args(["run", "."]).current_dir(experiment.path()).output().unwrap();
        assert!(said(&output).contains("all 1 runs"), "{}", said(&output));
        experiment.record("p").key
    };
    assert_eq!(key("[\"sh\", \"p.sh\"]"), key("[\"sh\", \"p.sh\"]"));
    assert_ne!(key("[\"sh\", \"p.sh\"]"), key("[\"sh\", \"./p.sh\"]"));
    let wrong = plan("[\"sh\", \"{n}\"]");
    let output = wrong.run(&[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("plan.toml:6:18: '{n}' is not a rule or an axis"), "{}", said(&output));
}
