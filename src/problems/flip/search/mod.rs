//! The searches, one a file, and the algebra that they share.

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
mod residues;
pub(super) mod symmetric;
mod threads;
mod transform;
mod words;

use super::answer::Answer;
use super::{Goal, Instance, Rules, Target};
use crate::board::Bits;

/// The answer of a search that looks at everything: these squares, each once.
fn found(rules: &Rules, pressed: Bits) -> Answer {
    Answer::Presses { presses: pressed.into(), least: wants_least(rules) }
}

/// Why a search that always looks for presses cannot serve these rules.
fn serves(rules: &Rules, instance: &Instance) -> Result<(), String> {
    match &rules.target {
        _ if rules.within.is_some() => Err("the rule within is for encode alone".to_owned()),
        Target::Board(target) if target.size != instance.size => {
            Err(format!("the target is {}, the board {}", target.size, instance.size))
        }
        _ => Ok(()),
    }
}

/// The same for a search that knows two colours only.
fn serves_two_colours(rules: &Rules, instance: &Instance) -> Result<(), String> {
    if rules.colours > 2 {
        return Err("only two colours are searched".to_owned());
    }
    serves(rules, instance)
}

/// Whether fewest presses are asked for.
fn wants_least(rules: &Rules) -> bool {
    rules.goal == Goal::Least
}
