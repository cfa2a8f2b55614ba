//! Divides a goal that a search in order of time leaves open into narrower goals.
//!
//! A search in order of time chooses the moves before the earlier board first, although the moves after it often allow
//! only a few squares. So a goal with a large search is divided by the most constrained move instead, whatever its
//! place in the record (minimum remaining values; R. Haralick, G. Elliott, *Increasing Tree Search Efficiency for
//! Constraint Satisfaction Problems*, 1980).
//!
//! # Options
//! A line with an unknown square has one option for each square that it allows; of interchangeable squares
//! (`alike.rs`), one is enough. A line with a known square and an unknown sign has two options. An option makes the
//! record more specific, so `Goal::is_open` can test it like any other record (singleton consistency; R. Debruyne,
//! C. Bessière, *Some Practicable Filtering Techniques for the Constraint Satisfaction Problem*, 1997). A line with
//! no option left refutes the goal. A line with one option left takes it, and then all lines are tested again.
//!
//! The draw on a small board is not divided: its search has an order of its own (`completions.rs`), and tests refute no
//! option.
//!
//! If each line has several options left, those of the line with the fewest are searched one by one, at first in order
//! of time with `PART_NODES` nodes. If these are not enough, the option is divided in the same way.

use super::super::answer::Finding;
use super::super::{Entry, Instance, Sign, Start};
use super::alike::Labels;
use super::completions::{MAX_ORDERED, Search};
use super::goal::Goal;
use super::known::{KnownLines, MAX_STEPS};
use counterpoint_core::board::Cell;
use counterpoint_core::engine::{Budget, Limit};
use rustc_hash::FxHashSet;

/// The number of nodes of a search in order of time before a goal is divided.
pub(super) const PART_NODES: u64 = 1 << 10;

impl Search<'_> {
    /// Searches for a goal with at most `nodes` nodes. Returns whether it is decided.
    pub(super) fn decide_goal(
        &mut self,
        goal: &Goal,
        known: &KnownLines,
        nodes: u64,
        budget: &mut Budget,
    ) -> Result<bool, Limit> {
        let is_long_game = goal.is_draw() && self.instance.n <= MAX_ORDERED;
        if is_long_game || self.instance.record.len() > MAX_STEPS {
            return self.run_part(Some((goal.clone(), known)), nodes, budget);
        }
        let first = nodes.min(4 * PART_NODES);
        if self.run_part(Some((goal.clone(), known)), first, budget)? {
            return Ok(true);
        }
        if first == nodes {
            return Ok(false);
        }
        let mut part = budget.part(budget.left().min(nodes - first));
        let ended = self.divide(goal, self.instance.clone(), &mut part);
        budget.work.nodes += part.work.nodes;
        match ended {
            Err(Limit::Work) if budget.left() > 0 => Ok(false),
            ended => ended.map(|()| true),
        }
    }

    /// Decides a goal for completions of `instance`, which is more specific than the record. The depth of the recursion
    /// is at most twice the number of lines.
    fn divide(&mut self, goal: &Goal, mut instance: Instance, budget: &mut Budget) -> Result<(), Limit> {
        let Narrowed::Options(line, options) = narrow(self, goal, &mut instance, budget)? else {
            return Ok(());
        };
        for option in options {
            let mut narrower = instance.clone();
            narrower.record[line] = option;
            let known = KnownLines::new(&narrower);
            let mut search = Search::new(self.rules, &narrower, std::mem::take(&mut self.findings));
            let decided = search.run_part(Some((goal.clone(), &known)), PART_NODES, budget);
            self.findings = search.findings;
            if !decided? {
                self.divide(goal, narrower, budget)?;
            }
            if self.findings[goal.ending] != Finding::Open {
                break;
            }
        }
        Ok(())
    }
}

/// What is left of a goal after tests of all options.
enum Narrowed {
    /// Some line has no option.
    Refuted,
    /// The line, counted from 0, with the fewest options, and what it can be.
    Options(usize, Vec<Entry>),
}

