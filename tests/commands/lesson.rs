//! `solve --page`: the pages of `examples/lessons` contain the clauses that `encode` writes, and instances that a page
//! cannot show are refused. The scripts of the pages are tested in a browser (`tests/browser`).

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const PROGRAM: &str = env!("CARGO_BIN_EXE_counterpoint");

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn counterpoint(args: &[&str]) -> Output {
    Command::new(PROGRAM).args(args).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap()
}

/// The data of a page.
fn data(page: &Path) -> Value {
    let text = fs::read_to_string(page).unwrap();
    assert!(!text.contains("/*DATA*/") && !text.contains("src="), "{}", page.display());
    let (_, behind) = text.split_once(r#"<script type="application/json" id="data">"#).unwrap();
    serde_json::from_str(behind.split("</script>").next().unwrap()).unwrap()
}

/// The clauses in the data of a page, in sorted order. The literals of each clause are sorted, too.
fn clauses_of(data: &Value) -> Vec<Vec<i64>> {
    let constraints = data["constraints"].as_array().unwrap().iter();
    let clauses = constraints.flat_map(|constraint| constraint["clauses"].as_array().unwrap());
    sorted(clauses.map(|lits| lits.as_array().unwrap().iter().map(|lit| lit.as_i64().unwrap()).collect()))
}

fn sorted(clauses: impl Iterator<Item = Vec<i64>>) -> Vec<Vec<i64>> {
    let mut clauses: Vec<Vec<i64>> = clauses.collect();
    clauses.iter_mut().for_each(|lits| lits.sort_unstable());
    clauses.sort();
    clauses
}

#[test]
fn the_set_for_a_class_contains_the_clauses_that_encode_writes() {
    let folder = folder("lessons");
    let make = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/lessons/make");
    let made = Command::new(make).arg(PROGRAM).arg(&folder).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let fleet = "fleet=examples/lessons/domino-and-tromino.txt";
    // A page shows a parity as one constraint. The clauses of this constraint are those that `encode` writes.
    for (name, problem, rule, engine) in [
        ("flip-2x2", "flip", "size=2x2", "sat:presses"),
        ("flip-3x3", "flip", "size=3x3", "sat:presses"),
        ("ships-3x3", "ships", fleet, "sat:placement/amo=pairwise/leaders=no"),
        ("spot-2x2", "spot", "lenient=no", "sat:path"),
        ("spot-2x2-squares", "spot", "lenient=no", "sat:toggles"),
    ] {
        let data = data(&folder.join(name).with_extension("html"));
        let input = format!("examples/lessons/{}.txt", name.trim_end_matches("-squares"));
        let output = counterpoint(&["encode", problem, &input, "-r", rule, "-e", engine]);
        let text = String::from_utf8(output.stdout).unwrap();
        let lines = text.lines().filter(|line| !line.starts_with(['c', 'p']));
        let numbers = |line: &str| line.split(' ').map(|n| n.parse().unwrap()).filter(|&n| n != 0).collect();
        let written = sorted(lines.map(numbers));
        assert!(written.len() > 20, "{name}: {text}");
        assert_eq!(clauses_of(&data), written, "{name}");
        assert_eq!(data["answer"]["satisfiable"], Value::Bool(true), "{name}");
        // Each group has a sentence. Only Flip minimises something: one literal demands each number of presses.
        let meanings = data["meanings"].as_array().unwrap();
        assert_eq!(meanings.len(), data["groups"].as_array().unwrap().len(), "{name}");
        assert!(meanings.iter().all(|words| words.as_str().unwrap().ends_with('.')), "{name}: {meanings:?}");
        let bounds = data["minimised"]["at_most"].as_array().map_or(0, Vec::len);
        assert_eq!(
            bounds,
            if problem == "flip" { data["variables"].as_array().unwrap().len() - 1 } else { 0 }
        );
        // Every variable is shown on some square, except those that compare boards.
        let squares = data["scene"].to_string();
        for (i, variable) in data["variables"].as_array().unwrap().iter().enumerate() {
            let shown = squares.contains(&format!("\"lit\":{},", i + 1));
            assert_ne!(shown, variable["name"].as_str().unwrap().contains("differ"), "{name}: {variable}");
        }
        // Variables are named by squares and moves, not by numbers of placements.
        let named = |words: &str| data["variables"].as_array().unwrap().iter().any(|v| v["name"] == words);
        let words = match name {
            "flip-2x2" | "flip-3x3" => "press r1c1",
            "ships-3x3" => "ship 2 on r1c2 r2c2 r3c2",
            "spot-2x2" => "move 2 makes xx/..",
            _ => "boards 1 and 3 differ at r2c1 (rotated 90°)",
        };
        assert!(named(words), "{name}: {}", data["variables"]);
    }
}

#[test]
fn other_encodings_have_lessons() {
    let folder = folder("lessons-by-others");
    let fleet = "fleet=examples/lessons/domino-and-tromino.txt";
    for (name, problem, rule, engine) in [
        ("flip-3x3", "flip", "size=3x3", "sat:nullspace"),
        ("ships-3x3", "ships", fleet, "sat:owner"),
        ("spot-2x2", "spot", "lenient=no", "sat:toggles"),
    ] {
        let (page, input) = (folder.join(format!("{problem}.html")), format!("examples/lessons/{name}.txt"));
        let output = counterpoint(&[
            "solve",
            problem,
            &input,
            "-r",
            rule,
            "-e",
            engine,
            "--page",
            page.to_str().unwrap(),
        ]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(data(&page)["engine"].as_str().unwrap().starts_with(engine));
    }
}

#[test]
fn the_clauses_that_count_presses_are_those_of_the_encoding_with_a_bound() {
    let page = folder("lessons-bound").join("page.html");
    let input = "examples/lessons/flip-3x3.txt";
    for (engine, goal, bounds) in
        [("sat:presses", "least", 9), ("sat:presses/card=sequential", "least", 9), ("sat:presses", "any", 0)]
    {
        let (rule, file) = (format!("goal={goal}"), page.to_str().unwrap());
        let args = ["solve", "flip", input, "-r", "size=3x3", "-r", &rule, "-e", engine, "--page", file];
        assert!(counterpoint(&args).status.success());
        let data = data(&page);
        let (minimised, base) = (&data["minimised"], clauses_of(&data));
        assert_eq!(minimised["at_most"].as_array().map_or(0, Vec::len), bounds, "{engine} {goal}");
        if bounds == 0 {
            continue;
        }
        // With the rule `within`, `encode` writes the same clauses, and the bound as one more.
        let args = ["encode", "flip", input, "-r", "size=3x3", "-r", "within=8", "-e", engine];
        let text = String::from_utf8(counterpoint(&args).stdout).unwrap();
        let lines = text.lines().filter(|line| !line.starts_with(['c', 'p']));
        let numbers = |line: &str| line.split(' ').map(|n| n.parse().unwrap()).filter(|&n| n != 0).collect();
        let bound = vec![minimised["at_most"][8].as_i64().unwrap()];
        let ours = base.into_iter().chain(clauses_of(minimised)).chain([bound]);
        assert_eq!(sorted(ours), sorted(lines.map(numbers)), "{engine}");
    }
}

#[test]
fn instances_that_cannot_be_shown_are_refused() {
    let folder = folder("lessons-refused");
    let page = folder.join("page.html");
    let refused = |args: &[&str]| {
        let output = counterpoint(&[&["solve"], args, &["--page", page.to_str().unwrap()]].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(!page.exists());
        String::from_utf8(output.stderr).unwrap()
    };
    let input = |name: &str, text: &str| {
        let file = folder.join(name);
        fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_owned()
    };
    let row = format!("{}\n", "b".repeat(40));
    let large = input("large.txt", &row.repeat(40));
    let said = refused(&["flip", &large]);
    assert!(said.contains("3201 squares to draw is too large for a page; the maximum is 1000"), "{said}");
    let sunflower = "sat:placement/adversary=sunflower";
    let said = refused(&["ships", "examples/lessons/ships-3x3.txt", "-e", sunflower, "-r", "misses=0"]);
    assert!(said.contains("a lesson shows one fleet; use adversary=enumerate"), "{said}");
    let two = input("two.txt", "bw\nww\n\nww\nwb\n");
    let said = refused(&["flip", &two, "-r", "size=2x2"]);
    assert!(
        said.contains("--page takes one game, but the input has several; choose one with --game"),
        "{said}"
    );
    let digits = input("digits.txt", "012\n210\n000\n");
    let said = refused(&["flip", &digits, "-r", "size=3x3", "-r", "colours=3"]);
    assert!(said.contains("does not support this instance: encodings support only two colours"), "{said}");
}
