//! Linear constraints by the polynomial watchdog: for each bit, a unary count of the literals whose weight
//! has this bit and of the carries from the bit below.
//!
//! Consider sum <= bound, and let 2^p be the greatest power of two that is at most the largest weight. Adding
//! a constant t < 2^p to both sides turns the constraint into sum + t < m 2^p for an integer m. For each bit
//! r from 0 to p, one totalizer counts both the literals whose weight has bit r and the carries from the bit
//! below. Every second output is a carry to the next bit. The first carry is the first output if bit r of t
//! is set, otherwise the second output. So the count of bit p is (sum + t) / 2^p, rounded down. The last
//! clause says that this count is less than m. If all weights are equal, the encoding is one totalizer of the
//! true or the false literals, whichever needs fewer clauses.
//!
//! For n literals and weights of b bits: O(b n log n) variables and O(b n²) clauses. Unit propagation detects that an
//! upper bound is exceeded, but with different weights it does not find every literal that is implied. The new
//! variables are not determined. O. Bailleux, Y. Boufkhad and O. Roussel, *New Encodings of Pseudo-Boolean Constraints
//! into CNF*, SAT 2009 (the global polynomial watchdog); lower bounds and equations by complementing literals.

use crate::bounds::Bounds;
use crate::clauses::Clauses;
use crate::linear::{Linear, NormalForm};
use crate::totalizer;
use rustsat::types::Lit;

/// Requires a linear constraint.
pub(crate) fn encode<S: Clauses + ?Sized>(sink: &mut S, constraint: &Linear<'_>) {
    let NormalForm { terms, bound, is_equation } = constraint.normal_form();
    match u128::try_from(bound) {
        // The sum is never negative.
        Err(_) => sink.clause(&[]),
        Ok(bound) if is_equation => equal(sink, terms, bound),
        Ok(bound) => at_most(sink, terms, bound),
    }
}

/// Requires that the weights of the true literals sum to `bound`.
fn equal<S: Clauses + ?Sized>(sink: &mut S, mut terms: Vec<(u128, Lit)>, bound: u128) {
    let total: u128 = terms.iter().map(|(weight, _)| weight).sum();
    let divisor = terms.iter().fold(0, |divisor, (weight, _)| gcd(divisor, *weight)).max(1);
    if bound > total || !bound.is_multiple_of(divisor) {
        return sink.clause(&[]);
    }
    if terms.iter().all(|(weight, _)| *weight == divisor) && bound > 0 && bound < total {
        // Count the true or the false literals, whichever are fewer.
        let true_lits = (bound / divisor) as usize;
        let k = true_lits.min(terms.len() - true_lits);
        let lits: Vec<Lit> = terms.iter().map(|(_, lit)| if k == true_lits { *lit } else { !*lit }).collect();
        let count = totalizer::count(sink, &lits, k + 1, Bounds::Both);
        sink.clause(&[count[k - 1]]);
        return sink.clause(&[!count[k]]);
    }
    at_most(sink, terms.clone(), bound);
    terms.iter_mut().for_each(|(_, lit)| *lit = !*lit);
    at_most(sink, terms, total - bound);
}

/// Requires that the weights of the true literals sum to at most `bound`.
fn at_most<S: Clauses + ?Sized>(sink: &mut S, mut terms: Vec<(u128, Lit)>, mut bound: u128) {
    terms.iter().filter(|(weight, _)| *weight > bound).for_each(|(_, lit)| sink.clause(&[!*lit]));
    terms.retain(|(weight, _)| *weight <= bound);
    let total: u128 = terms.iter().map(|(weight, _)| weight).sum();
    let min_weight = terms.iter().map(|(weight, _)| *weight).min().unwrap_or(0);
    if total <= bound {
        return;
    }
    if total - min_weight <= bound {
        // The sum exceeds the bound only if all literals are true.
        return sink.clause(&terms.iter().map(|(_, lit)| !*lit).collect::<Vec<_>>());
    }
    let divisor = terms.iter().fold(0, |divisor, (weight, _)| gcd(divisor, *weight));
    terms.iter_mut().for_each(|(weight, _)| *weight /= divisor);
    bound /= divisor;
    if terms.iter().all(|(weight, _)| *weight == 1) {
        let (n, k) = (terms.len() as u64, bound as u64);
        let size = |max, bounds| totalizer::size(n, max, bounds).clauses;
        if size(n - k, Bounds::Both) < size(k + 1, Bounds::Upper) {
            let negated: Vec<Lit> = terms.iter().map(|(_, lit)| !*lit).collect();
            let count = totalizer::count(sink, &negated, (n - k) as usize, Bounds::Both);
            return sink.clause(&[count[(n - k) as usize - 1]]);
        }
    }
    watchdog(sink, &terms, bound);
}

/// Requires that the weights of the true literals sum to at most `bound`, which is at least the largest weight.
fn watchdog<S: Clauses + ?Sized>(sink: &mut S, terms: &[(u128, Lit)], bound: u128) {
    let top = terms.iter().map(|(weight, _)| weight.ilog2()).max().unwrap_or(0);
    // The sum is at most the bound iff sum + shift < limits[top] << top.
    let shift = !bound & ((1 << top) - 1);
    let has_shift = |bit: u32| (shift >> bit & 1) as usize;
    // The number of outputs needed at each bit, first for the top bit. A carry needs two outputs, but the first carry
    // needs only one if the shift has this bit. A bit has at most 2 · terms.len() literals and carries.
    let mut limits = vec![(bound >> top) as usize + 1];
    for bit in (0..top).rev() {
        let next = limits[limits.len() - 1];
        limits.push((2 * next - has_shift(bit)).min(2 * terms.len()));
    }
    limits.reverse();

    let mut carries: Vec<Lit> = Vec::new();
    for (bit, &limit) in (0..).zip(&limits) {
        let weighted = terms.iter().filter(|(weight, _)| weight >> bit & 1 == 1).map(|(_, lit)| *lit);
        let lits: Vec<Lit> = weighted.chain(carries).collect();
        let count = totalizer::count(sink, &lits, limit, Bounds::Upper);
        if bit == top {
            return count.get(limit - 1).into_iter().for_each(|&reached| sink.clause(&[!reached]));
        }
        // Every two true literals make a carry. If the shift has this bit, one literal is enough for the first carry.
        carries = count.into_iter().skip(1 - has_shift(bit)).step_by(2).collect();
    }
}

/// The greatest common divisor; for 0 and b, this is b.
fn gcd(a: u128, b: u128) -> u128 {
    if a == 0 { b } else { gcd(b % a, a) }
}
