//! What a position costs: nodes of the default search, conflicts of a SAT model.

use crate::engine::{Budget, Outcome};
use crate::problems::ships::answer::Answer;
use crate::problems::ships::search::cover;
use crate::problems::ships::{Instance, Rules, sat};
use crate::solver::SolverRegistry;
use crate::spec::{self, EngineSpec};
use crate::study::StudyError;

/// The answer of `search:cover`, and its nodes.
///
/// # Errors
/// The limit that was met.
pub(super) fn nodes(
    rules: &Rules,
    board: &Instance,
    memory: &mut cover::Memory,
    budget: &mut Budget,
) -> Result<(Answer, u64), StudyError> {
    let before = budget.work.nodes;
    let answer = decided(cover::solve(memory, rules, board, budget))?;
    Ok((answer, budget.work.nodes - before))
}

/// `sat:owner` in one form, on the solver that stands for all.
pub(super) struct Conflicts(EngineSpec);

impl Conflicts {
    /// With the defaults of all axes.
    ///
    /// # Errors
    /// What is wrong with the engine's tables, if anything is.
    pub(super) fn usual() -> Result<Self, StudyError> {
        Self::new("sat:owner")
    }

    /// Without counting ships by leading hits.
    ///
    /// # Errors
    /// As for [`Conflicts::usual`].
    pub(super) fn without_leaders() -> Result<Self, StudyError> {
        Self::new("sat:owner/leaders=no")
    }

    fn new(id: &str) -> Result<Self, StudyError> {
        let found =
            spec::resolve(&[sat::OWNER], &SolverRegistry::built_in(), id).map_err(StudyError::Unsupported)?;
        let first = found.into_iter().next();
        first.map(Conflicts).ok_or_else(|| StudyError::Unsupported(format!("{id} names no engine")))
    }

    /// The answer and the conflicts on the way to it.
    ///
    /// # Errors
    /// The limit that was met; boards whose formula is too large.
    pub(super) fn of(
        &self,
        rules: &Rules,
        board: &Instance,
        budget: &mut Budget,
    ) -> Result<(Answer, u64), StudyError> {
        sat::supports(rules, board, &self.0).map_err(StudyError::Unsupported)?;
        let before = budget.work.conflicts;
        let answer = decided(sat::solve(rules, board, &self.0, budget))?;
        Ok((answer, budget.work.conflicts - before))
    }
}

fn decided(outcome: Outcome<Answer>) -> Result<Answer, StudyError> {
    match outcome {
        Outcome::Decided(answer) => Ok(answer),
        Outcome::GaveUp(limit, _) => Err(limit.into()),
        Outcome::Unsupported(why) | Outcome::Failed(why) => Err(StudyError::Unsupported(why)),
    }
}
