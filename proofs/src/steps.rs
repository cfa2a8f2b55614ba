//! The steps of a proof as the checkers take them, whatever format they were read from.

use crate::{Place, ProofError};

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
