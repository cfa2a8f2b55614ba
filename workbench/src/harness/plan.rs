//! A plan says which engines solve which instances, under which rules and limits, and how often. A plan is read from
//! `plan.toml`. The names of the problem and of its rules, engines and families are resolved while the plan is read.

mod cubes;
mod expand;
mod key;
mod read;
mod reader;
mod report_spec;
pub(super) mod runs;
mod slurm;
mod tags;
mod template;

pub(super) use cubes::key_of_half;
pub use expand::{ExpandError, Expanded, FamilyError, expand};
pub use read::{PlanError, read};
pub use reader::{ListEngines, ReadContext, ReadDeclared, ReadPrograms, all_values};
pub(crate) use runs::Place;
pub use runs::{PlannedRun, Runs};
pub use slurm::slurm;
pub use template::template;

use super::slurm::Settings as SlurmSettings;
use crate::declared::Declaration;
use crate::input::FileReference;
use crate::record::{Limits, Tags};
use crate::report_spec::ReportSpec;
use crate::rules::Settings;
use crate::solver::external::Program;
use crate::spec::EngineSpec;
use std::collections::BTreeMap;

/// A plan.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The problem's name.
    pub problem: String,
    /// The settings of the rules. Every family without rules of its own is used with each of them.
    pub rules: Vec<Settings>,
    /// The limits of runs. Every engine solves every instance under each of them.
    pub limits: Vec<Limits>,
    /// Whether the plan itself sets a limit on CPU time everywhere, so that no default applies.
    pub sets_cpu_limit: bool,
    /// How often each engine solves each instance. A SAT engine also solves each shuffle of its formula this often.
    pub repetitions: u32,
    /// How many shuffles of its formula a SAT engine solves, in addition to the formula as it is.
    pub shuffles: u32,
    /// The number of seeds, besides the default seed, that each external solver gets if it accepts seeds. Such a solver
    /// solves each shuffle with each seed.
    pub solver_seeds: u32,
    /// Into how many cubes the formula of each SAT engine is split; `None` if it is solved as a whole.
    pub cubes: Option<u32>,
    /// Whether obligations are proved.
    pub certify: bool,
    /// Which answers the records keep.
    pub keep: Keep,
    /// Whether each run is pinned to a processor core of its own.
    pub pin: bool,
    /// The seed of the order of the runs.
    pub order_seed: u64,
    /// The sources of instances.
    pub families: Vec<Family>,
    /// The words attached to engines, by the engine's id.
    pub engine_tags: BTreeMap<String, Vec<String>>,
    /// The settings of pilots on a Slurm cluster; `None` if the plan has none.
    pub slurm: Option<SlurmSettings>,
    /// What a report shows.
    pub report_spec: ReportSpec,
    /// The external solvers that the plan names.
    pub programs: Vec<Program>,
    /// The declared engines that the plan names.
    pub declared: Vec<Declaration>,
}

impl Plan {
    /// The words attached to the runs of an engine on a family's instances.
    fn tags(&self, family: &[String], engine: &str) -> Tags {
        Tags { family: family.to_vec(), engine: self.engine_tags.get(engine).cloned().unwrap_or_default() }
    }
}

/// Which answers records keep. Answers that are not checked or that contradict others are always kept; very long
/// answers are never kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// No other answers.
    None,
    /// One answer for each engine and each choice of parameters of a family, under each choice of rules and limits: the
    /// answer to the first seed or game.
    Sample,
    /// All answers.
    All,
}

/// A source of instances, with the engines that solve them.
#[derive(Clone, Debug)]
pub struct Family {
    /// The source of the instances.
    pub source: Source,
    /// The settings of the rules with which the family is used, if the family has rules of its own. The rules of the
    /// plan that it does not set are included.
    pub rules: Option<Vec<Settings>>,
    /// The engines.
    pub engines: Vec<EngineSpec>,
    /// The words attached to the family.
    pub tags: Vec<String>,
    /// The position in the plan, for messages.
    pub place: String,
}

/// The files that a pattern matches.
#[derive(Clone, Debug)]
pub struct Found {
    /// The pattern as in the plan.
    pub pattern: String,
    /// The files in natural order. Their paths are relative to the folder of the plan.
    pub files: Vec<FileReference>,
}

/// The source of the instances of a family.
#[derive(Clone, Debug)]
pub enum Source {
    /// A generator.
    Generated {
        /// The generator's name.
        name: String,
        /// The choices of parameters. Each is a list of names with their values.
        params: Vec<Vec<(String, String)>>,
        /// The seeds.
        seeds: Vec<u64>,
    },
    /// Files that are one instance each.
    Files(Vec<Found>),
    /// All games of a file.
    File {
        /// The file's name as in the plan.
        name: String,
        /// The file's contents.
        text: String,
    },
}
