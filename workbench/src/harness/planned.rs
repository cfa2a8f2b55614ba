//! Holds the fields of a plan's runs in the form in which records contain them. An attempt writes these fields into its
//! record. When a record is read, it is rejected if it disagrees with these fields.

use super::environment;
use super::plan::{Expanded, Plan};
use crate::erased::DynProblem;
use crate::record::{Limits, Origin, Record, Run, Tags};
use crate::rules::Settings;
use crate::spec::EngineSpec;
use rustc_hash::FxHashMap;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::Arc;

/// The maximum length of a rule's value in a record, in bytes. A longer value is replaced by its hash.
const MAX_RULE: usize = 64;

/// Limits on time count as equal if their relative difference is at most this, which allows for rounding.
const ROUNDING: f64 = 1e-12;

/// The runs of a plan by their keys. There can be a million, so they share the parts that they have in common.
#[derive(Default)]
pub struct Planned {
    problem: &'static str,
    runs: FxHashMap<String, Identity>,
}

/// The fields of a run that its records repeat.
struct Identity {
    source: Source,
    instance_hash: String,
    rules: Arc<Values>,
    engine: Arc<Engine>,
    repetition: u32,
    shuffle: u32,
    solver_seed: u32,
    /// The number of the cube, and the number of all cubes, if the formula is cut.
    cut: Option<(Option<NonZero<u32>>, NonZero<u32>)>,
    limits: Limits,
    /// The tags in the plan, which replace those in records.
    tags: Tags,
}

/// The source of an instance: a family with its parameters and a seed; a file and the number of the game in it; or a
/// pattern, a file that it matches, and the number of that file.
struct Source {
    family: Arc<str>,
    /// `None` if the instance is a game of a file.
    params: Option<Arc<Values>>,
    seed: u64,
    /// Whether the instance comes from a file. In that case, records may have a different file name or number, because
    /// files may be renamed and their games reordered.
    may_move: bool,
}

/// An engine in the form of records.
struct Engine {
    id: String,
    side: String,
    encoding: String,
    axes: BTreeMap<String, String>,
    solver: Option<String>,
}

/// Parameters or rules in the form of records.
type Values = Map<String, Value>;

impl Planned {
    /// The runs of a plan.
    pub fn new(plan: &Plan, expanded: &Expanded, problem: &dyn DynProblem) -> Self {
        let specs = plan.families.iter().flat_map(|family| &family.engines);
        let engines: FxHashMap<String, Arc<Engine>> =
            specs.map(|spec| (spec.to_string(), Arc::new(Engine::of(spec)))).collect();
        let defaults = default_rules(problem);
        let mut rules: Vec<(&Value, Arc<Values>)> = Vec::new();
        let mut families: FxHashMap<&[(String, String)], Arc<Values>> = FxHashMap::default();
        let mut names: FxHashMap<&str, Arc<str>> = FxHashMap::default();
        let mut runs = FxHashMap::default();
        for run in &expanded.runs {
            let Some(engine) = engines.get(&run.engine) else { continue };
            let known = rules.iter().position(|(known, _)| **known == run.rules);
            let known = known.unwrap_or_else(|| {
                rules.push((&run.rules, Arc::new(changed_rules(&defaults, &run.rules))));
                rules.len() - 1
            });
            let (name, params, seed) = match &run.origin {
                Origin::Family { name, params, seed } => {
                    let values = families.entry(params).or_insert_with(|| Arc::new(param_values(params)));
                    (name, Some(Arc::clone(values)), *seed)
                }
                Origin::File { name, game, .. } => (name, None, *game),
                Origin::Found { pattern, file, number, .. } => {
                    (pattern, Some(Arc::new(file_param(file))), *number)
                }
            };
            let family = Arc::clone(names.entry(name).or_insert_with(|| name.as_str().into()));
            let may_move = !matches!(run.origin, Origin::Family { .. });
            let identity = Identity {
                source: Source { family, params, seed, may_move },
                instance_hash: run.instance_hash.clone(),
                rules: Arc::clone(&rules[known].1),
                engine: Arc::clone(engine),
                repetition: run.repetition,
                shuffle: run.shuffle,
                solver_seed: run.solver_seed,
                cut: run
                    .cut
                    .as_ref()
                    .and_then(|cut| Some((cut.number.and_then(NonZero::new), NonZero::new(cut.cubes)?))),
                limits: run.limits,
                tags: run.tags.clone(),
            };
            runs.insert(run.key.clone(), identity);
        }
        Planned { problem: problem.name(), runs }
    }

