//! Problems as trait objects: the command line, experiments and stress tests know problems only in this form.
//!
//! A [`DynProblem`] is a problem, a [`DynInstance`] an instance with its rules, a [`DynSession`] a running engine, a
//! [`DynAnswer`] an answer with its instance. Each instance and answer is boxed once. `judge` works with the problem's
//! own types throughout, so it boxes nothing.

mod stress;
mod typed;

pub use stress::{EncodingInfo, MutantInfo, TrialInfo, Trials};
pub use typed::Erased;

use crate::claim::Claim;
use crate::engine::{Budget, EngineInfo, Limit, Outcome};
use crate::errors::{FormatError, GenerateError, RulesError, UnknownName, Unsupported};
use crate::input::{InputError, Source, Warnings};
use crate::problem::{Agreement, Assignment, DecodedModel, Explanation, Opponent, Scene, Separators, Tour};
use crate::proof::{Obligation, Proof};
use crate::rules::{Rule, Settings};
use crate::spec::EngineSpec;
use crate::study::{PositionInput, Row, StudyError, StudyOutput};
use counterpoint_encodings::{Lit, Sink, SoftSink};
use serde_json::{Map, Value};
use std::any::Any;
use std::io::{self, Write};
use std::sync::Arc;

/// Version of the answer format.
pub const ANSWER_VERSION: u64 = 1;

/// Name, description and parameters of something that can be listed.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its name.
    pub name: &'static str,
    /// One line.
    pub about: &'static str,
    /// Keys with their defaults.
    pub params: Vec<(&'static str, f64)>,
}

/// The instances of a text, as they are read.
pub type DynInstances<'a> = Box<dyn Iterator<Item = Result<Box<dyn DynInstance>, InputError>> + 'a>;

/// Why judging stopped before the end of the input. Everything written before remains valid.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// The input or the rules are wrong.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The rules contradict each other.
    #[error("{0}")]
    Rules(String),
    /// The engine does not support an instance.
    #[error("game {game}: {engine} does not support it: {reason}")]
    Unsupported {
        /// From 1.
        game: usize,
        /// The engine's id.
        engine: String,
        /// Why not.
        reason: String,
    },
    /// A limit was reached.
    #[error("game {game}: {limit}")]
    Limit {
        /// From 1.
        game: usize,
        /// Which.
        limit: Limit,
    },
    /// What the engine relies on failed.
    #[error("game {game}: {reason}")]
    Failed {
        /// From 1.
        game: usize,
        /// What went wrong.
        reason: String,
    },
    /// The output cannot be written.
    #[error("cannot write: {0}")]
    Output(#[from] io::Error),
}

/// A judge run: its input, engine and limits.
pub struct JudgeJob<'a> {
    /// Rules.
    pub settings: &'a Settings,
    /// Engine.
    pub engine: &'a EngineSpec,
    /// Input.
    pub source: Source<'a>,
    /// A fresh budget for each game.
    pub budget: &'a dyn Fn() -> Budget,
    /// Receives warnings and remarks, each before the answer that it concerns.
    pub warn: &'a dyn Fn(&str),
    /// Called when an engine begins and ends.
    pub running: &'a dyn Fn(Phase),
}

/// What a judge run is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// An engine works, and polls its budget.
    Engine,
    /// Text is read or written.
    Between,
}

/// The message about a capability that a problem lacks: what is missing, and the constant of
/// [`Problem`](crate::problem::Problem) that provides it.
pub fn unsupported(problem: &str, capability: &str, constant: &str) -> String {
    format!("{problem} does not support {capability}; to support it, implement `Problem::{constant}`")
}

