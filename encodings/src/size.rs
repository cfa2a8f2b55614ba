//! The size of an encoding, which can be computed without writing the clauses.

use std::iter::Sum;
use std::ops::{Add, Mul};

/// What an encoding adds to a formula. Sums and multiples saturate at `u64::MAX`.
///
/// ```
/// use counterpoint_encodings::{AtMostOne, EncodingSize};
///
/// let row = AtMostOne::Ladder.at_most_one_size(10);
/// assert_eq!(row, EncodingSize { vars: 9, clauses: 26 });
/// assert_eq!(row * 10 + row, EncodingSize { vars: 99, clauses: 286 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct EncodingSize {
    /// Number of new variables. The literals of the constraint do not count.
    pub vars: u64,
    /// Number of clauses.
    pub clauses: u64,
}

impl Add for EncodingSize {
    type Output = EncodingSize;

    fn add(self, other: EncodingSize) -> EncodingSize {
        EncodingSize {
            vars: self.vars.saturating_add(other.vars),
            clauses: self.clauses.saturating_add(other.clauses),
        }
    }
}

/// The size of `times` constraints of this size.
impl Mul<u64> for EncodingSize {
    type Output = EncodingSize;

    fn mul(self, times: u64) -> EncodingSize {
        EncodingSize { vars: self.vars.saturating_mul(times), clauses: self.clauses.saturating_mul(times) }
    }
}

impl Sum for EncodingSize {
    fn sum<I: Iterator<Item = EncodingSize>>(sizes: I) -> EncodingSize {
        sizes.fold(EncodingSize::default(), Add::add)
    }
}
