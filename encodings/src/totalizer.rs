//! Counting by the totalizer: a binary tree that adds its leaves in unary.
//!
//! O(n log n) variables and O(n²) clauses for a full count; no node counts beyond the bound. Output j
//! is forced true by j+1 true inputs. O. Bailleux and Y. Boufkhad, *Efficient CNF Encoding of Boolean
//! Cardinality Constraints*, CP 2003; cut at the bound: M. Büttner and J. Rintanen, *Satisfiability
//! Planning with Constraints on the Number of Actions*, ICAPS 2005. Unit propagation is complete. Ours beside
//! RustSAT's, since this one has its size by formula and a clause without an allocation.

use crate::Sink;
use crate::cardinality::{Bounds, premise};
use rustsat::types::Lit;

/// Counts `lits` up to `most`.
pub(crate) fn count<S: Sink + ?Sized>(sink: &mut S, lits: &[Lit], most: usize, sides: Bounds) -> Vec<Lit> {
    if lits.len() < 2 || most == 0 {
        return lits[..lits.len().min(most)].to_vec();
    }
    let (left, right) = lits.split_at(lits.len() / 2);
    let (a, b) = (count(sink, left, most, sides), count(sink, right, most, sides));
    let sum: Vec<Lit> = (0..lits.len().min(most)).map(|_| sink.new_var().pos_lit()).collect();
    let mut clause = Vec::with_capacity(3);
    let at = |side: &[Lit], i: usize| i.checked_sub(1).map(|i| side[i]);
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            // i true on the left and j on the right make at least i + j in all.
            if (1..=sum.len()).contains(&(i + j)) {
                clause.clear();
                clause.extend(premise(at(&a, i)).chain(premise(at(&b, j))).chain([sum[i + j - 1]]));
                sink.clause(&clause);
            }
            // No more than i on the left and j on the right make at most i + j.
            if sides == Bounds::Both && i + j < sum.len() {
                clause.clear();
                clause.extend(a.get(i).into_iter().chain(b.get(j)).copied().chain([!sum[i + j]]));
                sink.clause(&clause);
            }
        }
    }
    sum
}

/// New variables and clauses for `n` literals counted up to `most`.
pub(crate) fn size(n: u64, most: u64, sides: Bounds) -> (u64, u64) {
    if n < 2 || most == 0 {
        return (0, 0);
    }
    let (left, right) = (n / 2, n - n / 2);
    let ((va, ca), (vb, cb)) = (size(left, most, sides), size(right, most, sides));
    let (a, b, sum) = (left.min(most), right.min(most), n.min(most));
    // Pairs (i, j) with i <= a, j <= b and i + j < s.
    let below = |s: u64| (0..=a.min(s.saturating_sub(1))).map(|i| (s - i).min(b + 1)).sum::<u64>();
    let both = if sides == Bounds::Both { below(sum) } else { 0 };
    (va + vb + sum, ca + cb + below(sum + 1) - 1 + both)
}
