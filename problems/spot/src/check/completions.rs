//! Decides which endings are possible: first by counting (`outline.rs`), then by trying the completions of the record
//! that counting does not exclude, and at last by a search for each ending (`narrow.rs`).
//!
//! A move without a known square is tried on the squares that its line allows, but of interchangeable
//! squares, only some are tried. An *orbit* consists of the images of a square. Two orbits are
//! interchangeable if they are of the same type (`squares`), no move so far has toggled one of their
//! squares, and no line that gives a row, a column or both allows one of them. So only the first such orbit
//! of each type is tried.

use super::alternatives::{squares, unnamed};
use super::outline::Outline;
use super::{Board, after, narrow, repeats};
use crate::answer::Ending;
use crate::{Instance, Legality, Move, Rules, Sign};
use counterpoint_core::board::Bits;
use counterpoint_core::engine::{Budget, Limit};

/// The maximum number of nodes on boards of up to [`SMALL`] squares. Each comparison of two boards is a node, and so is each step
/// of each outline. On larger boards these take longer, so there are fewer nodes.
const MAX_NODES: u64 = 1 << 21;
/// The number of squares up to which boards count as small: 22×22 squares and a few more.
const SMALL: u64 = 512;
/// One in this many of these nodes is for the enumeration, the others are for searches for single endings.
const ENUMERATED: u64 = 4;
/// The maximum number of squares, summed over all boards of one position's outline.
const MAX_OUTLINED: usize = 1 << 24;
/// The maximum number of moves of a record whose completions are enumerated. The depth of the recursion is the
/// number of moves.
const MAX_STEPS: usize = 1_000;

/// The endings of the completions that were tried.
pub(super) struct Enumerated {
    /// For each ending, in the order of [`Ending::all`], whether at least one of these completions has it.
    pub(super) possible: Vec<bool>,
    /// For each ending, whether it was found to be impossible.
    pub(super) refuted: Vec<bool>,
    /// Why not all endings were decided; `None` if all were.
    pub(super) stopped: Option<NotEnumerated>,
}

/// Why not all completions of a record were tried.
#[derive(Clone, Debug)]
pub(super) enum NotEnumerated {
    TooLong,
    TooMany,
    Limit(Limit),
}

impl NotEnumerated {
    /// The reason, and what would close a claim that needs the enumeration.
    pub(super) fn remedy(&self, remedy: &str) -> String {
        match self {
            NotEnumerated::TooLong => format!(
                "records of more than {MAX_STEPS} moves are not enumerated; {remedy} would close the claim"
            ),
            NotEnumerated::TooMany => {
                format!("too many completions to enumerate; {remedy} would close the claim")
            }
            NotEnumerated::Limit(limit) => limit.to_string(),
        }
    }
}

/// Decides the endings in `wanted`, if there are not too many completions.
pub(super) fn enumerate(
    rules: &Rules,
    instance: &Instance,
    wanted: &[bool],
    budget: &mut Budget,
) -> Enumerated {
    let steps = instance.record.len();
    let mut all =
        Enumerated { possible: vec![false; steps + 1], refuted: vec![false; steps + 1], stopped: None };
    if steps > MAX_STEPS || steps * instance.size().cells() > MAX_OUTLINED {
        all.stopped = Some(NotEnumerated::TooLong);
        return all;
    }
    let max_nodes = MAX_NODES * SMALL / SMALL.max(instance.size().cells() as u64);
    let mut left = budget.part(max_nodes.min(budget.left()));
    let mut search = Search {
        rules,
        instance,
        untouched: unnamed(instance),
        moves: Vec::new(),
        boards: vec![Bits::zeros(instance.size().cells())],
        wanted: wanted.to_vec(),
        left: left.part(left.left() / ENUMERATED),
    };
    let mut decided = search.exclude().and_then(|()| {
        // What counting excludes is refuted, whatever happens later.
        (0..=steps).for_each(|i| all.refuted[i] = wanted[i] && !search.wanted[i]);
        search.descend(&mut all.possible)
    });
    left.work.nodes += search.left.work.nodes;
    match decided {
        Ok(()) => (0..=steps).for_each(|i| all.refuted[i] = wanted[i] && !all.possible[i]),
        Err(Limit::Work) if rules.legality == Legality::Strict => {
            decided = search_each(rules, instance, wanted, &mut all, &mut left);
        }
        Err(_) => {}
    }
    let is_short = budget.left() <= max_nodes;
    budget.work.nodes += left.work.nodes;
    all.stopped = match decided {
        Ok(()) => None,
        Err(Limit::Work) if !is_short => Some(NotEnumerated::TooMany),
        Err(limit) => Some(NotEnumerated::Limit(limit)),
    };
    all
}

