//! Claims that are split into cubes, against brute force.

use super::{MAX_PROOF, Small};
use crate::brute::satisfiable;
use crate::input::Input;
use counterpoint::claim::{Claim, Status};
use counterpoint::engine::Budget;
use counterpoint::proof::{Cubes, Drat, Formula, Obligation, combine};
use counterpoint::solver;

/// The claim that a formula has no model is proved by its parts if and only if the formula has no model and the cubes
/// cover all cases. A part that has a model is proved by no proof, not even by that of another part.
pub(crate) fn splits(data: &[u8]) {
    let input = &mut Input::new(data);
    let small = Small::new(input);
    let mut cubes = Cubes::new();
    // Random cubes seldom cover all cases, so half of the lists are made by splitting a cube again and again.
    if input.flag() {
        (0..input.number(0..=6)).for_each(|_| _ = cubes.push(&input.clause(small.n, 3), small.n));
    } else {
        tree(&small, input).iter().for_each(|cube| _ = cubes.push(cube, small.n));
    }
    let whole = Obligation::new("no model", small.clauses.len(), || small.formula.clone());
    let parts = whole.split(&cubes);
    assert_eq!(parts.len(), cubes.len() + 1);
    let formulas: Vec<Formula> =
        parts.iter().map(|part| part.formula().expect("the formula is small")).collect();
    let models: Vec<bool> = formulas
        .iter()
        .map(|formula| {
            let clauses: Vec<Vec<i32>> = formula.clauses().map(<[i32]>::to_vec).collect();
            satisfiable(formula.n_vars(), &clauses)
        })
        .collect();
    let about = || format!("{:?} {:?}", small.clauses, cubes.to_icnf());
    let is_proved = !models.contains(&true);
    assert!(!is_proved || !small.satisfiable, "{}", about());
    let proofs: Vec<Option<Drat>> = formulas
        .iter()
        .map(|formula| {
            solver::prove(formula, MAX_PROOF, &mut Budget::unlimited()).expect("there is no limit")
        })
        .collect();
    let stop = Budget::unlimited().stop();
    let claim = |at: usize| {
        let status = match &proofs[at] {
            Some(proof) => parts[at].status(proof.clone().into(), &stop),
            None => Status::Open("no proof".to_owned()),
        };
        assert_eq!(status.is_closed(), !models[at], "part {at} of {}", about());
        Claim::new(parts[at].claim.clone(), status)
    };
    let claims: Vec<Claim> = (0..parts.len()).map(claim).collect();
    assert_eq!(combine(&claims).is_closed(), is_proved, "{}", about());
    let (one, other) = (input.number(0..=parts.len() - 1), input.number(0..=parts.len() - 1));
    if let Some(proof) = &proofs[other] {
        let status = parts[one].status(proof.clone().into(), &stop);
        assert!(
            !status.is_closed() || !models[one],
            "the proof of part {other} for part {one} of {}",
            about()
        );
    }
}

/// The leaves of a tree of cubes, which cover all cases.
fn tree(small: &Small, input: &mut Input<'_>) -> Vec<Vec<i32>> {
    let mut leaves: Vec<Vec<i32>> = vec![Vec::new()];
    for _ in 0..input.number(1..=5) {
        let at = input.number(0..=leaves.len() - 1);
        let var = input.number(1..=small.n);
        if leaves[at].iter().all(|lit| lit.abs() != var) {
            let leaf = leaves.remove(at);
            leaves.extend([var, -var].map(|lit| [&leaf[..], &[lit]].concat()));
        }
    }
    leaves
}
