//! Ships: the limit of the study `transition` against plain enumeration, against search on a large board, and against
//! its own formulas.

use chacha20::ChaCha8Rng;
use counterpoint::board::{Cell, Size};
use counterpoint::engine::{Budget, Outcome};
use counterpoint::problem::{Params, StudyRequest};
use counterpoint::problems::ships::answer::Answer;
use counterpoint::problems::ships::search::cover;
use counterpoint::problems::ships::study::families::game::is_won_by_definition;
use counterpoint::problems::ships::study::transition::exact::{NoMiss, all_hit, quantile};
use counterpoint::problems::ships::study::transition::limit::{Board, PreparedFleet, Squares, Surroundings};
use counterpoint::problems::ships::study::transition::{PARAMS, transition};
use counterpoint::problems::ships::{Dialect, Fleet, Instance, Poses, Rules, Ship, Square};
use counterpoint::study::{Row, StudyError};
use rand::{RngExt, SeedableRng};
use serde_json::json;
use std::collections::BTreeSet;

/// A fleet of straight ships of these lengths.
fn straight(lengths: &[u32], poses: Poses) -> Fleet {
    let ship = |(i, &length): (usize, &u32)| {
        let cells = (0..length).map(|col| Cell::new(0, col)).collect();
        Ship { name: i.to_string(), cells, poses }
    };
    Fleet { ships: lengths.iter().enumerate().map(ship).collect() }
}

/// The squares around all ships, in columns far apart, and the placements of each ship on them.
struct Plain {
    squares: Vec<(i32, i32)>,
    /// The squares of each ship.
    ships: Vec<u64>,
    placements: Vec<Vec<u64>>,
}

impl Plain {
    fn new(fleet: &Fleet, board: &Board<'_>) -> Plain {
        let (mut squares, mut ships) = (Vec::new(), Vec::new());
        for (column, cluster) in (0..).step_by(100).zip(&board.clusters) {
            let ones = u64::try_from(cluster.ship).unwrap();
            ships.push(ones << squares.len());
            squares.extend(cluster.cells.iter().map(|(row, col)| (*row, col + column)));
        }
        let number = |cell| squares.iter().position(|square| *square == cell);
        let anchors = squares.iter().flat_map(|(row, col)| (-3..=0).map(move |back| (*row, col + back)));
        let anchors: BTreeSet<(i32, i32)> = anchors.collect();
        let of = |ship: &Ship| {
            let shapes = ship.shapes();
            let all = shapes.iter().flat_map(|shape| anchors.iter().map(move |anchor| (shape, anchor)));
            let cells = all.filter_map(|(shape, anchor)| {
                let moved = shape.iter().map(|cell| (cell.row as i32 + anchor.0, cell.col as i32 + anchor.1));
                moved.map(number).try_fold(0, |set, square| Some(set | 1 << square?))
            });
            cells.collect::<BTreeSet<u64>>().into_iter().collect()
        };
        let placements = fleet.ships.iter().map(of).collect();
        Plain { squares, ships, placements }
    }

    /// The covered sets: every ship lies anywhere on the squares, all hits are covered, and no uncovered miss is.
    fn sets(&self, uncovered: u64) -> Vec<u64> {
        let hits = uncovered & self.ships.iter().fold(0, |all, ship| all | ship);
        let mut sets = BTreeSet::from([0]);
        for placements in &self.placements {
            let places = placements.iter().filter(|place| *place & uncovered & !hits == 0);
            let places: Vec<u64> = places.copied().collect();
            let larger = sets
                .iter()
                .flat_map(|set| places.iter().filter(move |place| *place & set == 0).map(move |p| p | set));
            sets = larger.collect();
        }
        sets.into_iter().filter(|set| set & hits == hits).collect()
    }
}

/// Fleets with few squares around their ships: different ships; equal ones; ships that fit into others.
fn small_fleets() -> [Fleet; 4] {
    [
        straight(&[2], Poses::Turned),
        straight(&[1, 2], Poses::Turned),
        straight(&[2, 2, 2], Poses::Drawn),
        straight(&[2, 3], Poses::Drawn),
    ]
}

