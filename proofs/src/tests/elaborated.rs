//! DRAT proofs that are turned into LRAT: whatever the DRAT checker accepts becomes a proof that the LRAT checker accepts.

use super::common::{Clause, bytes, formula, line, pigeons, rounds};
use crate::{Drat, Formula, ProofError};
use chacha20::ChaCha8Rng;
use counterpoint_base::budget::Budget;
use rand::{RngExt, SeedableRng};

/// Whether the proof is accepted, which must be the same before and after elaboration.
fn is_accepted(formula: &Formula, proof: &Drat) -> bool {
    match proof.elaborate(formula, &Budget::unlimited().stop()) {
        Ok(lrat) => {
            let text = String::from_utf8_lossy(&lrat.0);
            assert!(lrat.check(formula).is_ok(), "{:?}\n{text}{formula:?}", lrat.check(formula));
            assert!(proof.check(formula).is_ok());
            true
        }
        Err(error) => {
            assert_eq!(Err(error), proof.check(formula));
            false
        }
    }
}

fn text(steps: &[(bool, Clause)]) -> Drat {
    let step = |(deletes, lits): &(bool, Clause)| if *deletes { "d " } else { "" }.to_owned() + &line(lits);
    Drat::from(steps.iter().map(step).collect::<String>())
}

#[test]
fn proofs_with_definitions_become_lrat() {
    for holes in 1..if cfg!(miri) { 4 } else { 7 } {
        let (n, clauses, proof) = pigeons(holes);
        let steps: Vec<_> = proof.into_iter().map(|clause| (false, clause)).collect();
        assert!(is_accepted(&formula(n, &clauses), &text(&steps)));
        let binary: Vec<u8> = steps.iter().flat_map(|(_, lits)| bytes(b'a', lits)).collect();
        assert!(is_accepted(&formula(n, &clauses), &Drat::from(binary)));
    }
}

/// Deletions and tautologies are passed on; a step of which one literal is true needs no other literal.
#[test]
fn steps_are_written_as_lrat() {
    let f = formula(
        4,
        &[vec![1, 2], vec![1, -2], vec![3, -3], vec![-1, 2], vec![-1, -2, -4], vec![2, 3], vec![4]],
    );
    let elaborated = |text: &str| {
        let lrat = Drat::from(text).elaborate(&f, &Budget::unlimited().stop()).unwrap();
        assert!(lrat.check(&f).is_ok());
        String::from_utf8(lrat.0).unwrap()
    };
    assert_eq!(
        elaborated("d 3 2 0\n4 50 0\n60 4 0\n1 0\n"),
        "7 d 3 0\n7 d 6 0\n8 4 50 0 7 0\n9 60 4 0 7 0\n10 1 0 1 2 0\n11 2 0 10 4 0\n12 0 11 10 7 5 0\n"
    );
    assert_eq!(
        elaborated("-1 70 0\n70 1 1 0\n-1 0\n"),
        "7 d 3 0\n8 -1 70 0 7 4 5 0\n9 70 1 0 1 2 0\n10 -1 0 7 4 5 0\n11 2 0 10 1 0\n12 0 11 10 2 0\n"
    );
}

#[test]
fn hints_name_only_what_the_conflict_needs() {
    let f = formula(3, &[vec![1, 3], vec![1, 2], vec![1, -2], vec![-1, 2], vec![-1, -2]]);
    let lrat = Drat::from("1 0\n").elaborate(&f, &Budget::unlimited().stop()).unwrap();
    assert!(lrat.0.starts_with(b"6 1 0 2 3 0\n"), "{}", String::from_utf8_lossy(&lrat.0));
}

/// Random clauses, deletions and definitions, most of which are refused, after which they are left out. So the proofs
/// consist of steps of all kinds, in any order.
#[test]
fn random_proofs_become_lrat() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let (mut accepted, mut rat) = (0, 0);
    for _ in 0..rounds(4_000) {
        let n = rng.random_range(3..6);
        let clause = |rng: &mut ChaCha8Rng, n: i32| -> Clause {
            let width = [1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3][rng.random_range(0..12)];
            let lit = |rng: &mut ChaCha8Rng| rng.random_range(1..=n) * [1, -1][rng.random_range(0..2)];
            (0..width).map(|_| lit(rng)).collect()
        };
        let mut clauses: Vec<Clause> =
            (0..rng.random_range(2 * n..6 * n)).map(|_| clause(&mut rng, n)).collect();
        clauses.sort_by_key(|clause| std::cmp::Reverse(clause.len()));
        let formula = formula(n as usize, &clauses);
        // A new variable is defined as the conjunction of two literals.
        let [a, b] = [0; 2].map(|_| rng.random_range(1..=n) * [1, -1][rng.random_range(0..2)]);
        let definition = [vec![n + 1, -a, -b], vec![-n - 1, a], vec![-n - 1, b]];
        let mut steps: Vec<(bool, Clause)> = definition.into_iter().map(|clause| (false, clause)).collect();
        for _ in 0..40 {
            let deletes = rng.random_range(0..8) == 0;
            // One variable is defined, and one is not known.
            let step = match deletes {
                true => clauses[rng.random_range(0..clauses.len())].clone(),
                false => clause(&mut rng, n + 2),
            };
            steps.push((deletes, step));
            match text(&steps).check(&formula) {
                Ok(_) => break,
                Err(ProofError::NoEmptyClause) if !deletes => clauses.push(steps[steps.len() - 1].1.clone()),
                Err(ProofError::NoEmptyClause) => {}
                Err(_) => drop(steps.pop()),
            }
        }
        let proof = text(&steps);
        if is_accepted(&formula, &proof) {
            accepted += 1;
            let lrat = proof.elaborate(&formula, &Budget::unlimited().stop()).unwrap();
            rat += usize::from(String::from_utf8_lossy(&lrat.0).contains(" 0 -"));
        }
    }
    assert!(
        accepted > rounds(2_000) && rat >= rounds(20) as usize,
        "{accepted} accepted, {rat} with RAT steps"
    );
}
