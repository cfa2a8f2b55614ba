//! Forged cubes: exchanged, dropped, doubled or altered cubes, and proofs of other cubes.

use crate::formulas::{Clause, Refuted, drat_text, formula, is_satisfiable, random_clause, random_refuted};
use crate::proofs::changed;
use crate::tally::Tally;
use chacha20::ChaCha8Rng;
use counterpoint::claim::Claim;
use counterpoint::engine::Budget;
use counterpoint::proof::{Cubes, Drat, Obligation, combine};
use rand::RngExt;

const CASE: &str = "the formula has no model: cube …";
const COVER: &str = "the formula has no model: the … cubes cover all cases";
const COMBINED: &str = "the formula has no model";

/// The cubes at the leaves of a random tree of cases.
fn tree(n: i32, depth: usize, path: &mut Vec<i32>, cubes: &mut Vec<Vec<i32>>, rng: &mut ChaCha8Rng) {
    let free: Vec<i32> = (1..=n).filter(|var| !path.iter().any(|lit| lit.abs() == *var)).collect();
    if free.is_empty() || !path.is_empty() && (depth == 0 || rng.random_bool(0.3)) {
        cubes.push(path.clone());
        return;
    }
    let var = free[rng.random_range(0..free.len())];
    for lit in [var, -var] {
        path.push(lit);
        tree(n, depth - 1, path, cubes, rng);
        path.pop();
    }
}

/// The claims of all cases, each with the proof in the same place, and the status of the whole claim.
fn check(
    n: i32,
    clauses: &[Clause],
    cubes: &[Vec<i32>],
    proofs: &[String],
) -> Result<(Vec<Claim>, Claim), String> {
    let mut listed = Cubes::new();
    for cube in cubes {
        listed.push(cube, n).map_err(|error| error.to_string())?;
    }
    let whole = Obligation::new(COMBINED, clauses.len(), || formula(n, clauses));
    let stop = Budget::unlimited().stop();
    let parts = whole.split(&listed);
    let status = |(part, proof): (&Obligation<'_>, &String)| {
        Claim::new(part.claim.as_str(), part.status(Drat::from(proof.as_str()).into(), &stop))
    };
    let claims: Vec<Claim> = parts.iter().zip(proofs).map(status).collect();
    let combined =
        if claims.len() == parts.len() { combine(&claims) } else { return Err("no proof".to_owned()) };
    Ok((claims, Claim::new(COMBINED, combined)))
}

/// Cubes that cover all cases, and the proofs of all cases. Each proof is the one of the whole formula.
fn genuine(rng: &mut ChaCha8Rng) -> (Refuted, Vec<Vec<i32>>, Vec<String>) {
    let refuted = random_refuted(rng);
    let mut cubes = Vec::new();
    tree(refuted.n, 3, &mut Vec::new(), &mut cubes, rng);
    let steps: Vec<_> = refuted.proof.iter().cloned().map(crate::formulas::Step::Add).collect();
    let proofs = vec![drat_text(&steps); cubes.len() + 1];
    let (claims, whole) = check(refuted.n, &refuted.clauses, &cubes, &proofs).unwrap();
    assert!(claims.iter().all(|claim| claim.status.is_closed()) && whole.status.is_closed());
    (refuted, cubes, proofs)
}

/// Changes the cubes or the proofs.
fn alter(n: i32, cubes: &mut Vec<Vec<i32>>, proofs: &mut Vec<String>, rng: &mut ChaCha8Rng) {
    let (at, other) = (rng.random_range(0..cubes.len()), rng.random_range(0..cubes.len()));
    match rng.random_range(0..7) {
        0 => cubes.swap(at, other),
        1 if cubes.len() > 1 => drop((cubes.remove(at), proofs.remove(at))),
        2 => cubes[at] = cubes[other].clone(),
        3 => {
            let lit = rng.random_range(0..cubes[at].len());
            cubes[at][lit] = -cubes[at][lit];
        }
        4 => cubes[at].extend(random_clause(n, rng).first()),
        5 => proofs.swap(at, other),
        _ => proofs[at] = "0\n".to_owned(),
    }
}

fn negated(cube: &[i32]) -> Clause {
    cube.iter().map(|lit| -lit).collect()
}

