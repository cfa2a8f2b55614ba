//! All encodings in one list: size, bounds, model counts, propagation. Tests hold every column.

use crate::{AtMostOne, Bounds, Cardinality, Parity, lex_size};

/// Which constraint an encoding is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constraint {
    /// At most one of n literals; exactly one with a clause more.
    AtMostOne(AtMostOne),
    /// The number of true literals, up to a bound.
    Cardinality(Cardinality, Bounds),
    /// An odd or even number of true literals.
    Parity(Parity),
    /// One row of n literals is not greater than another.
    Lexicographic,
}

/// How the models of the formula stand to those of the constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelCount {
    /// One to one: the new variables are determined.
    Alone,
    /// One to one under "exactly one", where the demand for one comes with it; else projected.
    AloneIfExactlyOne,
    /// One to one after projection on the inputs alone.
    Projected,
}

/// What is known of an encoding.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The constraint, and the kind within it.
    pub constraint: Constraint,
    /// The name in engine ids.
    pub name: &'static str,
    /// New variables by formula: of `n` inputs and, for counts, the bound `k`; "recurrence" where none is closed.
    pub vars: &'static str,
    /// Clauses by formula, likewise.
    pub clauses: &'static str,
    /// How models are counted.
    pub counts: ModelCount,
    /// Whether unit propagation finds each input literal that follows, and each contradiction.
    pub propagates: bool,
    /// Where it was published.
    pub reference: &'static str,
}

impl Constraint {
    /// Its family in words.
    pub const fn family(self) -> &'static str {
        match self {
            Constraint::AtMostOne(_) => "at most one",
            Constraint::Cardinality(..) => "count",
            Constraint::Parity(_) => "parity",
            Constraint::Lexicographic => "order",
        }
    }

    /// The bounds that can be demanded of the number of true literals.
    pub const fn bounds(self) -> &'static str {
        match self {
            Constraint::AtMostOne(_) => "<= 1, = 1",
            Constraint::Cardinality(_, Bounds::AtMost) => "<= k",
            Constraint::Cardinality(_, Bounds::Both) => "<= k, >= k",
            Constraint::Parity(_) => "odd, even",
            Constraint::Lexicographic => "x <= y",
        }
    }

    /// New variables and clauses for `n` literals, counted up to `k`; `None` where the sink decides.
    pub fn size(self, n: u64, k: u64) -> Option<(u64, u64)> {
        match self {
            Constraint::AtMostOne(kind) => Some(kind.at_most_one_size(n)),
            Constraint::Cardinality(kind, sides) => Some(kind.size(n, k, sides)),
            Constraint::Parity(kind) => kind.size(n),
            Constraint::Lexicographic => Some(lex_size(n)),
        }
    }
}

/// Every encoding of the crate.
///
/// Formulas hold for `n >= 5` and `2 <= k < n`; what stands behind a comma is defined there.
///
/// ```
/// let ladder = counterpoint_encodings::catalogue().find(|entry| entry.name == "ladder").unwrap();
/// assert_eq!((ladder.vars, ladder.clauses), ("n-1", "3*n-4"));
/// assert_eq!(ladder.constraint.size(100, 0), Some((99, 296)));
/// ```
pub fn catalogue() -> impl Iterator<Item = Entry> {
    let at_most_one = AtMostOne::ALL.into_iter().map(|kind| {
        let (vars, clauses, counts, reference) = match kind {
            AtMostOne::Pairwise => ("0", "n*(n-1)/2", ModelCount::Alone, "folklore"),
            AtMostOne::Sequential => ("n-1", "3*n-4", ModelCount::Projected, "Sinz 2005"),
            AtMostOne::Ladder => ("n-1", "3*n-4", ModelCount::AloneIfExactlyOne, "Gent, Nightingale 2004"),
            AtMostOne::Bitwise => (
                "b, b = ceil(log2(n))",
                "n*b, b = ceil(log2(n))",
                ModelCount::AloneIfExactlyOne,
                "Prestwich 2007",
            ),
            AtMostOne::Product => (
                "p+q, p = floor(sqrt(n)), q = ceil(n/p)",
                "2*n+p*(p-1)/2+q*(q-1)/2, p = floor(sqrt(n)), q = ceil(n/p)",
                ModelCount::Projected,
                "Chen 2010",
            ),
            AtMostOne::Commander => ("recurrence", "recurrence", ModelCount::Alone, "Klieber, Kwon 2007"),
            AtMostOne::Bimander => (
                "b, b = ceil(log2(ceil(n/4)))",
                "n*b+6*f+r*(r-1)/2, b = ceil(log2(ceil(n/4))), f = floor(n/4), r = n-4*f",
                ModelCount::AloneIfExactlyOne,
                "Nguyen, Mai 2015",
            ),
            AtMostOne::Totalizer => {
                ("recurrence", "recurrence", ModelCount::Projected, "Bailleux, Boufkhad 2003")
            }
        };
        let constraint = Constraint::AtMostOne(kind);
        Entry { constraint, name: kind.name(), vars, clauses, counts, propagates: true, reference }
    });
    let cardinality = Cardinality::ALL.into_iter().flat_map(|kind| {
        [Bounds::AtMost, Bounds::Both].into_iter().map(move |sides| {
            let (vars, clauses, reference) = match (kind, sides) {
                (Cardinality::Totalizer, _) => ("recurrence", "recurrence", "Bailleux, Boufkhad 2003"),
                (Cardinality::Sequential, Bounds::AtMost) => {
                    ("n*k-k*(k-1)/2-1", "2*(n*k-k*(k-1)/2-1)-(k-1)", "Sinz 2005")
                }
                (Cardinality::Sequential, Bounds::Both) => {
                    ("n*k-k*(k-1)/2-1", "4*(n*k-k*(k-1)/2-1)-(k-1)-(n-1)", "Sinz 2005")
                }
                (Cardinality::Network, _) => ("recurrence", "recurrence", "Asín et al. 2011"),
            };
            let counts = if sides == Bounds::Both { ModelCount::Alone } else { ModelCount::Projected };
            let constraint = Constraint::Cardinality(kind, sides);
            Entry { constraint, name: kind.name(), vars, clauses, counts, propagates: true, reference }
        })
    });
    let parity = Parity::ALL.into_iter().zip(Parity::NAMES).map(|(kind, name)| {
        let (vars, clauses, reference) = match kind {
            Parity::Direct => ("0", "2^(n-1)", "folklore"),
            Parity::Cut(3) => ("n-3", "4*(n-2)", "Gwynne, Kullmann 2014"),
            Parity::Cut(_) => {
                ("c, c = floor((n-3)/2)", "8*c+2^(n-2*c-1), c = floor((n-3)/2)", "Gwynne, Kullmann 2014")
            }
            Parity::Tree => ("n-3", "4*(n-2)", "folklore"),
            Parity::Native => ("the sink's", "the sink's", "x lines; else as cut4"),
        };
        let constraint = Constraint::Parity(kind);
        let counts = ModelCount::Alone;
        Entry { constraint, name, vars, clauses, counts, propagates: true, reference }
    });
    let order = Entry {
        constraint: Constraint::Lexicographic,
        name: "lex",
        vars: "n-1",
        clauses: "3*n-2",
        counts: ModelCount::Projected,
        propagates: true,
        reference: "Knuth, TAOCP 7.2.2.2",
    };
    at_most_one.chain(cardinality).chain(parity).chain([order])
}
