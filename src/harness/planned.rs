//! What a plan says of each run, in the words of its records: what an attempt writes into a record, and what a record
//! that is read must agree with before it counts.

use super::environment;
use super::plan::{Expanded, Plan};
use crate::erased::DynProblem;
use crate::record::{Limits, Origin, Record, Run};
use crate::rules::Settings;
use crate::spec::EngineSpec;
use rustc_hash::FxHashMap;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The longest text of a rule that records repeat; longer ones are named by their hash.
const MAX_RULE: usize = 64;

/// The relative difference of two times that are the same but for how they were read.
const ROUNDING: f64 = 1e-12;

/// The runs of a plan by their keys. A million of them share what they have in common.
#[derive(Default)]
pub struct Planned {
    problem: &'static str,
    runs: FxHashMap<String, Identity>,
}

/// What tells a run from others.
struct Identity {
    place: Place,
    instance_hash: String,
    rules: Arc<Shown>,
    engine: Arc<Engine>,
    repetition: u32,
    shuffle: u32,
    limits: Limits,
}

/// Where an instance comes from.
struct Place {
    family: Arc<str>,
    /// `None` if it was read from a file: then name and number are no part of the run, since a file may be renamed and
    /// its games may be put into another order.
    params: Option<Arc<Shown>>,
    seed: u64,
}

/// An engine as records name it.
struct Engine {
    id: String,
    side: String,
    encoding: String,
    axes: BTreeMap<String, String>,
    solver: Option<String>,
}

/// Parameters or rules as records show them.
type Shown = Map<String, Value>;

impl Planned {
    /// The runs of a plan.
    pub fn new(plan: &Plan, expanded: &Expanded, problem: &dyn DynProblem) -> Self {
        let specs = plan.families.iter().flat_map(|family| &family.engines);
        let engines: FxHashMap<String, Arc<Engine>> =
            specs.map(|spec| (spec.to_string(), Arc::new(Engine::of(spec)))).collect();
        let usual = usual(problem);
        let mut rules: Vec<(&Value, Arc<Shown>)> = Vec::new();
        let mut families: FxHashMap<&[(String, String)], Arc<Shown>> = FxHashMap::default();
        let mut names: FxHashMap<&str, Arc<str>> = FxHashMap::default();
        let mut runs = FxHashMap::default();
        for run in &expanded.runs {
            let Some(engine) = engines.get(&run.engine) else { continue };
            let known = rules.iter().position(|(known, _)| **known == run.rules);
            let known = known.unwrap_or_else(|| {
                rules.push((&run.rules, Arc::new(unusual(&usual, &run.rules))));
                rules.len() - 1
            });
            let (name, params, seed) = match &run.origin {
                Origin::Family { name, params, seed } => {
                    let shown = families.entry(params).or_insert_with(|| Arc::new(numbers(params)));
                    (name, Some(Arc::clone(shown)), *seed)
                }
                Origin::File { name, game, .. } => (name, None, *game),
            };
            let family = Arc::clone(names.entry(name).or_insert_with(|| name.as_str().into()));
            let identity = Identity {
                place: Place { family, params, seed },
                instance_hash: run.instance_hash.clone(),
                rules: Arc::clone(&rules[known].1),
                engine: Arc::clone(engine),
                repetition: run.repetition,
                shuffle: run.shuffle,
                limits: run.limits,
            };
            runs.insert(run.key.clone(), identity);
        }
        Planned { problem: problem.name(), runs }
    }

