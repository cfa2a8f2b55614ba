//! Ships: studies against definitions: minimum number of misses, the next shot, families of sets; and forged
//! certificates.

use chacha20::ChaCha8Rng;
use counterpoint::board::{Cell, Size};
use counterpoint::claim::{all_closed, any_failed};
use counterpoint::engine::{Budget, Outcome};
use counterpoint::problem::{Param, Params, StudyRequest};
use counterpoint::problems::ships::answer::Answer;
use counterpoint::problems::ships::check::study::check_study;
use counterpoint::problems::ships::search::cover;
use counterpoint::problems::ships::study::families::canon::canonical;
use counterpoint::problems::ships::study::families::game::{fewest_o_wins, is_won, is_won_by_definition};
use counterpoint::problems::ships::study::min_misses::min_misses;
use counterpoint::problems::ships::study::{families as study_families, misses, shoot, transition};
use counterpoint::problems::ships::{Dialect, Fleet, Instance, Rules, Square, families};
use counterpoint::study::{Row, StudyError, StudyOutput};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The rows, notes and files of a study.
#[derive(Default)]
struct Recorded {
    rows: Vec<Row>,
    notes: Vec<String>,
    files: BTreeMap<String, Vec<u8>>,
}

impl StudyOutput for Recorded {
    fn row(&mut self, row: Row) {
        self.rows.push(row);
    }

    fn note(&mut self, text: &str) {
        self.notes.push(text.to_owned());
    }

    fn file(&mut self, name: &str, contents: &dyn Fn() -> Vec<u8>) {
        self.files.insert(name.to_owned(), contents());
    }
}

type StudyFn =
    fn(&StudyRequest<'_, Rules, Instance>, &mut Budget, &mut dyn StudyOutput) -> Result<(), StudyError>;

fn rules(misses: u32) -> Rules {
    Rules { misses, fleet: Fleet::standard(), dialect: Dialect::Auto }
}

fn params(of: &[Param], given: &[(&str, &str)]) -> Params {
    let given: Vec<_> = given.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    Params::new(of, &given).unwrap()
}

fn ask(ask: StudyFn, rules: &Rules, params: &Params, instance: Option<&Instance>) -> Recorded {
    let mut found = Recorded::default();
    ask(&StudyRequest { rules, params, instance }, &mut Budget::unlimited(), &mut found).unwrap();
    found
}

fn board(n: u32, reveal: f64, seed: u64) -> Instance {
    let (n, reveal) = (n.to_string(), reveal.to_string());
    let params = params(families::RANDOM, &[("n", &n), ("reveal", &reveal)]);
    families::random(&rules(1), &params, &mut ChaCha8Rng::seed_from_u64(seed)).unwrap()
}

fn certificate(found: &Recorded) -> Map<String, Value> {
    serde_json::from_slice(&found.files["certificate.json"]).unwrap()
}

/// True if a certificate can be read and all its claims are closed.
fn holds(map: &Map<String, Value>) -> bool {
    let question = map["question"].as_str().unwrap();
    check_study(question, map, &mut Budget::of_work(5_000_000)).is_ok_and(|claims| all_closed(&claims))
}

/// A random family of k-sets over n cells. Bit c stands for cell c.
fn random_family(n: u32, k: u32, sets: usize, rng: &mut ChaCha8Rng) -> Vec<u64> {
    let all: Vec<u64> = (0..1 << n).filter(|set: &u64| set.count_ones() == k).collect();
    let mut family: Vec<u64> = (0..sets).map(|_| all[rng.random_range(0..all.len())]).collect();
    family.sort_unstable();
    family.dedup();
    family
}

#[test]
fn minimum_misses_agree_with_the_definition() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for _ in 0..300 {
        let (n, k) = (rng.random_range(3..=8), rng.random_range(1..=3));
        let sets = rng.random_range(1..=9);
        let family = random_family(n, k, sets, &mut rng);
        let cells =
            |set: &u64| (0..n).filter(|c| set >> c & 1 == 1).map(|c| Cell::new(0, c)).collect::<Vec<_>>();
        let listed: Vec<Vec<Cell>> = family.iter().map(cells).collect();
        let listed: Vec<&[Cell]> = listed.iter().map(Vec::as_slice).collect();
        let least = min_misses(Size::new(n, 1), &listed, &mut Budget::unlimited()).unwrap();
        let plain = |misses| is_won_by_definition(&family, misses, &mut Default::default());
        assert!(plain(least) && (least == 0 || !plain(least - 1)), "{family:?}");
        assert!(is_won(&family, least) && (least == 0 || !is_won(&family, least - 1)), "{family:?}");
    }
}

