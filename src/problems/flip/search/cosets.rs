//! Fewest presses where nothing folds soon: coset by coset of a part of the null space, all sums of each at once.
//!
//! The null space is split into two parts, as stages have it. Each sum of vectors of the first part leaves a coset of
//! the second to be gone through by a transform. A symmetry of the board that maps solutions to solutions and
//! the second part to itself maps cosets to cosets with the same numbers of presses: one of each orbit is enough.

use super::folding::{MAX_DIMENSIONS, MAX_SQUARES, Stage, Sum, onto};
use super::threads;
use super::transform::{Greatest, Transform};
use crate::board::{Bits, Group, Size, Symmetry};
use crate::engine::{Budget, Limit};
use std::ops::Range;
use std::slice;

/// Cosets in a piece, and pieces in a round.
const PIECE: u64 = 1 << 5;
const ROUND: usize = 1 << 7;

/// The most and the fewest dimensions of the second part, if the stages leave a choice.
const MAX_TRANSFORMED: usize = 22;
const FEWEST_TRANSFORMED: usize = 14;
const TRANSFORMED: usize = 20;

/// A null space in two parts.
pub(super) struct Cosets {
    first: Vec<Bits>,
    second: Vec<Bits>,
}

impl Cosets {
    /// Splits a null space behind a stage if that leaves a transform of fair size.
    pub(super) fn new(stages: &[Vec<Bits>]) -> Self {
        let all: Vec<Bits> = stages.concat();
        let mut behind = stages.iter().scan(all.len(), |left, stage| {
            *left -= stage.len();
            Some(*left)
        });
        let fair = behind.find(|left| (FEWEST_TRANSFORMED..=MAX_TRANSFORMED).contains(left));
        let second = fair.unwrap_or(TRANSFORMED.min(all.len()));
        let (first, second) = all.split_at(all.len() - second);
        Cosets { first: first.to_vec(), second: second.to_vec() }
    }

    /// Presses among `starts` plus null vectors that are fewer than `weight`, as few as can be; the first in
    /// order among equals. A node a coset. `told` hears of how many cosets how many are done.
    ///
    /// # Errors
    /// The limit that was met, with the fewest so far.
    pub(super) fn fewer(
        &self,
        size: Size,
        starts: &[Bits],
        weight: usize,
        budget: &mut Budget,
        told: &mut dyn FnMut(u64, u64),
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
                told(n as u64 * steps + (round * ROUND) as u64 * PIECE, starts.len() as u64 * steps);
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
                // Somewhere in this round lies a limit: find it, piece after piece.
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

    /// What the symmetries of the board do to cosets of the second part.
    fn images(&self, size: Size, start: &Bits) -> Vec<Image> {
        let basis = Basis::new(&self.first, &self.second);
        let elements = if size.width == size.height { Group::D4.elements() } else { Vec::new() };
        elements.into_iter().filter_map(|symmetry| self.image(size, start, symmetry, &basis)).collect()
    }

    /// `None` where cosets do not go to cosets.
    fn image(&self, size: Size, start: &Bits, symmetry: Symmetry, basis: &Basis) -> Option<Image> {
        let turned = |bits: &Bits| {
            let image = bits.iter().map(|i| size.index(symmetry.apply(size.width, size.cell(i))));
            Bits::from_indices(size.cells(), image)
        };
        let mut moved = turned(start);
        moved.xor(start);
        let offset = basis.code(moved)?;
        let keeps = self.second.iter().all(|vector| basis.code(turned(vector)) == Some(0));
        let columns = self.first.iter().map(|vector| basis.code(turned(vector))).collect::<Option<_>>()?;
        keeps.then_some(Image { offset, columns })
    }
}

/// The greatest sum of signs so far: the fewest presses.
struct Best {
    sum: i32,
    /// From which start, and which vectors of the first and of the second part are added; none at first.
    at: Option<(usize, u64, u64)>,
}

impl Best {
    /// The earlier among equals.
    fn join(&mut self, start: usize, (sum, at): Found) {
        if let (true, Some((first, second))) = (sum > self.sum, at) {
            *self = Best { sum, at: Some((start, first, second)) };
        }
    }
}

/// An affine map of codes, which say what vectors of the first part are added.
struct Image {
    offset: u64,
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
    /// Each vector with its first square, which later ones lack, and its coordinates in the first part.
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

    /// The coordinates of a null vector in the first part; `None` of another vector.
    fn code(&self, vector: Bits) -> Option<u64> {
        let (rest, code) = self.reduce(vector, 0);
        rest.first().is_none().then_some(code)
    }
}

/// How a coset is gone through.
struct Coset<'a> {
    stage: &'a Stage,
    transform: &'a Transform,
    images: &'a [Image],
}

/// The greatest sum, and from which vectors of the first and the second part.
type Found = (i32, Option<(u64, u64)>);

impl Coset<'_> {
    /// Some steps through the cosets in Gray order.
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
            // Step k of the Gray code changes the coordinate of k's lowest one; the last step is none.
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
    use crate::problems::flip::Stencil;
    use crate::problems::flip::search::elimination;

    /// All lights of n×n off, the null space split anywhere, against all solutions one by one; on 19×19 also OEIS A075464.
    #[test]
    fn all_solutions_are_looked_at() {
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
