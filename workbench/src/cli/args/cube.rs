//! The arguments of `cube`.

use super::{Input, Limits};
use std::num::NonZero;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(after_help = CUBE_STATUS)]
pub(in super::super) struct Cube {
    #[command(flatten)]
    pub(in super::super) input: Input,
    /// The SAT engine whose formula is split; `list engines` shows all.
    #[arg(short, long, default_value = "sat")]
    pub(in super::super) engine: String,
    /// Split game K of the input, counted from 1.
    #[arg(long, value_name = "K", default_value_t = 1)]
    pub(in super::super) game: usize,
    /// The number of cubes. There are fewer if looking ahead refutes all other branches.
    #[arg(long, value_name = "N")]
    pub(in super::super) cubes: Option<NonZero<u32>>,
    /// Take the cubes from this file of another program (iCNF: lines such as `a 1 -2 0`) instead of looking ahead.
    #[arg(long, value_name = "FILE", conflicts_with = "cubes")]
    pub(in super::super) from: Option<PathBuf>,
    /// Write formula.cnf, plain.cnf (the checker's formula, if it is another one), cubes.icnf, cover.drat, and
    /// answer.json into this folder. Replaces files of an earlier run. Without it, cubes.icnf goes to standard output,
    /// and nothing is proved.
    #[arg(short, long, value_name = "DIR")]
    pub(in super::super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(in super::super) limits: Limits,
}

const CUBE_STATUS: &str = "\
Exit status: 0 success; 2 bad input or usage, or the formula cannot be split; 3 a limit was reached;
130 interrupted by Ctrl-C.";
