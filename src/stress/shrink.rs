//! From a failing input to a smallest one: first fewer games, then smaller ones, as long as the same verdict comes.
//!
//! Where inputs hold many games, many candidates go into one run; whichever looks wrong there is tried alone. The
//! number of runs is bounded, most of all where each of them takes until a limit is met, and what is found does not depend
//! on threads.

use super::hunt::{Hunt, Pace, Trace};
use super::input::{Game, Origin, Reference};
use super::verdict::Verdict;
use super::{Event, Setup, Stage};
use crate::erased::DynInstance;
use std::collections::HashSet;

/// The most runs of a program that answers, and of one that meets a limit.
const RUNS: usize = 1_500;
const LIMIT_RUNS: usize = 12;

/// The most candidates of a batch that are tried alone.
const SUSPECTS: usize = 4;

/// A smallest failing input.
pub(super) struct Shrunk {
    /// It, with what the program made of it.
    pub(super) least: Trace,
    /// The failing one that it comes from.
    pub(super) first: Trace,
    /// All runs on the way.
    pub(super) seen: Vec<Trace>,
    /// Whether some game fails alone.
    pub(super) alone: bool,
    /// Whether the same games failed once more.
    pub(super) repeats: bool,
    /// Whether everything smaller was tried.
    pub(super) minimal: bool,
}

/// Makes the failing input of a trace smaller.
///
/// # Errors
/// Why the program or the reference cannot be run.
pub(super) fn shrink(setup: &Setup<'_>, pace: &Pace, first: Trace) -> Result<Shrunk, String> {
    let slow = first.ran.verdict.is_limit() || first.ran.verdict == Verdict::TooLong;
    let stage = if slow { Stage::ShrinkLimit } else { Stage::Shrink };
    let mut search = Search {
        setup,
        hunt: Hunt { setup, stage, pace },
        batch: setup.bench.trials.games().max(setup.threads),
        reference: setup.bench.reference()?,
        wanted: first.ran.verdict.clone(),
        promised: first.input.is_promised(),
        left: if slow { LIMIT_RUNS } else { RUNS },
        seen: Vec::new(),
        passed: HashSet::new(),
    };
    let repeats = search.again(&first)?;
    if repeats != Some(true) {
        let (least, repeats) = (first.clone(), repeats.is_none());
        return Ok(Shrunk { least, first, seen: search.seen, alone: true, repeats, minimal: false });
    }
    let (mut least, alone) = search.fewer_games(&first)?;
    if alone {
        search.smaller_alone(&mut least)?;
    } else {
        search.smaller_together(&mut least)?;
    }
    let minimal = search.left > 0 && !search.is_over();
    Ok(Shrunk { least, first, seen: search.seen, alone, repeats: true, minimal })
}

struct Search<'a> {
    setup: &'a Setup<'a>,
    hunt: Hunt<'a>,
    /// The most candidates of one run.
    batch: usize,
    reference: Reference<'a>,
    wanted: Verdict,
    promised: bool,
    /// Runs that are left.
    left: usize,
    seen: Vec<Trace>,
    /// Games that do not fail alone, as texts.
    passed: HashSet<String>,
}

