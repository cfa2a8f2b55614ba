//! Formula files: every format, as an independent reader reads it; formulas in words; manifests.

use crate::export_common::{FLIP, Read, SHIPS, SMUDGED, encode, folder, read, run, solver};
use counterpoint::sha256;
use std::collections::{BTreeSet, HashMap};
use varisat::{ExtendFormula, Lit};

/// The distinct assignments to the shown variables in all models.
fn projected(read: &Read) -> BTreeSet<Vec<bool>> {
    let mut solver = solver(read);
    let mut found = BTreeSet::new();
    while solver.solve().unwrap() {
        let model: BTreeSet<Lit> = solver.model().unwrap().into_iter().collect();
        let values: Vec<bool> =
            read.shown.iter().map(|&v| model.contains(&Lit::from_dimacs(v as isize))).collect();
        let block = read
            .shown
            .iter()
            .zip(&values)
            .map(|(&v, &value)| Lit::from_dimacs(if value { -v } else { v } as isize));
        solver.add_clause(&block.collect::<Vec<_>>());
        assert!(found.insert(values));
    }
    found
}

/// The named variables of a file, each with its name.
fn names(text: &str) -> impl Iterator<Item = (i64, &str)> {
    let named = text.lines().filter_map(|line| line.split_once(" varname ")?.1.split_once(' '));
    named.map(|(var, name)| (var.trim_start_matches('x').parse().unwrap(), name))
}

#[test]
fn every_format_encodes_the_same_question() {
    for (problem, input, engines) in [
        (
            "flip",
            FLIP,
            &["sat:presses", "sat:presses/xor=native", "sat:presses/xor=tree", "sat:nullspace"][..],
        ),
        ("ships", SHIPS, &["sat:owner", "sat:placement"]),
        ("spot", SMUDGED, &["sat:toggles", "sat:path", "sat:path/once=chain"]),
    ] {
        for engine in engines {
            let text = encode(problem, input, &["-e", engine]);
            let cnf = read(&text);
            assert_eq!(cnf.header[1], cnf.clauses.len() as i64);
            let models = projected(&cnf);
            assert!(!cnf.shown.is_empty() && !models.is_empty());
            assert!(text.contains("c t pmc\nc p show "), "{text}");
            for format in ["xcnf", "opb", "icnf", "wcnf"] {
                let (status, other_text, err) =
                    run(&["encode", problem, "-e", engine, "--format", format], input);
                if format == "wcnf" && problem != "flip" {
                    assert_eq!((status, other_text.as_str()), (2, ""));
                    assert!(err.contains("game 1: there is no objective"), "{err}");
                    continue;
                }
                assert_eq!(status, 0, "{err}");
                let mut other = read(&other_text);
                if !other.header.is_empty() {
                    let constraints = other.clauses.len() + other.xors.len() + other.sums.len();
                    assert_eq!(other.header[1], constraints as i64);
                }
                assert_eq!(!other.sums.is_empty(), format == "opb", "{engine} {format}");
                assert_eq!(
                    other.xors.len(),
                    if format == "xcnf" && engine.contains("native") { 16 } else { 0 }
                );
                let costs = problem == "flip" && ["wcnf", "opb"].contains(&format);
                if *engine == "sat:nullspace" && costs {
                    assert!(other.soft.len() < 16);
                } else {
                    assert_eq!(other.soft.len(), if costs { 16 } else { 0 });
                    assert!(other.soft.iter().all(|(weight, _)| *weight == 1));
                }
                assert!(!other.shown.is_empty() || format != "xcnf");
                let number: HashMap<&str, i64> = names(&other_text).map(|(var, name)| (name, var)).collect();
                let shown = names(&text).filter(|(var, _)| cnf.shown.contains(var));
                other.shown = shown.map(|(_, name)| number[name]).collect();
                if problem == "spot" && format == "icnf" {
                    // The base formula corresponds to the last query, that of a draw.
                    other.clauses.push(other.questions.pop().unwrap());
                }
                assert_eq!(projected(&other), models, "{engine} {format}");
            }
        }
    }
}

