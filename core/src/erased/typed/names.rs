//! Lists of names, and messages about names and capabilities that a problem does not have.

use crate::erased::{Listed, unsupported};
use crate::problem::{Param, Problem};
use crate::spec::{nearest, suggestion};

pub(super) fn listed(name: &'static str, about: &'static str, params: &'static [Param]) -> Listed {
    Listed { name, about, params }
}

/// The message about a capability that a problem lacks.
pub(super) fn missing<P: Problem>(capability: &str, constant: &str) -> String {
    unsupported(P::NAME, capability, constant)
}

/// The message about an unknown name.
pub(super) fn unknown<P: Problem>(kind: &str, name: &str, known: &[Listed]) -> String {
    let names: Vec<_> = known.iter().map(|listed| listed.name.to_owned()).collect();
    let near = nearest(name, known.iter().map(|listed| listed.name));
    format!("{} has no {kind} '{name}'; {}", P::NAME, suggestion(near, &names))
}
