//! The arguments of `new`, `run`, `status`, `report`, `compact` and `cancel`.

use super::BadValue;
use crate::harness::slurm::time_of_option;
use clap::ValueEnum;
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

/// The default problem of a new plan. A program without this problem uses its first problem.
pub(in crate::cli) const DEFAULT_PROBLEM: &str = "ships";

/// The notes below the options of `run`. Like the notes of the other commands, they explain EXP and the exit
/// status.
const RUN: &str = "\
EXP is a folder that contains a plan.toml, the path of a plan, a prefix of a name under experiments/, or such a name
without its number.

Exit status: 0 success; 1 an answer is wrong, or answers contradict each other; 2 bad input or usage, or a run
failed; 130 interrupted by Ctrl-C. The same command resumes an interrupted experiment.";

const STATUS: &str = "\
EXP is a folder that contains a plan.toml, the path of a plan, a prefix of a name under experiments/, or such a name
without its number.

A record is not counted if it is damaged, impossible, or does not match the run with its key. A warning names its
file and line, and `run` repeats the run. A record without its answer cannot be verified; `run EXP --repeat KEY`
repeats its run.

Exit status: 0 success; 1 an answer is wrong, answers contradict each other, or --verify finds an altered record; 2 bad
input or usage; 3 --verify reached a limit.";

const COMPACT: &str = "\
EXP is a folder that contains a plan.toml, the path of a plan, a prefix of a name under experiments/, or such a name
without its number.

Each process that carries out runs writes a file of its own, so a set that was made on many nodes has many files. If a
line occurs twice, one copy is kept. Incomplete last lines are left out. All other lines are kept. If the command is
killed, no record is lost, and the same command completes the work. While a process works on the set, the command
refuses to start.

Exit status: 0 success; 2 bad input or usage, or the set is in use.";

const CANCEL: &str = "\
EXP is a folder that contains a plan.toml, the path of a plan, a prefix of a name under experiments/, or such a name
without its number.

Exit status: 0 success; 2 bad input or usage.";

#[derive(Debug, clap::Args)]
#[command(after_help = "\
EXP is the folder to create. If there is a folder experiments/, a plain name becomes experiments/NNN-NAME with the next
number.

Exit status: 0 success; 2 bad input or usage.")]
pub(in crate::cli) struct New {
    /// The experiment.
    pub(in crate::cli) exp: String,
    /// The problem of the plan; `list rules` names all problems.
    #[arg(long, default_value = DEFAULT_PROBLEM)]
    pub(in crate::cli) problem: String,
}

#[derive(Debug, clap::Args)]
#[command(after_help = RUN)]
pub(in crate::cli) struct Run {
    /// The experiment.
    pub(in crate::cli) exp: String,
    /// The number of runs at a time, by default 1. Fewer runs disturb each other less.
    #[arg(short, long, value_name = "N")]
    pub(in crate::cli) jobs: Option<NonZero<usize>>,
    /// The set of records. Sets separate measurements, for example of two builds.
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub(in crate::cli) set: String,
    /// Repeat failed runs. Their new records count.
    #[arg(long)]
    pub(in crate::cli) retry: bool,
    /// Repeat this run, compare it with its record, and store nothing. A prefix of the key is enough.
    #[arg(long, value_name = "KEY", conflicts_with_all = ["retry", "dry_run"])]
    pub(in crate::cli) repeat: Option<String>,
    /// Add runs of this build to a set that contains records of another build. Each record names its build, so reports
    /// can separate them.
    #[arg(long)]
    pub(in crate::cli) accept_build: bool,
    /// Only show the runs, how long they may take, and whether `run` would refuse to start.
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
    /// Where the runs are carried out. `slurm` queues them, submits pilots that carry them out on a cluster, and
    /// returns.
    #[arg(long, value_enum, default_value_t = On::Local, conflicts_with_all = ["repeat", "retry"])]
    pub(in crate::cli) on: On,
    /// The number of nodes that pilots may use. By default, they may use all nodes of the partition.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub(in crate::cli) nodes: Option<u32>,
    /// The time of a pilot, such as `90m`, or as `sbatch` reads it, such as `1:30:00`. The default is computed from the
    /// limits of the runs.
    #[arg(long, value_name = "T", value_parser = pilot_time)]
    pub(in crate::cli) time: Option<Duration>,
    /// How long another process may show no progress before this one takes over its batches. The default is
    /// 60s; if pilots were submitted, it is the `lease` in `[slurm]`, but at least 60s.
    #[arg(long, value_name = "T", value_parser = humantime::parse_duration, hide = true)]
    pub(in crate::cli) lease: Option<Duration>,
    /// Work as a pilot that must end within this time.
    #[arg(long, value_name = "T", value_parser = humantime::parse_duration, hide = true)]
    pub(in crate::cli) pilot: Option<Duration>,
}

/// Where runs are carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum On {
    /// On this machine.
    Local,
    /// On a Slurm cluster.
    Slurm,
}

