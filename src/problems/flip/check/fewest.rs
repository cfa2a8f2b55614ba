//! Whether fewer presses do: all sums of null vectors, each added or not, as long as a bound allows.
//!
//! Squares that all vectors still to come contain alike change together: of s such squares with c pressed,
//! in the end c or s - c are pressed, and if no vector to come contains them, c. So at least the sum of the
//! lesser numbers is pressed. Any basis in any order is right; it is soon decided if the vectors come first
//! that one row or column tells apart, for those to come vanish there, and the board falls apart.

use crate::board::{Bits, Size};
use crate::engine::{Budget, Limit};

/// Squares that all vectors from some place on contain alike.
struct Kind {
    squares: u32,
    /// Whether the vector at that place contains them.
    turned: bool,
    /// Whether any vector from there on does.
    open: bool,
    /// The kind that they belong to from the next place on.
    next: usize,
}

impl Kind {
    /// How many of the squares are pressed in the end, at least, if `pressed` are now.
    fn least(&self, pressed: u32) -> u32 {
        if self.open { pressed.min(self.squares - pressed) } else { pressed }
    }
}

/// A basis of null vectors, and the kinds of squares at each place of it; at its end all are of one kind.
pub(super) struct Sums {
    basis: Vec<Bits>,
    kinds: Vec<Vec<Kind>>,
}

/// The most vectors: a word says which of them contain a square.
pub(super) const MAX_VECTORS: usize = 63;

/// Prepares all sums of independent vectors on a board of that size. Panics if they are too many.
pub(super) fn sums(size: Size, vectors: Vec<Bits>) -> Sums {
    assert!(vectors.len() <= MAX_VECTORS, "{} vectors", vectors.len());
    let basis = in_order(size, vectors);
    let place = |k: usize| {
        let mut keys: Vec<u64> = (0..size.cells()).map(|i| contained_from(&basis, k, i)).collect();
        keys.sort_unstable();
        let mut later: Vec<u64> = keys.iter().map(|key| key >> 1).collect();
        later.dedup();
        let kind = |alike: &[u64]| Kind {
            squares: alike.len() as u32,
            turned: alike[0] & 1 == 1,
            open: alike[0] > 0,
            next: later.partition_point(|&key| key < alike[0] >> 1),
        };
        keys.chunk_by(|a, b| a == b).map(kind).collect()
    };
    let kinds = (0..=basis.len()).map(place).collect();
    Sums { basis, kinds }
}

/// Which vectors from number `first` on contain square `i`, a bit each.
fn contained_from(basis: &[Bits], first: usize, i: usize) -> u64 {
    basis[first..].iter().rev().fold(0, |key, vector| key << 1 | u64::from(vector.get(i)))
}

/// A basis of the same space: again and again those that are told apart by a row or column, one that
/// tells apart fewest but some; what is left vanishes on it.
fn in_order(size: Size, mut left: Vec<Bits>) -> Vec<Bits> {
    let (w, h) = (size.width as usize, size.height as usize);
    let rows = (0..h).map(|r| (r * w..(r + 1) * w).collect());
    let columns = (0..w).map(|c| (c..w * h).step_by(w).collect());
    let lines: Vec<Vec<usize>> = rows.chain(columns).collect();
    let mut basis = Vec::new();
    while !left.is_empty() {
        let parted = lines.iter().map(|line| told_apart(left.clone(), line));
        let Some((told, rest)) =
            parted.filter(|(told, _)| !told.is_empty()).min_by_key(|(told, _)| told.len())
        else {
            break;
        };
        basis.extend(told);
        left = rest;
    }
    basis
}

/// Elimination on the squares of a line: vectors that are independent there, and others that vanish there.
fn told_apart(mut left: Vec<Bits>, line: &[usize]) -> (Vec<Bits>, Vec<Bits>) {
    let mut told = Vec::new();
    for &square in line {
        let Some(found) = left.iter().position(|vector| vector.get(square)) else { continue };
        let pivot = left.remove(found);
        left.iter_mut().filter(|vector| vector.get(square)).for_each(|vector| vector.xor(&pivot));
        told.push(pivot);
    }
    (told, left)
}

impl Sums {
    /// The presses of some sum with `start` that are fewer than `n`; none if no sum has so few. A node a
    /// vector added or left.
    ///
    /// # Errors
    /// The limit that was met.
    pub(super) fn fewer(&self, start: &Bits, n: usize, budget: &mut Budget) -> Result<Option<u32>, Limit> {
        // Vectors of even numbers of squares leave it even or odd how many are pressed.
        let even = |bits: &Bits| bits.count().is_multiple_of(2);
        let step = if self.basis.iter().all(even) && even(start) == n.is_multiple_of(2) { 2 } else { 1 };
        let Some(most) = n.checked_sub(step) else { return Ok(None) };
        let mut pressed: Vec<Vec<u32>> = self.kinds.iter().map(|kinds| vec![0; kinds.len()]).collect();
        let mut keys: Vec<u64> = (0..start.len()).map(|i| contained_from(&self.basis, 0, i)).collect();
        let of_square = keys.clone();
        keys.sort_unstable();
        keys.dedup();
        for i in start.iter() {
            pressed[0][keys.partition_point(|&key| key < of_square[i])] += 1;
        }
        go_on(&self.kinds, &mut pressed, most as u32, budget)
    }
}

/// Adds the next vector or leaves it, given how many squares of each kind are pressed at its place.
fn go_on(
    kinds: &[Vec<Kind>],
    pressed: &mut [Vec<u32>],
    most: u32,
    budget: &mut Budget,
) -> Result<Option<u32>, Limit> {
    budget.node()?;
    let ([here, later @ ..], [pressed, rest @ ..]) = (kinds, pressed) else { return Ok(None) };
    let least: u32 = here.iter().zip(&*pressed).map(|(kind, &pressed)| kind.least(pressed)).sum();
    if least > most {
        return Ok(None);
    }
    if later.is_empty() {
        return Ok(Some(least));
    }
    for added in [false, true] {
        rest[0].fill(0);
        for (kind, &pressed) in here.iter().zip(&*pressed) {
            rest[0][kind.next] += if added && kind.turned { kind.squares - pressed } else { pressed };
        }
        if let Some(found) = go_on(later, rest, most, budget)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn the_least_of_random_spaces_and_no_less() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for d in 0..=10 {
            let size = Size::new(rng.random_range(4..9), rng.random_range(4..9));
            let mut random =
                |p: f64| Bits::from_indices(size.cells(), (0..size.cells()).filter(|_| rng.random_bool(p)));
            let start = random(0.5);
            // Sparse vectors leave many squares alike; vectors that depend on each other are no basis.
            let vectors: Vec<Bits> = (0..d).map(|k| random(if k < 5 { 0.1 } else { 0.5 })).collect();
            let (mut sum, mut least) = (start.clone(), start.count());
            for step in 1u64..1 << d {
                sum.xor(&vectors[step.trailing_zeros() as usize]);
                least = least.min(sum.count());
            }
            let sums = sums(size, vectors);
            let fewer = |n| sums.fewer(&start, n, &mut Budget::unlimited()).unwrap();
            assert_eq!(fewer(least), None, "{d}");
            assert_eq!(fewer(least + 1), Some(least as u32), "{d}");
            assert!(
                fewer(start.count() + 1)
                    .is_some_and(|found| (least..=start.count()).contains(&(found as usize)))
            );
            assert!(
                least == 0
                    || sums.fewer(&start, least + 1, &mut Budget::of_work(1)) == Err(Limit::Work)
                    || d == 0
            );
        }
    }
}
