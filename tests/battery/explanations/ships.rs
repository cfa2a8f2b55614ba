//! Ships: every sentence of an explanation holds for all layouts that agree with what it names. A layout may place a
//! ship several times or not at all, and ships may overlap. The boards are small enough to enumerate all layouts.

use crate::samples::samples;
use chacha20::ChaCha8Rng;
use counterpoint::board::{Cell, Size};
use counterpoint::engine::{Budget, Outcome};
use counterpoint::problems::ships::answer::reason::{Part, Reason};
use counterpoint::problems::ships::answer::{Answer, lost};
use counterpoint::problems::ships::explain::{Claim, Needed, sentences};
use counterpoint::problems::ships::sat;
use counterpoint::problems::ships::search::{cover, reason};
use counterpoint::problems::ships::{Dialect, Fleet, Instance, PlacedShip, Poses, Rules, Ship, Square};
use rand::{RngExt, SeedableRng};
use std::collections::BTreeSet;

/// A way to place ships. A set of squares, or of ships, is a bit mask.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Layout {
    covered: u32,
    placed: u32,
    /// Ships that are placed at least twice.
    often: u32,
    disjoint: bool,
}

fn fleet(ships: &[&[(u32, u32)]]) -> Fleet {
    let ship = |(cells, name): (&&[(u32, u32)], char)| Ship {
        name: name.to_string(),
        cells: cells.iter().map(|&(row, col)| Cell::new(row, col)).collect(),
        poses: Poses::Turned,
    };
    Fleet { ships: ships.iter().zip('A'..).map(ship).collect() }
}

const ONE: &[(u32, u32)] = &[(0, 0)];
const TWO: &[(u32, u32)] = &[(0, 0), (0, 1)];
const ROW: &[(u32, u32)] = &[(0, 0), (0, 1), (0, 2)];
const BEND: &[(u32, u32)] = &[(0, 0), (1, 0), (1, 1)];

/// The layouts of all sets of placements. No placement is used twice: the two ships would overlap, and if ships may
/// overlap, the second one would cover nothing new.
fn layouts(fleet: &Fleet, size: Size) -> Vec<Layout> {
    let places: Vec<(usize, u32)> = (0..)
        .zip(&fleet.ships)
        .flat_map(|(ship, shape)| {
            shape.placements(size).into_iter().map(move |place| {
                (ship, place.cells.iter().fold(0, |set, &cell| set | 1 << size.index(cell)))
            })
        })
        .collect();
    assert!(places.len() <= 15, "{}", places.len());
    let layout = |chosen: u32| {
        let mut layout = Layout { covered: 0, placed: 0, often: 0, disjoint: true };
        for (i, &(ship, cells)) in places.iter().enumerate().filter(|(i, _)| chosen >> i & 1 == 1) {
            debug_assert!(i < 15);
            layout.often |= layout.placed & 1 << ship;
            layout.placed |= 1 << ship;
            layout.disjoint &= layout.covered & cells == 0;
            layout.covered |= cells;
        }
        layout
    };
    let all: BTreeSet<Layout> = (0..1u32 << places.len()).map(layout).collect();
    all.into_iter().collect()
}

/// The covered sets of all layouts that satisfy these parts.
fn satisfying(board: &Instance, all: &[Layout], parts: &[Part]) -> BTreeSet<u32> {
    let (mut hits, mut misses, mut placed, mut once, mut disjoint) = (0u32, 0u32, 0u32, 0u32, false);
    for &part in parts {
        match part {
            Part::Square(cell) => match board.at(cell) {
                Square::Hit => hits |= 1 << board.size.index(cell),
                Square::Miss => misses |= 1 << board.size.index(cell),
                Square::Unknown => panic!("{cell} is unknown"),
            },
            Part::AtLeastOnce(ship) => placed |= 1 << ship,
            Part::AtMostOnce(ship) => once |= 1 << ship,
            Part::Disjoint => disjoint = true,
        }
    }
    let satisfies = |l: &&Layout| {
        l.covered & hits == hits
            && l.covered & misses == 0
            && l.placed & placed == placed
            && l.often & once == 0
            && (l.disjoint || !disjoint)
    };
    all.iter().filter(satisfies).map(|layout| layout.covered).collect()
}