/// The least cost of a model is the least number of presses, for every encoding.
#[test]
fn soft_clauses_cost_the_presses() {
    for engine in ["sat:presses", "sat:nullspace"] {
        let wcnf = read(&encode("flip", FLIP, &["-e", engine, "--format", "wcnf"]));
        let mut solver = solver(&wcnf);
        let mut costs = Vec::new();
        while solver.solve().unwrap() {
            let model = solver.model().unwrap();
            let holds = |&lit: &i64| model.contains(&Lit::from_dimacs(lit as isize));
            let broken = wcnf.soft.iter().filter(|(_, lits)| !lits.iter().any(holds));
            costs.push(broken.map(|(weight, _)| *weight).sum());
            solver.add_clause(&model.iter().map(|&lit| !lit).collect::<Vec<_>>());
        }
        assert_eq!((costs.len(), costs.into_iter().min()), (32, Some(4)), "{engine}");
    }
}

/// Whether each query is satisfiable.
fn answers(icnf: &str) -> Vec<bool> {
    let icnf = read(icnf);
    let mut solver = solver(&icnf);
    let answer = |lits: &Vec<i64>| {
        solver.assume(&lits.iter().map(|&l| Lit::from_dimacs(l as isize)).collect::<Vec<_>>());
        solver.solve().unwrap()
    };
    icnf.questions.iter().map(answer).collect()
}

#[test]
fn queries_of_icnf_determine_presses_and_endings() {
    let bounds = answers(&encode("flip", FLIP, &["--format", "icnf"]));
    // At most 0, 1, 2, 3 presses: no. The board needs 4.
    assert_eq!(bounds.iter().position(|&yes| yes), Some(4));
    assert!(bounds.len() == 17 && bounds[4..].iter().all(|&yes| yes));
    // The queries are a repeat on each of the four moves, then a draw; see `docs/src/spot.md`.
    for engine in ["sat:toggles", "sat:path", "sat:path/once=chain"] {
        let answers = answers(&encode("spot", SMUDGED, &["-e", engine, "--format", "icnf"]));
        assert_eq!(answers, [false, false, true, true, true], "{engine}");
    }
    let (status, _, err) = run(&["encode", "spot", "-e", "sat/distinct=lazy", "--format", "icnf"], SMUDGED);
    assert!(status == 2 && err.contains("is not a single formula; use eager"), "{err}");
    let any = encode("flip", FLIP, &["--format", "icnf", "-r", "goal=any"]);
    assert_eq!(answers(&any), [true]);
}

/// The queries ask whether a fleet fits, and which squares it can leave empty.
#[test]
fn queries_of_icnf_determine_the_safe_shots() {
    let (_, json, _) = run(&["solve", "ships", "-e", "search:fleet-dfs", "--json"], SHIPS);
    let answer: serde_json::Value = serde_json::from_str(&json).unwrap();
    let sets = answer["sets"].as_array().unwrap();
    let unknown = [(1, 1), (1, 2), (3, 3), (5, 3), (6, 3)];
    let empty = |&(row, col): &(u32, u32)| {
        let cell = serde_json::json!([row, col]);
        sets.iter().any(|set| !set.as_array().unwrap().contains(&cell))
    };
    let expected: Vec<bool> = std::iter::once(true).chain(unknown.iter().map(empty)).collect();
    for engine in ["sat:owner", "sat:placement"] {
        assert_eq!(answers(&encode("ships", SHIPS, &["-e", engine, "--format", "icnf"])), expected);
    }
    let sunflower = encode("ships", SHIPS, &["-e", "sat/adversary=sunflower", "--format", "icnf"]);
    assert_eq!(read(&sunflower).questions, [Vec::<i64>::new()]);
    let (status, _, err) = run(&["encode", "ships", "-e", "sat/adversary=probe", "--format", "icnf"], SHIPS);
    assert!(status == 2 && err.contains("so it is not a single formula"), "{err}");
}

