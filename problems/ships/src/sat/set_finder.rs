//! Finds covered sets one by one. Each set comes from a model of a formula in a solver, and joins a family.
//!
//! With `idle=later`, a model places only the ships that cover a hit. The other ships are *idle*: in a fleet that fits,
//! they lie on unknown squares that no placed ship covers. Let m be the number of misses allowed. There are three
//! conclusions:
//! * If m + 2 ways to place the idle ships are found, and no two of these ways share a square, then the m + 2 sets form
//!   a sunflower, so the board is lost regardless of the other sets that fit.
//! * If the formula has no model, no fleet fits.
//! * If no further model exists and no ship was idle in any model so far, the sets found are all sets that fit.
//!
//! The last two conclusions are the same as from the whole formula.

use crate::answer::Answer;
use crate::answer::family::{Family, Standing};
use crate::formula::{self, Encoded, Form};
use crate::{Instance, Rules, Ship, Square};
use counterpoint_core::board::{Bits, Cell};
use counterpoint_core::engine::{Budget, Limit, Unfinished};
use counterpoint_core::solver::{self, Solver};
use counterpoint_encodings::Lit;

/// The result of one search for a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// No other set satisfies the assumptions.
    Exhausted,
    /// Another set was found, and the sets are not known to be lost.
    Open,
    /// Another set or a sunflower was found, and the sets are lost.
    Lost,
    /// A model was found, but not enough disjoint ways to place its idle ships for a sunflower.
    Unplaced,
}

/// The search for covered sets that are not yet known.
pub(super) struct SetFinder<'a> {
    rules: &'a Rules,
    instance: &'a Instance,
    encoded: Encoded,
    /// The hits that no literal stands for. They belong to every set.
    unnamed: Vec<Cell>,
    solver: Box<dyn Solver>,
    family: Family,
    last: Bits,
}

impl<'a> SetFinder<'a> {
    /// Writes the formula into an empty solver.
    pub(super) fn new(
        form: &Form,
        rules: &'a Rules,
        instance: &'a Instance,
        mut solver: Box<dyn Solver>,
    ) -> Self {
        let encoded = formula::write(form, rules, instance, &mut *solver);
        SetFinder::with(encoded, Vec::new(), rules, instance, solver)
    }

    /// Searches the models of a formula that is in the solver. No literal of `encoded` stands for the hits `unnamed`,
    /// which belong to every set.
    pub(super) fn with(
        encoded: Encoded,
        unnamed: Vec<Cell>,
        rules: &'a Rules,
        instance: &'a Instance,
        solver: Box<dyn Solver>,
    ) -> Self {
        let family = Family::new(instance.size, rules.misses);
        let last = Bits::zeros(instance.size.cells());
        SetFinder { rules, instance, encoded, unnamed, solver, family, last }
    }

    /// The literal that is true iff the cell is covered; see [`Encoded::covered`] for `None`.
    pub(super) fn covered(&self, index: usize) -> Option<Lit> {
        self.encoded.covered[index]
    }

    /// The last set that was found with every ship placed; empty before the first such set. Bit i stands for the cell
    /// with index i.
    pub(super) fn last(&self) -> &Bits {
        &self.last
    }

    /// Searches for a set that was not found before.
    pub(super) fn next_set(
        mut self,
        assumptions: &[Lit],
        budget: &mut Budget,
    ) -> Result<(Found, Self), Unfinished> {
        let (fits, solver) = solver::step(self.solver, assumptions, budget)?;
        self.solver = solver;
        if !fits {
            return Ok((Found::Exhausted, self));
        }
        let placed = self.encoded.placements.iter().filter(|place| self.solver.value(place.lit));
        let mut set: Vec<Cell> = placed.flat_map(|place| &place.cells).copied().collect();
        set.extend_from_slice(&self.unnamed);
        set.sort_unstable();
        let ships = self.rules.fleet.ships.iter().zip(&self.encoded.idle);
        let idle = ships.filter(|(_, idle)| idle.is_some_and(|lit| self.solver.value(lit)));
        let idle: Vec<&Ship> = idle.map(|(ship, _)| ship).collect();
        if !idle.is_empty() {
            return match self.sunflower(&set, &idle) {
                None => Ok((Found::Unplaced, self)),
                Some(sets) => {
                    self.family = Family::new(self.instance.size, self.rules.misses);
                    for set in sets {
                        self.family.add(set.words(), budget)?;
                    }
                    Ok((Found::Lost, self))
                }
            };
        }
        self.encoded.forbid(self.instance, &set, &mut *self.solver);
        self.last = self.bits(&set);
        let found = match self.family.add(self.last.words(), budget)? {
            Standing::Lost => Found::Lost,
            Standing::Open => Found::Open,
        };
        Ok((found, self))
    }

    /// The answer. The sets found must be all sets that fit, or be lost.
    pub(super) fn answer(self, budget: &mut Budget) -> Result<Answer, Limit> {
        self.family.answer(budget)
    }

    fn bits(&self, set: &[Cell]) -> Bits {
        let size = self.instance.size;
        Bits::from_indices(size.cells(), set.iter().map(|&cell| size.index(cell)))
    }

    /// m + 2 sets, any two of which share exactly `core`. Places the idle ships greedily on squares that are not yet
    /// used; `None` if that fails.
    fn sunflower(&self, core: &[Cell], idle: &[&Ship]) -> Option<Vec<Bits>> {
        let size = self.instance.size;
        let mut taken = self.bits(core);
        let known = size.iter().filter(|&cell| self.instance.at(cell) != Square::Unknown);
        known.for_each(|cell| taken.set(size.index(cell)));
        let places: Vec<_> = idle.iter().map(|ship| ship.placements(size)).collect();
        let petal = |_| {
            let mut set = self.bits(core);
            for places in &places {
                let free = |cells: &[Cell]| cells.iter().all(|&cell| !taken.get(size.index(cell)));
                let place = places.iter().find(|place| free(&place.cells))?;
                for &cell in &place.cells {
                    taken.set(size.index(cell));
                    set.set(size.index(cell));
                }
            }
            Some(set)
        };
        (0..self.rules.misses + 2).map(petal).collect()
    }
}
