//! Sets of cells as bit sets of W machine words. W is a constant, so loops unroll and nothing is allocated.

use counterpoint_core::board::ones;

/// A set of cells; bit i stands for cell i.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Mask<const W: usize>([u64; W]);

impl<const W: usize> Mask<W> {
    /// The empty set.
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
    #[inline]
    pub(super) fn insert(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }

    /// Removes a cell below 64 W.
    #[inline]
    pub(super) fn remove(&mut self, i: usize) {
        self.0[i / 64] &= !(1 << (i % 64));
    }

    /// The words, lowest cells first.
    pub(super) fn words(&self) -> &[u64] {
        &self.0
    }

    /// True if cell `i`, below 64 W, is in the set.
    #[inline]
    pub(super) fn has(&self, i: usize) -> bool {
        self.0[i / 64] >> (i % 64) & 1 == 1
    }

    /// True if cell `i` - `by` exists and is in the set; `i` is below 64 W.
    #[inline]
    pub(super) fn has_back(&self, i: usize, by: usize) -> bool {
        i >= by && self.has(i - by)
    }

    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline]
    pub(super) fn and(self, other: Self) -> Self {
        Mask(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    #[inline]
    pub(super) fn or(self, other: Self) -> Self {
        Mask(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    #[inline]
    pub(super) fn xor(self, other: Self) -> Self {
        Mask(std::array::from_fn(|i| self.0[i] ^ other.0[i]))
    }

    #[inline]
    pub(super) fn without(self, other: Self) -> Self {
        Mask(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// Cell `i` and the 63 cells before it as one word: bit 63 - k stands for cell i - k, and is 0 if k > i.
    #[inline]
    pub(super) fn up_to(&self, i: usize) -> u64 {
        let (word, bit) = (i / 64, i % 64);
        let before = if W > 1 && word > 0 { self.0[word - 1] } else { 0 };
        // Two shifts, because `bit` + 1 can be 64, and a shift by 64 overflows.
        self.0[word] << (63 - bit) | before >> bit >> 1
    }

    /// Moves every cell i to i - `by` and drops cells below `by`; `by` is below 64 W.
    #[inline]
    pub(super) fn down(self, by: usize) -> Self {
        if W == 1 {
            return Mask(self.0.map(|word| word >> (by % 64)));
        }
        if by < 64 {
            let above = |i: usize| if i + 1 < W { self.0[i + 1] } else { 0 };
            return Mask(std::array::from_fn(|i| self.0[i] >> by | above(i) << 1 << (63 - by)));
        }
        let (words, bits) = (by / 64, by % 64);
        let word = |i: usize| self.0.get(i).copied().unwrap_or(0);
        // Two shifts, because 64 - `bits` can be 64, and a shift by 64 overflows.
        Mask(std::array::from_fn(|i| word(i + words) >> bits | word(i + words + 1) << 1 << (63 - bits)))
    }

    /// Moves every cell i to i + `by` and drops cells that do not fit; `by` is below 64 W.
    #[inline]
    pub(super) fn up(self, by: usize) -> Self {
        if W == 1 {
            return Mask(self.0.map(|word| word << (by % 64)));
        }
        if by < 64 {
            let below = |i: usize| if i > 0 { self.0[i - 1] } else { 0 };
            return Mask(std::array::from_fn(|i| self.0[i] << by | below(i) >> 1 >> (63 - by)));
        }
        let (words, bits) = (by / 64, by % 64);
        let word = |i: Option<usize>| i.map_or(0, |i| self.0[i]);
        Mask(std::array::from_fn(|i| {
            word(i.checked_sub(words)) << bits | word(i.checked_sub(words + 1)) >> 1 >> (63 - bits)
        }))
    }

    #[inline]
    pub(super) fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The lowest cell.
    #[inline]
    pub(super) fn first(self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(word * 64 + self.0[word].trailing_zeros() as usize)
    }

    /// The cells, ascending.
    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(w, word)| ones(word).map(move |bit| w * 64 + bit))
    }
}

/// The indices of the set bits of a word, ascending.
#[inline]
pub(super) fn members(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            bit
        })
    })
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

    #[test]
    fn up_to_returns_the_word_that_ends_at_a_cell() {
        let mask = Mask::<3>::of((0..192).filter(|i| i % 3 == 0 || i % 7 == 2));
        for i in 0..192 {
            let expected = (0..64).filter(|k| *k <= i && mask.has(i - k)).fold(0, |w, k| w | 1 << (63 - k));
            assert_eq!(mask.up_to(i), expected, "{i}");
        }
    }
}
