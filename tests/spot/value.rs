//! The questions `value` and `forcing-limit`: the pairing strategy on every small board, the results, and genuine and
//! forged certificates.

use crate::samples::{is_thorough, samples};
use chacha20::ChaCha8Rng;
use counterpoint::board::{Bits, Cell, Group, Size};
use counterpoint::claim::{all_closed, any_failed};
use counterpoint::engine::{Budget, Limit};
use counterpoint::problem::{Params, StudyRequest};
use counterpoint::problems::spot::check::study::check;
use counterpoint::problems::spot::study::geography::winner_by;
use counterpoint::problems::spot::study::implicit::ImplicitGraph;
use counterpoint::problems::spot::study::matching::{Side, maximum, missed};
use counterpoint::problems::spot::study::strategy::Strategy;
use counterpoint::problems::spot::study::words::Words;
use counterpoint::problems::spot::study::{forcing, value};
use counterpoint::problems::spot::{Legality, MoveLimit, Rules, Start};
use counterpoint::study::{Row, StudyOutput};
use petgraph::graph::NodeIndex;
use rand::{RngExt, SeedableRng};
use serde_json::{Map, Value, json};
use std::sync::Arc;

const GROUPS: [Group; 4] = [Group::C4, Group::D4, Group::C2, Group::Trivial];
const STARTS: [Start; 2] = [Start::Counted, Start::Uncounted];

/// For each board at which it may be the winner's turn: the board, its class, and the class after the winner's answer.
/// A class is the smallest image of a board.
fn answers(n: u32, group: Group, start: Start) -> Vec<(u64, u64, u64)> {
    let (strategy, words) = (Strategy::new(n, group), Words::new(n, group).unwrap());
    let parity = if strategy.winner(start) == 1 { 0 } else { 1 };
    let boards = (0..1u64 << (n * n)).filter(|board| board.count_ones() % 2 == parity);
    boards
        .map(|board| {
            let square = strategy.answer(&Bits::of_word((n * n) as usize, board));
            (board, words.images(board).least(), words.images(board ^ 1 << square).least())
        })
        .collect()
}

#[test]
fn winners_have_an_answer_to_every_pattern() {
    for (n, group, start) in
        (1..=4).flat_map(|n| GROUPS.map(|g| (n, g))).flat_map(|(n, g)| STARTS.map(|s| (n, g, s)))
    {
        let mut by_class = std::collections::BTreeMap::new();
        for (_, class, answer) in answers(n, group, start) {
            let before = by_class.insert(class, answer);
            assert!(
                before.is_none_or(|before| before == answer),
                "{n} {group:?}: the answer depends on the rotation of the pattern"
            );
            assert!(
                answer != 0 || start == Start::Uncounted,
                "{n} {group:?}: an answer leads back to the empty board"
            );
        }
        let distinct: std::collections::BTreeSet<&u64> = by_class.values().collect();
        assert_eq!(distinct.len(), by_class.len(), "{n} {group:?}: two patterns have the same answer");
        let graph = ImplicitGraph::new(n, group).unwrap();
        let side = |class| if graph.is_even(NodeIndex::new(class)) { Side::Left } else { Side::Right };
        let matching = maximum(&graph, side, &mut Budget::unlimited()).unwrap();
        let missed = missed(&graph, &matching, &mut Budget::unlimited()).unwrap();
        let winner = winner_by(&graph, &missed, NodeIndex::new(0), start);
        assert_eq!(Strategy::new(n, group).winner(start), winner, "{n} {group:?} {start:?}");
    }
}

/// The smallest image of a board, computed cell by cell.
fn least(n: u32, group: Group, board: &Bits) -> Bits {
    let size = Size::new(n, n);
    let image = |g: counterpoint::board::Symmetry| {
        Bits::from_indices(size.cells(), board.iter().map(|i| size.index(g.apply(n, size.cell(i)))))
    };
    group.iter().map(image).min().unwrap()
}

#[test]
fn answers_on_large_boards_differ_from_those_of_neighbouring_patterns() {
    let mut rng = ChaCha8Rng::seed_from_u64(141);
    for (n, group) in [6, 8, 50].into_iter().flat_map(|n| [Group::C4, Group::D4, Group::C2].map(|g| (n, g))) {
        let (strategy, size) = (Strategy::new(n, group), Size::new(n, n));
        for round in 0..if n == 50 { 1 } else { samples(20) } {
            // Some boards are symmetric except for a few squares.
            let mut board = Bits::zeros(size.cells());
            let spots: Vec<Cell> =
                size.iter().filter(|_| rng.random_bool(if round % 3 == 0 { 0.05 } else { 0.4 })).collect();
            for (cell, g) in spots.iter().flat_map(|cell| Group::D4.iter().map(move |g| (cell, g))) {
                if round % 2 == 0 || g == Group::Trivial.elements()[0] {
                    board.set(size.index(g.apply(n, *cell)));
                }
            }
            if board.count().is_multiple_of(2) {
                board.flip(rng.random_range(0..size.cells()));
            }
            let toggled = |board: &Bits, square: usize| {
                let mut after = board.clone();
                after.flip(square);
                after
            };
            let answer = toggled(&board, strategy.answer(&board));
            assert!(answer.count() > 0);
            let (here, there) = (least(n, group, &board), least(n, group, &answer));
            for square in 0..size.cells() {
                let other = toggled(&answer, square);
                let same = least(n, group, &toggled(&other, strategy.answer(&other))) == there;
                assert_eq!(
                    same,
                    least(n, group, &other) == here,
                    "{n} {group:?} round {round} square {square}"
                );
            }
        }
    }
}

