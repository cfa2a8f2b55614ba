//! Ships: all ways to lay ships, once, often or not at all, apart or not, on boards where they can be gone through.

use counterpoint::board::{Cell, Size};
use counterpoint::engine::{Budget, Outcome};
use counterpoint::problems::ships::answer::Answer;
use counterpoint::problems::ships::answer::reason::{Part, Reason};
use counterpoint::problems::ships::explain::{Claim, Needed, sentences};
use counterpoint::problems::ships::search::{cover, reason};
use counterpoint::problems::ships::{Dialect, Fleet, Instance, Poses, Rules, Ship, Square};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

/// What matters of one way to lay ships; sets have a bit an element.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Layout {
    covered: u32,
    laid: u32,
    /// Ships that are laid twice or more.
    often: u32,
    apart: bool,
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

/// Every set of placements. Twice the same placement is no more than two that overlap, for ships that may.
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
        let mut layout = Layout { covered: 0, laid: 0, often: 0, apart: true };
        for (i, &(ship, cells)) in places.iter().enumerate().filter(|(i, _)| chosen >> i & 1 == 1) {
            debug_assert!(i < 15);
            layout.often |= layout.laid & 1 << ship;
            layout.laid |= 1 << ship;
            layout.apart &= layout.covered & cells == 0;
            layout.covered |= cells;
        }
        layout
    };
    let all: BTreeSet<Layout> = (0..1u32 << places.len()).map(layout).collect();
    all.into_iter().collect()
}

/// The sets of all layouts that keep these parts.
fn kept(board: &Instance, all: &[Layout], parts: &[Part]) -> BTreeSet<u32> {
    let (mut hits, mut misses, mut laid, mut once, mut apart) = (0u32, 0u32, 0u32, 0u32, false);
    for &part in parts {
        match part {
            Part::Square(cell) => match board.at(cell) {
                Square::Hit => hits |= 1 << board.size.index(cell),
                Square::Miss => misses |= 1 << board.size.index(cell),
                Square::Unknown => panic!("nothing is known of {cell}"),
            },
            Part::Laid(ship) => laid |= 1 << ship,
            Part::Once(ship) => once |= 1 << ship,
            Part::Apart => apart = true,
        }
    }
    let keeps = |l: &&Layout| {
        l.covered & hits == hits
            && l.covered & misses == 0
            && l.laid & laid == laid
            && l.often & once == 0
            && (l.apart || !apart)
    };
    all.iter().filter(keeps).map(|layout| layout.covered).collect()
}

/// Whether the sets can be told apart with so many misses, by all plans there are.
fn won(sets: &[u32], misses: u32) -> bool {
    let (common, union) = sets.iter().fold((u32::MAX, 0), |(all, some), set| (all & set, some | set));
    let doubtful = (0..32).filter(|cell| (union & !common) >> cell & 1 == 1);
    sets.len() <= 1
        || doubtful.into_iter().any(|cell| {
            let (hit, miss): (Vec<u32>, Vec<u32>) = sets.iter().partition(|set| *set >> cell & 1 == 1);
            misses > 0 && won(&miss, misses - 1) && won(&hit, misses)
        })
}

fn holds(rules: &Rules, board: &Instance, all: &[Layout], from: &[Part], claim: &Claim) -> bool {
    let bits = |cells: &[Cell]| cells.iter().fold(0, |set, &cell| set | 1 << board.size.index(cell));
    let sets = kept(board, all, from);
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
        Claim::Lost(named) => {
            let named: Vec<u32> = named.iter().map(|set| bits(set)).collect();
            named.iter().all(|set| sets.contains(set)) && !won(&named, rules.misses)
        }
        Claim::None(needed) => {
            let without = |i: usize| {
                from.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, part)| *part).collect::<Vec<_>>()
            };
            sets.is_empty()
                && (*needed == Needed::Unknown
                    || (0..from.len()).all(|i| !kept(board, all, &without(i)).is_empty()))
        }
    }
}

/// Every sentence about a board; returns how many say that no part can be left out.
fn hold(rules: &Rules, board: &Instance, all: &[Layout]) -> usize {
    let outcome = cover::solve(&mut cover::Memory::default(), rules, board, &mut Budget::unlimited());
    let Outcome::Decided(answer) = outcome else { panic!("{outcome:?}") };
    let reason = reason::reason(rules, board, &answer, &mut Budget::unlimited());
    assert_eq!(reason.is_none(), matches!(answer, Answer::Yes { .. }));
    if let (Some(Reason::Fleets(fleets)), Answer::No { lost }) = (&reason, &answer) {
        for (fleet, set) in fleets.iter().zip(lost) {
            let mut cells: Vec<Cell> = fleet.iter().flat_map(|(_, cells)| cells.clone()).collect();
            cells.sort_unstable();
            assert_eq!((cells, fleet.len()), (set.clone(), rules.fleet.ships.len()));
        }
    }
    let mut needed = 0;
    for reason in [None, reason.as_ref()] {
        for sentence in sentences(rules, board, &answer, reason) {
            let told = holds(rules, board, all, &sentence.from, &sentence.claim);
            assert!(told, "{board:?}: {} {:?}", sentence.text, sentence.from);
            needed += usize::from(sentence.claim == Claim::None(Needed::Each));
        }
    }
    needed
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
    let mut needed = 0;
    for (ships, w, h) in [
        (&[TWO, BEND][..], 3, 2),
        (&[ONE, TWO, ROW], 3, 2),
        (&[TWO, TWO], 2, 3),
        (&[ROW, ONE], 4, 1),
        (&[BEND, ONE], 2, 3),
        (&[TWO], 3, 3),
    ] {
        let (fleet, size) = (fleet(ships), Size::new(w, h));
        let all = layouts(&fleet, size);
        for misses in 0..3 {
            let rules = Rules { misses, fleet: fleet.clone(), dialect: Dialect::Auto };
            for board in boards(size).step_by(if size.cells() > 6 { 7 } else { 1 }) {
                needed += hold(&rules, &board, &all);
            }
        }
    }
    assert!(needed > 3000, "{needed}");
}

/// The judge's fleet on boards where random squares contradict it: each part is needed, by the same search asked once
/// more about the other parts, and what it finds is held against them.
#[test]
fn without_any_part_of_a_reason_a_fleet_fits() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let rules = Rules { misses: 1, fleet: Fleet::standard(), dialect: Dialect::Auto };
    let mut settled = 0;
    for round in 0..60 {
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
        let Some(Reason::Core(core)) = reason::reason(&rules, &board, &answer, &mut budget) else { continue };
        if core.open > 0 {
            continue;
        }
        settled += 1;
        for left_out in &core.parts {
            let others: Vec<Part> = core.parts.iter().copied().filter(|part| part != left_out).collect();
            let fleet = reason::keeping(&rules, &board, &others, &mut Budget::unlimited()).unwrap().unwrap();
            for part in &others {
                let covers = |cell: &Cell| fleet.iter().filter(|(_, cells)| cells.contains(cell)).count();
                let laid = |ship: usize| fleet.iter().filter(|(other, _)| *other == ship).count();
                let keeps = match part {
                    Part::Square(cell) => (covers(cell) > 0) == (board.at(*cell) == Square::Hit),
                    Part::Laid(ship) => laid(*ship) > 0,
                    Part::Once(ship) => laid(*ship) < 2,
                    Part::Apart => size.iter().all(|cell| covers(&cell) < 2),
                };
                assert!(keeps, "{board:?} without {left_out:?}: {part:?}");
            }
        }
    }
    assert!(settled >= 8, "{settled}");
}
