//! Forged answers to `cnf`: models, and formulas called unsatisfiable.

use crate::bench::{Bench, check, solve};
use crate::cutting;
use crate::formulas::{
    Clause, Step, dimacs, drat_text, formula, is_satisfiable, line, lrat_text, random_clause, random_refuted,
    with_hints,
};
use crate::proofs::{NO_MODEL, changed};
use crate::tally::{Tally, genuine};
use chacha20::ChaCha8Rng;
use counterpoint::claim::Claim;
use counterpoint::engine::Budget;
use counterpoint::problem::Problem;
use counterpoint::problems::cnf::answer::Answer;
use counterpoint::problems::cnf::{Cnf, Formula, Instance};
use counterpoint::proof::{Drat, Lrat, Proof, Refutation, VeriPb};
use counterpoint_encodings::{Lit, Sink};
use rand::RngExt;
use serde_json::{Value, json};

const CLAUSES: &str = "the model satisfies every clause";
const PARITIES: &str = "the model satisfies every parity constraint";
const KINDS: [&str; 3] = [CLAUSES, PARITIES, NO_MODEL];

/// A formula with parity constraints, which has a model.
struct Question {
    n: i32,
    clauses: Vec<Clause>,
    /// Literals, of which an odd number is true.
    parities: Vec<Clause>,
}

fn value(model: &[i32], lit: i32) -> bool {
    model.contains(&lit)
}

impl Question {
    fn random(rng: &mut ChaCha8Rng) -> (Question, Vec<i32>) {
        let n = rng.random_range(2..=6);
        let model: Vec<i32> = (1..=n).map(|var| if rng.random_bool(0.5) { var } else { -var }).collect();
        let mut clauses: Vec<Clause> = (0..rng.random_range(1..=12)).map(|_| random_clause(n, rng)).collect();
        clauses.retain(|clause| clause.iter().any(|&lit| value(&model, lit)));
        let mut parities: Vec<Clause> = (0..rng.random_range(1..=3)).map(|_| random_clause(n, rng)).collect();
        for parity in &mut parities {
            if parity.iter().filter(|&&lit| value(&model, lit)).count() % 2 == 0 {
                parity[0] = -parity[0];
            }
        }
        (Question { n, clauses, parities }, model)
    }

    /// In the format of CryptoMiniSat, where a line `x1 -2 0` states a parity.
    fn text(&self) -> String {
        let header = format!("p cnf {} {}\n", self.n, self.clauses.len() + self.parities.len());
        let clauses: String = self.clauses.iter().map(|clause| line(clause)).collect();
        header
            + &clauses
            + &self.parities.iter().map(|parity| format!("x{}", line(parity))).collect::<String>()
    }

    fn violates_a_clause(&self, model: &[i32]) -> bool {
        self.clauses.iter().any(|clause| !clause.iter().any(|&lit| value(model, lit)))
    }

    fn violates_a_parity(&self, model: &[i32]) -> bool {
        self.parities.iter().any(|parity| parity.iter().filter(|&&lit| value(model, lit)).count() % 2 == 0)
    }
}

fn models(claim: &'static str, violates: impl Fn(&Question, &[i32]) -> bool) {
    let bench = Bench::new("cnf", &[]);
    let mut tally = Tally::new("cnf", claim);
    while tally.wants_more() {
        let (mut question, mut model) = Question::random(&mut tally.rng);
        let rng = &mut tally.rng;
        let at = rng.random_range(0..model.len());
        match rng.random_range(0..5) {
            0 => {
                let parity = rng.random_range(0..question.parities.len());
                question.parities[parity][0] *= -1;
            }
            1 if !question.clauses.is_empty() => {
                let clause = rng.random_range(0..question.clauses.len());
                let lit = rng.random_range(0..question.clauses[clause].len());
                question.clauses[clause][lit] *= -1;
            }
            2 => drop(model.remove(at)),
            _ => model[at] = -model[at],
        }
        if !violates(&question, &model) {
            tally.still_true();
            continue;
        }
        let text = question.text();
        let instance = bench.instance(&text);
        let answer = json!({
            "problem": "cnf", "version": 1, "rules": instance.rules(), "instance": instance.text(),
            "instance_hash": instance.hash(), "outcome": "satisfiable", "model": model,
        });
        let check = || Ok(check(&*bench.problem().restore(answer.as_object().unwrap())?));
        tally.is_false(&format!("{text}{model:?}"), check);
    }
}

