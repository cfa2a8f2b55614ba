//! `check` on files with malformed answers: it reports each with its position and continues.

use super::program::run;

const FLIP: &str = "bwwb\nbbwb\nbwwb\nbwww\n";

fn answer() -> String {
    run(&["solve", "flip", "--json"], FLIP.as_bytes()).1.trim_end().to_owned()
}

/// The reported positions.
fn places(err: &str) -> Vec<&str> {
    let errors = err.lines().filter_map(|line| line.strip_prefix("counterpoint: error: -:"));
    errors.map(|error| error.split(": ").next().unwrap()).collect()
}

#[test]
fn check_continues_after_a_malformed_answer() {
    let good = answer();
    let lines = [
        good.as_str(),
        "garbage",
        "{\"problem\": \"flip\",",
        &good,
        "{\"problem\": \"flop\"}",
        "{\"problem\": \"flip\"} ]",
        "[1, 2]",
        &good[..good.len() / 2],
        "[[[[[[[[[[[[[[[[[[",
        &"[".repeat(100_000),
        "\u{0}\u{1}",
        &good,
    ];
    let (status, out, err) = run(&["check", "-"], (lines.join("\n") + "\n").as_bytes());
    assert_eq!(status, 2, "{out}{err}");
    assert_eq!(out.matches(", checked\n").count(), 3, "{out}{err}");
    let lines: Vec<&str> = places(&err).into_iter().map(|place| place.split(':').next().unwrap()).collect();
    assert_eq!(lines, ["2", "3", "5", "6", "6", "7", "8", "9", "10", "11"], "{err}");
    assert!(places(&err).iter().all(|place| place.split(':').nth(1).unwrap().parse::<usize>().is_ok()));
}

#[test]
fn a_failed_claim_does_not_hide_a_malformed_answer() {
    let forged = answer().replace("\"presses\":[[", "\"presses\":[[4,4],[");
    let (status, out, err) = run(&["check", "-"], format!("{forged}\n{{\n{forged}\n").as_bytes());
    assert_eq!((status, out.matches("WRONG").count()), (2, 2), "{out}{err}");
    let (status, ..) = run(&["check", "-"], format!("{forged}\n").as_bytes());
    assert_eq!(status, 1);
}

#[test]
fn a_malformed_answer_over_many_lines_is_reported_once() {
    let value: serde_json::Value = serde_json::from_str(&answer()).unwrap();
    let pretty = format!("{value:#}");
    let broken = pretty.replacen("\"outcome\":", "\"outcome\"", 1);
    let place = broken.lines().position(|line| line.contains("\"outcome\"")).unwrap() + 1;
    let (status, out, err) = run(&["check", "-"], format!("{broken}\n{pretty}\n").as_bytes());
    assert_eq!((status, out.matches(", checked\n").count()), (2, 1), "{out}{err}");
    assert_eq!(places(&err).len(), 1, "{err}");
    assert!(places(&err)[0].starts_with(&format!("{place}:")), "{err}");
}

#[test]
fn a_board_is_not_an_answer() {
    for text in [FLIP, "6 6\n......\n", "hello\n", "c a comment\np cnf 1 1\n1 0\n"] {
        let (status, out, err) = run(&["check", "-"], text.as_bytes());
        assert_eq!((status, out.as_str(), err.lines().count()), (2, "", 1), "{err}");
        assert!(err.contains("-:1:1: this is not an answer"), "{err}");
    }
    let (_, _, err) = run(&["check", "-"], FLIP.as_bytes());
    assert!(err.contains("`solve --json`"), "{err}");
}
