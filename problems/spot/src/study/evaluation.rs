//! Evaluates the moves at a position by iterative deepening, as deep as a bound on work allows.
//!
//! A move wins if the mover can then force the other player to repeat. A move loses if the other player can then force
//! the mover to repeat (`pursuit.rs`). The depth is increased step by step. A win or loss that is found at one depth
//! holds at all greater depths.

use super::automorphisms::automorphisms;
use super::class_graph::{self, ClassGraph};
use super::implicit::ImplicitGraph;
use super::pursuit::Pursuit;
use super::reserve::Produced;
use super::transposition::{MAX_EXACT, TranspositionTable};
use counterpoint_core::board::Group;
use counterpoint_core::engine::{Budget, Limit};
use counterpoint_core::errors::Unsupported;
use petgraph::graph::NodeIndex;
use std::collections::BTreeMap;

/// The bound on the work for one position, measured as the number of searched nodes times the number of classes. This
/// much work takes some tenths of a second.
const WORK: u64 = 1 << 22;

/// The class graph of one board size and its automorphisms, for evaluating positions.
pub struct Evaluator {
    graph: ImplicitGraph,
    stored: ClassGraph,
    automorphisms: Vec<Vec<u32>>,
}

/// The value of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MoveValue {
    /// The other player can force the mover to repeat.
    Loses,
    /// Neither player can force a repeat within the depth searched.
    Open,
    /// The mover can force the other player to repeat.
    Wins,
}

/// The evaluation of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The depth of the search in moves, including the move that is evaluated.
    pub depth: usize,
    /// Whether no deeper search can find a better move.
    pub complete: bool,
    /// The value of each move that is not a repeat, by the index of the class that it produces.
    pub values: BTreeMap<usize, MoveValue>,
}

impl Evaluator {
    /// An evaluator for `n`×`n` boards.
    ///
    /// # Errors
    /// Returns an error if the side is 0 or greater than [`class_graph::MAX_SIDE`].
    pub fn new(n: u32, group: Group) -> Result<Evaluator, Unsupported> {
        let (stored, graph) = (class_graph::graph(n, group)?, ImplicitGraph::new(n, group)?);
        let automorphisms = automorphisms(&graph, n, group);
        Ok(Evaluator { graph, stored, automorphisms })
    }

    /// The index of the class of a board. Bit i of the board is set if the square with row-major index i has a spot.
    pub fn class(&self, board: u32) -> usize {
        self.graph.class(board).index()
    }

    /// Evaluates the moves at class `at`. `produced` are the classes that have been produced, and `left` is the number
    /// of moves left in the game, or `None` if there is no limit.
    pub fn evaluate(
        &self,
        produced: impl Iterator<Item = usize>,
        at: usize,
        left: Option<usize>,
    ) -> Evaluation {
        let spots = |class| self.graph.board(NodeIndex::new(class)).count_ones();
        let mut classes = Produced::new(&self.stored, spots);
        for class in produced {
            if classes.fresh[class] {
                classes.produce(&self.stored, class);
            }
        }
        let table = TranspositionTable::new(&self.automorphisms, MAX_EXACT);
        let mut silent = |_: std::fmt::Arguments<'_>| {};
        let mut pursuit = Pursuit::new(&self.stored, classes, table, &mut silent);
        let count = self.stored.node_count();
        // Every move except the last one produces a new class, so a game has at most `count` + 1 moves.
        let max_depth = left.unwrap_or(usize::MAX).min(count + 1);
        let mut values: BTreeMap<usize, MoveValue> =
            pursuit.fresh(at).into_iter().map(|next| (next, MoveValue::Open)).collect();
        let mut found = Evaluation { depth: 0, complete: max_depth == 0, values: values.clone() };
        let budget = &mut Budget::of_work(WORK / count as u64);
        while !found.complete && deepen(&mut pursuit, found.depth + 1, &mut values, budget).is_ok() {
            let depth = found.depth + 1;
            let best = values.values().max();
            let complete = depth == max_depth || best != Some(&MoveValue::Open);
            found = Evaluation { depth, complete, values };
            values = found.values.clone();
        }
        found
    }
}

/// Searches all moves whose value is still open, each to this depth.
fn deepen(
    pursuit: &mut Pursuit<'_, &ClassGraph>,
    depth: usize,
    values: &mut BTreeMap<usize, MoveValue>,
    budget: &mut Budget,
) -> Result<(), Limit> {
    for (&next, value) in values.iter_mut().filter(|(_, value)| **value == MoveValue::Open) {
        *value = pursuit.after(next, |pursuit| {
            // The other player makes the first, third, fifth, ... of the moves after this one.
            if pursuit.answer(next, depth / 2, budget)? {
                return Ok(MoveValue::Wins);
            }
            let loses = pursuit.pursue(next, (depth - 1) / 2, budget)?;
            Ok(if loses { MoveValue::Loses } else { MoveValue::Open })
        })?;
    }
    Ok(())
}