/// What is known about a problem without solving anything.
pub struct ProblemInfo {
    /// Its name on the command line.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// Judge input that serves as an example.
    pub sample: &'static str,
    /// What separates and ends the games of an input; every [`DynInstance::text`] ends with the end mark.
    pub separators: Separators,
    /// Its rules.
    pub rules: &'static [Rule],
    /// Its engines, the default of each side first.
    pub engines: Vec<EngineInfo>,
    /// Its families of instances.
    pub families: Vec<Listed>,
    /// Generated instances for the tour.
    pub tour: &'static [Tour],
    /// Its questions beyond the judge's.
    pub studies: Vec<Listed>,
    /// The engine whose formula reads best in a lesson; `None` without lessons.
    pub lesson: Option<&'static str>,
    /// The parameters of a game against an engine, with their defaults; `None` without such a game.
    pub play: Option<Vec<(&'static str, f64)>>,
    /// What it brings for stress tests.
    pub stress: Option<Arc<dyn Trials>>,
}

/// A problem.
pub trait DynProblem: Send + Sync {
    /// What is known about it.
    fn info(&self) -> &ProblemInfo;
    /// Whether a question is about a position; [`PositionInput::None`] for unknown questions.
    fn position(&self, question: &str) -> PositionInput;
    /// Starts an engine.
    ///
    /// # Errors
    /// The problem has no such engine.
    fn start(&self, engine: &EngineSpec) -> Result<Box<dyn DynSession>, UnknownName>;
    /// The instances of a text.
    ///
    /// # Errors
    /// Rules that contradict each other.
    fn open<'a>(
        &self,
        settings: &Settings,
        source: Source<'a>,
        warnings: &'a Warnings,
    ) -> Result<DynInstances<'a>, RulesError>;
    /// Judge bytes in, judge bytes out.
    ///
    /// # Errors
    /// Whatever ends the run before the end of the input.
    fn judge(&self, job: JudgeJob<'_>, out: &mut dyn Write) -> Result<(), JudgeError>;
    /// A seeded instance of a family.
    ///
    /// # Errors
    /// An unknown family or parameter, or parameters for which there is no instance.
    fn generate(
        &self,
        settings: &Settings,
        family: &str,
        params: &[(String, String)],
        seed: u64,
    ) -> Result<Box<dyn DynInstance>, GenerateError>;
    /// Answers a question of [`ProblemInfo::studies`], row by row.
    ///
    /// # Errors
    /// An unknown question or parameter, parameters that have no answer, or a limit.
    fn study(
        &self,
        settings: &Settings,
        question: &str,
        params: &[(String, String)],
        position: Option<&dyn DynInstance>,
        budget: &mut Budget,
        report: &mut dyn StudyOutput,
    ) -> Result<(), StudyError>;
    /// Reports what the rows of a question about several positions say together, if anything.
    fn sum_up(&self, question: &str, rows: &[Row], report: &mut dyn StudyOutput);
    /// Every claim of a study's certificate with its status.
    ///
    /// # Errors
    /// The question writes no certificates, or what is missing or has the wrong shape.
    fn check_study(
        &self,
        certificate: &Map<String, Value>,
        budget: &mut Budget,
    ) -> Result<Vec<Claim>, FormatError>;
    /// Starts a game against an engine.
    ///
    /// # Errors
    /// There is no such game, or why these rules and parameters have none.
    fn play(
        &self,
        settings: &Settings,
        params: &[(String, String)],
    ) -> Result<Box<dyn Opponent>, Unsupported>;
    /// An answer with its instance from the JSON that [`DynAnswer::to_json`] wrote.
    ///
    /// # Errors
    /// What is missing, has the wrong shape, or does not match the hash.
    fn restore(&self, json: &Map<String, Value>) -> Result<Box<dyn DynAnswer>, FormatError>;
    /// The instance with these [`DynInstance::rules`] and this [`DynInstance::text`].
    ///
    /// # Errors
    /// What is wrong with them.
    fn instance(&self, rules: &Value, text: &str) -> Result<Box<dyn DynInstance>, FormatError>;
}

impl dyn DynProblem + '_ {
    /// Its name on the command line.
    pub fn name(&self) -> &'static str {
        self.info().name
    }

    /// Its rules.
    pub fn rules(&self) -> &'static [Rule] {
        self.info().rules
    }

    /// Its engines, the default of each side first.
    pub fn engines(&self) -> &[EngineInfo] {
        &self.info().engines
    }
}

