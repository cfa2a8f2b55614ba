//! `study`: several games, limits, saved files, and refused arguments.

use crate::samples::{is_thorough, some};
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Runs the program in a folder on `input`: exit status, standard output, standard error.
fn run_in(folder: &Path, words: &str, input: &str) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_counterpoint"))
        .args(words.split_whitespace())
        .current_dir(folder)
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

fn run(words: &str, input: &str) -> (i32, String, String) {
    run_in(Path::new("."), words, input)
}

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("questions").join(name);
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

/// The objects of JSON lines.
fn objects(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Boards on which it is easy to find a fleet, hard to find one, and impossible.
const OPEN: &str = "4 7\nxxoo\nxxxx\noxxo\nxxxo\nxxxx\nxxxx\nxxxx\n";
const HARD: &str = "7 7\n.......\n.......\n..x....\n.......\n.......\n....x..\n.......\n";
const NONE: &str = "2 2\noo\noo\n";

/// A game for a fleet of one domino.
const DOMINO: &str = "3 2\n.x.\nooo\n0 0\n";

#[test]
fn a_limit_ends_one_game_and_not_the_later_ones() {
    let games = format!("{HARD}{NONE}0 0\n");
    let (status, out, err) = run("study ships misses - --json --work-limit 20", &games);
    assert_eq!(status, 3, "{err}");
    assert_eq!(err, "counterpoint: game 1: stopped: work limit\n");
    let rows = objects(&out);
    assert!(rows[..rows.len() - 1].iter().all(|row| row["game"] == 1 && row["outcome"] == "no"), "{out}");
    let last = &rows[rows.len() - 1];
    assert_eq!((&last["game"], &last["outcome"]), (&2.into(), &"no-fleet".into()));
    // The rows name their game even if only the first game has rows.
    let (status, out, err) = run("study ships misses - --work-limit 20", &format!("{NONE}{HARD}0 0\n"));
    assert_eq!((status, err.as_str()), (3, "counterpoint: game 2: stopped: work limit\n"));
    assert!(out.lines().next().unwrap().contains("game"), "{out}");
}

#[test]
fn one_game_is_saved_and_several_are_refused() {
    let dir = folder("several");
    for command in ["study ships misses - --save kept", "solve ships - --save kept"] {
        let (status, out, err) = run_in(&dir, command, &format!("{OPEN}{NONE}0 0\n"));
        assert_eq!((status, out.as_str()), (2, ""), "{command}: {err}");
        assert!(
            err.contains("--save takes one game, but the input has several; choose one with --game"),
            "{err}"
        );
        assert!(!dir.join("kept").exists());
        let (status, ..) = run_in(&dir, &format!("{command} --game 2"), &format!("{OPEN}{NONE}0 0\n"));
        assert_eq!((status, dir.join("kept").is_dir()), (0, true), "{command}");
        std::fs::remove_dir_all(dir.join("kept")).unwrap();
    }
}

#[test]
fn check_reads_the_folder_that_a_study_wrote() {
    let dir = folder("certificate");
    let (status, ..) = run_in(&dir, "study flip all-ones n=5 --save kept", "");
    assert_eq!(status, 0);
    let (status, out, err) = run_in(&dir, "check kept", "");
    assert_eq!(status, 0, "{err}");
    assert!(out.starts_with("certificate 1: flip all-ones, checked\n"), "{out}");
    std::fs::create_dir(dir.join("empty")).unwrap();
    let (status, _, err) = run_in(&dir, "check empty", "");
    assert_eq!(status, 2);
    assert!(err.contains("empty: contains neither answer.json nor certificate.json"), "{err}");
}

#[test]
fn the_message_that_nothing_was_saved_gives_a_reason() {
    let dir = folder("nothing");
    for (question, why) in [
        ("flip nullity n=4", "nullity writes no file for these findings"),
        ("flip hardest n=30", "30x30: a null space of 2^20 elements is too large; the maximum is 2^16."),
        ("spot value n=5 limit=none", "certificates are written for boards up to 4x4"),
        (
            "spot forcing-limit n=1 start=counted",
            "no search that refuted a limit is short enough for a certificate",
        ),
    ] {
        let (status, out, err) = run_in(&dir, &format!("study {question} --save kept"), "");
        assert_eq!(
            (status, err),
            (0, format!("counterpoint: nothing was saved in kept: {why}\n")),
            "{question}"
        );
        assert!(!dir.join("kept").exists(), "{question}");
        assert_eq!(out.contains("too large"), question.contains("hardest"), "{out}");
    }
    let rows = objects(&run("study flip hardest n=30 --json", "").1);
    assert!(rows[0]["at_least"].is_null() && rows[1]["left_out"].is_string(), "{rows:?}");
}

#[test]
fn a_board_without_a_fleet_is_an_object_too() {
    let (status, out, _) = run("study ships shoot - --json", NONE);
    assert_eq!((status, out.as_str()), (0, "{\"game\":1,\"outcome\":\"no-fleet\"}\n"));
    assert_eq!(run("study ships shoot -", NONE).1.trim(), "No fleet fits.");
}

#[test]
fn the_sets_at_the_ends_of_a_plan_are_listed() {
    let dir = folder("sets");
    std::fs::write(dir.join("domino"), "xx\n").unwrap();
    let (status, out, err) = run_in(&dir, "study ships misses - --json fleet=domino", DOMINO);
    assert_eq!(status, 0, "{err}");
    let rows = objects(&out);
    let last = rows.last().unwrap();
    assert_eq!(last["covered_sets"].as_array().unwrap().len() as u64, last["sets"].as_u64().unwrap());
    assert_eq!(last["covered_sets"], serde_json::json!([[[1, 1], [1, 2]], [[1, 2], [1, 3]]]));
    assert!(last["plan"].to_string().contains("\"sink\":1"), "{last}");
}

#[test]
fn arguments_that_would_be_ignored_are_refused_by_name() {
    let dir = folder("refused");
    std::fs::write(dir.join("target"), "bw\nwb\n").unwrap();
    for (question, why) in [
        (
            "flip all-ones n=5 target=target",
            "all-ones does not use the rule target; it uses stencil, colours",
        ),
        ("flip nullity goal=any", "nullity does not use the rule goal; it uses stencil, colours"),
        ("flip all-ones -r size=4x4", "all-ones does not use the rule size; it uses stencil, colours"),
        ("spot classes limit=5", "classes does not use the rule limit; it uses symmetry"),
        ("spot classes --lenient", "classes does not use the rule lenient; it uses symmetry"),
        ("ships misses - misses=3", "misses does not use the rule misses; it uses fleet, turn, mirror"),
        ("ships shoot - misses=3", "shoot does not use the rule misses; it uses fleet, turn, mirror"),
        ("ships sets dialect=poj", "sets does not use the rule dialect; it uses fleet, turn, mirror"),
        ("spot value --game 2", "--game does not apply to value, which takes no input file"),
        ("spot value n=3 n=4", "parameter n is given twice"),
        ("spot value symmetry=d4 -r symmetry=c4", "rule symmetry is set twice"),
        ("ships sets n=12 w=3 h=4", "n is the default of w and h, but both are given; leave n out"),
    ] {
        let (status, out, err) = run_in(&dir, &format!("study {question}"), NONE);
        let result = (status, out.as_str(), err.as_str());
        assert_eq!(result, (2, "", format!("counterpoint: error: {why}\n").as_str()), "{question}");
    }
    let (status, _, err) = run("study ships count - dialect=poj", NONE);
    assert_eq!(status, 0, "{err}");
}

#[test]
fn errors_in_files_of_rules_name_the_file() {
    let dir = folder("files");
    for (name, text, rule, place) in [
        ("e1", "", "ships fleet", "e1:1:1: the fleet has no ship"),
        ("e2", "xx\nxo\n", "ships fleet", "e2:2:2: 'o' is not a cell"),
        ("e3", "bw\nwx\n", "flip target", "e3:2:2: 'x' is not a square"),
        ("e4", "\n", "flip target", "e4:1:1: the file holds no board"),
        ("e5", "bw\nwb\n\n\nbw\n", "flip target", "e5:5:1: the file holds more than one board"),
    ] {
        std::fs::write(dir.join(name), text).unwrap();
        let (problem, rule) = rule.split_once(' ').unwrap();
        let (status, _, err) = run_in(&dir, &format!("solve {problem} - -r {rule}={name}"), NONE);
        assert_eq!(status, 2, "{err}");
        assert!(err.starts_with(&format!("counterpoint: error: {place}")), "{err}");
    }
}

#[test]
fn a_study_with_trivial_symmetry_starts_at_once() {
    // With `symmetry=trivial`, every permutation of the squares is an automorphism of the class graph. There are 9! of
    // them, too many to list before the study starts.
    let (status, out, err) = run("study spot value n=3 symmetry=trivial limit=8 --json --work-limit 1", "");
    assert_eq!((status, err.as_str()), (3, "counterpoint: error: stopped: work limit\n"));
    assert_eq!(objects(&out)[0]["value"], "draw");
    let dir = folder("left-out");
    let question = "study spot value n=3 symmetry=trivial limit=8 --json --save kept";
    let (status, out, _) = run_in(&dir, question, "");
    let rows = objects(&out);
    assert_eq!((status, rows.len()), (0, 3), "{out}");
    assert_eq!(rows[2]["left_out"], "its formula would have more than 262144 literals for moves");
    assert!(run_in(&dir, "check kept", "").1.starts_with("certificate 1: spot value, checked"));
}

#[test]
fn json_has_numbers_and_reduced_fractions() {
    let rows = objects(&run("study flip histogram n=3 --json", "").1);
    assert!(rows.iter().all(|row| row["boards"].is_u64()), "{rows:?}");
    let dir = folder("fractions");
    std::fs::write(dir.join("domino"), "xx\n").unwrap();
    let row = &objects(&run_in(&dir, "study ships shoot - --json fleet=domino", "3 2\n...\nooo\n0 0\n").1)[1];
    assert_eq!((&row["fraction"], row["best_by"].is_array()), (&serde_json::json!([1, 2]), true), "{row}");
}

#[test]
fn sat_is_not_used_beyond_a_bound() {
    let rows = objects(&run("study spot longest n=3 length=141 --json", "").1);
    assert_eq!((rows.len(), &rows[0]["at_most"]), (2, &140.into()));
    assert_eq!(rows[1]["left_out"], "no game has 141 moves; the upper bound is 140");
}

#[test]
fn invalid_fleets_in_certificates_are_refused() {
    let dir = folder("fleets");
    let (status, ..) = run_in(&dir, "study ships misses - --save kept", &format!("{NONE}0 0\n"));
    assert_eq!(status, 0);
    let whole = std::fs::read_to_string(dir.join("kept/certificate.json")).unwrap();
    let (status, out, _) = run_in(&dir, "check kept", "");
    assert_eq!((status, out.contains("checked")), (0, true), "{out}");
    for (fleet, why) in [
        ("[]", "\"fleet\" has 0 ships; it can have 1 to 32"),
        ("[\"x.x\"]", "ship 1 of \"fleet\" is not connected or does not have 1 to 16 cells"),
    ] {
        let mut forged: serde_json::Map<String, Value> = serde_json::from_str(&whole).unwrap();
        forged.insert("fleet".to_owned(), serde_json::from_str(fleet).unwrap());
        std::fs::write(dir.join("forged.json"), Value::Object(forged).to_string()).unwrap();
        let (status, _, err) = run_in(&dir, "check forged.json", "");
        assert_eq!((status, err.contains(why)), (2, true), "{err}");
    }
}

#[test]
fn the_checker_obeys_limits() {
    let dir = folder("limits");
    assert_eq!(run_in(&dir, "study flip all-ones n=9 --save kept", "").0, 0);
    assert!(run_in(&dir, "check kept", "").1.starts_with("certificate 1: flip all-ones, checked"));
    let (status, out, _) = run_in(&dir, "check kept --work-limit 5", "");
    assert_eq!((status, out.contains("not checked: a claim is open")), (0, true), "{out}");
}

/// Every study with a parameter `n`: problem and question, the default of `n`, and whether `w` and `h` are parameters,
/// too.
fn studies_with_a_size() -> Vec<(String, u32, bool)> {
    let registry = counterpoint::standard();
    let of = |problem: &'static str| {
        let studies = registry.find(problem).unwrap().info().studies.iter();
        studies.filter_map(move |study| {
            let n = study.params.iter().find(|param| param.key == "n")?;
            let is_oblong = study.params.iter().any(|param| param.key == "w");
            Some((format!("study {problem} {}", study.name), n.default_text().parse().unwrap(), is_oblong))
        })
    };
    ["spot", "ships", "flip"].into_iter().flat_map(of).collect()
}

