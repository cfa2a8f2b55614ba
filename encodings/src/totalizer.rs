//! At most k by the totalizer: a binary tree that counts its leaves in unary.
//!
//! O(n log n) variables and O(n^2) clauses for a full count. Output j is forced true by j+1 true
//! inputs, so a bound is one negated output: tightening it adds a unit clause. O. Bailleux and
//! Y. Boufkhad, *Efficient CNF Encoding of Boolean Cardinality Constraints*, CP 2003 (the half that
//! counts upwards).

use crate::Sink;
use rustsat::types::Lit;

/// The unary count of some literals.
#[derive(Clone, Debug)]
pub struct Totalizer {
    outputs: Vec<Lit>,
}

impl Totalizer {
    /// Writes the tree over `lits`.
    pub fn new<S: Sink + ?Sized>(sink: &mut S, lits: &[Lit]) -> Self {
        Totalizer { outputs: count(sink, lits) }
    }

    /// The literal whose truth is forced by more than `k` true inputs: make it false to demand at
    /// most `k`. `None` if at most `k` always holds.
    pub fn more_than(&self, k: usize) -> Option<Lit> {
        self.outputs.get(k).copied()
    }

    /// New variables and clauses for `n` literals.
    pub fn size(n: u64) -> (u64, u64) {
        if n < 2 {
            return (0, 0);
        }
        let (a, b) = (n / 2, n - n / 2);
        let ((va, ca), (vb, cb)) = (Self::size(a), Self::size(b));
        (va + vb + n, ca + cb + (a + 1) * (b + 1) - 1)
    }
}

fn count<S: Sink + ?Sized>(sink: &mut S, lits: &[Lit]) -> Vec<Lit> {
    if lits.len() < 2 {
        return lits.to_vec();
    }
    let (left, right) = lits.split_at(lits.len() / 2);
    let (left, right) = (count(sink, left), count(sink, right));
    let sum: Vec<Lit> = (0..lits.len()).map(|_| sink.new_var().pos_lit()).collect();
    for i in 0..=left.len() {
        for j in 0..=right.len() {
            // i true on the left and j on the right make i + j in all.
            let Some(out) = (i + j).checked_sub(1) else { continue };
            match (i.checked_sub(1).map(|i| !left[i]), j.checked_sub(1).map(|j| !right[j])) {
                (Some(a), Some(b)) => sink.clause(&[a, b, sum[out]]),
                (Some(a), None) | (None, Some(a)) => sink.clause(&[a, sum[out]]),
                (None, None) => {}
            }
        }
    }
    sum
}
