//! The questions `count` and `sets`: a fleet on an empty board.

use super::automaton::Automaton;
use super::{placements, sets};
use crate::board::Size;
use crate::engine::Budget;
use crate::problem::{Asked, Param};
use crate::problems::ships::{Instance, Rules, Square};
use crate::study::{Halt, Report, row};
use serde_json::Value;

/// Parameters of both questions: width and height; `n` sets both, the others win.
pub const PARAMS: &[Param] = &[
    Param { key: "n", default: 6.0, min: 1.0, max: 32.0 },
    Param { key: "w", default: 0.0, min: 0.0, max: 32.0 },
    Param { key: "h", default: 0.0, min: 0.0, max: 32.0 },
];

/// The question `count`: one row with the number of placements. Equal ships are told apart.
///
/// # Errors
/// What the automaton refuses, or the limit that was met.
pub fn count(
    asked: &Asked<'_, Rules, Instance>,
    budget: &mut Budget,
    report: &mut dyn Report,
) -> Result<(), Halt> {
    ask(
        "placements",
        |automaton, budget| Ok(placements::placements(automaton, budget)?),
        asked,
        budget,
        report,
    )
}

/// The question `sets`: one row with the number of distinct covered sets.
///
/// # Errors
/// What the automaton refuses, or the limit that was met.
pub fn sets(
    asked: &Asked<'_, Rules, Instance>,
    budget: &mut Budget,
    report: &mut dyn Report,
) -> Result<(), Halt> {
    ask("sets", sets::sets, asked, budget, report)
}

fn ask(
    column: &'static str,
    count: fn(&Automaton, &mut Budget) -> Result<u128, Halt>,
    asked: &Asked<'_, Rules, Instance>,
    budget: &mut Budget,
    report: &mut dyn Report,
) -> Result<(), Halt> {
    let board = empty_board(asked.params.size());
    let found = count(&Automaton::new(&board, &asked.rules.fleet)?, budget)?;
    report.row(row([("size", board.size.to_string().into()), (column, number(found))]));
    Ok(())
}

/// A board of which nothing is known.
pub fn empty_board(size: Size) -> Instance {
    Instance { size, squares: vec![Square::Unknown; size.cells()] }
}

/// As a JSON number where it fits one, in words of digits past 2^64.
fn number(value: u128) -> Value {
    u64::try_from(value).map_or_else(|_| value.to_string().into(), Value::from)
}