#[test]
fn size_is_short_for_w_and_h() {
    let studies = studies_with_a_size();
    assert!(studies.len() >= 12 && studies.iter().any(|(.., is_oblong)| *is_oblong), "{studies:?}");
    let wrong = ["", "x", "5x", "x5", "0x3", "0", "-3", "3.5", "3x3x3", "4000000000", "9999999"];
    // By default, each study gets some of the wrong sizes in turn.
    let (mut wrong_sizes, at_once) = (wrong.iter().cycle(), if is_thorough() { wrong.len() } else { 2 });
    for (study, default, is_oblong) in some(studies) {
        let ask = |sides: &str| run(&format!("{study} {sides} --json --work-limit 4000"), "");
        // This is not the default, so an ignored size is detected.
        let n = default - 1;
        let by_sides = ask(&format!("n={n}"));
        assert!(by_sides.0 != 2 && by_sides != ask(""), "{study} n={n}: {by_sides:?}");
        assert_eq!(ask(&format!("size={n}x{n}")), by_sides, "{study}");
        assert_eq!(ask(&format!("size={n}")), by_sides, "{study}");
        if is_oblong {
            assert_eq!(ask(&format!("size={n}x{default}")), ask(&format!("w={n} h={default}")), "{study}");
        } else {
            let (status, _, err) = ask(&format!("size={n}x{default}"));
            assert_eq!(status, 2, "{study}: {err}");
            assert!(
                err.contains(&format!("only square boards work here; use size={n}x{n}")),
                "{study}: {err}"
            );
        }
        for other in ["n", "w", "h"].into_iter().take(if is_oblong { 3 } else { 1 }) {
            let (status, _, err) = ask(&format!("size={n} {other}={n}"));
            assert_eq!(status, 2, "{study}: {err}");
            assert!(
                err.contains(&format!("size and {other} both set the size of the board")),
                "{study}: {err}"
            );
        }
        for wrong in wrong_sizes.by_ref().take(at_once) {
            let (status, _, err) = ask(&format!("size={wrong}"));
            assert_eq!(status, 2, "{study} size={wrong}: {err}");
            assert!(
                err.contains(&format!("parameter size has no value '{wrong}'; it takes ")),
                "{study}: {err}"
            );
        }
    }
}

