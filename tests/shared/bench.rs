//! Helpers for tests of all problems: a problem with rules, its instances and its engines.

#![allow(dead_code, reason = "each test file uses a part")]
use counterpoint::claim::{Claim, all_closed};
use counterpoint::engine::{Budget, Outcome};
use counterpoint::erased::{DynAnswer, DynInstance, DynProblem, JudgeError, JudgeJob};
use counterpoint::input::{Source, Warnings};
use counterpoint::registry::Registry;
use counterpoint::rules::Settings;
use counterpoint::solver::SolverRegistry;
use counterpoint::spec::{self, EngineSpec};
use serde_json::{Map, Value};
use std::cell::RefCell;

/// A problem of the standard registry with values for its rules.
pub(crate) struct Bench {
    registry: Registry,
    name: &'static str,
    pub(crate) settings: Settings,
}

/// The output, warnings and error of `judge`.
pub(crate) struct Judged {
    pub(crate) out: String,
    pub(crate) warnings: Vec<String>,
    pub(crate) error: Option<JudgeError>,
}

impl Judged {
    /// The error as text; empty if there was none.
    pub(crate) fn message(&self) -> String {
        self.error.as_ref().map_or(String::new(), ToString::to_string)
    }
}

impl Bench {
    pub(crate) fn new(name: &'static str, rules: &[(&str, &str)]) -> Self {
        let registry = counterpoint::standard();
        let given: Vec<_> = rules.iter().map(|&(k, v)| (k.to_owned(), v.to_owned())).collect();
        // The value of a rule that expects a file is the file's text.
        let load = |text: &str| Ok(text.to_owned());
        let settings = Settings::new(registry.find(name).unwrap().rules(), &given, &load).unwrap();
        Bench { registry, name, settings }
    }

    pub(crate) fn problem(&self) -> &dyn DynProblem {
        self.registry.find(self.name).unwrap()
    }

    /// The engines that match the patterns.
    pub(crate) fn engines(&self, patterns: &str) -> Vec<EngineSpec> {
        spec::resolve(self.problem().engines(), &SolverRegistry::built_in(), patterns).unwrap()
    }

    /// The instances in a text, which must have no errors.
    pub(crate) fn instances(&self, text: &str) -> Vec<Box<dyn DynInstance>> {
        let warnings = Warnings::default();
        let instances =
            self.problem().open(&self.settings, Source::from_text("test", text), &warnings).unwrap();
        instances.map(Result::unwrap).collect()
    }

    /// The only instance of a text.
    pub(crate) fn instance(&self, text: &str) -> Box<dyn DynInstance> {
        let mut instances = self.instances(text);
        assert_eq!(instances.len(), 1, "{text}");
        instances.remove(0)
    }

    /// A generated instance.
    pub(crate) fn generate(&self, family: &str, params: &[(&str, &str)], seed: u64) -> Box<dyn DynInstance> {
        let params: Vec<_> = params.iter().map(|&(k, v)| (k.to_owned(), v.to_owned())).collect();
        self.problem().generate(&self.settings, family, &params, seed).unwrap()
    }

    pub(crate) fn judge(&self, engine: &str, text: &str) -> Judged {
        let (mut out, warnings) = (Vec::new(), RefCell::new(Vec::new()));
        let job = JudgeJob {
            settings: &self.settings,
            engine: &self.engines(engine)[0],
            source: Source::from_text("games.txt", text),
            budget: &Budget::unlimited,
            warn: &|warning| warnings.borrow_mut().push(warning.to_owned()),
            running: &|_| {},
        };
        let error = self.problem().judge(job, &mut out).err();
        Judged { out: String::from_utf8(out).unwrap(), warnings: warnings.into_inner(), error }
    }

    /// Solves an instance with every engine that supports it. All claims must be closed, and all answers must agree
    /// with each other and with the outcome `expected`, if given. Returns the number of engines that support the
    /// instance.
    pub(crate) fn battery(
        &self,
        instance: &dyn DynInstance,
        engines: &[EngineSpec],
        expected: Option<&str>,
    ) -> usize {
        let mut answers: Vec<Box<dyn DynAnswer>> = Vec::new();
        for engine in engines.iter().filter(|engine| instance.supports(engine).is_ok()) {
            let outcome = instance.solve(engine, &mut Budget::unlimited());
            // Some engines find out only while solving that the instance is too large.
            if matches!(outcome, Outcome::Unsupported(_)) {
                continue;
            }
            let Outcome::Decided(answer) = outcome else {
                panic!("{engine} gave up on\n{}", instance.text())
            };
            let claims = check(&*answer);
            assert!(all_closed(&claims), "{engine} on\n{}: {claims:#?}", instance.text());
            if let Some(expected) = expected {
                assert_eq!(answer.outcome(), expected, "{engine} on\n{}", instance.text());
            }
            if let Some(first) = answers.first() {
                let agreement = first.agree(&*answer);
                assert_eq!(agreement.to_string(), "same", "{engine} on\n{}", instance.text());
            }
            answers.push(answer);
        }
        answers.len()
    }

    /// The claims of an answer after `forge` has changed its JSON, or why the changed answer cannot be read.
    pub(crate) fn forged(
        &self,
        answer: &dyn DynAnswer,
        forge: impl Fn(&mut Map<String, Value>),
    ) -> Result<Vec<Claim>, String> {
        let mut json = answer.to_json("test", &[]);
        let map = json.as_object_mut().unwrap();
        forge(map);
        Ok(check(&*self.problem().restore(map)?))
    }
}

/// The claims of an answer, checked without proofs.
pub(crate) fn check(answer: &dyn DynAnswer) -> Vec<Claim> {
    answer.check(&[], &mut Budget::of_work(20_000_000))
}

/// The answer of the first engine that matches the pattern `engine`.
pub(crate) fn solve(instance: &dyn DynInstance, bench: &Bench, engine: &str) -> Box<dyn DynAnswer> {
    let engine = &bench.engines(engine)[0];
    match instance.solve(engine, &mut Budget::unlimited()) {
        Outcome::Decided(answer) => answer,
        Outcome::GaveUp(limit, _) => panic!("{engine}: {limit}"),
        Outcome::Unsupported(why) => panic!("{engine}: {why}"),
        Outcome::Failed(why) => panic!("{engine}: {why}"),
    }
}
