//! The SAT engines: they solve one formula, then test a sequence of bounds on the number of presses.
//!
//! The first call sets no bound, so one call recognises an impossible board. Otherwise, the model of the first call
//! gives an upper bound on the fewest presses. A lower bound follows from the number of squares that must change and
//! from the largest number of squares that one press turns over. If the fewest presses are asked for, the search then
//! closes the gap between the bounds from above, from below or by bisection. If the solver supports objectives
//! (pseudo-Boolean, MaxSAT), a single call with the number of presses as objective replaces this search.

pub mod named;

use super::answer::Answer;
use super::formula::{self, BoundOrder, Encoding, Pressing, Term, Variables, nullspace, presses};
use super::{Goal, Instance, Rules};
use counterpoint_core::board::Digits;
use counterpoint_core::engine::{Budget, Outcome, Unfinished};
use counterpoint_core::errors::Unsupported;
use counterpoint_core::solver::{self, Solver};
use counterpoint_core::spec::EngineSpec;
use counterpoint_encodings::{Cardinality, Lit, Sink};

/// Accepts an instance if [`formula::supports`] accepts it and the rule `within` is not set. This check does no
/// elimination; for the encoding `nullspace`, [`solve`] finds out whether the formula would have too many clauses.
///
/// # Errors
/// Returns why the instance is not supported.
pub fn supports(rules: &Rules, instance: &Instance, spec: &EngineSpec) -> Result<(), Unsupported> {
    without_within(rules)?;
    formula::supports(rules, instance, spec)
}

/// Rejects the rule `within`.
fn without_within(rules: &Rules) -> Result<(), Unsupported> {
    match rules.within {
        Some(_) => Err("the rule within applies only to encode".into()),
        None => Ok(()),
    }
}

/// Solves one board.
pub fn solve(rules: &Rules, instance: &Instance, spec: &EngineSpec, budget: &mut Budget) -> Outcome<Answer> {
    let mut solver = spec.solver();
    let encoding = Encoding::from_spec(spec);
    let pressing = match encoding.variables {
        Variables::Presses(lex) => presses::pressing(rules, instance, encoding.parity, lex, &mut *solver),
        Variables::Nullspace => match nullspace::coset(rules, instance, budget) {
            Ok(Ok(coset)) => match coset.few_enough(rules, encoding) {
                Ok(()) => coset.pressing(rules, encoding.parity, &mut *solver),
                Err(reason) => return Outcome::Unsupported(reason),
            },
            Ok(Err(weights)) => return Outcome::Decided(Answer::Impossible(weights)),
            Err(limit) => return Outcome::GaveUp(limit, None),
        },
    };
    let Encoding { cardinality, bound, .. } = encoding;
    let start = Start { solver, cardinality, bound };
    outcome(rules, instance, &pressing, start, budget)
}

/// Where the search starts: a solver with the base question, and how the presses are counted and bounded.
struct Start {
    solver: Box<dyn Solver>,
    cardinality: Cardinality,
    bound: BoundOrder,
}

/// Solves the base question, and minimises the presses if the fewest are asked for.
fn outcome(
    rules: &Rules,
    instance: &Instance,
    pressing: &Pressing,
    start: Start,
    budget: &mut Budget,
) -> Outcome<Answer> {
    let least = at_least(rules, instance).max(pressing.always);
    let mut best = None;
    let outcome = search(rules, pressing, least, start, &mut best, budget);
    let optimal = outcome.is_ok() && rules.goal == Goal::Fewest;
    let found = best.map(|presses| Answer::Presses { presses: presses.into(), optimal });
    match outcome {
        Ok(()) => Outcome::Decided(found.unwrap_or(Answer::Impossible(None))),
        Err(unfinished) => unfinished.outcome(found),
    }
}

/// A lower bound on the presses: the number of squares that must change to reach the nearest end, divided by the
/// largest number of squares that one press turns over.
fn at_least(rules: &Rules, instance: &Instance) -> usize {
    let wrong = rules.ends().map(|end| instance.wrong(&end).count()).min().unwrap_or(0);
    wrong.div_ceil(rules.stencil.max_squares(instance.size))
}

/// Minimises the number of presses, given the lower bound `least`. Keeps the fewest presses found so far in `best`.
/// Under `goal=any`, stops at the first solution.
fn search(
    rules: &Rules,
    pressing: &Pressing,
    mut least: usize,
    Start { solver, cardinality, bound: order }: Start,
    best: &mut Option<Digits>,
    budget: &mut Budget,
) -> Result<(), Unfinished> {
    if rules.goal == Goal::Fewest && solver.optimises() {
        let costs: Vec<(Lit, u64)> = pressing.counted.iter().map(|&lit| (lit, 1)).collect();
        let (sat, solver) = solver::minimise(solver, &costs, budget)?;
        if sat {
            note(pressing, &*solver, best);
        }
        return Ok(());
    }
    let (sat, mut solver) = solver::step(solver, &[], budget)?;
    if !sat {
        return Ok(());
    }
    let mut most = note(pressing, &*solver, best);
    if rules.goal == Goal::Any || most <= least {
        return Ok(());
    }
    let count = formula::count(cardinality, &pressing.counted, most - pressing.always, &mut *solver);
    while least < most {
        let bound = match order {
            BoundOrder::Down => most - 1,
            BoundOrder::Up => least,
            BoundOrder::Binary => usize::midpoint(least, most),
        };
        let demand: Vec<_> = count.at_most(bound - pressing.always).into_iter().collect();
        let assumed = match order {
            // No later bound is greater, so this one can be kept as a clause.
            BoundOrder::Down => {
                solver.clause(&demand);
                &[]
            }
            BoundOrder::Up | BoundOrder::Binary => &demand[..],
        };
        let (sat, next) = solver::step(solver, assumed, budget)?;
        solver = next;
        if sat {
            most = note(pressing, &*solver, best);
        } else {
            least = bound + 1;
        }
    }
    Ok(())
}

/// Stores the presses of the current model in `best`, and returns their number.
fn note(pressing: &Pressing, solver: &dyn Solver, best: &mut Option<Digits>) -> usize {
    best.insert(read(pressing, &|lit| solver.value(lit))).total()
}

/// Reads the presses from a model.
fn read(pressing: &Pressing, value: &dyn Fn(Lit) -> bool) -> Digits {
    let squares = pressing.squares.iter().enumerate();
    let pressed = squares.filter(|(_, term)| match term {
        Term::Known(pressed) => *pressed,
        Term::Lit(lit) => value(*lit),
    });
    Digits::counts(pressing.squares.len(), pressed.map(|(i, _)| i))
}

/// Reads the presses from a model of the base question. The formula is written to `sink` once more to obtain its
/// variables.
///
/// # Errors
/// Returns why the formula cannot be written.
pub fn decode(
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    sink: &mut dyn Sink,
    value: &dyn Fn(Lit) -> bool,
) -> Result<Digits, Unsupported> {
    Ok(read(&formula::pressing(rules, instance, spec, sink)?, value))
}
