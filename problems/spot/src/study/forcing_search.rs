//! Prepares and runs the search of `pursuit.rs` on boards of one size. The question is whether a player, the *pursuer*,
//! can force the other player to repeat.

use super::super::{Rules, Start};
use super::automorphisms::automorphisms;
use super::class_graph::{self, ClassGraph};
use super::implicit::ImplicitGraph;
use super::pursuit::{Pursuer, Pursuit};
use super::reserve::Produced;
use super::strategy_tree::TreeWriter;
use super::transposition::{MAX_EXACT, TranspositionTable};
use counterpoint_core::engine::{Budget, Limit};
use counterpoint_core::errors::Unsupported;
use petgraph::graph::NodeIndex;
use serde_json::Value;
use std::fmt;

/// The class graph of a board size, its automorphisms, and whether the start counts as produced.
pub struct ForcingSearch {
    n: u32,
    start: Start,
    /// The class graph without stored edges. Its node indices agree with those of `stored`.
    pub graph: ImplicitGraph,
    /// The class graph with stored edges; `None` if the board is larger than [`class_graph::MAX_SIDE`].
    stored: Option<ClassGraph>,
    /// The automorphisms for the transposition table. Without stored edges there are none, so that nothing is stored in
    /// the table.
    automorphisms: Vec<Vec<u32>>,
}

/// The result of a search for one limit on moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Whether the pursuer can force the other to repeat.
    pub forced: bool,
    /// The number of searched positions with the pursuer to move.
    pub nodes: u64,
    /// A strategy tree that proves the result; `None` if the search was too long.
    pub evidence: Option<Value>,
    /// If positions were identified by hashes, an upper bound on the probability of a wrong result: 2 to the power of
    /// this number. `None` if positions were compared exactly.
    pub collision_exponent: Option<i32>,
}

impl ForcingSearch {
    /// Prepares the search on `n`×`n` boards.
    ///
    /// # Errors
    /// Returns an error if the side is 0 or greater than [`super::implicit::MAX_SIDE`].
    pub fn new(n: u32, rules: &Rules) -> Result<ForcingSearch, Unsupported> {
        let graph = ImplicitGraph::new(n, rules.group)?;
        let stored = (n <= class_graph::MAX_SIDE).then(|| class_graph::graph(n, rules.group)).transpose()?;
        // On boards without stored edges, a search rarely reaches a position again, so it needs no transposition table.
        let automorphisms = if stored.is_some() { automorphisms(&graph, n, rules.group) } else { Vec::new() };
        Ok(ForcingSearch { n, start: rules.start, graph, stored, automorphisms })
    }

    /// Whether a player can force the other to repeat by move `limit`. The result has evidence if the search took at
    /// most `max_evidence_nodes` nodes; without stored edges, this maximum is 0. `progress` is called with progress
    /// output during long searches.
    ///
    /// # Errors
    /// Returns the limit of the budget that was reached.
    pub fn forces(
        &self,
        pursuer: Pursuer,
        limit: usize,
        max_evidence_nodes: u64,
        progress: &mut dyn FnMut(fmt::Arguments<'_>),
        budget: &mut Budget,
    ) -> Result<Found, Limit> {
        match &self.stored {
            Some(graph) => self.forces_on(graph, pursuer, limit, max_evidence_nodes, progress, budget),
            None => self.forces_on(&self.graph, pursuer, limit, 0, progress, budget),
        }
    }

    fn forces_on<G: super::matching::Graph>(
        &self,
        graph: G,
        pursuer: Pursuer,
        limit: usize,
        max_evidence_nodes: u64,
        progress: &mut dyn FnMut(fmt::Arguments<'_>),
        budget: &mut Budget,
    ) -> Result<Found, Limit> {
        let spots = |class| self.graph.board(NodeIndex::new(class)).count_ones();
        let mut produced = Produced::new(graph, spots);
        if self.start == Start::Counted {
            produced.produce(graph, 0);
        }
        let table = TranspositionTable::new(&self.automorphisms, MAX_EXACT);
        let mut pursuit = Pursuit::new(graph, produced, table, progress);
        let before = budget.work.nodes;
        let forced = pursuit.forces(pursuer, limit, budget)?;
        let nodes = budget.work.nodes - before;
        let collision_exponent = pursuit.table().collision_exponent(nodes);
        let writer = TreeWriter::new(&self.graph, self.n);
        let evidence = match forced {
            _ if nodes > max_evidence_nodes => None,
            true => Some(writer.forces(&mut pursuit, pursuer, limit, budget)?),
            false => Some(writer.holds(&mut pursuit, pursuer, limit, budget)?),
        };
        Ok(Found { forced, nodes, evidence, collision_exponent })
    }
}
