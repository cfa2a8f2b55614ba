//! Enumerates the completions of a smudged record, to find out which endings are possible.

use super::{Board, after, repeats};
use crate::{Instance, Move, Rules, Sign};
use counterpoint_core::board::Bits;
use counterpoint_core::engine::{Budget, Limit};

/// The maximum number of squares that one enumeration compares.
const MAX_COMPARED: u64 = 1 << 28;
/// The maximum number of moves of a record whose completions are enumerated. The depth of the recursion is the
/// number of moves.
const MAX_STEPS: usize = 1_000;

/// The endings of the completions that were enumerated.
pub(super) struct Enumerated {
    /// For each ending, in the order of [`Ending::all`](crate::answer::Ending::all), whether at least
    /// one of these completions has it.
    pub(super) possible: Vec<bool>,
    /// Why not all completions were enumerated; `None` if all were.
    pub(super) stopped: Option<NotEnumerated>,
}

/// Why not all completions of a record were enumerated.
#[derive(Clone, Debug)]
pub(super) enum NotEnumerated {
    TooLong,
    TooMany,
    Limit(Limit),
}

impl NotEnumerated {
    /// The reason, and what would close a claim that needs the enumeration.
    pub(super) fn remedy(&self, remedy: &str) -> String {
        match self {
            NotEnumerated::TooLong => format!(
                "records of more than {MAX_STEPS} moves are not enumerated; {remedy} would close the claim"
            ),
            NotEnumerated::TooMany => {
                format!("too many completions to enumerate; {remedy} would close the claim")
            }
            NotEnumerated::Limit(limit) => limit.to_string(),
        }
    }
}

/// Enumerates all completions, if there are not too many.
pub(super) fn enumerate(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Enumerated {
    let mut possible = vec![false; instance.record.len() + 1];
    if instance.record.len() > MAX_STEPS {
        return Enumerated { possible, stopped: Some(NotEnumerated::TooLong) };
    }
    let n = instance.n as usize;
    let (mut boards, mut squares_left) = (vec![Bits::zeros(n * n)], MAX_COMPARED);
    let stopped = descend(rules, instance, &mut boards, &mut possible, &mut squares_left, budget).err();
    Enumerated { possible, stopped }
}

/// Enumerates the completions whose first boards are `boards`, none of which is a repeat. Marks their endings
/// in `possible`, and subtracts the squares that are compared from `squares_left`.
fn descend(
    rules: &Rules,
    instance: &Instance,
    boards: &mut Vec<Board>,
    possible: &mut [bool],
    squares_left: &mut u64,
    budget: &mut Budget,
) -> Result<(), NotEnumerated> {
    let step = boards.len() - 1;
    let Some(entry) = instance.record.get(step) else {
        possible[step] = true;
        return Ok(());
    };
    for cell in instance.size().iter().filter(|&cell| entry.allows(cell)) {
        for sign in [Sign::Place, Sign::Take] {
            if entry.sign().is_some_and(|known| known != sign) {
                continue;
            }
            let Some(next) = after(rules, instance, entry, &boards[step], Move { cell, sign }) else {
                continue;
            };
            let cost = boards.len() as u64 * instance.size().cells() as u64;
            *squares_left = squares_left.checked_sub(cost).ok_or(NotEnumerated::TooMany)?;
            let repeat = repeats(rules, instance.n as usize, boards, &next, budget);
            if repeat.map_err(NotEnumerated::Limit)?.is_some() {
                possible[step] = true;
            } else {
                boards.push(next);
                descend(rules, instance, boards, possible, squares_left, budget)?;
                boards.pop();
            }
        }
    }
    Ok(())
}
