//! Experiments with invented records.

use counterpoint::document::Document;
use counterpoint::errors::OpenError;
use counterpoint::harness::plan::{self, ReadContext};
use counterpoint::harness::{Environment, Segment, Tier};
use counterpoint::record::{Findings, Origin, Record, Run};
use counterpoint::solver::SolverRegistry;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A fresh folder.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// An experiment with an invented record for each run of a plan. `findings` gets the plan and the index of the run.
pub(crate) fn made_up(
    name: &str,
    plan_text: &str,
    findings: impl Fn(&plan::Plan, usize) -> Findings,
) -> PathBuf {
    invented(name, plan_text, |plan, i, _| findings(plan, i))
}

/// As [`made_up`], but `findings` also gets the run.
pub(crate) fn invented(
    name: &str,
    plan_text: &str,
    findings: impl Fn(&plan::Plan, usize, &Run) -> Findings,
) -> PathBuf {
    let folder = folder(name);
    fs::write(folder.join("plan.toml"), plan_text).unwrap();
    let registry = counterpoint::standard();
    let context = ReadContext {
        registry: &registry,
        load_rule: &|_| Err("no files here".into()),
        load_games: &|_| Err("no files here".into()),
        find_files: &|_| Err(OpenError::from("no files here").into()),
        read_programs: &|_, _| Ok(Vec::new()),
        solvers: &|_| SolverRegistry::built_in(),
        read_declared: &|_, _| Ok(Vec::new()),
        engines: &|problem, _| problem.engines().to_vec(),
    };
    let plan = plan::read(&Document::new("plan.toml", plan_text), &context).unwrap();
    let problem = registry.find(&plan.problem).unwrap();
    let expanded = plan::expand(&plan, problem).unwrap();
    let environment = Environment::here(1, Tier::Rlimit, Vec::new()).unwrap();
    let set = folder.join("results/main");
    let mut segment = Segment::new(&set, "made-up", &environment).unwrap();
    for (i, run) in expanded.runs.iter().map(|run| run.run()).enumerate() {
        let found = findings(&plan, i, &run);
        let Origin::Family { name, params, seed } = run.origin else { continue };
        let number = |text: &str| text.parse::<i64>().map_or(Value::from(text), Value::from);
        let record = Record {
            key: run.key,
            attempt: format!("made-up.{i}"),
            environment: environment.hash(),
            problem: run.problem,
            family: name,
            params: params.iter().map(|(key, text)| (key.clone(), number(text))).collect(),
            seed,
            instance_hash: run.instance_hash,
            side: run.engine.split(':').next().unwrap().to_owned(),
            engine: run.engine,
            repetition: run.repetition,
            shuffle: run.shuffle,
            limits: run.limits,
            findings: found,
            start: format!("2026-01-02T{:02}:{:02}:{:02}.5Z", i / 3600 % 24, i / 60 % 60, i % 60),
            ..Record::default()
        };
        segment.append(&record).unwrap();
    }
    folder
}
