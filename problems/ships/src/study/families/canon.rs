//! Canonical forms: one representative of all families that differ only in the names of their cells.
//!
//! Colour refinement gives the cells colours. In each round, every set gets a colour that depends on the colours of its
//! cells; then every cell gets a new colour, which depends on its old colour and on the colours of the sets that
//! contain it. Each order of the cells with ascending colours gives a list of sets; the canonical form is the smallest
//! of these lists. Colours are hashes. A collision increases the number of orders but does not make the result wrong.

use super::game::Set;
use itertools::Itertools;

/// Number of rounds of refinement. Further rounds would distinguish few more cells.
const ROUNDS: usize = 3;

/// The canonical form of a family over the first `n` cells: an ascending list of sets. Takes O(n!) time in the worst
/// case, in which all cells have the same colour.
pub fn canonical(family: &[Set], n: u32) -> Vec<Set> {
    let colours = colours(family, n);
    let used = family.iter().fold(0, |any, set| any | set);
    let mut order: Vec<u32> = (0..n).collect();
    // Cells that no set contains come first, in any order.
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

/// Mixes 64 bits by a bijection (S. Vigna's finalizer of SplitMix64).
fn mixed(x: u64) -> u64 {
    let x = (x ^ x >> 30).wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}
