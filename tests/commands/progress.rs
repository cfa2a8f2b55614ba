//! The progress of long commands: a line on standard error, only on a terminal.

use std::process::{Command, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_counterpoint");

/// All that a terminal receives while a command runs; `None` if the program `script` is missing.
fn on_terminal(line: &str) -> Option<String> {
    let line = line.replace("counterpoint ", &format!("'{PROGRAM}' "));
    let mut command = Command::new("script");
    let ran = command.args(["-qec", &line, "/dev/null"]).env("TERM", "xterm").stdin(Stdio::null()).output();
    let ran = ran.ok()?;
    assert!(ran.status.success(), "{line}: {ran:?}");
    Some(String::from_utf8_lossy(&ran.stdout).into_owned())
}

/// What remains on the screen: a line that was erased, or overwritten from its start, is gone.
fn left(shown: &str) -> Vec<String> {
    let visible = |line: &str| {
        let last = line.trim_end_matches('\r').rsplit('\r').next().unwrap_or_default();
        last.rsplit("\x1b[2K").next().unwrap_or_default().to_owned()
    };
    shown.lines().map(visible).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn compare_shows_the_game_and_the_engine_and_removes_the_line() {
    let generated =
        "counterpoint generate ships hard n=10 --count 3 | counterpoint compare ships -e search,sat";
    let Some(shown) = on_terminal(generated) else { return };
    assert!(shown.contains("game 1: search:cover, engine 1 of 2"), "{shown:?}");
    assert!(shown.contains("game 3: sat:owner, engine 2 of 2"), "{shown:?}");
    let left = left(&shown).join("\n");
    assert!(!left.contains("of 2") && !left.contains("game 1: "), "{left}");
    assert!(left.contains("search:cover") && left.contains("checked"), "{left}");
    // Standard output gets no progress, even if standard error is a terminal.
    let shown = on_terminal(&format!("{generated} > /tmp/$$; cat /tmp/$$ | tr a-z A-Z; rm /tmp/$$")).unwrap();
    let (progress, table) = shown.split_once("ENGINE").unwrap();
    assert!(progress.contains("game 3: ") && !table.contains("GAME 3: "), "{shown:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn studies_show_steps_and_what_they_do() {
    let Some(shown) = on_terminal("counterpoint study ships transition n=6 boards=9 most=1") else { return };
    assert!(shown.contains("0/9 boards"), "{shown:?}");
    assert!(!left(&shown).join("\n").contains("/9 boards"), "{shown:?}");
    let shown = on_terminal("counterpoint study spot classes n=3").unwrap();
    assert!(shown.contains("the classes of 3x3 boards"), "{shown:?}");
    let shown = on_terminal("counterpoint study flip hardest n=9 --work-limit 2000000 || true").unwrap();
    assert!(shown.contains("9x9, 9 dimensions"), "{shown:?}");
}

#[test]
fn without_a_terminal_there_is_no_progress() {
    let words = ["study", "ships", "transition", "n=6", "boards=9", "most=1"];
    let output = Command::new(PROGRAM).args(words).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    assert!(!String::from_utf8_lossy(&output.stdout).contains("/9"), "{output:?}");
}

/// Records of others may contain characters that control a terminal; a program that reads them gets them unchanged.
#[cfg(target_os = "linux")]
#[test]
fn records_control_no_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    let plan = "problem = \"flip\"\nengines = [\"search:algebra\"]\n[[family]]\nname = \"solvable\"\nn = 3\nseeds = \"1\"\n";
    std::fs::write(format!("{folder}/plan.toml"), plan).unwrap();
    let run = |args: &[&str]| Command::new(PROGRAM).args(args).output().unwrap();
    assert!(run(&["run", folder]).status.success());
    for entry in std::fs::read_dir(format!("{folder}/results/main")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            let text = std::fs::read_to_string(&path).unwrap();
            let (before, after) = text.split_once("\"attempt\":\"").unwrap();
            std::fs::write(path, format!("{before}\"attempt\":\"\\u001b]0;title\\u0007\u{9b}31m{after}"))
                .unwrap();
        }
    }
    for format in ["csv", "jsonl"] {
        let raw = String::from_utf8(run(&["status", folder, "--records", format]).stdout).unwrap();
        assert!(raw.contains('\u{9b}'), "{raw}");
        let Some(shown) = on_terminal(&format!("counterpoint status {folder} --records {format}")) else {
            return;
        };
        assert!(!shown.contains(['\u{1b}', '\u{9b}', '\u{7}']) && shown.contains("\\u{9b}31m"), "{shown}");
    }
}
