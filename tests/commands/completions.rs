//! Completions: the program is asked for candidates as the scripts of the shells ask it.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_counterpoint");

/// What a shell offers: kind, value, description.
type Offer = (String, String, String);

/// The offers for a line in a folder. `shell` is followed by the arguments that its script passes.
fn asked(folder: &Path, shell: &[&str]) -> Vec<Offer> {
    let mut command = Command::new(PROGRAM);
    command.arg("complete").args(shell).current_dir(folder).stdin(Stdio::null());
    let output = command.env_remove("COUNTERPOINT_CONFIG").output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{shell:?}: {output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let offer = |line: &str| {
        let mut fields = line.split('\t').map(str::to_owned);
        let mut field = || fields.next().unwrap_or_default();
        (field(), field(), field())
    };
    text.lines().map(offer).collect()
}

/// The values that zsh offers for the last word of a line, in the folder of this package. A value that is to be continued
/// ends with `…`, and a kind of path is in brackets.
fn offered_in(folder: &Path, line: &str) -> Vec<String> {
    let words: Vec<&str> = ["zsh"].into_iter().chain(line.split(' ')).collect();
    let text = |(kind, value, _): Offer| match kind.as_str() {
        "word" => value,
        "part" => format!("{value}…"),
        kind => format!("{value}[{kind}]"),
    };
    asked(folder, &words).into_iter().map(text).collect()
}

fn offered(line: &str) -> Vec<String> {
    offered_in(Path::new(env!("CARGO_MANIFEST_DIR")), line)
}

#[track_caller]
fn has(line: &str, expected: &[&str]) {
    let found = offered(line);
    let missing: Vec<_> = expected.iter().filter(|value| !found.contains(&(**value).to_owned())).collect();
    assert!(missing.is_empty(), "'{line}' lacks {missing:?}: {found:?}");
}

#[test]
fn names_are_offered_where_they_belong() {
    assert_eq!(offered("ju"), ["judge"]);
    assert_eq!(offered("judge "), ["spot", "ships", "flip", "cnf"]);
    assert_eq!(offered("--color never judge sh"), ["ships"]);
    assert_eq!(offered("new x --problem f"), ["flip"]);
    assert_eq!(offered("generate flip so"), ["solvable"]);
    assert_eq!(offered("study spot cl"), ["classes"]);
    assert_eq!(offered("stress ships th"), ["thin"]);
    assert_eq!(offered("stress ships thin th"), [""; 0]);
    assert_eq!(offered("list engines fl"), ["flip"]);
    assert_eq!(offered("man com"), ["compare", "compact", "completions"]);
    assert_eq!(offered("encode flip b.txt --format o"), ["opb"]);
    assert_eq!(offered("judge ships --dialect "), ["auto", "uva", "poj"]);
    assert_eq!(offered("check answer --checker drat-t"), ["drat-trim"]);
    has("status 003 --ve", &["--verify"]);
    assert_eq!(offered("status 003 --verify --ve"), [""; 0], "an option that is given is not offered again");
    has("judge ships --d", &["--dialect"]);
    assert!(offered("judge flip --d").is_empty(), "flip has no rule 'dialect'");
    // Hidden commands and options are not offered.
    assert!(offered("wor").is_empty() && offered("run 003 --pi").is_empty());
}

#[test]
fn engines_are_completed_part_by_part() {
    has("judge ships -e ", &["search", "search:cover", "sat", "sat:owner", "sat:placement"]);
    has("judge ships -e sat:ow", &["sat:owner", "sat:owner/amo=…", "sat:owner@…"]);
    has("judge ships --engine=sat:owner/amo=l", &["--engine=sat:owner/amo=ladder"]);
    has("compare flip -e search,sat:presses@", &["search,sat:presses@varisat", "search,sat:presses@batsat"]);
    has("compare flip -esearch,sat:pre", &["-esearch,sat:presses"]);
    let encodings = offered("encode flip b.txt -e ");
    assert!(!encodings.is_empty() && encodings.iter().all(|id| id.starts_with("sat")), "{encodings:?}");
    assert!(offered("compare flip -e sat:*").is_empty());
}

#[test]
fn patterns_get_what_may_stand_there_or_nothing() {
    assert_eq!(offered("compare flip -e sat:{presses,nu"), ["sat:{presses,nullspace…"]);
    assert_eq!(
        offered("compare flip -e search,sat:presses/xor={native,d"),
        ["search,sat:presses/xor={native,direct…"]
    );
    assert_eq!(
        offered("compare flip -e sat:{presses,nullspace},search:al"),
        ["sat:{presses,nullspace},search:algebra"]
    );
    assert_eq!(offered("compare flip -e sat:{presses,nullspace}@bat"), ["sat:{presses,nullspace}@batsat"]);
    assert_eq!(offered("compare flip -e sat:*@bat"), ["sat:*@batsat"]);
    for nothing in [
        "sat:*/xor=",
        "sat:*/",
        "*@",
        "search:*@",
        "sat:{presses,nullspace}",
        "sat:{presses/xor=",
        "sat:{presses,nu{",
    ] {
        assert_eq!(offered(&format!("compare flip -e {nothing}")), [""; 0], "{nothing}");
    }
    // The shells pass the word in different forms, and each of them gets what continues it.
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let values = |words: &[&str]| -> Vec<String> {
        asked(root, words).into_iter().map(|(_, value, _)| value).collect()
    };
    // In quotes, braces have no meaning for bash. Without quotes, they would be expanded, so they are escaped.
    let line = "counterpoint compare flip -e 'sat:{presses,nu";
    assert_eq!(values(&["bash", line, "sat:{presses,nu"]), ["sat:{presses,nullspace"]);
    let line = "counterpoint compare flip -e sat:{presses,nu";
    assert_eq!(values(&["bash", line, "{presses,nu"]), ["\\{presses,nullspace"]);
    assert_eq!(values(&["fish", "compare", "flip", "-e", "'sat:{presses,nu"]), ["sat:{presses,nullspace"]);
    assert_eq!(values(&["zsh", "compare", "flip", "-e", "sat:{presses,nu"]), ["sat:{presses,nullspace"]);
}

#[test]
fn parameters_and_rules_are_completed_as_key_and_value() {
    has("generate ships random ", &["n=…", "reveal=…", "size=…"]);
    assert!(!offered("generate ships random n=5 ").contains(&"n=…".to_owned()));
    has("study flip nullity stencil=", &["stencil=plus", "stencil=king"]);
    has("study spot classes st", &["start=…"]);
    has("solve flip -r ", &["colours=…", "size=…", "target=…"]);
    assert_eq!(offered("solve flip --rule=colours=3"), ["--rule=colours=3"]);
    has("solve flip -r target=", &["target=either", "target=[files]"]);
    has("play spot ", &["you=…", "limit=…"]);
    // A question about positions also takes a file, but only one.
    assert_eq!(offered("study ships shoot bo"), ["[files]"]);
    assert!(!offered("study ships shoot board.txt ").contains(&"[files]".to_owned()));
    assert!(!offered("study flip nullity ").contains(&"[files]".to_owned()));
}

#[test]
fn experiments_sets_and_columns_are_found() {
    assert_eq!(offered("run 003"), ["003-ships-exactly-one"]);
    assert_eq!(offered("run flip-fe"), ["flip-fewest"]);
    assert_eq!(offered("run ./exp"), ["[folders]"]);
    assert_eq!(offered("status 003 --set "), ["main"]);
    has("report 003 --baseline ", &["main", "002-ships-hard-positions"]);
    has("status 003 --by n,", &["n,amo", "n,family"]);
    assert!(!offered("status 003 --by n,").contains(&"n,n".to_owned()));
    has("status 003 --only ", &["n=…", "engine=…"]);
    assert_eq!(offered("status 003 --only n=1"), ["n=10", "n=12", "n=14", "n=16"]);
    has("status 003 --only n=8,", &["n=8,10"]);
    assert!(offered("new 0").is_empty(), "a new experiment has a new name");

    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("mine/results/second")).unwrap();
    fs::create_dir(folder.path().join("other")).unwrap();
    fs::write(folder.path().join("mine/plan.toml"), "").unwrap();
    assert_eq!(offered_in(folder.path(), "run "), ["mine"]);
    assert_eq!(offered_in(folder.path(), "run mine --set "), ["second"]);
    assert!(offered_in(folder.path(), "status mine --by ").is_empty(), "the plan has an error");
}

