//! Messages that say what was found, what exists, and what to do.

use crate::export_common::{FLIP, SHIPS, encode, folder, read, run, solver};

/// Asserts the exit status and a part of standard error.
fn refused(args: &[&str], input: &str, expected: (i32, &str)) {
    let (status, out, err) = run(args, input);
    assert_eq!((status, out.as_str()), (expected.0, ""), "{args:?}: {err}");
    assert!(err.contains(expected.1), "{args:?}: {err}");
}

#[test]
fn messages_about_missing_things_list_the_existing_ones() {
    let dir = folder("sentences");
    let board = dir.join("board.txt").display().to_string();
    std::fs::write(&board, FLIP).unwrap();
    let only = format!("{board}: there is no game 2; the input has 1 game");
    refused(&["solve", "flip", &board, "--game", "2"], "", (2, &only));
    let two = format!("{FLIP}{FLIP}");
    let only = "standard input: there is no game 3; the input has 2 games";
    refused(&["solve", "flip", "--game", "3"], &two, (2, only));
    for args in [
        &["encode", "flip", &board][..],
        &["encode", "flip", &board, "--format", "wcnf"],
        &["encode", "flip", &board, "--stats"],
        &["generate", "flip", "random", "--formulas", "/nowhere"],
    ] {
        let why =
            "search:algebra is not a SAT engine; use -e sat, or another SAT engine from `list engines flip`";
        refused(&[args, &["-e", "search:algebra"]].concat(), "", (2, why));
    }
}

#[test]
fn a_configuration_that_the_command_line_names_must_exist() {
    for args in [&[][..], &["judge", "flip"], &["list", "rules"], &["completions", "bash"]] {
        let args = [args, &["--config", "missing.toml"]].concat();
        refused(&args, FLIP, (2, "missing.toml: cannot be read"));
    }
}

#[test]
fn formulas_and_models_are_not_answers() {
    let why = "-:1:1: this is not an answer; to check a solver's output for a formula, use `check --model MODEL FORMULA`";
    for format in ["cnf", "wcnf", "opb", "icnf"] {
        refused(&["check", "-"], &encode("flip", FLIP, &["--format", format]), (2, why));
    }
    refused(&["check", "-"], "s SATISFIABLE\nv 1 0\n", (2, why));
}

#[test]
fn a_model_may_be_standard_input() {
    let dir = folder("sentences-model");
    let [formula, model] = ["formula", "model"].map(|name| dir.join(name).display().to_string());
    let text = encode("flip", FLIP, &[]);
    std::fs::write(&formula, &text).unwrap();
    let pressed: Vec<_> =
        (1..=17).map(|v: i32| if [1, 6, 8, 9].contains(&v) { v } else { -v }.to_string()).collect();
    let printed = format!("s SATISFIABLE\nv {} 0\n", pressed.join(" "));
    std::fs::write(&model, &printed).unwrap();
    for (args, input) in [(["-", &formula], &printed), ([&model, "-"], &text)] {
        let (status, out, err) = run(&["check", "--model", args[0], args[1]], input);
        assert_eq!((status, err.as_str()), (0, ""));
        assert!(out.starts_with("model of sat:presses, flip: at most 4 presses, "), "{out}");
    }
    refused(&["check", "--model", "-", "-"], "", (2, "name a file for one of them"));
}

/// If two ships of a model share a square, the message names them, for every encoding.
#[test]
fn ships_that_overlap_are_named() {
    let dir = folder("sentences-overlap");
    for engine in ["sat:owner", "sat:placement"] {
        let formula = encode("ships", SHIPS, &["-e", engine]);
        let named = |name: &str| -> i64 {
            let line = formula.lines().find(|line| line.ends_with(name)).unwrap();
            line.split(' ').nth(2).unwrap().parse().unwrap()
        };
        let mut solver = solver(&read(&formula));
        assert!(solver.solve().unwrap());
        let mut model: Vec<i64> = solver.model().unwrap().iter().map(|lit| lit.to_dimacs() as i64).collect();
        // Remove all ships, and add two that share a square.
        let places: Vec<i64> = (formula.lines().filter_map(|line| line.strip_prefix("c varname ")))
            .filter(|line| line.contains(" placement "))
            .map(|line| line.split(' ').next().unwrap().parse().unwrap())
            .collect();
        model.iter_mut().filter(|lit| places.contains(lit)).for_each(|lit| *lit = -*lit);
        let square = |line: &&str| line.contains(" placement O#1 at r1c1");
        assert!(formula.lines().any(|line| square(&line)));
        for name in [" placement O#1 at r1c1", " placement I#1 at r1c1"] {
            let var = named(name);
            model.iter_mut().filter(|lit| **lit == -var).for_each(|lit| *lit = var);
        }
        let printed: Vec<_> = model.iter().map(ToString::to_string).collect();
        let [file, printed_file] = ["formula", "model"].map(|name| dir.join(name).display().to_string());
        std::fs::write(&file, &formula).unwrap();
        std::fs::write(&printed_file, format!("v {} 0\n", printed.join(" "))).unwrap();
        let (status, out, err) = run(&["check", "--model", &printed_file, &file], "");
        assert_eq!(status, 1, "{err}");
        // The claim is that the set is covered by a fleet that fits.
        let why = "failed      a fleet that fits covers the set (ships O and I overlap at r1c1)";
        assert!(out.contains(why), "{out}");
    }
}

