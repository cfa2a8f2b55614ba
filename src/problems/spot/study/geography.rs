//! The winner of a game without a limit on moves, by maximum matchings of the class graph.
//!
//! This game is undirected vertex geography: a player who cannot move to a class that was not produced yet must repeat.
//! The player to move at a class v wins if and only if every maximum matching covers v. If every one does, this player
//! wins by always moving along the edges of one maximum matching. If some maximum matching leaves v out, the opponent
//! wins by moving along its edges (A. Fraenkel, E. Scheinerman, D. Ullman, *Undirected Edge Geography*, TCS 112, 1993).

use super::super::Start;
use super::class_graph::ClassGraph;
use fixedbitset::FixedBitSet;
use petgraph::algo::maximum_matching;
use petgraph::graph::NodeIndex;
use petgraph::visit::{IntoNeighbors, NodeIndexable};

/// The player who wins from the `empty` board, 1 or 2. `missed` contains the nodes that some maximum matching leaves
/// out ([`super::matching::missed`]).
pub fn winner_by<G: IntoNeighbors + NodeIndexable>(
    graph: G,
    missed: &FixedBitSet,
    empty: G::NodeId,
    start: Start,
) -> u8 {
    let mover_loses = |class| missed.contains(graph.to_index(class));
    let first_wins = match start {
        Start::Counted => !mover_loses(empty),
        // Player 1 chooses the first class, and the empty board can still be produced.
        Start::Uncounted => graph.neighbors(empty).any(mover_loses),
    };
    if first_wins { 1 } else { 2 }
}

/// The same by definition, with petgraph's matching algorithm: a class is covered by every maximum matching if and only
/// if the rest of the graph has only smaller matchings. O(V³) for each class.
pub fn winner_by_definition(graph: &ClassGraph, start: Start) -> u8 {
    let size = maximum_matching(graph).len();
    let covered_by_all = |class: NodeIndex| {
        let without =
            graph.filter_map(|node, &board| Some(board).filter(|_| node != class), |_, &edge| Some(edge));
        maximum_matching(&without).len() < size
    };
    let Some(empty) = graph.node_indices().find(|&node| graph[node] == 0) else { return 2 };
    let first_wins = match start {
        Start::Counted => covered_by_all(empty),
        // Player 1 chooses the first class, and the empty board can still be produced.
        Start::Uncounted => graph.neighbors(empty).any(|class| !covered_by_all(class)),
    };
    if first_wins { 1 } else { 2 }
}
