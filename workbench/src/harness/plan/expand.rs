//! Expands a plan to its runs, in the order in which they are made. Each repetition visits the instances in a seeded
//! random order and makes all runs of an instance one after another, in random order, too. So if the machine becomes
//! slower, all engines are affected alike.

use super::key::{end_of_key, key_of, start_of_key};
use super::runs::{Hash, Instance, Key, Place, Row, Runs, UNCUT};
use super::{Family, Keep, Plan, Source, cubes};
use crate::declared::Declaration;
use crate::engine::Side;
use crate::erased::{DynInstance, DynProblem};
use crate::errors::{GenerateError, RulesError};
use crate::input::{self, InputError};
use crate::record::Tags;
use crate::rules::Settings;
use crate::solver::external::Program;
use crate::spec::EngineSpec;
use chacha20::{ChaCha8Rng, rand_core::SeedableRng};
use counterpoint_base::keyed::{KeyedMap, KeyedSet, Keys};
use itertools::iproduct;
use rand::seq::SliceRandom;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The maximum number of runs of a plan.
const MAX_RUNS: u64 = 1_000_000;

/// The runs of a plan.
#[derive(Clone, Debug, Default)]
pub struct Expanded {
    /// The runs, in the order in which they are made.
    pub runs: Arc<Runs>,
    /// The number of instances. Instances that occur several times, or under several rules, are counted each time.
    pub instances: usize,
    /// Warnings about the files that were read.
    pub warnings: Vec<String>,
}

/// What the runs of an instance need besides the instance.
struct Origins<'a> {
    family: &'a Family,
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
    /// The plan has too many instances, up to this family.
    #[error("the plan has more than {MAX_RUNS} instances up to here")]
    TooManyInstances,
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
    let mut runs = Runs::default();
    problem.name().clone_into(&mut runs.problem);
    runs.certify = plan.certify;
    runs.limits.clone_from(&plan.limits);
    let (mut origins, mut warnings) = (Vec::new(), Vec::new());
    for (settings, families) in by_rules(plan) {
        runs.rules.push(settings.to_json());
        for family in families {
            let mut adding = Adding { runs: &mut runs, origins: &mut origins, family };
            let added = adding.instances((settings, problem), &mut warnings);
            added.map_err(|error| ExpandError::Family { place: family.place.clone(), error })?;
        }
    }
    warnings.extend(equal_files(plan));
    let instances = origins.len();
    let mut random = ChaCha8Rng::seed_from_u64(plan.order_seed);
    let mut known = KeyedSet::with_capacity_and_hasher(count as usize, Keys::default());
    // The keys of runs that occur again, with the tags of the later occurrence.
    let mut merged: Vec<(Key, Tags)> = Vec::new();
    let setups = Setups::new(plan, &mut runs);
    // Instances are numbered in the order of their first runs, so that runs that follow each other have instances that are
    // near each other in memory.
    runs.instances.shuffle(&mut ChaCha8Rng::seed_from_u64(plan.order_seed));
    origins.shuffle(&mut random);
    let mut order: Vec<u32> = (0..instances as u32).collect();
    for repetition in 1..=plan.repetitions {
        if repetition > 1 {
            order.shuffle(&mut random);
        }
        for &instance in &order {
            let mut added = setups.runs(&mut runs, &origins[instance as usize], (instance, repetition));
            // Two families may contain the same instance. It is solved once, and has the tags of both.
            added.retain(|(row, tags)| {
                let is_new = known.insert(row.key);
                if !is_new {
                    merged.push((row.key, tags.clone()));
                }
                is_new
            });
            added.shuffle(&mut random);
            for (mut row, tags) in added {
                row.tags = runs.tags.number(&tags);
                runs.rows.push(row);
            }
        }
    }
    runs.rows.shrink_to_fit();
    runs.sort();
    for (key, tags) in merged {
        let Some(number) = runs.find_key(&key) else { continue };
        let row = runs.rows[number];
        let mut all = runs.tags.values[row.tags as usize].clone();
        all.merge(tags);
        runs.rows[number].tags = runs.tags.number(&all);
    }
    Ok(Expanded { runs: Arc::new(runs), instances, warnings })
}

