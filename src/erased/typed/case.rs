//! One instance with its rules as a [`Case`].

use super::{Typed, TypedCase, TypedReply, TypedRunner, engine};
use crate::choice::Choice;
use crate::engine::{Budget, Outcome};
use crate::erased::{Case, Reply, Runner};
use crate::problem::{Assignment, Problem, Said, Scene, Shown};
use counterpoint_encodings::{Lit, Sink, SoftSink};
use serde_json::Value;
use std::any::Any;
use std::sync::Arc;

impl<P: Problem> Case for TypedCase<P> {
    fn text(&self) -> String {
        self.0.text()
    }

    fn hash(&self) -> String {
        self.0.hash()
    }

    fn supports(&self, choice: &Choice) -> Result<(), String> {
        (engine::<P>(choice)?.supports)(&self.0.rules, &self.0.instance, choice)
    }

    fn solve(&self, choice: &Choice, budget: &mut Budget) -> Outcome<Box<dyn Reply>> {
        TypedRunner::<P>::new(choice)
            .map_or_else(Outcome::Unsupported, |mut runner| runner.solve(self, budget))
    }

    fn formula(&self, choice: &Choice, sink: &mut dyn Sink) -> Result<(), String> {
        self.0.formula(choice, sink)
    }

    fn objective(&self, choice: &Choice, sink: &mut dyn SoftSink) -> Option<Result<(), String>> {
        let Typed { rules, instance, .. } = &*self.0;
        P::objective(rules, choice).map(|write| write(rules, instance, choice, sink))
    }

    fn questions(&self, choice: &Choice, sink: &mut dyn Sink) -> Option<Result<Vec<Vec<Lit>>, String>> {
        let Typed { rules, instance, .. } = &*self.0;
        P::questions(rules, choice).map(|write| write(rules, instance, choice, sink))
    }

    fn scene(&self, choice: &Choice, sink: &mut dyn Sink) -> Option<Result<Scene, String>> {
        let Typed { rules, instance, .. } = &*self.0;
        P::LESSON.map(|lesson| (lesson.scene)(rules, instance, choice, sink))
    }

    fn searched(&self) -> Option<Box<dyn Case>> {
        let settings = P::searched(&self.0.settings)?;
        let (rules, instance) = (P::rules(&settings).ok()?, self.0.instance.clone());
        Some(Box::new(TypedCase::<P>(Arc::new(Typed { settings, rules, instance }))))
    }

    fn satisfiable(&self, engine: &Choice, reply: &dyn Reply) -> Option<bool> {
        let reply = reply.as_any().downcast_ref::<TypedReply<P>>()?;
        P::satisfiable(&self.0.rules, engine, &reply.answer)
    }

    fn read_model(
        &self,
        choice: &Choice,
        sink: &mut dyn Sink,
        (value, said): (&dyn Fn(Lit) -> bool, Said),
        budget: &mut Budget,
    ) -> Result<Shown, String> {
        let Typed { rules, instance, .. } = &*self.0;
        P::read_model(rules, instance, Assignment { choice, sink, value, said }, budget)
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
