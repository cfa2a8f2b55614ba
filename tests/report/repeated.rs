//! Performs a sample of the runs of every experiment again. Outcomes and counters must equal those of the records.
//!
//! The sample is the same each time, because it is drawn with a seed. It has one decided run for each
//! engine of an experiment, each of at most [`MAX_CPU_S`] seconds. Engines that need a program are left out: those with
//! a solver that is not built in, and those that a plan declares.

use crate::samples::{is_thorough, some};
use chacha20::ChaCha8Rng;
use counterpoint::declared::{Declaration, Prints};
use counterpoint::document::{Document, DocumentError};
use counterpoint::engine::{Budget, Outcome, Work};
use counterpoint::harness::plan::{self, ReadContext};
use counterpoint::harness::{matching, opener, permuted};
use counterpoint::process::Limits;
use counterpoint::record::{Findings, Origin, Record, Run, Verdict};
use counterpoint::registry::Registry;
use counterpoint::rules::Settings;
use counterpoint::solver::SolverRegistry;
use counterpoint::solver::external::{self, ParityInput, Program};
use counterpoint::spec;
use rand::{SeedableRng, seq::SliceRandom};
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const SEED: u64 = 1;

/// The maximum CPU time of building and solving that the record of a run may have, in seconds.
const MAX_CPU_S: f64 = 0.05;

/// The runs of a plan by their keys. External solvers and encoders keep their names, but their commands are replaced by
/// one that does not exist.
fn planned(folder: &Path, registry: &Registry) -> HashMap<String, Run> {
    let file = folder.join("plan.toml");
    let text = fs::read_to_string(&file).unwrap();
    let names = text.lines().filter_map(|line| line.strip_prefix("[solver.")?.strip_suffix(']'));
    let outside: Vec<Program> = names
        .map(|name| Program {
            name: name.to_owned(),
            command: vec!["none".to_owned()],
            parity: ParityInput::Lines,
            origin: "here".to_owned(),
            ..Program::default()
        })
        .collect();
    let load = |name: &str| fs::read_to_string(folder.join(name)).map_err(|error| error.to_string());
    let context = ReadContext {
        registry,
        load_rule: &|name| Ok(load(name)?),
        load_games: &|name| Ok(load(name)?),
        find_files: &|pattern| matching(folder, pattern),
        read_programs: &|_, _| Ok(outside.clone()),
        solvers: &|programs| {
            programs.iter().fold(SolverRegistry::built_in(), |solvers, program| {
                solvers.with(external::factory(program.clone(), Arc::default()))
            })
        },
        read_declared: &|document, plan| {
            let Some(encoders) = plan.get("encoding") else { return Ok(Vec::new()) };
            let encoders = document.as_table(encoders)?.iter().map(|(name, table)| {
                let table = document.as_table(table)?;
                let axes = document.as_table(table.get("axes").unwrap())?.iter().map(|(axis, values)| {
                    let values = document.one_or_many(values).into_iter().map(|v| document.as_scalar(v));
                    Ok((axis.get_ref().to_string(), values.collect::<Result<_, DocumentError>>()?))
                });
                Ok(Declaration {
                    name: name.get_ref().to_string(),
                    problem: document.as_str(table.get("problem").unwrap())?.to_owned(),
                    prints: Prints::Formula,
                    command: vec!["none".to_owned()],
                    folder: folder.to_owned(),
                    rules: Vec::new(),
                    axes: axes.collect::<Result<_, DocumentError>>()?,
                    statuses: Vec::new(),
                    limits: Limits::default(),
                    version: Vec::new(),
                    origin: "here".to_owned(),
                })
            });
            encoders.collect()
        },
        engines: &|problem, declared| {
            let declared = declared.iter().map(|declared| declared.engine(&Arc::default()));
            problem.engines().iter().cloned().chain(declared).collect()
        },
    };
    let plan = plan::read(&Document::new(&file.display().to_string(), &text), &context).unwrap();
    let expanded = plan::expand(&plan, registry.find(&plan.problem).unwrap()).unwrap();
    expanded.runs.iter().map(|run| (run.key(), run.run())).collect()
}

