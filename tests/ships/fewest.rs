//! Ships: families that are won although every order of shots fails that always takes a cell that the fewest sets lack
//! (*fewest-`o`*).

use crate::fewest_o::some_order_wins;
use chacha20::ChaCha8Rng;
use counterpoint::claim::all_closed;
use counterpoint::engine::Budget;
use counterpoint::problem::{Params, StudyRequest};
use counterpoint::problems::ships::check::study::check_study;
use counterpoint::problems::ships::study::families as study_families;
use counterpoint::problems::ships::study::families::game::{fewest_o_wins, is_won_by_definition};
use counterpoint::problems::ships::study::families::smallest::{fewest_cells, fewest_sets};
use counterpoint::problems::ships::{Dialect, Fleet, Rules};
use counterpoint::study::{Row, StudyError, StudyOutput};
use rand::{RngExt, SeedableRng};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// The rows of a study and its certificate, if there is one.
#[derive(Debug, Default)]
struct Recorded {
    rows: Vec<Row>,
    certificate: Option<Vec<u8>>,
}

impl StudyOutput for Recorded {
    fn row(&mut self, row: Row) {
        self.rows.push(row);
    }

    fn file(&mut self, _: &str, contents: &dyn Fn() -> Vec<u8>) {
        self.certificate = Some(contents());
    }
}

/// The study `families`.
fn study(given: &[(&str, &str)], misses: u32) -> Result<Recorded, StudyError> {
    let given: Vec<_> = given.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let params = Params::new(study_families::PARAMS, &given).unwrap();
    let rules = Rules { misses, fleet: Fleet::standard(), dialect: Dialect::Auto };
    let mut found = Recorded::default();
    let request = StudyRequest { rules: &rules, params: &params, instance: None };
    study_families::families(&request, &mut Budget::unlimited(), &mut found).map(|()| found)
}

fn certificate(found: &Recorded) -> Map<String, Value> {
    serde_json::from_slice(found.certificate.as_ref().unwrap()).unwrap()
}

fn is_won(family: &[u64], misses: u32) -> bool {
    is_won_by_definition(family, misses, &mut Default::default())
}

/// Some plan wins, but no fewest-`o` order does; and without any one of its sets, some such order wins.
fn fails_and_is_minimal(family: &[u64], misses: u32) {
    assert!(is_won(family, misses) && !is_won(family, misses - 1), "{misses}");
    assert!(!some_order_wins(family, misses, &mut HashMap::new()), "{misses}");
    for i in 0..family.len() {
        let fewer = [&family[..i], &family[i + 1..]].concat();
        assert!(some_order_wins(&fewer, misses, &mut HashMap::new()), "{misses}, without set {i}");
    }
    if misses <= 6 {
        assert_eq!(fewest_o_wins(family, misses, &mut Budget::unlimited()), Ok(false), "{misses}");
    }
}

/// Number of cells that some set contains.
fn used(family: &[u64]) -> u32 {
    family.iter().fold(0, |any, set| any | set).count_ones()
}

/// From three misses on, no family of fewer than m + 4 sets is won while every fewest-`o` order fails.
#[test]
fn fewest_o_fails_on_hubs_from_three_misses_on() {
    for misses in 3..=8 {
        let (family, cells) = fewest_sets(misses).unwrap();
        assert_eq!((family.len() as u32, cells), (misses + 4, used(&family)));
        fails_and_is_minimal(&family, misses);
    }
}

#[test]
fn fewest_o_fails_over_few_cells() {
    for misses in 4..=8 {
        let (family, cells) = fewest_cells(misses).unwrap();
        assert_eq!((cells, used(&family)), (misses + 3 + u32::from(misses < 6), cells));
        assert!(is_won(&family, misses) && !is_won(&family, misses - 1), "{misses}");
        assert!(!some_order_wins(&family, misses, &mut HashMap::new()), "{misses}");
    }
    for misses in 4..=5 {
        fails_and_is_minimal(&fewest_cells(misses).unwrap().0, misses);
    }
}

/// Over m + 3 cells, a family of two-cell sets is won with m misses if and only if the pairs that are not in it connect
/// all cells. With at most eight cells, fewest-`o` then wins, too. On all graphs of 4 and 5 cells and random larger ones.
#[test]
fn graphs_over_three_more_cells_than_misses_are_won_if_the_rest_is_connected() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut won = 0;
    for cells in 4..=9u32 {
        let pairs: Vec<u64> =
            (0..cells).flat_map(|a| (a + 1..cells).map(move |b| 1u64 << a | 1 << b)).collect();
        let all = 1u64 << pairs.len();
        let subsets: Vec<u64> = match cells {
            0..=5 => (0..all).collect(),
            _ => (0..300)
                .map(|_| rng.random_range(0..all) & (rng.random_range(0..all) | rng.random_range(0..all)))
                .collect(),
        };
        for left_out in subsets {
            let (rest, family): (Vec<(usize, &u64)>, Vec<_>) =
                pairs.iter().enumerate().partition(|(i, _)| left_out >> i & 1 == 1);
            let family: Vec<u64> = family.into_iter().map(|(_, set)| *set).collect();
            let mut reached = 1u64;
            for _ in 0..cells {
                reached =
                    rest.iter().filter(|(_, set)| *set & reached != 0).fold(reached, |r, (_, set)| r | *set);
            }
            let expected = reached.count_ones() == cells;
            let misses = cells - 3;
            assert_eq!(is_won(&family, misses), expected, "{family:?}");
            if cells <= 8 {
                assert_eq!(some_order_wins(&family, misses, &mut HashMap::new()), expected, "{family:?}");
            }
            won += u32::from(expected);
        }
    }
    assert!(won > 300, "{won}");
}

/// A family of k-sets over n cells is won with n - k misses in any order, since each miss is at one of the n - k cells
/// that the hidden set lacks. So with four misses, families over seven cells can fail only if their sets have two cells.
#[test]
fn no_family_over_seven_cells_fails_with_four_misses() {
    let seven = study(&[("cells", "7"), ("ship", "2")], 4).unwrap();
    assert!(seven.rows.iter().all(|row| row["fewest_o_fails"] == 0));
    assert_eq!(seven.rows.last().unwrap()["sets"], 15);
}

#[test]
fn smallest_families_have_certificates() {
    for (name, misses) in [("fewest-sets", 3), ("fewest-sets", 5), ("fewest-cells", 4), ("fewest-cells", 6)] {
        let found = study(&[("family", name)], misses).unwrap();
        let row = &found.rows[0];
        assert_eq!(
            (&row["families"], &row["won"], &row["safe_choice_errs"]),
            (&json!(1), &json!(1), &json!(0))
        );
        assert_eq!(row["fewest_o_fails"], json!(1));
        let certificate = certificate(&found);
        assert!(
            all_closed(&check_study("families", &certificate, &mut Budget::unlimited()).unwrap()),
            "{misses}"
        );
    }
    let error = |given: &[(&str, &str)], misses| study(given, misses).unwrap_err().to_string();
    let (sets, cells) = (("family", "fewest-sets"), ("family", "fewest-cells"));
    assert_eq!(error(&[sets], 2), "there is no such family for misses=2; allow more, as in misses=4");
    assert!(error(&[cells], 3).contains("misses=3"));
    let sized = error(&[cells, ("ship", "2")], 4);
    assert_eq!(sized, "the parameter family has families of a fixed size; leave out ship");
}
