//! Decides one ending by completing the record a line at a time, whichever line has the fewest possibilities.
//!
//! For a repeat, each pair of boards that it can make equal is considered on its own. A line with an unknown square is
//! completed by each square that it allows (of interchangeable orbits only the first, as in `completions.rs`), and one
//! with a known square and an unknown sign by both signs. The result is a record again, and counting arguments
//! (`outline.rs`) may exclude the pair of boards in all of its completions. If they do not, the next line is completed.
//! A record without an open line is replayed.

use super::alternatives::{squares, unnamed};
use super::outline::Outline;
use super::{play, repeats};
use crate::answer::Ending;
use crate::{Entry, Instance, Rules, Sign};
use counterpoint_core::engine::{Budget, Limit};

/// The boards that are to be equal: those after two steps, under an element of the group, by its index.
type Pair = (usize, usize);

/// Whether some completion has this ending. Every legal move must toggle its square.
///
/// # Errors
/// Returns the limit of the budget that was reached.
pub(super) fn is_possible(
    rules: &Rules,
    instance: &Instance,
    ending: Ending,
    budget: &mut Budget,
) -> Result<bool, Limit> {
    let pairs: Vec<Option<Pair>> = match ending {
        Ending::Draw => vec![None],
        Ending::Repeat(last) => {
            let earlier = Outline::new(rules, instance, &[]).earlier(last);
            let order = rules.group.elements().len();
            earlier.flat_map(|earlier| (0..order).map(move |g| Some((earlier, g)))).collect()
        }
    };
    for pair in pairs {
        if narrow(rules, &mut instance.clone(), ending, pair, budget)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn narrow(
    rules: &Rules,
    record: &mut Instance,
    ending: Ending,
    pair: Option<Pair>,
    budget: &mut Budget,
) -> Result<bool, Limit> {
    let last = match ending {
        Ending::Repeat(last) => last,
        Ending::Draw => record.record.len(),
    };
    budget.work.nodes += record.record.len() as u64;
    budget.node()?;
    let outline = Outline::new(rules, record, &[]);
    let is_open = match pair {
        None => outline.allows(ending, budget)?,
        Some((earlier, g)) => outline.allows_pair(earlier, last, g, budget)?,
    };
    if !is_open {
        return Ok(false);
    }
    let open = (0..last).filter(|&line| record.record[line].known().is_none());
    let options = open.map(|line| (line, options(rules, record, line)));
    // Unknown signs come first, because they bound the numbers of spots. Then come lines after the earlier board,
    // because each of them changes only one of the two boards.
    let is_late = |line: usize| pair.is_some_and(|(earlier, _)| line >= earlier);
    let key = |line: usize, options: usize| (options > 2 && !is_late(line), options);
    let Some((line, options)) = options.min_by_key(|(line, options)| key(*line, options.len())) else {
        return has_ending(rules, record, ending, last, budget);
    };
    for option in options {
        let before = std::mem::replace(&mut record.record[line], option);
        let is_possible = narrow(rules, record, ending, pair, budget)?;
        record.record[line] = before;
        if is_possible {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What a line can be.
fn options(rules: &Rules, record: &Instance, line: usize) -> Vec<Entry> {
    let entry = record.record[line];
    if entry.x().is_some() && entry.y().is_some() {
        return [Sign::Place, Sign::Take].map(|sign| Entry::new(entry.x(), entry.y(), Some(sign))).to_vec();
    }
    let cells = squares(rules, record, &unnamed(record), &entry);
    cells.iter().map(|cell| Entry::new(Some(cell.col + 1), Some(cell.row + 1), entry.sign())).collect()
}

/// Whether a record whose moves up to `last` are known has this ending.
fn has_ending(
    rules: &Rules,
    record: &Instance,
    ending: Ending,
    last: usize,
    budget: &mut Budget,
) -> Result<bool, Limit> {
    let moves: Vec<_> = record.record[..last].iter().filter_map(Entry::known).collect();
    let Ok(boards) = play(rules, record, &moves) else { return Ok(false) };
    let n = record.n as usize;
    for later in 1..=last {
        let is_repeat = repeats(rules, n, &boards[..later], &boards[later], budget)?.is_some();
        if is_repeat != (ending == Ending::Repeat(later)) {
            return Ok(false);
        }
    }
    Ok(true)
}