/// The records of decided, quick runs, by engine, without those of engines that need a program.
fn cheap(folder: &Path, registry: &Registry) -> BTreeMap<String, Vec<Record>> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder.join("results/main")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|kind| kind == "jsonl"));
    files.sort();
    let mut found: BTreeMap<String, Vec<Record>> = BTreeMap::new();
    for line in files
        .iter()
        .flat_map(|path| fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect::<Vec<_>>())
    {
        let record: Record = serde_json::from_str(&line).unwrap();
        let is_cheap = record.findings.cpu_s.is_some_and(|cpu_s| cpu_s <= MAX_CPU_S);
        let engines = registry.find(&record.problem).unwrap().engines();
        let is_here = spec::resolve(engines, &SolverRegistry::built_in(), &record.engine).is_ok();
        if is_cheap && is_here && record.findings.verdict == Some(Verdict::Decided) {
            found.entry(record.engine.clone()).or_default().push(record);
        }
    }
    found
}

/// Performs a run again and returns its outcome and its counters above 0. If the plan does not limit the work, the
/// limit is about twice the work in the record `before`, so that an engine that has become slow ends.
fn repeated(
    (registry, folder): (&Registry, &Path),
    run: &Run,
    before: &Findings,
) -> (String, BTreeMap<String, u64>) {
    let problem = registry.find(&run.problem).unwrap();
    let engine =
        spec::resolve(problem.engines(), &SolverRegistry::built_in(), &run.engine).unwrap().remove(0);
    let instance = match &run.origin {
        Origin::File { text, .. } | Origin::Found { text, .. } => {
            problem.instance_with(&run.rules, text, &opener(folder)).unwrap()
        }
        Origin::Family { name, params, seed } => {
            let settings = Settings::from_json(problem.rules(), &run.rules).unwrap();
            problem.generate(&settings, name, params, *seed).unwrap()
        }
    };
    assert_eq!(instance.hash(), run.instance_hash, "{}: another instance", run.key);
    let engine = engine.map_solver(|factory| permuted(factory, run));
    let done: u64 = ["nodes", "conflicts"].iter().filter_map(|name| before.work.get(*name)).sum();
    let work = run.limits.work.unwrap_or(2 * done + 100_000);
    let mut budget = Budget::new(Some(work), Arc::new(|| None)).on_threads(std::num::NonZero::new(1));
    let outcome = match instance.solve(&engine, &mut budget) {
        Outcome::Decided(answer) => answer.outcome(),
        Outcome::GaveUp(limit, _) => format!("{} limit", limit.word()),
        Outcome::Unsupported(why) => why.into(),
        Outcome::Failed(why) => why,
    };
    let Work { nodes, conflicts, decisions, propagations, restarts, solves, variables, clauses } =
        budget.work;
    let names =
        ["nodes", "conflicts", "decisions", "propagations", "restarts", "solves", "variables", "clauses"];
    let counts = [nodes, conflicts, decisions, propagations, restarts, solves, variables, clauses];
    let work = names.map(str::to_owned).into_iter().zip(counts).filter(|(_, count)| *count > 0);
    (outcome, work.collect())
}

#[test]
fn outcomes_and_counters_are_those_of_the_records() {
    let registry = counterpoint::standard();
    let runs_each = if is_thorough() { 4 } else { 1 };
    let (mut held, mut differ) = (0, Vec::new());
    for folder in some(super::experiments::measured()) {
        let runs = planned(&folder, &registry);
        let mut rng = ChaCha8Rng::seed_from_u64(SEED);
        for (engine, mut records) in cheap(&folder, &registry) {
            records.shuffle(&mut rng);
            for record in records.iter().take(runs_each) {
                let before = &record.findings;
                let run = &runs[&record.key];
                let (outcome, work) = repeated((&registry, &folder), run, before);
                held += 1;
                if before.outcome.as_ref() != Some(&outcome) || before.work != work {
                    differ.push(format!(
                        "{} {} {engine}: {:?} {:?}, now {outcome:?} {work:?}",
                        folder.display(),
                        record.key,
                        before.outcome.as_deref().unwrap_or_default(),
                        before.work
                    ));
                }
            }
        }
    }
    assert!(
        differ.is_empty(),
        "{} of {held} runs differ from their records:\n{}",
        differ.len(),
        differ.join("\n")
    );
    assert!(held >= if is_thorough() { 400 } else { 40 }, "{held} runs");
}
