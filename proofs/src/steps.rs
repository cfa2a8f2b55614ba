//! The steps of a proof as the checkers take them, whatever format they were read from.

use crate::{Place, ProofError};
use counterpoint_base::budget::Stop;

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Add,
    Delete,
}

/// The steps of a DRAT proof.
pub(crate) trait Steps {
    /// Reads the next step and appends its literals to `lits`. Returns `None` at the end of the proof.
    fn next(&mut self, lits: &mut Vec<i32>) -> Result<Option<Kind>, ProofError>;

    /// The place of the last step.
    fn place(&self) -> Place;
}

/// The number of steps, or of resolvents within a RAT test, between two calls of the stop closure.
pub(crate) const STOP_INTERVAL: u64 = 64;

/// Takes the steps of a DRAT proof one by one, and calls the stop closure at intervals.
pub(crate) struct Walk<'a, S> {
    steps: S,
    stop: &'a Stop,
    /// The number of steps taken.
    pub(crate) count: u64,
}

impl<'a, S: Steps> Walk<'a, S> {
    pub(crate) fn new(steps: S, stop: &'a Stop) -> Self {
        Walk { steps, stop, count: 0 }
    }

    /// Replaces `lits` by the literals of the next step.
    ///
    /// # Errors
    /// The proof ends, cannot be read, or a limit was reached.
    pub(crate) fn next(&mut self, lits: &mut Vec<i32>) -> Result<Kind, ProofError> {
        lits.clear();
        let kind = self.steps.next(lits)?.ok_or(ProofError::NoEmptyClause)?;
        self.count += 1;
        if self.count.is_multiple_of(STOP_INTERVAL)
            && let Some(limit) = (self.stop)()
        {
            return Err(ProofError::Stopped(limit));
        }
        Ok(kind)
    }

    /// The place of the last step.
    pub(crate) fn place(&self) -> Place {
        self.steps.place()
    }
}

/// A step of an LRAT proof, apart from its kind.
#[derive(Default)]
pub(crate) struct HintedStep {
    /// The number of the added clause.
    pub(crate) id: u64,
    /// The literals of the added clause.
    pub(crate) lits: Vec<i32>,
    /// The hints of the added clause, or the numbers of the clauses to delete.
    pub(crate) numbers: Vec<i64>,
}

/// The steps of an LRAT proof.
pub(crate) trait HintedSteps {
    /// Reads the next step into `step`, whose lists must be empty. Returns `None` at the end of the proof.
    fn next(&mut self, step: &mut HintedStep) -> Result<Option<Kind>, ProofError>;

    /// The place of the last step.
    fn place(&self) -> Place;
}
