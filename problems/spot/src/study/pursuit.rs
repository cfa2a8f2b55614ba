//! Decides by AND/OR search whether a player can force the other to repeat within a limit on moves.
//!
//! This is a pursuit-evasion game in the class graph (`class_graph.rs`). A class is *fresh* until it is produced.
//! The *pursuer* wins if, within the limit, the *pursued* has to move at a class that has no fresh neighbour. A
//! position consists of the current class and the set of produced classes. `pursue` searches OR nodes, at which the
//! pursuer is to move, and `answer` searches AND nodes, at which the pursued is to move. Each move changes the number
//! of spots by one, so each player produces classes of one parity only.
//!
//! # Pruning of OR nodes, in the order in which it is tested
//! 1. If the pursued has no moves left within the limit, the pursuer does not win.
//! 2. If some fresh neighbour has no fresh neighbours of its own, the pursuer moves there and wins.
//! 3. If the pursued has only one move left, the pursuer does not win, because test 2 found no winning move.
//! 4. If reserved classes (`reserve.rs`) guarantee the pursued an answer for all moves left, the pursuer does not win.
//!    This bound is more expensive than the tests before it, but needs no search.
//! 5. Transposition table (`transposition.rs`): the result depends on the class, the moves left, and the produced
//!    classes within reach, up to automorphisms of the graph.
//!
//! # Order of moves
//! The pursuer first tries the classes with the fewest fresh neighbours. The pursued first tries the class that does
//! the least harm to its own later answers. If class c is produced, each fresh class around c loses a fresh neighbour.
//! The fewer fresh neighbours such a class had, the greater the harm.

use super::matching::Graph;
use super::reserve::{Produced, Reservation, reserve};
use super::transposition::{Position, TranspositionTable};
use counterpoint_core::engine::{Budget, Limit};
use std::fmt;

/// A position is stored in the transposition table if at least this many nodes were searched below it.
const MIN_STORED_NODES: u64 = 32;
/// With more classes than this, limits are tested at each node.
const MANY_CLASSES: usize = 1 << 12;
/// Progress is reported only when the number of nodes is a multiple of this.
const PROGRESS_EVERY: u64 = 1 << 12;

/// The player who tries to force the other to repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pursuer(
    /// The player's number, 1 or 2.
    pub u8,
);

impl Pursuer {
    /// The number of moves that the other player makes among the first `limit` moves.
    pub fn others_moves(self, limit: usize) -> usize {
        if self.0 == 1 { limit / 2 } else { limit.div_ceil(2) }
    }
}

/// The search of a pursuit game, with the moves that lead to its current position.
pub struct Pursuit<'a, G> {
    graph: G,
    produced: Produced,
    /// The indices of the produced classes: first those that were produced when the search began, then one for each
    /// move on the path to the current position.
    path: Vec<u32>,
    table: TranspositionTable<'a>,
    progress: &'a mut dyn FnMut(fmt::Arguments<'_>),
}

impl<'a, G: Graph> Pursuit<'a, G> {
    /// A search that begins at the position with these produced classes. If the start counts, they include the class of
    /// the empty board. `progress` is called with progress output during long searches.
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

    /// Whether the pursuer can force the other to repeat by move `limit`, from the empty board. Each position with the
    /// pursuer to move counts as one node of work.
    ///
    /// # Errors
    /// Returns the limit that was reached.
    pub fn forces(&mut self, pursuer: Pursuer, limit: usize, budget: &mut Budget) -> Result<bool, Limit> {
        let moves = pursuer.others_moves(limit);
        if pursuer == Pursuer(1) { self.pursue(0, moves, budget) } else { self.answer(0, moves, budget) }
    }

    /// OR node: whether the pursuer, to move at `class`, can force the pursued to repeat within the next
    /// `moves` moves of the pursued.
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
        if moves == 1 || self.reserve(class, moves, budget)?.is_some() {
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

    /// AND node: whether the pursued, to move at `class`, can be forced to repeat within its next `moves` moves.
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

    /// The fresh neighbours of a class.
    pub(super) fn fresh(&self, class: usize) -> Vec<usize> {
        self.graph.around(class).filter(|&next| self.produced.fresh[next]).collect()
    }

    /// The fresh neighbours of a class in the order in which the pursued tries them, least harm first. If class c
    /// is produced, each fresh class around c loses a fresh neighbour. The fewer fresh neighbours such a class had, the
    /// greater is the harm.
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

    /// Reservations that guarantee the pursued an answer in each of its next `moves` moves, with the pursuer to move at
    /// `class`; `None` if the bound does not show this.
    ///
    /// # Errors
    /// The limit that was reached.
    pub(super) fn reserve(
        &self,
        class: usize,
        moves: usize,
        budget: &Budget,
    ) -> Result<Option<Vec<Reservation>>, Limit> {
        // Among many classes, reservations take milliseconds, so that limits are tested before each node.
        if self.produced.fresh.len() > MANY_CLASSES {
            budget.poll()?;
        }
        Ok(reserve(self.graph, &self.produced, class, moves))
    }

    /// Moves to a class, calls `then`, and takes the move back.
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
        // A class is near if its number of spots differs by at most 2 * `moves` from that of the current class. Each
        // move changes the number of spots by one, so the remaining 2 * `moves` moves cannot reach any other class.
        let near = |&&other: &&u32| usize::from(spots[other as usize].abs_diff(spots[class])) <= 2 * moves;
        Position { moves, class, near: self.path.iter().filter(near).copied().collect() }
    }
}
