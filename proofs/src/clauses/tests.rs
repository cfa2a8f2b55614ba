//! The hash table of clauses, and the number of propagated literals.

use super::{Clauses, hash};
use crate::growth::NONE;
use crate::tests::common::{cancelled_at, chain};
use crate::variables::Code;
use crate::{Drat, Lrat, ProofError};
use counterpoint_base::budget::{Limit, Stop};
use counterpoint_base::keyed::Keys;

/// All clauses of three literals over these codes.
fn triples(codes: u32) -> Vec<Vec<Code>> {
    let pairs = (0..codes).flat_map(|a| (a + 1..codes).map(move |b| (a, b)));
    pairs.flat_map(|(a, b)| (b + 1..codes).map(move |c| vec![a, b, c])).collect()
}

#[test]
fn hashes_do_not_depend_on_the_order_and_seldom_collide() {
    let all = triples(if cfg!(miri) { 8 } else { 40 });
    let keys = Keys::default();
    let mut hashes: Vec<u64> = all.iter().map(|lits| hash(keys, lits)).collect();
    assert!(all.iter().zip(&hashes).all(|(lits, h)| hash(keys, &[lits[2], lits[0], lits[1]]) == *h));
    hashes.sort_unstable();
    hashes.dedup();
    assert!(cfg!(miri) || hashes.len() > 9_300 && all.len() == 9_880, "{} of {}", hashes.len(), all.len());
}

#[test]
fn clauses_are_spread_over_the_buckets() {
    let mut clauses = Clauses::<()>::default();
    let all = triples(20);
    all.iter().for_each(|lits| _ = clauses.add(lits));
    let mut sizes = vec![0; clauses.buckets.len()];
    all.iter().for_each(|lits| sizes[clauses.bucket(lits)] += 1);
    assert!(all.len() <= sizes.len() && sizes.iter().all(|&size| size < 8), "{:?}", sizes.iter().max());
}

/// A literal is propagated once, however often it is assigned or assumed.
#[test]
fn true_literals_are_not_propagated_again() {
    let mut clauses = Clauses::<()>::default();
    clauses.add(&[4]);
    assert_eq!((clauses.propagations(), clauses.trail()), (1, &[4][..]));
    clauses.add(&[4]);
    clauses.add(&[4, 7]);
    clauses.add(&[5, 8]);
    assert_eq!((clauses.propagations(), clauses.trail()), (2, &[4, 8][..]));
    clauses.reserve(&[11]);
    for lit in [10, 11] {
        let mark = clauses.mark();
        assert!(!clauses.deny([5, lit, lit]));
        assert_eq!(clauses.trail(), [4, 8, lit ^ 1]);
        clauses.back_to(mark);
    }
    assert_eq!(clauses.propagations(), 4);
    assert!(clauses.deny([10, 4]));
}

/// The first conflict ends propagation; whatever else is on the trail then is not propagated.
#[test]
fn assumptions_lead_to_a_conflict() {
    let mut clauses = Clauses::<()>::default();
    for lits in [[0, 2], [0, 3], [1, 4]] {
        clauses.add(&lits);
    }
    assert!(!clauses.refuted());
    // 1 is assumed: 2 and 3 follow, of which only one can be true.
    assert!(clauses.deny([0]));
    clauses.back_to(0);
    assert!(!clauses.deny([1]));
    assert_eq!(clauses.trail(), [0, 4]);
}

/// Five literals have watch lists. Lists that are not visited keep removed clauses until these are more than the three
/// active clauses, the five lists and 1024. The active clauses have six watches, and each removed one has two.
#[test]
fn removed_clauses_leave_the_lists() {
    let mut clauses = Clauses::<()>::default();
    for lits in [[0, 2, 4], [0, 2, 6], [0, 4, 6]] {
        clauses.add(&lits);
    }
    let mut most = 0;
    for _ in 0..3_000 {
        let clause = clauses.add(&[1, 3, 8]);
        assert_eq!(clauses.remove(&[1, 3, 8]), Some(clause));
        most = most.max(clauses.lists.iter().map(Vec::len).sum());
    }
    assert_eq!((clauses.lists.len(), most), (5, 6 + 2 * (3 + 5 + 1024)));
    assert_eq!(clauses.active().collect::<Vec<_>>(), [0, 1, 2]);
    // The active clauses are still watched.
    assert!(!clauses.deny([0, 2]));
    assert_eq!(clauses.trail(), [1, 3, 4, 6]);
}

/// A hash that needs no numbers drawn at random: anybody can find clauses that share a bucket.
fn known(lits: &[Code]) -> u64 {
    let sum: u64 = lits.iter().map(|&lit| u64::from(lit)).sum();
    let product = lits.iter().fold(1u64, |product, &lit| product.wrapping_mul(2 * u64::from(lit) + 1));
    sum.wrapping_mul(1023).wrapping_add(product)
}

#[test]
fn nobody_can_fill_a_bucket() {
    let all = (0..1 << 12).flat_map(|a| (0..1 << 12).map(move |b| [2 * a, 2 * b + (1 << 14)]));
    let chosen = all.filter(|lits| known(lits).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52 == 7);
    let mut clauses = Clauses::<()>::default();
    for lits in chosen.take(2048) {
        clauses.add(&lits);
    }
    let chain = |&first: &u32| {
        std::iter::successors(Some(first), |&clause| {
            clauses.spans.get(clause as usize).map(|span| span.before)
        })
        .take_while(|&clause| clause != NONE)
        .count()
    };
    let longest = clauses.buckets.iter().map(chain).max();
    assert_eq!(clauses.spans.len(), 2048);
    // Of 2048 clauses in 2048 buckets, more than 24 share one with a probability below 2^-60.
    assert!(longest.is_some_and(|longest| longest <= 24), "{longest:?}");
}

#[test]
fn a_single_step_can_be_stopped() {
    for n in [1_000, 2_000] {
        let check = |proof: &str, stop: &Stop| Drat::from(proof).check_until(&chain(n), stop);
        // Every poll belongs to 2^16 visits; the long clause is visited for each of its literals.
        let polls = (n as usize).pow(2) >> 17;
        assert!(polls >= 7);
        assert_eq!(check("1 0\n", &cancelled_at(polls)), Err(ProofError::Stopped(Limit::Cancelled)));
        // The clause is RAT.
        assert_eq!(check("1 0\n", &cancelled_at(9 * polls)), Err(ProofError::NoEmptyClause));
    }
    // Reading the formula, too.
    let reading = Drat::from("0\n").check_until(&chain(70_000), &cancelled_at(1));
    assert_eq!(reading, Err(ProofError::Stopped(Limit::Cancelled)));
}

#[test]
fn the_hints_of_a_single_step_can_be_stopped() {
    let n = 2_000;
    let hints = format!("{n} ").repeat(1_000);
    let step: String = (1..n + 3).map(|i| format!("{i} ")).collect();
    let check = |stop: &Stop| Lrat::from(format!("9999 {step}0 {hints}0\n")).check_until(&chain(n), stop);
    let limit = check(&cancelled_at(10));
    assert_eq!(limit, Err(ProofError::Stopped(Limit::Cancelled)));
}
