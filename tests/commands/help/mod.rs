//! Help: every page begins with examples, and all examples work when they are run in order.

mod hints;
mod manual;
mod measured;
mod outputs;
mod tables;
mod widths;

use std::path::Path;
use std::process::{Command, Output, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_counterpoint");

/// Exit status, standard output, standard error of the program in a folder, without input.
fn run_in(folder: &Path, words: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(PROGRAM);
    let output = command.args(words).current_dir(folder).stdin(Stdio::null()).output();
    let output = output.unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn run(words: &[&str]) -> Output {
    Command::new(PROGRAM).args(words).output().unwrap()
}

fn text(words: &[&str]) -> String {
    let output = run(words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The commands in the help of the program, in order.
fn commands() -> Vec<String> {
    let help = text(&["--help"]);
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let name = |line: &str| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')).map(str::to_owned);
    let first = |line: String| line.split(' ').next().unwrap().to_owned();
    list.lines().filter_map(name).map(first).filter(|name| name != "help").collect()
}

/// The examples of a page, which are between the purpose of the command and its usage.
fn examples(help: &str) -> Vec<String> {
    let opening = help.split("\nUsage: ").next().unwrap();
    let (_, lines) = opening.split_once("\nExample").unwrap_or_else(|| panic!("no example in {help}"));
    lines.lines().skip(1).filter_map(|line| line.strip_prefix("  ")).map(str::to_owned).collect()
}

#[test]
fn each_command_has_examples_and_they_work() {
    let folder = tempfile::tempdir().unwrap();
    let path =
        format!("{}:{}", Path::new(PROGRAM).parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut lines = examples(&text(&["--help"]));
    for command in commands() {
        let own = examples(&text(&[&command, "--help"]));
        let named = |line: &String| line.contains(&format!("counterpoint {command}"));
        assert!(own.iter().any(named), "{command}: {own:?}");
        lines.extend(own);
    }
    assert!(lines.len() >= 30, "{} examples", lines.len());
    for line in lines {
        let mut shell = Command::new("sh");
        shell.args(["-c", &line]).env("PATH", &path).current_dir(folder.path()).stdin(Stdio::null());
        let output = shell.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "$ {line}\n{said}");
        assert!(!said.contains("error"), "$ {line}\n{said}");
    }
}

#[test]
fn notes_are_wrapped_only_at_full_lines() {
    for command in commands() {
        let help = text(&[&command, "--help"]);
        let lines: Vec<&str> = help.lines().collect();
        for pair in
            lines.windows(2).filter(|pair| pair.iter().all(|line| line.starts_with(char::is_alphabetic)))
        {
            let next = pair[1].split(' ').next().unwrap();
            assert!(pair[0].chars().count() + 1 + next.chars().count() > 100, "{command}: {pair:?}");
        }
    }
}

#[test]
fn each_command_has_a_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    text(&["man", "--save", folder.path().to_str().unwrap()]);
    let mut names: Vec<String> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let mut expected: Vec<String> = commands()
        .iter()
        .map(|command| format!("counterpoint-{command}.1"))
        .chain(["counterpoint.1".to_owned()])
        .collect();
    expected.sort();
    assert_eq!(names, expected);
    for name in names {
        let page = std::fs::read_to_string(folder.path().join(&name)).unwrap();
        assert!(page.contains("\n.SH EXAMPLES\n"), "{name}");
    }
    let page = text(&["man", "solve"]);
    assert!(page.contains(".TH counterpoint-solve 1"), "{page}");
}

#[test]
fn each_engine_is_explained_with_its_source() {
    let table = text(&["list", "engines"]);
    let engines: Vec<&str> = table.split("\n\n").next().unwrap().lines().skip(2).collect();
    assert!(engines.len() >= 15, "{table}");
    for line in engines {
        let cells: Vec<&str> = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
        assert_eq!(cells.len(), 4, "expected problem, engine, description, source: {line}");
    }
}

#[test]
fn shells_get_completions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = text(&["completions", shell]);
        // The scripts of the first three ask the program; the others contain all commands.
        let found = if ["elvish", "powershell"].contains(&shell) { "generate" } else { "complete" };
        assert!(script.contains("counterpoint") && script.contains(found), "{shell}");
    }
}

#[test]
fn misspelt_names_get_a_suggestion() {
    let instances: [(&[&str], &str); 10] = [
        (&["sovle"], "solve"),
        (&["judge", "spt"], "spot"),
        (&["study", "flip", "nulity"], "nullity"),
        (&["study", "flip", "nullity", "stencl=king"], "stencil"),
        (&["generate", "ships", "rndom"], "random"),
        (&["generate", "ships", "random", "reveel=0.3"], "reveal"),
        (&["compare", "ships", "-e", "search:covr"], "search:cover"),
        (&["compare", "ships", "-e", "sat@varisatt"], "varisat"),
        (&["list", "engnes"], "engines"),
        (&["solve", "flip", "-r", "colors=3"], "colours"),
    ];
    for (words, nearest) in instances {
        let output = run(words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(&format!("'{nearest}'")), "{words:?}: {said}");
    }
}
