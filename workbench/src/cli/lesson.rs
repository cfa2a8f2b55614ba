//! `solve --page`: writes a lesson about an instance, with the clauses of an encoding in words.

use super::context::Context;
use super::encoding::Encoding;
use super::exit::Failure;
use super::staging::unwritable;
use crate::engine::Side;
use crate::erased::{DynAnswer, DynInstance, unsupported};
use crate::lesson::{self, AnswerText, LessonError, Material};
use crate::spec::EngineSpec;
use std::path::Path;

/// Writes the page with an answer, the text of its explanation, and the engine that gave the answer. If this engine is
/// a SAT engine of the problem, the page shows the formula of this engine. Otherwise the page shows the formula of the
/// SAT engine that the problem names for lessons.
pub(super) fn write(
    context: &Context,
    instance: &dyn DynInstance,
    (answer, words, by): (&dyn DynAnswer, &str, &EngineSpec),
    file: &Path,
) -> Result<(), Failure> {
    let problem = context.registry.find(instance.problem())?;
    let Some(best) = problem.info().lesson else {
        return Err(unsupported(problem.name(), "lessons", "LESSON").into());
    };
    let is_own = by.side == Side::Sat && by.declared().is_none();
    let engine = if is_own { by.clone() } else { context.engine(problem, best)? };
    instance
        .supports(&engine)
        .map_err(|reason| Failure::usage(format!("{engine} does not support this instance: {reason}")))?;
    let material = Material {
        problem: problem.name().to_owned(),
        about: problem.info().about.to_owned(),
        engine: Encoding { instance, engine: &engine }.head().engine,
        instance: instance.text(),
        answer: AnswerText {
            by: by.to_string(),
            outcome: answer.outcome(),
            words: words.to_owned(),
            satisfiable: instance.satisfiable(&engine, answer),
        },
    };
    let none = || Err("this problem has no drawings for lessons".into());
    let written = lesson::page(&material, |sink| instance.scene(&engine, sink).unwrap_or_else(none));
    let page = written.map_err(|error| match error {
        LessonError::Unsupported(why) => Failure::usage(why),
        LessonError::Compression(error) => error.into(),
    })?;
    std::fs::write(file, page).map_err(|e| unwritable(file, &e))
}
