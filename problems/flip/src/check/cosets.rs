//! Decides whether fewer presses suffice on a board whose null space is too large for `fewest.rs`: examines all
//! solutions, list by list.
//!
//! # Algorithm
//! A certificate gives a basis of the null space, in two parts. A *coset* consists of one solution plus all sums of
//! vectors of the second part; there is one coset for each sum of vectors of the first part.
//!
//! Write the presses of a solution as signs: -1 for a press, 1 for none. With n squares and w presses, the signs sum to
//! n - 2w. Squares are of the same *kind* if the same vectors of the second part contain them. A coset is stored as a
//! list with the sum of signs of each kind. One vector after another is decided: a list leads to two shorter lists, one
//! without and one with the vector. Two kinds that only this vector distinguishes become one. Their numbers are added
//! in the list without the vector and subtracted in the list with it. The single number that remains after the last
//! vector is the sum of all signs.
//!
//! The kind that no remaining vector contains is number 0 of its list. Vectors do not change its sign, so the final
//! number is at most number 0 plus the sum of the absolute values of the others. A list for which this sum does not
//! reach the goal is dropped. If no list were dropped, the final numbers would be a Walsh–Hadamard transform.
//!
//! No sum of absolute values exceeds the number of squares, so nothing overflows. Additions are written as wrapping ones
//! because tests of overflow would make them ten times slower in a build with such tests.
//!
//! # Symmetry
//! A [`Symmetry`] turns solutions into solutions with as many presses. If it maps the span of the second part to
//! itself, it permutes the cosets, and one of each two that it exchanges is examined. All of this is verified.
//!
//! # Complexity
//! With v vectors in the second part, a coset takes at most about v · 2^v additions. This file shares no code with
//! `search/cosets.rs` and `search/transform.rs`, which use the same idea.

use super::suffice;
use counterpoint_core::board::{Bits, Cell, Size};
use counterpoint_core::claim::Status;
use counterpoint_core::engine::{Budget, Limit, Stop, threads};
use std::collections::{BTreeMap, BTreeSet};

/// The greatest number of vectors of each part.
pub(super) const MAX_PART: usize = 40;
/// The greatest number of squares: an [`i16`] holds the sum of their signs.
pub(super) const MAX_SQUARES: usize = i16::MAX as usize;
/// Cosets from one test of the limits to the next.
const ROUND: u64 = 1 << 8;
/// Cosets that a thread takes at a time.
const PIECE: usize = 1 << 3;
/// A list counts as a node if this many vectors remain to be decided.
const METERED: usize = 22;

/// A basis of the null space, in two parts.
pub(super) struct Parts {
    size: Size,
    first: Vec<Bits>,
    second: Vec<Bits>,
    /// The steps of the vectors of the second part, in order.
    steps: Vec<Step>,
    /// The place of each square in the first list.
    place: Vec<usize>,
    /// The length of the first list.
    places: usize,
}

/// The step of a vector: how a list becomes a list without the vector and a list with it. The first numbers of the list
/// belong, in order, to the numbers of the new lists. Each later number belongs to a kind that contains the vector, and
/// has a partner among the first numbers: the kind that the vector alone distinguishes from it.
struct Step {
    /// For each of the first numbers: -1 if its kind contains the vector, otherwise 1.
    signs: Vec<i16>,
    /// For each of the later numbers, the place of its partner.
    partners: Vec<usize>,
}

