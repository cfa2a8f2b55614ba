//! Parity without new variables: a clause for each assignment of the wrong parity.
//!
//! 2^(n-1) clauses of n literals. All of them are needed: no clause with fewer literals is implied, and each
//! clause excludes an assignment that no other clause excludes. Unit propagation is complete. Folklore.

use crate::EncodingSize;
use crate::clauses::Clauses;
use rustsat::types::Lit;

/// Requires that an odd (`odd`) or even number of literals is true.
pub(crate) fn encode<S: Clauses + ?Sized>(sink: &mut S, lits: &[Lit], odd: bool) {
    assert!(lits.len() <= 30, "the direct encoding supports at most 30 literals, not {}", lits.len());
    if lits.is_empty() {
        if odd {
            sink.clause(&[]);
        }
        return;
    }
    // A clause forbids the one assignment that falsifies it. Bit i of `negated` says that literal i is negated in the
    // clause, so literal i is true in the forbidden assignment.
    let mut clause = lits.to_vec();
    for negated in 0u32..1 << lits.len() {
        if (negated.count_ones() % 2 == 1) != odd {
            for (i, &lit) in lits.iter().enumerate() {
                clause[i] = if negated >> i & 1 == 1 { !lit } else { lit };
            }
            sink.clause(&clause);
        }
    }
}

/// New variables and clauses for `n` literals, saturating at `u64::MAX`. An odd parity of no literals needs one clause
/// more.
pub(crate) fn size(n: u64) -> EncodingSize {
    let clauses = if n == 0 { 0 } else { 1u64.checked_shl((n - 1) as u32).unwrap_or(u64::MAX) };
    EncodingSize { vars: 0, clauses }
}
