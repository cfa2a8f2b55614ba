//! The list of encodings with their sizes and properties, which the tests verify. The encoding of linear constraints is
//! not in the list.

use crate::{AtMostOne, Bounds, Cardinality, EncodingSize, Parity, lex_size};

/// A constraint and one of its encodings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constraint {
    /// At most one of n literals. One more clause makes it exactly one.
    AtMostOne(AtMostOne),
    /// A bound on the number of true literals.
    Cardinality(Cardinality, Bounds),
    /// An odd or even number of true literals.
    Parity(Parity),
    /// One sequence of n literals is at most another, lexicographically.
    Lexicographic,
}

/// How many models of the clauses extend one model of the constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelCount {
    /// One, because the new variables are determined by the literals.
    Exact,
    /// One if exactly one literal is true, otherwise several.
    ExactIfExactlyOne,
    /// Sometimes several. To count models, project them on the literals of the constraint.
    Projected,
}

/// An encoding with its properties.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The constraint with the encoding.
    pub constraint: Constraint,
    /// The name of the encoding, which engine ids use.
    pub name: &'static str,
    /// The number of new variables, as an arithmetic expression in the number `n` of inputs and, for counts, the
    /// maximum `k`; "recurrence" if there is no closed form, and "the sink's" if the sink decides.
    pub vars: &'static str,
    /// The number of clauses, in the same form.
    pub clauses: &'static str,
    /// How many models of the clauses extend one model of the constraint.
    pub models: ModelCount,
    /// Whether unit propagation is complete: it finds every implied input literal, and every contradiction.
    pub propagates: bool,
    /// The publication that describes the encoding.
    pub reference: &'static str,
}

impl Constraint {
    /// The name of the constraint.
    pub const fn family(self) -> &'static str {
        match self {
            Constraint::AtMostOne(_) => "at most one",
            Constraint::Cardinality(..) => "count",
            Constraint::Parity(_) => "parity",
            Constraint::Lexicographic => "order",
        }
    }

    /// The relations that the encoding can require.
    pub const fn bounds(self) -> &'static str {
        match self {
            Constraint::AtMostOne(_) => "<= 1, = 1",
            Constraint::Cardinality(_, Bounds::Upper) => "<= k",
            Constraint::Cardinality(_, Bounds::Both) => "<= k, >= k",
            Constraint::Parity(_) => "odd, even",
            Constraint::Lexicographic => "x <= y",
        }
    }

    /// New variables and clauses for `n` literals; counts go up to `k`. `None` if the sink decides.
    pub fn size(self, n: u64, k: u64) -> Option<EncodingSize> {
        match self {
            Constraint::AtMostOne(kind) => Some(kind.at_most_one_size(n)),
            Constraint::Cardinality(kind, bounds) => Some(kind.size(n, k, bounds)),
            Constraint::Parity(kind) => kind.size(n),
            Constraint::Lexicographic => Some(lex_size(n)),
        }
    }
}

/// Every encoding of the crate, except the encoding of linear constraints.
///
/// The expressions for sizes hold for `n >= 5` and `2 <= k < n`. If an expression uses other names than `n` and `k`,
/// their definitions follow after commas.
///
/// ```
/// use counterpoint_encodings::{EncodingSize, catalogue};
///
/// let ladder = catalogue().find(|entry| entry.name == "ladder").unwrap();
/// assert_eq!((ladder.vars, ladder.clauses), ("n-1", "3*n-4"));
/// assert_eq!(ladder.constraint.size(100, 0), Some(EncodingSize { vars: 99, clauses: 296 }));
/// ```
pub fn catalogue() -> impl Iterator<Item = Entry> {
    let at_most_one = AtMostOne::ALL.into_iter().map(|kind| {
        let (vars, clauses, models, reference) = match kind {
            AtMostOne::Pairwise => ("0", "n*(n-1)/2", ModelCount::Exact, "folklore"),
            AtMostOne::Sequential => ("n-1", "3*n-4", ModelCount::Projected, "Sinz 2005"),
            AtMostOne::Ladder => ("n-1", "3*n-4", ModelCount::ExactIfExactlyOne, "Gent, Nightingale 2004"),
            AtMostOne::Bitwise => (
                "b, b = ceil(log2(n))",
                "n*b, b = ceil(log2(n))",
                ModelCount::ExactIfExactlyOne,
                "Prestwich 2007",
            ),
            AtMostOne::Product => (
                "p+q, p = floor(sqrt(n)), q = ceil(n/p)",
                "2*n+p*(p-1)/2+q*(q-1)/2, p = floor(sqrt(n)), q = ceil(n/p)",
                ModelCount::Projected,
                "Chen 2010",
            ),
            AtMostOne::Commander => ("recurrence", "recurrence", ModelCount::Exact, "Klieber, Kwon 2007"),
            AtMostOne::Bimander => (
                "b, b = ceil(log2(ceil(n/4)))",
                "n*b+6*f+r*(r-1)/2, b = ceil(log2(ceil(n/4))), f = floor(n/4), r = n-4*f",
                ModelCount::ExactIfExactlyOne,
                "Nguyen, Mai 2015",
            ),
            AtMostOne::Totalizer => {
                ("recurrence", "recurrence", ModelCount::Projected, "Bailleux, Boufkhad 2003")
            }
        };
        let constraint = Constraint::AtMostOne(kind);
        Entry { constraint, name: kind.name(), vars, clauses, models, propagates: true, reference }
    });
    let cardinality = Cardinality::ALL.into_iter().flat_map(|kind| {
        [Bounds::Upper, Bounds::Both].into_iter().map(move |bounds| {
            let (vars, clauses, reference) = match (kind, bounds) {
                (Cardinality::Totalizer, _) => ("recurrence", "recurrence", "Bailleux, Boufkhad 2003"),
                (Cardinality::Sequential, Bounds::Upper) => {
                    ("n*k-k*(k-1)/2-1", "2*(n*k-k*(k-1)/2-1)-(k-1)", "Sinz 2005")
                }
                (Cardinality::Sequential, Bounds::Both) => {
                    ("n*k-k*(k-1)/2-1", "4*(n*k-k*(k-1)/2-1)-(k-1)-(n-1)", "Sinz 2005")
                }
                (Cardinality::Network, _) => ("recurrence", "recurrence", "Asín et al. 2011"),
            };
            let models = if bounds == Bounds::Both { ModelCount::Exact } else { ModelCount::Projected };
            let constraint = Constraint::Cardinality(kind, bounds);
            Entry { constraint, name: kind.name(), vars, clauses, models, propagates: true, reference }
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
        let models = ModelCount::Exact;
        Entry { constraint, name, vars, clauses, models, propagates: true, reference }
    });
    let lexicographic = Entry {
        constraint: Constraint::Lexicographic,
        name: "lex",
        vars: "n-1",
        clauses: "3*n-2",
        models: ModelCount::Projected,
        propagates: true,
        reference: "Knuth, TAOCP 7.2.2.2",
    };
    at_most_one.chain(cardinality).chain(parity).chain([lexicographic])
}
