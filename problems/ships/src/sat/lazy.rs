//! Lazy placements: the formula says which ship covers which hits, and places a ship only if a model needs it.
//!
//! The formula (`lazy/start.rs`) starts with a variable for each bundle of placements (`bundles.rs`). A *region* is a
//! set of hits that some placement covers. Each ship takes exactly one bundle, that is, a region or none, and each hit
//! lies in exactly one of the regions taken. For each model:
//! 1. If several ships take one region, a constraint forbids that for this region. Few models violate it, so it is not
//!    part of the formula from the start.
//! 2. If the ships can be placed (`lazy/fleets.rs`), the fleet and its neighbours give sets. These join the family, and
//!    are forbidden. Often they are lost, and the search ends.
//! 3. Bundles of the model that have not been *expanded* are expanded, bundles without hits only if there are no others:
//!    their placements become variables. The ship has exactly one of them if it takes the bundle, and otherwise none,
//!    and no two ships own the same square.
//!
//! If all bundles of a model are expanded, the model is a fleet, so its set is a new one. There are finitely
//! many bundles and sets, so the search terminates. If there is no further model, the family consists of all
//! sets that fit: whichever bundles are expanded, every fleet that fits satisfies the formula unless its set
//! is forbidden.
//!
//! Few bundles are expanded, so most formulas have a few hundred clauses instead of many thousand.
//!
//! The approach is counterexample-guided abstraction refinement; for constraints added lazily in SAT, see Ohrimenko,
//! Stuckey and Codish, *Propagation via lazy clause generation*, Constraints 14, 2009.

mod fleets;
mod start;

use super::bundles::{Bundles, Poses};
use crate::answer::Answer;
use crate::answer::family::{Family, Standing};
use crate::{Instance, Rules, Square};
use counterpoint_core::board::Bits;
use counterpoint_core::engine::{Budget, Unfinished};
use counterpoint_core::solver::{self, Solver};
use counterpoint_encodings::{AtMostOne, Lit, one_of};

/// The formula, as far as it is written.
struct Lazy<'a> {
    rules: &'a Rules,
    instance: &'a Instance,
    amo: AtMostOne,
    bundles: Bundles<'a>,
    /// For each bundle, the literal that is true iff its ship takes it.
    takes: Vec<Lit>,
    /// For each expanded bundle, the literals of its placements; `None` for other bundles.
    expanded: Vec<Option<Vec<Lit>>>,
    /// For each unknown cell, by index, the ships with a placement in the formula that covers it. The literal is true
    /// if the ship owns the cell.
    owners: Vec<Vec<(usize, Lit)>>,
    /// For each cell, by index, the literal that is true if a ship owns it; only for the cells of forbidden sets.
    covered: Vec<Option<Lit>>,
}

/// Solves one board. `poses` must be those of the fleet.
pub(super) fn decide(
    amo: AtMostOne,
    poses: &Poses,
    rules: &Rules,
    instance: &Instance,
    solver: impl FnOnce() -> Box<dyn Solver>,
    budget: &mut Budget,
) -> Result<Answer, Unfinished> {
    budget.poll()?;
    // If more hits than ships are pairwise out of reach, no fleet fits. Unit propagation would refute the
    // formula, too, because all these hits lead, but this test takes only a microsecond.
    if poses.apart(instance) > rules.fleet.ships.len() {
        return Ok(Answer::NoFleet);
    }
    let bundles = Bundles::new(poses, instance);
    let mut solver = solver();
    let takes = start::write(amo, rules, &bundles, &mut *solver);
    let cells = instance.size.cells();
    let mut lazy = Lazy {
        rules,
        instance,
        amo,
        expanded: vec![None; takes.len()],
        bundles,
        takes,
        owners: vec![Vec::new(); cells],
        covered: vec![None; cells],
    };
    let mut family = Family::new(instance.size, rules.misses);
    let mut found: Vec<Bits> = Vec::new();
    loop {
        let (fits, next) = solver::step(solver, &[], budget)?;
        solver = next;
        if !fits {
            return Ok(family.answer(budget)?);
        }
        let taken: Vec<usize> = (0..lazy.takes.len()).filter(|&b| solver.value(lazy.takes[b])).collect();
        if lazy.separate(&taken, &mut *solver) {
            continue;
        }
        if let Some(fleet) = lazy.decode(&taken, &*solver).or_else(|| lazy.place(&taken)) {
            if let Some(sets) = lazy.sunflower(&taken, &fleet) {
                let mut family = Family::new(instance.size, rules.misses);
                for set in sets {
                    family.add(set.words(), budget)?;
                }
                return Ok(family.answer(budget)?);
            }
            for set in lazy.neighbours(&taken, &fleet) {
                if found.contains(&set) {
                    continue;
                }
                lazy.forbid(&set, &mut *solver);
                if family.add(set.words(), budget)? == Standing::Lost {
                    return Ok(family.answer(budget)?);
                }
                found.push(set);
            }
        }
        // Idle bundles have very many placements, so they are expanded only if all others are.
        let new = taken.into_iter().filter(|&bundle| lazy.expanded[bundle].is_none());
        let (idle, covering): (Vec<_>, Vec<_>) = new.partition(|&b| lazy.bundles.list[b].hits.is_empty());
        for bundle in if covering.is_empty() { idle } else { covering } {
            lazy.expand(bundle, &mut *solver);
        }
    }
}

