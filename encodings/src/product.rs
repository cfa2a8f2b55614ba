//! At most one by product: the literals form a grid. A true literal implies the variables of its row and its column,
//! and at most one row and one column are true.
//!
//! If n >= 2, then p = floor(sqrt n) rows and q = ceil(n / p) columns take p + q variables and
//! 2n + p(p-1)/2 + q(q-1)/2 clauses. Unit propagation is complete. If a literal is true, the new variables are
//! determined. If none is, they are not. J. Chen, *A New SAT Encoding of the At-Most-One Constraint*, ModRef 2010.
//! RustSAT writes the clauses, with pairwise constraints for rows and columns.

use crate::{EncodingSize, Sink, adapter, pairwise};
use rustsat::encodings::am1::{Pairwise, TwoProduct};
use rustsat::types::Lit;

/// Forbids two true literals among `lits`.
pub(crate) fn at_most_one(sink: &mut dyn Sink, lits: &[Lit]) {
    adapter::at_most_one::<TwoProduct<Pairwise>>(sink, lits);
}

/// New variables and clauses for `n` literals.
pub(crate) fn size(n: u64) -> EncodingSize {
    if n < 2 {
        return EncodingSize::default();
    }
    let (p, q) = (n.isqrt(), n.div_ceil(n.isqrt()));
    EncodingSize { vars: p + q, clauses: 2 * n } + pairwise::size(p) + pairwise::size(q)
}
