//! A bit set of fixed length whose unused high bits are always 0.

/// `len` bits in words of 64, bit i in word i / 64.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bits {
    words: Vec<u64>,
    len: usize,
}

impl Bits {
    /// `len` zeros.
    pub fn zeros(len: usize) -> Self {
        Bits { words: vec![0; len.div_ceil(64)], len }
    }

    /// Makes it `len` zeros, in the memory that is there.
    pub fn reset(&mut self, len: usize) {
        self.words.clear();
        self.words.resize(len.div_ceil(64), 0);
        self.len = len;
    }

    /// `len` ones.
    pub fn ones(len: usize) -> Self {
        let mut bits = Bits { words: vec![u64::MAX; len.div_ceil(64)], len };
        if !len.is_multiple_of(64) {
            let last = len / 64;
            bits.words[last] = (1 << (len % 64)) - 1;
        }
        bits
    }

    /// `len` bits, those in `ones` set. Panics if an index is out of range.
    pub fn from_indices(len: usize, ones: impl IntoIterator<Item = usize>) -> Self {
        let mut bits = Bits::zeros(len);
        ones.into_iter().for_each(|i| bits.set(i));
        bits
    }

    /// Number of bits.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if there are no bits at all.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bit `i`. Panics if out of range, as indexing does.
    pub fn get(&self, i: usize) -> bool {
        assert!(i < self.len, "bit {i} of {}", self.len);
        self.words[i / 64] >> (i % 64) & 1 == 1
    }

    /// Makes bit `i` a one.
    pub fn set(&mut self, i: usize) {
        assert!(i < self.len, "bit {i} of {}", self.len);
        self.words[i / 64] |= 1 << (i % 64);
    }

    /// Makes bit `i` a zero.
    pub fn clear(&mut self, i: usize) {
        assert!(i < self.len, "bit {i} of {}", self.len);
        self.words[i / 64] &= !(1 << (i % 64));
    }

    /// Turns bit `i` over.
    pub fn flip(&mut self, i: usize) {
        assert!(i < self.len, "bit {i} of {}", self.len);
        self.words[i / 64] ^= 1 << (i % 64);
    }

    /// Adds `other` over GF(2); both have the same length.
    pub fn xor(&mut self, other: &Bits) {
        debug_assert_eq!(self.len, other.len);
        self.words.iter_mut().zip(&other.words).for_each(|(a, b)| *a ^= b);
    }

    /// Number of ones.
    pub fn count(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Number of ones in common with `other`, of the same length.
    pub fn count_common(&self, other: &Bits) -> usize {
        debug_assert_eq!(self.len, other.len);
        self.words.iter().zip(&other.words).map(|(a, b)| (a & b).count_ones() as usize).sum()
    }

    /// The index of the lowest one.
    pub fn first(&self) -> Option<usize> {
        self.words.iter().position(|&w| w != 0).map(|i| i * 64 + self.words[i].trailing_zeros() as usize)
    }

    /// The indices of the ones, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros() as usize;
                (left != 0).then(|| {
                    left &= left - 1;
                    i * 64 + bit
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ones_have_no_bits_beyond_their_length() {
        for len in [0, 1, 63, 64, 65, 128, 200] {
            let bits = Bits::ones(len);
            assert_eq!((bits.count(), bits.iter().count()), (len, len));
            assert!(bits.iter().eq(0..len));
        }
    }

    #[test]
    fn xor_is_symmetric_difference() {
        let mut a = Bits::from_indices(130, [0, 64, 129]);
        let b = Bits::from_indices(130, [64, 100]);
        assert_eq!(a.count_common(&b), 1);
        a.xor(&b);
        assert_eq!(a.iter().collect::<Vec<_>>(), [0, 100, 129]);
        assert_eq!(a.first(), Some(0));
        a.clear(0);
        a.flip(100);
        assert_eq!(a.first(), Some(129));
    }
}
