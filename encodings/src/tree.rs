//! Parity as a balanced tree: each new variable is the parity of its two children, and the root has three children.
//!
//! n-3 variables and 4(n-2) clauses for n >= 3: as many as for pieces of three literals (`cut3`). Those pieces form a
//! tree as well, but here the literals below each new variable are adjacent. The new variables are determined by the
//! literals, and unit propagation is complete. RustSAT has no parity encodings.

use crate::{EncodingSize, Sink, direct};
use rustsat::types::Lit;

/// Requires that an odd (`odd`) or even number of literals is true.
pub(crate) fn encode(sink: &mut dyn Sink, lits: &[Lit], odd: bool) {
    if lits.len() <= 3 {
        return direct::encode(sink, lits, odd);
    }
    let (first, rest) = lits.split_at(lits.len() / 3);
    let (second, third) = rest.split_at(rest.len() / 2);
    let children = [parity(sink, first), parity(sink, second), parity(sink, third)];
    direct::encode(sink, &children, odd);
}

/// A literal that is true iff an odd number of `lits` is true. `lits` must not be empty.
fn parity(sink: &mut dyn Sink, lits: &[Lit]) -> Lit {
    if let &[lit] = lits {
        return lit;
    }
    let (left, right) = lits.split_at(lits.len() / 2);
    let (left, right) = (parity(sink, left), parity(sink, right));
    let parity = sink.new_var().pos_lit();
    direct::encode(sink, &[left, right, parity], false);
    parity
}

/// New variables and clauses for `n` literals.
pub(crate) fn size(n: u64) -> EncodingSize {
    if n <= 3 {
        return direct::size(n);
    }
    EncodingSize { vars: n - 3, clauses: 4 * (n - 2) }
}
