//! Formulas: every engine against brute force, on all tiny formulas and on random ones; proofs that there is no model;
//! models of written formulas; forged answers.

use crate::bench::{Bench, check, solve};
use chacha20::ChaCha8Rng;
use counterpoint::certify::{certify, proofs};
use counterpoint::claim::{CHECK_WORK, all_closed, any_failed};
use counterpoint::engine::{Budget, Outcome};
use counterpoint::erased::DynInstance;
use counterpoint::proof::Proof;
use counterpoint::solver::{Recorded, Recorder};
use counterpoint::spec::EngineSpec;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use serde_json::json;
use std::fmt::Write as _;

const SEARCHES: &str = "search:dpll,search:walksat";

/// A formula as lists of DIMACS literals.
#[derive(Default)]
struct Formula {
    n_vars: usize,
    clauses: Vec<Vec<i32>>,
    /// Parity constraints: an odd number of the literals of each is true.
    parities: Vec<Vec<i32>>,
}

impl Formula {
    fn text(&self) -> String {
        let mut text = format!("p cnf {} {}\n", self.n_vars, self.clauses.len() + self.parities.len());
        let lists =
            self.clauses.iter().map(|lits| ("", lits)).chain(self.parities.iter().map(|lits| ("x", lits)));
        for (start, lits) in lists {
            let _ = write!(text, "{start}");
            lits.iter().for_each(|lit| write!(text, "{lit} ").unwrap());
            text += "0\n";
        }
        text
    }

    /// Whether some assignment satisfies the formula.
    fn is_satisfiable(&self) -> bool {
        (0u32..1 << self.n_vars).any(|model| {
            let holds = |lit: &i32| (model >> (lit.unsigned_abs() - 1) & 1 == 1) == (*lit > 0);
            self.clauses.iter().all(|lits| lits.iter().any(holds))
                && self.parities.iter().all(|lits| lits.iter().filter(|&lit| holds(lit)).count() % 2 == 1)
        })
    }
}

/// Solves a formula with each engine, and checks each answer. A local search may give up. If there is no model, the
/// claim stays open without a proof, and a proof of the plain formula closes it.
fn battery(bench: &Bench, engines: &[EngineSpec], formula: &Formula) {
    let (instance, satisfiable) = (bench.instance(&formula.text()), formula.is_satisfiable());
    let mut is_proved = false;
    for engine in engines {
        // Without a model, a local search would make all of its flips.
        let mut budget = if engine.name == "walksat" { Budget::of_work(20_000) } else { Budget::unlimited() };
        let answer = match instance.solve(engine, &mut budget) {
            Outcome::Decided(answer) => answer,
            Outcome::GaveUp(..) if engine.name == "walksat" => continue,
            Outcome::Unsupported(_) if engine.name == "walksat" && !formula.parities.is_empty() => continue,
            _ => panic!("{engine} gave up on\n{}", formula.text()),
        };
        let expected = if satisfiable { "satisfiable" } else { "unsatisfiable" };
        assert_eq!(answer.outcome(), expected, "{engine} on\n{}", formula.text());
        let claims = check(&*answer);
        assert!(!any_failed(&claims), "{engine}: {claims:?}");
        assert_eq!(all_closed(&claims), satisfiable, "{engine}: {claims:?}");
        if !satisfiable && !is_proved {
            let proofs = proofs(certify(&answer.obligations(), &mut Budget::unlimited()));
            let claims = answer.check(&proofs, &mut Budget::of_work(CHECK_WORK));
            assert!(all_closed(&claims), "{claims:?}\n{}", formula.text());
            is_proved = true;
        }
        let is_own = engine.to_string() == "sat:plain" && instance.is_obligation(engine);
        assert_eq!(is_own, engine.to_string() == "sat:plain" && formula.parities.is_empty());
        if !satisfiable && is_own {
            recorded_proof(&*instance, engine);
        }
    }
}