/// True if some plan distinguishes the sets with at most this many misses. Tries all plans.
fn won(sets: &[u32], misses: u32) -> bool {
    let (common, union) = sets.iter().fold((u32::MAX, 0), |(all, some), set| (all & set, some | set));
    let ambiguous = (0..32).filter(|cell| (union & !common) >> cell & 1 == 1);
    sets.len() <= 1
        || ambiguous.into_iter().any(|cell| {
            let (hit, miss): (Vec<u32>, Vec<u32>) = sets.iter().partition(|set| *set >> cell & 1 == 1);
            misses > 0 && won(&miss, misses - 1) && won(&hit, misses)
        })
}

fn holds(rules: &Rules, board: &Instance, all: &[Layout], from: &[Part], claim: &Claim) -> bool {
    let bits = |cells: &[Cell]| cells.iter().fold(0, |set, &cell| set | 1 << board.size.index(cell));
    let sets = satisfying(board, all, from);
    match claim {
        Claim::Sets(n) => sets.len() == *n,
        Claim::Sure(cells) => sets.iter().all(|set| set & bits(cells) == bits(cells)),
        Claim::Left(shots, rest) => {
            let as_shot =
                |set: &u32, (cell, hit): &(Cell, bool)| (set >> board.size.index(*cell) & 1 == 1) == *hit;
            let left: Vec<u32> =
                sets.into_iter().filter(|set| shots.iter().all(|shot| as_shot(set, shot))).collect();
            let shot: Vec<Cell> = shots.iter().map(|(cell, _)| *cell).collect();
            let known: Vec<Cell> = board.cells(Square::Hit).chain(shot).collect();
            left.len() == 1 && left[0] & !bits(&known) == bits(rest)
        }
        Claim::Shot | Claim::Open => true,
        Claim::Possible(named) => named.iter().all(|set| sets.contains(&bits(set))),
        Claim::Lacked { sets: named, cells, by } => {
            by.len() >= 2
                && cells.iter().all(|cell| {
                    (0..named.len()).filter(|&i| !named[i].contains(cell)).collect::<Vec<_>>() == *by
                })
        }
        Claim::Lost(named, misses) => {
            let named: Vec<u32> = named.iter().map(|set| bits(set)).collect();
            named.iter().all(|set| sets.contains(set)) && *misses == rules.misses && !won(&named, *misses)
        }
        Claim::Step(step, named) => {
            let of = |numbers: &[usize]| numbers.iter().map(|&i| bits(&named[i])).collect::<Vec<u32>>();
            let here = of(&step.sets);
            let (common, union) = here.iter().fold((u32::MAX, 0), |(all, some), set| (all & set, some | set));
            let cells: Vec<Cell> = step.shots.iter().flat_map(|shots| shots.cells.clone()).collect();
            let lacks = |cell: &Cell, by: &[usize]| {
                step.sets.iter().filter(|&&i| !named[i].contains(cell)).eq(by.iter())
            };
            here.iter().all(|set| sets.contains(set))
                && step.misses < rules.misses
                && !won(&here, step.misses)
                && bits(&cells) == union & !common
                && step.shots.iter().all(|shots| shots.cells.iter().all(|cell| lacks(cell, &shots.lacking)))
                && step.shots.iter().all(|shots| !won(&of(&shots.lacking), step.misses - 1))
        }
        Claim::Crowded(count) => {
            let ship =
                |part: &Part| if let Part::AtLeastOnce(ship) = part { Some(1u32 << ship) } else { None };
            let wanted = from.iter().filter_map(ship).fold(0, |all, ship| all | ship);
            let black = board.size.iter().filter(|cell| (cell.row + cell.col) % 2 == 0).collect::<Vec<_>>();
            let miss = |part: &Part| match part {
                Part::Square(cell) if board.at(*cell) == Square::Miss => Some(*cell),
                _ => None,
            };
            let misses = bits(&from.iter().filter_map(miss).collect::<Vec<_>>());
            let free = [bits(&black) & !misses, !bits(&black) & !misses & ((1 << board.size.cells()) - 1)];
            // Enumerate the placements of each ship separately, because here no layout contains all ships.
            let numbers = |ship: u32| {
                let single =
                    all.iter().filter(|l| l.placed == ship && l.often == 0 && l.covered & misses == 0);
                single
                    .map(|l| (l.covered.count_ones(), (l.covered & bits(&black)).count_ones()))
                    .collect::<BTreeSet<_>>()
            };
            let ships = (0..32).map(|i| 1u32 << i).filter(|ship| wanted & ship != 0);
            let sums = ships.fold(BTreeSet::from([(0, 0)]), |sums, ship| {
                let own = numbers(ship);
                sums.iter().flat_map(|(n, b)| own.iter().map(move |(m, c)| (n + m, b + c))).collect()
            });
            sets.is_empty()
                && from.contains(&Part::Disjoint)
                && count.free == free.map(|squares| squares.count_ones() as usize)
                && sums
                    .iter()
                    .all(|&(n, b)| n as usize == count.needed && count.black.contains(&(b as usize)))
                && sums.iter().all(|&(n, b)| b > free[0].count_ones() || n - b > free[1].count_ones())
        }
        Claim::None(needed) => {
            let without = |i: usize| {
                from.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, part)| *part).collect::<Vec<_>>()
            };
            sets.is_empty()
                && (*needed == Needed::Unknown
                    || (0..from.len()).all(|i| !satisfying(board, all, &without(i)).is_empty()))
        }
    }
}

