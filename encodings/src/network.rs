//! Counting by a cardinality network: Batcher's odd-even merges, cut at the bound.
//!
//! O(n log² k) variables and clauses up to k: a comparator has two outputs and three clauses, six for
//! both sides. R. Asín, R. Nieuwenhuis, A. Oliveras and E. Rodríguez-Carbonell, *Cardinality Networks: a
//! Theoretical and Empirical Study*, Constraints 16 (2011), here for any number of inputs. Unit
//! propagation is complete (their theorem 9). RustSAT has none.

use crate::Sink;
use crate::cardinality::Bounds;
use rustsat::types::Lit;

/// Counts `lits` up to `most`: the first `most` of them sorted, true before false.
pub(crate) fn count<S: Sink + ?Sized>(sink: &mut S, lits: &[Lit], most: usize, sides: Bounds) -> Vec<Lit> {
    if lits.len() < 2 || most == 0 {
        return lits[..lits.len().min(most)].to_vec();
    }
    let (left, right) = lits.split_at(lits.len() / 2);
    let (a, b) = (count(sink, left, most, sides), count(sink, right, most, sides));
    merge(sink, &a, &b, most, sides)
}

/// The first `most` of two sorted rows, sorted.
fn merge<S: Sink + ?Sized>(sink: &mut S, a: &[Lit], b: &[Lit], most: usize, sides: Bounds) -> Vec<Lit> {
    match (a, b) {
        (row, []) | ([], row) => return row[..row.len().min(most)].to_vec(),
        (&[a], &[b]) => {
            let max = greater(sink, a, b, sides);
            return if most > 1 { vec![max, lesser(sink, a, b, sides)] } else { vec![max] };
        }
        _ => {}
    }
    let every_second =
        |row: &[Lit], from: usize| row.iter().skip(from).step_by(2).copied().collect::<Vec<_>>();
    let half = most / 2;
    let d = merge(sink, &every_second(a, 0), &every_second(b, 0), half + 1, sides);
    let e = merge(sink, &every_second(a, 1), &every_second(b, 1), half, sides);
    let mut sorted = vec![d[0]];
    // Of every following two one is the next of d, one of e.
    for i in 0..half.max(d.len() - 1) {
        match (d.get(i + 1), e.get(i)) {
            (Some(&d), Some(&e)) => {
                sorted.push(greater(sink, d, e, sides));
                if sorted.len() < most {
                    sorted.push(lesser(sink, d, e, sides));
                }
            }
            (one, other) => sorted.extend(one.or(other)),
        }
    }
    sorted.truncate(most);
    sorted
}

/// Forced true by either; with both sides, true iff either is.
fn greater<S: Sink + ?Sized>(sink: &mut S, a: Lit, b: Lit, sides: Bounds) -> Lit {
    let max = sink.new_var().pos_lit();
    sink.clause(&[!a, max]);
    sink.clause(&[!b, max]);
    if sides == Bounds::Both {
        sink.clause(&[a, b, !max]);
    }
    max
}

/// Forced true by both together; with both sides, true iff both are.
fn lesser<S: Sink + ?Sized>(sink: &mut S, a: Lit, b: Lit, sides: Bounds) -> Lit {
    let min = sink.new_var().pos_lit();
    sink.clause(&[!a, !b, min]);
    if sides == Bounds::Both {
        sink.clause(&[a, !min]);
        sink.clause(&[b, !min]);
    }
    min
}

/// New variables and clauses for `n` literals counted up to `most`.
pub(crate) fn size(n: u64, most: u64, sides: Bounds) -> (u64, u64) {
    if n < 2 || most == 0 {
        return (0, 0);
    }
    let (left, right) = (n / 2, n - n / 2);
    let merge = merge_size(left.min(most), right.min(most), most, sides);
    [size(left, most, sides), size(right, most, sides), merge].into_iter().fold((0, 0), add)
}

/// New variables and clauses of [`merge`] for rows of `a` and `b` literals.
fn merge_size(a: u64, b: u64, most: u64, sides: Bounds) -> (u64, u64) {
    let (for_max, for_min) = if sides == Bounds::Both { (3, 3) } else { (2, 1) };
    let outputs = |maxes: u64, mins: u64| (maxes + mins, maxes * for_max + mins * for_min);
    match (a, b) {
        (0, _) | (_, 0) => return (0, 0),
        (1, 1) => return outputs(1, u64::from(most > 1)),
        _ => {}
    }
    let half = most / 2;
    let d = merge_size(a.div_ceil(2), b.div_ceil(2), half + 1, sides);
    let e = merge_size(a / 2, b / 2, half, sides);
    let (d_len, e_len) = ((a.div_ceil(2) + b.div_ceil(2)).min(half + 1), (a / 2 + b / 2).min(half));
    let comparators = (d_len - 1).min(e_len);
    // The last comparator's second output may lie beyond the bound.
    let beyond = u64::from(comparators > 0 && 2 * comparators + 1 > most);
    [d, e, outputs(comparators, comparators - beyond)].into_iter().fold((0, 0), add)
}

fn add(a: (u64, u64), b: (u64, u64)) -> (u64, u64) {
    (a.0 + b.0, a.1 + b.1)
}
