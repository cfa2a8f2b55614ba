//! Ships: the studies of the work of engines, compared with definitions. They are about features of hits, rank
//! correlations, and boards by the share of uncovered squares.

use chacha20::ChaCha8Rng;
use counterpoint::board::Size;
use counterpoint::engine::{Budget, Outcome};
use counterpoint::problem::{Param, Params, StudyRequest};
use counterpoint::problems::ships::answer::Answer;
use counterpoint::problems::ships::search::cover;
use counterpoint::problems::ships::study::{anatomy, hardness};
use counterpoint::problems::ships::{Dialect, Fleet, Instance, Rules, Square, families};
use counterpoint::study::{Row, StudyError, StudyOutput};
use rand::SeedableRng;
use serde_json::json;

/// The rows, notes and summary of a study.
#[derive(Default)]
struct Recorded {
    rows: Vec<Row>,
    notes: Vec<String>,
    summary: Row,
}

impl StudyOutput for Recorded {
    fn row(&mut self, row: Row) {
        self.rows.push(row);
    }

    fn note(&mut self, text: &str) {
        self.notes.push(text.to_owned());
    }

    fn summary(&mut self, _: &str, object: Row) {
        self.summary = object;
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

fn ask(ask: StudyFn, params: &Params, instance: Option<&Instance>) -> Recorded {
    let mut found = Recorded::default();
    let asked = StudyRequest { rules: &rules(1), params, instance };
    ask(&asked, &mut Budget::unlimited(), &mut found).unwrap();
    found
}

fn board(n: u32, reveal: f64, seed: u64) -> Instance {
    let (n, reveal) = (n.to_string(), reveal.to_string());
    let params = params(families::RANDOM, &[("n", &n), ("reveal", &reveal)]);
    families::random(&rules(1), &params, &mut ChaCha8Rng::seed_from_u64(seed)).unwrap()
}

/// Two adjacent hits and one in the opposite corner: only the first two are within reach of each other.
#[test]
fn features_depend_on_reach() {
    let mut board = Instance { size: Size::new(8, 8), squares: vec![Square::Unknown; 64] };
    [0, 1, 63].into_iter().for_each(|i| board.squares[i] = Square::Hit);
    let expected = anatomy::Hits { all: 3, independent: 2, pairs: 1, alone: 1 };
    assert_eq!(anatomy::hits(&rules(1), &board), expected);
    // The first and the second hit are within reach, and so are the second and the third, but not the first and the
    // third.
    board.squares = vec![Square::Unknown; 64];
    [0, 3, 4].into_iter().for_each(|i| board.squares[i] = Square::Hit);
    let expected = anatomy::Hits { all: 3, independent: 2, pairs: 2, alone: 0 };
    assert_eq!(anatomy::hits(&rules(1), &board), expected);
    let found = ask(anatomy::anatomy, &params(&[], &[]), Some(&board));
    let row = &found.rows[0];
    assert_eq!((&row["hits"], &row["pairs"], &row["fleet"]), (&json!(3), &json!(2), &json!("fits")));
}

/// The ranks of hits are 1, 2, 3, and the ranks of nodes are 2, 3, 1. The position with too few ships belongs to
/// another group.
#[test]
fn summaries_have_rank_correlations() {
    let row = |fleet: &str, hits: u64, nodes: u64| {
        let same = ["independent", "pairs", "alone", "conflicts", "no_leaders"].map(|key| (key, json!(7)));
        let own = [("fleet", json!(fleet)), ("hits", json!(hits)), ("nodes", json!(nodes))];
        Row::from_iter(own.into_iter().chain(same).map(|(key, value)| (key.to_owned(), value)))
    };
    let rows = [row("fits", 1, 20), row("fits", 2, 30), row("too few ships", 9, 1), row("fits", 3, 10)];
    let mut found = Recorded::default();
    anatomy::summarize(&rows, &mut found);
    let (work, ranks) = (&found.summary["work"], &found.summary["spearman"]);
    assert_eq!(work["fits"]["nodes"], json!({ "median": 20.0, "worst": 30.0 }));
    assert_eq!(work["too few ships"]["positions"], 1);
    assert_eq!(ranks["fits"]["nodes"]["hits"], json!(-0.5));
    assert_eq!(
        (&ranks["fits"]["nodes"]["pairs"], &ranks["none"]["nodes"]["hits"]),
        (&json!(null), &json!(null))
    );
}

/// The boards are those of the family `random`. A board that reaches its work limit is given up.
#[test]
fn hardness_uses_the_boards_of_the_family_random() {
    let given = [("n", "7"), ("boards", "4"), ("most", "1"), ("steps", "4")];
    let found = ask(hardness::hardness, &params(hardness::PARAMS, &given), None);
    assert_eq!((found.rows.len(), found.notes.len()), (6, 2));
    for row in &found.rows {
        let misses = row["misses"].as_u64().unwrap() as u32;
        let (mut won, mut nodes, mut worst) = (0, 0, 0);
        for seed in 1..=4 {
            let mut budget = Budget::unlimited();
            let board = board(7, row["share"].as_f64().unwrap(), seed);
            let answer = cover::solve(&mut Default::default(), &rules(misses), &board, &mut budget);
            won += u32::from(matches!(answer, Outcome::Decided(Answer::Yes { .. })));
            nodes += budget.work.nodes;
            worst = worst.max(budget.work.nodes);
        }
        assert_eq!(row["won"], json!(f64::from(won) / 4.0));
        assert!((row["nodes"].as_f64().unwrap() - nodes as f64 / 4.0).abs() < 0.06);
        assert_eq!((&row["worst_nodes"], &row["given_up"]), (&json!(worst), &json!(0)));
    }
    let given = [("n", "7"), ("boards", "2"), ("most", "0"), ("steps", "2"), ("work", "1")];
    let found = ask(hardness::hardness, &params(hardness::PARAMS, &given), None);
    assert_eq!(found.rows[0]["given_up"], 4);
}

/// Each family of `hardness` is a family of the problem, and the share sets a parameter of it.
#[test]
fn hardness_measures_every_family() {
    for (family, key, value) in [
        ("random", "reveal", 0.5),
        ("hard", "hidden", 0.5),
        ("contradictory", "hits", 14.0),
        ("moved", "hidden", 0.5),
        // Half of the 21 squares outside the fleet.
        ("packed", "spare", 11.0),
    ] {
        let given = [("family", family), ("n", "7"), ("boards", "2"), ("most", "0"), ("steps", "2")];
        let found = ask(hardness::hardness, &params(hardness::PARAMS, &given), None);
        let row = &found.rows[0];
        assert_eq!((&row["family"], row[key].as_f64()), (&json!(family), Some(value)));
        let fractions = ["won", "no_fleet"].map(|column| row[column].as_f64().unwrap());
        assert!(fractions.iter().sum::<f64>() <= 1.0, "{row:?}");
    }
}
