//! The tour: solves the sample and some generated instances of every problem by search and by SAT, and checks every
//! answer.

use super::args::Limits;
use super::context::Context;
use super::exit::{Failure, Status};
use super::measure::disagreements;
use super::print::{self, warn};
use super::table::table;
use super::texts;
use super::warm::Warmed;
use crate::engine::Side;
use crate::erased::{DynInstance, DynProblem};
use crate::input::{Source, Warnings};
use crate::rules::Settings;
use crate::spec::EngineSpec;
use std::io::Write;
use std::time::Duration;

/// Sums over the rows of the table.
#[derive(Default)]
struct Total {
    instances: usize,
    answers: usize,
    checked: usize,
    /// A text for each pair of engines whose answers contradict each other.
    disputes: Vec<String>,
    /// The most severe status of a run; `None` before the first run.
    worst: Option<Status>,
    time: Duration,
}

pub(super) fn run(context: &Context, out: &mut dyn Write) -> Result<Status, Failure> {
    let mut total = Total::default();
    let mut rows = Vec::new();
    for problem in context.registry.iter() {
        let settings = Settings::new(problem.rules(), &[], &|name| {
            Err(format!("{name}: the tour reads no files").into())
        })?;
        rows.push(row(context, problem, "judge sample", &sample(problem, &settings)?, &mut total)?);
        for stop in problem.info().tour {
            let params: Vec<_> = stop.params.iter().map(|&(k, v)| (k.to_owned(), v.to_owned())).collect();
            let instance = |seed| problem.generate(&settings, stop.family, &params, seed);
            let instances: Vec<_> = (1..=stop.seeds).map(instance).collect::<Result<_, _>>()?;
            let params: Vec<_> = stop.params.iter().map(|(k, v)| format!(" {k}={v}")).collect();
            let name = format!("{}{}", stop.family, params.concat());
            rows.push(row(context, problem, &name, &instances, &mut total)?);
        }
    }
    let head = ["problem", "instances", ">games", "answers", ">search", ">sat", ">agree", ">checked"];
    writeln!(out, "{}", table(&head, rows))?;
    let Total { instances, answers, checked, disputes, worst, time } = total;
    for dispute in &disputes {
        writeln!(out, "{}: {dispute}", texts::emphasized("DISAGREEMENT"))?;
    }
    let n = disputes.len();
    writeln!(
        out,
        "{instances} instances, {answers} answers, {checked} checked, {n} disagreements; {} of CPU time.",
        print::duration(time)
    )?;
    let worst = worst.unwrap_or(Status::Done);
    Ok(if n > 0 || checked < answers { worst.max(Status::Wrong) } else { worst })
}

fn sample(problem: &dyn DynProblem, settings: &Settings) -> Result<Vec<Box<dyn DynInstance>>, Failure> {
    let warnings = Warnings::default();
    let instances = problem.open(settings, Source::from_text("sample", problem.info().sample), &warnings)?;
    Ok(instances.collect::<Result<_, _>>()?)
}

fn row(
    context: &Context,
    problem: &dyn DynProblem,
    name: &str,
    instances: &[Box<dyn DynInstance>],
    total: &mut Total,
) -> Result<Vec<String>, Failure> {
    let none = Limits { work_limit: None, cpu_limit: None, threads: None };
    // Each engine is started once, so it keeps its tables from one instance to the next.
    let mut started: Vec<Warmed<'_>> = Vec::new();
    let mut outcomes: Vec<(String, usize)> = Vec::new();
    let mut times = [Duration::ZERO; 2];
    let (mut agree, mut checked) = (0, 0);
    for instance in instances {
        let engines = both_sides(problem, &**instance);
        let mut runs = Vec::new();
        for engine in &engines {
            if started.iter().all(|warmed| warmed.engine() != engine) {
                started.push(Warmed::start(problem, engine)?);
            }
            if let Some(warmed) = started.iter_mut().find(|warmed| warmed.engine() == engine) {
                runs.push(warmed.solve(context, &**instance, &none)?);
            }
        }
        for (run, time) in runs.iter().zip(&mut times) {
            *time += run.time;
            total.time += run.time;
            total.answers += 1;
            checked += usize::from(run.verdict == "checked");
            total.worst = total.worst.max(Some(run.status));
            if run.verdict != "checked" {
                warn(&format!(
                    "{} {name}: {}: {}\n{}",
                    problem.name(),
                    run.outcome,
                    run.verdict,
                    instance.text()
                ));
            }
        }
        let disputes = disagreements(&engines, &runs);
        agree += usize::from(disputes.is_empty());
        total
            .disputes
            .extend(disputes.iter().map(|d| format!("{} {name}: {d}\n{}", problem.name(), instance.text())));
        let outcome = &runs[0].outcome;
        match outcomes.iter_mut().find(|(known, _)| known == outcome) {
            Some((_, n)) => *n += 1,
            None => outcomes.push((outcome.clone(), 1)),
        }
    }
    total.instances += instances.len();
    total.checked += checked;
    let [search, sat] = times.map(print::duration);
    Ok(vec![
        problem.name().to_owned(),
        name.to_owned(),
        instances.len().to_string(),
        shorten(&outcomes),
        search,
        sat,
        format!("{agree}/{}", instances.len()),
        format!("{checked}/{}", 2 * instances.len()),
    ])
}

/// For search and for SAT, the first engine that supports the instance or, if none supports it, the first engine of
/// this side.
fn both_sides(problem: &dyn DynProblem, instance: &dyn DynInstance) -> Vec<EngineSpec> {
    let side = |side| {
        let infos = problem.engines().iter().filter(move |info| info.side == side);
        let specs: Vec<_> = infos.map(EngineSpec::default_of).collect();
        specs.iter().find(|spec| instance.supports(spec).is_ok()).or(specs.first()).cloned()
    };
    [side(Side::Search), side(Side::Sat)].into_iter().flatten().collect()
}

/// The two most frequent outcomes with their counts, and `…` if there are more.
fn shorten(outcomes: &[(String, usize)]) -> String {
    let mut sorted = outcomes.to_vec();
    sorted.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    let mut shown: Vec<_> = sorted.iter().take(2).map(|(o, n)| format!("{n} × {o}")).collect();
    if sorted.len() > 2 {
        shown.push("…".to_owned());
    }
    shown.join(", ")
}
