//! Forged answers to Ships: sets of squares, plans, lost families and verdicts.

use crate::bench::Bench;
use crate::ships_brute::{BAR, CORNER, DOMINO, JUDGE, POSES, Question, SQUARE, Shape, Squares, V, World};
use crate::tally::{Tally, genuine};
use chacha20::ChaCha8Rng;
use counterpoint::claim::Claim;
use counterpoint::engine::{Budget, Outcome};
use counterpoint::erased::{DynAnswer, DynInstance};
use rand::RngExt;
use serde_json::{Value, json};
use std::collections::BTreeSet;

pub(crate) const FITS: &str = "each listed set is covered by a fleet that fits";
pub(crate) const DISTINCT: &str = "the listed sets are distinct";
pub(crate) const TWO: &str = "at least two sets are listed, all distinct";
pub(crate) const PLAN: &str = "the plan uncovers each of them with at most …";
pub(crate) const NO_OTHER: &str = "no other set is covered by a fleet that fits";
pub(crate) const NO_PLAN: &str = "no plan uncovers each of them with at most …";
pub(crate) const NO_FLEET: &str = "no fleet fits";
pub(crate) const SOME_FLEET: &str = "some fleet fits";
pub(crate) const SOME_PLAN: &str = "some plan uncovers every set that fits with at most …";
pub(crate) const NEITHER: &str = "no plan uncovers every set that fits with at most …, or no fleet fits";
pub(crate) const KINDS: [&str; 10] =
    [FITS, DISTINCT, TWO, PLAN, NO_OTHER, NO_PLAN, NO_FLEET, SOME_FLEET, SOME_PLAN, NEITHER];

pub(crate) const FLEETS: [(&[Shape], i32, i32, Question); 8] = [
    (&[DOMINO], 3, 2, JUDGE[1]),
    (&[DOMINO, DOMINO], 3, 3, JUDGE[1]),
    (&[BAR, DOMINO], 4, 3, JUDGE[1]),
    (&[CORNER], 3, 3, JUDGE[2]),
    (&[CORNER, DOMINO], 3, 3, POSES[0]),
    (&[SQUARE, BAR], 4, 3, JUDGE[0]),
    (&[DOMINO, BAR], 3, 3, JUDGE[3]),
    (&[V], 4, 4, POSES[5]),
];

/// A board with its genuine answer, and what brute force knows about it.
pub(crate) struct Game {
    pub(crate) world: usize,
    pub(crate) board: Vec<u8>,
    pub(crate) family: BTreeSet<u32>,
    pub(crate) answer: Value,
}

pub(crate) struct Games {
    pub(crate) worlds: Vec<World>,
    bench: Bench,
}

impl Games {
    pub(crate) fn new() -> Games {
        let of = |(fleet, w, h, question): (&[Shape], i32, i32, Question)| World::new(fleet, w, h, question);
        Games { worlds: FLEETS.map(of).into(), bench: Bench::new("ships", &[]) }
    }

    /// A random board with the answer of an engine, which must have one of these outcomes.
    pub(crate) fn random(&mut self, outcomes: &[&str], rng: &mut ChaCha8Rng) -> Game {
        loop {
            let world = rng.random_range(0..self.worlds.len());
            let squares = if rng.random_bool(0.8) { Squares::OfAFleet } else { Squares::Any };
            let board = self.worlds[world].sample(rng, squares);
            let family = self.worlds[world].family(&board);
            if family.len() > 40
                || family.is_empty() && !outcomes.contains(&"no-fleet")
                || !family.is_empty() && outcomes == ["no-fleet"]
            {
                continue;
            }
            let instance = self.worlds[world].instance(&board);
            let answer = self.solved(&*instance);
            if outcomes.contains(&answer["outcome"].as_str().unwrap()) {
                return Game { world, board, family, answer };
            }
        }
    }

    fn solved(&self, instance: &dyn DynInstance) -> Value {
        let engine = &self.bench.engines("search")[0];
        let Outcome::Decided(answer) = instance.solve(engine, &mut Budget::unlimited()) else {
            panic!("{}", instance.text())
        };
        genuine(&answer.check(&[], &mut Budget::unlimited()), &KINDS);
        answer.to_json("search", &[])
    }

    pub(crate) fn restore(&self, answer: &Value) -> Result<Box<dyn DynAnswer>, String> {
        Ok(self.bench.problem().restore(answer.as_object().unwrap())?)
    }

    fn check(&self, answer: &Value) -> Result<Vec<Claim>, String> {
        Ok(self.restore(answer)?.check(&[], &mut Budget::of_work(20_000_000)))
    }

    pub(crate) fn forge(&self, tally: &mut Tally, answer: &Value) {
        tally.is_false(&answer.to_string(), || self.check(answer));
    }
}

