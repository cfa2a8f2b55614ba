//! `status` and `cancel`: the progress of an experiment, the processes that work on it, and its records as tables.

use super::args::{Cancel, RecordFormat, Status as Args};
use super::context::Context;
use super::exit::{Failure, Status};
use super::experiment::{Experiment, warn_rejected};
use super::staging::replace;
use super::summary::{list_disputes, list_unsupported, list_wrong, startups, summary};
use super::table::{Table, hung, table, wrapped};
use super::{benchexec, cubes, print, program, read, report, slurm, texts, verify};
use crate::harness::plan::PlannedRun;
use crate::harness::{HeldBatches, Queue, Set, tally};
use crate::process::Life;
use crate::record::{Condition, DefaultRules, Group, Record, Records, Row, columns, groups};
use crate::report::baseline::drifts;
use crate::report::{dataset::Dataset, nodes};
use crate::study::plural;
use counterpoint_base::keyed::{KeyedMap, KeyedSet};
use humantime::format_duration;
use itertools::Itertools;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

pub(super) fn run(context: &Context, args: &Args, out: &mut dyn Write) -> Result<Status, Failure> {
    let experiment = Experiment::open(context, &args.exp)?;
    let folder = experiment.set(&args.set)?;
    let set = experiment.records(&folder)?;
    warn_rejected(&set);
    let default_rules = experiment.default_rules(context)?;
    let (chosen, conditions) = chosen(&experiment, &set, &args.only, &default_rules)?;
    let all_runs = &experiment.expanded.runs;
    let runs = || -> Box<dyn Iterator<Item = PlannedRun<'_>>> {
        match &chosen {
            Some(numbers) => Box::new(numbers.iter().map(|&number| all_runs.get(number as usize))),
            None => Box::new(experiment.whole_runs()),
        }
    };
    let planned = || runs().filter_map(|run| set.record_of(run));
    if let Some(name) = &args.baseline {
        let here = Dataset::new(planned(), &experiment.engines());
        return compared(context, &experiment, &here, (&args.set, name), out);
    }
    if let Some(format) = args.records {
        match (format, &args.output) {
            (RecordFormat::Benchexec, Some(output)) => {
                let records: Vec<Row<'_>> = planned().collect();
                write_benchexec(&experiment, (&set, &args.set), &records, (output, out))?;
            }
            (RecordFormat::Benchexec, None) => {
                return Err(Failure::usage(
                    "--records benchexec writes several files; --output FOLDER is missing",
                ));
            }
            (_, Some(_)) => {
                return Err(Failure::usage(
                    "--output is for --records benchexec; other formats go to standard output",
                ));
            }
            (_, None) => write(format, &planned().collect::<Vec<_>>(), out)?,
        }
        return Ok(Status::Done);
    }
    let shown = if args.by.is_empty() {
        let mut tallies = tally(experiment.engines(), runs(), &set);
        tallies.retain(|_, tally| tally.planned > 0 || args.only.is_empty());
        summary(&tallies)
    } else {
        // Every row names its engine anyway, so `--by engine` adds no column.
        let by: Vec<String> = args.by.iter().filter(|name| *name != "engine").cloned().collect();
        let engines = experiment.engines();
        let place = |record: &Row<'_>| engines.iter().position(|engine| *engine == record.engine());
        let mut records: Vec<Row<'_>> = planned().collect();
        records.sort_by_cached_key(place);
        grouped(&groups(&records, &by, &default_rules)?, &by)
    };
    writeln!(out, "{shown}")?;
    if args.by.iter().any(|name| name == "node")
        && let Some(found) = nodes::check(&Dataset::new(planned(), &experiment.engines()))
    {
        write!(out, "{}", wrapped(&found.sentence()))?;
    }
    write!(out, "{}", startups(planned()))?;
    list_unsupported(&experiment.engines(), planned(), out)?;
    let (all, done) = (runs().count(), planned().count());
    let beyond = match set.len() - done {
        _ if !args.only.is_empty() => {
            format!("; --only leaves out {} runs", experiment.whole_runs().count() - all)
        }
        0 => String::new(),
        unplanned => format!("; {unplanned} records of runs that are no longer in the plan"),
    };
    let duplicates = match set.duplicates() {
        0 => String::new(),
        1 => "; 1 duplicate attempt".to_owned(),
        n => format!("; {n} duplicate attempts"),
    };
    let (name, set_name) = (&experiment.name, &args.set);
    let line = format!("{name} set '{set_name}': {done} of {all} runs have records{beyond}{duplicates}");
    writeln!(out, "{}", hung(&line, 2))?;
    cubes::show(&experiment, &set, out)?;
    let builds = planned().filter_map(|record| record.build()).counts();
    if builds.len() > 1 {
        let each = builds.iter().sorted().map(|(build, runs)| format!("{build} ({runs} runs)")).join(", ");
        writeln!(
            out,
            "records of {} builds of this program: {each}; --by build separates them",
            builds.len()
        )?;
    }
    let held = read::named(&folder, Queue::look(&folder))?;
    if !held.is_empty() {
        let beats = read::named(&folder, Queue::heartbeats(&folder))?;
        let (lease, pilots) = (slurm::lease(&experiment, &folder), pilots(&held, &set));
        for held in &held {
            let pilot = pilots.get(held.worker.as_str()).copied();
            writeln!(out, "{}", worker_state(held, pilot, (beats.age(&held.worker), lease)))?;
        }
    }
    slurm::show(context, &experiment, (&set, &folder), &conditions, out)?;
    let wrong: Vec<Row<'_>> = planned().filter(|record| record.is_wrong()).collect();
    list_wrong(&wrong, out)?;
    let problem = context.registry.find(&experiment.plan.problem)?;
    let disputed = list_disputes(&set, problem, out)?;
    let verified = if args.verify { verify::run(context, &experiment, &set, out)? } else { Status::Done };
    Ok(if wrong.is_empty() && disputed == 0 { verified } else { verified.max(Status::Wrong) })
}

