//! The class graph with stored edges (`implicit.rs` computes edges on demand). Its nodes are classes of boards; an edge
//! joins two classes if one toggle leads from one to the other.
//!
//! The classes that a game without a repeat produces form a path in this graph. A toggle changes the parity of the
//! number of spots and a symmetry does not, so the graph is bipartite. Without a limit on moves, the game is undirected
//! vertex geography on this graph (`geography.rs`).

use counterpoint_core::board::{Group, Size};
use counterpoint_core::errors::Unsupported;
use petgraph::graph::{NodeIndex, UnGraph};
use rustc_hash::FxHashMap;

/// The greatest supported side. There are 65,536 boards of this side.
pub const MAX_SIDE: u32 = 4;

/// The weight of a node is the canonical board of its class: the smallest of its boards. A board is a number, in which
/// bit i is set if the square with row-major index i has a spot. Nodes are in ascending order of their weights.
pub type ClassGraph = UnGraph<u32, ()>;

/// Numbers of nodes and edges of a class graph, and its minimum degrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The number of classes whose boards have an even number of spots.
    pub even: usize,
    /// The number of classes whose boards have an odd number of spots.
    pub odd: usize,
    /// The number of edges.
    pub edges: usize,
    /// The minimum degree.
    pub min_degree: usize,
    /// The minimum degree of classes with an odd number of spots.
    pub min_odd_degree: usize,
}

/// The class graph of the `n`×`n` board; O(2^(n²) n² (n² + |G|)).
///
/// # Errors
/// Returns an error if the side is 0 or greater than [`MAX_SIDE`].
pub fn graph(n: u32, group: Group) -> Result<ClassGraph, Unsupported> {
    if !(1..=MAX_SIDE).contains(&n) {
        return Err(
            format!("the class graph supports boards of 1 to {MAX_SIDE} squares a side, not {n}").into()
        );
    }
    let size = Size::new(n, n);
    let maps: Vec<Vec<usize>> = (group.elements().iter())
        .map(|symmetry| size.iter().map(|cell| size.index(symmetry.apply(n, cell))).collect())
        .collect();
    let image = |board: u32, map: &Vec<usize>| {
        map.iter().enumerate().filter(|(i, _)| board >> i & 1 == 1).map(|(_, to)| 1 << to).sum::<u32>()
    };
    let least = |board: u32| maps.iter().map(|map| image(board, map)).min().unwrap_or(board);
    let mut graph = ClassGraph::default();
    let mut nodes: FxHashMap<u32, NodeIndex> = FxHashMap::default();
    for board in (0..1u32 << size.cells()).filter(|&board| least(board) == board) {
        nodes.insert(board, graph.add_node(board));
    }
    for node in graph.node_indices() {
        for square in 0..size.cells() {
            let neighbour = nodes[&least(graph[node] ^ 1 << square)];
            // Each edge joins an even class and an odd one, so the toggles of even classes suffice. If several toggles
            // lead to the same class, `update_edge` adds only one edge.
            if graph[node].count_ones().is_multiple_of(2) {
                graph.update_edge(node, neighbour, ());
            }
        }
    }
    Ok(graph)
}

/// Counts the nodes of each parity and the edges, and computes the minimum degrees.
pub fn summary(graph: &ClassGraph) -> Summary {
    let is_odd = |node: &NodeIndex| !graph[*node].count_ones().is_multiple_of(2);
    let odd = graph.node_indices().filter(is_odd).count();
    let degree = |node| graph.neighbors(node).count();
    Summary {
        even: graph.node_count() - odd,
        odd,
        edges: graph.edge_count(),
        min_degree: graph.node_indices().map(degree).min().unwrap_or(0),
        min_odd_degree: graph.node_indices().filter(is_odd).map(degree).min().unwrap_or(0),
    }
}

/// The number of classes by Burnside's lemma: the mean, over the elements of the group, of the number of boards that
/// the element fixes. An element with k cycles of squares fixes 2^k boards.
pub fn burnside(n: u32, group: Group) -> u128 {
    let size = Size::new(n, n);
    let elements = group.elements();
    let fixed = elements.iter().map(|symmetry| {
        // Each cycle of squares is counted at its square with the lowest index.
        let starts = size.iter().filter(|&cell| {
            let orbit =
                std::iter::successors(Some(symmetry.apply(n, cell)), |&at| Some(symmetry.apply(n, at)));
            orbit.take_while(|&at| at != cell).all(|at| size.index(at) > size.index(cell))
        });
        1u128 << starts.count()
    });
    fixed.sum::<u128>() / elements.len() as u128
}
