//! Treats the null space as a binary code: groups squares into kinds, and restates the covering radius in terms of a
//! Walsh spectrum.
//!
//! Write presses as signs: -1 for a press, 1 otherwise. Two squares are of the same kind t if the same basis vectors
//! contain them. Adding null vectors multiplies the signs of each kind t by χ(t), where χ is a character of the group
//! of kinds. Let a(t) be the sum of the signs of kind t. Then the fewest presses on an n×n board are (n² - max over χ
//! of Σ a(t) χ(t)) / 2.
//!
//! Let kind t have m(t) squares. Any numbers a(t) with |a(t)| ≤ m(t) and a(t) ≡ m(t) modulo 2 belong to some board, so
//! finding the hardest board is a question about small integers: minimise the greatest value of a Walsh spectrum. On
//! the hardest board, every square that lies in no null vector is pressed.

use counterpoint_core::board::Bits;
use std::collections::BTreeMap;

/// The squares that lie in the same vectors of a basis.
pub(super) struct Kind {
    /// Bit k says whether vector k contains the squares; the key is not 0.
    pub(super) key: u32,
    pub(super) squares: Vec<usize>,
}

/// The kinds of squares of a linear code, which is a space of press sets.
pub(super) struct Code {
    pub(super) dimensions: usize,
    pub(super) kinds: Vec<Kind>,
    /// The squares that lie in no vector.
    pub(super) fixed: Vec<usize>,
}

/// The maximum number of dimensions of a code; a spectrum has 2^dimensions values.
pub(super) const MAX_DIMENSIONS: usize = 17;

/// Groups the squares into kinds by a basis of at most [`MAX_DIMENSIONS`] vectors.
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

    /// The greatest sum of the signs of this kind that does not exceed `most`.
    pub(super) fn cap(&self, most: i32) -> i32 {
        let count = self.squares.len() as i32;
        let cap = count.min(most);
        cap - (count - cap) % 2
    }
}

impl Code {
    /// The number of squares that lie in some vector: the length of the code.
    pub(super) fn length(&self) -> usize {
        self.kinds.iter().map(|kind| kind.squares.len()).sum()
    }

    /// The presses that the hardest board needs if the greatest value of its spectrum is `most`.
    pub(super) fn presses(&self, most: i32) -> usize {
        // The length and the values of a spectrum have the same parity.
        self.fixed.len() + (self.length() as i64 - i64::from(most)) as usize / 2
    }

    /// The greatest value of the spectrum of these sums of signs. Takes O(k 2^k) for k dimensions.
    pub(super) fn greatest(&self, sums: &[i32]) -> i32 {
        self.spectrum(sums).into_iter().max().unwrap_or(0)
    }

    /// The spectrum: the values for all characters, by the fast Walsh–Hadamard transform.
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

    /// Presses with these sums of signs, and with every square pressed that lies in no vector.
    pub(super) fn board(&self, squares: usize, sums: &[i32]) -> Bits {
        let mut presses = Bits::from_indices(squares, self.fixed.iter().copied());
        for (kind, &sum) in self.kinds.iter().zip(sums) {
            let pressed = (kind.squares.len() as i64 - i64::from(sum)) as usize / 2;
            kind.squares.iter().take(pressed).for_each(|&square| presses.set(square));
        }
        presses
    }

    /// The basis vectors, as a bit mask, that must be added to presses with these sums to get a coset leader: the first
    /// character at which the spectrum is greatest.
    pub(super) fn lightest(&self, sums: &[i32]) -> usize {
        let spectrum = self.spectrum(sums);
        let greatest = spectrum.iter().max();
        spectrum.iter().position(|value| Some(value) == greatest).unwrap_or(0)
    }

    /// A basis of the space of kinds, as indices in `kinds`. Each step takes the kind that brings the most kinds with
    /// an odd number of squares into the span. Among equals, it takes the kind that brings the fewest kinds with an
    /// even number. So the search finds contradictions early.
    pub(super) fn chain(&self) -> Vec<usize> {
        // A basis of the span so far, in reduced echelon form: no vector contains the highest bit of another.
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