/// A table of how much the times of the chosen runs differ from those of the same runs in another set.
fn compared(
    context: &Context,
    experiment: &Experiment,
    here: &Dataset<'_>,
    (set, baseline): (&str, &str),
    out: &mut dyn Write,
) -> Result<Status, Failure> {
    let (other, there, name) = report::other(context, experiment, baseline)?;
    let drifts = drifts(here, &there.dataset(&other));
    let rows = drifts.iter().map(|drift| {
        let or_empty = |text: &Option<String>| text.clone().unwrap_or_default();
        vec![
            drift.engine.clone(),
            drift.runs.to_string(),
            format!("{} of {}", drift.equal, drift.decided),
            or_empty(&drift.ratio),
            or_empty(&drift.interval),
            or_empty(&drift.spread),
        ]
    });
    let head = ["engine", ">runs", ">equal", ">CPU ratio", ">95 % interval", ">90 % of runs"];
    writeln!(out, "{}", table(&head, rows.collect()))?;
    let pairs: usize = drifts.iter().map(|drift| drift.runs).sum();
    let line = format!(
        "{} set '{set}' over {name}: {} in both; 'equal' counts the decided runs whose outcome and counters agree",
        experiment.name,
        plural(pairs, "run", "runs")
    );
    writeln!(out, "{}", hung(&line, 2))?;
    Ok(Status::Done)
}

/// The numbers of the plan's runs that meet all conditions, `None` if there are no conditions; and the conditions. A run
/// without a record can only meet conditions on what the plan determines, such as its family or its tags.
fn chosen<'a>(
    experiment: &Experiment,
    set: &Set,
    only: &[(String, Vec<String>)],
    default_rules: DefaultRules<'a>,
) -> Result<(Option<Vec<u32>>, Vec<Condition<'a>>), Failure> {
    let mut conditions = Vec::new();
    if only.is_empty() {
        return Ok((None, conditions));
    }
    let runs: Vec<PlannedRun<'_>> = experiment.whole_runs().collect();
    let planned = &experiment.planned;
    let without: Vec<PlannedRun<'_>> =
        runs.iter().copied().filter(|run| set.record_of(*run).is_none()).collect();
    let mut others = Records::default();
    for run in &without {
        others.push(&planned.without_findings(*run));
    }
    let mut others = others.iter();
    let records: Vec<Row<'_>> =
        runs.iter().filter_map(|run| set.record_of(*run).or_else(|| others.next())).collect();
    let mut meets = vec![true; runs.len()];
    for (column, values) in only {
        let condition = Condition::new(&records, column, values.clone(), default_rules)?;
        condition.check_values(&records)?;
        records.iter().zip(&mut meets).for_each(|(record, meets)| *meets &= condition.holds(*record));
        conditions.push(condition);
    }
    let chosen = runs.iter().zip(meets).filter(|(_, meets)| *meets);
    Ok((Some(chosen.map(|(run, _)| run.number() as u32).collect()), conditions))
}

/// For each of these workers that is known to be a pilot, the pilot's name. Records show it: the names of their attempts
/// begin with the worker.
fn pilots<'a>(held: &'a [HeldBatches], set: &'a Set) -> KeyedMap<&'a str, &'a str> {
    let workers: KeyedSet<&str> = held.iter().map(|held| held.worker.as_str()).collect();
    let found = set.all().filter_map(|row| {
        let (pilot, attempt) = (row.pilot()?, row.attempt());
        let end = attempt.match_indices('.').nth(3)?.0;
        Some((*workers.get(&attempt[..end])?, pilot))
    });
    found.collect()
}

