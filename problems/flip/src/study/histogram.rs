//! The question `histogram`: how many boards need 0, 1, 2 … presses.
//!
//! A press leads from one board to another, so the number of presses that a board needs is its distance to the nearest
//! solved board. A breadth-first search, backwards from all solved boards, computes these distances. If there are too
//! many boards for this search, boards of two colours are counted by kinds of squares (`profiles.rs`), provided that
//! there are few kinds.

mod profiles;

use crate::{End, Instance, Rules, Target};
use counterpoint_core::board::Size;
use counterpoint_core::engine::{Budget, Limit};
use counterpoint_core::problem::{Param, StudyRequest};
use counterpoint_core::study::{self, StudyError, StudyOutput, row};

/// Parameters of [`run`]: a size, and the binary logarithm of the greatest number of boards that are searched one by
/// one. The search takes one byte for each board.
pub const PARAMS: &[Param] = &[
    Param::number("n", 4.0, 1.0, 32.0),
    Param::number("w", 0.0, 0.0, 32.0),
    Param::number("h", 0.0, 0.0, 32.0),
    Param::number("listed", 26.0, 0.0, 31.0),
];

/// Answers the question `histogram`, with one row per number of presses and a last row for boards without a solution.
///
/// # Errors
/// Returns that a size is not supported, or the limit that was reached.
pub fn run(
    &StudyRequest { rules, params, .. }: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    report: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let size = params.size();
    if let Target::Board(board) = &rules.target
        && board.size != size
    {
        return Err(StudyError::unsupported(format!("the target is {}, not {size}", board.size)));
    }
    let most = 1 << params.whole("listed");
    let boards = u64::from(rules.colours).checked_pow(size.cells() as u32);
    let counts = match boards.filter(|&boards| boards <= most) {
        Some(boards) => walk(rules, size, boards, budget, report)?,
        None if rules.colours == 2 => profiles::counts(rules, size, budget, report)?,
        None => {
            return Err(StudyError::unsupported(format!(
                "{}^{} boards are too many; with more than two colours, at most {most} are enumerated",
                rules.colours,
                size.cells()
            )));
        }
    };
    let solved: u128 = counts.iter().sum();
    let all = u128::from(rules.colours).checked_pow(size.cells() as u32).unwrap_or(u128::MAX);
    let lines = (0u32..).zip(&counts).map(|(presses, count)| (presses.to_string(), *count));
    for (presses, count) in lines.chain([("impossible".to_owned(), all - solved)]) {
        report.row(row([("presses", presses.into()), ("boards", study::number(count))]));
    }
    Ok(())
}

/// A board as a number whose base-p digit i is the colour of square i.
fn number(rules: &Rules, size: Size, end: &End) -> u32 {
    (0..size.cells()).rev().fold(0, |number, i| number * rules.colours + end.colour(i))
}

/// Searches breadth first from the ends, undoing presses. Returns for each number of presses, from 0 on, how many
/// boards need it. Each board counts as a node.
fn walk(
    rules: &Rules,
    size: Size,
    boards: u64,
    budget: &mut Budget,
    report: &mut dyn StudyOutput,
) -> Result<Vec<u128>, Limit> {
    let p = rules.colours;
    let power = |i: usize| p.pow(i as u32);
    let squares = |cell| rules.stencil.squares(size, cell).into_iter().map(|c| power(size.index(c)));
    let presses: Vec<Vec<u32>> = size.iter().map(|cell| squares(cell).collect()).collect();
    let mut seen = vec![false; boards as usize];
    let mut here: Vec<u32> = rules.ends().map(|end| number(rules, size, &end)).collect();
    here.iter().for_each(|&board| seen[board as usize] = true);
    let mut counts = Vec::new();
    while !here.is_empty() {
        report.progress(format_args!("{} presses, {} boards", counts.len(), here.len()));
        counts.push(here.len() as u128);
        let mut next = Vec::new();
        for board in here {
            budget.node()?;
            for press in &presses {
                // Before the press, every square that it turns had the previous colour.
                let before = press.iter().fold(board, |board, &power| match board / power % p {
                    0 => board + (p - 1) * power,
                    _ => board - power,
                });
                if !std::mem::replace(&mut seen[before as usize], true) {
                    next.push(before);
                }
            }
        }
        here = next;
    }
    Ok(counts)
}
