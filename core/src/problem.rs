//! The interface of a problem: the rest of the workbench works for any type that implements [`Problem`].
//!
//! A problem provides a reader, writers, engines and a checker, and gets a complete workbench in return.
//! Everything else is optional. Most optional parts are *capabilities*: constants of the trait, which contain
//! values of the types [`Formulas`], [`Studies`], [`Family`], [`Explain`], [`Play`], [`Stress`], [`Outside`],
//! [`Lesson`], [`Edit`], [`FileInstances`] and [`JudgeStatus`]. `examples/queens` is a problem in a separate crate.

mod edit;
mod encoding;
mod explanation;
mod formulas;
mod generate;
mod lesson;
mod outside;
mod params;
mod play;
mod reading;
mod stress;
mod studies;
mod verdict;

pub use edit::{Edit, Empty, MAX_EDITED, Touch};
pub use encoding::{Encoding, NamedCell};
pub(crate) use explanation::explain;
pub use explanation::{Core, Explain, Explanation, Sentence, core, render};
pub use formulas::{
    Assignment, Decides, DecodedModel, Formulas, IfRefuted, IsObligation, IsSatisfiable, ListObligations,
    ModelKind, ObjectiveOf, OfModel, QuestionsOf, ReadModel, WriteObjective, WriteObligationFormula,
    WriteQuestions,
};
pub use generate::MakeGame;
pub use lesson::{Board, Ground, InWords, Lesson, Mark, Minimised, Scene, Shape, Square, Strip, WriteScene};
pub use outside::{Outside, ReadVerdict, SolveNamed};
pub use params::{Param, Params, SIZE, takes_size};
pub use play::{Opponent, Play, Start, Turn};
pub use reading::{FileInstances, JudgeStatus, Reader, Scope, Separators, instances, reader};
pub use stress::{
    AcceptedProgram, Effort, Judge, Judgement, Mutant, MutantOutput, Package, Printed, Promise, Stress, Trial,
};
pub use studies::{CheckCertificate, Studies, Study, StudyFn, StudyRequest, Summarize};
pub use verdict::Verdict;

use crate::claim::Claim;
use crate::engine::{Budget, EngineInfo, Outcome};
use crate::errors::{FormatError, GenerateError, RulesError, Unsupported};
use crate::input::{Source, Warnings};
use crate::proof::Proof;
use crate::rules::{Rule, Settings};
use crate::spec::EngineSpec;
use chacha20::ChaCha8Rng;
use counterpoint_encodings::Sink;
use serde_json::{Map, Value};
use std::fmt;
use std::io::{self, Write};

