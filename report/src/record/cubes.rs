//! Runs that solve one cube of a formula, and runs that put the results of all cubes together.

use super::line::Line;
use super::{Check, Record, Row, Run, Verdict};
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
    /// The number of the cube, from 1; `None` for the run that puts the results of all cubes together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    /// The key of the run that puts the results together.
    pub whole: String,
}

impl Run {
    /// The cube that this run solves, such as `3/64`; `None` if it solves a whole instance.
    pub fn cube(&self) -> Option<String> {
        let cut = self.cut.as_ref()?;
        Some(format!("{}/{}", cut.number?, cut.cubes))
    }

    /// Whether this run solves one cube.
    pub fn is_cube(&self) -> bool {
        self.cut.as_ref().is_some_and(|cut| cut.number.is_some())
    }

    /// The number of cubes whose results this run puts together; `None` for any other run.
    pub fn cubes(&self) -> Option<u32> {
        self.cut.as_ref().filter(|cut| cut.number.is_none()).map(|cut| cut.cubes)
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

    /// The number of the cube and of all cubes; `None` if this is not the record of a cube.
    pub fn cube_number(&self) -> Option<(u32, u32)> {
        parse(self.cube.as_deref()?)
    }
}

/// Whether a cube with this result makes the other cubes needless.
fn ends_other_cubes(verdict: Option<Verdict>, outcome: Option<&str>, check: Option<Check>) -> bool {
    let has_model = || !matches!(outcome, None | Some(REFUTED | ABSENT));
    match verdict {
        Some(Verdict::Unsupported) => true,
        Some(Verdict::Decided) => has_model() && check != Some(Check::Wrong),
        _ => false,
    }
}

/// The fields that only the records of cut formulas have.
#[derive(Clone, Debug)]
pub(super) struct Part {
    cube: Option<Box<str>>,
    cubes: Option<u32>,
    pub(super) literals: Option<Box<str>>,
    pub(super) proof: Option<ProofFile>,
}

impl Part {
    /// The fields on a line; `None` if there are none.
    pub(super) fn of(line: &Line<'_>) -> Option<Self> {
        let Line { cube, cubes, literals, proof, .. } = line;
        let is_part = cube.is_some() || cubes.is_some() || literals.is_some() || proof.is_some();
        is_part.then(|| Part {
            cube: cube.as_ref().map(|cube| (&**cube).into()),
            cubes: *cubes,
            literals: literals.as_ref().map(|literals| (&**literals).into()),
            proof: proof.clone(),
        })
    }
}

impl<'a> Row<'a> {
    pub(super) fn part(self) -> Option<&'a Part> {
        self.records.parts.get(&self.at).map(|part| &**part)
    }

    /// The number of the cube, such as `3/64`; `None` if this is not the record of a cube.
    pub fn cube(self) -> Option<&'a str> {
        self.part().and_then(|part| part.cube.as_deref())
    }

    /// The number of runs into which the run was cut.
    pub fn cubes(self) -> Option<u32> {
        self.part().and_then(|part| part.cubes)
    }

    /// As [`Record::ends_other_cubes`].
    pub fn ends_other_cubes(self) -> bool {
        self.cube().is_some() && ends_other_cubes(self.verdict(), self.outcome(), self.check())
    }
}

/// Parses `3/64`. The number is at least 1 and at most the number of all cubes.
pub(super) fn parse(cube: &str) -> Option<(u32, u32)> {
    let (number, of) = cube.split_once('/')?;
    let (number, of) = (number.parse().ok()?, of.parse().ok()?);
    (1..=of).contains(&number).then_some((number, of))
}
