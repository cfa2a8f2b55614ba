//! Implements [`DynProblem`] and the traits of its instances, sessions, answers and trials for any [`Problem`].

mod engine;
mod instance;
mod names;
mod pages;
mod reading;
mod session;
mod stress;

use super::{ANSWER_VERSION, DynInstance, DynInstances, JudgeError, JudgeJob, Phase};
use super::{DynAnswer, DynProblem, DynSession, ProblemInfo};
use crate::claim::Claim;
use crate::engine::{Budget, Limit, Outcome};
use crate::errors::{FormatError, GenerateError, RulesError, UnknownName, Unsupported};
use crate::input::{FileReference, OpenFile, Source, Warnings};
use crate::problem::{
    Agreement, Explanation, JudgeStatus, Opponent, Params, Problem, Scope, StudyRequest, explain, instances,
};
use crate::proof::{Obligation, Proof};
use crate::rules::Settings;
use crate::spec::EngineSpec;
use crate::study::{PositionInput, Row, StudyError, StudyOutput};
use chacha20::{ChaCha8Rng, rand_core::SeedableRng};
use counterpoint_base::sha256;
use counterpoint_encodings::Sink;
use engine::AnyEngine;
use names::{listed, missing, unknown};
use reading::{at_limit, of_file, only};
use serde_json::{Map, Value, json};
use session::TypedSession;
use std::any::Any;
use std::io::Write;
use std::marker::PhantomData;
use std::sync::Arc;

/// A problem as a [`DynProblem`].
pub struct Erased<P> {
    info: ProblemInfo,
    problem: PhantomData<fn() -> P>,
}

impl<P: Problem> Erased<P> {
    /// Collects what the constants of the problem declare.
    pub fn new() -> Self {
        let info = ProblemInfo {
            name: P::NAME,
            about: P::ABOUT,
            sample: P::SAMPLE,
            separators: P::SEPARATORS,
            rules: P::RULES,
            engines: P::ENGINES.iter().map(|e| e.info).collect(),
            default_engine: P::DEFAULT_ENGINE,
            judge_statuses: P::JUDGE_STATUS.map_or(&[], |status| status.statuses),
            formula_ignores: P::OUTSIDE.formula_ignores,
            has_files: P::FILE.is_some(),
            families: P::FAMILIES.iter().map(|f| listed(f.name, f.about, f.params)).collect(),
            tour: P::TOUR,
            studies: P::STUDIES.questions.iter().map(|s| listed(s.name, s.about, s.params)).collect(),
            lesson: pages::lesson::<P>(),
            edit: P::EDIT.map(|edit| edit.about),
            empty: P::EDIT.map_or(&[], |edit| edit.empty.params),
            play: P::PLAY.map(|play| play.params),
            has_cubes: P::FORMULAS.decides.is_some(),
            lacks: engine::lacks::<P>,
            stress: P::STRESS.map(|stress| Arc::new(stress::TypedTrials::<P>(stress)) as _),
        };
        Erased { info, problem: PhantomData }
    }
}

impl<P: Problem> Default for Erased<P> {
    fn default() -> Self {
        Self::new()
    }
}

struct Typed<P: Problem> {
    settings: Settings,
    rules: P::Rules,
    instance: P::Instance,
}

struct TypedAnswer<P: Problem> {
    typed: Arc<Typed<P>>,
    answer: P::Answer,
}

struct TypedInstance<P: Problem>(Arc<Typed<P>>);

impl<P: Problem> DynProblem for Erased<P> {
    fn info(&self) -> &ProblemInfo {
        &self.info
    }

    fn position(&self, question: &str) -> PositionInput {
        let found = P::STUDIES.questions.iter().find(|s| s.name == question);
        found.map_or(PositionInput::None, |s| s.position)
    }

    fn start(&self, spec: &EngineSpec) -> Result<Box<dyn DynSession>, UnknownName> {
        Ok(Box::new(TypedSession::<P>::new(spec)?))
    }