/// A problem that is solved by searches and by SAT encodings, and whose answers are checked.
///
/// # What to implement
///
/// The minimum is three types, four constants and eight functions. Everything else is optional.
///
/// | implement this | get that |
/// |---|---|
/// | the minimum, with one engine | `judge`, `solve`, `check`, `compare`; `run`, `status` and `report` on input files |
/// | a second engine | comparisons of engines, in which every disagreement is an error |
/// | [`Engine::formula`] | `encode` in every format but `wcnf`, formulas in words, sizes by group of clauses |
/// | [`RULES`](Self::RULES) | an option and a plan entry for each rule; answers record the rules |
/// | [`FAMILIES`](Self::FAMILIES) | `generate`; `new`, `run` and `report` on generated instances |
/// | [`FORMULAS`](Self::FORMULAS) | `solve --certify`, `check --model`, objectives and several questions in `encode` |
/// | [`EXPLAIN`](Self::EXPLAIN) | `solve --explain`: sentences and pictures |
/// | [`STUDIES`](Self::STUDIES) | `study`: questions beyond the judge's, with certificates |
/// | [`PLAY`](Self::PLAY) | `play`: a game against an engine |
/// | [`STRESS`](Self::STRESS) | `stress`: tests other people's programs and encodings, and names the likely bug |
/// | [`OUTSIDE`](Self::OUTSIDE) | other people's programs and encoders as engines |
/// | [`LESSON`](Self::LESSON) | `solve --page`: a page that teaches an encoding on the user's board |
/// | [`EDIT`](Self::EDIT) | a board in the playground that is changed by clicks and drags |
/// | [`FILE`](Self::FILE) | instances that are whole files: answers and records name them by path and hash |
/// | [`JUDGE_STATUS`](Self::JUDGE_STATUS) | exit statuses of `judge` that say what the answer is |
/// | [`TOUR`](Self::TOUR) | more instances in the tour, which is what the program runs without arguments |
///
/// # Example
///
/// The smallest complete problem: is a number the sum of two squares?
///
/// ```
/// use counterpoint_core::claim::Claim;
/// use counterpoint_core::engine::{Budget, EngineInfo, Limit};
/// use counterpoint_core::errors::{FormatError, RulesError};
/// use counterpoint_core::input::{Source, Warnings};
/// use counterpoint_core::problem::{self, Engine, Problem, Reader, Scope};
/// use counterpoint_core::proof::Proof;
/// use counterpoint_core::registry::Registry;
/// use counterpoint_core::rules::Settings;
/// use counterpoint_core::solver::SolverRegistry;
/// use counterpoint_core::spec;
/// use serde_json::{Map, Value, json};
/// use std::io::{self, Write};
///
/// struct Squares;
///
/// fn search(n: u32, budget: &mut Budget) -> Result<Option<[u32; 2]>, Limit> {
///     for a in 0..=n.isqrt() {
///         budget.node()?; // counts work, and returns early at a limit or on Ctrl-C
///         let b = (n - a * a).isqrt();
///         if a * a + b * b == n {
///             return Ok(Some([a, b]));
///         }
///     }
///     Ok(None)
/// }
///
/// impl Problem for Squares {
///     type Rules = ();
///     type Instance = u32;
///     type Answer = Option<[u32; 2]>;
///     const NAME: &'static str = "squares";
///     const ABOUT: &'static str = "write a number as the sum of two squares";
///     const SAMPLE: &'static str = "13\n";
///     const ENGINES: &'static [Engine<Self>] = &[Engine {
///         info: EngineInfo::search("scan", "try every first square"),
///         supports: |_, _, _| Ok(()),
///         start: || Box::new(|_, &n, _, budget| search(n, budget).into()),
///         formula: None,
///     }];
///
///     fn rules(_: &Settings) -> Result<(), RulesError> {
///         Ok(())
///     }
///     fn read<'a>(_: (), _: Scope, mut source: Source<'a>, _: &'a Warnings) -> Reader<'a, u32> {
///         problem::reader(move || {
///             let Some(line) = source.next_nonblank()? else { return Ok(None) };
///             let token = line.tokens().next().expect("the line is not blank");
///             let number = str::from_utf8(token.bytes).ok().and_then(|text| text.parse().ok());
///             number.map(Some).ok_or_else(|| token.error(format!("expected a number, found {token}")))
///         })
///     }
///     fn write_instance(_: &(), n: &u32) -> String {
///         format!("{n}\n")
///     }
///     fn write(_: usize, _: &u32, answer: &Self::Answer, out: &mut dyn Write) -> io::Result<()> {
///         match answer {
///             Some([a, b]) => writeln!(out, "{a} {b}"),
///             None => writeln!(out, "impossible"),
///         }
///     }
///     fn outcome(answer: &Self::Answer) -> String {
///         if answer.is_some() { "possible" } else { "impossible" }.to_owned()
///     }
///     fn to_json(_: &u32, answer: &Self::Answer) -> Map<String, Value> {
///         Map::from_iter([("squares".to_owned(), json!(answer))])
///     }
///     fn from_json(_: &u32, json: &Map<String, Value>) -> Result<Self::Answer, FormatError> {
///         let value = json.get("squares").ok_or("\"squares\" is missing")?;
///         serde_json::from_value(value.clone()).map_err(|e| e.to_string().into())
///     }
///     fn check(_: &(), n: &u32, answer: &Self::Answer, _: &[Proof], _: &mut Budget) -> Vec<Claim> {
///         let square = |a: u32| u64::from(a).pow(2);
///         let is_sum = |a: u32, b: u32| square(a).checked_add(square(b)) == Some(u64::from(*n));
///         let all = || (0..=*n).flat_map(|a| (a..=*n).map(move |b| (a, b)));
///         let (claim, holds) = match answer {
///             &Some([a, b]) => ("the squares add up", is_sum(a, b)),
///             None => ("no squares add up", !all().any(|(a, b)| is_sum(a, b))),
///         };
///         vec![Claim::replayed(claim, if holds { Ok(()) } else { Err("a plain search differs".to_owned()) })]
///     }
/// }
///
/// let registry = Registry::empty().with::<Squares>(); // `counterpoint::app(registry)` runs the program
/// let squares = registry.find("squares")?;
/// let instance = squares.instance(&json!({}), "13")?;
/// let engine = spec::resolve(squares.engines(), &SolverRegistry::built_in(), "search")?.remove(0);
/// let answer = instance.solve(&engine, &mut Budget::unlimited()).answer().expect("no limit was set");
/// assert_eq!(answer.judge_text(1), b"2 3\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Problem: Sized + 'static {
    /// The rules of one question, parsed.
    type Rules: Clone + Send + Sync;
    /// One instance, without its rules.
    type Instance: Clone + Send + Sync;
    /// The outcome with its evidence, but without the instance and the rules.
    type Answer: Clone + Send + Sync;

    /// The name on the command line.
    const NAME: &'static str;
    /// One line for help.
    const ABOUT: &'static str;
    /// Judge input that serves as the first example.
    const SAMPLE: &'static str;
    /// The engines. The first search and the first SAT engine are the defaults.
    const ENGINES: &'static [Engine<Self>];

    /// The engine of `judge` and `solve` if the user names none.
    const DEFAULT_ENGINE: &'static str = "search";
    /// The rules by key.
    const RULES: &'static [Rule] = &[];
    /// What separates and ends the games of an input.
    const SEPARATORS: Separators = Separators { end: "", between: "\n" };

    /// Capability: seeded instances.
    const FAMILIES: &'static [Family<Self>] = &[];
    /// Generated instances that the tour solves besides the sample. The checker must verify every claim about them.
    const TOUR: &'static [Tour] = &[];
    /// Capability: proofs of claims, reading models, formulas with an objective or with several questions.
    const FORMULAS: Formulas<Self> = Formulas::NONE;
    /// Capability: an answer in sentences and pictures. Without it, the instance and the outcome are printed.
    const EXPLAIN: Option<Explain<Self>> = None;
    /// Capability: questions beyond the judge's.
    const STUDIES: Studies<Self> = Studies::NONE;
    /// Capability: the problem as a game for two.
    const PLAY: Option<Play<Self>> = None;
    /// Capability: stress tests of other people's programs and encodings.
    const STRESS: Option<Stress<Self::Rules, Self::Instance, Self::Answer>> = None;
    /// Capability: other people's programs and encoders as engines.
    const OUTSIDE: Outside<Self> = Outside::NONE;
    /// Capability: instances that are whole files.
    const FILE: Option<FileInstances<Self::Instance>> = None;
    /// Capability: exit statuses of `judge` that depend on the answer.
    const JUDGE_STATUS: Option<JudgeStatus<Self::Instance, Self::Answer>> = None;
    /// Capability: lessons.
    const LESSON: Option<Lesson<Self>> = None;
    /// Capability: boards that are changed by clicks and drags.
    const EDIT: Option<Edit<Self>> = None;

    /// Parses the settings. Each value is valid on its own, but the values may contradict each other.
    ///
    /// # Errors
    /// Returns an error if the settings contradict each other, or if the text of a file that a rule names is not valid.
    fn rules(settings: &Settings) -> Result<Self::Rules, RulesError>;

    /// Returns a reader, which reads one instance of the text per call. An error has a position, and says what was
    /// found and what was expected.
    fn read<'a>(
        rules: Self::Rules,
        scope: Scope,
        source: Source<'a>,
        warnings: &'a Warnings,
    ) -> Reader<'a, Self::Instance>;

    /// The instance as a complete input with its end mark. Reading it back gives the same instance.
    fn write_instance(rules: &Self::Rules, instance: &Self::Instance) -> String;

    /// Writes what the judge expects for game number `index`, counted from 1.
    ///
    /// # Errors
    /// Returns the errors of `out`.
    fn write(
        index: usize,
        instance: &Self::Instance,
        answer: &Self::Answer,
        out: &mut dyn Write,
    ) -> io::Result<()>;

    /// The outcome in a word or two, for tables.
    fn outcome(answer: &Self::Answer) -> String;

    /// The evidence as members of the answer's JSON object. They are added to the members that every answer has, such
    /// as `outcome` and `instance`. If two members have the same name, the one from this function is kept.
    fn to_json(instance: &Self::Instance, answer: &Self::Answer) -> Map<String, Value>;

    /// The answer from the members that [`to_json`](Self::to_json) wrote; other members are ignored.
    ///
    /// # Errors
    /// Returns what is missing or has the wrong shape.
    fn from_json(instance: &Self::Instance, json: &Map<String, Value>) -> Result<Self::Answer, FormatError>;

    /// Returns every claim of the answer with its status, at least one. The function shares no code with the engines.
    fn check(
        rules: &Self::Rules,
        instance: &Self::Instance,
        answer: &Self::Answer,
        proofs: &[Proof],
        budget: &mut Budget,
    ) -> Vec<Claim>;

    /// Whether two answers to the same question can both be right. By default, both can be right only if their outcomes
    /// are equal.
    fn agree(a: &Self::Answer, b: &Self::Answer) -> Agreement {
        if Self::outcome(a) == Self::outcome(b) { Agreement::Same } else { Agreement::Contradict }
    }

    /// Whether the answer leaves a part of the question open, so that answers with other outcomes can be right, too; by
    /// default not.
    fn is_partial(answer: &Self::Answer) -> bool {
        let _ = answer;
        false
    }

    /// The size of the instance in tables, such as `4x4`; by default empty.
    fn size(instance: &Self::Instance) -> String {
        let _ = instance;
        String::new()
    }

    /// A remark about an answer, printed in addition to the judge's bytes; by default none.
    fn remark(answer: &Self::Answer) -> Option<String> {
        let _ = answer;
        None
    }
}

