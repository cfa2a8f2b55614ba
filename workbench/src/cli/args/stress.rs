//! The arguments of `stress`.

use super::{BadValue, Rules, size};
use std::ffi::OsString;
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

const AFTER: &str = "\
The output of the program is compared with that of the reference. Families that take little time come first. The
test continues after a timeout, because a slow program may also be wrong: a wrong answer takes precedence, and a
timeout is reported only if a second run confirms it. The failing input is then shrunk. A known bug is
named as the cause if it gives the same output on every input that the program answered; otherwise, the known bug that
gives the same output on the most inputs is named, if these are more than for the reference.

With --cnf, the program is an encoder: it reads a board and prints DIMACS CNF, with a line `c varname ID NAME` for the
variable of each cell: `press r1c1` (flip), `covered r1c1` (ships), or `toggle step 1 r1c1` (spot, on smudged records
with `?`). The models of both formulas are compared on these variables, on all tiny boards and on random boards.

The smallest failing input goes to standard output, everything else to standard error. Exit status: 0 no difference, or
only where the problem statement is silent; 1 a difference; 2 bad input or usage; 130 interrupted by Ctrl-C.";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(in crate::cli) struct Stress {
    /// The problem.
    pub(in crate::cli) problem: String,
    /// Use only these families of inputs; `--list` shows all.
    #[arg(value_name = "FAMILY")]
    pub(in crate::cli) families: Vec<String>,
    /// List the families of inputs and the known bugs.
    #[arg(long)]
    pub(in crate::cli) list: bool,
    /// Test an encoder: a program that reads a board and prints a formula. Its models are compared with those of our
    /// formula.
    #[arg(long, conflicts_with_all = ["list", "families", "beyond", "package"])]
    pub(in crate::cli) cnf: bool,
    /// The seed of all random choices.
    #[arg(long, default_value_t = 1)]
    pub(in crate::cli) seed: u64,
    /// The number of generated inputs. The default is 1000, or 50 if they are only written. With --cnf, the
    /// number of random boards; the default is 200.
    #[arg(long, value_name = "N")]
    pub(in crate::cli) count: Option<u64>,
    /// How many seconds to look for a difference. Shrinking it may take half a minute more.
    #[arg(long, value_name = "S", default_value_t = 60)]
    pub(in crate::cli) seconds: u64,
    /// Also use inputs for which the problem statement does not define the right answer.
    #[arg(long)]
    pub(in crate::cli) beyond: bool,
    /// Test this file instead of generated inputs.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["replay", "count"])]
    pub(in crate::cli) input: Option<String>,
    /// Save failing inputs here, as found and shrunk, with the right outputs (`.in`, `.ans`). Without a command, save
    /// all inputs.
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) save: Option<PathBuf>,
    /// Write a problem package for contests (Kattis, ICPC) with generated tests into this folder, and run nothing.
    /// Replaces files of an earlier run.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["input", "replay", "save", "beyond", "command"])]
    pub(in crate::cli) package: Option<PathBuf>,
    /// Test the inputs of this folder first (`*.in`), in the order of their names.
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) replay: Option<PathBuf>,
    /// The CPU time limit of a run.
    #[arg(long, value_name = "T", default_value = "2s", value_parser = time)]
    pub(in crate::cli) time_limit: Duration,
    /// The wall time limit of a run, which ends a program that waits. The default is five times the CPU time limit plus
    /// five seconds.
    #[arg(long, value_name = "T", value_parser = time)]
    pub(in crate::cli) wall_limit: Option<Duration>,
    /// The memory limit of a run.
    #[arg(long, value_name = "SIZE", default_value = "512MiB", value_parser = memory)]
    pub(in crate::cli) memory_limit: u64,
    /// The number of runs at a time; by default, one per processor. The findings do not depend on it.
    #[arg(short, long, value_name = "N")]
    pub(in crate::cli) jobs: Option<NonZero<usize>>,
    #[command(flatten)]
    pub(in crate::cli) rules: Rules,
    /// The program and its arguments.
    #[arg(last = true, value_name = "COMMAND")]
    pub(in crate::cli) command: Vec<OsString>,
}

fn time(text: &str) -> Result<Duration, BadValue> {
    let limit = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    if limit.is_zero() { Err(NO_LIMIT.into()) } else { Ok(limit) }
}

fn memory(text: &str) -> Result<u64, BadValue> {
    let limit = size::parse(text)?;
    if limit == 0 { Err(NO_LIMIT.into()) } else { Ok(limit) }
}

const NO_LIMIT: &str = "a limit must be greater than 0";
