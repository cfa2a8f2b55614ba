//! Replays the inputs that fuzzing has found, on the stable tool chain.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

use counterpoint_fuzz_checks::TARGETS;
use std::collections::BTreeSet;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

/// The most inputs of a corpus, and the longest, so that the replay stays short.
const MAX_FILES: usize = 60;
const MAX_BYTES: u64 = 2048;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is in a folder").join(name)
}

/// The names in a folder, sorted; none if it does not exist.
fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// Replays all inputs of a target in a folder, and returns their paths.
fn replay(folder: &Path, test: fn(&[u8]), faults: &mut Vec<String>) -> Vec<PathBuf> {
    let paths: Vec<PathBuf> = names(folder).iter().map(|name| folder.join(name)).collect();
    for path in &paths {
        let bytes = fs::read(path).unwrap();
        if catch_unwind(|| test(&bytes)).is_err() {
            faults.push(format!("{} fails", path.display()));
        }
    }
    paths
}

#[test]
fn every_input_passes() {
    let mut faults = Vec::new();
    for target in TARGETS {
        let corpus = replay(&folder("corpus").join(target.name), target.test, &mut faults);
        if !(1..=MAX_FILES).contains(&corpus.len()) {
            faults.push(format!("{} has {} inputs; expected 1 to {MAX_FILES}", target.name, corpus.len()));
        }
        for path in &corpus {
            let bytes = fs::metadata(path).unwrap().len();
            if bytes > MAX_BYTES {
                faults.push(format!("{} has {bytes} bytes; at most {MAX_BYTES}", path.display()));
            }
        }
        replay(&folder("crashes").join(target.name), target.test, &mut faults);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_corpus_and_every_program_has_a_target() {
    let known: BTreeSet<String> = TARGETS.iter().map(|target| target.name.to_owned()).collect();
    assert_eq!(known.len(), TARGETS.len(), "two targets have the same name");
    assert_eq!(names(&folder("corpus")), known);
    assert!(names(&folder("crashes")).is_subset(&known));
    let programs: BTreeSet<String> = known.iter().map(|name| format!("{name}.rs")).collect();
    assert_eq!(names(&folder("fuzz_targets")), programs);
    let manifest = fs::read_to_string(folder("Cargo.toml")).unwrap();
    for name in &known {
        assert!(manifest.contains(&format!("name = \"{name}\"\n")), "{name} is not in fuzz/Cargo.toml");
        let program = fs::read_to_string(folder("fuzz_targets").join(format!("{name}.rs"))).unwrap();
        assert!(program.contains(&format!("run(\"{name}\"")), "{name}.rs calls another target");
    }
}

#[test]
fn uniform_inputs_pass() {
    let inputs = [vec![], vec![0; 100], vec![255; 300], vec![b'1'; 64]];
    let fails = |test: fn(&[u8]), input: &Vec<u8>| catch_unwind(|| test(input)).is_err();
    let failing = TARGETS.iter().filter(|target| inputs.iter().any(|input| fails(target.test, input)));
    let failing: Vec<&str> = failing.map(|target| target.name).collect();
    assert!(failing.is_empty(), "{failing:?}");
}