/// Each choice of rules with the families that are used with it: first the rules of the plan, then those of families that
/// have rules of their own.
fn by_rules(plan: &Plan) -> impl Iterator<Item = (&Settings, Vec<&Family>)> {
    let shared = plan.rules.iter().map(|settings| {
        (settings, plan.families.iter().filter(|family| family.rules.is_none()).collect::<Vec<_>>())
    });
    let own = plan.families.iter().flat_map(|family| {
        family.rules.iter().flatten().map(move |settings| (settings, Vec::from([family])))
    });
    shared.filter(|(_, families)| !families.is_empty()).chain(own)
}

/// A warning about files with equal contents, because each formula is solved once.
fn equal_files(plan: &Plan) -> Option<String> {
    let (mut names, mut equal) = (KeyedMap::default(), BTreeMap::new());
    for family in &plan.families {
        let Source::Files(patterns) = &family.source else { continue };
        for file in patterns.iter().flat_map(|pattern| &pattern.files) {
            let name = file.path.to_string();
            let first = names.entry(&file.sha256).or_insert_with(|| name.clone());
            if *first != name {
                equal.insert(name, first.clone());
            }
        }
    }
    let (name, first) = equal.first_key_value()?;
    let more = match equal.len() - 1 {
        0 => String::new(),
        more => format!(", and {more} more files repeat others"),
    };
    Some(format!("{name} has the same contents as {first}{more}; each formula is solved under one name only"))
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
        let rules = family.rules.as_ref().unwrap_or(&plan.rules).len() as u64;
        let engines = family.engines.iter().map(formulas).fold(0, u64::saturating_add);
        instances.saturating_mul(rules).saturating_mul(engines)
    };
    let families = plan.families.iter().map(each).fold(0, u64::saturating_add);
    families.saturating_mul(plan.limits.len() as u64).saturating_mul(plan.repetitions.into())
}

/// Adds the instances of a family under one choice of rules, which is the last one in `runs.rules`.
struct Adding<'r, 'p> {
    runs: &'r mut Runs,
    origins: &'r mut Vec<Origins<'p>>,
    family: &'p Family,
}

impl Adding<'_, '_> {
    /// Adds a place that was not added before, and returns its number.
    fn place(&mut self, place: Place) -> u32 {
        self.runs.places.push(place);
        (self.runs.places.len() - 1) as u32
    }

    fn add(&mut self, place: u32, seed: u64, hash: String, text: String, is_first: bool) {
        let rules = (self.runs.rules.len() - 1) as u32;
        self.runs.instances.push(Instance { place, rules, seed, hash: Hash::of(&hash), text: text.into() });
        self.origins.push(Origins { family: self.family, is_first });
    }

    /// Warnings about files are appended to `warnings`.
    fn instances(
        &mut self,
        (settings, problem): (&Settings, &dyn DynProblem),
        warnings: &mut Vec<String>,
    ) -> Result<(), FamilyError> {
        match &self.family.source {
            Source::Generated { name, params, seeds } => {
                for params in params {
                    let place = self.place(Place::Family { name: name.clone(), params: params.clone() });
                    for (i, &seed) in seeds.iter().enumerate() {
                        let instance = problem.generate(settings, name, params, seed)?;
                        self.add(place, seed, instance.hash(), String::new(), i == 0);
                    }
                }
            }
            Source::Files(patterns) => {
                for (pattern, (i, file)) in
                    patterns.iter().flat_map(|p| p.files.iter().enumerate().map(move |f| (&p.pattern, f)))
                {
                    let (pattern, path) = (pattern.clone(), file.path.to_string());
                    let place = self.place(Place::Found { pattern, file: path });
                    self.add(place, i as u64 + 1, file.sha256.to_string(), file.to_string(), i == 0);
                }
            }
            Source::File { name, text } => {
                let of_file = input::Warnings::default();
                let instances = problem.open(settings, input::Source::from_text(name, text), &of_file)?;
                let place = self.place(Place::File { name: name.clone() });
                let mut games = 0;
                for instance in instances {
                    let instance: Box<dyn DynInstance> = instance?;
                    games += 1;
                    self.add(place, games, instance.hash(), instance.text(), games == 1);
                    // Each instance has a run, but how many games a file has is not known before it is read.
                    if self.runs.instances.len() as u64 > MAX_RUNS {
                        return Err(FamilyError::TooManyInstances);
                    }
                }
                warnings.extend(of_file.take().iter().map(ToString::to_string));
                if games == 0 {
                    return Err(FamilyError::NoGame(name.clone()));
                }
            }
        }
        Ok(())
    }
}

