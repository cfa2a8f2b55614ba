//! At most one by the sequential counter: new variable i (from 1) is forced true if one of the first i literals is
//! true.
//!
//! n-1 variables and 3n-4 clauses for n >= 2. Unit propagation is complete. If exactly one literal is true, the new
//! variables are determined; if none is, they are not. C. Sinz, *Towards an Optimal CNF Encoding of Boolean Cardinality
//! Constraints*, CP 2005, section 2 with k = 1.

use crate::{EncodingSize, Sink};
use rustsat::types::Lit;

/// Forbids two true literals among `lits`.
pub(crate) fn at_most_one(sink: &mut dyn Sink, lits: &[Lit]) {
    let Some((&first, rest)) = lits.split_first() else { return };
    let mut before = first;
    for (i, &lit) in rest.iter().enumerate() {
        // Forced true if one of `lits[0..=i]` is true. The last literal needs no such variable.
        let any = sink.new_var().pos_lit();
        sink.clause(&[!before, any]);
        if i > 0 {
            sink.clause(&[!lits[i], any]);
        }
        sink.clause(&[!lit, !any]);
        before = any;
    }
}

/// New variables and clauses for `n` literals.
pub(crate) fn size(n: u64) -> EncodingSize {
    if n < 2 {
        return EncodingSize::default();
    }
    EncodingSize { vars: n - 1, clauses: 3 * n - 4 }
}
