//! Runs of the program on inputs by number, at a pace that a slow program can keep.
//!
//! A limit that is met does not end a hunt, since a slow program may be wrong, too: its games are run one by one, a trial
//! that met limits repeatedly is left out, and inputs of many games get fewer.

use super::crew::{self, Crew, Step};
use super::input::{Input, Origin, Reference};
use super::program::Ran;
use super::{Event, Setup, Stage};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An input and what the program made of it.
#[derive(Clone)]
pub struct Trace {
    /// The input.
    pub input: Input,
    /// The run.
    pub ran: Ran,
}

/// Makes the input of a number; `None` where there is none.
pub(super) type MakeInput<'m> = &'m (dyn Fn(u64, &mut Reference<'_>) -> Option<Input> + Sync);

/// Single games of a trial that may meet a limit; the trial is left out afterwards.
const LIMITS_OF_TRIAL: u32 = 2;
/// Inputs that may meet a limit in all; the hunt ends then.
const LIMITS: u32 = 12;
/// The same for a program that has answered nothing within its limits.
const LIMITS_UNANSWERED: u32 = 3;
/// By this the number of games is divided where a limit is met by many games and by none of them alone.
const FEWER: usize = 4;

/// What runs have shown about limits.
#[derive(Default)]
pub(super) struct Pace(Mutex<Met>);

#[derive(Default)]
struct Met {
    /// Single games that met a limit, by trial.
    trials: HashMap<&'static str, u32>,
    /// Inputs that met one; one on which the program waits counts as often as is enough.
    inputs: u32,
    /// Inputs that met none.
    answered: u32,
    /// The most games of an input from now on.
    games: Option<usize>,
}

impl Pace {
    /// From here on limits are counted anew, but what is left out stays left out.
    pub(super) fn count_anew(&self) {
        self.met().inputs = 0;
    }

    fn met(&self) -> MutexGuard<'_, Met> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether limits were met so often that further runs are of no use.
    fn is_enough(&self) -> bool {
        let met = self.met();
        met.inputs >= if met.answered > 0 { LIMITS } else { LIMITS_UNANSWERED }
    }

    /// The input with as many games as the program can bear; `None` if its trial is left out.
    fn fit(&self, setup: &Setup<'_>, input: Input) -> Option<Input> {
        let Origin::Generated(_, trial) = input.origin else { return Some(input) };
        let (limits, most) = {
            let met = self.met();
            (met.trials.get(trial).copied().unwrap_or(0), met.games.unwrap_or(usize::MAX))
        };
        if limits >= LIMITS_OF_TRIAL {
            return None;
        }
        match input.games.len() > most {
            true => Some(setup.bench.input(input.games[..most].to_vec(), input.origin)),
            false => Some(input),
        }
    }

    fn note(&self, trace: &Trace) {
        let mut met = self.met();
        if !trace.ran.verdict.is_limit() {
            met.answered += 1;
            return;
        }
        met.inputs += if trace.ran.idle { LIMITS_UNANSWERED } else { 1 };
        let Origin::Generated(_, trial) = trace.input.origin else { return };
        match trace.input.games.len() {
            1 => *met.trials.entry(trial).or_default() += 1,
            games => met.games = Some((games / FEWER).max(1).min(met.games.unwrap_or(usize::MAX))),
        }
    }
}

/// Runs that belong together.
#[derive(Clone, Copy)]
pub(super) struct Hunt<'h> {
    pub(super) setup: &'h Setup<'h>,
    pub(super) stage: Stage,
    pub(super) pace: &'h Pace,
}

impl Hunt<'_> {
    /// Runs the program on the inputs of these numbers, in ascending order. Once `ends` says so of one, those above are
    /// left out. Each trace comes with its number.
    ///
    /// # Errors
    /// Why the program or the reference cannot be run.
    pub(super) fn run(
        &self,
        numbers: Range<u64>,
        make: MakeInput<'_>,
        ends: &(dyn Fn(&Trace) -> bool + Sync),
    ) -> Result<Vec<(u64, Trace)>, String> {
        let Hunt { setup, stage, pace } = *self;
        let step = |reference: &mut Reference<'_>, number| {
            let input = make(number, reference).filter(|input| !input.games.is_empty());
            let Some(input) = input.and_then(|input| pace.fit(setup, input)) else {
                return Ok(Step::Nothing);
            };
            let Some(trace) = self.trace(input)? else { return Ok(Step::Stop) };
            (setup.watch)(Event::Ran(stage, &trace));
            Ok(Step::Done(trace))
        };
        let crew = Crew {
            threads: setup.threads,
            over: &|| (setup.over)(stage) || (!self.shrinks() && pace.is_enough()),
            start: &|| setup.bench.reference(),
            step: &step,
            ends,
        };
        crew::work(&crew, numbers)
    }

    fn shrinks(&self) -> bool {
        matches!(self.stage, Stage::Shrink | Stage::ShrinkLimit)
    }

    /// One input; where it meets a limit, the first of its games that fails alone instead, if one does. `None` if somebody
    /// asked to stop.
    fn trace(&self, input: Input) -> Result<Option<Trace>, String> {
        let Hunt { setup, stage, pace } = *self;
        let Some(ran) = setup.program.run(&input)? else { return Ok(None) };
        let mut trace = Trace { input, ran };
        let many = trace.input.games.len() > 1 && matches!(trace.input.origin, Origin::Generated(..));
        if self.shrinks() {
            return Ok(Some(trace));
        }
        if trace.ran.verdict.is_limit() && many {
            for game in &trace.input.games {
                if (setup.over)(stage) {
                    break;
                }
                let input = setup.bench.input(vec![game.clone()], trace.input.origin.clone());
                let Some(ran) = setup.program.run(&input)? else { return Ok(None) };
                if ran.verdict.is_wrong() {
                    trace = Trace { input, ran };
                    break;
                }
            }
        }
        pace.note(&trace);
        Ok(Some(trace))
    }
}