/// Whether an engine supports an instance; if not, why not.
pub type Supports<P> =
    fn(&<P as Problem>::Rules, &<P as Problem>::Instance, &EngineSpec) -> Result<(), Unsupported>;

/// Makes one instance. All randomness comes from the given random number generator.
pub type Make<P> =
    fn(&<P as Problem>::Rules, &Params, &mut ChaCha8Rng) -> Result<<P as Problem>::Instance, GenerateError>;

/// A running engine, which may keep lookup tables from one instance to the next.
pub type Session<P> = Box<
    dyn FnMut(
        &<P as Problem>::Rules,
        &<P as Problem>::Instance,
        &EngineSpec,
        &mut Budget,
    ) -> Outcome<<P as Problem>::Answer>,
>;

/// Writes the formula of an instance in the engine's encoding, or returns why there is none.
pub type WriteFormula<P> = fn(
    &<P as Problem>::Rules,
    &<P as Problem>::Instance,
    &EngineSpec,
    &mut dyn Sink,
) -> Result<(), Unsupported>;

/// An engine of a problem.
pub struct Engine<P: Problem> {
    /// Its name and axes.
    pub info: EngineInfo,
    /// Whether it supports an instance; if not, why not.
    pub supports: Supports<P>,
    /// Starts a session.
    pub start: fn() -> Session<P>,
    /// Writes the formula of a SAT engine; `None` for a search.
    pub formula: Option<WriteFormula<P>>,
}

/// A source of seeded instances.
pub struct Family<P: Problem> {
    /// Its name on the command line.
    pub name: &'static str,
    /// One line for `list families`.
    pub about: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// Makes one instance.
    pub make: Make<P>,
}

/// Some instances of a family.
#[derive(Clone, Copy, Debug)]
pub struct Tour {
    /// The family's name.
    pub family: &'static str,
    /// Parameters that differ from their defaults.
    pub params: &'static [(&'static str, &'static str)],
    /// The last seed; there is one instance for each seed from 1 to this one.
    pub seeds: u64,
}

/// How two answers to the same question compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// The same outcome.
    Same,
    /// Different outcomes, but both can be right, because one says less than the other.
    Compatible,
    /// At most one is right.
    Contradict,
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Agreement::Same => "same",
            Agreement::Compatible => "compatible",
            Agreement::Contradict => "contradict",
        })
    }
}
