//! `solve --page`: writes a lesson about an instance, with the clauses of an encoding in words.

use super::context::Context;
use super::exit::Failure;
use super::staging::{Target, unwritable};
use crate::engine::Side;
use crate::erased::{DynAnswer, DynInstance};
use crate::pages::Module;
use crate::pages::lesson::{self, AnswerText, LessonError, Material};
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
    let Some(best) = &problem.info().lesson else {
        return Err(Failure::usage(format!("no engine of {} writes a formula", problem.name())));
    };
    let is_own = by.side == Side::Sat && by.declared().is_none();
    let engine = if is_own { by.clone() } else { context.engine(problem, best)? };
    instance
        .supports(&engine)
        .map_err(|reason| Failure::usage(format!("{engine} does not support this instance: {reason}")))?;
    let program = context.registry.program();
    let material = Material {
        program: format!("{} {}", program.name, program.version),
        problem: problem.name(),
        about: problem.info().about,
        answer: AnswerText::new((answer, by, words), instance, &engine),
    };
    let page =
        lesson::page(&material, (instance, &engine), Module::STANDARD).map_err(|error| match error {
            LessonError::Unsupported(why) => Failure::usage(why),
            LessonError::Compression(error) => error.into(),
        })?;
    let mut target = Target::new(file)?;
    target.file().write_all(page.as_bytes()).map_err(|e| unwritable(file, &e))?;
    target.publish()
}
