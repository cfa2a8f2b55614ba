//! `cubes = N` in a plan: the runs of the cubes of each formula, and the run that puts their results together.

use super::Family;
use super::key::{key_of, key_with};
use super::runs::{Row, Runs};
use crate::cubes::MAX_CUBES;
use crate::document::{Document, DocumentError, Placed};
use crate::engine::Side;
use crate::record::to_hex;
use crate::spec::EngineSpec;
use counterpoint_base::cube::CubeNumber;
use serde_json::json;

/// Reads the number of cubes.
///
/// # Errors
/// Returns an error if the number is not from 2 to [`MAX_CUBES`], if no engine has a formula that can be cut, or if the
/// plan asks for shuffles, too.
pub(super) fn read(
    document: &Document<'_>,
    value: Option<&Placed<'_>>,
    families: &[Family],
    shuffles: u32,
) -> Result<Option<u32>, DocumentError> {
    let Some(value) = value else { return Ok(None) };
    let fail = |why: String| document.error_at(value.span().start, &why);
    let found = document.as_number(value, 2)?;
    let Some(count) = u32::try_from(found).ok().filter(|&count| count <= MAX_CUBES) else {
        return fail(format!("expected at most {MAX_CUBES} cubes, found {found}"));
    };
    if shuffles > 0 {
        return fail(
            "cubes cannot be combined with shuffles: a proof of a shuffled formula proves nothing".to_owned(),
        );
    }
    let engines = || families.iter().flat_map(|family| &family.engines);
    if let Some(declared) = engines().find(|engine| engine.side == Side::Sat && engine.declared().is_some()) {
        return fail(format!(
            "the formula of {declared} cannot be cut, because a declared encoder writes it"
        ));
    }
    if !engines().any(is_cut) {
        return fail("no engine of this plan has a formula that can be cut; add a SAT engine".to_owned());
    }
    Ok(Some(count))
}

/// The key of the run of a cube or a half. `original` is the key of the original cube's run, which is in the
/// plan.
pub(in crate::harness) fn key_of_half(original: &str, number: &CubeNumber) -> String {
    match number.halves().is_empty() {
        true => original.to_owned(),
        false => {
            to_hex(&key_of(&format!("[{},{}", json!("half of a cube"), json!([original, number.short()]))))
        }
    }
}

/// Whether an engine solves a formula that can be cut. Other engines solve each instance as a whole.
pub(super) fn is_cut(engine: &EngineSpec) -> bool {
    engine.side == Side::Sat && engine.declared().is_none()
}

/// The runs of the cubes of a run, and last, the run that puts their results together. `parts` are the parts of the
/// run's key.
pub(super) fn cut(run: Row, parts: &str, cubes: u32, runs: &mut Runs) -> Vec<Row> {
    runs.cubes = cubes;
    let whole = key_with(parts, &json!({ "cubes": cubes }));
    let numbers = (1..=cubes).map(Some).chain([None]);
    let parts = numbers.map(|number| {
        let key = match number {
            Some(number) => key_with(parts, &json!({ "cubes": cubes, "cube": number })),
            None => whole,
        };
        runs.cuts.push((number, whole));
        Row { key, cut: runs.cuts.len() as u32 - 1, ..run }
    });
    parts.collect()
}
