//! The formula that is cut, the claim that it has no model, and the variables that cubes may use.

use crate::cubes::{NothingShared, Shared, SplitError, branching_variable, clauses_of, split};
use crate::engine::{Budget, Limit};
use crate::erased::{DynAnswer, DynInstance};
use crate::errors::Unsupported;
use crate::proof::{Cubes, Formula, Obligation};
use crate::spec::EngineSpec;
use counterpoint_encodings::{Cnf, Sink};
use std::num::NonZero;

/// An engine's formula for an instance, and what follows if it has no model.
pub struct Question {
    /// The answer if the formula has no model.
    pub answer: Box<dyn DynAnswer>,
    /// The engine's formula.
    pub encoding: Cnf,
    shared: Shared,
}

/// Why a formula is not cut.
#[derive(Debug, thiserror::Error)]
pub enum QuestionError {
    /// The engine has no single formula, or no answer follows if the formula has no model.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// The engine's formula and the checker's formula share no variables, so no cube would have a meaning in
    /// both.
    #[error(transparent)]
    NothingShared(#[from] NothingShared),
    /// The checker's formula is too large to be written.
    #[error("the checker's plain formula is too large")]
    TooLarge,
    /// The formula is not split.
    #[error(transparent)]
    Split(#[from] SplitError),
}

impl From<Limit> for QuestionError {
    fn from(limit: Limit) -> Self {
        SplitError::from(limit).into()
    }
}

impl Question {
    /// The question that an engine's formula asks about an instance.
    ///
    /// # Errors
    /// Why the formula cannot be cut.
    pub fn new(
        instance: &dyn DynInstance,
        engine: &EngineSpec,
        budget: &mut Budget,
    ) -> Result<Self, QuestionError> {
        let answer = instance.if_refuted(engine)?;
        let mut encoding = Cnf::default();
        instance.formula(engine, &mut encoding)?;
        let shared = {
            let plain = plain(&obligation(&*answer, budget)?)?;
            match instance.is_obligation(engine) {
                true => Shared::all(&plain),
                false => Shared::by_name(&encoding, &plain),
            }
        };
        if shared.candidates().is_empty() && encoding.n_vars() > 0 {
            return Err(NothingShared { engine: engine.to_string() }.into());
        }
        Ok(Question { answer, encoding, shared })
    }

    /// The claim that the formula has no model.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn obligation(&self, budget: &mut Budget) -> Result<Obligation<'_>, QuestionError> {
        obligation(&*self.answer, budget)
    }

    /// The checker's formula for this claim.
    ///
    /// # Errors
    /// It is too large, or a limit was reached.
    pub fn plain(&self, budget: &mut Budget) -> Result<Formula, QuestionError> {
        plain(&self.obligation(budget)?)
    }

    /// Cuts the formula into at most `count` cubes, in the numbers of the checker's formula. The second part of the
    /// result is the number of branches that looking ahead has closed.
    ///
    /// # Errors
    /// There is nothing to branch on, or a limit was reached.
    pub fn cut(&self, count: NonZero<u32>, budget: &mut Budget) -> Result<(Cubes, usize), QuestionError> {
        let plain = self.plain(budget)?;
        let found = split(&clauses_of(&self.encoding), &self.shared.candidates(), count, budget)?;
        let mut cubes = Cubes::new();
        for cube in found.cubes.iter() {
            let lits: Vec<i32> = cube.iter().filter_map(|&lit| self.shared.to_plain(lit)).collect();
            // This cannot fail, because different variables of the engine's formula have different names.
            cubes.push(&lits, plain.n_vars()).map_err(|_| SplitError::NoVariable)?;
        }
        Ok((cubes, found.closed))
    }

    /// Splits a cube into two halves, in the numbers of the checker's formula. There are none if the cube
    /// determines all variables on which a cube may branch.
    ///
    /// # Errors
    /// A limit was reached, or the cube is not one of this formula.
    pub fn halves(&self, cube: &[i32], budget: &mut Budget) -> Result<Cubes, QuestionError> {
        let (formula, n_vars) = (clauses_of(&self.encoding), self.plain(budget)?.n_vars());
        let mut halves = Cubes::new();
        let own = self.to_own(cube).ok_or(SplitError::NoVariable)?;
        let found = branching_variable(&formula, &self.shared.candidates(), &own, budget)?;
        if let Some(variable) = found.and_then(|variable| self.shared.to_plain(variable)) {
            for lit in [variable, -variable] {
                let half: Vec<i32> = cube.iter().copied().chain([lit]).collect();
                // This cannot fail, because the cube does not contain the variable.
                halves.push(&half, n_vars).map_err(|_| SplitError::NoVariable)?;
            }
        }
        Ok(halves)
    }

    /// A cube in the numbers of the engine's formula; `None` if the engine's formula lacks one of its variables.
    pub fn to_own(&self, cube: &[i32]) -> Option<Vec<i32>> {
        cube.iter().map(|&lit| self.shared.to_own(lit)).collect()
    }

    /// A cube of the engine's formula in the numbers of the checker's formula; `None` if that lacks one of its
    /// variables.
    pub fn to_plain(&self, cube: &[i32]) -> Option<Vec<i32>> {
        cube.iter().map(|&lit| self.shared.to_plain(lit)).collect()
    }
}

fn obligation<'a>(answer: &'a dyn DynAnswer, budget: &mut Budget) -> Result<Obligation<'a>, QuestionError> {
    let mut all = answer.obligations_within(budget)?;
    match all.pop() {
        Some(only) if all.is_empty() => Ok(only),
        _ => Err(Unsupported::from("no proof of a single formula shows the answer".to_owned()).into()),
    }
}

fn plain(obligation: &Obligation<'_>) -> Result<Formula, QuestionError> {
    obligation.formula().ok_or(QuestionError::TooLarge)
}
