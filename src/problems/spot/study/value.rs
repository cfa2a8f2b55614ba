//! The question `value`: who wins if both players play as well as can be.

use super::super::{Instance, MoveLimit, Rules, Start};
use super::forcing_search::ForcingSearch;
use super::geography::winner_by;
use super::implicit::{ImplicitGraph, MAX_SIDE};
use super::matching::{Side, maximum, missed};
use super::pursuit::Pursuer;
use super::strategy::Strategy;
use super::strategy_sat;
use super::strategy_tree::{TreeWriter, certificate};
use crate::engine::{Budget, Unfinished};
use crate::problem::{Param, StudyRequest};
use crate::study::{Row, StudyError, StudyOutput, plural, row};
use serde_json::Value;
use std::fmt;

/// Parameters of [`ask`].
pub const PARAMS: &[Param] =
    &[Param { key: "n", default: 3.0, min: 1.0, max: super::super::MAX_SIDE as f64 }];
/// The greatest side for which the winner's answers are written down, and held against a maximum matching.
const MAX_WRITTEN: u32 = 4;
/// Why larger boards have no certificate.
const TOO_LARGE: &str = "certificates are for boards up to 4x4";
/// The most nodes of a search that is written down.
const MAX_TOLD: u64 = 1_000;

/// The question `value`: a row for each way in which it is answered.
///
/// # Errors
/// A board that is too large for its limit, or the budget's limit.
pub fn ask(
    &StudyRequest { rules, params, .. }: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    report: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let n = params.whole("n");
    match rules.moves(n) {
        None => unlimited(rules, n, budget, report),
        Some(limit) => limited(rules, n, limit, budget, report),
    }
}

/// What an answer took.
#[derive(Default)]
struct Took {
    nodes: u64,
    conflicts: u64,
}

fn nodes(nodes: u64) -> Took {
    Took { nodes, conflicts: 0 }
}

fn found(rules: &Rules, n: u32, value: &str, how: &str, took: Took) -> Row {
    let limit = match (rules.limit, rules.moves(n)) {
        (MoveLimit::None, _) | (_, None) => Value::from("none"),
        (_, Some(limit)) => limit.into(),
    };
    row([
        ("n", n.into()),
        ("symmetry", rules.group.name().into()),
        ("start", if rules.start == Start::Counted { "counted" } else { "uncounted" }.into()),
        ("limit", limit),
        ("value", value.into()),
        ("how", how.into()),
        ("nodes", took.nodes.into()),
        ("conflicts", took.conflicts.into()),
    ])
}

fn wins(player: u8) -> String {
    format!("player {player} wins")
}

