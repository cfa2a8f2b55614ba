//! Whether a formula should be satisfiable, according to a search whose answer is checked.

use super::args::Limits;
use super::context::Context;
use super::encoding::Encoding;
use super::exit::Failure;
use super::explain::UNLIMITED;
use super::verdict::{self, Ended};
use crate::claim::Claim;
use crate::engine::Outcome;
use crate::erased::{DynAnswer, DynProblem};
use std::time::Duration;

/// The answer of a search to the question that a formula encodes.
pub(super) struct Expected {
    /// The engine id of the search.
    pub(super) search: String,
    /// Whether the formula is satisfiable; `None` if the answer does not determine it.
    pub(super) satisfiable: Option<bool>,
    /// The outcome in a word or two.
    pub(super) outcome: String,
    /// The claims of the answer, checked.
    pub(super) claims: Vec<Claim>,
    /// Whether the search settled the question or gave up at a limit.
    pub(super) ended: Ended,
}

/// What a search says about the question.
pub(super) enum Searched {
    /// The answer.
    Answer(Expected),
    /// There is no answer, for this reason.
    NoAnswer(String),
}

/// First drops the rules that searches do not support, such as a bound on the answer. Then solves the instance with the
/// first search that supports it, within this CPU time.
pub(super) fn expected(
    context: &Context,
    problem: &dyn DynProblem,
    encoding: &Encoding<'_>,
    cpu_limit: Option<Duration>,
) -> Result<Searched, Failure> {
    let searched = encoding.instance.for_search();
    let instance = searched.as_deref().unwrap_or(encoding.instance);
    let searches = context.engines(problem, "search:*")?;
    let Some(search) = searches.iter().find(|search| instance.supports(search).is_ok()) else {
        return Ok(Searched::NoAnswer("no search supports this instance".to_owned()));
    };
    let mut budget = match cpu_limit {
        None => verdict::check_budget(),
        Some(_) => context.budget(&Limits { cpu_limit, ..UNLIMITED }),
    };
    let (answer, ended): (Box<dyn DynAnswer>, _) = match instance.solve(search, &mut budget) {
        Outcome::Decided(answer) => (answer, Ended::Settled),
        Outcome::GaveUp(_, Some(answer)) => (answer, Ended::GaveUp),
        Outcome::GaveUp(limit, None) => return Ok(Searched::NoAnswer(limit.to_string())),
        Outcome::Unsupported(why) => return Ok(Searched::NoAnswer(why.into())),
        Outcome::Failed(why) => return Ok(Searched::NoAnswer(why)),
    };
    Ok(Searched::Answer(Expected {
        search: search.to_string(),
        satisfiable: encoding.instance.satisfiable(encoding.engine, &*answer),
        outcome: answer.outcome(),
        claims: answer.check(&[], &mut verdict::check_budget()),
        ended,
    }))
}
