//! Altered formula files: after a change to a line of any kind, no model of the file counts as checked.

use crate::export_common::{FLIP, SHIPS, SMUDGED, encode, folder, literals, read, run, solver};
use chacha20::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use std::collections::{BTreeMap, BTreeSet};

/// The output of a solver for a formula file. If the file has several queries, the solver answers the last one.
fn solved(formula: &str) -> String {
    let read = read(formula);
    let mut solver = solver(&read);
    let assumed = read.questions.last().into_iter().flatten();
    solver.assume(&assumed.map(|&lit| varisat::Lit::from_dimacs(lit as isize)).collect::<Vec<_>>());
    assert!(solver.solve().unwrap());
    format!("s SATISFIABLE\nv {} 0\n", literals(&read, &solver).join(" "))
}

/// The kind of a line: its first words, or empty for a constraint.
fn kind(line: &str) -> &str {
    let is_word = |word: &str| word.starts_with(|c: char| c.is_ascii_alphabetic() || "*#".contains(c));
    let second = |at: usize| line[at + 1..].find(' ').map_or(line.len(), |end| at + 1 + end);
    match line.find(' ') {
        Some(at) if ["c", "*"].contains(&&line[..at]) => &line[..second(at)],
        Some(at) if is_word(line) && !line.starts_with('x') => &line[..at],
        _ if line.starts_with('x') => "x",
        _ => "",
    }
}

/// Alters a line: returns the lines that replace it, none of them blank, or `None` if the alteration does not apply to
/// it.
type Alteration = fn(&str, &mut ChaCha8Rng) -> Option<Vec<String>>;

const ALTERATIONS: [Alteration; 7] = [
    |_, _| Some(Vec::new()),
    |line, _| Some(vec![line.to_owned(), line.to_owned()]),
    |line, rng| {
        let kept = line[..rng.random_range(0..line.len())].trim_end();
        (!kept.is_empty()).then(|| vec![kept.to_owned()])
    },
    |line, _| Some(vec![format!("{line} 1")]),
    |line, rng| {
        let places: Vec<_> = line.char_indices().filter(|(_, c)| *c != ' ').map(|(at, _)| at).collect();
        let at = places[rng.random_range(0..places.len())];
        let other = "abx019-+.{".chars().nth(rng.random_range(0..10))?;
        let altered = format!("{}{other}{}", &line[..at], &line[at + 1..]);
        (altered != line).then(|| vec![altered])
    },
    // Increment a number.
    |line, _| {
        let word = line.split(' ').rfind(|word| word.parse::<u32>().is_ok_and(|n| n > 0))?;
        let more = (word.parse::<u32>().unwrap() + 1).to_string();
        let at = line.rfind(word)?;
        Some(vec![format!("{}{more}{}", &line[..at], &line[at + word.len()..])])
    },
    // Negate a literal.
    |line, _| {
        let first = line.split(' ').find(|word| word.parse::<i32>().is_ok_and(|n| n != 0))?;
        let other = first.strip_prefix('-').map_or(format!("-{first}"), str::to_owned);
        Some(vec![line.replacen(first, &other, 1)])
    },
];

/// The file that `encode` writes for the engine, rules and instance in the head of a file; `None` if the head is not
/// valid.
fn rewritten(dir: &std::path::Path, text: &str) -> Option<String> {
    let values = |key: &str| {
        let line = |line: &str| Some(line.split_once(' ')?.1.strip_prefix(key)?.trim_start().to_owned());
        text.lines().filter_map(line).collect::<Vec<_>>()
    };
    let rules: BTreeMap<String, String> = serde_json::from_str(values("rules ").first()?).ok()?;
    let rules = rules.iter().flat_map(|(key, value)| ["-r".to_owned(), format!("{key}={value}")]);
    let [problem, engine, format] =
        ["problem ", "engine ", "counterpoint "].map(|key| values(key).first().cloned().unwrap_or_default());
    let file = dir.join("instance").display().to_string();
    std::fs::write(&file, values("instance").join("\n") + "\n").unwrap();
    let fixed = ["encode", &problem, &file, "-e", &engine, "--format", &format].map(str::to_owned);
    let args: Vec<_> = fixed.into_iter().chain(rules).collect();
    let (status, text, _) = run(&args.iter().map(String::as_str).collect::<Vec<_>>(), "");
    (status == 0).then_some(text)
}

