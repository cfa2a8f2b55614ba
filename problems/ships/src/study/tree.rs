//! Shows a plan as a tree, in text or as a drawing. In the text, the shots after a miss are indented; in the drawing,
//! hits go to the right and misses downwards.

use crate::answer::Plan;
use crate::{Instance, Square};
use counterpoint_core::board::{Cell, Drawing};
use itertools::Itertools;
use std::fmt::Write;

/// Maximum number of shots before the plan knows the set.
pub fn max_shots(plan: &Plan) -> usize {
    let (mut at, mut before, mut most) = (plan, 0, 0);
    while let Plan::Shoot { hit, miss, .. } = at {
        before += 1;
        most = most.max(before + max_shots(miss));
        at = hit;
    }
    most.max(before)
}

/// The plan as indented lines. Each leaf names the squares of its set that are still unknown and were not shot at.
pub fn text(board: &Instance, sets: &[Vec<Cell>], plan: &Plan) -> String {
    let mut text = String::new();
    write_text(board, sets, plan, &mut Vec::new(), 0, &mut text);
    text
}

fn write_text(
    board: &Instance,
    sets: &[Vec<Cell>],
    plan: &Plan,
    shot: &mut Vec<Cell>,
    depth: usize,
    text: &mut String,
) {
    let (indent, before) = ("   ".repeat(depth), shot.len());
    let mut at = plan;
    while let Plan::Shoot { cell, hit, miss } = at {
        // Writing to a String cannot fail, here and below.
        let _ = writeln!(text, "{indent}{cell}; if it misses:");
        write_text(board, sets, miss, shot, depth + 1, text);
        shot.push(*cell);
        at = hit;
    }
    if let Plan::Sink(set) = at {
        let left = sets.get(*set).into_iter().flatten();
        let left = left.filter(|&&cell| board.at(cell) == Square::Unknown && !shot.contains(&cell)).join(" ");
        let left = if left.is_empty() { "nothing".to_owned() } else { left };
        let _ = writeln!(text, "{indent}set {}, left: {left}", set + 1);
    }
    shot.truncate(before);
}

/// Distance between two shots in the drawing, in squares.
const STEP: f64 = 1.9;

/// The plan as an SVG drawing.
pub fn svg(plan: &Plan) -> String {
    let mut drawing = Drawing::new(1.0, 1.0);
    let rows = draw(plan, 0, 0, &mut drawing);
    let (sets, shots) = (leaves(plan), max_shots(plan));
    let y = f64::from(rows) * 1.2 + 0.4;
    drawing.caption(0.0, y, "right: a hit, down: a miss; #: the set that is left");
    drawing.caption(0.0, y + 0.5, &format!("{sets} sets, at most {shots} shots that may miss"));
    drawing.finish()
}

fn leaves(plan: &Plan) -> usize {
    let (mut at, mut leaves) = (plan, 1);
    while let Plan::Shoot { hit, miss, .. } = at {
        leaves += self::leaves(miss);
        at = hit;
    }
    leaves
}

/// Draws a plan with its first shot at a column and a row; returns the first row below the drawing. What follows a miss
/// of a later shot is drawn higher up, so that no two lines cross.
fn draw(plan: &Plan, column: u32, row: u32, drawing: &mut Drawing) -> u32 {
    let place = |column: u32, row: u32| (f64::from(column) * STEP + 0.5, f64::from(row) * 1.2 + 0.5);
    let mut chain = Vec::new();
    let mut at = plan;
    while let Plan::Shoot { cell, hit, miss } = at {
        chain.push((*cell, &**miss));
        at = hit;
    }
    let (start, end) = (place(column, row), place(column + chain.len() as u32, row));
    if !chain.is_empty() {
        drawing.line(start, (end.0 - 0.4, end.1), "#009e73");
    }
    if let Plan::Sink(set) = at {
        drawing.mark(end.0 - 0.5, end.1 - 0.5, "#222", &format!("#{}", set + 1));
    }
    let mut below = row + 1;
    for (column, (cell, miss)) in (column..).zip(&chain).collect::<Vec<_>>().into_iter().rev() {
        let (x, y) = place(column, row);
        let under = place(column, below);
        drawing.line((x, y), (x, under.1 - 0.35), "#d55e00");
        drawing.disc(x - 0.5, y - 0.5, 0.13, "#0072b2");
        drawing.mark(x, y - 0.85, "#222", &cell.to_string());
        below = draw(miss, column, below, drawing);
    }
    below
}