#[test]
fn fewest_o_is_exact_for_one_miss() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for _ in 0..500 {
        let family = random_family(7, 3, 5, &mut rng);
        assert_eq!(fewest_o_wins(&family, 1, &mut Budget::unlimited()), Ok(is_won(&family, 1)), "{family:?}");
    }
}

#[test]
fn canonical_forms_do_not_depend_on_the_names_of_cells() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    for _ in 0..300 {
        let n = rng.random_range(3..=7);
        let family = random_family(n, 2, 6, &mut rng);
        let mut names: Vec<u32> = (0..n).collect();
        for i in (1..n as usize).rev() {
            names.swap(i, rng.random_range(0..=i));
        }
        let rename =
            |set: &u64| (0..n).filter(|c| set >> c & 1 == 1).fold(0, |to, c| to | 1 << names[c as usize]);
        let renamed: Vec<u64> = family.iter().map(rename).collect();
        assert_eq!(canonical(&family, n), canonical(&renamed, n), "{family:?}");
    }
}

fn families_of(cells: &str, ship: &str, lost: &str, misses: u32) -> Recorded {
    let params = params(study_families::PARAMS, &[("cells", cells), ("ship", ship), ("lost", lost)]);
    ask(study_families::families, &rules(misses), &params, None)
}

fn sum(found: &Recorded, key: &str) -> u64 {
    found.rows.iter().map(|row| row[key].as_u64().unwrap()).sum()
}

/// All graphs and 3-uniform hypergraphs with at least one edge (OEIS A000088, A000665) satisfy the theorems:
/// safe choices never err, and a family of k-sets that is won with m misses has at most C(k + m, m) sets. On
/// all of them, the fewest-`o` policy, which always shoots at a cell that the fewest sets lack, does not
/// fail, either.
#[test]
fn theorems_hold_on_all_small_families() {
    for (cells, ship, known) in
        [("3", "2", 3), ("4", "2", 10), ("5", "2", 33), ("6", "2", 155), ("5", "3", 33)]
    {
        for misses in 1..=3 {
            let found = families_of(cells, ship, "1", misses);
            assert_eq!(sum(&found, "families"), known, "{cells} {ship}");
            assert_eq!(sum(&found, "safe_choice_errs"), 0, "{cells} {ship} {misses}");
            assert_eq!(sum(&found, "fewest_o_fails"), 0, "{cells} {ship} {misses}");
            let largest = found.rows.iter().rfind(|row| row["won"] != 0).unwrap()["sets"].as_u64().unwrap();
            let (cells, ship): (u64, u64) = (cells.parse().unwrap(), ship.parse().unwrap());
            let bound = (1..=u64::from(misses)).fold(1, |most, m| most * (ship + m) / m);
            assert!(largest <= bound, "{cells} {ship} {misses}");
            if cells >= ship + u64::from(misses) {
                assert_eq!(largest, bound, "{cells} {ship} {misses}");
            }
        }
    }
}

