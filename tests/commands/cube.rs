//! `cube`: the cubes of every problem cover all models, files of other programs, and folders that `check` reads.

use crate::export_common::{FLIP, SHIPS, SMUDGED, folder, read, run, solver};
use std::fs;
use std::path::Path;
use varisat::{ExtendFormula, Lit};

/// Six pigeons in five holes.
fn pigeons() -> String {
    let (status, text, err) = run(&["generate", "cnf", "pigeonhole", "pigeons=6"], "");
    assert_eq!(status, 0, "{err}");
    text
}

fn cube(problem: &str, input: &str, more: &[&str]) -> (i32, String, String) {
    run(&[&["cube", problem], more].concat(), input)
}

#[test]
fn cubes_of_every_problem_cover_all_models() {
    let pigeons = pigeons();
    for (problem, input, engine, rule) in [
        ("cnf", pigeons.as_str(), "sat", None),
        ("cnf", "p cnf 4 3\n1 2 3 0\n-1 -2 4 0\n-3 -4 1 0\n", "sat", None),
        ("flip", FLIP, "sat:presses", None),
        ("flip", FLIP, "sat:presses/xor=tree", Some("target=black")),
        ("ships", SHIPS, "sat:owner", None),
        ("ships", SHIPS, "sat:placement/amo=ladder", None),
        ("spot", SMUDGED, "sat:toggles", None),
    ] {
        let rule: Vec<&str> = rule.into_iter().flat_map(|rule| ["-r", rule]).collect();
        let args = [&["-e", engine, "--cubes", "5"], &rule[..]].concat();
        let (status, text, err) = cube(problem, input, &args);
        assert_eq!(status, 0, "{problem} {engine}: {err}");
        assert_eq!(cube(problem, input, &args).1, text, "{problem} {engine}: not deterministic");
        let found = read(&text);
        assert!((2..=5).contains(&found.questions.len()), "{problem} {engine}: {:?}", found.questions);
        let lit = |number: &i64| Lit::from_dimacs(*number as isize);
        // If the formula has a model, some cube has one.
        let is_satisfiable = solver(&found).solve().unwrap();
        let mut in_cubes = 0;
        for cube in &found.questions {
            let mut with_cube = solver(&found);
            cube.iter().for_each(|number| with_cube.add_clause(&[lit(number)]));
            in_cubes += usize::from(with_cube.solve().unwrap());
        }
        assert_eq!(in_cubes > 0, is_satisfiable, "{problem} {engine}");
        // Every model is in a cube.
        let mut outside = solver(&found);
        for cube in &found.questions {
            outside.add_clause(&cube.iter().map(|number| !lit(number)).collect::<Vec<_>>());
        }
        assert!(!outside.solve().unwrap(), "{problem} {engine}");
        // The file can be read as cubes of another program.
        let dir = folder(&format!("cubes-{problem}-{}", engine.replace([':', '/'], "-")));
        let file = dir.join("again.icnf").display().to_string();
        fs::write(&file, &text).unwrap();
        let again = [&["-e", engine, "--from", &file], &rule[..]].concat();
        assert_eq!(cube(problem, input, &again), (0, text, String::new()), "{problem} {engine}");
    }
}

#[test]
fn a_folder_of_cubes_is_checked_by_the_proofs_in_it() {
    let dir = folder("cubes-folder");
    let at = |name: &str| dir.join(name).display().to_string();
    fs::write(at("pigeons.cnf"), pigeons()).unwrap();
    let (status, out, err) = run(&["cube", "cnf", &at("pigeons.cnf"), "--cubes", "4", "-o", &at("cut")], "");
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    assert!(out.starts_with("4 cubes over "), "{out}");
    assert!(out.contains("the cubes cover all cases: cover.drat, "), "{out}");
    let check = || run(&["check", &at("cut")], "");
    let (status, open, _) = check();
    assert_eq!(status, 0);
    assert!(open.contains("answer 1: unsatisfiable, not checked: a claim is open\n"), "{open}");
    assert!(open.contains("(cube 1/4: there is no proof cube-1.drat; 3 more cases are open)\n"), "{open}");
    assert!(open.contains("recomputed  formula.cnf contains the formula that sat:plain writes"), "{open}");
    assert!(open.contains("recomputed  cubes.icnf contains the cubes of the answer\n"), "{open}");
    // Any solver may prove the cases.
    let formula = fs::read_to_string(dir.join("cut/formula.cnf")).unwrap();
    let clauses: Vec<&str> = formula.lines().filter(|line| !line.starts_with(['c', 'p'])).collect();
    let icnf = fs::read_to_string(dir.join("cut/cubes.icnf")).unwrap();
    let cubes: Vec<&str> = icnf.lines().filter_map(|line| line.strip_prefix("a ")).collect();
    for (i, cube) in cubes.iter().enumerate() {
        let units: Vec<String> =
            cube.split(' ').filter(|lit| *lit != "0").map(|lit| format!("{lit} 0")).collect();
        let n = clauses.len() + units.len();
        let case = format!("p cnf 30 {n}\n{}\n{}\n", clauses.join("\n"), units.join("\n"));
        let (status, _, err) = run(&["solve", "cnf", "--certify", "--save", &at("case")], &case);
        assert_eq!(status, 0, "{err}");
        fs::copy(dir.join("case/proof.drat"), dir.join(format!("cut/cube-{}.drat", i + 1))).unwrap();
    }
    let (status, checked, _) = check();
    assert_eq!(status, 0, "{checked}");
    assert!(checked.starts_with("answer 1: unsatisfiable, checked\n"), "{checked}");
    // A wrong proof in another format.
    fs::write(dir.join("cut/cube-1.lrat"), "1000 0 1 0\n").unwrap();
    let (status, wrong, _) = check();
    assert_eq!(status, 1, "{wrong}");
    assert!(wrong.contains("failed      the formula has no model: cube 1/4 (cube-1.lrat: "), "{wrong}");
    fs::remove_file(dir.join("cut/cube-1.lrat")).unwrap();
    // The proof of another cube.
    fs::copy(dir.join("cut/cube-4.drat"), dir.join("cut/cube-1.drat")).unwrap();
    let (status, wrong, _) = check();
    assert_eq!(status, 1, "{wrong}");
    assert!(wrong.contains("failed      the formula has no model: cube 1/4 (proof line "), "{wrong}");
    // A proof that the cubes cover all cases is needed, too.
    fs::write(dir.join("cut/cover.drat"), "c nothing\n").unwrap();
    let (status, wrong, _) = check();
    assert_eq!(status, 1, "{wrong}");
    assert!(
        wrong.contains("the 4 cubes cover all cases (cover.drat is not the proof that the answer names)")
    );
}