/// Makes the runs of instances.
struct Setups<'p> {
    plan: &'p Plan,
    engines: KeyedMap<String, Setup<'p>>,
}

/// An engine.
struct Setup<'p> {
    number: u32,
    is_sat: bool,
    seeds: u32,
    /// The number of cubes into which its formulas are cut.
    cubes: Option<u32>,
    program: Option<&'p Program>,
    declared: Option<&'p Declaration>,
}

impl<'p> Setups<'p> {
    fn new(plan: &'p Plan, runs: &mut Runs) -> Self {
        let mut engines: KeyedMap<String, Setup<'p>> = KeyedMap::default();
        for engine in plan.families.iter().flat_map(|family| &family.engines) {
            let id = engine.to_string();
            if engines.contains_key(&id) {
                continue;
            }
            runs.engines.push(id.clone());
            let declared = engine.declared().and_then(|engine| {
                plan.declared.iter().find(|d| (d.prints, &d.name) == (engine.prints, &engine.name))
            });
            let setup = Setup {
                number: (runs.engines.len() - 1) as u32,
                is_sat: engine.side == Side::Sat,
                seeds: seeds(&plan.programs, engine, plan.solver_seeds),
                cubes: plan.cubes.filter(|_| cubes::is_cut(engine)),
                program: program(&plan.programs, engine),
                declared,
            };
            engines.insert(id, setup);
        }
        Setups { plan, engines }
    }

    /// The runs of an instance in one repetition, each with its tags.
    fn runs(
        &self,
        runs: &mut Runs,
        origins: &Origins<'_>,
        (instance, repetition): (u32, u32),
    ) -> Vec<(Row, Tags)> {
        let plan = self.plan;
        let mut found = Vec::new();
        let start = start_of_key(runs, &runs.instances[instance as usize]);
        for (engine, (limits, limit)) in iproduct!(&origins.family.engines, plan.limits.iter().enumerate()) {
            let id = engine.to_string();
            let Some(setup) = self.engines.get(&id) else { continue };
            let shuffles = if setup.is_sat { plan.shuffles } else { 0 };
            let mut tags = Tags::default();
            tags.merge(plan.tags(&origins.family.tags, &id));
            let middle = format!("{start},{},{}", json!(id), json!(limit));
            for (shuffle, solver_seed) in iproduct!(0..=shuffles, 0..=setup.seeds) {
                let is_plain = repetition == 1 && shuffle == 0 && solver_seed == 0;
                let sample = plan.keep == Keep::Sample && origins.is_first && is_plain;
                let end = end_of_key(setup.program, setup.declared, (solver_seed, plan.certify));
                let parts = format!("{middle},{repetition},{shuffle},{}{end}", plan.certify);
                let row = Row {
                    key: key_of(&parts),
                    instance,
                    engine: setup.number,
                    limits: limits as u32,
                    cut: UNCUT,
                    tags: 0,
                    repetition,
                    shuffle,
                    solver_seed,
                    keep: sample || plan.keep == Keep::All,
                };
                let rows = match setup.cubes {
                    Some(cubes) => cubes::cut(row, &parts, cubes, runs),
                    None => vec![row],
                };
                found.extend(rows.into_iter().map(|row| (row, tags.clone())));
            }
        }
        found
    }
}

/// The definition of an engine's solver; `None` if the solver is built in.
fn program<'a>(programs: &'a [Program], engine: &EngineSpec) -> Option<&'a Program> {
    programs.iter().find(|program| Some(program.name.as_str()) == engine.solver_name())
}

/// The number of seeds, besides the default seed, that an engine's solver gets if the plan asks for `solver_seeds`.
pub(super) fn seeds(programs: &[Program], engine: &EngineSpec, solver_seeds: u32) -> u32 {
    if program(programs, engine).is_some_and(|program| !program.seed.is_empty()) { solver_seeds } else { 0 }
}
