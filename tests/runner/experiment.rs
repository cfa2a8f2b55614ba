//! An experiment in a separate folder, run by this program.

use counterpoint::harness::{Environment, Set};
use counterpoint::record::Record;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A folder with a plan.
pub(crate) struct Experiment(TempDir);

impl Experiment {
    pub(crate) fn new(plan: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("plan.toml"), plan).unwrap();
        Experiment(folder)
    }

    /// An experiment with these engines on the numbers of a range. `more` contains further lines of the plan.
    pub(crate) fn of(engines: &str, range: &str, more: &str) -> Self {
        Self::new(&format!(
            "problem = \"parity\"\nengines = {engines}\n{more}\n[[family]]\nname = \"number\"\nn = {range}\n"
        ))
    }

    /// A copy of an experiment: these files in a separate folder.
    pub(crate) fn of_files(files: &[(PathBuf, Vec<u8>)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (path, bytes) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        Experiment(folder)
    }

    /// All files of the experiment, with their paths relative to its folder.
    pub(crate) fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let (mut files, mut folders) = (Vec::new(), vec![self.path().to_owned()]);
        while let Some(folder) = folders.pop() {
            for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let bytes = fs::read(&path).unwrap();
                    files.push((path.strip_prefix(self.path()).unwrap().to_owned(), bytes));
                }
            }
        }
        files
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn command(&self, command: &str, args: &[&str]) -> Command {
        self.command_of(&std::env::current_exe().unwrap(), command, args)
    }

    /// A command on this experiment. `program` is this test program or a copy of it.
    pub(crate) fn command_of(&self, program: &Path, command: &str, args: &[&str]) -> Command {
        let mut program = Command::new(program);
        program.arg(command).arg(self.path()).args(args).stdin(Stdio::null());
        program.stdout(Stdio::piped()).stderr(Stdio::piped());
        program
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.command("run", args).output().unwrap()
    }

    pub(crate) fn start(&self, args: &[&str]) -> Child {
        self.command("run", args).spawn().unwrap()
    }

    pub(crate) fn results(&self) -> PathBuf {
        self.path().join("results/main")
    }

    /// The record that counts, for each run.
    pub(crate) fn records(&self) -> Vec<Record> {
        Set::open(&self.results()).unwrap().iter().map(|record| record.record()).collect()
    }

    /// The environments of all records, with their hashes.
    pub(crate) fn environment(&self) -> Vec<(String, Environment)> {
        Set::open(&self.results()).unwrap().environment().unwrap()
    }

    pub(crate) fn record(&self, engine: &str) -> Record {
        let found: Vec<Record> = self.records().into_iter().filter(|r| r.encoding == engine).collect();
        assert_eq!(found.len(), 1, "{engine}");
        found[0].clone()
    }

    /// The number of complete lines in all segments.
    pub(crate) fn lines(&self) -> usize {
        let entries = fs::read_dir(self.results()).into_iter().flatten();
        let segments = entries.map(|entry| entry.unwrap().path());
        let segments = segments.filter(|path| path.extension().is_some_and(|e| e == "jsonl"));
        segments.map(|path| fs::read_to_string(path).unwrap().matches('\n').count()).sum()
    }

    /// The path of the only segment.
    pub(crate) fn segment(&self) -> PathBuf {
        let entries = fs::read_dir(self.results()).unwrap().map(|entry| entry.unwrap().path());
        let found: Vec<PathBuf> =
            entries.filter(|path| path.extension().is_some_and(|e| e == "jsonl")).collect();
        assert_eq!(found.len(), 1, "{found:?}");
        found[0].clone()
    }

    /// Changes the lines of the only segment. Each line is a JSON object.
    pub(crate) fn edit(&self, change: impl FnOnce(&mut Vec<Value>)) {
        let text = fs::read_to_string(self.segment()).unwrap();
        let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        change(&mut lines);
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(self.segment(), text).unwrap();
    }

    /// For each run by its key, the values that must be the same whenever and wherever it is performed.
    pub(crate) fn essence(&self) -> BTreeMap<String, String> {
        let essence = |r: &Record| {
            let f = &r.findings;
            let work = serde_json::to_string(&f.work).unwrap();
            format!("{} {} {:?} {:?} {:?} {work}", r.engine, r.instance_hash, f.verdict, f.outcome, f.check)
        };
        self.records().iter().map(|record| (record.key.clone(), essence(record))).collect()
    }
}

/// The standard output and standard error of a command.
pub(crate) fn said(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&text).into_owned()
}

/// Waits until a condition holds. Panics after a minute.
pub(crate) fn wait_until(holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(60), "the condition did not hold within a minute");
        std::thread::sleep(Duration::from_millis(5));
    }
}
