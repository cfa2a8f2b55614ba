//! One family for all that differ only by the names of their cells.
//!
//! Cells are told apart by colours that their sets pass back and forth (colour refinement); of all orders that
//! ascend by colour, the one that gives the least list of sets is taken. Colours are hashes: two that meet by chance
//! make for more orders, not for a wrong result.

use super::game::Set;
use itertools::Itertools;

/// Rounds of refinement; more would tell few further cells apart.
const ROUNDS: usize = 3;

/// The least list of sets, ascending, that a renaming of the first `n` cells makes of `family`.
/// O(n!) at worst, where all cells look alike.
pub fn canonical(family: &[Set], n: u32) -> Vec<Set> {
    let colours = colours(family, n);
    let used = family.iter().fold(0, |any, set| any | set);
    let mut order: Vec<u32> = (0..n).collect();
    // Cells that no set holds stand first, in any order.
    order.sort_by_key(|&cell| (used >> cell & 1, colours[cell as usize]));
    let same =
        |a: &u32, b: &u32| used >> a & 1 == used >> b & 1 && colours[*a as usize] == colours[*b as usize];
    let mut classes: Vec<Vec<u32>> = order.chunk_by(same).map(<[u32]>::to_vec).collect();
    let free = if used.count_ones() < n { classes.remove(0).len() as u32 } else { 0 };
    let orders = classes.iter().map(|class| class.iter().copied().permutations(class.len()));
    let renamed = orders.multi_cartesian_product().map(|order| {
        let mut place = [0; Set::BITS as usize];
        order.iter().flatten().zip(free..).for_each(|(&cell, at)| place[cell as usize] = at);
        let moved = |set: &Set| {
            (0..n).filter(|c| set >> c & 1 == 1).fold(0, |to: Set, c| to | 1 << place[c as usize])
        };
        let mut sets: Vec<Set> = family.iter().map(moved).collect();
        sets.sort_unstable();
        sets
    });
    renamed.min().unwrap_or_else(|| family.to_vec())
}

fn colours(family: &[Set], n: u32) -> Vec<u64> {
    let mut colours = vec![1u64; n as usize];
    for _ in 0..ROUNDS {
        let of_set = |set: &Set| {
            let inside = (0..n).filter(|c| set >> c & 1 == 1).map(|c| mixed(colours[c as usize]));
            mixed(inside.fold(0, u64::wrapping_add))
        };
        let sets: Vec<u64> = family.iter().map(of_set).collect();
        let of_cell = |c: u32| {
            let around = family.iter().zip(&sets).filter(|(set, _)| *set >> c & 1 == 1);
            let sum = around.fold(0, |sum: u64, (_, &colour)| sum.wrapping_add(mixed(colour)));
            mixed(colours[c as usize].wrapping_mul(3).wrapping_add(sum))
        };
        colours = (0..n).map(of_cell).collect();
    }
    colours
}

/// A permutation of 64 bits without a pattern (S. Vigna's finalizer of SplitMix64).
fn mixed(x: u64) -> u64 {
    let x = (x ^ x >> 30).wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}
