//! Records from which commit the program was built, for `--version`.
//!
//! The commit is the last one that changed sources, so a commit that changes only documents does not change the program.
//! A published package has no repository, but a file in which cargo has noted the commit.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The files and folders from which the program is built.
const SOURCES: [&str; 13] = [
    "Cargo.lock",
    "Cargo.toml",
    "base",
    "build.rs",
    "core",
    "encodings",
    "pages",
    "problems",
    "proofs",
    "report",
    "src",
    "statistics",
    "workbench",
];

/// What cargo writes into a package about its commit.
const PACKAGED: &str = ".cargo_vcs_info.json";

/// How many digits of a commit are shown.
const DIGITS: usize = 12;

fn main() {
    for path in
        SOURCES.into_iter().chain([PACKAGED, ".git/logs/HEAD"]).filter(|path| Path::new(path).exists())
    {
        println!("cargo::rerun-if-changed={path}");
    }
    let revision = packaged().or_else(committed).unwrap_or_default();
    println!("cargo::rustc-env=COUNTERPOINT_REVISION={revision}");
}

/// The commit of a published package.
fn packaged() -> Option<String> {
    let text = fs::read_to_string(PACKAGED).ok()?;
    let (_, rest) = text.split_once("\"sha1\"")?;
    let commit = rest.split('"').nth(1)?;
    commit.get(..DIGITS).map(str::to_owned)
}

/// The last commit of this repository that changed sources, its date, and whether sources were changed since.
fn committed() -> Option<String> {
    // The folder may lie within another repository, which says nothing about these sources.
    Path::new(".git").exists().then_some(())?;
    let last = git(&["log", "-1", "--date=short", "--format=%cd %H", "--"])?;
    let (date, commit) = last.split_once(' ')?;
    let is_changed = !git(&["status", "--porcelain", "--"])?.is_empty();
    Some(format!("{} of {date}{}", commit.get(..DIGITS)?, if is_changed { ", changed since" } else { "" }))
}

/// What git prints about the sources.
fn git(arguments: &[&str]) -> Option<String> {
    let output =
        Command::new("git").args(arguments).args(SOURCES).output().ok().filter(|out| out.status.success())?;
    String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned())
}
