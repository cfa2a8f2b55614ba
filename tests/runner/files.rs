//! Experiments whose instances are files: patterns, hashes, files that change or cannot be read.

use crate::experiment::{Experiment, said};
use counterpoint::record::{Record, Verdict};
use std::fs;

const SAT: &str = "p cnf 2 2\n1 2 0\n-1 0\n";
const UNSAT: &str = "p cnf 1 2\n1 0\n-1 0\n";

/// An experiment with formulas in its folder.
fn experiment(patterns: &str) -> Experiment {
    let plan = format!(
        "problem = \"cnf\"\nengines = [\"search\", \"sat@varisat\"]\ncertify = true\nkeep = \"all\"\n\
         limits = {{ cpu = \"20s\" }}\n[[family]]\nfiles = {patterns}\n"
    );
    let experiment = Experiment::new(&plan);
    fs::create_dir_all(experiment.path().join("bench/deep")).unwrap();
    for (name, text) in [("f10.cnf", SAT), ("f9.cnf", UNSAT), ("deep/g.cnf", "p cnf 3 1\n1 2 3 0\n")] {
        fs::write(experiment.path().join("bench").join(name), text).unwrap();
    }
    experiment
}

fn status(experiment: &Experiment, args: &[&str]) -> String {
    let output = experiment.command("status", args).output().unwrap();
    said(&output)
}

pub(crate) fn files_are_found_by_patterns() {
    let experiment = experiment("[\"bench/*.cnf\", \"bench/**/g.cnf\"]");
    let output = experiment.run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let records = experiment.records();
    assert_eq!(records.len(), 6);
    assert!(records.iter().all(Record::is_solved));
    let of = |file: &str| -> Vec<&Record> {
        let named = |record: &&Record| record.params.get("file").is_some_and(|name| name == file);
        records.iter().filter(named).collect()
    };
    for (file, family, number, outcome) in [
        ("bench/f9.cnf", "bench/*.cnf", 1, "unsatisfiable"),
        ("bench/f10.cnf", "bench/*.cnf", 2, "satisfiable"),
        ("bench/deep/g.cnf", "bench/**/g.cnf", 1, "satisfiable"),
    ] {
        let hash = counterpoint::sha256::of(fs::read(experiment.path().join(file)).unwrap());
        let found = of(file);
        assert_eq!(found.len(), 2, "{file}");
        for record in found {
            assert_eq!((record.family.as_str(), record.seed), (family, number));
            assert_eq!(record.findings.outcome.as_deref(), Some(outcome), "{file}");
            assert_eq!(record.instance_hash, hash);
            let answer = record.findings.answer.as_ref().unwrap();
            assert_eq!(answer["instance"], format!("sha256 {hash} file {file}\n"));
        }
    }
    let verified = status(&experiment, &["--verify"]);
    assert!(verified.contains("6 answers match their records"), "{verified}");
    // A file with the contents of another one has no runs of its own.
    fs::write(experiment.path().join("bench/f11.cnf"), SAT).unwrap();
    let output = experiment.run(&[]);
    let words =
        "bench/f11.cnf has the same contents as bench/f10.cnf; each formula is solved under one name only";
    assert!(output.status.success() && said(&output).contains(words), "{}", said(&output));
    fs::remove_file(experiment.path().join("bench/f11.cnf")).unwrap();
    // A renamed file keeps its records.
    fs::rename(experiment.path().join("bench/f9.cnf"), experiment.path().join("bench/f8.cnf")).unwrap();
    let output = experiment.run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(experiment.lines(), 6);
}

