//! An instance with its rules as a [`DynInstance`].

use super::engine::AnyEngine;
use super::{Typed, TypedAnswer, TypedInstance, TypedSession, missing};
use crate::board::Panel;
use crate::engine::{Budget, Outcome};
use crate::erased::{DynAnswer, DynInstance, DynSession};
use crate::errors::Unsupported;
use crate::problem::{Assignment, Decides, DecodedModel, Problem, Scene, Touch};
use crate::spec::EngineSpec;
use counterpoint_encodings::{Lit, Sink, SoftSink};
use serde_json::Value;
use std::any::Any;
use std::sync::Arc;

/// Nothing is known about the formulas of declared encoders, so the methods that return objectives or questions return
/// `None` for them.
impl<P: Problem> DynInstance for TypedInstance<P> {
    fn text(&self) -> String {
        self.0.text()
    }

    fn hash(&self) -> String {
        self.0.hash()
    }

    fn supports(&self, spec: &EngineSpec) -> Result<(), Unsupported> {
        let Typed { settings, rules, instance } = &*self.0;
        AnyEngine::<P>::of(spec)?.supports(settings, rules, instance, spec)
    }

    fn solve(&self, spec: &EngineSpec, budget: &mut Budget) -> Outcome<Box<dyn DynAnswer>> {
        TypedSession::<P>::new(spec).map_or_else(
            |error| Outcome::Unsupported(error.into()),
            |mut session| session.solve(self, budget),
        )
    }

    fn formula(&self, spec: &EngineSpec, sink: &mut dyn Sink) -> Result<(), Unsupported> {
        self.0.formula(spec, sink)
    }

    fn objective(&self, spec: &EngineSpec, sink: &mut dyn SoftSink) -> Option<Result<(), Unsupported>> {
        let Typed { rules, instance, .. } = &*self.0;
        spec.declared().is_none().then_some(())?;
        P::FORMULAS.objective?(rules, spec).map(|write| write(rules, instance, spec, sink))
    }

    fn questions(
        &self,
        spec: &EngineSpec,
        sink: &mut dyn Sink,
    ) -> Option<Result<Vec<Vec<Lit>>, Unsupported>> {
        let Typed { rules, instance, .. } = &*self.0;
        spec.declared().is_none().then_some(())?;
        P::FORMULAS.questions?(rules, spec).map(|write| write(rules, instance, spec, sink))
    }

    fn scene(&self, spec: &EngineSpec, sink: &mut dyn Sink) -> Option<Result<Scene, Unsupported>> {
        let Typed { rules, instance, .. } = &*self.0;
        P::LESSON.map(|lesson| (lesson.scene)(rules, instance, spec, sink))
    }

    fn edited_boards(&self) -> Vec<Panel> {
        let Typed { rules, instance, .. } = &*self.0;
        P::EDIT.map_or(Vec::new(), |edit| (edit.boards)(rules, instance))
    }

    fn touched(&self, touch: Touch) -> Option<String> {
        let Typed { rules, instance, .. } = &*self.0;
        let size = self.edited_boards().get(touch.board)?.size;
        if !size.contains(touch.from) || !size.contains(touch.to) {
            return None;
        }
        Some(P::write_instance(rules, &(P::EDIT?.touch)(rules, instance, touch)))
    }

    fn is_obligation(&self, spec: &EngineSpec) -> bool {
        let Typed { rules, instance, .. } = &*self.0;
        spec.declared().is_none() && P::FORMULAS.is_obligation.is_some_and(|test| test(rules, instance, spec))
    }

    fn for_search(&self) -> Option<Box<dyn DynInstance>> {
        let settings = P::FORMULAS.search_settings?(&self.0.settings)?;
        let (rules, instance) = (P::rules(&settings).ok()?, self.0.instance.clone());
        Some(Box::new(TypedInstance::<P>(Arc::new(Typed { settings, rules, instance }))))
    }

    fn satisfiable(&self, engine: &EngineSpec, answer: &dyn DynAnswer) -> Option<bool> {
        let answer = answer.as_any().downcast_ref::<TypedAnswer<P>>()?;
        engine.declared().is_none().then_some(())?;
        P::FORMULAS.satisfiable?(&self.0.rules, engine, &answer.answer)
    }

    fn if_refuted(&self, spec: &EngineSpec) -> Result<Box<dyn DynAnswer>, Unsupported> {
        let Typed { rules, instance, .. } = &*self.0;
        let answer = (self.decides(spec)?.refuted)(rules, instance, spec)?;
        Ok(Box::new(TypedAnswer::<P> { typed: Arc::clone(&self.0), answer }))
    }

    fn of_model(&self, model: Assignment<'_>) -> Result<Box<dyn DynAnswer>, Unsupported> {
        let Typed { rules, instance, .. } = &*self.0;
        let answer = (self.decides(model.spec)?.model)(rules, instance, model)?;
        Ok(Box::new(TypedAnswer::<P> { typed: Arc::clone(&self.0), answer }))
    }

    fn read_model(&self, model: Assignment<'_>, budget: &mut Budget) -> Result<DecodedModel, Unsupported> {
        let Typed { rules, instance, .. } = &*self.0;
        let read =
            P::FORMULAS.read_model.ok_or_else(|| missing::<P>("reading models", "FORMULAS.read_model"))?;
        read(rules, instance, model, budget)
    }

    fn problem(&self) -> &'static str {
        P::NAME
    }

    fn rules(&self) -> Value {
        self.0.settings.to_json()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl<P: Problem> TypedInstance<P> {
    fn decides(&self, spec: &EngineSpec) -> Result<Decides<P>, Unsupported> {
        if spec.declared().is_some() {
            return Err("nothing is known about the formulas of a declared encoder".into());
        }
        P::FORMULAS.decides.ok_or_else(|| missing::<P>("answers from one formula", "FORMULAS.decides").into())
    }
}
