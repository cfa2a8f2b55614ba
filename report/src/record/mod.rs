//! Records: what an experiment keeps of every attempt at a run, one JSON object a line.
//!
//! Units stand in the names: seconds in `_s`, bytes in `_bytes`. What does not apply or was not measured
//! is absent, never zero.

pub mod columns;
mod groups;
mod tally;
mod valid;

pub use groups::{Group, groups};
pub use tally::{Tally, disputes};
pub use valid::{Unreadable, read};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Bounds on a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// CPU time of building and solving together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_s: Option<f64>,
    /// Wall time of building and solving together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_s: Option<f64>,
    /// Resident memory of the whole run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// Nodes plus conflicts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work: Option<u64>,
}

/// Where an instance comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// Generated.
    Family {
        /// The family's name.
        name: String,
        /// Its parameters as they were given.
        params: Vec<(String, String)>,
        /// The seed.
        seed: u64,
    },
    /// Read.
    File {
        /// The file's name as the plan gives it.
        name: String,
        /// Which of its games, from 1.
        game: u64,
        /// The instance as an input of its own.
        text: String,
    },
}

/// One run of a plan: complete in itself, so that whoever holds it can carry it out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The same for every attempt at this run, different for all others.
    pub key: String,
    /// The problem's name.
    pub problem: String,
    /// The rules that belong to the question.
    pub rules: Value,
    /// The instance.
    pub origin: Origin,
    /// What the instance hashes to.
    pub instance_hash: String,
    /// The engine's id.
    pub engine: String,
    /// From 1.
    pub repetition: u32,
    /// 0 leaves the formula as it is; others permute variables, clauses and literals.
    pub shuffle: u32,
    /// Bounds.
    pub limits: Limits,
    /// Whether "there is none" is to be proved.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub certify: bool,
    /// Whether the record keeps the answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keep: bool,
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// With an answer.
    Decided,
    /// At a limit.
    Limit,
    /// The engine does not serve the instance.
    Unsupported,
    /// The engine, a solver or the process went wrong.
    Failed,
}

/// What the checker says of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Check {
    /// Every claim is closed.
    Checked,
    /// Some claim is open.
    Open,
    /// Some claim is refuted.
    Wrong,
}

/// What an attempt came to, as far as it came.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Findings {
    /// How it ended; absent while it has not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// Which limit was met: `cpu`, `wall`, `memory`, `work`, `solver`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// The outcome in a word or two; after a limit, of the best answer so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// What the checker says of a decided answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<Check>,
    /// Why it is unsupported, failed, open or wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// CPU time of building and solving.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_s: Option<f64>,
    /// Wall time of building and solving.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_s: Option<f64>,
    /// CPU time before the solver's first call; absent for searches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build_cpu_s: Option<f64>,
    /// CPU time from there on; absent for searches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solve_cpu_s: Option<f64>,
    /// CPU time of the checker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check_cpu_s: Option<f64>,
    /// CPU time of proving what the checker asked to be proved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prove_cpu_s: Option<f64>,
    /// Bytes of all proofs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof_bytes: Option<u64>,
    /// Most resident bytes of the process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_bytes: Option<u64>,
    /// Work counters.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub work: BTreeMap<String, u64>,
    /// The answer, where it is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Value>,
}

/// One attempt at a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The run's key.
    pub key: String,
    /// No other attempt has this name.
    pub attempt: String,
    /// Counts the attempts at the run, from 1. Records of earlier versions lack it and count as first attempts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt_number: Option<u32>,
    /// Names the environment of the attempt, which stand in a file of their own.
    #[serde(rename = "surroundings")]
    pub environment: String,
    /// The build of the program that made it, as its surroundings tell: not written with the record, but known of every
    /// record of a set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    /// The problem's name.
    pub problem: String,
    /// The family, or the file that the instance was read from.
    pub family: String,
    /// Parameters of the family; numbers where they are.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub params: Map<String, Value>,
    /// The seed, or which game of a file.
    pub seed: u64,
    /// What the instance hashes to.
    pub instance_hash: String,
    /// The rules that differ from the judge's; a file's contents as their hash.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub rules: Map<String, Value>,
    /// The engine's id.
    pub engine: String,
    /// `search` or `sat`.
    pub side: String,
    /// The engine's name within its side: of a SAT engine its encoding, otherwise the name of the search. Records of
    /// earlier versions call this field `model`.
    #[serde(alias = "model")]
    pub encoding: String,
    /// The value on every axis, defaults too.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub axes: BTreeMap<String, String>,
    /// SAT engines only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solver: Option<String>,
    /// From 1.
    pub repetition: u32,
    /// 0 is the formula as it is.
    pub shuffle: u32,
    /// Bounds of the run.
    pub limits: Limits,
    /// What came of it.
    #[serde(flatten)]
    pub findings: Findings,
    /// Another run whose answer to the same instance contradicts this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contradicts: Option<String>,
    /// CPU time of the whole process with all that it started.
    pub process_cpu_s: f64,
    /// Wall time of the whole process.
    pub process_wall_s: f64,
    /// When the process was started (RFC 3339, UTC).
    pub start: String,
    /// Load average over a minute, before the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<f64>,
    /// Share of time in which somebody waited for a processor, over ten seconds before the start, in percent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressure_percent: Option<f64>,
}

impl Record {
    /// An answer, checked to the last claim and not contradicted.
    pub fn is_solved(&self) -> bool {
        self.findings.verdict == Some(Verdict::Decided)
            && self.findings.check == Some(Check::Checked)
            && self.contradicts.is_none()
    }

    /// Nodes and conflicts together. Counters are kept where they are not zero, so a run that ended with an answer
    /// and has neither took none; of one that was ended without a word nothing is known.
    pub fn work(&self) -> Option<u64> {
        let count = |name: &str| self.findings.work.get(name).copied();
        match (count("nodes"), count("conflicts")) {
            (None, None) => (self.findings.verdict == Some(Verdict::Decided)).then_some(0),
            (nodes, conflicts) => Some(nodes.unwrap_or(0) + conflicts.unwrap_or(0)),
        }
    }

    /// Whether the record shows that its engine counts its work. Searches always do; a solver does where there are
    /// conflicts, and outside ones tell none.
    pub fn counts_work(&self) -> bool {
        let work = &self.findings.work;
        self.side != "sat" || work.contains_key("nodes") || work.contains_key("conflicts")
    }

    /// An answer that the checker refutes or that contradicts another.
    pub fn is_wrong(&self) -> bool {
        self.findings.check == Some(Check::Wrong) || self.contradicts.is_some()
    }

    /// The attempt's number, from 1.
    pub fn number(&self) -> u32 {
        self.attempt_number.unwrap_or(1)
    }

    /// Whether the attempt came to no result of its run, so that it can be made again.
    pub fn has_failed(&self) -> bool {
        matches!(self.findings.verdict, Some(Verdict::Failed) | None)
    }

    /// Of two attempts at the same run, the one that counts: the lowest-numbered one that did not fail; if both failed,
    /// the highest-numbered one. No clock decides this, except among unnumbered attempts, where the last to start
    /// counts. Processes that did the same run without knowing of each other may give one number twice; the attempt
    /// whose name comes first counts then. The result does not depend on the order in which attempts are read.
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
