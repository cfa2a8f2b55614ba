//! Counts the placements of a fleet by a sweep over the layers of the covering automaton.
//!
//! Only one layer is stored at a time, because it is advanced in place. On 10×10, the largest layer of the standard
//! fleet has 8.6 million states.

use super::automaton::Automaton;
use super::layers::{advance, initial};
use super::merge::{Key, Tally, Window};
use counterpoint_core::engine::{Budget, Limit};
use num_traits::AsPrimitive;

/// The number of placements of the whole fleet. Equal ships are distinguished. Takes O(states × starts) time for each
/// cell, where the starts are the placements that begin at that cell. Each state costs one node of the budget.
///
/// # Errors
/// Returns the errors of [`advance`].
pub fn placements(automaton: &Automaton, budget: &mut Budget) -> Result<u128, Limit> {
    // No sum of the sweep exceeds `bound`, nor does `orders` times the final sum.
    let narrow = automaton.reach + 3 <= u64::BITS && u64::try_from(automaton.bound).is_ok();
    let sweep = if narrow { sweep::<u64, u64> } else { sweep::<u128, u128> };
    Ok(automaton.orders * sweep(automaton, budget)?)
}

/// Counts the paths of the automaton that use the whole fleet. Each path stands for `orders` placements. `K`
/// is the type of profiles, `C` that of counts.
fn sweep<K: Key, C: Tally + From<u8>>(automaton: &Automaton, budget: &mut Budget) -> Result<u128, Limit>
where
    u128: AsPrimitive<K>,
{
    if automaton.shapes.is_empty() {
        return Ok(u128::from(!automaton.hit.contains(&true)));
    }
    let mut layer = initial::<K, C>(automaton);
    let mut window = Window::default();
    (0..automaton.scan.len()).map(|cell| advance(automaton, cell, &mut layer, &mut window, budget)).sum()
}
