//! Problems without their types: what cli and everything behind it hold in their hands.
//!
//! A [`DynProblem`] is a problem, a [`DynInstance`] one instance with its rules, a [`DynAnswer`] one answer to
//! it. Boxes are made once an instance; `judge` stays inside the problem's own types throughout.

mod stress;
mod typed;

pub use stress::{EncodingInfo, MutantInfo, TrialInfo, Trials};
pub use typed::Erased;

use crate::claim::Claim;
use crate::engine::{Budget, EngineInfo, Limit, Outcome};
use crate::input::{InputError, Source, Warnings};
use crate::problem::{Account, Agreement, Opponent, Said, Scene, Shown, Tour};
use crate::proof::{Obligation, Proof};
use crate::rules::{Rule, Settings};
use crate::spec::EngineSpec;
use crate::study::{Halt, Position, Report, Row};
use counterpoint_encodings::{Lit, Sink, SoftSink};
use serde_json::{Map, Value};
use std::any::Any;
use std::io::{self, Write};

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

/// The cases of a text as they are read.
pub type DynInstances<'a> = Box<dyn Iterator<Item = Result<Box<dyn DynInstance>, InputError>> + 'a>;

/// Why judging stopped before the end of the input. What was written before stands.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// The input or the rules are wrong.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The rules do not go together.
    #[error("{0}")]
    Rules(String),
    /// The engine does not serve an instance.
    #[error("game {game}: {engine} does not serve it: {reason}")]
    Unsupported {
        /// From 1.
        game: usize,
        /// The engine's id.
        engine: String,
        /// Why not.
        reason: String,
    },
    /// A limit was met.
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

/// What a judge run reads and is bounded by.
pub struct JudgeJob<'a> {
    /// Rules.
    pub settings: &'a Settings,
    /// Engine.
    pub engine: &'a EngineSpec,
    /// Input.
    pub source: Source<'a>,
    /// A fresh budget for each game.
    pub budget: &'a dyn Fn() -> Budget,
    /// Gets warnings and remarks, each before the answer that it concerns.
    pub warn: &'a dyn Fn(&str),
    /// Is told when an engine begins and ends.
    pub running: &'a dyn Fn(Phase),
}

/// Whether an engine is at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It is, and asks its budget whether to go on.
    Engine,
    /// Text is read or written.
    Between,
}

