//! Ships: boards that were hard for some version of the search, larger boards than the judge's, and rules with more
//! misses.

use crate::samples::{samples, some};
use crate::ships_common::{decide, engines, instance, settings, with_ships};
use counterpoint::claim::all_closed;
use counterpoint::engine::{Budget, Limit, Outcome};
use counterpoint::erased::DynAnswer;

/// Asserts that the checker closes every claim without a proof.
fn closes(reply: &dyn DynAnswer, what: &str) {
    let claims = reply.check(&[], &mut Budget::unlimited());
    assert!(all_closed(&claims), "{what}: {claims:#?}");
}

/// The search needs few nodes on each of these boards. For two boards, a comment says how many it needs without one of
/// its bounds.
#[test]
fn once_hard_boards_are_easy() {
    for (rows, outcome, max_nodes) in [
        // Without the relaxation in which ships may overlap: 1,086,104 nodes.
        (
            "................/.......x......../....x.........../x.x............./................/................/\
             ......x........./................/......x........./................/.............x../....xx........../\
             ..x.x.........../..x.x.........../................/................",
            "no",
            500,
        ),
        // Without this relaxation: 424,283 nodes.
        (
            "..x........./............/.....x....../............/..x........./............/............/\
             .xx.....x.x./..x..x....../........x.../x.........../............",
            "no-fleet",
            500,
        ),
        // The hardest of 42,000 contradictory boards.
        (
            ".......x./.x....x../x..x...../........./..x.x..../...xx..../....xx.../....x..xx/x.....x..",
            "no",
            10_000,
        ),
        // The hardest of 4,000 boards of this size from the family `hard`.
        (
            "................/................/..........x...../.........xxxx.../..........xx..../................/\
             ................/..xx............/...xx.xx......../......x........./................/................/\
             ...xx....x....../.........xx...../...x..x........./................",
            "no",
            3_000,
        ),
        // There are few free squares, so the relaxation takes time here but never prunes.
        ("ooo..o/x.x.xx/xxx.xx/xxxxxx/x.xxxx/oooxx.", "yes", 3_000),
        // This board has 14 squares of each chessboard colour, but no fleet with one T covers 14 of each.
        ("......./......./......./.......", "no-fleet", 1),
    ] {
        let instance = instance(&settings(&[]), rows);
        let mut budget = Budget::of_work(max_nodes);
        let Outcome::Decided(reply) = instance.solve(&engines("search")[0], &mut budget) else {
            panic!("more than {max_nodes} nodes on {rows}")
        };
        assert_eq!(reply.outcome(), outcome, "{rows}");
        closes(&*reply, rows);
    }
}

#[test]
fn larger_boards_than_the_judge_s() {
    let rules = settings(&[]);
    for (family, params) in [
        ("hard", [("n", "32"), ("hidden", "0.5")]),
        ("random", [("n", "32"), ("reveal", "0.75")]),
        ("random", [("n", "23"), ("reveal", "0.8")]),
        ("hard", [("n", "17"), ("hidden", "0.2")]),
    ] {
        let params = params.map(|(key, value)| (key.to_owned(), value.to_owned()));
        for seed in 1..=2 {
            let instance = with_ships(|ships| ships.generate(&rules, family, &params, seed).unwrap());
            let answers: Vec<_> =
                engines("search,sat").iter().map(|engine| decide(&*instance, engine)).collect();
            assert_eq!(answers[0].agree(&*answers[1]).to_string(), "same", "{family} {params:?} {seed}");
            closes(&*answers[0], family);
        }
    }
    // These sizes use masks with different numbers of words.
    for rows in [vec![".".repeat(32); 32].join("/"), vec![".".repeat(32); 2].join("/")] {
        closes(&*decide(&*instance(&rules, &rows), &engines("search")[0]), &rows);
    }
}

/// With more misses and other poses, all engines agree, and their sets and plans are checked.
#[test]
fn other_rules_than_the_judge_s() {
    let params = |reveal: &str| [("n".to_owned(), "8".to_owned()), ("reveal".to_owned(), reveal.to_owned())];
    let mut outcomes = Vec::new();
    for (misses, turn, mirror, reveal) in [
        ("2", "yes", "no", "0.8"),
        ("3", "yes", "no", "0.8"),
        ("8", "yes", "no", "0.9"),
        ("2", "yes", "yes", "0.8"),
        ("1", "no", "yes", "0.7"),
        ("2", "no", "no", "0.5"),
        ("3", "no", "no", "0.2"),
    ] {
        let rules = settings(&[("misses", misses), ("turn", turn), ("mirror", mirror)]);
        for seed in 1..=3 {
            let instance =
                with_ships(|ships| ships.generate(&rules, "random", &params(reveal), seed).unwrap());
            let engines = engines("search:cover,search:dlx,sat:owner");
            let answers: Vec<_> = engines.iter().map(|engine| decide(&*instance, engine)).collect();
            for reply in &answers {
                assert_eq!(reply.agree(&*answers[0]).to_string(), "same", "{misses} {turn} {mirror} {seed}");
                closes(&**reply, &instance.text());
            }
            outcomes.push(answers[0].outcome());
        }
    }
    assert!(outcomes.iter().any(|o| o == "yes") && outcomes.iter().any(|o| o == "no"), "{outcomes:?}");
}

