//! Measures how long `status`, `status --by` and `report` take for an experiment with many records, and how much memory
//! they need, and compares the largest experiment with fixed limits.
//!
//! `cargo bench --bench records` prints the table as Markdown. With `-- --baseline PROGRAM`, it also measures another
//! build of `counterpoint`. `-- 10000 100000` prints only the rows of these numbers of runs, and `-- --write FOLDER 10000`
//! only writes an experiment. The exit status is 1 if the present build exceeds a limit.
//!
//! The plan is that of a committed experiment, with more seeds. The record of a run is a record of the same engine and
//! the same parameters, with the key, seed and instance of the run, and with other times.

#![allow(clippy::print_stdout, reason = "the benchmark prints a table")]

use counterpoint::document::Document;
use counterpoint::harness::plan::{self, ReadContext};
use counterpoint::record::{Origin, Record, Run};
use counterpoint::solver::SolverRegistry;
use std::collections::HashMap;
use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use wait4::Wait4;

type Fallible<T> = Result<T, Box<dyn Error>>;

/// The experiment whose plan and records are multiplied.
const EXPERIMENT: &str = "experiments/016-overview-flip";

/// The seeds in its plan.
const SEEDS: &str = "seeds = \"1..=8\"";

/// The number of runs for each seed: nine sizes, six engines.
const PER_SEED: usize = 54;

/// The number of segments into which the records are divided.
const SEGMENTS: usize = 16;

/// The numbers of runs. The limits hold for the last one.
const SIZES: [usize; 3] = [10_000, 100_000, 1_000_000];

/// A command with its limits for [`SIZES`]' last number of runs: wall time in seconds, memory in MB.
struct Row {
    args: &'static [&'static str],
    wall_s: f64,
    megabytes: f64,
}

const ROWS: [Row; 3] = [
    Row { args: &["status"], wall_s: 10.0, megabytes: 300.0 },
    Row { args: &["status", "--by", "n"], wall_s: 20.0, megabytes: 500.0 },
    Row { args: &["report"], wall_s: 90.0, megabytes: 2048.0 },
];

/// What a command used.
struct Spent {
    wall: Duration,
    cpu: Duration,
    megabytes: f64,
}

/// Reads the plan in a folder and expands it.
fn expanded(text: &str) -> Fallible<Vec<Run>> {
    let registry = counterpoint::standard();
    let context = ReadContext {
        registry: &registry,
        load_rule: &|_| Err("no files here".into()),
        load_games: &|_| Err("no files here".into()),
        find_files: &|_| Err(counterpoint::errors::OpenError::from("no files here").into()),
        read_programs: &|_, _| Ok(Vec::new()),
        solvers: &|_| SolverRegistry::built_in(),
        read_declared: &|_, _| Ok(Vec::new()),
        engines: &|problem, _| problem.engines().to_vec(),
    };
    let plan = plan::read(&Document::new("plan.toml", text), &context)?;
    let runs = plan::expand(&plan, registry.find(&plan.problem)?)?.runs;
    Ok(runs.iter().map(|run| run.run()).collect())
}

/// Engine and parameters of a run.
type Kind = (String, String);

/// The records of the committed experiment, by their kind.
fn templates() -> Fallible<HashMap<Kind, Vec<Record>>> {
    let mut found: HashMap<Kind, Vec<Record>> = HashMap::new();
    for entry in fs::read_dir(Path::new(EXPERIMENT).join("results/main"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|kind| kind == "jsonl") {
            for line in fs::read_to_string(&path)?.lines() {
                let record: Record = serde_json::from_str(line)?;
                let size = record.params.get("n").map(ToString::to_string).unwrap_or_default();
                found.entry((record.engine.clone(), size)).or_default().push(record);
            }
        }
    }
    Ok(found)
}

