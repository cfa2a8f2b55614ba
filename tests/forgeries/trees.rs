//! Forged strategy trees for Spot: whole trees for claims that brute force refutes. Each tree follows the rules of the game
//! as long as the player that is to hold out, or to win, can move.

use crate::certificates::{Certificate, check};
use crate::patterns::{Patterns, Values};
use crate::spot_brute::{GROUPS, STARTS};
use crate::tally::Tally;
use chacha20::ChaCha8Rng;
use counterpoint::board::Group;
use rand::RngExt;
use rand::seq::SliceRandom;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A game of which the tree describes all continuations.
#[derive(Clone)]
struct Game<'a> {
    patterns: &'a Patterns,
    at: u32,
    produced: BTreeSet<u32>,
}

impl Game<'_> {
    fn after(&self, pattern: u32) -> Self {
        let mut game = self.clone();
        game.produced.insert(pattern);
        game.at = pattern;
        game
    }

    fn toggled(&self, square: usize) -> u32 {
        self.patterns.of[self.at as usize ^ 1 << square]
    }

    /// The patterns that are not repeats, in the order of the squares that lead to them.
    fn fresh(&self) -> Vec<u32> {
        let mut fresh = Vec::new();
        for next in (0..self.patterns.squares).map(|square| self.toggled(square)) {
            if !self.produced.contains(&next) && !fresh.contains(&next) {
                fresh.push(next);
            }
        }
        fresh
    }

    /// A square whose toggle is not a repeat, if there is one.
    fn square(&self, rng: &mut ChaCha8Rng) -> usize {
        let mut squares: Vec<usize> = (0..self.patterns.squares).collect();
        squares.shuffle(rng);
        let is_fresh = |square: &&usize| !self.produced.contains(&self.toggled(**square));
        *squares.iter().find(is_fresh).unwrap_or(&squares[0])
    }

    /// A tree which says that the other player need not repeat in its next `moves` moves, with the pursuer to move.
    fn pursued(&self, moves: usize, rng: &mut ChaCha8Rng) -> Value {
        if moves == 0 {
            return json!(0);
        }
        if rng.random_bool(0.4) {
            return json!({ "reserve": self.reserve(rng) });
        }
        let answers = self.fresh().into_iter().map(|next| self.after(next).answered(moves, rng));
        json!({ "each": answers.collect::<Vec<_>>() })
    }

    fn answered(&self, moves: usize, rng: &mut ChaCha8Rng) -> Value {
        let square = self.square(rng);
        json!([square, self.after(self.toggled(square)).pursued(moves - 1, rng)])
    }

    /// Fresh patterns to which the pursuer may move, most of them with a fresh neighbour of their own.
    fn reserve(&self, rng: &mut ChaCha8Rng) -> Vec<Value> {
        let (mut pairs, mut taken) = (Vec::new(), BTreeSet::new());
        let leave_out = rng.random_range(0.0..1.0);
        let turn = |pattern: &u32| (pattern ^ self.at).count_ones() % 2 == 1;
        for pattern in self.patterns.all().filter(turn) {
            let here = self.after(pattern);
            let square = here.square(rng);
            let is_free =
                !self.produced.contains(&here.toggled(square)) && taken.insert(here.toggled(square));
            if (is_free && !rng.random_bool(leave_out)) || rng.random_bool(0.02) {
                pairs.push(json!([pattern, square]));
            }
        }
        pairs
    }

    /// A tree which says that the pursuer, who is to move, forces a repeat in `moves` moves of the other player.
    fn forced(&self, moves: usize, rng: &mut ChaCha8Rng) -> Value {
        let square = self.square(rng);
        json!({ "move": square, "then": self.after(self.toggled(square)).all_forced(moves, rng) })
    }

    fn all_forced(&self, moves: usize, rng: &mut ChaCha8Rng) -> Value {
        let options = if moves <= 1 { Vec::new() } else { self.fresh() };
        options.into_iter().map(|next| self.after(next).forced(moves - 1, rng)).collect()
    }
}

