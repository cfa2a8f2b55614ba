//! Checks certificates of `longest`: replays the game, and counts the patterns of each parity by Burnside's lemma.

use super::super::super::Start;
use super::{number, rules};
use counterpoint_core::board::{Cell, Group, Size};
use counterpoint_core::claim::{Claim, Status};
use counterpoint_core::engine::Budget;
use counterpoint_core::errors::FormatError;
use serde_json::{Map, Value};

pub(super) fn check(
    certificate: &Map<String, Value>,
    budget: &mut Budget,
) -> Result<Vec<Claim>, FormatError> {
    let n = number(certificate, "n", 1, 5)?;
    let (group, start) = rules(certificate)?;
    let at_least = number(certificate, "at_least", 1, 1 << 26)?;
    let at_most = number(certificate, "at_most", 1, 1 << 26)?;
    let moves = certificate.get("moves").and_then(Value::as_str);
    let moves = moves.ok_or("\"moves\" is not a string of squares as base-36 digits")?;
    let size = Size::new(n as u32, n as u32);
    let text = format!("a game of {at_least} moves has no repeat");
    let replayed = Claim::new(text, replay(size, group, start, at_least, moves, budget));
    let bound = bound(size, group, start);
    let status = if bound <= at_most as u64 {
        Status::Recomputed
    } else {
        Status::Failed(format!("the number of patterns of each parity allows {bound}"))
    };
    Ok(vec![replayed, Claim::new(format!("every game of more than {at_most} moves has a repeat"), status)])
}

fn replay(
    size: Size,
    group: Group,
    start: Start,
    at_least: usize,
    moves: &str,
    budget: &mut Budget,
) -> Status {
    if moves.len() != at_least {
        return Status::Failed(format!("\"moves\" has {} moves", moves.len()));
    }
    let maps: Vec<Vec<usize>> = (group.iter())
        .map(|g| size.iter().map(|cell| size.index(g.apply(size.width, cell))).collect())
        .collect();
    let smallest = |board: u32| {
        let image = |map: &Vec<usize>| {
            map.iter().enumerate().filter(|(i, _)| board >> i & 1 == 1).map(|(_, to)| 1u32 << to).sum()
        };
        maps.iter().map(image).min().unwrap_or(board)
    };
    let mut produced = vec![false; 1 << size.cells()];
    produced[0] = start == Start::Counted;
    let mut board = 0u32;
    for (mv, digit) in moves.chars().enumerate() {
        if let Err(limit) = budget.node() {
            return Status::Open(limit.to_string());
        }
        let square = digit.to_digit(36).filter(|&square| (square as usize) < size.cells());
        let Some(square) = square else {
            return Status::Failed(format!("move {} is '{digit}', which is not a square", mv + 1));
        };
        board ^= 1 << square;
        if std::mem::replace(&mut produced[smallest(board) as usize], true) {
            return Status::Failed(format!("move {} repeats a pattern", mv + 1));
        }
    }
    Status::Witness
}

/// An upper bound on the number of moves of a game without a repeat. The moves of such a game produce patterns with an
/// odd and with an even number of spots alternately. Burnside's lemma gives the numbers of these patterns. A symmetry
/// fixes the boards that are constant on each of its cycles of squares. If some cycle has odd length, half of these
/// boards have an even number of spots; otherwise, all of them do.
fn bound(size: Size, group: Group, start: Start) -> u64 {
    let (mut all, mut even_minus_odd, mut order) = (0, 0, 0);
    for g in group.iter() {
        let length = |cell: Cell| {
            let mut at = g.apply(size.width, cell);
            let mut cycle = vec![cell];
            while at != cell {
                cycle.push(at);
                at = g.apply(size.width, at);
            }
            // Each cycle is counted at its first square.
            (cycle.iter().all(|&other| size.index(other) >= size.index(cell))).then_some(cycle.len())
        };
        let lengths: Vec<usize> = size.iter().filter_map(length).collect();
        all += 1u64 << lengths.len();
        even_minus_odd +=
            if lengths.iter().all(|length| length % 2 == 0) { 1u64 << lengths.len() } else { 0 };
        order += 1;
    }
    let (even, odd) = ((all + even_minus_odd) / 2 / order, (all - even_minus_odd) / 2 / order);
    let even = if start == Start::Counted { even - 1 } else { even };
    (2 * odd).min(2 * even + 1)
}