    /// Holds a record against the run that it claims to be of, if the plan has that run. Two things are taken from the
    /// plan: parts of the engine's name that the record lacks, such as axes that encodings had no choice of when it was
    /// made; and, since they are no part of the run, the name of a file and which of its games an instance was.
    ///
    /// # Errors
    /// What the two disagree about.
    pub fn admit(&self, record: &mut Record) -> Result<(), String> {
        let Some(run) = self.runs.get(&record.key) else { return Ok(()) };
        same("problem", record.problem.as_str(), self.problem)?;
        same("instance_hash", &record.instance_hash, &run.instance_hash)?;
        same("rules", &record.rules, &*run.rules)?;
        let none = Map::new();
        same("params", &record.params, run.place.params.as_deref().unwrap_or(&none))?;
        if run.place.params.is_some() {
            same("family", record.family.as_str(), &*run.place.family)?;
            same("seed", &record.seed, &run.place.seed)?;
        }
        let Engine { id, side, encoding, axes, solver } = &*run.engine;
        same("engine", &record.engine, id)?;
        same("side", &record.side, side)?;
        if !record.encoding.is_empty() {
            same("encoding", &record.encoding, encoding)?;
        }
        if record.solver.is_some() {
            same("solver", &record.solver, solver)?;
        }
        for (axis, value) in &record.axes {
            same(&format!("axes.{axis}"), &Some(value), &axes.get(axis))?;
        }
        same("repetition", &record.repetition, &run.repetition)?;
        same("shuffle", &record.shuffle, &run.shuffle)?;
        let Limits { cpu_s, wall_s, memory_bytes, work } = record.limits;
        if !close(cpu_s, run.limits.cpu_s) || !close(wall_s, run.limits.wall_s) {
            return same("limits", &record.limits, &run.limits);
        }
        same("limits.memory_bytes", &memory_bytes, &run.limits.memory_bytes)?;
        same("limits.work", &work, &run.limits.work)?;
        record.encoding.clone_from(encoding);
        record.solver.clone_from(solver);
        record.axes.clone_from(axes);
        record.family = run.place.family.to_string();
        record.seed = run.place.seed;
        Ok(())
    }
}

impl Engine {
    fn of(spec: &EngineSpec) -> Self {
        Engine {
            id: spec.to_string(),
            side: spec.side.to_string(),
            encoding: spec.name.to_owned(),
            axes: spec.axes().map(|(axis, value)| (axis.to_owned(), value.to_owned())).collect(),
            solver: spec.solver_name().map(str::to_owned),
        }
    }
}

/// The record of a run of which nothing is known yet.
pub(super) fn blank(run: &Run, spec: &EngineSpec, problem: &dyn DynProblem) -> Record {
    let (family, params, seed) = match &run.origin {
        Origin::Family { name, params, seed } => (name.clone(), numbers(params), *seed),
        Origin::File { name, game, .. } => (name.clone(), Map::new(), *game),
    };
    let Engine { id: _, side, encoding, axes, solver } = Engine::of(spec);
    Record {
        key: run.key.clone(),
        problem: run.problem.clone(),
        family,
        params,
        seed,
        instance_hash: run.instance_hash.clone(),
        rules: unusual(&usual(problem), &run.rules),
        engine: run.engine.clone(),
        side,
        encoding,
        axes,
        solver,
        repetition: run.repetition,
        shuffle: run.shuffle,
        limits: run.limits,
        ..Record::default()
    }
}

fn same<T: PartialEq + Serialize + ?Sized>(name: &str, found: &T, planned: &T) -> Result<(), String> {
    if found == planned {
        return Ok(());
    }
    let shown = |value: &T| match serde_json::to_string(value) {
        Ok(text) if text != "null" => text,
        _ => "absent".to_owned(),
    };
    Err(format!("{name} is {}; in the plan, the run of this key has {}", shown(found), shown(planned)))
}

/// Whether two times are the same.
fn close(one: Option<f64>, other: Option<f64>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => (one - other).abs() <= ROUNDING * other.abs(),
        (one, other) => one == other,
    }
}

/// Parameters, as numbers where they are numbers.
fn numbers(params: &[(String, String)]) -> Map<String, Value> {
    let value = |text: &String| match (text.parse::<i64>(), text.parse::<f64>()) {
        (Ok(whole), _) => whole.into(),
        (_, Ok(number)) if number.is_finite() => number.into(),
        _ => text.as_str().into(),
    };
    params.iter().map(|(key, text)| (key.clone(), value(text))).collect()
}

/// The judge's rules.
fn usual(problem: &dyn DynProblem) -> Value {
    let settings = Settings::new(problem.rules(), &[], &|_| Err(String::new()));
    settings.map(|settings| settings.to_json()).unwrap_or_default()
}

/// The rules that are not the judge's.
fn unusual(usual: &Value, rules: &Value) -> Map<String, Value> {
    let other = rules.as_object().into_iter().flatten().filter(|(key, value)| usual.get(key) != Some(value));
    let shown = |value: &Value| match value.as_str() {
        Some(text) if text.len() > MAX_RULE => {
            format!("sha256:{}", environment::hash(text.as_bytes())).into()
        }
        _ => value.clone(),
    };
    other.map(|(key, value)| (key.clone(), shown(value))).collect()
}
