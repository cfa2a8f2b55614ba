//! The questions `count` and `sets`: how many ways a fleet fits an empty board or a position, and what that decides.

use super::automaton::Automaton;
use super::weigh::{Standing, Weighed, weigh};
use super::{placements, sets};
use crate::board::{Cell, Size};
use crate::engine::Budget;
use crate::problem::{Param, StudyRequest};
use crate::problems::ships::{Instance, Rules, Square};
use crate::study::{StudyError, StudyOutput, number, row};
use serde_json::{Value, json};

/// Parameters of both questions: width and height; `n` sets both, the others win.
pub const PARAMS: &[Param] = &[
    Param { key: "n", default: 6.0, min: 1.0, max: 32.0 },
    Param { key: "w", default: 0.0, min: 0.0, max: 32.0 },
    Param { key: "h", default: 0.0, min: 0.0, max: 32.0 },
];

/// The question `count`: one row with the number of placements. Equal ships are told apart. For a position also
/// the number of covered sets and which squares they all hold or none holds, with a drawing of them.
///
/// # Errors
/// What the automaton refuses, or the limit that was met.
pub fn count(
    asked: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    report: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    if let Some(board) = asked.instance {
        return position(asked, board, budget, report);
    }
    ask(
        "placements",
        |automaton, budget| Ok(placements::placements(automaton, budget)?),
        asked,
        budget,
        report,
    )
}

fn position(
    asked: &StudyRequest<'_, Rules, Instance>,
    board: &Instance,
    budget: &mut Budget,
    report: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    if let Some(key) = ["size", "n", "w", "h"].into_iter().find(|key| asked.params.is_given(key)) {
        return Err(StudyError::Unsupported(format!(
            "{key} is for empty boards; this position has its own size"
        )));
    }
    let found = weigh(asked.rules, board, budget, report)?;
    let [forced, impossible, ambiguous] = [Standing::Forced, Standing::Impossible, Standing::Ambiguous]
        .map(|standing| found.unknown(board, standing));
    let outcome = match (found.placements, ambiguous.len()) {
        (0, _) => "none",
        (_, 0) => "unique",
        _ => "open",
    };
    let cells = |list: &[Cell]| list.iter().map(|cell| json!(cell.one_based())).collect::<Value>();
    let rows = found.covered.chunks(board.size.width as usize);
    let covered: Value = rows.map(|row| row.iter().map(|&n| number(n)).collect::<Value>()).collect();
    report.row(row([
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
        report.note(&drawn(board, &found));
    }
    Ok(())
}

/// The board with what is decided of its covered squares.
fn drawn(board: &Instance, found: &Weighed) -> String {
    let symbol = |i: usize| match (board.squares[i], found.standing(i)) {
        (Square::Hit, _) => 'x',
        (Square::Miss, _) => 'o',
        (Square::Unknown, Standing::Forced) => 'X',
        (Square::Unknown, Standing::Impossible) => '-',
        (Square::Unknown, Standing::Ambiguous) => '?',
    };
    let width = board.size.width as usize;
    let rows =
        (0..board.size.height as usize).map(|row| (row * width..(row + 1) * width).map(symbol).collect());
    let rows: Vec<String> = rows.collect();
    format!("{}\nX: in every set, -: in none, ?: in some", rows.join("\n"))
}

/// The question `sets`: one row with the number of distinct covered sets.
///
/// # Errors
/// What the automaton refuses, or the limit that was met.
pub fn sets(
    asked: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    report: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    ask("sets", sets::sets, asked, budget, report)
}

fn ask(
    column: &'static str,
    count: fn(&Automaton, &mut Budget) -> Result<u128, StudyError>,
    asked: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    report: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let board = empty_board(asked.params.size());
    report.progress(format_args!("{column} on {}", board.size));
    let found = count(&Automaton::new(&board, &asked.rules.fleet)?, budget)?;
    report.row(row([("size", board.size.to_string().into()), (column, number(found))]));
    Ok(())
}

/// A board of which nothing is known.
pub fn empty_board(size: Size) -> Instance {
    Instance { size, squares: vec![Square::Unknown; size.cells()] }
}
