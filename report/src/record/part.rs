//! The fields that a record has only if its formula is split into cubes.

use super::ProofFile;
use super::line::Line;

/// The fields that a record has only if its formula is split into cubes.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) cube: Option<Box<str>>,
    pub(super) split_of: Option<Box<str>>,
    pub(super) cubes: Option<u32>,
    pub(super) literals: Option<Box<str>>,
    pub(super) proof: Option<ProofFile>,
}

impl Part {
    /// The fields on a line; `None` if there are none.
    pub(super) fn of(line: &Line<'_>) -> Option<Self> {
        let Line { cube, split_of, cubes, literals, proof, .. } = line;
        let is_part = cube.is_some() || cubes.is_some() || literals.is_some() || proof.is_some();
        is_part.then(|| Part {
            cube: cube.as_ref().map(|cube| (&**cube).into()),
            split_of: split_of.as_ref().map(|key| (&**key).into()),
            cubes: *cubes,
            literals: literals.as_ref().map(|literals| (&**literals).into()),
            proof: proof.clone(),
        })
    }
}
