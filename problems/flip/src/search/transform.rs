//! Computes the sum of signs for every element of a space of null vectors, by a fast Walsh–Hadamard transform.
//!
//! Presses are written as signs (`folding.rs`). Two squares are of the same *kind* if the same basis vectors contain
//! them. The signs of the squares of a kind are added up, so a board becomes a list with one number per kind.
//!
//! A basis vector is either left out or added, so the list leads to two shorter lists, one for each case. Two kinds
//! that only this vector distinguishes become one. Their numbers are added in the first list and subtracted in the
//! second.
//!
//! A board has far fewer kinds than the space has elements. Therefore the first basis vectors are processed one by one,
//! over the kinds that occur. The last [`DENSE`] vectors are processed in place, over a *block* that has a number for
//! every kind that could occur. A part of a block is skipped if the sum of its absolute values is less than the value
//! to beat.

use super::folding::{Slots, Sum};

/// The number of basis vectors whose block is transformed in place.
const DENSE: usize = 10;
/// When only this many basis vectors of a block remain, the block is processed in pieces, each with its own bound.
const BOUNDED: usize = 6;

/// The kinds of squares of a space, arranged for the transform.
pub(super) struct Transform {
    /// A step for each of the first basis vectors; the other vectors belong to the block.
    halvings: Vec<Halving>,
    /// The kind of each number in the list that `search` takes: bit k says whether basis vector k contains the squares.
    /// `None` marks a number that belongs to no square.
    slots: Slots,
}

/// The step for one basis vector, which makes two shorter lists from a list: one without the vector and one
/// with it. The first numbers of the list correspond, in order, to the numbers of each shorter list. Each
/// later number has a partner among these first numbers. The later number is added to its partner in the list
/// without the vector, and subtracted from its partner in the list with the vector.
struct Halving {
    /// For each of the first numbers: -1 if the vector contains its kind and the kind has no partner, otherwise 0.
    alone: Vec<Sum>,
    /// For each of the later numbers, the index of its partner. The vector contains the kinds of the later numbers.
    partners: Vec<u32>,
}

/// Working memory of one thread: the two lists of each halving.
pub(super) struct Scratch(Vec<[Vec<Sum>; 2]>);

/// The greatest sum so far.
#[derive(Clone)]
pub(super) struct Greatest {
    /// The sum.
    pub(super) sum: i32,
    /// The least amount by which a greater sum exceeds this one.
    pub(super) gain: i32,
    /// The basis vectors that are added to reach the sum, as a bit mask; `None` if the transform did not find the sum.
    pub(super) code: Option<u64>,
}

impl Transform {
    /// Prepares the transform over a space with `vectors` basis vectors, for squares of these kinds. Bit k of a kind
    /// says whether basis vector k contains the square.
    pub(super) fn new(kinds: impl IntoIterator<Item = u64>, vectors: usize) -> Self {
        Self::with_block(kinds, vectors, DENSE.min(vectors))
    }

    fn with_block(kinds: impl IntoIterator<Item = u64>, vectors: usize, dense: usize) -> Self {
        let mut kinds: Vec<u64> = kinds.into_iter().filter(|kind| *kind > 0).collect();
        kinds.sort_unstable();
        let mut halvings = Vec::new();
        let mut slots: Slots = (0..1 << dense).map(Some).collect();
        for vector in (0..vectors - dense).rev() {
            // Returns `kind` if some square has it, counting only the vectors from `vector` on.
            let there = |kind: u64| kinds.binary_search_by_key(&kind, |k| k >> vector).ok().map(|_| kind);
            let pairs =
                slots.iter().map(|slot| slot.map_or((None, None), |k| (there(2 * k), there(2 * k + 1))));
            let pairs: Vec<(Option<u64>, Option<u64>)> = pairs.collect();
            let alone = pairs.iter().map(|pair| -Sum::from(matches!(pair, (None, Some(_))))).collect();
            let partners =
                pairs.iter().zip(0..).filter_map(|(pair, i)| pair.0.and(pair.1).map(|_| i)).collect();
            let seconds = pairs.iter().filter_map(|&(even, odd)| even.and(odd)).map(Some);
            slots = pairs.iter().map(|&(even, odd)| even.or(odd)).chain(seconds).collect();
            halvings.push(Halving { alone, partners });
        }
        halvings.reverse();
        Transform { halvings, slots }
    }

    /// The kinds in the order in which [`Transform::search`] expects their sums.
    pub(super) fn slots(&self) -> Slots {
        self.slots.clone()
    }

    /// Allocates working memory for one thread.
    pub(super) fn scratch(&self) -> Scratch {
        let lists = |halving: &Halving| [(); 2].map(|()| vec![0; halving.alone.len()]);
        Scratch(self.halvings.iter().map(lists).collect())
    }

    /// Searches all elements of the space. If the signed sum of all kinds, plus `constant`, exceeds the greatest sum so
    /// far, it becomes the greatest; among equal sums, the first stays. Overwrites `sums`. Takes at most O(vectors ·
    /// 2^vectors) operations.
    pub(super) fn search(
        &self,
        sums: &mut [Sum],
        constant: i32,
        scratch: &mut Scratch,
        greatest: &mut Greatest,
    ) {
        let mut walk = Walk { before: self.halvings.len(), constant, greatest };
        walk.descend(&self.halvings, sums, &mut scratch.0, 0);
    }
}

