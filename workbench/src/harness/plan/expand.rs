//! Expands a plan to its runs, in the order in which they are made. Each repetition visits the instances in a seeded
//! random order and makes all runs of an instance one after another, in random order, too. So if the machine becomes
//! slower, all engines are affected alike.

use super::key::{key_of, key_parts};
use super::{Family, Keep, Plan, Source, cubes};
use crate::engine::Side;
use crate::erased::{DynInstance, DynProblem};
use crate::errors::{GenerateError, RulesError};
use crate::input::{self, InputError};
use crate::record::{Origin, Run, Tags};
use crate::rules::Settings;
use crate::solver::external::Program;
use crate::spec::EngineSpec;
use itertools::iproduct;
use rand::seq::SliceRandom;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use rustc_hash::FxHashMap;

/// The maximum number of runs of a plan.
const MAX_RUNS: u64 = 1_000_000;

/// The runs of a plan.
#[derive(Clone, Debug, Default)]
pub struct Expanded {
    /// The runs, in the order in which they are made.
    pub runs: Vec<Run>,
    /// The number of instances. Instances that occur several times, or under several rules, are counted each time.
    pub instances: usize,
    /// Warnings about the files that were read.
    pub warnings: Vec<String>,
}

/// An instance, with the engines that solve it.
struct Instance<'a> {
    origin: Origin,
    hash: String,
    settings: &'a Settings,
    engines: &'a [EngineSpec],
    tags: &'a [String],
    /// Whether this is the first instance of its family with these parameters, or the first game of its file.
    /// [`Keep::Sample`] keeps the answers to such instances.
    is_first: bool,
}

/// Why a plan cannot be expanded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExpandError {
    /// The plan has at least this many runs.
    #[error("the plan has at least {0} runs; at most {MAX_RUNS} are allowed")]
    TooManyRuns(u64),
    /// A family has no instances.
    #[error("{place}: {error}")]
    Family {
        /// The place of the family as `FILE:LINE:COLUMN`.
        place: String,
        /// Why the family has no instances.
        error: FamilyError,
    },
}

/// Why a family has no instances.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FamilyError {
    /// The generator cannot make an instance.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// The rules contradict each other.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The file has an error.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The file of this name is empty.
    #[error("{0} contains no game")]
    NoGame(String),
}

/// Expands a plan to its runs.
///
/// # Errors
/// Returns an error if there are too many runs, an instance cannot be generated or read, or if a file contains no game.
pub fn expand(plan: &Plan, problem: &dyn DynProblem) -> Result<Expanded, ExpandError> {
    let count = count(plan);
    if count > MAX_RUNS {
        return Err(ExpandError::TooManyRuns(count));
    }
    let mut expanded = Expanded::default();
    let mut instances = Vec::new();
    for (settings, family) in iproduct!(&plan.rules, &plan.families) {
        let found = instances_of(settings, family, problem, &mut expanded.warnings);
        let in_family = |error| ExpandError::Family { place: family.place.clone(), error };
        instances.extend(found.map_err(in_family)?);
    }
    expanded.instances = instances.len();
    let mut random = ChaCha8Rng::seed_from_u64(plan.order_seed);
    let mut known: FxHashMap<String, Tags> = FxHashMap::default();
    for repetition in 1..=plan.repetitions {
        instances.shuffle(&mut random);
        for instance in &instances {
            let mut runs = runs(plan, problem.name(), instance, repetition);
            // Two families may contain the same instance. It is solved once, and has the tags of both.
            runs.retain_mut(|run| {
                let is_new = !known.contains_key(&run.key);
                known.entry(run.key.clone()).or_default().merge(std::mem::take(&mut run.tags));
                is_new
            });
            runs.shuffle(&mut random);
            expanded.runs.extend(runs);
        }
    }
    for run in &mut expanded.runs {
        run.tags = known.remove(&run.key).unwrap_or_default();
    }
    Ok(expanded)
}

/// A lower bound on the number of runs before duplicates are removed: each file counts as one instance.
fn count(plan: &Plan) -> u64 {
    let each = |family: &Family| {
        let instances = match &family.source {
            Source::Generated { params, seeds, .. } => {
                (params.len() as u64).saturating_mul(seeds.len() as u64)
            }
            Source::Files(found) => found.iter().map(|found| found.files.len() as u64).sum(),
            Source::File { .. } => 1,
        };
        let formulas = |engine: &EngineSpec| {
            let shuffles = if engine.side == Side::Sat { 1 + u64::from(plan.shuffles) } else { 1 };
            let cubes = plan.cubes.filter(|_| cubes::is_cut(engine)).map_or(1, |cubes| u64::from(cubes) + 1);
            let seeds = 1 + u64::from(seeds(&plan.programs, engine, plan.solver_seeds));
            shuffles.saturating_mul(seeds).saturating_mul(cubes)
        };
        instances.saturating_mul(family.engines.iter().map(formulas).fold(0, u64::saturating_add))
    };
    let families = plan.families.iter().map(each).fold(0, u64::saturating_add);
    let choices = (plan.rules.len() * plan.limits.len()) as u64;
    families.saturating_mul(choices).saturating_mul(plan.repetitions.into())
}

