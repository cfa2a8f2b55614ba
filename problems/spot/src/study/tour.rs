//! Constructs a Hamiltonian cycle of the class graph by joining the cycles that two perfect matchings form.
//!
//! 1. Two disjoint perfect matchings form a set of cycles that covers all classes.
//! 2. Two cycles are joined by exchanging two edges. If u–v is an edge of one cycle, w–x is an edge of the
//!    other, and u–w and v–x are edges of the graph, then u–w and v–x replace u–v and w–x. For any two
//!    toggles i and j, the graph has these four edges between the classes u, v = u + i, w = u + j and x = u +
//!    i + j. So there are many candidates for each edge u–v.
//! 3. Step 2 may leave several cycles. They are joined by exchanges of two or three edges (`mend`).

use super::implicit::ImplicitGraph;
use super::matching::{Graph, Matching, Side, maximum};
use counterpoint_core::engine::{Budget, Limit};
use petgraph::graph::NodeIndex;
use petgraph::unionfind::UnionFind;
use petgraph::visit::{EdgeFiltered, EdgeRef, NodeCount};
use std::fmt;

/// Stands for no class.
const NONE: u32 = u32::MAX;

/// A set of disjoint cycles that covers all classes.
struct Cycles {
    /// For each class, by its index in the graph, its two neighbours on its cycle, in any order.
    beside: Vec<[u32; 2]>,
}

impl Cycles {
    fn has(&self, a: usize, b: usize) -> bool {
        self.beside[a].contains(&(b as u32))
    }

    /// The partition of the classes into cycles, and the number of cycles.
    fn parts(&self) -> (UnionFind<u32>, usize) {
        let mut joined = UnionFind::new(self.beside.len());
        let joins = self.beside.iter().zip(0..).flat_map(|(beside, class)| beside.map(|near| (class, near)));
        let merged = joins.filter(|&(class, near)| joined.union(class, near)).count();
        (joined, self.beside.len() - merged)
    }

    /// Numbers the cycles from 0 and chooses a direction for each. Returns a list and the number of the longest cycle.
    /// The list has, for each class, the next class on its cycle and the number of this cycle.
    fn around(&self) -> (Vec<[u32; 2]>, u32) {
        let mut next = vec![[NONE; 2]; self.beside.len()];
        let (mut longest, mut number) = ((0, 0), 0);
        for start in 0..self.beside.len() as u32 {
            let (mut last, mut at, mut length) = (self.beside[start as usize][1], start, 0);
            while next[at as usize][0] == NONE {
                let [a, b] = self.beside[at as usize];
                let onward = if a == last { b } else { a };
                next[at as usize] = [onward, number];
                (last, at, length) = (at, onward, length + 1);
            }
            longest = longest.max((length, number));
            number += u32::from(length > 0);
        }
        (next, longest.1)
    }

    fn replace(&mut self, at: usize, old: usize, new: usize) {
        let slot = usize::from(self.beside[at][0] != old as u32);
        self.beside[at][slot] = new as u32;
    }
}