/// With six misses or more, products of sunflowers decide boards on which little is known. Without them, on most of
/// these boards, the search has no answer for seven or eight misses after some ten million nodes.
#[test]
fn many_misses_on_open_boards() {
    for misses in some(["8", "7", "6"]) {
        let rules = settings(&[("misses", misses)]);
        let open = instance(&rules, &vec![".".repeat(8); 8].join("/"));
        let mut boards = vec![open];
        for (family, key, value) in
            [("random", "reveal", "0.05"), ("random", "reveal", "0.1"), ("hard", "hidden", "0.9")]
        {
            let params = [("n", "8"), (key, value)].map(|(key, value)| (key.to_owned(), value.to_owned()));
            let board = |seed| with_ships(|ships| ships.generate(&rules, family, &params, seed).unwrap());
            boards.extend((1..=samples(2)).map(board));
        }
        for board in boards {
            let mut budget = Budget::of_work(3_000);
            let Outcome::Decided(reply) = board.solve(&engines("search")[0], &mut budget) else {
                panic!("more than 3,000 nodes with {misses} misses on {}", board.text())
            };
            assert_eq!(reply.outcome(), "no", "{}", board.text());
            closes(&*reply, &board.text());
        }
    }
}

/// With many misses, it is expensive to decide whether a family is won, but a limit ends even this step.
#[test]
fn many_misses_can_be_limited() {
    let rules = settings(&[("misses", "8")]);
    let instance = instance(&rules, &vec![".".repeat(6); 6].join("/"));
    for engine in engines("search:*") {
        let outcome = instance.solve(&engine, &mut Budget::of_work(20_000));
        assert!(matches!(outcome, Outcome::GaveUp(Limit::Work, None) | Outcome::Decided(_)), "{engine}");
    }
}

/// The tables that a session reuses change neither answers nor node counts.
#[test]
fn a_session_gives_the_answers_of_a_fresh_engine() {
    let rules = settings(&[]);
    for engine in engines("search:cover,sat:owner") {
        let mut runner = with_ships(|ships| ships.start(&engine).unwrap());
        for seed in 1..=3 {
            for n in ["8", "12", "8", "17", "6"] {
                let params = [("n".to_owned(), n.to_owned()), ("hidden".to_owned(), "0.3".to_owned())];
                let instance = with_ships(|ships| ships.generate(&rules, "hard", &params, seed).unwrap());
                let (mut reused, mut fresh) = (Budget::unlimited(), Budget::unlimited());
                let answers = [runner.solve(&*instance, &mut reused), instance.solve(&engine, &mut fresh)];
                let [a, b] = answers.map(|outcome| outcome.answer().unwrap().to_json("", &[]));
                assert_eq!((a, reused.work), (b, fresh.work), "{engine} on {}", instance.text());
            }
        }
    }
}

/// Boards of pentominoes on which an engine once reached its limit: boards that the fleet fills, boards with few squares
/// to spare, and moved hits on a large board. Each of these engines decides them with at most 100,000 nodes or conflicts,
/// and they agree. Other boards of the same families stay open: with `hidden=0.3`, for example, some of the one-sided
/// pentominoes on 16×16.
#[test]
fn boards_of_pentominoes_that_once_took_long_are_decided() {
    let (free, one_sided) =
        ([("fleet", "pentominoes"), ("mirror", "yes")], [("fleet", "one-sided-pentominoes")]);
    for (rules, family, params, engine_ids, outcome) in some([
        (&free[..], "packed", &[("w", "10"), ("h", "6")][..], "search:cover,sat:owner", "yes"),
        (&free, "packed", &[("n", "9"), ("spare", "2"), ("moved", "2")], "search:cover", "no"),
        (&free, "hard", &[("n", "9"), ("hidden", "0.3")], "search:cover,sat:owner", "no"),
        (&free, "moved", &[("n", "16"), ("hidden", "0.3")], "search:cover,sat:owner", "no-fleet"),
        (&one_sided, "packed", &[("n", "12")], "search:cover,sat:owner", "yes"),
        (&one_sided, "hard", &[("n", "16")], "search:cover,sat:owner", "no"),
    ]) {
        let settings = settings(rules);
        let given: Vec<_> = params.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        let instance = with_ships(|ships| ships.generate(&settings, family, &given, 1).unwrap());
        for engine in engines(engine_ids) {
            let mut budget = Budget::of_work(100_000);
            let Outcome::Decided(reply) = instance.solve(&engine, &mut budget) else {
                panic!("{engine} on {family} {given:?}")
            };
            assert_eq!(reply.outcome(), outcome, "{engine} on {family} {given:?}");
            if outcome != "no-fleet" {
                closes(&*reply, family);
            }
        }
    }
}

/// If the fleet fills all squares that are not misses, these are solved as hits. Otherwise, SAT would need 12,000 conflicts
/// for an average board of this kind.
#[test]
fn boards_that_the_standard_fleet_fills_need_little_work() {
    let params = [("w".to_owned(), "6".to_owned()), ("h".to_owned(), "5".to_owned())];
    for seed in 1..=8 {
        let instance = with_ships(|ships| ships.generate(&settings(&[]), "packed", &params, seed).unwrap());
        for engine in engines("search:cover,sat:owner") {
            let reply = instance.solve(&engine, &mut Budget::of_work(3_000)).answer();
            assert_eq!(reply.unwrap().outcome(), "yes", "{engine}, seed {seed}");
        }
    }
}