/// Describes a process: how many batches it holds, and whether it is stopped or has ended. A process on another machine
/// counts as dead if its counter was not written within the lease.
fn worker_state(
    held: &HeldBatches,
    pilot: Option<&str>,
    (silent, lease): (Option<Duration>, Duration),
) -> String {
    let HeldBatches { worker, batches, life } = held;
    let batches = plural(*batches, "batch", "batches");
    let worker = pilot.map_or_else(|| worker.clone(), |pilot| format!("pilot {pilot} ({worker})"));
    match life {
        Life::Elsewhere if silent.is_none_or(|silent| silent > lease) => {
            let since = silent.map(|silent| format_duration(Duration::from_secs(silent.as_secs())));
            let since = since.map_or(String::new(), |since| format!(" for {since}"));
            format!(
                "{worker} has shown no sign of life{since} and held {batches}; other processes take over its work"
            )
        }
        Life::Running | Life::Elsewhere => format!("{worker} holds {batches}"),
        Life::Stopped => {
            format!("{worker} is stopped and holds {batches}; other processes take over its work")
        }
        Life::Ended => format!("{worker} has ended and held {batches}; the next `run` takes over its work"),
    }
}

/// A table with one row per group. The column *runs* counts the recorded runs on instances that the engine supports. If
/// there are recorded runs on other instances, the column *unsupported* counts them. If there are wrong answers, the
/// column *wrong* does.
fn grouped(groups: &[Group], names: &[String]) -> Table {
    let unsupported = groups.iter().any(|group| group.tally.unsupported > 0).then_some(">unsupported");
    let wrong = groups.iter().any(|group| group.tally.wrong > 0).then_some(">wrong");
    let ends = [">runs", ">solved"].into_iter().chain(wrong).chain([">limit reached"]).chain(unsupported);
    let has_memory = groups.iter().any(|group| group.peak_bytes.is_some()).then_some(">memory");
    let several = groups.iter().any(|group| group.calls.last() > Some(&1)).then_some(">calls");
    let sizes = [">CPU, median", ">worst", ">work, median", ">worst", ">clauses"];
    let sizes = sizes.into_iter().chain(has_memory).chain(several);
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
        ]);
        row.extend(wrong.map(|_| nonzero(group.tally.wrong)));
        row.push(nonzero(group.tally.limits.values().sum()));
        row.extend(unsupported.map(|_| nonzero(group.tally.unsupported)));
        row.extend([
            time(group.median_cpu_s()),
            time(group.cpu_s.last().copied()),
            median(group.median_work()),
            group.work.last().map_or(String::new(), u64::to_string),
            median(group.median_clauses()),
        ]);
        row.extend(has_memory.map(|_| group.peak_bytes.map_or(String::new(), print::bytes)));
        row.extend(several.map(|_| median(group.median_calls())));
        row
    });
    table(&head, rows.collect())
}

/// Writes records in a format.
fn write(format: RecordFormat, records: &[Row<'_>], out: &mut dyn Write) -> Result<(), Failure> {
    texts::harmless(out, |out| match format {
        RecordFormat::Jsonl => records.iter().try_for_each(|record| {
            let mut line = serde_json::to_vec(&record.record())?;
            line.push(b'\n');
            out.write_all(&line)
        }),
        RecordFormat::Csv | RecordFormat::Benchexec => columns::csv(records, out),
    })?;
    Ok(())
}

/// Writes the files of BenchExec into a folder, and prints their paths.
fn write_benchexec(
    experiment: &Experiment,
    (set, name): (&Set, &str),
    records: &[Row<'_>],
    (folder, out): (&Path, &mut dyn Write),
) -> Result<(), Failure> {
    if records.is_empty() {
        return Err(Failure::usage(format!("{} set '{name}' has no records to write", experiment.name)));
    }
    let environments = read::named(folder, set.environment())?;
    let program = program::get();
    let source = benchexec::Source {
        experiment: &experiment.name,
        set: name,
        program: (program.name, program.version),
        environments: &environments,
    };
    read::named(folder, fs::create_dir_all(folder))?;
    // Runs are in the order of instances, because table-generator keeps the order of the files.
    let engines = experiment.engines();
    let sorted = Dataset::new(records.iter().copied(), &engines);
    let records: Vec<Record> = sorted.runs.iter().map(|run| run.record.record()).collect();
    let records: Vec<&Record> = records.iter().collect();
    for (name, text) in benchexec::files(&source, &engines, &records) {
        let path = folder.join(name);
        read::named(&path, replace(&path, text))?;
        writeln!(out, "{}", path.display())?;
    }
    Ok(())
}

pub(super) fn cancel(context: &Context, args: &Cancel) -> Result<Status, Failure> {
    let experiment = Experiment::open(context, &args.exp)?;
    let folder = experiment.set(&args.set)?;
    if slurm::cancel(context, &experiment, &folder)? {
        return Ok(Status::Done);
    }
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
