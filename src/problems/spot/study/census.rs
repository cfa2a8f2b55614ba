//! The question `classes`: sizes of the class graph, its matchings, and who wins without a move limit.

use super::super::{Instance, Rules, Start};
use super::geography::winner_by;
use super::implicit::{ImplicitGraph, MAX_SIDE};
use super::matching::{Side, maximum, missed};
use crate::engine::{Budget, Limit};
use crate::problem::{Param, StudyRequest};
use crate::study::{StudyError, StudyOutput, row};
use petgraph::visit::{IntoNeighbors, IntoNodeIdentifiers, NodeCount, NodeIndexable, VisitMap, Visitable};
use serde_json::Value;

/// Parameters of [`ask`].
pub const PARAMS: &[Param] = &[Param { key: "n", default: 3.0, min: 1.0, max: MAX_SIDE as f64 }];

/// What is counted of a class graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Census {
    /// Classes with an even number of spots.
    pub even: usize,
    /// Classes with an odd number of spots.
    pub odd: usize,
    /// Pairs of classes that a toggle joins.
    pub edges: usize,
    /// For each number of neighbours how many classes have as many.
    pub degrees: Vec<usize>,
    /// The least number of neighbours of a class with an odd number of spots.
    pub least_odd_degree: usize,
}

impl Census {
    /// The least number of neighbours of a class.
    pub fn least_degree(&self) -> usize {
        self.degrees.iter().position(|&classes| classes > 0).unwrap_or(0)
    }

    /// The greatest.
    pub fn most_degree(&self) -> usize {
        self.degrees.iter().rposition(|&classes| classes > 0).unwrap_or(0)
    }
}

/// Counts classes and edges; O(classes × squares).
///
/// # Errors
/// The limit that was met.
pub fn census(graph: &ImplicitGraph, budget: &mut Budget) -> Result<Census, Limit> {
    let mut census = Census { even: 0, odd: 0, edges: 0, degrees: Vec::new(), least_odd_degree: usize::MAX };
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
            census.least_odd_degree = census.least_odd_degree.min(degree);
        }
    }
    Ok(census)
}

/// How many classes lie at each distance from the empty board; breadth first, O(classes × squares).
///
/// # Errors
/// The limit that was met.
pub fn layers(graph: &ImplicitGraph, budget: &mut Budget) -> Result<Vec<usize>, Limit> {
    let mut seen = graph.visit_map();
    let mut layer = vec![graph.from_index(0)];
    seen.visit(layer[0]);
    let mut layers = Vec::new();
    while !layer.is_empty() {
        layers.push(layer.len());
        let mut next = Vec::new();
        for class in layer {
            budget.node()?;
            next.extend(graph.neighbors(class).filter(|&neighbour| seen.visit(neighbour)));
        }
        layer = next;
    }
    Ok(layers)
}

/// The question `classes`: one row.
///
/// # Errors
/// The limit that was met.
pub fn ask(
    &StudyRequest { rules, params, .. }: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    report: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let n = params.whole("n");
    let graph = ImplicitGraph::new(n, rules.group).map_err(StudyError::Unsupported)?;
    let census = census(&graph, budget)?;
    let mut columns = row([
        ("n", n.into()),
        ("classes", graph.node_count().into()),
        ("even", census.even.into()),
        ("odd", census.odd.into()),
        ("edges", census.edges.into()),
        ("least degree", census.least_degree().into()),
        ("least odd degree", census.least_odd_degree.into()),
        ("most degree", census.most_degree().into()),
    ]);
    report.progress(format_args!("{} classes, matching them", graph.node_count()));
    let further = further(&graph, budget);
    let known = further.as_ref().ok();
    let value = |of: fn(&Further) -> Value| known.map_or(Value::Null, of);
    columns.extend(row([
        ("layers", value(|further| further.layers.into())),
        ("matching", value(|further| further.matching.into())),
        ("missed", value(|further| further.missed.into())),
        ("winner counted", value(|further| further.winners[0].into())),
        ("winner uncounted", value(|further| further.winners[1].into())),
    ]));
    report.row(columns);
    further.map(|_| ()).map_err(StudyError::from)
}

/// What is found out behind the counting.
struct Further {
    layers: usize,
    matching: usize,
    missed: usize,
    /// With the start counted and not.
    winners: [u8; 2],
}

fn further(graph: &ImplicitGraph, budget: &mut Budget) -> Result<Further, Limit> {
    let layers = layers(graph, budget)?;
    let side = |node| if graph.is_even(graph.from_index(node)) { Side::Left } else { Side::Right };
    let matching = maximum(graph, side, budget)?;
    let missed = missed(graph, &matching, budget)?;
    let empty = graph.from_index(0);
    let winners = [Start::Counted, Start::Uncounted].map(|start| winner_by(graph, &missed, empty, start));
    Ok(Further { layers: layers.len(), matching: matching.len(), missed: missed.count_ones(..), winners })
}