/// For each number of misses up to 4, the polynomial of the probability that they suffice: the number of winning sets
/// of uncovered squares, by the number of squares. Every set is compared with plain enumeration. Also the greatest
/// number of covered sets.
fn polynomials(fleet: &Fleet) -> (Vec<Vec<u64>>, usize) {
    let ships = PreparedFleet::new(fleet).unwrap();
    let board = ships.draw(&mut ChaCha8Rng::seed_from_u64(1));
    let plain = Plain::new(fleet, &board);
    let mut won = vec![vec![0; plain.squares.len() + 1]; 5];
    let mut most_sets = 0;
    for uncovered in 0..1u64 << plain.squares.len() {
        let mut rest = uncovered;
        let part = |cluster: &&Surroundings| {
            let known = rest & ((1 << cluster.squares) - 1);
            rest >>= cluster.squares;
            Squares::from(known)
        };
        let parts: Vec<Squares> = board.clusters.iter().map(part).collect();
        let is_hit = plain.ships.iter().all(|ship| ship & uncovered != 0);
        let sets = if is_hit { plain.sets(uncovered) } else { Vec::new() };
        most_sets = most_sets.max(sets.len());
        for (misses, won) in (0..).zip(&mut won) {
            let expected = is_hit && is_won_by_definition(&sets, misses, &mut Default::default());
            let found = board.is_won(&parts, misses, &mut Budget::unlimited());
            assert_eq!(found, Ok(expected), "{uncovered:b}, {misses} misses");
            won[uncovered.count_ones() as usize] += u64::from(expected);
        }
    }
    (won, most_sets)
}

fn value(polynomial: &[u64], r: f64) -> f64 {
    let degree = polynomial.len() as i32 - 1;
    let term = |(uncovered, &count): (i32, &u64)| {
        count as f64 * r.powi(uncovered) * (1.0 - r).powi(degree - uncovered)
    };
    (0..).zip(polynomial).map(term).sum()
}

#[test]
fn the_limit_of_small_fleets_is_the_polynomial_of_all_uncovered_sets() {
    for fleet in small_fleets() {
        let ships = PreparedFleet::new(&fleet).unwrap();
        let (polynomials, most_sets) = polynomials(&fleet);
        let none = NoMiss::new(&ships);
        assert_eq!(none.is_none(), fleet.ships.len() == 3, "formula for no miss");
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let boards = 2_000;
        let drawn: Vec<Vec<f64>> = (0..boards)
            .map(|_| ships.draw(&mut rng).thresholds(4, &mut rng, &mut Budget::unlimited()).unwrap())
            .collect();
        let mut before = vec![0.0; 6];
        for r in (1..10).map(|tenths| f64::from(tenths) / 10.0) {
            let any = all_hit(&ships, r);
            let exact: Vec<f64> = polynomials.iter().map(|of| value(of, r)).chain([any]).collect();
            assert!(exact.is_sorted_by(|fewer, more| fewer <= &(more + 1e-12)), "{exact:?}");
            assert!(exact.iter().zip(&before).all(|(now, before)| now > before), "{r}: {exact:?} {before:?}");
            for misses in 0..5 {
                assert!(misses + 1 < most_sets || (exact[misses] - any).abs() < 1e-12, "{misses} {exact:?}");
            }
            if let Some(none) = &none {
                assert!((none.probability(r) - exact[0]).abs() < 1e-12, "{r}");
            }
            for (misses, &exact) in exact.iter().enumerate() {
                let won = drawn.iter().filter(|of| of[misses] <= r).count() as f64;
                let deviation = (f64::from(boards) * exact * (1.0 - exact)).sqrt();
                assert!(
                    (won - f64::from(boards) * exact).abs() <= 4.5 * deviation + 1.0,
                    "{misses} {r}: {won} {exact}"
                );
            }
            before = exact;
        }
    }
}

/// On a 32×32 board on which everything but the squares around the ships is a known miss, the search agrees.
#[test]
fn the_limit_agrees_with_search_on_a_large_board() {
    let fleet = Fleet::standard();
    let ships = PreparedFleet::new(&fleet).unwrap();
    let mut workspaces = cover::Workspaces::default();
    let mut answers = [0; 2];
    for seed in 0..60 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let board = ships.draw(&mut rng);
        let share = rng.random_range(0.5..0.9);
        let size = Size::new(32, 32);
        let mut squares = vec![Square::Miss; size.cells()];
        let mut parts: Vec<Squares> = Vec::new();
        for (slot, cluster) in (0..).zip(&board.clusters) {
            let (top, left) = (3 + slot / 3 * 10, 3 + slot % 3 * 10);
            parts.push(0);
            for (i, (row, col)) in cluster.cells.iter().enumerate() {
                let cell = Cell::new((row + top) as u32, (col + left) as u32);
                squares[size.index(cell)] = match (rng.random_bool(share), cluster.ship >> i & 1) {
                    (false, _) => Square::Unknown,
                    (true, 0) => Square::Miss,
                    (true, _) => Square::Hit,
                };
                if squares[size.index(cell)] != Square::Unknown {
                    *parts.last_mut().unwrap() |= 1 << i;
                }
            }
        }
        if parts.iter().zip(&board.clusters).any(|(part, cluster)| part & cluster.ship == 0) {
            continue;
        }
        let instance = Instance { size, squares };
        for misses in 0..4 {
            let rules = Rules { misses, fleet: fleet.clone(), dialect: Dialect::Auto };
            let answer = cover::solve(&mut workspaces, &rules, &instance, &mut Budget::unlimited());
            let Outcome::Decided(answer) = answer else { panic!("{answer:?}") };
            let won = matches!(answer, Answer::Yes { .. });
            let found = board.is_won(&parts, misses, &mut Budget::unlimited());
            assert_eq!(found, Ok(won), "seed {seed}, {misses} misses");
            answers[usize::from(won)] += 1;
        }
    }
    assert!(answers.iter().all(|&count| count >= 20), "{answers:?}");
}

