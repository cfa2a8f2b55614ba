//! `value`: who wins, by the winner's answers or by trees for either player.

use super::patterns::{Game, MAX_SIDE, Patterns};
use super::tree::{self, Trouble};
use super::{number, rules};
use crate::claim::{Claim, Status};
use crate::engine::Budget;
use serde_json::{Map, Value};

/// The longest limit that trees are followed to.
pub(super) const MAX_LIMIT: u64 = 400;

pub(super) fn check(certificate: &Map<String, Value>, budget: &mut Budget) -> Result<Vec<Claim>, String> {
    let n = number(certificate, "n", 1, MAX_SIDE)?;
    let (group, start) = rules(certificate)?;
    let winner = match certificate.get("value").and_then(Value::as_str) {
        Some("player 1 wins") => Some(1),
        Some("player 2 wins") => Some(2),
        Some("draw") => None,
        _ => return Err("\"value\" is none of \"player 1 wins\", \"player 2 wins\" and \"draw\"".to_owned()),
    };
    let patterns = Patterns::new(n, group);
    let game = || Game::new(&patterns, start);
    if certificate.get("limit").and_then(Value::as_str) == Some("none") {
        let winner = winner.ok_or("without a limit \"value\" is no draw: somebody repeats in the end")?;
        return Ok(vec![never_repeats(certificate, &game(), winner, budget)]);
    }
    let limit = number(certificate, "limit", 1, MAX_LIMIT)
        .map_err(|_| format!("\"limit\" is neither \"none\" nor a whole number from 1 to {MAX_LIMIT}"))?;
    Ok(match winner {
        Some(winner) => vec![forces(certificate, &mut game(), winner, limit, budget)],
        None => {
            let trees = certificate.get("holds").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            let [first, second] = trees else {
                return Err("\"holds\" is no list of two trees, for player 1 and 2 as the pursuer".to_owned());
            };
            let mut hold = |pursuer, tree| holds(&mut game(), pursuer, limit, tree, budget);
            vec![hold(1, first), hold(2, second)]
        }
    })
}

/// The winner can answer without end.
pub(super) fn never_repeats(
    certificate: &Map<String, Value>,
    game: &Game<'_>,
    winner: usize,
    budget: &mut Budget,
) -> Claim {
    let text = format!("player {winner} has an answer to every pattern, so the other repeats first");
    let answers = certificate.get("answers").and_then(Value::as_str).unwrap_or_default();
    // Uncounted, player 1 begins with a pattern to which nothing was answered.
    let found = if winner == 1 && game.is_fresh(0) {
        Err(Trouble::Wrong("the start is not produced, so player 1 does not answer it".to_owned()))
    } else {
        tree::answers(game, winner, answers, budget)
    };
    claim(text, found)
}

/// The player other than the pursuer need not repeat.
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

/// The pursuer makes the other repeat.
pub(super) fn forces(
    certificate: &Map<String, Value>,
    game: &mut Game<'_>,
    pursuer: usize,
    limit: usize,
    budget: &mut Budget,
) -> Claim {
    let text = format!("player {pursuer} can make the other repeat by move {limit}");
    let tree = certificate.get("forces").unwrap_or(&Value::Null);
    claim(text, tree::forces(game, pursuer, limit, tree, budget))
}

fn claim(text: String, found: Result<(), Trouble>) -> Claim {
    let status = match found {
        Ok(()) => Status::Witness,
        Err(Trouble::Wrong(why)) => Status::Failed(why),
        Err(Trouble::Limit(limit)) => Status::Open(limit.to_string()),
    };
    Claim::new(text, status)
}
