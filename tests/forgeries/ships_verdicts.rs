//! Forged answers to Ships without evidence: verdicts, and the single sets that models of formulas show.

use crate::ships::{
    FLEETS, Games, NEITHER, SOME_FLEET, SOME_PLAN, as_set, bits, change_set, misses, other_board, size,
};
use crate::ships_brute::Shape;
use crate::tally::Tally;
use counterpoint::board::{Cell, Size};
use counterpoint::engine::Budget;
use counterpoint::problems::ships::check::check_set;
use counterpoint::problems::ships::{Dialect, Fleet, Instance, Poses, Rules, Ship, Square};
use rand::RngExt;
use serde_json::Value;
use std::collections::BTreeSet;

fn verdict(answer: &mut Value, outcome: &str) {
    let map = answer.as_object_mut().unwrap();
    ["sets", "plan", "lost"].iter().for_each(|key| drop(map.remove(*key)));
    map.insert("outcome".to_owned(), outcome.into());
    map.insert("evidence".to_owned(), "none".into());
}

/// A verdict about a board that differs in one square from one with this verdict.
fn wrong_verdicts(claim: &'static str, outcome: &str, is_false: impl Fn(&BTreeSet<u32>, bool) -> bool) {
    let (mut tally, mut games) = (Tally::new("ships, verdict", claim), Games::new());
    while tally.wants_more() {
        let mut game = games.random(&["yes", "no", "no-fleet"], &mut tally.rng);
        verdict(&mut game.answer, outcome);
        other_board(&games, &mut game, &mut tally.rng);
        let is_won = games.worlds[game.world].is_won(&game.family, misses(game.world));
        if is_false(&game.family, is_won) {
            games.forge(&mut tally, &game.answer);
        } else {
            tally.still_true();
        }
    }
}

#[test]
fn verdicts_that_a_fleet_fits() {
    wrong_verdicts(SOME_FLEET, "yes", |family, _| family.is_empty());
}

#[test]
fn verdicts_of_lost_boards() {
    wrong_verdicts(SOME_PLAN, "yes", |_, is_won| !is_won);
}

#[test]
fn verdicts_of_won_boards() {
    wrong_verdicts(NEITHER, "no", |family, is_won| is_won && !family.is_empty());
}

/// A single set, as a model of a formula shows it.
#[test]
fn single_sets_that_do_not_fit() {
    let (mut tally, mut games) =
        (Tally::new("ships, model", "a fleet that fits covers the set"), Games::new());
    while tally.wants_more() {
        let game = games.random(&["yes", "no"], &mut tally.rng);
        let (shapes, _, _, question) = FLEETS[game.world];
        let (w, h) = size(game.world);
        let all = game.family.len();
        let mut set = as_set(*game.family.iter().nth(tally.rng.random_range(0..all)).unwrap(), w);
        change_set(&mut set, (w, h), &mut tally.rng);
        if bits(&set, w.into()).is_some_and(|set| game.family.contains(&set)) {
            tally.still_true();
            continue;
        }
        let ship = |(i, shape): (usize, &Shape)| Ship {
            name: i.to_string(),
            cells: shape.iter().map(|&(row, col)| Cell::new(row as u32, col as u32)).collect(),
            poses: Poses::allowing(question.turn == "yes", question.mirror == "yes"),
        };
        let fleet = Fleet { ships: shapes.iter().enumerate().map(ship).collect() };
        let rules = Rules { misses: question.misses, fleet, dialect: Dialect::Auto };
        let square = |code: &u8| [Square::Unknown, Square::Hit, Square::Miss][*code as usize];
        let board = Instance { size: Size::new(w, h), squares: game.board.iter().map(square).collect() };
        let cell = |cell: &Value| {
            Cell::new(cell[0].as_u64().unwrap() as u32 - 1, cell[1].as_u64().unwrap() as u32 - 1)
        };
        let cells: Vec<Cell> = set.as_array().unwrap().iter().map(cell).collect();
        let forgery = format!("{:?} {} {set}", board.squares, game.world);
        tally.is_false(&forgery, || Ok(check_set(&rules, &board, &cells, &mut Budget::unlimited())));
    }
}
