//! Trims the covering automaton to its live states, from which the fleet can still be completed.

use super::automaton::Automaton;
use super::merge::Key;
use counterpoint_core::engine::{Budget, Limit};
use num_traits::AsPrimitive;

/// What the automaton reads at a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letter {
    /// No ship covers the cell.
    Empty,
    /// A ship covers the cell.
    Covered,
}

/// A state as one number: the tuple in the lower bits, the profile in the upper ones.
pub trait State: Key + std::hash::Hash {}
impl<K: Key + std::hash::Hash> State for K {}

/// Number of bits of a tuple.
pub fn tuple_bits(automaton: &Automaton) -> u32 {
    usize::BITS - (automaton.tuples() - 1).leading_zeros()
}

/// The state after the last cell with all ships used and an empty profile.
pub fn accepting<K: State>(automaton: &Automaton) -> K
where
    usize: AsPrimitive<K>,
{
    (automaton.tuples() - 1).as_()
}

/// Calls `to` with each transition of a state at `cell`: the letter that it reads, and its target.
pub fn successors<K: State>(automaton: &Automaton, cell: usize, state: K, mut to: impl FnMut(Letter, K))
where
    u128: AsPrimitive<K>,
    usize: AsPrimitive<K>,
{
    let bits = tuple_bits(automaton) as usize;
    let low: usize = state.as_();
    let (profile, tuple) = (state >> bits, low & ((1 << bits) - 1));
    let next = |profile: K, tuple: usize| ((profile >> 1) << bits) | tuple.as_();
    if profile & K::one() == K::one() {
        return to(Letter::Covered, next(profile, tuple));
    }
    let overhang = automaton.max_overhang(tuple, cell + 1);
    if !automaton.hit[cell] && i64::from(profile.count_ones()) <= overhang {
        to(Letter::Empty, next(profile, tuple));
    }
    for start in &automaton.starts[cell] {
        let shape = &automaton.shapes[start.shape];
        let cells: K = start.cells.as_();
        if automaton.used(tuple, shape) < shape.copies && profile & cells == K::zero() {
            to(Letter::Covered, next(profile | cells, tuple + shape.stride));
        }
    }
}

/// For each cut, from before the first cell to after the last, the states on some path to [`accepting`], ascending.
/// O(states × starts × log states); counts one node for each state.
///
/// # Errors
/// Returns the limit of the budget that was reached, or `Limit::Memory` if there are more than `max_states` states.
pub fn live_states<K: State>(
    automaton: &Automaton,
    max_states: usize,
    budget: &mut Budget,
) -> Result<Vec<Vec<K>>, Limit>
where
    u128: AsPrimitive<K>,
    usize: AsPrimitive<K>,
{
    let cells = automaton.scan.len();
    let mut cuts: Vec<Vec<K>> = vec![vec![K::zero()]];
    let mut states = 1;
    for cell in 0..cells {
        let mut next = Vec::new();
        for &state in &cuts[cell] {
            successors(automaton, cell, state, |_, to| next.push(to));
            budget.node()?;
        }
        next.sort_unstable();
        next.dedup();
        next.shrink_to_fit();
        states += next.len();
        if states > max_states {
            return Err(Limit::Memory);
        }
        cuts.push(next);
    }
    cuts[cells].retain(|&state| state == accepting(automaton));
    for cell in (0..cells).rev() {
        let (before, after) = cuts.split_at_mut(cell + 1);
        before[cell].retain(|&state| {
            let mut is_live = false;
            successors(automaton, cell, state, |_, to| {
                is_live = is_live || after[0].binary_search(&to).is_ok();
            });
            is_live
        });
    }
    Ok(cuts)
}
