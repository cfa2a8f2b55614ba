//! Tests of the program: output, exit status, messages, files.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

pub(crate) const FLIP: &str = "bwwb\nbbwb\nbwwb\nbwww\n";

/// Runs the program on `input`: exit status, standard output, standard error.
pub(crate) fn run(args: &[&str], input: &str) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_counterpoint"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that ends early does not read all of its input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

/// An empty folder for one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

#[test]
fn judge_prints_earlier_answers_and_exits_with_2() {
    for engine in ["search", "sat"] {
        let (status, out, err) = run(&["judge", "flip", "-e", engine], &format!("{FLIP}{FLIP}bwwq\n"));
        assert_eq!((status, out.as_str()), (2, "4\n4\n"));
        assert_eq!(err, "counterpoint: error: -:9:4: 'q' is not a square; use 'b' or 'w'\n");
    }
    let (status, out, err) = run(&["judge", "flip"], "");
    assert_eq!((status, out.as_str()), (0, ""));
    assert!(err.starts_with("counterpoint: warning: -:1:1: the input is empty"), "{err}");
}

#[test]
fn usage_errors_exit_with_2_and_suggest_a_remedy() {
    for (args, words) in [
        (&["judge", "flop"][..], "no problem is called 'flop'; did you mean 'flip'?"),
        (&["judge", "flip", "-e", "sat:preses"], "did you mean 'sat:presses'?"),
        (&["judge", "flip", "-r", "stencl=king"], "no rule is called 'stencl'; did you mean 'stencil'?"),
        (&["judge", "flip", "-r", "stencil=kng"], "rule stencil has no value 'kng'; it takes plus, king"),
        (&["judge", "flip", "--dialect", "poj"], "not apply: flip has no rule called 'dialect'"),
        (&["judge", "flip", "/does/not/exist"], "/does/not/exist: cannot be read"),
        (&["judge", "flip", "/"], "/: cannot be read"),
        (&["solve", "flip", "-e", "search:*"], "'search:*' matches 4 engines; expected one"),
        (&["solve", "flip", "--game", "7"], "there is no game 7"),
        (
            &["solve", "flip", "-e", "search:first-row", "-r", "stencil=king"],
            "does not support this instance",
        ),
        (&["study", "ships", "cuont"], "ships has no question 'cuont'; did you mean 'count'?"),
        (&["generate", "flip", "random", "n=4", "-r", "size=6x6"], "say 4x4, the rule size says 6x6"),
        (&["study", "flip", "parity"], "flip has no question 'parity'"),
        (&["study", "ships", "count", "x=3"], "'x' is neither a parameter of count nor a rule"),
        (&["study", "ships", "count", "w=-1"], "w has no value '-1'; it takes a whole number from 0 to 32"),
        (&["generate", "ships", "hard", "n=8.5"], "parameter n has no value '8.5'; it takes a whole number"),
        (&["study", "spot", "classes", "a.txt"], "classes takes no input file, found 'a.txt'"),
        (&["study", "spot", "classes", "a", "n=2", "b"], "expected one file, found 'a' and 'b'"),
        (&["study", "spot", "classes", "symmetry=d5"], "rule symmetry has no value 'd5'"),
        (&["encode", "flip", "-e", "search"], "search:algebra is not a SAT engine"),
        (&["generate", "flip", "rnadom"], "did you mean 'random'?"),
        (&["generate", "flip", "random", "m=3"], "no parameter is called 'm'"),
        (
            &["generate", "flip", "random", "n=0"],
            "parameter n has no value '0'; it takes a whole number from 1 to 16384",
        ),
        (&["check", "/does/not/exist"], "/does/not/exist: cannot be read"),
        (&["frobnicate"], "unrecognized subcommand"),
    ] {
        let (status, _, err) = run(args, FLIP);
        assert_eq!(status, 2, "{args:?}: {err}");
        assert!(err.contains(words), "{args:?}: {err}");
    }
}