/// The proof that varisat writes while it solves is also a proof for the checker's formula. The engine's
/// formula must have the same clauses.
fn recorded_proof(instance: &dyn DynInstance, engine: &EngineSpec) {
    let recorder = Recorder::new(1 << 24);
    let recording = engine
        .clone()
        .map_solver(|factory| factory.recording(&recorder).expect("varisat records its proofs"));
    let answer = instance.solve(&recording, &mut Budget::unlimited()).answer().unwrap();
    let Some(Recorded::Proof(refutation)) = recorder.take() else { panic!("there is no proof") };
    let claim = answer.obligations()[0].claim.clone();
    let claims = answer.check(&[Proof::new(claim, refutation)], &mut Budget::of_work(CHECK_WORK));
    assert!(all_closed(&claims), "{claims:?}");
}

fn engines(bench: &Bench) -> Vec<EngineSpec> {
    [bench.engines(SEARCHES), bench.engines("sat@*")].concat()
}

/// All sets of clauses over two variables, each without a variable that occurs twice; and all sets of parity
/// constraints over three variables together with one clause.
#[test]
fn all_tiny_formulas() {
    let bench = Bench::new("cnf", &[]);
    let engines = engines(&bench);
    let signs = |var: i32| [0, var, -var];
    let clauses = signs(1).into_iter().flat_map(|a| signs(2).map(|b| [a, b]));
    let clauses: Vec<Vec<i32>> =
        clauses.map(|lits| lits.into_iter().filter(|&lit| lit != 0).collect()).collect();
    for set in 0u32..1 << clauses.len() {
        let chosen = clauses.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1);
        let clauses = chosen.map(|(_, clause)| clause.clone()).collect();
        battery(&bench, &engines, &Formula { n_vars: 2, clauses, parities: Vec::new() });
    }
    let of = |mask: u32, first: i32| -> Vec<i32> {
        let vars = (1..=3).filter(|var| mask >> (var - 1) & 1 == 1);
        vars.enumerate().map(|(i, var)| if i == 0 { first * var } else { var }).collect()
    };
    for a in 1..8 {
        for b in 0..8 {
            for clause in [vec![1, -2], vec![-1, -2, -3], vec![2, 3]] {
                for first in [1, -1] {
                    let parities = vec![of(a, 1), of(b, first)];
                    battery(
                        &bench,
                        &engines,
                        &Formula { n_vars: 3, clauses: vec![clause.clone()], parities },
                    );
                }
            }
        }
    }
}

#[test]
fn random_formulas() {
    let bench = Bench::new("cnf", &[]);
    let engines = engines(&bench);
    let mut rng = ChaCha8Rng::seed_from_u64(18);
    let mut counts = [0; 2];
    for round in 0..300 {
        let n_vars = rng.random_range(1..=12usize);
        let mut lits = |max: usize| {
            let mut vars: Vec<i32> = (1..=n_vars as i32).collect();
            vars.shuffle(&mut rng);
            vars.truncate(max);
            vars.into_iter().map(|var| if rng.random_bool(0.5) { var } else { -var }).collect::<Vec<i32>>()
        };
        let n_parities = if round % 3 == 0 { n_vars / 2 } else { 0 };
        let parities: Vec<Vec<i32>> = (0..n_parities).map(|k| lits(1 + k % 7)).collect();
        let n_clauses = if round % 3 == 0 { 2 * n_vars } else { 4 * n_vars + round % 5 };
        let mut clauses: Vec<Vec<i32>> = (0..n_clauses).map(|_| lits(3)).collect();
        if round % 10 == 0 {
            // Clauses that are always true, one of them with a repeated literal.
            clauses.extend([vec![1, -1], vec![1, 1, -1]]);
            clauses.extend(clauses.first().map(|first| [&first[..], first].concat()));
        }
        let formula = Formula { n_vars, clauses, parities };
        counts[usize::from(formula.is_satisfiable())] += 1;
        battery(&bench, &engines, &formula);
    }
    assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
}