#[test]
fn models_that_violate_a_clause() {
    models(CLAUSES, Question::violates_a_clause);
}

#[test]
fn models_that_violate_a_parity() {
    models(PARITIES, Question::violates_a_parity);
}

/// Models that lack the values of the last variables, as no file can state them. A claim about them is false if it is
/// false whatever values are added.
#[test]
fn models_without_all_variables() {
    let mut tally = Tally::of("cnf", PARITIES, "values missing");
    while tally.wants_more() {
        let (question, model) = Question::random(&mut tally.rng);
        let rng = &mut tally.rng;
        let mut parities = question.parities.clone();
        let parity = rng.random_range(0..parities.len());
        if rng.random_bool(0.7) {
            let mut copy = parities[parity].clone();
            let lit = rng.random_range(0..copy.len());
            copy[lit] *= -1;
            parities.push(copy);
        } else {
            parities[parity][0] *= -1;
        }
        let known = rng.random_range(0..model.len());
        let of_rest = |extra: u32| -> Vec<i32> {
            let rest = (known..model.len())
                .map(|i| if extra >> (i - known) & 1 == 1 { model[i] } else { -model[i] });
            model[..known].iter().copied().chain(rest).collect()
        };
        let holds = |model: Vec<i32>| {
            parities.iter().all(|parity| parity.iter().filter(|&&lit| value(&model, lit)).count() % 2 == 1)
        };
        if (0..1 << (model.len() - known)).map(of_rest).any(holds) {
            tally.still_true();
            continue;
        }
        let mut cnf = Formula::default();
        (0..question.n).for_each(|_| _ = cnf.cnf.new_var());
        let lits = |parity: &Clause| parity.iter().map(|&lit| Lit::from_ipasir(lit).unwrap()).collect();
        cnf.parities = parities.iter().map(|parity| (lits(parity), true)).collect();
        let answer = Answer::model(model[..known].iter().map(|&lit| lit > 0).collect());
        let forgery = format!("{parities:?} {:?}", &model[..known]);
        let check = || Cnf::check(&(), &Instance::of(cnf), &answer, &[], &mut Budget::unlimited());
        tally.is_false(&forgery, || Ok(check()));
    }
}

/// A formula with a model is called unsatisfiable, with the proof of a formula that differs in one clause.
fn called_unsatisfiable(how: &'static str, prove: impl Fn(&crate::formulas::Refuted) -> Refutation) {
    let bench = Bench::new("cnf", &[]);
    let mut tally = Tally::of("cnf", NO_MODEL, how);
    while tally.wants_more() {
        let refuted = random_refuted(&mut tally.rng);
        let answer = solve(&*bench.instance(&dimacs(refuted.n, &refuted.clauses)), &bench, "search");
        let mut proof = Proof::new(NO_MODEL, prove(&refuted));
        genuine(&answer.check(std::slice::from_ref(&proof), &mut Budget::unlimited()), &KINDS);
        let clauses = changed(&refuted, &mut tally.rng);
        if !is_satisfiable(refuted.n, &clauses) {
            tally.still_true();
            continue;
        }
        // The formula beside the proof closes nothing, whichever it is.
        if tally.rng.random_bool(0.3) {
            proof.formula = Some(formula(refuted.n, &refuted.clauses));
        }
        let text = dimacs(refuted.n, &clauses);
        let instance = bench.instance(&text);
        let mut json: Value = answer.to_json("search", &[]);
        json["instance"] = instance.text().into();
        json["instance_hash"] = instance.hash().into();
        let check = || -> Result<Vec<Claim>, String> {
            let answer = bench.problem().restore(json.as_object().unwrap())?;
            Ok(answer.check(&[proof], &mut Budget::unlimited()))
        };
        tally.is_false(&text, check);
    }
}

#[test]
fn satisfiable_formulas_with_drat_proofs() {
    called_unsatisfiable("DRAT", |refuted| {
        Drat::from(drat_text(&refuted.proof.iter().cloned().map(Step::Add).collect::<Vec<_>>())).into()
    });
}

#[test]
fn satisfiable_formulas_with_lrat_proofs() {
    called_unsatisfiable("LRAT", |refuted| {
        Lrat::from(lrat_text(&with_hints(&refuted.clauses, &refuted.proof))).into()
    });
}

#[test]
fn satisfiable_formulas_with_pseudo_boolean_proofs() {
    called_unsatisfiable("VeriPB", |refuted| {
        VeriPb::from(cutting::genuine(refuted, "2.0").join("\n") + "\n").into()
    });
}
