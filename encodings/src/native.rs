//! Counts and parities as linear constraints, for sinks that support these ([`Sink::supports_linear`]).
//!
//! * At most one, exactly one, at most k: one constraint without new variables.
//! * A parity of n literals: their sum is `odd + 2 t`, where the bits of the integer t are new variables. This takes
//!   ⌊log₂(⌊(n - odd) / 2⌋)⌋ + 1 bits, which are determined by the literals.
//! * A count with m outputs: each output implies the one before it, and the sum of the n literals is at most
//!   the weighted sum of the outputs. The last output has the weight n - m + 1, and the others have the
//!   weight 1. With [`Bounds::Both`], the sum of the literals is also at least the number of true outputs, so
//!   the outputs are determined.
//!
//! [`Sink::supports_linear`]: crate::Sink::supports_linear

use crate::bounds::Bounds;
use crate::clauses::Clauses;
use crate::linear::{Linear, Relation};
use rustsat::types::Lit;

/// Requires that the number of true literals has this relation to `bound`.
fn sum<S: Clauses + ?Sized>(sink: &mut S, lits: &[Lit], relation: Relation, bound: usize) {
    let terms: Vec<(i64, Lit)> = lits.iter().map(|&lit| (1, lit)).collect();
    sink.linear(&Linear { terms: &terms, relation, bound: bound as i64 });
}

/// Requires at most `k` true literals. Adds nothing if there are at most `k` literals.
pub(crate) fn at_most<S: Clauses + ?Sized>(sink: &mut S, lits: &[Lit], k: usize) {
    if lits.len() > k {
        sum(sink, lits, Relation::AtMost, k);
    }
}

/// Requires exactly one true literal.
pub(crate) fn exactly_one<S: Clauses + ?Sized>(sink: &mut S, lits: &[Lit]) {
    match lits {
        [] => sink.clause(&[]),
        _ => sum(sink, lits, Relation::Equal, 1),
    }
}

/// Requires that at most one of `lits` is true, and that `one` is true iff one of them is.
pub(crate) fn one_of<S: Clauses + ?Sized>(sink: &mut S, one: Lit, lits: &[Lit]) {
    let terms: Vec<(i64, Lit)> = lits.iter().map(|&lit| (1, lit)).chain([(-1, one)]).collect();
    sink.linear(&Linear { terms: &terms, relation: Relation::Equal, bound: 0 });
}

/// Requires that an odd (`odd`) or even number of literals is true.
pub(crate) fn parity<S: Clauses + ?Sized>(sink: &mut S, lits: &[Lit], odd: bool) {
    let Some(pairs) = lits.len().checked_sub(usize::from(odd)).map(|most| most / 2) else {
        // No literals, and an odd number of them must be true.
        return sink.clause(&[]);
    };
    let mut terms: Vec<(i64, Lit)> = lits.iter().map(|&lit| (1, lit)).collect();
    let bits = usize::BITS - pairs.leading_zeros();
    terms.extend((1..=bits).map(|bit| (-(1i64 << bit), sink.new_var().pos_lit())));
    if !terms.is_empty() {
        sink.linear(&Linear { terms: &terms, relation: Relation::Equal, bound: i64::from(odd) });
    }
}

/// The outputs of a count: more than k true literals force output k to be true.
pub(crate) fn count<S: Clauses + ?Sized>(sink: &mut S, lits: &[Lit], max: usize, bounds: Bounds) -> Vec<Lit> {
    let n = lits.len();
    let outputs: Vec<Lit> = (0..max.min(n)).map(|_| sink.new_var().pos_lit()).collect();
    let Some((&last, others)) = outputs.split_last() else { return outputs };
    outputs.windows(2).for_each(|two| sink.clause(&[!two[1], two[0]]));
    let weighted = |last_weight: usize| -> Vec<(i64, Lit)> {
        let inputs = lits.iter().map(|&lit| (1, lit));
        let outputs = others.iter().map(|&output| (-1, output)).chain([(-(last_weight as i64), last)]);
        inputs.chain(outputs).collect()
    };
    let last_weight = n - outputs.len() + 1;
    let both = bounds == Bounds::Both;
    let relation = if both && last_weight == 1 { Relation::Equal } else { Relation::AtMost };
    sink.linear(&Linear { terms: &weighted(last_weight), relation, bound: 0 });
    if both && last_weight > 1 {
        sink.linear(&Linear { terms: &weighted(1), relation: Relation::AtLeast, bound: 0 });
    }
    outputs
}