/// Writes an experiment with about `count` runs, all of which have records. Returns the exact number of runs.
fn write(folder: &Path, count: usize) -> Fallible<usize> {
    let text = fs::read_to_string(Path::new(EXPERIMENT).join("plan.toml"))?;
    let text = text.replace(SEEDS, &format!("seeds = \"1..={}\"", count / PER_SEED));
    let results = folder.join("results/main");
    fs::create_dir_all(&results)?;
    fs::write(folder.join("plan.toml"), &text)?;
    for entry in fs::read_dir(Path::new(EXPERIMENT).join("results/main"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|kind| kind == "json") {
            fs::copy(&path, results.join(path.file_name().unwrap_or_default()))?;
        }
    }
    let templates = templates()?;
    let segment = |i| File::create(results.join(format!("node.{i}.jsonl"))).map(BufWriter::new);
    let mut segments = (0..SEGMENTS).map(segment).collect::<Result<Vec<_>, _>>()?;
    let runs = expanded(&text)?;
    for (i, run) in runs.iter().enumerate() {
        let Origin::Family { params, seed, .. } = &run.origin else { continue };
        let size = params.iter().find(|(name, _)| name == "n").map_or("", |(_, value)| value);
        let alike = templates.get(&(run.engine.clone(), size.to_owned())).ok_or("no record of this kind")?;
        let mut record = alike[*seed as usize % alike.len()].clone();
        record.key.clone_from(&run.key);
        record.attempt = format!("node.{}.{i}", i % SEGMENTS);
        record.attempt_number = Some(1);
        record.seed = *seed;
        record.instance_hash.clone_from(&run.instance_hash);
        record.start = format!(
            "2026-01-{:02}T{:02}:{:02}:{:02}.{:06}Z",
            1 + i / 86400,
            i / 3600 % 24,
            i / 60 % 60,
            i % 60,
            i
        );
        // The factors lie between 0.8 and 1.2 and follow no simple pattern.
        let factor = 0.8 + 0.4 * ((i as f64 * 0.618_033_988_749_895).fract());
        let findings = &mut record.findings;
        for time in [&mut findings.cpu_s, &mut findings.wall_s, &mut findings.solve_cpu_s] {
            *time = time.map(|time| time * factor);
        }
        let out = &mut segments[i % SEGMENTS];
        serde_json::to_writer(&mut *out, &record)?;
        out.write_all(b"\n")?;
    }
    for mut out in segments {
        out.flush()?;
    }
    Ok(runs.len())
}

/// Calls [`write`] in a process of its own. Linux counts the peak memory of the parent as that of a child, so the
/// memory that `write` needs would be attributed to the commands.
fn write_apart(folder: &Path, count: usize) -> Fallible<String> {
    let mut command = Command::new(std::env::current_exe()?);
    let output =
        command.arg("--write").arg(folder).arg(count.to_string()).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("writing {count} records: {}", output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// Runs a program on an experiment and waits for it.
fn measured(program: &Path, args: &[&str], folder: &Path) -> Fallible<Spent> {
    let mut command = Command::new(program);
    command.arg(args[0]).arg(folder).args(&args[1..]);
    if args[0] == "report" {
        command.arg("--output").arg(folder.join("report"));
    }
    let start = Instant::now();
    let end = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?.wait4()?;
    let wall = start.elapsed();
    if !end.status.success() {
        return Err(format!("{} {args:?}: {}", program.display(), end.status).into());
    }
    let cpu = end.rusage.utime + end.rusage.stime;
    Ok(Spent { wall, cpu, megabytes: end.rusage.maxrss as f64 / 1e6 })
}

fn main() -> Fallible<ExitCode> {
    let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
    let (mut programs, mut sizes, mut target) = (Vec::new(), Vec::new(), None);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--baseline" => programs.push(PathBuf::from(args.next().ok_or("--baseline needs a program")?)),
            "--write" => target = Some(PathBuf::from(args.next().ok_or("--write needs a folder")?)),
            size => sizes.push(size.parse()?),
        }
    }
    if let Some(target) = target {
        println!("{}", write(&target, *sizes.first().ok_or("--write needs a number of runs")?)?);
        return Ok(ExitCode::SUCCESS);
    }
    let sizes = if sizes.is_empty() { SIZES.to_vec() } else { sizes };
    let baselines = programs.len();
    programs.push(PathBuf::from(env!("CARGO_BIN_EXE_counterpoint")));
    println!(
        "| runs | command |{} now |\n|---|---|{}---|",
        " before |".repeat(baselines),
        "---|".repeat(baselines)
    );
    let mut is_within = true;
    for &size in &sizes {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("records");
        let _ = fs::remove_dir_all(&folder);
        let runs = write_apart(&folder, size)?;
        for Row { args, wall_s, megabytes } in &ROWS {
            let mut cells = Vec::new();
            for (i, program) in programs.iter().enumerate() {
                let spent = measured(program, args, &folder)?;
                let is_over = spent.wall.as_secs_f64() > *wall_s || spent.megabytes > *megabytes;
                is_within &= i < baselines || !is_over || Some(&size) != SIZES.last();
                cells.push(format!(
                    "{:.1} s ({:.1} s CPU), {:.0} MB",
                    spent.wall.as_secs_f64(),
                    spent.cpu.as_secs_f64(),
                    spent.megabytes
                ));
            }
            println!("| {runs} | `{}` | {} |", args.join(" "), cells.join(" | "));
        }
        fs::remove_dir_all(folder)?;
    }
    Ok(if is_within { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
