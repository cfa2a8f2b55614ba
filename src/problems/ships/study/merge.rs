//! Sorted lists of states, added up.
//!
//! Every transition of the covering automaton adds a constant to a profile and shifts it, so it turns a
//! sorted list into a sorted list. A window of 2^12 keys slides over all of them at once; a counter for
//! each key of the window stays in the first-level cache, and no state is hashed or compared.

use num_traits::{AsPrimitive, PrimInt};
use std::ops::AddAssign;

/// Keys of the window, 64 words of 64: each word of [`Window::present`] has a bit in one word.
const WINDOW: usize = 1 << 12;

/// A profile.
pub trait Key: PrimInt + AsPrimitive<usize> + 'static {}
/// A number of paths. The caller chooses a type in which no sum overflows.
pub trait Tally: Copy + Default + AddAssign + Into<u128> + 'static {}
impl<K: PrimInt + AsPrimitive<usize>> Key for K {}
impl<C: Copy + Default + AddAssign + Into<u128> + 'static> Tally for C {}

/// States with the numbers of paths to them.
#[derive(Clone, Debug, Default)]
pub struct Bucket<K, C> {
    /// Ascending.
    pub keys: Vec<K>,
    /// One for each key.
    pub counts: Vec<C>,
}

/// A transition: of the states without a bit of `forbid` and with all of `need`, key x goes to
/// (x + `add`) / 2.
#[derive(Clone, Copy, Debug)]
pub struct Stream<'a, K, C> {
    /// Ascending.
    pub keys: &'a [K],
    /// One for each key.
    pub counts: &'a [C],
    /// What is added.
    pub add: K,
    /// Bits that a state must not have.
    pub forbid: K,
    /// Bits that a state must have, none of them in `forbid`.
    pub need: K,
}

impl<K: Key, C: Tally> Stream<'_, K, C> {
    /// Whether the transition takes a state.
    pub fn takes(&self, key: K) -> bool {
        key & (self.forbid | self.need) == self.need
    }

    /// Where a state goes; monotone, whether it is taken or not.
    pub fn target(&self, key: K) -> K {
        (key + self.add) >> 1
    }

    /// The paths of all states that are taken.
    pub fn total(&self) -> u128 {
        let taken = self.keys.iter().zip(self.counts).filter(|(key, _)| self.takes(**key));
        taken.map(|(_, &count)| count.into()).sum()
    }
}

/// Counters for the keys of a window, all 0 between two uses.
pub struct Window<C> {
    counts: Box<[C; WINDOW]>,
    /// Bit i of word j for key 64 j + i.
    present: [u64; WINDOW / 64],
    /// Bit j if word j is not 0; most windows hold few keys.
    words: u64,
}

impl<C: Tally> Default for Window<C> {
    fn default() -> Self {
        Window { counts: Box::new([C::default(); WINDOW]), present: [0; WINDOW / 64], words: 0 }
    }
}

impl<C: Tally> Window<C> {
    /// Adds up the streams and keeps the sums whose keys pass `keep`; O(states of all streams).
    pub fn merge<K: Key>(
        &mut self,
        streams: &mut [Stream<'_, K, C>],
        keep: impl Fn(K) -> bool,
    ) -> Bucket<K, C> {
        let mut sum = Bucket { keys: Vec::new(), counts: Vec::new() };
        let bits = WINDOW.trailing_zeros() as usize;
        while let Some(base) = next(streams).map(|key| key >> bits) {
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
                    // A window has fewer keys than any key type.
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

    /// Adds and uses up the part of a stream that falls into the window.
    fn add<K: Key>(&mut self, stream: &mut Stream<'_, K, C>, base: K) {
        // The least key that goes past the window.
        let past = (((base + K::one()) << WINDOW.trailing_zeros() as usize) << 1).saturating_sub(stream.add);
        let mut seen = 0;
        for (&key, &count) in stream.keys.iter().zip(stream.counts).take_while(|(key, _)| **key < past) {
            seen += 1;
            if stream.takes(key) {
                let i: usize = stream.target(key).as_();
                let i = i % WINDOW;
                self.counts[i] += count;
                self.present[i / 64] |= 1 << (i % 64);
                self.words |= 1 << (i / 64);
            }
        }
        stream.keys = &stream.keys[seen..];
        stream.counts = &stream.counts[seen..];
    }
}

/// The least key that a stream comes to next.
fn next<K: Key, C: Tally>(streams: &[Stream<'_, K, C>]) -> Option<K> {
    streams.iter().filter_map(|stream| stream.keys.first().map(|&key| stream.target(key))).min()
}