    /// Compares a record with the planned run of its key, and completes the record from that run. The record gets the
    /// parts of the engine's id that it lacks, such as an axis that the encoding did not have when the record was made.
    /// Its file name, game number and tags are replaced by those of the plan, because they may have changed. If the
    /// plan does not contain such a run, the record is accepted as it is.
    ///
    /// # Errors
    /// Returns an error if the record and the planned run differ. The message names the first field in which they
    /// differ.
    pub fn admit(&self, record: &mut Record) -> Result<(), NotPlanned> {
        let Some(run) = self.runs.get(&record.key) else { return Ok(()) };
        same("problem", record.problem.as_str(), self.problem)?;
        same("instance_hash", &record.instance_hash, &run.instance_hash)?;
        same("rules", &record.rules, &*run.rules)?;
        let none = Map::new();
        let params = run.source.params.as_deref().unwrap_or(&none);
        if !run.source.may_move || params.is_empty() {
            same("params", &record.params, params)?;
        }
        if !run.source.may_move {
            same("family", record.family.as_str(), &*run.source.family)?;
            same("seed", &record.seed, &run.source.seed)?;
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
        same("solver_seed", &record.solver_seed, &run.solver_seed)?;
        same("cube", &record.cube, &run.cube())?;
        same("cubes", &record.cubes, &run.cubes())?;
        let Limits { cpu_s, wall_s, proof_s, memory_bytes, work } = record.limits;
        let times = [(cpu_s, run.limits.cpu_s), (wall_s, run.limits.wall_s), (proof_s, run.limits.proof_s)];
        if !times.into_iter().all(|(recorded, planned)| close(recorded, planned)) {
            return same("limits", &record.limits, &run.limits);
        }
        same("limits.memory_bytes", &memory_bytes, &run.limits.memory_bytes)?;
        same("limits.work", &work, &run.limits.work)?;
        record.encoding.clone_from(encoding);
        record.solver.clone_from(solver);
        record.axes.clone_from(axes);
        record.params.clone_from(params);
        record.family = run.source.family.to_string();
        record.seed = run.source.seed;
        record.tags.clone_from(&run.tags);
        Ok(())
    }

    /// The record of a planned run without findings; `None` if the plan has no run with this key.
    pub fn without_findings(&self, key: &str) -> Option<Record> {
        let run = self.runs.get(key)?;
        let Engine { id, side, encoding, axes, solver } = &*run.engine;
        Some(Record {
            key: key.to_owned(),
            problem: self.problem.to_owned(),
            family: run.source.family.to_string(),
            params: run.source.params.as_deref().cloned().unwrap_or_default(),
            seed: run.source.seed,
            instance_hash: run.instance_hash.clone(),
            rules: (*run.rules).clone(),
            engine: id.clone(),
            side: side.clone(),
            encoding: encoding.clone(),
            axes: axes.clone(),
            solver: solver.clone(),
            tags: run.tags.clone(),
            repetition: run.repetition,
            shuffle: run.shuffle,
            solver_seed: run.solver_seed,
            cube: run.cube(),
            cubes: run.cubes(),
            limits: run.limits,
            ..Record::default()
        })
    }
}

impl Identity {
    /// The number of the cube as in records.
    fn cube(&self) -> Option<String> {
        let (number, cubes) = self.cut?;
        Some(format!("{}/{cubes}", number?))
    }

