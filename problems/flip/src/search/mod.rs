//! The engines `algebra`, `bfs`, `elimination` and `first-row`, one file each, and the algorithms that they share. Also
//! `nullity`, which the studies use, and `reason`, which explanations use.

pub mod algebra;
pub mod bfs;
mod branch;
mod cosets;
pub mod elimination;
mod fibonacci;
mod filtration;
pub mod first_row;
mod folding;
mod information_sets;
pub(super) mod least;
mod matrix;
pub(super) mod modular;
pub mod nullity;
mod plus;
mod polynomial;
pub mod reason;
pub(super) mod residues;
pub(super) mod symmetric;
mod transform;
mod words;

use super::answer::Answer;
use super::{Goal, Instance, Rules, Target};
use counterpoint_core::board::Bits;
use counterpoint_core::errors::Unsupported;

/// The answer that presses each of these squares once. Under `goal=least` it is marked optimal, so the caller's search
/// must have been exhaustive.
fn found(rules: &Rules, pressed: Bits) -> Answer {
    Answer::Presses { presses: pressed.into(), optimal: wants_fewest(rules) }
}

/// Rejects rules that no search supports.
///
/// # Errors
/// Returns why they are not supported.
fn supports_rules(rules: &Rules, instance: &Instance) -> Result<(), Unsupported> {
    match &rules.target {
        _ if rules.within.is_some() => Err("the rule within applies only to encode".into()),
        Target::Board(target) if target.size != instance.size => {
            Err(format!("the target is {}, but the board is {}", target.size, instance.size).into())
        }
        _ => Ok(()),
    }
}

/// Like [`supports_rules`], for a search that supports only two colours.
fn supports_two_colours(rules: &Rules, instance: &Instance) -> Result<(), Unsupported> {
    if rules.colours > 2 {
        return Err("this search supports only two colours".into());
    }
    supports_rules(rules, instance)
}

/// Whether the rules ask for the fewest presses.
fn wants_fewest(rules: &Rules) -> bool {
    rules.goal == Goal::Fewest
}
