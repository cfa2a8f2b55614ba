//! Parity in pieces: each piece but the last defines a new variable, the parity of the other literals of the
//! piece. A later piece contains this variable.
//!
//! For n > k literals in pieces of k: c = ceil((n-k) / (k-2)) new variables and c + 1 pieces. A piece of k literals has
//! 2^(k-1) clauses; the last piece may be smaller. The new variables are determined by the literals. Unit propagation
//! is complete, because the pieces form a tree. M. Gwynne and O. Kullmann, *On SAT Representations of XOR Constraints*,
//! LATA 2014.

use crate::clauses::Clauses;
use crate::{EncodingSize, direct};
use rustsat::types::Lit;

/// Number of literals in a piece, for sinks without native parity constraints.
pub(crate) const DEFAULT_PIECE: usize = 4;

/// Requires that an odd (`odd`) or even number of literals is true, in pieces of at most `k` literals; `k` is at least
/// 3.
pub(crate) fn encode<S: Clauses + ?Sized>(sink: &mut S, lits: &[Lit], odd: bool, k: usize) {
    let mut remaining = lits.to_vec();
    while remaining.len() > k {
        // Replace the first k-1 literals by their parity, which goes to the end of the list.
        let carry = sink.new_var().pos_lit();
        let rest = remaining.split_off(k - 1);
        remaining.push(carry);
        direct::encode(sink, &remaining, false);
        remaining = rest;
        remaining.push(carry);
    }
    direct::encode(sink, &remaining, odd);
}

/// New variables and clauses for `n` literals.
pub(crate) fn size(n: u64, k: usize) -> EncodingSize {
    let k = k as u64;
    let pieces = if n > k { (n - k).div_ceil(k - 2) } else { 0 };
    EncodingSize { vars: pieces, clauses: 0 } + direct::size(k) * pieces + direct::size(n - pieces * (k - 2))
}
