//! Ships by other people's programs: verdicts without evidence, and formulas of encoders that are not ours.

use crate::python::interpreter;
use crate::samples::samples;
use crate::ships_brute::{BAR, CORNER, DOMINO, JUDGE, POSES, S, SQUARE, Shape, Squares, World};
use crate::ships_common::{closed, decide, engines, instance, settings, with_ships};
use chacha20::ChaCha8Rng;
use counterpoint::claim::{Claim, all_closed, any_failed};
use counterpoint::engine::{Budget, Outcome};
use counterpoint::erased::{DynAnswer, DynInstance};
use counterpoint::input::{Source, Warnings};
use counterpoint::named::{self, NamedFormula};
use counterpoint::problem::{Agreement, Problem, Scope, instances};
use counterpoint::problems::ships::answer::Answer;
use counterpoint::problems::ships::{Instance, Rules, Ships};
use counterpoint::rules::Settings;
use counterpoint::spec::EngineSpec;
use counterpoint_encodings::Sink;
use rand::{RngExt, SeedableRng};
use serde_json::Value;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// A board, both as a trait object (`erased`) and with the types of Ships.
struct Game {
    erased: Box<dyn DynInstance>,
    rules: Rules,
    instance: Instance,
}

impl Game {
    fn new(settings: &Settings, erased: Box<dyn DynInstance>) -> Game {
        let rules = Ships::rules(settings).unwrap();
        let (text, warnings) = (erased.text(), Warnings::default());
        let read = Ships::read(rules.clone(), Scope::Open, Source::from_text("t", &text), &warnings);
        let instance = instances(read).next().unwrap().unwrap();
        Game { erased, rules, instance }
    }

    fn rows(settings: &Settings, rows: &str) -> Game {
        Game::new(settings, instance(settings, rows))
    }

    fn generated(settings: &Settings, family: &str, params: &[(&str, &str)], seed: u64) -> Game {
        let params: Vec<_> = params.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        let made = with_ships(|ships| ships.generate(settings, family, &params, seed));
        Game::new(settings, made.unwrap())
    }

    fn expected(&self) -> Box<dyn DynAnswer> {
        decide(&*self.erased, &engines("search:cover")[0])
    }

    /// The answer after a round trip through JSON.
    fn restored(&self, answer: &Answer) -> Box<dyn DynAnswer> {
        let mut json = self.expected().to_json("exec:test", &[]);
        let map = json.as_object_mut().unwrap();
        ["sets", "plan", "lost"].iter().for_each(|&key| drop(map.remove(key)));
        map.extend(Ships::to_json(&self.instance, answer));
        let back = with_ships(|ships| ships.restore(map)).unwrap();
        assert_eq!(Value::Object(map.clone()), back.to_json("exec:test", &[]));
        back
    }

    fn verdict(&self, printed: &[u8]) -> Result<Box<dyn DynAnswer>, String> {
        let read = Ships::OUTSIDE.read_verdict.unwrap();
        let answer = read(&self.rules, &self.instance, printed)?;
        Ok(self.restored(&answer))
    }

    /// Tests both verdicts: the right one agrees with the answer and holds, the other one is refuted.
    fn test_verdicts(&self) -> String {
        let (expected, text) = (self.expected(), self.erased.text());
        for word in ["yes", "no"] {
            let verdict = self.verdict(format!("Game #1\n{word}.\n\n").as_bytes()).unwrap();
            assert_eq!(verdict.outcome(), word);
            let claims = verdict.check(&[], &mut Budget::unlimited());
            let agreement = verdict.agree(&*expected);
            assert_eq!(agreement, expected.agree(&*verdict));
            if verdict.judge_text(1) == expected.judge_text(1) {
                assert!(all_closed(&claims), "{word} on {text}: {claims:?}");
                let same = verdict.outcome() == expected.outcome();
                assert_eq!(agreement, if same { Agreement::Same } else { Agreement::Compatible });
            } else {
                assert!(any_failed(&claims), "{word} on {text}: {claims:?}");
                assert_eq!(agreement, Agreement::Contradict);
            }
            assert!(verdict.explain(&mut Budget::of_work(1 << 12)).text.contains("evidence"));
        }
        assert_eq!(
            self.verdict(&expected.judge_text(1)).unwrap().judge_text(1),
            expected.judge_text(1),
            "{text}"
        );
        expected.outcome()
    }

