//! `stress cnf`: tests of SAT solvers. A formula can have several models, so outputs are judged.

use crate::programs::{against, folder, stress};
use crate::samples::some;
use std::fs;

/// Runs `stress cnf` on a shell script in which `$J` is a correct solver.
fn solver(args: &[&str], script: &str) -> (i32, String, String) {
    against(args, "cnf", script)
}

/// A script that edits the clauses by an awk program, in whose main part each line is a clause, before they are solved.
/// The program sets `m` to the number of clauses and `c` to their texts.
fn reads(edit: &str) -> String {
    format!(
        "awk 'NR == 1 {{ n = $3; next }} {edit} END {{ print \"p cnf\", n, m + 0; for (i = 0; i < m; i++) print c[i] }}' | $J"
    )
}

/// A script that edits what a correct solver prints, and ends with its status.
fn prints(edit: &str) -> String {
    format!("r=$($J); s=$?; printf '%s\\n' \"$r\" | {edit}; exit $s")
}

#[test]
fn correct_solvers_are_accepted() {
    // The last one prints no values of variables that occur in no clause.
    let used = "tee in | $J >out; s=$?; sed 1d in | tr -s ' -' '\\n\\n' >used; \
                grep ^s out; if [ $s = 10 ]; then for l in $(grep ^v out | tr -d v); do \
                if grep -qx -- \"${l#-}\" used || [ $l = 0 ]; then echo \"v $l\"; fi; done; fi; exit $s";
    let used = format!("cd $(mktemp -d '{}/XXXXXX'); {used}", folder("stress-cnf-used").display());
    for script in ["$J", "$J -e search:dpll", "echo c by; $J -e sat@batsat", &used] {
        let (status, out, err) = solver(&["--count", "40"], script);
        assert_eq!((status, out.as_str()), (0, ""), "{script}: {err}");
        assert!(err.starts_with("accepted: 40 inputs"), "{script}: {err}");
    }
    let (status, _, err) = solver(&["hard", "--count", "3"], "$J");
    assert!(status == 0 && err.starts_with("accepted: 3 inputs"), "{err}");
}

#[test]
fn known_bugs_are_named() {
    for (script, cause) in some([
        (reads("NR > 2 { c[m++] = kept } { kept = $0 }"), "ignores the last clause"),
        (reads("NR > 2 { c[m++] = $0 }"), "ignores the first clause"),
        (reads("NF != 2 { c[m++] = $0 }"), "ignores clauses of one literal"),
        (reads("NF != 1 { c[m++] = $0 }"), "ignores empty clauses"),
        (reads("{ gsub(/-/, \"\"); c[m++] = $0 }"), "ignores minus signs"),
        (reads("NF > 4 { $0 = $1 \" \" $2 \" \" $3 \" 0\" } { c[m++] = $0 }"), {
            "reads only the first three literals of a clause"
        }),
        (prints("grep -v ^v"), "prints `s SATISFIABLE` without a model"),
        (prints("sed '/^v/ s/ 0$//'"), "does not end the model with 0"),
        (prints("sed 's/^s //'"), "prints SATISFIABLE and UNSATISFIABLE without `s` before them"),
        (prints("sed 's/^v //'"), "prints the model without `v` before it"),
        (prints("sed 's/ -[0-9]*//g'"), "omits the variables that are false from the model"),
        ("$J; exit 0".to_owned(), "ends with exit status 0 instead of 10 or 20"),
        ("$J; exit $((30 - $?))".to_owned(), "confuses the exit statuses 10 and 20"),
        ("cat >/dev/null; echo s UNSATISFIABLE; exit 20".to_owned(), "calls every formula unsatisfiable"),
        ("cat >/dev/null".to_owned(), "prints nothing"),
    ]) {
        let (status, out, err) = solver(&[], &script);
        assert_eq!(status, 1, "{script}: {err}");
        assert!(err.contains(&format!("cause: the program {cause}\n")), "{script}: {err}");
        assert_eq!(err.matches("cause: ").count(), 1, "{script}: {err}");
        assert!(out.starts_with("p cnf ") && out.lines().count() < 8, "{script}: {out}");
    }
}

