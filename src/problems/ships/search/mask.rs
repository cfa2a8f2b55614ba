//! A set of cells in W machine words. W is a constant, so the loops unroll and nothing is allocated.

/// Bit i is cell i.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Mask<const W: usize>([u64; W]);

impl<const W: usize> Mask<W> {
    /// No cell.
    pub(super) const EMPTY: Self = Mask([0; W]);

    /// The cells with these indices, each below 64 W.
    pub(super) fn of(indices: impl IntoIterator<Item = usize>) -> Self {
        let mut mask = Self::EMPTY;
        indices.into_iter().for_each(|i| mask.0[i / 64] |= 1 << (i % 64));
        mask
    }

    pub(super) fn is_empty(self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    pub(super) fn is_disjoint(self, other: Self) -> bool {
        self.and(other).is_empty()
    }

    pub(super) fn and(self, other: Self) -> Self {
        Mask(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    pub(super) fn or(self, other: Self) -> Self {
        Mask(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    pub(super) fn without(self, other: Self) -> Self {
        Mask(std::array::from_fn(|i| self.0[i] & !other.0[i]))
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
        self.0.into_iter().enumerate().flat_map(|(i, mut word)| {
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros() as usize;
                (word != 0).then(|| {
                    word &= word - 1;
                    i * 64 + bit
                })
            })
        })
    }
}