impl Lazy<'_> {
    /// If several ships take one region, forbids that for this region. Returns whether there is such a region.
    fn separate(&self, taken: &[usize], solver: &mut dyn Solver) -> bool {
        let all = &self.bundles.list;
        // The bundles of a region follow each other.
        let shared = taken.windows(2).map(|pair| (&all[pair[0]].hits, &all[pair[1]].hits));
        let Some((hits, _)) = shared.into_iter().find(|(a, b)| !a.is_empty() && a == b) else { return false };
        let region = all.iter().zip(&self.takes).filter(|(bundle, _)| bundle.hits == *hits);
        let lits: Vec<Lit> = region.map(|(_, &lit)| lit).collect();
        self.amo.at_most_one(solver, &lits);
        true
    }

    /// Writes the placements of a bundle.
    fn expand(&mut self, bundle: usize, solver: &mut dyn Solver) {
        self.bundles.list_idle(bundle);
        let (ship, places) = (self.bundles.list[bundle].ship, self.bundles.list[bundle].places.clone());
        // True iff the ship has this placement.
        let lits: Vec<Lit> = places.iter().map(|_| solver.new_var().pos_lit()).collect();
        one_of(solver, self.takes[bundle], &lits);
        self.amo.at_most_one(solver, &lits);
        for (&place, &lit) in places.iter().zip(&lits) {
            let unknown: Vec<usize> = self.bundles.unknown(place).collect();
            for cell in unknown {
                let owns = self.owns(ship, cell, solver);
                solver.clause(&[!lit, owns]);
            }
        }
        self.expanded[bundle] = Some(lits);
    }

    /// The literal that is true if the ship owns the cell. At most one ship owns a cell.
    fn owns(&mut self, ship: usize, cell: usize, solver: &mut dyn Solver) -> Lit {
        if let Some((_, lit)) = self.owners[cell].iter().find(|(owner, _)| *owner == ship) {
            return *lit;
        }
        let owns = solver.new_var().pos_lit();
        self.owners[cell].iter().for_each(|&(_, other)| solver.clause(&[!other, !owns]));
        if let Some(covered) = self.covered[cell] {
            solver.clause(&[!owns, covered]);
        }
        self.owners[cell].push((ship, owns));
        owns
    }

    /// Forbids a set: at least one of its unknown cells is not covered. All sets have the same size, so this excludes
    /// no other set.
    fn forbid(&mut self, set: &Bits, solver: &mut dyn Solver) {
        let mut clause = Vec::new();
        for cell in set.iter().filter(|&cell| self.instance.squares[cell] == Square::Unknown) {
            let owners = &self.owners[cell];
            let covered = *self.covered[cell].get_or_insert_with(|| {
                let covered = solver.new_var().pos_lit();
                owners.iter().for_each(|&(_, owns)| solver.clause(&[!owns, covered]));
                covered
            });
            clause.push(!covered);
        }
        solver.clause(&clause);
    }
}
