//! The capability "formulas": what a problem can do with the formulas of its SAT engines besides writing them.
//!
//! [`Engine::formula`](super::Engine::formula) writes an engine's formula; the question that this formula states is the
//! engine's *base question*. Everything else is in [`Formulas`], whose fields are all optional: in [`Formulas::NONE`],
//! none is set.

use super::Problem;
use crate::claim::Claim;
use crate::engine::{Budget, Limit};
use crate::errors::Unsupported;
use crate::proof::Obligation;
use crate::rules::Settings;
use crate::spec::EngineSpec;
use counterpoint_encodings::{Lit, Sink, SoftSink};

/// What a problem can do with its formulas besides writing them.
///
/// | field | the command line gains |
/// |---|---|
/// | `obligations` | `solve --certify`: claims closed by a checked proof |
/// | `obligation_formula` | `solve --certify`: proofs from an engine's encoding, for claims that its base question does not state |
/// | `is_obligation` | `solve --certify`: the proof that the engine's own solver writes while it solves |
/// | `read_model` | `check --model`: a model from any solver, read back as an answer |
/// | `decides` | `cube`, and `cubes` in plans: an answer from one formula that is split into cases |
/// | `satisfiable` | the expected verdict in `generate --formulas`, `check --model` and lessons |
/// | `objective` | `encode --format wcnf`, and the line `min:` of `encode --format opb` |
/// | `questions` | several questions under assumptions in `encode --format icnf` |
/// | `search_settings` | expected verdicts for formulas under rules that searches do not support |
pub struct Formulas<P: Problem> {
    /// The checker's plain formulas; a proof that one of them is unsatisfiable closes a claim.
    pub obligations: Option<ListObligations<P>>,
    /// Writes the engine's formula that a solver refutes to prove an obligation.
    pub obligation_formula: Option<WriteObligationFormula<P>>,
    /// Whether an engine solves the formula of the only obligation itself.
    pub is_obligation: Option<IsObligation<P>>,
    /// Decodes a model of an engine's formula.
    pub read_model: Option<ReadModel<P>>,
    /// The answers that follow from an engine's formula alone.
    pub decides: Option<Decides<P>>,
    /// Whether an engine's formula is satisfiable, judging from an answer.
    pub satisfiable: Option<IsSatisfiable<P>>,
    /// Writes an engine's formula with its objective as soft clauses. The function returns `None` if there is no
    /// objective under these rules.
    pub objective: Option<ObjectiveOf<P>>,
    /// Writes one formula for several questions. The function returns `None` if there is only one question under these
    /// rules.
    pub questions: Option<QuestionsOf<P>>,
    /// The settings under which a search finds the answer that decides whether a formula is satisfiable. The function
    /// returns `None` if searches support the formula's own settings.
    pub search_settings: Option<fn(&Settings) -> Option<Settings>>,
}

impl<P: Problem> Formulas<P> {
    /// No field is set.
    pub const NONE: Self = Formulas {
        obligations: None,
        obligation_formula: None,
        is_obligation: None,
        read_model: None,
        decides: None,
        satisfiable: None,
        objective: None,
        questions: None,
        search_settings: None,
    };
}

/// The answers that follow from an engine's formula alone. Some formulas decide an instance only in one case, or not at
/// all; the errors say so.
pub struct Decides<P: Problem> {
    /// The answer if the formula has no model. This answer has one obligation, whose plain formula asks the
    /// same question as the formula.
    pub refuted: IfRefuted<P>,
    /// The answer that a model shows.
    pub model: OfModel<P>,
}

impl<P: Problem> Copy for Decides<P> {}

impl<P: Problem> Clone for Decides<P> {
    fn clone(&self) -> Self {
        *self
    }
}

/// The answer that is right if the engine's formula has no model.
///
/// # Errors
/// Why no answer follows from that.
pub type IfRefuted<P> = fn(
    &<P as Problem>::Rules,
    &<P as Problem>::Instance,
    &EngineSpec,
) -> Result<<P as Problem>::Answer, Unsupported>;

/// The answer that a model of the engine's formula shows.
///
/// # Errors
/// Why no answer follows from a model.
pub type OfModel<P> = fn(
    &<P as Problem>::Rules,
    &<P as Problem>::Instance,
    Assignment<'_>,
) -> Result<<P as Problem>::Answer, Unsupported>;

