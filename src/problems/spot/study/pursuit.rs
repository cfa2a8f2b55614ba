//! Can a player force the other to repeat within a limit of moves? A pursuit-evasion game, solved by AND/OR search.
//!
//! The *pursuer* wins if the *pursued* has to move at a class all of whose neighbours are produced. A position is
//! a class of the class graph with the set of produced classes. `pursue` searches OR nodes (the pursuer is to move),
//! `answer` searches AND nodes. Each move changes the number of spots by one, so each player produces classes of one
//! parity only. A class is *fresh* until it is produced.
//!
//! # Pruning of OR nodes, in the order in which it is tested
//! 1. No moves of the pursued are left: not forced.
//! 2. A fresh neighbour has no fresh neighbours of its own: the pursuer moves there and wins.
//! 3. Only one move of the pursued is left: not forced, because test 2 found no winning move.
//! 4. Reserved classes (`reserve.rs`) guarantee the pursued an answer for all moves left: not forced. This bound is
//!    more expensive than the tests before it, but needs no search.
//! 5. Transposition table (`transposition.rs`): the result depends on the class, the moves left, and the produced
//!    classes within reach, up to automorphisms of the graph.
//!
//! # Order of moves
//! The pursuer first tries the classes with the fewest fresh neighbours. The pursued first tries the classes that do
//! the least harm: a class that is produced is lost to the fresh classes around it, and a class that has few fresh
//! neighbours is harmed most.

use super::matching::Graph;
use super::reserve::{Produced, Reservation, reserve};
use super::transposition::{Position, TranspositionTable};
use crate::engine::{Budget, Limit};
use std::fmt;

/// A position is stored in the transposition table if searching it took at least this many nodes.
const MIN_STORED_NODES: u64 = 32;
/// The number of nodes between two lines of progress output.
const PROGRESS_EVERY: u64 = 1 << 12;

/// The player who tries to force the other to repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pursuer(
    /// 1 or 2.
    pub u8,
);

impl Pursuer {
    /// The moves among the first `limit` that the other player makes.
    pub fn others_moves(self, limit: usize) -> usize {
        if self.0 == 1 { limit / 2 } else { limit.div_ceil(2) }
    }
}

/// A game on a class graph up to some move.
pub struct Pursuit<'a, G> {
    graph: G,
    produced: Produced,
    path: Vec<u32>,
    table: TranspositionTable<'a>,
    progress: &'a mut dyn FnMut(fmt::Arguments<'_>),
}

impl<'a, G: Graph> Pursuit<'a, G> {
    /// The game before the first move. If the empty board of the start counts as a pattern, the caller has produced its
    /// class in `produced`. `progress` is called with progress output during long searches.
    pub fn new(
        graph: G,
        produced: Produced,
        table: TranspositionTable<'a>,
        progress: &'a mut dyn FnMut(fmt::Arguments<'_>),
    ) -> Self {
        let path =
            (0..produced.fresh.len()).filter(|&class| !produced.fresh[class]).map(|class| class as u32);
        Pursuit { graph, path: path.collect(), produced, table, progress }
    }

    /// The transposition table.
    pub fn table(&self) -> &TranspositionTable<'a> {
        &self.table
    }

    /// Whether the pursuer can force the other to repeat by move `limit`, from the empty board. Each position with
    /// the pursuer to move is a node of the budget.
    ///
    /// # Errors
    /// The limit that was met.
    pub fn forces(&mut self, pursuer: Pursuer, limit: usize, budget: &mut Budget) -> Result<bool, Limit> {
        let moves = pursuer.others_moves(limit);
        if pursuer == Pursuer(1) { self.pursue(0, moves, budget) } else { self.answer(0, moves, budget) }
    }

    /// OR node: whether the pursuer, to move at `class`, can force the other to repeat within its next `moves` moves.
    pub(super) fn pursue(&mut self, class: usize, moves: usize, budget: &mut Budget) -> Result<bool, Limit> {
        if moves == 0 {
            return Ok(false);
        }
        budget.node()?;
        if self.fresh(class).iter().any(|&next| self.produced.fresh_neighbours[next] == 0) {
            return Ok(true);
        }
        if budget.work.nodes.is_multiple_of(PROGRESS_EVERY) {
            (self.progress)(format_args!(
                "{} nodes, {} positions stored",
                budget.work.nodes,
                self.table.len()
            ));
        }
        if moves == 1 || self.reserve(class, moves).is_some() {
            return Ok(false);
        }
        let position = self.position(class, moves);
        if let Some(forced) = self.table.get(&position) {
            return Ok(forced);
        }
        let before = budget.work.nodes;
        let mut next = self.fresh(class);
        next.sort_by_key(|&next| (self.produced.fresh_neighbours[next], next));
        let mut forced = false;
        for next in next {
            forced = self.after(next, |pursuit| pursuit.answer(next, moves, budget))?;
            if forced {
                break;
            }
        }
        if budget.work.nodes - before >= MIN_STORED_NODES {
            self.table.insert(&position, forced);
        }
        Ok(forced)
    }

    /// AND node: whether the pursued, to move at `class`, has to repeat within its next `moves` moves.
    pub(super) fn answer(&mut self, class: usize, moves: usize, budget: &mut Budget) -> Result<bool, Limit> {
        if moves == 0 {
            return Ok(false);
        }
        for next in self.answers(class) {
            if !self.after(next, |pursuit| pursuit.pursue(next, moves - 1, budget))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The neighbours of a class that are not produced.
    pub(super) fn fresh(&self, class: usize) -> Vec<usize> {
        self.graph.around(class).filter(|&next| self.produced.fresh[next]).collect()
    }

    /// The fresh neighbours of a class in the order in which the pursued tries them, least harm first. Producing a
    /// class takes a fresh neighbour from each fresh class around it. That harms a class more if it has fewer of them.
    pub(super) fn answers(&self, class: usize) -> Vec<usize> {
        let harm = |&next: &usize| {
            let around = self.graph.around(next).filter(|&other| self.produced.fresh[other]);
            around
                .map(|other| 1u64 << (2 * 10u8.saturating_sub(self.produced.fresh_neighbours[other])))
                .sum::<u64>()
        };
        let mut answers = self.fresh(class);
        answers.sort_by_cached_key(|next| (harm(next), *next));
        answers
    }

    /// Reserved classes that guarantee the pursued `moves` answers, if this bound finds any.
    pub(super) fn reserve(&self, class: usize, moves: usize) -> Option<Vec<Reservation>> {
        reserve(self.graph, &self.produced, class, moves)
    }

    /// Makes a move, evaluates `then`, and takes the move back.
    pub(super) fn after<T>(&mut self, class: usize, then: impl FnOnce(&mut Self) -> T) -> T {
        self.produced.produce(self.graph, class);
        self.path.push(class as u32);
        let result = then(self);
        self.path.pop();
        self.produced.take_back(self.graph, class);
        result
    }

    fn position(&self, class: usize, moves: usize) -> Position {
        let spots = &self.produced.spots;
        // Each toggle changes the number of spots by one.
        let near = |&&other: &&u32| usize::from(spots[other as usize].abs_diff(spots[class])) <= 2 * moves;
        Position { moves, class, near: self.path.iter().filter(near).copied().collect() }
    }
}
