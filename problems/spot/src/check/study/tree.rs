//! Checks strategy trees, which show what a player can or cannot force, by replaying them move by move.
//!
//! The *pursuer* tries to force the other player to repeat. `moves` is the number of moves that the limit
//! leaves to the other player. A pattern is *fresh* until it is produced. There are three kinds of trees for
//! a position with the pursuer to move:
//! * `{"each": [[square, tree], ..]}` has, for each move of the pursuer that is not a repeat, the other player's answer
//!   and a tree for the position after this answer. If several toggles make the same move, the first of their squares
//!   stands for the move; the moves are in the order of these squares.
//! * `{"reserve": [[pattern, square], ..]}` shows that the other player always has an answer. Each pattern
//!   listed has a fresh neighbour that is reserved for it alone; toggling the square leads there. Any other
//!   pattern that the pursuer can reach has more fresh, unreserved neighbours than the other player can
//!   produce with all its moves but the last.
//! * `{"move": square, "then": [tree, ..]}` is the pursuer's move, with a tree for each answer that is not a repeat.
//!   The answers are in the same order as the moves of `each`.

use super::patterns::Game;
use counterpoint_core::engine::{Budget, Limit};
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// Why a tree proves nothing.
pub(super) enum TreeError {
    /// The tree is malformed or wrong.
    Wrong(String),
    /// The checker's budget ended.
    Limit(Limit),
}

impl From<Limit> for TreeError {
    fn from(limit: Limit) -> Self {
        TreeError::Limit(limit)
    }
}

fn wrong<T>(why: impl Into<String>) -> Result<T, TreeError> {
    Err(TreeError::Wrong(why.into()))
}

/// The number of moves that the player other than `pursuer` makes among the first `limit` moves.
fn others_moves(pursuer: usize, limit: usize) -> usize {
    if pursuer == 1 { limit / 2 } else { limit.div_ceil(2) }
}

/// Checks that the player other than `pursuer` need not repeat in the first `limit` moves.
pub(super) fn holds(
    game: &mut Game<'_>,
    pursuer: usize,
    limit: usize,
    tree: &Value,
    budget: &mut Budget,
) -> Result<(), TreeError> {
    let moves = others_moves(pursuer, limit);
    if pursuer == 1 || moves == 0 {
        return pursued(game, moves, tree, budget);
    }
    answered(game, moves, tree, budget)
}

/// Checks a tree for a position with the pursuer to move: the other player need not repeat in its next `moves` moves.
fn pursued(game: &mut Game<'_>, moves: usize, tree: &Value, budget: &mut Budget) -> Result<(), TreeError> {
    budget.node()?;
    if moves == 0 {
        return Ok(());
    }
    if let Some(pairs) = tree.get("reserve").and_then(Value::as_array) {
        return reserved(game, moves, pairs, budget);
    }
    let Some(each) = tree.get("each").and_then(Value::as_array) else {
        return wrong("a tree has neither a list \"reserve\" nor a list \"each\"");
    };
    let options = game.fresh();
    if each.len() != options.len() {
        return wrong(format!(
            "{} moves are not repeats, but \"each\" answers {}",
            options.len(),
            each.len()
        ));
    }
    for (option, answer) in options.into_iter().zip(each) {
        game.play(option);
        answered(game, moves, answer, budget)?;
        game.take_back();
    }
    Ok(())
}

/// Checks `answer`, which is a move of the other player with a tree for the position after it.
fn answered(game: &mut Game<'_>, moves: usize, answer: &Value, budget: &mut Budget) -> Result<(), TreeError> {
    let [square, tree] = answer.as_array().map_or(&[][..], Vec::as_slice) else {
        return wrong("an answer is not a pair of a square and a tree");
    };
    let Some(square) = square.as_u64().and_then(|index| game.patterns.square(index)) else {
        return wrong(format!("an answer names the square {square}, which is not on the board"));
    };
    let next = game.patterns.toggled(game.at(), square);
    if !game.is_fresh(next) {
        return wrong(format!("an answer leads to pattern {next}, which was produced before"));
    }
    game.play(next);
    pursued(game, moves - 1, tree, budget)?;
    game.take_back();
    Ok(())
}

