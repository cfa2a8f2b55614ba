//! Forgeries on boards that are too large for brute force. The board is made from a solution, a game or a fleet, which is
//! the witness that the forged claim is false.

use crate::presses::turned;
use crate::spot::{change, forgery, legal};
use crate::spot_brute::{GROUPS, STARTS, first_repeat, instance};
use crate::spot_smudged::{ending_claim, only};
use crate::tally::Tally;
use chacha20::ChaCha8Rng;
use counterpoint::board::{Cell, Digits, Size};
use counterpoint::engine::Budget;
use counterpoint::problem::Problem;
use counterpoint::problems::flip::{self, Flip, Goal, Stencil, Target};
use counterpoint::problems::ships::answer::{Answer, Verdict};
use counterpoint::problems::ships::{self, Dialect, Fleet, Ships, Square};
use counterpoint::problems::spot::answer::Finding;
use counterpoint::problems::spot::{Entry, Legality, MoveLimit, Rules, Spot};
use rand::RngExt;
use std::collections::BTreeSet;

/// A board that some presses solve, and their number.
fn solvable(rng: &mut ChaCha8Rng) -> (flip::Rules, flip::Instance, usize) {
    let (w, h) = (rng.random_range(1..=9), rng.random_range(1..=9));
    let colours = [2, 2, 2, 3, 5, 7][rng.random_range(0..6)];
    let (name, stencil) = [
        ("plus", Stencil::Plus),
        ("king", Stencil::King),
        ("cross", Stencil::Cross),
        ("torus", Stencil::Torus),
    ][rng.random_range(0..4)];
    let (size, density) = (Size::new(w, h), rng.random_range(0.0..0.6));
    let mut colour_of = vec![0; size.cells()];
    let mut presses = 0;
    for i in 0..size.cells() {
        let times = if rng.random_bool(density) { rng.random_range(1..colours) } else { 0 };
        presses += times as usize;
        turned(name, (w as i32, h as i32), i as i32)
            .into_iter()
            .for_each(|t| colour_of[t] += colours - times);
    }
    let target = if rng.random_bool(0.5) { Target::Either } else { Target::White };
    let rules = flip::Rules { size: Some(size), colours, stencil, target, goal: Goal::Fewest, within: None };
    let squares = colour_of.iter().enumerate().flat_map(|(i, n)| (0..n % colours).map(move |_| i));
    let board = flip::Instance { size, squares: Digits::counts(size.cells(), squares) };
    (rules, board, presses)
}

#[test]
fn flip_boards_with_a_solution() {
    let mut tally = Tally::of("flip", "no presses …", "large boards");
    while tally.wants_more() {
        let (rules, board, _) = solvable(&mut tally.rng);
        let weight = |rng: &mut ChaCha8Rng| rng.random_range(0..rules.colours);
        let weights = tally.rng.random_bool(0.3).then(|| {
            let numbers: Vec<u32> = (0..board.size.cells()).map(|_| weight(&mut tally.rng)).collect();
            Digits::counts(numbers.len(), (0..numbers.len()).flat_map(|i| (0..numbers[i]).map(move |_| i)))
        });
        let answer = flip::answer::Answer::Impossible(weights);
        let check = || Flip::check(&rules, &board, &answer, &[], &mut Budget::of_work(100_000));
        tally.is_false(&format!("{rules:?} {board:?} {answer:?}"), || Ok(check()));
    }
}

#[test]
fn flip_boards_with_a_lighter_solution() {
    let mut tally = Tally::of("flip", "at least … needed", "large boards");
    while tally.wants_more() {
        let (rules, board, presses) = solvable(&mut tally.rng);
        let more = presses + tally.rng.random_range(1..=3);
        let answer = flip::answer::Answer::Number { presses: more, optimal: true };
        let check = || Flip::check(&rules, &board, &answer, &[], &mut Budget::of_work(100_000));
        tally.is_false(&format!("{rules:?} {board:?} {answer:?}"), || Ok(check()));
    }
}

/// A record is made from a game with this ending by hiding parts of its moves, and the ending is called impossible.
#[test]
fn spot_endings_of_games() {
    let mut tally = Tally::of("spot, unknown moves", "no completion ends …", "large boards");
    while tally.wants_more() {
        let rng = &mut tally.rng;
        let (n, start) = (rng.random_range(2..=7), STARTS[rng.random_range(0..2)]);
        let legality = if rng.random_bool(0.9) { Legality::Strict } else { Legality::Lenient };
        let rules =
            Rules { group: GROUPS[rng.random_range(0..4)], start, limit: MoveLimit::TwiceN, legality };
        let near = rng.random_range(1..=n * n);
        let mut moves = legal(n, (0..2 * n).map(|_| rng.random_range(0..near)).collect());
        while moves.len() != 2 * n as usize {
            change(n, &mut moves, rng);
        }
        let ending = first_repeat(&rules, n, &moves).map_or(moves.len(), |mv| mv - 1);
        let mut game = instance(n, &moves);
        let [hide, sign] = [rng.random_range(0.1..1.0), rng.random_range(0.1..1.0)];
        for entry in &mut game.record {
            let [x, y] = [entry.x(), entry.y()].map(|part| part.filter(|_| !rng.random_bool(hide)));
            *entry = Entry::new(x, y, entry.sign().filter(|_| !rng.random_bool(sign)));
        }
        if game.record.iter().all(|entry| entry.known().is_some()) {
            continue;
        }
        let answer = only(moves.len() + 1, ending, Finding::Refuted);
        let text = ending_claim("no completion ends", ending, moves.len());
        let work = 1 << rng.random_range(4..15);
        let check = || Spot::check(&rules, &game, &answer, &[], &mut Budget::of_work(work));
        tally.text_is_false(&text, &format!("{work} {}", forgery(&rules, &game, &answer)), || Ok(check()));
    }
}