#[test]
fn no_altered_file_has_a_checked_model() {
    let dir = folder("altered");
    let [model, file] = ["model", "formula"].map(|name| dir.join(name).display().to_string());
    let mut rng = ChaCha8Rng::seed_from_u64(17);
    let mut kinds = BTreeSet::new();
    let complete = "2\n1 1 +\n2 2 +\n1 2 +\n2 1 +\n0\n";
    // As long as these files are unaltered, their models count as checked.
    for (problem, input, rules) in
        [("flip", "bw\nww\n", &["-r", "size=2x2", "-r", "within=4"][..]), ("spot", complete, &[])]
    {
        for format in ["cnf", "xcnf", "wcnf", "opb", "icnf"] {
            if problem == "spot" && format == "wcnf" {
                continue;
            }
            let engine = if format == "xcnf" && problem == "flip" { "sat/xor=native" } else { "sat" };
            let text = encode(problem, input, &[rules, &["-e", engine, "--format", format]].concat());
            std::fs::write(&model, solved(&text)).unwrap();
            std::fs::write(&file, &text).unwrap();
            let (status, out, err) = run(&["check", "--model", &model, &file], "");
            assert!(status == 0 && out.lines().next().unwrap().ends_with(", checked"), "{out}{err}");
            let lines: Vec<_> = text.lines().collect();
            let mut by_kind: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
            lines.iter().enumerate().for_each(|(i, line)| by_kind.entry(kind(line)).or_default().push(i));
            for (kind, places) in by_kind {
                kinds.insert(kind.to_owned());
                for alter in ALTERATIONS {
                    let at = places[rng.random_range(0..places.len())];
                    let Some(altered) = alter(lines[at], &mut rng) else { continue };
                    let altered: Vec<_> = (lines[..at].iter().map(|line| (*line).to_owned()))
                        .chain(altered)
                        .chain(lines[at + 1..].iter().map(|line| (*line).to_owned()))
                        .collect();
                    let altered = altered.join("\n") + "\n";
                    std::fs::write(&file, &altered).unwrap();
                    let (status, out, err) = run(&["check", "--model", &model, &file], "");
                    assert!([0, 1, 2].contains(&status) && (status == 2) == out.is_empty(), "{altered}{err}");
                    if out.lines().next().is_some_and(|first| first.ends_with(", checked")) {
                        // A model may count as checked only if the altered file is what `encode` writes for its altered
                        // head.
                        let right = rewritten(&dir, &altered);
                        assert_eq!(right.as_ref(), Some(&altered), "{kind}: {}", lines[at]);
                    }
                }
            }
        }
    }
    let known = ["", "* #variable=", "* instance", "* varname", "a", "c counterpoint", "c engine", "c group"];
    let more = ["c instance", "c p", "c problem", "c rules", "c t", "c varname", "h", "min:", "p", "x"];
    for kind in known.iter().chain(&more) {
        assert!(kinds.contains(*kind), "{kind} in {kinds:?}");
    }
}

/// Problem, input, options, and what `check` must print about them.
const QUESTIONS: &[(&str, &str, &[&str], &str)] = &[
    ("flip", FLIP, &[], "flip 4x4, by search:algebra, the judge's rules"),
    (
        "flip",
        "bwb\nwbw\nbwb\n",
        &["-r", "size=3x3", "-r", "stencil=king", "-r", "target=white", "-e", "sat"],
        "flip 3x3, by sat:presses, rules size=3x3 stencil=king target=white",
    ),
    ("ships", SHIPS, &[], "ships 6x6, by search:cover, the judge's rules"),
    ("ships", SHIPS, &["-r", "misses=2", "-e", "search:dlx"], "ships 6x6, by search:dlx, rules misses=2"),
    ("spot", SMUDGED, &["-e", "sat@batsat"], "spot 2x2, 4 moves, by sat:toggles@batsat, the judge's rules"),
    (
        "spot",
        "3\n1 1 +\n2 2 +\n1 3 +\n0\n",
        &["-r", "symmetry=d4", "-r", "limit=3", "-r", "start=counted"],
        "spot 3x3, 3 moves, by search:zobrist, rules symmetry=d4 start=counted limit=3",
    ),
];

