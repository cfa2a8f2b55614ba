//! Small numbers, one for each square, stored in bit planes. If all numbers are 0 or 1, there is only one plane.

use super::Bits;
use super::bits::ones;
use std::sync::Arc;

/// `len` numbers: bit k of number i is bit i of plane k.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Digits {
    /// Plane 0.
    low: Bits,
    /// Planes 1 and higher. The last of these planes contains a one, except possibly if there are no numbers.
    high: Vec<Bits>,
}

impl From<Bits> for Digits {
    #[inline]
    fn from(low: Bits) -> Self {
        Digits { low, high: Vec::new() }
    }
}

impl From<Bits> for Arc<Digits> {
    #[inline]
    fn from(low: Bits) -> Self {
        Arc::new(low.into())
    }
}

impl Digits {
    /// `len` zeros.
    #[inline]
    pub fn zeros(len: usize) -> Self {
        Bits::zeros(len).into()
    }

    /// `len` copies of `number`.
    #[inline]
    pub fn all(len: usize, number: u32) -> Self {
        let plane = |k: u32| if number >> k & 1 == 1 { Bits::ones(len) } else { Bits::zeros(len) };
        Digits { low: plane(0), high: (1..u32::BITS - number.leading_zeros()).map(plane).collect() }
    }

    /// Removes all numbers. Only plane 0 keeps its memory.
    #[inline]
    pub fn clear(&mut self) {
        self.low.reset(0);
        self.high.clear();
    }

    /// Appends `count` numbers, each 0 or 1: the lowest bits of `words`. The higher bits of the last word must be 0.
    #[inline]
    pub fn extend_bits(&mut self, words: &[u64], count: usize) {
        self.low.extend(words, count);
        if !self.high.is_empty() {
            let zeros = vec![0; words.len()];
            self.high.iter_mut().for_each(|plane| plane.extend(&zeros, count));
        }
    }

    /// Appends a number.
    #[inline]
    pub fn push(&mut self, number: u32) {
        let planes = (u32::BITS - number.leading_zeros()) as usize;
        while self.high.len() + 1 < planes {
            self.high.push(Bits::zeros(self.len()));
        }
        for (k, plane) in std::iter::once(&mut self.low).chain(&mut self.high).enumerate() {
            plane.extend(&[u64::from(number) >> k & 1], 1);
        }
    }

    /// How many numbers there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.low.len()
    }

    /// True if there are no numbers at all.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.low.is_empty()
    }

    /// Number `i`, counted from 0. Panics if `i` is out of range.
    #[inline]
    pub fn get(&self, i: usize) -> u32 {
        let high = self.high.iter().rev().fold(0, |number, plane| (number | u32::from(plane.get(i))) << 1);
        high | u32::from(self.low.get(i))
    }

    /// Adds 1 to number `i`. Panics if `i` is out of range.
    #[inline]
    pub fn increment(&mut self, i: usize) {
        for plane in std::iter::once(&mut self.low).chain(&mut self.high) {
            plane.flip(i);
            if plane.get(i) {
                return;
            }
        }
        self.high.push(Bits::from_indices(self.len(), [i]));
    }

    /// The sum of all numbers.
    #[inline]
    pub fn total(&self) -> usize {
        let high = self.high.iter().zip(1..).map(|(plane, k)| plane.count() << k);
        self.low.count() + high.sum::<usize>()
    }

    /// The numbers as bits; `None` if one of them is greater than 1.
    #[inline]
    pub fn bits(&self) -> Option<&Bits> {
        self.high.is_empty().then_some(&self.low)
    }

    /// Takes plane 0 out, so that its memory can be reused. Afterwards, the list of numbers is empty.
    #[inline]
    pub fn take_bits(&mut self) -> Bits {
        self.high.clear();
        std::mem::take(&mut self.low)
    }

    /// Plane 0, in which bit i is 1 if number i is odd. If all numbers are 0 or 1, these bits are the numbers.
    #[inline]
    pub fn odd(&self) -> &Bits {
        &self.low
    }

    /// The indices and values of all numbers other than 0, ascending.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (usize, u32)> {
        let some =
            |i: usize| self.high.iter().fold(self.low.words()[i], |some, plane| some | plane.words()[i]);
        let places =
            (0..self.low.words().len()).flat_map(move |i| ones(some(i)).map(move |bit| i * 64 + bit));
        places.map(|i| (i, self.get(i)))
    }

    /// `len` numbers: number i is how often the index i occurs in `listed`. Panics if an index is out of range.
    #[inline]
    pub fn counts(len: usize, listed: impl IntoIterator<Item = usize>) -> Self {
        let mut counts = Digits::zeros(len);
        listed.into_iter().for_each(|i| counts.increment(i));
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_their_sum() {
        let listed = [3, 70, 70, 3, 70, 5, 70, 129];
        let counts = Digits::counts(130, listed);
        assert_eq!(counts.iter().collect::<Vec<_>>(), [(3, 2), (5, 1), (70, 4), (129, 1)]);
        assert_eq!((counts.total(), counts.len(), counts.bits()), (8, 130, None));
        assert_eq!(Digits::counts(9, [4]), Digits::from(Bits::from_indices(9, [4])));
        let mut pushed = Digits::default();
        (0..130).for_each(|i| pushed.push(counts.get(i)));
        assert_eq!(pushed, counts);
        assert_eq!(Digits::all(9, 6), Digits::counts(9, (0..54).map(|i| i % 9)));
    }
}
