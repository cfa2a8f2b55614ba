//! Forged records, proofs and answers of cubes are refused by name.

use crate::cubes::{assert_says, check, cubes, folder, proved, whole};
use crate::experiment::Experiment;
use counterpoint::record::{Check, Record};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

/// Removes the record of the whole, changes the others, and puts the results together again.
fn assembled_again(change: impl FnOnce(&Experiment, &mut Vec<Value>)) -> (Experiment, Record) {
    let experiment = proved(6);
    assert_eq!(experiment.run(&[]).status.code(), Some(0));
    experiment.edit(|records| {
        records.retain(|record| record.get("cube").is_some());
        records.sort_by_key(|record| record["cube"].as_str().unwrap().to_owned());
        change(&experiment, records);
    });
    experiment.run(&[]);
    let record = whole(&experiment);
    (experiment, record)
}

pub(crate) fn forged_results_of_cubes_are_refused() {
    let reason = |record: &Record| record.findings.reason.clone().unwrap_or_default();
    let (_, record) = assembled_again(|_, _| ());
    assert!(record.is_solved());
    // Exchanged cubes.
    let (_, record) = assembled_again(|_, records| {
        let literals = [1, 3].map(|i: usize| records[i]["literals"].clone());
        records[1]["literals"] = literals[1].clone();
        records[3]["literals"] = literals[0].clone();
    });
    assert_eq!(record.findings.check, Some(Check::Wrong));
    assert!(
        reason(&record)
            .starts_with("the formula has no model: failed: cube 2/6: its record is about the cube '"),
        "{}",
        reason(&record)
    );
    // A proof of another cube in the record, and in the file.
    let (_, record) = assembled_again(|_, records| records[1]["proof"] = records[3]["proof"].clone());
    assert!(
        reason(&record).ends_with("cube 2/6: its record names cube-4.drat, a proof of another case"),
        "{}",
        reason(&record)
    );
    let (_, record) = assembled_again(|experiment, records| {
        let file = |name: &str| folder_of(experiment, &records[0]).join(name);
        fs::copy(file("cube-4.drat"), file("cube-2.drat")).unwrap();
    });
    assert!(
        reason(&record).ends_with("cube 2/6: cube-2.drat is not the proof that was checked"),
        "{}",
        reason(&record)
    );
    // A missing proof, and a claim without a proof, leave the answer open.
    let (experiment, record) = assembled_again(|experiment, records| {
        fs::remove_file(folder_of(experiment, &records[0]).join("cube-5.drat")).unwrap();
    });
    assert_eq!(record.findings.check, Some(Check::Open));
    assert!(reason(&record).ends_with("cube 5/6: its proof cube-5.drat is missing"), "{}", reason(&record));
    assert_says(&check(&experiment), 0, "(there is no proof cube-5.drat)\n");
    let (_, record) = assembled_again(|_, records| {
        records[2]["check"] = json!("open");
        records[2]["reason"] = json!("proving met the CPU limit");
    });
    assert_eq!(record.findings.check, Some(Check::Open));
    assert!(reason(&record).ends_with("open: cube 3/6: proving met the CPU limit"), "{}", reason(&record));
    // A cube without a record is solved again.
    let (experiment, record) = assembled_again(|_, records| drop(records.remove(4)));
    assert!(record.is_solved());
    assert_eq!(cubes(&experiment).len(), 6);
    // The number of the cube belongs to the key.
    let (experiment, _) = assembled_again(|_, records| records[0]["cube"] = json!("2/6"));
    let status = experiment.command("status", &[]).output().unwrap();
    assert_says(&status, 0, "cube is \"2/6\"; in the plan, the run of this key has \"1/6\"; not counted");
}

/// The folder of the cubes, before the whole has its record.
fn folder_of(experiment: &Experiment, _: &Value) -> PathBuf {
    let mut folders = fs::read_dir(experiment.results().join("cubes")).unwrap();
    folders.next().unwrap().unwrap().path()
}

/// `check` trusts nothing that stands in the folder of an answer.
pub(crate) fn forged_folders_of_cubes_are_refused() {
    let experiment = proved(6);
    assert_eq!(experiment.run(&[]).status.code(), Some(0));
    let folder = folder(&experiment);
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let answer: Value = serde_json::from_str(&read("answer.json")).unwrap();
    let with = |change: &dyn Fn(&mut Value), status: i32, text: &str| {
        let mut changed = answer.clone();
        change(&mut changed);
        fs::write(folder.join("answer.json"), changed.to_string()).unwrap();
        assert_says(&check(&experiment), status, text);
    };
    with(&|_| (), 0, "answer 1: unsatisfiable, checked\n");
    fn cases(answer: &mut Value) -> &mut Vec<Value> {
        answer["cubes"]["cases"].as_array_mut().unwrap()
    }
    let forget = |answer: &mut Value| {
        cases(answer).iter_mut().for_each(|case| case["proof"] = Value::Null);
        answer["cubes"]["cover"] = Value::Null;
    };
    // A missing cube: the others do not cover all cases.
    with(
        &|answer| {
            forget(answer);
            cases(answer).truncate(5);
        },
        1,
        "failed      the formula has no model: the 5 cubes cover all cases (proof line ",
    );
    // Exchanged cubes, with and without the hashes of their proofs.
    with(
        &|answer| cases(answer).swap(1, 4),
        1,
        "cube 2/6 (cube-2.drat is not the proof that the answer names)",
    );
    with(
        &|answer| {
            forget(answer);
            cases(answer).swap(0, 4);
        },
        1,
        "failed      the formula has no model: cube 1/6 (",
    );
    with(&|answer| cases(answer)[2]["cube"] = json!([]), 2, "\"cubes\": cube 3/6: the cube is empty");
    with(
        &|answer| cases(answer)[2]["cube"] = json!([1, 99]),
        2,
        "\"cubes\": cube 3/6: unexpected literal 99; the formula has the variables 1 to 56",
    );
    with(
        &|answer| cases(answer)[3]["cube"] = cases(answer)[1]["cube"].clone(),
        2,
        "\"cubes\": cube 4/6: the cube repeats cube 2",
    );
    with(&|answer| cases(answer)[0]["cube"] = json!("1"), 2, "\"cubes\": cube 1/6: its literals are missing");
    with(
        &|answer| answer["cubes"]["claim"] = json!("the formula has a model"),
        2,
        "\"cubes\": no proof is needed for the claim 'the formula has a model'",
    );
    // Files.
    fs::write(folder.join("answer.json"), answer.to_string()).unwrap();
    fs::write(folder.join("cube-7.drat"), "0\n").unwrap();
    assert_says(&check(&experiment), 1, "cube-7.drat is a proof of a cube (the answer has 6 cubes)");
    fs::remove_file(folder.join("cube-7.drat")).unwrap();
    let icnf = read("cubes.icnf");
    fs::write(folder.join("cubes.icnf"), icnf.replacen("a 1 ", "a 2 ", 1)).unwrap();
    assert_says(
        &check(&experiment),
        1,
        "cubes.icnf contains the cubes of the answer (its cubes are different)",
    );
    // The worker refuses a file of cubes that is not about its formula.
    fs::write(folder.join("cubes.icnf"), format!("{icnf}a 57 0\n")).unwrap();
    experiment.edit(Vec::clear);
    let output = experiment.run(&[]);
    assert_says(&output, 2, "cubes.icnf:8:3: unexpected literal 57; the formula has the variables 1 to 56");
}
