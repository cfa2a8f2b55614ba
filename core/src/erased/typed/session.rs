//! A running engine as a [`DynSession`].

use super::engine::{AnyEngine, AnySession};
use super::{Typed, TypedAnswer, TypedInstance};
use crate::engine::{Budget, Outcome};
use crate::erased::{DynAnswer, DynInstance, DynSession};
use crate::errors::UnknownName;
use crate::problem::Problem;
use crate::spec::EngineSpec;
use std::sync::Arc;

pub(super) struct TypedSession<P: Problem> {
    engine: AnyEngine<P>,
    spec: EngineSpec,
    session: AnySession<P>,
}

impl<P: Problem> TypedSession<P> {
    pub(super) fn new(spec: &EngineSpec) -> Result<Self, UnknownName> {
        let engine = AnyEngine::<P>::of(spec)?;
        Ok(TypedSession { engine, spec: spec.clone(), session: engine.start() })
    }
}

impl<P: Problem> DynSession for TypedSession<P> {
    fn solve(&mut self, instance: &dyn DynInstance, budget: &mut Budget) -> Outcome<Box<dyn DynAnswer>> {
        let Some(TypedInstance(typed)) = instance.as_any().downcast_ref::<TypedInstance<P>>() else {
            return Outcome::Unsupported(format!("the instance does not belong to {}", P::NAME).into());
        };
        let Typed { settings, rules, instance } = &**typed;
        if let Err(reason) = self.engine.supports(settings, rules, instance, &self.spec) {
            return Outcome::Unsupported(reason);
        }
        let with_instance =
            |answer| Box::new(TypedAnswer::<P> { typed: Arc::clone(typed), answer }) as Box<dyn DynAnswer>;
        match self.session.solve(settings, rules, instance, &self.spec, budget) {
            Outcome::Decided(answer) => Outcome::Decided(with_instance(answer)),
            Outcome::GaveUp(limit, best) => Outcome::GaveUp(limit, best.map(with_instance)),
            Outcome::Unsupported(reason) => Outcome::Unsupported(reason),
            Outcome::Failed(reason) => Outcome::Failed(reason),
        }
    }
}
