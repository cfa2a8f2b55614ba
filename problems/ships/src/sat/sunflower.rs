//! Let m be the number of misses allowed. Looks for a sunflower: m + 2 sets such that any two of them share
//! only the squares that all of them share. One formula describes a fleet for each set. This can prove "no",
//! but never "yes".

use crate::answer::Answer;
use crate::answer::family::Family;
use crate::formula::{self, Form};
use crate::{Instance, Rules};
use counterpoint_core::board::Bits;
use counterpoint_core::engine::{Budget, Unfinished};
use counterpoint_core::solver::{self, Solver};

/// The answer "no" if a sunflower exists, otherwise `None`.
pub(super) fn find(
    form: &Form,
    rules: &Rules,
    instance: &Instance,
    mut solver: Box<dyn Solver>,
    budget: &mut Budget,
) -> Result<Option<Answer>, Unfinished> {
    let fleets = formula::write_sunflower(form, rules, instance, &mut *solver);
    let (found, solver) = solver::step(solver, &[], budget)?;
    if !found {
        return Ok(None);
    }
    let mut family = Family::new(instance.size, rules.misses);
    for fleet in fleets {
        let placed = fleet.placements.iter().filter(|place| solver.value(place.lit));
        let cells = placed.flat_map(|place| &place.cells).map(|&cell| instance.size.index(cell));
        family.add(Bits::from_indices(instance.size.cells(), cells).words(), budget)?;
    }
    Ok(Some(family.answer(budget)?))
}
