//! Compares splits of random formulas with brute force, and tests that forged splits are rejected.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

use super::{MAX_CUBES, Shared, SplitError, branching_variable, split};
use crate::certify::{Certificate, MAX_BYTES, Prover, certificate};
use crate::claim::{Claim, Status};
use crate::engine::{Budget, Limit};
use crate::proof::{Cubes, Formula, Obligation, Refutation, combine};
use chacha20::ChaCha8Rng;
use counterpoint_encodings::{Cnf, Sink};
use rand::{RngExt, SeedableRng};
use std::num::NonZero;

fn count(n: u32) -> NonZero<u32> {
    NonZero::new(n).unwrap()
}

fn all(formula: &Formula) -> Vec<i32> {
    (1..=formula.n_vars()).collect()
}

/// A formula with `n` variables and random clauses of `shortest` to four literals.
fn random(rng: &mut ChaCha8Rng, n: i32, shortest: usize, clauses: usize) -> Formula {
    let mut formula = Formula::new();
    formula.vars(n as usize);
    for _ in 0..clauses {
        let long = rng.random_range(shortest..=4);
        formula.clause((0..long).map(|_| rng.random_range(1..=n) * if rng.random() { 1 } else { -1 }));
    }
    formula
}

/// `n + 1` pigeons in `n` holes.
fn pigeons(n: usize) -> Formula {
    let mut formula = Formula::new();
    let holes: Vec<Vec<i32>> = (0..=n).map(|_| formula.vars(n)).collect();
    holes.iter().for_each(|pigeon| formula.clause(pigeon.iter().copied()));
    for hole in 0..n {
        formula.at_most_one(&holes.iter().map(|pigeon| pigeon[hole]).collect::<Vec<_>>());
    }
    formula
}

fn holds(lits: &[i32], model: u32) -> impl Iterator<Item = bool> {
    lits.iter().map(move |lit| (model >> (lit.unsigned_abs() - 1) & 1 == 1) == (*lit > 0))
}

fn models(formula: &Formula) -> Vec<u32> {
    let is_model = |&model: &u32| formula.clauses().all(|clause| holds(clause, model).any(|holds| holds));
    (0..1u32 << formula.n_vars()).filter(is_model).collect()
}

fn is_in(cube: &[i32], model: u32) -> bool {
    holds(cube, model).all(|holds| holds)
}

/// The claims that a formula has no model in each case, each with its status after an attempt to prove it.
fn proved(formula: &Formula, cubes: &Cubes) -> (Vec<Claim>, Vec<Option<Refutation>>) {
    let claim = Obligation::new("no model", formula.clauses().len(), || formula.clone());
    let stop = Budget::unlimited().stop();
    let one = |part: &Obligation<'_>| match certificate(
        part,
        MAX_BYTES,
        &mut Prover::default(),
        &mut Budget::unlimited(),
    ) {
        Certificate::Proof(proof) => {
            let status = part.status(proof.refutation.clone(), &stop);
            (Claim::new(part.claim.as_str(), status), Some(proof.refutation))
        }
        _ => (Claim::new(part.claim.as_str(), Status::Open("no proof".to_owned())), None),
    };
    claim.split(cubes).iter().map(one).unzip()
}

#[test]
fn cubes_cover_all_models_and_are_disjoint() {
    let mut rng = ChaCha8Rng::seed_from_u64(19);
    let (mut refuted, mut unsatisfiable, mut most) = (0, 0, 0);
    for round in 0..20_000 {
        let n = rng.random_range(1..=9);
        // Looking ahead alone refutes most unsatisfiable formulas with short clauses, so some formulas have
        // long ones.
        let shortest = rng.random_range(1..=4);
        let clauses = rng.random_range(0..=shortest * shortest * n as usize);
        let formula = random(&mut rng, n, shortest, clauses);
        let wanted = count(if rng.random() { 2 } else { rng.random_range(2..=20) });
        // Some variables may not be chosen.
        let candidates: Vec<i32> = all(&formula).into_iter().filter(|_| rng.random_range(0..5) > 0).collect();
        let found = split(&formula, &candidates, wanted, &mut Budget::unlimited());
        assert_eq!(found, split(&formula, &candidates, wanted, &mut Budget::unlimited()), "round {round}");
        let models = models(&formula);
        let split = match found {
            Ok(split) => split,
            Err(error) => {
                assert_eq!(error, SplitError::NoVariable);
                continue;
            }
        };
        assert!(split.cubes.len() <= wanted.get() as usize);
        assert!(split.cubes.iter().flatten().all(|lit| candidates.contains(&lit.abs())));
        for &model in &models {
            let containing = split.cubes.iter().filter(|cube| is_in(cube, model)).count();
            assert_eq!(containing, 1, "round {round}: {:?}", split.cubes);
        }
        refuted += usize::from(split.cubes.is_empty());
        unsatisfiable += usize::from(models.is_empty());
        most = most.max(split.cubes.len());
        let (claims, _) = proved(&formula, &split.cubes);
        assert!(claims.last().unwrap().status.is_closed(), "round {round}: the cubes do not cover all cases");
        // Each case is proved if and only if it has no model.
        for (cube, claim) in split.cubes.iter().zip(&claims) {
            let has_model = models.iter().any(|&model| is_in(cube, model));
            assert_eq!(claim.status.is_closed(), !has_model, "round {round}: {}", claim.text);
        }
        assert_eq!(combine(&claims).is_closed(), models.is_empty(), "round {round}");
    }
    // The rounds test all kinds of results.
    assert!(refuted > 100 && unsatisfiable > refuted + 50 && most == 20, "{refuted} {unsatisfiable} {most}");
}

