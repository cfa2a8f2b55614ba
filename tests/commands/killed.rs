//! Commands that are killed while they run other people's programs: no program is left.

use crate::fakes::home::{folder, start};
use std::fs;
use std::time::{Duration, Instant};

/// Waits until a condition holds. Panics after a minute.
fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Whether a process exists and has not ended.
fn runs(id: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}

#[test]
#[cfg(target_os = "linux")]
fn programs_end_with_the_command_that_started_them() {
    let script =
        r#"["sh", "-c", "setsid sleep 1000 & echo $! $$ >mark.new; mv mark.new mark; exec sleep 1000"]"#;
    let config = format!(
        "[engine.p]\nproblem = \"flip\"\ncommand = {script}\n[solver.s]\ncommand = {script}\nversion = {script}\n"
    );
    for (at, args) in [
        &["solve", "flip", "flip.txt", "-e", "exec:p"][..],
        &["judge", "flip", "flip.txt", "-e", "exec:p"],
        &["compare", "flip", "flip.txt", "-e", "search,exec:p"],
        &["solve", "flip", "flip.txt", "-e", "sat@s"],
        &["list", "solvers"],
    ]
    .iter()
    .enumerate()
    {
        let dir = folder(&format!("killed-{at}"), &config);
        let mut command = start(&dir, args);
        wait_until("the program has not started", || dir.join("mark").exists());
        let text = fs::read_to_string(dir.join("mark")).unwrap();
        assert!(text.split_whitespace().all(runs), "{args:?}: {text}");
        command.kill().unwrap();
        command.wait().unwrap();
        wait_until(&format!("{args:?}: a program is left"), || !text.split_whitespace().any(runs));
    }
}

#[test]
fn only_this_program_starts_guards() {
    let dir = folder("killed-guard", "");
    let (status, out, err) = crate::fakes::home::run(&dir, &["worker", "--guard"]);
    assert_eq!((status, out.as_str(), err.as_str()), (0, "", ""), "an empty input names no program");
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "echo group 1 1 | \"$0\" worker --guard", env!("CARGO_BIN_EXE_counterpoint")]);
    let output = shell.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("'worker --guard' is started by this program (line 1: unexpected"), "{said}");
}
