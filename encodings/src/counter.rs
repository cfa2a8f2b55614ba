//! Counting by the sequential counter: after each input, how many were true so far, in unary.
//!
//! About n k variables and 2 n k clauses up to k. C. Sinz, *Towards an Optimal CNF Encoding of Boolean
//! Cardinality Constraints*, CP 2005, section 2, without its overflow clauses: the bound is a literal
//! here. Unit propagation is complete. RustSAT has none.

use crate::Sink;
use crate::cardinality::Bounds;
use rustsat::types::Lit;

/// Counts `lits` up to `most`.
pub(crate) fn count<S: Sink + ?Sized>(sink: &mut S, lits: &[Lit], most: usize, sides: Bounds) -> Vec<Lit> {
    let Some((&first, rest)) = lits.split_first() else { return Vec::new() };
    if most == 0 {
        return Vec::new();
    }
    // `before[j]`: more than j of the inputs so far are true.
    let mut before = vec![first];
    for (i, &lit) in rest.iter().enumerate() {
        let after: Vec<Lit> = (0..most.min(i + 2)).map(|_| sink.new_var().pos_lit()).collect();
        for (j, &more) in after.iter().enumerate() {
            let was = before.get(j).copied();
            if let Some(was) = was {
                sink.clause(&[!was, more]);
            }
            match j.checked_sub(1).map(|j| before[j]) {
                None => sink.clause(&[!lit, more]),
                Some(fewer) => sink.clause(&[!lit, !fewer, more]),
            }
            if sides == Bounds::Both {
                // More than j afterwards: before already, or with this input.
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

/// New variables and clauses for `n` literals counted up to `most`.
pub(crate) fn size(n: u64, most: u64, sides: Bounds) -> (u64, u64) {
    if n < 2 || most == 0 {
        return (0, 0);
    }
    // Outputs after inputs 2 to n: 2, 3, ... and then `most` each.
    let growing = (n - 1).min(most - 1);
    let vars = growing * (growing + 3) / 2 + (n - 1 - growing) * most;
    // An output needs a clause for the input, and one for its value before unless it is new.
    let up = 2 * vars - growing;
    let down = if sides == Bounds::Both { 2 * vars - (n - 1) } else { 0 };
    (vars, up + down)
}
