//! Records: one JSON object per line for each attempt at a run.
//!
//! Names contain units: `_s` for seconds, `_bytes` for bytes. A value that does not apply or was not measured is
//! absent, never zero.

mod blame;
pub mod columns;
mod condition;
mod cubes;
mod groups;
mod line;
mod offered;
mod part;
mod parts;
mod records;
mod restored;
mod row;
mod tags;
mod tally;
mod unsupported;
mod valid;
mod values;
mod words;

pub use blame::blame;
pub use columns::DefaultRules;
pub use condition::Condition;
pub(crate) use condition::{column as condition_column, words as condition_words};
pub use cubes::{ABSENT, Cut, ProofFile, REFUTED};
pub use groups::{Group, groups};
pub use line::{Line, Members, Pairs, Text};
pub use offered::{names, values_in};
pub use parts::{Setup, Source};
pub use records::Records;
pub use row::Row;
pub(crate) use row::Time;
pub use tags::{MAX_TAGS, Tags, validate_tag};
pub use tally::{Tally, disputes};
pub use unsupported::{Unsupported, unsupported};
pub use valid::{Unreadable, read};
pub use words::{from_hex, to_hex};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The limits of a run; `None` means that there is no such limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// CPU time of building and solving together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_s: Option<f64>,
    /// Wall time of building and solving together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_s: Option<f64>,
    /// CPU time of proving and checking together. Without it, the limit is that of building and solving, but at least
    /// 10 s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof_s: Option<f64>,
    /// Resident memory of the whole run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// Nodes plus conflicts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work: Option<u64>,
}

/// The source of an instance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// A generator.
    Family {
        /// The family's name.
        name: String,
        /// The parameters as in the plan.
        params: Vec<(String, String)>,
        /// The seed.
        seed: u64,
    },
    /// A file.
    File {
        /// The file's name as in the plan.
        name: String,
        /// The number of the game, from 1.
        game: u64,
        /// The instance as input text.
        text: String,
    },
    /// A whole file, which a pattern matches.
    Found {
        /// The pattern as in the plan.
        pattern: String,
        /// The file's path, relative to the folder of the plan.
        file: String,
        /// The number of the file among those that the pattern matches, from 1.
        number: u64,
        /// The file's path and hash, as they stand in answers.
        text: String,
    },
}

/// One run of a plan. It contains everything that is needed to carry it out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The identifier of the run.
    pub key: String,
    /// The problem's name.
    pub problem: String,
    /// The rules.
    pub rules: Value,
    /// The source of the instance.
    pub origin: Origin,
    /// The hash of the instance.
    pub instance_hash: String,
    /// The engine's id.
    pub engine: String,
    /// The number of the repetition, from 1.
    pub repetition: u32,
    /// 0 for the formula as it is; otherwise the seed of a shuffle of variables, clauses and literals.
    pub shuffle: u32,
    /// 0 for the default of the external solver; otherwise the seed that it is given.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub solver_seed: u32,
    /// The limits.
    pub limits: Limits,
    /// The part of an instance that this run solves, if its formula is split into cubes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<Cut>,
    /// Whether obligations are proved.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub certify: bool,
    /// Whether the record keeps the answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keep: bool,
    /// The words that the plan attaches to the run. They are not part of its identity.
    #[serde(default, skip_serializing_if = "Tags::is_empty")]
    pub tags: Tags,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// With an answer.
    Decided,
    /// A limit was reached.
    Limit,
    /// The engine does not support the instance.
    Unsupported,
    /// The engine, a solver or the process failed.
    Failed,
}

/// The result of checking an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Check {
    /// Every claim was verified.
    Checked,
    /// Some claim is open.
    Open,
    /// Some claim is false.
    Wrong,
}

/// The results of an attempt. Fields that are not known are absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Findings {
    /// How the attempt ended; absent while it is running.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// The limit that was reached: `cpu`, `wall`, `memory`, `work`, `solver` or `cancelled`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// The answer in a word or two; after a limit, the best answer so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// The result of checking a decided answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<Check>,
    /// Why the run is unsupported, failed, open or wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What went wrong without changing the result, such as a wrong proof of an external solver.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// CPU time of building and solving.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_s: Option<f64>,
    /// Wall time of building and solving.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_s: Option<f64>,
    /// CPU time before the solver's first call; SAT engines only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build_cpu_s: Option<f64>,
    /// CPU time from the solver's first call on; SAT engines only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solve_cpu_s: Option<f64>,
    /// CPU time of the checker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check_cpu_s: Option<f64>,
    /// CPU time of proving obligations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prove_cpu_s: Option<f64>,
    /// The total size of the proofs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof_bytes: Option<u64>,
    /// The largest resident memory of the process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_bytes: Option<u64>,
    /// The literals of the cube that was solved, with the numbers of the checker's plain formula.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub literals: Option<String>,
    /// The proof that there is no model in this cube.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProofFile>,
    /// Work counters.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub work: BTreeMap<String, u64>,
    /// The answer, if it is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Value>,
}

