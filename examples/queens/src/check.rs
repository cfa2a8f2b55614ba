//! The checker: replays a completion; verifies "impossible" by plain enumeration or by a proof.

use crate::problem::{Answer, Board};
use counterpoint::claim::{Claim, Status};
use counterpoint::engine::{Budget, Limit};
use counterpoint::proof::{self, Formula, Obligation, Proof};

const NONE: &str = "no completion exists";

pub(crate) fn check(board: &Board, answer: &Answer, proofs: &[Proof], budget: &mut Budget) -> Vec<Claim> {
    match answer {
        Some(cols) => vec![Claim::replayed("the queens complete the board", replay(board, cols))],
        None => {
            let stop = budget.stop();
            let enumerate = || Status::none_found(complete(board, &mut Vec::new(), budget));
            let status = proof::close(&obligation(board), proofs, &stop, enumerate);
            vec![Claim::new(NONE, status)]
        }
    }
}

fn attack(a: (usize, usize), b: (usize, usize)) -> bool {
    a.0 == b.0 || a.1 == b.1 || a.0.abs_diff(b.0) == a.1.abs_diff(b.1)
}

fn replay(board: &Board, cols: &[usize]) -> Result<(), String> {
    let queens: Vec<_> = cols.iter().copied().enumerate().collect();
    let mut pairs = queens.iter().flat_map(|&a| queens.iter().map(move |&b| (a, b)));
    if queens.len() != board.n || cols.iter().any(|&c| c >= board.n) {
        Err(format!("expected one queen in each of {} rows", board.n))
    } else if !board.given.iter().all(|given| queens.contains(given)) {
        Err("a queen that was given is missing".to_owned())
    } else if let Some((a, b)) = pairs.find(|&(a, b)| a != b && attack(a, b)) {
        Err(format!("the queens in rows {} and {} attack each other", a.0 + 1, b.0 + 1))
    } else {
        Ok(())
    }
}

fn complete(board: &Board, queens: &mut Vec<(usize, usize)>, budget: &mut Budget) -> Result<bool, Limit> {
    budget.node()?;
    let row = queens.len();
    if row == board.n {
        return Ok(board.given.iter().all(|given| queens.contains(given)));
    }
    for col in 0..board.n {
        if queens.iter().all(|&queen| !attack(queen, (row, col))) {
            queens.push((row, col));
            if complete(board, queens, budget)? {
                return Ok(true);
            }
            queens.pop();
        }
    }
    Ok(false)
}

pub(crate) fn obligation(board: &Board) -> Obligation<'_> {
    Obligation::new(NONE, 2 * board.n.pow(3), || formula(board))
}

/// Says that each row has a queen, that the given queens are on the board, and that no two queens attack each other.
fn formula(board: &Board) -> Formula {
    let (n, mut formula) = (board.n, Formula::new());
    let queen: Vec<Vec<i32>> = (0..n).map(|_| formula.vars(n)).collect();
    queen.iter().for_each(|row| formula.clause(row.iter().copied()));
    for (a, b) in (0..n * n).flat_map(|a| (0..a).map(move |b| ((a / n, a % n), (b / n, b % n)))) {
        if attack(a, b) {
            formula.clause([-queen[a.0][a.1], -queen[b.0][b.1]]);
        }
    }
    board.given.iter().for_each(|&(r, c)| formula.clause([queen[r][c]]));
    formula
}
