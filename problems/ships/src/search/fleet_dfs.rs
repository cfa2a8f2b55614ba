//! `fleet-dfs`: textbook backtracking, the baseline for the other engines.
//!
//! Try every placement of the first ship, then of the second, and so on in the fleet's order. Collect the distinct
//! covered sets of all fleets that fit, then look for safe shots. The only bound is that the hits not yet covered must
//! not outnumber the cells of the remaining ships.

use crate::answer::Answer;
use crate::answer::family::{Family, Standing};
use crate::{Instance, Rules, Square};
use counterpoint_core::board::Bits;
use counterpoint_core::engine::{Budget, Limit, Outcome};
use rustc_hash::FxHashSet;

/// Maximum number of distinct covered sets.
const MAX_SETS: usize = 1 << 20;

/// Solves one board.
pub fn solve(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Outcome<Answer> {
    decide(rules, instance, budget).into()
}

fn decide(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Result<Answer, Limit> {
    let mut family = Family::new(instance.size, rules.misses);
    for set in covered_sets(rules, instance, budget)? {
        if family.add(set.words(), budget)? == Standing::Lost {
            break;
        }
    }
    family.answer(budget)
}

/// The covered sets of all fleets that fit, ascending.
fn covered_sets(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Result<Vec<Bits>, Limit> {
    let n = instance.size.cells();
    let bits = |kind| Bits::from_indices(n, instance.cells(kind).map(|cell| instance.size.index(cell)));
    let ships = rules.fleet.ships.iter().map(|ship| {
        let placements = ship.placements(instance.size).into_iter();
        placements.map(|p| p.cells.iter().map(|&cell| instance.size.index(cell)).collect()).collect()
    });
    let mut search = Search {
        ships: ships.collect(),
        remaining_cells: rules.fleet.cells(),
        uncovered_hits: instance.cells(Square::Hit).count(),
        hits: bits(Square::Hit),
        blocked: bits(Square::Miss),
        covered: Bits::zeros(n),
        found: FxHashSet::default(),
    };
    search.place(0, budget)?;
    let mut sets: Vec<_> = search.found.into_iter().collect();
    sets.sort_unstable();
    Ok(sets)
}

struct Search {
    /// The placements of each ship as cell indices.
    ships: Vec<Vec<Vec<usize>>>,
    /// Number of cells of the ships that are not yet placed.
    remaining_cells: usize,
    /// Number of hits that are not yet covered.
    uncovered_hits: usize,
    hits: Bits,
    /// Misses and covered cells.
    blocked: Bits,
    covered: Bits,
    found: FxHashSet<Bits>,
}

impl Search {
    /// Places all ships from index `ship` on, in every possible way.
    fn place(&mut self, ship: usize, budget: &mut Budget) -> Result<(), Limit> {
        budget.node()?;
        if self.uncovered_hits > self.remaining_cells {
            return Ok(());
        }
        let Some(placements) = self.ships.get_mut(ship) else {
            self.found.insert(self.covered.clone());
            return if self.found.len() > MAX_SETS { Err(Limit::Memory) } else { Ok(()) };
        };
        let placements = std::mem::take(placements);
        for cells in &placements {
            if cells.iter().any(|&i| self.blocked.get(i)) {
                continue;
            }
            let hits = cells.iter().filter(|&&i| self.hits.get(i)).count();
            self.toggle(cells);
            self.uncovered_hits -= hits;
            self.remaining_cells -= cells.len();
            self.place(ship + 1, budget)?;
            self.uncovered_hits += hits;
            self.remaining_cells += cells.len();
            self.toggle(cells);
        }
        self.ships[ship] = placements;
        Ok(())
    }

    /// Covers free cells, or uncovers covered ones.
    fn toggle(&mut self, cells: &[usize]) {
        for &i in cells {
            self.blocked.flip(i);
            self.covered.flip(i);
        }
    }
}