    fn open<'a>(
        &self,
        settings: &Settings,
        source: Source<'a>,
        warnings: &'a Warnings,
    ) -> Result<DynInstances<'a>, RulesError> {
        let rules = P::rules(settings)?;
        let settings = settings.clone();
        let read = P::read(rules.clone(), Scope::Open, source, warnings);
        Ok(Box::new(instances(read).map(move |next| {
            let (settings, rules) = (settings.clone(), rules.clone());
            next.map(|instance| {
                Box::new(TypedInstance::<P>(Arc::new(Typed { settings, rules, instance }))) as _
            })
        })))
    }

    fn judge(&self, job: JudgeJob<'_>, out: &mut dyn Write) -> Result<Option<u8>, JudgeError> {
        let rules = P::rules(job.settings)?;
        let warnings = Warnings::default();
        let engine = AnyEngine::<P>::of(job.engine)?;
        let mut session = engine.start();
        let mut read = P::read(rules.clone(), Scope::Judge, job.source, &warnings);
        // All games share the memory of one instance and of one output text.
        let (mut slot, mut text, mut status) = (None, Vec::new(), None);
        for game in 1.. {
            let came = read(&mut slot);
            if !warnings.is_empty() {
                warnings.take().iter().for_each(|warning| (job.warn)(&warning.to_string()));
            }
            came?;
            let Some(instance) = &slot else { break };
            let unsupported =
                |reason| JudgeError::Unsupported { game, engine: job.engine.to_string(), reason };
            let supported = engine.supports(job.settings, &rules, instance, job.engine);
            supported.map_err(|error| unsupported(error.into()))?;
            let mut budget = (job.budget)();
            budget.poll().map_err(|limit| at_limit::<P>(game, limit, out))?;
            (job.running)(Phase::Engine);
            let outcome = session.solve(job.settings, &rules, instance, job.engine, &mut budget);
            (job.running)(Phase::Between);
            let answer = match outcome {
                Outcome::Decided(answer) => answer,
                Outcome::GaveUp(limit, _) => return Err(at_limit::<P>(game, limit, out)),
                Outcome::Unsupported(reason) => return Err(unsupported(reason.into())),
                Outcome::Failed(reason) => return Err(JudgeError::Failed { game, reason }),
            };
            if let Some(remark) = P::remark(&answer) {
                (job.warn)(&format!("game {game}: {remark}"));
            }
            if let Some(reason) = P::JUDGE_STATUS.and_then(|status| (status.fault)(instance, &answer)) {
                return Err(JudgeError::Wrong { game, engine: job.engine.to_string(), reason });
            }
            text.clear();
            P::write(game, instance, &answer, &mut text)?;
            out.write_all(&text)?;
            status = P::JUDGE_STATUS.map(|JudgeStatus { of, .. }| of(&answer));
        }
        Ok(status)
    }

    fn generate(
        &self,
        settings: &Settings,
        family: &str,
        params: &[(String, String)],
        seed: u64,
    ) -> Result<Box<dyn DynInstance>, GenerateError> {
        let rules = P::rules(settings)?;
        let found = P::FAMILIES.iter().find(|f| f.name == family);
        let found = found.ok_or_else(|| unknown::<P>("family", family, &self.info.families))?;
        let params = Params::new(found.params, params)?;
        let instance = (found.make)(&rules, &params, &mut ChaCha8Rng::seed_from_u64(seed))?;
        Ok(Box::new(TypedInstance::<P>(Arc::new(Typed { settings: settings.clone(), rules, instance }))))
    }

    fn empty(
        &self,
        settings: &Settings,
        params: &[(String, String)],
    ) -> Result<Box<dyn DynInstance>, GenerateError> {
        let (rules, instance) = pages::empty::<P>(settings, params)?;
        Ok(Box::new(TypedInstance::<P>(Arc::new(Typed { settings: settings.clone(), rules, instance }))))
    }

    fn study(
        &self,
        settings: &Settings,
        question: &str,
        params: &[(String, String)],
        position: Option<&dyn DynInstance>,
        budget: &mut Budget,
        report: &mut dyn StudyOutput,
    ) -> Result<(), StudyError> {
        let rules = P::rules(settings)?;
        let unknown_question =
            || StudyError::unsupported(unknown::<P>("question", question, &self.info.studies));
        let found = P::STUDIES.questions.iter().find(|s| s.name == question).ok_or_else(unknown_question)?;
        settings.check_used(question, found.rules, position.is_some().into())?;
        let params = Params::new(found.params, params)?;
        let instance = match (position, found.position) {
            (None, PositionInput::Required) => {
                return Err(StudyError::unsupported(format!(
                    "{question} is about a position; name an input file that contains one"
                )));
            }
            (Some(_), PositionInput::None) => {
                return Err(StudyError::unsupported(format!("{question} takes no input file")));
            }
            (Some(position), _) => {
                let typed = position.as_any().downcast_ref::<TypedInstance<P>>();
                Some(
                    &typed
                        .ok_or_else(|| {
                            StudyError::unsupported(format!("the instance does not belong to {}", P::NAME))
                        })?
                        .0
                        .instance,
                )
            }
            (None, _) => None,
        };
        (found.run)(&StudyRequest { rules: &rules, params: &params, instance }, budget, report)
    }

    fn sum_up(&self, question: &str, rows: &[Row], report: &mut dyn StudyOutput) {
        if let Some(summarize) = P::STUDIES.summarize {
            summarize(question, rows, report);
        }
    }

    fn play(
        &self,
        settings: &Settings,
        params: &[(String, String)],
    ) -> Result<Box<dyn Opponent>, Unsupported> {
        let play = P::PLAY.ok_or_else(|| missing::<P>("play", "PLAY"))?;
        (play.start)(&P::rules(settings)?, &Params::new(play.params, params)?)
    }

    fn check_study(
        &self,
        certificate: &Map<String, Value>,
        budget: &mut Budget,
    ) -> Result<Vec<Claim>, FormatError> {
        let question =
            certificate.get("question").and_then(Value::as_str).ok_or("\"question\" is not a string")?;
        let check = P::STUDIES.check.ok_or_else(|| missing::<P>("certificates", "STUDIES"))?;
        check(question, certificate, budget)
    }

    fn restore_with(
        &self,
        json: &Map<String, Value>,
        open: &OpenFile<'_>,
    ) -> Result<Box<dyn DynAnswer>, FormatError> {
        let version = json.get("version").and_then(Value::as_u64);
        if version != Some(ANSWER_VERSION) {
            return Err(format!("\"version\" is not {ANSWER_VERSION}").into());
        }
        let rules = json.get("rules").ok_or("\"rules\" is missing")?;
        let text = json.get("instance").and_then(Value::as_str).ok_or("\"instance\" is missing")?;
        let typed = Arc::new(Typed::<P>::new(rules, text, open)?);
        if json.get("instance_hash").and_then(Value::as_str) != Some(&typed.hash()) {
            return Err(format!("\"instance_hash\" is not the hash of the instance, {}", typed.hash()).into());
        }
        let answer = P::from_json(&typed.instance, json)?;
        Ok(Box::new(TypedAnswer { typed, answer }))
    }

    fn instance_with(
        &self,
        rules: &Value,
        text: &str,
        open: &OpenFile<'_>,
    ) -> Result<Box<dyn DynInstance>, FormatError> {
        Ok(Box::new(TypedInstance(Arc::new(Typed::<P>::new(rules, text, open)?))))
    }
}

