//! Subsets of a space of dimension at most seven over GF(2), as masks of 128 bits: bit t belongs to element t.

/// Masks of the elements whose bit k is 0.
const LOW: [u128; 7] = [
    u128::MAX / 0x3,
    u128::MAX / 0x5,
    u128::MAX / 0x11,
    u128::MAX / 0x101,
    u128::MAX / 0x1_0001,
    u128::MAX / 0x1_0000_0001,
    u128::MAX / 0x1_0000_0000_0000_0001,
];

/// The set with `by` added to each element.
pub(super) fn shifted(set: u128, by: u32) -> u128 {
    let swap = |set: u128, k: usize| (set & LOW[k]) << (1 << k) | set >> (1 << k) & LOW[k];
    (0..7).filter(|k| by >> k & 1 == 1).fold(set, swap)
}

/// The elements of a set, in order.
pub(super) fn elements(mut set: u128) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let least = (set != 0).then(|| set.trailing_zeros());
        set &= set.wrapping_sub(1);
        least
    })
}

/// The set of these elements.
pub(super) fn set(elements: &[u32]) -> u128 {
    elements.iter().fold(0, |set, t| set | 1 << t)
}

/// Whether the character `chi` is -1 at `t`.
pub(super) fn minus(t: u32, chi: u32) -> bool {
    (t & chi).count_ones() % 2 == 1
}

/// The affine subspaces that one of `starts` spans together with some of `points`, by dimension.
pub(super) fn spans(starts: &[u32], points: &[u32]) -> Vec<Vec<u128>> {
    let points = set(points);
    let mut layers: Vec<Vec<u128>> = vec![starts.iter().map(|t| 1 << t).collect()];
    loop {
        let mut next = Vec::new();
        for &flat in layers.last().into_iter().flatten() {
            let base = flat.trailing_zeros();
            next.extend(elements(points & !flat).map(|t| flat | shifted(flat, t ^ base)));
        }
        next.sort_unstable();
        next.dedup();
        if next.is_empty() {
            return layers;
        }
        layers.push(next);
    }
}