/// The classes along a Hamiltonian cycle from class 0; `None` if none was found. `squares` is the number of squares of
/// the board. `progress` is called with progress output. Takes O(edges × √classes) for the matchings, O(classes ×
/// squares²) to join cycles as in step 2, and O(classes × squares²) for each call of `mend`.
///
/// # Errors
/// Returns the limit that was reached.
pub fn tour(
    graph: &ImplicitGraph,
    squares: u32,
    progress: &mut dyn FnMut(fmt::Arguments<'_>),
    budget: &mut Budget,
) -> Result<Option<Vec<u32>>, Limit> {
    let classes = graph.node_count();
    let side = |class| if graph.is_even(NodeIndex::new(class)) { Side::Left } else { Side::Right };
    progress(format_args!("computing a perfect matching of {classes} classes"));
    let first = maximum(graph, side, budget)?;
    progress(format_args!("computing a second perfect matching of {classes} classes"));
    let others =
        EdgeFiltered::from_fn(graph, |edge| first.mate(edge.source().index()) != Some(edge.target().index()));
    let second = maximum(&others, side, budget)?;
    if first.len() * 2 < classes || second.len() * 2 < classes {
        return Ok(None);
    }
    let beside = (0..classes).map(|class| [&first, &second].map(|matching| mate(matching, class))).collect();
    let mut cycles = Cycles { beside };
    let (mut joined, mut parts) = cycles.parts();
    for class in 0..classes {
        budget.node()?;
        parts -= join(graph, squares, class, &mut cycles, &mut joined);
        if class % (1 << 16) == 0 {
            progress(format_args!("joining {parts} cycles"));
        }
    }
    while parts > 1 {
        progress(format_args!("joining {parts} cycles"));
        if !mend(graph, squares, &mut cycles, budget)? {
            return Ok(None);
        }
        (_, parts) = cycles.parts();
    }
    let (next, _) = cycles.around();
    let along = std::iter::successors(Some(0), |&at| Some(next[at as usize][0]).filter(|&next| next != 0));
    Ok(Some(along.collect()))
}

fn mate(matching: &Matching, class: usize) -> u32 {
    // Both matchings are perfect, so every class has a partner.
    matching.mate(class).unwrap_or(class) as u32
}

/// Joins the cycle of the class `u` with other cycles by exchanging edges at `u`. Returns the number of these other
/// cycles.
fn join(
    graph: &ImplicitGraph,
    squares: u32,
    u: usize,
    cycles: &mut Cycles,
    joined: &mut UnionFind<u32>,
) -> usize {
    let board = graph.board(NodeIndex::new(u));
    let toggled = |square: u32| graph.class(board ^ 1 << square).index();
    let mut removed = 0;
    for i in 0..squares {
        let v = toggled(i);
        for j in (0..squares).filter(|&j| j != i) {
            if !cycles.has(u, v) {
                break;
            }
            let w = toggled(j);
            if joined.equiv(u as u32, w as u32) {
                continue;
            }
            let x = graph.class(board ^ 1 << i ^ 1 << j).index();
            // w–x is an edge of another cycle, so u, v, w and x are four different classes.
            if cycles.has(w, x) {
                [(u, v, w), (v, u, x), (w, x, u), (x, w, v)]
                    .into_iter()
                    .for_each(|(at, old, new)| cycles.replace(at, old, new));
                joined.union(u as u32, w as u32);
                removed += 1;
            }
        }
    }
    removed
}

/// Joins a cycle that is not the longest with another one, by exchanging two edges as in `join`, or three edges: u–w,
/// v–x and p–r replace u–v of one cycle and w–p and x–r of the other. On the other cycle, either p follows w and r
/// follows x, or p precedes w and r precedes x. Returns false if no such exchange is possible.
fn mend(
    graph: &ImplicitGraph,
    squares: u32,
    cycles: &mut Cycles,
    budget: &mut Budget,
) -> Result<bool, Limit> {
    let (next, longest) = cycles.around();
    for u in (0..next.len()).filter(|&u| next[u][1] != longest) {
        let board = graph.board(NodeIndex::new(u));
        for (i, j) in (0..squares).flat_map(|i| (0..squares).map(move |j| (i, j))).filter(|(i, j)| i != j) {
            budget.node()?;
            let [v, w, x] =
                [1 << i, 1 << j, 1 << i | 1 << j].map(|toggles| graph.class(board ^ toggles).index());
            if !cycles.has(u, v) || next[w][1] == next[u][1] || next[x][1] != next[w][1] {
                continue;
            }
            if cycles.has(w, x) {
                [(u, v, w), (v, u, x), (w, x, u), (x, w, v)]
                    .into_iter()
                    .for_each(|(at, old, new)| cycles.replace(at, old, new));
                return Ok(true);
            }
            let before = |class: usize| {
                let [a, b] = cycles.beside[class];
                if a == next[class][0] { b } else { a }
            };
            for (p, r) in [(next[w][0], next[x][0]), (before(w), before(x))] {
                let (p, r) = (p as usize, r as usize);
                if graph.around(p).any(|near| near == r) {
                    let edges = [(u, v, w), (v, u, x), (w, p, u), (x, r, v), (p, w, r), (r, x, p)];
                    edges.into_iter().for_each(|(at, old, new)| cycles.replace(at, old, new));
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}