#[test]
fn check_prints_the_context_of_an_answer() {
    let mut all = String::new();
    for (problem, input, args, line) in QUESTIONS {
        let (status, json, err) = run(&[&["solve", problem, "--json"], *args].concat(), input);
        assert_eq!(status, 0, "{err}");
        let (status, out, err) = run(&["check", "-"], &json);
        assert_eq!(status, 0, "{out}{err}");
        assert_eq!(out.lines().nth(1), Some(&*format!("  {line}")), "{out}");
        all += &json;
    }
    let (_, out, _) = run(&["check", "-"], &all);
    assert!(QUESTIONS.iter().all(|(.., line)| out.contains(line)), "{out}");
    // Answers with the name of an engine that this build lacks, and without an engine.
    for (engine, words) in [
        (
            "\"engine\":\"exec:mine\",",
            "by the program exec:mine (not declared here; checking does not need it), ",
        ),
        (
            "\"engine\":\"sat:mine@kissat\",",
            "by the encoder sat:mine@kissat (not declared here; checking does",
        ),
        ("\"engine\":\"sat:presses/amo=x\",", "by sat:presses/amo=x (this build lacks it; checking does not"),
        ("\"engine\":\"sat:*\",", "by sat:* (this build lacks it; checking does not need it), "),
        ("", "by an unnamed engine"),
    ] {
        let (_, json, _) = run(&["solve", "flip", "--json"], FLIP);
        let altered = json.replace("\"engine\":\"search:algebra\",", engine);
        assert_ne!(altered, json);
        let (status, out, _) = run(&["check", "-"], &altered);
        assert!(status == 0 && out.contains(words), "{out}");
    }
}

#[test]
fn the_files_of_a_folder_must_belong_to_its_answer() {
    let folders: Vec<_> = (0..QUESTIONS.len()).map(|i| folder(&format!("kept-{i}"))).collect();
    let check = |i: usize| run(&["check", &folders[i].display().to_string()], "");
    for (i, (problem, input, args, _)) in QUESTIONS.iter().enumerate() {
        let name = folders[i].display().to_string();
        let save = ["solve", problem, "--certify", "--save", &name];
        assert_eq!(run(&[&save, *args].concat(), input).0, 0);
        let (status, out, err) = check(i);
        assert_eq!(status, 0, "{out}{err}");
        for words in ["instance.txt contains the answer's instance", "picture.svg shows the answer"] {
            assert!(out.contains(&format!("  recomputed  {words}\n")), "{out}");
        }
        let formulas = std::fs::read_dir(&folders[i]).unwrap().map(|entry| entry.unwrap().file_name());
        let formulas = formulas.filter(|name| name.to_string_lossy().ends_with(".cnf")).count();
        assert_eq!(out.matches("contains the checker's formula\n").count(), formulas, "{out}");
    }
    // Replace each file by that of another answer, or alter a byte.
    for file in ["instance.txt", "formula.cnf", "picture.svg"] {
        let path = folders[0].join(file);
        let own = std::fs::read_to_string(&path).unwrap();
        let other = std::fs::read_to_string(folders[1].join(file)).unwrap_or("p cnf 1 1\n1 0\n".to_owned());
        let digit = own.rfind(['1', 'w']).unwrap();
        let altered = format!("{}7{}", &own[..digit], &own[digit + 1..]);
        for text in [&other, &altered, &String::new()] {
            std::fs::write(&path, text).unwrap();
            let (status, out, err) = check(0);
            assert_eq!(status, 1, "{file}: {out}{err}");
            assert!(out.contains(&format!("  failed      {file} ")) && out.contains("WRONG"), "{out}");
        }
        // Line ends do not matter, and there is no claim about a missing file.
        std::fs::write(&path, own.replace('\n', "\r\n")).unwrap();
        assert_eq!(check(0).0, 0, "{file}");
        std::fs::remove_file(&path).unwrap();
        let (status, out, _) = check(0);
        assert_eq!((status, out.contains(file)), (0, false), "{out}");
        std::fs::write(&path, own).unwrap();
    }
    // The formula of an engine for the same instance is allowed; a formula for another instance is not.
    let path = folders[0].join("formula.cnf");
    std::fs::write(&path, encode("flip", FLIP, &["-e", "sat/xor=tree"])).unwrap();
    let (status, out, _) = check(0);
    let words = "recomputed  formula.cnf contains the formula that sat:presses/xor=tree writes for the answer's instance";
    assert!(status == 0 && out.contains(words), "{out}");
    let other = encode("flip", "bbbb\nbwbb\nbbbb\nbbbb\n", &[]);
    let unknown = encode("flip", FLIP, &[]).replace("c engine sat:presses", "c engine sat:mine");
    for (text, status, words) in [
        (other, 1, "its head names another problem, another instance or other rules"),
        (unknown, 0, "this build lacks that engine"),
    ] {
        std::fs::write(&path, text).unwrap();
        let (found, out, _) = check(0);
        assert!(found == status && out.contains(words) && !out.contains(", checked"), "{out}");
    }
}

