//! Parity (exclusive or) as clauses: written out, cut into pieces, or left to the sink.
//!
//! Written out, n literals cost 2^(n-1) clauses of n literals. Cut at k, a new variable carries the
//! parity of each piece to the next. Every cut variable is determined, so models are kept one to one.

use crate::Sink;
use rustsat::types::Lit;

/// How a parity constraint is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Parity {
    /// All 2^(n-1) clauses of n literals.
    Direct,
    /// Pieces of at most this many literals, at least 3, chained by new variables.
    Cut(usize),
    /// Handed to [`Sink::xor`]; solvers without native parity fall back to `Cut(4)`.
    Native,
}

impl Parity {
    /// The kinds by their names in engine ids.
    pub const NAMES: [(&'static str, Parity); 4] = [
        ("direct", Parity::Direct),
        ("cut3", Parity::Cut(3)),
        ("cut4", Parity::Cut(4)),
        ("native", Parity::Native),
    ];

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.into_iter().find(|(n, _)| *n == name).map(|(_, kind)| kind)
    }

    /// Demands an odd (`odd`) or even number of true literals. Variables are distinct.
    ///
    /// # Panics
    /// `Direct` over more than 30 literals: it would have over 2^29 clauses.
    pub fn encode<S: Sink + ?Sized>(self, sink: &mut S, lits: &[Lit], odd: bool) {
        match self {
            Parity::Direct => direct(sink, lits, odd),
            Parity::Cut(k) => cut(sink, lits, odd, k.max(3)),
            Parity::Native => sink.xor(lits, odd),
        }
    }

    /// New variables and clauses for `n` literals, no more than `u64::MAX`; `None` where the sink decides.
    pub fn size(self, n: u64) -> Option<(u64, u64)> {
        let direct = |n: u64| if n == 0 { 0 } else { 1u64.checked_shl((n - 1) as u32).unwrap_or(u64::MAX) };
        match self {
            Parity::Direct => Some((0, direct(n))),
            Parity::Cut(k) => {
                let (k, mut left, mut vars, mut clauses) = (k.max(3) as u64, n, 0, 0);
                while left > k {
                    (left, vars, clauses) = (left - (k - 2), vars + 1, clauses + direct(k));
                }
                Some((vars, clauses + direct(left)))
            }
            Parity::Native => None,
        }
    }
}

fn direct<S: Sink + ?Sized>(sink: &mut S, lits: &[Lit], odd: bool) {
    assert!(lits.len() <= 30, "a parity over {} literals has no direct form", lits.len());
    if lits.is_empty() {
        if odd {
            sink.clause(&[]);
        }
        return;
    }
    // A clause forbids the one assignment that falsifies it; forbid those of the wrong parity.
    // Bit i of `flipped` says that literal i stands negated, so is true in the forbidden assignment.
    let mut clause = lits.to_vec();
    for flipped in 0u32..1 << lits.len() {
        if (flipped.count_ones() % 2 == 1) != odd {
            for (i, &lit) in lits.iter().enumerate() {
                clause[i] = if flipped >> i & 1 == 1 { !lit } else { lit };
            }
            sink.clause(&clause);
        }
    }
}

fn cut<S: Sink + ?Sized>(sink: &mut S, lits: &[Lit], odd: bool, k: usize) {
    let mut left = lits.to_vec();
    while left.len() > k {
        // The first k-1 literals are replaced by their parity, which goes to the end of the row.
        let carry = sink.new_var().pos_lit();
        let rest = left.split_off(k - 1);
        left.push(carry);
        direct(sink, &left, false);
        left = rest;
        left.push(carry);
    }
    direct(sink, &left, odd);
}
