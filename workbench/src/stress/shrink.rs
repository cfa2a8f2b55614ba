//! Shrinks a failing input to a small one with the same verdict: first to fewer games, then to smaller games.
//!
//! If inputs may contain many games, many candidates are tested in one run, and those that look wrong are tried alone.
//! The number of runs is limited. The maximum is lower if the program reached a limit on the failing input. The result
//! does not depend on the number of threads.

use super::error::StressError;
use super::input::{Game, Origin, Reference};
use super::search::{Pacing, Search, Trace};
use super::verdict::Verdict;
use super::{Event, Setup, Stage};
use crate::erased::DynInstance;
use std::collections::HashSet;

/// The maximum number of runs if the program ended by itself on the failing input.
const MAX_RUNS: usize = 1_500;

/// The maximum number of runs if the program reached a limit on time, memory or output.
const MAX_LIMIT_RUNS: usize = 12;

/// The maximum number of candidates of a batch that are tried alone.
const MAX_SUSPECTS: usize = 4;

/// The result of shrinking.
pub(super) struct Shrunk {
    /// The smallest failing input that was found.
    pub(super) smallest: Trace,
    /// The failing input from which it was made.
    pub(super) first: Trace,
    /// All runs of the shrinking.
    pub(super) traces: Vec<Trace>,
    /// Whether the program fails on a single game. Also true if this was not tried.
    pub(super) fails_alone: bool,
    /// Whether the same games failed in a second run. Also true if the user asked to stop before that run ended.
    pub(super) repeats: bool,
    /// Whether every smaller input was tried.
    pub(super) minimal: bool,
}

/// Shrinks the failing input of a trace.
///
/// # Errors
/// If the program or the reference cannot be run.
pub(super) fn shrink(setup: &Setup<'_>, pacing: &Pacing, first: Trace) -> Result<Shrunk, StressError> {
    let slow = first.ran.verdict.is_limit() || first.ran.verdict == Verdict::TooLong;
    let stage = if slow { Stage::ShrinkLimit } else { Stage::Shrink };
    let mut shrinker = Shrinker {
        setup,
        search: Search { setup, stage, pacing },
        batch: setup.bench.trials.games().max(setup.threads),
        reference: setup.bench.reference()?,
        wanted: first.ran.verdict.clone(),
        promised: first.input.is_promised(),
        runs_left: if slow { MAX_LIMIT_RUNS } else { MAX_RUNS },
        traces: Vec::new(),
        passed: HashSet::new(),
    };
    let repeats = shrinker.repeats(&first)?;
    if repeats != Some(true) {
        let (smallest, repeats, traces) = (first.clone(), repeats.is_none(), shrinker.traces);
        return Ok(Shrunk { smallest, first, traces, fails_alone: true, repeats, minimal: false });
    }
    let (mut smallest, fails_alone) = shrinker.fewer_games(&first)?;
    if fails_alone {
        shrinker.shrink_single(&mut smallest)?;
    } else {
        shrinker.shrink_each(&mut smallest)?;
    }
    let minimal = shrinker.runs_left > 0 && !shrinker.is_over();
    Ok(Shrunk { smallest, first, traces: shrinker.traces, fails_alone, repeats: true, minimal })
}

struct Shrinker<'a> {
    setup: &'a Setup<'a>,
    search: Search<'a>,
    /// The maximum number of candidates in one run.
    batch: usize,
    reference: Reference<'a>,
    /// The verdict that smaller inputs must have.
    wanted: Verdict,
    /// Whether the problem statement defines the right answers to the failing input.
    promised: bool,
    runs_left: usize,
    traces: Vec<Trace>,
    /// The texts of games that do not fail alone.
    passed: HashSet<String>,
}

