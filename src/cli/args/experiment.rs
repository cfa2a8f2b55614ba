//! What the commands around experiments take.

use clap::ValueEnum;
use std::num::NonZero;

/// What EXP is.
const EXP: &str = "\
EXP is a folder with a plan.toml, a plan itself, or the beginning of a name under experiments/.";

#[derive(Debug, clap::Args)]
#[command(after_help = "\
EXP is the folder to be made. A plain name becomes experiments/NNN-NAME with the next number where there is
such a folder.")]
pub(in crate::cli) struct New {
    /// The experiment.
    pub(in crate::cli) exp: String,
    /// The problem of the plan.
    #[arg(long, default_value = "ships")]
    pub(in crate::cli) problem: String,
}

#[derive(Debug, clap::Args)]
#[command(after_help = EXP)]
pub(in crate::cli) struct Run {
    /// The experiment.
    pub(in crate::cli) exp: String,
    /// Runs side by side; fewer disturb each other less.
    #[arg(short, long, value_name = "N", default_value = "1")]
    pub(in crate::cli) jobs: NonZero<usize>,
    /// The set of records.
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub(in crate::cli) set: String,
    /// Carry out runs that have failed once more; what they leave then counts.
    #[arg(long)]
    pub(in crate::cli) retry: bool,
    /// Carry out this run alone once more, show it beside its record, and store nothing. The beginning of a key is enough.
    #[arg(long, value_name = "KEY", conflicts_with_all = ["retry", "dry_run"])]
    pub(in crate::cli) repeat: Option<String>,
    /// Only tell which runs there are and how long they may take.
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = EXP)]
pub(in crate::cli) struct Status {
    /// The experiment.
    pub(in crate::cli) exp: String,
    /// The set of records.
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub(in crate::cli) set: String,
    /// Group runs by these columns of the records, such as n, amo or family, and by engine.
    #[arg(long, value_delimiter = ',', value_name = "COLUMN,COLUMN")]
    pub(in crate::cli) by: Vec<String>,
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
#[command(after_help = EXP)]
pub(in crate::cli) struct Cancel {
    /// The experiment.
    pub(in crate::cli) exp: String,
    /// The set of records.
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub(in crate::cli) set: String,
}