#[test]
fn solve_then_check_through_a_pipe() {
    for extra in [&[][..], &["--certify"], &["-e", "sat"], &["-e", "search:bfs", "--certify"]] {
        let two = format!("{FLIP}bbbb\nbwbb\nbbbb\nbbbb\n");
        let (status, json, err) = run(&[&["solve", "flip", "--json"], extra].concat(), &two);
        // Lines about proofs and their times go to standard error, not into the answer.
        let timed =
            err.lines().all(|line| ["proof that", "all claims checked"].iter().any(|w| line.contains(w)));
        assert_eq!((status, timed, json.lines().count()), (0, true, 2), "{extra:?}: {err}");
        assert_eq!(err.is_empty(), !extra.contains(&"--certify"));
        let (status, out, _) = run(&["check", "-"], &json);
        assert_eq!((status, out.matches(", checked\n").count()), (0, 2), "{out}");
        assert_eq!(out.contains("proved"), extra.contains(&"--certify"), "{out}");
    }
}

#[test]
fn check_refuses_forgeries_with_1_and_broken_files_with_2() {
    let (_, json, _) = run(&["solve", "flip", "--json", "--certify"], FLIP);
    let (status, out, _) = run(&["check", "-"], &json.replace("\"presses\":[[", "\"presses\":[[4,4],["));
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("failed"), "{out}");
    let drat = json.split("\"drat\":\"").nth(1).unwrap().split('"').next().unwrap();
    let (status, out, _) = run(&["check", "-"], &json.replace(drat, "0\\n"));
    assert_eq!(status, 1);
    assert!(out.contains("proof line 1: the clause does not follow by unit propagation"), "{out}");
    let (status, out, _) =
        run(&["check", "-"], &json.replace("at least 4 presses are needed\",\"drat", "nonsense\",\"drat"));
    assert_eq!(status, 1);
    assert!(out.contains("this proof belongs to no claim of the answer"), "{out}");
    // Every proof must be valid, even a second one for the same claim, or one for a claim that needs none.
    for (claim, drat) in [
        ("at least 4 presses are needed", "0\\n"),
        ("at least 4 presses are needed", "268435456 0\\n"),
        ("the presses make the board white", "garbage"),
        ("x\\n  proved      all is well\\u001b[2J", "0\\n"),
    ] {
        let second = format!("\"proofs\":[{{\"claim\":\"{claim}\",\"drat\":\"{drat}\"}},");
        let (status, out, _) = run(&["check", "-"], &json.replace("\"proofs\":[", &second));
        assert_eq!((status, out.contains("WRONG")), (1, true), "{claim} {drat}: {out}");
        assert!(!out.contains("\n  proved      all") && !out.contains('\x1b'), "{out}");
    }
    // If a proof is given in several formats, it must be valid in each.
    let (status, out, _) = run(&["check", "-"], &json.replace("\"drat\":", "\"lrat\":\"garbage\",\"drat\":"));
    assert_eq!((status, out.contains("unexpected 'garbage'; expected a clause number")), (1, true), "{out}");
    for (text, words) in [
        ("", "-: expected an answer, found an empty file"),
        ("{", "-:1:2: the answer ends early"),
        ("[1]", "-:1:1: this is not an answer; `check` reads files written by `solve --json` or"),
        ("{\"problem\": \"flop\"}", "no problem is called 'flop'"),
        ("{\"problem\": \"flip\", \"version\": 99}", "\"version\" is not 1"),
        (&json.replace("\"stencil\":\"plus\"", "\"stencil\":\"plum\""), "rule stencil has no value 'plum'"),
        (
            &json.replace("instance_hash\":\"", "instance_hash\":\"0"),
            "\"instance_hash\" is not the hash of the instance",
        ),
        (&json.replace("bwwb\\n", "bwqb\\n"), "instance:1:3: 'q' is not a square"),
    ] {
        let (status, _, err) = run(&["check", "-"], text);
        assert_eq!(status, 2, "{text}: {err}");
        assert!(err.contains(words), "{text}: {err}");
    }
}

