//! `status` and `cancel`: the progress of an experiment, the processes that work on it, and its records as tables.

use super::args::{Cancel, RecordFormat, Status as Args};
use super::context::Context;
use super::exit::{Failure, Status};
use super::experiment::{Experiment, warn_rejected};
use super::summary::{list_disputes, list_wrong, startups, summary};
use super::table::{Table, table};
use super::{print, read, verify};
use crate::harness::{HeldBatches, Queue};
use crate::process::Life;
use crate::record::{Group, Record, columns, groups};
use itertools::Itertools;
use std::io::Write;

pub(super) fn run(context: &Context, args: &Args, out: &mut dyn Write) -> Result<Status, Failure> {
    let experiment = Experiment::open(context, &args.exp)?;
    let folder = experiment.set(&args.set)?;
    let set = experiment.records(&folder)?;
    warn_rejected(&set);
    let planned: Vec<&Record> = experiment.expanded.runs.iter().filter_map(|run| set.get(&run.key)).collect();
    if let Some(format) = args.records {
        write(format, &planned, out)?;
        return Ok(Status::Done);
    }
    let shown = if args.by.is_empty() {
        summary(&experiment.tally(&set))
    } else {
        // Every row names its engine anyway, so `--by engine` adds no column.
        let by: Vec<String> = args.by.iter().filter(|name| *name != "engine").cloned().collect();
        grouped(&groups(&planned, &by)?, &by)
    };
    writeln!(out, "{shown}")?;
    write!(out, "{}", startups(planned.iter().copied()))?;
    let (all, done) = (experiment.expanded.runs.len(), planned.len());
    let unplanned = set.iter().count() - done;
    let beyond = if unplanned == 0 {
        String::new()
    } else {
        format!("; {unplanned} records of runs that are no longer in the plan")
    };
    let duplicates = match set.duplicates() {
        0 => String::new(),
        1 => "; 1 duplicate attempt".to_owned(),
        n => format!("; {n} duplicate attempts"),
    };
    let (name, set_name) = (&experiment.name, &args.set);
    writeln!(out, "{name} set '{set_name}': {done} of {all} runs have records{beyond}{duplicates}")?;
    let builds = planned.iter().filter_map(|record| record.build.as_deref()).counts();
    if builds.len() > 1 {
        let each = builds.iter().sorted().map(|(build, runs)| format!("{build} ({runs} runs)")).join(", ");
        writeln!(
            out,
            "records of {} builds of this program: {each}; --by build separates them",
            builds.len()
        )?;
    }
    for held in read::named(&folder, Queue::look(&folder))? {
        writeln!(out, "{}", worker_state(&held))?;
    }
    let wrong: Vec<&Record> = planned.into_iter().filter(|record| record.is_wrong()).collect();
    list_wrong(&wrong, out)?;
    let disputed = list_disputes(&set, out)?;
    let verified = if args.verify { verify::run(context, &experiment, &set, out)? } else { Status::Done };
    Ok(if wrong.is_empty() && disputed == 0 { verified } else { verified.max(Status::Wrong) })
}

/// Describes a process: how many batches it holds, and whether it is stopped or has ended.
fn worker_state(held: &HeldBatches) -> String {
    let HeldBatches { worker, batches, life } = held;
    let batches = if *batches == 1 { "1 batch".to_owned() } else { format!("{batches} batches") };
    match life {
        Life::Running | Life::Elsewhere => format!("{worker} holds {batches}"),
        Life::Stopped => {
            format!("{worker} is stopped and holds {batches}; other processes take over its work")
        }
        Life::Ended => format!("{worker} has ended and held {batches}; the next `run` takes over its work"),
    }
}

/// A table with one row per group. The column *runs* counts the recorded runs whose instances the engine supports. If
/// there are other recorded runs, the column *unsupported* counts them.
fn grouped(groups: &[Group], names: &[String]) -> Table {
    let unsupported = groups.iter().any(|group| group.tally.unsupported > 0).then_some(">unsupported");
    let ends = [">runs", ">solved", ">limit reached"].into_iter().chain(unsupported);
    let sizes = [">CPU, median", ">worst", ">work, median", ">worst", ">clauses"];
    let mut head: Vec<String> = names.iter().map(|name| format!(">{name}")).collect();
    head.push("engine".to_owned());
    head.extend(ends.chain(sizes).map(str::to_owned));
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let rows = groups.iter().map(|group| {
        let time = |s: Option<f64>| s.map_or(String::new(), print::seconds);
        let median = |n: Option<f64>| n.map_or(String::new(), |n| n.to_string());
        let nonzero = |n: usize| if n == 0 { String::new() } else { n.to_string() };
        let mut row = group.values.clone();
        row.extend([
            group.engine.clone(),
            group.tally.supported().to_string(),
            group.tally.solved.to_string(),
            nonzero(group.tally.limits.values().sum()),
        ]);
        row.extend(unsupported.map(|_| nonzero(group.tally.unsupported)));
        row.extend([
            time(group.median_cpu_s()),
            time(group.cpu_s.last().copied()),
            median(group.median_work()),
            group.work.last().map_or(String::new(), u64::to_string),
            median(group.median_clauses()),
        ]);
        row
    });
    table(&head, rows.collect())
}

/// Writes records in a format.
fn write(format: RecordFormat, records: &[&Record], out: &mut dyn Write) -> Result<(), Failure> {
    match format {
        RecordFormat::Jsonl => {
            for record in records {
                serde_json::to_writer(&mut *out, record).map_err(std::io::Error::from)?;
                writeln!(out)?;
            }
        }
        RecordFormat::Csv => columns::csv(records, out)?,
    }
    Ok(())
}

pub(super) fn cancel(context: &Context, args: &Cancel) -> Result<Status, Failure> {
    let experiment = Experiment::open(context, &args.exp)?;
    let folder = experiment.set(&args.set)?;
    let mut held = read::named(&folder, Queue::look(&folder))?;
    held.retain(|held| held.life != Life::Ended);
    if held.is_empty() {
        print::warn(&format!("no process works on {} set '{}'", experiment.name, args.set));
        return Ok(Status::Done);
    }
    read::named(&folder, Queue::cancel(&folder))?;
    let workers: Vec<String> = held.into_iter().map(|held| held.worker).collect();
    print::warn(&format!("asked to stop: {}; `run` resumes the experiment", workers.join(", ")));
    Ok(Status::Done)
}