/// Exchanged, dropped, doubled or altered cubes that leave a case out.
#[test]
fn cubes_that_leave_cases_out() {
    let mut tally = Tally::new("cubes", COVER);
    while tally.wants_more() {
        let (refuted, mut cubes, mut proofs) = genuine(&mut tally.rng);
        let clauses = changed(&refuted, &mut tally.rng);
        alter(refuted.n, &mut cubes, &mut proofs, &mut tally.rng);
        let cover = [clauses.clone(), cubes.iter().map(|cube| negated(cube)).collect()].concat();
        if !is_satisfiable(refuted.n, &cover) {
            tally.still_true();
            continue;
        }
        let forgery = format!("{clauses:?} {cubes:?} {proofs:?}");
        let claim =
            if cubes.len() == 1 { "the formula has no model: the cube covers all cases" } else { COVER };
        tally.text_is_false(claim, &forgery, || {
            check(refuted.n, &clauses, &cubes, &proofs).map(|(cases, _)| cases)
        });
    }
}

/// A cube in which the formula has a model, with the proof of another formula or cube.
#[test]
fn cubes_with_models() {
    let mut tally = Tally::new("cubes", CASE);
    while tally.wants_more() {
        let (refuted, mut cubes, mut proofs) = genuine(&mut tally.rng);
        let clauses = changed(&refuted, &mut tally.rng);
        alter(refuted.n, &mut cubes, &mut proofs, &mut tally.rng);
        let case = |cube: &[i32]| [clauses.clone(), cube.iter().map(|&lit| vec![lit]).collect()].concat();
        let Some(at) = cubes.iter().position(|cube| is_satisfiable(refuted.n, &case(cube))) else {
            tally.still_true();
            continue;
        };
        let forgery = format!("{clauses:?} {cubes:?} {proofs:?}");
        let claim = format!("the formula has no model: cube {}/{}", at + 1, cubes.len());
        tally.text_is_false(&claim, &forgery, || {
            check(refuted.n, &clauses, &cubes, &proofs).map(|(cases, _)| cases)
        });
    }
}

/// The claim that the cubes prove together.
#[test]
fn cubes_prove_no_false_claim() {
    let mut tally = Tally::new("cubes", COMBINED);
    while tally.wants_more() {
        let (refuted, mut cubes, mut proofs) = genuine(&mut tally.rng);
        let clauses = changed(&refuted, &mut tally.rng);
        (0..tally.rng.random_range(1..=2))
            .for_each(|_| alter(refuted.n, &mut cubes, &mut proofs, &mut tally.rng));
        if !is_satisfiable(refuted.n, &clauses) {
            tally.still_true();
            continue;
        }
        let forgery = format!("{clauses:?} {cubes:?} {proofs:?}");
        tally
            .is_false(&forgery, || check(refuted.n, &clauses, &cubes, &proofs).map(|(_, whole)| vec![whole]));
    }
}

/// Numbers of halves only name cubes: whatever they are, cubes that leave a case out do not prove the claim, and numbers
/// that are not the leaves of trees are refused.
#[test]
fn halves_with_exchanged_numbers() {
    let mut cubes = Cubes::new();
    for cube in [[1, 2], [1, -2], [-1, 2]] {
        cubes.push(&cube, 2).unwrap();
    }
    for (text, why) in [
        ("1.1/2 1.1/2 2/2", "cube 1.2/2 is missing"),
        ("1.2/2 1.1/2 2/2", "cube 1.1/2 is missing"),
        ("1.1/2 1.2/2 1/2", "cube 2/2 is missing"),
    ] {
        let numbers = text.split(' ').map(|number| number.parse().unwrap()).collect();
        assert_eq!(cubes.set_numbers(numbers).unwrap_err().to_string(), why, "{text}");
    }
    cubes.set_numbers(["1.1/2", "1.2/2", "2/2"].map(|number| number.parse().unwrap()).into()).unwrap();
    // The case of -1 and -2 is left out, and the formula has a model there.
    let clauses: [Clause; 3] = [vec![1, -2], vec![-1, 2], vec![-1, -2]];
    let whole = Obligation::new(COMBINED, 3, || formula(2, &clauses));
    let stop = Budget::unlimited().stop();
    let status = |part: &Obligation<'_>| part.status(Drat::from("0\n").into(), &stop);
    let claims: Vec<Claim> =
        whole.split(&cubes).iter().map(|part| Claim::new(part.claim.as_str(), status(part))).collect();
    let texts: Vec<String> =
        claims.iter().map(|claim| format!("{}: {}", claim.text, claim.status.word())).collect();
    assert_eq!(
        texts,
        [
            "the formula has no model: cube 1.1/2: proved",
            "the formula has no model: cube 1.2/2: proved",
            "the formula has no model: cube 2/2: proved",
            "the formula has no model: the 3 cubes cover all cases: failed"
        ]
    );
    assert!(combine(&claims).is_failed());
}
