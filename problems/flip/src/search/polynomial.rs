//! Polynomials over GF(2), one bit per coefficient: sums, products, division, greatest common divisors.
//!
//! Products use Karatsuba's method (Karatsuba and Ofman 1962) down to [`COMB`] words, and then a comb of four bits
//! (López, Dahab, *High-speed software multiplication in F(2^m)*, INDOCRYPT 2000). Division and Euclid's algorithm are
//! the schoolbook methods on words: O(n²/64) for degree n.

use counterpoint_core::engine::{Budget, Limit};

/// A polynomial; the coefficient of x^i is bit i % 64 of word i / 64, and the last word is not 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Poly {
    words: Vec<u64>,
}

impl Poly {
    /// Builds a polynomial from its coefficients, lowest first.
    pub(super) fn from_words(words: Vec<u64>) -> Poly {
        let mut poly = Poly { words };
        poly.trim();
        poly
    }

    /// The constant 1.
    pub(super) fn one() -> Poly {
        Poly { words: vec![1] }
    }

    /// The coefficients, lowest first; the last word is not 0.
    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    /// The degree; `None` for the polynomial 0.
    pub(super) fn degree(&self) -> Option<usize> {
        let top = self.words.last()?;
        Some(self.words.len() * 64 - 1 - top.leading_zeros() as usize)
    }

    pub(super) fn is_zero(&self) -> bool {
        self.words.is_empty()
    }

    /// The number of coefficients: the degree plus 1, or 0 for the polynomial 0.
    fn length(&self) -> usize {
        self.degree().map_or(0, |d| d + 1)
    }

    fn trim(&mut self) {
        let used = self.words.iter().rposition(|&w| w != 0).map_or(0, |i| i + 1);
        self.words.truncate(used);
    }

    /// Adds `other`·x^`shift`.
    fn add_shifted(&mut self, other: &Poly, shift: usize) {
        let need = (other.length() + shift).div_ceil(64);
        if self.words.len() < need {
            self.words.resize(need, 0);
        }
        let (words, bits) = (shift / 64, shift % 64);
        let to = &mut self.words[words.min(need)..];
        if bits == 0 {
            to.iter_mut().zip(&other.words).for_each(|(a, b)| *a ^= b);
        } else if let (Some(first), Some(last)) = (other.words.first(), other.words.last()) {
            to[0] ^= first << bits;
            for ((a, low), high) in to[1..].iter_mut().zip(&other.words).zip(&other.words[1..]) {
                *a ^= high << bits | low >> (64 - bits);
            }
            if let Some(a) = to.get_mut(other.words.len()) {
                *a ^= last >> (64 - bits);
            }
        }
        self.trim();
    }

    /// The product with x.
    pub(super) fn times_x(&self) -> Poly {
        let mut product = Poly::default();
        product.add_shifted(self, 1);
        product
    }

    /// The product. Takes O(n^1.59) for two factors of similar degree.
    pub(super) fn times(&self, other: &Poly) -> Poly {
        let (short, long) = if self.words.len() < other.words.len() { (self, other) } else { (other, self) };
        let n = short.words.len();
        if n == 0 {
            return Poly::default();
        }
        // Cut the longer factor into pieces of the length of the shorter one.
        let mut product = vec![0; n + long.words.len().next_multiple_of(n)];
        let mut piece = vec![0; n];
        for (k, part) in long.words.chunks(n).enumerate() {
            piece.fill(0);
            piece[..part.len()].copy_from_slice(part);
            let part = karatsuba(&piece, &short.words);
            product[k * n..].iter_mut().zip(&part).for_each(|(a, b)| *a ^= b);
        }
        Poly::from_words(product)
    }

    /// Quotient and remainder. Panics if `divisor` is 0, as integer division does.
    pub(super) fn divide(mut self, divisor: &Poly) -> (Poly, Poly) {
        let Some(low) = divisor.degree() else { panic!("division by the polynomial 0") };
        if low == 0 {
            return (self, Poly::default());
        }
        let mut quotient = vec![0; (self.length().max(low) - low).div_ceil(64)];
        while let Some(shift) = self.degree().and_then(|d| d.checked_sub(low)) {
            quotient[shift / 64] |= 1 << (shift % 64);
            self.add_shifted(divisor, shift);
        }
        (Poly::from_words(quotient), self)
    }
}

/// The product of two factors of the same number of words.
fn karatsuba(a: &[u64], b: &[u64]) -> Vec<u64> {
    let n = a.len();
    if n <= COMB {
        return comb(a, b);
    }
    // Let a = a0 + a1 X, where a0 has `half` words and a1 has the others. The middle term is
    // (a0 + a1)(b0 + b1) - a0 b0 - a1 b1.
    let half = n.div_ceil(2);
    let sum = |x: &[u64]| -> Vec<u64> {
        let mut sum = x[..half].to_vec();
        sum.iter_mut().zip(&x[half..]).for_each(|(s, x)| *s ^= x);
        sum
    };
    let low = karatsuba(&a[..half], &b[..half]);
    let high = karatsuba(&a[half..], &b[half..]);
    let mut middle = karatsuba(&sum(a), &sum(b));
    for part in [&low, &high] {
        middle.iter_mut().zip(part).for_each(|(m, p)| *m ^= p);
    }
    let mut product = low;
    product.extend_from_slice(&high);
    product[half..].iter_mut().zip(&middle).for_each(|(p, m)| *p ^= m);
    product
}