/// Exactly one family of 3-sets over six cells that is won with two misses is lost by the fewest-`o` policy.
/// Families that differ only in the numbering of cells count as one.
#[test]
fn the_smallest_failure_of_fewest_o_has_a_certificate() {
    let found = families_of("6", "3", "0", 2);
    let failing: Vec<_> = found.rows.iter().filter(|row| row["fewest_o_fails"] != 0).collect();
    assert_eq!(failing.len(), 1);
    assert_eq!((&failing[0]["sets"], &failing[0]["fewest_o_fails"]), (&json!(8), &json!(1)));
    let good = certificate(&found);
    assert!(holds(&good));
    let changed = |key: &str, value: Value| {
        let mut map = good.clone();
        map.insert(key.to_owned(), value);
        map
    };
    let family = good["family"].as_array().unwrap();
    assert!(!holds(&changed("misses", json!(1))));
    assert!(!holds(&changed("family", family[1..].to_vec().into())));
    assert!(!holds(&changed("family", json!(["100", "010"]))));
    assert!(!holds(&changed("family", json!(["110", "010"]))));
    assert!(!holds(&changed("plan", json!({ "sink": 1 }))));
    // Here the fewest-`o` policy wins.
    let plan = json!({ "shoot": [1, 1], "hit": { "sink": 1 }, "miss": { "sink": 2 } });
    let easy = Map::from_iter([("family".to_owned(), json!(["10", "01"])), ("plan".to_owned(), plan)]);
    let easy: Map<_, _> = good.clone().into_iter().chain(easy).collect();
    assert!(any_failed(&check_study("families", &easy, &mut Budget::unlimited()).unwrap()));
    for key in ["version", "misses", "family", "plan"] {
        let mut map = good.clone();
        map.remove(key);
        let error = check_study("families", &map, &mut Budget::unlimited()).unwrap_err();
        assert!(error.message().contains(&format!("\"{key}\"")), "{error}");
        for odd in [json!(null), json!(-1), json!("x"), json!([[]]), json!({ "shoot": [9, 9] })] {
            assert!(!holds(&changed(key, odd)));
        }
    }
}

#[test]
fn minimum_misses_of_positions_have_certificates() {
    let mut most = 0;
    for (n, reveal, seed) in (1..=4).flat_map(|seed| [(6, 0.7, seed), (8, 0.8, seed)]) {
        let board = board(n, reveal, seed);
        let found = ask(misses::misses, &rules(1), &params(misses::PARAMS, &[]), Some(&board));
        let last = found.rows.last().unwrap();
        assert_eq!(last["outcome"], "yes");
        let least = last["misses"].as_u64().unwrap();
        most = most.max(least);
        assert_eq!(found.rows.len() as u64, least + 1);
        assert!(found.rows.iter().rev().skip(1).all(|row| row["outcome"] == "no"));
        let good = certificate(&found);
        assert!(holds(&good), "{board:?}");
        assert!(found.files.contains_key("tree.svg"));
        for wrong in [least + 1, least.wrapping_sub(1)] {
            let mut map = good.clone();
            map.insert("misses".to_owned(), json!(wrong));
            assert!(!holds(&map), "{least} {wrong}");
        }
        let mut map = good.clone();
        map.get_mut("sets").unwrap().as_array_mut().unwrap().pop();
        assert!(!holds(&map));
    }
    assert!(most > 1, "{most}");
}

/// At the threshold the answer changes to "yes", and it remains "yes".
#[test]
fn uncovering_squares_changes_the_answer_once() {
    for seed in 1..=3 {
        let full = board(7, 1.0, seed);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut order: Vec<usize> = (0..49).collect();
        order.shuffle(&mut rng);
        let (mut workspaces, mut budget) = (cover::Workspaces::default(), Budget::unlimited());
        let thresholds =
            transition::thresholds_of(&rules(1), &full, &order, 2, &mut workspaces, &mut budget).unwrap();
        for (misses, &threshold) in (0..).zip(&thresholds) {
            for known in 0..=49 {
                let board = transition::uncovered(&full, &order[..known]);
                let answer = cover::solve(&mut workspaces, &rules(misses), &board, &mut budget);
                let yes = matches!(answer, Outcome::Decided(Answer::Yes { .. }));
                assert_eq!(yes, known >= threshold, "{seed} {misses} {known}");
            }
        }
        assert!(thresholds.is_sorted_by(|a, b| a >= b), "{thresholds:?}");
    }
}

