//! Decides whether fewer presses suffice, or whether a solution has a given number of presses: branch and bound over
//! all sums of null vectors.
//!
//! # Algorithm
//! Given one solution and a basis of the null space, every other solution is that solution plus a sum of basis vectors.
//! The search decides for one vector after another whether to add it, depth first. It tries first without the vector,
//! then with it.
//!
//! Two squares are of the same *kind* if the same remaining vectors contain them. A vector changes all squares of a
//! kind or none, so a node stores only how many squares of each kind are pressed. As vectors are decided, kinds merge:
//! at the end all squares are of one kind and its count is the number of presses.
//!
//! # Bound
//! Let a kind have s squares, c of them pressed. If some remaining vector contains the kind, then c or s - c of its
//! squares are pressed in the end: at least min(c, s - c) and at most max(c, s - c). Otherwise exactly c of its squares
//! are pressed in the end. Let the search accept solutions with `min` to `max` presses. A node is pruned if the sum of
//! the lower bounds over all kinds exceeds `max`, or if the sum of the upper bounds is less than `min`.
//!
//! If all null vectors have even weight, the numbers of presses of all solutions have the same parity, so `min` and
//! `max` are adjusted to this parity.
//!
//! # Order of the vectors
//! Every basis in every order gives the right answer; a good order makes the bound effective early. `line_by_line`
//! repeatedly picks the row or column on which the remaining space has the smallest positive rank r. The next r vectors
//! of the basis are independent on this line, and all later ones vanish there. When these r vectors have been decided,
//! the board falls apart into smaller boards.
//!
//! # Ending early
//! The search ends at the first solution that it accepts. This solution need not be the lightest.
//!
//! # Invariants
//! * `levels[k]` lists the kinds with respect to vectors k, k + 1, … in ascending order of their keys (bit j of a key
//!   says whether vector k + j contains the squares). `Kind::next` is an index into `levels[k + 1]`.
//! * `pressed[k]` holds the counts at level k of the current path. A parent overwrites `pressed[k + 1]` just before it
//!   enters a child, so the lists below the current level are stale.
//!
//! # Complexity
//! With d vectors, the search has at most 2^(d + 1) nodes. Each node takes time linear in the number of kinds, which
//! never exceeds the number of squares. This file shares no code with `search/branch.rs` and `search/folding.rs`, which
//! use the same idea.

use counterpoint_core::board::{Bits, Size};
use counterpoint_core::engine::{Budget, Limit};

/// A kind at one level: all squares that lie in the same vectors, counting only the vectors from this level on.
struct Kind {
    /// The number of squares.
    squares: u32,
    /// Whether the vector of this level contains them.
    in_vector: bool,
    /// Whether some vector from this level on contains them.
    open: bool,
    /// The index of their kind at the next level.
    next: usize,
}

impl Kind {
    /// A lower bound on how many of the squares are pressed in the end, if `pressed` of them are now.
    fn min_pressed(&self, pressed: u32) -> u32 {
        if self.open { pressed.min(self.squares - pressed) } else { pressed }
    }

    /// Like [`Kind::min_pressed`], but an upper bound.
    fn max_pressed(&self, pressed: u32) -> u32 {
        if self.open { pressed.max(self.squares - pressed) } else { pressed }
    }
}

/// A basis of the null space, and the kinds of squares at each level. At the last level no vector remains, so all
/// squares are of one kind.
pub(super) struct Search {
    basis: Vec<Bits>,
    levels: Vec<Vec<Kind>>,
}

/// The greatest number of vectors: a key has one bit for each.
pub(super) const MAX_VECTORS: usize = 63;

