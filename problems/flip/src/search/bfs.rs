//! The engine `bfs`: breadth-first search over whole boards, the textbook method.
//!
//! A board is a number whose base-p digits are the colours of its squares. Each press leads from a board to a
//! neighbour, so the first target board that the search reaches is reached by the fewest presses. Time and memory are
//! O(p^n · n) and O(p^n) for n squares. A size may have at most 2^25 boards, which allows 5×5 with two colours and 3×5
//! with three.

use super::{supports_rules, wants_fewest};
use crate::answer::Answer;
use crate::{Instance, Rules};
use counterpoint_core::board::Digits;
use counterpoint_core::engine::{Budget, Limit, Outcome};
use counterpoint_core::errors::Unsupported;
use counterpoint_core::spec::EngineSpec;
use std::collections::VecDeque;

const MAX_BOARDS: u64 = 1 << 25;

/// Accepts a size if it has at most 2^25 boards.
///
/// # Errors
/// Returns why the instance is not supported.
pub fn supports(rules: &Rules, instance: &Instance, _: &EngineSpec) -> Result<(), Unsupported> {
    check_supported(rules, instance)
}

fn check_supported(rules: &Rules, instance: &Instance) -> Result<(), Unsupported> {
    supports_rules(rules, instance)?;
    let (p, squares) = (rules.colours, instance.size.cells());
    let boards = u32::try_from(squares).ok().and_then(|n| u64::from(p).checked_pow(n));
    if boards.is_none_or(|boards| boards > MAX_BOARDS) {
        return Err(format!("{p}^{squares} boards are too many; at most 2^25 are searched").into());
    }
    Ok(())
}

/// Solves one board, if [`supports`] accepts it.
pub fn solve(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Outcome<Answer> {
    if let Err(reason) = check_supported(rules, instance) {
        return Outcome::Unsupported(reason);
    }
    search(rules, instance, budget).into()
}

/// Marks a board that the search has not reached yet.
const UNSEEN: u8 = u8::MAX;
/// Marks the board from which the search starts.
const START: u8 = u8::MAX - 1;

fn search(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Result<Answer, Limit> {
    let (p, size) = (rules.colours, instance.size);
    let n = size.cells();
    let value = |i: usize| p.pow(i as u32);
    let number = |colour: &dyn Fn(usize) -> u32| (0..n).map(|i| colour(i) * value(i)).sum::<u32>();
    // For each press, the place values of the squares that it turns.
    let turned: Vec<Vec<u32>> = size
        .iter()
        .map(|cell| rules.stencil.squares(size, cell).into_iter().map(|c| value(size.index(c))).collect())
        .collect();
    let masks: Vec<u32> = turned.iter().map(|values| values.iter().sum()).collect();
    let pressed = |board: u32, press: usize| {
        if p == 2 {
            return board ^ masks[press];
        }
        turned[press].iter().fold(board, |board, value| match board / value % p {
            colour if colour + 1 == p => board - colour * value,
            _ => board + value,
        })
    };
    let goals: Vec<u32> = rules.ends().map(|end| number(&|i| end.colour(i))).collect();
    let start = number(&|i| instance.squares.get(i));
    // For each board, the press by which it was first reached.
    let mut reached_by = vec![UNSEEN; p.pow(n as u32) as usize];
    let mut queue = VecDeque::from([start]);
    reached_by[start as usize] = START;
    while let Some(board) = queue.pop_front() {
        budget.node()?;
        if goals.contains(&board) {
            let mut presses = Digits::zeros(n);
            let mut at = board;
            while reached_by[at as usize] != START {
                let press = reached_by[at as usize] as usize;
                presses.increment(press);
                // p presses of a square change nothing, so p - 1 further presses undo one.
                at = (1..p).fold(at, |at, _| pressed(at, press));
            }
            return Ok(Answer::Presses { presses: presses.into(), optimal: wants_fewest(rules) });
        }
        for press in 0..n {
            let next = pressed(board, press);
            if reached_by[next as usize] == UNSEEN {
                reached_by[next as usize] = press as u8;
                queue.push_back(next);
            }
        }
    }
    Ok(Answer::Impossible(None))
}
