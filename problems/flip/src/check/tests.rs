//! Estimates of the sizes of formulas, and what the checker says if it finds no solution or gives up.

use super::modular::{NotSolved, min_weight};
use super::*;
use crate::Stencil;

fn rules(colours: u32) -> Rules {
    Rules {
        size: None,
        colours,
        stencil: Stencil::Plus,
        target: Target::Either,
        goal: Goal::Any,
        within: None,
    }
}

/// A board on which the first square has colour 1 and all others have colour 0.
fn board(width: u32, height: u32) -> Instance {
    let size = Size::new(width, height);
    let mut squares = Digits::zeros(size.cells());
    squares.increment(0);
    Instance { size, squares }
}

fn statuses(colours: u32, instance: &Instance, answer: &Answer) -> Vec<Status> {
    let claims = check(&rules(colours), instance, answer, &[], &mut Budget::unlimited());
    claims.into_iter().map(|claim| claim.status).collect()
}

#[test]
fn estimates_are_upper_bounds_and_not_far_from_the_numbers_of_clauses() {
    let rules = rules(2);
    for (width, height) in (3..=6).flat_map(|width| [(width, 2), (width, 3), (width, 9)]) {
        let instance = board(width, height);
        let estimate = parity_clauses(&rules, &instance);
        let written = impossibility(&rules, &instance).formula().expect("it is small").clauses().count();
        assert!((written..=4 * written).contains(&estimate), "{estimate} for {written}");
    }
}

/// About three clauses for each square and each number of presses that is counted.
#[test]
fn formulas_with_too_many_counters_are_not_written() {
    let (rules, instance) = (rules(2), board(60, 60));
    for (presses, is_small) in [(20, true), (2_000, false)] {
        assert_eq!(optimality(&rules, &instance, presses).formula().is_some(), is_small, "{presses} presses");
    }
}

#[test]
fn a_number_of_presses_needs_a_solution() {
    // A press turns both squares, so they never become equal.
    let number = Answer::Number { presses: 1, optimal: false };
    for colours in [2, 3] {
        let why = "elimination finds no solution".to_owned();
        assert_eq!(statuses(colours, &board(2, 1), &number), [Status::Failed(why)]);
    }
    let impossible = Answer::Impossible(None);
    assert_eq!(statuses(3, &board(2, 1), &impossible), [Status::Recomputed]);
}

#[test]
fn the_system_is_solved_up_to_the_greatest_number_of_squares() {
    let impossible = Answer::Impossible(None);
    // In a row, each square has at most three presses, so elimination is short.
    assert_eq!(
        statuses(3, &board(1024, 1), &impossible),
        [Status::Failed("elimination finds a solution for all 0".to_owned())]
    );
    let why = NotSolved::TooManySquares(1024).to_string();
    assert_eq!(statuses(3, &board(1025, 1), &impossible), [Status::Open(why)]);
}

/// Twelve null vectors have 3^12 = 531,441 sums, and thirteen have more than a million.
#[test]
fn too_many_solutions_are_not_enumerated() {
    let unit = |i: usize| (0..13).map(|k| u32::from(k == i)).collect();
    let null: Vec<Vec<u32>> = (0..13).map(unit).collect();
    let least = |null: &[Vec<u32>], nodes| min_weight(3, vec![1; 13], null, &mut Budget::of_work(nodes));
    assert_eq!(least(&null, u64::MAX), Err(NotSolved::TooManySolutions(3, 13)));
    assert_eq!(least(&null[..12], u64::MAX), Ok(1));
    assert!(matches!(least(&null[..12], 100), Err(NotSolved::Limit(_))));
}
