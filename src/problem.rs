//! What a problem is: a trait, so that everything behind it serves any problem alike.
//!
//! A problem brings a reader, writers, engines, families and a checker; it gets judge, solve, check,
//! compare, encode and generate. `examples/queens` is a whole problem in one small crate.

mod encoding;
mod lesson;
mod model;
mod params;
mod play;
mod reason;
mod stress;

pub use encoding::{Encoding, NamedCell};
pub use lesson::{Board, Ground, InWords, Lesson, Mark, Scene, Shape, Square, Strip, WriteScene};
pub use model::{Assignment, Said, Shown, WriteObjective, WriteQuestions};
pub use params::{Param, Params, SIZE, takes_size};
pub use play::{Opponent, Play, Start, Turn};
pub use reason::{Account, Core, Sentence, core, told};
pub use stress::{Effort, MakeGame, Mutant, Package, Promise, Stress, Tell, Trial};

use crate::claim::Claim;
use crate::engine::{Budget, EngineInfo, Outcome};
use crate::input::{InputError, Source, Warnings, until_error};
use crate::proof::{Obligation, Proof};
use crate::rules::{Rule, Settings};
use crate::spec::EngineSpec;
use crate::study::{Halt, Position, Report, Row};
use counterpoint_encodings::Sink;
use rand_chacha::ChaCha8Rng;
use serde_json::{Map, Value};
use std::fmt;
use std::io::{self, Write};