#[test]
fn projected_models_are_covered_sets() {
    let (_, json, _) = run(&["solve", "ships", "-e", "search:fleet-dfs", "--json"], SHIPS);
    let answer: serde_json::Value = serde_json::from_str(&json).unwrap();
    let sets = answer["sets"].as_array().unwrap();
    for engine in ["sat:owner", "sat:placement"] {
        let text = encode("ships", SHIPS, &["-e", engine]);
        let cnf = read(&text);
        let covered = |&var: &i64| {
            let name = text.lines().find_map(|line| line.strip_prefix(&format!("c varname {var} covered r")));
            let (row, col) = name.unwrap().split_once('c').unwrap();
            serde_json::json!([row.parse::<u32>().unwrap(), col.parse::<u32>().unwrap()])
        };
        let cells: Vec<_> = cnf.shown.iter().map(covered).collect();
        let values = |set: &serde_json::Value| -> Vec<bool> {
            cells.iter().map(|cell| set.as_array().unwrap().contains(cell)).collect()
        };
        assert_eq!(projected(&cnf), sets.iter().map(values).collect());
        assert_eq!(sets.len(), 4);
    }
}

/// If the proof is binary, drat-trim reads a comment below the header as an empty clause and accepts anything.
/// drat-trim guesses from the bytes whether a proof is binary, so this can happen with any proof.
#[test]
fn every_comment_is_above_the_header() {
    for (problem, input, engines) in [
        ("flip", FLIP, &["sat:presses", "sat:presses/xor=native", "sat:nullspace"][..]),
        ("ships", SHIPS, &["sat:owner", "sat:placement"]),
        ("spot", SMUDGED, &["sat:toggles", "sat:path"]),
    ] {
        for (engine, format) in engines.iter().flat_map(|e| ["cnf", "xcnf", "icnf", "wcnf"].map(|f| (e, f))) {
            if format == "wcnf" && problem != "flip" {
                continue;
            }
            let text = encode(problem, input, &["-e", engine, "--format", format]);
            let comments = text.lines().take_while(|line| line.starts_with("c ")).count();
            let below = text.lines().skip(comments).filter(|line| line.starts_with('c')).collect::<Vec<_>>();
            assert!(below.is_empty(), "{problem} {engine} {format}: {below:?}");
            let named = text.lines().filter(|line| line.starts_with("c varname ")).count();
            let constraints: Vec<_> = text.lines().skip(comments).filter(|l| !l.starts_with('p')).collect();
            let first = |line: &str| line.strip_prefix("c group ")?.split_once(' ')?.0.parse::<usize>().ok();
            let groups: Vec<usize> = text.lines().filter_map(first).collect();
            assert!(named > 0 && groups.first() == Some(&1) && groups.is_sorted(), "{groups:?}");
            assert!(groups.iter().all(|first| (1..=constraints.len() + 1).contains(first)), "{groups:?}");
        }
        let dir = folder(&format!("saved-{problem}"));
        let path = dir.join("answer").display().to_string();
        let (_, _, err) = run(&["solve", problem, "-e", engines[0], "--certify", "--save", &path], input);
        let saved =
            std::fs::read_dir(&path).unwrap_or_else(|_| panic!("{err}")).map(|entry| entry.unwrap().path());
        for file in saved.filter(|file| file.extension().is_some_and(|end| end == "cnf")) {
            let text = std::fs::read_to_string(file).unwrap();
            let header = text.lines().position(|line| line.starts_with("p cnf ")).unwrap();
            assert!(text.lines().skip(header).all(|line| !line.starts_with('c')), "{text}");
            assert!(text.lines().any(|line| line.starts_with("c varname ")), "{text}");
        }
    }
}

/// If no variable is shown, all models count as one answer. The file says so to model counters.
#[test]
fn counters_learn_that_no_variable_is_shown() {
    // On this board, sixteen models stand for one set.
    let known = "6 6\nxxxxxx\nxxxxxx\nooxxxx\nxxxxxx\nxxoxxx\nooooxo\n0 0\n";
    let empty = "3 3\nooo\nooo\nooo\n0 0\n";
    let complete = "2\n1 1 +\n2 2 +\n1 2 +\n2 1 +\n0\n";
    let white = ["-e", "sat:nullspace", "-r", "size=3x3", "-r", "target=white"];
    for (problem, input, args, answers) in [
        ("ships", known, &[][..], 1),
        ("ships", known, &["-e", "sat:placement"], 1),
        ("ships", empty, &[], 0),
        ("spot", complete, &[], 1),
        ("flip", "bwb\nwwb\nbwb\n", &white, 1),
    ] {
        for format in ["cnf", "xcnf"] {
            let text = encode(problem, input, &[args, &["--format", format]].concat());
            assert!(text.contains("\nc t pmc\n") && text.contains("\nc p show 0\n"), "{text}");
            assert_eq!(projected(&read(&text)).len(), answers, "{problem}");
        }
    }
}

