//! The causes that `stress` names: only the true one, and none if no known fault matches.

use crate::samples::{is_thorough, some};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

const BINARY: &str = env!("CARGO_BIN_EXE_counterpoint");

/// Runs `stress` on a shell script in which `$J` is the binary's own judge. Returns exit status and standard error.
fn against(problem: &str, args: &[&str], script: &str) -> (i32, String) {
    let script = script.replace("$J", &format!("'{BINARY}' judge {problem}"));
    let mut command = Command::new(BINARY);
    command.args(["stress", problem]).args(args).args(["--", "sh", "-c", &script]);
    let ran = command.output().unwrap();
    (ran.status.code().unwrap(), String::from_utf8(ran.stderr).unwrap())
}

/// The causes in the output.
fn causes(output: &str) -> Vec<&str> {
    output.lines().filter_map(|line| line.strip_prefix("cause: ")).collect()
}

/// A new folder for one test.
fn folder(name: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}

#[test]
fn format_faults_are_named() {
    for (problem, script, fault) in some([
        ("flip", "cat >/dev/null", "prints nothing"),
        ("spot", "$J | sed -n 1p", "answers only the first game"),
        ("spot", "$J | sed '$d'", "does not answer the last game"),
        ("spot", "$J | tr DP dp", "prints upper-case letters instead of lower-case ones, or vice versa"),
        (
            "flip",
            "$J | sed 's/$/./'",
            "prints the right letters and digits, but other punctuation or spaces between them",
        ),
        ("ships", "$J | sed '/Game/d'", "prints the right lines, but omits some"),
        ("spot", "echo Hello; $J", "prints the right lines, and others among them"),
        ("spot", "$J | sed 's/^/Answer: /'", "prints the right lines, but with more words in them"),
    ]) {
        let (status, err) = against(problem, &[], script);
        assert_eq!((status, causes(&err)), (1, vec![&*format!("the program {fault}")]), "{script}: {err}");
    }
}

#[test]
fn similar_faults_are_distinguished() {
    for (problem, families, script, faults) in some([
        ("flip", &["many"][..], "$J | sed 's/[56]/Impossible/'", &["looks no further than four presses"][..]),
        ("flip", &["many"], "$J | sed 's/6/Impossible/'", &["looks no further than five presses"]),
        ("spot", &[], "$J | sed 's/.*/Draw/'", &["finds no repeat, so that every game is a draw"]),
        ("ships", &[], "$J | sed 's/yes/no/'", &["says no to every board"]),
        ("ships", &[], "$J | sed 's/no/yes/'", &["says yes to every board"]),
        (
            "ships",
            &[],
            "$J | sed 's/yes/?/; s/no/yes/; s/?/no/'",
            &["says yes instead of no, and no instead of yes"],
        ),
        // No known fault prints this.
        ("flip", &["many"], "$J | sed 's/1/7/'", &[]),
    ]) {
        let (status, err) = against(problem, families, script);
        let faults: Vec<_> = faults.iter().map(|fault| format!("the program {fault}")).collect();
        let none = vec!["unknown; no known bug gives these outputs".to_owned()];
        let wanted = if faults.is_empty() { none } else { faults };
        assert_eq!(
            (status, causes(&err)),
            (1, wanted.iter().map(String::as_str).collect()),
            "{script}: {err}"
        );
    }
}

#[test]
fn causes_are_tested_on_more_than_one_input() {
    let file = folder("stress-evidence").join("board.txt");
    fs::write(&file, "bbbw\nwwww\nwwwb\nwwbw\n").unwrap();
    let (_, err) = against("flip", &["--input", file.to_str().unwrap()], "$J | sed 's/[56]/Impossible/'");
    assert_eq!(causes(&err), ["the program looks no further than four presses"], "{err}");
    if !is_thorough() {
        return;
    }
    let (_, err) = against("flip", &["many", "--count", "40"], "$J | sed 's/[56]/Impossible/'");
    assert_eq!(causes(&err), ["the program looks no further than four presses"], "{err}");
}

#[test]
fn a_header_read_the_other_way_is_a_cause() {
    // Either program ends with an error on the first board that is not square.
    for (given, other) in [("uva", "poj"), ("poj", "uva")] {
        let (status, err) = against("ships", &["--dialect", given], &format!("$J --dialect {other}"));
        assert!(status == 1 && err.starts_with("run-time error"), "{err}");
        let wanted = format!("the program reads headers as in --dialect {other}");
        assert_eq!(causes(&err), [wanted.as_str()], "{err}");
    }
    let (_, err) = against("ships", &[], "exit 1");
    assert!(causes(&err).is_empty(), "{err}");
}

#[test]
fn under_other_rules_no_cause_is_named_or_excluded() {
    let (status, err) = against("spot", &["-r", "symmetry=d4"], "$J");
    assert_eq!(
        (status, causes(&err)),
        (1, vec!["unknown; the known bugs apply only to the judge's rules and board sizes"])
    );
}

#[test]
fn the_nearest_known_fault_is_named_if_none_matches() {
    // Like the fault `white-only`, except that the answers 6 and 7 become 9.
    let (status, err) = against("flip", &[], "$J -r target=white | sed 's/^7$/6/; s/^6$/9/'");
    assert_eq!((status, causes(&err)), (1, vec!["unknown; no known bug gives all these outputs"]), "{err}");
    let near = err.lines().find_map(|line| line.strip_prefix("nearest: ")).unwrap();
    let near = near.strip_prefix("white-only (the program looks for white boards only) agrees on ").unwrap();
    let numbers: Vec<usize> = near.split(' ').filter_map(|word| word.parse().ok()).collect();
    assert!(near.ends_with(" inputs") && numbers[0] < numbers[1] && 2 * numbers[0] > numbers[1], "{near}");
    let families = err.lines().find_map(|line| line.strip_prefix("wrong answers by family: ")).unwrap();
    assert!(families.split(", ").all(|family| family.contains(" of ")), "{families}");
    assert!(err.contains("\n         it differs on: "), "{err}");
    if !is_thorough() {
        return;
    }
    // If no fault agrees more often than the reference does, there is no nearest fault.
    let (_, err) = against("flip", &[], "$J | sed 's/1/7/'");
    assert!(!err.contains("nearest: "), "{err}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_header_read_the_other_way_is_a_cause_of_a_slow_program_too() {
    // This program hangs if more than 60 squares are unknown.
    let script = "f=$(cat); if [ $(printf %s \"$f\" | tr -cd . | wc -c) -gt 60 ]; then while :; do :; done; fi; \
                  printf '%s\\n' \"$f\" | $J --dialect poj";
    let (status, err) = against("ships", &["--time-limit", "1s"], script);
    assert_eq!(status, 1, "{err}");
    assert_eq!(causes(&err), ["the program reads headers as in --dialect poj"], "{err}");
}