/// A problem that is solved by search and by SAT, and checked.
pub trait Problem: Sized + 'static {
    /// The rules of one question, parsed.
    type Rules: Clone + Send + Sync;
    /// One instance, without its rules.
    type Instance: Clone + Send + Sync;
    /// Outcome with evidence, without instance or rules.
    type Answer: Clone + Send + Sync;

    /// The name on the command line.
    const NAME: &'static str;
    /// One line for help.
    const ABOUT: &'static str;
    /// The rules by key.
    const RULES: &'static [Rule] = &[];
    /// The engines, the default of each side first.
    const ENGINES: &'static [Engine<Self>];
    /// Seeded instances.
    const FAMILIES: &'static [Family<Self>];
    /// Questions beyond the judge's.
    const STUDIES: &'static [Study<Self>] = &[];
    /// The problem as a game for two, if it is one.
    const PLAY: Option<Play<Self>> = None;
    /// What puts foreign programs under stress, if there is anything.
    const STRESS: Option<Stress<Self::Rules, Self::Instance, Self::Answer>> = None;
    /// How the problem is taught, if it is drawn for that.
    const LESSON: Option<Lesson<Self>> = None;
    /// Judge input that serves as the first example.
    const SAMPLE: &'static str;
    /// What ends an input of several games; [`Problem::write_instance`] ends with it.
    const END: &'static str = "";
    /// What stands between two games of an input.
    const BETWEEN: &'static str = "\n";
    /// Generated instances that the tour runs besides the sample, every claim of which closes.
    const TOUR: &'static [Tour] = &[];

    /// The rules from their settings, each valid by itself.
    ///
    /// # Errors
    /// What does not go together, or what is wrong in a file.
    fn rules(settings: &Settings) -> Result<Self::Rules, String>;

    /// Reads the instances of a text, one a call.
    fn read<'a>(
        rules: Self::Rules,
        scope: Scope,
        source: Source<'a>,
        warnings: &'a Warnings,
    ) -> Reader<'a, Self::Instance>;

    /// How large the instance is, such as `4x4`; empty where no size says much.
    fn size(instance: &Self::Instance) -> String {
        let _ = instance;
        String::new()
    }

    /// The instance as a whole input of its own, with the end mark; reads back as the same instance.
    fn write_instance(rules: &Self::Rules, instance: &Self::Instance) -> String;

    /// What the judge expects for game number `index`, counted from 1.
    ///
    /// # Errors
    /// Those of `out`.
    fn write(
        index: usize,
        instance: &Self::Instance,
        answer: &Self::Answer,
        out: &mut dyn Write,
    ) -> io::Result<()>;

    /// Something to say about an answer beside the judge's bytes.
    fn remark(answer: &Self::Answer) -> Option<String> {
        let _ = answer;
        None
    }

    /// The outcome in a word or two, as tables show it.
    fn outcome(answer: &Self::Answer) -> String;

    /// JSON's `outcome` and the evidence, as members of the answer's object.
    fn to_json(instance: &Self::Instance, answer: &Self::Answer) -> Map<String, Value>;

    /// Back from JSON; reads `outcome` and the evidence and ignores other members.
    ///
    /// # Errors
    /// What is missing or of the wrong shape.
    fn from_json(instance: &Self::Instance, json: &Map<String, Value>) -> Result<Self::Answer, String>;

    /// Whether two answers to the same question can both be right.
    fn agree(a: &Self::Answer, b: &Self::Answer) -> Agreement {
        if Self::outcome(a) == Self::outcome(b) { Agreement::Same } else { Agreement::Contradict }
    }

    /// Every claim of the outcome with its status. Never empty.
    fn check(
        rules: &Self::Rules,
        instance: &Self::Instance,
        answer: &Self::Answer,
        proofs: &[Proof],
        budget: &mut Budget,
    ) -> Vec<Claim>;

    /// Every claim of a study's certificate with its status, by plain code that shares nothing with the study.
    ///
    /// # Errors
    /// No certificates are known of this question, or what is missing or of the wrong shape.
    fn check_study(
        question: &str,
        certificate: &Map<String, Value>,
        budget: &mut Budget,
    ) -> Result<Vec<Claim>, String> {
        let _ = (certificate, budget);
        Err(format!("{} knows no certificates of '{question}'", Self::NAME))
    }

    /// What the rows of a question about several positions say together, told behind the last of them.
    fn sum_up(question: &str, rows: &[Row], report: &mut dyn Report) {
        let _ = (question, rows, report);
    }

    /// The checker's plain formulas whose proofs would close claims that need one.
    fn obligations<'a>(
        rules: &'a Self::Rules,
        instance: &'a Self::Instance,
        answer: &'a Self::Answer,
    ) -> Vec<Obligation<'a>>;

    /// Writes the formula of a model that an obligation, by its number, says has no model; `None` where that is
    /// the base question, beside what the obligation asks.
    fn obliged(
        rules: &Self::Rules,
        instance: &Self::Instance,
        answer: &Self::Answer,
        (spec, obligation): (&EngineSpec, usize),
        sink: &mut dyn Sink,
    ) -> Option<Result<(), String>> {
        let _ = (rules, instance, answer, spec, obligation, sink);
        None
    }

    /// Writes a model's formula with what is to be made least as soft clauses; `None` where nothing is.
    fn objective(rules: &Self::Rules, spec: &EngineSpec) -> Option<WriteObjective<Self>> {
        let _ = (rules, spec);
        None
    }

    /// Writes a formula that answers several questions under assumptions; `None` where there is only the
    /// model's base question.
    fn questions(rules: &Self::Rules, spec: &EngineSpec) -> Option<WriteQuestions<Self>> {
        let _ = (rules, spec);
        None
    }

    /// What a model of an engine's formula shows, whoever found it.
    ///
    /// # Errors
    /// Why nothing is read from this engine's models.
    fn read_model(
        rules: &Self::Rules,
        instance: &Self::Instance,
        model: Assignment<'_>,
        budget: &mut Budget,
    ) -> Result<Shown, String> {
        let _ = (rules, instance, budget);
        Err(format!("{} reads no answer from models of {}", Self::NAME, model.spec))
    }

    /// The settings of the question that searches answer where these are for formulas alone; `None` where
    /// searches take them as they are.
    fn searched(settings: &Settings) -> Option<Settings> {
        let _ = settings;
        None
    }

    /// Whether an engine's formula has a model, if the answer tells: one under the same rules, or under those
    /// of [`Problem::searched`].
    fn satisfiable(rules: &Self::Rules, spec: &EngineSpec, answer: &Self::Answer) -> Option<bool> {
        let _ = (rules, spec, answer);
        None
    }

    /// The answer as a person would tell it, in words and as boards. What takes searching, such as a reason of
    /// which nothing can be left out, is told as far as the budget goes.
    fn account(
        rules: &Self::Rules,
        instance: &Self::Instance,
        answer: &Self::Answer,
        budget: &mut Budget,
    ) -> Account {
        let _ = budget;
        Account::in_words(format!("{}\n{}", Self::write_instance(rules, instance), Self::outcome(answer)))
    }
}

