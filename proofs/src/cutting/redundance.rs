//! The rule `red`: a substitution repairs every assignment that violates the new constraint.

use super::database::Database;
use super::inequality::{Image, Inequality, Overflow};
use super::propagation::{Index, Mark};
use crate::variables::Code;
use counterpoint_base::budget::{Limit, Stop};
use rustc_hash::FxHashMap;

/// A substitution: the images of some variables.
#[derive(Default)]
pub(super) struct Substitution(FxHashMap<u32, Image>);

impl Substitution {
    /// Sets the image of a variable. Returns false if it already had one.
    pub(super) fn set(&mut self, variable: u32, image: Image) -> bool {
        self.0.insert(variable, image).is_none()
    }

    fn image(&self, lit: Code) -> Option<Image> {
        let image = *self.0.get(&(lit / 2))?;
        Some(if lit & 1 == 0 { image } else { image.negated() })
    }

    fn changes(&self, inequality: &Inequality) -> bool {
        inequality.terms().iter().any(|term| self.0.contains_key(&(term.lit / 2)))
    }

    fn apply(&self, inequality: &Inequality) -> Result<Inequality, Overflow> {
        inequality.substituted(|lit| self.image(lit))
    }
}

/// Why a constraint may not be added by redundance.
pub(super) enum NotRedundant {
    /// The image of a constraint of the database does not follow.
    Changed,
    /// The image of the new constraint does not follow.
    Itself,
    Overflow,
    Stopped(Limit),
}

impl From<Overflow> for NotRedundant {
    fn from(_: Overflow) -> Self {
        NotRedundant::Overflow
    }
}

/// Tests whether a constraint may be added with this substitution as its witness.
pub(super) fn check(
    database: &mut Database,
    added: &Inequality,
    witness: &Substitution,
    stop: &Stop,
) -> Result<(), NotRedundant> {
    let (mark, conflict) = database.propagator.assume(added.negated()?)?;
    let checked = if conflict { Ok(()) } else { check_images(database, added, witness, stop) };
    database.propagator.retract(mark);
    checked
}

/// Tests the images. The negation of the new constraint is already assumed.
fn check_images(
    database: &mut Database,
    added: &Inequality,
    witness: &Substitution,
    stop: &Stop,
) -> Result<(), NotRedundant> {
    // The active constraints include the assumption, whose image need not follow.
    let mut active: Vec<Index> = database.propagator.active().collect();
    active.pop();
    for (count, index) in (1u32..).zip(active) {
        if count.is_multiple_of(64)
            && let Some(limit) = stop()
        {
            return Err(NotRedundant::Stopped(limit));
        }
        let Some(inequality) = database.propagator.get(index).filter(|one| witness.changes(one)) else {
            continue;
        };
        let image = witness.apply(inequality)?;
        if !inequality.implies(&image)? && !follows(database, &image)? {
            return Err(NotRedundant::Changed);
        }
    }
    match follows(database, &witness.apply(added)?)? {
        true => Ok(()),
        false => Err(NotRedundant::Itself),
    }
}

/// Whether an inequality follows by unit propagation.
pub(super) fn follows(database: &mut Database, inequality: &Inequality) -> Result<bool, Overflow> {
    let (mark, conflict): (Mark, bool) = database.propagator.assume(inequality.negated()?)?;
    database.propagator.retract(mark);
    Ok(conflict)
}
