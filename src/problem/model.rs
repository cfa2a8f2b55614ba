//! What a problem may offer besides its base question's clauses: an objective, several questions, and what
//! somebody's model shows.

use super::Problem;
use crate::claim::Claim;
use crate::engine::Budget;
use crate::spec::EngineSpec;
use counterpoint_encodings::{Lit, Sink, SoftSink};

/// As [`WriteFormula`](super::WriteFormula), with soft clauses for what is to be made least.
pub type WriteObjective<P> = fn(
    &<P as Problem>::Rules,
    &<P as Problem>::Instance,
    &EngineSpec,
    &mut dyn SoftSink,
) -> Result<(), String>;

/// As [`WriteFormula`](super::WriteFormula); a list of literals to assume comes back for each question.
pub type WriteQuestions<P> = fn(
    &<P as Problem>::Rules,
    &<P as Problem>::Instance,
    &EngineSpec,
    &mut dyn Sink,
) -> Result<Vec<Vec<Lit>>, String>;

/// What a solver says of its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// That it is one.
    Model,
    /// That it is one, and that none costs less.
    Optimum,
    /// That it is one of the formula with several questions, under the assumptions of one of them.
    Answer,
}

/// A model of an engine's formula.
pub struct Assignment<'a> {
    /// The engine.
    pub spec: &'a EngineSpec,
    /// Takes the formula once more, and numbers its variables as the model does.
    pub sink: &'a mut dyn Sink,
    /// The value of each literal.
    pub value: &'a dyn Fn(Lit) -> bool,
    /// What is said of it.
    pub said: Said,
}

/// What somebody's model shows.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The outcome in a word or two.
    pub outcome: String,
    /// The same as a person would tell it.
    pub text: String,
    /// Every claim of it with its status.
    pub claims: Vec<Claim>,
}

impl Shown {
    /// A whole answer, checked as any other.
    pub fn answer<P: Problem>(
        rules: &P::Rules,
        instance: &P::Instance,
        answer: &P::Answer,
        budget: &mut Budget,
    ) -> Shown {
        Shown {
            outcome: P::outcome(answer),
            text: P::account(rules, instance, answer, &mut Budget::of_work(0)).words,
            claims: P::check(rules, instance, answer, &[], budget),
        }
    }
}
