//! Finds a coset leader by exhaustive transforms, for null spaces in which branch and bound would prune too late.
//!
//! # Algorithm
//! The basis of the null space comes in stages (`filtration.rs`) and is cut in two; its first vectors span U, the
//! others span V. The solutions are a union of 2^(dim U) cosets of V, one for each sum of basis vectors of U. A Gray
//! code enumerates these sums, so each step adds or removes one vector.
//!
//! A set of presses is written as signs, -1 for a press and 1 for none, so the fewest presses have the greatest sum of
//! signs. Squares are of the same *kind* if the same basis vectors of V contain them (`folding.rs`). For each coset,
//! the signs of the squares of each kind are added up. From these numbers, a fast Walsh–Hadamard transform
//! (`transform.rs`) computes the sums of signs of all elements of the coset at once.
//!
//! # Where the space is split
//! U ends with the first stage after which [`MIN_TRANSFORMED`] to [`MAX_TRANSFORMED`] dimensions remain. At the end of
//! a stage, many squares are changed alike by all later vectors, so V has few kinds of squares. If there is no such
//! stage, V takes the last [`TRANSFORMED`] basis vectors, or all if the basis has fewer.
//!
//! # Symmetry
//! A symmetry of a square board qualifies if it maps solutions to solutions and V to itself. Then it permutes the
//! cosets of V and preserves weights. The *code* of a coset is the bit mask of the vectors of U that are added. On
//! codes, the symmetry acts as an affine map over GF(2), an `Image`. Only the coset with the smallest code of its orbit
//! is transformed. Symmetries that do not qualify are ignored.
//!
//! # Bound and early end
//! The transform skips those parts of a block (`transform.rs`) in which no sum can exceed the best sum by at least
//! `gain`. Here `gain` is the
//! smallest possible improvement: 4 if the weights of all solutions and the weight to beat have the same parity,
//! otherwise 2. Every orbit has to be visited, so only a limit ends the search early.
//!
//! # Threads
//! Threads share the work as in `branch.rs`. The Gray code is cut into pieces of [`PIECE`] cosets. In each round,
//! [`ROUND`] pieces run in parallel, all from the same best sum, and their results are merged in order. So answers and
//! node counts do not depend on the number of threads. If a limit is reached, the pieces of that round run again one
//! after another, so that the search always stops at the same node.
//!
//! # Invariants in `Coset::all`
//! * `sums` has the sum of signs of each slot of the stage of U (`folding.rs`), after the vectors in `code` are added.
//!   A Gray step changes both `sums` and `code`.
//! * The transform destroys `folded`; `Stage::fold` refills it for each coset.
//!
//! # Complexity
//! For each start, at most 2^(dim U) transforms of O(dim V · 2^(dim V)) operations each. If all eight symmetries of a
//! square board qualify, about an eighth of these transforms are needed.

use super::folding::{MAX_DIMENSIONS, MAX_SQUARES, Stage, Sum, onto};
use super::transform::{Greatest, Transform};
use counterpoint_core::board::{Bits, Group, Size, Symmetry};
use counterpoint_core::engine::{Budget, Limit, threads};
use std::ops::Range;
use std::slice;

/// Cosets per piece.
const PIECE: u64 = 1 << 5;
/// Pieces per round.
const ROUND: usize = 1 << 7;

/// The greatest dimension of V, if U ends with a stage.
const MAX_TRANSFORMED: usize = 22;
/// The smallest dimension of V, if U ends with a stage.
const MIN_TRANSFORMED: usize = 14;
/// The dimension of V if U does not end with a stage, unless the null space is smaller.
const TRANSFORMED: usize = 20;

/// A basis of the null space, cut in two.
pub(super) struct Cosets {
    /// A basis of U.
    first: Vec<Bits>,
    /// A basis of V.
    second: Vec<Bits>,
}

