//! Flip: every engine is compared with brute force on all tiny boards, and three searches with theory on the judge's
//! boards. Forged answers are refused.

use crate::bench::{Bench, check, solve};
use crate::samples::{is_thorough, samples};
use chacha20::ChaCha8Rng;
use counterpoint::certify;
use counterpoint::claim::{Status, all_closed, any_failed};
use counterpoint::engine::{Budget, Limit, Outcome};
use counterpoint::proof::{Drat, Proof};
use rand::{RngExt, SeedableRng};
use serde_json::json;
use std::collections::BTreeMap;
use std::num::NonZero;

const ALL: &str = "search:*,sat:presses/xor=*@*";

/// The rows of a board as text. The square in row r, column c, both from 0, is black if bit r * w + c of `mask` is set.
fn text(mask: u32, w: u32, h: u32) -> String {
    let square = |r, c| if mask >> (r * w + c) & 1 == 1 { 'b' } else { 'w' };
    (0..h).map(|r| (0..w).map(|c| square(r, c)).chain(['\n']).collect::<String>()).collect()
}

/// The squares that a press in row r, column c flips, as a bit mask, computed from the definition of
/// the stencil.
fn pressed(stencil: &str, w: i32, h: i32, r: i32, c: i32) -> u32 {
    let near = |a: i32, b: i32, n: i32| match stencil {
        "torus" => (a - b).rem_euclid(n).min((b - a).rem_euclid(n)),
        _ => (a - b).abs(),
    };
    let mut mask = 0;
    for (y, x) in (0..h).flat_map(|y| (0..w).map(move |x| (y, x))) {
        let (dy, dx) = (near(y, r, h), near(x, c, w));
        let turns = match stencil {
            "king" => dy.max(dx) <= 1,
            "cross" => dy == 0 || dx == 0,
            _ => dy + dx <= 1,
        };
        mask |= u32::from(turns) << (y * w + x);
    }
    mask
}

/// For each board as a bit mask, the fewest presses to all white and to all black, found by trying all sets of presses;
/// `None` if the colour cannot be reached.
fn brute_force(stencil: &str, w: u32, h: u32) -> Vec<[Option<u32>; 2]> {
    let n = w * h;
    let flips: Vec<u32> =
        (0..n).map(|i| pressed(stencil, w as i32, h as i32, (i / w) as i32, (i % w) as i32)).collect();
    let mut least = vec![[None::<u32>; 2]; 1 << n];
    for presses in 0u32..1 << n {
        let turned = (0..n).filter(|i| presses >> i & 1 == 1).fold(0, |board, i| board ^ flips[i as usize]);
        for (colour, board) in [turned, turned ^ ((1 << n) - 1)].into_iter().enumerate() {
            let best = &mut least[board as usize][colour];
            *best = Some(best.map_or(presses.count_ones(), |b: u32| b.min(presses.count_ones())));
        }
    }
    least
}

fn words(presses: Option<u32>) -> String {
    match presses {
        None => "impossible".to_owned(),
        Some(1) => "1 press".to_owned(),
        Some(n) => format!("{n} presses"),
    }
}

#[test]
fn every_engine_on_all_boards_of_up_to_nine_squares() {
    for stencil in ["plus", "king", "cross", "torus"] {
        for (w, h) in [(1, 1), (1, 2), (3, 1), (2, 2), (2, 3), (3, 3)] {
            let least = brute_force(stencil, w, h);
            for target in ["either", "white", "black"] {
                let bench = Bench::new("flip", &[("stencil", stencil), ("target", target)]);
                // There are many boards of nine squares, so of the SAT engines only the default one runs on them.
                let engines = bench.engines(if w * h < 9 { ALL } else { "search:*,sat" });
                for board in 0..1u32 << (w * h) {
                    let [white, black] = least[board as usize];
                    let expected = match target {
                        "white" => white,
                        "black" => black,
                        _ => white.into_iter().chain(black).min(),
                    };
                    let instance = bench.instance(&text(board, w, h));
                    let supported = bench.battery(&*instance, &engines, Some(&words(expected)));
                    assert_eq!(supported, engines.len() - usize::from(stencil != "plus"), "{stencil}");
                }
            }
        }
    }
}

