//! The studies `count` and `sets`: the number of placements and of covered sets on an empty board or for a position,
//! and the squares that they determine.

use super::automaton::Automaton;
use super::position::{PositionCounts, SquareStatus, count_position};
use super::{placements, sets};
use crate::{Instance, Rules, Square};
use counterpoint_core::board::{Cell, Size};
use counterpoint_core::engine::Budget;
use counterpoint_core::problem::{Param, StudyRequest};
use counterpoint_core::study::{StudyError, StudyOutput, number, row};
use serde_json::{Value, json};

/// Parameters of both studies: width and height. `n` sets both; `w` and `h` override it.
pub const PARAMS: &[Param] = &[
    Param::number("n", 6.0, 1.0, 32.0),
    Param::number("w", 0.0, 0.0, 32.0),
    Param::number("h", 0.0, 0.0, 32.0),
];

/// The study `count`: one row with the number of placements. Equal ships are distinguished. For a position, the row
/// also has the number of covered sets, and the squares that all of them or none of them contain; a drawing shows these
/// squares.
///
/// # Errors
/// Returns `Unsupported` if the automaton does not support this fleet, or if both a position and a size are given.
/// Returns the limit that was reached: one of the budget, or `Limit::Memory`.
pub fn count(
    request: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    if let Some(board) = request.instance {
        return position(request, board, budget, output);
    }
    count_all(
        "placements",
        |automaton, budget| Ok(placements::placements(automaton, budget)?),
        request,
        budget,
        output,
    )
}

fn position(
    request: &StudyRequest<'_, Rules, Instance>,
    board: &Instance,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    if let Some(key) = ["size", "n", "w", "h"].into_iter().find(|key| request.params.is_given(key)) {
        return Err(StudyError::unsupported(format!(
            "{key} is only for empty boards; a position has its own size"
        )));
    }
    let found = count_position(request.rules, board, budget, output)?;
    let [forced, impossible, ambiguous] =
        [SquareStatus::Forced, SquareStatus::Impossible, SquareStatus::Ambiguous]
            .map(|status| found.unknown(board, status));
    let outcome = match (found.placements, ambiguous.len()) {
        (0, _) => "none",
        (_, 0) => "unique",
        _ => "open",
    };
    let cells = |list: &[Cell]| list.iter().map(|cell| json!(cell.one_based())).collect::<Value>();
    let rows = found.covered.chunks(board.size.width as usize);
    let covered: Value = rows.map(|row| row.iter().map(|&n| number(n)).collect::<Value>()).collect();
    output.row(row([
        ("size", board.size.to_string().into()),
        ("placements", number(found.placements)),
        ("sets", found.sets.map_or(Value::Null, number)),
        ("outcome", outcome.into()),
        ("forced", forced.len().into()),
        ("impossible", impossible.len().into()),
        ("ambiguous", ambiguous.len().into()),
        ("forced_cells", cells(&forced)),
        ("impossible_cells", cells(&impossible)),
        ("covered", covered),
    ]));
    if found.placements > 0 {
        output.note(&drawing(board, &found));
    }
    Ok(())
}

/// The board with the status of each unknown square.
fn drawing(board: &Instance, found: &PositionCounts) -> String {
    let symbol = |i: usize| match (board.squares[i], found.status(i)) {
        (Square::Hit, _) => 'x',
        (Square::Miss, _) => 'o',
        (Square::Unknown, SquareStatus::Forced) => 'X',
        (Square::Unknown, SquareStatus::Impossible) => '-',
        (Square::Unknown, SquareStatus::Ambiguous) => '?',
    };
    let width = board.size.width as usize;
    let rows =
        (0..board.size.height as usize).map(|row| (row * width..(row + 1) * width).map(symbol).collect());
    let rows: Vec<String> = rows.collect();
    format!("{}\nX: in every set, -: in none, ?: in some", rows.join("\n"))
}

/// The study `sets`: one row with the number of distinct covered sets on an empty board.
///
/// # Errors
/// Returns `Unsupported` if the automaton does not support this fleet, or the limit that was reached: one of the
/// budget, or `Limit::Memory`.
pub fn sets(
    request: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    count_all("sets", sets::sets, request, budget, output)
}

fn count_all(
    column: &'static str,
    count: fn(&Automaton, &mut Budget) -> Result<u128, StudyError>,
    request: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let board = empty_board(request.params.size());
    output.progress(format_args!("{column} on {}", board.size));
    let found = count(&Automaton::new(&board, &request.rules.fleet)?, budget)?;
    output.row(row([("size", board.size.to_string().into()), (column, number(found))]));
    Ok(())
}

/// A board on which every square is unknown.
pub fn empty_board(size: Size) -> Instance {
    Instance { size, squares: vec![Square::Unknown; size.cells()] }
}
