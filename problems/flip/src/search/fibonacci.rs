//! Fibonacci polynomials over GF(2): changes a polynomial between the basis of Fibonacci polynomials and the basis of
//! powers of y, and substitutes y + 1 for y.
//!
//! F(0) = 0, F(1) = 1, F(n + 1) = y F(n) + F(n - 1). With y = z + 1/z, F(n) = (zⁿ + z⁻ⁿ)/(z + z⁻¹). In characteristic 2
//! it follows that F(2^k + j) = F(2^k - j) + y^(2^k) F(j). Therefore one reversal and one addition split a sum of
//! Fibonacci polynomials into two sums of half the length, and the whole change of basis takes O(n log n / 64) word
//! operations. (Goldwasser, Klostermeyer, Trapp, *Characterizing switch-setting problems*, 1997, for the polynomials;
//! the identity is that of Chebyshev polynomials of the second kind.)

use super::polynomial::Poly;

/// Masks of the lower half of each group of 2h bits, for h = 1, 2, 4 … 32.
const LOWER: [u64; 6] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff,
];

/// Returns the polynomial Σ v(i) F(i + 1), where v(i) is bit i of the words.
pub(super) fn from_fibonacci(vector: &[u64]) -> Poly {
    let mut words = padded(vector);
    let mut half = words.len() / 2;
    while half >= 1 {
        words.chunks_mut(2 * half).for_each(|block| add_reversed(block, half));
        half /= 2;
    }
    for k in (1..6).rev() {
        words.iter_mut().for_each(|word| *word ^= reversed_upper(*word, k));
    }
    Poly::from_words(words)
}

/// The inverse of [`from_fibonacci`]: returns `bits` coefficients; the degree of the polynomial must be below `bits`.
pub(super) fn to_fibonacci(poly: &Poly, bits: usize) -> Vec<u64> {
    let mut words = padded(poly.words());
    for k in 1..6 {
        words.iter_mut().for_each(|word| *word ^= reversed_upper(*word, k));
    }
    let mut half = 1;
    while half < words.len() {
        words.chunks_mut(2 * half).for_each(|block| add_reversed(block, half));
        half *= 2;
    }
    words.resize(bits.div_ceil(64), 0);
    words
}

/// F(n) for n ≥ 1, of degree n - 1.
pub(super) fn fibonacci(n: usize) -> Poly {
    let mut unit = vec![0; n.div_ceil(64)];
    unit[(n - 1) / 64] = 1 << ((n - 1) % 64);
    from_fibonacci(&unit)
}

/// Returns p(y + 1). Because (y + 1)^(2^k) = y^(2^k) + 1, the step for k adds the upper half of every group of 2 · 2^k
/// coefficients to its lower half.
pub(super) fn at_y_plus_1(poly: &Poly) -> Poly {
    let mut words = padded(poly.words());
    for (k, mask) in LOWER.iter().enumerate() {
        words.iter_mut().for_each(|word| *word ^= *word >> (1 << k) & mask);
    }
    let mut half = 1;
    while half < words.len() {
        for block in words.chunks_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            low.iter_mut().zip(high).for_each(|(l, h)| *l ^= *h);
        }
        half *= 2;
    }
    Poly::from_words(words)
}

/// The words, padded with zeros to a power of two, at least one word.
fn padded(words: &[u64]) -> Vec<u64> {
    let mut padded = words.to_vec();
    padded.resize(words.len().next_power_of_two(), 0);
    padded
}

/// Reverses the bits of the upper `half` words, shifts them down by one and adds them to the lower words: each
/// F(2^k + j) contributes its F(2^k - j).
fn add_reversed(block: &mut [u64], half: usize) {
    let (low, high) = block.split_at_mut(half);
    for (i, word) in low.iter_mut().enumerate() {
        let next = if i + 1 < half { high[half - 2 - i].reverse_bits() } else { 0 };
        *word ^= high[half - 1 - i].reverse_bits() >> 1 | next << 63;
    }
}

/// Does the step of [`add_reversed`] within a word: for each group of 2^(k + 1) bits, returns the bits that must be
/// added to the lower half.
fn reversed_upper(word: u64, k: usize) -> u64 {
    let mut upper = word >> (1 << k) & LOWER[k];
    for (j, mask) in LOWER.iter().enumerate().take(k) {
        upper = upper >> (1 << j) & mask | (upper & mask) << (1 << j);
    }
    // The shift moves the lowest bit of a group into the upper half of its neighbour, where the mask clears it.
    upper >> 1 & LOWER[k]
}

#[cfg(test)]
mod tests {
    use super::*;
    use chacha20::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    fn sum(a: &Poly, b: &Poly) -> Poly {
        let mut words = vec![0; a.words().len().max(b.words().len())];
        for poly in [a, b] {
            words.iter_mut().zip(poly.words()).for_each(|(s, w)| *s ^= w);
        }
        Poly::from_words(words)
    }

    #[test]
    fn fibonacci_polynomials_follow_their_recurrence() {
        let (mut before, mut here) = (Poly::default(), Poly::one());
        for n in 1..300 {
            assert_eq!(fibonacci(n), here, "{n}");
            (before, here) = (here.clone(), sum(&here.times_x(), &before));
        }
    }

    #[test]
    fn to_fibonacci_inverts_from_fibonacci() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for bits in [1usize, 2, 63, 64, 65, 130, 512, 1000] {
            let mut vector: Vec<u64> = (0..bits.div_ceil(64)).map(|_| rng.random()).collect();
            if bits % 64 > 0 {
                vector[bits / 64] &= (1 << (bits % 64)) - 1;
            }
            let poly = from_fibonacci(&vector);
            assert!(poly.degree().is_none_or(|d| d < bits));
            assert_eq!(to_fibonacci(&poly, bits), vector, "{bits}");
            assert_eq!(at_y_plus_1(&at_y_plus_1(&poly)), poly, "{bits}");
        }
    }

    #[test]
    fn at_y_plus_1_substitutes() {
        // y³ + y becomes (y + 1)³ + (y + 1) = y³ + y².
        assert_eq!(at_y_plus_1(&Poly::from_words(vec![0b1010])), Poly::from_words(vec![0b1100]));
        // The substitution is multiplicative.
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let [a, b] = [3, 2].map(|n| Poly::from_words((0..n).map(|_| rng.random()).collect()));
        assert_eq!(at_y_plus_1(&a.times(&b)), at_y_plus_1(&a).times(&at_y_plus_1(&b)));
    }
}