#[test]
fn clauses_become_sentences() {
    let words = encode("flip", "bw\nww\n", &["-r", "size=2x2", "--words", "-r", "within=1"]);
    let lines: Vec<_> = words.lines().collect();
    assert_eq!(lines[0], "parity of each square:");
    assert_eq!(lines[1], "  at least one of: press r1c1, press r1c2, press r2c1, black");
    assert_eq!(lines[2], "  if press r1c1 and press r1c2 then press r2c1 or black");
    assert!(lines.contains(&"  not all of: press r1c1, press r1c2, press r2c1, black"), "{words}");
    assert!(lines.contains(&"number of presses:") && words.ends_with("  not h6\n"), "{words}");
    let words = encode("flip", "bw\nww\n", &["-r", "size=2x2", "--words", "-e", "sat/xor=native"]);
    assert_eq!(words.lines().nth(1), Some("  an odd number of: press r1c1, press r1c2, press r2c1, black"));
    assert_eq!(words.lines().nth(2), Some("  an even number of: press r1c2, press r1c1, press r2c2, black"));
    let ships = encode("ships", SHIPS, &["--words"]);
    assert!(ships.contains("  not both "), "{ships}");
}

#[test]
fn a_family_of_formulas_has_a_manifest() {
    let [one, two] = ["family-1", "family-2"].map(folder);
    for dir in [&one, &two] {
        let dir = dir.to_str().unwrap();
        let args = ["generate", "flip", "random", "n=4", "--seed", "5", "--count", "6", "--formulas", dir];
        let (status, out, err) =
            run(&[&args[..], &["--format", "xcnf", "-e", "sat/xor=native"]].concat(), "");
        assert_eq!((status, err.as_str()), (0, ""));
        assert!(out.starts_with("wrote 6 formulas and manifest.csv to "), "{out}");
    }
    let manifest = std::fs::read_to_string(one.join("manifest.csv")).unwrap();
    assert_eq!(manifest, std::fs::read_to_string(two.join("manifest.csv")).unwrap());
    let mut rows = manifest.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = rows.next().unwrap();
    let column = |name: &str| head.iter().position(|h| *h == name).unwrap();
    let mut seen = 0;
    for row in rows {
        assert_eq!(row.len(), head.len());
        let text = std::fs::read_to_string(one.join(row[column("file")])).unwrap();
        let hash = sha256::of(&text);
        assert_eq!(row[column("sha256")], hash);
        let read = read(&text);
        assert_eq!(
            read.header,
            ["variables", "constraints"].map(|name| row[column(name)].parse::<i64>().unwrap())
        );
        let expected = if solver(&read).solve().unwrap() { "SAT" } else { "UNSAT" };
        assert_eq!((row[column("status")], row[column("checked")]), (expected, "checked"));
        assert_eq!(row[column("file")], format!("random-n=4-{}.xcnf", row[column("seed")]));
        seen += 1;
    }
    assert_eq!(seen, 6);
}

#[test]
fn a_status_that_takes_too_long_to_find_is_unknown() {
    let dir = folder("family-limit");
    let at = dir.to_str().unwrap();
    let args = ["generate", "cnf", "pigeonhole", "pigeons=14", "--cpu-limit", "50ms", "--formulas", at];
    let (status, _, err) = run(&args, "");
    assert_eq!(status, 0, "{err}");
    let text = std::fs::read_to_string(dir.join("manifest.csv")).unwrap();
    assert!(text.ends_with(",UNKNOWN,,CPU limit\n"), "{text}");
}

