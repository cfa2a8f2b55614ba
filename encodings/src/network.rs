//! Counting by a cardinality network: Batcher's odd-even merge sort, restricted to the first `max` outputs.
//!
//! O(n log² k) variables and clauses for counts up to k. A comparator has two outputs and three clauses, or six clauses
//! for both bounds. Unit propagation is complete (theorem 9 of the paper below). R. Asín, R. Nieuwenhuis, A. Oliveras
//! and E. Rodríguez-Carbonell, *Cardinality Networks: a Theoretical and Empirical Study*, Constraints 16 (2011); here
//! for any number of inputs. RustSAT does not have this encoding.

use crate::bounds::Bounds;
use crate::{EncodingSize, Sink};
use rustsat::types::Lit;

/// Counts the true literals in unary, up to `max`: the first `max` outputs of sorting, with true before false.
pub(crate) fn count(sink: &mut dyn Sink, lits: &[Lit], max: usize, bounds: Bounds) -> Vec<Lit> {
    if lits.len() < 2 || max == 0 {
        return lits[..lits.len().min(max)].to_vec();
    }
    let (left, right) = lits.split_at(lits.len() / 2);
    let (a, b) = (count(sink, left, max, bounds), count(sink, right, max, bounds));
    merge(sink, &a, &b, max, bounds)
}

/// The first `max` outputs of merging two sorted lists.
fn merge(sink: &mut dyn Sink, a: &[Lit], b: &[Lit], max: usize, bounds: Bounds) -> Vec<Lit> {
    match (a, b) {
        (list, []) | ([], list) => return list[..list.len().min(max)].to_vec(),
        (&[a], &[b]) => {
            let first = either(sink, a, b, bounds);
            return if max > 1 { vec![first, both(sink, a, b, bounds)] } else { vec![first] };
        }
        _ => {}
    }
    let every_second =
        |list: &[Lit], from: usize| list.iter().skip(from).step_by(2).copied().collect::<Vec<_>>();
    let half = max / 2;
    let d = merge(sink, &every_second(a, 0), &every_second(b, 0), half + 1, bounds);
    let e = merge(sink, &every_second(a, 1), &every_second(b, 1), half, bounds);
    let mut sorted = vec![d[0]];
    // Each following pair of outputs comes from the next element of d and the next element of e.
    for i in 0..half.max(d.len() - 1) {
        match (d.get(i + 1), e.get(i)) {
            (Some(&d), Some(&e)) => {
                sorted.push(either(sink, d, e, bounds));
                if sorted.len() < max {
                    sorted.push(both(sink, d, e, bounds));
                }
            }
            (one, other) => sorted.extend(one.or(other)),
        }
    }
    sorted.truncate(max);
    sorted
}

/// A variable that is forced true by `a` and by `b`; with both bounds, it is true iff `a` or `b` is true.
fn either(sink: &mut dyn Sink, a: Lit, b: Lit, bounds: Bounds) -> Lit {
    let output = sink.new_var().pos_lit();
    sink.clause(&[!a, output]);
    sink.clause(&[!b, output]);
    if bounds == Bounds::Both {
        sink.clause(&[a, b, !output]);
    }
    output
}

/// A variable that is forced true by `a` and `b` together; with both bounds, it is true iff both are true.
fn both(sink: &mut dyn Sink, a: Lit, b: Lit, bounds: Bounds) -> Lit {
    let output = sink.new_var().pos_lit();
    sink.clause(&[!a, !b, output]);
    if bounds == Bounds::Both {
        sink.clause(&[a, !output]);
        sink.clause(&[b, !output]);
    }
    output
}

/// New variables and clauses for `n` literals counted up to `max`.
pub(crate) fn size(n: u64, max: u64, bounds: Bounds) -> EncodingSize {
    if n < 2 || max == 0 {
        return EncodingSize::default();
    }
    let (left, right) = (n / 2, n - n / 2);
    let merge = merge_size(left.min(max), right.min(max), max, bounds);
    size(left, max, bounds) + size(right, max, bounds) + merge
}

/// New variables and clauses of [`merge`] for lists of `a` and `b` literals.
fn merge_size(a: u64, b: u64, max: u64, bounds: Bounds) -> EncodingSize {
    let (for_either, for_both) = if bounds == Bounds::Both { (3, 3) } else { (2, 1) };
    let outputs = |eithers: u64, boths: u64| EncodingSize {
        vars: eithers + boths,
        clauses: eithers * for_either + boths * for_both,
    };
    match (a, b) {
        (0, _) | (_, 0) => return EncodingSize::default(),
        (1, 1) => return outputs(1, u64::from(max > 1)),
        _ => {}
    }
    let half = max / 2;
    let d = merge_size(a.div_ceil(2), b.div_ceil(2), half + 1, bounds);
    let e = merge_size(a / 2, b / 2, half, bounds);
    let (d_len, e_len) = ((a.div_ceil(2) + b.div_ceil(2)).min(half + 1), (a / 2 + b / 2).min(half));
    let comparators = (d_len - 1).min(e_len);
    // The second output of the last comparator may be beyond `max`.
    let beyond = u64::from(comparators > 0 && 2 * comparators + 1 > max);
    d + e + outputs(comparators, comparators - beyond)
}