/// An instance with its rules.
pub trait DynInstance: Send + Sync {
    /// The instance as a complete input.
    fn text(&self) -> String;
    /// SHA-256 of problem and instance, in hexadecimal.
    fn hash(&self) -> String;
    /// Whether an engine supports it.
    ///
    /// # Errors
    /// Why it does not.
    fn supports(&self, engine: &EngineSpec) -> Result<(), Unsupported>;
    /// Starts an engine for this instance alone; a [`DynSession`] solves many.
    fn solve(&self, engine: &EngineSpec, budget: &mut Budget) -> Outcome<Box<dyn DynAnswer>>;
    /// Writes the formula of an engine.
    ///
    /// # Errors
    /// Why there is no single formula.
    fn formula(&self, engine: &EngineSpec, sink: &mut dyn Sink) -> Result<(), Unsupported>;
    /// The same with the objective as soft clauses; `None` without an objective.
    fn objective(&self, engine: &EngineSpec, sink: &mut dyn SoftSink) -> Option<Result<(), Unsupported>>;
    /// A formula with the literals to assume for each of several questions; `None` if there is one question.
    fn questions(
        &self,
        engine: &EngineSpec,
        sink: &mut dyn Sink,
    ) -> Option<Result<Vec<Vec<Lit>>, Unsupported>>;
    /// Writes the formula of an engine and says what its literals are about; `None` without lessons.
    fn scene(&self, engine: &EngineSpec, sink: &mut dyn Sink) -> Option<Result<Scene, Unsupported>>;
    /// The instance that searches answer in place of this one, if its rules are for formulas only.
    fn for_search(&self) -> Option<Box<dyn DynInstance>>;
    /// Whether a SAT engine's formula is satisfiable, if an answer to this instance, or to that of
    /// [`DynInstance::for_search`], decides that.
    fn satisfiable(&self, engine: &EngineSpec, answer: &dyn DynAnswer) -> Option<bool>;
    /// What a model of an engine's formula shows.
    ///
    /// # Errors
    /// Why this engine's models cannot be read.
    fn read_model(&self, model: Assignment<'_>, budget: &mut Budget) -> Result<DecodedModel, Unsupported>;
    /// The problem's name.
    fn problem(&self) -> &'static str;
    /// The rules that belong to the question.
    fn rules(&self) -> Value;
    /// For [`DynSession::solve`].
    fn as_any(&self) -> &dyn Any;
}

/// A running engine, which may keep tables from one instance to the next.
pub trait DynSession {
    /// Solves an instance of the engine's own problem; all others are unsupported.
    fn solve(&mut self, instance: &dyn DynInstance, budget: &mut Budget) -> Outcome<Box<dyn DynAnswer>>;
}

/// An answer with its instance.
pub trait DynAnswer: Send + Sync {
    /// The outcome in a word or two.
    fn outcome(&self) -> String;
    /// The size of the instance; may be empty.
    fn size(&self) -> String;
    /// The rules that are not the judge's, with their values.
    fn changed_rules(&self) -> Vec<(&'static str, &str)>;
    /// The judge's bytes for game number `index` from 1.
    fn judge_text(&self, index: usize) -> Vec<u8>;
    /// Something to say beside the judge's bytes.
    fn remark(&self) -> Option<String>;
    /// The answer with rules, instance and hash, so that it is self-contained.
    fn to_json(&self, engine: &str, claims: &[Claim]) -> Value;
    /// Every claim with its status.
    fn check(&self, proofs: &[Proof], budget: &mut Budget) -> Vec<Claim>;
    /// Plain formulas to be proved.
    fn obligations(&self) -> Vec<Obligation<'_>>;
    /// Writes the engine's formula that the obligation with this index, from 0, says is unsatisfiable.
    ///
    /// # Errors
    /// Why there is no single formula.
    fn obligation_formula(
        &self,
        engine: &EngineSpec,
        obligation: usize,
        sink: &mut dyn Sink,
    ) -> Result<(), Unsupported>;
    /// An explanation in sentences and pictures, as far as the budget allows.
    fn explain(&self, budget: &mut Budget) -> Explanation;
    /// The instance as a complete input.
    fn instance_text(&self) -> String;
    /// Whether both answers can be right. Answers to different problems contradict each other.
    fn agree(&self, other: &dyn DynAnswer) -> Agreement;
    /// For [`DynAnswer::agree`].
    fn as_any(&self) -> &dyn Any;
}
