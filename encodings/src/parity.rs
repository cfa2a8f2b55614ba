//! Parity constraints (XOR): the encodings and their names.

use crate::{EncodingSize, Sink, cut, direct, native, tree};
use rustsat::types::Lit;

/// An encoding of a parity constraint. All new variables are determined by the literals, so the number of models stays
/// the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Parity {
    /// All 2^(n-1) clauses of n literals, without new variables.
    Direct,
    /// Pieces of at most this many literals, connected by new variables. Numbers below 3 count as 3.
    Cut(usize),
    /// A balanced tree of pieces of three literals.
    Tree,
    /// Left to [`Sink::xor`]; sinks without native parity constraints use [`Parity::DEFAULT`].
    Native,
}

impl Parity {
    /// The encoding that sinks without native parity constraints use: pieces of four literals.
    pub const DEFAULT: Parity = Parity::Cut(cut::DEFAULT_PIECE);

    /// The encodings that have names.
    pub const ALL: [Parity; 5] =
        [Parity::Direct, Parity::Cut(3), Parity::Cut(4), Parity::Tree, Parity::Native];

    /// The names of the encodings in `ALL`, in the same order. Engine ids use them.
    pub const NAMES: [&'static str; 5] = ["direct", "cut3", "cut4", "tree", "native"];

    /// The encoding with this name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().zip(Self::NAMES).find(|(_, n)| *n == name).map(|(kind, _)| kind)
    }

    /// Requires that an odd (`odd`) or even number of literals is true. The variables of the literals must be distinct.
    /// A sink that supports linear constraints receives one equation instead of this encoding.
    ///
    /// # Panics
    /// If `Direct` is used with more than 30 literals, which would need more than 2^29 clauses.
    pub fn encode(self, sink: &mut dyn Sink, lits: &[Lit], odd: bool) {
        match self {
            Parity::Native => sink.xor(lits, odd),
            _ if sink.supports_linear() => native::parity(sink, lits, odd),
            Parity::Direct => direct::encode(sink, lits, odd),
            Parity::Cut(k) => cut::encode(sink, lits, odd, k.max(3)),
            Parity::Tree => tree::encode(sink, lits, odd),
        }
    }

    /// New variables and clauses for `n` literals, saturating at `u64::MAX`. An odd parity of no literals needs one
    /// clause more. `None` for `Native`, because the sink decides.
    pub fn size(self, n: u64) -> Option<EncodingSize> {
        match self {
            Parity::Direct => Some(direct::size(n)),
            Parity::Cut(k) => Some(cut::size(n, k.max(3))),
            Parity::Tree => Some(tree::size(n)),
            Parity::Native => None,
        }
    }
}
