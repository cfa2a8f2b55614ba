//! `check --model`: the output of a solver must be consistent with itself, the file and the board.

use crate::export_common::{FLIP, SHIPS, encode, folder, read, run, solver};
use counterpoint::export::{Model, Verdict};

/// A model of a formula as a `v` line.
fn model(formula: &str) -> String {
    let mut solver = solver(&read(formula));
    assert!(solver.solve().unwrap());
    let model: Vec<_> = solver.model().unwrap().iter().map(|lit| lit.to_dimacs().to_string()).collect();
    format!("v {} 0\n", model.join(" "))
}

fn check(words: &str, formula: &str) -> (i32, String) {
    let dir = folder("solver-words");
    let [words_file, formula_file] = ["words", "formula"].map(|name| dir.join(name).display().to_string());
    std::fs::write(&words_file, words).unwrap();
    std::fs::write(&formula_file, formula).unwrap();
    let (status, out, err) = run(&["check", "--model", &words_file, &formula_file], "");
    (status, out + &err)
}

#[test]
fn a_solver_does_not_contradict_itself() {
    let parse = |text: &str| Model::parse(text, 3).map(|model| model.verdict);
    assert_eq!(parse("s SATISFIABLE\nv 1 -2\nv 3 0\n"), Ok(Verdict::Satisfiable));
    assert_eq!(parse("v x1 -x2 x3\n"), Ok(Verdict::Satisfiable));
    assert_eq!(parse("s UNSATISFIABLE\ns UNSATISFIABLE\n"), Ok(Verdict::Unsatisfiable));
    let error = |text: &str| parse(text).unwrap_err().to_string();
    assert_eq!(
        error("s SATISFIABLE\nv 1 0\ns UNSATISFIABLE\n"),
        "3: contradictory verdicts: 'SATISFIABLE', then 'UNSATISFIABLE'"
    );
    assert_eq!(
        error("s UNSATISFIABLE\nv 1 0\n"),
        "1: the verdict is 'UNSATISFIABLE', but the output has a model"
    );
    assert_eq!(error("v 1 0 2\n"), "1: unexpected '2' after the 0 that ends the model");
    assert_eq!(error("v 1 0\nv 2 0\n"), "2: unexpected '2 0' after the 0 that ends the model");
}

#[test]
fn a_false_optimum_and_a_false_refutation_are_wrong() {
    // The board needs 4 presses; a model of the wcnf file with more presses is not optimal.
    let formula = encode("flip", FLIP, &["--format", "wcnf"]);
    let any = model(&encode("flip", FLIP, &[]));
    let pressed =
        any.split(' ').filter(|word| word.parse().is_ok_and(|n: i32| (1..=16).contains(&n))).count();
    assert!(pressed > 4, "the test needs a model that is not optimal: {any}");
    let (status, out) = check(&format!("o {pressed}\ns OPTIMUM FOUND\n{any}"), &formula);
    assert_eq!(status, 1, "{out}");
    assert!(out.contains(&format!("failed      at least {pressed} presses are needed")), "{out}");
    // The same model is correct if optimality is not claimed.
    let (status, out) = check(&format!("o {pressed}\ns SATISFIABLE\n{any}"), &formula);
    assert_eq!(status, 0, "{out}");
    for (problem, board, finds) in
        [("flip", FLIP, "search:algebra finds 4 presses"), ("ships", SHIPS, "search:cover finds yes")]
    {
        let (status, out) = check("s UNSATISFIABLE\n", &encode(problem, board, &[]));
        assert_eq!(status, 1, "{out}");
        assert!(out.contains(&format!("failed      the formula has no model ({finds})")), "{out}");
    }
    let impossible = encode("flip", "bbbb\nbwbb\nbbbb\nbbbb\n", &[]);
    let (status, out) = check("s UNSATISFIABLE\n", &impossible);
    assert_eq!(status, 0, "{out}");
    assert!(out.contains("open        the formula has no model"), "{out}");
}
