//! Where pursuits are played: a class graph with its automorphisms, edges stored where they fit.

use super::super::{Rules, Start};
use super::automorphisms::automorphisms;
use super::classes::{self, ClassGraph};
use super::evidence::Scribe;
use super::implicit::Implicit;
use super::memory::{MAX_EXACT, Memory};
use super::pursuit::{Pursuer, Pursuit};
use super::reserve::Stage;
use crate::engine::{Budget, Limit};
use petgraph::graph::NodeIndex;
use serde_json::Value;
use std::fmt;

/// A class graph, and whether the start counts as produced.
pub struct Arena {
    n: u32,
    start: Start,
    /// Indices agree with those of `stored`.
    pub graph: Implicit,
    stored: Option<ClassGraph>,
    automorphisms: Vec<Vec<u32>>,
}

/// What a search found out about a limit, and in how many nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Whether the pursuer can force the other to repeat.
    pub forced: bool,
    /// Positions with the pursuer to move.
    pub nodes: u64,
    /// What shows it, if asked for and small enough.
    pub evidence: Option<Value>,
    /// Where positions were told apart by hashes: a power of two above the odds of a mistake, as its exponent.
    pub odds: Option<i32>,
}

impl Arena {
    /// For an `n`×`n` board.
    ///
    /// # Errors
    /// A side that is 0 or over [`super::implicit::MAX_SIDE`].
    pub fn new(n: u32, rules: &Rules) -> Result<Arena, String> {
        let graph = Implicit::new(n, rules.group)?;
        let stored = (n <= classes::MAX_SIDE).then(|| classes::graph(n, rules.group)).transpose()?;
        // A search on more classes than are stored hardly gets to meet a position again.
        let automorphisms = if stored.is_some() { automorphisms(&graph, n, rules.group) } else { Vec::new() };
        Ok(Arena { n, start: rules.start, graph, stored, automorphisms })
    }

    /// Whether a player can force the other to repeat by move `limit`; with evidence if the search took at most
    /// `most_told` nodes.
    /// `progress` gets words on how far a long search is.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn forces(
        &self,
        pursuer: Pursuer,
        limit: usize,
        most_told: u64,
        progress: &mut dyn FnMut(fmt::Arguments<'_>),
        budget: &mut Budget,
    ) -> Result<Found, Limit> {
        match &self.stored {
            Some(graph) => self.forces_on(graph, pursuer, limit, most_told, progress, budget),
            None => self.forces_on(&self.graph, pursuer, limit, 0, progress, budget),
        }
    }

    fn forces_on<G: super::matching::Graph>(
        &self,
        graph: G,
        pursuer: Pursuer,
        limit: usize,
        most_told: u64,
        progress: &mut dyn FnMut(fmt::Arguments<'_>),
        budget: &mut Budget,
    ) -> Result<Found, Limit> {
        let mut stage = Stage::new(graph, |class| self.graph.board(NodeIndex::new(class)).count_ones());
        if self.start == Start::Counted {
            stage.produce(graph, 0);
        }
        let mut pursuit = Pursuit::new(graph, stage, Memory::new(&self.automorphisms, MAX_EXACT), progress);
        let before = budget.work.nodes;
        let forced = pursuit.forces(pursuer, limit, budget)?;
        let nodes = budget.work.nodes - before;
        let odds = pursuit.memory().odds(nodes);
        let scribe = Scribe::new(&self.graph, self.n);
        let evidence = match forced {
            _ if nodes > most_told => None,
            true => Some(scribe.forces(&mut pursuit, pursuer, limit, budget)?),
            false => Some(scribe.holds(&mut pursuit, pursuer, limit, budget)?),
        };
        Ok(Found { forced, nodes, evidence, odds })
    }
}
