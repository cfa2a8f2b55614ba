//! Hash tables for keys that an adversary may choose: numbers in proofs, names in formulas, texts in records.
//!
//! rustc-hash is fast, but its constants are public, so a file can contain keys that all have the same hash. Then each
//! operation on a table takes time linear in the number of keys. Here, the hash depends on numbers that are drawn anew
//! in each process, so nobody who writes a file knows which keys collide.
//!
//! A hash takes two multiplications for a number: the 128 bits of a product are folded to 64 by exclusive or (as in
//! wyhash). Unlike SipHash, the default of the standard library, this resists only an adversary who does not see the
//! hashes or measure times. That suffices for files. A hash decides nothing but the order in which keys are compared.
//!
//! The order of iteration differs from process to process, so no output may depend on it.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::OnceLock;

/// A map whose keys come from a file.
pub type KeyedMap<K, V> = HashMap<K, V, Keys>;

/// A set whose members come from a file.
pub type KeyedSet<T> = HashSet<T, Keys>;

/// The numbers that the hashes of this process depend on.
#[derive(Clone, Copy, Debug)]
pub struct Keys {
    start: u64,
    /// Odd, so that a product by it keeps all information.
    step: u64,
    /// Odd, too.
    end: u64,
}

impl Default for Keys {
    /// The same numbers for all tables of a process.
    fn default() -> Self {
        static KEYS: OnceLock<Keys> = OnceLock::new();
        *KEYS.get_or_init(|| {
            let [start, step, end] = std::array::from_fn(|_| RandomState::new().build_hasher().finish());
            Keys { start, step: step | 1, end: end | 1 }
        })
    }
}

impl Keys {
    /// The hash of one number.
    #[inline]
    pub fn of_number(self, number: u64) -> u64 {
        fold(fold(self.start ^ number, self.step), self.end)
    }
}

impl BuildHasher for Keys {
    type Hasher = KeyedHasher;

    #[inline]
    fn build_hasher(&self) -> KeyedHasher {
        KeyedHasher { keys: *self, hash: self.start }
    }
}

/// The product, with its upper half folded onto its lower half.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// Hashes one key.
#[derive(Clone, Copy, Debug)]
pub struct KeyedHasher {
    keys: Keys,
    hash: u64,
}

impl KeyedHasher {
    #[inline]
    fn add(&mut self, word: u64) {
        self.hash = fold(self.hash ^ word, self.keys.step);
    }
}

impl Hasher for KeyedHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.add(u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        // The length tells a text that ends with zeros from a shorter one.
        last[7] = rest.len() as u8;
        self.add(u64::from_le_bytes(last));
    }

    #[inline]
    fn write_u8(&mut self, number: u8) {
        self.add(number.into());
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.add(number.into());
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.add(number);
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.add(number as u64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        fold(self.hash, self.keys.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hash::Hash;

    /// The largest number of keys that share the last `BITS` bits of their hashes, and so a place in a table.
    fn crowd<T: Hash>(keys: impl Iterator<Item = T>) -> usize {
        const BITS: u32 = 12;
        let mut counts = vec![0; 1 << BITS];
        keys.for_each(|key| counts[(Keys::default().hash_one(key) % (1 << BITS)) as usize] += 1);
        counts.into_iter().max().unwrap_or(0)
    }

    /// Of 4096 keys thrown into 4096 places at random, more than 24 share one with a probability below 2^-60.
    #[test]
    fn keys_that_follow_a_pattern_do_not_crowd() {
        const N: u64 = 1 << 12;
        for shift in [0, 1, 12, 26, 38, 52] {
            assert!(crowd((0..N).map(|i| i << shift)) <= 24, "{shift}");
        }
        // rustc-hash 2 multiplies by this number; its inverse undoes that.
        let factor: u64 = 0xf135_7aea_2e62_a9c5;
        let inverse = (0..6).fold(factor, |x, _| x.wrapping_mul(2u64.wrapping_sub(factor.wrapping_mul(x))));
        assert_eq!(factor.wrapping_mul(inverse), 1);
        assert!(crowd((0..N).map(|i| i.wrapping_mul(inverse))) <= 24);
        assert!(crowd((0..N).map(|i| format!("{:>40}", i))) <= 24);
        assert!(crowd((0..N).map(|i| vec![i as u32 & 63, i as u32 >> 6])) <= 24);
        assert!(crowd((0..N as usize).map(|i| "\0".repeat(i))) <= 24);
    }

    #[test]
    fn a_number_has_the_hash_of_its_own_function() {
        let keys = Keys::default();
        for number in [0, 1, u64::MAX, 1 << 63] {
            assert_eq!(keys.hash_one(number), keys.of_number(number));
        }
        assert_ne!(keys.hash_one("ab"), keys.hash_one("ab\0"));
        assert_ne!(keys.hash_one([1u8; 8]), keys.hash_one([1u8; 9]));
    }
}
