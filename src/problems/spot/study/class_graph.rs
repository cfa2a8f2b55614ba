//! The class graph, stored: boards up to symmetry, joined where one toggle leads from one to the other.
//!
//! A game without repeats is a path in it. A toggle changes the parity of the number of spots and a
//! symmetry does not, so the graph is bipartite. Without a move limit the game is undirected vertex
//! geography on it (A. Fraenkel, E. Scheinerman, D. Ullman, *Undirected Edge Geography*, TCS 1993).

use crate::board::{Group, Size};
use petgraph::graph::{NodeIndex, UnGraph};
use rustc_hash::FxHashMap;

/// The greatest side that is served: 65,536 boards.
pub const MAX_SIDE: u32 = 4;

/// Node weight: the least board of the class, bit i for the square of row-major index i.
pub type ClassGraph = UnGraph<u32, ()>;

/// Sizes of a class graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Classes with an even number of spots.
    pub even: usize,
    /// Classes with an odd number of spots.
    pub odd: usize,
    /// Pairs of classes that a toggle joins.
    pub edges: usize,
    /// The least number of neighbours of a class.
    pub least_degree: usize,
    /// The same among classes with an odd number of spots.
    pub least_odd_degree: usize,
}

/// The class graph of the `n`×`n` board; O(2^(N²) N² |G|).
///
/// # Errors
/// That the board is larger than [`MAX_SIDE`].
pub fn graph(n: u32, group: Group) -> Result<ClassGraph, String> {
    if !(1..=MAX_SIDE).contains(&n) {
        return Err(format!("the class graph is made for boards of 1 to {MAX_SIDE} squares a side"));
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
            // Each edge once: it joins an even class to an odd one.
            if graph[node].count_ones().is_multiple_of(2) {
                graph.update_edge(node, neighbour, ());
            }
        }
    }
    Ok(graph)
}

/// Counts what theorems speak of.
pub fn summary(graph: &ClassGraph) -> Summary {
    let is_odd = |node: &NodeIndex| !graph[*node].count_ones().is_multiple_of(2);
    let odd = graph.node_indices().filter(is_odd).count();
    let degree = |node| graph.neighbors(node).count();
    Summary {
        even: graph.node_count() - odd,
        odd,
        edges: graph.edge_count(),
        least_degree: graph.node_indices().map(degree).min().unwrap_or(0),
        least_odd_degree: graph.node_indices().filter(is_odd).map(degree).min().unwrap_or(0),
    }
}

/// The number of classes by Burnside's lemma: the mean over the group of the boards that an element
/// leaves as they are, 2 to the number of its cycles.
pub fn burnside(n: u32, group: Group) -> u128 {
    let size = Size::new(n, n);
    let elements = group.elements();
    let fixed = elements.iter().map(|symmetry| {
        // Each cycle is counted at its least square.
        let starts = size.iter().filter(|&cell| {
            let orbit =
                std::iter::successors(Some(symmetry.apply(n, cell)), |&at| Some(symmetry.apply(n, at)));
            orbit.take_while(|&at| at != cell).all(|at| size.index(at) > size.index(cell))
        });
        1u128 << starts.count()
    });
    fixed.sum::<u128>() / elements.len() as u128
}
