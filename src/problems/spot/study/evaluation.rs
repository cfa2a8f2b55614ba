//! Evaluates the moves at a position by iterative deepening, as deep as a bound on work allows.
//!
//! A move wins if the mover can then force the other to repeat, and loses if the other can force the mover
//! (`pursuit.rs`). The depth is increased step by step; a result that was found at one depth holds at all greater ones.

use super::automorphisms::automorphisms;
use super::class_graph::{self, ClassGraph};
use super::implicit::ImplicitGraph;
use super::pursuit::Pursuit;
use super::reserve::Produced;
use super::transposition::{MAX_EXACT, TranspositionTable};
use crate::board::Group;
use crate::engine::{Budget, Limit};
use crate::errors::Unsupported;
use petgraph::graph::NodeIndex;
use std::collections::BTreeMap;

/// The bound on work for one position: nodes times classes, some tenths of a second.
const WORK: u64 = 1 << 22;

/// The class graph of one board size, for evaluating positions.
pub struct Evaluator {
    graph: ImplicitGraph,
    stored: ClassGraph,
    automorphisms: Vec<Vec<u32>>,
}

/// The value of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MoveValue {
    /// The other can force the mover to repeat.
    Loses,
    /// Neither player can force a repeat within the depth searched.
    Open,
    /// The mover can force the other to repeat.
    Wins,
}

/// The evaluation of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The depth of the search in moves.
    pub depth: usize,
    /// Whether a deeper search could not improve on the best move.
    pub complete: bool,
    /// The value of each move that is not a repeat, by the class that it produces.
    pub values: BTreeMap<usize, MoveValue>,
}

impl Evaluator {
    /// For `n`×`n` boards; O(2^(N²) N² |G|).
    ///
    /// # Errors
    /// The side is 0 or greater than [`class_graph::MAX_SIDE`].
    pub fn new(n: u32, group: Group) -> Result<Evaluator, Unsupported> {
        let (stored, graph) = (class_graph::graph(n, group)?, ImplicitGraph::new(n, group)?);
        let automorphisms = automorphisms(&graph, n, group);
        Ok(Evaluator { graph, stored, automorphisms })
    }

    /// The class of a board, bit i for the square of row-major index i.
    pub fn class(&self, board: u32) -> usize {
        self.graph.class(board).index()
    }

    /// Evaluates the moves at class `at`, when these classes are `produced` and `left` moves are left; `None` if there
    /// is no limit.
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
        // Every move except the last one produces a new class.
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

/// Searches the moves whose value is still open to this depth.
fn deepen(
    pursuit: &mut Pursuit<'_, &ClassGraph>,
    depth: usize,
    values: &mut BTreeMap<usize, MoveValue>,
    budget: &mut Budget,
) -> Result<(), Limit> {
    for (&next, value) in values.iter_mut().filter(|(_, value)| **value == MoveValue::Open) {
        *value = pursuit.after(next, |pursuit| {
            // Of the moves after this one, the other player makes the first, third, and so on.
            if pursuit.answer(next, depth / 2, budget)? {
                return Ok(MoveValue::Wins);
            }
            let loses = pursuit.pursue(next, (depth - 1) / 2, budget)?;
            Ok(if loses { MoveValue::Loses } else { MoveValue::Open })
        })?;
    }
    Ok(())
}
