//! The arguments of `doctor`.

use super::On;
use std::path::PathBuf;
use std::time::Duration;

const DOCTOR: &str = "\
With --on slurm, FOLDER must be on the file system that the nodes share; it is the working directory by default. If it
contains a plan, the plan's settings and programs are tested. A folder `counterpoint-doctor-…` is made in it and removed
at the end.

Exit status: 0 success; 2 bad input or usage, or the cluster cannot be used.";

#[derive(Debug, clap::Args)]
#[command(after_help = DOCTOR)]
pub(in crate::cli) struct Doctor {
    /// The folder that the nodes share, for --on slurm.
    pub(in crate::cli) folder: Option<PathBuf>,
    /// What is tested: this machine, or a Slurm cluster. A small job tests some of the cluster's nodes.
    #[arg(long, value_enum, default_value_t = On::Local)]
    pub(in crate::cli) on: On,
    /// The number of nodes that are tested. By default, all that can be used, but at most eight.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(in crate::cli) nodes: Option<u32>,
    /// How long to wait until Slurm starts the job.
    #[arg(long, value_name = "T", value_parser = humantime::parse_duration, default_value = "2m")]
    pub(in crate::cli) wait: Duration,
    /// Take part in a test as a task of the job.
    #[arg(long, hide = true)]
    pub(in crate::cli) probe: bool,
}