impl Cosets {
    /// Splits the null space after the first stage that leaves a suitable number of dimensions. If there is none, V
    /// takes the last [`TRANSFORMED`] vectors.
    pub(super) fn new(stages: &[Vec<Bits>]) -> Self {
        let all: Vec<Bits> = stages.concat();
        let mut behind = stages.iter().scan(all.len(), |left, stage| {
            *left -= stage.len();
            Some(*left)
        });
        let suitable = behind.find(|left| (MIN_TRANSFORMED..=MAX_TRANSFORMED).contains(left));
        let second = suitable.unwrap_or(TRANSFORMED.min(all.len()));
        let (first, second) = all.split_at(all.len() - second);
        Cosets { first: first.to_vec(), second: second.to_vec() }
    }

    /// The lightest sum of one of `starts` and a null vector, or `None` if no such sum is lighter than `weight`.
    /// Ties go to the first in search order. Every transformed coset counts as a node. `progress` is called with the
    /// number of cosets done and the number of all cosets.
    ///
    /// # Errors
    /// Returns the limit that was reached, with the best set so far if it is lighter than `weight`. Returns
    /// [`Limit::Memory`] if there are more than [`MAX_DIMENSIONS`] basis vectors or more than [`MAX_SQUARES`] squares.
    pub(super) fn fewer(
        &self,
        size: Size,
        starts: &[Bits],
        weight: usize,
        budget: &mut Budget,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Option<Bits>, (Limit, Option<Bits>)> {
        let Cosets { first, second } = self;
        if first.len() + second.len() > MAX_DIMENSIONS || size.cells() > MAX_SQUARES {
            return Err((Limit::Memory, None));
        }
        let contains = |i: usize| {
            let of = second.iter().zip(0..).filter(move |(vector, _)| vector.get(i));
            of.fold(0u64, |kind, (_, k)| kind | 1 << k)
        };
        let transform = Transform::new((0..size.cells()).map(contains), second.len());
        let folding = onto(size.cells(), slice::from_ref(first), second, transform.slots());
        let even = |bits: &Bits| bits.count().is_multiple_of(2);
        let alike = starts.iter().all(|start| even(start) == weight.is_multiple_of(2));
        let gain = if alike && first.iter().chain(second).all(even) { 4 } else { 2 };
        let steps = 1u64 << first.len();
        let mut best = Best { sum: size.cells() as i32 - 2 * weight as i32, at: None };
        for (n, start) in starts.iter().enumerate() {
            let signs = folding.signs(start);
            let images = self.images(size, start);
            let piece = |steps: Range<u64>, sum, budget: &mut Budget| {
                let coset = Coset { stage: &folding.stages[0], transform: &transform, images: &images };
                coset.all(&signs, steps, Greatest { sum, gain, code: None }, budget)
            };
            let pieces: Vec<Range<u64>> =
                (0..steps).step_by(PIECE as usize).map(|first| first..steps.min(first + PIECE)).collect();
            for (round, pieces) in pieces.chunks(ROUND).enumerate() {
                progress(n as u64 * steps + (round * ROUND) as u64 * PIECE, starts.len() as u64 * steps);
                let results = threads::map(budget.threads(), pieces.len(), |i| {
                    let mut alone = budget.part(budget.left());
                    let (found, end) = piece(pieces[i].clone(), best.sum, &mut alone);
                    (found, alone.work.nodes, end)
                });
                let nodes: u64 = results.iter().map(|(_, nodes, _)| nodes).sum();
                if nodes <= budget.left() && results.iter().all(|(.., end)| end.is_ok()) {
                    budget.work.nodes += nodes;
                    results.into_iter().for_each(|(found, ..)| best.join(n, found));
                    continue;
                }
                // A limit is reached within this round. Repeat its pieces one by one to stop at a reproducible node.
                let before = best.sum;
                for steps in pieces {
                    let (found, end) = piece(steps.clone(), before, budget);
                    best.join(n, found);
                    end.map_err(|limit| (limit, self.presses(starts, &best)))?;
                }
            }
        }
        Ok(self.presses(starts, &best))
    }

    fn presses(&self, starts: &[Bits], best: &Best) -> Option<Bits> {
        let (start, first, second) = best.at?;
        let mut presses = starts[start].clone();
        for (vectors, code) in [(&self.first, first), (&self.second, second)] {
            vectors.iter().enumerate().filter(|(k, _)| code >> k & 1 == 1).for_each(|(_, v)| presses.xor(v));
        }
        Some(presses)
    }

    /// Bases of U and V.
    pub(super) fn bases(&self) -> [Vec<Bits>; 2] {
        [self.first.clone(), self.second.clone()]
    }

    /// Whether the symmetry exchanges cosets of V: it qualifies, and some coset is not its own image.
    pub(super) fn exchanges(&self, size: Size, start: &Bits, symmetry: Symmetry) -> bool {
        let image = self.image(size, start, symmetry, &Basis::new(&self.first, &self.second));
        image.is_some_and(|image| image.offset > 0 || (0..).zip(&image.columns).any(|(k, &to)| to != 1 << k))
    }

    /// How each symmetry that qualifies acts on the cosets of V; empty if the board is not square.
    fn images(&self, size: Size, start: &Bits) -> Vec<Image> {
        let basis = Basis::new(&self.first, &self.second);
        let elements = if size.width == size.height { Group::D4.elements() } else { Vec::new() };
        elements.into_iter().filter_map(|symmetry| self.image(size, start, symmetry, &basis)).collect()
    }

    /// The action of one symmetry, or `None` if the symmetry does not map solutions to solutions and V to itself.
    fn image(&self, size: Size, start: &Bits, symmetry: Symmetry, basis: &Basis) -> Option<Image> {
        let turned = |bits: &Bits| {
            let image = bits.iter().map(|i| size.index(symmetry.apply(size.width, size.cell(i))));
            Bits::from_indices(size.cells(), image)
        };
        let mut difference = turned(start);
        difference.xor(start);
        let offset = basis.code(difference)?;
        let fixes_second = self.second.iter().all(|vector| basis.code(turned(vector)) == Some(0));
        let columns = self.first.iter().map(|vector| basis.code(turned(vector))).collect::<Option<_>>()?;
        fixes_second.then_some(Image { offset, columns })
    }
}

/// The greatest sum of signs so far. A greater sum means fewer presses.
struct Best {
    sum: i32,
    /// The index of the start, and bit masks of the basis vectors of U and of V that are added to it. `None` until the
    /// search has improved on the weight to beat.
    at: Option<(usize, u64, u64)>,
}

impl Best {
    /// Takes over what was found if its sum is greater. If the sums are equal, the earlier one stays.
    fn join(&mut self, start: usize, (sum, at): Found) {
        if let (true, Some((first, second))) = (sum > self.sum, at) {
            *self = Best { sum, at: Some((start, first, second)) };
        }
    }
}

/// An affine map over GF(2) on codes, the bit masks of the added basis vectors of U.
struct Image {
    /// The image of code 0.
    offset: u64,
    /// Element k is added to the image if bit k of the code is set.
    columns: Vec<u64>,
}

impl Image {
    fn of(&self, code: u64) -> u64 {
        let columns = self.columns.iter().enumerate().filter(|(k, _)| code >> k & 1 == 1);
        columns.fold(self.offset, |image, (_, column)| image ^ column)
    }
}

/// The null space in echelon form.
struct Basis {
    /// Each vector with its first square, which later vectors do not contain, and its coordinates in U as a bit mask.
    rows: Vec<(usize, Bits, u64)>,
}

impl Basis {
    fn new(first: &[Bits], second: &[Bits]) -> Self {
        let mut basis = Basis { rows: Vec::new() };
        let coded = first.iter().enumerate().map(|(k, vector)| (vector, 1 << k));
        for (vector, code) in coded.chain(second.iter().map(|vector| (vector, 0))) {
            let (rest, code) = basis.reduce(vector.clone(), code);
            if let Some(lead) = rest.first() {
                basis.rows.push((lead, rest, code));
            }
        }
        basis
    }

