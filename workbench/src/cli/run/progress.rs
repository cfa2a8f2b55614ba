//! The progress of an experiment: a bar on a terminal, otherwise a line every few seconds.

use super::super::print;
use crate::harness::{HeldBatches, Observer};
use crate::record::{Record, Records, Tally, Verdict};
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The interval between lines if standard error is not a terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Shows the progress on standard error.
pub(super) struct Progress {
    name: String,
    bar: ProgressBar,
    total: usize,
    state: Mutex<State>,
}

struct State {
    /// The number of runs with records.
    done: usize,
    /// The number of runs that had records at the start.
    before: usize,
    /// The runs that this command has recorded, by result.
    counts: Tally,
    started: Instant,
    last_line: Instant,
    /// Whether a message has said that this process waits for others.
    waiting: bool,
}

impl Progress {
    pub(super) fn new(name: &str, total: usize, before: usize) -> Self {
        let bar = ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{prefix} {bar:20} {pos}/{len} {wide_msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_prefix(name.to_owned());
        bar.set_position(before as u64);
        let (counts, now) = (Tally::default(), Instant::now());
        let state = State { done: before, before, counts, started: now, last_line: now, waiting: false };
        Progress { name: name.to_owned(), bar, total, state: Mutex::new(state) }
    }

    fn message(&self, state: &State) -> String {
        let rate =
            state.done.saturating_sub(state.before) as f64 / state.started.elapsed().as_secs_f64().max(1e-3);
        let left = self.total.saturating_sub(state.done) as f64 / rate.max(1e-9);
        let Tally { solved, open, wrong, limits, unsupported, failed, .. } = &state.counts;
        let counts = [
            (*solved, "solved"),
            (*open, "open"),
            (*wrong, "WRONG"),
            (limits.values().sum(), "reached a limit"),
            (*unsupported, "unsupported"),
            (*failed, "failed"),
        ];
        let mut parts: Vec<String> =
            counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
        if state.done > state.before {
            parts.push(format!("{rate:.1}/s"));
            if state.done < self.total && left < 1e7 {
                parts.push(format!("{} left", HumanDuration(Duration::from_secs_f64(left))));
            }
        }
        parts.join(", ")
    }

    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }

    fn update(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut state);
        let message = self.message(&state);
        if !self.bar.is_hidden() {
            self.bar.set_position(state.done as u64);
            self.bar.set_message(message);
        } else if !std::io::stderr().is_terminal() && state.last_line.elapsed() >= LINE_EVERY {
            state.last_line = Instant::now();
            print::warn(&format!("{}: {}/{}: {message}", self.name, state.done, self.total));
        }
    }
}

impl Observer for Progress {
    fn recorded(&self, record: &Record) {
        if record.findings.verdict == Some(Verdict::Failed) {
            let why = record.findings.reason.as_deref().unwrap_or("failed without a message");
            self.bar.suspend(|| {
                print::warn(&format!("{} on {} seed {}: {why}", record.engine, record.family, record.seed))
            });
        }
        self.update(|state| {
            // Halves of cubes are not in the plan.
            state.done += usize::from(record.split_of.is_none());
            state.counts.add(Records::from_iter([record]).row(0));
        });
    }

    fn tick(&self) {
        self.update(|_| ());
    }

    fn waiting(&self, held: &[HeldBatches]) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if !std::mem::replace(&mut state.waiting, true) {
            let workers: Vec<&str> = held.iter().map(|held| held.worker.as_str()).collect();
            self.bar.suspend(|| print::warn(&format!("waiting for other processes: {}", workers.join(", "))));
        }
    }

    fn requeued(&self, runs: usize) {
        let message = match runs {
            1 => "1 run has no record and is in no batch; it is queued again".to_owned(),
            n => format!("{n} runs have no record and are in no batch; they are queued again"),
        };
        self.bar.suspend(|| print::warn(&message));
        self.update(|state| state.done = self.total.saturating_sub(runs));
    }
}
