//! The question `value`: who wins with best play on both sides.
//!
//! Without a limit on moves, the pairing strategy (`strategy.rs`) gives the answer. On small boards, a maximum matching
//! confirms this answer. With a limit, up to three methods give the answer: a counting bound, the search of
//! `pursuit.rs` and a SAT formula (`strategy_sat.rs`).

use super::super::{Instance, MoveLimit, Rules, Start};
use super::forcing_search::ForcingSearch;
use super::geography::winner_by;
use super::implicit::{ImplicitGraph, MAX_SIDE};
use super::matching::{Side, maximum, missed};
use super::pursuit::Pursuer;
use super::strategy::Strategy;
use super::strategy_sat;
use super::strategy_tree::{TreeWriter, certificate};
use counterpoint_core::engine::{Budget, Unfinished, Work};
use counterpoint_core::problem::{Param, StudyRequest};
use counterpoint_core::study::{Row, StudyError, StudyOutput, plural, row};
use serde_json::Value;
use std::fmt;

/// Parameters of [`run`].
pub const PARAMS: &[Param] = &[Param::number("n", 3.0, 1.0, super::super::MAX_SIDE as f64)];
/// The greatest side for which certificates are written, and for which a maximum matching is computed.
const MAX_CERTIFICATE_SIDE: u32 = 4;
/// Why larger boards have no certificate.
const TOO_LARGE: &str = "certificates are written for boards up to 4x4";
/// The tree of a search is written to a certificate if the search took at most this many nodes.
const MAX_EVIDENCE_NODES: u64 = 1_000;

/// Answers the question `value`, with a row for each method.
///
/// # Errors
/// Returns an error if the board is too large for the limit on moves, a limit of the budget was reached, or a solver
/// failed.
pub fn run(
    &StudyRequest { rules, params, .. }: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let n = params.whole("n");
    match rules.moves(n) {
        None => unlimited(rules, n, budget, output),
        Some(limit) => limited(rules, n, limit, budget, output),
    }
}

fn nodes(nodes: u64) -> Work {
    Work { nodes, ..Work::default() }
}

/// A row with an answer, the method, and the work that the method took.
fn answer_row(rules: &Rules, n: u32, value: &str, how: &str, work: Work) -> Row {
    let limit = match (rules.limit, rules.moves(n)) {
        (MoveLimit::None, _) | (_, None) => Value::from("none"),
        (_, Some(limit)) => limit.into(),
    };
    row([
        ("n", n.into()),
        ("symmetry", rules.group.name().into()),
        ("start", rules.start.name().into()),
        ("limit", limit),
        ("value", value.into()),
        ("how", how.into()),
        ("nodes", work.nodes.into()),
        ("conflicts", work.conflicts.into()),
    ])
}

fn wins(player: u8) -> String {
    format!("player {player} wins")
}

fn unlimited(
    rules: &Rules,
    n: u32,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let strategy = Strategy::new(n, rules.group);
    let winner = strategy.winner(rules.start);
    output.row(answer_row(rules, n, &wins(winner), &format!("pairs: {}", strategy.rule()), nodes(0)));
    if n > MAX_CERTIFICATE_SIDE {
        output.no_file(TOO_LARGE);
        return Ok(());
    }
    let graph = ImplicitGraph::new(n, rules.group)?;
    let empty = petgraph::graph::NodeIndex::new(0);
    let side = |class| {
        if graph.is_even(petgraph::graph::NodeIndex::new(class)) { Side::Left } else { Side::Right }
    };
    let before = budget.work.nodes;
    let matching = maximum(&graph, side, budget)?;
    let missed = missed(&graph, &matching, budget)?;
    let by_matching = winner_by(&graph, &missed, empty, rules.start);
    output.row(answer_row(
        rules,
        n,
        &wins(by_matching),
        "maximum matching",
        nodes(budget.work.nodes - before),
    ));
    output.file("certificate.json", &|| {
        let mut map = certificate("value", n, rules);
        map.insert("limit".to_owned(), "none".into());
        map.insert("value".to_owned(), wins(winner).into());
        map.insert("answers".to_owned(), TreeWriter::new(&graph, n).answers(&strategy, winner).into());
        Value::Object(map).to_string().into_bytes()
    });
    Ok(())
}

