//! Cubes that reach a limit are split into halves: whatever happens meanwhile, the same halves are solved, and the answer
//! is that of a plan without limits.

use crate::cubes::{assert_says, check, cubes, folder, whole};
use crate::experiment::{Experiment, said, wait_until};
use counterpoint::record::{Check, Record, Verdict};
use serde_json::{Value, json};
use std::fs;

/// Eight pigeons in seven holes, in four cubes with so much work each that some of them are split.
fn plan(work: &str) -> Experiment {
    Experiment::new(&format!(
        "problem = \"cnf\"\nengines = [\"sat\"]\ncubes = 4\ncertify = true\nkeep = \"all\"\n{work}\n[[family]]\n\
         name = \"pigeonhole\"\npigeons = 8\n"
    ))
}

fn limited() -> Experiment {
    plan("limits = { work = 1000 }")
}

/// The records of cubes, of halves and of the whole, in order.
fn essence(experiment: &Experiment) -> Vec<impl PartialEq + std::fmt::Debug + use<>> {
    let mut records = cubes(experiment);
    records.push(whole(experiment));
    let essence = |Record { key, cube, split_of, findings: f, .. }: Record| {
        (key, cube, split_of, f.verdict, f.outcome, f.check, f.reason, f.literals, f.proof, f.work)
    };
    records.into_iter().map(essence).collect()
}

fn is_split(record: &Record) -> bool {
    record.findings.verdict == Some(Verdict::Limit)
}

pub(crate) fn cubes_at_a_limit_are_split() {
    let experiment = limited();
    let output = experiment.run(&["-j", "2"]);
    let (whole, cubes) = (whole(&experiment), cubes(&experiment));
    assert!(whole.is_solved(), "{}\n{whole:?}", said(&output));
    let (split, leaves): (Vec<_>, Vec<_>) = cubes.iter().partition(|record| is_split(record));
    let depth = |record: &Record| record.cube_number().unwrap().halves().len();
    assert!(cubes.iter().any(|record| depth(record) == 2), "{}", cubes.len());
    assert_eq!(leaves.len(), 4 + split.len());
    assert_says(
        &output,
        0,
        &format!("sat:plain: {0} of {0} refuted; {1} split into halves\n", leaves.len(), split.len()),
    );
    // Each half has one more literal than its cube, and the halves of a cube differ in its sign.
    let literals = |number: &str| -> Vec<i32> {
        let record = cubes.iter().find(|record| record.cube.as_deref() == Some(number)).unwrap();
        let text = record.findings.literals.clone().unwrap_or_default();
        text.split_whitespace().map(|lit| lit.parse().unwrap()).collect()
    };
    for parent in split.iter().filter_map(|record| record.cube_number()) {
        let [one, other] = parent.split().map(|half| literals(&half.to_string()));
        if let (Some((last, one)), Some((other_last, other))) = (one.split_last(), other.split_last()) {
            assert_eq!((one, *last), (other, -other_last), "{parent}");
        }
    }
    for half in cubes.iter().filter(|record| depth(record) > 0) {
        let original = half.cube_number().unwrap().original().to_string();
        let original = cubes.iter().find(|record| record.cube.as_ref() == Some(&original)).unwrap();
        assert_eq!(half.split_of.as_ref(), Some(&original.key));
    }
    // The work of cubes that were split is counted, too.
    let conflicts = |record: &Record| record.findings.work["conflicts"];
    assert_eq!(conflicts(&whole), cubes.iter().map(conflicts).sum::<u64>());
    let status = experiment.command("status", &["--verify"]).output().unwrap();
    assert_says(&status, 0, "1 of 1 runs have records\n");
    assert_says(&status, 0, "verified: 1 answers match their records\n");
    let csv = experiment.command("status", &["--records", "csv"]).output().unwrap();
    assert_eq!(said(&csv).lines().count(), 2, "{}", said(&csv));
    assert_eq!(experiment.command("report", &[]).output().unwrap().status.code(), Some(0));
    assert_says(&experiment.run(&[]), 0, "all 5 runs of ");
    // If pilots were submitted, a table shows the records of each node. It counts every half.
    fs::create_dir(experiment.results().join("slurm")).unwrap();
    fs::write(experiment.results().join("slurm/pilot.sh"), "").unwrap();
    let text = said(&experiment.command("status", &[]).output().unwrap());
    let row = text.lines().skip_while(|line| !line.trim_start().starts_with("node ")).nth(2).unwrap();
    assert_eq!(row.split_whitespace().nth(1), Some((cubes.len() + 1).to_string().as_str()), "{text}");
    let checked = check(&experiment);
    assert_says(&checked, 0, "answer 1: unsatisfiable, checked\n");
    for leaf in &leaves {
        let number = leaf.cube.as_ref().unwrap();
        assert_says(&checked, 0, &format!("proved      the formula has no model: cube {number}\n"));
    }
    assert_says(&checked, 0, &format!("the {} cubes cover all cases\n", leaves.len()));
    assert_says(&checked, 0, "recomputed  cubes.icnf contains the cubes of the answer\n");
    // Without limits, the answer is the same.
    let unlimited = plan("");
    assert_eq!(unlimited.run(&["-j", "2"]).status.code(), Some(0));
    let findings = self::whole(&unlimited).findings;
    let answer =
        |f: &counterpoint::record::Findings| (f.verdict, f.outcome.clone(), f.check, f.reason.clone());
    assert_eq!(answer(&whole.findings), answer(&findings));
    assert_eq!(whole.cubes, self::whole(&unlimited).cubes);
}