/// Prepares the lists. The vectors must be linearly independent.
///
/// # Panics
/// Panics if a part has more than [`MAX_PART`] vectors or the board more than [`MAX_SQUARES`] squares.
pub(super) fn prepare(size: Size, first: Vec<Bits>, second: Vec<Bits>) -> Parts {
    assert!(
        first.len() <= MAX_PART && second.len() <= MAX_PART,
        "{} + {} vectors",
        first.len(),
        second.len()
    );
    assert!(size.cells() <= MAX_SQUARES, "{size}");
    let kind = |i: usize| (0..second.len()).fold(0u64, |kind, k| kind | u64::from(second[k].get(i)) << k);
    let kinds: Vec<u64> = (0..size.cells()).map(kind).collect();
    // Kinds in the order of the list: first of the list after the last vector, then of the list before it, and so on.
    let mut order = vec![0];
    let mut steps = Vec::new();
    for vector in (0..second.len()).rev() {
        let here: BTreeSet<u64> = kinds.iter().map(|kind| kind >> vector).chain([0]).collect();
        let pairs: Vec<[Option<u64>; 2]> =
            order.iter().map(|kind| [2 * kind, 2 * kind + 1].map(|kind| here.get(&kind).copied())).collect();
        let signs = pairs.iter().map(|[without, _]| if without.is_some() { 1 } else { -1 }).collect();
        let is_both = |pair: &[Option<u64>; 2]| pair.iter().all(Option::is_some);
        let partners = (0..pairs.len()).filter(|&i| is_both(&pairs[i])).collect();
        let later = pairs.iter().filter(|pair| is_both(pair)).filter_map(|[_, with]| *with);
        order = pairs.iter().filter_map(|[without, with]| without.or(*with)).chain(later).collect();
        steps.push(Step { signs, partners });
    }
    steps.reverse();
    let places: BTreeMap<u64, usize> = order.into_iter().zip(0..).collect();
    let place = kinds.iter().map(|kind| places[kind]).collect();
    Parts { size, first, second, steps, place, places: places.len() }
}

/// A symmetry of a square board that is its own inverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symmetry {
    /// Exchanges rows and columns.
    Diagonal,
    /// Reverses each row.
    Mirror,
}

/// The symmetry maps the second part outside its span, or does not map solutions to solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoSymmetry;

/// What a symmetry does to the cosets: bit masks of the vectors of the first part. Coset `code` goes to the sum of the
/// first mask and the masks of the bits of `code`.
pub(super) struct Image(u64, Vec<u64>);

impl Image {
    fn of(&self, code: u64) -> u64 {
        (0..self.1.len()).filter(|k| code >> k & 1 == 1).fold(self.0, |image, k| image ^ self.1[k])
    }
}

impl Parts {
    /// What the symmetry does to the cosets of `start`.
    ///
    /// # Errors
    /// Returns [`NoSymmetry`] if it does not permute them.
    pub(super) fn image(&self, symmetry: Symmetry, start: &Bits) -> Result<Image, NoSymmetry> {
        // The basis in echelon form: each vector with a square that later vectors do not contain, and the vectors of
        // the basis of which it is the sum, those of the first part in the lower bits.
        let mut echelon: Vec<(usize, Bits, u128)> = Vec::new();
        let reduce = |echelon: &[(usize, Bits, u128)], mut vector: Bits, mut mask: u128| {
            for (lead, row, of) in echelon {
                if vector.get(*lead) {
                    vector.xor(row);
                    mask ^= of;
                }
            }
            (vector, mask)
        };
        for (vector, k) in self.first.iter().chain(&self.second).zip(0..) {
            let (rest, mask) = reduce(&echelon, vector.clone(), 1 << k);
            let lead = rest.first().ok_or(NoSymmetry)?;
            echelon.push((lead, rest, mask));
        }
        let code = |vector: Bits| {
            let (rest, mask) = reduce(&echelon, vector, 0);
            let part = mask & ((1 << self.first.len()) - 1);
            rest.first().map_or(Ok(part as u64), |_| Err(NoSymmetry))
        };
        let turned = |bits: &Bits| {
            let image = |i: usize| {
                let Cell { row, col } = self.size.cell(i);
                self.size.index(match symmetry {
                    Symmetry::Diagonal => Cell::new(col, row),
                    Symmetry::Mirror => Cell::new(row, self.size.width - 1 - col),
                })
            };
            Bits::from_indices(bits.len(), bits.iter().map(image))
        };
        if self.size.width != self.size.height {
            return Err(NoSymmetry);
        }
        for vector in &self.second {
            if code(turned(vector))? != 0 {
                return Err(NoSymmetry);
            }
        }
        let columns = self.first.iter().map(|vector| code(turned(vector))).collect::<Result<_, _>>()?;
        let mut difference = turned(start);
        difference.xor(start);
        Ok(Image(code(difference)?, columns))
    }

