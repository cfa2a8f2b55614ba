//! The encoder of experiment 020, in Python, against our own encodings.

use counterpoint::record::Record;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// The at-most-one encodings whose definitions agree.
const EQUAL: [&str; 5] = ["pairwise", "sequential", "bitwise", "commander", "bimander"];

const ENCODER: &str = "experiments/020-encoder-in-python/ships_amo.py";

/// What the program prints about a board, without comments.
fn printed(program: &mut Command, board: &Path) -> String {
    let output = program.stdin(fs::File::open(board).unwrap()).stderr(Stdio::inherit()).output().unwrap();
    assert!(output.status.success(), "{program:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter(|line| !line.starts_with('c')).flat_map(|line| [line, "\n"]).collect()
}

#[test]
fn equal_definitions_give_equal_formulas() {
    if Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: python3 is missing");
        return;
    }
    let board = Path::new(env!("CARGO_TARGET_TMPDIR")).join("encoder.txt");
    for (width, height, squares) in
        [(7, 4, "x......\n......o\n..x....\n.......\n"), (4, 3, "....\n..x.\n....\n")]
    {
        fs::write(&board, format!("{width} {height}\n{squares}0 0\n")).unwrap();
        let theirs = |amo| printed(Command::new("python3").args([ENCODER, amo]), &board);
        let ours = |amo| {
            let engine = format!("sat:placement/leaders=no/idle=placed/amo={amo}");
            let program = &mut Command::new(env!("CARGO_BIN_EXE_counterpoint"));
            printed(program.args(["encode", "ships", "-e", &engine]), &board)
        };
        for amo in EQUAL {
            assert!(theirs(amo) == ours(amo), "{amo} on {width}x{height}");
        }
        for (other, amo) in [("regular", "ladder"), ("nested-product", "product")] {
            assert!(theirs(other) != ours(amo), "{other} on {width}x{height}");
        }
    }
}

/// Equal formulas lead a solver along the same path, so all counters of its runs are equal.
#[test]
fn equal_definitions_have_equal_counters_in_the_records() {
    let mut runs: BTreeMap<[String; 3], Vec<Record>> = BTreeMap::new();
    for entry in fs::read_dir("experiments/020-encoder-in-python/results/main").unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|kind| kind != "jsonl") {
            continue;
        }
        for line in fs::read_to_string(path).unwrap().lines() {
            let record: Record = serde_json::from_str(line).unwrap();
            let solver = record.solver.clone().unwrap();
            let amo = record.axes["amo"].clone();
            runs.entry([amo, solver, record.instance_hash.clone()]).or_default().push(record);
        }
    }
    runs.retain(|[amo, ..], _| EQUAL.contains(&amo.as_str()));
    for (what, runs) in &runs {
        let [a, b] = &runs[..] else { panic!("{what:?}: {} runs", runs.len()) };
        assert_ne!(a.encoding, b.encoding);
        assert_eq!(
            (&a.findings.outcome, &a.findings.work),
            (&b.findings.outcome, &b.findings.work),
            "{what:?}"
        );
    }
    assert!(runs.len() >= 100, "{} pairs of runs", runs.len());
}
