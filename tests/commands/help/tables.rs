//! Tables on a terminal of 80 columns and in a pipe.

use super::PROGRAM;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Commands that print tables.
const COMMANDS: [&str; 16] = [
    "list engines",
    "list families",
    "list questions",
    "list rules",
    "list encodings",
    "list solvers",
    "list checkers",
    "doctor",
    "status 002",
    "status 002 --by engine",
    "status 003 --by n",
    "run 002 --dry-run",
    "stress spot --list",
    "study flip histogram n=3",
    "generate ships hard n=8 | counterpoint encode ships --stats",
    "generate ships hard n=6 | counterpoint compare ships -e 'search:cover,sat:*'",
];

/// The standard output of a shell command: to a pipe, or through `script` to a terminal with this many columns.
fn printed(line: &str, columns: Option<u16>) -> String {
    let line = format!("counterpoint {line}");
    let mut command = match columns {
        None => {
            let mut command = Command::new("sh");
            command.args(["-c", &line]);
            command
        }
        Some(columns) => {
            let mut command = Command::new("script");
            command.args(["-qec", &format!("stty cols {columns}; ({line}) 2> /dev/null"), "/dev/null"]);
            command
        }
    };
    let programs = Path::new(PROGRAM).parent().unwrap().display();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap());
    command.env("PATH", path).env("SHELL", "/bin/sh").current_dir(env!("CARGO_MANIFEST_DIR"));
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().unwrap();
    String::from_utf8(output.stdout).unwrap().replace('\r', "")
}

/// The words of a text, without horizontal lines and without times, which differ from run to run.
fn words(text: &str) -> Vec<&str> {
    let all: Vec<&str> = text.split_whitespace().collect();
    let is_unit = |at: usize| all.get(at).is_some_and(|word| ["ns", "µs", "ms", "s"].contains(word));
    let is_kept = |at: &usize| !is_unit(*at) && !is_unit(at + 1) && !all[*at].starts_with('─');
    (0..all.len()).filter(is_kept).map(|at| all[at]).collect()
}

#[test]
fn a_pipe_gets_every_column_without_trailing_blanks() {
    for line in COMMANDS {
        let text = printed(line, None);
        assert!(text.contains("──") || line.contains("--list"), "{line}: {text}");
        assert_eq!(text.lines().find(|line| line.ends_with(' ')), None, "{line}: {text}");
        assert!(!text.contains(" hidden: ") && !text.contains("are shortened"), "{line}: {text}");
    }
    let compared = printed(COMMANDS[15], None);
    let head = "game engine answer claims CPU check nodes conflicts variables clauses";
    assert_eq!(words(compared.lines().next().unwrap()).join(" "), head);
}

#[test]
fn comparisons_of_many_engines_show_sums_and_reasons() {
    let compare = |board: &str, args: &[&str]| {
        let mut command = Command::new(PROGRAM);
        command.args(["compare", "flip"]).args(args).stdin(Stdio::piped());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(board.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap())
    };
    // More engines than a table of runs may have rows.
    let [out, err] = compare("bwbw\nwwww\nbbwb\nbwwb\n", &["-e", "sat:*/xor=*/card=*/bound=*@*"]);
    assert!(out.starts_with(" engine") && out.lines().count() > 100, "{out}{err}");
    let [out, err] = compare("012\n100\n", &["-e", "search,sat", "-r", "colours=3", "-r", "size=3x2"]);
    assert!(err.contains("1 of 1 run of sat:presses is unsupported: "), "{out}{err}");
}

#[test]
fn a_terminal_breaks_no_word_and_names_hidden_columns() {
    if Command::new("script").arg("--version").output().is_err() {
        return;
    }
    for line in COMMANDS {
        let (whole, text) = (printed(line, None), printed(line, Some(80)));
        // Only the rows of tables are measured, because sentences below tables are not wrapped.
        let mut rows = text.lines().filter(|line| line.starts_with([' ', '─']));
        let wide = rows.find(|line| line.chars().count() > 80);
        assert_eq!(wide, None, "{line}:\n{text}");
        let remarks = text.find(" hidden: ").map_or("", |at| &text[at..]).replace('\n', " ");
        let cells = text.lines().filter(|line| line.starts_with(' ')).collect::<Vec<_>>().join("\n");
        let known = words(&whole);
        // Values of `doctor` differ from run to run.
        for word in words(&cells).into_iter().filter(|_| line != "doctor") {
            let start = word.strip_suffix('…').unwrap_or(word);
            let is_known = |known: &&str| *known == word || start != word && known.starts_with(start);
            assert!(known.iter().any(is_known), "{line}: {word} is broken:\n{text}");
        }
        let shown = words(&text);
        for name in whole.lines().next().filter(|head| head.starts_with(' ')).map_or(Vec::new(), words) {
            assert!(shown.contains(&name) || remarks.contains(name), "{line}: {name} is missing:\n{text}");
        }
    }
}