/// Prepares the search over all sums of these vectors on a board of this size. Linearly dependent vectors are dropped.
///
/// # Panics
/// Panics if there are more than [`MAX_VECTORS`] vectors.
pub(super) fn prepare(size: Size, vectors: Vec<Bits>) -> Search {
    assert!(vectors.len() <= MAX_VECTORS, "{} vectors", vectors.len());
    let basis = line_by_line(size, vectors);
    let level = |k: usize| {
        let mut keys: Vec<u64> = (0..size.cells()).map(|i| key(&basis, k, i)).collect();
        keys.sort_unstable();
        let mut next_keys: Vec<u64> = keys.iter().map(|key| key >> 1).collect();
        next_keys.dedup();
        let kind = |equal: &[u64]| Kind {
            squares: equal.len() as u32,
            in_vector: equal[0] & 1 == 1,
            open: equal[0] > 0,
            next: next_keys.partition_point(|&key| key < equal[0] >> 1),
        };
        keys.chunk_by(|a, b| a == b).map(kind).collect()
    };
    let levels = (0..=basis.len()).map(level).collect();
    Search { basis, levels }
}

/// The key of square `i` at a level: bit j says whether vector `level + j` contains it.
fn key(basis: &[Bits], level: usize, i: usize) -> u64 {
    basis[level..].iter().rev().fold(0, |key, vector| key << 1 | u64::from(vector.get(i)))
}

/// A basis of the space that the vectors span. Its first vectors are linearly independent on one row or column, and all
/// later vectors vanish there. The later vectors are ordered in the same way by another line, and so on. Each line is
/// one on which the vectors not yet ordered have the smallest positive rank.
fn line_by_line(size: Size, mut remaining: Vec<Bits>) -> Vec<Bits> {
    let (w, h) = (size.width as usize, size.height as usize);
    let rows = (0..h).map(|r| (r * w..(r + 1) * w).collect());
    let columns = (0..w).map(|c| (c..w * h).step_by(w).collect());
    let lines: Vec<Vec<usize>> = rows.chain(columns).collect();
    let mut basis = Vec::new();
    while !remaining.is_empty() {
        let splits = lines.iter().map(|line| split(remaining.clone(), line));
        let Some((independent, vanishing)) = splits
            .filter(|(independent, _)| !independent.is_empty())
            .min_by_key(|(independent, _)| independent.len())
        else {
            break;
        };
        basis.extend(independent);
        remaining = vanishing;
    }
    basis
}

/// Returns vectors that are linearly independent on the squares of a line, and vectors that vanish there. Together they
/// span the same space as `vectors`.
fn split(mut vectors: Vec<Bits>, line: &[usize]) -> (Vec<Bits>, Vec<Bits>) {
    let mut independent = Vec::new();
    for &square in line {
        let Some(found) = vectors.iter().position(|vector| vector.get(square)) else { continue };
        let pivot = vectors.remove(found);
        vectors.iter_mut().filter(|vector| vector.get(square)).for_each(|vector| vector.xor(&pivot));
        independent.push(pivot);
    }
    (independent, vectors)
}

impl Search {
    /// The number of presses of some solution with fewer than `n`, or `None` if there is none. The solutions are
    /// `start` plus all sums of the vectors. Every decision on a vector counts as a node.
    ///
    /// # Errors
    /// Returns the limit that was reached.
    pub(super) fn lighter_than(
        &self,
        n: usize,
        start: &Bits,
        budget: &mut Budget,
    ) -> Result<Option<u32>, Limit> {
        n.checked_sub(1).map_or(Ok(None), |max| self.weight_within(0, max, start, budget))
    }

