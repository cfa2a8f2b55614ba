//! Counts the placements that cover each cell, by the forward-backward algorithm on the covering automaton.
//!
//! The number of placements that start a certain ship at a cell is a sum over the states before that cell: (paths to
//! the state) × (paths from the target of the transition to the end). The backward pass uses the same sorted lists as
//! the forward pass. Transitions are monotone, so one walk along the next layer finds all targets of a list.
//!
//! All layers together would not fit into memory, so the backward pass recomputes them by recursive bisection
//! (checkpointing; A. Griewank, *Achieving logarithmic growth of temporal and spatial complexity in reverse automatic
//! differentiation*, 1992). About log₂(cells) layers are stored at a time, and each layer is computed about log₂(cells)
//! times.

use super::automaton::Automaton;
use super::layers::{Layer, advance, initial};
use super::merge::{Bucket, Key, Stream, Tally, Window};
use counterpoint_core::engine::{Budget, Limit};
use counterpoint_core::study::StudyOutput;
use num_traits::AsPrimitive;

/// Maximum size of the layers that are stored at a time, in bytes.
const MAX_BYTES: usize = 4 << 30;

/// The number of placements, in total and for each cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marginals {
    /// Number of placements of the whole fleet. Equal ships are distinguished.
    pub placements: u128,
    /// For each cell, in the order of [`Automaton::scan`], the number of placements that cover it.
    pub covered: Vec<u128>,
}

/// Counts all placements, and those that cover each cell. O(states × starts × log cells); counts one node for each
/// state and pass.
///
/// # Errors
/// Returns the limit of the budget that was reached, or `Limit::Memory` if more than 4 GiB of layers would be stored.
pub fn marginals(
    automaton: &Automaton,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<Marginals, Limit> {
    let narrow = automaton.reach + 3 <= u64::BITS && u64::try_from(automaton.bound).is_ok();
    if narrow {
        sweep::<u64, u64>(automaton, budget, output)
    } else {
        sweep::<u128, u128>(automaton, budget, output)
    }
}

fn sweep<K: Key, C: Tally + From<u8>>(
    automaton: &Automaton,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<Marginals, Limit>
where
    u128: AsPrimitive<K>,
{
    let cells = automaton.scan.len();
    if automaton.shapes.is_empty() {
        let placements = u128::from(!automaton.hit.contains(&true));
        return Ok(Marginals { placements, covered: vec![0; cells] });
    }
    let window = Window::default();
    let mut sweep = Sweep { automaton, window, covered: vec![0; cells], stored_states: 0, done: 0 };
    let before = initial::<K, C>(automaton);
    let none = |_| Bucket { keys: Vec::new(), counts: Vec::new() };
    let after = (0..before.len()).map(none).collect();
    let root = sweep.between(0..cells, before, after, budget, output)?;
    let paths: u128 = root[0].counts.iter().map(|&count| count.into()).sum();
    let covered = sweep.covered.into_iter().map(|count| count * automaton.orders).collect();
    Ok(Marginals { placements: paths * automaton.orders, covered })
}

/// What the forward pass and the backward pass share.
struct Sweep<'a, C> {
    automaton: &'a Automaton,
    window: Window<C>,
    /// Number of paths that cover each cell, as far as the backward pass has come; by position in the scan.
    covered: Vec<u128>,
    /// Number of states of all layers that are stored.
    stored_states: usize,
    /// Number of cells that the backward pass has finished.
    done: usize,
}

impl<C: Tally + From<u8>> Sweep<'_, C> {
    /// Returns the states before the first of `cells`, with the number of paths from each state to the end. `before`
    /// has the same states with the number of paths to each. `after` has the states after the last of `cells`, with the
    /// number of paths from each to the end.
    fn between<K: Key>(
        &mut self,
        cells: std::ops::Range<usize>,
        before: Layer<K, C>,
        after: Layer<K, C>,
        budget: &mut Budget,
        output: &mut dyn StudyOutput,
    ) -> Result<Layer<K, C>, Limit>
    where
        u128: AsPrimitive<K>,
    {
        if cells.len() == 1 {
            self.done += 1;
            output.steps((self.done as u64, self.covered.len() as u64), format_args!("squares"));
            return self.backward(cells.start, &before, &after, budget);
        }
        let middle = cells.start + cells.len() / 2;
        let mut layer = before.clone();
        for cell in cells.start..middle {
            advance(self.automaton, cell, &mut layer, &mut self.window, budget)?;
        }
        let states = layer.iter().map(|bucket| bucket.keys.len()).sum::<usize>();
        self.stored_states += states;
        if self.stored_states > MAX_BYTES / (size_of::<K>() + size_of::<C>()) {
            return Err(Limit::Memory);
        }
        let after = self.between(middle..cells.end, layer, after, budget, output)?;
        self.stored_states -= states;
        self.between(cells.start..middle, before, after, budget, output)
    }

    /// Goes back over `cell`: returns the states before the cell with the number of paths from each to the end. For
    /// each ship that starts at the cell, adds its paths to `covered`.
    fn backward<K: Key>(
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
            let mut paths_from = vec![C::default(); keys.len()];
            let stream = |add, need| Stream { keys, counts, add, forbid: add, need };
            let need = if automaton.hit[cell] { K::one() } else { K::zero() };
            for_targets(&stream(K::zero(), need), &after[tuple], |i, paths| paths_from[i] += paths);
            for start in &automaton.starts[cell] {
                let shape = &automaton.shapes[start.shape];
                let to = tuple + shape.stride;
                if automaton.used(tuple, shape) == shape.copies {
                    continue;
                }
                let mut through = 0;
                let mut add = |i: usize, paths: C| {
                    paths_from[i] += paths;
                    through += counts[i].into() * paths.into();
                };
                if to < whole {
                    for_targets(&stream(start.cells.as_(), K::zero()), &after[to], add);
                } else if let Some(hits) = hits {
                    // The last ship must cover all remaining hits.
                    let last = stream(start.cells.as_(), (hits & !start.cells).as_());
                    let taken = keys.iter().enumerate().filter(|(_, key)| last.takes(**key));
                    taken.for_each(|(i, _)| add(i, C::from(1)));
                }
                let inside = (0..u128::BITS as usize).filter(|j| start.cells >> j & 1 == 1);
                inside.for_each(|j| self.covered[cell + j] += through);
            }
            layer.push(Bucket { keys: keys.clone(), counts: paths_from });
        }
        Ok(layer)
    }
}

/// For each state whose target is in `after`, calls `found` with the index of the state and the number of paths from
/// the target.
fn for_targets<K: Key, C: Tally>(
    stream: &Stream<'_, K, C>,
    after: &Bucket<K, C>,
    mut found: impl FnMut(usize, C),
) {
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
