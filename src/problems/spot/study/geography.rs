//! Who wins without a move limit, by matchings of the class graph.
//!
//! The game is undirected vertex geography: whoever cannot move to a class not produced yet must
//! repeat. The player to move at v wins iff every maximum matching covers v: she follows the matching,
//! and were v left out by another one, the opponent could follow that. A. Fraenkel, E. Scheinerman,
//! D. Ullman, *Undirected Edge Geography*, TCS 112 (1993).

use super::super::Start;
use super::class_graph::ClassGraph;
use fixedbitset::FixedBitSet;
use petgraph::algo::maximum_matching;
use petgraph::graph::NodeIndex;
use petgraph::visit::{IntoNeighbors, NodeIndexable};

/// The player who wins from the `empty` board, 1 or 2, by the nodes that some maximum matching leaves
/// out (`matching.rs`).
pub fn winner_by<G: IntoNeighbors + NodeIndexable>(
    graph: G,
    missed: &FixedBitSet,
    empty: G::NodeId,
    start: Start,
) -> u8 {
    let mover_loses = |class| missed.contains(graph.to_index(class));
    let first_wins = match start {
        Start::Counted => !mover_loses(empty),
        // Player 1 picks a first class; the empty board can still be produced.
        Start::Uncounted => graph.neighbors(empty).any(mover_loses),
    };
    if first_wins { 1 } else { 2 }
}

/// The same by definition: one class after another is taken away, and petgraph's own matching of the
/// rest measured; O(V³) each.
pub fn winner(graph: &ClassGraph, start: Start) -> u8 {
    let size = maximum_matching(graph).len();
    // A class that some maximum matching leaves out can be taken away without loss.
    let covered_by_all = |class: NodeIndex| {
        let without =
            graph.filter_map(|node, &board| Some(board).filter(|_| node != class), |_, &edge| Some(edge));
        maximum_matching(&without).len() < size
    };
    let Some(empty) = graph.node_indices().find(|&node| graph[node] == 0) else { return 2 };
    let first_wins = match start {
        Start::Counted => covered_by_all(empty),
        // Player 1 picks a first class; the empty board can still be produced.
        Start::Uncounted => graph.neighbors(empty).any(|class| !covered_by_all(class)),
    };
    if first_wins { 1 } else { 2 }
}
