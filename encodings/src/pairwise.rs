//! At most one, pairwise: no new variable, a clause for each pair.
//!
//! n(n-1)/2 clauses. Unit propagation is complete.

use crate::Sink;
use itertools::Itertools;
use rustsat::types::Lit;

/// Forbids each pair of `lits`.
pub(crate) fn at_most_one<S: Sink + ?Sized>(sink: &mut S, lits: &[Lit]) {
    for [&a, &b] in lits.iter().array_combinations() {
        sink.clause(&[!a, !b]);
    }
}

/// New variables and clauses for `n` literals.
pub(crate) fn size(n: u64) -> (u64, u64) {
    (0, n * n.saturating_sub(1) / 2)
}