    /// Searches all solutions, `start` plus the sums of both parts, for one with fewer than `total` presses. Each coset
    /// counts as a node, even if the symmetry makes its examination needless, and so does each list for which
    /// [`METERED`] vectors remain.
    pub(super) fn no_fewer(
        &self,
        start: &Bits,
        total: usize,
        image: Option<&Image>,
        budget: &mut Budget,
    ) -> Status {
        let cells = self.size.cells() as i64;
        // If all vectors have an even number of squares, all solutions have the parity of `start`.
        let even = |bits: &Bits| bits.count().is_multiple_of(2);
        let all_even = self.first.iter().chain(&self.second).all(even);
        let fewer = match total.checked_sub(1) {
            None => return Status::Recomputed,
            Some(fewer) if all_even && fewer % 2 != start.count() % 2 => fewer as i64 - 1,
            Some(fewer) => fewer as i64,
        };
        let goal = i16::try_from(cells - 2 * fewer).unwrap_or(i16::MIN);
        let is_least = |code: &u64| image.is_none_or(|image| *code <= image.of(*code));
        let all = 1u64 << self.first.len();
        for done in (0..all).step_by(ROUND as usize) {
            let open = |limit| Status::Open(unfinished(limit, done, all));
            let codes = done..all.min(done + ROUND);
            if let Err(limit) = codes.clone().try_for_each(|_| budget.node()).and_then(|()| budget.poll()) {
                return open(limit);
            }
            let round: Vec<u64> = codes.filter(is_least).collect();
            let pieces: Vec<&[u64]> = round.chunks(PIECE).collect();
            let (stop, left) = (budget.stop(), budget.left());
            let results = threads::map(budget.threads(), pieces.len(), |i| {
                let mut meter = Meter { nodes: 0, left, stop: &stop };
                (self.piece(start, pieces[i], goal, &mut meter), meter.nodes)
            });
            for (found, nodes) in results {
                match found {
                    Ok(None) => {}
                    Ok(Some(sum)) => {
                        return Status::Failed(suffice(((cells - i64::from(sum)) / 2) as u32, ""));
                    }
                    Err(limit) => return open(limit),
                }
                if let Err(limit) = (0..nodes).try_for_each(|_| budget.node()) {
                    return open(limit);
                }
            }
        }
        Status::Recomputed
    }

    /// A sum of signs of at least `goal` in one of these cosets.
    fn piece(
        &self,
        start: &Bits,
        codes: &[u64],
        goal: i16,
        meter: &mut Meter<'_>,
    ) -> Result<Option<i16>, Limit> {
        let mut lists: Vec<[Vec<i16>; 2]> =
            self.steps.iter().map(|step| [(); 2].map(|()| vec![0; step.signs.len()])).collect();
        for code in codes {
            let mut presses = start.clone();
            (0..self.first.len()).filter(|k| code >> k & 1 == 1).for_each(|k| presses.xor(&self.first[k]));
            let mut list = vec![0; self.places];
            for (i, &place) in self.place.iter().enumerate() {
                list[place] += if presses.get(i) { -1 } else { 1 };
            }
            let found = search(&self.steps, &mut lists, &list, goal, meter)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }
}

/// Counts the nodes of a piece. A thread cannot count in the budget itself.
struct Meter<'a> {
    nodes: u64,
    /// The nodes that were left when the round began.
    left: u64,
    stop: &'a Stop,
}

impl Meter<'_> {
    fn node(&mut self) -> Result<(), Limit> {
        self.nodes += 1;
        match (self.stop)() {
            Some(limit) => Err(limit),
            None if self.nodes > self.left => Err(Limit::Work),
            None => Ok(()),
        }
    }
}

fn unfinished(limit: Limit, done: u64, all: u64) -> String {
    format!("{limit}; no solution has fewer in {done} of {all} cosets")
}

