//! Runs that solve one cube of a formula, and runs that put the results of all cubes together.

use super::{Check, Record, Run, Verdict};
use counterpoint_base::cube::{CubeNumber, NotACubeNumber};
use serde::{Deserialize, Serialize};

/// The outcome of a cube without a model.
pub const REFUTED: &str = "refuted";

/// The outcome of a run whose cube does not exist, because the formula was cut into fewer cubes than the plan allows.
pub const ABSENT: &str = "no such cube";

/// A part of an instance whose formula is split into cubes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cut {
    /// The number of cubes.
    pub cubes: u32,
    /// The number of the cube, such as `3/64`, or of a half of a cube, such as `3.1/64`; `None` for the run that puts
    /// the results of all cubes together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cube: Option<String>,
    /// If this is a half of a cube, the key of the run of that cube, which is a run of the plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split_of: Option<String>,
    /// The key of the run that puts the results together.
    pub whole: String,
}

impl Cut {
    /// The number of the cube; `None` for the run that puts the results of all cubes together.
    ///
    /// # Errors
    /// The field `cube` is not the number of a cube.
    pub fn number(&self) -> Result<Option<CubeNumber>, NotACubeNumber> {
        self.cube.as_deref().map(str::parse).transpose()
    }
}

impl Run {
    /// The cube that this run solves, such as `3/64`; `None` if it solves a whole instance.
    pub fn cube(&self) -> Option<String> {
        self.cut.as_ref()?.cube.clone()
    }

    /// Whether this run solves one cube.
    pub fn is_cube(&self) -> bool {
        self.cut.as_ref().is_some_and(|cut| cut.cube.is_some())
    }

    /// The number of cubes whose results this run puts together; `None` for any other run.
    pub fn cubes(&self) -> Option<u32> {
        self.cut.as_ref().filter(|cut| cut.cube.is_none()).map(|cut| cut.cubes)
    }
}

/// A proof in a file beside the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofFile {
    /// The name of the file.
    pub file: String,
    /// Its hash.
    pub sha256: String,
    /// Its length.
    pub bytes: u64,
    /// The number of clauses of the refuted formula.
    pub clauses: u64,
    /// The number of steps that the checker read.
    pub steps: u64,
    /// The number of literals that the checker propagated, or of hints that it followed.
    pub propagations: u64,
}

impl Record {
    /// Whether this is the record of a cube that makes the other cubes needless: it has a model, or the engine does not
    /// support the instance.
    pub fn ends_other_cubes(&self) -> bool {
        let findings = &self.findings;
        self.cube.is_some() && ends_other_cubes(findings.verdict, findings.outcome.as_deref(), findings.check)
    }

    /// The number of the cube; `None` if this is not the record of a cube.
    pub fn cube_number(&self) -> Option<CubeNumber> {
        self.cube.as_deref()?.parse().ok()
    }
}

/// Whether a cube with this result makes the other cubes needless.
pub(super) fn ends_other_cubes(
    verdict: Option<Verdict>,
    outcome: Option<&str>,
    check: Option<Check>,
) -> bool {
    let has_model = || !matches!(outcome, None | Some(REFUTED | ABSENT));
    match verdict {
        Some(Verdict::Unsupported) => true,
        Some(Verdict::Decided) => has_model() && check != Some(Check::Wrong),
        _ => false,
    }
}