/// Checks that the reserved patterns suffice for `moves` moves of the other player, with the pursuer to move.
fn reserved(game: &Game<'_>, moves: usize, pairs: &[Value], budget: &mut Budget) -> Result<(), TreeError> {
    let (mut reserved, mut has_one) = (HashSet::new(), HashSet::new());
    for pair in pairs {
        let pair: Option<Vec<u64>> = pair.as_array().and_then(|p| p.iter().map(Value::as_u64).collect());
        let Some([pattern, square]) = pair.as_deref() else {
            return wrong("\"reserve\" is not a list of pairs of numbers");
        };
        let Some(square) = game.patterns.square(*square).filter(|_| game.patterns.is_pattern(*pattern))
        else {
            return wrong(format!("[{pattern}, {square}] in \"reserve\" is not a pattern with a square"));
        };
        let near = game.patterns.toggled(*pattern as u32, square);
        if !game.is_fresh(near) || !reserved.insert(near) {
            return wrong(format!("pattern {near} is reserved, but was produced or is reserved twice"));
        }
        has_one.insert(*pattern as u32);
    }
    let here = game.at();
    // Fresh patterns of the parity to which the pursuer moves.
    let comes = |&pattern: &u32| game.is_fresh(pattern) && (pattern ^ here).count_ones() % 2 == 1;
    for pattern in game.patterns.all().filter(comes).filter(|pattern| !has_one.contains(pattern)) {
        budget.node()?;
        // Each toggle changes the number of spots by one.
        let toggles = pattern.count_ones().abs_diff(here.count_ones()) as usize;
        // The other player's move j is toggle 2j, so it can produce a neighbour of the pattern only if the pattern is
        // at most 2j + 1 toggles away.
        let could_be_used = (1..moves).filter(|j| toggles <= 2 * j + 1).count();
        let can_come = toggles < 2 * moves;
        let around = game.patterns.around(pattern);
        let left = around.iter().filter(|&&near| game.is_fresh(near) && !reserved.contains(&near)).count();
        if can_come && left <= could_be_used {
            return wrong(format!("pattern {pattern} has only {left} fresh, unreserved neighbours"));
        }
    }
    Ok(())
}

/// Checks that `pursuer` can force the other player to repeat within the first `limit` moves.
pub(super) fn forces(
    game: &mut Game<'_>,
    pursuer: usize,
    limit: usize,
    tree: &Value,
    budget: &mut Budget,
) -> Result<(), TreeError> {
    let moves = others_moves(pursuer, limit);
    if pursuer == 1 { forced(game, moves, tree, budget) } else { all_forced(game, moves, tree, budget) }
}

/// Checks a tree for a position with the pursuer to move: it forces a repeat within `moves` moves of the other player.
fn forced(game: &mut Game<'_>, moves: usize, tree: &Value, budget: &mut Budget) -> Result<(), TreeError> {
    budget.node()?;
    let square = tree.get("move").and_then(Value::as_u64).and_then(|index| game.patterns.square(index));
    let (Some(square), Some(then)) = (square, tree.get("then")) else {
        return wrong("a tree has no \"move\" that is a square, or no \"then\"");
    };
    let next = game.patterns.toggled(game.at(), square);
    if !game.is_fresh(next) {
        return wrong(format!("a move leads to pattern {next}, which was produced before"));
    }
    game.play(next);
    all_forced(game, moves, then, budget)?;
    game.take_back();
    Ok(())
}

/// Checks a list of trees for a position with the other player to move. The list must have one tree for each answer
/// that is not a repeat.
fn all_forced(game: &mut Game<'_>, moves: usize, then: &Value, budget: &mut Budget) -> Result<(), TreeError> {
    let options = game.fresh();
    if moves == 0 || (moves == 1 && !options.is_empty()) {
        return wrong("the limit is reached before the other player has to repeat");
    }
    let then = then.as_array().filter(|then| then.len() == options.len());
    let Some(then) = then else {
        return wrong(format!("\"then\" is not a list of {} trees, one for each answer", options.len()));
    };
    for (option, tree) in options.into_iter().zip(then) {
        game.play(option);
        forced(game, moves - 1, tree, budget)?;
        game.take_back();
    }
    Ok(())
}

/// Checks that the winner has a different answer to each pattern at which it may be the winner's turn, and that no
/// answer produces the empty board if the start counts. Then the winner never has to repeat in a game without a limit
/// on moves.
pub(super) fn answers(
    game: &Game<'_>,
    winner: usize,
    answers: &str,
    budget: &mut Budget,
) -> Result<(), TreeError> {
    let turn = |pattern: &u32| pattern.count_ones() % 2 == if winner == 1 { 0 } else { 1 };
    let mut partners: HashMap<u32, u32> = HashMap::new();
    let mut squares = answers.chars();
    for pattern in game.patterns.all().filter(turn) {
        budget.node()?;
        let square = squares.next().and_then(|digit| digit.to_digit(36));
        let Some(square) = square.and_then(|index| game.patterns.square(index.into())) else {
            return wrong(format!("\"answers\" has no square for pattern {pattern}"));
        };
        let partner = game.patterns.toggled(pattern, square);
        if !game.is_fresh(partner) {
            return wrong(format!("the answer to pattern {pattern} is the start, which is produced"));
        }
        if let Some(other) = partners.insert(partner, pattern) {
            return wrong(format!("patterns {other} and {pattern} have the same answer"));
        }
    }
    if squares.next().is_some() {
        wrong("\"answers\" has more squares than there are patterns")
    } else {
        Ok(())
    }
}
