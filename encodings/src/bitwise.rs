//! At most one in binary: a true literal forces the new variables to spell its index.
//!
//! b = ceil(log2 n) variables and n b clauses for n >= 2. Unit propagation is complete. If no literal is true, the
//! index is free. S. D. Prestwich, *CNF Encodings*, Handbook of Satisfiability, 2nd ed., 2021, section 2.2.5. RustSAT
//! writes the clauses.

use crate::{EncodingSize, Sink, adapter};
use rustsat::encodings::am1::Bitwise;
use rustsat::types::Lit;

/// Forbids two true literals among `lits`.
pub(crate) fn at_most_one(sink: &mut dyn Sink, lits: &[Lit]) {
    adapter::at_most_one::<Bitwise>(sink, lits);
}

/// New variables and clauses for `n` literals.
pub(crate) fn size(n: u64) -> EncodingSize {
    if n < 2 {
        return EncodingSize::default();
    }
    EncodingSize { vars: bits(n), clauses: n * bits(n) }
}

/// Number of bits that `n >= 2` different indices need.
pub(crate) fn bits(n: u64) -> u64 {
    u64::from(n.next_power_of_two().trailing_zeros())
}
