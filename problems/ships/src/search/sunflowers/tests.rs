//! Compares products with the game's definition.

use super::*;
use crate::{Dialect, Fleet, Instance, Poses, Rules, Ship, Square};
use counterpoint_core::board::{Cell, Size};
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

/// Products with few misses, for which the definition is cheap.
#[test]
fn products_consist_of_sets_that_fit_and_are_minimal_lost_families() {
    let mut rng = ChaCha8Rng::seed_from_u64(1138);
    let (mut found, mut compound) = (0, 0);
    for (ships, size) in FLEETS.into_iter().zip([(3, 3), (4, 4), (4, 4), (5, 4), (5, 4)]) {
        let size = Size::new(size.0, size.1);
        let empty = Instance { size, squares: vec![Square::Unknown; size.cells()] };
        let every = all_sets(&rules(ships, 0), &empty);
        for round in 0..60 {
            let misses = round % 5;
            let rules = rules(ships, misses);
            let reveal = rng.random_range(0.0..0.6);
            let from = every[rng.random_range(0..every.len())];
            let board = board(size, from, reveal, &mut rng);
            let fits = all_sets(&rules, &board);
            let mask = |kind| Mask::<1>::of(board.cells(kind).map(|cell| size.index(cell)));
            let tables = Tables::new(size, &rules.fleet);
            let mut search = Sunflowers::new(&tables, mask(Square::Hit), mask(Square::Miss), misses);
            let from = Mask::of((0..size.cells()).filter(|i| from >> i & 1 == 1));
            let product = search.find(&tables, from, 40, &mut Budget::unlimited()).unwrap();
            let Some(mut product) =
                product.map(|sets| sets.iter().map(|set| set.words()[0]).collect::<Vec<_>>())
            else {
                continue;
            };
            product.sort_unstable();
            let known = &mut Known::default();
            assert!(product.windows(2).all(|pair| pair[0] < pair[1]), "a set occurs twice");
            assert!(product.iter().all(|set| fits.binary_search(set).is_ok()), "{board:?}");
            assert!(!is_won(&product, misses, known), "{product:?} with {misses}");
            assert!(is_minimal(&product, misses, known), "{product:?} with {misses}");
            found += 1;
            compound += u32::from(product.len() > misses as usize + 2);
        }
    }
    assert!(found > 100 && compound > 10, "{found} products, {compound} of them of several ships");
}
