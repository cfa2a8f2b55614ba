//! The question `longest`: how long a game can last without a repeat.
//!
//! Classes are taken from the two parities in turn, so there are at most two moves for each class of the rarer one. Where
//! there are as many of both, a round tour is looked for (`tour.rs`), else a path by rotations (`search/posa.rs`).
//! Whether there is a game of a given length SAT tells as well, with distinctness demanded at once or when
//! a model breaks it.

use super::super::search::posa;
use super::super::{Entry, Instance, Rules, Start, formula, sat};
use super::implicit::{ImplicitGraph, MAX_SIDE};
use super::strategy_tree::certificate;
use super::tour::tour;
use crate::board::Size;
use crate::engine::{Budget, Limit, Outcome};
use crate::problem::{Param, Params, StudyRequest};
use crate::solver::SolverRegistry;
use crate::spec;
use crate::study::{Row, StudyError, StudyOutput, row};
use petgraph::graph::NodeIndex;
use petgraph::visit::{IntoNodeIdentifiers, NodeCount};
use serde_json::Value;

/// Parameters of [`ask`].
pub const PARAMS: &[Param] = &[
    Param { key: "n", default: 3.0, min: 1.0, max: MAX_SIDE as f64 },
    Param { key: "length", default: 0.0, min: 0.0, max: 10_000.0 },
    Param { key: "path", default: 0.0, min: 0.0, max: 1.0 },
    Param { key: "conflicts", default: 0.0, min: 0.0, max: 1e9 },
];
/// The greatest side whose boards `posa.rs` numbers.
const MAX_ROTATED: u32 = 4;
/// The ways in which SAT is asked for a game of a given length.
const MODELS: &str = "sat:toggles,sat:toggles/distinct=lazy,sat:path";
/// The same with `path`: classes in all their encodings.
const PATHS: &str = "sat:path/amo=*/once=*";

/// The question `longest`: what a search finds; with `length` also what SAT says about games of so many moves, and with
/// `path` in every encoding of a path in the class graph. Each way gets so many `conflicts`, any number if that is 0.
///
/// # Errors
/// The limit that was met.
pub fn ask(
    &StudyRequest { rules, params, .. }: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    report: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let (n, length) = (params.whole("n"), params.whole("length") as usize);
    let graph = ImplicitGraph::new(n, rules.group).map_err(StudyError::Unsupported)?;
    let (even, odd) = parities(&graph);
    let most = most(rules.start, even, odd);
    let before = budget.work;
    let squares = long_game(rules, &graph, n, most, budget, report)?;
    let how = if even == odd && n > 1 { "round tour" } else { "rotations" };
    let nodes = budget.work.nodes - before.nodes;
    report.row(found(rules, n, how, (Some(squares.len()), Some(most)), (nodes, 0)));
    report.file("certificate.json", &|| {
        let mut map = certificate("longest", n, rules);
        map.insert("at_least".to_owned(), squares.len().into());
        map.insert("at_most".to_owned(), most.into());
        let digits = squares.iter().filter_map(|&square| char::from_digit(square, 36));
        map.insert("moves".to_owned(), digits.collect::<String>().into());
        Value::Object(map).to_string().into_bytes()
    });
    if length > most {
        let why = format!("{length} moves pass the bound of {most}");
        report.summary(
            &format!("SAT is left out: {why}."),
            row([("how", "sat".into()), ("left_out", why.into())]),
        );
        return Ok(());
    }
    if length > 0 { by_sat(rules, n, params, budget, report) } else { Ok(()) }
}

fn found(
    rules: &Rules,
    n: u32,
    how: &str,
    (least, most): (Option<usize>, Option<usize>),
    (nodes, conflicts): (u64, u64),
) -> Row {
    let bound = |bound: Option<usize>| bound.map_or(Value::Null, Value::from);
    row([
        ("n", n.into()),
        ("symmetry", rules.group.name().into()),
        ("start", if rules.start == Start::Counted { "counted" } else { "uncounted" }.into()),
        ("how", how.into()),
        ("at least", bound(least)),
        ("at most", bound(most)),
        ("nodes", nodes.into()),
        ("conflicts", conflicts.into()),
    ])
}

