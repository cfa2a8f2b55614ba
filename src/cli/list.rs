//! `list`: what there is.

use super::args::{Kind, List};
use super::compare::table;
use super::context::{Context, Failure, Status};
use crate::choice::Choice;
use crate::engine::EngineInfo;
use crate::erased::{Listed, Workbench};
use crate::solver::{self, Stops};
use counterpoint_encodings::{ExactlyOne, Parity, Totalizer};
use std::io::Write;

pub(super) fn run(context: &Context, args: &List, out: &mut dyn Write) -> Result<Status, Failure> {
    let problems: Vec<&dyn Workbench> = match &args.problem {
        Some(name) => vec![context.registry.find(name)?],
        None => context.registry.iter().collect(),
    };
    let (head, rows): (&[&str], Vec<Vec<String>>) = match args.kind {
        Kind::Engines => (&["problem", "engine", "axes", "about"], each(&problems, engines)),
        Kind::Families => {
            (&["problem", "family", "parameters", "about"], each(&problems, |p| listed(p, p.families())))
        }
        Kind::Questions => {
            (&["problem", "question", "parameters", "about"], each(&problems, |p| listed(p, p.studies())))
        }
        Kind::Rules => (&["problem", "rule", "values", "about"], each(&problems, rules)),
        Kind::Encodings => (&["constraint", "encoding", ">variables", ">clauses"], encodings()),
        Kind::Solvers => (&["solver", "incremental", "assumptions", "proofs", "limits act"], solvers()),
    };
    writeln!(out, "{}", table(head, rows))?;
    Ok(Status::Done)
}

fn each(problems: &[&dyn Workbench], rows: fn(&dyn Workbench) -> Vec<Vec<String>>) -> Vec<Vec<String>> {
    problems.iter().flat_map(|&problem| rows(problem)).collect()
}

fn engines(problem: &dyn Workbench) -> Vec<Vec<String>> {
    let row = |info: &EngineInfo| {
        let axes: Vec<_> =
            info.axes.iter().map(|axis| format!("{}={}", axis.name, axis.values.join("|"))).collect();
        let id = Choice::default_of(info).to_string();
        vec![problem.name().to_owned(), id, axes.join(" "), info.about.to_owned()]
    };
    problem.engines().iter().map(row).collect()
}

fn listed(problem: &dyn Workbench, what: Vec<Listed>) -> Vec<Vec<String>> {
    let row = |listed: Listed| {
        let params: Vec<_> = listed.params.iter().map(|(key, default)| format!("{key}={default}")).collect();
        vec![problem.name().to_owned(), listed.name.to_owned(), params.join(" "), listed.about.to_owned()]
    };
    what.into_iter().map(row).collect()
}

fn rules(problem: &dyn Workbench) -> Vec<Vec<String>> {
    let row = |rule: &crate::rules::Rule| {
        let name = format!("{}={}", rule.key, rule.default);
        vec![problem.name().to_owned(), name, rule.values_text(), rule.about.to_owned()]
    };
    problem.rules().iter().map(row).collect()
}

/// Sizes at 8 and 32 literals, from the formulas that the encoders state.
fn encodings() -> Vec<Vec<String>> {
    let sizes = |size: &dyn Fn(u64) -> Option<(u64, u64)>| {
        let at =
            |n| size(n).map_or(("–".to_owned(), "–".to_owned()), |(v, c)| (v.to_string(), c.to_string()));
        let ((v8, c8), (v32, c32)) = (at(8), at(32));
        [format!("{v8} at 8, {v32} at 32"), format!("{c8} at 8, {c32} at 32")]
    };
    let row = |constraint: &str, name: &str, size: &dyn Fn(u64) -> Option<(u64, u64)>| {
        [constraint.to_owned(), name.to_owned()].into_iter().chain(sizes(size)).collect::<Vec<_>>()
    };
    let mut rows = Vec::new();
    for kind in ExactlyOne::ALL {
        rows.push(row("at most one", kind.name(), &|n| Some(kind.at_most_one_size(n))));
    }
    for (name, kind) in Parity::NAMES {
        rows.push(row("parity", name, &|n| kind.size(n)));
    }
    rows.push(row("at most k", "totalizer", &|n| Some(Totalizer::size(n))));
    rows
}

fn solvers() -> Vec<Vec<String>> {
    let yes = |flag| if flag { "yes".to_owned() } else { "no".to_owned() };
    let row = |name: &&str| {
        let can = solver::new(name)?.capabilities();
        let stops = match can.stops {
            Stops::Soon => "soon",
            Stops::WhenLearning => "when 8 KiB of clauses are learnt",
        };
        let proofs = if can.drat { "DRAT" } else { "none" };
        Some(vec![
            (*name).to_owned(),
            yes(can.incremental),
            yes(can.assumptions),
            proofs.to_owned(),
            stops.to_owned(),
        ])
    };
    solver::NAMES.iter().filter_map(row).collect()
}