#[test]
fn the_report_says_why_an_output_is_wrong() {
    let dir = folder("stress-cnf-why");
    let file = dir.join("two.cnf");
    fs::write(&file, "p cnf 3 2\n1 -2 0\n2 0\n").unwrap();
    for (script, why) in some([
        ("echo s UNSATISFIABLE; exit 20", "the formula has a model"),
        ("echo s SATISFIABLE; exit 10", "its output has no complete model: v lines that end with 0"),
        ("printf 's SATISFIABLE\\nv 1 -2 0\\n'; exit 10", {
            "the printed model makes no literal of clause 2 true: 2 0"
        }),
        ("printf 's SATISFIABLE\\nv 2 0\\n'; exit 10", {
            "the printed model makes no literal of clause 1 true: 1 -2 0"
        }),
        ("printf 's SATISFIABLE\\nv 1 2 0\\n'; exit 20", "its exit status is 20; expected 10"),
        ("printf 's SATISFIABLE\\nv 1 2 4 0\\n'; exit 10", {
            "its output, line 2: found 'v 1 2 4 0'; expected literals of 3 variables, and 0"
        }),
        ("echo hello", "its output, line 1: found 'hello'; expected a line that begins with s, v or c"),
    ]) {
        // Other formulas, such as smaller ones, are answered correctly.
        let script = format!(
            "f=$(cat); if [ \"$f\" = \"$(cat '{}')\" ]; then {script}; else printf '%s\\n' \"$f\" | $J; fi",
            file.display()
        );
        let (status, _, err) = solver(&["--input", file.to_str().unwrap()], &script);
        assert_eq!(status, 1, "{script}: {err}");
        assert!(err.contains(&format!("\nit is wrong: {why}\n")), "{script}: {err}");
    }
    // Variable 3 occurs in no clause, so it needs no value.
    let script = "cat >/dev/null; printf 's SATISFIABLE\\nv 1 2 0\\n'; exit 10";
    let (status, _, err) = solver(&["--input", file.to_str().unwrap()], script);
    assert_eq!(status, 0, "{err}");
    for (script, verdict) in [
        ("exit 1", "run-time error (exit status 1)"),
        ("$J; kill -SEGV $$", "run-time error (signal 11, SIGSEGV)"),
        ("$J; exit 3", "run-time error (exit status 3)"),
    ] {
        let (status, _, err) = solver(&["--count", "3"], script);
        assert!(status == 1 && err.starts_with(&format!("{verdict} on input ")), "{script}: {err}");
    }
}

#[test]
fn a_failing_formula_is_shrunk_saved_and_found_again() {
    let dir = folder("stress-cnf-saved");
    // This solver drops clauses of more than two literals.
    let script = reads("NF < 4 { c[m++] = $0 }");
    let run = |jobs: &str| solver(&["random", "--save", dir.to_str().unwrap(), "-j", jobs], &script);
    let (one, two) = (run("1"), run("2"));
    assert_eq!(one, two, "the result must not depend on the number of threads");
    let (status, out, err) = one;
    assert_eq!(status, 1, "{err}");
    // All that is left is one clause whose literals the solver makes false.
    assert_eq!(out, "p cnf 3 1\n1 2 3 0\n");
    assert!(
        err.contains("\nshrunk in ") && err.contains("to repeat: counterpoint stress cnf random --seed 1 ")
    );
    let mut names: Vec<_> = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names.len(), 4, "{names:?}");
    let replay = ["--replay", dir.to_str().unwrap(), "--count", "0"];
    assert_eq!(solver(&replay, &script).0, 1);
    // Another model is no difference to the saved output.
    let (status, _, err) = solver(&replay, "$J -e search:dpll");
    assert!(status == 0 && err.starts_with("accepted: 2 inputs"), "{err}");
}

#[test]
fn a_solver_that_does_not_know_is_not_wrong() {
    let unknown = "cat >/dev/null; echo s UNKNOWN";
    let (status, _, err) = solver(&["--count", "20"], unknown);
    assert_eq!(status, 0, "{err}");
    assert!(err.starts_with("no wrong answer: 20 inputs in "), "{err}");
    assert!(err.ends_with("; the program did not know the answer to 20 of them\n"), "{err}");
    // Some solvers end with a status of their own.
    let (status, _, err) = solver(&["--count", "20"], &format!("{unknown}; exit 15"));
    assert!(status == 0 && err.contains("did not know the answer to 20 of them"), "{err}");
}

#[test]
#[cfg(target_os = "linux")]
fn limits_are_enforced() {
    let (status, _, err) = solver(&["--count", "3", "--time-limit", "100ms"], "while :; do :; done");
    assert_eq!(status, 1);
    assert!(err.starts_with("time limit exceeded on input 1 (tiny)"), "{err}");
}

#[test]
fn options_for_boards_are_rejected() {
    for (args, message) in [
        (&["cnf", "--cnf", "--", "true"][..], {
            "cnf has no encoders, because its instances are formulas; omit --cnf to test a solver"
        }),
        (&["cnf", "--package", "package"], {
            "cnf has no package for contests: an input can have several right outputs"
        }),
    ] {
        let (status, out, err) = stress(args);
        assert_eq!((status, out.as_str()), (2, ""), "{err}");
        assert!(err.contains(message), "{err}");
    }
    let (status, out, _) = stress(&["cnf", "--list"]);
    assert_eq!(status, 0);
    for name in ["tiny", "pigeonhole", "last-clause", "exit-0"] {
        assert!(out.contains(&format!("\n {name} ")), "{out}");
    }
    assert!(!out.contains("lines-left-out"), "{out}");
}
