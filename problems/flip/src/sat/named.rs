//! Solves a board by the formula that an encoder printed for it. The models of this formula must be the presses that
//! solve the board. The fewest presses are found as for Counterpoint's own formulas: a constraint on the number of
//! presses is added to the formula, and the bound of this constraint is tightened after each model.

use super::super::answer::Answer;
use super::super::formula::{self, Pressing, Term};
use super::super::{Instance, Rules};
use super::Start;
use counterpoint_core::engine::{Budget, Outcome};
use counterpoint_core::errors::Unsupported;
use counterpoint_core::named::{NamedFormula, NotNamed};
use counterpoint_core::spec::EngineSpec;
use counterpoint_encodings::Lit;

/// Solves one board by an encoder's formula, with the solver of `spec`.
pub fn solve(
    rules: &Rules,
    instance: &Instance,
    formula: &NamedFormula,
    spec: &EngineSpec,
    budget: &mut Budget,
) -> Outcome<Answer> {
    let (cardinality, bound) = (formula::CARD.default(), formula::BOUND.default());
    if let Err(reason) = supports(rules, instance) {
        return Outcome::Unsupported(reason);
    }
    let name = |cell| formula.expect(&format!("press {cell}"));
    let presses: Vec<Lit> = match instance.size.iter().map(name).collect::<Result<_, NotNamed>>() {
        Ok(presses) => presses,
        Err(message) => return Outcome::Failed(format!("{spec}: {message}")),
    };
    let mut solver = spec.solver();
    formula.write(&mut *solver);
    let squares = presses.iter().copied().map(Term::Lit).collect();
    let pressing = Pressing { squares, always: 0, counted: presses, black: None };
    super::outcome(rules, instance, &pressing, Start { solver, cardinality, bound }, budget)
}

/// Accepts a board if the clauses that count its presses are few enough.
fn supports(rules: &Rules, instance: &Instance) -> Result<(), Unsupported> {
    super::without_within(rules)?;
    formula::check_rules(rules, instance)?;
    formula::few_enough(rules, formula::CARD.default(), 0, instance.size.cells())
}