#[test]
fn check_reads_the_folder_of_a_saved_answer() {
    let dir = folder("saved");
    let name = dir.to_str().unwrap();
    let (status, ..) = run(&["solve", "flip", "--certify", "--save", name], FLIP);
    assert_eq!(status, 0);
    for file in ["instance.txt", "answer.json", "picture.svg", "formula.cnf", "proof.drat"] {
        assert!(dir.join(file).exists(), "{file}");
    }
    let (status, out, _) = run(&["check", name], "");
    assert_eq!(status, 0);
    assert!(out.contains("proved      at least 4 presses are needed"), "{out}");
    std::fs::write(dir.join("proof-7.drat"), "").unwrap();
    let (status, out, _) = run(&["check", name], "");
    assert_eq!((status, out.contains("proof-7.drat")), (1, true), "{out}");
    std::fs::remove_file(dir.join("proof-7.drat")).unwrap();
    std::fs::write(dir.join("proof.drat"), "").unwrap();
    assert_eq!(run(&["check", name], "").0, 1);
    let (status, _, err) = run(&["solve", "flip", "--save", name], &FLIP.repeat(2));
    assert_eq!((status, err.contains("--save takes one game")), (2, true));
}

#[test]
fn a_proof_beyond_its_limit_leaves_the_claim_open() {
    let (_, board, _) = run(&["generate", "flip", "solvable", "n=9"], "");
    let certify = |limit: &str| run(&["solve", "flip", "--certify", "--proof-limit", limit], &board);
    let (status, out, err) = certify("1kB");
    assert!(err.contains("its proof is longer than 1000 bytes"), "{err}");
    assert_eq!((status, out.contains("proof of")), (0, false), "{out}");
    assert!(certify("1GiB").1.contains(" propagations: at least"));
    let (status, _, err) = certify("much");
    assert_eq!(
        (status, err.contains("expected a size such as 64MB or 1GiB, found 'much'")),
        (2, true),
        "{err}"
    );
    assert_eq!(
        run(&["solve", "flip", "--proof-limit", "1MB"], FLIP).0,
        2,
        "--proof-limit without --certify should be an error"
    );
}

#[test]
fn if_a_formula_cannot_be_derived_the_nearest_derivable_one_is_refuted() {
    let board = "6 6\n..xxxx\nxxxxxx\noo.xxx\nxxxxxx\nxx.xxx\noo.oxo\n0 0\n";
    let (status, out, err) = run(&["solve", "ships", "-e", "sat", "--certify"], board);
    assert!(status == 0 && out.contains("bytes by sat:owner/leaders=no, "), "{out}");
    assert_eq!(
        err.matches("the proof refutes the formula of sat:owner/leaders=no instead").count(),
        1,
        "{err}"
    );
    let (_, out, err) = run(&["solve", "flip", "-e", "sat", "--certify"], FLIP);
    assert!(out.contains("bytes by sat:presses, ") && !err.contains("instead"), "{out}{err}");
}

#[test]
fn a_plan_as_long_as_the_board_can_be_checked() {
    // With bars of 16, 8, 4, 2 and 1 cells and no known square, a plan has over a hundred shots.
    let fleet = folder("bars").join("fleet.txt");
    let bars: Vec<String> =
        [16, 16, 16, 16, 16, 16, 16, 16, 8, 4, 2, 1].iter().map(|&n| "x".repeat(n)).collect();
    std::fs::write(&fleet, format!("\u{feff}{}\n", bars.join("\n\n"))).unwrap();
    let rule = format!("fleet={}", fleet.display());
    let board = format!("16 9\n{}0 0\n", format!("{}\n", ".".repeat(16)).repeat(9));
    let (status, json, err) = run(&["solve", "ships", "-r", &rule, "--json"], &board);
    assert_eq!(status, 0, "{err}");
    let (status, out, err) = run(&["check", "-"], &json);
    assert_eq!(status, 0, "{out}{err}");
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(run(&["check", "-"], &deep).2.contains("-:1:1: the JSON is nested more than 512 levels deep"));
}

#[test]
fn unusual_requests_fail_with_a_message() {
    let (status, out, _) = run(&["compare", "flip"], "x\n");
    assert_eq!((status, out.as_str()), (2, ""));
    let (status, _, err) =
        run(&["generate", "flip", "random", "--seed", "18446744073709551615", "--count", "2"], "");
    assert_eq!((status, err.contains("a seed would be greater than 2^64 - 1")), (2, true), "{err}");
    let (_, board, _) = run(&["generate", "flip", "solvable", "n=12", "--seed", "2"], "");
    let (status, _, err) = run(&["solve", "flip", "--certify", "--cpu-limit", "20ms"], &board);
    assert_eq!((status, err.contains("no proof that")), (3, true), "{err}");
}

