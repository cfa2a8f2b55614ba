//! Forged proofs: altered proofs, checked against satisfiable formulas. None may be accepted.

use super::{PIGEONS, PROOF, check};
use crate::tests::common::rounds;
use crate::{Opb, VeriPb};
use chacha20::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// The proof with a few tokens exchanged, removed, repeated or replaced.
fn forged(proof: &str, rng: &mut ChaCha8Rng) -> String {
    let mut lines: Vec<Vec<String>> =
        proof.lines().map(|line| line.split(' ').map(str::to_owned).collect()).collect();
    let pool: Vec<String> = lines.iter().skip(1).flatten().cloned().collect();
    for _ in 0..rng.random_range(1..=3) {
        let line = rng.random_range(1..lines.len());
        match rng.random_range(0..6) {
            0 => _ = lines.remove(line),
            1 => {
                let copy = lines[line].clone();
                lines.insert(rng.random_range(1..lines.len()), copy);
            }
            2 => {
                let other = rng.random_range(1..lines.len());
                lines.swap(line, other);
            }
            _ => {
                let words = &mut lines[line];
                let word = rng.random_range(0..words.len());
                words[word] = pool[rng.random_range(0..pool.len())].clone();
            }
        }
    }
    lines.iter().map(|words| words.join(" ") + "\n").collect()
}

/// For each constraint of a formula, the formula with a trivial constraint in its place.
fn weaker(formula: &str) -> Vec<String> {
    let lines: Vec<&str> = formula.lines().filter(|line| !line.starts_with('*')).collect();
    let without = |at: usize| {
        (0..lines.len())
            .map(|i| if i == at { "+1 x1 >= 0 ;\n".to_owned() } else { format!("{}\n", lines[i]) })
            .collect()
    };
    (0..lines.len()).map(without).collect()
}

#[test]
fn no_forged_proof_refutes_a_satisfiable_formula() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    // Without any one of its constraints, the pigeonhole formula has a solution.
    let formulas = weaker(PIGEONS);
    let other = "pseudo-Boolean proof version 1.1\nrup >= 0 ;\nl 1\nl 2\nl 3\nl 4\nl 5\nl 6\nl 7\n\
                 red +1 z1 +1 ~x1 >= 1 ; z1 1\npol 2 3 + 4 + 5 + 6 + 7 + 8 +\nc 10\n";
    for proof in [PROOF, other] {
        let mut accepted = 0;
        for _ in 0..rounds(1_000) {
            let proof = forged(proof, &mut rng);
            accepted += u32::from(check(PIGEONS, &proof).is_ok());
            for formula in &formulas {
                assert!(check(formula, &proof).is_err(), "{formula}{proof}");
            }
        }
        assert!(accepted > rounds(20), "{accepted}");
    }
}

/// Proofs by Exact 2.2.1 of formulas that `encode` wrote for contradictory Ships boards, and of the pigeonhole formula.
#[test]
fn proofs_by_exact_are_accepted_for_their_formulas_alone() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let data = [
        (include_str!("data/ships-1.opb"), include_str!("data/ships-1.pbp")),
        (include_str!("data/ships-2.opb"), include_str!("data/ships-2.pbp")),
        (include_str!("data/pigeons.opb"), include_str!("data/pigeons.pbp")),
    ];
    for (formula, proof) in data {
        assert!(check(formula, proof).is_ok());
        let inequalities = Opb::read(formula.as_bytes()).unwrap().len();
        let newer = VeriPb::from(proof).to_version_2(inequalities).unwrap();
        assert!(check(formula, std::str::from_utf8(&newer).unwrap()).is_ok());
        for (other, _) in data.into_iter().filter(|(other, _)| *other != formula) {
            assert!(check(other, proof).is_err());
        }
        // A formula of the same shape that has a solution.
        let satisfiable = formula.replace(">= 1 ;", ">= 0 ;");
        assert!(check(&satisfiable, proof).is_err());
        for _ in 0..rounds(50) {
            assert!(check(&satisfiable, &forged(proof, &mut rng)).is_err());
        }
    }
}
