//! Merges sorted lists of states and adds the path counts of equal states.
//!
//! A profile (see `automaton.rs`) is a bit mask of cells. Every transition of the covering automaton adds a constant to
//! it and shifts it, so a transition maps a sorted list to a sorted list. A window of 2^12 keys slides over all lists
//! at once. It has one counter for each key, so its counters fit into the first-level cache, and states are neither
//! hashed nor compared.

use num_traits::{AsPrimitive, PrimInt};
use std::ops::AddAssign;

/// Number of keys in the window: 64 words of 64 bits, so that one further word has a bit for each of these words.
const WINDOW: usize = 1 << 12;

/// A profile as a bit mask: the key by which states are sorted.
pub trait Key: PrimInt + AsPrimitive<usize> + 'static {}
/// A number of paths. The caller must choose a type in which no sum overflows.
pub trait Tally: Copy + Default + AddAssign + Into<u128> + 'static {}
impl<K: PrimInt + AsPrimitive<usize>> Key for K {}
impl<C: Copy + Default + AddAssign + Into<u128> + 'static> Tally for C {}

/// States with the number of paths to each.
#[derive(Clone, Debug, Default)]
pub struct Bucket<K, C> {
    /// Ascending.
    pub keys: Vec<K>,
    /// One for each key.
    pub counts: Vec<C>,
}

/// A transition from a list of states. It takes the states that have no bit of `forbid` and all bits of `need`, and
/// maps key x to (x + `add`) / 2.
#[derive(Clone, Copy, Debug)]
pub struct Stream<'a, K, C> {
    /// Ascending.
    pub keys: &'a [K],
    /// One for each key.
    pub counts: &'a [C],
    /// The constant that is added.
    pub add: K,
    /// Bits that a state must not have.
    pub forbid: K,
    /// Bits that a state must have. None of them is in `forbid`.
    pub need: K,
}

impl<K: Key, C: Tally> Stream<'_, K, C> {
    /// True if the transition takes the state.
    pub fn takes(&self, key: K) -> bool {
        key & (self.forbid | self.need) == self.need
    }

    /// The target of a state. This function is monotone over all states, including those that are not taken.
    pub fn target(&self, key: K) -> K {
        (key + self.add) >> 1
    }

    /// Number of paths to all states that are taken.
    pub fn total(&self) -> u128 {
        let taken = self.keys.iter().zip(self.counts).filter(|(key, _)| self.takes(**key));
        taken.map(|(_, &count)| count.into()).sum()
    }
}

/// Counters for the keys of a window. All are 0 between two calls.
pub struct Window<C> {
    counts: Box<[C; WINDOW]>,
    /// The keys that occur: bit i of word j stands for key 64 j + i.
    present: [u64; WINDOW / 64],
    /// Bit j is set if word j of `present` is not 0. Most windows contain few keys.
    words: u64,
}

impl<C: Tally> Default for Window<C> {
    fn default() -> Self {
        Window { counts: Box::new([C::default(); WINDOW]), present: [0; WINDOW / 64], words: 0 }
    }
}

impl<C: Tally> Window<C> {
    /// Merges the streams and keeps the keys for which `keep` is true. O(states of all streams).
    pub fn merge<K: Key>(
        &mut self,
        streams: &mut [Stream<'_, K, C>],
        keep: impl Fn(K) -> bool,
    ) -> Bucket<K, C> {
        let mut sum = Bucket { keys: Vec::new(), counts: Vec::new() };
        let bits = WINDOW.trailing_zeros() as usize;
        while let Some(base) = lowest_target(streams).map(|key| key >> bits) {
            for stream in &mut *streams {
                self.add(stream, base);
            }
            while self.words != 0 {
                let word = self.words.trailing_zeros() as usize;
                self.words &= self.words - 1;
                let mut present = std::mem::take(&mut self.present[word]);
                while present != 0 {
                    let i = 64 * word + present.trailing_zeros() as usize;
                    present &= present - 1;
                    let count = std::mem::take(&mut self.counts[i]);
                    // `i` is below 2^12, so it fits into every key type.
                    let key = (base << bits) | K::from(i).unwrap_or_else(K::zero);
                    if keep(key) {
                        sum.keys.push(key);
                        sum.counts.push(count);
                    }
                }
            }
        }
        sum
    }

    /// Adds the states of a stream whose targets fall into the window, and removes them from the stream.
    fn add<K: Key>(&mut self, stream: &mut Stream<'_, K, C>, base: K) {
        // The lowest key whose target lies beyond the window.
        let beyond =
            (((base + K::one()) << WINDOW.trailing_zeros() as usize) << 1).saturating_sub(stream.add);
        let mut read = 0;
        for (&key, &count) in stream.keys.iter().zip(stream.counts).take_while(|(key, _)| **key < beyond) {
            read += 1;
            if stream.takes(key) {
                let i: usize = stream.target(key).as_();
                let i = i % WINDOW;
                self.counts[i] += count;
                self.present[i / 64] |= 1 << (i % 64);
                self.words |= 1 << (i / 64);
            }
        }
        stream.keys = &stream.keys[read..];
        stream.counts = &stream.counts[read..];
    }
}

/// The lowest target of the next states of all streams.
fn lowest_target<K: Key, C: Tally>(streams: &[Stream<'_, K, C>]) -> Option<K> {
    streams.iter().filter_map(|stream| stream.keys.first().map(|&key| stream.target(key))).min()
}
