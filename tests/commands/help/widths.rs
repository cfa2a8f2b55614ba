//! Help and answers at several widths of a terminal.

use super::{PROGRAM, commands};
use std::path::Path;
use std::process::{Command, Stdio};

const WIDTHS: [usize; 4] = [60, 80, 120, 200];

/// The help of a command in a terminal of some width.
fn help(words: &[&str], width: usize) -> String {
    let mut command = Command::new(PROGRAM);
    command.args(words).env("COLUMNS", width.to_string()).stdin(Stdio::null());
    String::from_utf8(command.output().unwrap().stdout).unwrap()
}

#[track_caller]
fn assert_within(text: &str, width: usize, what: &str) {
    let long = text.lines().find(|line| line.chars().count() > width);
    assert_eq!(long, None, "{what} at {width}");
}

#[test]
fn no_line_of_a_help_text_exceeds_the_width() {
    let commands = commands();
    let words: Vec<Vec<&str>> =
        (commands.iter().map(|command| vec![command.as_str()])).chain([vec![]]).collect();
    for width in WIDTHS {
        for words in &words {
            for option in ["-h", "--help"] {
                let text = help(&[words.as_slice(), &[option]].concat(), width);
                assert!(text.contains("Usage: counterpoint"), "{words:?}: {text}");
                assert_within(&text, width, &format!("{words:?} {option}"));
            }
        }
    }
}

#[test]
fn broken_examples_and_usages_keep_their_words() {
    let narrow = help(&["study", "--help"], 60);
    let example = "counterpoint generate ships random n=8 reveal=0.7 | counterpoint study ships shoot -";
    assert!(!narrow.contains(example), "{narrow}");
    assert!(narrow.replace(" \\\n      ", " ").contains(example), "{narrow}");
    let usage = "Usage: counterpoint study [OPTIONS] <PROBLEM> <QUESTION>\n       [FILE|KEY=VALUE]...\n";
    assert!(narrow.contains(usage), "{narrow}");
    assert!(help(&["study", "--help"], 100).contains(example));
}

/// Standard output of a shell command on a terminal of some width; `None` if `script` is missing.
#[cfg(target_os = "linux")]
fn on_terminal(line: &str, width: usize) -> Option<String> {
    let programs = Path::new(PROGRAM).parent().unwrap().display();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap());
    let line = format!("stty cols {width} rows 50; ({line}) 2> /dev/null");
    let mut command = Command::new("script");
    command.args(["-qec", &line, "/dev/null"]).env("PATH", path).env("NO_COLOR", "1").env("SHELL", "/bin/sh");
    let ran = command.current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null()).output().ok()?;
    assert!(ran.status.success(), "{line}: {ran:?}");
    Some(String::from_utf8(ran.stdout).unwrap().replace('\r', ""))
}

/// The words of a text that are not in a board.
#[cfg(target_os = "linux")]
fn count(text: &str) -> usize {
    text.split_whitespace().filter(|word| word.len() > 2 && word.starts_with(char::is_alphabetic)).count()
}

#[cfg(target_os = "linux")]
#[test]
fn answers_and_explanations_fit_the_terminal() {
    let commands = [
        "printf 'bwwb\\nbbwb\\nbwwb\\nbwww\\n' | counterpoint solve flip --explain --certify",
        "counterpoint generate ships hard n=6 | counterpoint solve ships --explain",
        "printf '2\\n1 1 +\\n2 2 +\\n2 2 -\\n1 2 +\\n0\\n' | counterpoint solve spot --explain",
        "counterpoint run 003 --dry-run",
        "counterpoint status 003",
        "counterpoint generate --help",
    ];
    for line in commands {
        let Some(whole) = on_terminal(line, 200) else { return };
        for width in WIDTHS {
            let text = on_terminal(line, width).unwrap();
            assert_within(&text, width, line);
            let is_table = text.contains("hidden") || text.contains("shortened");
            assert!(is_table || count(&text) == count(&whole), "words are lost at {width}: {text}\n{whole}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn formulas_in_words_and_messages_fit_the_terminal() {
    let board = "printf 'bwwb\\nbbwb\\nbwwb\\nbwww\\n'";
    let commands = [
        // A sentence is indented by two blanks, and its further lines by four.
        format!("{board} | counterpoint encode flip -e sat:presses/xor=direct --words"),
        // Messages on standard error.
        "(counterpoint judge flip -e sat:nothing < /dev/null || true) 2>&1".to_owned(),
        format!("({board} | counterpoint encode flip -e search:algebra --words || true) 2>&1"),
        "(counterpoint check --model /nowhere/at/all /nowhere/else || true) 2>&1".to_owned(),
        // An error in the arguments.
        "(counterpoint generate flip random --count as-many-as-possible || true) 2>&1".to_owned(),
    ];
    for line in &commands {
        let Some(whole) = on_terminal(line, 1000) else { return };
        assert!(whole.lines().any(|line| line.len() > 60), "{whole}");
        for width in WIDTHS {
            let text = on_terminal(line, width).unwrap();
            assert_within(&text, width, line);
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(words(&text), words(&whole), "{line} at {width}");
        }
    }
    // A file gets whole lines.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("words.txt");
    let line =
        format!("{board} | counterpoint encode flip -e sat:presses/xor=direct --words -o {}", file.display());
    on_terminal(&line, 60).unwrap();
    assert!(std::fs::read_to_string(file).unwrap().lines().any(|line| line.len() > 60));
}