/// The output of a study.
#[derive(Default)]
struct Output {
    rows: Vec<Row>,
    files: Vec<Vec<u8>>,
}

impl StudyOutput for Output {
    fn row(&mut self, row: Row) {
        self.rows.push(row);
    }
    fn file(&mut self, _: &str, contents: &dyn Fn() -> Vec<u8>) {
        self.files.push(contents());
    }
}

fn rules(group: Group, start: Start, limit: MoveLimit) -> Rules {
    Rules { group, start, limit, legality: Legality::Strict }
}

fn value(n: u32, rules: &Rules) -> (Output, Option<Map<String, Value>>) {
    let params = Params::new(value::PARAMS, &[("n".to_owned(), n.to_string())]).unwrap();
    let mut output = Output::default();
    value::run(
        &StudyRequest { rules, params: &params, instance: None },
        &mut Budget::unlimited(),
        &mut output,
    )
    .unwrap();
    let file = output.files.pop().map(|file| serde_json::from_slice(&file).unwrap());
    (output, file)
}

fn verdict(question: &str, map: &Map<String, Value>) -> &'static str {
    match check(question, map, &mut Budget::unlimited()) {
        Err(_) => "refused",
        Ok(claims) if all_closed(&claims) => "checked",
        Ok(claims) if any_failed(&claims) => "failed",
        Ok(_) => "open",
    }
}