fn unlimited(
    rules: &Rules,
    n: u32,
    budget: &mut Budget,
    report: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let strategy = Strategy::new(n, rules.group);
    let winner = strategy.winner(rules.start);
    report.row(found(rules, n, &wins(winner), &format!("pairs: {}", strategy.rule()), nodes(0)));
    if n > MAX_WRITTEN {
        report.no_file(TOO_LARGE);
        return Ok(());
    }
    let graph = ImplicitGraph::new(n, rules.group).map_err(StudyError::Unsupported)?;
    let empty = petgraph::graph::NodeIndex::new(0);
    let side = |class| {
        if graph.is_even(petgraph::graph::NodeIndex::new(class)) { Side::Left } else { Side::Right }
    };
    let before = budget.work.nodes;
    let matching = maximum(&graph, side, budget)?;
    let missed = missed(&graph, &matching, budget)?;
    let by_matching = winner_by(&graph, &missed, empty, rules.start);
    report.row(found(rules, n, &wins(by_matching), "maximum matching", nodes(budget.work.nodes - before)));
    report.file("certificate.json", &|| {
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
    report: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    // An element of the group takes at most one other toggle to what a toggle leads to, so this many neighbours are sure.
    let neighbours = ((n * n) as usize).div_ceil(rules.group.elements().len());
    // The pursued is stuck where all neighbours are produced, each at a move of hers or at the start.
    let stuck_from = 2 * neighbours + usize::from(rules.start == Start::Uncounted);
    if limit < stuck_from {
        let how = format!("each class has {} or more", plural(neighbours, "neighbour", "neighbours"));
        report.row(found(rules, n, "draw", &how, nodes(0)));
        if n > MAX_WRITTEN {
            report.no_file(TOO_LARGE);
            return Ok(());
        }
    }
    if n > MAX_SIDE {
        return Err(StudyError::Unsupported(format!(
            "with a limit of {limit} moves this needs the class graph, which is made to {MAX_SIDE}x{MAX_SIDE}; on \
             {n}x{n} a limit below {stuck_from} is served, or limit=none"
        )));
    }
    let arena = ForcingSearch::new(n, rules).map_err(StudyError::Unsupported)?;
    let (mut seen, mut holds, mut how) = (0, Vec::new(), "search");
    for pursuer in [1, 2] {
        let question = format!("whether player {pursuer} can force a repeat by move {limit}");
        report.progress(format_args!("{question}"));
        let progress = &mut |words: fmt::Arguments<'_>| report.progress(format_args!("{question}; {words}"));
        let search = arena.forces(Pursuer(pursuer), limit, MAX_TOLD, progress, budget)?;
        seen += search.nodes;
        if search.odds.is_some() {
            how = "search, positions by hash";
        }
        if search.forced {
            report.row(found(rules, n, &wins(pursuer), how, nodes(seen)));
            let evidence = [("forces", search.evidence)];
            tell(rules, n, limit, &wins(pursuer), &evidence, report);
            return by_sat(&arena.graph, rules, n, limit, budget, report);
        }
        holds.push(search.evidence);
    }
    report.row(found(rules, n, "draw", how, nodes(seen)));
    let holds = holds.into_iter().collect::<Option<Vec<Value>>>().map(Value::from);
    tell(rules, n, limit, "draw", &[("holds", holds)], report);
    by_sat(&arena.graph, rules, n, limit, budget, report)
}

/// A row of what SAT says, or why it says nothing.
fn by_sat(
    graph: &ImplicitGraph,
    rules: &Rules,
    n: u32,
    limit: usize,
    budget: &mut Budget,
    report: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let before = budget.work.conflicts;
    let mut value = "draw".to_owned();
    for pursuer in [1, 2] {
        report.progress(format_args!("by SAT, whether player {pursuer} can force a repeat by move {limit}"));
        match strategy_sat::forces(graph, rules.start, Pursuer(pursuer), limit, budget) {
            Ok(None) => {
                let most = strategy_sat::MOST;
                left_out(
                    &format!("its formula is too large, over {most} moves of a class by a toggle"),
                    report,
                );
                return Ok(());
            }
            Ok(Some(false)) => {}
            Ok(Some(true)) => value = wins(pursuer),
            Err(Unfinished::Limit(limit)) => {
                left_out(&limit.to_string(), report);
                return Err(limit.into());
            }
            Err(Unfinished::Failed(reason)) => return Err(StudyError::Unsupported(reason)),
        }
    }
    let took = Took { conflicts: budget.work.conflicts - before, ..Took::default() };
    report.row(found(rules, n, &value, "sat", took));
    Ok(())
}

/// Tells why there is no row of SAT.
fn left_out(why: &str, report: &mut dyn StudyOutput) {
    report
        .summary(&format!("SAT is left out: {why}."), row([("how", "sat".into()), ("left_out", why.into())]));
}

/// Keeps the certificate, if all evidence is there.
fn tell(
    rules: &Rules,
    n: u32,
    limit: usize,
    value: &str,
    evidence: &[(&str, Option<Value>)],
    report: &mut dyn StudyOutput,
) {
    if n > MAX_WRITTEN {
        return report.no_file(TOO_LARGE);
    }
    if evidence.iter().any(|(_, evidence)| evidence.is_none()) {
        return report.no_file("the search is too long to be written down");
    }
    report.file("certificate.json", &|| {
        let mut map = certificate("value", n, rules);
        map.insert("limit".to_owned(), limit.into());
        map.insert("value".to_owned(), value.into());
        for (key, evidence) in evidence {
            map.insert((*key).to_owned(), evidence.clone().unwrap_or_default());
        }
        Value::Object(map).to_string().into_bytes()
    });
}
