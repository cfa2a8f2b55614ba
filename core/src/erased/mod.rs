//! Problems as trait objects: the command line, experiments and stress tests know problems only in this form.
//!
//! A [`DynProblem`] is a problem, a [`DynInstance`] an instance with its rules, a [`DynSession`] a running engine, a
//! [`DynAnswer`] an answer with its instance. Each instance and each answer is boxed once. Only `judge` boxes neither,
//! because it works with the problem's own types throughout.

mod judge;
mod stress;
mod typed;

pub use judge::{JudgeError, JudgeJob, Phase};
pub use stress::{EncodingInfo, MutantInfo, TrialInfo, Trials};
pub use typed::Erased;

use crate::board::Panel;
use crate::claim::Claim;
use crate::engine::{Budget, EngineInfo, Limit, Outcome, Prints};
use crate::errors::{FormatError, GenerateError, RulesError, UnknownName, Unsupported};
use crate::input::{InputError, OpenFile, Source, Warnings, no_files};
use crate::problem::{
    Agreement, Assignment, DecodedModel, Explanation, Opponent, Param, Scene, Separators, Touch, Tour,
};
use crate::proof::{Obligation, Proof};
use crate::rules::{Rule, Settings};
use crate::spec::EngineSpec;
use crate::study::{PositionInput, Row, StudyError, StudyOutput};
use counterpoint_encodings::{Lit, Sink, SoftSink};
use serde_json::{Map, Value};
use std::any::Any;
use std::io::Write;
use std::sync::Arc;

/// Version of the answer format.
pub const ANSWER_VERSION: u64 = 1;

/// Name, description and parameters of something that can be listed.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its name.
    pub name: &'static str,
    /// A description, one line long.
    pub about: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
}

/// The instances of a text, as they are read.
pub type DynInstances<'a> = Box<dyn Iterator<Item = Result<Box<dyn DynInstance>, InputError>> + 'a>;

/// The message about a capability that a problem lacks. It names the capability, and the constant of
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
    /// Its engines. The first search and the first SAT engine are the defaults.
    pub engines: Vec<EngineInfo>,
    /// The engine of `judge` and `solve` if the user names none.
    pub default_engine: &'static str,
    /// The exit statuses other than 0 with which a program for the judge may end.
    pub judge_statuses: &'static [u8],
    /// The rules on which the formula of an encoder does not depend.
    pub formula_ignores: &'static [&'static str],
    /// Whether an instance is a whole file, which answers and records name by path and hash.
    pub has_files: bool,
    /// Its families of instances.
    pub families: Vec<Listed>,
    /// Generated instances for the tour.
    pub tour: &'static [Tour],
    /// Its questions beyond the judge's.
    pub studies: Vec<Listed>,
    /// The engine whose formula is the easiest to read in a lesson; without lessons of the problem's own, the first SAT
    /// engine that writes a formula. `None` if there is none.
    pub lesson: Option<String>,
    /// What clicks and drags on a board change; `None` if boards are changed only as text.
    pub edit: Option<&'static str>,
    /// The parameters of an empty board to draw on; empty if boards are changed only as text.
    pub empty: &'static [Param],
    /// The parameters of a game against an engine; `None` without such a game.
    pub play: Option<&'static [Param]>,
    /// Its stress tests; `None` without them.
    pub stress: Option<Arc<dyn Trials>>,
    /// Whether one formula can decide an instance, so that the formula can be split into cubes.
    pub has_cubes: bool,
    /// The capability that the problem lacks to support declared engines that print this; `None` if it supports them.
    pub lacks: fn(Prints) -> Option<&'static str>,
}