    /// The number of cubes whose results the run puts together.
    fn cubes(&self) -> Option<u32> {
        self.cut.filter(|(number, _)| number.is_none()).map(|(_, cubes)| cubes.get())
    }
}

/// A record differs from the planned run of its key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name} is {found}; in the plan, the run of this key has {planned}")]
pub struct NotPlanned {
    /// The name of the first field in which they differ.
    pub name: String,
    /// The value in the record as JSON, or "absent".
    pub found: String,
    /// The value of the planned run, in the same form.
    pub planned: String,
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

/// The record of a run that has no findings yet.
pub(super) fn empty_record(run: &Run, spec: &EngineSpec, problem: &dyn DynProblem) -> Record {
    let (family, params, seed) = match &run.origin {
        Origin::Family { name, params, seed } => (name.clone(), param_values(params), *seed),
        Origin::File { name, game, .. } => (name.clone(), Map::new(), *game),
        Origin::Found { pattern, file, number, .. } => (pattern.clone(), file_param(file), *number),
    };
    let Engine { id: _, side, encoding, axes, solver } = Engine::of(spec);
    Record {
        key: run.key.clone(),
        problem: run.problem.clone(),
        family,
        params,
        seed,
        instance_hash: run.instance_hash.clone(),
        rules: changed_rules(&default_rules(problem), &run.rules),
        engine: run.engine.clone(),
        side,
        encoding,
        axes,
        solver,
        tags: run.tags.clone(),
        repetition: run.repetition,
        shuffle: run.shuffle,
        solver_seed: run.solver_seed,
        cube: run.cube(),
        cubes: run.cubes(),
        limits: run.limits,
        ..Record::default()
    }
}

/// Checks that a field of a record is as planned.
fn same<T: PartialEq + Serialize + ?Sized>(name: &str, found: &T, planned: &T) -> Result<(), NotPlanned> {
    if found == planned {
        return Ok(());
    }
    let quoted = |value: &T| match serde_json::to_string(value) {
        Ok(text) if text != "null" => text,
        _ => "absent".to_owned(),
    };
    let (found, planned) = (quoted(found), quoted(planned));
    Err(NotPlanned { name: name.to_owned(), found, planned })
}

/// Whether two limits on time are equal up to rounding, or both absent.
fn close(one: Option<f64>, other: Option<f64>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => (one - other).abs() <= ROUNDING * other.abs(),
        (one, other) => one == other,
    }
}

/// Parameters as JSON values: numbers if they can be read as numbers, otherwise strings.
fn param_values(params: &[(String, String)]) -> Map<String, Value> {
    let value = |text: &String| match (text.parse::<i64>(), text.parse::<f64>()) {
        (Ok(whole), _) => whole.into(),
        (_, Ok(number)) if number.is_finite() => number.into(),
        _ => text.as_str().into(),
    };
    params.iter().map(|(key, text)| (key.clone(), value(text))).collect()
}

/// The parameter of an instance that is a file.
fn file_param(file: &str) -> Values {
    Map::from_iter([("file".to_owned(), file.into())])
}

/// The judge's rules.
fn default_rules(problem: &dyn DynProblem) -> Value {
    let settings = Settings::new(problem.rules(), &[], &|_| Err("".into()));
    settings.map(|settings| settings.to_json()).unwrap_or_default()
}

/// The rules that differ from the judge's.
fn changed_rules(defaults: &Value, rules: &Value) -> Map<String, Value> {
    let changed =
        rules.as_object().into_iter().flatten().filter(|(key, value)| defaults.get(key) != Some(value));
    let shortened = |value: &Value| match value.as_str() {
        Some(text) if text.len() > MAX_RULE => {
            format!("sha256:{}", environment::hash(text.as_bytes())).into()
        }
        _ => value.clone(),
    };
    changed.map(|(key, value)| (key.clone(), shortened(value))).collect()
}
