//! Measures the work that a position takes: nodes of the default search, conflicts of a SAT engine.

use crate::answer::Answer;
use crate::search::cover;
use crate::{Instance, Rules, sat};
use counterpoint_core::engine::Budget;
use counterpoint_core::spec::{self, EngineSpec};
use counterpoint_core::study::{StudyError, decided};

/// An answer and the work that an engine did to find it.
pub(super) struct Measured {
    pub(super) answer: Answer,
    /// Nodes of a search, or conflicts of a SAT engine.
    pub(super) work: u64,
}

/// Runs `search:cover` and counts its nodes.
///
/// # Errors
/// Returns the limit of the budget that was reached.
pub(super) fn by_search(
    rules: &Rules,
    board: &Instance,
    workspaces: &mut cover::Workspaces,
    budget: &mut Budget,
) -> Result<Measured, StudyError> {
    let before = budget.work.nodes;
    let answer = decided(cover::solve(workspaces, rules, board, budget))?;
    Ok(Measured { answer, work: budget.work.nodes - before })
}

/// A variant of `sat:owner` with the default solver.
pub(super) struct OwnerEngine(EngineSpec);

impl OwnerEngine {
    /// The engine with the default of every axis.
    ///
    /// # Errors
    /// Returns `Unsupported` if the id does not name an engine. This does not happen with the tables of this problem.
    pub(super) fn with_defaults() -> Result<Self, StudyError> {
        Self::new("sat:owner/places=eager")
    }

    /// The engine without the redundant constraint `leaders`.
    ///
    /// # Errors
    /// Returns the errors of [`OwnerEngine::with_defaults`].
    pub(super) fn without_leaders() -> Result<Self, StudyError> {
        Self::new("sat:owner/places=eager/leaders=no")
    }

    fn new(id: &str) -> Result<Self, StudyError> {
        Ok(OwnerEngine(spec::built_in(sat::OWNER, id)?))
    }

    /// Solves a board and counts the conflicts.
    ///
    /// # Errors
    /// Returns `Unsupported` for boards whose formula is too large, or the limit of the budget that was reached.
    pub(super) fn solve(
        &self,
        rules: &Rules,
        board: &Instance,
        budget: &mut Budget,
    ) -> Result<Measured, StudyError> {
        sat::supports(rules, board, &self.0)?;
        let before = budget.work.conflicts;
        let answer = decided(sat::solve(&mut sat::Poses::default(), rules, board, &self.0, budget))?;
        Ok(Measured { answer, work: budget.work.conflicts - before })
    }
}
