//! Maximum matchings of bipartite graphs, through petgraph's traits.
//!
//! The start is R. Karp and M. Sipser's (*Maximum matchings in sparse random graphs*, FOCS 1981): a
//! node with one free neighbour is matched to it, which never hurts; where there is none, the next
//! node takes its first free neighbour. Then shortest augmenting paths, all of one length at a time
//! (J. Hopcroft, R. Karp, *An n^(5/2) algorithm for maximum matchings in bipartite graphs*, SIAM
//! J. Comput. 2, 1973).

use crate::engine::{Budget, Limit};
use fixedbitset::FixedBitSet;
use petgraph::visit::{IntoNeighbors, NodeCompactIndexable};

/// No node.
const NONE: u32 = u32::MAX;

/// A matching of a graph with fewer than 2^32 − 1 nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matching {
    /// For each node its partner, or `NONE`.
    mates: Vec<u32>,
}

/// The two sides of a bipartite graph; every edge joins them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Augmenting paths start here.
    Left,
    /// And end here.
    Right,
}

impl Matching {
    /// The index of a node's partner.
    pub fn mate(&self, node: usize) -> Option<usize> {
        Some(self.mates[node]).filter(|&mate| mate != NONE).map(|mate| mate as usize)
    }

    /// Number of edges.
    pub fn len(&self) -> usize {
        self.mates.iter().filter(|&&mate| mate != NONE).count() / 2
    }

    /// True if nothing is matched.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn is_free(&self, node: usize) -> bool {
        self.mates[node] == NONE
    }

    fn join(&mut self, a: usize, b: usize) {
        self.mates[a] = b as u32;
        self.mates[b] = a as u32;
    }
}

/// A graph whose nodes are the numbers below their count.
pub trait Graph: IntoNeighbors + NodeCompactIndexable {
    /// The indices of a node's neighbours.
    fn around(self, node: usize) -> impl Iterator<Item = usize> {
        self.neighbors(self.from_index(node)).map(move |next| self.to_index(next))
    }
}
impl<G: IntoNeighbors + NodeCompactIndexable> Graph for G {}

/// A maximum matching; `side` is told of each index once a node is looked at. A node of the budget for
/// each node whose neighbours are looked at; O(edges × √nodes).
///
/// # Errors
/// The limit that was met.
pub fn maximum<G: Graph>(
    graph: G,
    side: impl Fn(usize) -> Side + Copy,
    budget: &mut Budget,
) -> Result<Matching, Limit> {
    let mut matching = karp_sipser(graph, budget)?;
    let left: Vec<u32> =
        (0..graph.node_count()).filter(|&node| side(node) == Side::Left).map(|node| node as u32).collect();
    while augment(graph, &left, &mut matching, budget)? {}
    Ok(matching)
}

/// A matching to which no edge can be added.
pub fn karp_sipser<G: Graph>(graph: G, budget: &mut Budget) -> Result<Matching, Limit> {
    let nodes = graph.node_count();
    let mut matching = Matching { mates: vec![NONE; nodes] };
    let mut free_neighbours: Vec<u32> = Vec::with_capacity(nodes);
    let mut single: Vec<u32> = Vec::new();
    for node in 0..nodes {
        budget.node()?;
        let degree = graph.around(node).count() as u32;
        free_neighbours.push(degree);
        if degree == 1 {
            single.push(node as u32);
        }
    }
    for node in 0..nodes {
        let mut next = Some(node);
        while let Some(from) = next {
            if matching.is_free(from) {
                budget.node()?;
                let to = graph.around(from).find(|&to| matching.is_free(to));
                if let Some(to) = to {
                    matching.join(from, to);
                    for gone in [from, to] {
                        budget.node()?;
                        for around in graph.around(gone) {
                            free_neighbours[around] -= 1;
                            if free_neighbours[around] == 1 && matching.is_free(around) {
                                single.push(around as u32);
                            }
                        }
                    }
                }
            }
            next = single.pop().map(|node| node as usize);
        }
    }
    Ok(matching)
}

/// One phase of Hopcroft and Karp: a maximal set of disjoint augmenting paths of the least length is
/// turned over. False if there is none.
fn augment<G: Graph>(
    graph: G,
    left: &[u32],
    matching: &mut Matching,
    budget: &mut Budget,
) -> Result<bool, Limit> {
    // For left nodes the number of matched edges on the shortest alternating path to them.
    let mut layer = vec![NONE; graph.node_count()];
    let mut queue: Vec<u32> = left.iter().copied().filter(|&node| matching.is_free(node as usize)).collect();
    queue.iter().for_each(|&node| layer[node as usize] = 0);
    let roots = queue.len();
    let mut last = NONE;
    let mut at = 0;
    while at < queue.len() && layer[queue[at] as usize] < last {
        let node = queue[at] as usize;
        at += 1;
        budget.node()?;
        for to in graph.around(node) {
            match matching.mate(to) {
                None => last = layer[node],
                Some(mate) if layer[mate] == NONE => {
                    layer[mate] = layer[node] + 1;
                    queue.push(mate as u32);
                }
                Some(_) => {}
            }
        }
    }
    if last == NONE {
        return Ok(false);
    }
    for &root in &queue[..roots] {
        path(graph, root as usize, last, &mut layer, matching, budget)?;
    }
    Ok(true)
}

/// Turns over an augmenting path from a free left node along the layers, if one is left. Nodes that
/// were tried leave their layer.
fn path<G: Graph>(
    graph: G,
    root: usize,
    last: u32,
    layer: &mut [u32],
    matching: &mut Matching,
    budget: &mut Budget,
) -> Result<(), Limit> {
    // Left nodes with the right nodes that they are to take and the neighbours still to be tried.
    let mut stack = vec![(root, root, graph.around(root))];
    while let Some(depth) = stack.len().checked_sub(1) {
        let (_, taken, neighbours) = &mut stack[depth];
        let depth = depth as u32;
        let step = neighbours.find_map(|to| match matching.mate(to) {
            None if depth == last => Some((to, None)),
            Some(mate) if depth < last && layer[mate] == depth + 1 => Some((to, Some(mate))),
            _ => None,
        });
        let Some((to, mate)) = step else {
            stack.pop();
            continue;
        };
        *taken = to;
        let Some(mate) = mate else {
            stack.iter().for_each(|(node, taken, _)| matching.join(*node, *taken));
            break;
        };
        layer[mate] = NONE;
        budget.node()?;
        stack.push((mate, mate, graph.around(mate)));
    }
    Ok(())
}

/// The nodes that some maximum matching leaves out: those at the end of an alternating path of even
/// length from a free node (the part D of T. Gallai and J. Edmonds). `matching` is maximum.
///
/// # Errors
/// The limit that was met.
pub fn missed<G: Graph>(graph: G, matching: &Matching, budget: &mut Budget) -> Result<FixedBitSet, Limit> {
    let mut missed = FixedBitSet::with_capacity(graph.node_count());
    let mut queue: Vec<usize> = (0..graph.node_count()).filter(|&node| matching.is_free(node)).collect();
    queue.iter().for_each(|&node| missed.insert(node));
    while let Some(node) = queue.pop() {
        budget.node()?;
        // A neighbour is matched, or the matching were not maximum; with its partner left out in
        // place of `node` it is so still.
        for mate in graph.around(node).filter_map(|to| matching.mate(to)) {
            if !missed.put(mate) {
                queue.push(mate);
            }
        }
    }
    Ok(missed)
}
