//! Decides by SAT whether some squares and rules (*parts*) can be satisfied together. SAT is used for the sets of parts
//! on which the search of `search/reason.rs` reaches its node limit. There is one variable for each placement; a ship
//! may have any number of placements unless a part forbids it.

use crate::answer::reason::{Part, PlacedFleet};
use crate::{Instance, PlacedShip, Rules, Square};
use counterpoint_core::engine::{Budget, Limit, Unfinished};
use counterpoint_core::solver::{self, SolverFactory};
use counterpoint_encodings::{AtMostOne, Lit};

/// Maximum number of conflicts for one set of parts. A conflict costs more time than a node of the search.
const MAX_CONFLICTS: u64 = 1 << 13;
/// Maximum number of conflicts for all sets of parts that share a budget.
const MAX_TOTAL_CONFLICTS: u64 = 1 << 15;
/// Maximum number of placements of all ships.
const MAX_PLACEMENTS: usize = 1 << 13;
const AMO: AtMostOne = AtMostOne::Bimander;

/// A fleet that satisfies these parts, or `None` if there is none.
///
/// # Errors
/// Returns the limit of the budget that was reached. Returns `Limit::Work` after 2^13 conflicts of this call, or when
/// the budget has counted 2^15 conflicts in total; `Limit::Memory` if there are more than 2^13 placements; and
/// `Limit::Solver` if the solver fails.
pub fn satisfy_parts(
    rules: &Rules,
    instance: &Instance,
    parts: &[Part],
    budget: &mut Budget,
) -> Result<Option<PlacedFleet>, Limit> {
    budget.poll()?;
    let conflicts =
        MAX_TOTAL_CONFLICTS.saturating_sub(budget.work.conflicts).min(MAX_CONFLICTS).min(budget.left());
    if conflicts == 0 {
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
        for placement in ship.placements(size) {
            if placement.cells.iter().any(|cell| misses.contains(cell)) {
                continue;
            }
            if placed.len() == MAX_PLACEMENTS {
                return Err(Limit::Memory);
            }
            // True iff the ship has this placement; it may have others.
            let lit = solver.new_var().pos_lit();
            placement.cells.iter().for_each(|&cell| at[size.index(cell)].push(lit));
            own.push(lit);
            placed.push((lit, PlacedShip { ship: number, cells: placement.cells }));
        }
        if parts.contains(&Part::AtLeastOnce(number)) {
            solver.clause(&own);
        }
        if parts.contains(&Part::AtMostOnce(number)) {
            AMO.at_most_one(&mut *solver, &own);
        }
    }
    of_kind(Square::Hit).for_each(|hit| solver.clause(&at[size.index(hit)]));
    if parts.contains(&Part::Disjoint) {
        at.iter().for_each(|lits| AMO.at_most_one(&mut *solver, lits));
    }
    let mut part = budget.part(conflicts);
    let found = solver::step(solver, &[], &mut part);
    budget.work.nodes += part.work.nodes;
    budget.work.conflicts += part.work.conflicts;
    match found {
        Ok((true, solver)) => Ok(Some(
            placed.into_iter().filter(|(lit, _)| solver.value(*lit)).map(|(_, placed)| placed).collect(),
        )),
        Ok((false, _)) => Ok(None),
        Err(Unfinished::Limit(limit)) => Err(limit),
        Err(Unfinished::Failed(_)) => Err(Limit::Solver),
    }
}