/// Leaves the next instance in the slot, or `None` behind the last. What the slot held may be reused:
/// whoever hands in the same slot each time spares the memory of an instance. After an error or
/// `None` it is not called again.
pub type Reader<'a, I> = Box<dyn FnMut(&mut Option<I>) -> Result<(), InputError> + 'a>;

/// A reader that makes each instance anew.
pub fn reader<'a, I>(mut next: impl FnMut() -> Result<Option<I>, InputError> + 'a) -> Reader<'a, I> {
    Box::new(move |slot| {
        *slot = next()?;
        Ok(())
    })
}

/// The instances that a reader gives, each with memory of its own. Nothing comes after an error.
pub fn instances<'a, I: 'a>(mut read: Reader<'a, I>) -> impl Iterator<Item = Result<I, InputError>> + 'a {
    until_error(move || {
        let mut slot = None;
        read(&mut slot)?;
        Ok(slot)
    })
}

/// Whether an engine serves an instance; if not, why.
pub type Supports<P> =
    fn(&<P as Problem>::Rules, &<P as Problem>::Instance, &EngineSpec) -> Result<(), String>;

/// Makes one instance; every bit of chance comes from the generator.
pub type Make<P> =
    fn(&<P as Problem>::Rules, &Params, &mut ChaCha8Rng) -> Result<<P as Problem>::Instance, String>;

/// A running engine: it may keep tables from one instance to the next.
pub type Session<P> = Box<
    dyn FnMut(
        &<P as Problem>::Rules,
        &<P as Problem>::Instance,
        &EngineSpec,
        &mut Budget,
    ) -> Outcome<<P as Problem>::Answer>,
>;

/// Writes an instance's formula for one choice of model and axes, or says why there is none.
pub type WriteFormula<P> =
    fn(&<P as Problem>::Rules, &<P as Problem>::Instance, &EngineSpec, &mut dyn Sink) -> Result<(), String>;

/// An engine of a problem.
pub struct Engine<P: Problem> {
    /// Its name and axes.
    pub info: EngineInfo,
    /// Whether it serves an instance; if not, why.
    pub supports: Supports<P>,
    /// Makes a session.
    pub start: fn() -> Session<P>,
    /// The model's base question as clauses; SAT only.
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

/// What a question is asked about.
pub struct Asked<'a, Rules, Instance> {
    /// The rules.
    pub rules: &'a Rules,
    /// The question's parameters.
    pub params: &'a Params,
    /// The position, if one is given.
    pub instance: Option<&'a Instance>,
}

/// Answers a question; each row is handed on as soon as it is known.
pub type Ask<P> = fn(
    &Asked<'_, <P as Problem>::Rules, <P as Problem>::Instance>,
    &mut Budget,
    &mut dyn Report,
) -> Result<(), Halt>;

/// A question beyond the judge's.
pub struct Study<P: Problem> {
    /// Its name on the command line.
    pub name: &'static str,
    /// One line for `list questions`.
    pub about: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// The rules that its answer depends on, by key; others have to be as the judge has them.
    pub rules: &'static [&'static str],
    /// Whether it is about a position.
    pub position: Position,
    /// Answers it.
    pub ask: Ask<P>,
}

/// Some instances of a family.
#[derive(Clone, Copy, Debug)]
pub struct Tour {
    /// The family's name.
    pub family: &'static str,
    /// Parameters that differ from their defaults.
    pub params: &'static [(&'static str, &'static str)],
    /// One instance for each of the seeds 1 to this.
    pub seeds: u64,
}

/// Which sizes a reader takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The judge's.
    Judge,
    /// All that some engine serves.
    Open,
}

/// How two answers to one question stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// The same outcome.
    Same,
    /// Different, but both can be right: one says less.
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