/// One attempt at a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The run's key.
    pub key: String,
    /// The unique name of the attempt.
    pub attempt: String,
    /// The number of this attempt at the run, from 1. Records of earlier versions lack it and count as first attempts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt_number: Option<u32>,
    /// The name of the environment, which is described in a file of its own.
    #[serde(rename = "surroundings")]
    pub environment: String,
    /// The build of the program that made the record. It comes from the environment's file when a set is read; it is
    /// not written with the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    /// The node on which the run was made, if the set has records of several nodes. Like the build, it comes from the
    /// environment's file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// The processor of that node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_model: Option<String>,
    /// The pilot that made the run, if it was made in a Slurm job: the job, the task of its array and how often Slurm had
    /// started it again, such as `14_3r1`. It comes from the environment's file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pilot: Option<String>,
    /// The problem's name.
    pub problem: String,
    /// The family, or the file that the instance was read from.
    pub family: String,
    /// The parameters of the family, as numbers if possible.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub params: Map<String, Value>,
    /// The seed, or the number of the game in a file.
    pub seed: u64,
    /// The hash of the instance.
    pub instance_hash: String,
    /// The rules that differ from the judge's. A file is represented by the hash of its contents.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub rules: Map<String, Value>,
    /// The engine's id.
    pub engine: String,
    /// `search`, `sat` or `exec`.
    pub side: String,
    /// The name of a SAT engine's encoding, or the name of the search. Records of earlier versions call this field
    /// `model`.
    #[serde(alias = "model")]
    pub encoding: String,
    /// The value of every axis, including defaults.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub axes: BTreeMap<String, String>,
    /// The solver; SAT engines only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solver: Option<String>,
    /// The versions of the external programs that the run uses, by their names. The name of a solver is that of its
    /// table.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub programs: BTreeMap<String, String>,
    /// The words that the plan attaches to family and engine. When records are read, the words of the present plan
    /// replace them.
    #[serde(default, skip_serializing_if = "Tags::is_empty")]
    pub tags: Tags,
    /// The number of the repetition, from 1.
    pub repetition: u32,
    /// 0 for the formula as it is; otherwise the seed of a shuffle.
    pub shuffle: u32,
    /// 0 for the default of the external solver; otherwise the seed that it was given.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub solver_seed: u32,
    /// The number of the cube, such as `3/64`, or of a half of a cube, such as `3.1/64`. The statistics of an
    /// engine leave such records out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cube: Option<String>,
    /// If this is a half of a cube that reached a limit, the key of the run of that cube. The run is in the plan, but
    /// its halves are not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split_of: Option<String>,
    /// The number of runs into which this run was cut. Its times and counters are the sums over these runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cubes: Option<u32>,
    /// The limits of the run.
    pub limits: Limits,
    /// The results.
    #[serde(flatten)]
    pub findings: Findings,
    /// The key of a run with a contradictory answer to the same instance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contradicts: Option<String>,
    /// CPU time that the engine's program needs to start: the minimum over a few executions on a small input, measured
    /// once for each call of the command `run`. It is part of the CPU time of each run. Only engines that a plan or a
    /// configuration declares have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub startup_cpu_s: Option<f64>,
    /// CPU time of the whole process, including the processes that it started.
    pub process_cpu_s: f64,
    /// Wall time of the whole process.
    pub process_wall_s: f64,
    /// When the process was started (RFC 3339, UTC).
    pub start: String,
    /// The load average over a minute, just before the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<f64>,
    /// Of the ten seconds before the start, the percentage during which some process waited for a processor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressure_percent: Option<f64>,
    /// The number that Linux gives to the logical processor that the run was pinned to; absent if it was not
    /// pinned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub core: Option<u32>,
}

impl Record {
    /// Whether the run has an answer that is checked and not contradicted.
    pub fn is_solved(&self) -> bool {
        self.findings.verdict == Some(Verdict::Decided)
            && self.findings.check == Some(Check::Checked)
            && self.contradicts.is_none()
    }

    /// Whether the run has an answer that is wrong or contradicts another.
    pub fn is_wrong(&self) -> bool {
        self.findings.check == Some(Check::Wrong) || self.contradicts.is_some()
    }

    /// The number of the attempt, from 1.
    fn number(&self) -> u32 {
        self.attempt_number.unwrap_or(1)
    }

    /// Whether the attempt failed, so that the run can be repeated.
    fn has_failed(&self) -> bool {
        matches!(self.findings.verdict, Some(Verdict::Failed) | None)
    }

    /// Of two attempts at the same run, returns the one that counts. This is the lowest-numbered attempt that did not
    /// fail or, if both failed, the highest-numbered one. Of two unnumbered attempts, the last to start counts;
    /// otherwise, no clock decides. Two processes that did the same run without knowing of each other may have given
    /// their attempts the same number. Then the attempt whose name comes first counts. The result does not depend on
    /// the order in which attempts are read.
    #[must_use]
    pub fn counting(self, other: Record) -> Record {
        let order = match (self.has_failed(), other.has_failed()) {
            (true, true) => other.number().cmp(&self.number()),
            (one, two) => one.cmp(&two).then(self.number().cmp(&other.number())),
        };
        let tie = || match (self.attempt_number, other.attempt_number) {
            (None, None) => (&other.start, &other.attempt).cmp(&(&self.start, &self.attempt)),
            (one, two) => one.cmp(&two).then_with(|| self.attempt.cmp(&other.attempt)),
        };
        if order.then_with(tie).is_gt() { other } else { self }
    }
}
