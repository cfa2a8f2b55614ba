//! Exactly one: a clause that demands one, and a choice of ways to forbid two.

use crate::{Sink, pairwise, sequential};
use rustsat::types::Lit;
use std::fmt;

/// How "at most one" is written. Each kind allows every assignment with at most one true literal in
/// exactly one extension to its new variables, save `Sequential`, whose counter may run ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExactlyOne {
    /// A clause a pair.
    Pairwise,
    /// Sinz's counter.
    Sequential,
}

impl ExactlyOne {
    /// All kinds, in the order in which they are listed.
    pub const ALL: [ExactlyOne; 2] = [ExactlyOne::Pairwise, ExactlyOne::Sequential];

    /// The name that engine ids use.
    pub const fn name(self) -> &'static str {
        match self {
            ExactlyOne::Pairwise => "pairwise",
            ExactlyOne::Sequential => "sequential",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Demands that exactly one of `lits` is true. No literal at all is unsatisfiable.
    pub fn encode<S: Sink + ?Sized>(self, sink: &mut S, lits: &[Lit]) {
        sink.clause(lits);
        self.at_most_one(sink, lits);
    }

    /// Demands that at most one of `lits` is true.
    pub fn at_most_one<S: Sink + ?Sized>(self, sink: &mut S, lits: &[Lit]) {
        match self {
            ExactlyOne::Pairwise => pairwise::at_most_one(sink, lits),
            ExactlyOne::Sequential => sequential::at_most_one(sink, lits),
        }
    }

    /// New variables and clauses of [`at_most_one`](Self::at_most_one) for `n` literals;
    /// [`encode`](Self::encode) adds one clause.
    pub fn at_most_one_size(self, n: u64) -> (u64, u64) {
        match self {
            ExactlyOne::Pairwise => pairwise::size(n),
            ExactlyOne::Sequential => sequential::size(n),
        }
    }
}

impl fmt::Display for ExactlyOne {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
