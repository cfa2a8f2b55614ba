//! `compact`: the files of a set become one, whatever happens meanwhile.

use super::experiment::{Experiment, said, wait_until};
use crate::samples::some;
use counterpoint::record::Record;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The files with records.
fn segments(experiment: &Experiment) -> Vec<PathBuf> {
    let entries = fs::read_dir(experiment.results()).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.extension().is_some_and(|e| e == "jsonl")).collect()
}

fn records(experiment: &Experiment) -> BTreeMap<String, Record> {
    experiment.records().into_iter().map(|record| (record.key.clone(), record)).collect()
}

pub(crate) fn a_set_becomes_one_file() {
    let experiment = Experiment::of(r#"["search:even"]"#, "[1, 2]", "");
    assert_eq!(experiment.run(&[]).status.code(), Some(0));
    let plan = experiment.path().join("plan.toml");
    let text = fs::read_to_string(&plan).unwrap().replace("[1, 2]", "[1, 2, 3]");
    fs::write(plan, text).unwrap();
    assert_eq!(experiment.run(&[]).status.code(), Some(0));
    assert_eq!(segments(&experiment).len(), 2);
    let status = || said(&experiment.command("status", &[]).output().unwrap());
    let (before, shown) = (records(&experiment), status());
    let output = experiment.command("compact", &[]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let name = segments(&experiment)[0].file_name().unwrap().to_string_lossy().into_owned();
    let folder = experiment.path().file_name().unwrap().to_string_lossy().into_owned();
    assert_eq!(
        said(&output),
        format!("{folder} set 'main': 2 files became {name}, with 3 lines and records of 3 runs\n")
    );
    assert_eq!((segments(&experiment).len(), records(&experiment), status()), (1, before, shown));
    let again = said(&experiment.command("compact", &[]).output().unwrap());
    assert_eq!(again, format!("{folder} set 'main' has 1 file already\n"));
    assert!(said(&experiment.run(&[])).contains("all 3 runs"));
    let none = experiment.command("compact", &["--set", "other"]).output().unwrap();
    assert_eq!(none.status.code(), Some(2));
    assert!(said(&none).contains("set 'other' has no records to compact"), "{}", said(&none));
    // An empty folder of records is no different.
    std::fs::create_dir_all(experiment.results().with_file_name("empty")).unwrap();
    let empty = experiment.command("compact", &["--set", "empty"]).output().unwrap();
    assert_eq!(empty.status.code(), Some(2));
    assert!(said(&empty).contains("set 'empty' has no records to compact"), "{}", said(&empty));
}

pub(crate) fn a_damaged_copy_of_a_line_replaces_no_record() {
    let experiment = Experiment::of(r#"["search:even"]"#, "\"0..=2\"", "");
    assert_eq!(experiment.run(&[]).status.code(), Some(0));
    let segment = segments(&experiment).pop().unwrap();
    let text = fs::read_to_string(segment).unwrap();
    let line = text.lines().next().unwrap();
    let damaged = format!("{}\n", line.replacen("\"outcome\":", "\"outcome\":7,\"was\":", 1));
    assert_ne!(damaged.trim(), line);
    // Both are read before the segment: a damaged copy, and a whole one.
    fs::write(experiment.results().join("0.jsonl"), damaged).unwrap();
    fs::write(experiment.results().join("1.jsonl"), format!("{line}\n")).unwrap();
    let output = experiment.command("compact", &[]).output().unwrap();
    assert!(said(&output).contains("3 files became"), "{}", said(&output));
    assert!(said(&output).contains("with 4 lines"), "{}", said(&output));
    assert!(said(&output).contains("1 repeated line"), "{}", said(&output));
    // Nothing is left to run.
    assert!(said(&experiment.run(&[])).contains("all 3 runs"), "{}", said(&experiment.run(&[])));
}

pub(crate) fn a_set_that_a_process_works_on_is_refused() {
    let experiment = Experiment::of(r#"["search:slow"]"#, "\"0..=299\"", "");
    let mut runner = experiment.start(&[]);
    wait_until(|| {
        experiment.results().join("queue/alive").read_dir().is_ok_and(|mut all| all.next().is_some())
    });
    let output = experiment.command("compact", &[]).output().unwrap();
    runner.kill().unwrap();
    runner.wait().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("works on this set; end it first"), "{}", said(&output));
}

pub(crate) fn a_link_between_files_of_a_set_is_refused() {
    let experiment = Experiment::of(r#"["search:even"]"#, "[1, 2]", "");
    assert_eq!(experiment.run(&[]).status.code(), Some(0));
    let sorted = || {
        let mut files = experiment.files();
        files.sort();
        files
    };
    let before = sorted();
    let segment = segments(&experiment).pop().unwrap();
    let name = segment.file_name().unwrap();
    let elsewhere = experiment.path().join("elsewhere.jsonl");
    symlink(experiment.results().join(name), &elsewhere).unwrap();
    for (link, target) in [("0.jsonl", Path::new(name)), ("zz.jsonl", &segment), ("zz.jsonl", &elsewhere)] {
        let link = experiment.results().join(link);
        symlink(target, &link).unwrap();
        let output = experiment.command("compact", &[]).output().unwrap();
        let expected = format!("{} is a symbolic link to {}, so ", link.display(), name.display());
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(said(&output).contains(&expected), "{}", said(&output));
        fs::remove_file(&link).unwrap();
    }
    fs::remove_file(elsewhere).unwrap();
    assert_eq!(sorted(), before);
    // A link to a file outside becomes a part of the set, and the file stays.
    let moved = experiment.path().join("moved.jsonl");
    fs::rename(&segment, &moved).unwrap();
    symlink(&moved, &segment).unwrap();
    symlink(&moved, experiment.results().join("zz.jsonl")).unwrap();
    assert_eq!(experiment.command("compact", &[]).output().unwrap().status.code(), Some(0));
    assert!(moved.is_file());
    assert_eq!((segments(&experiment).len(), experiment.lines()), (1, 2));
}

pub(crate) fn killed_processes_lose_and_double_no_record() {
    let experiment = Experiment::of(r#"["search:even"]"#, "1", "");
    assert_eq!(experiment.run(&[]).status.code(), Some(0));
    let first = experiment.record("even");
    // Records of runs that are not in the plan.
    let text = |file: usize| -> String {
        let line = |i: usize| {
            let (key, attempt) = (format!("{file}.{i}"), format!("made-up.{file}.{i}"));
            serde_json::to_string(&Record { key, attempt, ..first.clone() }).unwrap() + "\n"
        };
        (0..200).map(line).collect()
    };
    let texts: Vec<String> = (0..8).map(text).collect();
    let divide = || {
        for (file, text) in texts.iter().enumerate() {
            fs::write(experiment.results().join(format!("{file}.jsonl")), text).unwrap();
        }
    };
    divide();
    let status = || said(&experiment.command("status", &[]).output().unwrap());
    let (before, shown) = (records(&experiment), status());
    assert_eq!(before.len(), 1601);
    for delay in some(0..16) {
        divide();
        let mut process = experiment.command("compact", &[]).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(3 * delay));
        process.kill().unwrap();
        process.wait().unwrap();
        assert_eq!((records(&experiment), status()), (before.clone(), shown.clone()), "{delay}");
    }
    assert_eq!(experiment.command("compact", &[]).output().unwrap().status.code(), Some(0));
    assert_eq!((segments(&experiment).len(), records(&experiment), status()), (1, before, shown));
    assert_eq!(experiment.lines(), 1601);
    let left = fs::read_dir(experiment.results()).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(left.into_iter().all(|name| !name.to_string_lossy().starts_with("new-")));
}
