//! The question `classes`: the size of the class graph, its maximum matchings, and the winner without a limit on moves.

use super::super::{Instance, Rules, Start};
use super::geography::winner_by;
use super::implicit::{ImplicitGraph, MAX_SIDE};
use super::matching::{Side, maximum, missed};
use counterpoint_core::engine::{Budget, Limit};
use counterpoint_core::problem::{Param, StudyRequest};
use counterpoint_core::study::{StudyError, StudyOutput, row};
use petgraph::visit::{IntoNeighbors, IntoNodeIdentifiers, NodeCount, NodeIndexable, VisitMap, Visitable};
use serde_json::Value;

/// Parameters of [`run`].
pub const PARAMS: &[Param] = &[Param::number("n", 3.0, 1.0, MAX_SIDE as f64)];

/// Numbers of nodes and edges of a class graph, and its degrees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Census {
    /// The number of classes whose boards have an even number of spots.
    pub even: usize,
    /// The number of classes whose boards have an odd number of spots.
    pub odd: usize,
    /// The number of edges.
    pub edges: usize,
    /// Element d is the number of classes of degree d.
    pub degrees: Vec<usize>,
    /// The minimum degree of classes with an odd number of spots.
    pub min_odd_degree: usize,
}

impl Census {
    /// The minimum degree.
    pub fn min_degree(&self) -> usize {
        self.degrees.iter().position(|&classes| classes > 0).unwrap_or(0)
    }

    /// The maximum degree.
    pub fn max_degree(&self) -> usize {
        self.degrees.iter().rposition(|&classes| classes > 0).unwrap_or(0)
    }
}

/// Counts classes, edges and degrees; O(classes × squares).
///
/// # Errors
/// Returns the limit that was reached.
pub fn census(graph: &ImplicitGraph, budget: &mut Budget) -> Result<Census, Limit> {
    let mut census = Census { even: 0, odd: 0, edges: 0, degrees: Vec::new(), min_odd_degree: usize::MAX };
    for class in graph.node_identifiers() {
        budget.node()?;
        let degree = graph.degree(class);
        census.degrees.resize(census.degrees.len().max(degree + 1), 0);
        census.degrees[degree] += 1;
        if graph.is_even(class) {
            census.even += 1;
            census.edges += degree;
        } else {
            census.odd += 1;
            census.min_odd_degree = census.min_odd_degree.min(degree);
        }
    }
    Ok(census)
}

/// Breadth-first search from the empty board: element d is the number of classes at distance d. O(classes × squares).
///
/// # Errors
/// Returns the limit that was reached.
pub fn layers(graph: &ImplicitGraph, budget: &mut Budget) -> Result<Vec<usize>, Limit> {
    let mut visited = graph.visit_map();
    let mut layer = vec![graph.from_index(0)];
    visited.visit(layer[0]);
    let mut layers = Vec::new();
    while !layer.is_empty() {
        layers.push(layer.len());
        let mut next = Vec::new();
        for class in layer {
            budget.node()?;
            next.extend(graph.neighbors(class).filter(|&neighbour| visited.visit(neighbour)));
        }
        layer = next;
    }
    Ok(layers)
}

/// Answers the question `classes` with one row.
///
/// # Errors
/// Returns the limit that was reached. If the limit was reached after the degrees were computed, a row is written
/// first, with `null` for what is missing.
pub fn run(
    &StudyRequest { rules, params, .. }: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let n = params.whole("n");
    output.progress(format_args!("the classes of {n}x{n} boards"));
    let graph = ImplicitGraph::new(n, rules.group)?;
    output.progress(format_args!("the degrees of {} classes", graph.node_count()));
    let census = census(&graph, budget)?;
    let mut columns = row([
        ("n", n.into()),
        ("classes", graph.node_count().into()),
        ("even", census.even.into()),
        ("odd", census.odd.into()),
        ("edges", census.edges.into()),
        ("least degree", census.min_degree().into()),
        ("least odd degree", census.min_odd_degree.into()),
        ("most degree", census.max_degree().into()),
    ]);
    let structure = structure(&graph, budget, output);
    let known = structure.as_ref().ok();
    let value = |of: fn(&Structure) -> Value| known.map_or(Value::Null, of);
    columns.extend(row([
        ("layers", value(|structure| structure.layers.into())),
        ("matching", value(|structure| structure.matching.into())),
        ("missed", value(|structure| structure.missed.into())),
        ("winner counted", value(|structure| structure.winner_counted.into())),
        ("winner uncounted", value(|structure| structure.winner_uncounted.into())),
    ]));
    output.row(columns);
    structure.map(|_| ()).map_err(StudyError::from)
}

/// Results that need more than one pass over the graph.
struct Structure {
    /// The number of different distances from the empty board.
    layers: usize,
    /// The number of edges of a maximum matching.
    matching: usize,
    /// The number of classes that at least one maximum matching does not cover.
    missed: usize,
    /// The winner if the start counts, 1 or 2.
    winner_counted: u8,
    /// The winner if the start does not count, 1 or 2.
    winner_uncounted: u8,
}

fn structure(
    graph: &ImplicitGraph,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<Structure, Limit> {
    output.progress(format_args!("the distances of {} classes from the empty board", graph.node_count()));
    let layers = layers(graph, budget)?;
    output.progress(format_args!("a maximum matching of {} classes", graph.node_count()));
    let side = |node| if graph.is_even(graph.from_index(node)) { Side::Left } else { Side::Right };
    let matching = maximum(graph, side, budget)?;
    output.progress(format_args!("the classes that some maximum matching misses"));
    let missed = missed(graph, &matching, budget)?;
    let empty = graph.from_index(0);
    Ok(Structure {
        layers: layers.len(),
        matching: matching.len(),
        missed: missed.count_ones(..),
        winner_counted: winner_by(graph, &missed, empty, Start::Counted),
        winner_uncounted: winner_by(graph, &missed, empty, Start::Uncounted),
    })
}
