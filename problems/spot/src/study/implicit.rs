//! The class graph without stored edges: neighbours are computed on demand.
//!
//! Classes have consecutive indices from 0, and the graph implements petgraph's traits for visitors, so petgraph's
//! algorithms run on it as on a stored graph. The 5×5 board up to rotation has 8,390,720 classes and 104,857,888 edges.
//! The index takes 42 MB; stored edges would take some gigabytes.

use super::index::Index;
use super::words::{self, Words};
use counterpoint_core::board::Group;
use counterpoint_core::errors::Unsupported;
use fixedbitset::FixedBitSet;
use petgraph::Undirected;
use petgraph::graph::NodeIndex;
use petgraph::visit::{
    Data, EdgeCount, GraphBase, GraphProp, IntoEdgeReferences, IntoEdges, IntoNeighbors, IntoNodeIdentifiers,
    NodeCompactIndexable, NodeCount, NodeIndexable, Visitable,
};
use std::iter::Map;
use std::ops::Range;

/// The greatest supported side. There are 33,554,432 boards of this side.
pub const MAX_SIDE: u32 = 5;

/// The class graph: an edge joins two classes if one toggle leads from one to the other. Nodes are numbered from 0 in
/// the order of their canonical boards, so node 0 is the empty board.
#[derive(Clone, Debug)]
pub struct ImplicitGraph {
    words: Words,
    index: Index,
}

impl ImplicitGraph {
    /// The class graph of the `n`×`n` board; O(2^(n²) |G|).
    ///
    /// # Errors
    /// Returns an error if the side is 0 or greater than [`MAX_SIDE`].
    pub fn new(n: u32, group: Group) -> Result<ImplicitGraph, Unsupported> {
        if !(1..=MAX_SIDE).contains(&n) {
            return Err(format!(
                "the class graph supports boards of 1 to {MAX_SIDE} squares a side, not {n}"
            )
            .into());
        }
        let words = Words::new(n, group)?;
        let least = |board: u32| words.images(board.into()).least() == u64::from(board);
        let index = Index::new(1 << words.squares(), least);
        Ok(ImplicitGraph { words, index })
    }

    /// The number of squares, n².
    pub fn squares(&self) -> u32 {
        self.words.squares()
    }

    /// The canonical board of a class: the smallest of its boards. A board is a number, in which bit i is set if the
    /// square with row-major index i has a spot.
    pub fn board(&self, class: NodeIndex) -> u32 {
        self.index.member(class.index() as u32)
    }

    /// The class of a board.
    pub fn class(&self, board: u32) -> NodeIndex {
        NodeIndex::new(self.index.rank(self.words.images(board.into()).least() as u32) as usize)
    }

    /// Whether the boards of a class have an even number of spots.
    pub fn is_even(&self, class: NodeIndex) -> bool {
        self.board(class).count_ones().is_multiple_of(2)
    }

    /// The number of neighbours of a class.
    pub fn degree(&self, class: NodeIndex) -> usize {
        self.words.neighbours(self.board(class).into()).count()
    }
}

/// The neighbours of a class, each once.
#[derive(Clone, Debug)]
pub struct Neighbors<'a> {
    boards: words::Neighbours<'a>,
    index: &'a Index,
}

impl Iterator for Neighbors<'_> {
    type Item = NodeIndex;

    fn next(&mut self) -> Option<NodeIndex> {
        self.boards.next().map(|board| NodeIndex::new(self.index.rank(board as u32) as usize))
    }
}

impl GraphBase for ImplicitGraph {
    type NodeId = NodeIndex;
    type EdgeId = (NodeIndex, NodeIndex);
}

impl GraphProp for ImplicitGraph {
    type EdgeType = Undirected;
}

impl Data for ImplicitGraph {
    type NodeWeight = u32;
    type EdgeWeight = ();
}

impl NodeCount for ImplicitGraph {
    fn node_count(&self) -> usize {
        self.index.len()
    }
}

impl EdgeCount for ImplicitGraph {
    /// Counts the edges in O(nodes × squares).
    fn edge_count(&self) -> usize {
        self.node_identifiers().filter(|&class| self.is_even(class)).map(|class| self.degree(class)).sum()
    }
}

impl NodeIndexable for ImplicitGraph {
    fn node_bound(&self) -> usize {
        self.index.len()
    }

    fn to_index(&self, class: NodeIndex) -> usize {
        class.index()
    }

    fn from_index(&self, index: usize) -> NodeIndex {
        NodeIndex::new(index)
    }
}

impl NodeCompactIndexable for ImplicitGraph {}

impl Visitable for ImplicitGraph {
    type Map = FixedBitSet;

    fn visit_map(&self) -> Self::Map {
        FixedBitSet::with_capacity(self.index.len())
    }

    fn reset_map(&self, map: &mut Self::Map) {
        map.clear();
        map.grow(self.index.len());
    }
}

impl IntoNodeIdentifiers for &ImplicitGraph {
    type NodeIdentifiers = Map<Range<usize>, fn(usize) -> NodeIndex>;

    fn node_identifiers(self) -> Self::NodeIdentifiers {
        (0..self.index.len()).map(NodeIndex::new)
    }
}

impl<'a> IntoNeighbors for &'a ImplicitGraph {
    type Neighbors = Neighbors<'a>;

    fn neighbors(self, class: NodeIndex) -> Neighbors<'a> {
        Neighbors { boards: self.words.neighbours(self.board(class).into()), index: &self.index }
    }
}

/// The two classes of an edge, and a weight. (petgraph requires weights.)
type Edge = (NodeIndex, NodeIndex, &'static ());

impl<'a> IntoEdgeReferences for &'a ImplicitGraph {
    type EdgeRef = Edge;
    type EdgeReferences = Box<dyn Iterator<Item = Edge> + 'a>;

    /// Each edge once, from its end with an even number of spots.
    fn edge_references(self) -> Self::EdgeReferences {
        let even = self.node_identifiers().filter(|&class| self.is_even(class));
        Box::new(even.flat_map(|class| self.edges(class)))
    }
}

impl<'a> IntoEdges for &'a ImplicitGraph {
    type Edges = Edges<'a>;

    fn edges(self, class: NodeIndex) -> Edges<'a> {
        Edges { from: class, to: self.neighbors(class) }
    }
}

/// The edges of a class.
#[derive(Clone, Debug)]
pub struct Edges<'a> {
    from: NodeIndex,
    to: Neighbors<'a>,
}

impl Iterator for Edges<'_> {
    type Item = Edge;

    fn next(&mut self) -> Option<Edge> {
        self.to.next().map(|to| (self.from, to, &()))
    }
}
