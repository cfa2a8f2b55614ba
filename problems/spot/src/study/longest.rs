//! The question `longest`: how long a game can last without a repeat.
//!
//! Moves produce classes of the two parities alternately, so the number of classes of the rarer parity gives an upper
//! bound. If both parities have the same number of classes, `tour.rs` constructs a Hamiltonian cycle. If no Hamiltonian
//! cycle is found, `search/posa.rs` finds a long path by rotations, on boards up to 4×4. On request, SAT encodings
//! decide whether there is a game of a given length.

use super::super::search::posa;
use super::super::{Entry, Instance, Rules, Start, formula, sat};
use super::implicit::{ImplicitGraph, MAX_SIDE};
use super::strategy_tree::certificate;
use super::tour::tour;
use counterpoint_core::board::Size;
use counterpoint_core::engine::{Budget, Limit, Outcome, Work};
use counterpoint_core::problem::{Param, Params, StudyRequest};
use counterpoint_core::solver::SolverRegistry;
use counterpoint_core::spec;
use counterpoint_core::study::{Row, StudyError, StudyOutput, row};
use petgraph::graph::NodeIndex;
use petgraph::visit::{IntoNodeIdentifiers, NodeCount};
use serde_json::Value;

/// Parameters of [`run`].
pub const PARAMS: &[Param] = &[
    Param::number("n", 3.0, 1.0, MAX_SIDE as f64),
    Param::number("length", 0.0, 0.0, 10_000.0),
    Param::number("path", 0.0, 0.0, 1.0),
    Param::number("conflicts", 0.0, 0.0, 1e9),
];
/// The greatest side for `posa.rs`, whose tables have an entry for each board.
const MAX_POSA_SIDE: u32 = 4;
/// The encodings that look for a game of a given length, unless `path=1`.
const ENCODINGS: &str = "sat:toggles,sat:toggles/distinct=lazy,sat:path";
/// The encodings that look for such a game if `path=1`.
const PATH_ENCODINGS: &str = "sat:path/amo=*/once=*";

/// Answers the question `longest`, with a row for the long game that is constructed. If `length` is set, each of
/// several SAT encodings looks for a game of that many moves, unless the upper bound excludes such a game. With
/// `path=1`, these encodings are all variants of the path encoding. Each encoding may take up to `conflicts` conflicts;
/// 0 means that there is no such limit.
///
/// # Errors
/// Returns an error if the board is too large, a limit of the budget was reached, or a solver failed.
pub fn run(
    &StudyRequest { rules, params, .. }: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let (n, length) = (params.whole("n"), params.whole("length") as usize);
    let graph = ImplicitGraph::new(n, rules.group)?;
    let (even, odd) = parities(&graph);
    let bound = upper_bound(rules.start, even, odd);
    let before = budget.work;
    let squares = long_game(rules, &graph, n, bound, budget, output)?;
    let how = if even == odd && n > 1 { "round tour" } else { "rotations" };
    let nodes = budget.work.nodes - before.nodes;
    let bounds = Bounds { at_least: Some(squares.len()), at_most: Some(bound) };
    output.row(answer_row(rules, n, how, bounds, Work { nodes, ..Work::default() }));
    output.file("certificate.json", &|| {
        let mut map = certificate("longest", n, rules);
        map.insert("at_least".to_owned(), squares.len().into());
        map.insert("at_most".to_owned(), bound.into());
        let digits = squares.iter().filter_map(|&square| char::from_digit(square, 36));
        map.insert("moves".to_owned(), digits.collect::<String>().into());
        Value::Object(map).to_string().into_bytes()
    });
    if length > bound {
        let why = format!("no game has {length} moves; the upper bound is {bound}");
        output.summary(
            &format!("SAT is left out: {why}."),
            row([("how", "sat".into()), ("left_out", why.into())]),
        );
        return Ok(());
    }
    if length > 0 { by_sat(rules, n, params, budget, output) } else { Ok(()) }
}

/// Bounds on the number of moves of a longest game; `None` if a bound is not known.
#[derive(Clone, Copy, Default)]
struct Bounds {
    at_least: Option<usize>,
    at_most: Option<usize>,
}

/// A row with the bounds, the method, and the work that the method took.
fn answer_row(rules: &Rules, n: u32, how: &str, bounds: Bounds, work: Work) -> Row {
    let bound = |bound: Option<usize>| bound.map_or(Value::Null, Value::from);
    row([
        ("n", n.into()),
        ("symmetry", rules.group.name().into()),
        ("start", rules.start.name().into()),
        ("how", how.into()),
        ("at least", bound(bounds.at_least)),
        ("at most", bound(bounds.at_most)),
        ("nodes", work.nodes.into()),
        ("conflicts", work.conflicts.into()),
    ])
}

