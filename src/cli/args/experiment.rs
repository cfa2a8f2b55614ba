//! What the commands around experiments take.

use clap::ValueEnum;
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

/// [`crate::harness::LEASE`] as it is written.
const LEASE_TEXT: &str = "60s";

/// What EXP is, and how commands end.
const RUN: &str = "\
EXP is a folder with a plan.toml, a plan itself, or the beginning of a name under experiments/.

Exit status: 0 done; 1 an answer is wrong, or answers contradict each other; 2 bad input or usage, or a run failed; 130
on Ctrl-C, and the same command goes on.";

const STATUS: &str = "\
EXP is a folder with a plan.toml, a plan itself, or the beginning of a name under experiments/.

A record that is damaged, impossible, or not of the run whose key it has is not counted; a warning names its file and
line, and `run` does its run again. A record whose answer is not kept cannot be verified; `run EXP --repeat KEY` does its
run again.

Exit status: 0 done; 1 an answer is wrong, answers contradict each other, or --verify finds a record that was altered;
2 bad input or usage; 3 --verify met a limit.";

const CANCEL: &str = "\
EXP is a folder with a plan.toml, a plan itself, or the beginning of a name under experiments/.

Exit status: 0 done; 2 bad input or usage.";

#[derive(Debug, clap::Args)]
#[command(after_help = "\
EXP is the folder to be made. A plain name becomes experiments/NNN-NAME with the next number where there is
such a folder.

Exit status: 0 done; 2 bad input or usage.")]
pub(in crate::cli) struct New {
    /// The experiment.
    pub(in crate::cli) exp: String,
    /// The problem of the plan; `list rules` names them all.
    #[arg(long, default_value = "ships")]
    pub(in crate::cli) problem: String,
}

#[derive(Debug, clap::Args)]
#[command(after_help = RUN)]
pub(in crate::cli) struct Run {
    /// The experiment.
    pub(in crate::cli) exp: String,
    /// Runs side by side; fewer disturb each other less.
    #[arg(short, long, value_name = "N", default_value = "1")]
    pub(in crate::cli) jobs: NonZero<usize>,
    /// The set of records: sets keep measurements apart, say of two builds.
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub(in crate::cli) set: String,
    /// Carry out runs that have failed once more; what they leave then counts.
    #[arg(long)]
    pub(in crate::cli) retry: bool,
    /// Carry out this run alone once more, show it beside its record, and store nothing. The beginning of a key is enough.
    #[arg(long, value_name = "KEY", conflicts_with_all = ["retry", "dry_run"])]
    pub(in crate::cli) repeat: Option<String>,
    /// Add this build's runs to a set that holds records of another build. Each record keeps its build, and reports tell
    /// them apart.
    #[arg(long)]
    pub(in crate::cli) accept_build: bool,
    /// Only tell which runs there are, how long they may take, and whether `run` would refuse.
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
    /// How long another process may be silent before this one takes over its batches.
    #[arg(long, value_name = "T", default_value = LEASE_TEXT, value_parser = humantime::parse_duration, hide = true)]
    pub(in crate::cli) lease: Duration,
}

#[derive(Debug, clap::Args)]
#[command(after_help = STATUS)]
pub(in crate::cli) struct Status {
    /// The experiment.
    pub(in crate::cli) exp: String,
    /// The set of records: sets keep measurements apart, say of two builds.
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub(in crate::cli) set: String,
    /// Group runs by these columns of the records, such as n, amo or family, and by engine.
    #[arg(long, value_delimiter = ',', value_name = "COLUMN,COLUMN")]
    pub(in crate::cli) by: Vec<String>,
    /// Check every answer that the records keep once more; exit with 1 if a record does not agree, or is not counted.
    #[arg(long, conflicts_with = "records")]
    pub(in crate::cli) verify: bool,
    /// Write the records instead, in the order of the plan.
    #[arg(long, value_enum, value_name = "SHAPE", conflicts_with = "by")]
    pub(in crate::cli) records: Option<Shape>,
}

/// How records are written.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::cli) enum Shape {
    /// A column a field, nested fields joined by an underscore.
    Csv,
    /// An object a line, answers included.
    Jsonl,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
EXP is a folder with a plan.toml, a plan itself, or the beginning of a name under experiments/; without it, all of
those get their reports, and the table of them its lines.

Into EXP/report go report.html, which opens from disk, figures/ as SVG and PDF with their points as CSV, and tables/
as CSV, LaTeX and Markdown. From the set 'main' the README gets its section, between marks, and figures beside it.

Exit status: 0 done; 1 with --check, if a file is stale; 2 bad input or usage.")]
pub(in crate::cli) struct Report {
    /// The experiment; all under experiments/ if missing.
    pub(in crate::cli) exp: Option<String>,
    /// The set of records: sets keep measurements apart, say of two builds.
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub(in crate::cli) set: String,
    /// Compare with another set of this experiment, or with another experiment's set 'main'.
    #[arg(long, value_name = "SET|EXP", requires = "exp")]
    pub(in crate::cli) baseline: Option<String>,
    /// The folder of the page, the figures and the tables, instead of EXP/report; README files are left alone.
    #[arg(short, long, value_name = "FOLDER")]
    pub(in crate::cli) output: Option<PathBuf>,
    /// Write nothing; say which files of the repository are not what the records say, with exit status 1 if any.
    #[arg(long, conflicts_with_all = ["baseline", "output"])]
    pub(in crate::cli) check: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = CANCEL)]
pub(in crate::cli) struct Cancel {
    /// The experiment.
    pub(in crate::cli) exp: String,
    /// The set of records: sets keep measurements apart, say of two builds.
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub(in crate::cli) set: String,
}