/// Decides the vectors of these steps. Returns a final number that is at least `goal`.
fn search(
    steps: &[Step],
    lists: &mut [[Vec<i16>; 2]],
    list: &[i16],
    goal: i16,
    meter: &mut Meter<'_>,
) -> Result<Option<i16>, Limit> {
    let Some((constant, others)) = list.split_first() else { return Ok(None) };
    let others = others.iter().fold(0i16, |sum, number| sum.wrapping_add(number.wrapping_abs()));
    if constant.wrapping_add(others) < goal {
        return Ok(None);
    }
    if steps.len() == METERED {
        meter.node()?;
    }
    let ([step, steps @ ..], [[without, with], lists @ ..]) = (steps, lists) else {
        return Ok(Some(*constant));
    };
    let (first, later) = list.split_at(step.signs.len());
    without.copy_from_slice(first);
    for ((with, number), sign) in with.iter_mut().zip(first).zip(&step.signs) {
        *with = number.wrapping_mul(*sign);
    }
    for (number, &partner) in later.iter().zip(&step.partners) {
        without[partner] = without[partner].wrapping_add(*number);
        with[partner] = with[partner].wrapping_sub(*number);
    }
    match search(steps, lists, without, goal, meter)? {
        None => search(steps, lists, with, goal, meter),
        found => Ok(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chacha20::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    /// The fewest presses of all sums, by enumeration.
    fn fewest(start: &Bits, vectors: &[Bits]) -> usize {
        let mut sum = start.clone();
        let mut fewest = sum.count();
        for step in 1u64..1 << vectors.len() {
            sum.xor(&vectors[step.trailing_zeros() as usize]);
            fewest = fewest.min(sum.count());
        }
        fewest
    }

    #[test]
    fn finds_the_minimum_of_random_spaces_however_they_are_split() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        for d in [0, 1, 2, 5, 9, 13, 14] {
            let size = Size::new(rng.random_range(5..9), rng.random_range(5..9));
            let mut random =
                |p: f64| Bits::from_indices(size.cells(), (0..size.cells()).filter(|_| rng.random_bool(p)));
            let start = random(0.5);
            let vectors: Vec<Bits> = (0..d).map(|k| random(if k < 5 { 0.1 } else { 0.5 })).collect();
            let minimum = fewest(&start, &vectors);
            for first in (0..=d).step_by(3) {
                let (a, b) = vectors.split_at(first);
                let parts = prepare(size, a.to_vec(), b.to_vec());
                let unlimited = || Budget::unlimited();
                assert_eq!(parts.no_fewer(&start, minimum, None, &mut unlimited()), Status::Recomputed);
                let found = parts.no_fewer(&start, minimum + 1, None, &mut unlimited());
                assert_eq!(found, Status::Failed(suffice(minimum as u32, "")), "{d} {first}");
                let cosets = 1u64 << first;
                let end = parts.no_fewer(&start, minimum, None, &mut Budget::of_work(cosets - 1));
                let done = (cosets - 1) / ROUND * ROUND;
                assert_eq!(end, Status::Open(unfinished(Limit::Work, done, cosets)));
            }
        }
    }

    #[test]
    fn many_cosets_and_large_cosets_end_with_the_budget() {
        let size = Size::new(8, 8);
        let vector = |i: usize| Bits::from_indices(64, [i, i + 1]);
        let vectors: Vec<Bits> = (0..MAX_PART).map(vector).collect();
        let start = Bits::from_indices(64, [0]);
        let end = |first: &[Bits], second: &[Bits], image: Option<&Image>, max: u64| {
            let parts = prepare(size, first.to_vec(), second.to_vec());
            parts.no_fewer(&start, 1, image, &mut Budget::of_work(max))
        };
        let all = 1 << MAX_PART;
        assert_eq!(end(&vectors, &[], None, 600), Status::Open(unfinished(Limit::Work, 512, all)));
        // Of each two cosets, one is skipped.
        let exchange = Image(1, (0..MAX_PART).map(|k| 1 << k).collect());
        let exchanged = end(&vectors, &[], Some(&exchange), 600);
        assert_eq!(exchanged, Status::Open(unfinished(Limit::Work, 512, all)));
        // A single large coset: no kinds are alike, so no list is dropped before the limit.
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let size = Size::new(12, 12);
        let mut random = || Bits::from_indices(144, (0..144).filter(|_| rng.random_bool(0.5)));
        let parts = prepare(size, Vec::new(), (0..MAX_PART).map(|_| random()).collect());
        let end = parts.no_fewer(&random(), 10, None, &mut Budget::of_work(1));
        assert_eq!(end, Status::Open(unfinished(Limit::Work, 0, 1)));
    }
}