#[test]
fn declared_engines_and_solvers_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let config =
        "[solver.kissat]\ncommand = [\"kissat\"]\n\n[engine.mine]\nproblem = \"flip\"\ncommand = [\"cat\"]\n";
    fs::write(folder.path().join("counterpoint.toml"), config).unwrap();
    assert_eq!(offered_in(folder.path(), "judge flip -e exec:"), ["exec:mine"]);
    assert!(offered_in(folder.path(), "judge flip -e sat@kis").contains(&"sat@kissat".to_owned()));
    let other = folder.path().join("other.toml");
    fs::write(&other, config.replace("mine", "theirs")).unwrap();
    assert_eq!(offered_in(folder.path(), "--config other.toml judge flip -e exec:"), ["exec:theirs"]);
    // With an error in the configuration, the engines of the program remain.
    fs::write(&other, "[solver").unwrap();
    assert_eq!(offered_in(folder.path(), "--config other.toml judge flip -e search:al"), ["search:algebra"]);
}

#[test]
fn paths_are_offered_only_where_they_belong() {
    assert_eq!(offered("solve flip "), ["[files]"]);
    assert_eq!(offered("solve flip --save=x"), ["--save=[folders]"]);
    assert_eq!(offered("check "), ["[files]"]);
    assert_eq!(offered("stress flip -- "), ["[commands]"]);
    assert_eq!(offered("stress flip -- python3 "), ["[files]"]);
    assert_eq!(offered("report 003 -o "), ["[folders]"]);
    assert_eq!(offered("solve flip --game "), [""; 0]);
}

