//! Holds the fields of a plan's runs in the form in which records contain them. An attempt writes these fields into its
//! record. When a record is read, it is rejected if it disagrees with these fields.

use super::environment;
use super::plan::runs::Place;
use super::plan::{Expanded, Plan, PlannedRun, Runs, key_of_half};
use crate::erased::DynProblem;
use crate::record::{Limits, Line, Origin, Record, Run, Setup, Source};
use crate::rules::Settings;
use crate::spec::EngineSpec;
use counterpoint_base::cube::CubeNumber;
use rustc_hash::FxHashMap;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The maximum length of a rule's value in a record, in bytes. A longer value is replaced by its hash.
const MAX_RULE: usize = 64;

/// Limits on time count as equal if their relative difference is at most this, which allows for rounding.
const ROUNDING: f64 = 1e-12;

/// The runs of a plan by their keys. There can be a million, so they share the parts that they have in common.
#[derive(Default)]
pub struct Planned {
    runs: Arc<Runs>,
    /// By place, whether the instances come from a file, and the source of its instances for each choice of rules.
    sources: Vec<(bool, Vec<Source>)>,
    engines: Vec<Engine>,
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
        let runs = Arc::clone(&expanded.runs);
        let specs = plan.families.iter().flat_map(|family| &family.engines);
        let known: FxHashMap<String, &EngineSpec> = specs.map(|spec| (spec.to_string(), spec)).collect();
        let engines =
            runs.engines.iter().filter_map(|id| known.get(id)).map(|spec| Engine::of(spec)).collect();
        let defaults = default_rules(problem);
        let rules: Vec<Values> = runs.rules.iter().map(|rules| changed_rules(&defaults, rules)).collect();
        let mut sources: Vec<(bool, Vec<Source>)> = Vec::with_capacity(runs.places.len());
        for place in &runs.places {
            let (family, params) = of_place(place);
            let may_move = !matches!(place, Place::Family { .. });
            let source = |rules: &Values| Source {
                problem: problem.name().to_owned(),
                family: family.clone(),
                params: params.clone(),
                rules: rules.clone(),
            };
            sources.push((may_move, rules.iter().map(source).collect()));
        }
        Planned { runs, sources, engines }
    }

    /// The runs.
    pub fn runs(&self) -> &Arc<Runs> {
        &self.runs
    }

    fn source(&self, place: u32, rules: u32) -> &Source {
        &self.sources[place as usize].1[rules as usize]
    }

    /// Compares a record with the planned run of its key, and returns that run. Callers replace the record's
    /// source, setup and seed by those of the run: the record may lack parts of the engine's id, such as an
    /// axis that the encoding did not have when the record was made, and its file name, game number and tags
    /// may have changed. `None` if the plan does not contain such a run; the record is then accepted
    /// unchanged. The run is found fastest if its number is `start` or a little more.
    ///
    /// # Errors
    /// Returns an error if the record and the planned run differ. The message names the first field in which they
    /// differ.
    pub fn admit(&self, line: &Line<'_>, start: usize) -> Result<Option<PlannedRun<'_>>, NotPlanned> {
        let original = line.split_of.as_ref().unwrap_or(&line.key);
        let Some(number) = self.runs.find_from(start, original) else { return Ok(None) };
        let run = self.runs.get(number);
        let [place, rules, engine, ..] = run.parts();
        let (source, may_move) = (self.source(place, rules), self.sources[place as usize].0);
        same("problem", &*line.problem, source.problem.as_str())?;
        if !run.has_hash(&line.instance_hash) {
            same("instance_hash", &*line.instance_hash, run.instance_hash().as_str())?;
        }
        if line.rules != source.rules {
            same("rules", &line.rules.to_map(), &source.rules)?;
        }
        if (!may_move || source.params.is_empty()) && line.params != source.params {
            same("params", &line.params.to_map(), &source.params)?;
        }
        if !may_move {
            same("family", &*line.family, source.family.as_str())?;
            same("seed", &line.seed, &run.seed())?;
        }
        let Engine { id, side, encoding, axes, solver } = &self.engines[engine as usize];
        same("engine", &*line.engine, id.as_str())?;
        same("side", &*line.side, side.as_str())?;
        if !line.encoding.is_empty() {
            same("encoding", &*line.encoding, encoding.as_str())?;
        }
        if line.solver.is_some() {
            same("solver", &line.solver.as_deref(), &solver.as_deref())?;
        }
        for (axis, value) in &line.axes.0 {
            let planned = axes.get(&**axis).map(String::as_str);
            if planned != Some(&**value) {
                same(&format!("axes.{}", &**axis), &Some(&**value), &planned)?;
            }
        }
        same("repetition", &line.repetition, &run.repetition())?;
        same("shuffle", &line.shuffle, &run.shuffle())?;
        same("solver_seed", &line.solver_seed, &run.solver_seed())?;
        match &line.split_of {
            None => same("cube", &line.cube.as_deref(), &run.cube().as_deref())?,
            Some(original) => is_half(line, original, run)?,
        }
        same("cubes", &line.cubes, &run.cubes())?;
        let Limits { cpu_s, wall_s, proof_s, memory_bytes, work } = line.limits;
        let limits = run.limits();
        let times = [(cpu_s, limits.cpu_s), (wall_s, limits.wall_s), (proof_s, limits.proof_s)];
        if !times.into_iter().all(|(recorded, planned)| close(recorded, planned)) {
            same("limits", &line.limits, &limits)?;
        }
        same("limits.memory_bytes", &memory_bytes, &limits.memory_bytes)?;
        same("limits.work", &work, &limits.work)?;
        Ok(Some(run))
    }

    /// The source of a run's instance in the form of records.
    pub(super) fn source_of(&self, run: PlannedRun<'_>) -> Source {
        let [place, rules, ..] = run.parts();
        self.source(place, rules).clone()
    }

    /// The setup of a run in the form of records, with the limits of its record.
    pub(super) fn setup_of(&self, run: PlannedRun<'_>, limits: Limits) -> Setup {
        let Engine { id, side, encoding, axes, solver } = &self.engines[run.parts()[2] as usize];
        Setup {
            engine: id.clone(),
            side: side.clone(),
            encoding: encoding.clone(),
            axes: axes.clone(),
            solver: solver.clone(),
            limits,
            tags: run.tags().clone(),
        }
    }

    /// The record of a planned run without findings.
    pub fn without_findings(&self, run: PlannedRun<'_>) -> Record {
        let Source { problem, family, params, rules } = self.source_of(run);
        let Setup { engine, side, encoding, axes, solver, limits, tags } = self.setup_of(run, run.limits());
        Record {
            key: run.key(),
            problem,
            family,
            params,
            seed: run.seed(),
            instance_hash: run.instance_hash(),
            rules,
            engine,
            side,
            encoding,
            axes,
            solver,
            tags,
            repetition: run.repetition(),
            shuffle: run.shuffle(),
            solver_seed: run.solver_seed(),
            cube: run.cube(),
            cubes: run.cubes(),
            limits,
            ..Record::default()
        }
    }
}