#[test]
fn as_many_cubes_as_wanted() {
    let formula = pigeons(9);
    for wanted in [1, 2, 3, 10, 64, 200] {
        let found = split(&formula, &all(&formula), count(wanted), &mut Budget::unlimited());
        match wanted {
            1 => assert_eq!(found, Err(SplitError::NoVariable)),
            _ => assert_eq!(found.unwrap().cubes.len(), wanted as usize),
        }
    }
    // Looking ahead refutes four pigeons in three holes without a cube.
    let small = pigeons(3);
    let found = split(&small, &all(&small), count(MAX_CUBES), &mut Budget::unlimited()).unwrap();
    assert!(found.cubes.is_empty() && found.closed > 0, "{found:?}");
    assert!(combine(&proved(&small, &found.cubes).0).is_closed());
}

#[test]
fn looking_ahead_has_a_budget() {
    let formula = pigeons(6);
    let found = split(&formula, &all(&formula), count(64), &mut Budget::of_work(100));
    assert_eq!(found, Err(SplitError::Limit(Limit::Work)));
    assert_eq!(found.unwrap_err().to_string(), "work limit before the formula was split");
}

/// A claim is not proved by cubes that leave a case out, nor by proofs of other cubes.
#[test]
fn forged_splits_are_refused() {
    let formula = pigeons(4);
    let cubes = split(&formula, &all(&formula), count(6), &mut Budget::unlimited()).unwrap().cubes;
    let (claims, proofs) = proved(&formula, &cubes);
    assert_eq!(combine(&claims).word(), "proved");
    let of = |lits: &[Vec<i32>]| {
        let mut cubes = Cubes::new();
        lits.iter().for_each(|lits| cubes.push(lits, formula.n_vars()).unwrap());
        cubes
    };
    let lits: Vec<Vec<i32>> = cubes.iter().map(<[i32]>::to_vec).collect();
    let stop = Budget::unlimited().stop();
    let check = |cubes: &Cubes, proofs: &[Option<Refutation>]| {
        let claim = Obligation::new("no model", formula.clauses().len(), || formula.clone());
        let parts = claim.split(cubes);
        let claims: Vec<Claim> = parts
            .iter()
            .zip(proofs)
            .map(|(part, proof)| {
                let status = proof.clone().map(|proof| part.status(proof, &stop));
                Claim::new(part.claim.as_str(), status.unwrap_or(Status::Open("no proof".to_owned())))
            })
            .collect();
        combine(&claims).to_string()
    };
    // The formula has no model, so a list that lacks a cube covers all cases, too. But the proof for all six
    // cubes does not show that.
    for left_out in 0..6 {
        let mut fewer = lits.clone();
        fewer.remove(left_out);
        let mut own = proofs.clone();
        own.remove(left_out);
        let status = check(&of(&fewer), &own);
        assert!(status.starts_with("failed: the 5 cubes cover all cases: "), "{status}");
        let mut missing = proofs.clone();
        missing[left_out] = None;
        assert_eq!(check(&cubes, &missing), format!("open: cube {}/6: no proof", left_out + 1));
    }
    let mut exchanged = 0;
    for (one, other) in (0..6).flat_map(|one| (0..one).map(move |other| (other, one))) {
        let mut swapped = lits.clone();
        swapped.swap(one, other);
        let status = check(&of(&swapped), &proofs);
        // A proof for one cube may happen to be a proof for the other, too. Then it is right to accept it.
        exchanged += usize::from(status.starts_with("failed: cube "));
    }
    assert!(exchanged > 10, "{exchanged}");
    // A satisfiable formula: the cubes leave out its only model.
    let mut satisfiable = Formula::new();
    satisfiable.vars(2);
    satisfiable.clause([1]);
    satisfiable.clause([2]);
    let mut partial = Cubes::new();
    partial.push(&[-1], 2).unwrap();
    partial.push(&[1, -2], 2).unwrap();
    let (claims, _) = proved(&satisfiable, &partial);
    assert_eq!(combine(&claims).to_string(), "open: the 2 cubes cover all cases: no proof");
}

#[test]
fn a_cube_is_split_on_a_new_variable() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let unlimited = &mut Budget::unlimited();
    let mut found = 0;
    for _ in 0..200 {
        let formula = random(&mut rng, 8, 2, 20);
        let cube = [1, -2];
        match branching_variable(&formula, &all(&formula), &cube, unlimited).unwrap() {
            Some(variable) => {
                assert!((3..=8).contains(&variable), "{variable}");
                found += 1;
            }
            None => assert_eq!(branching_variable(&formula, &[1, 2], &cube, unlimited).unwrap(), None),
        }
    }
    assert!(found > 100, "{found}");
    // Other variables are not chosen. A cube without free candidates is not split.
    let formula = pigeons(4);
    assert_eq!(branching_variable(&formula, &[7, 9], &[1], unlimited).unwrap(), Some(7));
    assert_eq!(branching_variable(&formula, &[1], &[1], unlimited).unwrap(), None);
}

#[test]
fn variables_are_shared_by_name() {
    let mut encoding = Cnf::default();
    for name in ["a", "only here", "b"] {
        encoding.named_var(format_args!("{name}"));
    }
    encoding.new_var();
    let mut plain = Formula::new();
    let vars = plain.vars(3);
    vars.into_iter().zip(["b", "only there", "a"]).for_each(|(var, name)| plain.name(var, name));
    let shared = Shared::by_name(&encoding, &plain);
    assert_eq!(shared.candidates(), [1, 3]);
    assert_eq!([1, -2, -3, 4, 5].map(|lit| shared.to_plain(lit)), [Some(3), None, Some(-1), None, None]);
    assert_eq!([1, -2, -3].map(|lit| shared.to_own(lit)), [Some(3), None, Some(-1)]);
    assert_eq!(Shared::all(&plain).candidates(), [1, 2, 3]);
}