impl Shrinker<'_> {
    fn is_over(&self) -> bool {
        (self.setup.is_over)(self.search.stage)
    }

    fn fails(&self, trace: &Trace) -> bool {
        trace.ran.verdict.is_like(&self.wanted)
    }

    /// Runs the program a second time on the same games. Returns whether it fails as before, or `None` if the user
    /// asked to stop.
    fn repeats(&mut self, first: &Trace) -> Result<Option<bool>, StressError> {
        let input = self.setup.bench.input(first.input.games.clone(), Origin::Shrunk);
        let Some(ran) = self.setup.run(&input)? else { return Ok(None) };
        let trace = Trace { input, ran };
        (self.setup.on_event)(Event::Ran(self.search.stage, &trace));
        let repeats = self.fails(&trace);
        self.runs_left = self.runs_left.saturating_sub(1);
        self.traces.push(trace);
        Ok(Some(repeats))
    }

    /// Runs the program on lists of games, one run for each list, until no runs are left. Returns the run on the first
    /// list on which it fails as before.
    fn first_failing(&mut self, lists: &[Vec<Game>]) -> Result<Option<Trace>, StressError> {
        let lists = &lists[..lists.len().min(self.runs_left)];
        let bench = &self.setup.bench;
        let make = |number: u64, _: &mut Reference<'_>| {
            lists.get(number as usize).map(|games| bench.input(games.clone(), Origin::Shrunk))
        };
        let is_last = |trace: &Trace| trace.ran.verdict.is_like(&self.wanted);
        let traces = self.search.run(0..lists.len() as u64, &make, &is_last)?;
        self.runs_left = self.runs_left.saturating_sub(traces.len());
        let last = traces.last().filter(|(_, trace)| self.fails(trace)).map(|(_, trace)| trace.clone());
        let passed = traces.iter().filter(|(_, trace)| !self.fails(trace) && trace.input.games.len() == 1);
        let passed: Vec<_> = passed.map(|(_, trace)| trace.input.text.clone()).collect();
        self.passed.extend(passed);
        self.traces.extend(traces.into_iter().map(|(_, trace)| trace));
        Ok(last)
    }

    /// Returns a run on a single game that fails, and `true`. If no game fails alone, returns a run on as few games as
    /// possible that fail together, and `false`.
    fn fewer_games(&mut self, first: &Trace) -> Result<(Trace, bool), StressError> {
        let games = &first.input.games;
        if games.len() == 1 {
            return Ok((first.clone(), true));
        }
        let suspect = suspects(first).first().copied().unwrap_or(games.len() - 1);
        if let Some(trace) = self.first_failing(&[vec![games[suspect].clone()]])? {
            return Ok((trace, true));
        }
        let singles: Vec<_> = games.iter().map(|game| vec![game.clone()]).collect();
        if let Some(trace) = self.first_failing(&singles)? {
            return Ok((trace, true));
        }
        let mut smallest = first.clone();
        if let Some(trace) = self.first_failing(&[games[..=suspect].to_vec()])? {
            smallest = trace;
        }
        // Try to omit halves, then quarters, and so on.
        let mut part = smallest.input.games.len() / 2;
        while part > 0 {
            let games = smallest.input.games.clone();
            let without = |start: usize| {
                let kept = games.iter().enumerate().filter(|(i, _)| !(start..start + part).contains(i));
                kept.map(|(_, game)| game.clone()).collect::<Vec<_>>()
            };
            let lists: Vec<_> = (0..games.len()).step_by(part).map(without).collect();
            let lists: Vec<_> = lists.into_iter().filter(|list| !list.is_empty()).collect();
            match self.first_failing(&lists)? {
                Some(trace) => smallest = trace,
                None => part /= 2,
            }
            part = part.min(smallest.input.games.len() / 2);
        }
        Ok((smallest, false))
    }

    /// Answers instances with the reference engine. Keeps only games of the same kind as the failing input: those for
    /// which the problem statement defines the right answer, or those for which it does not.
    fn answered(&mut self, instances: Vec<Box<dyn DynInstance>>) -> Vec<Game> {
        let games = instances.into_iter().filter_map(|instance| self.reference.answer(instance));
        games.filter(|game| game.silent.is_none() == self.promised).collect()
    }

    /// Shrinks a game that fails alone.
    fn shrink_single(&mut self, smallest: &mut Trace) -> Result<(), StressError> {
        'smaller: while self.runs_left > 0 && !self.is_over() {
            (self.setup.on_event)(Event::Best(smallest));
            let mut instances =
                self.setup.bench.trials.smaller(&*smallest.input.games[0].instance).into_iter();
            loop {
                let games: Vec<_> = instances.by_ref().take(self.batch).collect();
                if games.is_empty() || self.runs_left == 0 || self.is_over() {
                    return Ok(());
                }
                let mut games = self.answered(games);
                games.retain(|game| !self.passed.contains(&self.single_text(game)));
                if games.is_empty() {
                    continue;
                }
                if let Some(trace) = self.first_failing_alone(&games)? {
                    *smallest = trace;
                    continue 'smaller;
                }
            }
        }
        Ok(())
    }

    /// The text of an input with only this game.
    fn single_text(&self, game: &Game) -> String {
        self.setup.bench.input(vec![game.clone()], Origin::Shrunk).text
    }

    /// Returns the run on the first of these games that fails alone. If possible, one run tests all of them first.
    fn first_failing_alone(&mut self, games: &[Game]) -> Result<Option<Trace>, StressError> {
        let singles: Vec<_> = games.iter().map(|game| vec![game.clone()]).collect();
        let together = self.setup.bench.trials.games() >= games.len() && games.len() > 1;
        if !together || self.wanted != Verdict::WrongAnswer {
            return self.first_failing(&singles);
        }
        let Some(batch) = self.first_failing(&[games.to_vec()])? else {
            // The last trace is the run on all games, unless time was up.
            let all_right = self.traces.last().is_some_and(|trace| trace.ran.verdict.has_answer());
            if all_right {
                let passed: Vec<_> = games.iter().map(|game| self.single_text(game)).collect();
                self.passed.extend(passed);
                return Ok(None);
            }
            // A slow program gets fewer games at a time.
            if self.traces.last().is_some_and(|trace| trace.ran.verdict.is_limit()) {
                self.batch = (self.batch / 4).max(self.setup.threads);
            }
            return self.first_failing(&singles);
        };
        let suspects = suspects(&batch);
        let singles: Vec<_> = suspects.into_iter().take(MAX_SUSPECTS).map(|i| singles[i].clone()).collect();
        self.first_failing(&singles)
    }

    /// Shrinks several games that fail only together, one after the other.
    fn shrink_each(&mut self, smallest: &mut Trace) -> Result<(), StressError> {
        let mut at = 0;
        while at < smallest.input.games.len() && self.runs_left > 0 && !self.is_over() {
            (self.setup.on_event)(Event::Best(smallest));
            let games = smallest.input.games.clone();
            let mut instances = self.setup.bench.trials.smaller(&*games[at].instance).into_iter();
            let found = loop {
                let batch: Vec<_> = instances.by_ref().take(2 * self.setup.threads).collect();
                if batch.is_empty() || self.runs_left == 0 {
                    break None;
                }
                let with = |game: Game| {
                    let mut games = games.clone();
                    games[at] = game;
                    games
                };
                let lists: Vec<_> = self.answered(batch).into_iter().map(with).collect();
                if let Some(trace) = self.first_failing(&lists)? {
                    break Some(trace);
                }
            };
            match found {
                Some(trace) => *smallest = trace,
                None => at += 1,
            }
        }
        Ok(())
    }
}

/// The indices of the games whose part of the output is wrong. If the output has a different number of lines than
/// expected, its lines cannot be assigned to games, so only the first such game is returned.
fn suspects(trace: &Trace) -> Vec<usize> {
    let lines = |text: &[u8]| text.split_inclusive(|&b| b == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
    let output = lines(&trace.ran.output);
    let mut rest = output.as_slice();
    let can_assign = lines(&trace.input.expected).len() == output.len();
    let mut found = Vec::new();
    for (i, piece) in trace.input.pieces().enumerate() {
        let piece = lines(&piece);
        let (part, after) = rest.split_at(piece.len().min(rest.len()));
        if part != piece {
            found.push(i);
            if !can_assign {
                break;
            }
        }
        rest = after;
    }
    found
}
