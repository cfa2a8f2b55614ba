//! Depth-first search, row by row. In a row with a given queen, this queen is the only choice.

use crate::problem::{Answer, Board};
use counterpoint::engine::{Budget, Limit};

pub(crate) fn solve(board: &Board, budget: &mut Budget) -> Result<Answer, Limit> {
    let mut cols = Vec::new();
    Ok(place(board, &mut cols, budget)?.then_some(cols))
}

fn place(board: &Board, cols: &mut Vec<usize>, budget: &mut Budget) -> Result<bool, Limit> {
    budget.node()?;
    let row = cols.len();
    if row == board.n {
        return Ok(true);
    }
    for col in 0..board.n {
        let free = board.given.iter().all(|&(r, c)| r != row || c == col);
        if free && cols.iter().enumerate().all(|(r, &c)| c != col && c.abs_diff(col) != row - r) {
            cols.push(col);
            if place(board, cols, budget)? {
                return Ok(true);
            }
            cols.pop();
        }
    }
    Ok(false)
}
