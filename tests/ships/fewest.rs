//! Ships: families that are won although every order of shots fails that always takes a cell that the fewest sets lack
//! (*fewest-`o`*).

use counterpoint::claim::all_closed;
use counterpoint::engine::Budget;
use counterpoint::problem::{Params, StudyRequest};
use counterpoint::problems::ships::check::study::check_study;
use counterpoint::problems::ships::study::families as study_families;
use counterpoint::problems::ships::study::families::game::{fewest_o_wins, is_won_by_definition};
use counterpoint::problems::ships::{Dialect, Fleet, Rules};
use counterpoint::study::{Row, StudyError, StudyOutput};
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

/// True if some order of shots wins that always takes a cell that the fewest sets lack.
fn some_order_wins(family: &[u64], misses: u32, known: &mut HashMap<(Vec<u64>, u32), bool>) -> bool {
    if family.len() <= 1 || misses == 0 {
        return family.len() <= 1;
    }
    if let Some(&wins) = known.get(&(family.to_vec(), misses)) {
        return wins;
    }
    let parts = (0..64).map(|cell| family.iter().partition::<Vec<u64>, _>(|&set| set >> cell & 1 == 1));
    let parts: Vec<_> = parts.filter(|(with, without)| !with.is_empty() && !without.is_empty()).collect();
    let fewest = parts.iter().map(|(_, without)| without.len()).min().unwrap();
    let wins = parts.iter().filter(|(_, without)| without.len() == fewest).any(|(with, without)| {
        some_order_wins(without, misses - 1, known) && some_order_wins(with, misses, known)
    });
    known.insert((family.to_vec(), misses), wins);
    wins
}

/// From three misses on, no family of fewer than m + 4 sets is won while every fewest-`o` order fails. The hub with three
/// spokes, three further edges and m - 2 edges apart has that many, and none of its sets can be spared.
#[test]
fn fewest_o_fails_on_hubs_from_three_misses_on() {
    for misses in 3..=8 {
        let family = study_families::hub(misses);
        assert_eq!(family.len() as u32, misses + 4);
        let won = |misses| is_won_by_definition(&family, misses, &mut Default::default());
        assert!(won(misses) && !won(misses - 1), "{misses}");
        assert!(!some_order_wins(&family, misses, &mut HashMap::new()), "{misses}");
        for i in 0..family.len() {
            let fewer = [&family[..i], &family[i + 1..]].concat();
            assert!(some_order_wins(&fewer, misses, &mut HashMap::new()), "{misses}, without set {i}");
        }
        if misses <= 6 {
            let found = fewest_o_wins(&family, misses, &mut Budget::unlimited());
            assert_eq!(found, Ok(false), "{misses}");
        }
    }
}

#[test]
fn hubs_have_certificates() {
    for misses in 3..=5 {
        let found = study(&[("family", "hub")], misses).unwrap();
        let row = &found.rows[0];
        assert_eq!(
            (&row["sets"], &row["won"], &row["safe_choice_errs"]),
            (&json!(misses + 4), &json!(1), &json!(0))
        );
        assert_eq!(row["fewest_o_fails"], json!(1));
        let certificate = certificate(&found);
        assert!(
            all_closed(&check_study("families", &certificate, &mut Budget::unlimited()).unwrap()),
            "{misses}"
        );
    }
    let error = |given: &[(&str, &str)], misses| study(given, misses).unwrap_err().to_string();
    let hub = ("family", "hub");
    assert_eq!(error(&[hub], 2), "family=hub needs at least three misses, as in misses=3");
    assert_eq!(error(&[hub, ("ship", "2")], 3), "family=hub has a fixed size; leave out ship");
}

/// A family of k-sets over n cells is won with n - k misses in any order, since each miss is at one of the n - k cells
/// that the hidden set lacks. So with four misses, families over seven cells can fail only if their sets have two cells,
/// and none of these fails. One family over eight cells does.
#[test]
fn eight_cells_are_the_fewest_for_four_misses() {
    let seven = study(&[("cells", "7"), ("ship", "2")], 4).unwrap();
    assert!(seven.rows.iter().all(|row| row["fewest_o_fails"] == 0));
    assert_eq!(seven.rows.last().unwrap()["sets"], 15);
    let edges =
        [(1, 3), (2, 3), (1, 5), (2, 5), (1, 6), (2, 6), (1, 7), (2, 7), (4, 8), (5, 8), (6, 8), (7, 8)];
    let mut family: Vec<u64> = edges.iter().map(|(a, b)| 1 << a | 1 << b).collect();
    assert!(is_won_by_definition(&family, 4, &mut Default::default()));
    assert!(!is_won_by_definition(&family, 3, &mut Default::default()));
    assert!(!some_order_wins(&family, 4, &mut HashMap::new()));
    for _ in 0..family.len() {
        let set = family.remove(0);
        assert!(some_order_wins(&family, 4, &mut HashMap::new()), "without {set:b}");
        family.push(set);
    }
}