/// Lists the claims that need a proof, each with the checker's plain formula that the proof must refute. The list must
/// not depend on the budget.
///
/// # Errors
/// Returns the limit of the budget that was reached before the claims were known.
pub type ListObligations<P> = for<'a> fn(
    &'a <P as Problem>::Rules,
    &'a <P as Problem>::Instance,
    &'a <P as Problem>::Answer,
    &mut Budget,
) -> Result<Vec<Obligation<'a>>, Limit>;

/// Writes the engine's formula that a solver refutes to prove the obligation with this index, counted from 0.
/// Returns `None` if that is the formula that [`Engine::formula`](super::Engine::formula) writes. If this is
/// so for all obligations, leave [`Formulas::obligation_formula`] unset.
pub type WriteObligationFormula<P> = fn(
    &<P as Problem>::Rules,
    &<P as Problem>::Instance,
    &<P as Problem>::Answer,
    &EngineSpec,
    usize,
    &mut dyn Sink,
) -> Option<Result<(), Unsupported>>;

/// Whether an engine solves the instance by a single call of its solver, without assumptions, on a formula that has the
/// variables and clauses of the only obligation. Then the proof that the solver writes in this call proves the claim,
/// and takes precedence over all other ways to prove it. Without such a proof, the claim is proved as for any other
/// engine.
pub type IsObligation<P> = fn(&<P as Problem>::Rules, &<P as Problem>::Instance, &EngineSpec) -> bool;

/// Decodes a model of an engine's formula. The model may come from any solver.
///
/// # Errors
/// Returns why this engine's models cannot be read.
pub type ReadModel<P> = fn(
    &<P as Problem>::Rules,
    &<P as Problem>::Instance,
    Assignment<'_>,
    &mut Budget,
) -> Result<DecodedModel, Unsupported>;

/// Whether an engine's formula has a model; `None` if the answer does not decide that. The answer was given under the
/// same rules, or under those of [`Formulas::search_settings`].
pub type IsSatisfiable<P> = fn(&<P as Problem>::Rules, &EngineSpec, &<P as Problem>::Answer) -> Option<bool>;

/// The function that writes the objective, for these rules and this engine; `None` if there is no objective.
pub type ObjectiveOf<P> = fn(&<P as Problem>::Rules, &EngineSpec) -> Option<WriteObjective<P>>;

/// The function that writes several questions, for these rules and this engine; `None` if there is only one question.
pub type QuestionsOf<P> = fn(&<P as Problem>::Rules, &EngineSpec) -> Option<WriteQuestions<P>>;

/// Writes an instance's formula as [`WriteFormula`](super::WriteFormula) does, and its objective as soft clauses.
pub type WriteObjective<P> = fn(
    &<P as Problem>::Rules,
    &<P as Problem>::Instance,
    &EngineSpec,
    &mut dyn SoftSink,
) -> Result<(), Unsupported>;

/// Writes one formula for several questions, and returns the literals to assume for each question.
pub type WriteQuestions<P> = fn(
    &<P as Problem>::Rules,
    &<P as Problem>::Instance,
    &EngineSpec,
    &mut dyn Sink,
) -> Result<Vec<Vec<Lit>>, Unsupported>;

/// What a solver says about its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelKind {
    /// The model satisfies the formula.
    Plain,
    /// The model satisfies the formula, and no model costs less.
    Optimum,
    /// The model satisfies the formula for several questions, and the assumptions of one of them.
    UnderAssumptions,
}

/// A model of an engine's formula.
pub struct Assignment<'a> {
    /// The engine.
    pub spec: &'a EngineSpec,
    /// Receives the formula once more, so that its variables get the same numbers as in the model.
    pub sink: &'a mut dyn Sink,
    /// The value of each literal.
    pub value: &'a dyn Fn(Lit) -> bool,
    /// What the solver says about the model.
    pub kind: ModelKind,
}

/// What a model says about the board.
#[derive(Clone, Debug)]
pub struct DecodedModel {
    /// The outcome in a word or two.
    pub outcome: String,
    /// The statement that the model makes, in sentences.
    pub text: String,
    /// Every claim of that statement, with the claim's status.
    pub claims: Vec<Claim>,
}

impl DecodedModel {
    /// Decodes a model to a complete answer, which is checked like any other.
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
