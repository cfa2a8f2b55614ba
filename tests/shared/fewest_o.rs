//! Families of sets, by definition: whether the greedy rule fewest-`o` wins.

use std::collections::HashMap;

/// True if some order of shots wins that always takes a cell that the fewest sets lack. A set is a mask of cells.
pub(crate) fn some_order_wins(
    family: &[u64],
    misses: u32,
    known: &mut HashMap<(Vec<u64>, u32), bool>,
) -> bool {
    if family.len() <= 1 || misses == 0 {
        return family.len() <= 1;
    }
    if let Some(&wins) = known.get(&(family.to_vec(), misses)) {
        return wins;
    }
    let parts = (0..64).map(|cell| family.iter().partition::<Vec<u64>, _>(|&set| set >> cell & 1 == 1));
    let parts: Vec<_> = parts.filter(|(with, without)| !with.is_empty() && !without.is_empty()).collect();
    let fewest = parts.iter().map(|(_, without)| without.len()).min().unwrap();
    let wins = parts.iter().filter(|(_, without)| without.len() == fewest).any(|(with, without)| {
        some_order_wins(without, misses - 1, known) && some_order_wins(with, misses, known)
    });
    known.insert((family.to_vec(), misses), wins);
    wins
}
