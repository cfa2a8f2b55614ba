//! Compares the models of two formulas, projected onto the cells of a board.
//!
//! The projected models of each formula are listed with blocking clauses, up to a maximum. A model that only one list
//! contains is a difference if the other list is complete. If the other list is not complete, a solver tests under
//! assumptions whether the other formula has this model.

use crate::engine::{Budget, Unfinished};
use crate::named::NamedFormula;
use crate::problem::NamedCell;
use crate::solver::{self, Solver};
use counterpoint_encodings::{Lit, Sink};
use std::collections::BTreeSet;

/// The maximum number of models that are listed for a formula.
const MAX_MODELS: usize = 500;

/// The result of a comparison.
#[derive(Debug)]
pub(super) enum Comparison {
    /// No difference was found.
    Same {
        /// The number of our models that were listed.
        models: usize,
        /// Whether both lists are complete.
        complete: bool,
    },
    /// The index, from 0, of a cell for which the program's formula has no variable, although our models differ on this
    /// cell.
    Unnamed(usize),
    /// One of the formulas has a model that the other does not have.
    Different(Difference),
}

/// Models that only one of the formulas has, each as a list of values in the order of the cells. A value is `None` if
/// the board does not show the cell and one of the formulas has no variable for it.
#[derive(Clone, Debug)]
pub struct Difference {
    /// A model of our formula that is not a model of the program's formula. Of the models found, it is one with the
    /// fewest true cells; `None` if none was found.
    pub missing: Option<Vec<Option<bool>>>,
    /// A model of the program's formula that is not a model of our formula, chosen in the same way.
    pub extra: Option<Vec<Option<bool>>>,
    /// The number of models of our formula, and of the program's formula; `None` if there are more than were listed.
    pub models: [Option<usize>; 2],
}

/// A formula and a solver for questions about its models.
pub(super) struct Oracle<'a> {
    pub(super) formula: &'a NamedFormula,
    /// Creates an empty solver.
    pub(super) fresh: &'a dyn Fn() -> Box<dyn Solver>,
}

/// The value of a cell in a model: a constant or a literal.
#[derive(Clone, Copy)]
enum Value {
    Fixed(bool),
    Lit(Lit),
}

/// A projected model: the values of the compared cells, in their order.
type Values = Vec<bool>;

impl Oracle<'_> {
    /// Creates a solver with the formula.
    fn solver(&self) -> Box<dyn Solver> {
        let mut solver = (self.fresh)();
        for _ in 0..self.formula.n_vars() {
            solver.new_var();
        }
        self.formula.clauses().for_each(|clause| solver.clause(clause));
        solver
    }

    /// Whether all these literals are true in some model.
    pub(super) fn has_model(&self, lits: &[Lit], budget: &mut Budget) -> Result<bool, Unfinished> {
        solver::step(self.solver(), lits, budget).map(|(found, _)| found)
    }

    /// The models projected onto some cells, and whether the list is complete.
    fn models(&self, cells: &[Value], budget: &mut Budget) -> Result<(BTreeSet<Values>, bool), Unfinished> {
        let mut solver = self.solver();
        let mut found = BTreeSet::new();
        loop {
            let (any, next) = solver::step(solver, &[], budget)?;
            solver = next;
            if !any || found.len() == MAX_MODELS {
                return Ok((found, !any));
            }
            let value = |cell: &Value| match *cell {
                Value::Fixed(value) => value,
                Value::Lit(lit) => solver.value(lit),
            };
            let values: Values = cells.iter().map(value).collect();
            let others: Vec<_> = lits(cells, &values).into_iter().map(|lit| !lit).collect();
            solver.clause(&others);
            found.insert(values);
        }
    }

    /// Whether this is a projected model of the formula.
    fn contains(&self, cells: &[Value], values: &Values, budget: &mut Budget) -> Result<bool, Unfinished> {
        let agrees = |(cell, value): (&Value, &bool)| !matches!(cell, Value::Fixed(other) if other != value);
        Ok(cells.iter().zip(values).all(agrees) && self.has_model(&lits(cells, values), budget)?)
    }
}