    /// Solves the board by a formula with the solver of `engine`.
    fn solve(&self, formula: &NamedFormula, engine: &EngineSpec) -> Outcome<Answer> {
        let solve = Ships::OUTSIDE.solve_named.unwrap();
        solve(&self.rules, &self.instance, formula, engine, &mut Budget::unlimited())
    }

    /// The claims of an answer, and the answer in a word.
    fn checked(&self, answer: &Answer) -> (String, Vec<Claim>) {
        let claims = Ships::check(&self.rules, &self.instance, answer, &[], &mut Budget::unlimited());
        (Ships::outcome(answer), claims)
    }

    /// Our formula as an encoder would print it.
    fn printed(&self, engine: &EngineSpec) -> String {
        let mut formula = NamedFormula::default();
        self.erased.formula(engine, &mut formula).unwrap();
        let mut text = String::new();
        for (var, name) in formula.names() {
            writeln!(text, "c varname {} {name}", var.pos_lit().to_ipasir()).unwrap();
        }
        writeln!(text, "p cnf {} {}", formula.n_vars(), formula.clauses().len()).unwrap();
        for clause in formula.clauses() {
            clause.iter().for_each(|lit| write!(text, "{} ", lit.to_ipasir()).unwrap());
            text.push_str("0\n");
        }
        text
    }

    /// Solves the board by our own formula, as an encoder would print it, and compares.
    fn test_formula(&self, engine: &EngineSpec) {
        let formula = named::parse(self.printed(engine).as_bytes()).unwrap();
        let Outcome::Decided(answer) = self.solve(&formula, engine) else { panic!("{engine}") };
        let (expected, text) = (self.expected(), self.erased.text());
        let (outcome, claims) = self.checked(&answer);
        assert_eq!(outcome, expected.outcome(), "{engine} on {text}");
        let back = self.restored(&answer);
        assert_eq!(back.agree(&*expected), Agreement::Same, "{engine} on {text}");
        if !all_closed(&claims) {
            closed(&*back);
        }
    }
}

const WORLDS: [(&[Shape], i32, i32); 2] = [(&[DOMINO, DOMINO], 3, 2), (&[DOMINO, CORNER], 2, 3)];

#[test]
fn verdicts_on_all_boards_of_the_smallest_sizes() {
    for (i, question) in JUDGE.into_iter().chain(POSES).enumerate() {
        let (fleet, w, h) = WORLDS[i % 2];
        let world = World::new(fleet, w, h, question);
        for code in 0..3u64.pow((w * h) as u32) {
            Game::new(world.settings(), world.instance(&world.board(code))).test_verdicts();
        }
    }
}

#[test]
fn verdicts_on_sampled_boards() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut outcomes = std::collections::BTreeSet::new();
    for (fleet, w, h) in [(&[S, S, DOMINO][..], 5, 3), (&[BAR, CORNER, DOMINO], 5, 4), (&[SQUARE, S], 6, 5)] {
        for question in JUDGE {
            let world = World::new(fleet, w, h, question);
            for round in 0..samples(2) {
                let squares = if round % 5 == 0 { Squares::Any } else { Squares::OfAFleet };
                let board = world.sample(&mut rng, squares);
                outcomes.insert(Game::new(world.settings(), world.instance(&board)).test_verdicts());
            }
        }
    }
    for seed in 1..=24 {
        let misses = (seed % 4).to_string();
        let settings = settings(&[("misses", &misses)]);
        let (family, params) = match seed % 3 {
            0 => ("random", [("n", "6"), ("reveal", "0.5")]),
            1 => ("hard", [("n", "6"), ("hidden", "0.3")]),
            _ => ("contradictory", [("n", "8"), ("hits", "9")]),
        };
        outcomes.insert(Game::generated(&settings, family, &params, seed).test_verdicts());
    }
    assert_eq!(outcomes.into_iter().collect::<Vec<_>>(), ["no", "no-fleet", "yes"]);
}

