//! Hostile proofs: memory stays proportional to the length of the proof, numbers do not overflow, and no
//! bytes cause a panic.

use super::{PIGEONS, PROOF, check, message};
use crate::cutting::database::Database;
use crate::meter::Meter;
use crate::tests::common::{cancelled_at, chain, rounds};
use crate::{Opb, ProofError, VeriPb};
use chacha20::ChaCha8Rng;
use counterpoint_base::budget::{Limit, Stop};
use rand::{RngExt, SeedableRng};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const HEADER: &str = "pseudo-Boolean proof version 2.0\n";

#[test]
fn large_numbers_are_not_supported() {
    for steps in [
        format!("pol 1{}", " 99999999999 *".repeat(4)),
        "rup +170141183460469231731687303715884105728 x1 >= 1 ;".to_owned(),
        "rup +170141183460469231731687303715884105727 x1 +1 x2 >= 1 ;".to_owned(),
        "red +170141183460469231731687303715884105727 x1 +1 x2 >= 1 ; x1 1".to_owned(),
        "pol 1 99999999999999999999999999999999999999999 *".to_owned(),
    ] {
        let why = message(PIGEONS, &format!("{HEADER}{steps}\n"));
        assert!(why.ends_with("a number of more than 127 bits is not supported"), "{why}");
    }
}

#[test]
fn short_steps_cannot_store_much() {
    let n = 50_000;
    let long: String = (1..=n).map(|i| format!("+1 y{i} ")).collect::<String>() + ">= 1 ;\n";
    // Every step of eight bytes adds a copy of the long constraint, or pushes one to the stack.
    let operations = ["1 ", "1 s ", "1 1 + ", "1 2 d ", "1 3 * ", "1 y1 w "];
    let on_the_stack = operations.map(|one| format!("{HEADER}pol {}\n", one.repeat(500)));
    for proof in [format!("{HEADER}{}", "pol 1 s\n".repeat(1000))].into_iter().chain(on_the_stack) {
        let formula = Opb::read(long.as_bytes()).unwrap();
        let mut checked = None;
        let used = allocation_counter::measure(|| checked = Some(VeriPb::from(proof).check_opb(formula)));
        assert_eq!(checked, Some(Err(ProofError::Stopped(Limit::Memory))));
        assert!(used.bytes_max < 300 << 20, "{}", used.bytes_max);
    }
}

/// What an operation replaces on the stack does not count any more.
#[test]
fn a_long_sum_takes_little_memory() {
    let long: String = (1..=50_000).map(|i| format!("+1 y{i} ")).collect::<String>() + ">= 1 ;\n";
    for operation in ["1 +", "s", "2 d", "1 *", "y1 w"] {
        let proof = format!("{HEADER}pol 1{}\n", format!(" {operation}").repeat(50));
        let checked = VeriPb::from(proof).check_opb(Opb::read(long.as_bytes()).unwrap());
        assert_eq!(checked, Err(ProofError::NoContradiction), "{operation}");
    }
}

/// A check may store 2²⁰ terms, and more with a longer proof or formula. Deleted constraints do not count.
#[test]
fn the_number_of_stored_terms_is_limited() {
    let database = Database::new(Vec::new(), 0, Meter::default()).unwrap();
    assert_eq!(database.afford(1 << 20), Ok(()));
    assert_eq!(database.afford((1 << 20) + 1), Err(ProofError::Stopped(Limit::Memory)));
    let long: String = (1..=50_000).map(|i| format!("+1 y{i} ")).collect::<String>() + ">= 1 ;\n";
    let proof = |step: &str| VeriPb::from(format!("{HEADER}{}", step.repeat(40)));
    let checked = |step: &str| proof(step).check_opb(Opb::read(long.as_bytes()).unwrap());
    assert_eq!(checked("pol 1 s\ndel id -1\n"), Err(ProofError::NoContradiction));
    assert_eq!(checked("pol 1 s\n"), Err(ProofError::Stopped(Limit::Memory)));
}

