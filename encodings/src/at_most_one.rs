//! At most one and exactly one: the encodings and their names.

use crate::bounds::Bounds;
use crate::{
    EncodingSize, Sink, bimander, bitwise, commander, ladder, native, pairwise, product, sequential,
    totalizer,
};
use rustsat::types::Lit;
use std::fmt;

/// An encoding of "at most one".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtMostOne {
    /// A clause for each pair.
    Pairwise,
    /// Sinz's sequential counter.
    Sequential,
    /// The ladder encoding, also called regular encoding.
    Ladder,
    /// The index of the true literal in binary.
    Bitwise,
    /// At most one row and one column of a grid.
    Product,
    /// Groups with commanders, recursively.
    Commander,
    /// Groups with their indices in binary.
    Bimander,
    /// A totalizer that counts up to two.
    Totalizer,
}

impl AtMostOne {
    /// All encodings.
    pub const ALL: [AtMostOne; 8] = [
        AtMostOne::Pairwise,
        AtMostOne::Sequential,
        AtMostOne::Ladder,
        AtMostOne::Bitwise,
        AtMostOne::Product,
        AtMostOne::Commander,
        AtMostOne::Bimander,
        AtMostOne::Totalizer,
    ];

    /// The names of the encodings, in the order of `ALL`.
    pub const NAMES: [&'static str; Self::ALL.len()] =
        ["pairwise", "sequential", "ladder", "bitwise", "product", "commander", "bimander", "totalizer"];

    /// The name that engine ids use.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The encoding with this name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Requires that exactly one of `lits` is true: "at most one", and the clause of all literals. A sink that supports
    /// linear constraints receives one equation instead.
    pub fn exactly_one(self, sink: &mut dyn Sink, lits: &[Lit]) {
        if sink.supports_linear() {
            return native::exactly_one(sink, lits);
        }
        sink.clause(lits);
        self.at_most_one(sink, lits);
    }

    /// Requires that at most one of `lits` is true. A sink that supports linear constraints receives one inequality
    /// instead of this encoding.
    pub fn at_most_one(self, sink: &mut dyn Sink, lits: &[Lit]) {
        if sink.supports_linear() {
            return native::at_most(sink, lits, 1);
        }
        match self {
            AtMostOne::Pairwise => pairwise::at_most_one(sink, lits),
            AtMostOne::Sequential => sequential::at_most_one(sink, lits),
            AtMostOne::Ladder => ladder::at_most_one(sink, lits),
            AtMostOne::Bitwise => bitwise::at_most_one(sink, lits),
            AtMostOne::Product => product::at_most_one(sink, lits),
            AtMostOne::Commander => commander::at_most_one(sink, lits),
            AtMostOne::Bimander => bimander::at_most_one(sink, lits),
            AtMostOne::Totalizer => {
                let two = totalizer::count(sink, lits, 2, Bounds::Upper);
                two.get(1).into_iter().for_each(|&two| sink.clause(&[!two]));
            }
        }
    }

    /// New variables and clauses of [`at_most_one`](Self::at_most_one) for `n` literals.
    /// [`exactly_one`](Self::exactly_one) adds one clause.
    pub fn at_most_one_size(self, n: u64) -> EncodingSize {
        match self {
            AtMostOne::Pairwise => pairwise::size(n),
            AtMostOne::Sequential => sequential::size(n),
            AtMostOne::Ladder => ladder::size(n),
            AtMostOne::Bitwise => bitwise::size(n),
            AtMostOne::Product => product::size(n),
            AtMostOne::Commander => commander::size(n),
            AtMostOne::Bimander => bimander::size(n),
            AtMostOne::Totalizer => {
                totalizer::size(n, 2, Bounds::Upper) + EncodingSize { vars: 0, clauses: u64::from(n > 1) }
            }
        }
    }
}

/// Requires that `one` is true iff one of `lits` is.
///
/// Other constraints must imply that at most one of `lits` is true, because a sink that supports linear
/// constraints receives the equation "the sum of `lits` equals `one`". Other sinks receive a clause "this
/// literal implies `one`" for each of `lits`, and the clause "`one` implies some literal of `lits`".
pub fn one_of(sink: &mut dyn Sink, one: Lit, lits: &[Lit]) {
    if sink.supports_linear() {
        return native::one_of(sink, one, lits);
    }
    lits.iter().for_each(|&lit| sink.clause(&[!lit, one]));
    sink.clause(&[lits, &[!one]].concat());
}

impl fmt::Display for AtMostOne {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
