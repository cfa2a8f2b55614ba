//! What pages need of a problem: the engine of its lessons, and empty boards to draw on.

use crate::errors::GenerateError;
use crate::problem::{MAX_EDITED, Params, Problem};
use crate::rules::Settings;
use crate::spec::EngineSpec;

/// The id of the engine whose formula lessons show.
pub(super) fn lesson<P: Problem>() -> Option<String> {
    let plain = || P::ENGINES.iter().find(|engine| engine.formula.is_some());
    let plain = || plain().map(|engine| EngineSpec::default_of(&engine.info).to_string());
    P::LESSON.map(|lesson| lesson.engine.to_owned()).or_else(plain)
}

/// The rules and an empty board. Its size is compared with [`MAX_EDITED`] before the board is made.
pub(super) fn empty<P: Problem>(
    settings: &Settings,
    params: &[(String, String)],
) -> Result<(P::Rules, P::Instance), GenerateError> {
    let rules = P::rules(settings)?;
    let edit = P::EDIT.ok_or_else(|| format!("boards of {} cannot be drawn, only typed", P::NAME))?;
    let params = Params::new(edit.empty.params, params)?;
    let squares = (edit.empty.squares)(&params);
    if squares > MAX_EDITED as u64 {
        let why = "squares to draw, too many for a page; the maximum is";
        return Err(format!("such a board has {squares} {why} {MAX_EDITED}").into());
    }
    let instance = (edit.empty.make)(&rules, &params);
    Ok((rules, instance))
}
