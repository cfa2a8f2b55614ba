//! The states of the covering automaton (see `automaton.rs`), one layer for each cut, with the number of paths to each
//! state.

use super::automaton::{Automaton, Shape, Start};
use super::merge::{Bucket, Key, Stream, Tally, Window};
use counterpoint_core::engine::{Budget, Limit};
use num_traits::AsPrimitive;

/// Maximum size of a layer while it is advanced to the next cut, in bytes.
pub const MAX_BYTES: usize = 2 << 30;

/// The states at one cut, by tuple. States that have used the whole fleet are not stored.
pub type Layer<K, C> = Vec<Bucket<K, C>>;

/// The layer before the first cell: nothing is covered, and no ship is used.
pub fn initial<K: Key, C: Tally + From<u8>>(automaton: &Automaton) -> Layer<K, C> {
    let mut layer: Layer<K, C> = Vec::new();
    layer.resize_with(automaton.tuples(), || Bucket { keys: Vec::new(), counts: Vec::new() });
    layer[0] = Bucket { keys: vec![K::zero()], counts: vec![C::from(1)] };
    layer
}

/// The transitions at `cell` that start a ship and lead to `tuple`.
pub fn starting<'a, K: Key, C: Tally>(
    automaton: &'a Automaton,
    cell: usize,
    tuple: usize,
    layer: &'a Layer<K, C>,
) -> impl Iterator<Item = (Start, Stream<'a, K, C>)>
where
    u128: AsPrimitive<K>,
{
    automaton.starts[cell].iter().filter_map(move |&start| {
        let shape = &automaton.shapes[start.shape];
        let before = (automaton.used(tuple, shape) > 0).then(|| &layer[tuple - shape.stride])?;
        let cells: K = start.cells.as_();
        let (keys, counts) = (before.keys.as_slice(), before.counts.as_slice());
        Some((start, Stream { keys, counts, add: cells, forbid: cells, need: K::zero() }))
    })
}

/// The transitions at `cell` with which the last ship starts. Only states in which this ship covers all remaining hits
/// have such a transition.
pub fn finishing<'a, K: Key, C: Tally>(
    automaton: &'a Automaton,
    cell: usize,
    layer: &'a Layer<K, C>,
) -> impl Iterator<Item = (Start, Stream<'a, K, C>)>
where
    u128: AsPrimitive<K>,
{
    let hits = automaton.hits_after(cell);
    starting(automaton, cell, layer.len() - 1, layer).filter_map(move |(start, stream)| {
        let need = (hits? & !start.cells).as_();
        Some((start, Stream { need, ..stream }))
    })
}

/// Advances a layer from the cut before `cell` to the next cut. Returns the number of paths that start their last ship
/// at `cell` and cover every hit. O(states × starts); counts one node for each state.
///
/// # Errors
/// Returns the limit of the budget that was reached, or `Limit::Memory` if more than [`MAX_BYTES`] bytes are needed.
pub fn advance<K: Key, C: Tally>(
    automaton: &Automaton,
    cell: usize,
    layer: &mut Layer<K, C>,
    window: &mut Window<C>,
    budget: &mut Budget,
) -> Result<u128, Limit>
where
    u128: AsPrimitive<K>,
{
    let whole = layer.len() - 1;
    let finished = finishing(automaton, cell, layer).map(|(_, stream)| stream.total()).sum();
    let max_states = MAX_BYTES / (size_of::<K>() + size_of::<C>());
    let mut states: usize = layer.iter().map(|bucket| bucket.keys.len()).sum();
    let mut shapes: Vec<_> =
        automaton.starts[cell].iter().map(|start| automaton.shapes[start.shape]).collect();
    shapes.dedup();
    // Buckets are advanced from the largest tuple down. A transition comes from the same or a smaller tuple, so it
    // never reads a bucket that was already advanced.
    for tuple in (0..whole).rev() {
        let stay = &layer[tuple];
        let reaches =
            |shape: &Shape| automaton.used(tuple, shape) > 0 && !layer[tuple - shape.stride].keys.is_empty();
        // With many tuples, most of them have no state.
        if stay.keys.is_empty() && !shapes.iter().any(reaches) {
            continue;
        }
        let need = if automaton.hit[cell] { K::one() } else { K::zero() };
        let stay = Stream { keys: &stay.keys, counts: &stay.counts, add: K::zero(), forbid: K::zero(), need };
        let mut streams: Vec<_> = starting(automaton, cell, tuple, layer).map(|(_, stream)| stream).collect();
        streams.push(stay);
        let overhang = automaton.max_overhang(tuple, cell + 1);
        let next = window.merge(&mut streams, |key| i64::from(key.count_ones()) <= overhang);
        states += next.keys.len();
        if states > max_states {
            return Err(Limit::Memory);
        }
        states -= layer[tuple].keys.len();
        budget.work.nodes += next.keys.len() as u64;
        budget.poll()?;
        layer[tuple] = next;
    }
    Ok(finished)
}
