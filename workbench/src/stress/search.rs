//! Runs the program on numbered inputs, and adapts the inputs to the speed of the program.
//!
//! A search does not end when the program first reaches a limit on time or memory, because a slow program may also be
//! wrong. Instead, the games of the input are run one by one, and later inputs get fewer games. A trial whose single
//! games reach limits repeatedly is skipped.

use super::error::StressError;
use super::input::{Input, Origin, Reference};
use super::program::Ran;
use super::threads::{self, Step, Tasks};
use super::{Event, Setup, Stage};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An input and the program's run on it.
#[derive(Clone)]
pub struct Trace {
    /// The input.
    pub input: Input,
    /// The run.
    pub ran: Ran,
}

/// Makes the input with this number; `None` if there is no such input.
pub(super) type MakeInput<'m> = &'m (dyn Fn(u64, &mut Reference<'_>) -> Option<Input> + Sync);

/// After this many single games of a trial reached a limit, the trial is skipped.
const MAX_LIMITS_OF_TRIAL: u32 = 2;

/// After this many inputs reached a limit, the search ends.
const MAX_LIMITS: u32 = 12;

/// After this many inputs reached a limit, the search ends if the program has answered no input within its limits.
const MAX_LIMITS_UNANSWERED: u32 = 3;

/// If an input reaches a limit but none of its games fails alone, the maximum number of games of later inputs is the
/// number of its games divided by this.
const FEWER_GAMES: usize = 4;

/// What the runs so far have shown about the program's speed.
#[derive(Default)]
pub(super) struct Pacing(Mutex<Counts>);

#[derive(Default)]
struct Counts {
    /// By trial, the number of single games that reached a limit.
    trials: HashMap<&'static str, u32>,
    /// The number of inputs that reached a limit. An input on which the program idles counts as
    /// [`MAX_LIMITS_UNANSWERED`] inputs, because the program probably waits for more input.
    limits: u32,
    /// The number of inputs that reached no limit.
    answered: u32,
    /// The maximum number of games of later inputs; `None` for no maximum.
    max_games: Option<usize>,
}

impl Pacing {
    /// Restarts the count of inputs that reached a limit. Trials that are skipped stay skipped.
    pub(super) fn reset_count(&self) {
        self.counts().limits = 0;
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the program reached limits so often that further runs are useless.
    fn is_hopeless(&self) -> bool {
        let counts = self.counts();
        counts.limits >= if counts.answered > 0 { MAX_LIMITS } else { MAX_LIMITS_UNANSWERED }
    }

    /// Reduces the games of an input to what the program can answer in time; `None` if its trial is skipped.
    fn adapt(&self, setup: &Setup<'_>, input: Input) -> Option<Input> {
        let Origin::Generated(_, trial) = input.origin else { return Some(input) };
        let (limits, max_games) = {
            let counts = self.counts();
            (counts.trials.get(trial).copied().unwrap_or(0), counts.max_games.unwrap_or(usize::MAX))
        };
        if limits >= MAX_LIMITS_OF_TRIAL {
            return None;
        }
        match input.games.len() > max_games {
            true => Some(setup.bench.input(input.games[..max_games].to_vec(), input.origin)),
            false => Some(input),
        }
    }

    fn update(&self, trace: &Trace) {
        let mut counts = self.counts();
        if !trace.ran.verdict.is_limit() {
            counts.answered += 1;
            return;
        }
        counts.limits += if trace.ran.idle { MAX_LIMITS_UNANSWERED } else { 1 };
        let Origin::Generated(_, trial) = trace.input.origin else { return };
        match trace.input.games.len() {
            1 => *counts.trials.entry(trial).or_default() += 1,
            games => {
                let fewer = (games / FEWER_GAMES).max(1);
                counts.max_games = Some(fewer.min(counts.max_games.unwrap_or(usize::MAX)));
            }
        }
    }
}

/// A series of runs for one purpose.
#[derive(Clone, Copy)]
pub(super) struct Search<'s> {
    pub(super) setup: &'s Setup<'s>,
    pub(super) stage: Stage,
    pub(super) pacing: &'s Pacing,
}

impl Search<'_> {
    /// Runs the program on the inputs of these numbers, in ascending order, until `is_last` accepts a trace. Each trace
    /// comes with its number.
    ///
    /// # Errors
    /// If the program or the reference cannot be run.
    pub(super) fn run(
        &self,
        numbers: Range<u64>,
        make: MakeInput<'_>,
        is_last: &(dyn Fn(&Trace) -> bool + Sync),
    ) -> Result<Vec<(u64, Trace)>, StressError> {
        let Search { setup, stage, pacing } = *self;
        let run = |reference: &mut Reference<'_>, number| {
            let input = make(number, reference).filter(|input| !input.games.is_empty());
            let Some(input) = input.and_then(|input| pacing.adapt(setup, input)) else {
                return Ok(Step::Skipped);
            };
            let Some(trace) = self.trace(input)? else { return Ok(Step::Stopped) };
            (setup.on_event)(Event::Ran(stage, &trace));
            Ok(Step::Done(trace))
        };
        let tasks = Tasks {
            threads: setup.threads,
            is_over: &|| (setup.is_over)(stage) || (!self.shrinks() && pacing.is_hopeless()),
            start: &|| Ok(setup.bench.reference()?),
            run: &run,
            is_last,
        };
        threads::run(&tasks, numbers)
    }

    fn shrinks(&self) -> bool {
        matches!(self.stage, Stage::Shrink | Stage::ShrinkLimit)
    }

    /// Runs the program on one input; `None` if the user asked to stop. If a generated input with several games reaches
    /// a limit, returns the run on the first of its games that fails alone, if there is one. Shrinking does not test
    /// the games alone.
    fn trace(&self, input: Input) -> Result<Option<Trace>, StressError> {
        let Search { setup, stage, pacing } = *self;
        let Some(ran) = setup.run(&input)? else { return Ok(None) };
        let mut trace = Trace { input, ran };
        let many = trace.input.games.len() > 1 && matches!(trace.input.origin, Origin::Generated(..));
        if self.shrinks() {
            return Ok(Some(trace));
        }
        if trace.ran.verdict.is_limit() && many {
            for game in &trace.input.games {
                if (setup.is_over)(stage) {
                    break;
                }
                let input = setup.bench.input(vec![game.clone()], trace.input.origin.clone());
                let Some(ran) = setup.run(&input)? else { return Ok(None) };
                if ran.verdict.is_wrong() {
                    trace = Trace { input, ran };
                    break;
                }
            }
        }
        pacing.update(&trace);
        Ok(Some(trace))
    }
}
