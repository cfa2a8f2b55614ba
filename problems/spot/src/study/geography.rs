//! The winner of a game without a limit on moves, by maximum matchings of the class graph.
//!
//! This game is undirected vertex geography: a player who can move only to produced classes must repeat and loses. The
//! player to move at a class v wins if and only if every maximum matching covers v. If so, this player wins by choosing
//! any maximum matching and always moving along its edges. If some maximum matching leaves v out, the opponent wins by
//! moving along the edges of this matching (A. Fraenkel, E. Scheinerman, D. Ullman, *Undirected Edge Geography*, TCS
//! 112, 1993).

use super::super::Start;
use super::class_graph::ClassGraph;
use fixedbitset::FixedBitSet;
use petgraph::algo::maximum_matching;
use petgraph::graph::NodeIndex;
use petgraph::visit::{IntoNeighbors, NodeIndexable};

/// The player who wins with best play, 1 or 2. `empty` is the class of the empty board. `missed` contains the indices
/// of the classes that some maximum matching leaves out ([`super::matching::missed`]).
pub fn winner_by<G: IntoNeighbors + NodeIndexable>(
    graph: G,
    missed: &FixedBitSet,
    empty: G::NodeId,
    start: Start,
) -> u8 {
    let mover_loses = |class| missed.contains(graph.to_index(class));
    let first_wins = match start {
        Start::Counted => !mover_loses(empty),
        // Player 1 chooses the class at which player 2 is to move. The empty board can still be produced.
        Start::Uncounted => graph.neighbors(empty).any(mover_loses),
    };
    if first_wins { 1 } else { 2 }
}

/// Finds the winner as [`winner_by`] does, but tests directly whether every maximum matching covers a class. Every
/// maximum matching covers a class if and only if the graph without this class has only smaller matchings. These are
/// computed by petgraph's algorithm, in O(V³) for each class tested.
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
        // Player 1 chooses the class at which player 2 is to move. The empty board can still be produced.
        Start::Uncounted => graph.neighbors(empty).any(|class| !covered_by_all(class)),
    };
    if first_wins { 1 } else { 2 }
}
