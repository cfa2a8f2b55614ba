//! `doctor`: shows how well this machine or a cluster is suited for measurements, and which programs are missing.

mod cluster;

use super::args::{Doctor as Args, On};
use super::context::Context;
use super::exit::{Failure, Status};
use super::table::table;
use super::{config, outside, print};
use crate::harness::{Cores, Environment, Preview, Support, UNKNOWN, best_tier, load, pressure, tiers};
use crate::process;
use cpu_time::ProcessTime;
use std::io::Write;
use std::time::{Duration, Instant};

/// The load per processor above which measured times are unreliable.
const BUSY_LOAD: f64 = 0.5;
/// The CPU pressure, in percent, above which measured times are unreliable.
const BUSY_PERCENT: f64 = 5.0;

/// The external programs that Counterpoint may use, each with what it is used for.
const PROGRAMS: &[(&str, &str)] = &[
    ("git", "the revision in records"),
    ("drat-trim", "check --checker drat-trim"),
    ("cake_lpr", "check --checker cake_lpr"),
    ("kissat", "an external solver, if counterpoint.toml names it"),
    ("cadical", "an external solver, if counterpoint.toml names it"),
];

pub(super) fn run(context: &Context, args: &Args, out: &mut dyn Write) -> Result<Status, Failure> {
    match args.on {
        _ if args.probe => cluster::probe(args),
        On::Slurm => cluster::run(context, args, out),
        On::Local if args.folder.is_some() || args.nodes.is_some() => {
            Err(Failure::usage("FOLDER and --nodes are for --on slurm"))
        }
        On::Local => this_machine(context, out),
    }
}

fn this_machine(context: &Context, out: &mut dyn Write) -> Result<Status, Failure> {
    let here = Environment::here(1, best_tier().tier, Vec::new())?.built_from(super::program::get().revision);
    let mut rows: Vec<[String; 3]> = Vec::new();
    let mut say = |what: &str, is: String, remark: &str| rows.push([what.to_owned(), is, remark.to_owned()]);
    say("program", format!("{} ({})", here.version, &here.binary_hash[..12]), "");
    let (revision, remark) = match (here.git_revision.as_str(), here.git_dirty.as_str()) {
        (UNKNOWN, _) => (revision(&here), "not known; records identify the program by its hash"),
        (_, "yes") => (revision(&here), "commit your changes before you measure"),
        _ => (revision(&here), ""),
    };
    say("revision", revision, remark);
    say("compiler", here.rustc.clone(), "");
    say("processor", format!("{} × {}", here.cpu_count, here.cpu_model), "");
    say("memory", format!("{:.1} GiB", here.memory_bytes as f64 / f64::from(1 << 30)), "");
    say("system", here.kernel.clone(), "");
    let governor = here.cpu_governor.as_str();
    let varies = "the clock rate may change; 'performance' is steadier";
    say(
        "CPU governor",
        governor.to_owned(),
        if ["performance", UNKNOWN].contains(&governor) { "" } else { varies },
    );
    let turbo = if here.turbo == "yes" { "times depend on temperature and on other processes" } else { "" };
    say("turbo", here.turbo.clone(), turbo);
    let load = load();
    let busy = load.is_some_and(|load| load > BUSY_LOAD * here.cpu_count as f64);
    say("load", number(load), if busy { "the machine is busy; compare counters, not times" } else { "" });
    let pressure = pressure();
    let busy = pressure.is_some_and(|percent| percent > BUSY_PERCENT);
    say("CPU pressure, %", number(pressure), if busy { "processes wait for a processor" } else { "" });
    say("CPU clock resolution", fine(resolution()), "");
    for Support { tier, cgroups } in tiers() {
        let what = format!("limits: {tier}");
        match cgroups {
            Ok(_) if tier == here.limit_tier => say(&what, "in use".to_owned(), ""),
            Ok(_) => say(&what, "available".to_owned(), ""),
            Err(why) => say(&what, "missing".to_owned(), &why.to_string()),
        }
    }
    match Cores::preview(usize::MAX) {
        Ok(Preview { cores, words }) => {
            say("free cores", cores.to_string(), &format!("with pin = true, {words}"));
        }
        Err(why) => say("free cores", UNKNOWN.to_owned(), &format!("pin = true has no effect: {why}")),
    }
    let config = config::load(context)?;
    let versions = config::versions(context, &config.programs);
    for program in config.programs {
        let found = program.command.first().and_then(|name| process::find(name));
        let version =
            versions.get(&program.name).map_or(String::new(), |version| format!("version {version}, "));
        let remark = format!("{version}named by {}", program.origin);
        say(&format!("solver {}", program.name), place(found), &remark);
    }
    for declared in config.declared {
        let found = process::find(&declared.program().to_string_lossy());
        let version = outside::version(context, &declared);
        let version = version.map_or(String::new(), |version| format!("version {version}, "));
        say(&declared.id(), place(found), &format!("{version}declared by {}", declared.origin));
    }
    for (name, what) in PROGRAMS {
        say(name, place(process::find(name)), what);
    }
    let rows = rows.into_iter().map(Vec::from).collect();
    writeln!(out, "{}", table(&["property", "value", "remark"], rows))?;
    Ok(Status::Done)
}

fn revision(here: &Environment) -> String {
    let short = here.git_revision.get(..12).unwrap_or(&here.git_revision);
    if here.git_dirty == "yes" { format!("{short}, with local changes") } else { short.to_owned() }
}

fn number(value: Option<f64>) -> String {
    value.map_or(UNKNOWN.to_owned(), |value| format!("{value:.2}"))
}

fn place(found: Option<std::path::PathBuf>) -> String {
    found.map_or("missing".to_owned(), |path| path.display().to_string())
}

/// A duration that may be less than a microsecond.
fn fine(time: Duration) -> String {
    if time < Duration::from_micros(1) { format!("{} ns", time.as_nanos()) } else { print::duration(time) }
}

/// The smallest step that the CPU clock makes during a few milliseconds.
fn resolution() -> Duration {
    let (start, mut smallest) = (Instant::now(), Duration::MAX);
    while start.elapsed() < Duration::from_millis(5) {
        let before = ProcessTime::now();
        let mut step = before.elapsed();
        while step.is_zero() {
            step = before.elapsed();
        }
        smallest = smallest.min(step);
    }
    smallest
}
