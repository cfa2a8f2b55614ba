//! Memory of the checkers on hostile proofs, in which every byte makes a checker store something.

use super::common::{bytes, formula, line, lrat_bytes};
use crate::{Drat, Lrat, ProofError, Refutation};
use counterpoint_base::budget::Stop;
use std::sync::Arc;

/// The number of steps of each proof.
const STEPS: i32 = if cfg!(miri) { 500 } else { 5_000 };

/// The maximum number of bytes that are allocated at the same time, without the proof itself, per byte of the proof. A
/// literal takes at least two bytes of the proof; a new literal is stored in several maps and lists.
const MAX_FACTOR: usize = 40;

/// Proofs whose steps are all accepted and lead to no conflict. The formula has nine variables and one
/// clause, `1 2 0`.
fn hostile() -> Vec<(&'static str, Vec<Vec<i32>>)> {
    let each = |step: &dyn Fn(i32) -> Vec<i32>| (0..STEPS).map(step).collect::<Vec<_>>();
    vec![
        ("the same clause", each(&|_| vec![1, 2])),
        ("a clause and a variable", each(&|i| vec![1, 2, i % 7 + 3, 10 + i / 7])),
        ("new units", each(&|i| vec![10 + i])),
        ("a unit again", each(&|_| vec![9])),
        ("pairs of new variables", each(&|i| vec![10 + 2 * i, 11 + 2 * i])),
        ("new variables both ways", each(&|i| vec![10 + i / 2, if i % 2 == 0 { 9 } else { -9 }])),
        ("one long clause", vec![(10..10 + STEPS).collect()]),
        ("long clauses of new variables", each(&|i| (10 + 5 * i..15 + 5 * i).collect())),
    ]
}

#[test]
fn memory_is_a_small_multiple_of_the_proof() {
    let f = formula(9, &[vec![1, 2]]);
    let stop: Stop = Arc::new(|| None);
    for (name, steps) in hostile() {
        let text: String = steps.iter().map(|lits| line(lits)).collect();
        let binary: Vec<u8> = steps.iter().flat_map(|lits| bytes(b'a', lits)).collect();
        let hinted: String =
            steps.iter().zip(2..).map(|(lits, id)| format!("{id} {} 0\n", line(lits).trim_end())).collect();
        let in_bytes = lrat_bytes(&hinted);
        let proofs: [Refutation; 4] = [
            Drat::from(text).into(),
            Drat::from(binary).into(),
            Lrat::from(hinted).into(),
            Lrat::from(in_bytes).into(),
        ];
        for proof in proofs {
            let mut checked = None;
            let used = allocation_counter::measure(|| checked = Some(proof.check_until(&f, &stop)));
            assert_eq!(checked, Some(Err(ProofError::NoEmptyClause)), "{name}");
            let (used, read) = (used.bytes_max as usize, proof.bytes().len());
            assert!(used < MAX_FACTOR * read, "{name}, {}: {used} for {read} bytes", proof.format());
        }
    }
}
