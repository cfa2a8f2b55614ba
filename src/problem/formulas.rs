//! The capability "formulas": what a problem offers around the CNF of its SAT engines.
//!
//! An engine's base question is in [`Engine::formula`](super::Engine::formula). Everything else stands here, and each
//! part is optional: [`Formulas::NONE`] has none of them.

use super::Problem;
use crate::claim::Claim;
use crate::engine::Budget;
use crate::errors::Unsupported;
use crate::proof::Obligation;
use crate::rules::Settings;
use crate::spec::EngineSpec;
use counterpoint_encodings::{Lit, Sink, SoftSink};

/// What a problem offers around its formulas.
///
/// | field | the command line gains |
/// |---|---|
/// | `obligations` | `solve --certify`: claims closed by a checked proof |
/// | `obligation_formula` | proofs that start from an engine's formula where its base question is another one |
/// | `read_model` | `check --model`: a model from any solver, read back as an answer |
/// | `satisfiable` | the expected verdict in `generate --formulas`, `check --model` and lessons |
/// | `objective` | `encode --format wcnf` and `opb` |
/// | `questions` | `encode --format icnf`: several questions under assumptions |
/// | `search_settings` | searches beside formulas under rules that only formulas have |
pub struct Formulas<P: Problem> {
    /// The checker's plain formulas; a proof that one of them is unsatisfiable closes a claim.
    pub obligations: Option<ListObligations<P>>,
    /// An engine's formula that an obligation says is unsatisfiable.
    pub obligation_formula: Option<WriteObligationFormula<P>>,
    /// What a model of an engine's formula shows.
    pub read_model: Option<ReadModel<P>>,
    /// Whether an engine's formula is satisfiable, by an answer.
    pub satisfiable: Option<IsSatisfiable<P>>,
    /// An engine's formula with its objective as soft clauses; `None` if these rules have no objective.
    pub objective: Option<ObjectiveOf<P>>,
    /// One formula for several questions; `None` if these rules ask only the base question.
    pub questions: Option<QuestionsOf<P>>,
    /// The settings under which a search answers the question of a formula; `None` if searches use the same settings.
    pub search_settings: Option<fn(&Settings) -> Option<Settings>>,
}

impl<P: Problem> Formulas<P> {
    /// None of these.
    pub const NONE: Self = Formulas {
        obligations: None,
        obligation_formula: None,
        read_model: None,
        satisfiable: None,
        objective: None,
        questions: None,
        search_settings: None,
    };
}

/// Lists the checker's plain formulas whose proofs would close claims that need one.
pub type ListObligations<P> = for<'a> fn(
    &'a <P as Problem>::Rules,
    &'a <P as Problem>::Instance,
    &'a <P as Problem>::Answer,
) -> Vec<Obligation<'a>>;

/// Writes the formula of an engine that the obligation with that index, from 0, says is unsatisfiable. `None` if that
/// is the engine's base question.
pub type WriteObligationFormula<P> = fn(
    &<P as Problem>::Rules,
    &<P as Problem>::Instance,
    &<P as Problem>::Answer,
    &EngineSpec,
    usize,
    &mut dyn Sink,
) -> Option<Result<(), Unsupported>>;

/// Reads a model of an engine's formula, wherever the model comes from.
///
/// # Errors
/// Why this engine's models cannot be read.
pub type ReadModel<P> = fn(
    &<P as Problem>::Rules,
    &<P as Problem>::Instance,
    Assignment<'_>,
    &mut Budget,
) -> Result<DecodedModel, Unsupported>;

/// Whether an engine's formula has a model, if the answer decides that. The answer was given under the same rules, or
/// under those of [`Formulas::search_settings`].
pub type IsSatisfiable<P> = fn(&<P as Problem>::Rules, &EngineSpec, &<P as Problem>::Answer) -> Option<bool>;

/// The writer of the objective under these rules and for this engine, if there is one.
pub type ObjectiveOf<P> = fn(&<P as Problem>::Rules, &EngineSpec) -> Option<WriteObjective<P>>;

/// The writer of several questions under these rules and for this engine, if there are several.
pub type QuestionsOf<P> = fn(&<P as Problem>::Rules, &EngineSpec) -> Option<WriteQuestions<P>>;

/// As [`WriteFormula`](super::WriteFormula), with the objective as soft clauses.
pub type WriteObjective<P> = fn(
    &<P as Problem>::Rules,
    &<P as Problem>::Instance,
    &EngineSpec,
    &mut dyn SoftSink,
) -> Result<(), Unsupported>;

/// As [`WriteFormula`](super::WriteFormula); returns the literals to assume for each question.
pub type WriteQuestions<P> = fn(
    &<P as Problem>::Rules,
    &<P as Problem>::Instance,
    &EngineSpec,
    &mut dyn Sink,
) -> Result<Vec<Vec<Lit>>, Unsupported>;

/// What a solver says about its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelKind {
    /// It satisfies the formula.
    Plain,
    /// It satisfies the formula, and no model costs less.
    Optimum,
    /// It satisfies the formula for several questions, under the assumptions of one of them.
    UnderAssumptions,
}

/// A model of an engine's formula.
pub struct Assignment<'a> {
    /// The engine.
    pub spec: &'a EngineSpec,
    /// Takes the formula once more, and numbers its variables as the model does.
    pub sink: &'a mut dyn Sink,
    /// The value of each literal.
    pub value: &'a dyn Fn(Lit) -> bool,
    /// What the solver says about it.
    pub kind: ModelKind,
}

/// What a model shows.
#[derive(Clone, Debug)]
pub struct DecodedModel {
    /// The outcome in a word or two.
    pub outcome: String,
    /// The same in sentences.
    pub text: String,
    /// Every claim of it with its status.
    pub claims: Vec<Claim>,
}

impl DecodedModel {
    /// A complete answer, checked like any other.
    pub fn answer<P: Problem>(
        rules: &P::Rules,
        instance: &P::Instance,
        answer: &P::Answer,
        budget: &mut Budget,
    ) -> DecodedModel {
        DecodedModel {
            outcome: P::outcome(answer),
            text: super::explain::<P>(rules, instance, answer, &mut Budget::of_work(0)).text,
            claims: P::check(rules, instance, answer, &[], budget),
        }
    }
}