struct Walk<'a> {
    /// The number of basis vectors before the block.
    before: usize,
    constant: i32,
    greatest: &'a mut Greatest,
}

impl Walk<'_> {
    fn descend(&mut self, halvings: &[Halving], sums: &mut [Sum], scratch: &mut [[Vec<Sum>; 2]], code: u64) {
        let ([Halving { alone, partners }, later @ ..], [[without, with], rest @ ..]) = (halvings, scratch)
        else {
            return self.block(sums, code);
        };
        let (first, second) = sums.split_at(alone.len());
        without.copy_from_slice(first);
        for ((with, &sum), &sign) in with.iter_mut().zip(first).zip(alone) {
            *with = (sum ^ sign) - sign;
        }
        for (&sum, &i) in second.iter().zip(partners) {
            without[i as usize] += sum;
            with[i as usize] -= sum;
        }
        self.descend(later, without, rest, code);
        self.descend(later, with, rest, code | 1 << (self.before - halvings.len()));
    }

    /// Transforms a block in place. Its first number belongs to the squares that no vector of the block contains.
    fn block(&mut self, sums: &mut [Sum], code: u64) {
        let piece = sums.len().min(1 << BOUNDED);
        let mut half = sums.len() / 2;
        while half >= piece {
            if half / 2 >= piece {
                sums.chunks_exact_mut(2 * half).for_each(quarters);
                half /= 4;
            } else {
                sums.chunks_exact_mut(2 * half).for_each(halves);
                half /= 2;
            }
        }
        for (i, sums) in (0..).zip(sums.chunks_exact_mut(piece)) {
            // No remaining vector changes the sign of the first number.
            let reach: Sum = sums.iter().map(|sum| sum.abs()).sum();
            let reach = i32::from(reach - sums[0].abs() + sums[0]);
            if self.constant + reach >= self.greatest.sum + self.greatest.gain {
                let mut half = piece / 2;
                while half > 0 {
                    sums.chunks_exact_mut(2 * half).for_each(halves);
                    half /= 2;
                }
                self.keep(sums, code | (i * piece as u64) << self.before);
            }
        }
    }

    fn keep(&mut self, sums: &[Sum], code: u64) {
        for (&sum, i) in sums.iter().zip(0..) {
            let sum = self.constant + i32::from(sum);
            if sum > self.greatest.sum {
                (self.greatest.sum, self.greatest.code) = (sum, Some(code | i << self.before));
            }
        }
    }
}

/// Replaces the lower half by the sums of both halves, and the upper half by their differences.
fn halves(sums: &mut [Sum]) {
    let (low, high) = sums.split_at_mut(sums.len() / 2);
    for (a, b) in low.iter_mut().zip(high) {
        (*a, *b) = (*a + *b, *a - *b);
    }
}

/// Does the step of [`halves`] on the list, and then on each of its halves.
fn quarters(sums: &mut [Sum]) {
    let (low, high) = sums.split_at_mut(sums.len() / 2);
    let ((a, b), (c, d)) = (low.split_at_mut(low.len() / 2), high.split_at_mut(high.len() / 2));
    for (((a, b), c), d) in a.iter_mut().zip(b).zip(c).zip(d) {
        let (even, odd) = ((*a + *c, *a - *c), (*b + *d, *b - *d));
        (*a, *b, *c, *d) = (even.0 + odd.0, even.0 - odd.0, even.1 + odd.1, even.1 - odd.1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chacha20::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn the_greatest_sum_is_found_however_the_block_is_cut() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for round in 0..200 {
            let vectors = rng.random_range(1..=11);
            let squares: Vec<(u64, Sum)> = (0..rng.random_range(1..60))
                .map(|_| (rng.random_range(0..1 << vectors), rng.random_range(-4..=4)))
                .collect();
            let constant: i32 = rng.random_range(-5..=5);
            let plain = |code: u64| {
                let signed = |&(kind, sum): &(u64, Sum)| match (code & kind).count_ones() % 2 {
                    0 => i32::from(sum),
                    _ => -i32::from(sum),
                };
                constant + squares.iter().filter(|(kind, _)| *kind > 0).map(signed).sum::<i32>()
            };
            let greatest = (0..1 << vectors).map(plain).max().unwrap();
            for dense in 0..=vectors {
                let transform = Transform::with_block(squares.iter().map(|(kind, _)| *kind), vectors, dense);
                let of = |slot: &Option<u64>| {
                    let of_kind = squares.iter().filter(|(kind, _)| Some(*kind) == *slot && *kind > 0);
                    of_kind.map(|(_, sum)| *sum).sum()
                };
                let mut scratch = transform.scratch();
                let mut search = |sum| {
                    let mut sums: Vec<Sum> = transform.slots.iter().map(of).collect();
                    let mut found = Greatest { sum, gain: 1, code: None };
                    transform.search(&mut sums, constant, &mut scratch, &mut found);
                    found
                };
                let found = search(greatest - 1);
                assert_eq!(found.sum, greatest, "round {round}, {vectors} vectors, {dense} in the block");
                assert_eq!(plain(found.code.unwrap()), greatest);
                assert_eq!(search(greatest).code, None, "nothing is greater");
            }
        }
    }
}
