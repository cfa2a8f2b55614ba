//! The question `forcing-limit`: the smallest limit on moves with which a player can force a win.

use super::super::{Instance, Rules, Start};
use super::forcing_search::ForcingSearch;
use super::implicit::MAX_SIDE;
use super::pursuit::Pursuer;
use super::strategy::Strategy;
use super::strategy_tree::{TreeWriter, certificate};
use crate::engine::Budget;
use crate::problem::{Param, StudyRequest};
use crate::study::{StudyError, StudyOutput, row};
use petgraph::visit::IntoNodeIdentifiers;
use serde_json::Value;
use std::fmt;

/// Parameters of [`ask`].
pub const PARAMS: &[Param] = &[
    Param { key: "n", default: 3.0, min: 1.0, max: MAX_SIDE as f64 },
    Param { key: "most", default: 24.0, min: 1.0, max: 10_000.0 },
];
/// The greatest side for which evidence is written down.
const MAX_WRITTEN: u32 = 4;
/// The most nodes of a search that is written down.
const MAX_TOLD: u64 = 900;

/// What is known so far.
struct Bounds {
    at_least: usize,
    at_most: usize,
    /// A lower bound with what shows it, for the longest search that is written down.
    held: Option<(usize, Value)>,
    /// What shows the upper bound, if it was found by a search.
    forces: Option<Value>,
    nodes: u64,
    /// As in [`super::forcing_search::Found`].
    odds: Option<i32>,
}

/// The question `forcing-limit`: limits one after the other up to `most`; one row.
///
/// # Errors
/// The limit of the budget that was met; the bounds so far are told before.
pub fn ask(
    &StudyRequest { rules, params, .. }: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    report: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let (n, most) = (params.whole("n"), params.whole("most") as usize);
    let arena = ForcingSearch::new(n, rules).map_err(StudyError::Unsupported)?;
    let strategy = Strategy::new(n, rules.group);
    let winner = strategy.winner(rules.start);
    let at_most = at_most(&arena, winner);
    // The other has to be on the move once at least.
    let at_least = if Pursuer(winner).others_moves(1) > 0 { 1 } else { 2 };
    let mut bounds = Bounds { at_least, at_most, held: None, forces: None, nodes: 0, odds: None };
    let end = search(&arena, Pursuer(winner), most, &mut bounds, budget, report);
    let Bounds { at_least, at_most, held, forces, nodes, odds } = bounds;
    let apart = odds.map_or("exactly".to_owned(), |odds| format!("by hash, wrong at odds of 2^{odds}"));
    report.row(row([
        ("n", n.into()),
        ("symmetry", rules.group.name().into()),
        ("start", if rules.start == Start::Counted { "counted" } else { "uncounted" }.into()),
        ("winner", winner.into()),
        ("at least", at_least.into()),
        ("at most", at_most.into()),
        ("certified at least", held.as_ref().map_or(Value::Null, |(at_least, _)| (*at_least).into())),
        ("nodes", nodes.into()),
        ("positions told apart", apart.into()),
    ]));
    let Some((at_least, holds)) = held.filter(|_| n <= MAX_WRITTEN) else {
        report.no_file(if n > MAX_WRITTEN {
            "certificates are for boards up to 4x4"
        } else {
            "no search held that is short enough to be written down"
        });
        return end;
    };
    report.file("certificate.json", &|| {
        let mut map = certificate("forcing-limit", n, rules);
        map.insert("winner".to_owned(), winner.into());
        map.insert("at_least".to_owned(), at_least.into());
        map.insert("at_most".to_owned(), at_most.into());
        map.insert("answers".to_owned(), TreeWriter::new(&arena.graph, n).answers(&strategy, winner).into());
        map.insert("holds".to_owned(), holds.clone());
        if let Some(forces) = &forces {
            map.insert("forces".to_owned(), forces.clone());
        }
        Value::Object(map).to_string().into_bytes()
    });
    end
}

/// The winner answers each class that the other comes to, and she can come to each once: so many moves until she
/// repeats at the latest.
fn at_most(arena: &ForcingSearch, winner: u8) -> usize {
    let even = arena.graph.node_identifiers().filter(|&class| arena.graph.is_even(class)).count();
    let odd = arena.graph.node_identifiers().count() - even;
    // The empty board, from which player 1 starts, is none to which player 2 comes.
    if winner == 1 { 2 * even } else { 2 * odd + 1 }
}

fn search(
    arena: &ForcingSearch,
    pursuer: Pursuer,
    most: usize,
    bounds: &mut Bounds,
    budget: &mut Budget,
    report: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    for limit in 1..=most.min(bounds.at_most) {
        if pursuer.others_moves(limit) == pursuer.others_moves(limit - 1) {
            continue;
        }
        report.progress(format_args!("whether limit {limit} forces a win"));
        let progress = &mut |words: fmt::Arguments<'_>| {
            report.progress(format_args!("whether limit {limit} forces a win; {words}"))
        };
        let found = arena.forces(pursuer, limit, MAX_TOLD, progress, budget)?;
        bounds.nodes += found.nodes;
        bounds.odds = bounds.odds.max(found.odds);
        if found.forced {
            bounds.at_most = limit;
            bounds.forces = found.evidence;
            break;
        }
        // A further move of the winner's own changes nothing.
        bounds.at_least = limit + 2;
        bounds.held = found.evidence.map(|holds| (bounds.at_least, holds)).or(bounds.held.take());
    }
    Ok(())
}
