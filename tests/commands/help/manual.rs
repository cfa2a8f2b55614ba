//! Manual pages: they contain what `--help` prints.

use super::{commands, run_in, text};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// The words about each argument, by the line that introduces it, such as `-e, --engine <ENGINE>`.
type Arguments = BTreeMap<String, Vec<String>>;

/// The words of a text in sorted order, without backquotes, bullets, and the brackets of defaults.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = text
        .split_whitespace()
        .map(|word| word.replace(['`', '[', ']'], "").to_lowercase())
        .filter(|word| !word.is_empty() && word != "-")
        .collect();
    words.sort();
    words
}

/// The arguments in the long help of a command.
fn of_help(help: &str) -> Arguments {
    let mut found: Vec<(String, String)> = Vec::new();
    for line in help.lines() {
        let indent = line.len() - line.trim_start().len();
        if (2..=6).contains(&indent) && line.trim_start().starts_with(['-', '<', '[']) {
            found.push((line.trim().to_owned(), String::new()));
        } else if let Some((_, about)) = found.last_mut().filter(|_| indent >= 10) {
            *about += &format!("{line}\n");
        }
    }
    found.into_iter().map(|(head, about)| (head, words(&about))).collect()
}

/// The text of a page without the marks of roff, with a line for each macro.
fn unmarked(page: &str) -> String {
    let marks = [
        ("\\fB", ""),
        ("\\fI", ""),
        ("\\fR", ""),
        ("\\-", "-"),
        ("\\*(Aq", "'"),
        ("\\&", ""),
        ("\u{a0}", " "),
    ];
    marks.iter().fold(page.to_owned(), |text, (mark, plain)| text.replace(mark, plain))
}

/// The arguments in the sections ARGUMENTS and OPTIONS of a page.
fn of_page(page: &str) -> Arguments {
    let mut found = Arguments::new();
    for section in
        page.split(".SH ").filter(|part| part.starts_with("ARGUMENTS") || part.starts_with("OPTIONS"))
    {
        for item in section.split(".TP\n").skip(1) {
            let (head, about) = item.split_once('\n').unwrap();
            let about: Vec<&str> = about.lines().filter(|line| !line.starts_with('.')).collect();
            found.insert(head.to_owned(), words(&about.join("\n")));
        }
    }
    found
}

#[test]
fn pages_contain_the_arguments_of_the_help() {
    for command in commands() {
        let page = unmarked(&text(&["man", &command]));
        let help = of_help(&text(&[&command, "--help"]));
        assert!(help.len() >= 4, "{command}: {help:?}");
        assert_eq!(of_page(&page), help, "{command}");
    }
    let page = unmarked(&text(&["man"]));
    assert_eq!(of_page(&page), of_help(&text(&["--help"])));
    for command in commands() {
        assert!(page.contains(&format!("\ncounterpoint-{command}(1)\n")), "{command}");
    }
}

#[test]
fn the_synopsis_names_values() {
    let synopsis = |command: &str| {
        let page = unmarked(&text(&["man", command]));
        page.split(".SH SYNOPSIS\n").nth(1).unwrap().lines().next().unwrap().to_owned()
    };
    let encode = synopsis("encode");
    for part in ["[-e|--engine <ENGINE>]", "[--format <FORMAT>]", "[--words]", "<PROBLEM> [FILE]"] {
        assert!(encode.contains(part), "{part}: {encode}");
    }
    assert!(synopsis("study").ends_with("<PROBLEM> <QUESTION> [FILE|KEY=VALUE]..."));
    assert!(synopsis("stress").ends_with("<PROBLEM> [FAMILY]... [-- <COMMAND>...]"));
}

/// `man` formats each page without a warning and within the width of the terminal.
#[test]
fn pages_are_formatted_without_warnings() {
    let folder = tempfile::tempdir().unwrap();
    text(&["man", "--save", folder.path().to_str().unwrap()]);
    for command in commands() {
        let page = folder.path().join(format!("counterpoint-{command}.1"));
        let mut man = Command::new("man");
        man.args(["--warnings", "-l"]).arg(&page).env("MANWIDTH", "80").env("LC_ALL", "C.UTF-8");
        // `man` may not be installed, or may not know these options.
        let Ok(output) = man.output() else { return };
        let said = String::from_utf8_lossy(&output.stderr);
        if said.contains("unrecognized option") || said.contains("minimized") {
            return;
        }
        let shown = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.is_empty(), "{command}: {said}");
        let (examples, others): (Vec<&str>, Vec<&str>) =
            shown.lines().partition(|line| line.trim_start().starts_with("counterpoint "));
        assert!(!examples.is_empty(), "{command}");
        let long = others.iter().find(|line| line.chars().count() > 80);
        assert_eq!(long, None, "{command}");
    }
}

#[test]
fn unknown_commands_and_folders_that_cannot_be_written_are_errors() {
    let (status, _, said) = run_in(Path::new("/"), &["man", "slove"]);
    assert!(status == 2 && said.contains("did you mean 'solve'?"), "{said}");
    let (status, _, said) = run_in(Path::new("/"), &["man", "--save", "/dev/null/man"]);
    assert!(status == 2 && said.contains("cannot be written"), "{said}");
}
