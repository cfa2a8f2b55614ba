//! Checks certificates of `value`: the winner's answers if there is no limit on moves, otherwise strategy trees.

use super::patterns::{Game, MAX_SIDE, Patterns};
use super::tree::{self, TreeError};
use super::{number, rules};
use counterpoint_core::claim::{Claim, Status};
use counterpoint_core::engine::Budget;
use counterpoint_core::errors::FormatError;
use serde_json::{Map, Value};

/// The greatest supported limit on moves.
pub(super) const MAX_LIMIT: u64 = 400;

pub(super) fn check(
    certificate: &Map<String, Value>,
    budget: &mut Budget,
) -> Result<Vec<Claim>, FormatError> {
    let n = number(certificate, "n", 1, MAX_SIDE)?;
    let (group, start) = rules(certificate)?;
    let winner = match certificate.get("value").and_then(Value::as_str) {
        Some("player 1 wins") => Some(1),
        Some("player 2 wins") => Some(2),
        Some("draw") => None,
        _ => return Err("\"value\" is not \"player 1 wins\", \"player 2 wins\" or \"draw\"".into()),
    };
    let patterns = Patterns::new(n, group);
    let game = || Game::new(&patterns, start);
    if certificate.get("limit").and_then(Value::as_str) == Some("none") {
        let winner = winner
            .ok_or("\"value\" is \"draw\", but without a limit on moves one player repeats in the end")?;
        return Ok(vec![never_repeats(certificate, &game(), winner, budget)]);
    }
    let limit = number(certificate, "limit", 1, MAX_LIMIT)
        .map_err(|_| format!("\"limit\" is not \"none\" or an integer from 1 to {MAX_LIMIT}"))?;
    Ok(match winner {
        Some(winner) => vec![forces(certificate, &mut game(), winner, limit, budget)],
        None => {
            let trees = certificate.get("holds").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            let [first, second] = trees else {
                return Err(
                    "\"holds\" is not a list of two trees, for player 1 and player 2 as the pursuer".into()
                );
            };
            let mut hold = |pursuer, tree| holds(&mut game(), pursuer, limit, tree, budget);
            vec![hold(1, first), hold(2, second)]
        }
    })
}

/// The claim that the winner never has to repeat, because there is an answer to every pattern.
pub(super) fn never_repeats(
    certificate: &Map<String, Value>,
    game: &Game<'_>,
    winner: usize,
    budget: &mut Budget,
) -> Claim {
    let text = format!("player {winner} has an answer to every pattern, so the other repeats first");
    let answers = certificate.get("answers").and_then(Value::as_str).unwrap_or_default();
    // If the start does not count, the first move of player 1 answers nothing.
    let found = if winner == 1 && game.is_fresh(0) {
        Err(TreeError::Wrong(
            "the start does not count, so the first move of player 1 is not an answer".to_owned(),
        ))
    } else {
        tree::answers(game, winner, answers, budget)
    };
    claim(text, found)
}

/// The claim that the player other than the pursuer need not repeat in the first `limit` moves.
pub(super) fn holds(
    game: &mut Game<'_>,
    pursuer: usize,
    limit: usize,
    tree: &Value,
    budget: &mut Budget,
) -> Claim {
    let text = format!("player {} need not repeat in the first {limit} moves", 3 - pursuer);
    claim(text, tree::holds(game, pursuer, limit, tree, budget))
}

/// The claim that the pursuer can force the other player to repeat by move `limit`.
pub(super) fn forces(
    certificate: &Map<String, Value>,
    game: &mut Game<'_>,
    pursuer: usize,
    limit: usize,
    budget: &mut Budget,
) -> Claim {
    let text = format!("player {pursuer} can force the other to repeat by move {limit}");
    let tree = certificate.get("forces").unwrap_or(&Value::Null);
    claim(text, tree::forces(game, pursuer, limit, tree, budget))
}

fn claim(text: String, found: Result<(), TreeError>) -> Claim {
    let status = match found {
        Ok(()) => Status::Witness,
        Err(TreeError::Wrong(why)) => Status::Failed(why),
        Err(TreeError::Limit(limit)) => Status::Open(limit.to_string()),
    };
    Claim::new(text, status)
}
