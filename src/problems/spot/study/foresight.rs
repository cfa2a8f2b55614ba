//! Evaluates the moves at a position by iterative deepening, as deep as a bound on work allows.
//!
//! A move wins if the mover can then force the other to repeat, and loses if the other can force the mover
//! (`pursuit.rs`). The depth is increased step by step; a result that was found at one depth holds at all greater ones.

use super::automorphisms::automorphisms;
use super::classes::{self, ClassGraph};
use super::implicit::Implicit;
use super::memory::{MAX_EXACT, Memory};
use super::pursuit::Pursuit;
use super::reserve::Stage;
use crate::board::Group;
use crate::engine::{Budget, Limit};
use petgraph::graph::NodeIndex;
use std::collections::BTreeMap;

/// The bound on work for one position: nodes times classes, some tenths of a second.
const WORK: u64 = 1 << 22;

/// The class graph of one board size, for evaluating positions.
pub struct Foresight {
    graph: Implicit,
    stored: ClassGraph,
    automorphisms: Vec<Vec<u32>>,
}

/// The value of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Prospect {
    /// The other can force the mover to repeat.
    Loses,
    /// Neither player can force a repeat within the depth searched.
    Open,
    /// The mover can force the other to repeat.
    Wins,
}

/// The evaluation of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sight {
    /// The depth of the search in moves.
    pub ahead: usize,
    /// Whether a deeper search could not improve on the best move.
    pub whole: bool,
    /// The value of each move that is not a repeat, by the class that it produces.
    pub prospects: BTreeMap<usize, Prospect>,
}

impl Foresight {
    /// For `n`×`n` boards; O(2^(N²) N² |G|).
    ///
    /// # Errors
    /// A side that is 0 or over [`classes::MAX_SIDE`].
    pub fn new(n: u32, group: Group) -> Result<Foresight, String> {
        let (stored, graph) = (classes::graph(n, group)?, Implicit::new(n, group)?);
        let automorphisms = automorphisms(&graph, n, group);
        Ok(Foresight { graph, stored, automorphisms })
    }

    /// The class of a board, bit i for the square of row-major index i.
    pub fn class(&self, board: u32) -> usize {
        self.graph.class(board).index()
    }

    /// Evaluates the moves at class `at`, when these classes are `produced` and `left` moves are left; `None` if there is
    /// no limit.
    pub fn look(&self, produced: impl Iterator<Item = usize>, at: usize, left: Option<usize>) -> Sight {
        let mut stage =
            Stage::new(&self.stored, |class| self.graph.board(NodeIndex::new(class)).count_ones());
        for class in produced {
            if stage.fresh[class] {
                stage.produce(&self.stored, class);
            }
        }
        let memory = Memory::new(&self.automorphisms, MAX_EXACT);
        let mut silent = |_: std::fmt::Arguments<'_>| {};
        let mut pursuit = Pursuit::new(&self.stored, stage, memory, &mut silent);
        let classes = self.stored.node_count();
        // Each move but a last one produces a class of its own.
        let most = left.unwrap_or(usize::MAX).min(classes + 1);
        let mut prospects: BTreeMap<usize, Prospect> =
            pursuit.fresh(at).into_iter().map(|next| (next, Prospect::Open)).collect();
        let mut sight = Sight { ahead: 0, whole: most == 0, prospects: prospects.clone() };
        let budget = &mut Budget::of_work(WORK / classes as u64);
        while !sight.whole && further(&mut pursuit, sight.ahead + 1, &mut prospects, budget).is_ok() {
            let ahead = sight.ahead + 1;
            let best = prospects.values().max();
            sight = Sight { ahead, whole: ahead == most || best != Some(&Prospect::Open), prospects };
            prospects = sight.prospects.clone();
        }
        sight
    }
}

/// Searches the moves that are still open to the depth `ahead`.
fn further(
    pursuit: &mut Pursuit<'_, &ClassGraph>,
    ahead: usize,
    prospects: &mut BTreeMap<usize, Prospect>,
    budget: &mut Budget,
) -> Result<(), Limit> {
    for (&next, prospect) in prospects.iter_mut().filter(|(_, prospect)| **prospect == Prospect::Open) {
        *prospect = pursuit.after(next, |pursuit| {
            // Of the moves after this one, the other player makes the first, third, and so on.
            if pursuit.answer(next, ahead / 2, budget)? {
                return Ok(Prospect::Wins);
            }
            let loses = pursuit.pursue(next, (ahead - 1) / 2, budget)?;
            Ok(if loses { Prospect::Loses } else { Prospect::Open })
        })?;
    }
    Ok(())
}
