//! Answers with many misses, most of which are found as products of sunflowers, against the definition of the game.

use crate::samples::samples;
use counterpoint::board::{Cell, Size};
use counterpoint::engine::Budget;
use counterpoint::problems::ships::answer::Answer;
use counterpoint::problems::ships::search::cover::{self, Workspaces};
use counterpoint::problems::ships::{Dialect, Fleet, Instance, Poses, Rules, Ship, Square};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeSet, HashMap};

type Known = HashMap<(Vec<u64>, u32), bool>;

/// The definition of the game: some shot wins whether it hits or misses. The sets must be ascending.
fn is_won(sets: &[u64], misses: u32, known: &mut Known) -> bool {
    if sets.len() <= 1 || misses == 0 {
        return sets.len() <= 1;
    }
    let question = (sets.to_vec(), misses);
    if let Some(&won) = known.get(&question) {
        return won;
    }
    let mut cells =
        sets.iter().fold(0, |all, set| all | set) & !sets.iter().fold(u64::MAX, |all, set| all & set);
    let mut won = false;
    while cells != 0 && !won {
        let cell = cells & cells.wrapping_neg();
        cells &= cells - 1;
        let (hit, miss): (Vec<u64>, Vec<u64>) = sets.iter().partition(|&set| set & cell != 0);
        won = is_won(&miss, misses - 1, known) && is_won(&hit, misses, known);
    }
    known.insert(question, won);
    won
}

fn is_minimal(lost: &[u64], misses: u32, known: &mut Known) -> bool {
    (0..lost.len()).all(|drop| {
        let fewer: Vec<_> = (0..lost.len()).filter(|&i| i != drop).map(|i| lost[i]).collect();
        is_won(&fewer, misses, known)
    })
}

/// The ships of a fleet; each is a list of pairs (row, column).
type Drawn<'a> = &'a [&'a [(u32, u32)]];

const DOMINO: &[(u32, u32)] = &[(0, 0), (0, 1)];
const CORNER: &[(u32, u32)] = &[(0, 0), (1, 0), (1, 1)];
const BAR: &[(u32, u32)] = &[(0, 0), (0, 1), (0, 2)];

fn rules(ships: Drawn<'_>, misses: u32) -> Rules {
    let ship = |(i, cells): (usize, &&[(u32, u32)])| Ship {
        name: i.to_string(),
        cells: cells.iter().map(|&(row, col)| Cell::new(row, col)).collect(),
        poses: Poses::Turned,
    };
    let ships = ships.iter().enumerate().map(ship).collect();
    Rules { misses, fleet: Fleet { ships }, dialect: Dialect::Auto }
}

/// A random board. Each square is known with a probability of `reveal`, and shows what the set `from` says.
fn board(size: Size, from: u64, reveal: f64, rng: &mut ChaCha8Rng) -> Instance {
    let square = |i: usize| match (rng.random_bool(reveal), from >> i & 1) {
        (false, _) => Square::Unknown,
        (true, 1) => Square::Hit,
        _ => Square::Miss,
    };
    Instance { size, squares: (0..size.cells()).map(square).collect() }
}

fn bits(size: Size, set: &[Cell]) -> u64 {
    set.iter().map(|&cell| 1 << size.index(cell)).sum()
}

/// All sets that the fleet can cover, ascending.
fn all_sets(rules: &Rules, board: &Instance) -> Vec<u64> {
    let mut sets = BTreeSet::from([0]);
    for ship in &rules.fleet.ships {
        let places: Vec<u64> =
            ship.placements(board.size).iter().map(|p| bits(board.size, &p.cells)).collect();
        let add = |set: u64| places.iter().filter(move |&&p| p & set == 0).map(move |p| p | set);
        sets = sets.into_iter().flat_map(add).collect();
    }
    let known = |kind| board.cells(kind).map(|cell| 1 << board.size.index(cell)).sum::<u64>();
    let (hits, misses) = (known(Square::Hit), known(Square::Miss));
    sets.into_iter().filter(|set| set & hits == hits && set & misses == 0).collect()
}

const FLEETS: [Drawn<'static>; 5] =
    [&[DOMINO], &[DOMINO, DOMINO], &[CORNER], &[BAR, DOMINO], &[CORNER, DOMINO, DOMINO]];

/// With six to eight misses, on boards small enough for the definition.
#[test]
fn answers_with_many_misses_agree_with_the_definition() {
    let mut rng = ChaCha8Rng::seed_from_u64(141);
    let mut outcomes = HashMap::<(&str, bool), u32>::default();
    let cases =
        [(FLEETS[0], 4, 4), (FLEETS[0], 6, 3), (FLEETS[1], 4, 3), (FLEETS[2], 4, 3), (FLEETS[3], 4, 3)];
    for (ships, w, h) in cases {
        let size = Size::new(w, h);
        let empty = Instance { size, squares: vec![Square::Unknown; size.cells()] };
        let every = all_sets(&rules(ships, 0), &empty);
        for round in 0..samples(12) as u32 {
            let rules = rules(ships, 6 + round % 3);
            let from = every[rng.random_range(0..every.len())];
            let board = board(size, from, [0.0, 0.05, 0.15, 0.3][round as usize / 3 % 4], &mut rng);
            let fits = all_sets(&rules, &board);
            let known = &mut Known::default();
            let won = is_won(&fits, rules.misses, known);
            let solved = cover::solve(&mut Workspaces::default(), &rules, &board, &mut Budget::unlimited());
            let outcome = match solved.answer().unwrap() {
                Answer::Yes { sets, .. } => {
                    assert!(won && sets.len() == fits.len(), "{rules:?} {board:?}");
                    ("yes", false)
                }
                Answer::No { lost } => {
                    assert!(lost.is_sorted());
                    let mut lost: Vec<_> = lost.iter().map(|set| bits(size, set)).collect();
                    lost.sort_unstable();
                    assert!(!won && !is_won(&lost, rules.misses, known), "{rules:?} {board:?}");
                    assert!(lost.iter().all(|set| fits.binary_search(set).is_ok()));
                    assert!(is_minimal(&lost, rules.misses, known));
                    ("no", lost.len() > rules.misses as usize + 2)
                }
                other => panic!("{other:?}"),
            };
            *outcomes.entry(outcome).or_default() += 1;
        }
    }
    assert!(
        ["yes", "no"].iter().all(|word| outcomes.get(&(word, false)).is_some_and(|n| *n > 4)),
        "{outcomes:?}"
    );
}
