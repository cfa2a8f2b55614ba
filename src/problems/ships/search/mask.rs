//! A set of cells in W machine words. W is a constant, so the loops unroll and nothing is allocated.

use crate::board::ones;

/// Bit i is cell i.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Mask<const W: usize>([u64; W]);

impl<const W: usize> Mask<W> {
    /// No cell.
    pub(super) const EMPTY: Self = Mask([0; W]);
    /// All 64 W cells.
    pub(super) const FULL: Self = Mask([u64::MAX; W]);

    /// The cells with these indices, each below 64 W.
    pub(super) fn of(indices: impl IntoIterator<Item = usize>) -> Self {
        let mut mask = Self::EMPTY;
        indices.into_iter().for_each(|i| mask.0[i / 64] |= 1 << (i % 64));
        mask
    }

    /// Adds a cell below 64 W.
    pub(super) fn insert(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }

    /// Takes away a cell below 64 W.
    pub(super) fn remove(&mut self, i: usize) {
        self.0[i / 64] &= !(1 << (i % 64));
    }

    pub(super) fn words(&self) -> &[u64] {
        &self.0
    }

    /// Whether the cell with this index, below 64 W, is in the set.
    pub(super) fn has(&self, i: usize) -> bool {
        self.0[i / 64] >> (i % 64) & 1 == 1
    }

    /// Whether the cell `by` before cell `i`, below 64 W, exists and is in the set.
    pub(super) fn has_back(&self, i: usize, by: usize) -> bool {
        i >= by && self.has(i - by)
    }

    pub(super) fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    pub(super) fn and(self, other: Self) -> Self {
        Mask(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    pub(super) fn or(self, other: Self) -> Self {
        Mask(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    pub(super) fn xor(self, other: Self) -> Self {
        Mask(std::array::from_fn(|i| self.0[i] ^ other.0[i]))
    }

    pub(super) fn without(self, other: Self) -> Self {
        Mask(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// Every cell i becomes cell i - `by`; those below `by` are dropped.
    pub(super) fn down(self, by: usize) -> Self {
        let (words, bits) = (by / 64, by % 64);
        let word = |i: usize| self.0.get(i).copied().unwrap_or(0);
        // Two steps, since a shift by 64 is none.
        Mask(std::array::from_fn(|i| word(i + words) >> bits | word(i + words + 1) << 1 << (63 - bits)))
    }

    /// Every cell i becomes cell i + `by`; those that do not fit are dropped.
    pub(super) fn up(self, by: usize) -> Self {
        let (words, bits) = (by / 64, by % 64);
        let word = |i: Option<usize>| i.map_or(0, |i| self.0[i]);
        Mask(std::array::from_fn(|i| {
            word(i.checked_sub(words)) << bits | word(i.checked_sub(words + 1)) >> 1 >> (63 - bits)
        }))
    }

    pub(super) fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The lowest cell.
    pub(super) fn first(self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(word * 64 + self.0[word].trailing_zeros() as usize)
    }

    /// The cells, ascending.
    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(w, word)| ones(word).map(move |bit| w * 64 + bit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_move_every_cell() {
        let cells = [0, 1, 62, 63, 64, 65, 100, 127, 128, 190, 191];
        let mask = Mask::<3>::of(cells);
        for by in 0..192 {
            let down: Vec<_> = cells.iter().filter(|&&i| i >= by).map(|i| i - by).collect();
            assert!(mask.down(by).iter().eq(down), "down by {by}");
            let up: Vec<_> = cells.iter().map(|i| i + by).filter(|&i| i < 192).collect();
            assert!(mask.up(by).iter().eq(up), "up by {by}");
        }
    }
}