/// The numbers of tested sentences of the rare kinds.
#[derive(Default)]
struct Tested {
    /// Sentences about a minimal set of parts.
    needed: usize,
    /// Sentences about the sets that a miss leaves.
    steps: usize,
    /// Sentences that say that too few squares are free.
    crowded: usize,
}

/// Tests every sentence about a board.
fn test_sentences(rules: &Rules, board: &Instance, all: &[Layout], tested: &mut Tested) {
    let outcome = cover::solve(&mut cover::Workspaces::default(), rules, board, &mut Budget::unlimited());
    let Outcome::Decided(answer) = outcome else { panic!("{outcome:?}") };
    let reason = reason::reason(rules, board, &answer, &sat::satisfy_parts, &mut Budget::unlimited());
    assert!(reason.is_some());
    if let Some(Reason::Fleets(fleets)) = &reason {
        let sets = match &answer {
            Answer::No { lost } => lost::kernel(lost, rules.misses),
            Answer::Yes { sets, .. } => sets.clone(),
            Answer::NoFleet | Answer::Verdict(_) => Vec::new(),
        };
        assert_eq!(fleets.len(), sets.len().min(12));
        for (fleet, set) in fleets.iter().zip(sets) {
            let mut cells: Vec<Cell> = fleet.iter().flat_map(|placed| placed.cells.clone()).collect();
            cells.sort_unstable();
            assert_eq!((cells, fleet.len()), (set, rules.fleet.ships.len()));
        }
    }
    for reason in [None, reason.as_ref()] {
        for sentence in sentences(rules, board, &answer, reason) {
            let is_true = holds(rules, board, all, &sentence.premises, &sentence.claim);
            assert!(is_true, "{board:?}: {} {:?}", sentence.text, sentence.premises);
            tested.needed += usize::from(sentence.claim == Claim::None(Needed::Each));
            tested.steps += usize::from(matches!(sentence.claim, Claim::Step(..)));
            tested.crowded += usize::from(matches!(sentence.claim, Claim::Crowded(_)));
        }
    }
}

fn boards(size: Size) -> impl Iterator<Item = Instance> {
    let square = |digit| [Square::Unknown, Square::Hit, Square::Miss][digit as usize];
    (0..3u32.pow(size.cells() as u32)).map(move |code| Instance {
        size,
        squares: (0..size.cells() as u32).map(|i| square(code / 3u32.pow(i) % 3)).collect(),
    })
}

#[test]
fn every_sentence_is_entailed_on_all_small_boards() {
    let mut tested = Tested::default();
    for (ships, w, h) in [
        (&[TWO, BEND][..], 3, 2),
        (&[ONE, TWO, ROW], 3, 2),
        (&[TWO, TWO], 2, 3),
        (&[ROW, ONE], 4, 1),
        (&[BEND, ONE], 2, 3),
        (&[TWO], 3, 3),
        (&[ONE], 3, 3),
        (&[ROW, TWO], 2, 3),
    ] {
        let (fleet, size) = (fleet(ships), Size::new(w, h));
        let all = layouts(&fleet, size);
        for misses in 0..4 {
            let rules = Rules { misses, fleet: fleet.clone(), dialect: Dialect::Auto };
            for board in boards(size).step_by(if size.cells() > 6 { 7 } else { 1 }) {
                test_sentences(&rules, &board, &all, &mut tested);
            }
        }
    }
    let Tested { needed, steps, crowded } = tested;
    assert!(needed > 3000 && steps > 20 && crowded > 20, "{needed} {steps} {crowded}");
}