/// A problem.
pub trait DynProblem: Send + Sync {
    /// Its name.
    fn name(&self) -> &'static str;
    /// One line about it.
    fn about(&self) -> &'static str;
    /// Judge input that serves as an example.
    fn sample(&self) -> &'static str;
    /// Generated instances for the tour.
    fn tour(&self) -> &'static [Tour];
    /// What ends an input; every [`DynInstance::text`] ends with it.
    fn end(&self) -> &'static str;
    /// What stands between two instances of an input.
    fn between(&self) -> &'static str;
    /// Its rules.
    fn rules(&self) -> &'static [Rule];
    /// Its engines, the default of each side first.
    fn engines(&self) -> Vec<EngineInfo>;
    /// Its families of instances.
    fn families(&self) -> Vec<Listed>;
    /// The engine whose formula reads best in a lesson; `None` where no lessons are drawn.
    fn lesson(&self) -> Option<&'static str>;
    /// Its questions beyond the judge's.
    fn studies(&self) -> Vec<Listed>;
    /// Whether a question is about a position; none is about one that there is not.
    fn position(&self, question: &str) -> Position;
    /// An engine, started.
    ///
    /// # Errors
    /// A choice of an engine that the problem does not have.
    fn start(&self, engine: &EngineSpec) -> Result<Box<dyn DynSession>, String>;
    /// The cases of a text.
    ///
    /// # Errors
    /// Rules that do not go together.
    fn open<'a>(
        &self,
        settings: &Settings,
        source: Source<'a>,
        warnings: &'a Warnings,
    ) -> Result<DynInstances<'a>, String>;
    /// Judge bytes in, judge bytes out.
    ///
    /// # Errors
    /// Whatever ends the run before the end of the input.
    fn judge(&self, job: JudgeJob<'_>, out: &mut dyn Write) -> Result<(), JudgeError>;
    /// A seeded instance of a family.
    ///
    /// # Errors
    /// An unknown family or parameter, or one that has no such instance.
    fn generate(
        &self,
        settings: &Settings,
        family: &str,
        params: &[(String, String)],
        seed: u64,
    ) -> Result<Box<dyn DynInstance>, String>;
    /// Answers a question of [`DynProblem::studies`], row by row.
    ///
    /// # Errors
    /// An unknown question or parameter, one that has no answer here, or a limit.
    fn study(
        &self,
        settings: &Settings,
        question: &str,
        params: &[(String, String)],
        position: Option<&dyn DynInstance>,
        budget: &mut Budget,
        report: &mut dyn Report,
    ) -> Result<(), Halt>;
    /// What the rows of a question about several positions say together, if anything.
    fn sum_up(&self, question: &str, rows: &[Row], report: &mut dyn Report);
    /// The parameters of a game against a player of ours, with their defaults; `None` where there is no such game.
    fn game(&self) -> Option<Vec<(&'static str, f64)>>;
    /// Starts a game against a player of ours.
    ///
    /// # Errors
    /// There is no such game, or why these rules and parameters have none.
    fn play(&self, settings: &Settings, params: &[(String, String)]) -> Result<Box<dyn Opponent>, String>;
    /// What it brings for stress tests of foreign programs; `None` where that is nothing.
    fn stress(&self) -> Option<Box<dyn Trials>>;
    /// Every claim of a study's certificate with its status.
    ///
    /// # Errors
    /// No certificates are known of this question, or what is missing or of the wrong shape.
    fn check_study(
        &self,
        certificate: &Map<String, Value>,
        budget: &mut Budget,
    ) -> Result<Vec<Claim>, String>;
    /// An answer with its instance from the JSON that [`DynAnswer::to_json`] wrote.
    ///
    /// # Errors
    /// What is missing, of the wrong shape, or does not fit the hash.
    fn restore(&self, json: &Map<String, Value>) -> Result<Box<dyn DynAnswer>, String>;
    /// The case that [`DynInstance::rules`] and [`DynInstance::text`] tell.
    ///
    /// # Errors
    /// What is wrong with them.
    fn instance(&self, rules: &Value, instance: &str) -> Result<Box<dyn DynInstance>, String>;
}

/// One instance with its rules.
pub trait DynInstance: Send + Sync {
    /// The instance as an input of its own.
    fn text(&self) -> String;
    /// SHA-256 of problem and instance, in hexadecimal.
    fn hash(&self) -> String;
    /// Whether an engine serves it; if not, why.
    ///
    /// # Errors
    /// The reason.
    fn supports(&self, engine: &EngineSpec) -> Result<(), String>;
    /// Starts an engine for this case alone; [`DynSession`] serves many.
    fn solve(&self, engine: &EngineSpec, budget: &mut Budget) -> Outcome<Box<dyn DynAnswer>>;
    /// Writes the formula of a model.
    ///
    /// # Errors
    /// Why there is no single formula.
    fn formula(&self, engine: &EngineSpec, sink: &mut dyn Sink) -> Result<(), String>;
    /// The same with what is to be made least as soft clauses; `None` where nothing is.
    fn objective(&self, engine: &EngineSpec, sink: &mut dyn SoftSink) -> Option<Result<(), String>>;
    /// A formula with the literals to assume for each of several questions; `None` where there is one.
    fn questions(&self, engine: &EngineSpec, sink: &mut dyn Sink) -> Option<Result<Vec<Vec<Lit>>, String>>;
    /// Writes the formula of a model, and says what its literals are about; `None` where no lessons are drawn.
    fn scene(&self, engine: &EngineSpec, sink: &mut dyn Sink) -> Option<Result<Scene, String>>;
    /// The case that searches answer where the rules of this one are for formulas alone.
    fn searched(&self) -> Option<Box<dyn DynInstance>>;
    /// Whether a SAT engine's formula has a model, if an answer tells, to this case or to that of
    /// [`DynInstance::searched`].
    fn satisfiable(&self, engine: &EngineSpec, answer: &dyn DynAnswer) -> Option<bool>;
    /// What a model shows of the formula that the sink takes once more, given with what is said of it.
    ///
    /// # Errors
    /// Why nothing is read from it.
    fn read_model(
        &self,
        engine: &EngineSpec,
        sink: &mut dyn Sink,
        model: (&dyn Fn(Lit) -> bool, Said),
        budget: &mut Budget,
    ) -> Result<Shown, String>;
    /// The problem's name.
    fn problem(&self) -> &'static str;
    /// The rules that belong to the question.
    fn rules(&self) -> Value;
    /// For [`DynSession::solve`].
    fn as_any(&self) -> &dyn Any;
}

/// An engine that keeps what it made, such as tables, from one case to the next.
pub trait DynSession {
    /// Solves a case of the engine's own problem; it does not serve others.
    fn solve(&mut self, case: &dyn DynInstance, budget: &mut Budget) -> Outcome<Box<dyn DynAnswer>>;
}

/// An answer to a case.
pub trait DynAnswer: Send + Sync {
    /// The outcome in a word or two.
    fn outcome(&self) -> String;
    /// How large the instance is; empty where the problem does not say.
    fn size(&self) -> String;
    /// The rules that are not the judge's, with their values.
    fn changed_rules(&self) -> Vec<(&'static str, &str)>;
    /// The judge's bytes for game number `index` from 1.
    fn judge_text(&self, index: usize) -> Vec<u8>;
    /// Something to say beside the judge's bytes.
    fn remark(&self) -> Option<String>;
    /// The answer with rules, instance and hash; complete in itself.
    fn to_json(&self, engine: &str, claims: &[Claim]) -> Value;
    /// Every claim with its status.
    fn check(&self, proofs: &[Proof], budget: &mut Budget) -> Vec<Claim>;
    /// Plain formulas to be proved.
    fn obligations(&self) -> Vec<Obligation<'_>>;
    /// Writes the formula of a model that an obligation, by its number, says has no model, beside what the
    /// obligation asks.
    ///
    /// # Errors
    /// Why there is no single formula.
    fn model(&self, engine: &EngineSpec, obligation: usize, sink: &mut dyn Sink) -> Result<(), String>;
    /// In a person's words and as boards. Reasons that take searching are told as far as the budget goes.
    fn account(&self, budget: &mut Budget) -> Account;
    /// The instance as an input of its own.
    fn instance_text(&self) -> String;
    /// Whether both can be right. Answers of different problems contradict each other.
    fn agree(&self, other: &dyn DynAnswer) -> Agreement;
    /// For [`DynAnswer::agree`].
    fn as_any(&self) -> &dyn Any;
}
