//! Plans: errors with their position, templates that can be run, shuffled formulas.

use crate::experiment::{Experiment, said};
use counterpoint::record::Record;
use std::process::Command;

pub(crate) fn shuffled_formulas_give_the_same_answers() {
    let plan = "problem = \"ships\"\nengines = [\"search\", \"sat\"]\nshuffles = 3\ncertify = true
[[family]]\nname = \"hard\"\nn = 8\nseeds = \"1..=3\"\n";
    let (one, other) = (Experiment::new(plan), Experiment::new(plan));
    for experiment in [&one, &other] {
        let output = experiment.run(&["-j", "2"]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    }
    let records = one.records();
    assert_eq!(records.len(), 3 * (1 + 4));
    assert!(records.iter().all(Record::is_solved));
    let conflicts = |shuffle: u32| {
        let of = records.iter().filter(|r| r.side == "sat" && r.shuffle == shuffle);
        of.map(|r| r.findings.work.get("propagations").or(r.findings.work.get("conflicts")))
            .collect::<Vec<_>>()
    };
    assert!(
        (1..=3).any(|shuffle| conflicts(shuffle) != conflicts(0)),
        "shuffling never changed the number of conflicts"
    );
    assert_eq!(one.essence(), other.essence(), "equal seeds should give equal counters");
}

pub(crate) fn errors_in_plans_have_a_position() {
    let instances = [
        ("problem = \"shps\"", "plan.toml:1:11: no problem is called 'shps'; did you mean 'ships'?"),
        (
            "problem = \"ships\"\negines = 1",
            "plan.toml:2:1: there is no key 'egines' here; did you mean 'engines'?",
        ),
        (
            "problem = \"ships\"\nengines = [\"search\", \"sat:ownr\"]",
            "plan.toml:2:22: no engine is called 'sat:ownr'; did you mean 'sat:owner'?",
        ),
        (
            "problem = \"ships\"\nengines = [\"search\", \"sat:owner/amo={pairwise,lader}@{varisat,batsat}\"]",
            "plan.toml:2:22: axis amo has no value 'lader'; did you mean 'ladder'?",
        ),
        (
            "problem = \"ships\"\n[[family]]\nname = \"hard\"\nengines = \"sat@{varisat,batsta}\"",
            "plan.toml:4:11: no solver is called 'batsta'; did you mean 'batsat'?",
        ),
        (
            "problem = \"ships\"\n[[family]]\nname = \"hrd\"",
            "plan.toml:3:8: no family is called 'hrd'; did you mean 'hard'?",
        ),
        (
            "problem = \"ships\"\n[[family]]\nname = \"hard\"\nhiden = 0.3",
            "plan.toml:4:1: there is no key 'hiden' here; did you mean 'hidden'?",
        ),
        (
            "problem = \"ships\"\n[[family]]\nname = \"hard\"\nseeds = \"1..\"",
            "plan.toml:4:9: a seed is a whole number, or a range such as \"1..=50\"",
        ),
        (
            "problem = \"ships\"\nlimits = { cpu = \"20\" }\n[[family]]\nname = \"hard\"",
            "plan.toml:2:18: expected a time with a unit such as \"2s\", found \"20\"",
        ),
        ("problem = \"ships\"", "plan.toml:1:1: a plan needs instances: a [[family]] with a name or a file"),
        ("problem = ", "plan.toml:1:11: "),
        ("problem = \"flip\"\nfamily = []", "plan.toml:2:10: the list of families is empty"),
        (
            "problem = \"flip\"\n[[family]]\nname = \"random\"\nw = \"1..=9999\"\nh = \"1..=9999\"",
            "plan.toml:3:1: there are more than 1000000 combinations of these values",
        ),
        (
            "problem = \"flip\"\nrepetitions = 4000000000\n[[family]]\nname = \"random\"",
            "the plan has at least 8000000000 runs; at most 1000000",
        ),
        // Each of the two engines has 2^63 runs.
        (
            "problem = \"flip\"\nengines = [\"sat:*@mine\"]\nshuffles = 2147483647\nsolver_seeds = 4294967295\n\
             [solver.mine]\ncommand = [\"true\"]\nseed = [\"{}\"]\n[[family]]\nname = \"random\"",
            "the plan has at least 18446744073709551615 runs; at most 1000000",
        ),
        (
            "problem = \"ships\"\nrules = { miss = 1 }\n[[family]]\nname = \"hard\"",
            "plan.toml:2:9: no rule is called 'miss'; did you mean 'misses'?",
        ),
        ("problem = \"ships\"\n[[family]]\nname = \"hard\"\nn = 99", "plan.toml:2:1: "),
        ("problem = \"ships\"\n[[family]]\nfile = \"none.txt\"", "plan.toml:3:8: "),
        (
            "problem = \"ships\"\n[engine.mine]\nproblem = \"flip\"\ncommand = [\"a\"]\n[[family]]\nname = \"hard\"",
            "plan.toml:2:1: engine mine is for flip, but the plan is for ships",
        ),
    ];
    for (plan, expected) in instances {
        let experiment = Experiment::new(plan);
        let output = experiment.run(&["--dry-run"]);
        assert_eq!(output.status.code(), Some(2), "{plan}");
        assert!(said(&output).contains(expected), "{plan}\n{}", said(&output));
    }
}

/// The rules of a family replace those of the plan. Rules that the family does not set keep the plan's values.
pub(crate) fn families_may_have_rules() {
    let experiment = Experiment::new(
        "problem = \"ships\"\nengines = [\"search\"]\nrules = { misses = [0, 2], turn = \"no\" }\n\
         [[family]]\nname = \"random\"\nn = 7\n\
         [[family]]\nname = \"pigeonhole\"\nships = 2\nrules = { fleet = \"two.txt\", misses = \"3\" }\n\
         [[family]]\nname = \"pigeonhole\"\nlength = 4\nrules = { turn = [\"yes\", \"no\"] }\n",
    );
    std::fs::write(experiment.path().join("two.txt"), "xx\n\nxx\n\n").unwrap();
    let output = experiment.run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let mut rules: Vec<String> = (experiment.records().iter())
        .map(|record| {
            let rules = record.rules.iter().map(|(key, value)| format!("{key}={}", value.as_str().unwrap()));
            format!("{}: {}", record.family, rules.collect::<Vec<_>>().join(" ").replace('\n', "/"))
        })
        .collect();
    rules.sort();
    assert_eq!(
        rules,
        [
            "pigeonhole: misses=0",
            "pigeonhole: misses=0 turn=no",
            "pigeonhole: misses=2",
            "pigeonhole: misses=2 turn=no",
            "pigeonhole: misses=3 fleet=xx//xx// turn=no",
            "random: misses=0 turn=no",
            "random: misses=2 turn=no",
        ]
    );
}

pub(crate) fn records_are_grouped_by_any_column() {
    let plan = "problem = \"flip\"\nengines = [\"search\", \"sat:presses/xor={direct,cut3}\"]
[[family]]\nname = \"solvable\"\nn = [3, 10, 4]\nseeds = \"1..=2\"\nengines = [\"search\"]
[[family]]\nname = \"solvable\"\nn = [3, 4]\nseeds = \"1..=2\"\n";
    let experiment = Experiment::new(plan);
    // Runs are performed in a random order, but rows have the order of the plan.
    let dry = said(&experiment.run(&["--dry-run"]));
    let rows = [
        "solvable n=3",
        "solvable n=10",
        "solvable n=4",
        " search:a",
        " sat:presses ",
        " sat:presses/xor=cut3",
    ];
    let places: Vec<Option<usize>> = rows.iter().map(|row| dry.find(row)).collect();
    assert!(places.is_sorted() && places[0].is_some(), "{dry}");
    assert_eq!(experiment.run(&[]).status.code(), Some(0));
    let by = |names: &str| experiment.command("status", &["--by", names]).output().unwrap();
    let table = said(&by("n,xor"));
    let first = |line: &str| line.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    let rows: Vec<String> = table.lines().skip(2).take(7).map(first).collect();
    assert_eq!(
        rows,
        [
            "3 search:algebra",
            "3 cut3",
            "3 direct",
            "4 search:algebra",
            "4 cut3",
            "4 direct",
            "10 search:algebra"
        ],
        "{table}"
    );
    assert_eq!(said(&by("engine,params_n,engine")), said(&by("params_n")));
    let wrong = by("m");
    assert_eq!(wrong.status.code(), Some(2));
    assert!(said(&wrong).contains("no record has a column 'm'"), "{}", said(&wrong));
    // Records do not hold the judge's rules, but the table names their values.
    let plan = "problem = \"flip\"\nengines = \"search\"\nrules = { goal = [\"least\", \"any\"] }
[[family]]\nname = \"solvable\"\nn = 3\nseeds = \"1..=2\"\n";
    let experiment = Experiment::new(plan);
    assert_eq!(experiment.run(&[]).status.code(), Some(0));
    let table = said(&experiment.command("status", &["--by", "goal"]).output().unwrap());
    let rows: Vec<String> = table.lines().skip(2).take(2).map(first).collect();
    assert_eq!(rows, ["any search:algebra", "least search:algebra"], "{table}");
    let table =
        said(&experiment.command("status", &["--by", "goal", "--only", "goal=least"]).output().unwrap());
    let rows: Vec<String> = table.lines().skip(2).take(1).map(first).collect();
    assert_eq!(rows, ["least search:algebra"], "{table}");
    assert!(table.contains("2 of 2 runs have records"), "{table}");
}

pub(crate) fn new_plans_run() {
    for problem in ["spot", "ships", "flip", "parity"] {
        let folder = tempfile::tempdir().unwrap();
        let program = || Command::new(std::env::current_exe().unwrap());
        let path = folder.path().join("first");
        let new = program().arg("new").arg(&path).args(["--problem", problem]).output().unwrap();
        assert_eq!(new.status.code(), Some(0), "{}", said(&new));
        let run = program().arg("run").arg(&path).args(["-j", "2"]).output().unwrap();
        assert_eq!(run.status.code(), Some(0), "{problem}: {}", said(&run));
        let again = program().arg("new").arg(&path).output().unwrap();
        assert_eq!(again.status.code(), Some(2), "the second `new` should not overwrite the plan");
        let csv = program().arg("status").arg(&path).args(["--records", "csv"]).output().unwrap();
        assert!(csv.stdout.starts_with(b"key,attempt,problem"));
    }
}

/// A solver that calls every formula unsatisfiable.
const DENIER: &str = "#!/bin/sh\necho 's UNSATISFIABLE'\nexit 20\n";

pub(crate) fn external_solvers_of_the_plan_and_of_the_configuration() {
    use std::os::unix::fs::PermissionsExt;
    let plan = "problem = \"parity\"\nengines = [\"sat:unit@{inner,outer}\"]\n[solver.inner]\ncommand = [\"./denier\"]
[[family]]\nname = \"number\"\nn = 3\n";
    let experiment = Experiment::new(plan);
    let program = experiment.path().join("denier");
    std::fs::write(&program, DENIER).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let config = experiment.path().join("some.toml");
    std::fs::write(&config, "[solver.outer]\ncommand = [\"./denier\"]\n").unwrap();
    let mut run = experiment.command("run", &[]);
    let output = run.env("COUNTERPOINT_CONFIG", &config).output().unwrap();
    let records = experiment.records();
    assert_eq!(records.len(), 2, "{}", said(&output));
    for record in records {
        assert_eq!(record.findings.reason.as_deref(), Some("the solver is wrong"));
        assert_eq!(record.findings.work["solves"], 1);
        assert!(["inner", "outer"].contains(&record.solver.as_deref().unwrap()));
    }
}

/// A solver that gives the right answer if the number is even.
const HONEST: &str = "#!/bin/sh\necho 's SATISFIABLE'\necho 'v 1 0'\nexit 10\n";

pub(crate) fn failed_runs_are_repeated_only_with_retry() {
    use std::os::unix::fs::PermissionsExt;
    let plan =
        "problem = \"parity\"\nengines = [\"sat:unit@inner\"]\n[solver.inner]\ncommand = [\"./solver\"]
[[family]]\nname = \"number\"\nn = 4\n";
    let experiment = Experiment::new(plan);
    let output = experiment.run(&[]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("--retry"), "{}", said(&output));
    assert!(experiment.record("unit").findings.reason.unwrap().contains("not found"));
    let program = experiment.path().join("solver");
    std::fs::write(&program, HONEST).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(experiment.run(&[]).status.code(), Some(2), "without --retry, the run should not be repeated");
    assert_eq!(experiment.lines(), 1);
    let output = experiment.run(&["--retry"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(experiment.record("unit").is_solved());
    assert_eq!(experiment.lines(), 2);
    // With another command, the solver is a different one, so its run has no record.
    let plan = std::fs::read_to_string(experiment.path().join("plan.toml")).unwrap();
    std::fs::write(experiment.path().join("plan.toml"), plan.replace("./solver\"", "./solver\", \"-x\""))
        .unwrap();
    assert_eq!(experiment.run(&[]).status.code(), Some(0));
    assert_eq!(experiment.lines(), 3);
}