    /// Like [`Search::lighter_than`], but for a solution with at least `min` and at most `max` presses.
    ///
    /// # Errors
    /// Returns the limit that was reached.
    pub(super) fn weight_within(
        &self,
        min: usize,
        max: usize,
        start: &Bits,
        budget: &mut Budget,
    ) -> Result<Option<u32>, Limit> {
        let (mut min, mut max) = (min, max.min(start.len()));
        // If all vectors have even weight, all solutions have the parity of `start`.
        let even = |bits: &Bits| bits.count().is_multiple_of(2);
        if self.basis.iter().all(even) {
            let parity = start.count() % 2;
            min += usize::from(min % 2 != parity);
            let Some(same) = max.checked_sub(usize::from(max % 2 != parity)) else { return Ok(None) };
            max = same;
        }
        if min > max {
            return Ok(None);
        }
        let mut pressed: Vec<Vec<u32>> = self.levels.iter().map(|kinds| vec![0; kinds.len()]).collect();
        let key_of: Vec<u64> = (0..start.len()).map(|i| key(&self.basis, 0, i)).collect();
        let mut keys = key_of.clone();
        keys.sort_unstable();
        keys.dedup();
        for i in start.iter() {
            pressed[0][keys.partition_point(|&key| key < key_of[i])] += 1;
        }
        descend(&self.levels, &mut pressed, (min as u32, max as u32), budget)
    }
}

/// Searches below a node. `levels` and `pressed` begin at its level; only `pressed[0]` is valid. Returns the number of
/// presses of some solution with at least `min` and at most `max`.
fn descend(
    levels: &[Vec<Kind>],
    pressed: &mut [Vec<u32>],
    (min, max): (u32, u32),
    budget: &mut Budget,
) -> Result<Option<u32>, Limit> {
    budget.node()?;
    let ([kinds, below @ ..], [pressed, pressed_below @ ..]) = (levels, pressed) else { return Ok(None) };
    let bound: u32 = kinds.iter().zip(&*pressed).map(|(kind, &pressed)| kind.min_pressed(pressed)).sum();
    if bound > max {
        return Ok(None);
    }
    let upper = || kinds.iter().zip(&*pressed).map(|(kind, &pressed)| kind.max_pressed(pressed)).sum::<u32>();
    if min > 0 && upper() < min {
        return Ok(None);
    }
    if below.is_empty() {
        return Ok(Some(bound));
    }
    for added in [false, true] {
        pressed_below[0].fill(0);
        for (kind, &pressed) in kinds.iter().zip(&*pressed) {
            pressed_below[0][kind.next] +=
                if added && kind.in_vector { kind.squares - pressed } else { pressed };
        }
        if let Some(found) = descend(below, pressed_below, (min, max), budget)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chacha20::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn finds_the_minimum_of_random_spaces() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for d in 0..=10 {
            let size = Size::new(rng.random_range(4..9), rng.random_range(4..9));
            let mut random =
                |p: f64| Bits::from_indices(size.cells(), (0..size.cells()).filter(|_| rng.random_bool(p)));
            let start = random(0.5);
            // Sparse vectors leave many squares of the same kind. The vectors may be linearly dependent.
            let vectors: Vec<Bits> = (0..d).map(|k| random(if k < 5 { 0.1 } else { 0.5 })).collect();
            let (mut sum, mut minimum) = (start.clone(), start.count());
            let mut weights = vec![false; size.cells() + 2];
            weights[minimum] = true;
            for step in 1u64..1 << d {
                sum.xor(&vectors[step.trailing_zeros() as usize]);
                minimum = minimum.min(sum.count());
                weights[sum.count()] = true;
            }
            let search = prepare(size, vectors);
            let lighter = |n| search.lighter_than(n, &start, &mut Budget::unlimited()).unwrap();
            for (weight, &occurs) in weights.iter().enumerate() {
                let found = search.weight_within(weight, weight, &start, &mut Budget::unlimited()).unwrap();
                assert_eq!(found, occurs.then_some(weight as u32), "{d}");
            }
            assert_eq!(lighter(minimum), None, "{d}");
            assert_eq!(lighter(minimum + 1), Some(minimum as u32), "{d}");
            assert!(
                lighter(start.count() + 1)
                    .is_some_and(|found| (minimum..=start.count()).contains(&(found as usize)))
            );
            assert!(
                minimum == 0
                    || search.lighter_than(minimum + 1, &start, &mut Budget::of_work(1)) == Err(Limit::Work)
                    || d == 0
            );
        }
    }
}
