//! The commands in README.md, in the READMEs of experiments and in paper-notes.md print what these files show.

use crate::console::masked;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The commands of a text, one in each block, with the outputs that the text shows.
fn examples(markdown: &str) -> Vec<(String, String)> {
    let blocks = markdown.split("```console\n").skip(1).map(|rest| rest.split("\n```").next().unwrap());
    let example = |block: &str| {
        let (command, output) = block.split_once('\n').unwrap_or((block, ""));
        (command.strip_prefix("$ ").unwrap().to_owned(), output.to_owned())
    };
    blocks.map(example).collect()
}

/// The standard output of a command that runs in the repository's folder.
fn printed(command: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_counterpoint"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).env("PATH", &path).current_dir(env!("CARGO_MANIFEST_DIR"));
    String::from_utf8(shell.output().unwrap().stdout).unwrap()
}

#[test]
fn commands_print_what_the_readme_shows() {
    let mut run = 0;
    for (command, expected) in examples(&fs::read_to_string("README.md").unwrap()) {
        let command = match command.as_str() {
            "cargo run --release" => "counterpoint",
            // This command would run this test again.
            "cargo test --workspace" => continue,
            other => other,
        };
        assert_eq!(masked(&printed(command)), masked(&expected), "$ {command}");
        run += 1;
    }
    assert!(run >= 4, "{run} commands");
}

/// These outputs come from committed records, so even their times must be equal. Only spaces at the ends of lines are
/// ignored.
#[test]
fn commands_print_what_the_experiments_show() {
    let ends = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    let mut run = 0;
    for entry in fs::read_dir("experiments").unwrap() {
        let Ok(text) = fs::read_to_string(entry.unwrap().path().join("README.md")) else { continue };
        for (command, expected) in examples(&text) {
            assert_eq!(ends(&printed(&command)), ends(&expected), "$ {command}");
            run += 1;
        }
    }
    assert!(run >= 1, "{run} commands");
}

/// Blocks that begin with `console long` are not run, because their commands take too long for a test.
#[test]
fn commands_print_what_the_paper_notes_show() {
    let mut run = 0;
    for (command, expected) in examples(&fs::read_to_string("paper-notes.md").unwrap()) {
        assert_eq!(masked(&printed(&command)), masked(&expected), "$ {command}");
        run += 1;
    }
    assert!(run >= 20, "{run} commands");
}

/// The notes quote the numbers of verdicts, which `report` counts.
#[test]
fn the_paper_notes_count_verdicts_as_the_reports_do() {
    let index = fs::read_to_string("experiments/README.md").unwrap();
    let (_, counted) = index.split_once("(hypotheses.md): ").unwrap();
    let counted = counted.lines().next().unwrap().trim_end_matches('.');
    let notes = fs::read_to_string("paper-notes.md").unwrap();
    let notes = notes.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(notes.matches(counted).count(), 2, "{counted}: in the abstract and in the comparison");
}