#[test]
fn forged_answers_are_rejected() {
    let bench = Bench::new("cnf", &[]);
    let instance = bench.instance("p cnf 3 3\n1 2 0\n-2 3 0\nx1 -2 3 0\n");
    let answer = solve(&*instance, &bench, "sat");
    let forged = |member: &str, value: serde_json::Value| {
        bench.forged(&*answer, |map| {
            map.insert(member.to_owned(), value.clone());
        })
    };
    let why = |member, value| {
        let claims = forged(member, value).unwrap();
        assert!(any_failed(&claims), "{claims:?}");
        claims.iter().map(|claim| format!("{}: {}\n", claim.text, claim.status)).collect::<String>()
    };
    assert!(why("model", json!([-1, -2, 3])).contains("clause 1 is false: 1 2 0"));
    assert!(
        why("model", json!([1, -2, -3]))
            .contains("in parity constraint 1, 2 literals are true, not an odd number")
    );
    let refused = |value| forged("model", value).unwrap_err();
    for (model, message) in [
        (json!([1, -2]), "\"model\" gives no value to variable 3"),
        (json!([1, -2, 2, 3]), "\"model\" gives a variable two values"),
        (json!([1, -2, 4]), "\"model\" contains 4, which is not a literal of the formula's 3 variables"),
        (json!([0]), "\"model\" contains 0, which is not a literal of the formula's 3 variables"),
        (json!([i64::MIN]), "\"model\" contains -9223372036854775808, which is not a literal"),
        (json!("1 2 3"), "\"model\" is not a list of literals"),
    ] {
        assert!(refused(model).starts_with(message), "{message}");
    }
    // A wrong "unsatisfiable" cannot be proved, and it contradicts the model.
    let map = {
        let mut json = answer.to_json("test", &[]);
        json["outcome"] = "unsatisfiable".into();
        json.as_object().unwrap().clone()
    };
    let wrong = bench.problem().restore(&map).unwrap();
    assert!(proofs(certify(&wrong.obligations(), &mut Budget::unlimited())).is_empty());
    assert_eq!(answer.agree(&*wrong).to_string(), "contradict");
}

/// Long parity constraints become short clauses with new variables, in the solver's formula and in the checker's.
#[test]
fn long_parities_are_solved_and_refuted() {
    let bench = Bench::new("cnf", &[]);
    let all = (1..=40).map(|var| format!("{var} ")).collect::<String>();
    let battery = |second: &str, outcome: &str| {
        let instance: Box<dyn DynInstance> =
            bench.instance(&format!("p cnf 40 2\nx{all}0\nx{second}{all}0\n"));
        for engine in bench.engines("sat@*") {
            let Outcome::Decided(answer) = instance.solve(&engine, &mut Budget::unlimited()) else {
                panic!("{engine} gave up")
            };
            assert_eq!(answer.outcome(), outcome, "{engine}");
            let proofs = proofs(certify(&answer.obligations(), &mut Budget::unlimited()));
            assert!(all_closed(&answer.check(&proofs, &mut Budget::of_work(CHECK_WORK))), "{engine}");
        }
    };
    battery("", "satisfiable");
    battery("-1 1 ", "unsatisfiable");
}

/// A proof of many blocks, and one that is longer than allowed.
#[test]
fn long_proofs_are_recorded() {
    let bench = Bench::new("cnf", &[]);
    let engine = bench.engines("sat").remove(0);
    // Eight pigeons, seven holes.
    let var = |pigeon: i32, hole: i32| 7 * pigeon + hole + 1;
    let mut clauses: Vec<Vec<i32>> = (0..8).map(|p| (0..7).map(|h| var(p, h)).collect()).collect();
    for hole in 0..7 {
        for p in 0..8 {
            clauses.extend((0..p).map(|q| vec![-var(p, hole), -var(q, hole)]));
        }
    }
    let formula = Formula { n_vars: 56, clauses, parities: Vec::new() };
    let instance = bench.instance(&formula.text());
    recorded_proof(&*instance, &engine);
    let recorder = Recorder::new(1000);
    let recording = engine.map_solver(|factory| factory.recording(&recorder).unwrap());
    assert!(instance.solve(&recording, &mut Budget::unlimited()).answer().is_some());
    let too_long = Recorded::Missing("its proof is longer than 1000 bytes".to_owned());
    assert_eq!((recorder.take(), recorder.take()), (Some(too_long), None));
}
