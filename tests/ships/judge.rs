//! Ships: the judge's output byte for byte, known facts about the game, formula sizes, determinism.

use crate::ships_common::{closed, decide, engines, instance, settings, with_ships};
use counterpoint::claim::all_closed;
use counterpoint::engine::{Budget, Limit, Outcome};
use counterpoint::erased::{DynAnswer, JudgeJob};
use counterpoint::input::Source;
use counterpoint::spec::EngineSpec;
use counterpoint_encodings::{Cnf, Sink, Tally};

const FAST: &str = "search:cover,sat:owner,sat:placement";

fn n_sets(reply: &dyn DynAnswer) -> usize {
    reply.to_json("", &[])["sets"].as_array().map_or(0, Vec::len)
}

fn judge(text: &str, engine: &EngineSpec) -> (String, Vec<String>) {
    let warned = std::cell::RefCell::new(Vec::new());
    let mut out = Vec::new();
    let settings = settings(&[]);
    let job = JudgeJob {
        running: &|_| {},
        settings: &settings,
        engine,
        source: Source::from_text("t", text),
        budget: &Budget::unlimited,
        warn: &|warning| warned.borrow_mut().push(warning.to_owned()),
    };
    with_ships(|ships| ships.judge(job, &mut out).unwrap());
    (String::from_utf8(out).unwrap(), warned.into_inner())
}

#[test]
fn the_judge_s_output_byte_for_byte() {
    let sample = with_ships(|ships| ships.info().sample);
    for engine in engines("search:*,sat:*/amo=*@*") {
        assert_eq!(judge(sample, &engine), ("Game #1\nyes.\n\n".to_owned(), vec![]), "{engine}");
    }
    let three = "2 4\n..\n..\n..\n..\n15 2\n...............\n...............\n10 10\n..........\n..........\n..........\n\
                 ..........\n..........\n..........\n..........\n..........\n..........\n..........\n0 0\n";
    for engine in engines(FAST) {
        let (out, warnings) = judge(three, &engine);
        assert_eq!(out, "Game #1\nno.\n\nGame #2\nyes.\n\nGame #3\nno.\n\n", "{engine}");
        assert_eq!(warnings, ["game 1: no fleet fits this board"]);
    }
}

#[test]
fn games_before_an_error_are_answered() {
    let settings = settings(&[]);
    let mut out = Vec::new();
    let job = JudgeJob {
        running: &|_| {},
        settings: &settings,
        engine: &engines("search")[0],
        source: Source::from_text("t", "2 4\n..\n..\n..\n..\n2 3\n..\n.q\n..\n0 0\n"),
        budget: &Budget::unlimited,
        warn: &|_| {},
    };
    let error = with_ships(|ships| ships.judge(job, &mut out)).unwrap_err();
    assert_eq!(error.to_string(), "t:8:2: 'q' is not a square; use 'x', 'o' or '.'");
    assert_eq!(String::from_utf8(out).unwrap(), "Game #1\nno.\n\n");
}

/// Boards on which published programs are known to go wrong, and extreme ones.
#[test]
fn known_boards() {
    let empty = |w: usize, h: usize| vec![".".repeat(w); h].join("/");
    for (rows, outcome, sets) in [
        // Programs that count placements instead of covered sets fail, because one set has 48 placements.
        ("xxxo/xxxx/xxxx/xxxx/xxxx/xxxx/xxxo/xxoo".to_owned(), "yes", 1),
        // Programs that choose a cell by the number of placements that cover it fail.
        ("xxx../xx.../oxxx./xxx.x/xxxox/xxxxx/xooxx".to_owned(), "yes", 0),
        // Each set of this family contains k = 3 unknown squares, and there are k + 1 sets, the maximum.
        ("..xxxx/xxxxxx/oo.xxx/xxxxxx/xx.xxx/oo.oxo".to_owned(), "yes", 4),
        (empty(15, 2), "yes", 8),
        (empty(14, 2), "no-fleet", 0),
        (empty(7, 4), "no-fleet", 0),
        (empty(4, 7), "no-fleet", 0),
        (empty(6, 5), "no", 0),
        (empty(10, 3), "no", 0),
        (empty(4, 8), "no", 0),
        (empty(16, 16), "no", 0),
        (vec!["x".repeat(16); 16].join("/"), "no-fleet", 0),
        (vec!["o".repeat(16); 16].join("/"), "no-fleet", 0),
        // The fleet covers 13 or 15 squares of each chessboard colour, and this board has 14 hits of each.
        ("xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx".to_owned(), "no-fleet", 0),
    ] {
        let instance = instance(&settings(&[]), &rows);
        for engine in engines(FAST) {
            // On boards without a known miss, parity arguments take a solver thousands of conflicts, so only the search
            // solves these boards.
            if engine.name != "cover" && !rows.contains('o') {
                continue;
            }
            let reply = decide(&*instance, &engine);
            assert_eq!(reply.outcome(), outcome, "{engine} on {rows}");
            if sets > 0 {
                assert_eq!(n_sets(&*reply), sets, "{engine} on {rows}");
            }
            closed(&*reply);
        }
    }
}