#[derive(Debug, clap::Args)]
#[command(after_help = STATUS)]
pub(in crate::cli) struct Status {
    /// The experiment.
    pub(in crate::cli) exp: String,
    /// The set of records. Sets separate measurements, for example of two builds.
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub(in crate::cli) set: String,
    /// Group runs by engine and by these columns of the records, such as n, amo, or family.
    #[arg(long, value_delimiter = ',', value_name = "COLUMN,COLUMN")]
    pub(in crate::cli) by: Vec<String>,
    /// Show only runs with this value in this column; several values are separated by commas. `tag=WORD` selects runs
    /// whose family or engine has this tag. If the option is given several times, all conditions must hold.
    #[arg(long, value_name = "COLUMN=VALUE", value_parser = condition)]
    pub(in crate::cli) only: Vec<(String, Vec<String>)>,
    /// Compare CPU times and counters with those of the same runs in another set of this experiment, or in the set 'main'
    /// of another experiment.
    #[arg(long, value_name = "SET|EXP", conflicts_with_all = ["by", "verify", "records"])]
    pub(in crate::cli) baseline: Option<String>,
    /// Check every stored answer again; exit with status 1 if a record disagrees with its answer or is not counted.
    #[arg(long, conflicts_with_all = ["records", "only"])]
    pub(in crate::cli) verify: bool,
    /// Write the records in this format instead, in the order of the plan (benchexec: in the order of instances).
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with = "by")]
    pub(in crate::cli) records: Option<RecordFormat>,
    /// The folder for the files of --records benchexec. It is created if necessary.
    #[arg(short, long, value_name = "FOLDER", requires = "records")]
    pub(in crate::cli) output: Option<PathBuf>,
}

impl Run {
    /// The arguments with which other commands name this experiment and, unless it is the default, this set.
    pub(in crate::cli) fn experiment_and_set(&self) -> String {
        if self.set == "main" { self.exp.clone() } else { format!("{} --set {}", self.exp, self.set) }
    }
}

fn pilot_time(text: &str) -> Result<Duration, BadValue> {
    let time = time_of_option(text).or_else(|| humantime::parse_duration(text).ok());
    time.ok_or_else(|| "expected a time, such as 90m, 2h, or 1:30:00 as for sbatch".into())
}

/// Reads `COLUMN=VALUE,VALUE`.
fn condition(text: &str) -> Result<(String, Vec<String>), BadValue> {
    match text.split_once('=') {
        Some((column, values)) if !column.is_empty() => {
            Ok((column.to_owned(), values.split(',').map(str::to_owned).collect()))
        }
        _ => Err("expected COLUMN=VALUE, such as n=8 or tag=hard".into()),
    }
}

/// The format of written records.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::cli) enum RecordFormat {
    /// One column per field; the names of nested fields are joined by an underscore.
    Csv,
    /// One JSON object per line, with answers.
    Jsonl,
    /// One XML file per engine, in the folder --output, for the program table-generator of BenchExec.
    Benchexec,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
EXP is a folder that contains a plan.toml, the path of a plan, a prefix of a name under experiments/, or such a name
without its number. Without EXP, the reports of all experiments under experiments/ and the table of experiments are
written.

EXP/report gets report.html, which opens from disk; figures/ as SVG and PDF with their points as CSV; and tables/
as CSV, LaTeX, and Markdown. The records of the set 'main' also update the marked section of EXP/README.md and its
figures, and the verdicts on the hypotheses in experiments/hypotheses.toml, if there is such a file.

Exit status: 0 success; 1 with --check, if a file is out of date; 2 bad input or usage.")]
pub(in crate::cli) struct Report {
    /// The experiment. The default is all experiments under experiments/.
    pub(in crate::cli) exp: Option<String>,
    /// The set of records. Sets separate measurements, for example of two builds.
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub(in crate::cli) set: String,
    /// Compare with another set of this experiment, or with the set 'main' of another experiment.
    #[arg(long, value_name = "SET|EXP", requires = "exp")]
    pub(in crate::cli) baseline: Option<String>,
    /// Write the page, figures, and tables into this folder instead of EXP/report, and do not change README files.
    #[arg(short, long, value_name = "FOLDER")]
    pub(in crate::cli) output: Option<PathBuf>,
    /// Write nothing. List the files of the repository that do not match the records, with exit status 1 if there are
    /// any.
    #[arg(long, conflicts_with_all = ["baseline", "output"])]
    pub(in crate::cli) check: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = COMPACT)]
pub(in crate::cli) struct Compact {
    /// The experiment.
    pub(in crate::cli) exp: String,
    /// The set of records. Sets separate measurements, for example of two builds.
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub(in crate::cli) set: String,
}

#[derive(Debug, clap::Args)]
#[command(after_help = CANCEL)]
pub(in crate::cli) struct Cancel {
    /// The experiment.
    pub(in crate::cli) exp: String,
    /// The set of records. Sets separate measurements, for example of two builds.
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub(in crate::cli) set: String,
}
