//! The subspaces of a space of dimension at most seven over GF(2), with the kinds in them and in their cosets.

use std::collections::{BTreeMap, BTreeSet};

/// The greatest dimension of a kernel: its 2^7 elements are bits of a `u128`.
pub(super) const MAX_DIMENSION: u32 = 7;

/// A subspace H of the kernel.
pub(super) struct Space {
    pub(super) even: Vec<usize>,
    /// Whether some coset has an odd number of odd kinds.
    pub(super) is_uneven: bool,
    /// For each character of H, which even kinds have sign -1.
    pub(super) minus: Vec<u128>,
    /// The cosets with enough odd kinds: a mask of these kinds, and for each character of H those with sign -1.
    pub(super) cosets: Vec<(u64, Vec<u64>)>,
}

pub(super) fn is_minus(t: u32, chi: u32) -> bool {
    (t & chi).count_ones() % 2 == 1
}

/// Adds `t` to the generators of a subspace.
pub(super) fn join(space: u128, t: u32) -> u128 {
    let mut sum = space;
    (0..1 << MAX_DIMENSION).filter(|u| space >> u & 1 == 1).for_each(|u| sum |= 1 << (u ^ t));
    sum
}

/// All subspaces of the kernel.
pub(super) fn spaces(even: &[u32], odd: &[u32], dimension: u32) -> Vec<Space> {
    let mut all = BTreeSet::from([1u128]);
    let mut layer = all.clone();
    for _ in 0..dimension {
        let mut next = BTreeSet::new();
        for &space in &layer {
            let mut covered = space;
            for t in 0..1u32 << dimension {
                if covered >> t & 1 == 0 {
                    next.insert(join(space, t));
                    covered |= join(space, t);
                }
            }
        }
        all.extend(&next);
        layer = next;
    }
    all.into_iter().map(|space| describe(space, even, odd, dimension)).collect()
}

fn describe(space: u128, even: &[u32], odd: &[u32], dimension: u32) -> Space {
    let contains = |t: u32| space >> t & 1 == 1;
    let inside: Vec<usize> = (0..even.len()).filter(|&i| contains(even[i])).collect();
    let mut cosets: Vec<Vec<usize>> = Vec::new();
    for i in 0..odd.len() {
        match cosets.iter_mut().find(|coset| contains(odd[coset[0]] ^ odd[i])) {
            Some(coset) => coset.push(i),
            None => cosets.push(vec![i]),
        }
    }
    // One character for each way to act on H: the first one with these signs.
    let elements: Vec<u32> = (0..1 << dimension).filter(|t| contains(*t)).collect();
    let acts = |chi: u32| elements.iter().fold(0u128, |acts, t| acts << 1 | u128::from(is_minus(*t, chi)));
    let characters: BTreeMap<u128, u32> = (0..1 << dimension).map(|chi| (acts(chi), chi)).collect();
    let negative = |list: &[usize], of: &dyn Fn(usize) -> u32| {
        let mask =
            |chi: &u32| list.iter().filter(|&&i| is_minus(of(i), *chi)).fold(0, |mask, i| mask | 1u128 << i);
        characters.values().map(mask).collect::<Vec<u128>>()
    };
    let is_uneven = cosets.iter().any(|coset| coset.len() % 2 == 1);
    // Small cosets rarely cut a case off, but cost time. A coset of H has 2^d elements.
    let enough = match space.count_ones().ilog2() {
        0 => usize::MAX,
        1 => 2,
        2 => 4,
        3 => 5,
        d => 2 * d as usize,
    };
    let rich = cosets.into_iter().filter(|coset| coset.len() >= enough).map(|coset| {
        let members = coset.iter().fold(0, |mask, i| mask | 1u64 << i);
        let signs = negative(&coset, &|i| odd[i] ^ odd[coset[0]]);
        (members, signs.into_iter().map(|mask| mask as u64).collect())
    });
    let cosets = rich.collect();
    Space { minus: negative(&inside, &|i| even[i]), even: inside, is_uneven, cosets }
}
