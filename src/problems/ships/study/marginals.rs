//! In how many placements each cell is covered: sums over the covering automaton from both ends.
//!
//! A ship begun at a cell is part of (paths to the state before) × (paths from the state after) placements. Paths
//! from a state are summed backwards, along the same sorted lists as forwards: a transition is monotone, so the
//! targets of a list are found by one walk along the next. All layers at once would not fit into memory, so layers in
//! the middle are made again by halving (A. Griewank, *Achieving logarithmic growth of temporal and spatial
//! complexity in reverse automatic differentiation*, 1992): log₂ of the cells are held, and each is made as often.

use super::automaton::Automaton;
use super::layers::{Layer, first, step};
use super::merge::{Bucket, Key, Stream, Tally, Window};
use crate::engine::{Budget, Limit};
use crate::study::StudyOutput;
use num_traits::AsPrimitive;

/// What the layers that are held at a time may take, in bytes.
const MAX_BYTES: usize = 4 << 30;

/// How often cells are covered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marginals {
    /// Placements of the whole fleet; equal ships are told apart.
    pub placements: u128,
    /// For each cell, in the order of [`Automaton::scan`], how many of them cover it.
    pub covered: Vec<u128>,
}

/// Counts placements, and those that cover each cell; O(states × starts × log cells), a node a state and pass.
///
/// # Errors
/// The limit that was met; `Limit::Memory` past 4 GiB.
pub fn marginals(
    automaton: &Automaton,
    budget: &mut Budget,
    report: &mut dyn StudyOutput,
) -> Result<Marginals, Limit> {
    let narrow = automaton.reach + 3 <= u64::BITS && u64::try_from(automaton.bound).is_ok();
    if narrow {
        sweep::<u64, u64>(automaton, budget, report)
    } else {
        sweep::<u128, u128>(automaton, budget, report)
    }
}

fn sweep<K: Key, C: Tally + From<u8>>(
    automaton: &Automaton,
    budget: &mut Budget,
    report: &mut dyn StudyOutput,
) -> Result<Marginals, Limit>
where
    u128: AsPrimitive<K>,
{
    let cells = automaton.scan.len();
    if automaton.shapes.is_empty() {
        let placements = u128::from(!automaton.hit.contains(&true));
        return Ok(Marginals { placements, covered: vec![0; cells] });
    }
    let mut both = Both { automaton, window: Window::default(), covered: vec![0; cells], held: 0, done: 0 };
    let start = first::<K, C>(automaton);
    let none = |_| Bucket { keys: Vec::new(), counts: Vec::new() };
    let ends = (0..start.len()).map(none).collect();
    let root = both.between(0..cells, start, ends, budget, report)?;
    let paths: u128 = root[0].counts.iter().map(|&count| count.into()).sum();
    let covered = both.covered.into_iter().map(|count| count * automaton.orders).collect();
    Ok(Marginals { placements: paths * automaton.orders, covered })
}

struct Both<'a, C> {
    automaton: &'a Automaton,
    window: Window<C>,
    /// So far, by place in the scan.
    covered: Vec<u128>,
    /// States of the layers that are held.
    held: usize,
    /// Cells that the backward pass has left behind.
    done: usize,
}

impl<C: Tally + From<u8>> Both<'_, C> {
    /// From the paths to the states before the first of `cells` and the paths from those after the last, the paths
    /// from the former.
    fn between<K: Key>(
        &mut self,
        cells: std::ops::Range<usize>,
        before: Layer<K, C>,
        after: Layer<K, C>,
        budget: &mut Budget,
        report: &mut dyn StudyOutput,
    ) -> Result<Layer<K, C>, Limit>
    where
        u128: AsPrimitive<K>,
    {
        if cells.len() == 1 {
            self.done += 1;
            report.progress(format_args!("{} of {} squares", self.done, self.covered.len()));
            return self.back(cells.start, &before, &after, budget);
        }
        let middle = cells.start + cells.len() / 2;
        let mut layer = before.clone();
        for cell in cells.start..middle {
            step(self.automaton, cell, &mut layer, &mut self.window, budget)?;
        }
        let states = layer.iter().map(|bucket| bucket.keys.len()).sum::<usize>();
        self.held += states;
        if self.held > MAX_BYTES / (size_of::<K>() + size_of::<C>()) {
            return Err(Limit::Memory);
        }
        let after = self.between(middle..cells.end, layer, after, budget, report)?;
        self.held -= states;
        self.between(cells.start..middle, before, after, budget, report)
    }

    /// One cell backwards; the ships begun there are counted.
    fn back<K: Key>(
        &mut self,
        cell: usize,
        before: &Layer<K, C>,
        after: &Layer<K, C>,
        budget: &mut Budget,
    ) -> Result<Layer<K, C>, Limit>
    where
        u128: AsPrimitive<K>,
    {
        let automaton = self.automaton;
        let (whole, hits) = (before.len() - 1, automaton.hits_after(cell));
        let mut layer = Vec::with_capacity(before.len());
        for (tuple, Bucket { keys, counts }) in before.iter().enumerate() {
            budget.work.nodes += keys.len() as u64;
            budget.poll()?;
            let mut from = vec![C::default(); keys.len()];
            let stream = |add, need| Stream { keys, counts, add, forbid: add, need };
            let need = if automaton.hit[cell] { K::one() } else { K::zero() };
            along(&stream(K::zero(), need), &after[tuple], |i, paths| from[i] += paths);
            for start in &automaton.starts[cell] {
                let shape = &automaton.shapes[start.shape];
                let to = tuple + shape.stride;
                if automaton.used(tuple, shape) == shape.copies {
                    continue;
                }
                let mut ways = 0;
                let mut add = |i: usize, paths: C| {
                    from[i] += paths;
                    ways += counts[i].into() * paths.into();
                };
                if to < whole {
                    along(&stream(start.cells.as_(), K::zero()), &after[to], add);
                } else if let Some(hits) = hits {
                    // The last ship, after which nothing may be left to cover.
                    let last = stream(start.cells.as_(), (hits & !start.cells).as_());
                    let taken = keys.iter().enumerate().filter(|(_, key)| last.takes(**key));
                    taken.for_each(|(i, _)| add(i, C::from(1)));
                }
                let inside = (0..u128::BITS as usize).filter(|j| start.cells >> j & 1 == 1);
                inside.for_each(|j| self.covered[cell + j] += ways);
            }
            layer.push(Bucket { keys: keys.clone(), counts: from });
        }
        Ok(layer)
    }
}

/// Calls `found` with the number of each state that the transition takes to one of `after`, and the paths from there.
fn along<K: Key, C: Tally>(stream: &Stream<'_, K, C>, after: &Bucket<K, C>, mut found: impl FnMut(usize, C)) {
    let mut at = 0;
    for (i, &key) in stream.keys.iter().enumerate().filter(|(_, key)| stream.takes(**key)) {
        let target = stream.target(key);
        while after.keys.get(at).is_some_and(|&key| key < target) {
            at += 1;
        }
        if after.keys.get(at) == Some(&target) {
            found(i, after.counts[at]);
        }
    }
}
