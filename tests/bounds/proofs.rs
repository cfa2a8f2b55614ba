//! Proofs that are made to take much memory or time.
//!
//! Each check gets a limit on its CPU time that is far above what linear time takes, and far below what quadratic time
//! would take.

use crate::cost::{Cost, cost};
use counterpoint::engine::{Limit, Stop};
use counterpoint::proof::{Drat, Formula, Lrat, Opb, ProofError, Refutation, VeriPb};
use cpu_time::ThreadTime;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// The number of steps of a hostile proof.
const STEPS: u64 = 300_000;

/// More than a hundred times what checking a hostile proof takes.
const LIMIT: Duration = Duration::from_secs(30);

/// Returns the limit when this thread has used more CPU time.
fn stop() -> Stop {
    let now = || ThreadTime::now().as_duration();
    let end = now() + LIMIT;
    Arc::new(move || (now() > end).then_some(Limit::Cpu))
}

/// The formula of these clauses.
fn formula(n_vars: u32, clauses: &str) -> Formula {
    let text =
        format!("p cnf {n_vars} {}\n{}{clauses}", clauses.lines().count(), " ".repeat(n_vars as usize));
    Formula::from_dimacs(text.as_bytes()).unwrap()
}

/// Checks a proof that leads nowhere. Returns what that allocates, and the proof's length.
fn check(formula: &Formula, proof: impl Into<Refutation>) -> (Cost, u64) {
    let proof = proof.into();
    let stop = stop();
    let mut checked = None;
    let cost = cost(|| checked = Some(proof.check_until(formula, &stop)));
    assert_eq!(checked, Some(Err(ProofError::NoEmptyClause)));
    (cost, proof.bytes().len() as u64)
}

/// The factor by which rustc-hash 2 multiplies, and its inverse.
const FACTOR: u64 = 0xf135_7aea_2e62_a9c5;

fn inverse() -> u64 {
    (0..6).fold(FACTOR, |x, _| x.wrapping_mul(2u64.wrapping_sub(FACTOR.wrapping_mul(x))))
}

/// Clause numbers that all have the same hash in tables of rustc-hash: the upper 26 bits of their products are 0.
fn colliding_numbers(count: u64) -> Vec<u64> {
    let numbers = (1..).map(|i: u64| i.wrapping_mul(inverse())).filter(|&number| number >> 63 == 0);
    let mut numbers: Vec<u64> = numbers.filter(|&number| number > 10).take(count as usize).collect();
    numbers.sort_unstable();
    numbers
}

#[test]
fn clause_numbers_that_collide_in_a_known_hash() {
    let f = formula(3, "1 2 0\n-2 1 0\n");
    let numbers = colliding_numbers(STEPS);
    let adds: String = numbers.iter().map(|id| format!("{id} 1 3 0 1 2 0\n")).collect();
    let deletes: String = numbers.iter().map(|id| format!("1 d {id} 0\n")).collect();
    let (cost, length) = check(&f, Lrat::from(adds + &deletes));
    assert!(cost.peak < 40 * length, "{cost:?} for {length}");
}

/// The same hint again and again changes nothing after its first use.
#[test]
fn hints_that_are_repeated() {
    let f = formula(3, "1 2 0\n-2 1 0\n");
    let hints = "1 ".repeat(STEPS as usize);
    let (cost, length) = check(&f, Lrat::from(format!("3 1 3 0 {hints}2 0\n")));
    assert!(cost.peak < 40 * length, "{cost:?} for {length}");
}

/// Deleted clauses leave nothing behind that later steps would visit.
#[test]
fn one_clause_is_added_and_deleted_again_and_again() {
    let f = formula(9, "1 2 0\n");
    let steps = |step: &str| step.repeat(STEPS as usize);
    for proof in [
        steps("1 2 3 0\nd 3 2 1 0\n"),
        // All of these deletions but the first find nothing.
        format!("1 2 3 0\n{}", steps("d 1 2 3 0\n")),
        steps("d 1 2 4 0\n"),
    ] {
        let (cost, length) = check(&f, Drat::from(proof));
        assert!(cost.peak < 4 * length, "{cost:?} for {length}");
    }
}

/// Names of variables that all have the same hash in tables of rustc-hash. It reads 16 bytes at a time; if the first
/// eight cancel its state, the other eight are multiplied by 0.
fn colliding_names(count: u64) -> impl Iterator<Item = Vec<u8>> {
    let seed: u64 = 0x1319_8a2e_0370_7344;
    (0..count).map(move |i| [format!("v{i:07}").as_bytes(), &seed.to_le_bytes(), b"01234567"].concat())
}

#[test]
fn names_that_collide_in_a_known_hash() {
    let mut proof = b"pseudo-Boolean proof version 2.0\n".to_vec();
    let names: Vec<_> = colliding_names(200_000).collect();
    for names in names.chunks(1000) {
        proof.extend_from_slice(b"rup");
        names.iter().for_each(|name| proof.extend([&b" 1 "[..], name].concat()));
        proof.extend_from_slice(b" >= 0 ;\n");
    }
    let opb = Opb::read(b"+1 x1 +1 x2 >= 1 ;\n").unwrap();
    let (length, stop) = (proof.len() as u64, stop());
    let mut checked = None;
    let cost = cost(|| checked = Some(VeriPb::from(proof).check_opb_until(opb, &stop)));
    assert_eq!(checked, Some(Err(ProofError::NoContradiction)));
    assert!(cost.peak < 20 * length, "{cost:?} for {length}");
}

/// Coefficients that are squared in each step are refused when they exceed 127 bits; they never become long numbers.
#[test]
fn coefficients_that_explode() {
    let steps: String = (1..100).map(|i| format!("pol {i} 1000000007 * {i} +\n")).collect();
    let proof = format!("pseudo-Boolean proof version 2.0\n{steps}");
    let opb = Opb::read(b"+1 x1 +1 x2 >= 1 ;\n").unwrap();
    let mut checked = None;
    let cost = cost(|| checked = Some(VeriPb::from(proof).check_opb(opb)));
    let message = checked.unwrap().unwrap_err().to_string();
    assert!(message.ends_with("a number of more than 127 bits is not supported"), "{message}");
    assert!(cost.peak < 1 << 16, "{cost:?}");
}

/// A range of deletions looks at each constraint, so it counts as work, and a limit ends it.
#[test]
fn deletions_of_long_ranges_can_be_stopped() {
    let adds = "pol 1\n".repeat(50_000);
    let deletes = "del range 2 50001\n".repeat(50_000);
    let proof = VeriPb::from(format!("pseudo-Boolean proof version 2.0\n{adds}{deletes}"));
    let opb = Opb::read(b"+1 x1 +1 x2 >= 1 ;\n").unwrap();
    let calls = AtomicU64::new(0);
    let stop: Stop = Arc::new(move || (calls.fetch_add(1, Relaxed) > 5_000).then_some(Limit::Work));
    assert_eq!(proof.check_opb_until(opb, &stop), Err(ProofError::Stopped(Limit::Work)));
}
