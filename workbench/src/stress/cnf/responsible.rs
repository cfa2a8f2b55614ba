//! Finds the clauses responsible for a difference between models: a minimal set of clauses that excludes given values
//! of the cells.

use super::compare::Oracle;
use crate::engine::{Budget, Limit};
use crate::export::{Names, sentence};
use crate::named::{NamedFormula, Place};
use crate::problem::{self, NamedCell};
use counterpoint_encodings::{Lit, Sink, Var};

/// The maximum number of clauses of a formula that is searched.
const MAX_CLAUSES: usize = 20_000;

/// A minimal set of clauses that excludes the values, in the formula's order. Each clause is given in words, after its
/// place. Empty if the formula is too large or the search takes too long.
pub(super) fn clauses(
    oracle: &Oracle<'_>,
    cells: &[NamedCell],
    values: &[Option<bool>],
    budget: &mut Budget,
) -> Vec<String> {
    let formula = oracle.formula;
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
        let mut subset = NamedFormula::default();
        for _ in 0..formula.n_vars() {
            subset.new_var();
        }
        parts.iter().for_each(|&i| subset.clause_at(all[i], Place::Line(i)));
        // A solver's failure is treated as a limit.
        let has_model = Oracle { formula: &subset, fresh: oracle.fresh }.has_model(&assumed, budget);
        has_model.map(|has_model| !has_model).map_err(|_| Limit::Work)
    };
    let parts: Vec<usize> = (0..all.len()).collect();
    let core = problem::core(&parts, refutes).filter(|core| core.open == 0);
    let names = names(formula);
    let in_words = |i: usize| format!("{}: {}", formula.place(i), sentence(all[i], &names));
    core.map_or(Vec::new(), |core| core.parts.into_iter().map(in_words).collect())
}

/// The names of all variables. A variable without a name is called by its number.
fn names(formula: &NamedFormula) -> Names {
    let numbered = (0..formula.n_vars()).map(|i| (Var::new(i), format!("variable {}", i + 1)));
    let all: Vec<_> = numbered.chain(formula.names().iter().cloned()).collect();
    Names::new(formula.n_vars(), &all)
}
