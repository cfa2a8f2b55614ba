//! Boards that are all of one kind, as large as readers allow or as searches can bear.

use crate::cost::{Cost, assert_linear, cost, of};
use crate::games::settings;
use counterpoint::engine::{Budget, Outcome};
use counterpoint::input::{Source, Warnings};
use counterpoint::solver::SolverRegistry;
use counterpoint::spec::resolve;

/// Solves the only game of a text with the default engine. Returns the outcome in words, and what that allocates.
fn solve(problem: &str, rules: &[(&str, &str)], text: &str, work: u64) -> (String, Cost) {
    let registry = counterpoint::standard();
    let problem = registry.find(problem).unwrap();
    let (settings, warnings) = (settings(problem, rules), Warnings::default());
    let id = problem.info().default_engine;
    let engine = &resolve(problem.engines(), &SolverRegistry::built_in(), id).unwrap()[0];
    let mut outcome = String::new();
    let cost = cost(|| {
        let mut games = problem.open(&settings, Source::from_text("board", text), &warnings).unwrap();
        let game = games.next().unwrap().unwrap();
        outcome = match game.solve(engine, &mut Budget::of_work(work)) {
            Outcome::Decided(answer) => answer.outcome(),
            Outcome::GaveUp(limit, _) => limit.to_string(),
            Outcome::Unsupported(why) => format!("unsupported: {why}"),
            Outcome::Failed(why) => format!("failed: {why}"),
        };
    });
    (outcome, cost)
}

fn rows(side: usize, square: &str) -> String {
    (square.repeat(side) + "\n").repeat(side)
}

#[test]
fn ships_of_one_kind() {
    const SIDE: usize = 32;
    for (square, outcome) in [("o", "no-fleet"), ("x", "no-fleet"), (".", "no")] {
        let text = format!("{SIDE} {SIDE}\n{}0 0\n", rows(SIDE, square));
        let (found, cost) = solve("ships", &[], &text, 10_000);
        assert_eq!(found, outcome, "{square}");
        assert!(cost.peak < 1 << 20, "{square}: {cost:?}");
    }
}

#[test]
fn flip_of_one_colour() {
    for square in ["b", "w"] {
        for side in [16, 32, 64, 128, 256] {
            let (found, cost) = solve("flip", &[], &(rows(side, square)), 10_000);
            assert_eq!(found, "0 presses", "{square} {side}");
            // A null vector has a bit for each square, and a basis has at most as many vectors as a row has squares.
            let cubed = (side * side * side) as u64;
            assert!(cost.peak < 4 * cubed + (1 << 20), "{square} {side}: {cost:?}");
        }
    }
}

/// Every square gets a spot, and then loses it: twice as many moves as squares.
#[test]
fn spot_with_all_spots() {
    assert_linear("spot", 20, (12, 1 << 20), |n| {
        let side = ((n * 20) as f64).sqrt() as usize;
        let moves = |sign: &str| -> String {
            (1..=side)
                .flat_map(|x| (1..=side).map(move |y| format!("{x} {y} ")))
                .map(|at| at + sign + "\n")
                .collect()
        };
        let text = format!("{side}\n{}{}0\n", moves("+"), moves("-"));
        of(text, |text| {
            let text = std::str::from_utf8(text).unwrap();
            let (found, _) = solve("spot", &[("limit", "none")], text, 1_000_000);
            assert!(found.contains("player"), "{found}");
        })
    });
}
