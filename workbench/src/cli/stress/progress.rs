//! The progress of a stress test on a terminal: the trial, the inputs tried, and the smallest failing input so far.

use crate::cli::print::plural;
use crate::stress::{Event, Origin, Stage, Trace};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The interval between updates.
const TICK: Duration = Duration::from_millis(100);

/// A line on standard error if that is a terminal; otherwise nothing.
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The number of inputs on which the search stage has run the program.
    inputs: usize,
    /// The number of games in these inputs.
    games: usize,
    /// The number of runs in the current stage.
    runs: usize,
    stage: Option<Stage>,
    /// The smallest failing input so far, in a few words.
    best: Option<String>,
}

impl Progress {
    pub(super) fn new() -> Progress {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{elapsed} {wide_msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            bar.enable_steady_tick(TICK);
            bar
        });
        Progress { bar, state: Mutex::default() }
    }

    /// Updates the line after an event.
    pub(super) fn watch(&self, event: Event<'_>) {
        let Some(bar) = &self.bar else { return };
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Ran(stage, trace) => state.ran(stage, trace),
            Event::Best(trace) => state.best = Some(described(trace)),
        }
        bar.set_message(state.message(event));
    }

    /// Removes the line.
    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl State {
    fn ran(&mut self, stage: Stage, trace: &Trace) {
        if self.stage != Some(stage) {
            (self.stage, self.runs) = (Some(stage), 0);
        }
        self.runs += 1;
        if stage == Stage::Search {
            self.inputs += 1;
            self.games += trace.input.games.len();
            if trace.ran.verdict.is_wrong() && self.best.is_none() {
                self.best = Some(described(trace));
            }
        }
    }

    fn message(&self, event: Event<'_>) -> String {
        let doing = match (self.stage, event) {
            (Some(Stage::Search) | None, Event::Ran(_, Trace { input, .. })) => {
                let trial = match &input.origin {
                    Origin::Generated(_, trial) => trial,
                    Origin::File(name) => name.as_str(),
                    Origin::Shrunk => "",
                };
                format!("{trial}: {} with {} tried", plural(self.inputs, "input"), plural(self.games, "game"))
            }
            (Some(Stage::Evidence | Stage::Compare), _) => {
                format!("looking for the cause: {}", plural(self.runs, "input"))
            }
            _ => format!("shrinking: {}", plural(self.runs, "run")),
        };
        match &self.best {
            Some(best) => format!("{doing}; best so far: {best}"),
            None => doing,
        }
    }
}

/// A failing input in a few words.
fn described(trace: &Trace) -> String {
    let games = plural(trace.input.games.len(), "game");
    format!("{}, {games}, {} bytes", trace.ran.verdict, trace.input.text.len())
}
