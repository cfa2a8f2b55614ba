//! At most one by groups of four literals. Within each group, the encoding is pairwise. In addition, a true literal
//! forces new variables to spell the index of its group in binary.
//!
//! There are g = ceil(n / 4) groups and b = ceil(log2 g) bits, at least 1. For n >= 2, the encoding needs b variables,
//! n b clauses, and another clause for each pair of literals within a group. Unit propagation is complete. If no
//! literal is true, the index is free. V.-H. Nguyen and S. T. Mai, *A New Method to Encode the At-Most-One Constraint
//! into SAT*, SoICT 2015. RustSAT writes the clauses.

use crate::{EncodingSize, Sink, adapter, bitwise, pairwise};
use rustsat::encodings::am1::{Bimander, Pairwise};
use rustsat::types::Lit;

/// Number of literals in a group.
const GROUP: u64 = 4;

/// Forbids two true literals among `lits`.
pub(crate) fn at_most_one(sink: &mut dyn Sink, lits: &[Lit]) {
    adapter::at_most_one::<Bimander<{ GROUP as usize }, Pairwise>>(sink, lits);
}

/// New variables and clauses for `n` literals.
pub(crate) fn size(n: u64) -> EncodingSize {
    if n < 2 {
        return EncodingSize::default();
    }
    let bits = bitwise::bits(n.div_ceil(GROUP)).max(1);
    EncodingSize { vars: bits, clauses: n * bits }
        + pairwise::size(GROUP) * (n / GROUP)
        + pairwise::size(n % GROUP)
}
