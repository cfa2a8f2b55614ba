//! Ships: counts by the covering automaton against plain enumeration, on empty boards and on positions; unranking.

use crate::samples::{is_thorough, some};
use chacha20::ChaCha8Rng;
use counterpoint::board::{Cell, Size};
use counterpoint::engine::{Budget, Limit};
use counterpoint::problem::Params;
use counterpoint::problems::ships::study::automaton::Automaton;
use counterpoint::problems::ships::study::count::empty_board;
use counterpoint::problems::ships::study::marginals::marginals;
use counterpoint::problems::ships::study::placements::placements;
use counterpoint::problems::ships::study::plain::{self, Count};
use counterpoint::problems::ships::study::position::count_position;
use counterpoint::problems::ships::study::sets::sets;
use counterpoint::problems::ships::study::trim::live_states;
use counterpoint::problems::ships::study::unrank::ranking;
use counterpoint::problems::ships::{
    Dialect, Fleet, Instance, PlacedShip, Poses, Rules, Ship, Square, families,
};
use counterpoint::study::StudyError;
use rand::{RngExt, SeedableRng};
use std::collections::BTreeSet;

/// A fleet from pictures. `/` separates rows, and a space separates ships.
fn fleet(pictures: &str) -> Fleet {
    let ship = |(i, picture): (usize, &str)| {
        let rows = (0..).zip(picture.split('/'));
        let cells = rows.flat_map(|(row, line)| {
            let marked = (0..).zip(line.chars()).filter(|(_, c)| *c == 'x');
            marked.map(move |(col, _)| Cell::new(row, col)).collect::<Vec<_>>()
        });
        Ship { name: i.to_string(), cells: cells.collect(), poses: Poses::Turned }
    };
    Fleet { ships: pictures.split_whitespace().enumerate().map(ship).collect() }
}

/// Small fleets. Some have equal ships, some have ships with a hole or a gap, and one ship fits hardly any board of
/// these tests.
const FLEETS: &[&str] = &[
    "",
    "x",
    "x x x",
    "xx",
    "xx xx",
    "xx x/x xx",
    "xxx xx",
    "xx/x. xx/.x xx",
    ".xx/xx. xx./.xx",
    "x..x xx",
    "xxx/x.x/xxx x",
    "xxxxxxx",
    "xx/xx xxx/x.. xxx/.x. xxxx",
];

fn counted(board: &Instance, fleet: &Fleet) -> (u128, u128) {
    let automaton = Automaton::new(board, fleet).unwrap();
    let found = placements(&automaton, &mut Budget::unlimited()).unwrap();
    (found, sets(&automaton, &mut Budget::unlimited()).unwrap())
}

