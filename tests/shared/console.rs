//! Tests the outputs of commands that a Markdown file shows, or updates them.
//!
//! In a block ```` ```console ````, each line that begins with `$ ` is a command, and the lines after it are its
//! output. With `COUNTERPOINT_DOCS=write` in the environment, an output that differs is updated, and the test does not
//! fail. A block of another kind with a name, such as ```` ```python,file=mine/flip.py ````, is a file, which the
//! commands below it can read. A line `<!-- needs python3 -->` above a block of commands names a program without which
//! the block is skipped.

#![allow(dead_code, reason = "each test file uses a part")]

use crate::python::interpreter;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// The separator between text and blocks, which alternate in a file.
const FENCE: &str = "\n```";

/// The working directory of the commands, and a folder that is first in their `PATH`.
pub(crate) struct Shell<'a> {
    pub(crate) folder: &'a Path,
    pub(crate) programs: &'a Path,
}

impl Shell<'_> {
    /// Runs a command. Returns its standard output and, if it fails, its standard error.
    pub(crate) fn run(&self, line: &str) -> String {
        let python = interpreter().and_then(Path::parent);
        let folders = [Some(self.programs), python].into_iter().flatten().map(Path::to_owned);
        let path = std::env::var_os("PATH").unwrap();
        let path = std::env::join_paths(folders.chain(std::env::split_paths(&path))).unwrap();
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).env("PATH", path).current_dir(self.folder).stdin(Stdio::null());
        let output = shell.output().unwrap();
        let why = if output.status.success() { Vec::new() } else { output.stderr };
        let text = String::from_utf8([output.stdout, why].concat()).unwrap();
        text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim_end().to_owned()
    }
}

/// Whether to update texts and pictures.
pub(crate) fn writes() -> bool {
    std::env::var("COUNTERPOINT_DOCS").is_ok_and(|word| word == "write")
}

/// Runs all commands of a file, and compares their outputs with those that the file shows. Returns the number of
/// commands.
pub(crate) fn check(file: &Path, shell: &Shell<'_>) -> usize {
    let text = fs::read_to_string(file).unwrap();
    let mut parts = text.split(FENCE);
    let mut written = parts.next().unwrap_or("").to_owned();
    let (mut count, mut differences) = (0, Vec::new());
    while let (Some(block), above) = (parts.next(), written.lines().last().unwrap_or("").to_owned()) {
        let (kind, body) = block.split_once('\n').unwrap_or((block, ""));
        if let Some((_, name)) = kind.split_once(",file=") {
            let path = shell.folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, format!("{body}\n")).unwrap();
        }
        written += FENCE;
        if kind == "console" && has_all(&above, file) {
            written += "console";
            for command in format!("\n{body}").split("\n$ ").skip(1) {
                let (line, shown) = command.split_once('\n').unwrap_or((command, ""));
                let printed = shell.run(line);
                count += 1;
                let same = masked(shown) == masked(&printed);
                let keep = if same { shown.trim_end() } else { &printed };
                written += &format!("\n$ {line}{}{keep}", if keep.is_empty() { "" } else { "\n" });
                if !same {
                    differences.push(format!("$ {line}\n--- shown\n{shown}\n--- printed\n{printed}\n"));
                }
            }
        } else {
            written += block;
        }
        written += FENCE;
        written += parts.next().unwrap();
    }
    if writes() {
        fs::write(file, written).unwrap();
    } else {
        assert!(differences.is_empty(), "{}:\n{}", file.display(), differences.join("\n"));
    }
    count
}

/// Whether all programs that the line above a block names are in `PATH`; if not, says so.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn has_all(above: &str, file: &Path) -> bool {
    let needs = above.strip_prefix("<!-- needs ").and_then(|rest| rest.strip_suffix(" -->"));
    let path = std::env::var_os("PATH").unwrap();
    let is_there = |name: &str| std::env::split_paths(&path).any(|folder| folder.join(name).is_file());
    let missing = needs.into_iter().flat_map(str::split_whitespace).find(|name| !is_there(name));
    if let Some(name) = missing {
        eprintln!("{}: some commands are not tested, because {name} is not in PATH", file.display());
    }
    missing.is_none()
}

/// The text with times and sizes of memory masked, and with runs of spaces and of horizontal lines shortened.
pub(crate) fn masked(text: &str) -> String {
    let line = |line: &str| {
        let mut words: Vec<&str> = Vec::new();
        for word in line.split_whitespace() {
            let unit = word.trim_end_matches(['.', ';']);
            let (timed, sized) = (["µs", "ms", "s"].contains(&unit), unit == "MiB");
            match words.last_mut() {
                Some(number) if timed && number.parse::<f64>().is_ok() => *number = "TIME",
                Some(number) if sized && number.parse::<f64>().is_ok() => *number = "SIZE",
                _ if word.starts_with('─') => words.push("─"),
                _ => words.push(word),
            }
        }
        words.join(" ")
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n").trim_end().to_owned()
}