/// The family of a place and the parameters of its instances, in the form of records.
fn of_place(place: &Place) -> (String, Values) {
    match place {
        Place::Family { name, params } => (name.clone(), param_values(params)),
        Place::File { name } => (name.clone(), Map::new()),
        Place::Found { pattern, file } => (pattern.clone(), file_param(file)),
    }
}

/// A record differs from the planned run of its key. The record of a half of a cube is compared with what the
/// planned run of the cube implies for the half.
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
        split_of: run.cut.as_ref().and_then(|cut| cut.split_of.clone()),
        cubes: run.cubes(),
        limits: run.limits,
        ..Record::default()
    }
}

/// Checks that a record is that of a half of the cube that a planned run solves.
fn is_half(line: &Line<'_>, original: &str, run: PlannedRun<'_>) -> Result<(), NotPlanned> {
    let number: Option<CubeNumber> = line.cube.as_deref().and_then(|cube| cube.parse().ok());
    let half =
        number.filter(|number| number.parent().is_some() && Some(number.original()) == run.cube_number());
    match half {
        Some(half) => same("key", &*line.key, key_of_half(original, &half).as_str()),
        None => same(
            "cube",
            &line.cube.as_deref(),
            &run.cube().map(|cube| format!("a half of {cube}")).as_deref(),
        ),
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
