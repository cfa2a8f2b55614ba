//! Lexicographic order: one sequence of literals is at most another, where the first position is the most significant.
//!
//! n-1 variables and 3n-2 clauses for n >= 1. New variable j (from 1) is forced true if the first j positions of the
//! sequences are equal; otherwise it can be false. Unit propagation is complete if the variables are distinct. One use
//! is symmetry breaking, where x is a solution and y is its image. D. E. Knuth, *TAOCP* 7.2.2.2 (2015), formula (169).
//! RustSAT does not have this constraint.

use crate::{EncodingSize, Sink};
use rustsat::types::Lit;

/// Requires x <= y, where false is less than true. Positions beyond the end of the shorter sequence are ignored.
pub fn lex_at_most(sink: &mut dyn Sink, x: &[Lit], y: &[Lit]) {
    let n = x.len().min(y.len());
    // Forced true unless an earlier position has x < y; `None` at the first position.
    let mut tied: Option<Lit> = None;
    for (i, (&x, &y)) in x.iter().zip(y).enumerate() {
        let open = || tied.map(|tied| !tied).into_iter();
        sink.clause(&open().chain([!x, y]).collect::<Vec<_>>());
        if i + 1 < n {
            let still = sink.new_var().pos_lit();
            sink.clause(&open().chain([!x, still]).collect::<Vec<_>>());
            sink.clause(&open().chain([y, still]).collect::<Vec<_>>());
            tied = Some(still);
        }
    }
}

/// New variables and clauses of [`lex_at_most`] for sequences of `n` literals.
pub fn lex_size(n: u64) -> EncodingSize {
    if n == 0 {
        return EncodingSize::default();
    }
    EncodingSize { vars: n - 1, clauses: 3 * n - 2 }
}