#[test]
fn every_engine_on_random_boards() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for stencil in ["plus", "king", "cross", "torus"] {
        let bench = Bench::new("flip", &[("stencil", stencil)]);
        let engines = bench.engines(ALL);
        for seed in 0..12 {
            let [w, h] = [0; 2].map(|_| rng.random_range(2..=5u32).to_string());
            let family = if seed % 2 == 0 { "random" } else { "solvable" };
            let instance = bench.generate(family, &[("w", if w == "4" { "3" } else { &w }), ("h", &h)], seed);
            bench.battery(&*instance, &engines, None);
        }
    }
}

/// Counts the 4×4 boards that need 0, 1, 2, … presses, first to reach either colour, then to reach white. The counts
/// must be those of the theory.
#[test]
fn all_boards_of_the_judge() {
    let count = |bench: &Bench, engine: &str| {
        let engine = &bench.engines(engine)[0];
        let mut histogram: BTreeMap<String, u32> = BTreeMap::new();
        for board in 0..1u32 << 16 {
            let instance = bench.instance(&text(board, 4, 4));
            let Outcome::Decided(reply) = instance.solve(engine, &mut Budget::unlimited()) else { panic!() };
            assert!(all_closed(&check(&*reply)), "{}", instance.text());
            *histogram.entry(reply.outcome()).or_default() += 1;
        }
        histogram
    };
    let expect = |numbers: &[u32]| {
        let mut expected: BTreeMap<_, _> =
            numbers.iter().zip(0..).map(|(&n, k)| (words(Some(k)), n)).collect();
        expected.insert(words(None), (1 << 16) - numbers.iter().sum::<u32>());
        expected
    };
    let either = expect(&[2, 32, 228, 880, 1562, 1136, 256]);
    assert_eq!(either["impossible"], 61_440);
    assert_eq!(count(&Bench::new("flip", &[]), "search:algebra"), either);
    assert_eq!(count(&Bench::new("flip", &[]), "search:elimination"), either);
    assert_eq!(count(&Bench::new("flip", &[]), "search:first-row"), either);
    let white = expect(&[1, 16, 120, 560, 1387, 1440, 540, 32]);
    assert_eq!(count(&Bench::new("flip", &[("target", "white")]), "search:algebra"), white);
}

#[test]
fn judges_boards_by_the_baseline_and_by_sat() {
    let bench = Bench::new("flip", &[]);
    let engines = bench.engines("search:algebra,search:bfs,sat,sat:presses/xor=cut3@batsat");
    let mut rng = ChaCha8Rng::seed_from_u64(1753);
    for k in 0..samples(300) {
        // Every third board is solvable, because it is made from the white board by presses.
        let random = rng.random::<u32>() & 0xffff;
        let board = if k % 3 > 0 {
            random
        } else {
            (0..16).filter(|i| random >> i & 1 == 1).fold(0, |b, i| b ^ pressed("plus", 4, 4, i / 4, i % 4))
        };
        assert_eq!(bench.battery(&*bench.instance(&text(board, 4, 4)), &engines, None), 4);
    }
}

/// OEIS A075464: fewest presses that turn an all-black n×n board white.
#[test]
fn all_ones_boards() {
    let bench = Bench::new("flip", &[("target", "white")]);
    let large = [("30", 376), ("39", 561)].into_iter().filter(|_| is_thorough());
    for (n, least) in [("4", 4), ("5", 15), ("9", 25), ("19", 141)].into_iter().chain(large) {
        let reply = solve(&*bench.generate("black", &[("n", n)], 0), &bench, "search");
        assert_eq!(reply.outcome(), format!("{least} presses"), "n = {n}");
        assert!(all_closed(&check(&*reply)), "n = {n}");
    }
}

#[test]
fn any_solution_is_enough_under_goal_any() {
    let bench = Bench::new("flip", &[("goal", "any")]);
    for seed in 0..20 {
        let instance = bench.generate("solvable", &[("w", "5"), ("h", "4")], seed);
        for engine in bench.engines(ALL).iter().filter(|engine| instance.supports(engine).is_ok()) {
            let Outcome::Decided(reply) = instance.solve(engine, &mut Budget::unlimited()) else {
                panic!("{engine} gave up on\n{}", instance.text());
            };
            assert_eq!(
                check(&*reply).len(),
                1,
                "{engine}: the only claim should be that the presses solve the board"
            );
            assert!(all_closed(&check(&*reply)), "{engine}");
        }
    }
}

