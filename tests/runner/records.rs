//! Killed runners, full disks, and several runners at once: no record is lost, and no run is performed twice.

use crate::experiment::{Experiment, said, wait_until};
use crate::samples::samples;
use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

/// A new experiment of 500 runs, and the results of the same runs without interruption.
fn two_hundred() -> (Experiment, BTreeMap<String, String>) {
    let plan = || Experiment::of(r#"["search:even", "sat:unit"]"#, "\"0..=99\"", "");
    let calm = plan();
    assert_eq!(calm.run(&["-j", "2"]).status.code(), Some(0));
    let essence = calm.essence();
    assert_eq!(essence.len(), 200);
    assert_eq!(calm.lines(), 200);
    (plan(), essence)
}

pub(crate) fn kills_lose_no_record_and_repeat_no_run() {
    let (experiment, essence) = two_hundred();
    // The kills are spread over the whole experiment: each comes some milliseconds after a certain number of records.
    let kills = samples(5).min(30) as usize;
    for k in 0..kills {
        let mut child = experiment.start(&["-j", "2"]);
        wait_until(|| experiment.lines() >= 180 / kills * k);
        std::thread::sleep(Duration::from_millis(k as u64 * 37 % 23));
        let _ = child.kill();
        child.wait().unwrap();
    }
    let killed = experiment.lines();
    assert!((180 / kills * (kills - 1)..200).contains(&killed), "{killed}");
    let output = experiment.run(&["-j", "2"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(experiment.essence(), essence);
    assert_eq!(experiment.lines(), 200, "{killed} records were there before the last run");
    assert!(!experiment.results().join("queue").exists());
}

pub(crate) fn two_runners_share_the_work() {
    let experiment = Experiment::of(r#"["search:slow"]"#, "\"0..=99\"", "");
    let children = [experiment.start(&[]), experiment.start(&[])];
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    }
    assert_eq!(experiment.records().len(), 100);
    assert_eq!(experiment.lines(), 100);
    let segments = fs::read_dir(experiment.results()).unwrap().flatten();
    let segments = segments.filter(|entry| entry.file_name().to_string_lossy().ends_with(".jsonl"));
    assert_eq!(segments.count(), 2, "both runners should have performed runs");
}

pub(crate) fn a_full_disk_loses_no_record() {
    let experiment = Experiment::of(r#"["search:even", "sat:unit"]"#, "\"0..=249\"", "");
    let disk = tempfile::tempdir().unwrap();
    let mut mount = Command::new("mount");
    mount.args(["-t", "tmpfs", "-o", "size=400k", "tmpfs"]).arg(disk.path());
    if !mount.stderr(Stdio::null()).status().is_ok_and(|status| status.success()) {
        // Only root can mount a small disk.
        return;
    }
    std::os::unix::fs::symlink(disk.path(), experiment.path().join("results")).unwrap();
    let output = experiment.run(&[]);
    let torn = said(&output);
    let records = experiment.records().len();
    let grown = Command::new("mount").args(["-o", "remount,size=64m"]).arg(disk.path()).status().unwrap();
    let again = experiment.run(&[]);
    let (complete, lines) = (experiment.records().len(), experiment.lines());
    Command::new("umount").arg(disk.path()).status().unwrap();
    assert_eq!(output.status.code(), Some(2), "{torn}");
    assert!(torn.contains("No space left") && torn.contains(MAKE_SPACE), "{torn}");
    assert!(records > 0 && records < 500 && grown.success());
    assert_eq!(again.status.code(), Some(0), "{}", said(&again));
    assert_eq!((complete, lines), (500, 500));
}

/// A library that lets calls of the function `QUOTA_IN` fail for segments, after the first `QUOTA_AFTER` calls, as if a
/// quota were exceeded. A network file system reports this when data is flushed, and then drops the data.
const QUOTA: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_exceeded(int file, const char *function) {
    static int calls;
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path);
    if (length < 6 || memcmp(path + length - 6, ".jsonl", 6) || strcmp(getenv("QUOTA_IN"), function)) return 0;
    if (__atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST) <= atoi(getenv("QUOTA_AFTER"))) return 0;
    errno = EDQUOT;
    return 1;
}

ssize_t write(int file, const void *bytes, size_t count) {
    ssize_t (*original)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
    return is_exceeded(file, "write") ? -1 : original(file, bytes, count);
}

int fdatasync(int file) {
    static off_t flushed;
    int (*original)(int) = dlsym(RTLD_NEXT, "fdatasync");
    if (is_exceeded(file, "fdatasync")) return ftruncate(file, flushed), errno = EDQUOT, -1;
    struct stat status;
    int result = original(file);
    if (fstat(file, &status) == 0) flushed = status.st_size;
    return result;
}
"#;

/// What is said about a full disk and about an exceeded quota.
const MAKE_SPACE: &str = "earlier records are kept; make space, then `run` resumes the experiment";

#[cfg(target_os = "linux")]
pub(crate) fn an_exceeded_quota_loses_no_record() {
    for (function, after) in [("write", "60"), ("fdatasync", "1")] {
        let experiment = Experiment::of(r#"["search:even", "sat:unit"]"#, "\"0..=49\"", "");
        let (source, library) = (experiment.path().join("quota.c"), experiment.path().join("quota.so"));
        fs::write(&source, QUOTA).unwrap();
        // Every machine that can build this program has a C linker, and so a compiler.
        let mut compiler = Command::new("cc");
        let built = compiler.args(["-shared", "-fPIC", "-w", "-o"]).arg(&library).arg(&source).arg("-ldl");
        assert!(built.status().unwrap().success());
        let mut limited = experiment.command("run", &["-j", "2"]);
        limited.env("LD_PRELOAD", &library).env("QUOTA_IN", function).env("QUOTA_AFTER", after);
        let output = limited.output().unwrap();
        let torn = said(&output);
        assert_eq!(output.status.code(), Some(2), "{function}: {torn}");
        assert!(torn.contains("quota exceeded") && torn.contains(MAKE_SPACE), "{function}: {torn}");
        let records = experiment.records().len();
        assert!(records > 0 && records < 100, "{function}: {records}");
        let again = experiment.run(&["-j", "2"]);
        assert_eq!(again.status.code(), Some(0), "{function}: {}", said(&again));
        assert_eq!((experiment.records().len(), experiment.lines()), (100, 100), "{function}");
    }
}

pub(crate) fn a_folder_that_cannot_be_written_is_reported() {
    let experiment = Experiment::of(r#"["search:even"]"#, "3", "");
    // A file in place of the folder stops even root, who may write into any folder.
    fs::write(experiment.path().join("results"), "").unwrap();
    let output = experiment.run(&[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("results"), "{}", said(&output));
}

pub(crate) fn runs_with_records_are_not_repeated() {
    let experiment = Experiment::of(r#"["search:even"]"#, "[1, 2, 3]", "");
    assert_eq!(experiment.run(&[]).status.code(), Some(0));
    let before = experiment.essence();
    let output = experiment.run(&[]);
    assert!(said(&output).contains("all 3 runs"), "{}", said(&output));
    let plan = fs::read_to_string(experiment.path().join("plan.toml")).unwrap();
    fs::write(experiment.path().join("plan.toml"), plan.replace("[1, 2, 3]", "[1, 2, 3, 4]")).unwrap();
    let dry = experiment.run(&["--dry-run"]);
    assert!(said(&dry).contains("missing runs: 1;"), "{}", said(&dry));
    assert_eq!(experiment.run(&[]).status.code(), Some(0));
    assert_eq!(experiment.lines(), 4);
    assert!(before.iter().all(|(key, essence)| experiment.essence().get(key) == Some(essence)));
    // An unterminated line at the end of a segment is not a record.
    let segment = fs::read_dir(experiment.results()).unwrap().flatten().map(|entry| entry.path());
    let segment = segment.filter(|path| path.extension().is_some_and(|e| e == "jsonl")).max().unwrap();
    let text = fs::read_to_string(&segment).unwrap();
    fs::write(&segment, text.trim_end()).unwrap();
    assert_eq!(experiment.records().len(), 4 - 1);
    assert_eq!(experiment.run(&[]).status.code(), Some(0));
    assert_eq!(experiment.records().len(), 4);
}

pub(crate) fn records_of_another_program_are_not_mixed_in() {
    let experiment = Experiment::of(r#"["search:even"]"#, "[1, 2]", "");
    assert_eq!(experiment.run(&[]).status.code(), Some(0));
    let mut results = fs::read_dir(experiment.results()).unwrap().flatten().map(|entry| entry.path());
    let environment = results.find(|path| path.extension().is_some_and(|e| e == "json")).unwrap();
    let text = fs::read_to_string(&environment).unwrap();
    let at = text.find("\"binary_hash\": \"").unwrap() + 16;
    fs::write(&environment, format!("{}00000000{}", &text[..at], &text[at + 8..])).unwrap();
    let plan = fs::read_to_string(experiment.path().join("plan.toml")).unwrap();
    fs::write(experiment.path().join("plan.toml"), plan.replace("[1, 2]", "[1, 2, 3]")).unwrap();
    let output = experiment.run(&[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("--set"), "{}", said(&output));
    assert_eq!(experiment.run(&["--set", "other"]).status.code(), Some(0));
}

pub(crate) fn cancelled_runs_are_resumed_later() {
    let experiment = Experiment::of(r#"["search:slow"]"#, "\"0..=299\"", "");
    let child = experiment.start(&[]);
    wait_until(|| experiment.lines() > 3);
    let cancel = experiment.command("cancel", &[]).output().unwrap();
    assert_eq!(cancel.status.code(), Some(0), "{}", said(&cancel));
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", said(&output));
    assert!(said(&output).contains("the same command resumes"), "{}", said(&output));
    let lines = experiment.lines();
    assert!(lines < 300);
    assert!(!experiment.results().join("queue").exists(), "the last slot should delete the queue");
    assert_eq!(experiment.run(&["-j", "4"]).status.code(), Some(0));
    assert_eq!(experiment.lines(), 300);
}