pub(crate) fn files_that_cannot_be_read_are_named() {
    let experiment = experiment("\"bench/*.cnf\"");
    fs::write(experiment.path().join("bench/bad.cnf"), "p cnf 1 1\n2 0\n").unwrap();
    let output = experiment.run(&[]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    let (failed, solved): (Vec<_>, Vec<_>) =
        experiment.records().into_iter().partition(|record| record.findings.verdict == Some(Verdict::Failed));
    assert_eq!((failed.len(), solved.len()), (2, 4));
    for record in failed {
        let reason = record.findings.reason.unwrap();
        assert_eq!(reason, "bench/bad.cnf:2:1: unexpected literal 2; the header declares 1 variable");
    }
    for (patterns, message) in [
        ("\"*.cnf\"", "plan.toml:7:9: '*.cnf' matches no file"),
        ("[\"bench/*.cnf\", \"a[\"]", "plan.toml:7:25: 'a[' is not a valid pattern: "),
    ] {
        let output = self::experiment(patterns).run(&[]);
        assert_eq!(output.status.code(), Some(2));
        assert!(said(&output).contains(message), "{}", said(&output));
    }
    let output = Experiment::new("problem = \"flip\"\n[[family]]\nfiles = \"*.txt\"\n").run(&[]);
    assert!(
        said(&output).contains("plan.toml:3:9: an instance of flip is not a whole file; "),
        "{}",
        said(&output)
    );
}

/// The first run of the plan changes all files, so the later runs find files that differ from the plan.
pub(crate) fn files_that_change_are_refused() {
    let experiment = experiment("\"bench/*.cnf\"");
    let bench = experiment.path().join("bench");
    let solver = experiment.path().join("solver");
    let script = format!(
        "#!/bin/sh\nprintf 'c changed\\n' >> '{0}/f9.cnf'\nprintf 'c changed\\n' >> '{0}/f10.cnf'\necho s UNKNOWN\n",
        bench.display()
    );
    fs::write(&solver, script).unwrap();
    let plan = format!(
        "problem = \"cnf\"\nengines = \"sat@changing\"\nrepetitions = 3\n[[family]]\nfiles = \"bench/*.cnf\"\n\
         [solver.changing]\ncommand = [\"sh\", \"{}\"]\n",
        solver.display()
    );
    fs::write(experiment.path().join("plan.toml"), plan).unwrap();
    let output = experiment.run(&[]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    let records: Vec<Record> = experiment.records();
    assert_eq!(records.len(), 6, "every run has a record");
    let refused = |record: &&Record| {
        let reason = record.findings.reason.as_deref().unwrap_or_default();
        let file = record.params["file"].as_str().unwrap();
        record.findings.verdict == Some(Verdict::Failed)
            && reason.starts_with(&format!("{file}: is not the same file: its SHA-256 is "))
    };
    assert_eq!(records.iter().filter(refused).count(), 5, "{records:#?}");
}

/// A solver gets the bytes of a file that every solver reads alike, and otherwise a formula that was written anew. It
/// gets a copy, so it cannot change the user's file.
pub(crate) fn solvers_get_copies_of_plain_files() {
    let experiment = experiment("\"bench/*.cnf\"");
    let bench = experiment.path().join("bench");
    let plain = "c plain\np cnf 3 2\n1  -2 0 3\n0\n";
    fs::write(bench.join("f9.cnf"), plain).unwrap();
    fs::write(bench.join("f10.cnf"), "p cnf 2 1\n1 2 0\nc not plain\n").unwrap();
    let script = "cat \"$2\" >> \"$1/read\"; echo overwritten > \"$2\"; echo s UNKNOWN\n";
    fs::write(experiment.path().join("solver"), script).unwrap();
    let plan = format!(
        "problem = \"cnf\"\nengines = \"sat@spoiler\"\n[[family]]\nfiles = \"bench/*.cnf\"\n\
         [solver.spoiler]\ncommand = [\"sh\", \"{0}/solver\", \"{0}\", \"{{}}\"]\n",
        experiment.path().display()
    );
    fs::write(experiment.path().join("plan.toml"), plan).unwrap();
    let output = experiment.run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let read = fs::read_to_string(experiment.path().join("read")).unwrap();
    let [first, second] = [plain, "p cnf 2 1\n1 2 0\n"];
    assert!([format!("{first}{second}"), format!("{second}{first}")].contains(&read), "{read:?}");
    assert_eq!(fs::read_to_string(bench.join("f9.cnf")).unwrap(), plain);
}
