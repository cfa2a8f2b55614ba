//! At most one by the ladder (regular) encoding: new variable i says that the true literal comes after position i.
//!
//! n-1 variables and 3n-4 clauses for n >= 2. Unit propagation is complete. If exactly one literal is true, the new
//! variables are determined; if none is, they are not. I. P. Gent and P. Nightingale, *A New Encoding of AllDifferent
//! into SAT*, ModRef 2004; C. Ansótegui and F. Manyà, *Mapping Problems with Finite-Domain Variables into Problems with
//! Boolean Variables*, SAT 2004. RustSAT writes the clauses.

use crate::{EncodingSize, Sink, adapter};
use rustsat::encodings::am1::Ladder;
use rustsat::types::Lit;

/// Forbids two true literals among `lits`.
pub(crate) fn at_most_one(sink: &mut dyn Sink, lits: &[Lit]) {
    adapter::at_most_one::<Ladder>(sink, lits);
}

/// New variables and clauses for `n` literals.
pub(crate) fn size(n: u64) -> EncodingSize {
    if n < 2 {
        return EncodingSize::default();
    }
    EncodingSize { vars: n - 1, clauses: 3 * n - 4 }
}
