//! Declared engines, which are programs and encoders of the user: their files, the time that they need to
//! start, and how to find the cause of a wrong answer.

use super::context::Context;
use super::exit::Failure;
use super::experiment::Experiment;
use super::report::pictures;
use super::{interrupt, print, program};
use crate::declared::{Declaration, Prints};
use crate::engine::{Limit, Stop};
use crate::erased::DynProblem;
use crate::harness::{Environment, Set, program_hash};
use crate::input::{FileReference, Source, Warnings};
use crate::named;
use crate::process::Limits;
use crate::record::{self, Record, Row};
use crate::rules::{Rule, Settings};
use crate::shell::quoted;
use crate::spec::EngineSpec;
use crate::study::plural;
use counterpoint_base::sha256;
use itertools::Itertools;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::env::current_dir;
use std::fs::File;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

/// The maximum number of engines for which [`remedies`] prints a command.
const MAX_REMEDIES: usize = 5;

/// The hash of a declared engine's program and of all files that its command names.
fn hash(declared: &Declaration) -> String {
    let files = declared.command.iter().skip(1).map(|arg| declared.folder.join(arg));
    let hashes =
        files.filter(|path| path.is_file()).filter_map(|path| sha256::of_reader(File::open(path).ok()?).ok());
    let program = program_hash(&declared.program().to_string_lossy());
    hashes.fold(program, |known, file| sha256::of(format!("{known} {file}")))
}

/// The version that a declared engine's program prints. `None` if no command for it is declared, or if this command
/// fails. If it fails, a warning says why.
pub(super) fn version(context: &Context, declared: &Declaration) -> Option<String> {
    let command = declared.version_command();
    if command.is_empty() {
        return None;
    }
    let stop: Stop = Arc::new(|| interrupt::is_requested().then_some(Limit::Cancelled));
    let ask = || context.children.version(&command, Some(&declared.folder), &declared.origin, &stop);
    let warn = |why| print::warn(&format!("warning: the version of {} is not known: {why}", declared.id()));
    interrupt::interruptible(ask).map_err(warn).ok()
}

/// The declared engines of an experiment by their ids, each with its [`hash`].
pub(super) fn hashes(experiment: &Experiment) -> impl Iterator<Item = (String, String)> {
    experiment.declared().map(|declared| (declared.id(), hash(declared)))
}

/// Warns about declared engines whose program or files differ from those of earlier runs. `now` has the present hashes;
/// other programs in it do not matter.
pub(super) fn warn_changed(known: &[(String, Environment)], now: &[(String, String)]) {
    for (name, hash) in now.iter().filter(|(name, _)| name.contains(':')) {
        let mut earlier = known.iter().flat_map(|(_, environment)| &environment.solvers);
        if earlier.any(|(other, before)| other == name && before != hash) {
            print::warn(&format!(
                "warning: the program of {name} or a file in its command has changed since earlier runs of this set; \
                 --set NAME keeps new runs apart"
            ));
        }
    }
}

/// The CPU time that each program of an experiment needs to start, by the engine's id without axes and solver. It is
/// measured on the first game of the problem's sample under the judge's rules, with the default of each axis. Programs
/// that fail there or exceed the plan's limits are left out. If the set has records of a program that
/// were made on the same machine with the same files, their time counts, and the program is not started.
pub(super) fn startup(
    context: &Context,
    experiment: &Experiment,
    (set, environment): (&Set, &Environment),
) -> Result<BTreeMap<String, f64>, Failure> {
    let declared: Vec<_> = experiment.declared().collect();
    if declared.is_empty() {
        return Ok(BTreeMap::new());
    }
    let problem = context.registry.find(&experiment.plan.problem)?;
    let settings =
        Settings::new(problem.rules(), &[], &|name| Err(format!("{name}: no file is read").into()))?;
    let input = sample(problem, &settings)?;
    let stop: Stop = Arc::new(|| interrupt::is_requested().then_some(Limit::Cancelled));
    let all = set.environment()?;
    let limits = widest(&experiment.plan.limits);
    let measure = |declared: &Declaration| {
        if let Some(time) = known_startup(declared, set, (environment, &all)) {
            return Some((declared.id(), time?));
        }
        let rules = declared.rules.iter().map(|key| (key.as_str(), settings.get(key)));
        let axes =
            declared.axes.iter().filter_map(|(axis, values)| Some((axis.as_str(), values.first()?.as_str())));
        let values: Vec<(&str, &str)> = rules.chain(axes).collect();
        let run = || declared.startup(&input, &values, &limits, &context.children, &stop);
        Some((declared.id(), interrupt::interruptible(run)?.as_secs_f64()))
    };
    Ok(declared.into_iter().filter_map(measure).collect())
}

