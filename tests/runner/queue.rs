//! Damage to the queue: batches are deleted or overwritten; runners are suspended, killed, or continue after others
//! have taken over their work. Every run still gets its record, or `run` says how many runs have none.

use crate::experiment::{Experiment, said, wait_until};
use crate::samples::some;
use counterpoint::process::Identity;
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A runner that does not outlive its test.
struct Runner(Option<Child>);

impl Runner {
    fn start(experiment: &Experiment, args: &[&str]) -> Self {
        Runner(Some(experiment.start(args)))
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(self.0.as_ref().unwrap()), signal).unwrap();
    }

    fn has_ended(&mut self) -> bool {
        self.0.as_mut().unwrap().try_wait().unwrap().is_some()
    }

    /// Waits for its end. Returns its exit status and its output.
    fn ended(mut self) -> (Option<i32>, String) {
        let output = self.0.take().unwrap().wait_with_output().unwrap();
        (output.status.code(), said(&output))
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn entries(folder: &Path) -> Vec<std::path::PathBuf> {
    fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect()
}

fn delete_all(folder: &Path) {
    for path in entries(folder) {
        let _ = fs::remove_file(path);
    }
}

/// A kind of damage to a queue: its description, and a function that does it.
type Attack = (&'static str, fn(&Path));

pub(crate) fn runs_whose_batches_vanish_are_queued_again() {
    let attacks: [Attack; 6] = [
        ("waiting batches are deleted", |queue| delete_all(&queue.join("todo"))),
        ("claimed batches are deleted", |queue| delete_all(&queue.join("taken"))),
        ("the queue is deleted", |queue| {
            let _ = fs::remove_dir_all(queue);
        }),
        ("a folder is deleted", |queue| {
            let _ = fs::remove_dir_all(queue.join("taken"));
        }),
        ("batches are cut off", |queue| {
            for path in entries(&queue.join("todo")) {
                let text = fs::read(&path).unwrap_or_default();
                let _ = fs::write(&path, &text[..text.len() / 2]);
            }
        }),
        ("files that are not batches lie in the queue", |queue| {
            for part in ["todo", "taken"] {
                fs::create_dir(queue.join(part).join("folder")).unwrap();
                fs::write(queue.join(part).join("file"), "no batch").unwrap();
                fs::write(queue.join(part).join("batch@nobody"), "[{}]").unwrap();
            }
        }),
    ];
    for (what, attack) in some(attacks) {
        let experiment = Experiment::of(r#"["search:slow"]"#, "\"0..=79\"", "");
        let runner = Runner::start(&experiment, &["-j", "2", "--lease", "1s"]);
        wait_until(|| experiment.lines() > 3);
        attack(&experiment.results().join("queue"));
        wait_until(|| experiment.lines() >= 80 || !experiment.results().join("queue").exists());
        let (status, said) = runner.ended();
        assert_eq!((status, experiment.records().len()), (Some(0), 80), "{what}: {said}");
    }
}

pub(crate) fn two_runners_survive_the_loss_of_their_queue() {
    let experiment = Experiment::of(r#"["search:slow"]"#, "\"0..=99\"", "");
    let runners = [Runner::start(&experiment, &[]), Runner::start(&experiment, &[])];
    for lines in [3, 30, 60] {
        wait_until(|| experiment.lines() > lines);
        let _ = fs::remove_dir_all(experiment.results().join("queue"));
    }
    for runner in runners {
        let (status, said) = runner.ended();
        assert_eq!(status, Some(0), "{said}");
    }
    assert_eq!(experiment.records().len(), 100);
}

pub(crate) fn runs_that_stay_missing_are_counted() {
    let experiment = Experiment::of(r#"["search:slow"]"#, "\"0..=9\"", "");
    let mut runner = Runner::start(&experiment, &[]);
    let over = AtomicBool::new(false);
    let (status, said) = std::thread::scope(|scope| {
        // Delete each record as soon as it is written.
        scope.spawn(|| {
            while !over.load(Relaxed) {
                for path in entries(&experiment.results()) {
                    if path.extension().is_some_and(|extension| extension == "jsonl") {
                        let _ = fs::remove_file(path);
                    }
                }
            }
        });
        wait_until_with(&mut runner, Runner::has_ended);
        over.store(true, Relaxed);
        runner.ended()
    });
    assert_eq!(status, Some(2), "{said}");
    assert!(said.contains("of 10 runs of") && said.contains("have no record"), "{said}");
    assert!(said.contains(&format!("`counterpoint run {}`", experiment.path().display())), "{said}");
    assert_eq!(experiment.run(&[]).status.code(), Some(0), "the same command should resume");
}

/// Like `wait_until`, for a condition that needs mutable access to a value.
fn wait_until_with<T>(what: &mut T, holds: impl Fn(&mut T) -> bool) {
    let what = std::cell::RefCell::new(what);
    wait_until(|| holds(&mut what.borrow_mut()));
}

pub(crate) fn a_suspended_runner_loses_its_batches() {
    let experiment = Experiment::of(r#"["search:slow"]"#, "\"0..=99\"", "");
    let stopped = Runner::start(&experiment, &["--lease", "1s"]);
    wait_until(|| experiment.lines() > 3);
    let status = || said(&experiment.command("status", &[]).output().unwrap());
    // Stopped between two batches, the runner holds none.
    wait_until(|| {
        stopped.signal(Signal::CONT);
        std::thread::sleep(std::time::Duration::from_millis(5));
        stopped.signal(Signal::STOP);
        status().contains("is stopped")
    });
    let other = Runner::start(&experiment, &["--lease", "1s"]);
    wait_until(|| experiment.records().len() == 100);
    let (code, words) = other.ended();
    assert_eq!(code, Some(0), "{words}");
    // The suspended runner continues when all runs have records and the queue is gone.
    stopped.signal(Signal::CONT);
    let (code, words) = stopped.ended();
    assert_eq!(code, Some(0), "{words}");
    assert!(!words.contains("No such file"), "{words}");
    assert_eq!(experiment.lines(), 100, "some run was recorded twice");
    assert!(!experiment.results().join("queue").exists());
}

pub(crate) fn a_runner_that_continues_shares_the_remaining_runs() {
    let experiment = Experiment::of(r#"["search:slow"]"#, "\"0..=299\"", "");
    let stopped = Runner::start(&experiment, &["--lease", "300ms"]);
    wait_until(|| experiment.lines() > 3);
    stopped.signal(Signal::STOP);
    let other = Runner::start(&experiment, &["--lease", "300ms"]);
    // The other runner takes over the batch of the suspended one while further batches are waiting.
    let taken = || entries(&experiment.results().join("queue/taken"));
    let name =
        |runner: &Runner| format!(".{}.", Pid::from_child(runner.0.as_ref().unwrap()).as_raw_nonzero());
    let holds = |runner: &Runner| taken().iter().any(|path| path.to_string_lossy().contains(&name(runner)));
    wait_until(|| holds(&other) && !holds(&stopped));
    assert!(experiment.lines() < 300);
    stopped.signal(Signal::CONT);
    for runner in [stopped, other] {
        let (code, words) = runner.ended();
        assert_eq!(code, Some(0), "{words}");
    }
    assert_eq!(experiment.records().len(), 300);
}

pub(crate) fn a_killed_runner_is_reported_and_its_files_are_deleted() {
    let experiment = Experiment::of(r#"["search:slow"]"#, "\"0..=99\"", "");
    let killed = Runner::start(&experiment, &[]);
    wait_until(|| experiment.lines() > 3);
    // It is killed while it holds a batch, and not between two batches.
    wait_until(|| {
        killed.signal(Signal::STOP);
        // A process on another processor stops a moment later.
        std::thread::sleep(std::time::Duration::from_millis(5));
        let holds = !entries(&experiment.results().join("queue/taken")).is_empty();
        killed.signal(if holds { Signal::KILL } else { Signal::CONT });
        holds
    });
    let (code, _) = killed.ended();
    assert_eq!(code, None);
    let text = said(&experiment.command("status", &[]).output().unwrap());
    assert!(text.contains("has ended"), "{text}");
    let nobody = experiment.command("cancel", &[]).output().unwrap();
    assert!(said(&nobody).contains("no process works on"), "{}", said(&nobody));
    // Two files that a killed runner can leave behind, and one that a living process may be writing.
    let mut gone = Command::new("true").spawn().unwrap();
    let pid = gone.id();
    gone.wait().unwrap();
    let me = Identity::this();
    let parts: Vec<&str> = me.name().split('.').collect();
    let dead = format!("{}.{}.{pid}.1", parts[0], parts[1]);
    let (torn, written) = (format!("new-{dead}"), format!("new-{}", me.name()));
    fs::write(experiment.results().join(&torn), "{").unwrap();
    fs::write(experiment.results().join(&written), "{").unwrap();
    fs::write(experiment.results().join("queue/new").join(format!("000001-a.{dead}")), "[").unwrap();
    let output = experiment.run(&["-j", "2"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let left: Vec<String> = entries(&experiment.results())
        .iter()
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .filter(|name| !name.ends_with(".jsonl") && !name.ends_with(".json"))
        .collect();
    assert_eq!(left, [written]);
}