    fn reduce(&self, mut vector: Bits, mut code: u64) -> (Bits, u64) {
        for (lead, row, coordinates) in &self.rows {
            if vector.get(*lead) {
                vector.xor(row);
                code ^= coordinates;
            }
        }
        (vector, code)
    }

    /// The coordinates in U of an element of the null space; `None` if the vector is not in the null space.
    fn code(&self, vector: Bits) -> Option<u64> {
        let (rest, code) = self.reduce(vector, 0);
        rest.first().is_none().then_some(code)
    }
}

/// The data that the searches of all cosets of one start share.
struct Coset<'a> {
    stage: &'a Stage,
    transform: &'a Transform,
    images: &'a [Image],
}

/// The greatest sum, and bit masks of the basis vectors of U and of V that are added to reach this sum. The masks are
/// `None` if no sum exceeded the best sum with which the search began.
type Found = (i32, Option<(u64, u64)>);

impl Coset<'_> {
    /// Searches the cosets at some steps of the Gray code.
    fn all(
        &self,
        (signs, constant): &(Vec<Sum>, i32),
        steps: Range<u64>,
        mut greatest: Greatest,
        budget: &mut Budget,
    ) -> (Found, Result<(), Limit>) {
        let mut sums = signs.clone();
        let mut code = steps.start ^ steps.start >> 1;
        (0..64).filter(|k| code >> k & 1 == 1).for_each(|k| self.stage.change(k, &mut sums));
        let mut folded = vec![0; self.stage.width];
        let mut scratch = self.transform.scratch();
        let mut at = None;
        for step in steps {
            if self.images.iter().all(|image| image.of(code) >= code) {
                if let Err(limit) = budget.node().and_then(|()| budget.poll()) {
                    return ((greatest.sum, at), Err(limit));
                }
                let (more, _) = self.stage.fold(&sums, &mut folded);
                self.transform.search(&mut folded, constant + more, &mut scratch, &mut greatest);
                at = greatest.code.take().map(|second| (code, second)).or(at);
            }
            // From step k to k + 1 the reflected Gray code changes the bit at the number of trailing zeros of k + 1.
            // After the last step that bit does not exist, so nothing changes.
            let change = (step + 1).trailing_zeros() as usize;
            if change < self.stage.changes.len() {
                self.stage.change(change, &mut sums);
                code ^= 1 << change;
            }
        }
        ((greatest.sum, at), Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::filtration::stages;
    use super::*;
    use crate::Stencil;
    use crate::search::elimination;

    /// For the all-ones board on n×n and several splits of the null space, compares the result with brute force over
    /// all solutions; on 19×19 also with OEIS A075464.
    #[test]
    fn every_split_finds_the_minimum() {
        for n in [4, 5, 9, 11, 14, 16, 19] {
            let size = Size::new(n, n);
            let all = Bits::ones(size.cells());
            let found = elimination::solutions(Stencil::Plus, size, &all, &mut Budget::unlimited()).unwrap();
            let [Some(start), _] = found.particular else { panic!("{n}") };
            let all = stages(size, &found.null).concat();
            let (mut solution, mut least) = (start.clone(), start.count());
            for step in 1u32..1 << all.len() {
                solution.xor(&all[step.trailing_zeros() as usize]);
                least = least.min(solution.count());
            }
            assert!(n != 19 || least == 141);
            for first in [0, all.len() / 2, all.len()] {
                let (a, b) = all.split_at(first);
                let cosets = Cosets { first: a.to_vec(), second: b.to_vec() };
                let starts = slice::from_ref(&start);
                let fewer = |weight: usize, budget: &mut Budget| {
                    cosets.fewer(size, starts, weight, budget, &mut |_, _| ())
                };
                let mut budget = Budget::unlimited();
                let found = fewer(start.count() + 1, &mut budget).unwrap().unwrap();
                assert_eq!(found.count(), least, "{n} {first}");
                assert_eq!(fewer(least, &mut Budget::unlimited()), Ok(None), "nothing is better");
                assert!(budget.work.nodes <= 1 << first);
                if budget.work.nodes > 3 {
                    let stopped = fewer(least, &mut Budget::of_work(3));
                    assert_eq!(stopped, Err((Limit::Work, None)));
                }
            }
        }
    }
}