/// The time that the program of a declared engine needs to start, according to the first record that was made on this
/// machine with the same files. `Some(None)` if it could not be measured then; `None` if there is no such record.
fn known_startup(
    declared: &Declaration,
    set: &Set,
    (environment, all): (&Environment, &[(String, Environment)]),
) -> Option<Option<f64>> {
    let id = declared.id();
    let hash =
        |of: &Environment| of.solvers.iter().find(|(name, _)| *name == id).map(|(_, hash)| hash.clone());
    let is_same = |other: &Environment| {
        (&other.node, &other.cpu_model) == (&environment.node, &environment.cpu_model)
            && hash(other) == hash(environment)
    };
    let same: Vec<&str> =
        all.iter().filter(|(_, other)| is_same(other)).map(|(name, _)| name.as_str()).collect();
    let is_of = |record: &Row<'_>| {
        let setup = record.setup();
        let names = id.strip_prefix(setup.side.as_str()).and_then(|rest| rest.strip_prefix(':'));
        names == Some(setup.encoding.as_str()) && same.contains(&record.environment())
    };
    set.iter().find(is_of).map(Row::startup_cpu_s)
}

/// The widest of a plan's limits on each resource that bounds the programs of a run.
fn widest(limits: &[record::Limits]) -> Limits {
    fn max<T>(
        limits: &[record::Limits],
        value: impl Fn(&record::Limits) -> Option<T>,
        larger: fn(T, T) -> T,
    ) -> Option<T> {
        let values: Option<Vec<T>> = limits.iter().map(value).collect();
        values?.into_iter().reduce(larger)
    }
    let time = |seconds: Option<f64>| seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    Limits {
        cpu: max(limits, |limits| time(limits.cpu_s), Ord::max),
        wall: max(limits, |limits| time(limits.wall_s), Ord::max),
        memory: max(limits, |limits| limits.memory_bytes, Ord::max),
    }
}

/// The first game of the problem's sample, as programs receive it.
fn sample(problem: &dyn DynProblem, settings: &Settings) -> Result<String, Failure> {
    let warnings = Warnings::default();
    let mut games = problem.open(settings, Source::from_text("sample", problem.info().sample), &warnings)?;
    let Some(instance) = games.next().transpose()? else { return Ok(String::new()) };
    Ok(problem.info().stress.as_ref().map_or_else(|| instance.text(), |trials| trials.input(&*instance)))
}

/// The sentence that says how to find the cause of a failure; `None` unless the reason is a fault in the formula of an
/// encoder.
pub(super) fn remedy_of_failure(
    problem: &dyn DynProblem,
    engine: &EngineSpec,
    rules: &Value,
    reason: &str,
) -> Option<String> {
    let is_encoder = engine.declared().is_some_and(|declared| declared.prints == Prints::Formula);
    let changed = |rule: &Rule| {
        let value = rules.get(rule.key)?.as_str()?;
        (value != rule.default).then_some((rule.key, value))
    };
    let rules: Vec<_> = problem.rules().iter().filter_map(changed).collect();
    (is_encoder && named::is_fault(reason)).then(|| remedy(problem, engine, &rules, "")).flatten()
}