#[test]
fn the_table_of_encodings_fits_a_terminal() {
    let (status, out, _) = run(&["list", "encodings"], "");
    assert_eq!(status, 0);
    assert!(out.lines().all(|line| line.chars().count() <= 120), "{out}");
    for words in [
        "bimander",
        "2^63",
        "totalizer",
        "native",
        "n*b+6*f+r*(r-1)/2, b = ceil(log2(ceil(n/4)))",
        "lex x <= y",
    ] {
        assert!(out.contains(words), "{words} in {out}");
    }
}

/// Clauses that break symmetries do not follow from the board, so a proof refutes a formula without them.
#[test]
fn proofs_do_not_use_symmetry_breaking() {
    let args = ["solve", "flip", "-r", "target=white", "-e", "sat:presses/lex=yes", "--certify"];
    let (status, out, err) = run(&args, "bbbb\nbbbb\nbbbb\nbbbb\n");
    assert_eq!(status, 0, "{err}");
    assert!(err.contains("the proof refutes the formula of sat:presses instead"), "{err}");
    assert!(out.contains("proved      at least 4 presses are needed"), "{out}");
}

#[test]
fn bytes_that_are_no_text_are_reported_with_their_place() {
    let dir = folder("sentences-bytes");
    let at = |name: &str| dir.join(name).display().to_string();
    let ([bad, cut], [board, formula]) = (["bad", "cut"].map(at), ["board", "formula"].map(at));
    // The column counts characters.
    std::fs::write(&bad, b"# \xc3\xa9\n# \xc3\xa9\xc3\xa9\xff\xff\n").unwrap();
    std::fs::write(&cut, b"# \xc3\xa9\xe2\x82").unwrap();
    std::fs::write(&board, FLIP).unwrap();
    std::fs::write(&formula, encode("flip", FLIP, &[])).unwrap();
    for (file, why) in [
        (&bad, ":2:5: expected a text in UTF-8, found the byte 0xff"),
        (&cut, ":1:4: expected a text in UTF-8, found the end of the file within a character"),
    ] {
        let (target, fleet) = (format!("target={file}"), format!("fleet={file}"));
        for args in [
            &["solve", "flip", &board, "-r", &target][..],
            &["solve", "ships", &board, "-r", &fleet],
            &["list", "solvers", "--config", file],
            &["run", file],
            &["check", file],
            &["check", "--model", "-", file],
            &["check", "--model", file, &formula],
            &["stress", "flip", "--input", file, "--", "true"],
        ] {
            refused(args, "", (2, &format!("{file}{why}\n")));
        }
    }
}

/// The size of a formula is estimated before any limit is tested.
#[test]
fn a_record_of_thousands_of_moves_is_refused_at_once() {
    let record = |moves: usize, row: &str| format!("4\n{}0\n", row.repeat(moves));
    for (moves, row) in [(8_000, "? ? ?\n"), (8_000, "1 1 ?\n"), (1_000_000, "? ? ?\n")] {
        let args = ["solve", "spot", "-r", "limit=none", "-e", "sat:toggles/distinct=lazy"];
        refused(&args, &record(moves, row), (2, "the formula compares "));
    }
}

#[test]
fn help_lists_exit_statuses() {
    let limit = "3 a limit was reached";
    for (args, words) in [
        (&["--help"][..], &["1 engines disagree or a claim failed", limit, "130 interrupted by Ctrl-C"][..]),
        (&["judge", "--help"], &[limit, "Answers that were printed before are valid"]),
        (&["solve", "--help"], &["1 a claim failed", limit]),
        (&["check", "--help"], &["1 a claim failed", "the solver's result is unknown"]),
        (&["compare", "--help"], &["1 engines disagree", limit]),
        (&["encode", "--help"], &["0 success; 2 bad input or usage."]),
        (&["generate", "--help"], &["0 success; 2 bad input or usage."]),
        (&["list", "--help"], &["0 success; 2 bad input or usage."]),
        (&["study", "--help"], &[limit]),
    ] {
        let (status, out, _) = run(args, "");
        let out = out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(status, 0);
        assert!(words.iter().all(|words| out.contains(words)), "{args:?}: {out}");
    }
}