impl<P: Problem> Typed<P> {
    fn new(rules: &Value, text: &str, open: &OpenFile<'_>) -> Result<Self, FormatError> {
        let settings = Settings::from_json(P::RULES, rules)?;
        let rules = P::rules(&settings)?;
        let instance = match P::FILE.and_then(|_| FileReference::parse(text)) {
            Some(reference) => of_file::<P>(&rules, &reference, open)?,
            None => only::<P>(&rules, Source::from_text("instance", text), "\"instance\"")?,
        };
        Ok(Typed { settings, rules, instance })
    }

    fn text(&self) -> String {
        P::write_instance(&self.rules, &self.instance)
    }

    fn formula(&self, spec: &EngineSpec, sink: &mut dyn Sink) -> Result<(), Unsupported> {
        AnyEngine::<P>::of(spec)?.formula(self, spec, sink)
    }

    fn hash(&self) -> String {
        match P::FILE.and_then(|file| (file.reference)(&self.instance)) {
            Some(reference) => reference.sha256.to_string(),
            None => sha256::of(format!("{}\n{}", P::NAME, self.text())),
        }
    }
}

impl<P: Problem> DynAnswer for TypedAnswer<P> {
    fn outcome(&self) -> String {
        P::outcome(&self.answer)
    }

    fn is_partial(&self) -> bool {
        P::is_partial(&self.answer)
    }

