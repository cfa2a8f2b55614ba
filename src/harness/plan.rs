//! Plans: which engines on which instances under which rules and limits, how often. Read from
//! `plan.toml`; every value is resolved when it is read, so a plan that was read can be run.

mod expand;
mod read;
mod reader;
mod report_spec;
mod template;

pub use expand::{Expanded, expand};
pub use read::read;
pub use reader::{ReadContext, ReadPrograms};
pub use template::template;

use crate::record::Limits;
use crate::report_spec::ReportSpec;
use crate::rules::Settings;
use crate::solver::external::Program;
use crate::spec::EngineSpec;

/// A plan.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The problem's name.
    pub problem: String,
    /// Each choice of rules, with the pairs that were given.
    pub rules: Vec<Settings>,
    /// Each choice of bounds.
    pub limits: Vec<Limits>,
    /// How often each run is made.
    pub repetitions: u32,
    /// How many permuted formulas a SAT engine gets besides the formula as it is.
    pub shuffles: u32,
    /// Whether "there is none" is to be proved.
    pub certify: bool,
    /// Which answers the records keep.
    pub keep: Keep,
    /// Seed of the order in which runs are made.
    pub order_seed: u64,
    /// Where instances come from.
    pub families: Vec<Family>,
    /// What a report shows.
    pub report_spec: ReportSpec,
    /// Outside solvers that the plan names.
    pub programs: Vec<Program>,
}

/// Which answers records keep. Answers that are not checked, and those that differ, are kept always.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// No others.
    None,
    /// One of each family, choice of parameters and engine.
    Sample,
    /// All.
    All,
}

/// Instances with the engines that get them.
#[derive(Clone, Debug)]
pub struct Family {
    /// Where they come from.
    pub source: Source,
    /// The engines.
    pub engines: Vec<EngineSpec>,
    /// Where it stands, for messages.
    pub place: String,
}

/// Where the instances of a family come from.
#[derive(Clone, Debug)]
pub enum Source {
    /// A generator.
    Generated {
        /// Its name.
        name: String,
        /// Each choice of parameters.
        params: Vec<Vec<(String, String)>>,
        /// Its seeds.
        seeds: Vec<u64>,
    },
    /// All games of a file.
    File {
        /// Its name as the plan gives it.
        name: String,
        /// What it holds.
        text: String,
    },
}