#[test]
fn an_answer_outside_its_folder_stays_open() {
    let dir = folder("cubes-outside");
    let cut = dir.join("cut");
    let (status, _, err) = cube("cnf", &pigeons(), &["--cubes", "2", "-o", &cut.display().to_string()]);
    assert_eq!(status, 0, "{err}");
    let answer = fs::read_to_string(cut.join("answer.json")).unwrap();
    let (status, out, _) = run(&["check", "-"], &answer);
    assert_eq!(status, 0, "{out}");
    assert!(out.contains("(its proof is in the folder of the answer; check the folder)\n"), "{out}");
}

#[test]
fn errors_of_cube_say_what_was_expected() {
    let dir = folder("cubes-errors");
    let write = |name: &str, text: &str| {
        fs::write(dir.join(name), text).unwrap();
        dir.join(name).display().to_string()
    };
    let pigeons = pigeons();
    let satisfiable = "p cnf 2 1\n1 2 0\n";
    let outside = write("outside.icnf", "p inccnf\na 1 0\na -1 31 0\n");
    let twice = write("twice.icnf", "a 1 2 0\na 2 1 0\n");
    let empty = write("empty.icnf", "a 0\n");
    let other = write("other.icnf", "1 2 3 0\na 1 0\n");
    let partial = write("partial.icnf", "a 1 2 0\na 1 -2 0\n");
    let folder = dir.join("new").display().to_string();
    let base = |file: &str| format!("{file}:");
    for (problem, input, args, error) in [
        ("cnf", pigeons.as_str(), vec!["--cubes", "1"], "expected 2 to 100000 cubes, found 1".to_owned()),
        ("cnf", &pigeons, vec!["--cubes", "100001"], "expected 2 to 100000 cubes, found 100001".to_owned()),
        ("cnf", &pigeons, vec!["--cubes", "4", "-e", "search"], "search:dpll is not a SAT engine".to_owned()),
        (
            "cnf",
            &pigeons,
            vec!["--cubes", "4", "--game", "2"],
            "there is no game 2; the input has 1 game".to_owned(),
        ),
        ("cnf", "p cnf 0 0\n", vec!["--cubes", "4"], "game 1: the formula cannot be split: ".to_owned()),
        (
            "cnf",
            "p cnf 2 2\n1 2 0\nx1 2 0\n",
            vec!["--cubes", "4"],
            "game 1: its 1 parity constraints (x lines) become different clauses".to_owned(),
        ),
        (
            "cnf",
            &pigeons,
            vec!["--from", &outside],
            base(&outside) + "3:6: unexpected literal 31; the formula has the variables 1 to 30",
        ),
        ("cnf", &pigeons, vec!["--from", &twice], base(&twice) + "2:1: the cube repeats cube 1"),
        ("cnf", &pigeons, vec!["--from", &empty], base(&empty) + "1:1: the cube is empty"),
        (
            "cnf",
            &pigeons,
            vec!["--from", &other],
            base(&other) + "1:1: clause 1 of this file is not clause 1 of the formula",
        ),
        ("cnf", &pigeons, vec!["--from", "nowhere.icnf"], "nowhere.icnf: cannot be read: ".to_owned()),
        (
            "cnf",
            satisfiable,
            vec!["--from", &partial, "-o", &folder],
            base(&partial)
                + " the cubes do not cover all cases: a model of the formula satisfies none of them",
        ),
        (
            "flip",
            FLIP,
            vec!["--cubes", "4", "-r", "within=3"],
            "game 1: under the rule within=3, ".to_owned(),
        ),
        (
            "ships",
            SHIPS,
            vec!["--cubes", "4", "-e", "sat/adversary=sunflower"],
            "game 1: with adversary=sunflower, ".to_owned(),
        ),
        (
            "spot",
            "2\n1 1 +\n1 2 +\n1 1 -\n1 2 -\n0\n",
            vec!["--cubes", "4"],
            "game 1: all moves are known, ".to_owned(),
        ),
    ] {
        let (status, out, err) = cube(problem, input, &args);
        assert_eq!((status, out.as_str()), (2, ""), "{args:?}: {err}");
        assert!(err.contains(&error), "{args:?}: expected {error:?}, found {err}");
    }
    assert!(!Path::new(&folder).join("answer.json").exists());
    let (status, _, err) = cube("cnf", &pigeons, &["--cubes", "16", "--work-limit", "3"]);
    assert_eq!(status, 3, "{err}");
    assert!(err.contains("game 1: work limit before the formula was split"), "{err}");
    let (status, _, err) = cube("cnf", &pigeons, &[]);
    assert_eq!(status, 2);
    assert!(
        err.contains("give the number of cubes with --cubes N, or a file of cubes with --from FILE"),
        "{err}"
    );
}

