//! The fields that only the records of cut formulas have.

use super::ProofFile;
use super::cubes::ends_other_cubes;
use super::line::Line;
use super::row::Row;

/// The fields that only the records of cut formulas have.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) cube: Option<Box<str>>,
    pub(super) cubes: Option<u32>,
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
