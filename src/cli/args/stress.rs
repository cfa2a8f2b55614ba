//! What `stress` takes.

use super::{Rules, size};
use std::ffi::OsString;
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

const AFTER: &str = "\
A program's output is compared with the reference's. Families that are quick to answer come first. A program that meets \
a limit is tested further, because it may be wrong, too: a wrong answer is reported first, and a limit only if a second \
run meets it. The input is then made as small as possible, and the cause is named if one of our wrong programs prints the \
same on every input that was run; otherwise the one that comes nearest.

With --cnf the command reads a board as such a program does and prints DIMACS CNF, with a line `c varname ID NAME` for
the variable of each cell: `press r1c1` (flip), `covered r1c1` (ships), `toggle step 1 r1c1` (spot, which has smudged
records with `?`). Only these are compared, on all tiny boards and on random ones.

The smallest failing input goes to standard output, all else to standard error. Exit status: 0 no difference, or one \
only where the statement is silent; 1 a difference; 2 bad input or usage; 130 on Ctrl-C.";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(in crate::cli) struct Stress {
    /// The problem.
    pub(in crate::cli) problem: String,
    /// Only inputs of these kinds; `--list` names them all.
    #[arg(value_name = "FAMILY")]
    pub(in crate::cli) families: Vec<String>,
    /// List the kinds of inputs and the known faults.
    #[arg(long)]
    pub(in crate::cli) list: bool,
    /// The program is an encoder: it reads a board and prints a formula, whose models are compared with ours.
    #[arg(long, conflicts_with_all = ["list", "families", "beyond", "package"])]
    pub(in crate::cli) cnf: bool,
    /// Of all chance.
    #[arg(long, default_value_t = 1)]
    pub(in crate::cli) seed: u64,
    /// How many generated inputs: 1000, or 50 where they are only written.
    #[arg(long, value_name = "N")]
    pub(in crate::cli) count: Option<u64>,
    /// How many seconds to look for a difference; making it small may take half a minute more.
    #[arg(long, value_name = "S", default_value_t = 60)]
    pub(in crate::cli) seconds: u64,
    /// Also inputs on which the statement does not say what is right.
    #[arg(long)]
    pub(in crate::cli) beyond: bool,
    /// Test this file instead of generated inputs.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["replay", "count"])]
    pub(in crate::cli) input: Option<String>,
    /// Keep failing inputs here, as found and made small, with the right outputs (`.in`, `.ans`); without a
    /// command, all inputs.
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) save: Option<PathBuf>,
    /// Write a problem package for contests here (Kattis, ICPC), with generated tests; runs nothing.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["input", "replay", "save", "beyond", "command"])]
    pub(in crate::cli) package: Option<PathBuf>,
    /// First the inputs of this folder, by name (`*.in`).
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) replay: Option<PathBuf>,
    /// CPU time for a run. A program that waits is ended after five times as much and five seconds.
    #[arg(long, value_name = "T", default_value = "2s", value_parser = time)]
    pub(in crate::cli) time_limit: Duration,
    /// Memory for a run.
    #[arg(long, value_name = "SIZE", default_value = "512MiB", value_parser = memory)]
    pub(in crate::cli) memory_limit: u64,
    /// Runs at a time; one a processor by default. What is found does not depend on it.
    #[arg(short, long, value_name = "N")]
    pub(in crate::cli) jobs: Option<NonZero<usize>>,
    #[command(flatten)]
    pub(in crate::cli) rules: Rules,
    /// The program and its arguments.
    #[arg(last = true, value_name = "COMMAND")]
    pub(in crate::cli) command: Vec<OsString>,
}

fn time(text: &str) -> Result<Duration, String> {
    let limit = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    if limit.is_zero() { Err(NO_LIMIT.to_owned()) } else { Ok(limit) }
}

fn memory(text: &str) -> Result<u64, String> {
    let limit = size::parse(text)?;
    if limit == 0 { Err(NO_LIMIT.to_owned()) } else { Ok(limit) }
}

const NO_LIMIT: &str = "no program keeps a limit of 0";