/// A position for which two misses suffice, but not with the fewest-`o` policy.
#[test]
fn fewest_o_fails_on_a_position() {
    let rows =
        ["ooooxxx.", "ooo.xxxx", "..xoxoxx", "xxxoooxx", ".x..ooox", ".xoxxoox", "ooo.xoox", "ooooooo."];
    let square = |c| match c {
        'x' => Square::Hit,
        'o' => Square::Miss,
        _ => Square::Unknown,
    };
    let squares = rows.iter().flat_map(|row| row.chars()).map(square).collect();
    let board = Instance { size: Size::new(8, 8), squares };
    let found = ask(misses::misses, &rules(1), &params(misses::PARAMS, &[]), Some(&board));
    let last = found.rows.last().unwrap();
    assert_eq!((&last["misses"], &last["fewest_o"], &last["sets"]), (&json!(2), &json!("fails"), &json!(7)));
    let fewer = ask(misses::misses, &rules(1), &params(misses::PARAMS, &[("most", "1")]), Some(&board));
    assert_eq!((fewer.rows.len(), fewer.files.len()), (2, 0));
    assert!(fewer.notes[0].starts_with("1 miss is not enough"), "{:?}", fewer.notes);
    let good = certificate(&found);
    assert_eq!(good["fewest_o"], "fails");
    assert!(holds(&good));
    let mut map = good.clone();
    map.insert("fewest_o".to_owned(), json!("wins"));
    assert!(
        check_study("misses", &map, &mut Budget::unlimited()).unwrap_err().message().contains("fewest_o")
    );
    let easy = ask(misses::misses, &rules(1), &params(misses::PARAMS, &[]), Some(&self::board(8, 0.8, 1)));
    let mut map = certificate(&easy);
    map.insert("fewest_o".to_owned(), json!("fails"));
    assert!(any_failed(&check_study("misses", &map, &mut Budget::unlimited()).unwrap()));
}

#[test]
fn errors_of_malformed_certificates_name_the_member() {
    let found = ask(misses::misses, &rules(1), &params(misses::PARAMS, &[]), Some(&board(8, 0.8, 1)));
    let good = certificate(&found);
    for key in ["version", "board", "fleet", "turn", "mirror", "misses", "outcome", "sets", "plan"] {
        let mut map = good.clone();
        map.remove(key);
        let error = check_study("misses", &map, &mut Budget::unlimited()).unwrap_err();
        assert!(error.message().contains(&format!("\"{key}\"")), "{error}");
    }
    for (key, odd) in [
        ("board", json!([])),
        ("board", json!(["x", "xx"])),
        ("board", json!(["xq", "xx"])),
        ("fleet", json!(["", "x"])),
        ("fleet", json!(["x//y"])),
        ("fleet", json!([".x"])),
        ("fleet", json!(vec!["x"; 33])),
        ("turn", json!("maybe")),
        ("outcome", json!("no")),
    ] {
        let mut map = good.clone();
        map.insert(key.to_owned(), odd);
        let error = check_study("misses", &map, &mut Budget::unlimited()).unwrap_err();
        assert!(error.message().contains(&format!("\"{key}\"")), "{key}: {error}");
    }
    assert!(check_study("counts", &good, &mut Budget::unlimited()).is_err());
}

/// The worst case of the best shot is the minimum number of misses, and fractions agree with probabilities.
#[test]
fn measures_of_shots_are_consistent() {
    for seed in 1..=6 {
        let board = board(8, 0.8, seed);
        let found = ask(shoot::shoot, &rules(1), &params(shoot::PARAMS, &[("top", "64")]), Some(&board));
        let least = ask(misses::misses, &rules(1), &params(misses::PARAMS, &[]), Some(&board)).rows.len() - 1;
        let worst: Vec<u64> = found.rows.iter().filter_map(|row| row["worst"].as_u64()).collect();
        // The best shot needs no more misses than the position, and no shot needs fewer.
        assert_eq!(worst.iter().min(), Some(&(least as u64)), "{seed}");
        for row in &found.rows {
            let marked = row["best"].as_str().unwrap().split(' ').any(|mark| mark == "worst");
            assert_eq!(marked, row["worst"].as_u64() == Some(least as u64));
            let fraction: Vec<f64> =
                row["fraction"].as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).collect();
            assert!((row["hit"].as_f64().unwrap() - fraction[0] / fraction[1]).abs() < 1e-4);
            assert_eq!(row["bits"].as_f64() > Some(0.0), row["hit"].as_f64() < Some(1.0));
        }
        let chances: Vec<f64> = found.rows.iter().map(|row| row["hit"].as_f64().unwrap()).collect();
        assert!(chances.is_sorted_by(|a, b| a >= b));
    }
}
