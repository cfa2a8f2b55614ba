//! Maximum matchings of bipartite graphs that implement petgraph's traits.
//!
//! A node is *free* while it is not matched.
//! 1. The heuristic of R. Karp and M. Sipser (*Maximum matchings in sparse random graphs*, FOCS 1981) finds a maximal
//!    matching. It takes the free nodes in the order of their indices and matches each with its first free neighbour.
//!    After each of these steps, as long as some free node has exactly one free neighbour, it matches these two nodes;
//!    some maximum matching of the remaining graph contains this edge. (Node 0 is taken first, even if another node has
//!    only one neighbour from the start.)
//! 2. The algorithm of J. Hopcroft and R. Karp (*An n^(5/2) algorithm for maximum matchings in bipartite graphs*, SIAM
//!    J. Comput. 2, 1973) then augments the matching in phases. The augmenting paths of a phase all have the same
//!    length, which is the shortest possible.

use counterpoint_core::engine::{Budget, Limit};
use fixedbitset::FixedBitSet;
use petgraph::visit::{IntoNeighbors, NodeCompactIndexable};

/// Stands for no node.
const NONE: u32 = u32::MAX;

/// A matching of a graph with fewer than 2^32 − 1 nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matching {
    /// For each node, the index of its partner, or `NONE` if the node is free.
    mates: Vec<u32>,
}

/// The sides of a bipartite graph. Every edge joins a left node and a right node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Augmenting paths start here.
    Left,
    /// Augmenting paths end here.
    Right,
}

impl Matching {
    /// The index of a node's partner; `None` if the node is free.
    pub fn mate(&self, node: usize) -> Option<usize> {
        Some(self.mates[node]).filter(|&mate| mate != NONE).map(|mate| mate as usize)
    }

    /// The number of edges of the matching.
    pub fn len(&self) -> usize {
        self.mates.iter().filter(|&&mate| mate != NONE).count() / 2
    }

    /// Whether no nodes are matched.
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

/// A graph whose nodes have consecutive indices from 0.
pub trait Graph: IntoNeighbors + NodeCompactIndexable {
    /// The indices of a node's neighbours.
    fn around(self, node: usize) -> impl Iterator<Item = usize> {
        self.neighbors(self.from_index(node)).map(move |next| self.to_index(next))
    }
}
impl<G: IntoNeighbors + NodeCompactIndexable> Graph for G {}

/// A maximum matching. `side` maps the index of a node to its side. Each pass over the neighbours of a vertex counts as
/// one node of work ([`Budget::node`]). O(edges × √nodes).
///
/// # Errors
/// Returns the limit that was reached.
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

/// A maximal matching, that is, one to which no edge can be added.
///
/// # Errors
/// Returns the limit that was reached.
pub fn karp_sipser<G: Graph>(graph: G, budget: &mut Budget) -> Result<Matching, Limit> {
    let nodes = graph.node_count();
    let mut matching = Matching { mates: vec![NONE; nodes] };
    let mut free_neighbours: Vec<u32> = Vec::with_capacity(nodes);
    // Nodes that had exactly one free neighbour when they were added to this list.
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
                    for matched in [from, to] {
                        budget.node()?;
                        for around in graph.around(matched) {
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

/// One phase of the algorithm of Hopcroft and Karp: augments the matching by a maximal set of disjoint augmenting paths
/// of minimum length. Returns false if there is no augmenting path.
fn augment<G: Graph>(
    graph: G,
    left: &[u32],
    matching: &mut Matching,
    budget: &mut Budget,
) -> Result<bool, Limit> {
    // The layer of each left node: the number of matched edges on a shortest alternating path from a free left node to
    // it, or `NONE` if no such path was found. Right nodes have `NONE`.
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

/// Looks for an augmenting path that starts at the free left node `root` and has one left node in each layer up to and
/// including `last`. If there is one, augments the matching by it. Left nodes that the search enters are removed from
/// their layers, so that no later path uses them.
fn path<G: Graph>(
    graph: G,
    root: usize,
    last: u32,
    layer: &mut [u32],
    matching: &mut Matching,
    budget: &mut Budget,
) -> Result<(), Limit> {
    // The left nodes of the path, each with its new partner and its untried neighbours. Until a partner is chosen, the
    // second entry is the node itself.
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

/// The indices of the nodes that at least one maximum matching does not cover (the set D of the Gallai-Edmonds
/// decomposition). They are the ends of alternating paths of even length, including 0, from free nodes. `matching` must
/// be maximum.
///
/// # Errors
/// Returns the limit that was reached.
pub fn missed<G: Graph>(graph: G, matching: &Matching, budget: &mut Budget) -> Result<FixedBitSet, Limit> {
    let mut missed = FixedBitSet::with_capacity(graph.node_count());
    let mut queue: Vec<usize> = (0..graph.node_count()).filter(|&node| matching.is_free(node)).collect();
    queue.iter().for_each(|&node| missed.insert(node));
    while let Some(node) = queue.pop() {
        budget.node()?;
        // Take a maximum matching that leaves `node` out. It must match every neighbour `to` of `node`. Matching `to`
        // with `node` instead gives another maximum matching, which leaves the old partner of `to` out.
        for mate in graph.around(node).filter_map(|to| matching.mate(to)) {
            if !missed.put(mate) {
                queue.push(mate);
            }
        }
    }
    Ok(missed)
}
