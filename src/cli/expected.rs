//! What a search knows of a formula: whether it has a model, and what the checker says of that.

use super::context::Context;
use super::encoding::Encoding;
use super::exit::Failure;
use super::verdict::{self, Ended};
use crate::claim::Claim;
use crate::engine::Outcome;
use crate::erased::{DynAnswer, DynProblem};

/// The answer of a search to the question of a formula.
pub(super) struct Expected {
    /// The search's id.
    pub(super) search: String,
    /// Whether the formula has a model, if the answer tells.
    pub(super) satisfiable: Option<bool>,
    /// The outcome in a word or two.
    pub(super) outcome: String,
    /// What the checker says of the answer.
    pub(super) claims: Vec<Claim>,
    /// Whether the search came to its end.
    pub(super) ended: Ended,
}

/// Asks the first search that serves; `Err` inside says why there is no answer.
pub(super) fn expected(
    context: &Context,
    problem: &dyn DynProblem,
    encoding: &Encoding<'_>,
) -> Result<Result<Expected, String>, Failure> {
    let searched = encoding.instance.for_search();
    let instance = searched.as_deref().unwrap_or(encoding.instance);
    let searches = context.engines(problem, "search:*")?;
    let Some(search) = searches.iter().find(|search| instance.supports(search).is_ok()) else {
        return Ok(Err("no search serves it".to_owned()));
    };
    let (answer, ended): (Box<dyn DynAnswer>, _) = match instance.solve(search, &mut verdict::check_budget())
    {
        Outcome::Decided(answer) => (answer, Ended::Settled),
        Outcome::GaveUp(_, Some(answer)) => (answer, Ended::GaveUp),
        Outcome::GaveUp(limit, None) => return Ok(Err(limit.to_string())),
        Outcome::Unsupported(why) | Outcome::Failed(why) => return Ok(Err(why)),
    };
    Ok(Ok(Expected {
        search: search.to_string(),
        satisfiable: encoding.instance.satisfiable(encoding.engine, &*answer),
        outcome: answer.outcome(),
        claims: answer.check(&[], &mut verdict::check_budget()),
        ended,
    }))
}