/// A set of an answer as bits, row by row; `None` if it is malformed.
pub(crate) fn bits(set: &Value, w: u64) -> Option<u32> {
    let bit = |cell: &Value| {
        let square = cell[0].as_u64()?.checked_sub(1)? * w + cell[1].as_u64()?.checked_sub(1)?;
        1u32.checked_shl(u32::try_from(square).ok()?)
    };
    let bits: Option<Vec<u32>> = set.as_array()?.iter().map(bit).collect();
    let bits = bits?;
    // A cell that is listed twice is no set.
    let all = bits.iter().fold(0, |all, bit| all | bit);
    (all.count_ones() as usize == bits.len()).then_some(all)
}

pub(crate) fn sets(answer: &Value, key: &str, w: u64) -> Vec<Option<u32>> {
    answer[key].as_array().unwrap().iter().map(|set| bits(set, w)).collect()
}

pub(crate) fn as_set(bits: u32, w: u32) -> Value {
    (0..32).filter(|i| bits >> i & 1 == 1).map(|i| json!([i / w + 1, i % w + 1])).collect()
}

/// Follows a plan against a set: the number of misses, and the index of the set at the end, from 1.
pub(crate) fn follow(plan: &Value, set: u32, w: u64) -> Option<(u32, u64)> {
    let (mut at, mut misses) = (plan, 0);
    loop {
        if let Some(end) = at.get("sink") {
            return Some((misses, end.as_u64()?));
        }
        let cell = bits(&json!([at["shoot"]]), w)?;
        let is_hit = set & cell != 0;
        misses += u32::from(!is_hit);
        at = if is_hit { &at["hit"] } else { &at["miss"] };
    }
}

/// A random node of a plan.
pub(crate) fn node<'a>(plan: &'a mut Value, rng: &mut ChaCha8Rng) -> &'a mut Value {
    if plan.get("sink").is_some() || rng.random_bool(0.3) {
        return plan;
    }
    let branch = if rng.random_bool(0.5) { "hit" } else { "miss" };
    node(&mut plan[branch], rng)
}

/// Removes a set from a plan: its leaf gives way to the other branch, and later sets get lower numbers.
pub(crate) fn without(plan: &Value, set: u64) -> Option<Value> {
    if let Some(leaf) = plan.get("sink") {
        let leaf = leaf.as_u64().unwrap();
        return (leaf != set).then(|| json!({ "sink": leaf - u64::from(leaf > set) }));
    }
    match (without(&plan["hit"], set), without(&plan["miss"], set)) {
        (Some(hit), Some(miss)) => Some(json!({ "shoot": plan["shoot"], "hit": hit, "miss": miss })),
        (one, other) => one.or(other),
    }
}

/// Changes one square of a set, so that it often does not fit.
pub(crate) fn change_set(set: &mut Value, (w, h): (u32, u32), rng: &mut ChaCha8Rng) {
    let cells = set.as_array_mut().unwrap();
    let at = rng.random_range(0..cells.len());
    match rng.random_range(0..6) {
        0 => drop(cells.remove(at)),
        1 => cells.push(json!([rng.random_range(1..=h), rng.random_range(1..=w)])),
        _ => cells[at] = json!([rng.random_range(1..=h), rng.random_range(1..=w)]),
    }
    cells.sort_by_key(|cell| (cell[0].as_u64(), cell[1].as_u64()));
}

pub(crate) fn size(world: usize) -> (u32, u32) {
    (FLEETS[world].1 as u32, FLEETS[world].2 as u32)
}

pub(crate) fn misses(world: usize) -> u32 {
    FLEETS[world].3.misses
}

#[test]
fn sets_that_do_not_fit() {
    let (mut tally, mut games) = (Tally::new("ships", FITS), Games::new());
    while tally.wants_more() {
        let mut game = games.random(&["yes", "no"], &mut tally.rng);
        let key = if game.answer["outcome"] == "yes" { "sets" } else { "lost" };
        let list = game.answer[key].as_array_mut().unwrap();
        let at = tally.rng.random_range(0..list.len());
        change_set(&mut list[at], size(game.world), &mut tally.rng);
        match bits(&list[at], size(game.world).0.into()) {
            Some(set) if game.family.contains(&set) => tally.still_true(),
            _ => games.forge(&mut tally, &game.answer),
        }
    }
}

fn sets_listed_twice(claim: &'static str, outcome: &str, key: &str) {
    let (mut tally, mut games) = (Tally::new("ships", claim), Games::new());
    while tally.wants_more() {
        let mut game = games.random(&[outcome], &mut tally.rng);
        let list = game.answer[key].as_array_mut().unwrap();
        let (at, other) = (tally.rng.random_range(0..list.len()), tally.rng.random_range(0..list.len()));
        match tally.rng.random_range(0..3) {
            0 => list[at] = list[other].clone(),
            1 => list.push(list[at].clone()),
            // A single set is not lost.
            _ if key == "lost" => list.truncate(1),
            _ => list.insert(other, list[at].clone()),
        }
        let sets = sets(&game.answer, key, size(game.world).0.into());
        let distinct: BTreeSet<_> = sets.iter().collect();
        if distinct.len() == sets.len() && (key == "sets" || sets.len() > 1) {
            tally.still_true();
        } else {
            games.forge(&mut tally, &game.answer);
        }
    }
}

