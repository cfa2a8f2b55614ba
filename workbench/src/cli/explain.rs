//! Explanations and pictures of answers, within a bounded amount of work.

use super::args::Limits;
use super::context::Context;
use crate::board::Sheet;
use crate::engine::Budget;
use crate::erased::DynAnswer;

/// The maximum work of an explanation, in nodes plus conflicts.
const MAX_NODES: u64 = 200_000;

pub(super) const UNLIMITED: Limits = Limits { work_limit: None, cpu_limit: None, threads: None };

/// The picture of an answer, as `solve --save` writes it.
pub(super) fn picture(context: &Context, answer: &dyn DynAnswer) -> Sheet {
    answer.explain(&mut budget(context, &UNLIMITED)).boards
}

/// The budget of an explanation: the given limits, with a work limit of at most [`MAX_NODES`].
pub(super) fn budget(context: &Context, limits: &Limits) -> Budget {
    let budget = context.budget(limits);
    budget.part(budget.left().min(MAX_NODES))
}
