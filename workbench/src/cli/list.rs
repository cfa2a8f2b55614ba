//! `list`: tables of engines, encodings, solvers, presets for solvers, checkers, families, questions, and rules.

use super::args::{Kind, List};
use super::context::Context;
use super::exit::{Failure, Status};
use super::table::{Table, table};
use super::{config, encodings};
use crate::checker;
use crate::engine::{Axis, EngineInfo};
use crate::erased::{DynProblem, Listed};
use crate::process::{self, StopSignal};
use crate::solver::external::{PRESETS, Preset};
use crate::solver::{Capabilities, Count, OPTIONAL, Profile, Stops};
use crate::spec::EngineSpec;
use std::io::Write;

pub(super) fn run(context: &Context, args: &List, out: &mut dyn Write) -> Result<Status, Failure> {
    let problems: Vec<&dyn DynProblem> = match &args.problem {
        Some(name) => vec![context.registry.find(name)?],
        None => context.registry.iter().collect(),
    };
    let tables = match args.kind {
        Kind::Engines => {
            let declared = config::load(context)?.declared;
            engines(&problems, &|problem| config::engines(context, problem, &declared))
        }
        Kind::Families => vec![families(&problems)],
        Kind::Questions => vec![questions(&problems)],
        Kind::Rules => vec![rules(&problems)],
        Kind::Encodings => return encodings::run(out),
        Kind::Solvers => solvers(context)?,
        Kind::Presets => vec![table(PRESET_HEAD, presets()), table(PATTERN_HEAD, patterns())],
        Kind::Checkers => vec![table(&["checker", "reads", "from"], checkers(context)?)],
    };
    let tables: Vec<String> = tables.iter().map(Table::to_string).collect();
    writeln!(out, "{}", tables.join("\n\n"))?;
    Ok(Status::Done)
}

pub(super) fn families(problems: &[&dyn DynProblem]) -> Table {
    let head = ["problem", "family", "parameters, defaults", "about"];
    table(&head, each(problems, |p| listed(p, &p.info().families)))
}

pub(super) fn questions(problems: &[&dyn DynProblem]) -> Table {
    let head = ["problem", "question", "parameters, defaults", "about"];
    table(&head, each(problems, |p| listed(p, &p.info().studies)))
}

pub(super) fn rules(problems: &[&dyn DynProblem]) -> Table {
    table(&["problem", "rule, default", "values", "about"], each(problems, rules_of))
}

fn each(problems: &[&dyn DynProblem], rows: fn(&dyn DynProblem) -> Vec<Vec<String>>) -> Vec<Vec<String>> {
    problems.iter().flat_map(|&problem| rows(problem)).collect()
}

/// A table of the engines that `of` gives for each problem and, if they have axes, a table with a row for each axis of
/// each engine.
pub(super) fn engines(
    problems: &[&dyn DynProblem],
    of: &dyn Fn(&dyn DynProblem) -> Vec<EngineInfo>,
) -> Vec<Table> {
    let id = |info: &EngineInfo| EngineSpec::default_of(info).to_string();
    let (mut rows, mut axes, mut meanings) = (Vec::new(), Vec::new(), Vec::new());
    for problem in problems {
        for info in of(*problem) {
            let row = [problem.name(), &id(&info), info.about, info.source];
            rows.push(row.map(str::to_owned).to_vec());
            let line = |axis: &Axis| {
                [problem.name(), &id(&info), axis.name, &axis.values.join(", ")].map(str::to_owned)
            };
            axes.extend(info.axes.iter().map(|axis| line(axis).to_vec()));
            for axis in info.axes.iter().filter(|axis| !axis.about.is_empty()) {
                let meaning = [problem.name(), axis.name, axis.about].map(str::to_owned).to_vec();
                if !meanings.contains(&meaning) {
                    meanings.push(meaning);
                }
            }
        }
    }
    let mut tables = vec![table(&["problem", "engine", "about", "source"], rows)];
    if !axes.is_empty() {
        tables.push(table(&["problem", "engine", "axis", "values, the default first"], axes));
    }
    if !meanings.is_empty() {
        tables.push(table(&["problem", "axis", "what it chooses"], meanings));
    }
    tables
}

fn listed(problem: &dyn DynProblem, entries: &[Listed]) -> Vec<Vec<String>> {
    let row = |listed: &Listed| {
        let params: Vec<_> =
            listed.params.iter().map(|p| format!("{}={}", p.key, p.default_text())).collect();
        vec![problem.name().to_owned(), listed.name.to_owned(), params.join(" "), listed.about.to_owned()]
    };
    entries.iter().map(row).collect()
}

fn rules_of(problem: &dyn DynProblem) -> Vec<Vec<String>> {
    let row = |rule: &crate::rules::Rule| {
        let name = format!("{}={}", rule.key, rule.default);
        vec![problem.name().to_owned(), name, rule.values_text(), rule.about.to_owned()]
    };
    problem.rules().iter().map(row).collect()
}

