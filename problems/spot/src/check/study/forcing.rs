//! Checks certificates of `forcing-limit`: the winner, and bounds on the move by which the winner can force a repeat.

use super::patterns::{Game, MAX_SIDE, Patterns};
use super::value::{MAX_LIMIT, forces, holds, never_repeats};
use super::{number, rules};
use counterpoint_core::claim::{Claim, Status};
use counterpoint_core::engine::Budget;
use counterpoint_core::errors::FormatError;
use serde_json::{Map, Value};

pub(super) fn check(
    certificate: &Map<String, Value>,
    budget: &mut Budget,
) -> Result<Vec<Claim>, FormatError> {
    let n = number(certificate, "n", 1, MAX_SIDE)?;
    let (group, start) = rules(certificate)?;
    let winner = number(certificate, "winner", 1, 2)?;
    let at_least = number(certificate, "at_least", 1, MAX_LIMIT)?;
    let at_most = number(certificate, "at_most", 1, 1 << 20)?;
    let patterns = Patterns::new(n, group);
    let game = || Game::new(&patterns, start);
    let mut claims = vec![never_repeats(certificate, &game(), winner, budget)];
    if certificate.contains_key("forces") {
        claims.push(forces(certificate, &mut game(), winner, at_most, budget));
    } else {
        let even = patterns.all().filter(|pattern| pattern.count_ones() % 2 == 0).count();
        let odd = patterns.all().count() - even;
        let text = format!("with these answers the other player repeats by move {at_most}");
        // The other player can produce each pattern of one parity once. If the winner is player 1, the start counts, so
        // player 2 cannot produce the empty board.
        let bound = if winner == 1 { 2 * even } else { 2 * odd + 1 };
        let status = match () {
            _ if bound > at_most => {
                Status::Failed(format!("the number of patterns implies only move {bound}"))
            }
            _ if claims[0].status.is_closed() => Status::Recomputed,
            _ => Status::Open("the answers are not valid".to_owned()),
        };
        claims.push(Claim::new(text, status));
    }
    // The lower bound: the winner cannot force a repeat by move `at_least` - 1.
    match certificate.get("holds") {
        Some(tree) => claims.push(holds(&mut game(), winner, at_least - 1, tree, budget)),
        None if at_least == 1 => {}
        None => {
            return Err("\"holds\" is missing; expected a tree for one move less than \"at_least\"".into());
        }
    }
    Ok(claims)
}