#[test]
fn memory_is_a_small_multiple_of_the_proof() {
    let n = if cfg!(miri) { 500 } else { 10_000 };
    let new = |count: i32, step: &dyn Fn(i32) -> String| -> String { (0..count).map(step).collect() };
    for steps in [
        new(n, &|i| format!("red +1 y{i} >= 1 ; y{i} 1\n")),
        new(n, &|i| format!("pol y{i}\n")),
        new(n, &|i| format!("rup +1 y{i} >= 0 ;\n")),
        new(n, &|_| "pol 1\n".to_owned()),
        format!("rup {}>= 0 ;\n", new(n, &|i| format!("1 y{i} "))),
    ] {
        let proof = format!("{HEADER}{steps}");
        let read = proof.len();
        let formula = Opb::read(PIGEONS.as_bytes()).unwrap();
        let mut checked = None;
        let used = allocation_counter::measure(|| checked = Some(VeriPb::from(proof).check_opb(formula)));
        assert_eq!(checked, Some(Err(ProofError::NoContradiction)));
        assert!((used.bytes_max as usize) < 120 * read, "{} for {read}", used.bytes_max);
    }
}

#[test]
fn any_bytes_are_an_error() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for _ in 0..rounds(5_000) {
        let mut proof = PROOF.as_bytes().to_vec();
        for _ in 0..rng.random_range(1..=4) {
            let at = rng.random_range(0..proof.len());
            match rng.random_range(0..3) {
                0 => proof[at] = rng.random(),
                1 => _ = proof.remove(at),
                _ => proof.truncate(at.max(40)),
            }
        }
        // Some of these proofs may still be correct, which does not matter here.
        let _ = VeriPb(proof.clone()).check_opb(Opb::read(PIGEONS.as_bytes()).unwrap());
        let _ = VeriPb(proof.clone()).to_version_2(7);
        let _ = Opb::read(&proof);
    }
}

#[test]
fn a_check_can_be_stopped() {
    let stop: Stop = Arc::new(|| Some(Limit::Cpu));
    let proof = VeriPb::from(format!("{HEADER}{}", "pol 1\n".repeat(100)));
    let checked = proof.check_opb_until(Opb::read(PIGEONS.as_bytes()).unwrap(), &stop);
    assert_eq!(checked, Err(ProofError::Stopped(Limit::Cpu)));
    assert!(check(PIGEONS, PROOF).is_ok());
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    let stop: Stop = Arc::new(move || {
        counter.fetch_add(1, Ordering::Relaxed);
        None
    });
    let proof = VeriPb::from(format!("{HEADER}{}", "core id 1\n".repeat(200)));
    let checked = proof.check_opb_until(Opb::read(PIGEONS.as_bytes()).unwrap(), &stop);
    assert_eq!((checked, asked.load(Ordering::Relaxed)), (Err(ProofError::NoContradiction), 3));
}

/// One step of a few bytes visits a long constraint once for each of its literals.
#[test]
fn a_single_step_can_be_stopped() {
    for n in [500, 2_000] {
        let long: String = (1..=n).map(|i| format!("+1 x{i} ")).collect();
        let red = format!("red +{} z9 {long}>= {} ; z9 1\nrup +1 x1 >= 1 ;\n", n + 5, n + 5);
        let proof = VeriPb::from(format!("{HEADER}{red}"));
        let checked = |stop: &Stop| proof.check_opb_until(Opb::of(&chain(n)), stop);
        // Every poll belongs to 2^16 visits; there are about n² visits.
        let polls = (n as usize).pow(2) >> 16;
        assert_eq!(checked(&cancelled_at(polls)), Err(ProofError::Stopped(Limit::Cancelled)));
        assert!(matches!(checked(&cancelled_at(9 * polls)), Err(ProofError::Rejected { .. })));
    }
}
