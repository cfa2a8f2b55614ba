//! Finds a witness of each ending of a smudged record, or shows that it has none.
//!
//! # Rounds
//! Each round first searches for all open endings at once (`completions.rs`). Its first descent finds most witnesses.
//! Then each ending that is still open is searched for alone. A draw is one goal; a repeat at move m is a goal for
//! each earlier board and each symmetry that can map this board to board m (`goal.rs`). A goal that needs many nodes is
//! divided (`split.rs`). Each search of a round has the same maximum number of nodes, which grows from round to round,
//! so an easy witness is not delayed by a hard goal. An ending is refuted if all its goals are.
//!
//! Known lines alone can show that some move repeats a board (`KnownLines::certain_repeat`). Then all later endings
//! are refuted at once. Under lenient rules a known move may change nothing, so there are no goals, only the search
//! for all endings.
//!
//! If all moves of a long record on a small board are entirely unknown, `try_long_game` first looks for a game that is
//! as long as the record (`posa.rs`).
//!
//! A witness that was found is final. If a search for all endings is exhausted, endings without a witness are
//! refuted. If the budget is spent, they stay open.

use super::super::answer::{Answer, Ending, Finding};
use super::super::{Entry, Instance, Legality, Rules, Start};
use super::bounds::Bounds;
use super::completions::{MAX_ORDERED, Search};
use super::goal::Goal;
use super::known::KnownLines;
use super::posa;
use counterpoint_core::board::{Bits, Size, Symmetry};
use counterpoint_core::engine::{Budget, Limit, Outcome};
use counterpoint_core::errors::Unsupported;
use counterpoint_core::spec::EngineSpec;

/// The number of nodes of each search of the first round, in addition to two for each move.
const FIRST_NODES: u64 = 1 << 8;
/// The factor by which this number grows from round to round.
const GROWTH: u64 = 8;

/// The maximum number of moves of a smudged record. Witnesses for all endings take memory that is quadratic in this
/// number.
const MAX_MOVES: usize = 5_000;

/// Supports smudged and complete records whose boards and witnesses fit into memory.
///
/// # Errors
/// Returns why the record is not supported.
pub fn supports(_: &Rules, instance: &Instance, _: &EngineSpec) -> Result<(), Unsupported> {
    let moves = instance.record.len();
    if moves > MAX_MOVES && instance.first_unknown().is_some() {
        return Err(format!("the record has {moves} moves; this engine supports up to {MAX_MOVES}").into());
    }
    super::storable(instance)
}

/// Decides any record that [`supports`] accepts.
pub fn solve(rules: &Rules, instance: &Instance, spec: &EngineSpec, budget: &mut Budget) -> Outcome<Answer> {
    if let Err(reason) = supports(rules, instance, spec) {
        return Outcome::Unsupported(reason);
    }
    let mut search = Search::new(rules, instance, initial_findings(rules, instance));
    if instance.first_unknown().is_none() {
        return match search.run(None, budget) {
            Ok(()) => search.complete_answer().map_or_else(Outcome::Unsupported, Outcome::Decided),
            Err(limit) => Outcome::GaveUp(limit, None),
        };
    }
    let ended = search.try_long_game(budget).and_then(|()| search.decide(budget));
    let answer = Answer::Smudged(search.findings);
    match ended {
        Ok(()) => Outcome::Decided(answer),
        Err(limit) => Outcome::GaveUp(limit, Some(answer)),
    }
}

/// Whether some completion of a record, which `solve` must support, has this ending.
///
/// # Errors
/// Returns the limit of the budget that was reached.
pub(super) fn has_ending(
    rules: &Rules,
    instance: &Instance,
    ending: Ending,
    budget: &mut Budget,
) -> Result<bool, Limit> {
    let mut findings = initial_findings(rules, instance);
    let wanted = Ending::all(instance.record.len()).position(|other| other == ending);
    // The search looks for open endings only, so all others are marked as decided.
    let others = findings.iter_mut().enumerate().filter(|(i, _)| Some(*i) != wanted);
    others.for_each(|(_, finding)| *finding = Finding::Refuted);
    let mut search = Search::new(rules, instance, findings);
    search.decide(budget)?;
    Ok(search.findings.iter().any(|finding| matches!(finding, Finding::Possible(_))))
}

/// The findings before the search, in which every ending is open except for repeats that come too early. Legal
/// moves change the parity of the number of spots, so equal boards are an even number of moves apart.
fn initial_findings(rules: &Rules, instance: &Instance) -> Vec<Finding> {
    let mut findings = vec![Finding::Open; instance.record.len() + 1];
    let too_early = match (rules.legality, rules.start) {
        (Legality::Lenient, _) => 0,
        (Legality::Strict, Start::Counted) => 1,
        (Legality::Strict, Start::Uncounted) => 2,
    };
    findings[..instance.record.len().min(too_early)].fill(Finding::Refuted);
    findings
}