/// A table with one row per solver (built-in ones, external ones, and those that this build lacks), and if external ones
/// print counters, a table of the regular expressions for them.
fn solvers(context: &Context) -> Result<Vec<Table>, Failure> {
    let config = config::load(context)?;
    let versions = config::versions(context, &config.programs);
    let mut rows = Vec::new();
    for factory in config.solvers.iter() {
        let external = config.programs.iter().find(|program| program.name == factory.name());
        let from =
            external.map_or("built in".to_owned(), |external| from(&external.command, &external.origin));
        let Profile { name, version, capabilities } = factory.profile();
        let version = versions.get(name).unwrap_or(version).clone();
        rows.push([vec![name.clone(), version, from], capable(capabilities)].concat());
    }
    let missing =
        OPTIONAL.iter().filter(|name| config.solvers.iter().all(|factory| factory.name() != **name));
    rows.extend(missing.map(|name| {
        let from = format!("not built in, feature '{name}'");
        let rest = vec![String::new(); SOLVER_HEAD.len() - 3];
        [vec![(*name).to_owned(), String::new(), from], rest].concat()
    }));
    let counters = config.programs.iter().flat_map(|program| {
        let patterns = program.statistics.patterns().unwrap_or_default();
        let row = |(count, pattern): (Count, _)| vec![program.name.clone(), count.name().to_owned(), pattern];
        patterns.into_iter().map(row).collect::<Vec<_>>()
    });
    let counters: Vec<_> = counters.collect();
    let mut tables = vec![table(SOLVER_HEAD, rows)];
    if !counters.is_empty() {
        tables.push(table(&["solver", "counter", "regular expression"], counters));
    }
    Ok(tables)
}

/// The path of the program of a command, or a note that there is no such program.
fn from(command: &[String], origin: &str) -> String {
    let program = command.first().map_or("", String::as_str);
    match process::find(program) {
        Some(path) => path.display().to_string(),
        None => format!("'{program}' not found; named by {origin}"),
    }
}

fn checkers(context: &Context) -> Result<Vec<Vec<String>>, Failure> {
    let row = |program: &checker::Program| {
        vec![program.name.clone(), program.reads.join(", "), from(&program.command, &program.origin)]
    };
    Ok(config::load(context)?.checkers.iter().map(row).collect())
}

const PRESET_HEAD: &[&str] = &["preset", "tested command", "stops on", "parity lines", "proofs"];

fn presets() -> Vec<Vec<String>> {
    let row = |preset: &Preset| {
        let signal = match preset.stop_signal {
            StopSignal::Terminate => "SIGTERM",
            StopSignal::Interrupt => "SIGINT",
        };
        let parity = if preset.reads_parity_lines { "yes" } else { preset.on_parity_lines };
        let proofs: Vec<_> = preset.proofs.iter().map(|format| format.name()).collect();
        let proofs = if proofs.is_empty() { "none".to_owned() } else { proofs.join(", ") };
        [preset.name, preset.command, signal, parity, &proofs].map(str::to_owned).to_vec()
    };
    PRESETS.iter().map(row).collect()
}

const PATTERN_HEAD: &[&str] = &["preset", "counter", "regular expression"];

/// One row per counter of a preset.
fn patterns() -> Vec<Vec<String>> {
    let row = |preset: &Preset, (count, pattern): &(Count, &str)| {
        [preset.name, count.name(), pattern].map(str::to_owned).to_vec()
    };
    PRESETS.iter().flat_map(|preset| preset.patterns.iter().map(move |line| row(preset, line))).collect()
}

const SOLVER_HEAD: &[&str] = &[
    "solver",
    "version",
    "from",
    "incremental",
    "assumptions",
    "proofs",
    "parity",
    "counts",
    "how it stops at a limit",
];

fn capable(can: &Capabilities) -> Vec<String> {
    let yes = |flag| if flag { "yes" } else { "no" };
    let formats = [(can.drat, "DRAT"), (can.lrat, "LRAT"), (can.veripb, "VeriPB")];
    let formats: Vec<_> = formats.into_iter().filter_map(|(can, format)| can.then_some(format)).collect();
    let proofs = if formats.is_empty() { "none".to_owned() } else { formats.join(", ") };
    let stops = match can.stops {
        Stops::Soon => "soon",
        Stops::WhenLearning => "after each 8 KiB of learnt clauses",
        Stops::AfterCall => "after the call",
        Stops::Killed => "killed; no work limit",
    };
    let counts: Vec<_> = can.counts.iter().map(Count::name).collect();
    let counts = if counts.is_empty() { "calls".to_owned() } else { counts.join(", ") };
    [yes(can.incremental), yes(can.assumptions), &proofs, yes(can.native_parity), &counts, stops]
        .map(str::to_owned)
        .to_vec()
}