#[test]
fn size_is_refused_if_it_does_not_apply() {
    let (status, _, err) = run("study ships misses - size=3x3", DOMINO);
    assert_eq!(status, 2);
    assert!(err.contains("'size' is neither a parameter of misses nor a rule"), "{err}");
    let (status, _, err) = run("study ships count - size=3x3", DOMINO);
    assert_eq!((status, err.contains("size is only for empty boards")), (2, true), "{err}");
    let (status, _, err) = run("study flip histogram sice=3x3", "");
    assert_eq!((status, err.contains("did you mean 'size'?")), (2, true), "{err}");
    // Families take a size, too. If it contradicts the rule `size`, the message shows both sizes.
    assert_eq!(run("generate flip black size=3x5", ""), run("generate flip black w=3 h=5", ""));
    let (status, _, err) = run("generate flip black size=3x5 -r size=4x4", "");
    assert_eq!((status, err.contains("the parameters say 3x5, the rule size says 4x4")), (2, true), "{err}");
}

#[test]
fn studies_answer_in_tables_and_json_and_stop_at_limits() {
    let (status, out, _) = run("study spot classes n=2 symmetry=d4", "");
    assert_eq!(status, 0);
    assert!(out.lines().last().unwrap().split_whitespace().take(2).eq(["2", "6"]), "{out}");
    let (status, out, _) = run("study ships count w=2 h=15 --json", "");
    assert_eq!((status, out.as_str()), (0, "{\"size\":\"2x15\",\"placements\":24}\n"));
    let (status, out, _) = run("study ships sets w=2 h=15 --json", "");
    assert_eq!((status, out.as_str()), (0, "{\"size\":\"2x15\",\"sets\":8}\n"));
    let (status, out, err) = run("study ships count --work-limit 10", "");
    assert_eq!((status, out.as_str(), err.as_str()), (3, "", "counterpoint: error: stopped: work limit\n"));
}
