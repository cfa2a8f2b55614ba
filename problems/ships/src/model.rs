//! Decodes satisfying assignments of Ships formulas into fleets, and derives from an answer whether a formula is
//! satisfiable.

use super::answer::{Answer, Verdict};
use super::sat::{self, Adversary, Settings};
use super::{Instance, Rules, Ships, check};
use counterpoint_core::claim::Status;
use counterpoint_core::engine::Budget;
use counterpoint_core::errors::Unsupported;
use counterpoint_core::problem::{Assignment, DecodedModel, WriteQuestions};
use counterpoint_core::spec::EngineSpec;

/// Decodes a model and checks what it shows: a fleet or, for a sunflower formula, fleets such that no plan wins against
/// all the sets that they cover.
///
/// # Errors
/// Returns why the engine cannot write the formula again. Decoding writes it again to learn what the variables mean.
pub fn read(
    rules: &Rules,
    instance: &Instance,
    Assignment { spec, sink, value, .. }: Assignment<'_>,
    budget: &mut Budget,
) -> Result<DecodedModel, Unsupported> {
    let fleets = sat::decode(rules, instance, spec, sink, value)?;
    let overlap = fleets.iter().find_map(|fleet| fleet.overlap.clone());
    let mut decoded = if let [fleet] = fleets.as_slice() {
        let cells: Vec<_> = fleet.set.iter().map(ToString::to_string).collect();
        DecodedModel {
            outcome: "a fleet fits".to_owned(),
            text: format!("A fleet covers {}.\n", cells.join(" ")),
            claims: check::check_set(rules, instance, &fleet.set, budget),
        }
    } else {
        let mut lost: Vec<_> = fleets.into_iter().map(|fleet| fleet.set).collect();
        lost.sort_unstable();
        lost.dedup();
        DecodedModel::answer::<Ships>(rules, instance, &Answer::No { lost }, budget)
    };
    // The checker sees only the covered squares, not the ships. If ships overlap, `overlap` explains the failed claim
    // better than the checker's text does.
    let failed = decoded.claims.iter_mut().find(|claim| claim.status.is_failed());
    if let (Some(claim), Some(overlap)) = (failed, overlap) {
        claim.status = Status::Failed(overlap);
    }
    Ok(decoded)
}

/// The answer if the formula has no model: no fleet fits.
///
/// # Errors
/// A sunflower formula asks for several fleets, so no answer follows.
pub fn if_refuted(_: &Rules, _: &Instance, spec: &EngineSpec) -> Result<Answer, Unsupported> {
    match Settings::of(spec).adversary {
        Adversary::Enumerate | Adversary::Probe => Ok(Answer::NoFleet),
        Adversary::Sunflower => {
            Err("with adversary=sunflower, a formula without a model says only that there is no \
                                     sunflower, which is not an answer; use another adversary"
                .into())
        }
    }
}

/// No answer follows from one fleet.
///
/// # Errors
/// Always returns an error.
pub fn of_model(_: &Rules, _: &Instance, _: Assignment<'_>) -> Result<Answer, Unsupported> {
    Err("a fleet fits; whether a plan uncovers every set that fits does not follow from one formula, so remove \
         `cubes` from the plan"
        .into())
}

/// Whether the engine's formula is satisfiable, according to an answer. `None` if the answer does not determine it: a
/// lost family need not contain a sunflower, and the verdict "no" does not say whether a fleet fits.
pub fn satisfiable(_: &Rules, spec: &EngineSpec, answer: &Answer) -> Option<bool> {
    match (Settings::of(spec).adversary, answer) {
        (_, Answer::Verdict(Verdict::No)) | (Adversary::Sunflower, Answer::No { .. }) => None,
        (Adversary::Sunflower, _) | (_, Answer::NoFleet) => Some(false),
        (Adversary::Enumerate | Adversary::Probe, _) => Some(true),
    }
}

/// Writes one formula with several questions: whether it is satisfiable and, except for a sunflower, one question for
/// each unknown square.
pub fn questions(_: &Rules, _: &EngineSpec) -> Option<WriteQuestions<Ships>> {
    Some(sat::write_cells)
}
