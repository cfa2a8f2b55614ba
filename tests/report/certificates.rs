//! The certificates in the repository: `check` leaves no claim open. Those in the folder `long` take too long for a
//! test; `.ci/run certificates` checks them. Those in the folder `minutes` take longer still; `tests/flip/bases.rs` checks
//! a part of them.

use crate::samples::some;
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
    assert!(!kept("").is_empty() && !kept("long").is_empty(), "there should be certificates");
    for file in some(kept("")) {
        let out = Command::new(env!("CARGO_BIN_EXE_counterpoint")).arg("check").arg(&file).output().unwrap();
        let printed = String::from_utf8(out.stdout).unwrap();
        let first = printed.lines().next().unwrap_or_default();
        assert!(
            out.status.success() && first.ends_with(", checked"),
            "{}: {printed}{}",
            file.display(),
            String::from_utf8_lossy(&out.stderr)
        );
    }
}

/// All certificates are in the repository, so each must be small.
#[test]
fn certificates_are_small() {
    for file in ["", "long", "minutes"].into_iter().flat_map(kept) {
        let bytes = fs::metadata(&file).unwrap().len();
        assert!(bytes <= 300_000, "{} has {bytes} bytes", file.display());
    }
}

/// A claim says what it is about, so that it can be quoted without its file.
#[test]
fn claims_name_board_group_stencil_and_target() {
    for (file, words) in [
        ("spot-forcing-limit-3-counted.json", "3x3, symmetry c4, start counted: player "),
        ("spot-value-4-d4-judge.json", "4x4, symmetry d4, start uncounted: player "),
        ("spot-longest-3-d4.json", "3x3, symmetry d4, start uncounted: a game of "),
        ("spot-rules-3.json", "3x3, symmetry c4, start uncounted: move "),
        ("flip-all-ones-3-colours.json", "2x2, plus, 3 colours: no presses turn every square once"),
        ("flip-hardest-either-18.json", "2x2, plus, 2 colours, target either: some board needs 2 presses"),
        ("ships-misses-empty-3x10.json", "3x10, 7 ships, turned, misses 2: the listed sets are distinct"),
        ("ships-fewest-o-2-misses-6-cells.json", "8 sets over 6 cells, misses 2: the plan uncovers"),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/certificates").join(file);
        let out = Command::new(env!("CARGO_BIN_EXE_counterpoint")).arg("check").arg(path).output().unwrap();
        let printed = String::from_utf8(out.stdout).unwrap();
        assert!(printed.contains(words), "{file}: {printed}");
        let about = words.split_once(':').unwrap().0.split_once(',').unwrap().1;
        let claims = printed.lines().skip(1);
        assert!(claims.into_iter().all(|line| line.contains(about)), "{file}: {printed}");
    }
}
