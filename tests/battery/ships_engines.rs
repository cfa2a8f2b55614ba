//! Ships: every engine against brute force (`ships_brute`), on tiny boards and small fleets.

use crate::samples::{is_thorough, samples};
use crate::ships_brute::{
    BAR, CORNER, DOMINO, F, JUDGE, MANY, P, POSES, S, SQUARE, Shape, Squares, V, World, Y,
};
use crate::ships_common::engines;
use chacha20::ChaCha8Rng;
use counterpoint::engine::Budget;
use rand::{RngExt, SeedableRng};
use serde_json::Value;
use std::collections::BTreeSet;

const ALL: &str = "search:*,sat:*/amo=*@*";

#[test]
fn all_boards_of_the_smallest_sizes() {
    let (all, few) = (engines(ALL), engines("search:*,sat:*"));
    // By default, each board is solved by some engines in turn.
    let [of_all, of_few] = if is_thorough() { [all.len(), few.len()] } else { [6, 1] };
    for question in JUDGE.into_iter().chain(MANY).chain(POSES) {
        for (fleet, w, h) in [
            (&[DOMINO, DOMINO][..], 2, 2),
            (&[DOMINO, DOMINO], 3, 2),
            (&[DOMINO, CORNER], 2, 3),
            (&[BAR], 3, 2),
        ] {
            let mut world = World::new(fleet, w, h, question);
            let mut turn = 0;
            for code in 0..3u64.pow((w * h) as u32) {
                let board = world.board(code);
                let (engines, count) = if code % 27 == 0 { (&all, of_all) } else { (&few, of_few) };
                let next: Vec<_> = engines.iter().cycle().skip(turn).take(count).cloned().collect();
                world.test(&board, &next);
                turn += count;
            }
        }
    }
}

#[test]
fn sampled_boards_of_small_sizes() {
    let (all, few) = (engines(ALL), engines("search:*,sat:*"));
    let mut rng = ChaCha8Rng::seed_from_u64(322);
    let fleets: [(&[Shape], i32, i32); 7] = [
        (&[DOMINO, DOMINO], 3, 3),
        (&[DOMINO, BAR], 3, 3),
        (&[CORNER, CORNER, DOMINO], 3, 3),
        (&[CORNER, DOMINO, DOMINO], 4, 3),
        (&[BAR, BAR, BAR], 4, 3),
        (&[SQUARE, S], 4, 4),
        (&[S, S, DOMINO], 5, 3),
    ];
    for (fleet, w, h) in fleets {
        for question in JUDGE.into_iter().chain(POSES) {
            let mut world = World::new(fleet, w, h, question);
            for round in 0..samples(8) {
                let squares = if round % 4 == 0 { Squares::Any } else { Squares::OfAFleet };
                let board = world.sample(&mut rng, squares);
                world.test(&board, if round % 8 == 0 { &all } else { &few });
            }
        }
    }
}

/// Boards on which four to eight misses need not suffice. A single domino on 4×4 squares can be at eight disjoint
/// places, so six misses do not suffice if nothing is known.
#[test]
fn sampled_boards_with_many_misses() {
    let few = engines("search:*,sat:*");
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for (fleet, w, h) in [(&[DOMINO][..], 4, 4), (&[DOMINO, DOMINO], 3, 3), (&[BAR], 4, 3)] {
        for question in MANY {
            let mut world = World::new(fleet, w, h, question);
            world.test(&vec![0; (w * h) as usize], &few);
            for _ in 0..samples(2) {
                let board = world.sample(&mut rng, Squares::OfAFleet);
                world.test(&board, &few);
            }
        }
    }
}

/// With six to eight misses: a lost family consists of sets that fit, is lost, and is won without any one of its sets.
#[test]
fn lost_families_are_minimal() {
    let cover = engines("search:cover");
    let mut rng = ChaCha8Rng::seed_from_u64(141);
    let (mut won, mut lost_games, mut compound) = (0, 0, 0);
    for (fleet, w, h) in [
        (&[DOMINO][..], 4, 4),
        (&[DOMINO], 6, 3),
        (&[DOMINO, DOMINO], 4, 3),
        (&[CORNER], 4, 3),
        (&[BAR, DOMINO], 4, 3),
    ] {
        for question in &MANY[2..] {
            let mut world = World::new(fleet, w, h, *question);
            for _ in 0..samples(4) {
                let mut board = world.sample(&mut rng, Squares::OfAFleet);
                board.iter_mut().filter(|_| rng.random_bool(0.8)).for_each(|square| *square = 0);
                world.test(&board, &cover);
                let instance = world.instance(&board);
                let answer = instance.solve(&cover[0], &mut Budget::unlimited()).answer().unwrap();
                let json = answer.to_json("", &[]);
                let Some(lost) = json["lost"].as_array() else {
                    won += 1;
                    continue;
                };
                let bit = |cell: &Value| {
                    1 << ((cell[0].as_i64().unwrap() - 1) * i64::from(w) + cell[1].as_i64().unwrap() - 1)
                };
                let set = |set: &Value| set.as_array().unwrap().iter().map(bit).sum::<u32>();
                let lost: BTreeSet<u32> = lost.iter().map(set).collect();
                assert!(
                    lost.is_subset(&world.family(&board)) && !world.is_won(&lost, question.misses),
                    "{json}"
                );
                for set in &lost {
                    let mut fewer = lost.clone();
                    fewer.remove(set);
                    assert!(world.is_won(&fewer, question.misses), "{json}");
                }
                lost_games += 1;
                compound += u32::from(lost.len() > question.misses as usize + 2);
            }
        }
    }
    assert!(won > 10 && lost_games > 10 && compound > 1, "{won} {lost_games} {compound}");
}

/// Pentominoes, which may be mirrored or not, on boards with no to several squares to spare.
#[test]
fn sampled_boards_of_pentominoes() {
    let (all, few) = (engines(ALL), engines("search:*,sat:*"));
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let fleets: [(&[Shape], i32, i32); 5] =
        [(&[P, V], 4, 4), (&[P, P, Y], 5, 3), (&[V, P, Y], 4, 4), (&[F, P], 5, 3), (&[F, V, Y], 5, 4)];
    for (fleet, w, h) in fleets {
        for question in [JUDGE[1], JUDGE[2], POSES[0], POSES[4]] {
            let mut world = World::new(fleet, w, h, question);
            for round in 0..samples(8) {
                let squares = if round % 4 == 0 { Squares::Any } else { Squares::OfAFleet };
                let board = world.sample(&mut rng, squares);
                world.test(&board, if round == 0 { &all } else { &few });
            }
        }
    }
}