/// All placements of the fleet that fit, by definition. Each is a list with the cells of each ship.
fn fitting(board: &Instance, fleet: &Fleet) -> Vec<Vec<Vec<Cell>>> {
    let mut all = vec![Vec::new()];
    for ship in &fleet.ships {
        let places = ship.placements(board.size);
        let free = |laid: &Vec<Vec<Cell>>, cells: &[Cell]| {
            cells.iter().all(|c| board.at(*c) != Square::Miss && !laid.iter().flatten().any(|d| d == c))
        };
        all = all
            .iter()
            .flat_map(|laid| {
                let fit = places.iter().filter(|place| free(laid, &place.cells));
                fit.map(|place| [laid.as_slice(), std::slice::from_ref(&place.cells)].concat())
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    all.retain(|laid| board.cells(Square::Hit).all(|hit| laid.iter().flatten().any(|&cell| cell == hit)));
    all
}

fn set(laid: &[Vec<Cell>]) -> Vec<Cell> {
    let cells: BTreeSet<Cell> = laid.iter().flatten().copied().collect();
    cells.into_iter().collect()
}

fn fitting_counts(board: &Instance, fleet: &Fleet) -> (u128, u128) {
    let all = fitting(board, fleet);
    let sets: BTreeSet<_> = all.iter().map(|laid| set(laid)).collect();
    (all.len() as u128, sets.len() as u128)
}

#[test]
fn empty_boards_agree_with_enumeration() {
    let poses = [Poses::Drawn, Poses::Turned, Poses::Mirrored, Poses::TurnedMirrored];
    for (pictures, poses) in FLEETS.iter().flat_map(|&pictures| poses.map(|poses| (pictures, poses))) {
        let fleet = fleet(pictures).posed(poses);
        for (w, h) in (1..=5).flat_map(|w| (1..=5).map(move |h| (w, h))).chain([(2, 9), (9, 2), (6, 4)]) {
            let board = empty_board(Size::new(w, h));
            let plain = plain::count(board.size, &fleet, &mut Budget::unlimited()).unwrap();
            let plain = (u128::from(plain.placements), u128::from(plain.sets));
            assert_eq!(counted(&board, &fleet), plain, "'{pictures}' {poses:?} on {w}x{h}");
        }
    }
}

#[test]
fn known_squares_agree_with_the_definition_on_all_tiny_boards() {
    for (w, h) in [(1, 4), (4, 1), (2, 3), (3, 2), (2, 4), (3, 3)] {
        for fleet in some(["xx/x. x", "x xx", "xx xx", "x..x x", "xxx xx"].map(fleet)) {
            for code in 0..3u32.pow(w * h) {
                let kind = |i| {
                    [Square::Unknown, Square::Hit, Square::Miss][code as usize / 3usize.pow(i as u32) % 3]
                };
                let size = Size::new(w, h);
                let board = Instance { size, squares: (0..size.cells()).map(kind).collect() };
                assert_eq!(
                    counted(&board, &fleet),
                    fitting_counts(&board, &fleet),
                    "{:?} {fleet:?}",
                    board.squares
                );
            }
        }
    }
}

#[test]
fn known_squares_agree_with_the_definition_on_random_boards() {
    let mut rng = ChaCha8Rng::seed_from_u64(322);
    for _ in 0..300 {
        let size = Size::new(rng.random_range(2..=6), rng.random_range(2..=6));
        let mut board = empty_board(size);
        for square in &mut board.squares {
            let kinds = [Square::Unknown, Square::Unknown, Square::Unknown, Square::Hit, Square::Miss];
            *square = kinds[rng.random_range(0..kinds.len())];
        }
        let fleet = fleet(FLEETS[rng.random_range(0..FLEETS.len() - 1)]);
        assert_eq!(counted(&board, &fleet), fitting_counts(&board, &fleet), "{board:?} {fleet:?}");
    }
}

#[test]
fn wide_counts_and_profiles_agree_with_a_sum_over_pairs() {
    // The last cell of the upright long ship is 75 cells after its first, so profiles have more than 64 bits.
    let long = fleet("x/x/x/x xx");
    let board = empty_board(Size::new(25, 25));
    let places: Vec<_> = long.ships.iter().map(|ship| ship.placements(board.size)).collect();
    let apart = |a: &[Cell], b: &[Cell]| !a.iter().any(|cell| b.contains(cell));
    let beside = |a: &[Cell]| places[1].iter().filter(|b| apart(a, &b.cells)).count() as u128;
    assert_eq!(counted(&board, &long).0, places[0].iter().map(|a| beside(&a.cells)).sum::<u128>());
}

#[test]
fn known_counts_of_the_standard_fleet() {
    for (w, h, known, distinct) in [
        (4, 7, 0, Some(0)),
        (5, 6, 1_768, Some(202)),
        (3, 10, 828, Some(172)),
        (2, 15, 24, Some(8)),
        (4, 8, 30_108, Some(9_784)),
        (5, 7, 1_294_136, Some(717_646)),
        (4, 9, 2_273_948, Some(1_455_624)),
        (6, 6, 3_519_208, Some(2_130_112)),
        (4, 10, 44_066_952, None),
        (7, 7, 7_175_380_456, None),
        (8, 8, 758_397_156_072, None),
    ]
    .into_iter()
    .filter(|(w, h, ..)| w * h < 36 || is_thorough())
    {
        let turned = (w != h).then(|| Size::new(h, w));
        for size in std::iter::once(Size::new(w, h)).chain(turned) {
            let automaton = Automaton::new(&empty_board(size), &Fleet::standard()).unwrap();
            assert_eq!(placements(&automaton, &mut Budget::unlimited()), Ok(known), "{size}");
            if let Some(distinct) = distinct {
                assert_eq!(sets(&automaton, &mut Budget::unlimited()), Ok(distinct), "{size}");
            }
        }
    }
    for (w, h, placements, sets) in
        [(4, 7, 0, 0), (5, 6, 1_768, 202), (3, 10, 828, 172), (2, 15, 24, 8), (4, 8, 30_108, 9_784)]
    {
        let plain = plain::count(Size::new(w, h), &Fleet::standard(), &mut Budget::unlimited());
        assert_eq!(plain, Ok(Count { placements, sets }), "{w}x{h}");
    }
}

/// Known counts: the solutions of the pentomino puzzle (D. Scott, 1958, and others; TAOCP 7.2.2.1), each in four
/// positions, and the domino tilings (M. Fisher, P. Kasteleyn, 1961), in all orders of the dominoes.
#[test]
fn known_counts_of_other_fleets() {
    let pentominoes = Fleet::pentominoes().posed(Poses::TurnedMirrored);
    for (w, h, solutions) in some([(3, 20, 2), (5, 12, 1_010), (6, 10, 2_339), (4, 15, 368)]) {
        let board = empty_board(Size::new(w, h));
        assert_eq!(counted(&board, &pentominoes), (4 * solutions, 1), "{w}x{h}");
    }
    if is_thorough() {
        // The eighteen one-sided pentominoes fill 3x30 in 46 ways (TAOCP 7.2.2.1).
        let board = empty_board(Size::new(30, 3));
        let automaton = Automaton::new(&board, &Fleet::one_sided_pentominoes()).unwrap();
        assert_eq!(placements(&automaton, &mut Budget::unlimited()), Ok(4 * 46));
    }
    for (n, tilings) in [(2u32, 2), (4, 36), (6, 6_728)] {
        let dominoes = fleet(&vec!["xx"; (n * n / 2) as usize].join(" "));
        let orders: u128 = (1..=u128::from(n * n / 2)).product();
        assert_eq!(counted(&empty_board(Size::new(n, n)), &dominoes), (tilings * orders, 1), "{n}x{n}");
    }
}

#[test]
fn ranks_and_placements_are_in_bijection() {
    let small = FLEETS.iter().map(|pictures| (fleet(pictures), Size::new(4, 4)));
    for (fleet, size) in small.chain([(Fleet::standard(), Size::new(5, 6))]) {
        let board = empty_board(size);
        let automaton = Automaton::new(&board, &fleet).unwrap();
        let total = placements(&automaton, &mut Budget::unlimited()).unwrap();
        let orders = automaton.orders;
        let ranking = ranking(automaton, &mut Budget::unlimited()).unwrap();
        assert_eq!(ranking.len() * orders, total);
        let mut seen = BTreeSet::new();
        for rank in 0..ranking.len() {
            let mut placed = ranking.placement(rank).unwrap();
            placed.sort();
            assert_eq!(placed.len(), fleet.ships.len());
            for PlacedShip { ship, cells } in &placed {
                assert!(fleet.ships[*ship].placements(size).iter().any(|place| place.cells == *cells));
            }
            let cells: Vec<_> = placed.iter().map(|placed| placed.cells.clone()).collect();
            assert_eq!(set(&cells).len(), fleet.cells(), "ships overlap");
            assert!(seen.insert(placed), "rank {rank} repeats a placement");
        }
        assert_eq!(ranking.placement(ranking.len()), None);
    }
}

/// If rejection sampling fails, the families still make random fleets, and the same fleet for the same seed.
#[test]
fn tight_boards_have_random_fleets() {
    let rules = Rules { misses: 1, fleet: Fleet::standard(), dialect: Dialect::Auto };
    let given = [("w", "2"), ("h", "15"), ("reveal", "1")].map(|(k, v)| (k.to_owned(), v.to_owned()));
    let params = Params::new(families::RANDOM, &given).unwrap();
    let make = |seed| families::random(&rules, &params, &mut ChaCha8Rng::seed_from_u64(seed)).unwrap();
    let boards: Vec<Instance> = (1..=12).map(make).collect();
    assert_eq!(make(1), boards[0]);
    for board in &boards {
        assert_ne!(counted(board, &Fleet::standard()).0, 0);
    }
    let sets: BTreeSet<_> = boards.iter().map(|board| board.cells(Square::Hit).collect::<Vec<_>>()).collect();
    assert!(sets.len() > 4, "only {} of the eight sets come up among twelve fleets", sets.len());
}

#[test]
fn limits_end_counts_and_large_fleets_are_unsupported() {
    let automaton = Automaton::new(&empty_board(Size::new(6, 6)), &Fleet::standard()).unwrap();
    assert_eq!(placements(&automaton, &mut Budget::of_work(1_000)), Err(Limit::Work));
    assert_eq!(sets(&automaton, &mut Budget::of_work(1_000)), Err(StudyError::Limit(Limit::Work)));
    assert!(ranking(automaton.clone(), &mut Budget::of_work(1_000)).is_err_and(|e| e == Limit::Work));
    assert_eq!(live_states::<u64>(&automaton, 100_000, &mut Budget::unlimited()), Err(Limit::Memory));
    let many = fleet(&(1..=20).map(|n| "x".repeat(n)).collect::<Vec<_>>().join(" "));
    let unsupported = Automaton::new(&empty_board(Size::new(20, 20)), &many);
    assert!(matches!(unsupported, Err(StudyError::Unsupported(_))));
    let far = fleet("x x/x/x/x/x/x");
    assert!(matches!(Automaton::new(&empty_board(Size::new(32, 32)), &far), Err(StudyError::Unsupported(_))));
    // A ship without placements does not reduce the bound on the paths of the others, which exceeds 64 bits here.
    let board = empty_board(Size::new(12, 12));
    let none = fleet(&format!("{} {}", "x".repeat(13), ["xx/x."; 8].join(" ")));
    assert!(Automaton::new(&board, &none).unwrap().bound > u128::from(u64::MAX));
    let huge = fleet(&vec!["x"; 32].join(" "));
    assert!(matches!(
        Automaton::new(&empty_board(Size::new(16, 16)), &huge),
        Err(StudyError::Unsupported(_))
    ));
}

#[test]
fn states_of_more_than_128_bits_are_unsupported() {
    let sets = |monominoes: usize| {
        let drawn = |i: usize, cells| Ship { name: i.to_string(), cells, poses: Poses::Drawn };
        // On nine columns its last cell is 125 cells after its first.
        let long = (0..14).map(|row| Cell::new(row, 0)).chain([Cell::new(13, 8)]).collect();
        let small = (1..=monominoes).map(|i| drawn(i, vec![Cell::new(0, 0)]));
        let fleet = Fleet { ships: [drawn(0, long)].into_iter().chain(small).collect() };
        let board = empty_board(Size::new(9, 14));
        sets(&Automaton::new(&board, &fleet).unwrap(), &mut Budget::unlimited())
    };
    // The long ship has one placement; the others cover three of the 111 remaining cells.
    assert_eq!(sets(3), Ok(221_815));
    assert!(matches!(sets(4), Err(StudyError::Unsupported(_))));
}

/// The number of placements, the number of covered sets, and for each square the number of placements that cover it;
/// all by definition.
fn counts_by_definition(board: &Instance, fleet: &Fleet) -> (u128, u128, Vec<u128>) {
    let all = fitting(board, fleet);
    let covering = |cell: Cell| all.iter().filter(|laid| laid.iter().flatten().any(|&c| c == cell)).count();
    let covered = board.size.iter().map(|cell| covering(cell) as u128).collect();
    let (placements, sets) = fitting_counts(board, fleet);
    (placements, sets, covered)
}

#[test]
fn counts_for_squares_agree_with_the_definition() {
    let mut rng = ChaCha8Rng::seed_from_u64(1138);
    for _ in 0..400 {
        let size = Size::new(rng.random_range(2..=6), rng.random_range(2..=6));
        let mut board = empty_board(size);
        for square in &mut board.squares {
            let kinds = [Square::Unknown, Square::Unknown, Square::Unknown, Square::Hit, Square::Miss];
            *square = kinds[rng.random_range(0..kinds.len())];
        }
        let fleet = fleet(FLEETS[rng.random_range(0..FLEETS.len() - 1)]);
        let expected = counts_by_definition(&board, &fleet);
        let automaton = Automaton::new(&board, &fleet).unwrap();
        let sums = marginals(&automaton, &mut Budget::unlimited(), &mut Vec::new()).unwrap();
        let mut covered = vec![0; size.cells()];
        automaton.scan.iter().zip(sums.covered).for_each(|(&cell, n)| covered[size.index(cell)] = n);
        assert_eq!((sums.placements, &covered), (expected.0, &expected.2), "{board:?} {fleet:?}");
        let rules = Rules { misses: 1, fleet, dialect: Dialect::Auto };
        let found = count_position(&rules, &board, &mut Budget::unlimited(), &mut Vec::new()).unwrap();
        assert_eq!((found.placements, found.sets, found.covered), (expected.0, Some(expected.1), expected.2));
        if let Some(listed) = found.listed {
            assert_eq!(listed.iter().map(|set| set.placements).sum::<u128>(), expected.0);
        }
    }
}

/// If the sets of a position are few enough to be listed, counting by this list agrees with the automaton. The counts
/// for all squares sum to 28 times the number of placements.
#[test]
fn the_automaton_agrees_with_lists_of_sets() {
    let rules = Rules { misses: 1, fleet: Fleet::standard(), dialect: Dialect::Auto };
    let mut listed = 0;
    for (n, reveal, seed) in (1..=6).flat_map(|seed| [(6, 0.3, seed), (7, 0.6, seed), (8, 0.6, seed)]) {
        let given = [("n", n.to_string()), ("reveal", reveal.to_string())].map(|(k, v)| (k.to_owned(), v));
        let params = Params::new(families::RANDOM, &given).unwrap();
        let board = families::random(&rules, &params, &mut ChaCha8Rng::seed_from_u64(seed)).unwrap();
        let found = count_position(&rules, &board, &mut Budget::unlimited(), &mut Vec::new()).unwrap();
        let automaton = Automaton::new(&board, &rules.fleet).unwrap();
        let sums = marginals(&automaton, &mut Budget::unlimited(), &mut Vec::new()).unwrap();
        assert_eq!(sums.covered.iter().sum::<u128>(), 28 * sums.placements);
        assert_eq!(found.placements, sums.placements);
        let covered: Vec<u128> =
            automaton.scan.iter().map(|&cell| found.covered[board.size.index(cell)]).collect();
        assert_eq!(covered, sums.covered);
        listed += usize::from(found.listed.is_some());
    }
    assert!(listed > 6, "{listed}");
}