/// A board of at most 2×2 squares with all that brute force knows about it.
struct World {
    n: usize,
    group: Group,
    start: &'static str,
    patterns: Patterns,
    values: Values,
}

fn worlds() -> Vec<World> {
    let all = (1..=2).flat_map(|n| GROUPS.map(|group| (n, group)));
    let all = all.flat_map(|(n, group)| STARTS.map(|start| (n, group, start.name())));
    all.map(|(n, group, start)| {
        let patterns = Patterns::new(n, group);
        let values = patterns.values(start == "counted");
        World { n, group, start, patterns, values }
    })
    .collect()
}

impl World {
    fn forces(&self, player: usize, limit: usize) -> bool {
        self.values.forces[player - 1].is_some_and(|mv| mv as usize <= limit)
    }

    fn game(&self) -> Game<'_> {
        let produced = if self.start == "counted" { BTreeSet::from([0]) } else { BTreeSet::new() };
        Game { patterns: &self.patterns, at: 0, produced }
    }

    /// The tree which says that the player other than `pursuer` need not repeat in the first `limit` moves.
    fn holds(&self, pursuer: usize, limit: usize, rng: &mut ChaCha8Rng) -> Value {
        match pursuer {
            1 => self.game().pursued(limit / 2, rng),
            _ => self.game().answered(limit.div_ceil(2), rng),
        }
    }

    fn forced(&self, pursuer: usize, limit: usize, rng: &mut ChaCha8Rng) -> Value {
        match pursuer {
            1 => self.game().forced(limit / 2, rng),
            _ => self.game().all_forced(limit.div_ceil(2), rng),
        }
    }

    fn certificate(&self, limit: usize, value: &str) -> Certificate {
        let members = json!({
            "problem": "spot", "question": "value", "version": 1, "n": self.n, "symmetry": self.group.name(),
            "start": self.start, "limit": limit, "value": value,
        });
        members.as_object().unwrap().clone()
    }
}

/// Whether the check closes the claim with this text.
fn closes(certificate: &Certificate, text: &str) -> bool {
    let claims = check("spot", certificate).unwrap();
    claims.iter().any(|claim| claim.text.ends_with(text) && claim.status.is_closed())
}

#[test]
fn trees_for_players_who_are_forced_to_repeat() {
    let (worlds, mut genuine) = (worlds(), 0);
    let mut tally = Tally::of("spot value", "player … need not repeat in the first … moves", "whole trees");
    while tally.wants_more() {
        let rng = &mut tally.rng;
        let (world, limit) = (&worlds[rng.random_range(0..worlds.len())], rng.random_range(1..=8));
        let mut forged = world.certificate(limit, "draw");
        forged.insert("holds".to_owned(), json!([world.holds(1, limit, rng), world.holds(2, limit, rng)]));
        let player = rng.random_range(1..=2);
        let claim = format!("player {} need not repeat in the first {limit} moves", 3 - player);
        if world.forces(player, limit) {
            tally.text_is_false(&claim, &json!(forged).to_string(), || check("spot", &forged));
        } else {
            genuine += u64::from(closes(&forged, &claim));
            tally.still_true();
        }
    }
    assert!(genuine > 20, "{genuine}");
}

#[test]
fn trees_for_players_who_cannot_force_a_repeat() {
    let (worlds, mut genuine) = (worlds(), 0);
    let mut tally =
        Tally::of("spot value", "player … can force the other to repeat by move …", "whole trees");
    while tally.wants_more() {
        let rng = &mut tally.rng;
        let (world, limit) = (&worlds[rng.random_range(0..worlds.len())], rng.random_range(1..=8));
        let player = rng.random_range(1..=2);
        let mut forged = world.certificate(limit, &format!("player {player} wins"));
        forged.insert("forces".to_owned(), world.forced(player, limit, rng));
        let claim = format!("player {player} can force the other to repeat by move {limit}");
        if world.forces(player, limit) {
            genuine += u64::from(closes(&forged, &claim));
            tally.still_true();
        } else {
            tally.text_is_false(&claim, &json!(forged).to_string(), || check("spot", &forged));
        }
    }
    assert!(genuine > 5, "{genuine}");
}