impl Search<'_> {
    /// Decides all open endings of a smudged record.
    fn decide(&mut self, budget: &mut Budget) -> Result<(), Limit> {
        if self.rules.legality == Legality::Lenient {
            self.run(None, budget)?;
            self.refute(|_| true);
            return Ok(());
        }
        let (moves, known) = (self.instance.record.len(), KnownLines::new(self.instance));
        let first = usize::from(self.rules.start == Start::Uncounted);
        if let Some(repeat) = known.certain_repeat(self.instance, first) {
            self.refute(|ending| ending >= repeat);
        }
        let mut nodes = FIRST_NODES + 2 * moves as u64;
        loop {
            if self.run_part(None, nodes, budget)? {
                self.refute(|_| true);
            }
            for ending in 0..=moves {
                if self.findings[ending] == Finding::Open
                    && self.decide_ending(ending, &known, nodes, budget)?
                {
                    self.refute(|other| other == ending);
                }
            }
            if !self.findings.contains(&Finding::Open) {
                return Ok(());
            }
            nodes = nodes.saturating_mul(GROWTH);
        }
    }

    /// Whether each goal of the ending with index `ending` is refuted with at most `nodes` nodes.
    fn decide_ending(
        &mut self,
        ending: usize,
        known: &KnownLines,
        nodes: u64,
        budget: &mut Budget,
    ) -> Result<bool, Limit> {
        if ending == self.instance.record.len() {
            return self.decide_goal(&Goal::draw(ending), known, nodes, budget);
        }
        let first = usize::from(self.rules.start == Start::Uncounted);
        let mut all = true;
        for mut goal in Goal::repeats(first, ending + 1, self.position.order()) {
            budget.node()?;
            if goal.is_open(self.instance, known, &self.position) {
                all &= self.decide_goal(&goal, known, nodes, budget)?;
            }
            if self.findings[ending] != Finding::Open {
                break;
            }
        }
        Ok(all)
    }

    /// Refutes the open endings for whose indices `chosen` returns true.
    fn refute(&mut self, chosen: impl Fn(usize) -> bool) {
        let open = self
            .findings
            .iter_mut()
            .enumerate()
            .filter(|(i, finding)| **finding == Finding::Open && chosen(*i));
        open.for_each(|(_, finding)| *finding = Finding::Refuted);
    }

    /// If all moves of a long record on a small board are entirely unknown, looks for a game of the same length without
    /// a repeat, and for a repeat after each prefix of that game. So one game gives witnesses for most endings.
    fn try_long_game(&mut self, budget: &mut Budget) -> Result<(), Limit> {
        let moves = self.instance.record.len();
        let small = self.instance.n <= MAX_ORDERED && moves > self.instance.size().cells();
        if !small || !self.instance.record.iter().all(|&entry| entry == Entry::UNKNOWN) {
            return Ok(());
        }
        // A game without a repeat may have to be shorter than the record.
        let max_fresh = Bounds::new(self.rules, self.instance).last_move(0, &self.position) - 1;
        // If there is no game of this length, the heuristic uses up its part of the budget. So it gets a quarter, and
        // the search keeps the rest.
        let mut part = budget.part(budget.left() / 4);
        let game =
            posa::game(self.rules, self.instance.size(), max_fresh.min(moves), posa::MAX_WORK, &mut part);
        budget.work.nodes += part.work.nodes;
        let game = match game {
            Err(Limit::Work) => return Ok(()),
            game => game?,
        };
        for mv in &game {
            self.record_repeats();
            self.make(*mv, Some(self.instance.size().index(mv.cell)));
        }
        match self.findings.get_mut(moves) {
            Some(draw) if game.len() == moves => *draw = Finding::Possible(game),
            _ => self.record_repeats(),
        }
        while let Some(mv) = self.path.last() {
            let square = self.instance.size().index(mv.cell);
            self.undo(Some(square));
        }
        Ok(())
    }

    /// Records a witness if the next move can be a repeat.
    fn record_repeats(&mut self) {
        for cell in self.instance.size().iter() {
            let _ = self.try_square(cell);
        }
    }

    /// The answer for a complete record: its only ending and, for a repeat, the earlier board.
    fn complete_answer(&self) -> Result<Answer, Unsupported> {
        let endings = Ending::all(self.instance.record.len()).zip(&self.findings);
        let mut ends = endings.filter_map(|(ending, finding)| match finding {
            Finding::Possible(path) => Some((ending, path)),
            _ => None,
        });
        match ends.next() {
            None => Err("a move before the decisive one is illegal".into()),
            Some((Ending::Draw, _)) => Ok(Answer::Draw),
            Some((Ending::Repeat(mv), path)) => {
                let size = self.instance.size();
                let mut boards = vec![Bits::zeros(size.cells())];
                for (i, step) in path.iter().enumerate() {
                    let mut next = boards[i].clone();
                    step.apply(size.width, &mut next);
                    boards.push(next);
                }
                let first = if self.rules.start == Start::Counted { 0 } else { 1 };
                let pairs =
                    (first..mv).flat_map(|i| self.rules.group.elements().into_iter().map(move |g| (i, g)));
                let mut equal = pairs.filter(|&(i, g)| image(size, &boards[i], g) == boards[mv]);
                let found = equal.next().map(|(earlier, symmetry)| Answer::Repeat { mv, earlier, symmetry });
                found.ok_or_else(|| "internal error: the repeated board was not found".into())
            }
        }
    }
}

fn image(size: Size, board: &Bits, symmetry: Symmetry) -> Bits {
    let cells = board.iter().map(|i| size.index(symmetry.apply(size.width, size.cell(i))));
    Bits::from_indices(size.cells(), cells)
}
