//! Whether some parts of the board and of the rules can be kept, as clauses: for reasons that the search of
//! `search/reason.rs` gives up on. A ship may lie at any number of its places where no part forbids it.

use crate::engine::{Budget, Limit, Unfinished};
use crate::problems::ships::answer::reason::{Fleet, Part};
use crate::problems::ships::{Instance, Rules, Square};
use crate::solver::{self, SolverFactory};
use counterpoint_encodings::{AtMostOne, Lit};

/// Conflicts for one question, at the most, and for all that share a budget: they cost more time than nodes.
const MAX_CONFLICTS: u64 = 1 << 13;
const MAX_IN_ALL: u64 = 1 << 15;
/// The most places of all ships.
const MAX_PLACES: usize = 1 << 13;
const AMO: AtMostOne = AtMostOne::Bimander;

/// A fleet that keeps these parts, or that there is none.
///
/// # Errors
/// The budget's limits, 2^13 conflicts, 2^15 with those that the budget has seen, more than 2^13 places.
pub fn keeping(
    rules: &Rules,
    instance: &Instance,
    parts: &[Part],
    budget: &mut Budget,
) -> Result<Option<Fleet>, Limit> {
    budget.poll()?;
    let most = MAX_IN_ALL.saturating_sub(budget.work.conflicts).min(MAX_CONFLICTS).min(budget.left());
    if most == 0 {
        return Err(Limit::Work);
    }
    let size = instance.size;
    let of_kind = |kind| {
        let cell = move |part: &Part| match part {
            Part::Square(cell) if instance.at(*cell) == kind => Some(*cell),
            _ => None,
        };
        parts.iter().filter_map(cell)
    };
    let misses: Vec<_> = of_kind(Square::Miss).collect();
    let mut solver = SolverFactory::default().fresh();
    let (mut placed, mut at) = (Vec::new(), vec![Vec::new(); size.cells()]);
    for (number, ship) in rules.fleet.ships.iter().enumerate() {
        let mut own: Vec<Lit> = Vec::new();
        for place in ship.placements(size) {
            if place.cells.iter().any(|cell| misses.contains(cell)) {
                continue;
            }
            if placed.len() == MAX_PLACES {
                return Err(Limit::Memory);
            }
            // True iff the ship lies there, and perhaps elsewhere too.
            let lit = solver.new_var().pos_lit();
            place.cells.iter().for_each(|&cell| at[size.index(cell)].push(lit));
            own.push(lit);
            placed.push((lit, (number, place.cells)));
        }
        if parts.contains(&Part::Laid(number)) {
            solver.clause(&own);
        }
        if parts.contains(&Part::Once(number)) {
            AMO.at_most_one(&mut *solver, &own);
        }
    }
    of_kind(Square::Hit).for_each(|hit| solver.clause(&at[size.index(hit)]));
    if parts.contains(&Part::Apart) {
        at.iter().for_each(|lits| AMO.at_most_one(&mut *solver, lits));
    }
    let mut part = budget.part(most);
    let found = solver::step(solver, &[], &mut part);
    budget.work.nodes += part.work.nodes;
    budget.work.conflicts += part.work.conflicts;
    match found {
        Ok((true, solver)) => Ok(Some(
            placed.into_iter().filter(|(lit, _)| solver.value(*lit)).map(|(_, place)| place).collect(),
        )),
        Ok((false, _)) => Ok(None),
        Err(Unfinished::Limit(limit)) => Err(limit),
        Err(Unfinished::Failed(_)) => Err(Limit::Solver),
    }
}
