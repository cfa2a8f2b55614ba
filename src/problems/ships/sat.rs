//! SAT engines: enumerate covered sets by forbidding each that was found.
//!
//! The size theorem bounds the rounds: C(k + m, m) sets of k unknown cells at most are won with m
//! misses. With one miss most boards are decided by the third set or by the lack of it.

use super::answer::Answer;
use super::answer::family::{Family, Standing};
use super::formula::{self, Encoded, Model};
use super::{Instance, Rules};
use crate::board::{Bits, Cell};
use crate::choice::Choice;
use crate::engine::{Budget, Limit, Outcome};
use crate::solver::{self, Solver};
use counterpoint_encodings::{ExactlyOne, Sink};

/// A formula of more clauses is not written.
const MOST_CLAUSES: u64 = 5_000_000;

fn amo(choice: &Choice) -> Result<ExactlyOne, String> {
    let name = choice.axis("amo");
    ExactlyOne::from_name(name).ok_or_else(|| format!("no encoding of exactly-one is called '{name}'"))
}

/// Boards whose formula keeps within bounds.
///
/// # Errors
/// Why the instance is not served.
pub fn supports(model: Model, rules: &Rules, instance: &Instance, choice: &Choice) -> Result<(), String> {
    let clauses = formula::most_clauses(model, amo(choice)?, rules, instance);
    if clauses > MOST_CLAUSES {
        return Err(format!("the formula may have {clauses} clauses; at most {MOST_CLAUSES} are written"));
    }
    Ok(())
}

/// The base question, that a fleet fits, as clauses.
///
/// # Errors
/// Those of [`supports`].
pub fn write(
    model: Model,
    rules: &Rules,
    instance: &Instance,
    choice: &Choice,
    sink: &mut dyn Sink,
) -> Result<(), String> {
    supports(model, rules, instance, choice)?;
    formula::write(model, amo(choice)?, rules, instance, sink);
    Ok(())
}

/// Solves one board.
pub fn solve(
    model: Model,
    rules: &Rules,
    instance: &Instance,
    choice: &Choice,
    budget: &mut Budget,
) -> Outcome<Answer> {
    let amo = match amo(choice) {
        Ok(amo) => amo,
        Err(reason) => return Outcome::Unsupported(reason),
    };
    let Some(mut solver) = solver::new(choice.solver()) else {
        return Outcome::Unsupported(format!("no solver is called '{}'", choice.solver()));
    };
    let encoded = formula::write(model, amo, rules, instance, &mut *solver);
    enumerate(&encoded, rules, instance, solver, budget).into()
}

fn enumerate(
    encoded: &Encoded,
    rules: &Rules,
    instance: &Instance,
    mut solver: Box<dyn Solver>,
    budget: &mut Budget,
) -> Result<Answer, Limit> {
    let mut family = Family::new(instance.size, rules.misses);
    loop {
        let (fits, next) = solver::step(solver, &[], budget)?;
        solver = next;
        if !fits {
            return family.answer(budget);
        }
        let placed = encoded.placements.iter().filter(|(lit, _)| solver.value(*lit));
        let mut set: Vec<Cell> = placed.flat_map(|(_, cells)| cells).copied().collect();
        set.sort_unstable();
        encoded.forbid(instance, &set, &mut *solver);
        let set =
            Bits::from_indices(instance.size.cells(), set.iter().map(|&cell| instance.size.index(cell)));
        if family.add(set.words(), budget)? == Standing::Lost {
            return family.answer(budget);
        }
    }
}
