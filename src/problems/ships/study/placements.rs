//! How many ways a fleet fits a board: a sweep over the layers of the covering automaton.
//!
//! The standard fleet has 8.6 million states at worst on 10×10, and two layers are all that is kept.

use super::automaton::Automaton;
use super::layers::{first, step};
use super::merge::{Key, Tally, Window};
use crate::engine::{Budget, Limit};
use num_traits::AsPrimitive;

/// The number of placements of the whole fleet; equal ships are told apart. O(states × starts) for
/// every cell, a node a state.
///
/// # Errors
/// The limit that was met.
pub fn placements(automaton: &Automaton, budget: &mut Budget) -> Result<u128, Limit> {
    // The bound holds for every sum of the sweep, and for `orders` times the last of them.
    let narrow = automaton.reach + 3 <= u64::BITS && u64::try_from(automaton.bound).is_ok();
    let sweep = if narrow { sweep::<u64, u64> } else { sweep::<u128, u128> };
    Ok(automaton.orders * sweep(automaton, budget)?)
}

/// Placements with profiles of type `K` and numbers of type `C`.
fn sweep<K: Key, C: Tally + From<u8>>(automaton: &Automaton, budget: &mut Budget) -> Result<u128, Limit>
where
    u128: AsPrimitive<K>,
{
    if automaton.shapes.is_empty() {
        return Ok(u128::from(!automaton.hit.contains(&true)));
    }
    let mut layer = first::<K, C>(automaton);
    let mut window = Window::default();
    (0..automaton.scan.len()).map(|cell| step(automaton, cell, &mut layer, &mut window, budget)).sum()
}
