//! The layout of the sources: which modules may import which, how files begin, how long they are, and which files each
//! problem's folder has. The tests read the sources and name each file that breaks a rule.

#[path = "architecture/cycles.rs"]
mod cycles;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const MAX_LINES: usize = 400;

/// Modules of the library that every module may use.
const VOCABULARY: &[&str] =
    &["board", "engine", "errors", "spec", "claim", "input", "keyed", "rules", "problem", "study"];

/// For each file of a problem's folder, what it may use besides the vocabulary. `self::NAME` is another file of that
/// folder, and `self` is its `lib.rs`.
const PROBLEM_FILES: &[(&str, &[&str])] = &[
    ("lib.rs", &["erased"]),
    ("answer.rs", &["self"]),
    ("read.rs", &["self", "self::decompress", "self::plain"]),
    ("plain.rs", &[]),
    ("decompress.rs", &[]),
    ("write.rs", &["self", "self::answer"]),
    ("check.rs", CHECK),
    ("formula.rs", FORMULA),
    ("sat.rs", SAT),
    ("model.rs", MODEL),
    ("families.rs", FAMILIES),
    ("picture.rs", &["self", "self::answer"]),
    ("lesson.rs", &["self", "self::formula", "self::sat", "encodings"]),
    ("edit.rs", &["self", "self::picture"]),
    ("explain.rs", &["self", "self::answer"]),
    ("trials.rs", TRIALS),
    ("tiny.rs", &["self", "self::families", "self::trials"]),
    ("mutants.rs", MUTANTS),
    ("verdict.rs", &["self", "self::answer", "self::check", "self::write"]),
];
const FAMILIES: &[&str] = &["self", "self::families", "self::study"];
const MODEL: &[&str] = &["self", "self::answer", "self::check", "self::formula", "self::sat", "encodings"];
const TRIALS: &[&str] = &["self", "self::answer", "self::families", "self::trials", "self::write"];
const MUTANTS: &[&str] = &["self", "self::mutants"];
const CHECK: &[&str] = &["self", "self::answer", "self::check", "proof"];
const FORMULA: &[&str] = &["self", "self::formula", "encodings"];
const FORMULA_FOLDER: &[&str] = &["self", "self::formula", "self::search", "self::study", "encodings"];
const SAT: &[&str] = &["self", "self::answer", "self::formula", "self::sat", "encodings", "named", "solver"];
const ANSWER: &[&str] = &["self", "self::answer"];
const SEARCH: &[&str] = &["self", "self::answer", "self::search"];
const HARNESS: &[&str] = &[
    "declared",
    "certify",
    "cubes",
    "document",
    "erased",
    "report_spec",
    "process",
    "proof",
    "shell",
    "record",
    "registry",
    "solver",
    "encodings",
];
const STUDY: &[&str] = &[
    "self",
    "self::families",
    "self::study",
    "self::search",
    "self::formula",
    "self::sat",
    "self::answer",
    "encodings",
    "solver",
];
const CLI: &[&str] = &[
    "declared",
    "named",
    "document",
    "report_spec",
    "report",
    "harness",
    "record",
    "certify",
    "checker",
    "cubes",
    "erased",
    "export",
    "pages",
    "process",
    "proof",
    "registry",
    "shell",
    "solver",
    "stress",
    "encodings",
];

/// For each top-level module, what it may use besides the vocabulary.
const MODULES: &[(&str, &[&str])] = &[
    ("board", &[]),
    ("engine", &[]),
    ("errors", &[]),
    ("input", &[]),
    ("spec", &["declared", "solver"]),
    ("rules", &[]),
    ("study", &[]),
    ("problem", &["named", "proof", "encodings"]),
    ("erased", &["declared", "named", "proof", "encodings"]),
    ("registry", &["erased"]),
    ("named", &["proof::dimacs", "encodings"]),
    ("declared", &["process"]),
    ("process", &[]),
    ("document", &[]),
    ("shell", &[]),
    ("harness", HARNESS),
    ("solver", &["proof", "encodings", "process"]),
    ("export", &["proof::dimacs", "encodings"]),
    ("certify", &["solver", "proof", "encodings"]),
    ("cubes", &["certify", "proof", "encodings"]),
    ("checker", &["proof", "process"]),
    ("cli", CLI),
    ("stress", &["named", "erased", "certify", "export", "process", "proof::dimacs", "solver", "encodings"]),
    ("problems", &[]),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn sources(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") && !path.ends_with(".git") {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The sources of the core, the workbench, the problems and the program.
fn library() -> Vec<PathBuf> {
    ["core/src", "workbench/src", "problems", "src"].map(|source| sources(&root().join(source))).concat()
}

/// The path of a file below the `src` of its crate; for the crates of problems, after `problems/NAME`.
fn below_src(path: &Path) -> PathBuf {
    let relative = path.strip_prefix(root()).unwrap();
    let parts: Vec<_> = relative.iter().collect();
    let at = parts.iter().position(|part| *part == "src").unwrap();
    let home = if parts[0] == "problems" { &parts[..at] } else { &[] };
    home.iter().chain(&parts[at + 1..]).collect()
}

/// The code of a file without comments and without its unit tests.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let text = text.replace("#[cfg(test)]\nmod tests;", "");
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// All paths in the code that begin with `crate`, `super`, `counterpoint_core` or `counterpoint_encodings`, as lists of
/// segments. A path with braces yields a path for each item.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for start in ["crate::", "super::", "counterpoint_core::", "counterpoint_encodings::"] {
        for (at, _) in code.match_indices(start) {
            let before = code[..at].chars().next_back().unwrap_or(' ');
            if !before.is_alphanumeric() && before != '_' && before != ':' {
                expand(&code[at..], Vec::new(), &mut found);
            }
        }
    }
    found
}

