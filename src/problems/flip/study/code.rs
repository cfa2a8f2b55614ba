//! Squares by which null vectors contain them, and what a board that needs many presses is in these terms.
//!
//! Write presses as signs, -1 for a press. Adding null vectors changes signs by a character χ of the kinds t of
//! squares, a kind being the set of basis vectors that contain the square. With a(t) the sum of the signs of
//! kind t the fewest presses are (n² - max over χ of Σ a(t) χ(t)) / 2. Any a with |a(t)| at most the number m(t) of
//! squares and a(t) = m(t) modulo 2 comes from some board, so the hardest board is a question about small numbers:
//! make the greatest value of a Walsh spectrum least. Squares in no null vector are pressed throughout.

use crate::board::Bits;
use std::collections::BTreeMap;

/// Squares that the same vectors of a basis contain.
pub(super) struct Kind {
    /// Bit k says whether vector k contains them; not 0.
    pub(super) key: u32,
    pub(super) squares: Vec<usize>,
}

/// The kinds of squares of a code, a space of sets of presses.
pub(super) struct Code {
    pub(super) dimensions: usize,
    pub(super) kinds: Vec<Kind>,
    /// Squares in no vector.
    pub(super) fixed: Vec<usize>,
}

/// The most dimensions: spectra are written down.
pub(super) const MAX_DIMENSIONS: usize = 17;

/// The kinds of squares by a basis of at most [`MAX_DIMENSIONS`] vectors.
pub(super) fn code(squares: usize, basis: &[Bits]) -> Code {
    let mut kinds: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for square in 0..squares {
        let key = basis.iter().rev().fold(0, |key, vector| key << 1 | u32::from(vector.get(square)));
        kinds.entry(key).or_default().push(square);
    }
    let fixed = kinds.remove(&0).unwrap_or_default();
    let kinds = kinds.into_iter().map(|(key, squares)| Kind { key, squares }).collect();
    Code { dimensions: basis.len(), kinds, fixed }
}

impl Kind {
    pub(super) fn is_odd(&self) -> bool {
        !self.squares.len().is_multiple_of(2)
    }

    /// The most that the signs can sum to without exceeding `most`.
    pub(super) fn cap(&self, most: i32) -> i32 {
        let count = self.squares.len() as i32;
        let cap = count.min(most);
        cap - (count - cap) % 2
    }
}

impl Code {
    /// Squares in some vector.
    pub(super) fn length(&self) -> usize {
        self.kinds.iter().map(|kind| kind.squares.len()).sum()
    }

    /// The fewest presses of a board whose spectrum is at most `most`, as often as it is reached.
    pub(super) fn presses(&self, most: i32) -> usize {
        // The length and what it exceeds are both even or both odd.
        self.fixed.len() + (self.length() as i64 - i64::from(most)) as usize / 2
    }

    /// The greatest value of the spectrum of sums of signs. O(k 2^k) for k dimensions.
    pub(super) fn greatest(&self, sums: &[i32]) -> i32 {
        self.spectrum(sums).into_iter().max().unwrap_or(0)
    }

    /// The sums for all characters, by the fast Walsh–Hadamard transform.
    pub(super) fn spectrum(&self, sums: &[i32]) -> Vec<i32> {
        let mut spectrum = vec![0; 1 << self.dimensions];
        self.kinds.iter().zip(sums).for_each(|(kind, &sum)| spectrum[kind.key as usize] += sum);
        for k in 0..self.dimensions {
            for block in spectrum.chunks_exact_mut(2 << k) {
                let (low, high) = block.split_at_mut(1 << k);
                low.iter_mut().zip(high).for_each(|(a, b)| (*a, *b) = (*a + *b, *a - *b));
            }
        }
        spectrum
    }

    /// Presses with these sums of signs, such that no null vector makes them fewer.
    pub(super) fn board(&self, squares: usize, sums: &[i32]) -> Bits {
        let mut presses = Bits::from_indices(squares, self.fixed.iter().copied());
        for (kind, &sum) in self.kinds.iter().zip(sums) {
            let pressed = (kind.squares.len() as i64 - i64::from(sum)) as usize / 2;
            kind.squares.iter().take(pressed).for_each(|&square| presses.set(square));
        }
        presses
    }

    /// The vectors of the basis, by number, that make the spectrum greatest.
    pub(super) fn lightest(&self, sums: &[i32]) -> usize {
        let spectrum = self.spectrum(sums);
        let greatest = spectrum.iter().max();
        spectrum.iter().position(|value| Some(value) == greatest).unwrap_or(0)
    }

    /// Kinds that are independent and span all, in an order in which those spanned so far gain as many of odd number
    /// and as few others as can be at each step: then a search by cases soon meets what cannot be.
    pub(super) fn chain(&self) -> Vec<usize> {
        // In echelon form: no vector holds the highest bit of another.
        let mut spanned: Vec<u32> = Vec::new();
        let mut chain = Vec::new();
        loop {
            let mut cosets: BTreeMap<u32, (usize, usize, usize)> = BTreeMap::new();
            for (i, kind) in self.kinds.iter().enumerate() {
                let rest = spanned.iter().fold(kind.key, |key, &vector| key.min(key ^ vector));
                let coset = cosets.entry(rest).or_insert((0, 0, i));
                let count = if kind.is_odd() { &mut coset.0 } else { &mut coset.1 };
                *count += 1;
            }
            cosets.remove(&0);
            let best = cosets.into_iter().min_by_key(|(_, (odd, even, _))| (usize::MAX - odd, *even));
            let Some((rest, (.., kind))) = best else { return chain };
            spanned.iter_mut().for_each(|vector| *vector = (*vector).min(*vector ^ rest));
            spanned.push(rest);
            spanned.sort_unstable_by(|a, b| b.cmp(a));
            chain.push(kind);
        }
    }
}