#[test]
fn a_limit_exits_with_3_and_the_best_answer_so_far() {
    let (_, board, _) = run(&["generate", "flip", "solvable", "n=19"], "");
    let (status, out, err) = run(&["solve", "flip", "--work-limit", "5000"], &board);
    assert_eq!(status, 3, "{err}");
    assert!(out.contains("at most") && out.contains("not settled"), "{out}");
    assert!(err.contains("work limit"), "{err}");
    let (status, json, _) = run(&["solve", "flip", "--json", "--work-limit", "5000"], &board);
    assert_eq!((status, json.contains("\"gave_up\":\"work limit\"")), (3, true));
    assert!(run(&["check", "-"], &json).1.contains("not settled"));
    let (status, out, _) = run(&["judge", "flip", "-r", "size=19x19", "--work-limit", "5000"], &board);
    assert_eq!((status, out.as_str()), (3, ""));
    let (status, out, _) = run(&["compare", "flip", "--cpu-limit", "50ms", "-e", "sat"], &board);
    assert_eq!(status, 3);
    assert!(out.contains("CPU limit"), "{out}");
}

#[test]
fn encode_writes_a_formula_with_a_correct_header() {
    for extra in [&[][..], &["-r", "within=3"], &["-e", "sat:presses/xor=cut3"]] {
        let (status, cnf, _) = run(&[&["encode", "flip"], extra].concat(), FLIP);
        assert_eq!(status, 0);
        let mut solver = varisat::Solver::new();
        solver.add_dimacs_cnf(cnf.as_bytes()).unwrap();
        assert_eq!(solver.solve().unwrap(), !extra.contains(&"within=3"));
        assert!(cnf.contains("c varname 1 press r1c1\n"), "{cnf}");
        let (_, stats, _) = run(&[&["encode", "flip", "--stats"], extra].concat(), FLIP);
        let header = cnf.lines().find(|l| l.starts_with("p cnf")).unwrap();
        let total: Vec<_> = stats.lines().last().unwrap().split_whitespace().collect();
        assert_eq!(header, format!("p cnf {} {}", total[1], total[2]));
    }
    let path = folder("encoded").join("flip.cnf");
    assert_eq!(run(&["encode", "flip", "-o", path.to_str().unwrap()], FLIP).0, 0);
    assert!(std::fs::read_to_string(path).unwrap().contains("p cnf"));
}

#[test]
fn generated_instances_can_be_read_and_depend_only_on_the_seed() {
    for (problem, family) in [("flip", "random"), ("flip", "solvable")] {
        let args = ["generate", problem, family, "--seed", "5", "--count", "4"];
        let (status, text, _) = run(&args, "");
        assert_eq!((status, &text), (0, &run(&args, "").1));
        let (status, out, err) = run(&["compare", problem], &text);
        assert_eq!(status, 0, "{err}");
        assert_eq!(out.matches("checked").count(), 4 * 2 + 1, "{out}");
        assert_eq!(out.matches(" check ").count(), 2, "{out}");
    }
}

#[test]
fn a_closed_pipe_is_silent() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_counterpoint"))
        .args(["generate", "flip", "random", "n=400", "--count", "40"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[test]
fn the_tour_checks_every_answer() {
    let (status, out, err) = run(&[], "");
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(out.contains("0 disagreements"), "{out}");
}

#[test]
fn lists_and_completions_are_printed() {
    for kind in ["engines", "encodings", "solvers", "families", "rules"] {
        let (status, out, _) = run(&["list", kind], "");
        assert_eq!((status, out.lines().count() > 3), (0, true), "{out}");
    }
    assert!(run(&["list", "engines", "flip"], "").1.contains("search:algebra"));
    for shell in ["bash", "zsh", "fish"] {
        assert!(run(&["completions", shell], "").1.contains("counterpoint"));
    }
}
