//! The formula that a SAT engine writes for an instance, in the form that `export` needs.

use super::context::Context;
use super::exit::Failure;
use crate::engine::Side;
use crate::erased::{DynInstance, DynProblem};
use crate::errors::Unsupported;
use crate::export::{Formula, Head};
use crate::spec::EngineSpec;
use counterpoint_encodings::{Lit, Sink, SoftSink};

/// The formula that an engine writes for an instance.
pub(super) struct Encoding<'a> {
    pub(super) instance: &'a dyn DynInstance,
    pub(super) engine: &'a EngineSpec,
}

impl Encoding<'_> {
    pub(super) fn head(&self) -> Head {
        Head {
            problem: self.instance.problem().to_owned(),
            // The id is written without the solver, because the formula does not depend on it.
            engine: self.engine.to_string().split('@').next().unwrap_or_default().to_owned(),
            rules: self.instance.rules().to_string(),
            instance: self.instance.text(),
        }
    }
}

impl Formula for Encoding<'_> {
    fn clauses(&self, sink: &mut dyn Sink) -> Result<(), Unsupported> {
        self.instance.formula(self.engine, sink)
    }

    fn objective(&self, sink: &mut dyn SoftSink) -> Option<Result<(), Unsupported>> {
        self.instance.objective(self.engine, sink)
    }

    fn questions(&self, sink: &mut dyn Sink) -> Option<Result<Vec<Vec<Lit>>, Unsupported>> {
        self.instance.questions(self.engine, sink)
    }
}

/// The one SAT engine that matches the pattern.
pub(super) fn sat_engine(
    context: &Context,
    problem: &dyn DynProblem,
    pattern: &str,
) -> Result<EngineSpec, Failure> {
    let engine = context.engine(problem, pattern)?;
    if engine.side != Side::Sat {
        let why = format!(
            "{engine} is not a SAT engine; use -e sat, or another SAT engine from `list engines {}`",
            problem.name()
        );
        return Err(Failure::usage(why));
    }
    Ok(engine)
}