/// The literals that are true in a projected model.
fn lits(cells: &[Value], values: &Values) -> Vec<Lit> {
    let lit = |(cell, value): (&Value, &bool)| match *cell {
        Value::Lit(lit) => Some(if *value { lit } else { !lit }),
        Value::Fixed(_) => None,
    };
    cells.iter().zip(values).filter_map(lit).collect()
}

/// Compares the models of our formula and of the program's formula ("theirs"). A cell is compared if theirs has a
/// variable for it, and if ours also has one or the board shows the cell's value.
///
/// # Errors
/// The limit that was reached, or how a solver failed.
pub(super) fn compare(
    cells: &[NamedCell],
    (ours, theirs): (&Oracle<'_>, &Oracle<'_>),
    budget: &mut Budget,
) -> Result<Comparison, Unfinished> {
    let (mut common, mut our_cells, mut their_cells) = (Vec::new(), Vec::new(), Vec::new());
    for (i, cell) in cells.iter().enumerate() {
        let value = match (cell.shown, ours.formula.named(&cell.name)) {
            (Some(value), _) => Value::Fixed(value),
            (None, Some(lit)) => Value::Lit(lit),
            (None, None) => continue,
        };
        match (theirs.formula.named(&cell.name), value) {
            (Some(lit), _) => {
                common.push(i);
                our_cells.push(value);
                their_cells.push(Value::Lit(lit));
            }
            // A cell with the same value in all models needs no variable.
            (None, Value::Lit(lit))
                if ours.has_model(&[lit], budget)? && ours.has_model(&[!lit], budget)? =>
            {
                return Ok(Comparison::Unnamed(i));
            }
            (None, _) => {}
        }
    }
    let (our_models, ours_complete) = ours.models(&our_cells, budget)?;
    let (their_models, theirs_complete) = theirs.models(&their_cells, budget)?;
    let mut first_exclusive = |list: &BTreeSet<Values>,
                               others: &BTreeSet<Values>,
                               complete,
                               oracle: &Oracle<'_>,
                               cells: &[Value]| {
        let mut exclusive = Vec::new();
        for values in list.difference(others) {
            if complete || !oracle.contains(cells, values, budget)? {
                exclusive.push(values.clone());
            }
        }
        let smallest = exclusive.into_iter().min_by_key(|values| {
            (
                values.iter().filter(|&&value| value).count(),
                values.iter().map(|value| !value).collect::<Vec<_>>(),
            )
        });
        Ok::<_, Unfinished>(smallest)
    };
    let missing = first_exclusive(&our_models, &their_models, theirs_complete, theirs, &their_cells)?;
    let extra = first_exclusive(&their_models, &our_models, ours_complete, ours, &our_cells)?;
    if missing.is_none() && extra.is_none() {
        return Ok(Comparison::Same { models: our_models.len(), complete: ours_complete && theirs_complete });
    }
    let on_all_cells = |values: Values| {
        let mut all: Vec<_> = cells.iter().map(|cell| cell.shown).collect();
        common.iter().zip(values).for_each(|(&i, value)| all[i] = Some(value));
        all
    };
    let models = [ours_complete.then_some(our_models.len()), theirs_complete.then_some(their_models.len())];
    let (missing, extra) = (missing.map(on_all_cells), extra.map(on_all_cells));
    Ok(Comparison::Different(Difference { missing, extra, models }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{DEFAULT, SolverFactory, SolverRegistry};
    use chacha20::{ChaCha8Rng, rand_core::SeedableRng};
    use counterpoint_encodings::Var;
    use rand::RngExt;

    const CELLS: usize = 4;

    /// Random clauses over variables for the cells and an auxiliary variable. The variable of a cell has a name with
    /// probability `named`.
    fn formula(rng: &mut ChaCha8Rng, named: f64) -> NamedFormula {
        let mut formula = NamedFormula::default();
        let mut vars = Vec::new();
        for i in 0..CELLS {
            vars.push(match rng.random_bool(named) {
                true => formula.named_var(format_args!("cell {i}")),
                false => formula.new_var(),
            });
        }
        vars.push(formula.new_var());
        for _ in 0..rng.random_range(0..7) {
            let lit = |_| vars[rng.random_range(0..vars.len())].lit(rng.random());
            let clause: Vec<Lit> = (0..2).map(lit).collect();
            Sink::clause(&mut formula, &clause);
        }
        formula
    }

    /// The models projected onto some cells, by brute force over all assignments.
    fn models(formula: &NamedFormula, cells: &[usize]) -> BTreeSet<Values> {
        let value = |bits: u32, lit: Lit| (bits >> lit.vidx() & 1 == 1) == lit.is_pos();
        let is_model =
            |&bits: &u32| formula.clauses().all(|clause| clause.iter().any(|&lit| value(bits, lit)));
        let on_cells = |bits| cells.iter().map(|&i| value(bits, Var::new(i as u32).pos_lit())).collect();
        (0..1 << formula.n_vars()).filter(is_model).map(on_cells).collect()
    }

    #[test]
    fn differences_agree_with_a_list_of_all_models() {
        let solvers = SolverRegistry::built_in();
        let fresh = || {
            solvers
                .iter()
                .find(|factory| factory.name() == DEFAULT)
                .map(SolverFactory::fresh)
                .unwrap_or_else(|| panic!())
        };
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let mut seen = [0; 4];
        for _ in 0..400 {
            let (ours, theirs) = (formula(&mut rng, 1.0), formula(&mut rng, 0.9));
            let name = |i| NamedCell { name: format!("cell {i}"), shown: None };
            let cells: Vec<_> = (0..CELLS).map(name).collect();
            let [a, b] = [&ours, &theirs].map(|formula| Oracle { formula, fresh: &fresh });
            let comparison = compare(&cells, (&a, &b), &mut Budget::unlimited());
            let common: Vec<_> = (0..CELLS).filter(|&i| theirs.named(&cells[i].name).is_some()).collect();
            let of_ours = models(&ours, &common);
            let of_theirs = models(&theirs, &common);
            let free = |i: usize| models(&ours, &[i]).len() == 2 && !common.contains(&i);
            match comparison {
                Ok(Comparison::Unnamed(i)) => {
                    assert!(free(i));
                    seen[0] += 1;
                }
                Ok(Comparison::Same { models, complete }) => {
                    assert!(complete && of_ours == of_theirs && models == of_ours.len());
                    assert!(!(0..CELLS).any(free));
                    seen[1] += 1;
                }
                Ok(Comparison::Different(difference)) => {
                    let on_common = |values: Vec<Option<bool>>| -> Option<Values> {
                        common.iter().map(|&i| values[i]).collect()
                    };
                    let missing = difference.missing.and_then(on_common);
                    let extra = difference.extra.and_then(on_common);
                    assert_eq!(missing.is_some(), !of_ours.is_subset(&of_theirs));
                    assert_eq!(extra.is_some(), !of_theirs.is_subset(&of_ours));
                    assert!(missing.is_none_or(|m| of_ours.contains(&m) && !of_theirs.contains(&m)));
                    assert!(extra.is_none_or(|m| of_theirs.contains(&m) && !of_ours.contains(&m)));
                    assert_eq!(difference.models, [Some(of_ours.len()), Some(of_theirs.len())]);
                    seen[2] += 1;
                }
                Err(_) => seen[3] += 1,
            }
        }
        assert!(seen[..3].iter().all(|&n| n > 10) && seen[3] == 0, "{seen:?}");
    }
}
