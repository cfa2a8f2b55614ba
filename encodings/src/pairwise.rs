//! At most one, pairwise: a clause for each pair, without new variables.
//!
//! n(n-1)/2 clauses. Unit propagation is complete. Folklore.

use crate::{EncodingSize, Sink};
use itertools::Itertools;
use rustsat::types::Lit;

/// Forbids two true literals among `lits`.
pub(crate) fn at_most_one(sink: &mut dyn Sink, lits: &[Lit]) {
    for [&a, &b] in lits.iter().array_combinations() {
        sink.clause(&[!a, !b]);
    }
}

/// New variables and clauses for `n` literals.
pub(crate) fn size(n: u64) -> EncodingSize {
    EncodingSize { vars: 0, clauses: n * n.saturating_sub(1) / 2 }
}