#[test]
fn cubes_of_a_board_are_refuted_in_the_checkers_plain_formula() {
    let dir = folder("cubes-plain");
    let at = |name: &str| dir.join(name).display().to_string();
    // A ship covers at most two of these hits, so seven ships cannot cover all 15.
    fs::write(at("board.txt"), "7 7\nx.x.x.x\n.......\nx.x.x.x\n.......\nx.x.x.x\n.......\nx.x.x..\n0 0\n")
        .unwrap();
    let arguments =
        ["cube", "ships", &at("board.txt"), "-e", "sat:placement", "--cubes", "3", "-o", &at("cut")];
    let (status, out, err) = run(&arguments, "");
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    assert!(out.contains("wrote formula.cnf, plain.cnf, cubes.icnf and answer.json to "), "{out}");
    let plain = fs::read_to_string(dir.join("cut/plain.cnf")).unwrap();
    let head: Vec<&str> = plain.lines().find(|line| line.starts_with('p')).unwrap().split(' ').collect();
    let clauses: Vec<&str> = plain.lines().filter(|line| !line.starts_with(['c', 'p'])).collect();
    let answer: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(dir.join("cut/answer.json")).unwrap()).unwrap();
    let cubes = answer["cubes"]["cases"].as_array().unwrap();
    assert!(!cubes.is_empty());
    for (i, cube) in cubes.iter().enumerate() {
        let units: Vec<String> =
            cube["cube"].as_array().unwrap().iter().map(|lit| format!("{lit} 0")).collect();
        let n = clauses.len() + units.len();
        let case = format!("p cnf {} {n}\n{}\n{}\n", head[2], clauses.join("\n"), units.join("\n"));
        let (status, _, err) = run(&["solve", "cnf", "--certify", "--save", &at("case")], &case);
        assert_eq!(status, 0, "{err}");
        fs::copy(dir.join("case/proof.drat"), dir.join(format!("cut/cube-{}.drat", i + 1))).unwrap();
    }
    let (status, checked, _) = run(&["check", &at("cut")], "");
    assert_eq!(status, 0, "{checked}");
    assert!(checked.starts_with("answer 1: no-fleet, checked\n"), "{checked}");
}

#[test]
fn a_formula_that_looking_ahead_refutes_has_a_correct_answer_without_cubes() {
    let dir = folder("cubes-none");
    let at = |name: &str| dir.join(name).display().to_string();
    fs::write(at("u.cnf"), "p cnf 2 2\n1 0\n-1 0\n").unwrap();
    let (status, out, err) = run(&["cube", "cnf", &at("u.cnf"), "--cubes", "4", "-o", &at("cut")], "");
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    let (status, out, err) = run(&["check", &at("cut")], "");
    assert_eq!(status, 0, "{out}{err}");
    assert!(out.contains("answer 1: unsatisfiable, checked\n"), "{out}");
    assert!(out.contains("recomputed  cubes.icnf contains the cubes of the answer\n"), "{out}");
    // A file with cubes, or with other clauses, is not that of the answer.
    let file = dir.join("cut/cubes.icnf");
    let text = fs::read_to_string(&file).unwrap();
    for (altered, why) in [
        (format!("{text}a 2 0\n"), "its cubes are different"),
        (text.replace("-1 0", "-2 0"), "clause 2 of this file is not clause 2 of the formula"),
    ] {
        fs::write(&file, altered).unwrap();
        let (status, out, _) = run(&["check", &at("cut")], "");
        assert_eq!(status, 1, "{out}");
        assert!(out.contains(why), "{out}");
    }
}
