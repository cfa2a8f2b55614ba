//! The work that engines need for the instances of a study.

use super::StudyError;
use crate::engine::{Budget, Limit, Outcome};

/// The nodes and conflicts of one engine on several instances.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effort {
    /// The sum over all instances.
    pub total: u64,
    /// The greatest number on one instance.
    pub worst: u64,
    /// The number of instances on which the engine reached the limit for one instance.
    pub given_up: u64,
}

impl Effort {
    /// Solves one instance with at most `work` nodes plus conflicts and adds what was used; `None` if the instance
    /// reaches this limit.
    ///
    /// # Errors
    /// Returns the errors of `solve`, and the limit of `budget` that was reached.
    pub fn measure<A>(
        &mut self,
        work: u32,
        budget: &mut Budget,
        solve: impl FnOnce(&mut Budget) -> Result<A, StudyError>,
    ) -> Result<Option<A>, StudyError> {
        let mut part = budget.part(budget.left().min(work.into()));
        let found = solve(&mut part);
        let here = part.work.nodes + part.work.conflicts;
        budget.work.nodes += part.work.nodes;
        budget.work.conflicts += part.work.conflicts;
        self.total += here;
        self.worst = self.worst.max(here);
        match found {
            Ok(answer) => Ok(Some(answer)),
            Err(StudyError::Limit(Limit::Work)) => {
                budget.poll()?;
                self.given_up += 1;
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// The mean over `count` instances.
    pub fn mean(&self, count: u32) -> f64 {
        self.total as f64 / f64::from(count)
    }
}

/// The answer of an engine.
///
/// # Errors
/// Returns the limit that was reached, or why there is no answer.
pub fn decided<A>(outcome: Outcome<A>) -> Result<A, StudyError> {
    match outcome {
        Outcome::Decided(answer) => Ok(answer),
        Outcome::GaveUp(limit, _) => Err(limit.into()),
        Outcome::Unsupported(why) => Err(why.into()),
        Outcome::Failed(why) => Err(why.into()),
    }
}