#[test]
fn without_misses_only_single_sets_are_won() {
    let strict = settings(&[("misses", "0")]);
    for (rows, outcome) in [
        ("xxxo/xxxx/xxxx/xxxx/xxxx/xxxx/xxxo/xxoo", "yes"),
        ("..xxxx/xxxxxx/oo.xxx/xxxxxx/xx.xxx/oo.oxo", "no"),
        ("......./......./......./.......", "no-fleet"),
    ] {
        let instance = instance(&strict, rows);
        for engine in engines("search:cover") {
            let reply = decide(&*instance, &engine);
            assert_eq!(reply.outcome(), outcome, "{engine} on {rows}");
            closed(&*reply);
        }
    }
}

/// As evidence, the answer for an empty board has a lost family of at most four sets. Three sets are enough if they
/// form a sunflower: each cell that distinguishes them is in only one of them.
#[test]
fn a_lost_family_is_minimal() {
    let instance = instance(&settings(&[]), &vec![".".repeat(10); 10].join("/"));
    for engine in engines("search:cover,sat:owner@*") {
        let reply = decide(&*instance, &engine);
        let json = reply.to_json("", &[]);
        assert!(json["lost"].as_array().unwrap().len() <= 4, "{engine}: {json}");
        closed(&*reply);
    }
}

#[test]
fn generated_boards_get_one_answer_and_every_claim_closes() {
    for (family, params, seeds) in [
        ("random", &[("n", "8"), ("reveal", "0.7")][..], 8),
        ("random", &[("n", "10"), ("reveal", "0.5")], 4),
        ("random", &[("w", "16"), ("h", "7"), ("reveal", "0.75")], 4),
        ("hard", &[("n", "10"), ("hidden", "0.4")], 4),
        ("hard", &[("n", "8"), ("hidden", "0.15")], 4),
        ("contradictory", &[("n", "12"), ("hits", "11")], 3),
        ("contradictory", &[("n", "10"), ("hits", "13")], 2),
    ] {
        let params: Vec<_> = params.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        for seed in 1..=seeds {
            let make = || with_ships(|ships| ships.generate(&settings(&[]), family, &params, seed).unwrap());
            let instance = make();
            assert_eq!(instance.text(), make().text());
            let answers: Vec<_> =
                engines("search:cover,sat:owner@*").iter().map(|e| decide(&*instance, e)).collect();
            for reply in &answers {
                assert_eq!(reply.agree(&*answers[0]).to_string(), "same", "{family} seed {seed}");
            }
            closed(&*answers[0]);
            assert!(answers[0].explain(&mut Budget::of_work(0)).boards.svg().starts_with("<svg"));
            assert!(answers[0].explain(&mut Budget::of_work(0)).text.ends_with(".\n"));
        }
    }
}

#[test]
fn the_tour_closes_every_claim_without_proofs() {
    let tour = with_ships(|ships| ships.info().tour);
    for stop in tour {
        let params: Vec<_> = stop.params.iter().map(|&(k, v)| (k.to_owned(), v.to_owned())).collect();
        for seed in 1..=stop.seeds {
            let instance =
                with_ships(|ships| ships.generate(&settings(&[]), stop.family, &params, seed).unwrap());
            let claims = decide(&*instance, &engines("search")[0]).check(&[], &mut Budget::unlimited());
            assert!(all_closed(&claims), "{} seed {seed}: {claims:?}", stop.family);
        }
    }
}