#[test]
fn an_answer_is_compared_with_a_file_of_games() {
    let dir = folder("against");
    let file = dir.join("games.txt").display().to_string();
    let (_, one, _) = run(&["solve", "flip", "--json"], FLIP);
    let other = "bbbb\nbwbb\nbbbb\nbbbb\n";
    let (_, two, _) = run(&["solve", "flip", "--json"], other);
    let against = |games: &str, answers: &str| {
        std::fs::write(&file, games).unwrap();
        run(&["check", "-", "--against", &file], answers)
    };
    let (status, out, _) = against(&format!("{other}\n{FLIP}"), &format!("{one}{two}"));
    assert_eq!(status, 0, "{out}");
    for game in [1, 2] {
        assert!(out.contains(&format!("  recomputed  the instance is game {game} of {file}\n")), "{out}");
    }
    let (status, out, _) = against(other, &format!("{one}{two}"));
    assert_eq!(status, 1, "{out}");
    let words = format!("failed      the instance is a game of {file} (its only game is a different one)");
    assert!(out.contains(&words) && out.contains("answer 2: impossible, checked"), "{out}");
    // An empty, a malformed and a missing file of games. A game before the error counts.
    assert_eq!(against("", &one).0, 1);
    let (status, _, err) = against("bwq\n", &one);
    assert!(status == 2 && err.contains("games.txt:1:3: "), "{err}");
    assert_eq!(against(&format!("{FLIP}bwq\n"), &one).0, 0);
    let none = dir.join("none.txt").display().to_string();
    assert_eq!(run(&["check", "-", "--against", &none], &one).0, 2);
    assert_eq!(run(&["check", "-", "--against", "-"], &one).0, 2);
    // The games may be in either dialect. Here the answer is in a folder, and its rules are not the judge's.
    let wide = "7 6\n..xxxx.\nxxxxxx.\noo.xxx.\nxxxxxx.\nxx.xxx.\noo.oxo.\n0 0\n";
    let poj = wide.replacen("7 6", "6 7", 1);
    let saved = dir.join("saved").display().to_string();
    assert_eq!(run(&["solve", "ships", "-r", "misses=2", "--save", &saved], wide).0, 0);
    for games in [wide, &poj] {
        std::fs::write(&file, games).unwrap();
        let (status, out, err) = run(&["check", &saved, "--against", &file], "");
        assert!(status == 0 && out.contains("the instance is game 1 of "), "{out}{err}");
    }
    std::fs::write(&file, SHIPS).unwrap();
    assert_eq!(run(&["check", &saved, "--against", &file], "").0, 1);
}
