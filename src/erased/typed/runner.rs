//! A running engine as a [`Runner`].

use super::{TypedCase, TypedReply, engine};
use crate::choice::Choice;
use crate::engine::{Budget, Outcome};
use crate::erased::{Case, Reply, Runner};
use crate::problem::{Engine, Problem, Session};
use std::sync::Arc;

pub(super) struct TypedRunner<P: Problem> {
    engine: &'static Engine<P>,
    choice: Choice,
    session: Session<P>,
}

impl<P: Problem> TypedRunner<P> {
    pub(super) fn new(choice: &Choice) -> Result<Self, String> {
        let engine = engine::<P>(choice)?;
        Ok(TypedRunner { engine, choice: choice.clone(), session: (engine.start)() })
    }
}

impl<P: Problem> Runner for TypedRunner<P> {
    fn solve(&mut self, case: &dyn Case, budget: &mut Budget) -> Outcome<Box<dyn Reply>> {
        let Some(TypedCase(case)) = case.as_any().downcast_ref::<TypedCase<P>>() else {
            return Outcome::Unsupported(format!("it is no case of {}", P::NAME));
        };
        if let Err(reason) = (self.engine.supports)(&case.rules, &case.instance, &self.choice) {
            return Outcome::Unsupported(reason);
        }
        let reply = |answer| Box::new(TypedReply::<P> { case: Arc::clone(case), answer }) as Box<dyn Reply>;
        match (self.session)(&case.rules, &case.instance, &self.choice, budget) {
            Outcome::Decided(answer) => Outcome::Decided(reply(answer)),
            Outcome::GaveUp(limit, best) => Outcome::GaveUp(limit, best.map(reply)),
            Outcome::Unsupported(reason) => Outcome::Unsupported(reason),
            Outcome::Failed(reason) => Outcome::Failed(reason),
        }
    }
}