fn limited(
    rules: &Rules,
    n: u32,
    limit: usize,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    // A toggle leads to the same class as another one only if an element of the group maps one of the two resulting
    // boards to the other. Each element other than the identity does so for at most one other toggle. So at most |G|
    // toggles lead to the same class, and every class has at least n² / |G| neighbours.
    let neighbours = ((n * n) as usize).div_ceil(rules.group.elements().len());
    // A player must repeat at a class if all its neighbours are produced. Only this player's own moves produce these
    // neighbours; the empty board is an exception if the start counts. So `min_moves` is the earliest move that can be
    // a forced repeat.
    let min_moves = 2 * neighbours + usize::from(rules.start == Start::Uncounted);
    if limit < min_moves {
        let how = format!("each class has {} or more", plural(neighbours, "neighbour", "neighbours"));
        output.row(answer_row(rules, n, "draw", &how, nodes(0)));
        if n > MAX_CERTIFICATE_SIDE {
            output.no_file(TOO_LARGE);
            return Ok(());
        }
    }
    if n > MAX_SIDE {
        return Err(StudyError::unsupported(format!(
            "a limit of {limit} moves is supported on boards up to {MAX_SIDE}x{MAX_SIDE}; on {n}x{n}, set a limit \
             below {min_moves} or limit=none"
        )));
    }
    let search = ForcingSearch::new(n, rules)?;
    let (mut total_nodes, mut holds, mut how) = (0, Vec::new(), "search");
    for pursuer in [1, 2] {
        let question = format!("whether player {pursuer} can force a repeat by move {limit}");
        output.progress(format_args!("{question}"));
        let progress = &mut |words: fmt::Arguments<'_>| output.progress(format_args!("{question}; {words}"));
        let found = search.forces(Pursuer(pursuer), limit, MAX_EVIDENCE_NODES, progress, budget)?;
        total_nodes += found.nodes;
        if found.collision_exponent.is_some() {
            how = "search, positions by hash";
        }
        if found.forced {
            output.row(answer_row(rules, n, &wins(pursuer), how, nodes(total_nodes)));
            let evidence = [("forces", found.evidence)];
            write_certificate(rules, n, limit, &wins(pursuer), &evidence, output);
            return by_sat(&search.graph, rules, n, limit, budget, output);
        }
        holds.push(found.evidence);
    }
    output.row(answer_row(rules, n, "draw", how, nodes(total_nodes)));
    let holds = holds.into_iter().collect::<Option<Vec<Value>>>().map(Value::from);
    write_certificate(rules, n, limit, "draw", &[("holds", holds)], output);
    by_sat(&search.graph, rules, n, limit, budget, output)
}

/// Writes a row with the answer by SAT, or a summary that says why there is no such row.
fn by_sat(
    graph: &ImplicitGraph,
    rules: &Rules,
    n: u32,
    limit: usize,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let before = budget.work.conflicts;
    let mut value = "draw".to_owned();
    for pursuer in [1, 2] {
        output.progress(format_args!("SAT: whether player {pursuer} can force a repeat by move {limit}"));
        match strategy_sat::forces(graph, rules.start, Pursuer(pursuer), limit, budget) {
            Ok(None) => {
                let max = strategy_sat::MAX_LITERALS;
                left_out(&format!("its formula would have more than {max} literals for moves"), output);
                return Ok(());
            }
            Ok(Some(false)) => {}
            Ok(Some(true)) => value = wins(pursuer),
            Err(Unfinished::Limit(limit)) => {
                left_out(&limit.to_string(), output);
                return Err(limit.into());
            }
            Err(Unfinished::Failed(reason)) => return Err(reason.into()),
        }
    }
    let work = Work { conflicts: budget.work.conflicts - before, ..Work::default() };
    output.row(answer_row(rules, n, &value, "sat", work));
    Ok(())
}

/// Reports why there is no row for SAT.
fn left_out(why: &str, output: &mut dyn StudyOutput) {
    output
        .summary(&format!("SAT is left out: {why}."), row([("how", "sat".into()), ("left_out", why.into())]));
}

/// Writes the certificate, or says why there is none: the board is too large, or some evidence is missing.
fn write_certificate(
    rules: &Rules,
    n: u32,
    limit: usize,
    value: &str,
    evidence: &[(&str, Option<Value>)],
    output: &mut dyn StudyOutput,
) {
    if n > MAX_CERTIFICATE_SIDE {
        return output.no_file(TOO_LARGE);
    }
    if evidence.iter().any(|(_, evidence)| evidence.is_none()) {
        return output.no_file("the search is too long for a certificate");
    }
    output.file("certificate.json", &|| {
        let mut map = certificate("value", n, rules);
        map.insert("limit".to_owned(), limit.into());
        map.insert("value".to_owned(), value.into());
        for (key, evidence) in evidence {
            map.insert((*key).to_owned(), evidence.clone().unwrap_or_default());
        }
        Value::Object(map).to_string().into_bytes()
    });
}