#[test]
fn malformed_verdicts_are_rejected() {
    let game = Game::rows(&settings(&[]), "......./......./......./......./.......");
    for (printed, message) in [
        ("", "its output is empty; expected 'Game #1'"),
        ("no.\n", "its output, line 1: found 'no.'; expected 'Game #1'"),
        ("Game #2\nno.\n", "its output, line 1: found 'Game #2'; expected 'Game #1'"),
        ("Game #1\n", "its output ends after 1 line; expected 'yes.' or 'no.'"),
        ("Game #1\nno\n", "its output, line 2: found 'no'; expected 'yes.' or 'no.'"),
        ("Game #1\nNo.\n", "its output, line 2: found 'No.'; expected 'yes.' or 'no.'"),
        ("Game #1\nno.\n\nGame #2\nno.\n", "its output, line 3: found ''; expected nothing more"),
    ] {
        assert_eq!(game.verdict(printed.as_bytes()).err().as_deref(), Some(message), "{printed:?}");
    }
    assert!(game.verdict(b"\xff\n").is_err());
    for printed in ["Game #1\nno.", "Game #1\r\nno.\r\n\r\n\n"] {
        assert_eq!(game.verdict(printed.as_bytes()).unwrap().outcome(), "no");
    }
}

/// The member `evidence` marks an answer without evidence. Its only value is `none`, and the outcome of such an answer
/// must be "yes" or "no".
#[test]
fn a_verdict_needs_no_evidence_but_says_so() {
    let json =
        Game::rows(&settings(&[]), "......./......./......./......./.......").expected().to_json("", &[]);
    let restored = |change: &dyn Fn(&mut Value)| {
        let mut json = json.clone();
        change(&mut json);
        with_ships(|ships| ships.restore(json.as_object().unwrap()).map(|answer| answer.outcome()))
    };
    assert_eq!(restored(&|_| ()).unwrap(), "no");
    assert_eq!(restored(&|j| j["evidence"] = "none".into()).unwrap(), "no");
    let missing = restored(&|j| drop(j.as_object_mut().unwrap().remove("lost"))).unwrap_err();
    assert_eq!(missing, "\"lost\" is missing");
    assert!(restored(&|j| j["evidence"] = "some".into()).is_err());
    let none = restored(&|j| {
        j["evidence"] = "none".into();
        j["outcome"] = "no-fleet".into();
    });
    assert_eq!(none.unwrap_err(), "\"outcome\" of an answer without evidence is neither \"yes\" nor \"no\"");
}

/// Without work, every claim of a verdict is open.
#[test]
fn a_small_budget_leaves_a_verdict_open() {
    let game = Game::rows(&settings(&[]), "..xxxx/xxxxxx/oo.xxx/xxxxxx/xx.xxx/oo.oxo");
    for word in ["yes", "no"] {
        let verdict = game.verdict(format!("Game #1\n{word}.\n\n").as_bytes()).unwrap();
        for work in [0, 1, 5] {
            let claims = verdict.check(&[], &mut Budget::of_work(work));
            assert!(!all_closed(&claims) && !any_failed(&claims), "{word} {work}: {claims:?}");
        }
    }
}

#[test]
fn our_own_formulas_give_the_same_answers_on_all_boards_of_the_smallest_sizes() {
    let engines =
        engines("sat:*/amo={bimander,pairwise,ladder}/cells=*/colours=*/leaders=*@{varisat,batsat}");
    for (i, question) in JUDGE.into_iter().enumerate() {
        let (fleet, w, h) = WORLDS[i % 2];
        let world = World::new(fleet, w, h, question);
        for code in 0..3u64.pow((w * h) as u32) {
            let engine = &engines[(code as usize * 7 + i) % engines.len()];
            Game::new(world.settings(), world.instance(&world.board(code))).test_formula(engine);
        }
    }
}

#[test]
fn our_own_formulas_give_the_same_answers_on_sampled_boards() {
    let engines = engines("sat:*/amo=*/cells=*/colours=*/leaders=*@*");
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let mut deal = move || engines[rng.random_range(0..engines.len())].clone();
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for question in JUDGE {
        let world = World::new(&[S, S, DOMINO], 5, 3, question);
        for round in 0..30 {
            let squares = if round % 5 == 0 { Squares::Any } else { Squares::OfAFleet };
            let board = world.sample(&mut rng, squares);
            Game::new(world.settings(), world.instance(&board)).test_formula(&deal());
        }
    }
    for seed in 1..=24 {
        let misses = (seed % 4).to_string();
        let settings = settings(&[("misses", &misses)]);
        Game::generated(&settings, "random", &[("n", "6"), ("reveal", "0.6")], seed).test_formula(&deal());
    }
}

