//! `fleet-dfs`: the textbook way, kept as the baseline that others are measured against.
//!
//! Place ship after ship in the fleet's order, each at every place, and collect the distinct covered
//! sets of all fleets that fit; then look for safe shots. The one cut is that the hits still open
//! cannot outnumber the cells still to be placed.

use crate::board::Bits;
use crate::engine::{Budget, Limit, Outcome};
use crate::problems::ships::answer::Answer;
use crate::problems::ships::answer::family::{Family, Standing};
use crate::problems::ships::{Instance, Rules, Square};
use rustc_hash::FxHashSet;

/// More distinct covered sets than this are not kept.
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

/// All covered sets that fit, ascending.
fn covered_sets(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Result<Vec<Bits>, Limit> {
    let n = instance.size.cells();
    let bits = |kind| Bits::from_indices(n, instance.cells(kind).map(|cell| instance.size.index(cell)));
    let ships = rules.fleet.ships.iter().map(|ship| {
        let placements = ship.placements(instance.size).into_iter();
        placements.map(|p| p.cells.iter().map(|&cell| instance.size.index(cell)).collect()).collect()
    });
    let mut search = Search {
        ships: ships.collect(),
        cells_left: rules.fleet.cells(),
        hits_left: instance.cells(Square::Hit).count(),
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
    /// Of the ships not placed yet.
    cells_left: usize,
    /// Hits not covered yet.
    hits_left: usize,
    hits: Bits,
    /// Misses and covered cells.
    blocked: Bits,
    covered: Bits,
    found: FxHashSet<Bits>,
}

impl Search {
    fn place(&mut self, ship: usize, budget: &mut Budget) -> Result<(), Limit> {
        budget.node()?;
        if self.hits_left > self.cells_left {
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
            self.turn(cells);
            (self.hits_left, self.cells_left) = (self.hits_left - hits, self.cells_left - cells.len());
            self.place(ship + 1, budget)?;
            (self.hits_left, self.cells_left) = (self.hits_left + hits, self.cells_left + cells.len());
            self.turn(cells);
        }
        self.ships[ship] = placements;
        Ok(())
    }

    /// Covers free cells, or frees covered ones.
    fn turn(&mut self, cells: &[usize]) {
        for &i in cells {
            self.blocked.flip(i);
            self.covered.flip(i);
        }
    }
}
