//! Ships: every engine against brute force (`ships_brute`), on tiny boards and small fleets.

use crate::samples::{is_thorough, samples};
use crate::ships_brute::{
    BAR, CORNER, DOMINO, F, JUDGE, MANY, P, POSES, S, SQUARE, Shape, Squares, V, World, Y,
};
use crate::ships_common::engines;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

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