/// The judge's tetrominoes as (row, column) pairs, ship by ship.
const TETROMINOES: [[(i32, i32); 4]; 7] = [
    [(0, 0), (0, 1), (0, 2), (0, 3)],
    [(0, 0), (0, 1), (1, 0), (1, 1)],
    [(0, 0), (0, 1), (0, 2), (1, 1)],
    [(0, 1), (0, 2), (1, 0), (1, 1)],
    [(0, 0), (0, 1), (1, 1), (1, 2)],
    [(0, 0), (1, 0), (1, 1), (1, 2)],
    [(0, 2), (1, 0), (1, 1), (1, 2)],
];

/// A board of which some squares are uncovered, with the squares that the judge's fleet covers.
fn fleet_on_board(rng: &mut ChaCha8Rng) -> (ships::Instance, BTreeSet<Cell>) {
    loop {
        let (w, h) = (rng.random_range(6..=10), rng.random_range(6..=10));
        let mut covered: BTreeSet<Cell> = BTreeSet::new();
        for ship in TETROMINOES {
            for _ in 0..200 {
                let (turn, dr, dc) =
                    (rng.random_range(0..4), rng.random_range(-3..h), rng.random_range(-3..w));
                let turned = ship.map(|(r, c)| match turn {
                    0 => (r + dr, c + dc),
                    1 => (c + dr, 3 - r + dc),
                    2 => (3 - r + dr, 3 - c + dc),
                    _ => (3 - c + dr, r + dc),
                });
                let free = |&(r, c): &(i32, i32)| {
                    (0..h).contains(&r)
                        && (0..w).contains(&c)
                        && !covered.contains(&Cell::new(r as u32, c as u32))
                };
                if turned.iter().all(free) {
                    covered.extend(turned.map(|(r, c)| Cell::new(r as u32, c as u32)));
                    break;
                }
            }
        }
        if covered.len() == 28 {
            let (size, reveal) = (Size::new(w as u32, h as u32), rng.random_range(0.0..1.0));
            let square = |cell: Cell| match (rng.random_bool(reveal), covered.contains(&cell)) {
                (false, _) => Square::Unknown,
                (true, true) => Square::Hit,
                (true, false) => Square::Miss,
            };
            return (ships::Instance { size, squares: size.iter().map(square).collect() }, covered);
        }
    }
}

fn fleets(
    claim: &'static str,
    answer: impl Fn(&ships::Instance, &BTreeSet<Cell>, &mut ChaCha8Rng) -> Option<Answer>,
) {
    let mut tally = Tally::of("ships", claim, "large boards");
    while tally.wants_more() {
        let (board, covered) = fleet_on_board(&mut tally.rng);
        let misses = tally.rng.random_range(0..=2);
        let rules = ships::Rules { misses, fleet: Fleet::standard(), dialect: Dialect::Auto };
        let Some(answer) = answer(&board, &covered, &mut tally.rng) else {
            tally.still_true();
            continue;
        };
        let check = || Ships::check(&rules, &board, &answer, &[], &mut Budget::of_work(2_000));
        tally.is_false(&format!("{board:?} {misses} {answer:?}"), || Ok(check()));
    }
}

#[test]
fn ships_boards_with_a_fleet() {
    fleets("no fleet fits", |_, _, _| Some(Answer::NoFleet));
}

/// The answer lists one set only, which differs in a square from that of the fleet.
#[test]
fn ships_boards_with_another_fleet() {
    fleets("no other set is covered by a fleet that fits", |board, covered, rng| {
        let mut set: Vec<Cell> = covered.iter().copied().collect();
        let at = rng.random_range(0..set.len());
        set[at] = board.size.cell(rng.random_range(0..board.size.cells()));
        set.sort_unstable();
        let same = set.iter().copied().collect::<BTreeSet<_>>() == *covered;
        (!same).then(|| Answer::Yes { sets: vec![set], plan: ships::answer::Plan::Sink(0) })
    });
}

/// Boards on which every hit is uncovered are won, because only one set fits.
#[test]
fn ships_boards_with_one_set() {
    fleets("no plan uncovers every set that fits with at most …, or no fleet fits", |board, _, _| {
        let hits = board.squares.iter().filter(|square| **square == Square::Hit).count();
        (hits == 28).then_some(Answer::Verdict(Verdict::No))
    });
}
