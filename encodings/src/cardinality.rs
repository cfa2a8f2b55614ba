//! Counting: literals that tell whether more than k of the inputs are true, in a choice of encodings.
//!
//! A count is written once; each bound is then a single literal, to be asserted or assumed, so bounds
//! can be tightened step by step in an incremental solver.

use crate::{Sink, counter, network, totalizer};
use rustsat::types::Lit;
use std::fmt;

/// How true literals are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cardinality {
    /// A tree of unary additions.
    Totalizer,
    /// Sinz's counter, input after input.
    Sequential,
    /// Batcher's odd-even merges.
    Network,
}

/// Which bounds a count can be held to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bounds {
    /// Upper bounds alone: true inputs force outputs. Shorter.
    AtMost,
    /// Upper and lower bounds: each output is equivalent to its meaning, so models are kept one to one.
    Both,
}

/// The unary count of some literals.
///
/// ```
/// use counterpoint_encodings::{Cardinality, Cnf, Count, Bounds, Sink};
///
/// let mut cnf = Cnf::default();
/// let presses: Vec<_> = (0..16).map(|_| cnf.new_var().pos_lit()).collect();
/// let count = Count::new(Cardinality::Totalizer, &mut cnf, &presses, 6, Bounds::AtMost);
/// count.demand_at_most(&mut cnf, 5);
/// assert_eq!(cnf.clauses().last(), Some(&[!count.outputs()[5]][..]));
/// ```
#[derive(Clone, Debug)]
pub struct Count {
    outputs: Vec<Lit>,
    /// Number of literals counted.
    n: usize,
}

impl Cardinality {
    /// All kinds, in the order in which they are listed.
    pub const ALL: [Cardinality; 3] = [Cardinality::Totalizer, Cardinality::Sequential, Cardinality::Network];

    /// Their names, in the same order.
    pub const NAMES: [&'static str; 3] = ["totalizer", "sequential", "network"];

    /// The name that engine ids use.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// New variables and clauses of [`Count::new`] for `n` literals counted up to `most`.
    pub fn size(self, n: u64, most: u64, sides: Bounds) -> (u64, u64) {
        match self {
            Cardinality::Totalizer => totalizer::size(n, most, sides),
            Cardinality::Sequential => counter::size(n, most, sides),
            Cardinality::Network => network::size(n, most, sides),
        }
    }
}

impl fmt::Display for Cardinality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Count {
    /// Counts `lits` up to `most`: whether there are more than k true ones can be told for every
    /// k < `most`.
    pub fn new<S: Sink + ?Sized>(
        kind: Cardinality,
        sink: &mut S,
        lits: &[Lit],
        most: usize,
        sides: Bounds,
    ) -> Self {
        let outputs = match kind {
            Cardinality::Totalizer => totalizer::count(sink, lits, most, sides),
            Cardinality::Sequential => counter::count(sink, lits, most, sides),
            Cardinality::Network => network::count(sink, lits, most, sides),
        };
        Count { outputs, n: lits.len() }
    }

    /// `outputs()[k]` is forced true by more than k true inputs; with [`Bounds::Both`] it is true iff
    /// there are more than k. As many as were asked for, at most one an input.
    pub fn outputs(&self) -> &[Lit] {
        &self.outputs
    }

    /// The literal to assert or assume for "at most `k`"; `None` where that always holds.
    ///
    /// # Panics
    /// If the count was not written as far as `k`.
    pub fn at_most(&self, k: usize) -> Option<Lit> {
        (k < self.n).then(|| !self.outputs[k])
    }

    /// Adds the clause that demands at most `k`, if one is needed.
    ///
    /// # Panics
    /// As [`Count::at_most`].
    pub fn demand_at_most<S: Sink + ?Sized>(&self, sink: &mut S, k: usize) {
        self.at_most(k).into_iter().for_each(|lit| sink.clause(&[lit]));
    }
}

/// `!lit` for the premise of a clause, nothing for "none": constants are left out.
pub(crate) fn premise(lit: Option<Lit>) -> impl Iterator<Item = Lit> {
    lit.map(|lit| !lit).into_iter()
}
