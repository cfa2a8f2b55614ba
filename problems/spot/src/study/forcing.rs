//! The question `forcing-limit`: the smallest limit on moves with which a player can force a win.
//!
//! Limits are searched in ascending order (`pursuit.rs`). The pairing strategy (`strategy.rs`) gives the winner and an
//! upper bound.

use super::super::{Instance, Rules};
use super::forcing_search::ForcingSearch;
use super::implicit::MAX_SIDE;
use super::pursuit::Pursuer;
use super::strategy::Strategy;
use super::strategy_tree::{TreeWriter, certificate};
use counterpoint_core::engine::Budget;
use counterpoint_core::problem::{Param, StudyRequest};
use counterpoint_core::study::{StudyError, StudyOutput, row};
use petgraph::visit::IntoNodeIdentifiers;
use serde_json::Value;
use std::fmt;

/// Parameters of [`run`].
pub const PARAMS: &[Param] =
    &[Param::number("n", 3.0, 1.0, MAX_SIDE as f64), Param::number("most", 24.0, 1.0, 10_000.0)];
/// The greatest side for which certificates are written.
const MAX_CERTIFICATE_SIDE: u32 = 4;
/// The tree of a search is written to a certificate if the search took at most this many nodes.
const MAX_EVIDENCE_NODES: u64 = 900;

/// The known bounds on the smallest limit, and their evidence.
struct Bounds {
    at_least: usize,
    at_most: usize,
    /// The greatest lower bound that has evidence; `None` if no lower bound has evidence.
    certified: Option<CertifiedBound>,
    /// The evidence for the upper bound. `None` if the pairing strategy gives the bound, or if the search that found
    /// the bound took too many nodes.
    forces: Option<Value>,
    /// The number of nodes of all searches.
    nodes: u64,
    /// See [`super::forcing_search::Found::collision_exponent`].
    collision_exponent: Option<i32>,
}

/// A lower bound with its evidence.
struct CertifiedBound {
    at_least: usize,
    /// A tree that shows that no repeat can be forced by move `at_least` - 1.
    holds: Value,
}

/// Answers the question `forcing-limit` with one row, after searching the limits up to `most`.
///
/// # Errors
/// Returns an error if a limit of the budget was reached. The row with the bounds found until then is written first.
pub fn run(
    &StudyRequest { rules, params, .. }: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let (n, most) = (params.whole("n"), params.whole("most") as usize);
    let forcing = ForcingSearch::new(n, rules)?;
    let strategy = Strategy::new(n, rules.group);
    let winner = strategy.winner(rules.start);
    let at_most = upper_bound(&forcing, winner);
    // A repeat needs at least one move of the other player.
    let at_least = if Pursuer(winner).others_moves(1) > 0 { 1 } else { 2 };
    let mut bounds =
        Bounds { at_least, at_most, certified: None, forces: None, nodes: 0, collision_exponent: None };
    let end = search(&forcing, Pursuer(winner), most, &mut bounds, budget, output);
    let Bounds { at_least, at_most, certified, forces, nodes, collision_exponent } = bounds;
    let identified = collision_exponent
        .map_or("exactly".to_owned(), |exponent| format!("by hash, wrong at odds of 2^{exponent}"));
    output.row(row([
        ("n", n.into()),
        ("symmetry", rules.group.name().into()),
        ("start", rules.start.name().into()),
        ("winner", winner.into()),
        ("at least", at_least.into()),
        ("at most", at_most.into()),
        ("certified at least", certified.as_ref().map_or(Value::Null, |bound| bound.at_least.into())),
        ("nodes", nodes.into()),
        ("positions told apart", identified.into()),
    ]));
    if let Some(note) = uncertified(at_least, certified.as_ref()) {
        output.note(&note);
    }
    let Some(CertifiedBound { at_least, holds }) = certified.filter(|_| n <= MAX_CERTIFICATE_SIDE) else {
        output.no_file(if n > MAX_CERTIFICATE_SIDE {
            "certificates are written for boards up to 4x4"
        } else {
            "no search that refuted a limit is short enough for a certificate"
        });
        return end;
    };
    output.file("certificate.json", &|| {
        let mut map = certificate("forcing-limit", n, rules);
        map.insert("winner".to_owned(), winner.into());
        map.insert("at_least".to_owned(), at_least.into());
        map.insert("at_most".to_owned(), at_most.into());
        map.insert(
            "answers".to_owned(),
            TreeWriter::new(&forcing.graph, n).answers(&strategy, winner).into(),
        );
        map.insert("holds".to_owned(), holds.clone());
        if let Some(forces) = &forces {
            map.insert("forces".to_owned(), forces.clone());
        }
        Value::Object(map).to_string().into_bytes()
    });
    end
}

/// A note if the search gives a greater lower bound than a certificate proves.
fn uncertified(at_least: usize, certified: Option<&CertifiedBound>) -> Option<String> {
    let computed = format!("the lower bound {at_least} is computed, without a certificate");
    match certified {
        Some(bound) if bound.at_least == at_least => None,
        Some(bound) => Some(format!("{computed}; a certificate proves {}", bound.at_least)),
        None => Some(computed),
    }
}

/// The latest move at which the loser repeats if the winner follows the pairing strategy. The winner answers each class
/// that the loser produces, and the loser can produce each class of its parity only once.
fn upper_bound(forcing: &ForcingSearch, winner: u8) -> usize {
    let even = forcing.graph.node_identifiers().filter(|&class| forcing.graph.is_even(class)).count();
    let odd = forcing.graph.node_identifiers().count() - even;
    // Player 1 wins only if the start counts, so player 2 can produce every even class but that of the empty board.
    if winner == 1 { 2 * even } else { 2 * odd + 1 }
}

fn search(
    forcing: &ForcingSearch,
    pursuer: Pursuer,
    most: usize,
    bounds: &mut Bounds,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    for limit in 1..=most.min(bounds.at_most) {
        if pursuer.others_moves(limit) == pursuer.others_moves(limit - 1) {
            continue;
        }
        output.progress(format_args!("searching limit {limit}"));
        let progress = &mut |words: fmt::Arguments<'_>| {
            output.progress(format_args!("searching limit {limit}; {words}"))
        };
        let found = forcing.forces(pursuer, limit, MAX_EVIDENCE_NODES, progress, budget)?;
        bounds.nodes += found.nodes;
        bounds.collision_exponent = bounds.collision_exponent.max(found.collision_exponent);
        if found.forced {
            bounds.at_most = limit;
            bounds.forces = found.evidence;
            break;
        }
        // A further move of the winner cannot make the loser repeat, so the next limit is refuted as well.
        bounds.at_least = limit + 2;
        if let Some(holds) = found.evidence {
            bounds.certified = Some(CertifiedBound { at_least: bounds.at_least, holds });
        }
    }
    Ok(())
}