#[test]
fn values_with_and_without_a_limit() {
    let winner = |output: &Output| {
        output.rows.iter().map(|row| row["value"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    for (n, group, start) in
        (1..=4).flat_map(|n| GROUPS.map(|g| (n, g))).flat_map(|(n, g)| STARTS.map(|s| (n, g, s)))
    {
        if n == 4 && group != Group::C4 && !is_thorough() {
            continue;
        }
        let (output, certificate) = value(n, &rules(group, start, MoveLimit::None));
        let first = start == Start::Counted && (n % 2 == 1 || group == Group::Trivial);
        let expected = if first { "player 1 wins" } else { "player 2 wins" };
        assert_eq!(winner(&output), [expected; 2], "{n} {group:?} {start:?}");
        assert_eq!(verdict("value", &certificate.unwrap()), "checked", "{n} {group:?} {start:?}");
        let (output, certificate) = value(n, &rules(group, start, MoveLimit::TwiceN));
        let (fresh, stored) = (start == Start::Uncounted, n == 2 && group != Group::Trivial);
        let expected = match n {
            1 if fresh => "draw",
            1 => "player 1 wins",
            2 if fresh && stored && group != Group::C2 => "player 2 wins",
            _ => "draw",
        };
        assert!(
            winner(&output).iter().all(|value| value == expected),
            "{n} {group:?} {start:?} {:?}",
            output.rows
        );
        if let Some(certificate) = certificate {
            assert_eq!(verdict("value", &certificate), "checked", "{n} {group:?} {start:?}");
        }
    }
    assert_eq!(winner(&value(200, &rules(Group::D4, Start::Counted, MoveLimit::None)).0), ["player 2 wins"]);
    assert_eq!(winner(&value(50, &rules(Group::C4, Start::Counted, MoveLimit::TwiceN)).0), ["draw"]);
}

fn forcing_limit(n: u32, most: u32, rules: &Rules) -> (Row, Map<String, Value>) {
    let given = [("n".to_owned(), n.to_string()), ("most".to_owned(), most.to_string())];
    let params = Params::new(forcing::PARAMS, &given).unwrap();
    let mut output = Output::default();
    forcing::run(
        &StudyRequest { rules, params: &params, instance: None },
        &mut Budget::unlimited(),
        &mut output,
    )
    .unwrap();
    (output.rows.pop().unwrap(), serde_json::from_slice(&output.files.pop().unwrap()).unwrap())
}

/// On 4×4, a node of the search takes long, so limits are tested at each.
#[test]
fn a_limit_ends_the_search_on_a_large_board() {
    let rules = rules(Group::C4, Start::Uncounted, MoveLimit::Moves(400));
    let params = Params::new(value::PARAMS, &[("n".to_owned(), "4".to_owned())]).unwrap();
    let request = StudyRequest { rules: &rules, params: &params, instance: None };
    let budget = &mut Budget::new(None, Arc::new(|| Some(Limit::Cpu)));
    assert!(value::run(&request, budget, &mut Output::default()).is_err());
    assert!(budget.work.nodes < 10, "{} nodes", budget.work.nodes);
}

#[test]
fn smallest_limits_that_force_a_win() {
    for (n, start, most, bounds) in [
        (2, Start::Counted, 24, (5, 5)),
        (2, Start::Uncounted, 24, (3, 3)),
        (3, Start::Counted, 20, (22, 140)),
        (3, Start::Uncounted, 19, (21, 141)),
        (4, Start::Counted, 24, (25, 16_385)),
        (4, Start::Uncounted, 24, (25, 16_385)),
    ] {
        let (row, certificate) = forcing_limit(n, most, &rules(Group::C4, start, MoveLimit::None));
        assert_eq!(
            (row["at least"].as_u64(), row["at most"].as_u64()),
            (Some(bounds.0), Some(bounds.1)),
            "{n} {start:?}"
        );
        assert_eq!(verdict("forcing-limit", &certificate), "checked", "{n} {start:?}");
    }
}

#[test]
fn forged_certificates_fail() {
    let (_, none) = value(4, &rules(Group::C4, Start::Counted, MoveLimit::None));
    let (_, draw) = value(3, &rules(Group::C4, Start::Uncounted, MoveLimit::Moves(15)));
    let (_, won) = value(2, &rules(Group::C4, Start::Uncounted, MoveLimit::TwiceN));
    let (_, forcing) = forcing_limit(3, 18, &rules(Group::C4, Start::Counted, MoveLimit::None));
    let (none, draw, won) = (none.unwrap(), draw.unwrap(), won.unwrap());
    let forge = |map: &Map<String, Value>, key: &str, value: Value| {
        let mut forged = map.clone();
        forged.insert(key.to_owned(), value);
        forged
    };
    assert_eq!(
        ["value", "value", "value", "forcing-limit"].map(|q| verdict(
            q,
            match q {
                "forcing-limit" => &forcing,
                _ => &draw,
            }
        )),
        ["checked"; 4]
    );
    for (map, key, forged, expected) in [
        (&none, "value", json!("player 1 wins"), "failed"),
        (&none, "value", json!("draw"), "refused"),
        (&none, "symmetry", json!("trivial"), "failed"),
        (&none, "n", json!(5), "refused"),
        (&none, "n", json!(3), "failed"),
        (&none, "answers", json!(""), "failed"),
        (&none, "answers", json!("z".repeat(8192)), "failed"),
        (&none, "version", json!(2), "refused"),
        (&none, "start", json!("maybe"), "refused"),
        (&draw, "limit", json!(17), "failed"),
        (&draw, "limit", json!(0), "refused"),
        (&draw, "limit", json!("some"), "refused"),
        (&draw, "holds", json!([]), "refused"),
        (&draw, "holds", json!([{}, {}]), "failed"),
        (&draw, "holds", json!([{"reserve": [[0, 99]]}, [0, {"reserve": "x"}]]), "failed"),
        (&draw, "value", json!("player 2 wins"), "failed"),
        (&won, "limit", json!(2), "failed"),
        (&won, "start", json!("counted"), "failed"),
        (&won, "forces", json!([]), "failed"),
    ] {
        assert_eq!(verdict("value", &forge(map, key, forged.clone())), expected, "{key} {forged}");
    }
    for (key, forged, expected) in [
        ("at_least", json!(23), "failed"),
        ("at_most", json!(138), "failed"),
        ("winner", json!(2), "failed"),
        ("winner", json!(3), "refused"),
        ("holds", json!({"reserve": []}), "failed"),
        ("holds", Value::Null, "failed"),
    ] {
        assert_eq!(
            verdict("forcing-limit", &forge(&forcing, key, forged.clone())),
            expected,
            "{key} {forged}"
        );
    }
    assert_eq!(verdict("longest-of-all", &draw), "refused");
    // The checker does not panic, whichever digit is changed.
    let text = Value::Object(forcing).to_string();
    let digits: Vec<usize> =
        text.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(i, _)| i).collect();
    let mut failed = 0;
    for &at in digits.iter().step_by(digits.len() / 200 + 1) {
        let digit = if &text[at..=at] == "7" { "1" } else { "7" };
        let mut changed = text.clone();
        changed.replace_range(at..=at, digit);
        if let Ok(map) = serde_json::from_str(&changed) {
            failed += usize::from(verdict("forcing-limit", &map) != "checked");
        }
    }
    assert!(failed > 50, "{failed}");
}
