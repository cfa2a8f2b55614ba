//! The questions `count` and `sets`: a fleet on an empty board.

use super::automaton::Automaton;
use super::{placements, sets};
use crate::board::Size;
use crate::engine::Budget;
use crate::problem::{Param, Params};
use crate::problems::ships::{Instance, Rules, Square};
use crate::study::{Halt, Row, row};
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
    rules: &Rules,
    params: &Params,
    budget: &mut Budget,
    report: &mut dyn FnMut(Row),
) -> Result<(), Halt> {
    ask(
        "placements",
        |automaton, budget| Ok(placements::placements(automaton, budget)?),
        rules,
        params,
        budget,
        report,
    )
}

/// The question `sets`: one row with the number of distinct covered sets.
///
/// # Errors
/// What the automaton refuses, or the limit that was met.
pub fn sets(
    rules: &Rules,
    params: &Params,
    budget: &mut Budget,
    report: &mut dyn FnMut(Row),
) -> Result<(), Halt> {
    ask("sets", sets::sets, rules, params, budget, report)
}

fn ask(
    column: &'static str,
    count: fn(&Automaton, &mut Budget) -> Result<u128, Halt>,
    rules: &Rules,
    params: &Params,
    budget: &mut Budget,
    report: &mut dyn FnMut(Row),
) -> Result<(), Halt> {
    let board = empty_board(params.size());
    let found = count(&Automaton::new(&board, &rules.fleet)?, budget)?;
    report(row([("size", board.size.to_string().into()), (column, number(found))]));
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