#[test]
fn minimality_stays_open_if_the_engine_does_not_claim_it() {
    // With nullity 40, there are too many solutions for the engine to try all. The checker finds a solution with fewer
    // presses. This refutes nothing, because the engine did not claim that its presses are the fewest.
    let bench = Bench::new("flip", &[]);
    let reply = solve(&*bench.generate("solvable", &[("n", "61")], 1), &bench, "search");
    assert!(reply.outcome().starts_with("at most "));
    let claims = check(&*reply);
    assert_eq!((&claims[0].status, claims.len()), (&Status::Witness, 2));
    let status = claims[1].status.to_string();
    assert_eq!(status, "open: the engine stopped before it could decide this; in fact 1687 presses suffice");
}

#[test]
fn proofs_close_minimality_without_enumeration() {
    let bench = Bench::new("flip", &[]);
    for seed in 0..6 {
        let family = if seed % 2 == 0 { "solvable" } else { "random" };
        let reply = solve(&*bench.generate(family, &[], seed), &bench, "search");
        let proofs = certify::proofs(certify::certify(&reply.obligations(), &mut Budget::unlimited()));
        let claims = reply.check(&proofs, &mut Budget::of_work(0));
        assert!(
            claims.iter().any(|c| matches!(c.status, Status::Proved(_))) && all_closed(&claims),
            "{claims:?}"
        );
        // A wrong proof makes its claim fail, although the claim is true.
        let mut broken = proofs;
        broken[0].refutation = Drat::from("0\n").into();
        assert!(any_failed(&reply.check(&broken, &mut Budget::unlimited())));
        // Without a proof and with a budget of 0, minimality stays open.
        if seed % 2 == 0 {
            assert_eq!(reply.check(&[], &mut Budget::of_work(0))[1].status.to_string(), "open: work limit");
        }
    }
}

#[test]
fn forged_answers_are_refused() {
    let bench = Bench::new("flip", &[]);
    let solvable = solve(&*bench.instance("bwwb\nbbwb\nbwwb\nbwww\n"), &bench, "search");
    let presses = |cells: serde_json::Value| {
        bench.forged(&*solvable, |json| {
            json.insert("presses".into(), cells.clone());
        })
    };
    let failed = |cells| any_failed(&presses(cells).unwrap());
    assert!(failed(json!([])));
    assert!(failed(json!([[1, 1]])));
    let all: Vec<_> = (1..=16).map(|i| [(i - 1) / 4 + 1, (i - 1) % 4 + 1]).collect();
    assert!(failed(json!(all)), "pressing all squares should be refused");
    let right = solvable.to_json("test", &[])["presses"].clone();
    let mut twice = right.as_array().unwrap().clone();
    twice.push(twice[0].clone());
    assert!(failed(json!(twice)), "pressing a square twice should be refused");
    // Two presses that do not solve the board.
    let claims = bench.forged(&*solvable, |json| {
        json.insert("presses".into(), json!([[1, 2], [1, 3]]));
    });
    assert!(any_failed(&claims.unwrap()));
    for broken in
        [json!("x"), json!([[0, 1]]), json!([[5, 1]]), json!([[1]]), json!([[1, 99_999_999_999u64]])]
    {
        assert!(presses(broken).unwrap_err().contains("not a list of squares [row, column] of the board"));
    }
    // "Impossible" on a solvable board: without weights, and with wrong weights.
    let impossible = |weights: Option<serde_json::Value>| {
        bench.forged(&*solvable, |json| {
            json.insert("outcome".into(), "impossible".into());
            weights.iter().for_each(|w| drop(json.insert("weights".into(), w.clone())));
        })
    };
    assert!(any_failed(&impossible(None).unwrap()));
    assert!(any_failed(&impossible(Some(json!([[1, 1]]))).unwrap()));
    assert!(any_failed(&impossible(Some(json!([]))).unwrap()));
    assert!(any_failed(&impossible(Some(json!([[1, 1], [1, 1]]))).unwrap()));
    // A changed board no longer matches the hash in the answer.
    let moved = bench.forged(&*solvable, |json| {
        json.insert("instance".into(), "wwww\nbbwb\nbwwb\nbwww\n".into());
    });
    assert!(moved.unwrap_err().contains("\"instance_hash\" is not the hash of the instance"));
}

