//! `stress --cnf`: accepted encodings, messages for faults, smallest boards, files, exit statuses.

use crate::samples::{is_thorough, some};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

const BINARY: &str = env!("CARGO_BIN_EXE_counterpoint");
const FLEET: &str = concat!("fleet=", env!("CARGO_MANIFEST_DIR"), "/examples/lessons/domino-and-tromino.txt");

/// Runs `stress --cnf` on a shell script in which `$E` is the binary's own encoder. Returns exit status, standard
/// output and standard error.
fn stress(problem: &str, args: &[&str], script: &str) -> (i32, String, String) {
    let script = script.replace("$E", &format!("'{BINARY}' encode {problem}"));
    let mut command = Command::new(BINARY);
    command.args(["stress", problem, "--cnf"]).args(args).args(["--", "sh", "-c", &script]);
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

/// A new folder for one test.
fn folder(name: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}

#[test]
fn other_encodings_of_ours_are_accepted() {
    let fleet = format!("$E -r {FLEET}");
    for (problem, args, script, tiny) in some([
        (
            "flip",
            vec!["-r", "size=2x3"],
            "$E -r size=2x3 -e sat:presses/xor=cut3",
            "all 64 tiny boards (of 2x3), ",
        ),
        (
            "ships",
            vec!["-r", FLEET],
            &format!("{fleet} -e sat:placement"),
            "all 1539 tiny boards (up to 6 squares), ",
        ),
        ("spot", vec![], "$E -e sat:toggles/amo=ladder", "tiny boards (legal records up to N = 2, "),
        (
            "flip",
            vec!["-r", "stencil=king", "-r", "size=3x2"],
            "$E -r stencil=king -r size=3x2",
            "all 64 tiny boards (of 3x2), ",
        ),
    ]) {
        let (status, out, err) = stress(problem, &[&["--count", "20"], &args[..]].concat(), script);
        assert_eq!((status, out.as_str()), (0, ""), "{err}");
        assert!(err.starts_with("accepted: ") && err.contains(tiny), "{err}");
        assert!(err.contains(" 20 random boards in "), "{err}");
    }
}

#[test]
fn the_standard_fleet_is_tested_on_thin_and_random_boards() {
    let (status, _, err) = stress(
        "ships",
        &["--count", "3", "--seconds", if is_thorough() { "5" } else { "1" }],
        "$E -e sat:placement",
    );
    assert_eq!(status, 0, "{err}");
    assert!(err.contains(" of 122 tiny boards (two rows or columns, "), "{err}");
}

#[test]
fn a_wrong_stencil_gives_a_smallest_board_and_the_clauses_that_exclude_it() {
    let (status, out, err) = stress("flip", &[], "$E -r stencil=torus");
    assert_eq!((status, out.as_str()), (1, "www\n"), "{err}");
    assert!(err.starts_with("extra model on tiny board 11\n"), "{err}");
    assert!(
        err.contains(
            "\nnumber of models: 2 of our formula, 8 of the program's formula\n\
             extra model, true variables: press r1c1\n"
        ),
        "{err}"
    );
    assert!(err.contains("\nclauses of our formula that forbid it:\n  parity of each square: if "), "{err}");
    // The drawing shows the press and the board after it, which is not of one colour.
    assert!(err.contains("\n  [w] w  w     b  b  w \n  presses     then\n"), "{err}");
    let again = err.lines().last().unwrap().strip_prefix("to repeat: counterpoint ").unwrap();
    let again = Command::new("sh").arg("-c").arg(format!("'{BINARY}' {again}")).output().unwrap();
    assert_eq!((again.status.code(), again.stdout), (Some(1), out.into_bytes()));
}

#[test]
fn a_missing_model_names_the_clauses_that_exclude_it() {
    // The last command adds a clause that forbids pressing both r1c1 and r1c2.
    let script = "$E -r size=2x2 | sed 's/^p cnf \\([0-9]*\\) \\([0-9]*\\)$/p cnf \\1 33/'; echo -1 -2 0";
    let (status, out, err) = stress("flip", &["-r", "size=2x2"], script);
    assert_eq!((status, out.as_str()), (1, "ww\nww\n"), "{err}");
    assert!(err.starts_with("missing model on tiny board 1\n"), "{err}");
    assert!(
        err.contains("\nmissing model, true variables: press r1c1, press r1c2, press r2c1, press r2c2\n"),
        "{err}"
    );
    assert!(err.contains("clauses of the program that forbid it:\n  line "), "{err}");
    assert!(err.contains(": not both press r1c1 and press r1c2\n"), "{err}");
}

#[test]
fn a_model_must_agree_with_the_cells_that_the_board_shows() {
    // In this formula, the variable of a known hit can be false.
    let script = "cat > /dev/null; echo 'c varname 1 covered r1c1'; echo 'p cnf 1 0'";
    let dir = folder("shown");
    let board = dir.join("board.txt");
    fs::write(&board, "3 2\nxxx\nxxo\n0 0\n").unwrap();
    let args = ["-r", FLEET, "--input", board.to_str().unwrap()];
    let (status, _, err) = stress("ships", &args, script);
    assert_eq!(status, 1, "{err}");
    assert!(err.starts_with("extra model on "), "{err}");
    assert!(err.contains("clauses of our formula that forbid it:\n  the board: covered r1c1\n"), "{err}");
}

#[test]
fn each_fault_has_its_message() {
    for (script, heading, more) in [
        ("exit 3", "run-time error (exit status 3) on tiny board 1", ""),
        ("$E; echo oops >&2; exit 3", "run-time error (exit status 3) on tiny board 1", "is 'oops'"),
        (
            "echo hello",
            "malformed formula on tiny board 1",
            "line 1 of its output: unexpected 'hello'; expected the header",
        ),
        ("$E | sed '/^p cnf/d'", "malformed formula on tiny board 1", "; expected the header"),
        ("$E | sed '$d'", "malformed formula on tiny board 1", "the header declares "),
        ("printf '\\377'", "malformed formula on tiny board 1", "line 1 of its output: unexpected '"),
        (
            "$E | sed 's/press r1c2/press r1 c2/'",
            "a cell without a variable on tiny board 3",
            "'press r1 c2'",
        ),
        ("$E | grep -v varname", "a cell without a variable on tiny board ", "c varname 1 press r1c1"),
    ] {
        let (status, out, err) = stress("flip", &["--count", "5"], script);
        assert_eq!(status, 1, "{script}: {err}");
        assert!(err.starts_with(heading) && err.contains(more), "{script}: {err}");
        assert!(!out.is_empty() && out.lines().count() <= 2, "{script}: {out}");
    }
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let run = |jobs: &str| stress("spot", &["-j", jobs], "$E -r symmetry=trivial");
    let (one, four) = (run("1"), run("4"));
    assert_eq!(one.0, 1, "{}", one.2);
    assert!(one.2.starts_with("extra model on tiny board "), "{}", one.2);
    // The moves are drawn, with the reason why they are wrong.
    assert!(one.2.contains("\n  the pattern after step "), "{}", one.2);
    assert_eq!(one, four);
}

#[test]
fn findings_are_saved_and_tried_first_the_next_time() {
    let dir = folder("kept-encodings");
    let saved = dir.to_str().unwrap();
    let (status, out, _) = stress("flip", &["--save", saved], "$E -r target=white");
    assert_eq!(status, 1);
    assert_eq!(fs::read_to_string(dir.join("tiny-0001-small.in")).unwrap(), out);
    assert!(fs::read_to_string(dir.join("tiny-0001-small.cnf")).unwrap().starts_with("c counterpoint cnf\n"));
    let (status, again, err) = stress("flip", &["--replay", saved], "$E -r target=white");
    assert_eq!((status, again), (1, out), "{err}");
    assert!(err.starts_with(&format!("missing model on {saved}/tiny-0001-small.in\n")), "{err}");
    let (status, _, err) =
        stress("flip", &["--replay", saved, "--count", "0", "-r", "size=1x1"], "$E -r size=1x1");
    assert_eq!(status, 0, "{err}");
    assert!(err.contains("2 boards of yours, all 2 tiny boards (of 1x1) in "), "{err}");
}

#[test]
fn usage_errors_are_reported() {
    for (args, message) in [
        (&["stress", "flip", "--cnf"][..], "no encoder to test: write its command after `--`"),
        (&["stress", "flip", "--cnf", "-r", "colours=3", "--", "true"], "encodings support only two colours"),
        (&["stress", "flip", "--cnf", "few", "--", "true"], "cannot be used with"),
        (&["stress", "flip", "--cnf", "--input", "/dev/null", "--", "true"], "/dev/null: contains no board"),
        (&["stress", "flip", "--cnf", "--", "no-such-encoder"], "program 'no-such-encoder' not found"),
    ] {
        let run = Command::new(BINARY).args(args).output().unwrap();
        let err = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(2), "{args:?}: {err}");
        assert!(err.contains(message), "{args:?}: {err}");
    }
}