/// Replaces each line that has a single option by this option, until each line up to the decisive one is known or has
/// several.
fn narrow(
    search: &Search<'_>,
    goal: &Goal,
    instance: &mut Instance,
    budget: &mut Budget,
) -> Result<Narrowed, Limit> {
    loop {
        let (mut fewest, mut changed) = (None::<(usize, Vec<Entry>)>, false);
        for line in 0..goal.last_move() {
            // A line that has at least as many options as another one is not completed.
            let most = fewest.as_ref().map_or(usize::MAX, |(_, options)| options.len());
            let mut options = Vec::new();
            for option in candidates(search, instance, line) {
                budget.node()?;
                let before = std::mem::replace(&mut instance.record[line], option);
                if is_open(search, goal, instance) {
                    options.push(option);
                }
                instance.record[line] = before;
                if options.len() >= most.max(2) {
                    break;
                }
            }
            match options[..] {
                [] => return Ok(Narrowed::Refuted),
                [option] => {
                    changed |= instance.record[line] != option;
                    instance.record[line] = option;
                }
                _ if options.len() < most => fewest = Some((line, options)),
                _ => {}
            }
        }
        if !changed {
            let (line, options) = fewest.unwrap_or_else(|| (0, vec![instance.record[0]]));
            return Ok(Narrowed::Options(line, options));
        }
    }
}

/// What a line can be, as far as the line itself says: the line with a square, if it has none; else with a sign.
fn candidates(search: &Search<'_>, instance: &Instance, line: usize) -> Vec<Entry> {
    let entry = instance.record[line];
    if entry.x().is_some() && entry.y().is_some() {
        let signs =
            [Sign::Place, Sign::Take].into_iter().filter(|sign| entry.sign().is_none_or(|own| own == *sign));
        return signs.map(|sign| Entry::new(entry.x(), entry.y(), Some(sign))).collect();
    }
    let (size, labels) = (instance.size(), Labels::new(instance, &search.position));
    let mut seen = FxHashSet::default();
    let mut is_new =
        |cell: &Cell| labels.key(size.index(*cell), &search.position).is_none_or(|key| seen.insert(key));
    let squares = size.iter().filter(|cell| entry.allows(*cell)).filter(|cell| is_new(cell));
    squares.map(|cell| Entry::new(Some(cell.col + 1), Some(cell.row + 1), entry.sign())).collect()
}

/// Whether the known parts of a record leave the goal open.
fn is_open(search: &Search<'_>, goal: &Goal, instance: &Instance) -> bool {
    let known = KnownLines::new(instance);
    let first = usize::from(search.rules.start == Start::Uncounted);
    known.certain_repeat(instance, first).is_none_or(|repeat| repeat >= goal.last_move())
        && goal.clone().is_open(instance, &known, &search.position)
}

#[cfg(test)]
mod tests {
    use super::super::super::families::{SMUDGED, smudged};
    use super::super::super::{Legality, MoveLimit, Rules};
    use super::*;
    use chacha20::{ChaCha8Rng, rand_core::SeedableRng};
    use counterpoint_core::board::Group;
    use counterpoint_core::problem::Params;

    /// Division finds a witness of a goal if and only if a search in order of time does.
    #[test]
    fn division_decides_as_the_search_in_order_of_time() {
        let (mut found, mut refuted) = (0, 0);
        for seed in 0..60 {
            let group = [Group::C4, Group::D4, Group::C2][seed as usize % 3];
            let start = [Start::Uncounted, Start::Counted][seed as usize % 2];
            let (limit, legality) = (MoveLimit::Moves(6), Legality::Strict);
            let rules = Rules { group, start, limit, legality };
            let given = [("n", 2 + seed % 3), ("unknown", 3 + seed % 3)];
            let given = given.map(|(name, value)| (name.to_owned(), value.to_string()));
            let params = Params::new(SMUDGED, &given).unwrap();
            let instance = smudged(&rules, &params, &mut ChaCha8Rng::seed_from_u64(seed)).unwrap();
            let (known, moves) = (KnownLines::new(&instance), instance.record.len());
            let first = usize::from(start == Start::Uncounted);
            let repeats = (1..=moves).flat_map(|mv| Goal::repeats(first, mv, group.elements().len()));
            for goal in repeats.chain([Goal::draw(moves)]) {
                let new = || Search::new(&rules, &instance, vec![Finding::Open; moves + 1]);
                let (mut plain, mut divided) = (new(), new());
                plain.run(Some((goal.clone(), &known)), &mut Budget::unlimited()).unwrap();
                divided.divide(&goal, instance.clone(), &mut Budget::unlimited()).unwrap();
                let is_found = |search: &Search<'_>| search.findings[goal.ending] != Finding::Open;
                assert_eq!(is_found(&divided), is_found(&plain), "{rules:?} {instance:?} {}", goal.ending);
                *if is_found(&plain) { &mut found } else { &mut refuted } += 1;
            }
        }
        assert!(found > 100 && refuted > 100, "{found} {refuted}");
    }
}