/// How many classes have an even number of spots, and an odd one.
fn parities(graph: &ImplicitGraph) -> (usize, usize) {
    let even = graph.node_identifiers().filter(|&class| graph.is_even(class)).count();
    (even, graph.node_count() - even)
}

/// A bound on the moves: they produce odd and even classes in turn.
fn most(start: Start, even: usize, odd: usize) -> usize {
    let even = if start == Start::Counted { even - 1 } else { even };
    (2 * odd).min(2 * even + 1)
}

/// The squares that a long game toggles, each by its index.
fn long_game(
    rules: &Rules,
    graph: &ImplicitGraph,
    n: u32,
    most: usize,
    budget: &mut Budget,
    report: &mut dyn StudyOutput,
) -> Result<Vec<u32>, StudyError> {
    let (even, odd) = parities(graph);
    if even == odd
        && let Some(classes) = tour(graph, n * n, &mut |words| report.progress(words), budget)?
    {
        // A counted start is the first class of the tour, another the last.
        let mut along = classes[1..].to_vec();
        along.extend((rules.start == Start::Uncounted).then_some(classes[0]));
        return Ok(toggles(graph, n, &along));
    }
    if n > MAX_ROTATED {
        return Err(StudyError::Unsupported(format!(
            "no round tour was found on {n}x{n} under {}",
            rules.group.name()
        )));
    }
    // A path from the empty board is one from its neighbour on, and as long as can be where even classes abound.
    let start = if even > odd { Start::Counted } else { rules.start };
    let work = 1 << (12 + n * n);
    let game = posa::game(&Rules { start, ..*rules }, Size::new(n, n), most, work, budget)?;
    Ok(game.iter().map(|mv| Size::new(n, n).index(mv.cell) as u32).collect())
}

/// The squares that lead from the empty board through these classes.
fn toggles(graph: &ImplicitGraph, n: u32, classes: &[u32]) -> Vec<u32> {
    let mut board = 0u32;
    let mut squares = Vec::with_capacity(classes.len());
    for &class in classes {
        let leads = |square: &u32| graph.class(board ^ 1 << square) == NodeIndex::new(class as usize);
        // An edge between classes is one from every board of either.
        let Some(square) = (0..n * n).find(leads) else { break };
        board ^= 1 << square;
        squares.push(square);
    }
    squares
}

/// A row for each model: whether there is a game of `length` moves.
fn by_sat(
    rules: &Rules,
    n: u32,
    params: &Params,
    budget: &mut Budget,
    report: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let length = params.whole("length") as usize;
    let instance = Instance { n, record: vec![Entry::UNKNOWN; length] };
    let models = if params.whole("path") == 1 { PATHS } else { MODELS };
    let specs = spec::resolve(&[formula::TOGGLES, formula::PATH], &SolverRegistry::built_in(), models);
    let most = Some(params.whole("conflicts")).filter(|&most| most > 0).map_or(u64::MAX, u64::from);
    for spec in specs.map_err(StudyError::Unsupported)? {
        report.progress(format_args!("{spec}, {length} moves"));
        let mut part = budget.part(most.min(budget.left()));
        let game = sat::undecided(rules, &instance, &spec, &mut part);
        budget.work.conflicts += part.work.conflicts;
        let bounds = match &game {
            Outcome::Decided(Some(moves)) => (Some(moves.len()), None),
            Outcome::Decided(None) => (None, Some(length - 1)),
            Outcome::Unsupported(reason) => {
                report.note(&format!("{spec} does not support {length} moves: {reason}"));
                continue;
            }
            _ => (None, None),
        };
        report.row(found(rules, n, &spec.to_string(), bounds, (0, part.work.conflicts)));
        match game {
            // The bound of this way alone.
            Outcome::GaveUp(Limit::Work, _) if budget.left() > 0 => {}
            Outcome::GaveUp(limit, _) => return Err(StudyError::Limit(limit)),
            Outcome::Failed(reason) => return Err(StudyError::Unsupported(reason)),
            Outcome::Decided(_) | Outcome::Unsupported(_) => {}
        }
    }
    Ok(())
}
