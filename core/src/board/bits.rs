//! A list of bits in words of 64 bits. The unused bits of the last word are always 0.

/// `len` bits in words of 64, bit i in word i / 64.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bits {
    words: Vec<u64>,
    len: usize,
}

impl Bits {
    /// `len` zeros.
    #[inline]
    pub fn zeros(len: usize) -> Self {
        Bits { words: vec![0; len.div_ceil(64)], len }
    }

    /// Replaces all bits by `len` zeros, and reuses their memory.
    #[inline]
    pub fn reset(&mut self, len: usize) {
        self.words.clear();
        self.words.resize(len.div_ceil(64), 0);
        self.len = len;
    }

    /// Removes all bits and reserves memory for `len` bits.
    #[inline]
    pub fn empty_for(&mut self, len: usize) {
        self.reset(0);
        self.words.reserve_exact(len.div_ceil(64));
    }

    /// The lowest `len` bits of a word, where `len` is at most 64. The other bits of the word must be 0.
    #[inline]
    pub fn of_word(len: usize, word: u64) -> Self {
        debug_assert!(len <= 64 && word.checked_shr(len as u32).unwrap_or(0) == 0, "{word:x} of {len} bits");
        Bits { words: vec![word; len.div_ceil(64)], len }
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

    /// `len` bits: those with an index in `ones` are 1, the others 0. Panics if an index is out of range.
    pub fn from_indices(len: usize, ones: impl IntoIterator<Item = usize>) -> Self {
        let mut bits = Bits::zeros(len);
        ones.into_iter().for_each(|i| bits.set(i));
        bits
    }

    /// Appends the lowest `count` bits of `words`. The higher bits of the last word must be 0.
    #[inline]
    pub fn extend(&mut self, words: &[u64], count: usize) {
        debug_assert_eq!(words.len(), count.div_ceil(64));
        let shift = self.len % 64;
        if let (0, [word]) = (shift, words) {
            self.words.push(*word);
        } else if shift == 0 {
            self.words.extend_from_slice(words);
        } else if let ([word], Some(last)) = (words, self.words.last_mut()) {
            *last |= word << shift;
            if shift + count > 64 {
                self.words.push(word >> (64 - shift));
            }
        } else if let (Some(&above), Some(last)) = (words.last(), self.words.last_mut()) {
            *last |= words[0] << shift;
            let pairs = words.iter().zip(&words[1..]);
            self.words.extend(pairs.map(|(low, high)| low >> (64 - shift) | high << shift));
            self.words.push(above >> (64 - shift));
        }
        self.len += count;
        self.words.truncate(self.len.div_ceil(64));
    }

    /// Number of bits.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if there are no bits at all.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bit `i`. Panics if `i` is out of range.
    #[inline]
    pub fn get(&self, i: usize) -> bool {
        assert!(i < self.len, "bit {i} of {}", self.len);
        self.words[i / 64] >> (i % 64) & 1 == 1
    }

    /// Sets bit `i` to one.
    #[inline]
    pub fn set(&mut self, i: usize) {
        assert!(i < self.len, "bit {i} of {}", self.len);
        self.words[i / 64] |= 1 << (i % 64);
    }

    /// Sets bit `i` to zero.
    #[inline]
    pub fn clear(&mut self, i: usize) {
        assert!(i < self.len, "bit {i} of {}", self.len);
        self.words[i / 64] &= !(1 << (i % 64));
    }

    /// Flips bit `i`.
    #[inline]
    pub fn flip(&mut self, i: usize) {
        assert!(i < self.len, "bit {i} of {}", self.len);
        self.words[i / 64] ^= 1 << (i % 64);
    }

    /// Flips bit `i` and returns its new value.
    #[inline]
    pub fn toggle(&mut self, i: usize) -> bool {
        debug_assert!(i < self.len, "bit {i} of {}", self.len);
        let word = &mut self.words[i / 64];
        *word ^= 1 << (i % 64);
        *word >> (i % 64) & 1 == 1
    }

    /// Adds `other` over GF(2). Both must have the same length.
    #[inline]
    pub fn xor(&mut self, other: &Bits) {
        debug_assert_eq!(self.len, other.len);
        self.words.iter_mut().zip(&other.words).for_each(|(a, b)| *a ^= b);
    }

    /// Number of ones.
    #[inline]
    pub fn count(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// The number of indices at which both this list and `other` have a 1. Both must have the same length.
    #[inline]
    pub fn count_common(&self, other: &Bits) -> usize {
        debug_assert_eq!(self.len, other.len);
        self.words.iter().zip(&other.words).map(|(a, b)| (a & b).count_ones() as usize).sum()
    }

    /// Copies bits to the words of `out`: the bit with index `at` becomes bit 0 of the first word. Beyond the end of
    /// the list, the bits of `out` become 0.
    #[inline]
    pub fn copy_words(&self, at: usize, out: &mut [u64]) {
        let (word, shift) = (at / 64, at % 64);
        let from = self.words.get(word..).unwrap_or_default();
        let given = from.len().min(out.len());
        if shift == 0 {
            out[..given].copy_from_slice(&from[..given]);
        } else if let Some((first, above)) = from.split_first() {
            for ((out, low), high) in out.iter_mut().zip(from).zip(above) {
                *out = low >> shift | high << (64 - shift);
            }
            if given == from.len() {
                out[given - 1] = above.last().unwrap_or(first) >> shift;
            }
        }
        out[given..].fill(0);
    }

    /// Adds `words` over GF(2): bit 0 of the first word is added to bit `at`. Panics if a 1 would be added beyond the
    /// end.
    #[inline]
    pub fn xor_words(&mut self, at: usize, words: &[u64]) {
        let (word, shift) = (at / 64, at % 64);
        let used = words.iter().rposition(|&w| w != 0).map_or(0, |i| i + 1);
        let Some(last) = words[..used].last() else { return };
        let end = at + used * 64 - last.leading_zeros() as usize;
        assert!(end <= self.len, "bit {} of {}", end - 1, self.len);
        let to = &mut self.words[word..];
        if shift == 0 {
            to.iter_mut().zip(&words[..used]).for_each(|(a, b)| *a ^= b);
            return;
        }
        let mut carry = 0;
        for (a, b) in to.iter_mut().zip(&words[..used]) {
            *a ^= b << shift | carry;
            carry = b >> (64 - shift);
        }
        if let Some(a) = to.get_mut(used) {
            *a ^= carry;
        }
    }

    /// The index of the lowest bit that is 1; `None` if all bits are 0.
    #[inline]
    pub fn first(&self) -> Option<usize> {
        self.words.iter().position(|&w| w != 0).map(|i| i * 64 + self.words[i].trailing_zeros() as usize)
    }

    /// The words that hold the bits, those with the lowest indices first.
    #[inline]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The indices of the ones, ascending.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().flat_map(|(i, &word)| ones(word).map(move |bit| i * 64 + bit))
    }
}

/// The indices of the ones of a word, ascending.
#[inline]
pub fn ones(mut left: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = left.trailing_zeros() as usize;
        (left != 0).then(|| {
            left &= left - 1;
            bit
        })
    })
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
    fn words_are_copied_from_any_index() {
        let bits = Bits::from_indices(200, (0..200).filter(|i| i % 3 == 0 || i % 7 == 2));
        for at in [0, 1, 63, 64, 70, 128, 150, 199, 200, 300] {
            let mut words = [u64::MAX; 2];
            bits.copy_words(at, &mut words);
            let expected = |i: usize| at + i < 200 && bits.get(at + i);
            assert!((0..128).all(|i| (words[i / 64] >> (i % 64) & 1 == 1) == expected(i)), "{at}");
            let mut copy = bits.clone();
            copy.xor_words(at, &words);
            assert!(copy.iter().eq(bits.iter().filter(|i| !(at..at + 128).contains(i))), "{at}");
        }
    }

    #[test]
    fn pieces_of_any_length_can_be_appended() {
        let bits = Bits::from_indices(300, (0..300).filter(|i| i % 5 == 1 || i % 11 == 0));
        for piece in [1, 4, 16, 63, 64, 65, 100, 300] {
            let mut whole = Bits::default();
            for at in (0..300).step_by(piece) {
                let part = Bits::from_indices(piece, (0..piece).filter(|i| at + i < 300 && bits.get(at + i)));
                whole.extend(part.words(), piece);
            }
            assert!(
                whole.iter().eq(bits.iter()) && whole.len() == 300usize.next_multiple_of(piece),
                "{piece}"
            );
        }
    }

    #[test]
    #[should_panic(expected = "bit 70 of 70")]
    fn adding_a_one_beyond_the_end_panics() {
        Bits::zeros(70).xor_words(65, &[1 << 5]);
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
