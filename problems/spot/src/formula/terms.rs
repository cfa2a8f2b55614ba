//! A *term* is what a formula says about a square: either a constant or a literal. This file has terms,
//! clauses of terms, and the variables of `toggles`.
//!
//! Clauses that contain constants are simplified, so what the record determines costs no variables and no clauses.

use counterpoint_core::board::{Cell, Symmetry};
use counterpoint_encodings::{Lit, Sink};
use rustc_hash::FxHashSet;

/// Whether a square has a spot, or whether a step toggles a square: a constant or a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Term {
    /// Fixed by the record.
    Known(bool),
    /// Not fixed by the record.
    Lit(Lit),
}

impl Term {
    /// The literal of a term that is not constant.
    pub(super) fn open(self) -> Option<Lit> {
        if let Term::Lit(lit) = self { Some(lit) } else { None }
    }

    /// Whether the term differs from a constant.
    pub(super) fn unless(self, value: bool) -> Term {
        if value { !self } else { self }
    }
}

impl std::ops::Not for Term {
    type Output = Term;
    fn not(self) -> Term {
        match self {
            Term::Known(value) => Term::Known(!value),
            Term::Lit(lit) => Term::Lit(!lit),
        }
    }
}

/// Adds a clause, but drops false constants and duplicate literals from it. The literals keep the order of their first
/// occurrences. A clause with a true constant, or with a literal and its negation, is not added.
pub(super) fn clause(sink: &mut dyn Sink, terms: &[Term]) {
    if terms.contains(&Term::Known(true)) {
        return;
    }
    let mut lits: Vec<Lit> = terms.iter().filter_map(|term| term.open()).collect();
    let mut sorted = lits.clone();
    sorted.sort_unstable();
    if sorted.windows(2).any(|two| two[0] == !two[1]) {
        return;
    }
    if sorted.windows(2).any(|two| two[0] == two[1]) {
        let mut met = FxHashSet::default();
        lits.retain(|&lit| met.insert(lit));
    }
    sink.clause(&lits);
}

/// True iff step `step` toggles `cell`.
pub(super) fn toggle_var(sink: &mut dyn Sink, step: usize, cell: Cell) -> Lit {
    sink.named_var(format_args!("toggle step {step} {cell}")).pos_lit()
}

/// True iff `cell` has a spot after step `step`: the exclusive or of its toggle and `before`.
pub(super) fn spot_term(sink: &mut dyn Sink, step: usize, cell: Cell, toggle: Term, before: Term) -> Term {
    match (toggle, before) {
        (Term::Known(value), other) | (other, Term::Known(value)) => other.unless(value),
        _ => {
            let spot = Term::Lit(sink.named_var(format_args!("spot step {step} {cell}")).pos_lit());
            for [t, b, s] in [
                [toggle, before, !spot],
                [toggle, !before, spot],
                [!toggle, before, spot],
                [!toggle, !before, !spot],
            ] {
                clause(sink, &[t, b, s]);
            }
            spot
        }
    }
}

/// Implies that `symmetry` maps the board after step `earlier` to the board after step `last`.
pub(super) fn same_var(sink: &mut dyn Sink, last: usize, earlier: usize, symmetry: Symmetry) -> Lit {
    let Symmetry { turns, mirrored } = symmetry;
    let mirror = if mirrored { " mirrored" } else { "" };
    sink.named_var(format_args!("same step {last} step {earlier} turns {turns}{mirror}")).pos_lit()
}

/// Implies that `cell` after step `earlier` differs from the image of that cell after step `last`.
pub(super) fn differ_var(
    sink: &mut dyn Sink,
    last: usize,
    earlier: usize,
    symmetry: Symmetry,
    cell: Cell,
) -> Lit {
    let Symmetry { turns, mirrored } = symmetry;
    let mirror = if mirrored { " mirrored" } else { "" };
    sink.named_var(format_args!("differ step {last} step {earlier} turns {turns}{mirror} {cell}")).pos_lit()
}
