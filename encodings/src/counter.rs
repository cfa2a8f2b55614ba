//! Counting by the sequential counter: after each input, new variables hold the number of true inputs so far, in unary.
//!
//! About n k variables and 2 n k clauses for counts up to k. Unit propagation is complete. C. Sinz, *Towards an Optimal
//! CNF Encoding of Boolean Cardinality Constraints*, CP 2005, section 2; here without the overflow clauses, because a
//! bound is required by asserting an output. RustSAT does not have this encoding.

use crate::bounds::Bounds;
use crate::{EncodingSize, Sink};
use rustsat::types::Lit;

/// Counts the true literals in unary, up to `max`.
pub(crate) fn count(sink: &mut dyn Sink, lits: &[Lit], max: usize, bounds: Bounds) -> Vec<Lit> {
    let Some((&first, rest)) = lits.split_first() else { return Vec::new() };
    if max == 0 {
        return Vec::new();
    }
    // `before[j]` is forced true if more than j of the inputs so far are true.
    let mut before = vec![first];
    for (i, &lit) in rest.iter().enumerate() {
        let after: Vec<Lit> = (0..max.min(i + 2)).map(|_| sink.new_var().pos_lit()).collect();
        for (j, &more) in after.iter().enumerate() {
            let was = before.get(j).copied();
            if let Some(was) = was {
                sink.clause(&[!was, more]);
            }
            match j.checked_sub(1).map(|j| before[j]) {
                None => sink.clause(&[!lit, more]),
                Some(fewer) => sink.clause(&[!lit, !fewer, more]),
            }
            if bounds == Bounds::Both {
                // If more than j are true now, more than j were true before, or this input is true.
                match was {
                    None => sink.clause(&[lit, !more]),
                    Some(was) => sink.clause(&[lit, was, !more]),
                }
                if let Some(fewer) = j.checked_sub(1).map(|j| before[j]) {
                    sink.clause(&[fewer, !more]);
                }
            }
        }
        before = after;
    }
    before
}

/// New variables and clauses for `n` literals counted up to `max`.
pub(crate) fn size(n: u64, max: u64, bounds: Bounds) -> EncodingSize {
    if n < 2 || max == 0 {
        return EncodingSize::default();
    }
    // After input i, there are i outputs, but at most `max`. The only output after the first input is that input.
    let growing = (n - 1).min(max - 1);
    let vars = growing * (growing + 3) / 2 + (n - 1 - growing) * max;
    // One clause for each output makes the output true because of the input. A second clause keeps an output true that
    // was true before; the newest output needs no such clause.
    let up = 2 * vars - growing;
    let down = if bounds == Bounds::Both { 2 * vars - (n - 1) } else { 0 };
    EncodingSize { vars, clauses: up + down }
}