#[test]
fn sets_of_a_won_board_listed_twice() {
    sets_listed_twice(DISTINCT, "yes", "sets");
}

#[test]
fn lost_sets_listed_twice() {
    sets_listed_twice(TWO, "no", "lost");
}

#[test]
fn plans_that_fail() {
    let (mut tally, mut games) = (Tally::new("ships", PLAN), Games::new());
    while tally.wants_more() {
        let mut game = games.random(&["yes"], &mut tally.rng);
        let (w, h) = size(game.world);
        let n = game.answer["sets"].as_array().unwrap().len();
        let (rng, copy) = (&mut tally.rng, game.answer["plan"].clone());
        let at = node(&mut game.answer["plan"], rng);
        match rng.random_range(0..5) {
            0 => *at = json!({ "sink": rng.random_range(1..=n) }),
            1 if at.get("shoot").is_some() => {
                let hit = at["hit"].take();
                at["hit"] = at["miss"].take();
                at["miss"] = hit;
            }
            2 if at.get("shoot").is_some() => {
                at["shoot"] = json!([rng.random_range(1..=h), rng.random_range(1..=w)]);
            }
            3 if at.get("shoot").is_some() => *at = at["hit"].clone(),
            _ => {
                let shot = json!([rng.random_range(1..=h), rng.random_range(1..=w)]);
                let branch = if rng.random_bool(0.5) { copy } else { at.clone() };
                *at = json!({ "shoot": shot, "hit": at.take(), "miss": branch });
            }
        }
        let sets = sets(&game.answer, "sets", w.into());
        let wins = |(number, set): (u64, &Option<u32>)| {
            let (misses_made, end) = follow(&game.answer["plan"], set.unwrap(), w.into()).unwrap();
            misses_made <= misses(game.world) && end == number
        };
        if (1..).zip(&sets).all(wins) {
            tally.still_true();
        } else {
            games.forge(&mut tally, &game.answer);
        }
    }
}

/// A set is dropped. If the plan loses its leaf, all other claims of the answer are true.
#[test]
fn answers_without_a_set() {
    let (mut tally, mut games) = (Tally::new("ships", NO_OTHER), Games::new());
    while tally.wants_more() {
        let mut game = games.random(&["yes"], &mut tally.rng);
        let n = game.answer["sets"].as_array().unwrap().len();
        if n == 1 {
            continue;
        }
        let at = tally.rng.random_range(0..n);
        game.answer["sets"].as_array_mut().unwrap().remove(at);
        if tally.rng.random_bool(0.9) {
            game.answer["plan"] = without(&game.answer["plan"], at as u64 + 1).unwrap();
        }
        assert!(sets(&game.answer, "sets", size(game.world).0.into()).len() < game.family.len());
        games.forge(&mut tally, &game.answer);
    }
}

/// A set of a lost family is dropped or replaced, so that a plan wins against the rest.
#[test]
fn lost_families_that_are_won() {
    let (mut tally, mut games) = (Tally::new("ships", NO_PLAN), Games::new());
    while tally.wants_more() {
        let mut game = games.random(&["no"], &mut tally.rng);
        let (list, rng) = (game.answer["lost"].as_array_mut().unwrap(), &mut tally.rng);
        let at = rng.random_range(0..list.len());
        match rng.random_range(0..4) {
            0 => list[at] = list[rng.random_range(0..list.len())].clone(),
            1 => {
                let other = rng.random_range(0..game.family.len());
                list[at] = as_set(*game.family.iter().nth(other).unwrap(), size(game.world).0);
            }
            2 => list.truncate(rng.random_range(0..=list.len())),
            _ => drop(list.remove(at)),
        }
        let rest = sets(&game.answer, "lost", size(game.world).0.into()).into_iter().flatten().collect();
        if games.worlds[game.world].is_won(&rest, misses(game.world)) {
            games.forge(&mut tally, &game.answer);
        } else {
            tally.still_true();
        }
    }
}

/// Changes one square of a board. Returns the answer's JSON about the new board.
pub(crate) fn other_board(games: &Games, game: &mut Game, rng: &mut ChaCha8Rng) {
    let at = rng.random_range(0..game.board.len());
    game.board[at] = rng.random_range(0..3);
    game.family = games.worlds[game.world].family(&game.board);
    let instance = games.worlds[game.world].instance(&game.board);
    game.answer["instance"] = instance.text().into();
    game.answer["instance_hash"] = instance.hash().into();
}

#[test]
fn boards_that_a_fleet_fits() {
    let (mut tally, mut games) = (Tally::new("ships", NO_FLEET), Games::new());
    while tally.wants_more() {
        let mut game = games.random(&["no-fleet"], &mut tally.rng);
        other_board(&games, &mut game, &mut tally.rng);
        if game.family.is_empty() {
            tally.still_true();
        } else {
            games.forge(&mut tally, &game.answer);
        }
    }
}
