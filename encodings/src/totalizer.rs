//! Counting by the totalizer: a binary tree whose nodes add the unary counts of their children.
//!
//! O(n log n) variables and O(n²) clauses for a full count. No node counts further than `max`. If at least j+1 inputs
//! are true, output j (from 0) is forced true. Unit propagation is complete. O. Bailleux and Y. Boufkhad, *Efficient
//! CNF Encoding of Boolean Cardinality Constraints*, CP 2003; with a maximum: M. Büttner and J. Rintanen,
//! *Satisfiability Planning with Constraints on the Number of Actions*, ICAPS 2005. RustSAT has a totalizer, too.
//! Unlike that one, ours computes its size without writing clauses, and does not allocate each clause separately.

use crate::EncodingSize;
use crate::bounds::Bounds;
use crate::clauses::Clauses;
use rustsat::types::Lit;

/// Counts the true literals in unary, up to `max`.
pub(crate) fn count<S: Clauses + ?Sized>(sink: &mut S, lits: &[Lit], max: usize, bounds: Bounds) -> Vec<Lit> {
    if lits.len() < 2 || max == 0 {
        return lits[..lits.len().min(max)].to_vec();
    }
    let (left, right) = lits.split_at(lits.len() / 2);
    let (a, b) = (count(sink, left, max, bounds), count(sink, right, max, bounds));
    let sum: Vec<Lit> = (0..lits.len().min(max)).map(|_| sink.new_var().pos_lit()).collect();
    let mut clause = Vec::with_capacity(3);
    // The literal that says that fewer than `i` inputs of a child are true; `None` for i = 0.
    let fewer = |child: &[Lit], i: usize| i.checked_sub(1).map(|i| !child[i]);
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            // If i inputs are true on the left and j on the right, at least i + j are true.
            if (1..=sum.len()).contains(&(i + j)) {
                clause.clear();
                clause.extend(fewer(&a, i).into_iter().chain(fewer(&b, j)).chain([sum[i + j - 1]]));
                sink.clause(&clause);
            }
            // If at most i inputs are true on the left and at most j on the right, at most i + j are true.
            if bounds == Bounds::Both && i + j < sum.len() {
                clause.clear();
                clause.extend(a.get(i).into_iter().chain(b.get(j)).copied().chain([!sum[i + j]]));
                sink.clause(&clause);
            }
        }
    }
    sum
}

/// New variables and clauses for `n` literals counted up to `max`.
pub(crate) fn size(n: u64, max: u64, bounds: Bounds) -> EncodingSize {
    if n < 2 || max == 0 {
        return EncodingSize::default();
    }
    let (left, right) = (n / 2, n - n / 2);
    let (a, b, sum) = (left.min(max), right.min(max), n.min(max));
    // Pairs (i, j) with i <= a, j <= b and i + j < s.
    let below = |s: u64| (0..=a.min(s.saturating_sub(1))).map(|i| (s - i).min(b + 1)).sum::<u64>();
    let both = if bounds == Bounds::Both { below(sum) } else { 0 };
    let root = EncodingSize { vars: sum, clauses: below(sum + 1) - 1 + both };
    size(left, max, bounds) + size(right, max, bounds) + root
}
