//! Counts of true literals: the encodings and their names.
//!
//! A count is written once. For each k, it has an output literal that says "more than k inputs are true". The negation
//! of this output is the bound "at most k". The negated literal can be asserted or assumed, so an incremental solver
//! can tighten the bound step by step.

use crate::bounds::Bounds;
use crate::{EncodingSize, Sink, counter, native, network, totalizer};
use rustsat::types::Lit;
use std::fmt;

/// An encoding that counts true literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cardinality {
    /// The totalizer: a tree of unary additions.
    Totalizer,
    /// Sinz's sequential counter.
    Sequential,
    /// Cardinality networks: Batcher's odd-even merge sort.
    Network,
}

/// The unary count of some literals.
///
/// ```
/// use counterpoint_encodings::{Cardinality, Cnf, Count, Bounds, Sink};
///
/// let mut cnf = Cnf::default();
/// let presses: Vec<_> = (0..16).map(|_| cnf.new_var().pos_lit()).collect();
/// let count = Count::new(Cardinality::Totalizer, &mut cnf, &presses, 6, Bounds::Upper);
/// count.require_at_most(&mut cnf, 5);
/// assert_eq!(cnf.clauses().last(), Some(&[!count.outputs()[5]][..]));
/// ```
#[derive(Clone, Debug)]
pub struct Count {
    outputs: Vec<Lit>,
    /// Number of inputs.
    n: usize,
}

impl Cardinality {
    /// All encodings.
    pub const ALL: [Cardinality; 3] = [Cardinality::Totalizer, Cardinality::Sequential, Cardinality::Network];

    /// The names of the encodings, in the order of `ALL`.
    pub const NAMES: [&'static str; 3] = ["totalizer", "sequential", "network"];

    /// The name that engine ids use.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The encoding with this name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Requires at most `k` true literals. Writes a [`Count`] up to `k + 1` and requires its bound. A sink that
    /// supports linear constraints receives one inequality instead.
    pub fn at_most(self, sink: &mut dyn Sink, lits: &[Lit], k: usize) {
        if sink.supports_linear() {
            return native::at_most(sink, lits, k);
        }
        Count::new(self, sink, lits, k.saturating_add(1), Bounds::Upper).require_at_most(sink, k);
    }

    /// New variables and clauses of [`Count::new`] for `n` literals counted up to `max`.
    pub fn size(self, n: u64, max: u64, bounds: Bounds) -> EncodingSize {
        match self {
            Cardinality::Totalizer => totalizer::size(n, max, bounds),
            Cardinality::Sequential => counter::size(n, max, bounds),
            Cardinality::Network => network::size(n, max, bounds),
        }
    }
}

impl fmt::Display for Cardinality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Count {
    /// Counts the true literals up to `max`: for each k < `max`, an output is forced true if more than k literals are
    /// true. If the sink supports linear constraints, one or two linear constraints define the outputs, whatever `kind`
    /// is.
    pub fn new(kind: Cardinality, sink: &mut dyn Sink, lits: &[Lit], max: usize, bounds: Bounds) -> Self {
        let outputs = match kind {
            _ if sink.supports_linear() => native::count(sink, lits, max, bounds),
            Cardinality::Totalizer => totalizer::count(sink, lits, max, bounds),
            Cardinality::Sequential => counter::count(sink, lits, max, bounds),
            Cardinality::Network => network::count(sink, lits, max, bounds),
        };
        Count { outputs, n: lits.len() }
    }

    /// More than k true inputs force `outputs()[k]` to be true. With [`Bounds::Both`], this output is true iff more
    /// than k inputs are. There are `max` outputs, or one for each input if there are fewer than `max` inputs.
    pub fn outputs(&self) -> &[Lit] {
        &self.outputs
    }

    /// The literal that requires at most `k` true inputs when it is asserted or assumed. `None` if there are at most
    /// `k` inputs.
    ///
    /// # Panics
    /// If there are more than `k` inputs, but [`Count::new`] counted them only up to `k` or less.
    pub fn at_most(&self, k: usize) -> Option<Lit> {
        (k < self.n).then(|| !self.outputs[k])
    }

    /// Requires at most `k` true inputs. Adds no clause if there are at most `k` inputs.
    ///
    /// # Panics
    /// In the same cases as [`Count::at_most`].
    pub fn require_at_most(&self, sink: &mut dyn Sink, k: usize) {
        self.at_most(k).into_iter().for_each(|lit| sink.clause(&[lit]));
    }
}