impl Search<'_> {
    fn is_over(&self) -> bool {
        (self.setup.over)(self.hunt.stage)
    }

    fn fails(&self, trace: &Trace) -> bool {
        trace.ran.verdict.is_like(&self.wanted)
    }

    /// Whether the same games, written anew, fail in a second run; `None` if somebody asked to stop.
    fn again(&mut self, first: &Trace) -> Result<Option<bool>, String> {
        let input = self.setup.bench.input(first.input.games.clone(), Origin::Shrunk);
        let Some(ran) = self.setup.program.run(&input)? else { return Ok(None) };
        let trace = Trace { input, ran };
        (self.setup.watch)(Event::Ran(self.hunt.stage, &trace));
        let repeats = self.fails(&trace);
        self.left = self.left.saturating_sub(1);
        self.seen.push(trace);
        Ok(Some(repeats))
    }

    /// The first of some lists of games on which the program fails as before.
    fn first_failing(&mut self, lists: &[Vec<Game>]) -> Result<Option<Trace>, String> {
        let lists = &lists[..lists.len().min(self.left)];
        let bench = &self.setup.bench;
        let make = |number: u64, _: &mut Reference<'_>| {
            lists.get(number as usize).map(|games| bench.input(games.clone(), Origin::Shrunk))
        };
        let ends = |trace: &Trace| trace.ran.verdict.is_like(&self.wanted);
        let traces = self.hunt.run(0..lists.len() as u64, &make, &ends)?;
        self.left = self.left.saturating_sub(traces.len());
        let last = traces.last().filter(|(_, trace)| self.fails(trace)).map(|(_, trace)| trace.clone());
        let passed = traces.iter().filter(|(_, trace)| !self.fails(trace) && trace.input.games.len() == 1);
        let passed: Vec<_> = passed.map(|(_, trace)| trace.input.text.clone()).collect();
        self.passed.extend(passed);
        self.seen.extend(traces.into_iter().map(|(_, trace)| trace));
        Ok(last)
    }

    /// A single game that fails, or fewest games together.
    fn fewer_games(&mut self, first: &Trace) -> Result<(Trace, bool), String> {
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
        let mut least = first.clone();
        if let Some(trace) = self.first_failing(&[games[..=suspect].to_vec()])? {
            least = trace;
        }
        // Halves, quarters and so on are left out, as long as it fails without them.
        let mut part = least.input.games.len() / 2;
        while part > 0 {
            let games = least.input.games.clone();
            let without = |start: usize| {
                let kept = games.iter().enumerate().filter(|(i, _)| !(start..start + part).contains(i));
                kept.map(|(_, game)| game.clone()).collect::<Vec<_>>()
            };
            let lists: Vec<_> = (0..games.len()).step_by(part).map(without).collect();
            let lists: Vec<_> = lists.into_iter().filter(|list| !list.is_empty()).collect();
            match self.first_failing(&lists)? {
                Some(trace) => least = trace,
                None => part /= 2,
            }
            part = part.min(least.input.games.len() / 2);
        }
        Ok((least, false))
    }

    /// DynInstances with their answers, but for those that are not promised as the failing one is.
    fn answered(&mut self, instances: Vec<Box<dyn DynInstance>>) -> Vec<Game> {
        let games = instances.into_iter().filter_map(|instance| self.reference.answer(instance));
        games.filter(|game| game.silent.is_none() == self.promised).collect()
    }

    /// One game that fails alone.
    fn smaller_alone(&mut self, least: &mut Trace) -> Result<(), String> {
        'smaller: while self.left > 0 && !self.is_over() {
            (self.setup.watch)(Event::Best(least));
            let mut instances = self.setup.bench.trials.smaller(&*least.input.games[0].instance).into_iter();
            loop {
                let games: Vec<_> = instances.by_ref().take(self.batch).collect();
                if games.is_empty() || self.left == 0 || self.is_over() {
                    return Ok(());
                }
                let mut games = self.answered(games);
                games.retain(|game| !self.passed.contains(&self.alone(game)));
                if games.is_empty() {
                    continue;
                }
                if let Some(trace) = self.failing_of(&games)? {
                    *least = trace;
                    continue 'smaller;
                }
            }
        }
        Ok(())
    }

    /// The input of a game alone.
    fn alone(&self, game: &Game) -> String {
        self.setup.bench.input(vec![game.clone()], Origin::Shrunk).text
    }

    /// The first of some games that fails alone, found by one run for all where that may be.
    fn failing_of(&mut self, games: &[Game]) -> Result<Option<Trace>, String> {
        let singles: Vec<_> = games.iter().map(|game| vec![game.clone()]).collect();
        let together = self.setup.bench.trials.games() >= games.len() && games.len() > 1;
        if !together || self.wanted != Verdict::WrongAnswer {
            return self.first_failing(&singles);
        }
        let Some(batch) = self.first_failing(&[games.to_vec()])? else {
            // Its last trace is of them all, unless time is up.
            let all_right = self.seen.last().is_some_and(|trace| trace.ran.verdict.has_answer());
            if all_right {
                let passed: Vec<_> = games.iter().map(|game| self.alone(game)).collect();
                self.passed.extend(passed);
                return Ok(None);
            }
            // A slow program gets fewer at a time.
            if self.seen.last().is_some_and(|trace| trace.ran.verdict.is_limit()) {
                self.batch = (self.batch / 4).max(self.setup.threads);
            }
            return self.first_failing(&singles);
        };
        let suspects = suspects(&batch);
        let singles: Vec<_> = suspects.into_iter().take(SUSPECTS).map(|i| singles[i].clone()).collect();
        self.first_failing(&singles)
    }

    /// Several games that fail only together.
    fn smaller_together(&mut self, least: &mut Trace) -> Result<(), String> {
        let mut at = 0;
        while at < least.input.games.len() && self.left > 0 && !self.is_over() {
            (self.setup.watch)(Event::Best(least));
            let games = least.input.games.clone();
            let mut instances = self.setup.bench.trials.smaller(&*games[at].instance).into_iter();
            let found = loop {
                let some: Vec<_> = instances.by_ref().take(2 * self.setup.threads).collect();
                if some.is_empty() || self.left == 0 {
                    break None;
                }
                let with = |game: Game| {
                    let mut games = games.clone();
                    games[at] = game;
                    games
                };
                let lists: Vec<_> = self.answered(some).into_iter().map(with).collect();
                if let Some(trace) = self.first_failing(&lists)? {
                    break Some(trace);
                }
            };
            match found {
                Some(trace) => *least = trace,
                None => at += 1,
            }
        }
        Ok(())
    }
}

/// Games, by number from 0, whose part of the output is wrong: all of them where the lines can be parted among the
/// games, else the first one.
fn suspects(trace: &Trace) -> Vec<usize> {
    let lines = |text: &[u8]| text.split_inclusive(|&b| b == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
    let output = lines(&trace.ran.output);
    let mut rest = output.as_slice();
    let parted = lines(&trace.input.expected).len() == output.len();
    let mut found = Vec::new();
    for (i, piece) in trace.input.pieces().enumerate() {
        let piece = lines(&piece);
        let (part, behind) = rest.split_at(piece.len().min(rest.len()));
        if part != piece {
            found.push(i);
            if !parted {
                break;
            }
        }
        rest = behind;
    }
    found
}
