//! Answers: solving, checking, explaining, and lessons about them.

use super::board::panel;
use super::request::Board;
use super::sizes::Sizes;
use super::{Answer, Playground, Refusal};
use crate::lesson::{self, AnswerText, Material};
use counterpoint_core::claim::{self, CHECK_WORK, Claim};
use counterpoint_core::engine::{Budget, Outcome, Side};
use counterpoint_core::erased::{DynAnswer, DynProblem};
use counterpoint_core::solver::SolverRegistry;
use counterpoint_core::spec::{self, EngineSpec};
use serde_json::{Map, Value, json};

/// The limit on the work of an explanation.
const EXPLAIN_WORK: u64 = 200_000;

impl Playground {
    /// The one engine that an id names.
    fn engine(&self, problem: &dyn DynProblem, id: &str) -> Result<EngineSpec, Refusal> {
        let found = spec::resolve(problem.engines(), &SolverRegistry::built_in(), id);
        match &found.map_err(|error| Refusal::of(&error))?[..] {
            [engine] => Ok(engine.clone()),
            several => Err(format!("'{id}' matches {} engines; one is needed", several.len()).into()),
        }
    }

    /// Solves a board and checks the answer.
    pub(super) fn solve(&self, board: &Board, engine: &str, work: Option<u64>) -> Answer {
        let problem = self.problem(&board.problem)?;
        let engine = self.engine(problem, engine)?;
        let instance = self.instance(board)?;
        let mut budget = work.map_or_else(Budget::unlimited, Budget::of_work);
        let (answer, limit) = match instance.solve(&engine, &mut budget) {
            Outcome::Decided(answer) => (Some(answer), None),
            Outcome::GaveUp(limit, best) => (best, Some(limit)),
            Outcome::Unsupported(why) => {
                return Err(format!("{engine} does not support this board: {why}").into());
            }
            Outcome::Failed(why) => return Err(Refusal::of(&why)),
        };
        let work = budget.work;
        let mut found = json!({
            "engine": engine.to_string(),
            "limit": limit.map(|limit| limit.to_string()),
            "work": {
                "nodes": work.nodes,
                "calls": work.solves,
                "conflicts": work.conflicts,
                "decisions": work.decisions,
                "propagations": work.propagations,
                "variables": work.variables,
                "clauses": work.clauses,
            },
        });
        if let (Some(answer), Value::Object(found)) = (answer, &mut found) {
            found.extend(checked(&*answer, &engine, limit.is_none()));
        }
        Ok(found)
    }

    fn restored(&self, answer: &Map<String, Value>) -> Result<Box<dyn DynAnswer>, Refusal> {
        let name = answer.get("problem").and_then(Value::as_str).ok_or("the answer names no problem")?;
        self.problem(name)?.restore(answer).map_err(|error| Refusal::of(&error))
    }

    /// The explanation of an answer, in sentences and boards.
    pub(super) fn explain(&self, answer: &Map<String, Value>) -> Answer {
        let explanation = self.restored(answer)?.explain(&mut Budget::of_work(EXPLAIN_WORK));
        Ok(json!({
            "text": explanation.text,
            "boards": explanation.boards.panels.iter().map(panel).collect::<Vec<_>>(),
            "notes": explanation.boards.notes,
        }))
    }

    /// The size of an engine's formula.
    pub(super) fn size(&self, board: &Board, engine: &str) -> Answer {
        let engine = self.engine(self.problem(&board.problem)?, engine)?;
        let mut sizes = Sizes::default();
        self.instance(board)?.formula(&engine, &mut sizes).map_err(|why| Refusal::of(&why))?;
        Ok(sizes.to_json())
    }

    /// The data of a lesson about an answer. If the engine is a search, the lesson shows the formula of the engine that
    /// the problem names for lessons; if this formula is too large for a page, that of the first SAT engine.
    pub(super) fn lesson(&self, board: &Board, engine: &str, answer: &Map<String, Value>) -> Answer {
        let problem = self.problem(&board.problem)?;
        let by = self.engine(problem, engine)?;
        let instance = self.instance(board)?;
        let answer = self.restored(answer)?;
        let words = answer.explain(&mut Budget::of_work(EXPLAIN_WORK)).text;
        let program = self.registry.program();
        let material = |engine: &EngineSpec| Material {
            program: format!("{} {}", program.name, program.version),
            problem: problem.name(),
            about: problem.info().about,
            answer: AnswerText::new((&*answer, &by, &words), &*instance, engine),
        };
        let mut refusal = None;
        for engine in lesson_engines(problem, &by).iter().map(|id| self.engine(problem, id)) {
            let engine = engine?;
            let data = instance
                .supports(&engine)
                .map_err(|why| format!("{engine} does not support this board: {why}").into())
                .and_then(|()| lesson::data(&material(&engine), &*instance, &engine));
            match data {
                Ok(data) => return Ok(data),
                Err(why) => refusal = refusal.or(Some(why)),
            }
        }
        Err(refusal
            .map_or_else(|| "no engine of this problem writes a formula".into(), |why| Refusal::of(&why)))
    }
}

/// The ids of the engines whose formula may be in a lesson about an answer, the best first.
fn lesson_engines(problem: &dyn DynProblem, by: &EngineSpec) -> Vec<String> {
    if by.side == Side::Sat {
        return vec![by.to_string()];
    }
    let first = problem.engines().iter().find(|engine| engine.side == Side::Sat);
    let first = first.map(|engine| EngineSpec::default_of(engine).to_string());
    let mut found: Vec<String> = problem.info().lesson.iter().cloned().chain(first).collect();
    found.dedup();
    found
}

/// An answer with its claims as the checker found them.
fn checked(answer: &dyn DynAnswer, engine: &EngineSpec, is_settled: bool) -> Map<String, Value> {
    let claims = answer.check(&[], &mut Budget::of_work(CHECK_WORK));
    let verdict = match () {
        () if claim::any_failed(&claims) => "wrong",
        () if !is_settled => "not settled",
        () if claim::all_closed(&claims) => "checked",
        () => "open",
    };
    let claim = |claim: &Claim| json!({ "status": claim.status.word(), "text": claim.text, "reason": claim.status.reason() });
    let members = [
        ("outcome", answer.outcome().into()),
        ("verdict", verdict.into()),
        ("judge", String::from_utf8_lossy(&answer.judge_text(1)).into()),
        ("remark", answer.remark().into()),
        ("claims", claims.iter().map(claim).collect::<Vec<_>>().into()),
        ("answer", answer.to_json(&engine.to_string(), &claims)),
    ];
    members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}