/// A problem.
pub trait DynProblem: Send + Sync {
    /// What is known about it.
    fn info(&self) -> &ProblemInfo;
    /// Whether a question is about a position; [`PositionInput::None`] if the question is unknown.
    fn position(&self, question: &str) -> PositionInput;
    /// Starts an engine.
    ///
    /// # Errors
    /// Returns an error if the problem has no such engine.
    fn start(&self, engine: &EngineSpec) -> Result<Box<dyn DynSession>, UnknownName>;
    /// The instances of a text.
    ///
    /// # Errors
    /// Returns an error if the rules contradict each other.
    fn open<'a>(
        &self,
        settings: &Settings,
        source: Source<'a>,
        warnings: &'a Warnings,
    ) -> Result<DynInstances<'a>, RulesError>;
    /// Reads the judge's input, and writes what the judge expects for each game. Returns the exit status for the last
    /// answer; `None` if the problem defines no exit statuses or the input contains no game.
    ///
    /// # Errors
    /// Returns why the run ended before the end of the input.
    fn judge(&self, job: JudgeJob<'_>, out: &mut dyn Write) -> Result<Option<u8>, JudgeError>;
    /// A seeded instance of a family.
    ///
    /// # Errors
    /// Returns an error if the rules contradict each other, the family or a parameter is unknown, or there is no
    /// instance with these parameters.
    fn generate(
        &self,
        settings: &Settings,
        family: &str,
        params: &[(String, String)],
        seed: u64,
    ) -> Result<Box<dyn DynInstance>, GenerateError>;
    /// An empty board of the given size.
    ///
    /// # Errors
    /// Returns an error if boards are changed only as text, if the rules contradict each other, if a parameter is unknown
    /// or not allowed, or if the board is too large to draw.
    fn empty(
        &self,
        settings: &Settings,
        params: &[(String, String)],
    ) -> Result<Box<dyn DynInstance>, GenerateError>;
    /// Answers a question of [`ProblemInfo::studies`], row by row.
    ///
    /// # Errors
    /// Returns an error if the question or a parameter is unknown, a rule would be ignored, the position is missing or
    /// superfluous, the rules or parameters are not supported, or a limit was reached.
    fn study(
        &self,
        settings: &Settings,
        question: &str,
        params: &[(String, String)],
        position: Option<&dyn DynInstance>,
        budget: &mut Budget,
        report: &mut dyn StudyOutput,
    ) -> Result<(), StudyError>;
    /// Reports a summary of the rows of a question that was asked about several positions, if the problem provides one.
    fn sum_up(&self, question: &str, rows: &[Row], report: &mut dyn StudyOutput);
    /// Every claim of a study's certificate with its status.
    ///
    /// # Errors
    /// Returns an error if the question writes no certificates, or if the certificate is malformed.
    fn check_study(
        &self,
        certificate: &Map<String, Value>,
        budget: &mut Budget,
    ) -> Result<Vec<Claim>, FormatError>;
    /// Starts a game against an engine.
    ///
    /// # Errors
    /// Returns an error if the problem has no such game, or does not support these rules and parameters.
    fn play(
        &self,
        settings: &Settings,
        params: &[(String, String)],
    ) -> Result<Box<dyn Opponent>, Unsupported>;
    /// An answer with its instance from the JSON that [`DynAnswer::to_json`] wrote. If the instance is a file, the file
    /// is opened by `open`.
    ///
    /// # Errors
    /// Returns what is missing, has the wrong shape, or does not match the hash.
    fn restore_with(
        &self,
        json: &Map<String, Value>,
        open: &OpenFile<'_>,
    ) -> Result<Box<dyn DynAnswer>, FormatError>;
    /// The instance with these [`DynInstance::rules`] and this [`DynInstance::text`]. If the text names a file, the
    /// file is opened by `open`.
    ///
    /// # Errors
    /// Returns what is wrong with the rules or with the text, or that the file has another hash.
    fn instance_with(
        &self,
        rules: &Value,
        text: &str,
        open: &OpenFile<'_>,
    ) -> Result<Box<dyn DynInstance>, FormatError>;
}

impl dyn DynProblem + '_ {
    /// Its name on the command line.
    pub fn name(&self) -> &'static str {
        self.info().name
    }

    /// Like [`DynProblem::restore_with`], but an answer about a file is an error.
    ///
    /// # Errors
    /// Returns the errors of [`DynProblem::restore_with`].
    pub fn restore(&self, json: &Map<String, Value>) -> Result<Box<dyn DynAnswer>, FormatError> {
        self.restore_with(json, &no_files)
    }

    /// Like [`DynProblem::instance_with`], but an instance that is a file is an error.
    ///
    /// # Errors
    /// Returns the errors of [`DynProblem::instance_with`].
    pub fn instance(&self, rules: &Value, text: &str) -> Result<Box<dyn DynInstance>, FormatError> {
        self.instance_with(rules, text, &no_files)
    }

    /// Its rules.
    pub fn rules(&self) -> &'static [Rule] {
        self.info().rules
    }

    /// Its engines. The first search and the first SAT engine are the defaults.
    pub fn engines(&self) -> &[EngineInfo] {
        &self.info().engines
    }
}