pub(crate) fn killed_runners_lose_no_half() {
    let undisturbed = limited();
    assert_eq!(undisturbed.run(&[]).status.code(), Some(0));
    let expected = essence(&undisturbed);
    let experiment = limited();
    for records in [1, 4, 6, 8] {
        let mut runner = experiment.start(&["-j", "2"]);
        wait_until(|| experiment.lines() >= records);
        runner.kill().unwrap();
        runner.wait().unwrap();
    }
    // Halves that a killed runner has not queued are found in the records.
    let _ = fs::remove_dir_all(experiment.results().join("queue"));
    let mut other = experiment.start(&["-j", "1"]);
    let output = experiment.run(&["-j", "1"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(other.wait().unwrap().success());
    assert_eq!(essence(&experiment), expected);
    assert_says(&check(&experiment), 0, "answer 1: unsatisfiable, checked\n");
}

/// A set without the record of the whole, after `change` of the other records; and what `run` says.
fn assembled_again(change: impl FnOnce(&mut Vec<Value>)) -> (Experiment, String, Record) {
    let experiment = limited();
    assert_eq!(experiment.run(&["-j", "2"]).status.code(), Some(0));
    experiment.edit(|records| {
        records.retain(|record| record.get("cube").is_some());
        change(records);
    });
    let output = said(&experiment.run(&[]));
    let whole = whole(&experiment);
    (experiment, output, whole)
}

/// The indices of the two halves of a cube that are both refuted, the first half first.
fn halves(records: &[Value]) -> [usize; 2] {
    let at = |number: &str| records.iter().position(|r| r["cube"] == number && r["outcome"] == "refuted");
    let parent = records.iter().filter(|record| record["verdict"] == "limit");
    let numbers = parent.map(|record| {
        let number = record["cube"].as_str().unwrap().split('/').next().unwrap();
        [1, 2].map(|half| at(&format!("{number}.{half}/4")))
    });
    let found = numbers.into_iter().find_map(|[one, other]| Some([one?, other?]));
    found.unwrap()
}

pub(crate) fn forged_halves_are_refused() {
    let reason = |record: &Record| record.findings.reason.clone().unwrap_or_default();
    // Exchanged halves.
    let mut name = String::new();
    let (_, _, record) = assembled_again(|records| {
        let [one, other] = halves(records);
        name = records[one]["cube"].as_str().unwrap().to_owned();
        let literals = records[one]["literals"].clone();
        records[one]["literals"] = std::mem::replace(&mut records[other]["literals"], literals);
    });
    assert_eq!(record.findings.check, Some(Check::Wrong));
    let expected = format!("cube {name}: its record is about the cube '");
    assert!(reason(&record).contains(&expected), "{}", reason(&record));
    assert!(reason(&record).contains(", but halves-"), "{}", reason(&record));
    // The proof of the other half.
    let (_, _, record) = assembled_again(|records| {
        let [one, other] = halves(records);
        name = records[one]["cube"].as_str().unwrap().to_owned();
        records[one]["proof"] = records[other]["proof"].clone();
    });
    assert_eq!(record.findings.check, Some(Check::Wrong));
    assert!(reason(&record).contains(&format!("cube {name}: its record names cube-")), "{}", reason(&record));
    // Half of another cube: the key says of which cube it is.
    let (_, output, record) = assembled_again(|records| {
        let [one, other] = halves(records);
        records[one]["cube"] = records[other]["cube"].clone();
    });
    assert!(output.contains(": key is \""), "{output}");
    assert!(record.is_solved(), "{record:?}");
    let (_, output, record) = assembled_again(|records| {
        let [one, _] = halves(records);
        let number = records[one]["cube"].as_str().unwrap().to_owned();
        let other = records.iter().find(|record| {
            let cube = record["cube"].as_str().unwrap();
            !cube.contains('.') && !number.starts_with(&cube[..1])
        });
        records[one]["split_of"] = other.unwrap()["key"].clone();
    });
    assert!(output.contains("in the plan, the run of this key has \"a half of "), "{output}");
    assert!(record.is_solved(), "{record:?}");
    // A missing half is solved again.
    let (experiment, _, record) = assembled_again(|records| {
        let [one, _] = halves(records);
        records.remove(one);
    });
    assert!(record.is_solved(), "{record:?}");
    let answer = folder(&experiment).join("answer.json");
    let text = fs::read(&answer).unwrap();
    let json: Value = serde_json::from_slice(&text).unwrap();
    let cases = |answer: &Value| answer["cubes"]["cases"].as_array().unwrap().clone();
    let at = cases(&json).iter().position(|case| case["number"].as_str().unwrap().contains(".1/")).unwrap();
    let number = cases(&json)[at]["number"].as_str().unwrap().to_owned();
    let with = |change: &dyn Fn(&mut Vec<Value>), status: i32, expected: &str| {
        let mut changed = json.clone();
        change(changed["cubes"]["cases"].as_array_mut().unwrap());
        fs::write(&answer, changed.to_string()).unwrap();
        assert_says(&check(&experiment), status, expected);
    };
    let missing = |cases: &mut Vec<Value>| drop(cases.remove(at));
    with(&missing, 2, &format!("\"cubes\": cube {number} is missing"));
    let exchanged = |cases: &mut Vec<Value>| {
        let cube = cases[at]["cube"].clone();
        cases[at]["cube"] = std::mem::replace(&mut cases[at + 1]["cube"], cube);
    };
    with(&exchanged, 1, &format!("failed      the formula has no model: cube {number} ("));
    let renamed = |cases: &mut Vec<Value>| cases[at]["number"] = json!("3");
    with(
        &renamed,
        2,
        &format!("\"cubes\": the number of case {} is '3'; expected the number of a cube", at + 1),
    );
    // The numbers are right, but one half has another literal, so the cubes do not cover all cases.
    let other = |cases: &mut Vec<Value>| {
        let lits = cases[at]["cube"].as_array_mut().unwrap();
        let free = (1..=56).find(|v| lits.iter().all(|lit| lit.as_i64().unwrap().abs() != *v));
        *lits.last_mut().unwrap() = free.unwrap().into();
        cases.iter_mut().for_each(|case| case["proof"] = Value::Null);
    };
    let n = cases(&json).len();
    with(&other, 1, &format!("failed      the formula has no model: the {n} cubes cover all cases ("));
    fs::write(&answer, text).unwrap();
    assert_says(&check(&experiment), 0, "answer 1: unsatisfiable, checked\n");
    // Without the files of the halves, no half can be checked.
    let experiment = limited();
    assert_eq!(experiment.run(&["-j", "2"]).status.code(), Some(0));
    for entry in fs::read_dir(folder(&experiment)).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.file_name().unwrap().to_string_lossy().starts_with("halves-") {
            fs::remove_file(entry).unwrap();
        }
    }
    experiment.edit(|records| records.retain(|record| record.get("cube").is_some()));
    assert_says(&experiment.run(&[]), 2, ".icnf is missing");
}

pub(crate) fn a_set_of_cubes_becomes_one_file() {
    let undisturbed = limited();
    assert_eq!(undisturbed.run(&[]).status.code(), Some(0));
    let experiment = limited();
    for records in [2, 5] {
        let mut runner = experiment.start(&[]);
        wait_until(|| experiment.lines() >= records);
        runner.kill().unwrap();
        runner.wait().unwrap();
    }
    let compact = || {
        let files = || {
            let all = fs::read_dir(experiment.results()).unwrap().map(|entry| entry.unwrap().path());
            all.filter(|path| path.extension().is_some_and(|e| e == "jsonl")).count()
        };
        let status = || said(&experiment.command("status", &[]).output().unwrap());
        let proofs = || {
            let folder = fs::read_dir(experiment.results().join("cubes")).unwrap().next().unwrap().unwrap();
            let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
            let mut found: Vec<_> = names.map(|path| (fs::read(&path).unwrap(), path)).collect();
            found.sort();
            found
        };
        let (records, shown, kept, segments) = (cubes(&experiment), status(), proofs(), files());
        let output = experiment.command("compact", &[]).output().unwrap();
        assert_says(&output, 0, &format!("{segments} files became "));
        assert_eq!((cubes(&experiment), status(), proofs(), files()), (records, shown, kept, 1));
    };
    compact();
    // The experiment goes on.
    assert_says(&experiment.run(&["-j", "2"]), 0, " split into halves\n");
    assert_eq!(essence(&experiment), essence(&undisturbed));
    let record = whole(&experiment);
    compact();
    assert_eq!(whole(&experiment), record);
    assert_says(&experiment.run(&[]), 0, "all 5 runs of ");
    assert_says(&check(&experiment), 0, "answer 1: unsatisfiable, checked\n");
    let verified = experiment.command("status", &["--verify"]).output().unwrap();
    assert_says(&verified, 0, "verified: 1 answers match their records\n");
}
