//! Solves boards by the formula of an external encoder.
//!
//! The formula must say that a fleet fits. Only the variables of the cells are used, so each model stands for a set of
//! cells. If no fleet covers a set, the encoder is wrong. Then the answer consists of this set, which the checker
//! rejects.

use super::{SetFinder, enumerate};
use crate::answer::{Answer, Plan};
use crate::formula::{self, Idle};
use crate::{Instance, Rules, Square};
use counterpoint_core::board::{Bits, Cell};
use counterpoint_core::engine::{Budget, Limit, Outcome};
use counterpoint_core::named::{NamedFormula, NotNamed};
use counterpoint_core::spec::EngineSpec;
use counterpoint_encodings::Lit;

/// Maximum number of nodes of the test whether a fleet covers a set. If the test reaches it, the set is left to the
/// checker.
const MAX_NODES: u64 = 1 << 16;

/// Solves one board by the formula of an encoder: enumerates the sets that it allows.
pub fn solve_named(
    rules: &Rules,
    instance: &Instance,
    formula: &NamedFormula,
    spec: &EngineSpec,
    budget: &mut Budget,
) -> Outcome<Answer> {
    let covered = match covered(instance, formula) {
        Ok(covered) => covered,
        Err(reason) => return Outcome::Failed(format!("{spec}: {reason}")),
    };
    let mut solver = spec.solver();
    formula.write(&mut *solver);
    let unnamed = instance.cells(Square::Hit).filter(|&hit| covered[instance.size.index(hit)].is_none());
    let unnamed = unnamed.collect();
    let encoded = formula::of_cells(covered, rules, instance);
    let finder = SetFinder::with(encoded, unnamed, rules, instance, solver);
    let fleets = Fleets::new(rules, instance);
    let objection = |set: &Bits| {
        let wrong = !fleets.cover(set, &mut Budget::of_work(MAX_NODES)).unwrap_or(true);
        let cells = || set.iter().map(|i| instance.size.cell(i)).collect();
        wrong.then(|| Answer::Yes { sets: vec![cells()], plan: Plan::Sink(0) })
    };
    // No ship is idle, so there is always an answer.
    enumerate(finder, objection, budget).and_then(|answer| Ok(answer.ok_or(Limit::Memory)?)).into()
}

/// For every cell, by index, the literal that is true iff a ship covers it. Cells that the board shows need none.
fn covered(instance: &Instance, formula: &NamedFormula) -> Result<Vec<Option<Lit>>, NotNamed> {
    let lit = |cell: Cell| {
        let name = format!("covered {cell}");
        match instance.at(cell) {
            Square::Unknown => formula.expect(&name).map(Some),
            Square::Hit | Square::Miss => Ok(formula.named(&name)),
        }
    };
    instance.size.iter().map(lit).collect()
}

/// All placements on squares that are not known misses.
struct Fleets {
    /// For each cell, the placements whose lowest cell it is, each as a pair of the ship and the covered
    /// cells.
    from: Vec<Vec<(usize, Vec<usize>)>>,
    hits: Vec<usize>,
    n_ships: usize,
    /// For each ship, an earlier ship of the same shape.
    twins: Vec<Option<usize>>,
}

impl Fleets {
    fn new(rules: &Rules, instance: &Instance) -> Fleets {
        let index = |cell: Cell| instance.size.index(cell);
        let mut from = vec![Vec::new(); instance.size.cells()];
        for (ship, placements) in formula::fitting(Idle::Placed, rules, instance).into_iter().enumerate() {
            for placement in placements {
                let cells: Vec<usize> = placement.cells.into_iter().map(index).collect();
                if let Some(&first) = cells.first() {
                    from[first].push((ship, cells));
                }
            }
        }
        let hits = instance.cells(Square::Hit).map(index).collect();
        Fleets { from, hits, n_ships: rules.fleet.ships.len(), twins: rules.fleet.twins() }
    }

    /// Whether a fleet that fits covers exactly this set.
    fn cover(&self, set: &Bits, budget: &mut Budget) -> Result<bool, Limit> {
        Ok(self.hits.iter().all(|&hit| set.get(hit)) && self.tile(&mut set.clone(), 0, budget)?)
    }

    /// Whether the ships that are not in `placed` can tile the squares `uncovered`. Branches on the lowest of them.
    fn tile(&self, uncovered: &mut Bits, placed: u32, budget: &mut Budget) -> Result<bool, Limit> {
        budget.node()?;
        let Some(first) = uncovered.iter().next() else {
            return Ok(placed.count_ones() as usize == self.n_ships);
        };
        for (ship, cells) in &self.from[first] {
            // Of ships of the same shape, the first is placed first.
            let is_next = self.twins[*ship].is_none_or(|twin| placed >> twin & 1 == 1);
            if placed >> ship & 1 == 1 || !is_next || !cells.iter().all(|&cell| uncovered.get(cell)) {
                continue;
            }
            cells.iter().for_each(|&cell| uncovered.flip(cell));
            let tiled = self.tile(uncovered, placed | 1 << ship, budget)?;
            cells.iter().for_each(|&cell| uncovered.flip(cell));
            if tiled {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
