//! Why values of the cells are no model of a formula: clauses of which none can be left out, in words.

use super::compare::Asked;
use super::formula::{Formula, Place};
use crate::engine::{Budget, Limit};
use crate::export::{Names, sentence};
use crate::problem::{self, NamedCell};
use counterpoint_encodings::{Lit, Sink, Var};

/// Formulas of more clauses are not searched.
const MAX_CLAUSES: usize = 20_000;

/// Clauses that forbid the values, each with its place, in the formula's order; none if that takes too long, or if
/// it is the board itself that forbids them.
pub(super) fn clauses(
    asked: &Asked<'_>,
    cells: &[NamedCell],
    values: &[Option<bool>],
    budget: &mut Budget,
) -> Vec<String> {
    let formula = asked.formula;
    let all: Vec<&[Lit]> = formula.clauses().collect();
    if all.len() > MAX_CLAUSES {
        return Vec::new();
    }
    let assumed = |(cell, value): (&NamedCell, &Option<bool>)| {
        let lit = formula.named(&cell.name)?;
        value.map(|value| if value { lit } else { !lit })
    };
    let assumed: Vec<Lit> = cells.iter().zip(values).filter_map(assumed).collect();
    let refutes = |parts: &[usize]| {
        let mut some = Formula::default();
        for _ in 0..formula.n_vars() {
            some.new_var();
        }
        parts.iter().for_each(|&i| some.clause_at(all[i], Place::Line(i)));
        // What stops a solver is taken for a limit, whichever it was.
        let has = Asked { formula: &some, fresh: asked.fresh }.has(&assumed, budget);
        has.map(|has| !has).map_err(|_| Limit::Work)
    };
    let parts: Vec<usize> = (0..all.len()).collect();
    let core = problem::core(&parts, refutes).filter(|core| core.open == 0);
    let names = names(formula);
    let told = |i: usize| format!("{}: {}", formula.place(i), sentence(all[i], &names));
    core.map_or(Vec::new(), |core| core.parts.into_iter().map(told).collect())
}

/// What variables are called; those without a name by their number.
fn names(formula: &Formula) -> Names {
    let numbered = (0..formula.n_vars()).map(|i| (Var::new(i), format!("variable {}", i + 1)));
    let all: Vec<_> = numbered.chain(formula.names().iter().cloned()).collect();
    Names::new(formula.n_vars(), &all)
}
