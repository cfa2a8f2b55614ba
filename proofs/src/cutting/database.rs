//! The constraints of a proof and their numbers.

use super::inequality::{Inequality, Overflow};
use super::propagation::{Index, Propagator};
use crate::ProofError;
use crate::growth::push;
use crate::meter::Meter;
use counterpoint_base::budget::Limit;

/// The number of terms that any check may store.
const MIN_TERMS: usize = 1 << 20;

/// The number of terms that a check may store for each byte of the proof and each term of the formula.
const TERMS_PER_BYTE: usize = 8;

/// How often a proof of version 1.1 has loaded a constraint of the formula. Each time, the constraint gets another
/// number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Loaded {
    Never,
    /// The constraint has this many numbers that were not deleted.
    Times(u32),
}

#[derive(Default)]
pub(super) struct Database {
    pub(super) propagator: Propagator,
    /// Element k is the index of the constraint with number k + 1; `None` if that number was deleted.
    numbers: Vec<Option<Index>>,
    /// For each constraint of the formula, how often it is loaded.
    loaded: Vec<Loaded>,
    /// The number of terms of all constraints, and its limit.
    terms: usize,
    max_terms: usize,
}

/// Why a constraint was not added.
pub(super) enum Refused {
    Overflow,
    Memory,
}

impl From<Overflow> for Refused {
    fn from(_: Overflow) -> Self {
        Refused::Overflow
    }
}

impl Database {
    /// A database with the constraints of a formula, which have no numbers yet. `proof` is the length of the proof in
    /// bytes.
    pub(super) fn new(inequalities: Vec<Inequality>, proof: usize, meter: Meter) -> Result<Self, Overflow> {
        let mut database = Database { propagator: Propagator::with_meter(meter), ..Database::default() };
        for inequality in inequalities {
            database.terms += inequality.terms().len();
            database.propagator.add(inequality)?;
            push(&mut database.loaded, Loaded::Never);
        }
        let input = proof.saturating_add(database.terms);
        database.max_terms = MIN_TERMS.saturating_add(input.saturating_mul(TERMS_PER_BYTE));
        Ok(database)
    }

    /// The number of constraints of the formula.
    pub(super) fn formula_len(&self) -> usize {
        self.loaded.len()
    }

    /// Fails if `more` terms, in addition to those of the constraints, exceed the limit.
    pub(super) fn afford(&self, more: usize) -> Result<(), ProofError> {
        match self.terms + more > self.max_terms {
            true => Err(ProofError::Stopped(Limit::Memory)),
            false => Ok(()),
        }
    }

    /// Gives the next number to a constraint of the formula. Returns false if there is no such constraint, or if it was
    /// deleted.
    pub(super) fn load(&mut self, index: usize) -> bool {
        let Some(loaded) = self.loaded.get_mut(index) else { return false };
        *loaded = match *loaded {
            Loaded::Never => Loaded::Times(1),
            Loaded::Times(0) => return false,
            Loaded::Times(times) => Loaded::Times(times + 1),
        };
        push(&mut self.numbers, Some(index as Index));
        true
    }

    /// Adds a constraint and gives it the next number.
    pub(super) fn add(&mut self, inequality: Inequality) -> Result<(), Refused> {
        let length = inequality.terms().len();
        self.afford(length).map_err(|_| Refused::Memory)?;
        let index = self.propagator.add(inequality)?;
        self.terms += length;
        push(&mut self.numbers, Some(index));
        Ok(())
    }

    /// The position of a constraint among the numbers. A negative number counts back from the last one.
    fn position(&self, number: i128) -> Option<usize> {
        let position = match number > 0 {
            true => number - 1,
            false => number + self.numbers.len() as i128,
        };
        usize::try_from(position).ok().filter(|&at| number != 0 && at < self.numbers.len())
    }

    /// The constraint with a number.
    pub(super) fn get(&self, number: i128) -> Option<&Inequality> {
        self.propagator.get(self.numbers[self.position(number)?]?)
    }

    /// The number of the last constraint.
    pub(super) fn last(&self) -> i128 {
        self.numbers.len() as i128
    }

    /// Deletes the constraint with a number. Returns whether there was one.
    pub(super) fn delete(&mut self, number: i128) -> bool {
        let Some(at) = self.position(number) else { return false };
        let Some(index) = self.numbers[at].take() else { return false };
        if let Some(loaded) = self.loaded.get_mut(index as usize) {
            let Loaded::Times(times) = loaded else { return false };
            *times -= 1;
            if *times > 0 {
                return true;
            }
        }
        self.terms -= self.propagator.remove(index).unwrap_or(0);
        true
    }
}
