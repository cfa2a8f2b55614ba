//! `stress` names causes: the true one, no other, and none where none is known.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

const BINARY: &str = env!("CARGO_BIN_EXE_counterpoint");

/// Puts the binary's own judge, changed by a shell in which it is `$J`, under stress: exit status and standard error.
fn against(problem: &str, args: &[&str], script: &str) -> (i32, String) {
    let script = script.replace("$J", &format!("'{BINARY}' judge {problem}"));
    let mut command = Command::new(BINARY);
    command.args(["stress", problem]).args(args).args(["--", "sh", "-c", &script]);
    let ran = command.output().unwrap();
    (ran.status.code().unwrap(), String::from_utf8(ran.stderr).unwrap())
}

/// The causes that are named.
fn causes(told: &str) -> Vec<&str> {
    told.lines().filter_map(|line| line.strip_prefix("cause: ")).collect()
}

/// An empty folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}

#[test]
fn faults_of_form_are_named() {
    for (problem, script, fault) in [
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
    ] {
        let (status, told) = against(problem, &[], script);
        assert_eq!((status, causes(&told)), (1, vec![&*format!("the program {fault}")]), "{script}: {told}");
    }
}

#[test]
fn faults_that_are_much_alike_are_told_apart() {
    for (problem, script, faults) in [
        ("flip", "$J | sed 's/[56]/Impossible/'", &["looks no further than four presses"][..]),
        ("flip", "$J | sed 's/6/Impossible/'", &["looks no further than five presses"]),
        ("spot", "$J | sed 's/.*/Draw/'", &["finds no repeat, so that every game is a draw"]),
        ("ships", "$J | sed 's/yes/no/'", &["says no to every board"]),
        ("ships", "$J | sed 's/no/yes/'", &["says yes to every board"]),
        ("ships", "$J | sed 's/yes/?/; s/no/yes/; s/?/no/'", &["says yes for no and no for yes"]),
        // It prints what no fault of ours does.
        ("flip", "$J | sed 's/1/7/'", &[]),
    ] {
        let (status, told) = against(problem, &[], script);
        let faults: Vec<_> = faults.iter().map(|fault| format!("the program {fault}")).collect();
        let none = vec!["unknown; no known bug gives these outputs".to_owned()];
        let wanted = if faults.is_empty() { none } else { faults };
        assert_eq!(
            (status, causes(&told)),
            (1, wanted.iter().map(String::as_str).collect()),
            "{script}: {told}"
        );
    }
}

#[test]
fn a_single_input_is_not_all_the_evidence() {
    let file = folder("stress-evidence").join("board.txt");
    fs::write(&file, "bbbw\nwwww\nwwwb\nwwbw\n").unwrap();
    let (_, told) = against("flip", &["--input", file.to_str().unwrap()], "$J | sed 's/[56]/Impossible/'");
    assert_eq!(causes(&told), ["the program looks no further than four presses"], "{told}");
    let (_, told) = against("flip", &["many", "--count", "40"], "$J | sed 's/[56]/Impossible/'");
    assert_eq!(causes(&told), ["the program looks no further than four presses"], "{told}");
}

#[test]
fn a_header_read_the_other_way_is_a_cause() {
    // Both end in an error on the first board that is no square.
    for (given, other) in [("uva", "poj"), ("poj", "uva")] {
        let (status, told) = against("ships", &["--dialect", given], &format!("$J --dialect {other}"));
        assert!(status == 1 && told.starts_with("run-time error"), "{told}");
        let wanted = format!("the program reads headers as in --dialect {other}");
        assert_eq!(causes(&told), [wanted.as_str()], "{told}");
    }
    let (_, told) = against("ships", &[], "exit 1");
    assert!(causes(&told).is_empty(), "{told}");
}

#[test]
fn under_other_rules_no_cause_is_claimed_or_denied() {
    let (status, told) = against("spot", &["-r", "symmetry=d4"], "$J");
    assert_eq!(
        (status, causes(&told)),
        (1, vec!["unknown; bugs are only known under the judge's rules and board sizes"])
    );
}

#[test]
fn the_nearest_known_fault_is_named_where_none_matches() {
    // White boards only, but for one answer.
    let (status, told) = against("flip", &[], "$J -r target=white | sed 's/^7$/6/; s/^6$/9/'");
    assert_eq!((status, causes(&told)), (1, vec!["unknown; no known bug gives all these outputs"]), "{told}");
    let near = told.lines().find_map(|line| line.strip_prefix("nearest: ")).unwrap();
    let near = near.strip_prefix("white-only (the program looks for white boards only) agrees on ").unwrap();
    let numbers: Vec<usize> = near.split(' ').filter_map(|word| word.parse().ok()).collect();
    assert!(near.ends_with(" inputs") && numbers[0] < numbers[1] && 2 * numbers[0] > numbers[1], "{near}");
    let families = told.lines().find_map(|line| line.strip_prefix("wrong answers by family: ")).unwrap();
    assert!(families.split(", ").all(|family| family.contains(" of ")), "{families}");
    assert!(told.contains("\n         it differs on: "), "{told}");
    // What is unlike all of them has none that is near.
    let (_, told) = against("flip", &[], "$J | sed 's/1/7/'");
    assert!(!told.contains("nearest: "), "{told}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_header_read_the_other_way_is_a_cause_of_a_slow_program_too() {
    // It hangs where many squares are covered.
    let script = "f=$(cat); if [ $(printf %s \"$f\" | tr -cd . | wc -c) -gt 60 ]; then while :; do :; done; fi; \
                  printf '%s\\n' \"$f\" | $J --dialect poj";
    let (status, told) = against("ships", &["--time-limit", "1s"], script);
    assert_eq!(status, 1, "{told}");
    assert_eq!(causes(&told), ["the program reads headers as in --dialect poj"], "{told}");
}