/// Factors of at most this many words are multiplied by the comb.
const COMB: usize = 16;

/// The product of short factors. Tabulates the products of `b` with the sixteen polynomials of degree less
/// than four. A word has sixteen groups of four bits. For each place of a group, from the highest to the
/// lowest: shifts the sum up by four bits and then, for each word of `a`, adds the product of `b` with the
/// word's group at this place.
fn comb(a: &[u64], b: &[u64]) -> Vec<u64> {
    let n = b.len();
    let mut multiples = [[0u64; COMB + 1]; 16];
    for i in 1..16 {
        let half = multiples[i / 2];
        let mut carry = 0;
        for (k, (word, half)) in multiples[i].iter_mut().zip(half).enumerate() {
            let odd = if i % 2 == 1 { b.get(k).copied().unwrap_or(0) } else { 0 };
            *word = (half << 1 | carry) ^ odd;
            carry = half >> 63;
        }
    }
    let mut product = vec![0; a.len() + n + 1];
    for shift in (0..64).step_by(4).rev() {
        let mut carry = 0;
        for word in &mut product {
            (*word, carry) = (*word << 4 | carry, *word >> 60);
        }
        for (i, word) in a.iter().enumerate() {
            let multiple = &multiples[(word >> shift & 15) as usize][..=n];
            product[i..].iter_mut().zip(multiple).for_each(|(p, m)| *p ^= m);
        }
    }
    product.truncate(a.len() + n);
    product
}

/// The greatest common divisor g of p and f, and a polynomial u with u·p ≡ g modulo f and deg u ≤ deg f - deg g.
///
/// Each subtraction counts as a node.
///
/// # Errors
/// Returns the limit that was reached.
pub(super) fn cofactor(p: &Poly, f: &Poly, budget: &mut Budget) -> Result<(Poly, Poly), Limit> {
    let (mut high, mut low) = (f.clone(), p.clone());
    let (mut high_u, mut low_u) = (Poly::default(), Poly::one());
    while let Some(degree) = low.degree() {
        while let Some(shift) = high.degree().and_then(|d| d.checked_sub(degree)) {
            budget.node()?;
            high.add_shifted(&low, shift);
            high_u.add_shifted(&low_u, shift);
        }
        std::mem::swap(&mut high, &mut low);
        std::mem::swap(&mut high_u, &mut low_u);
    }
    Ok((high, high_u))
}

/// The greatest common divisor. Each subtraction counts as a node.
///
/// # Errors
/// Returns the limit that was reached.
pub(super) fn gcd(mut high: Poly, mut low: Poly, budget: &mut Budget) -> Result<Poly, Limit> {
    while let Some(degree) = low.degree() {
        while let Some(shift) = high.degree().and_then(|d| d.checked_sub(degree)) {
            budget.node()?;
            high.add_shifted(&low, shift);
        }
        std::mem::swap(&mut high, &mut low);
    }
    Ok(high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chacha20::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    fn random(rng: &mut ChaCha8Rng, words: usize) -> Poly {
        Poly::from_words((0..words).map(|_| rng.random()).collect())
    }

    fn sum(a: &Poly, b: &Poly) -> Poly {
        let mut sum = a.clone();
        sum.add_shifted(b, 0);
        sum
    }

    /// The product, added up coefficient by coefficient.
    fn plain_product(a: &Poly, b: &Poly) -> Poly {
        let mut product = Poly::default();
        for i in (0..a.length()).filter(|i| a.words[i / 64] >> (i % 64) & 1 == 1) {
            product.add_shifted(b, i);
        }
        product
    }

    #[test]
    fn products_and_quotients() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for (m, n) in [(0, 3), (1, 1), (1, 7), (2, 2), (3, 3), (5, 4), (8, 8), (13, 40), (17, 33), (16, 70)] {
            let (a, b, r) = (random(&mut rng, m), random(&mut rng, n), random(&mut rng, n - 1));
            let product = a.times(&b);
            assert_eq!(product, plain_product(&a, &b), "{m} {n}");
            assert_eq!(sum(&product, &r).divide(&b), (a, r), "{m} {n}");
        }
    }

    #[test]
    fn cofactors_belong_to_common_divisors() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        for (n, common) in [(1, 1), (2, 1), (4, 2), (9, 1), (9, 5)] {
            let shared = random(&mut rng, common);
            let (p, f) = (random(&mut rng, n - 1).times(&shared), random(&mut rng, n).times(&shared));
            let (g, u) = cofactor(&p, &f, &mut Budget::unlimited()).unwrap();
            assert_eq!(gcd(p.clone(), f.clone(), &mut Budget::unlimited()), Ok(g.clone()));
            assert!(g.clone().divide(&shared).1.is_zero());
            assert!(p.clone().divide(&g).1.is_zero() && f.clone().divide(&g).1.is_zero());
            assert!(sum(&u.times(&p), &g).divide(&f).1.is_zero());
            assert!(u.length() + g.length() <= f.length() + 1);
        }
    }
}
