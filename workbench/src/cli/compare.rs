//! `compare`: solves the same instances with several engines and compares their answers and work.

use super::args::Compare;
use super::context::Context;
use super::exit::{Failure, Status};
use super::measure::{Run, blame, disagreements};
use super::outside::{remedy, remedy_of_failure};
use super::progress::Progress;
use super::table::{Table, table};
use super::verdict::WRONG;
use super::warm::Warmed;
use super::{games, interrupt, print, texts};
use crate::engine::Work;
use crate::record::Unsupported;
use crate::spec::EngineSpec;
use std::io::Write;
use std::time::Duration;

/// The maximum number of rows of the table of runs. If there are more runs, only the sums are shown.
const MAX_ROWS: usize = 100;

/// The results of an engine on all instances: how many of them it answered, the CPU time and work that it used, and
/// the CPU time of checking its answers. The numbers of variables and clauses in `work` are those of the largest formula.
#[derive(Clone, Default)]
struct Sum {
    answered: usize,
    checked: usize,
    unsupported: usize,
    /// Why the first of the unsupported instances is unsupported.
    reason: Option<String>,
    time: Duration,
    check_time: Duration,
    work: Work,
}

pub(super) fn run(context: &Context, args: &Compare, out: &mut dyn Write) -> Result<Status, Failure> {
    let problem = context.registry.find(&args.input.problem)?;
    let engines = context.engines(problem, &args.engines.join(","))?;
    let mut started =
        engines.iter().map(|engine| Warmed::start(problem, engine)).collect::<Result<Vec<_>, _>>()?;
    let mut sums = vec![Sum::default(); engines.len()];
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut any_wrong = false;
    let (mut worst, mut games, mut disputes, mut remedies) = (Status::Done, 0, Vec::new(), Vec::new());
    let shown = Progress::new();
    let read = games::each(context, &args.input, &mut |game, instance| {
        games = game;
        let one = |(number, warmed): (usize, &mut Warmed<'_>)| {
            if let Some(shown) = &shown {
                let (number, all) = (number + 1, engines.len());
                shown.show(format!("game {game}: {}, engine {number} of {all}", warmed.engine()));
            }
            warmed.solve(context, instance, &args.limits)
        };
        let mut runs = started.iter_mut().enumerate().map(one).collect::<Result<Vec<Run>, Failure>>()?;
        blame(&mut runs);
        for ((run, engine), sum) in runs.iter().zip(&engines).zip(&mut sums) {
            worst = worst.max(run.status);
            any_wrong |= run.verdict == WRONG;
            sum.answered += usize::from(run.answer.is_some());
            sum.checked += usize::from(run.verdict == "checked");
            sum.unsupported += usize::from(run.unsupported.is_some());
            sum.reason = sum.reason.take().or_else(|| run.unsupported.clone());
            sum.time += run.time;
            sum.check_time += run.check_time;
            sum.work.nodes += run.work.nodes;
            sum.work.conflicts += run.work.conflicts;
            sum.work.variables = sum.work.variables.max(run.work.variables);
            sum.work.clauses = sum.work.clauses.max(run.work.clauses);
            if rows.len() <= MAX_ROWS {
                rows.push(row(game, engine, run));
            }
        }
        for dispute in disagreements(&engines, &runs) {
            disputes.push(format!("game {game}: {dispute}\n{}", instance.text()));
        }
        for (run, engine) in runs.iter().zip(&engines) {
            if remedies.iter().any(|(known, _)| known == &engine) {
                continue;
            }
            let found = match (&run.failure, &run.answer) {
                (Some(reason), _) => remedy_of_failure(problem, engine, &instance.rules(), reason)
                    .map(|remedy| format!("{engine} has failed; {remedy}")),
                (None, Some(answer)) if run.verdict == WRONG => {
                    remedy(problem, engine, &answer.changed_rules(), &instance.text())
                        .map(|remedy| format!("{engine} is wrong; {remedy}"))
                }
                _ => None,
            };
            remedies.extend(found.map(|remedy| (engine, remedy)));
        }
        Ok(())
    });
    drop(shown);
    let has_table = (1..=MAX_ROWS).contains(&rows.len());
    if has_table {
        let head = [
            ">game",
            "engine",
            "answer",
            "claims",
            ">CPU",
            ">check",
            ">nodes",
            ">conflicts",
            ">variables",
            ">clauses",
        ];
        writeln!(out, "{}", table(&head, rows))?;
    }
    if games > usize::from(has_table) {
        writeln!(out, "{}", summary(&engines, &sums, games))?;
    }
    for (engine, sum) in engines.iter().zip(&mut sums) {
        let Some(reason) = sum.reason.take() else { continue };
        let (engine, runs, all) = (engine.to_string(), sum.unsupported, games);
        print::warn(&Unsupported { engine, runs, all, reason }.sentence());
    }
    for dispute in &disputes {
        writeln!(out, "{} in {dispute}", texts::emphasized("DISAGREEMENT"))?;
    }
    for (_, remedy) in &remedies {
        writeln!(out, "{remedy}")?;
    }
    out.flush()?;
    read?;
    if interrupt::is_requested() {
        return Ok(Status::Interrupted);
    }
    // A wrong answer matters more than a failure of another engine.
    Ok(if any_wrong || !disputes.is_empty() { Status::Wrong } else { worst })
}

/// A count as a cell; zero is left blank.
fn count(n: u64) -> String {
    if n == 0 { String::new() } else { n.to_string() }
}

fn row(game: usize, engine: &EngineSpec, run: &Run) -> Vec<String> {
    let Work { nodes, conflicts, variables, clauses, .. } = run.work;
    let time = if run.unsupported.is_none() { print::duration(run.time) } else { String::new() };
    let check_time = if run.answer.is_some() { print::duration(run.check_time) } else { String::new() };
    let texts =
        [game.to_string(), engine.to_string(), run.outcome.clone(), run.verdict.to_owned(), time, check_time];
    texts.into_iter().chain([nodes, conflicts, variables, clauses].map(count)).collect()
}

fn summary(engines: &[EngineSpec], sums: &[Sum], games: usize) -> Table {
    let head = [
        "engine",
        ">games",
        ">answered",
        ">checked",
        ">CPU",
        ">check",
        ">nodes",
        ">conflicts",
        ">variables",
        ">clauses",
    ];
    let rows = engines.iter().zip(sums).map(|(engine, sum)| {
        let supported = games - sum.unsupported;
        let Work { nodes, conflicts, variables, clauses, .. } = sum.work;
        let texts = [
            engine.to_string(),
            supported.to_string(),
            sum.answered.to_string(),
            sum.checked.to_string(),
            print::duration(sum.time),
            print::duration(sum.check_time),
        ];
        texts.into_iter().chain([nodes, conflicts, variables, clauses].map(count)).collect()
    });
    table(&head, rows.collect())
}