/// Sizes of the formulas on empty boards.
#[test]
fn formulas_have_known_sizes() {
    let empty = |w: usize, h: usize| instance(&settings(&[]), &vec![".".repeat(w); h].join("/"));
    // The number of placements on 10×10: 81 for O, 144 each for S and Z, 288 each for J, T and L, and 140 for I. Each
    // placement covers four cells.
    let (p, ships, cells) = (1373, 7, 100);
    let vars = p + (p - ships) + cells + (4 * p - cells);
    let clauses = (3 * u64::from(p) - 4 * 7 + 7) + (12 * u64::from(p) - 400) + (4 * u64::from(p) + 100);
    let size = |w, h, id| {
        let mut tally = Tally::default();
        empty(w, h).formula(&engines(id)[0], &mut tally).unwrap();
        (tally.n_vars(), tally.n_clauses())
    };
    assert_eq!(size(10, 10, "sat:placement/amo=sequential"), (vars, clauses));
    assert_eq!(
        [
            size(10, 10, "sat:placement/amo=pairwise"),
            size(10, 10, "sat:owner/amo=sequential"),
            size(10, 10, "sat:owner/amo=pairwise"),
            size(16, 16, "sat:owner/amo=sequential"),
        ],
        [(1473, 332_461), (4139, 12_790), (2173, 166_645), (11_579, 36_178)]
    );
    let mut names = Cnf::default();
    empty(4, 2).formula(&engines("sat:owner")[0], &mut names).unwrap();
    let named = |name: &str| names.names().iter().any(|(_, known)| known == name);
    assert!(named("placement L#3 at r1c2") && named("own T r1c1") && named("covered r2c4"));
}

#[test]
fn families_reject_impossible_parameters() {
    let make = |family: &str, params: &[(&str, &str)]| {
        let params: Vec<_> = params.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        with_ships(|ships| ships.generate(&settings(&[]), family, &params, 1).map(|instance| instance.text()))
    };
    assert_eq!(make("random", &[("n", "5")]), Err("the fleet does not fit 5x5; use a larger board".into()));
    assert_eq!(
        make("hard", &[("w", "2"), ("h", "9")]),
        Err("the fleet does not fit 2x9; use a larger board".into())
    );
    assert_eq!(make("random", &[("w", "1")]), Err("a board has sides from 2 to 32, not 1x10".into()));
    assert_eq!(make("contradictory", &[("n", "3"), ("hits", "10")]), Err("10 hits do not fit 3x3".into()));
    assert!(
        make("random", &[("n", "33")]).unwrap_err().message().contains("takes a whole number from 2 to 32")
    );
    assert!(make("random", &[("n", "6"), ("reveal", "1")]).unwrap().matches('x').count() == 28);
}

/// The search for a fleet from row to row finds none on these wide boards, which the eighteen ships fill; the search from
/// column to column does.
#[test]
fn fleets_are_found_on_wide_boards() {
    let rules = settings(&[("fleet", "one-sided-pentominoes")]);
    for (w, h) in [(18, 5), (30, 3)] {
        let params = [("w".to_owned(), w.to_string()), ("h".to_owned(), h.to_string())];
        let board = with_ships(|ships| ships.generate(&rules, "packed", &params, 1).unwrap());
        assert_eq!(board.text().matches('.').count(), 90, "{w}x{h}");
    }
}

/// A solver that reaches its work limit is dropped safely, even if its proof stream is not written completely.
#[test]
fn a_solver_may_be_stopped_anywhere() {
    let params = [("n".to_owned(), "12".to_owned()), ("hits".to_owned(), "15".to_owned())];
    let instance = with_ships(|ships| ships.generate(&settings(&[]), "contradictory", &params, 1).unwrap());
    for engine in engines("sat:owner/leaders=no/idle=placed@*") {
        for max in (0..600).step_by(60) {
            let outcome = instance.solve(&engine, &mut Budget::of_work(max));
            assert!(matches!(outcome, Outcome::GaveUp(Limit::Work, None)), "{engine} after {max} conflicts");
        }
    }
}

#[test]
fn limited_runs_repeat() {
    let params = [("n".to_owned(), "12".to_owned()), ("hits".to_owned(), "13".to_owned())];
    for seed in 1..=4 {
        let instance =
            with_ships(|ships| ships.generate(&settings(&[]), "contradictory", &params, seed).unwrap());
        for engine in engines("search:*,sat:owner@*") {
            let run = |most| {
                let mut budget = Budget::of_work(most);
                let outcome = instance.solve(&engine, &mut budget);
                let ended = match &outcome {
                    Outcome::GaveUp(limit, _) => Some(*limit),
                    _ => None,
                };
                (ended, outcome.answer().map(|reply| reply.to_json("", &[])), budget.work)
            };
            assert_eq!(run(2000), run(2000), "{engine}");
            if engine.name == "cover" {
                assert!(matches!(run(3).0, Some(Limit::Work) | None));
            }
        }
    }
}