fn study(fleet: Fleet, given: &[(&str, &str)]) -> Result<Vec<Row>, StudyError> {
    let given: Vec<_> = given.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let params = Params::new(PARAMS, &given).unwrap();
    let rules = Rules { misses: 1, fleet, dialect: Dialect::Auto };
    let request = StudyRequest { rules: &rules, params: &params, instance: None };
    let mut rows: Vec<Row> = Vec::new();
    transition(&request, &mut Budget::unlimited(), &mut rows).map(|()| rows)
}

fn rows(given: &[(&str, &str)]) -> Vec<Row> {
    study(Fleet::standard(), given).unwrap()
}

#[test]
fn the_limit_refuses_a_side_and_large_fleets() {
    let error = |fleet, given| study(fleet, given).unwrap_err().to_string();
    let sided = error(Fleet::standard(), &[("limit", "yes"), ("n", "9")]);
    assert_eq!(sided, "with limit=yes the side is infinite; leave out n");
    let fleet = straight(&[4; 32], Poses::Turned);
    assert!(error(fleet, &[("limit", "yes")]).contains("around the ships"));
    assert!(error(straight(&[9], Poses::Turned), &[("limit", "yes")]).contains("around a ship"));
}

/// Every board has a seed of its own, so neither other boards nor other threads change its thresholds.
#[test]
fn the_limit_is_the_same_on_all_threads_and_in_parts() {
    let run = |boards: &'static str, seed: &'static str| {
        std::thread::spawn(move || {
            rows(&[("limit", "yes"), ("most", "2"), ("boards", boards), ("seed", seed)])
        })
    };
    let threads = [run("12", "1"), run("12", "1"), run("5", "1"), run("7", "6")];
    let [all, again, first, second] = threads.map(|thread| thread.join().unwrap());
    assert_eq!(all, again);
    for (row, (first, second)) in all.iter().zip(first.iter().zip(&second)) {
        let list = |row: &Row| {
            row["moments"].as_array().unwrap().iter().map(|m| m.as_f64().unwrap()).collect::<Vec<_>>()
        };
        let mut parts: Vec<f64> = [list(first), list(second)].concat();
        parts.sort_by(f64::total_cmp);
        assert_eq!(parts, list(row), "{}", row["misses"]);
    }
}

#[test]
fn the_limit_of_the_standard_fleet_has_these_quartiles() {
    let ships = PreparedFleet::new(&Fleet::standard()).unwrap();
    let half = 1.0 - (1.0 - 0.5f64.powf(1.0 / 7.0)).powf(0.25);
    assert!((quantile(0.5, |r| all_hit(&ships, r)) - half).abs() < 1e-12);
    let none = NoMiss::new(&ships).unwrap();
    for (part, share) in [(0.25, 0.714), (0.5, 0.778), (0.75, 0.839)] {
        let exact = quantile(part, |r| none.probability(r));
        assert!((exact - share).abs() < 0.005, "{part}: {exact}");
    }
    assert!((none.probability(1.0) - 1.0).abs() < 1e-12 && none.probability(0.0).abs() < 1e-12);
    let rows = rows(&[("limit", "yes"), ("boards", "300")]);
    let misses: Vec<_> = rows.iter().map(|row| row["misses"].clone()).collect();
    assert_eq!(misses, [json!(0), json!(1), json!(2), json!(3), json!("any")]);
    let number = |row: &Row, key: &str| row[key].as_f64().unwrap();
    for (row, exact) in [(&rows[0], quantile(0.5, |r| none.probability(r))), (&rows[4], half)] {
        assert!((number(row, "half_from")..=number(row, "half_to")).contains(&exact), "{exact}: {row:?}");
    }
    // More misses need less.
    assert!(rows.is_sorted_by(|a, b| number(a, "half") > number(b, "half")));
    // From a larger simulation.
    for (row, half) in rows.iter().zip([0.778, 0.698, 0.648, 0.612]) {
        assert!((number(row, "half") - half).abs() < 0.02, "{half}: {row:?}");
    }
}