/// Arguments whose values cannot be listed: numbers, times, sizes, names of new things, keys of records.
const FREE: &[&str] = &["K", "N", "T", "S", "SIZE", "SEED", "COUNT", "KEY", "EXP"];

#[test]
fn every_argument_has_candidates_or_is_free() {
    let words = |line: &str| -> Vec<String> { line.split_whitespace().map(str::to_owned).collect() };
    let help = |command: &str| {
        let output = Command::new(PROGRAM).args([command, "--help"]).env("COLUMNS", "200").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let commands: Vec<String> = offered("").into_iter().filter(|name| name != "help").collect();
    assert!(commands.len() >= 20, "{commands:?}");
    let mut tested = 0;
    for command in commands {
        let before = match command.as_str() {
            "run" | "status" | "report" | "compact" | "cancel" => format!("{command} 003"),
            "check" | "new" | "list" | "man" | "doctor" | "playground" | "completions" => command.clone(),
            "study" => "study ships shoot".to_owned(),
            "generate" => "generate ships random".to_owned(),
            other => format!("{other} ships"),
        };
        for line in help(&command).lines().filter(|line| line.trim_start().starts_with('-')) {
            let words = words(line);
            let Some(at) = words.iter().position(|word| word.starts_with("--")) else { continue };
            let (Some(name), Some(value)) = (words.get(at), words.get(at + 1)) else { continue };
            let Some(value) = value.strip_prefix('<').map(|value| value.trim_end_matches(['>', '.'])) else {
                continue;
            };
            tested += 1;
            let found = offered(&format!("{before} {name} "));
            let is_free = FREE.contains(&value);
            assert!(!found.is_empty() || is_free, "{before} {name} <{value}> has no candidates");
        }
    }
    assert!(tested > 80, "{tested} options");
}

#[test]
fn bash_gets_the_end_of_the_word_that_it_replaces() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let values = |line: &str, word: &str| -> Vec<String> {
        asked(root, &["bash", line, word]).into_iter().map(|(_, value, _)| value).collect()
    };
    // bash breaks words at ':' and '='.
    assert_eq!(values("counterpoint judge flip -e search:al", "al"), ["algebra"]);
    assert_eq!(values("counterpoint judge flip --engine=search:al", "al"), ["algebra"]);
    // If COMP_WORDBREAKS contains neither, bash replaces the whole word.
    assert_eq!(values("counterpoint judge flip -e search:al", "search:al"), ["search:algebra"]);
    assert_eq!(values("counterpoint judge flip -e 'search:al", "search:al"), ["search:algebra"]);
    assert_eq!(values("counterpoint solve flip -r colours=", ""), ["2", "3", "5", "7"]);
    // After closing quotes, a value continues the word.
    assert_eq!(values("counterpoint solve flip -r 'colours='", "'colours='"), ["2", "3", "5", "7"]);
    assert_eq!(values("counterpoint ", "").first().map(String::as_str), Some("judge"));

    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("my set")).unwrap();
    fs::write(folder.path().join("my set/plan.toml"), "").unwrap();
    let names = |line: &str, word: &str| asked(folder.path(), &["bash", line, word])[0].1.clone();
    assert_eq!(names("counterpoint run my", "my"), "my\\ set");
    assert_eq!(names("counterpoint run 'my", "my"), "my set");
}

