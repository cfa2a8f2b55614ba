//! Takes an input apart: the fuzzer sees only bytes, and the checks need numbers, choices and texts.
//!
//! When the bytes are used up, every number is the least of its range, so short inputs are valid, too.

use arbitrary::Unstructured;
use arbitrary::unstructured::Int;
use std::ops::RangeInclusive;

/// The part of an input that has not been used yet.
pub(crate) struct Input<'a>(Unstructured<'a>);

impl<'a> Input<'a> {
    pub(crate) fn new(data: &'a [u8]) -> Self {
        Input(Unstructured::new(data))
    }

    /// Whether all bytes are used up.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn number<T: Int>(&mut self, range: RangeInclusive<T>) -> T {
        let least = *range.start();
        self.0.int_in_range(range).unwrap_or(least)
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.number(0..=u8::MAX)
    }

    pub(crate) fn flag(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    /// True about once in `n` times; false when the bytes are used up.
    pub(crate) fn rarely(&mut self, n: u8) -> bool {
        self.number(0..=n - 1) == n - 1
    }

    /// One of the items. There must be at least one.
    pub(crate) fn choose<'t, T>(&mut self, items: &'t [T]) -> &'t T {
        &items[self.number(0..=items.len() - 1)]
    }

    /// A literal of one of the variables 1 to `n`.
    pub(crate) fn literal(&mut self, n: i32) -> i32 {
        let var = self.number(1..=n);
        if self.flag() { -var } else { var }
    }

    /// A clause of at most `max` literals of the variables 1 to `n`.
    pub(crate) fn clause(&mut self, n: i32, max: usize) -> Vec<i32> {
        (0..self.number(0..=max)).map(|_| self.literal(n)).collect()
    }

    /// The next `len` bytes, or as many as are left.
    pub(crate) fn bytes(&mut self, len: usize) -> &'a [u8] {
        self.0.bytes(len.min(self.0.len())).unwrap_or_default()
    }

    pub(crate) fn rest(self) -> &'a [u8] {
        self.0.take_rest()
    }

    /// The bytes that are left as text; what is not UTF-8 is replaced.
    pub(crate) fn text(self) -> String {
        String::from_utf8_lossy(self.rest()).into_owned()
    }
}