/// Searches for each ending in `wanted` that is not decided yet. Each search gets an equal part of the work that is left.
fn search_each(
    rules: &Rules,
    instance: &Instance,
    wanted: &[bool],
    all: &mut Enumerated,
    left: &mut Budget,
) -> Result<(), Limit> {
    let endings = Ending::all(instance.record.len()).enumerate();
    let open: Vec<_> = endings.filter(|(i, _)| wanted[*i] && !all.possible[*i] && !all.refuted[*i]).collect();
    let mut ended = Ok(());
    for (done, (i, ending)) in open.iter().enumerate() {
        let mut part = left.part(left.left() / (open.len() - done) as u64);
        let decided = narrow::is_possible(rules, instance, *ending, &mut part);
        left.work.nodes += part.work.nodes;
        match decided {
            Ok(is_possible) => {
                let decided = if is_possible { &mut all.possible } else { &mut all.refuted };
                decided[*i] = true;
            }
            Err(Limit::Work) => ended = Err(Limit::Work),
            Err(limit) => return Err(limit),
        }
    }
    ended
}

struct Search<'a> {
    rules: &'a Rules,
    instance: &'a Instance,
    /// For each square, whether no line with a row or a column allows it and no move so far toggled it.
    untouched: Vec<bool>,
    /// The moves so far.
    moves: Vec<Move>,
    /// The empty board and the board after each of these moves. None of them is a repeat.
    boards: Vec<Board>,
    /// The endings for which a completion is sought.
    wanted: Vec<bool>,
    left: Budget,
}

impl Search<'_> {
    /// Removes from `wanted` the endings that counting excludes.
    fn exclude(&mut self) -> Result<(), Limit> {
        let outline = Outline::new(self.rules, self.instance, &[]);
        for (i, ending) in Ending::all(self.instance.record.len()).enumerate() {
            self.wanted[i] = self.wanted[i] && outline.allows(ending, &mut self.left)?;
        }
        Ok(())
    }

    /// Whether a wanted ending may be possible after the moves so far.
    fn is_open(&mut self) -> Result<bool, Limit> {
        let step = self.moves.len();
        if !self.wanted[step..].contains(&true) {
            return Ok(false);
        }
        if self.rules.legality == Legality::Lenient {
            return Ok(true);
        }
        let outline = Outline::new(self.rules, self.instance, &self.moves);
        self.left.work.nodes += self.instance.record.len() as u64;
        for (i, ending) in Ending::all(self.instance.record.len()).enumerate().skip(step) {
            if self.wanted[i] && outline.allows(ending, &mut self.left)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Tries all completions that begin with the moves so far. Marks their endings in `possible`.
    fn descend(&mut self, possible: &mut [bool]) -> Result<(), Limit> {
        let step = self.moves.len();
        let Some(entry) = self.instance.record.get(step).copied() else {
            possible[step] = true;
            self.wanted[step] = false;
            return Ok(());
        };
        for cell in squares(self.rules, self.instance, &self.untouched, &entry) {
            for sign in [Sign::Place, Sign::Take] {
                if entry.sign().is_some_and(|known| known != sign) {
                    continue;
                }
                let mv = Move { cell, sign };
                let Some(next) = after(self.rules, self.instance, &entry, &self.boards[step], mv) else {
                    continue;
                };
                let n = self.instance.n as usize;
                if repeats(self.rules, n, &self.boards, &next, &mut self.left)?.is_some() {
                    possible[step] = true;
                    self.wanted[step] = false;
                    continue;
                }
                let square = self.instance.size().index(cell);
                let untouched = std::mem::replace(&mut self.untouched[square], false);
                self.moves.push(mv);
                self.boards.push(next);
                if self.is_open()? {
                    self.descend(possible)?;
                }
                self.moves.pop();
                self.boards.pop();
                self.untouched[square] = untouched;
            }
        }
        Ok(())
    }
}