/// An instance with its rules.
pub trait DynInstance: Send + Sync {
    /// The instance as a complete input.
    fn text(&self) -> String;
    /// SHA-256 in hexadecimal: of the file if the instance is a file, and otherwise of the problem's name and the
    /// instance's text.
    fn hash(&self) -> String;
    /// Whether an engine supports the instance.
    ///
    /// # Errors
    /// Returns why the engine does not support the instance.
    fn supports(&self, engine: &EngineSpec) -> Result<(), Unsupported>;
    /// Starts an engine for this instance alone. To solve many instances with one engine, use a [`DynSession`].
    fn solve(&self, engine: &EngineSpec, budget: &mut Budget) -> Outcome<Box<dyn DynAnswer>>;
    /// Writes the formula of an engine.
    ///
    /// # Errors
    /// Returns why there is no single formula.
    fn formula(&self, engine: &EngineSpec, sink: &mut dyn Sink) -> Result<(), Unsupported>;
    /// Writes the formula of an engine with the objective as soft clauses; `None` without an objective.
    fn objective(&self, engine: &EngineSpec, sink: &mut dyn SoftSink) -> Option<Result<(), Unsupported>>;
    /// Writes one formula for several questions, and returns the literals to assume for each question; `None` if the
    /// engine's formula states only one question.
    fn questions(
        &self,
        engine: &EngineSpec,
        sink: &mut dyn Sink,
    ) -> Option<Result<Vec<Vec<Lit>>, Unsupported>>;
    /// Writes the formula of an engine, and returns boards that show what its literals mean; `None` without lessons.
    fn scene(&self, engine: &EngineSpec, sink: &mut dyn Sink) -> Option<Result<Scene, Unsupported>>;
    /// The boards that are changed by clicks and drags; none without them, or if they are too large to show.
    fn edited_boards(&self) -> Vec<Panel>;
    /// The instance, as a complete input, after a click or a drag on one of [`edited_boards`](Self::edited_boards);
    /// `None` if there is no such board or no such square.
    fn touched(&self, touch: Touch) -> Option<String>;
    /// Whether the engine solves the formula of the instance's only obligation by a single call of its solver, whose
    /// proof is then the proof of the claim.
    fn is_obligation(&self, engine: &EngineSpec) -> bool;
    /// The instance that searches solve in place of this one, because they do not support its rules; `None` if searches
    /// support its rules.
    fn for_search(&self) -> Option<Box<dyn DynInstance>>;
    /// Whether a SAT engine's formula is satisfiable, judging from an answer; `None` if the answer does not decide
    /// that. The answer may be to this instance or to that of [`DynInstance::for_search`].
    fn satisfiable(&self, engine: &EngineSpec, answer: &dyn DynAnswer) -> Option<bool>;
    /// The answer that is right if an engine's formula has no model. This answer has a single obligation,
    /// whose plain formula is then unsatisfiable, too.
    ///
    /// # Errors
    /// Why no answer follows from that.
    fn if_refuted(&self, engine: &EngineSpec) -> Result<Box<dyn DynAnswer>, Unsupported>;
    /// The answer that a model of an engine's formula shows. It has not been checked.
    ///
    /// # Errors
    /// Why no answer follows from a model.
    fn of_model(&self, model: Assignment<'_>) -> Result<Box<dyn DynAnswer>, Unsupported>;
    /// What a model of an engine's formula says about the instance.
    ///
    /// # Errors
    /// Returns why this engine's models cannot be read.
    fn read_model(&self, model: Assignment<'_>, budget: &mut Budget) -> Result<DecodedModel, Unsupported>;
    /// The problem's name.
    fn problem(&self) -> &'static str;
    /// The rules that belong to the question, as JSON. Rules that only say how text is read are omitted.
    fn rules(&self) -> Value;
    /// The instance for a downcast to its own type, as in [`DynSession::solve`].
    fn as_any(&self) -> &dyn Any;
}

/// A running engine, which may keep lookup tables from one instance to the next.
pub trait DynSession {
    /// Solves an instance of the engine's own problem. Instances of other problems are unsupported.
    fn solve(&mut self, instance: &dyn DynInstance, budget: &mut Budget) -> Outcome<Box<dyn DynAnswer>>;
}

/// An answer with its instance.
pub trait DynAnswer: Send + Sync {
    /// The outcome in a word or two.
    fn outcome(&self) -> String;
    /// Whether it leaves a part of the question open.
    fn is_partial(&self) -> bool;
    /// The size of the instance; may be empty.
    fn size(&self) -> String;
    /// The rules that belong to the question and differ from the judge's, with their values.
    fn changed_rules(&self) -> Vec<(&'static str, &str)>;
    /// What the judge expects for game number `index`, counted from 1.
    fn judge_text(&self, index: usize) -> Vec<u8>;
    /// A remark that is printed in addition to the judge's bytes; `None` if there is none.
    fn remark(&self) -> Option<String>;
    /// The answer as JSON. It contains the rules, the instance and its hash, so it can be checked without other files,
    /// unless the instance is a file: then it contains only the path and the hash of that file.
    fn to_json(&self, engine: &str, claims: &[Claim]) -> Value;
    /// Every claim with its status.
    fn check(&self, proofs: &[Proof], budget: &mut Budget) -> Vec<Claim>;
    /// The claims that need a proof, each with the plain formula that the proof must refute.
    ///
    /// # Errors
    /// Returns the limit of the budget that was reached before the claims were known.
    fn obligations_within(&self, budget: &mut Budget) -> Result<Vec<Obligation<'_>>, Limit>;
    /// Writes the engine's formula that a solver refutes to prove the obligation with this index, counted from 0.
    ///
    /// # Errors
    /// Returns why there is no single formula.
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
    /// Whether both answers can be right. Answers to instances of different problems count as contradictory.
    fn agree(&self, other: &dyn DynAnswer) -> Agreement;
    /// The answer for a downcast to its own type, as in [`DynAnswer::agree`].
    fn as_any(&self) -> &dyn Any;
}

impl dyn DynAnswer + '_ {
    /// Like [`DynAnswer::obligations_within`], without limits.
    pub fn obligations(&self) -> Vec<Obligation<'_>> {
        self.obligations_within(&mut Budget::unlimited()).unwrap_or_default()
    }
}
