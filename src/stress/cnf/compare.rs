//! Two formulas, and whether their models are the same on the cells.
//!
//! Models are listed by forbidding what was found, up to a bound. Where both lists are whole they are compared;
//! otherwise each model of one is asked of the other under assumptions.

use super::formula::Formula;
use crate::engine::{Budget, Unfinished};
use crate::problem::NamedCell;
use crate::solver::{self, Solver};
use counterpoint_encodings::{Lit, Sink};
use std::collections::BTreeSet;

/// The most models that are listed of a formula.
const MAX_MODELS: usize = 500;

/// What came of it.
#[derive(Debug)]
pub(super) enum Comparison {
    /// No difference.
    Alike {
        /// Models of ours on the cells, as far as they were listed.
        models: usize,
        /// Whether these are all.
        all: bool,
    },
    /// A cell, by number from 0, on which our models differ and for which theirs has no variable.
    Unnamed(usize),
    /// Some model of one is none of the other.
    Differ(Difference),
}

/// Models that only one formula has, as values of the cells in their order; `None` where a formula says nothing.
#[derive(Clone, Debug)]
pub struct Difference {
    /// One of ours: of those met the one with fewest cells that are true.
    pub missing: Option<Vec<Option<bool>>>,
    /// One of theirs, likewise.
    pub extra: Option<Vec<Option<bool>>>,
    /// How many models ours has, and theirs; `None` where there are more than were listed.
    pub models: [Option<usize>; 2],
}

/// A formula that is asked for models.
pub(super) struct Asked<'a> {
    pub(super) formula: &'a Formula,
    /// Makes an empty solver.
    pub(super) fresh: &'a dyn Fn() -> Box<dyn Solver>,
}

/// A cell's value in models: always the same, or that of a literal.
#[derive(Clone, Copy)]
enum Value {
    Fixed(bool),
    Lit(Lit),
}

/// Values of some cells.
type Values = Vec<bool>;

impl Asked<'_> {
    /// A solver that holds the formula.
    fn solver(&self) -> Box<dyn Solver> {
        let mut solver = (self.fresh)();
        for _ in 0..self.formula.n_vars() {
            solver.new_var();
        }
        self.formula.clauses().for_each(|clause| solver.clause(clause));
        solver
    }

    /// Whether some model has these literals.
    pub(super) fn has(&self, lits: &[Lit], budget: &mut Budget) -> Result<bool, Unfinished> {
        solver::step(self.solver(), lits, budget).map(|(found, _)| found)
    }

    /// The models on some cells; false behind them if there are more.
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

    /// Whether this is one of its models on the cells.
    fn contains(&self, cells: &[Value], values: &Values, budget: &mut Budget) -> Result<bool, Unfinished> {
        let fixed = |(cell, value): (&Value, &bool)| !matches!(cell, Value::Fixed(other) if other != value);
        Ok(cells.iter().zip(values).all(fixed) && self.has(&lits(cells, values), budget)?)
    }
}

/// The literals that are true with these values.
fn lits(cells: &[Value], values: &Values) -> Vec<Lit> {
    let lit = |(cell, value): (&Value, &bool)| match *cell {
        Value::Lit(lit) => Some(if *value { lit } else { !lit }),
        Value::Fixed(_) => None,
    };
    cells.iter().zip(values).filter_map(lit).collect()
}

/// Compares their models on the cells that both have.
///
/// # Errors
/// The limit that was met, or how a solver went wrong.
pub(super) fn compare(
    cells: &[NamedCell],
    (ours, theirs): (&Asked<'_>, &Asked<'_>),
    budget: &mut Budget,
) -> Result<Comparison, Unfinished> {
    let (mut common, mut our, mut their) = (Vec::new(), Vec::new(), Vec::new());
    for (i, cell) in cells.iter().enumerate() {
        let value = match (cell.shown, ours.formula.named(&cell.name)) {
            (Some(value), _) => Value::Fixed(value),
            (None, Some(lit)) => Value::Lit(lit),
            (None, None) => continue,
        };
        match (theirs.formula.named(&cell.name), value) {
            (Some(lit), _) => {
                common.push(i);
                our.push(value);
                their.push(Value::Lit(lit));
            }
            // What is the same in all models needs no variable.
            (None, Value::Lit(lit)) if ours.has(&[lit], budget)? && ours.has(&[!lit], budget)? => {
                return Ok(Comparison::Unnamed(i));
            }
            (None, _) => {}
        }
    }
    let (of_ours, all_ours) = ours.models(&our, budget)?;
    let (of_theirs, all_theirs) = theirs.models(&their, budget)?;
    let mut only =
        |list: &BTreeSet<Values>, other: &BTreeSet<Values>, all, asked: &Asked<'_>, in_other: &[Value]| {
            let mut only = Vec::new();
            for values in list.difference(other) {
                if all || !asked.contains(in_other, values, budget)? {
                    only.push(values.clone());
                }
            }
            let least = only.into_iter().min_by_key(|values| {
                (
                    values.iter().filter(|&&value| value).count(),
                    values.iter().map(|value| !value).collect::<Vec<_>>(),
                )
            });
            Ok::<_, Unfinished>(least)
        };
    let missing = only(&of_ours, &of_theirs, all_theirs, theirs, &their)?;
    let extra = only(&of_theirs, &of_ours, all_ours, ours, &our)?;
    if missing.is_none() && extra.is_none() {
        return Ok(Comparison::Alike { models: of_ours.len(), all: all_ours && all_theirs });
    }
    let whole = |values: Values| {
        let mut whole: Vec<_> = cells.iter().map(|cell| cell.shown).collect();
        common.iter().zip(values).for_each(|(&i, value)| whole[i] = Some(value));
        whole
    };
    let models = [all_ours.then_some(of_ours.len()), all_theirs.then_some(of_theirs.len())];
    Ok(Comparison::Differ(Difference { missing: missing.map(whole), extra: extra.map(whole), models }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{DEFAULT, SolverFactory, SolverRegistry};
    use counterpoint_encodings::Var;
    use rand::RngExt;
    use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

    const CELLS: usize = 4;

    /// Random clauses over the cells and a helper; some cells have no variable.
    fn formula(rng: &mut ChaCha8Rng, named: f64) -> Formula {
        let mut formula = Formula::default();
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

    /// The models on some cells, by going through all values of all variables.
    fn models(formula: &Formula, cells: &[usize]) -> BTreeSet<Values> {
        let value = |bits: u32, lit: Lit| (bits >> lit.vidx() & 1 == 1) == lit.is_pos();
        let is_model =
            |&bits: &u32| formula.clauses().all(|clause| clause.iter().any(|&lit| value(bits, lit)));
        let on_cells = |bits| cells.iter().map(|&i| value(bits, Var::new(i as u32).pos_lit())).collect();
        (0..1 << formula.n_vars()).filter(is_model).map(on_cells).collect()
    }

    #[test]
    fn differences_are_those_of_all_models() {
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
            let [a, b] = [&ours, &theirs].map(|formula| Asked { formula, fresh: &fresh });
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
                Ok(Comparison::Alike { models, all }) => {
                    assert!(all && of_ours == of_theirs && models == of_ours.len() && !(0..CELLS).any(free));
                    seen[1] += 1;
                }
                Ok(Comparison::Differ(difference)) => {
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