/// The instances of a family under one choice of rules. Warnings about files are appended to `warnings`.
fn instances_of<'a>(
    settings: &'a Settings,
    family: &'a Family,
    problem: &dyn DynProblem,
    warnings: &mut Vec<String>,
) -> Result<Vec<Instance<'a>>, FamilyError> {
    let mut found = Vec::new();
    let (engines, tags) = (&family.engines[..], &family.tags[..]);
    let mut add = |origin, hash, i| {
        found.push(Instance { origin, hash, settings, engines, tags, is_first: i == 0 });
    };
    match &family.source {
        Source::Generated { name, params, seeds } => {
            for (params, (i, &seed)) in iproduct!(params, seeds.iter().enumerate()) {
                let instance = problem.generate(settings, name, params, seed)?;
                let origin = Origin::Family { name: name.clone(), params: params.clone(), seed };
                add(origin, instance.hash(), i);
            }
        }
        Source::Files(patterns) => {
            for (pattern, (i, file)) in
                patterns.iter().flat_map(|p| p.files.iter().enumerate().map(move |f| (&p.pattern, f)))
            {
                let origin = Origin::Found {
                    pattern: pattern.clone(),
                    file: file.path.to_string(),
                    number: i as u64 + 1,
                    text: file.to_string(),
                };
                add(origin, file.sha256.to_string(), i);
            }
        }
        Source::File { name, text } => {
            let of_file = input::Warnings::default();
            let instances = problem.open(settings, input::Source::from_text(name, text), &of_file)?;
            for (i, instance) in instances.enumerate() {
                let instance: Box<dyn DynInstance> = instance?;
                let origin = Origin::File { name: name.clone(), game: i as u64 + 1, text: instance.text() };
                add(origin, instance.hash(), i);
            }
            warnings.extend(of_file.take().iter().map(ToString::to_string));
            if found.is_empty() {
                return Err(FamilyError::NoGame(name.clone()));
            }
        }
    }
    Ok(found)
}

/// The runs of an instance in one repetition.
fn runs(plan: &Plan, problem: &str, instance: &Instance<'_>, repetition: u32) -> Vec<Run> {
    let rules = instance.settings.to_json();
    let mut runs = Vec::new();
    for (engine, limits) in iproduct!(instance.engines, &plan.limits) {
        let shuffles = if engine.side == Side::Sat { plan.shuffles } else { 0 };
        let seeds = seeds(&plan.programs, engine, plan.solver_seeds);
        for (shuffle, solver_seed) in iproduct!(0..=shuffles, 0..=seeds) {
            let is_plain = repetition == 1 && shuffle == 0 && solver_seed == 0;
            let sample = plan.keep == Keep::Sample && instance.is_first && is_plain;
            let mut run = Run {
                key: String::new(),
                problem: problem.to_owned(),
                rules: rules.clone(),
                origin: instance.origin.clone(),
                instance_hash: instance.hash.clone(),
                engine: engine.to_string(),
                repetition,
                shuffle,
                solver_seed,
                limits: *limits,
                cut: None,
                certify: plan.certify,
                keep: sample || plan.keep == Keep::All,
                tags: Tags::default(),
            };
            let declared = engine.declared().and_then(|engine| {
                plan.declared.iter().find(|d| (d.prints, &d.name) == (engine.prints, &engine.name))
            });
            let parts = key_parts(&run, program(&plan.programs, engine), declared);
            run.tags = plan.tags(instance.tags, &run.engine);
            match plan.cubes.filter(|_| cubes::is_cut(engine)) {
                Some(count) => runs.extend(cubes::cut(&run, &parts, count)),
                None => {
                    run.key = key_of(&parts);
                    runs.push(run);
                }
            }
        }
    }
    runs
}

/// The definition of an engine's solver; `None` if the solver is built in.
fn program<'a>(programs: &'a [Program], engine: &EngineSpec) -> Option<&'a Program> {
    programs.iter().find(|program| Some(program.name.as_str()) == engine.solver_name())
}

/// The number of seeds, besides the default seed, that an engine's solver gets if the plan asks for `solver_seeds`.
pub(super) fn seeds(programs: &[Program], engine: &EngineSpec, solver_seeds: u32) -> u32 {
    if program(programs, engine).is_some_and(|program| !program.seed.is_empty()) { solver_seeds } else { 0 }
}
