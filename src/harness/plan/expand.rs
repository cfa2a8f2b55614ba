//! A plan to its runs, in the order in which they are made: instances in a seeded random order, all that
//! is to be done with one of them together, shuffled too, and one repetition after another. So a change of
//! the machine's pace falls on all engines alike.

use super::{Family, Keep, Plan, Source};
use crate::engine::Side;
use crate::erased::{DynInstance, DynProblem};
use crate::input;
use crate::record::{Origin, Run};
use crate::rules::Settings;
use crate::solver::external::Program;
use crate::spec::EngineSpec;
use itertools::iproduct;
use rand::seq::SliceRandom;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use rustc_hash::FxHashSet;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The most runs of a plan.
const MAX_RUNS: u64 = 1_000_000;

/// Hexadecimal digits of a key.
const KEY_DIGITS: usize = 24;

/// The runs of a plan.
#[derive(Clone, Debug, Default)]
pub struct Expanded {
    /// In the order in which they are made.
    pub runs: Vec<Run>,
    /// How many instances they are about.
    pub instances: usize,
    /// Remarks on what was read.
    pub warnings: Vec<String>,
}

/// An instance with the engines that get it.
struct Instance<'a> {
    origin: Origin,
    hash: String,
    settings: &'a Settings,
    engines: &'a [EngineSpec],
    /// The first of its kind, of which `sample` keeps answers.
    first: bool,
}

/// All runs of a plan.
///
/// # Errors
/// An instance that cannot be had, and where the plan asks for it.
pub fn expand(plan: &Plan, problem: &dyn DynProblem) -> Result<Expanded, String> {
    let count = count(plan);
    if count > MAX_RUNS {
        return Err(format!(
            "the plan asks for {count} runs or more; at most {MAX_RUNS} are made of one plan"
        ));
    }
    let mut expanded = Expanded::default();
    let mut instances = Vec::new();
    for (settings, family) in iproduct!(&plan.rules, &plan.families) {
        let found = instances_of(settings, family, problem, &mut expanded.warnings);
        instances.extend(found.map_err(|why| format!("{}: {why}", family.place))?);
    }
    expanded.instances = instances.len();
    let mut random = ChaCha8Rng::seed_from_u64(plan.order_seed);
    let mut known = FxHashSet::default();
    for repetition in 1..=plan.repetitions {
        instances.shuffle(&mut random);
        for instance in &instances {
            let mut here = runs(plan, problem.name(), instance, repetition);
            // Two families may hold the same instance.
            here.retain(|run| known.insert(run.key.clone()));
            here.shuffle(&mut random);
            expanded.runs.extend(here);
        }
    }
    Ok(expanded)
}

/// How many runs there are, the games of each file counted as one.
fn count(plan: &Plan) -> u64 {
    let each = |family: &Family| {
        let instances = match &family.source {
            Source::Generated { params, seeds, .. } => {
                (params.len() as u64).saturating_mul(seeds.len() as u64)
            }
            Source::File { .. } => 1,
        };
        let formulas =
            |engine: &EngineSpec| if engine.side == Side::Sat { 1 + u64::from(plan.shuffles) } else { 1 };
        instances.saturating_mul(family.engines.iter().map(formulas).sum())
    };
    let families = plan.families.iter().map(each).fold(0, u64::saturating_add);
    let ways = (plan.rules.len() * plan.limits.len()) as u64;
    families.saturating_mul(ways).saturating_mul(plan.repetitions.into())
}

fn instances_of<'a>(
    settings: &'a Settings,
    family: &'a Family,
    problem: &dyn DynProblem,
    told: &mut Vec<String>,
) -> Result<Vec<Instance<'a>>, String> {
    let engines = &family.engines[..];
    let mut found = Vec::new();
    match &family.source {
        Source::Generated { name, params, seeds } => {
            for (params, (i, &seed)) in iproduct!(params, seeds.iter().enumerate()) {
                let case = problem.generate(settings, name, params, seed)?;
                let origin = Origin::Family { name: name.clone(), params: params.clone(), seed };
                found.push(Instance { origin, hash: case.hash(), settings, engines, first: i == 0 });
            }
        }
        Source::File { name, text } => {
            let warnings = input::Warnings::default();
            let cases = problem.open(settings, input::Source::from_text(name, text), &warnings)?;
            for (i, case) in cases.enumerate() {
                let case: Box<dyn DynInstance> = case.map_err(|error| error.to_string())?;
                let origin = Origin::File { name: name.clone(), game: i as u64 + 1, text: case.text() };
                found.push(Instance { origin, hash: case.hash(), settings, engines, first: i == 0 });
            }
            told.extend(warnings.take().iter().map(ToString::to_string));
            if found.is_empty() {
                return Err(format!("{name} holds no game"));
            }
        }
    }
    Ok(found)
}

/// All that is to be done with an instance.
fn runs(plan: &Plan, problem: &str, instance: &Instance<'_>, repetition: u32) -> Vec<Run> {
    let rules = instance.settings.to_json();
    let mut runs = Vec::new();
    for (engine, limits) in iproduct!(instance.engines, &plan.limits) {
        let shuffles = if engine.side == Side::Sat { plan.shuffles } else { 0 };
        for shuffle in 0..=shuffles {
            let sample = plan.keep == Keep::Sample && instance.first && repetition == 1 && shuffle == 0;
            let mut run = Run {
                key: String::new(),
                problem: problem.to_owned(),
                rules: rules.clone(),
                origin: instance.origin.clone(),
                instance_hash: instance.hash.clone(),
                engine: engine.to_string(),
                repetition,
                shuffle,
                limits: *limits,
                certify: plan.certify,
                keep: sample || plan.keep == Keep::All,
            };
            let program =
                plan.programs.iter().find(|program| Some(program.name.as_str()) == engine.solver_name());
            run.key = key(&run, program);
            runs.push(run);
        }
    }
    runs
}

/// A hash of all that makes a run what it is, and of nothing else.
fn key(run: &Run, program: Option<&Program>) -> String {
    let origin: Value = match &run.origin {
        Origin::Family { name, params, seed } => json!([name, params, seed]),
        // Where a game stands in its file does not matter.
        Origin::File { .. } => Value::Null,
    };
    let mut made_of = json!([
        run.problem,
        run.rules,
        origin,
        run.instance_hash,
        run.engine,
        run.limits,
        run.repetition,
        run.shuffle,
        run.certify
    ]);
    // An outside solver is what its command does.
    if let (Some(list), Some(program)) = (made_of.as_array_mut(), program) {
        list.push(json!([program.command, program.limits]));
    }
    let digest = Sha256::digest(made_of.to_string().as_bytes());
    let mut key: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    key.truncate(KEY_DIGITS);
    key
}