/// Reads the path at the start of `text`, and returns its length in bytes. Adds all paths that it stands for to
/// `found`, each after the segments of `prefix`.
fn expand(text: &str, prefix: Vec<String>, found: &mut Vec<Vec<String>>) -> usize {
    let (mut at, mut path) = (0, prefix);
    loop {
        let rest = &text[at..];
        if let Some(inside) = rest.strip_prefix('{') {
            let mut used = 1;
            loop {
                let skip = inside[used - 1..].chars().take_while(|c| c.is_whitespace() || *c == ',').count();
                used += skip;
                if inside[used - 1..].starts_with('}') || inside[used - 1..].is_empty() {
                    return at + used + 1;
                }
                used += expand(&inside[used - 1..], path.clone(), found).max(1);
            }
        }
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        at += name.len();
        path.push(name);
        if !text[at..].starts_with("::") {
            found.push(path);
            return at;
        }
        at += 2;
    }
}

/// The module that a path in the file `relative` (below `src`) refers to, under the name that the tables above use.
fn meaning(relative: &Path, path: &[String]) -> String {
    let mut place: Vec<String> = Vec::new();
    if path[0] == "counterpoint_encodings" {
        return "encodings".to_owned();
    }
    if path[0] == "super" {
        // Begin at the module of the file. Each `super` goes one module up.
        place = relative.with_extension("").iter().map(|s| s.to_string_lossy().into_owned()).collect();
        if place.last().is_some_and(|last| last == "mod" || last == "lib") {
            place.pop();
        }
    }
    let home: Vec<String> = relative.iter().take(2).map(|s| s.to_string_lossy().into_owned()).collect();
    for segment in path {
        match segment.as_str() {
            "crate" if home[0] == "problems" => place.clone_from(&home),
            "crate" | "counterpoint_core" => place.clear(),
            "super" => drop(place.pop()),
            name => place.push(name.to_owned()),
        }
    }
    if home[0] == "problems" && place.first() == home.first() && place.get(1) == home.get(1) {
        let module = place.get(2).filter(|name| name.chars().all(|c| c.is_lowercase() || c == '_'));
        let sibling = module.filter(|name| {
            let folder = root().join(&home[0]).join(&home[1]).join("src");
            folder.join(format!("{name}.rs")).exists() || folder.join(name).is_dir()
        });
        return sibling.map_or("self".to_owned(), |name| format!("self::{name}"));
    }
    // Modules that must not use the proof checkers may use the reader of formula files, so it has a separate name.
    if place.starts_with(&["proof".to_owned(), "dimacs".to_owned()]) {
        return "proof::dimacs".to_owned();
    }
    place.first().cloned().unwrap_or_default()
}