/// The number of classes with an even number of spots, and the number of those with an odd one.
fn parities(graph: &ImplicitGraph) -> (usize, usize) {
    let even = graph.node_identifiers().filter(|&class| graph.is_even(class)).count();
    (even, graph.node_count() - even)
}

/// An upper bound on the number of moves of a game without a repeat. The moves of such a game produce odd and even
/// classes alternately, beginning with an odd one. `even` and `odd` are the numbers of these classes, including the
/// empty board.
fn upper_bound(start: Start, even: usize, odd: usize) -> usize {
    let even = if start == Start::Counted { even - 1 } else { even };
    (2 * odd).min(2 * even + 1)
}

/// A long game, as the row-major indices of the squares that it toggles.
fn long_game(
    rules: &Rules,
    graph: &ImplicitGraph,
    n: u32,
    bound: usize,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<Vec<u32>, StudyError> {
    let (even, odd) = parities(graph);
    if even == odd
        && let Some(classes) = tour(graph, n * n, &mut |words| output.progress(words), budget)?
    {
        // If the start counts, class 0 is already produced; otherwise it can be produced last.
        let mut along = classes[1..].to_vec();
        along.extend((rules.start == Start::Uncounted).then_some(classes[0]));
        return Ok(toggles(graph, n, &along));
    }
    if n > MAX_POSA_SIDE {
        return Err(StudyError::unsupported(format!(
            "no Hamiltonian cycle was found on {n}x{n} under {}; without one, boards up to \
             {MAX_POSA_SIDE}x{MAX_POSA_SIDE} are supported",
            rules.group.name()
        )));
    }
    // If there are more even classes than odd ones, the upper bound is the same whether or not the empty board counts
    // as produced, so the empty board may be treated as produced.
    let start = if even > odd { Start::Counted } else { rules.start };
    let work = 1 << (12 + n * n);
    let game = posa::game(&Rules { start, ..*rules }, Size::new(n, n), bound, work, budget)?;
    Ok(game.iter().map(|mv| Size::new(n, n).index(mv.cell) as u32).collect())
}

/// The squares whose toggles lead from the empty board through these classes.
fn toggles(graph: &ImplicitGraph, n: u32, classes: &[u32]) -> Vec<u32> {
    let mut board = 0u32;
    let mut squares = Vec::with_capacity(classes.len());
    for &class in classes {
        let leads = |square: &u32| graph.class(board ^ 1 << square) == NodeIndex::new(class as usize);
        // If two classes are joined by an edge, every board of one class has a toggle that leads to the other class.
        let Some(square) = (0..n * n).find(leads) else { break };
        board ^= 1 << square;
        squares.push(square);
    }
    squares
}

/// Writes a row for each encoding that supports the instance: whether there is a game of `length` moves.
fn by_sat(
    rules: &Rules,
    n: u32,
    params: &Params,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let length = params.whole("length") as usize;
    let instance = Instance { n, record: vec![Entry::UNKNOWN; length] };
    let encodings = if params.whole("path") == 1 { PATH_ENCODINGS } else { ENCODINGS };
    let specs = spec::resolve(&[formula::TOGGLES, formula::PATH], &SolverRegistry::built_in(), encodings);
    let max = Some(params.whole("conflicts")).filter(|&max| max > 0).map_or(u64::MAX, u64::from);
    for spec in specs? {
        output.progress(format_args!("{spec}, {length} moves"));
        let mut part = budget.part(max.min(budget.left()));
        let game = sat::find_draw(rules, &instance, &spec, &mut part);
        budget.work.conflicts += part.work.conflicts;
        let bounds = match &game {
            Outcome::Decided(Some(moves)) => Bounds { at_least: Some(moves.len()), at_most: None },
            Outcome::Decided(None) => Bounds { at_least: None, at_most: Some(length - 1) },
            Outcome::Unsupported(reason) => {
                output.note(&format!("{spec} does not support {length} moves: {reason}"));
                continue;
            }
            _ => Bounds::default(),
        };
        let work = Work { nodes: 0, ..part.work };
        output.row(answer_row(rules, n, &spec.to_string(), bounds, work));
        match game {
            // The encoding has used up its own `conflicts`, but the budget is not spent.
            Outcome::GaveUp(Limit::Work, _) if budget.left() > 0 => {}
            Outcome::GaveUp(limit, _) => return Err(StudyError::Limit(limit)),
            Outcome::Failed(reason) => return Err(reason.into()),
            Outcome::Decided(_) | Outcome::Unsupported(_) => {}
        }
    }
    Ok(())
}