/// An answer with `least` claims that its presses are the fewest, even under `goal=any`.
#[test]
fn a_forged_least_is_refused_whatever_the_goal() {
    let bench = Bench::new("flip", &[("goal", "any"), ("target", "black")]);
    let reply = solve(&*bench.instance("wwww\nwwww\nwwww\nwwww\n"), &bench, "search:bfs");
    let forge = |least: bool, cells: serde_json::Value| {
        let claims = bench.forged(&*reply, |json| {
            json.insert("presses".into(), cells.clone());
            json.insert("least".into(), least.into());
        });
        claims.unwrap()
    };
    let squares = |mask: u32| (0..16).filter(move |i| mask >> i & 1 == 1);
    let turned = |mask| squares(mask).fold(0, |board, i| board ^ pressed("plus", 4, 4, i / 4, i % 4));
    let mut longer = 0;
    for mask in (0..1u32 << 16).filter(|&mask| mask.count_ones() > 4 && turned(mask) == 0xffff) {
        let cells: Vec<_> = squares(mask).map(|i| [i / 4 + 1, i % 4 + 1]).collect();
        assert!(all_closed(&forge(false, json!(cells))), "{cells:?}");
        assert!(any_failed(&forge(true, json!(cells))), "{cells:?}");
        longer += 1;
    }
    assert!(longer > 0);
}

#[test]
fn false_evidence_is_refused_beside_a_true_proof() {
    let bench = Bench::new("flip", &[]);
    let reply = solve(&*bench.instance("bbbb\nbwbb\nbbbb\nbbbb\n"), &bench, "search");
    let proofs = certify::proofs(certify::certify(&reply.obligations(), &mut Budget::unlimited()));
    assert!(all_closed(&reply.check(&proofs, &mut Budget::unlimited())));
    let mut json = reply.to_json("test", &[]);
    json["weights"] = json!([[1, 1]]);
    let forged = bench.problem().restore(json.as_object().unwrap()).unwrap();
    assert!(any_failed(&forged.check(&proofs, &mut Budget::unlimited())));
    json["rules"]["within"] = json!("1");
    let bounded = bench.problem().restore(json.as_object().unwrap()).unwrap();
    assert!(any_failed(&check(&*bounded)));
}

#[test]
fn a_plain_formula_that_is_too_large_is_not_written() {
    let bench = Bench::new("flip", &[]);
    let reply = solve(&*bench.generate("solvable", &[("n", "160")], 1), &bench, "search");
    let obligations = reply.obligations();
    assert!(obligations[0].formula().is_none());
    let proof = Proof::new(&obligations[0].claim, Drat::from("0\n"));
    let claims = reply.check(&[proof], &mut Budget::of_work(0));
    assert_eq!(claims[1].status.to_string(), "open: its plain formula is too large to check a proof");
}

#[test]
fn threads_change_neither_answers_nor_counters() {
    let bench = Bench::new("flip", &[]);
    let engine = &bench.engines("search")[0];
    for (n, most) in [("19", u64::MAX), ("24", samples(100_000)), ("39", samples(30_000))] {
        let instance = bench.generate("solvable", &[("n", n)], 7);
        let run = |threads| {
            let mut budget = Budget::of_work(most).on_threads(NonZero::new(threads));
            let answer = instance
                .solve(engine, &mut budget)
                .answer()
                .map(|reply| reply.to_json("search", &[]).to_string());
            (answer, budget.work)
        };
        let alone = run(1);
        assert!(alone.0.is_some());
        assert_eq!(alone, run(2), "{n}");
        assert_eq!(alone, run(5), "{n}");
    }
}

#[test]
fn limits_stop_an_engine_with_its_best_answer() {
    let bench = Bench::new("flip", &[]);
    let instance = bench.generate("solvable", &[("n", "19")], 3);
    let run = || {
        let mut budget = Budget::of_work(1_000);
        let Outcome::GaveUp(limit, Some(best)) = instance.solve(&bench.engines("search")[0], &mut budget)
        else {
            panic!()
        };
        (limit, best.outcome(), budget.work)
    };
    assert_eq!(run(), run(), "equal work should give equal answers");
    assert_eq!(run().0, Limit::Work);
    assert!(run().1.starts_with("at most "));
    for engine in bench.engines("sat@*") {
        let mut budget = Budget::of_work(50);
        let outcome = instance.solve(&engine, &mut budget);
        assert!(matches!(outcome, Outcome::GaveUp(Limit::Work, _)), "{engine}");
    }
}
