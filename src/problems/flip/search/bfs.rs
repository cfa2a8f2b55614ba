//! `bfs`: breadth-first search over boards as bit masks, the textbook way.
//!
//! From the given board every press leads to a neighbour; the first board of the target's colour is
//! reached by fewest presses. O(2^n · n) for n squares, to 5×5.

use super::{found, serves_two_colours};
use crate::board::Bits;
use crate::choice::Choice;
use crate::engine::{Budget, Limit, Outcome};
use crate::problems::flip::answer::Answer;
use crate::problems::flip::{Instance, Rules};
use std::collections::VecDeque;

const MOST_SQUARES: usize = 25;

/// Boards of at most 25 squares.
///
/// # Errors
/// Why the instance is not served.
pub fn supports(rules: &Rules, instance: &Instance, _: &Choice) -> Result<(), String> {
    serves_two_colours(rules, instance)?;
    let squares = instance.size.cells();
    if squares > MOST_SQUARES {
        return Err(format!("{} has {squares} squares; at most {MOST_SQUARES} are searched", instance.size));
    }
    Ok(())
}

/// Solves one board.
pub fn solve(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Outcome<Answer> {
    search(rules, instance, budget).into()
}

/// No press has led here yet.
const UNSEEN: u8 = u8::MAX;
/// The board to start from.
const START: u8 = u8::MAX - 1;

fn search(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Result<Answer, Limit> {
    let size = instance.size;
    let n = size.cells();
    let mask = |bits: &Bits| bits.iter().fold(0u32, |mask, i| mask | 1 << i);
    let stencil =
        |cell| rules.stencil.squares(size, cell).into_iter().fold(0u32, |m, c| m | 1 << size.index(c));
    let flips: Vec<u32> = size.iter().map(stencil).collect();
    let start = mask(instance.squares.odd());
    let goals: Vec<u32> = rules.ends().map(|end| start ^ mask(&instance.wrong(&end))).collect();
    // The press by which each board was first reached, which leads back to the start.
    let mut reached_by = vec![UNSEEN; 1 << n];
    let mut queue = VecDeque::from([start]);
    reached_by[start as usize] = START;
    while let Some(board) = queue.pop_front() {
        budget.node()?;
        if goals.contains(&board) {
            let mut pressed = Bits::zeros(n);
            let mut at = board;
            while reached_by[at as usize] != START {
                let press = reached_by[at as usize] as usize;
                pressed.set(press);
                at ^= flips[press];
            }
            return Ok(found(rules, pressed));
        }
        for (press, flip) in flips.iter().enumerate() {
            let next = (board ^ flip) as usize;
            if reached_by[next] == UNSEEN {
                reached_by[next] = press as u8;
                queue.push_back(next as u32);
            }
        }
    }
    Ok(Answer::Impossible(None))
}
