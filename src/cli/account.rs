//! Explanations and pictures of answers, within a bound of work.

use super::args::Limits;
use super::context::Context;
use crate::board::Sheet;
use crate::engine::Budget;
use crate::erased::DynAnswer;

/// Nodes that the reasons of an explanation may cost, as a rule.
const REASON_WORK: u64 = 200_000;

pub(super) const UNLIMITED: Limits = Limits { work_limit: None, cpu_limit: None, threads: None };

/// The picture of an answer as it is saved.
pub(super) fn picture(context: &Context, reply: &dyn DynAnswer) -> Sheet {
    reply.explain(&mut reasons(context, &UNLIMITED)).boards
}

/// The budget of an explanation: the limits given, and no more than an answer is worth waiting for.
pub(super) fn reasons(context: &Context, limits: &Limits) -> Budget {
    let budget = context.budget(limits);
    budget.part(budget.left().min(REASON_WORK))
}
