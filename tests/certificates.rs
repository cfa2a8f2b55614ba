//! Every certificate that is kept holds, claim by claim, and no claim of it is open.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn kept(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/certificates").join(folder);
    let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries.filter(|path| path.extension().is_some_and(|e| e == "json")).collect();
    files.sort();
    files
}

#[test]
fn certificates_hold() {
    assert!(!kept("").is_empty() && !kept("long").is_empty(), "there are certificates");
    for file in kept("") {
        let out = Command::new(env!("CARGO_BIN_EXE_counterpoint")).arg("check").arg(&file).output().unwrap();
        let told = String::from_utf8(out.stdout).unwrap();
        let first = told.lines().next().unwrap_or_default();
        assert!(
            out.status.success() && first.ends_with(", checked"),
            "{}: {told}{}",
            file.display(),
            String::from_utf8_lossy(&out.stderr)
        );
    }
}

/// A repository takes them all in.
#[test]
fn certificates_are_small() {
    for file in kept("").into_iter().chain(kept("long")) {
        let bytes = fs::metadata(&file).unwrap().len();
        assert!(bytes <= 300_000, "{} has {bytes} bytes", file.display());
    }
}