#[test]
fn imports_follow_the_map() {
    let mut broken = Vec::new();
    for path in library() {
        let relative = &below_src(&path);
        let parts: Vec<String> = relative.iter().map(|s| s.to_string_lossy().into_owned()).collect();
        let file = parts.last().unwrap().as_str();
        let module = parts[0].trim_end_matches(".rs");
        let allowed: &[&str] = match (module, parts.len()) {
            ("main" | "lib" | "double", _) => continue,
            ("problems", _) if file == "entry.rs" => continue,
            ("problems", n) if n > 3 && parts[2] == "search" => SEARCH,
            ("problems", n) if n > 3 && parts[2] == "families" => FAMILIES,
            ("problems", n) if n > 3 && parts[2] == "study" => STUDY,
            ("problems", n) if n > 3 && parts[2] == "check" => CHECK,
            ("problems", n) if n > 3 && parts[2] == "mutants" => MUTANTS,
            ("problems", n) if n > 3 && parts[2] == "trials" => TRIALS,
            ("problems", n) if n > 3 && parts[2] == "answer" => ANSWER,
            ("problems", n) if n > 3 && parts[2] == "formula" => FORMULA_FOLDER,
            ("problems", n) if n > 3 && parts[2] == "sat" => SAT,
            ("problems", n) if n > 3 && parts[2] == "decompress" => &["self::decompress"],
            ("problems", _) => {
                let rule = PROBLEM_FILES.iter().find(|(name, _)| *name == file);
                rule.unwrap_or_else(|| {
                    panic!("{} is not in PROBLEM_FILES; add it with what it may use", relative.display())
                })
                .1
            }
            _ => {
                MODULES
                    .iter()
                    .find(|(name, _)| *name == module)
                    .unwrap_or_else(|| panic!("{module} is not in MODULES; add it with what it may use"))
                    .1
            }
        };
        for used in paths(&code(&path)) {
            let meaning = meaning(relative, &used);
            let own = meaning == module && module != "problems";
            // The instances of `cnf` are formulas in files, so all of its files may use literals, the reader of formula
            // files, and hashes.
            let is_formula = parts.get(1).is_some_and(|name| name == "cnf")
                && ["encodings", "proof::dimacs", "sha256"].contains(&meaning.as_str());
            // A known bug of a solver is recognised in the solver's output. To do so, the code solves the
            // formula that a program with this bug would read.
            let is_bug = module == "problems"
                && parts[1] == "cnf"
                && parts[2].starts_with("mutants")
                && ["solver", "self::verdict", "self::write", "self::trials", "self::answer"]
                    .contains(&meaning.as_str());
            let open = is_formula || is_bug || VOCABULARY.contains(&meaning.as_str());
            if !own && !open && !allowed.contains(&meaning.as_str()) {
                broken.push(format!("{} uses {} ({meaning})", relative.display(), used.join("::")));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn the_map_catches_a_broken_rule() {
    let file = Path::new("problems/flip/check.rs");
    let used = |code: &str| paths(code).iter().map(|p| meaning(file, p)).collect::<Vec<_>>();
    assert_eq!(used("use super::search::algebra;"), ["self::search"]);
    assert_eq!(used("use super::{Rules, sat};"), ["self", "self::sat"]);
    assert_eq!(
        used("use counterpoint_core::{claim::{Claim, Status}, solver};"),
        ["claim", "claim", "solver"]
    );
    assert_eq!(used("use crate::formula;"), ["self::formula"]);
    assert_eq!(used("use counterpoint_encodings::Lit;"), ["encodings"]);
    assert_eq!(used("use counterpoint_core::proof::{Formula, dimacs::Reader};"), ["proof", "proof::dimacs"]);
}

#[test]
fn the_three_problems_are_laid_out_alike() {
    let folder = |problem: &str| -> BTreeSet<String> {
        let dir = root().join("problems").join(problem).join("src");
        let names = fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
        names
            .filter(|name| {
                !["study", "check", "answer", "families", "formula", "sat", "mutants", "trials"]
                    .contains(&name.as_str())
            })
            .collect()
    };
    assert_eq!(folder("flip"), folder("ships"));
    assert_eq!(folder("flip"), folder("spot"));
}

#[test]
fn files_are_short_and_begin_with_their_purpose() {
    let mut broken = Vec::new();
    let dirs = [
        "src",
        "core",
        "pages",
        "workbench",
        "base",
        "encodings",
        "problems",
        "proofs",
        "report",
        "statistics",
        "examples",
        "tests",
    ];
    for dir in dirs.into_iter().chain(["benches"]) {
        for path in sources(&root().join(dir)) {
            let text = fs::read_to_string(&path).unwrap();
            let name = path.strip_prefix(root()).unwrap().display().to_string();
            if text.lines().count() > MAX_LINES {
                broken.push(format!("{name} has {} lines", text.lines().count()));
            }
            if !text.starts_with("//! ") {
                broken.push(format!("{name} does not begin with a comment that says what it is for"));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn the_guide_to_a_new_problem_is_at_most_310_lines_of_code() {
    let mut files = sources(&root().join("examples/queens"));
    // The files that test the guide's chapter and the completions are not part of the example.
    files.retain(|path| {
        !["main.rs", "guide.rs", "completions.rs"]
            .iter()
            .any(|name| path.ends_with(format!("tests/queens/{name}")))
    });
    let lines = |p: &PathBuf| fs::read_to_string(p).unwrap().lines().filter(|line| !line.is_empty()).count();
    let all: usize = files.iter().map(lines).sum();
    assert!(all <= 310, "{all}");
}

/// Every file except `main.rs` and `mod.rs` must be named.
#[test]
fn every_file_of_tests_is_in_their_readme() {
    let readme = fs::read_to_string(root().join("tests/README.md")).unwrap();
    for path in sources(&root().join("tests")) {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if ["main", "mod"].contains(&&*name) {
            continue;
        }
        let folder = path.parent().unwrap().file_name().unwrap().to_string_lossy().into_owned();
        let is_named =
            [format!("`{name}`"), format!("`{folder}/{name}`")].iter().any(|named| readme.contains(named));
        assert!(is_named, "tests/README.md does not say what {} is about", path.display());
    }
}