/// The sentence that says how to find the cause of a wrong answer of a declared engine, given the rules that differ
/// from the judge's, and the text of the instance. `None` for other engines, and for programs that `stress` cannot test.
pub(super) fn remedy(
    problem: &dyn DynProblem,
    engine: &EngineSpec,
    rules: &[(&str, &str)],
    instance: &str,
) -> Option<String> {
    let declared = engine.declared()?;
    problem.info().stress.as_ref()?;
    let kind = match declared.prints {
        Prints::Formula => " --cnf",
        Prints::Verdict => "",
        Prints::Json => return None,
    };
    let value = |key: &str| rules.iter().find(|(rule, _)| *rule == key).map(|(_, value)| *value);
    let of_rules = declared.rules.iter().filter_map(|key| Some((key.as_str(), value(key)?)));
    let mut values: Vec<(&str, &str)> = of_rules.collect();
    engine.axes().for_each(|axis| values.push(axis));
    let rule = |(key, value): &(&str, &str)| match value.contains('\n') {
        true => format!(" --rule {key}=FILE"),
        false => format!(" --rule {key}={}", quoted(value)),
    };
    let command = declared.command.command(&values).iter().map(|word| quoted(word)).join(" ");
    let rules: String = rules.iter().map(rule).collect();
    let folder = declared.command.folder();
    let here = current_dir().is_ok_and(|here| here.join(folder).components().eq(here.components()));
    let there = match here {
        true => String::new(),
        false => format!(" in the folder {}", folder.display()),
    };
    // A formula that was read from a file need not be saved.
    let formula = FileReference::parse(instance).map(|formula| quoted(&formula.path));
    let advice = match (&formula, here) {
        (Some(_), _) => format!("run{there}"),
        (None, true) => "save the board as board.txt and run".to_owned(),
        (None, false) => format!("save the board as board.txt{there}, and run there"),
    };
    let noun = if formula.is_some() { "formula" } else { "board" };
    let file = formula.unwrap_or("board.txt".to_owned());
    Some(format!(
        "to find the cause, {advice}\n  {} stress {}{kind}{rules} --input {file} -- {command}\n\
         or leave out --input {file} to look for the smallest such {noun}",
        program::name(),
        problem.name()
    ))
}

/// For each declared engine with a wrong answer, prints the first board with a wrong answer and how to find the cause.
/// Then does the same for each declared encoder whose formula cannot be used. An encoder that was run with several
/// solvers is named only once.
pub(super) fn remedies(
    (experiment, problem): (&Experiment, &dyn DynProblem),
    wrong: &[Row<'_>],
    failed: &[Row<'_>],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let is_fault = |record: &Record| record.findings.reason.as_deref().is_some_and(named::is_fault);
    let failed = failed.iter().filter(|record| record.reason().is_some_and(named::is_fault));
    let engines: Vec<&EngineSpec> =
        experiment.plan.families.iter().flat_map(|family| &family.engines).unique().collect();
    let of = |record: &Record| {
        let engine = engines.iter().find(|engine| engine.to_string() == record.engine)?;
        let rules: Vec<_> = record
            .rules
            .iter()
            .map(|(key, value)| (key.as_str(), value.as_str().unwrap_or_default()))
            .collect();
        engine.declared()?;
        let board = answered(record).or_else(|| planned(experiment, problem, record))?;
        let remedy =
            remedy(problem, engine, &rules, &board).map_or(String::new(), |remedy| format!("\n{remedy}"));
        Some((remedy, board))
    };
    let first = wrong.iter().chain(failed).unique_by(|record| record.engine());
    let mut first: Vec<Record> = first.map(|record| record.record()).collect();
    first.sort_by(|a, b| (is_fault(a), &a.engine).cmp(&(is_fault(b), &b.engine)));
    let found = first.iter().filter_map(|record| Some((record, of(record)?)));
    // Engines with equal remedies are named once. Engines without a remedy do not count as equal.
    let key = |remedy: &str, record: &Record| match remedy.is_empty() {
        true => record.engine.clone(),
        false => remedy.to_owned(),
    };
    let found = found.unique_by(|(record, (remedy, _))| key(remedy, record));
    let mut found = found.fuse();
    for (record, (remedy, board)) in found.by_ref().take(MAX_REMEDIES) {
        let fault = match &record.findings.reason {
            Some(reason) if is_fault(record) => format!("has failed ({reason})"),
            _ => "is wrong".to_owned(),
        };
        writeln!(out, "{} {fault} on this board:\n{}{remedy}", record.engine, board.trim_end())?;
    }
    let mut omitted = found.map(|(record, _)| record.engine.as_str()).peekable();
    if omitted.peek().is_some() {
        let names: Vec<&str> = omitted.collect();
        let count = plural(names.len(), "further engine is", "further engines are");
        writeln!(out, "{count} wrong or failed: {}", names.join(", "))?;
    }
    Ok(())
}

/// The instance of a record, from its answer.
fn answered(record: &Record) -> Option<String> {
    let answer: &Map<String, Value> = record.findings.answer.as_ref()?.as_object()?;
    Some(answer.get("instance")?.as_str()?.to_owned())
}

/// The instance of a record, from the plan. `None` for an instance that is a file, because files are not read again.
fn planned(experiment: &Experiment, problem: &dyn DynProblem, record: &Record) -> Option<String> {
    let run = experiment.expanded.runs.get(experiment.expanded.runs.find(&record.key)?).run();
    Some(pictures::instance(problem, &run)?.text())
}
