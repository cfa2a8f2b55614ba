//! The progress of a long command on a terminal: a line on standard error that disappears at the end.
//!
//! The line consists of the elapsed time, a text, and a bar if the number of steps is known, otherwise the number of
//! nodes. A thread draws the line again four times in a second. It reads the number of nodes from a counter that the
//! budgets of this process increase (see [`meter`]), so searches need not report anything. Messages go through [`suspended`], so
//! they do not mix with the line.

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// The time and the number of nodes are shown if a command takes longer than this.
const AFTER: Duration = Duration::from_secs(1);

/// The line that is shown.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// The number of nodes since the line was first shown.
static NODES: OnceLock<Arc<AtomicU64>> = OnceLock::new();

/// A line that is shown until it is dropped.
pub(super) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A line, if standard error is a terminal.
    pub(super) fn new() -> Option<Self> {
        if !io::stderr().is_terminal() {
            return None;
        }
        let nodes = Arc::clone(NODES.get_or_init(Arc::default));
        nodes.store(0, Ordering::Relaxed);
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        bar.set_style(style("{time}{nodes}{wide_msg}", &nodes));
        bar.enable_steady_tick(AFTER / 4);
        *SHOWN.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar.clone());
        Some(Progress { bar })
    }

    /// Shows what is done now.
    pub(super) fn show(&self, text: String) {
        if self.bar.length().is_some() {
            self.bar.unset_length();
            self.bar.set_style(style("{time}{nodes}{wide_msg}", NODES.get_or_init(Arc::default)));
        }
        self.bar.set_message(text);
    }

    /// Shows how many of some steps are done.
    pub(super) fn show_steps(&self, (done, all): (u64, u64), text: String) {
        if self.bar.length() != Some(all) || self.bar.position() > done {
            self.bar.set_length(all);
            self.bar.reset_eta();
            let template = "{time}{bar:20} {pos}/{len} {left}{wide_msg}";
            self.bar.set_style(style(template, NODES.get_or_init(Arc::default)));
        }
        self.bar.set_position(done);
        self.bar.set_message(text);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        SHOWN.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.bar.finish_and_clear();
    }
}

/// The counter of nodes, if progress is shown.
pub(super) fn meter() -> Option<Arc<AtomicU64>> {
    NODES.get().cloned()
}

/// Calls `write`, which prints something, while no line is shown.
pub(super) fn suspended<T>(write: impl FnOnce() -> T) -> T {
    let bar = SHOWN.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match bar {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

fn style(template: &str, nodes: &Arc<AtomicU64>) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner());
    let nodes = Arc::clone(nodes);
    // Errors are ignored, because they could not be reported.
    style
        .with_key("time", |state: &ProgressState, out: &mut dyn fmt::Write| {
            if state.elapsed() >= AFTER {
                let _ = write!(out, "{}: ", HumanDuration(state.elapsed()));
            }
        })
        .with_key("nodes", move |state: &ProgressState, out: &mut dyn fmt::Write| {
            let nodes = nodes.load(Ordering::Relaxed);
            if state.elapsed() >= AFTER && nodes > 0 {
                let _ = write!(out, "{} nodes, ", rounded(nodes));
            }
        })
        .with_key("left", |state: &ProgressState, out: &mut dyn fmt::Write| {
            let is_known = (1..state.len().unwrap_or(0)).contains(&state.pos());
            if state.elapsed() >= AFTER && is_known {
                let _ = write!(out, "{} left, ", HumanDuration(state.eta()));
            }
        })
}

/// A number with at most four digits, such as `12.3 million`.
fn rounded(number: u64) -> String {
    let (unit, word) = match number {
        0..1_000_000 => return format!("{} thousand", number / 1_000),
        1_000_000..1_000_000_000 => (1e6, "million"),
        _ => (1e9, "billion"),
    };
    format!("{:.1} {word}", number as f64 / unit)
}

#[cfg(test)]
mod tests {
    use super::{rounded, suspended};

    #[test]
    fn numbers_of_nodes_are_short() {
        assert_eq!(rounded(52_224), "52 thousand");
        assert_eq!(rounded(1_048_576), "1.0 million");
        assert_eq!(rounded(12_345_678_901), "12.3 billion");
    }

    #[test]
    fn without_a_line_messages_are_written_at_once() {
        assert_eq!(suspended(|| 7), 7);
    }
}