#[test]
fn fish_passes_the_word_at_the_cursor_with_its_quotes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let found = asked(root, &["fish", "judge", "flip", "-e", "'search:al"]);
    assert_eq!(found.len(), 1);
    let (kind, value, about) = &found[0];
    assert_eq!((kind.as_str(), value.as_str()), ("word", "search:algebra"));
    assert!(!about.is_empty());
}

#[test]
fn scripts_are_valid_and_call_the_program() {
    for shell in ["bash", "zsh", "fish"] {
        let output = Command::new(PROGRAM).args(["completions", shell]).output().unwrap();
        let script = String::from_utf8(output.stdout).unwrap();
        assert!(script.contains(&format!("complete {shell} ")), "{script}");
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), &script).unwrap();
        let mut check = Command::new(shell);
        check.arg("-n").arg(file.path()).stdin(Stdio::null());
        // The shell may not be installed.
        if let Ok(output) = check.output() {
            assert!(output.status.success(), "{shell}: {output:?}");
        }
    }
}

/// bash completes a line with the script as it does on a terminal: the function fills COMPREPLY.
#[test]
fn the_function_of_bash_fills_its_reply() {
    let folder = Path::new(PROGRAM).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let script = "source <(counterpoint completions bash)\n\
                  COMP_LINE='counterpoint judge flip -e search:al'\n\
                  COMP_POINT=${#COMP_LINE} COMP_WORDS=(counterpoint judge flip -e search : al) COMP_CWORD=6\n\
                  _counterpoint_complete counterpoint al :\n\
                  printf '%s\\n' \"${COMPREPLY[@]}\"";
    let Ok(output) = Command::new("bash").args(["-c", script]).env("PATH", path).output() else { return };
    assert_eq!(String::from_utf8_lossy(&output.stdout), "algebra\n", "{output:?}");
}

#[test]
fn an_unknown_shell_and_an_empty_request_are_errors() {
    for (words, message) in
        [(&["complete", "tcsh", ""][..], "unknown shell 'tcsh'"), (&["complete"], "unrecognized")]
    {
        let output = Command::new(PROGRAM).args(words).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(message), "{output:?}");
    }
}