/// The status of a formula comes from a search. It determines the fewest presses, so it decides every bound.
#[test]
fn a_manifest_contains_rules_and_bounds() {
    let dir = folder("family-rules");
    let manifest = |name: &str, args: &[&str]| {
        let at = dir.join(name);
        let (status, _, err) =
            run(&[&["generate"], args, &["--formulas", at.to_str().unwrap()]].concat(), "");
        assert_eq!((status, err.as_str()), (0, ""));
        let text = std::fs::read_to_string(at.join("manifest.csv")).unwrap();
        let rows = text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
        rows.map(|row| (at.join(&row[0]), row)).collect::<Vec<_>>()
    };
    let bounded = ["flip", "solvable", "n=4", "--count", "12", "-r", "within=4", "-r", "goal=any"];
    let (mut sat, mut unsat) = (0, 0);
    for (file, row) in manifest("bounded", &bounded) {
        let has_model = solver(&read(&std::fs::read_to_string(file).unwrap())).solve().unwrap();
        let expected = if has_model { "SAT" } else { "UNSAT" };
        assert_eq!((&row[5][..], &row[11][..], &row[13][..]), ("goal=any within=4", expected, "checked"));
        *if has_model { &mut sat } else { &mut unsat } += 1;
    }
    assert!(sat > 0 && unsat > 0, "{sat} {unsat}");
    let lenient = manifest("lenient", &["spot", "random", "n=2", "--lenient", "-r", "start=uncounted"]);
    assert_eq!(lenient[0].1[5], "lenient=yes");
    let reading = manifest("reading", &["ships", "random", "n=8", "--dialect", "poj"]);
    assert_eq!(reading[0].1[5], "");
    // The rule's value is the contents of the file, with its line ends escaped.
    std::fs::write(dir.join("white"), "ww\nww\n").unwrap();
    let white = format!("target={}", dir.join("white").display());
    let target = manifest("target", &["flip", "solvable", "n=2", "-r", &white]);
    assert_eq!(target[0].1[5], r#""target=""ww\nww\n""""#);
}

#[test]
fn a_failed_command_leaves_files_unchanged() {
    let dir = folder("refused");
    let at = |name: &str| dir.join(name).display().to_string();
    let (old, board) = (at("old"), at("board.txt"));
    std::fs::write(&old, "old").unwrap();
    std::fs::write(&board, FLIP).unwrap();
    for (args, why) in [
        (&["-e", "search:algebra"][..], "is not a SAT engine"),
        (&["-e", "sat:prases"], "did you mean"),
        (&["--game", "2"], "board.txt: there is no game 2; the input has 1 game"),
    ] {
        let (status, _, err) = run(&[&["encode", "flip", &board, "-o", &old], args].concat(), "");
        assert!(status == 2 && err.contains(why), "{err}");
    }
    let (status, _, err) = run(&["encode", "spot", "-o", &old, "--format", "wcnf"], SMUDGED);
    assert!(status == 2 && err.contains("there is no objective"), "{err}");
    assert_eq!(std::fs::read_to_string(&old).unwrap(), "old");
    let (status, _, err) = run(&["encode", "flip", &board, "-o", &board], "");
    assert!(status == 2 && err.contains("the game is read from this file"), "{err}");
    assert_eq!(std::fs::read_to_string(&board).unwrap(), FLIP);
    assert_eq!(run(&["encode", "flip", &board, "-o", &old], ""), (0, String::new(), String::new()));
    assert_eq!(std::fs::read_to_string(&old).unwrap(), encode("flip", FLIP, &[]));
    assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 2);

    let family = at("family");
    let generate = |args: &[&str]| run(&[&["generate"], args, &["--formulas", &family]].concat(), "");
    for args in [&["spot", "smudged", "n=2", "--format", "wcnf"][..], &["flip", "rondom", "n=4"]] {
        assert_eq!(generate(args).0, 2);
        assert!(!std::path::Path::new(&family).exists());
    }
    assert_eq!(generate(&["flip", "random", "n=4"]).0, 0);
    let files = || {
        let entries = std::fs::read_dir(&family).unwrap().map(|entry| entry.unwrap().path());
        entries.map(|path| (std::fs::read(&path).unwrap(), path)).collect::<BTreeSet<_>>()
    };
    let before = files();
    let (status, _, err) = generate(&["flip", "solvable", "n=4"]);
    assert!(status == 2 && err.contains("manifest.csv already exists; use another folder"), "{err}");
    assert!(files() == before && before.len() == 2);
}
