//! Forged pseudo-Boolean proofs. As in `proofs.rs`, a genuine proof is altered and checked against a formula with a model.

use crate::formulas::{Clause, Refuted, is_satisfiable, random_clause, random_refuted};
use crate::proofs::{NO_MODEL, changed, check};
use crate::tally::Tally;
use chacha20::ChaCha8Rng;
use counterpoint::proof::VeriPb;
use rand::RngExt;

fn literal(lit: i32) -> String {
    format!("{}x{}", if lit < 0 { "~" } else { "" }, lit.abs())
}

fn sum(clause: &[i32], degree: i32) -> String {
    let terms: String = clause.iter().map(|&lit| format!("+1 {} ", literal(lit))).collect();
    format!("{terms}>= {degree} ;")
}

/// A proof by unit propagation, in version 1.1 or 2.0.
pub(crate) fn genuine(refuted: &Refuted, version: &str) -> Vec<String> {
    let mut lines =
        vec![format!("pseudo-Boolean proof version {version}"), format!("f {}", refuted.clauses.len())];
    lines.extend(refuted.proof.iter().map(|clause| format!("rup {}", sum(clause, 1))));
    let last = refuted.clauses.len() + refuted.proof.len();
    lines.push(if version == "1.1" { format!("c {last}") } else { format!("conclusion UNSAT : {last}") });
    lines
}

type Trick = fn(&Refuted, &mut Vec<String>, &mut ChaCha8Rng);

fn forge(how: &'static str, trick: Trick) {
    let mut tally = Tally::of("proofs, VeriPB", NO_MODEL, how);
    while tally.wants_more() {
        let rng = &mut tally.rng;
        let refuted = random_refuted(rng);
        let clauses: Vec<Clause> = changed(&refuted, rng);
        if is_satisfiable(refuted.n, &clauses) {
            let mut lines = genuine(&refuted, if rng.random_bool(0.5) { "1.1" } else { "2.0" });
            lines[1] = format!("f {}", clauses.len());
            (0..rng.random_range(1..=2)).for_each(|_| trick(&refuted, &mut lines, rng));
            let text = lines.join("\n") + "\n";
            let forgery = format!("{clauses:?}\n{text}");
            tally.is_false(&forgery, || Ok(check(refuted.n, &clauses, VeriPb::from(text).into())));
        } else {
            tally.still_true();
        }
    }
}

fn some_id(refuted: &Refuted, rng: &mut ChaCha8Rng) -> i64 {
    let all = (refuted.clauses.len() + refuted.proof.len()) as i64 + 2;
    if rng.random_bool(0.2) { -rng.random_range(1..=all) } else { rng.random_range(1..=all) }
}

/// A place for a new step: after the header, before the conclusion.
fn place(lines: &[String], rng: &mut ChaCha8Rng) -> usize {
    rng.random_range(2..lines.len())
}

#[test]
fn pol_steps_with_wrong_operands() {
    forge("sums of other constraints", |refuted, lines, rng| {
        let mut step = format!("pol {}", some_id(refuted, rng));
        for _ in 0..rng.random_range(1..=4) {
            let (id, var) = (some_id(refuted, rng), rng.random_range(1..=refuted.n));
            step += &match rng.random_range(0..5) {
                0 => format!(" {id} +"),
                1 => format!(" {id} + s"),
                2 => format!(" {} *", rng.random_range(1..=3)),
                3 => format!(" {id} + {} d", rng.random_range(1..=3)),
                _ => format!(" ~x{var} + x{var} w"),
            };
        }
        let at = place(lines, rng);
        lines.insert(at, step);
        let last = lines.last_mut().unwrap();
        if rng.random_bool(0.3) {
            *last = last.rsplit_once(' ').unwrap().0.to_owned() + " -1";
        }
    });
}

#[test]
fn red_steps_with_wrong_witnesses() {
    forge("redundance with other witnesses", |refuted, lines, rng| {
        let mut clause = random_clause(refuted.n + 1, rng);
        clause.truncate(rng.random_range(1..=3));
        let images = (0..rng.random_range(1..=2)).map(|_| {
            let var = rng.random_range(1..=refuted.n + 1);
            let image = match rng.random_range(0..4) {
                0 => "0".to_owned(),
                1 => "1".to_owned(),
                _ => literal(random_clause(refuted.n + 1, rng)[0]),
            };
            format!("x{var} -> {image} ")
        });
        let images: String = images.collect();
        let at = place(lines, rng);
        lines.insert(at, format!("red {} {images}", sum(&clause, 1)));
        // The clause may be used by a later step.
        if rng.random_bool(0.5) {
            let more = random_clause(refuted.n, rng);
            lines.insert(at + 1, format!("rup {}", sum(&more, 1)));
        }
    });
}

#[test]
fn rup_steps_and_numbers_exchanged() {
    forge("steps and numbers exchanged", |refuted, lines, rng| {
        let (at, other) = (place(lines, rng), place(lines, rng));
        match rng.random_range(0..6) {
            0 => lines.swap(at, other),
            1 if lines.len() > 3 => drop(lines.remove(at)),
            2 => lines.insert(at, format!("del id {}", some_id(refuted, rng))),
            3 => {
                let degree = rng.random_range(-1..=2);
                lines.insert(at, format!("rup {}", sum(&random_clause(refuted.n, rng), degree)));
            }
            4 => {
                let (id, clause) = (some_id(refuted, rng), random_clause(refuted.n, rng));
                let text = if lines[0].ends_with("1.1") {
                    format!("ia {id} {}", sum(&clause, 1))
                } else {
                    format!("ia {} {id}", sum(&clause, 1))
                };
                lines.insert(at, text);
            }
            _ => {
                let word = if lines[0].ends_with("1.1") { "c" } else { "conclusion UNSAT :" };
                *lines.last_mut().unwrap() = format!("{word} {}", some_id(refuted, rng));
            }
        }
    });
}

#[test]
fn the_formula_is_misstated() {
    forge("another formula stated, loaded or left out", |refuted, lines, rng| {
        let at = rng.random_range(1..lines.len());
        match rng.random_range(0..5) {
            0 => lines[1] = format!("f {}", rng.random_range(0..=refuted.clauses.len() + 1)),
            1 => lines.insert(at, format!("l {}", rng.random_range(0..=refuted.clauses.len() + 1))),
            2 => drop(lines.remove(1)),
            3 => {
                let all = lines.len() - 1;
                lines[all] = "conclusion UNSAT".to_owned();
            }
            _ => lines.insert(at, format!("a {}", sum(&random_clause(refuted.n, rng), 1))),
        }
    });
}
