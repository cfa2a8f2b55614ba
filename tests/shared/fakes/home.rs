//! Folders with a configuration file, one for each test, and runs of the program in them.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

const FLIP: &str = "bwwb\nbbwb\nbwwb\nbwww\n";
const SPOT: &str = "2\n1 1 +\n2 2 +\n2 2 -\n1 2 +\n";

/// A new folder for one test, with a configuration and two inputs.
pub(crate) fn folder(name: &str, config: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(dir.join("tmp")).unwrap();
    std::fs::write(dir.join("counterpoint.toml"), config).unwrap();
    std::fs::write(dir.join("flip.txt"), FLIP).unwrap();
    std::fs::write(dir.join("spot.txt"), format!("{}0\n", SPOT.repeat(6))).unwrap();
    dir
}

/// A table of a configuration, such as `solver.NAME`, with a command.
pub(crate) fn entry(name: &str, command: &[String]) -> String {
    format!("[{name}]\ncommand = {command:?}\n")
}

pub(crate) fn start(dir: &Path, args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_counterpoint"));
    command.args(args).current_dir(dir).env("TMPDIR", dir.join("tmp")).env_remove("COUNTERPOINT_CONFIG");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits for the program, and returns its exit status, standard output and standard error. The program must
/// leave no temporary files behind.
pub(crate) fn finish(dir: &Path, child: Child) -> (i32, String, String) {
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    assert_eq!(std::fs::read_dir(dir.join("tmp")).unwrap().count(), 0);
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

pub(crate) fn run(dir: &Path, args: &[&str]) -> (i32, String, String) {
    finish(dir, start(dir, args))
}