    fn size(&self) -> String {
        P::size(&self.typed.instance)
    }

    fn changed_rules(&self) -> Vec<(&'static str, &str)> {
        self.typed.settings.changed().collect()
    }

    fn judge_text(&self, index: usize) -> Vec<u8> {
        let mut text = Vec::new();
        // Writing to memory cannot fail.
        let _ = P::write(index, &self.typed.instance, &self.answer, &mut text);
        text
    }

    fn remark(&self) -> Option<String> {
        P::remark(&self.answer)
    }

    fn to_json(&self, engine: &str, claims: &[Claim]) -> Value {
        let claim = |c: &Claim| match c.status.reason() {
            None => json!({ "claim": c.text, "status": c.status.word() }),
            Some(why) => json!({ "claim": c.text, "status": c.status.word(), "why": why }),
        };
        let mut object = Map::new();
        for (key, value) in [
            ("problem", P::NAME.into()),
            ("version", ANSWER_VERSION.into()),
            ("rules", self.typed.settings.to_json()),
            ("instance", self.typed.text().into()),
            ("instance_hash", self.typed.hash().into()),
            ("engine", engine.into()),
            ("outcome", P::outcome(&self.answer).into()),
            ("claims", claims.iter().map(claim).collect()),
        ] {
            object.insert(key.to_owned(), value);
        }
        object.extend(P::to_json(&self.typed.instance, &self.answer));
        Value::Object(object)
    }

    fn check(&self, proofs: &[Proof], budget: &mut Budget) -> Vec<Claim> {
        P::check(&self.typed.rules, &self.typed.instance, &self.answer, proofs, budget)
    }

    fn obligations_within(&self, budget: &mut Budget) -> Result<Vec<Obligation<'_>>, Limit> {
        let Some(list) = P::FORMULAS.obligations else { return Ok(Vec::new()) };
        list(&self.typed.rules, &self.typed.instance, &self.answer, budget)
    }

    fn obligation_formula(
        &self,
        spec: &EngineSpec,
        obligation: usize,
        sink: &mut dyn Sink,
    ) -> Result<(), Unsupported> {
        let Typed { rules, instance, .. } = &*self.typed;
        let write = P::FORMULAS.obligation_formula;
        let own = write.and_then(|write| write(rules, instance, &self.answer, spec, obligation, sink));
        own.unwrap_or_else(|| self.typed.formula(spec, sink))
    }

    fn explain(&self, budget: &mut Budget) -> Explanation {
        explain::<P>(&self.typed.rules, &self.typed.instance, &self.answer, budget)
    }

    fn instance_text(&self) -> String {
        self.typed.text()
    }

    fn agree(&self, other: &dyn DynAnswer) -> Agreement {
        let other = other.as_any().downcast_ref::<TypedAnswer<P>>();
        other.map_or(Agreement::Contradict, |other| P::agree(&self.answer, &other.answer))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
