//! Whether a player can force the other to repeat within so many moves: an AND/OR search on the class graph.
//!
//! The *pursuer* wins if the *pursued* has to move where every class around is produced. Each produces classes of one
//! parity only. The search ends where classes kept in reserve (`reserve.rs`) give the pursued an answer for all moves
//! that are left; positions are met once (`memory.rs`), up to the automorphisms of the graph, with the classes that the
//! moves left can come to. The pursued first goes where she does least harm to the classes around.

use super::matching::Graph;
use super::memory::{Memory, Position};
use super::reserve::{Stage, reserve};
use crate::engine::{Budget, Limit};
use std::fmt;

/// Nodes below a position from which on it is kept.
const WORTH_KEEPING: u64 = 32;
/// Nodes between two words on how far a search is.
const TELL_EVERY: u64 = 1 << 12;

/// One player after the other.
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
    stage: Stage,
    path: Vec<u32>,
    memory: Memory<'a>,
    progress: &'a mut dyn FnMut(fmt::Arguments<'_>),
}

impl<'a, G: Graph> Pursuit<'a, G> {
    /// Before the first move; `stage` knows whether the start counts as produced. `progress` gets words on how far a long
    /// search is.
    pub fn new(
        graph: G,
        stage: Stage,
        memory: Memory<'a>,
        progress: &'a mut dyn FnMut(fmt::Arguments<'_>),
    ) -> Self {
        let path = (0..stage.fresh.len()).filter(|&class| !stage.fresh[class]).map(|class| class as u32);
        Pursuit { graph, path: path.collect(), stage, memory, progress }
    }

    /// What is known of positions.
    pub fn memory(&self) -> &Memory<'a> {
        &self.memory
    }

    /// Whether the pursuer can force the other to repeat by move `limit`, from the empty board. A node of the budget for
    /// each position with the pursuer to move.
    ///
    /// # Errors
    /// The limit that was met.
    pub fn forces(&mut self, pursuer: Pursuer, limit: usize, budget: &mut Budget) -> Result<bool, Limit> {
        let moves = pursuer.others_moves(limit);
        if pursuer == Pursuer(1) { self.pursue(0, moves, budget) } else { self.answer(0, moves, budget) }
    }

    /// The pursuer moves at `class`; the other has `moves` moves left.
    pub(super) fn pursue(&mut self, class: usize, moves: usize, budget: &mut Budget) -> Result<bool, Limit> {
        if moves == 0 {
            return Ok(false);
        }
        budget.node()?;
        if self.fresh(class).iter().any(|&next| self.stage.free[next] == 0) {
            return Ok(true);
        }
        if budget.work.nodes.is_multiple_of(TELL_EVERY) {
            (self.progress)(format_args!(
                "{} nodes, {} positions kept",
                budget.work.nodes,
                self.memory.len()
            ));
        }
        if moves == 1 || self.reserve(class, moves).is_some() {
            return Ok(false);
        }
        let position = self.position(class, moves);
        if let Some(forced) = self.memory.get(&position) {
            return Ok(forced);
        }
        let before = budget.work.nodes;
        let mut next = self.fresh(class);
        next.sort_by_key(|&next| (self.stage.free[next], next));
        let mut forced = false;
        for next in next {
            forced = self.after(next, |pursuit| pursuit.answer(next, moves, budget))?;
            if forced {
                break;
            }
        }
        if budget.work.nodes - before >= WORTH_KEEPING {
            self.memory.keep(&position, forced);
        }
        Ok(forced)
    }

    /// The pursued moves at `class`, with `moves` moves left.
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

    /// Fresh classes around one.
    pub(super) fn fresh(&self, class: usize) -> Vec<usize> {
        self.graph.around(class).filter(|&next| self.stage.fresh[next]).collect()
    }

    /// The same for the pursued, least harm to the classes around first.
    pub(super) fn answers(&self, class: usize) -> Vec<usize> {
        let harm = |&next: &usize| {
            let around = self.graph.around(next).filter(|&other| self.stage.fresh[other]);
            around.map(|other| 1u64 << (2 * 10u8.saturating_sub(self.stage.free[other]))).sum::<u64>()
        };
        let mut answers = self.fresh(class);
        answers.sort_by_cached_key(|next| (harm(next), *next));
        answers
    }

    /// Classes kept in reserve, if that is enough.
    pub(super) fn reserve(&self, class: usize, moves: usize) -> Option<Vec<(usize, usize)>> {
        reserve(self.graph, &self.stage, class, moves)
    }

    /// What comes of a move.
    pub(super) fn after<T>(&mut self, class: usize, then: impl FnOnce(&mut Self) -> T) -> T {
        self.stage.produce(self.graph, class);
        self.path.push(class as u32);
        let result = then(self);
        self.path.pop();
        self.stage.take_back(self.graph, class);
        result
    }

    fn position(&self, class: usize, moves: usize) -> Position {
        let spots = &self.stage.spots;
        // Each toggle changes the number of spots by one.
        let near = |&&other: &&u32| usize::from(spots[other as usize].abs_diff(spots[class])) <= 2 * moves;
        Position { moves, class, near: self.path.iter().filter(near).copied().collect() }
    }
}