/// What an encoder may get wrong.
#[test]
fn wrong_formulas_give_wrong_answers_that_the_checker_refutes() {
    let fleet = [("fleet", "xx\n\nx.\nxx\n")];
    let game = Game::rows(&settings(&fleet), "x../..o");
    let engine = &engines("sat:owner")[0];
    let solve = |text: &str| game.solve(&named::parse(text.as_bytes()).unwrap(), engine);
    let Outcome::Failed(message) = solve("c varname 1 covered r1c2\nc varname 2 coverd r1c3\np cnf 4 0\n")
    else {
        panic!("a cell has no variable")
    };
    assert_eq!(
        message,
        "sat:owner: no variable of the formula is called 'covered r1c3'; the most similar name is 'coverd r1c3'"
    );
    let names: String = (1..)
        .zip(["r1c2", "r1c3", "r2c1", "r2c2"])
        .map(|(i, c)| format!("c varname {i} covered {c}\n"))
        .collect();
    for (rest, failed) in [
        // The formula allows every set. The solver first finds one that has fewer cells than the fleet
        // covers.
        ("p cnf 4 0\n", "cells, but the fleet covers 5"),
        ("p cnf 4 1\n0\n", "a fleet covers r1c1 r1c2 r1c3 r2c1 r2c2"),
        // A variable of a cell that the board shows counts, too.
        ("c varname 5 covered r1c1\np cnf 5 1\n-5 0\n", "set 1 leaves out the hit r1c1"),
        ("c varname 5 covered r2c3\np cnf 5 1\n5 0\n", "set 1 covers the miss r2c3"),
    ] {
        let Outcome::Decided(answer) = solve(&format!("{names}{rest}")) else { panic!("{rest}") };
        let (_, claims) = game.checked(&answer);
        let why: Vec<_> =
            claims.iter().filter(|c| c.status.is_failed()).filter_map(|c| c.status.reason()).collect();
        assert!(why.iter().any(|why| why.contains(failed)), "{rest}: {claims:?}");
    }
    // The right set.
    let Outcome::Decided(answer) = solve(&format!("{names}p cnf 4 4\n1 0\n2 0\n3 0\n4 0\n")) else {
        panic!()
    };
    let (outcome, claims) = game.checked(&answer);
    assert!(outcome == "yes" && all_closed(&claims), "{claims:?}");
}

/// Runs the encoders in Python that other tests compare model by model. A fault need not change the answer to a board.
/// If it does, the checker finds the fault.
#[test]
fn faults_of_encoders_are_found_where_they_change_an_answer() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let fleet = root.join("examples/lessons/domino-and-tromino.txt");
    let settings = settings(&[("fleet", &std::fs::read_to_string(&fleet).unwrap())]);
    let python = |fault: Option<&str>, input: &str| -> Option<Vec<u8>> {
        let mut child = Command::new(interpreter()?)
            .args(["-SEB", "tests/encoders/ships.py"])
            .arg(&fleet)
            .args(fault)
            .current_dir(root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        std::io::Write::write_all(&mut child.stdin.take()?, input.as_bytes()).ok()?;
        Some(child.wait_with_output().ok()?.stdout)
    };
    let engine = &engines("sat:owner")[0];
    let boards = [
        ".../...",
        "x../...",
        "..x/o..",
        "xxx/...",
        "...o/....",
        ".o./.../...",
        "..x/.o./xx.",
        "ooo/...",
        "xxx/xxx/xoo",
    ];
    let games: Vec<Game> = boards.iter().map(|rows| Game::rows(&settings, rows)).collect();
    let faults = ["unturned", "height-first", "last-row", "twice", "overlap", "one-way", "misses"];
    for fault in [None].into_iter().chain(faults.map(Some)) {
        let mut found = 0;
        for game in &games {
            let Some(printed) = python(fault, &game.erased.text()) else {
                eprintln!("skipped: python3 is not available");
                return;
            };
            // A crash, too, is found: nothing was printed.
            let Ok(formula) = named::parse(&printed) else {
                found += 1;
                continue;
            };
            match game.solve(&formula, engine) {
                Outcome::Decided(answer) => {
                    let (outcome, claims) = game.checked(&answer);
                    if any_failed(&claims) {
                        found += 1;
                    } else {
                        assert_eq!(outcome, game.expected().outcome(), "{fault:?} on {}", game.erased.text());
                        assert!(all_closed(&claims), "{fault:?} on {}: {claims:?}", game.erased.text());
                    }
                }
                Outcome::Failed(_) => found += 1,
                _ => panic!("{fault:?}"),
            }
        }
        assert_eq!(found > 0, fault.is_some(), "{fault:?}: {found}");
    }
}