/// True if a fleet satisfies a part, by definition.
fn satisfies(board: &Instance, fleet: &[PlacedShip], part: &Part) -> bool {
    let covers = |cell: &Cell| fleet.iter().filter(|placed| placed.cells.contains(cell)).count();
    let placed = |ship: usize| fleet.iter().filter(|placed| placed.ship == ship).count();
    match part {
        Part::Square(cell) => (covers(cell) > 0) == (board.at(*cell) == Square::Hit),
        Part::AtLeastOnce(ship) => placed(*ship) > 0,
        Part::AtMostOnce(ship) => placed(*ship) < 2,
        Part::Disjoint => board.size.iter().all(|cell| covers(&cell) < 2),
    }
}

/// If a board without known squares is too small for the judge's fleet, the explanation counts squares, and its set of
/// parts is minimal.
#[test]
fn small_boards_are_explained_by_counting() {
    let rules = Rules { misses: 1, fleet: Fleet::standard(), dialect: Dialect::Auto };
    for (w, h, words) in [
        (4, 7, "13 or 15 are black, but"),
        (7, 4, "only 14 black and 14 white squares are available"),
        (5, 5, "these ships need 28 squares, but only 25 are available"),
        (6, 4, "Of the 24 squares of these ships, 11 or 13 are black"),
    ] {
        let size = Size::new(w, h);
        let board = Instance { size, squares: vec![Square::Unknown; size.cells()] };
        let found = reason::reason(
            &rules,
            &board,
            &Answer::NoFleet,
            &sat::satisfy_parts,
            &mut Budget::of_work(200_000),
        );
        let Some(Reason::Core(core)) = &found else { panic!("{size}: {found:?}") };
        let sentences = sentences(&rules, &board, &Answer::NoFleet, found.as_ref());
        let counted = sentences.iter().find(|sentence| matches!(sentence.claim, Claim::Crowded(_)));
        assert!(counted.is_some_and(|sentence| sentence.text.contains(words)), "{size}: {sentences:?}");
        assert!(
            sentences.last().is_some_and(|last| last.claim == Claim::None(Needed::Each)),
            "{size}: {sentences:?}"
        );
        for left_out in &core.parts {
            let others: Vec<Part> = core.parts.iter().copied().filter(|part| part != left_out).collect();
            let fleet =
                sat::satisfy_parts(&rules, &board, &others, &mut Budget::unlimited()).unwrap().unwrap();
            assert!(others.iter().all(|part| satisfies(&board, &fleet, part)), "{size} without {left_out:?}");
        }
    }
}

/// On random boards that the judge's fleet does not fit: if any one part of the reason is left out, some fleet
/// satisfies the others.
#[test]
fn without_any_part_of_a_reason_a_fleet_fits() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let rules = Rules { misses: 1, fleet: Fleet::standard(), dialect: Dialect::Auto };
    let mut decided = 0;
    for round in 0..samples(4) as u32 {
        let size = Size::new(6 + round % 3, 6);
        let hits = [0.15, 0.4, 0.6][round as usize % 3];
        let squares = (0..size.cells()).map(|_| match rng.random::<f64>() {
            x if x < hits => Square::Hit,
            x if x < hits + 0.3 => Square::Miss,
            _ => Square::Unknown,
        });
        let board = Instance { size, squares: squares.collect() };
        let answer = Answer::NoFleet;
        let mut budget = Budget::of_work(300_000);
        let Some(Reason::Core(core)) =
            reason::reason(&rules, &board, &answer, &sat::satisfy_parts, &mut budget)
        else {
            continue;
        };
        if core.open > 0 {
            continue;
        }
        decided += 1;
        for left_out in &core.parts {
            let others: Vec<Part> = core.parts.iter().copied().filter(|part| part != left_out).collect();
            let searched = reason::satisfy_parts(&rules, &board, &others, &mut Budget::unlimited());
            let found =
                searched.or_else(|_| sat::satisfy_parts(&rules, &board, &others, &mut Budget::unlimited()));
            let fleet = found.unwrap().unwrap();
            for part in &others {
                assert!(satisfies(&board, &fleet, part), "{board:?} without {left_out:?}: {part:?}");
            }
        }
    }
    assert!(decided >= samples(4) / 3, "{decided} of {}", samples(4));
}
