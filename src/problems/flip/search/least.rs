//! The lightest vector of a coset: all sums of null vectors, in Gray order.
//!
//! Up to dimension 30 every vector is looked at, so the result is the least. Beyond, the starts are
//! improved by single null vectors and pairs until none helps: an upper bound only.

use super::wants_least;
use crate::board::Bits;
use crate::engine::{Budget, Limit, Outcome};
use crate::problems::flip::answer::Answer;
use crate::problems::flip::{Rules, Target};

/// What leads from one solution to all others.
pub(super) struct Others {
    /// Presses that turn all squares over.
    pub(super) over: Option<Bits>,
    /// A basis of the presses that change nothing, or as much of one as memory holds.
    pub(super) null: Vec<Bits>,
    /// The length of a whole basis.
    pub(super) nullity: usize,
}

/// The answer for a board that `start` solves: under `goal=any` just that, otherwise the lightest of
/// all solutions.
pub(super) fn answer<'a>(
    rules: &Rules,
    start: Bits,
    others: impl FnOnce() -> &'a Others,
    budget: &mut Budget,
) -> Outcome<Answer> {
    if !wants_least(rules) {
        return Outcome::Decided(Answer::Presses { presses: start.into(), least: false });
    }
    let Others { over, null, nullity } = others();
    let mut starts = vec![start];
    if let (Target::Either, Some(over)) = (&rules.target, over) {
        let mut other = starts[0].clone();
        other.xor(over);
        starts.push(other);
    }
    let found = lightest(Coset { starts: &starts, null }, budget);
    let least = found.exhausted && null.len() == *nullity;
    let answer = Answer::Presses { presses: found.lightest.into(), least };
    match found.limit {
        None => Outcome::Decided(answer),
        Some(limit) => Outcome::GaveUp(limit, Some(answer)),
    }
}

/// The most dimensions that are gone through.
const EXHAUSTIBLE: usize = 30;

/// The vectors `s + n` for a start s and a sum n of null vectors.
struct Coset<'a> {
    /// At least one.
    starts: &'a [Bits],
    /// Linearly independent.
    null: &'a [Bits],
}

/// A light vector of a coset.
struct Found {
    lightest: Bits,
    /// Every vector was looked at.
    exhausted: bool,
    /// What ended the search early.
    limit: Option<Limit>,
}

/// Looks for the lightest vector; the first in Gray order among equals. A node a vector.
fn lightest(coset: Coset<'_>, budget: &mut Budget) -> Found {
    let mut best = coset.starts[0].clone();
    let exhaustible = coset.null.len() <= EXHAUSTIBLE;
    let search = if exhaustible { exhaust } else { improve };
    let limit = coset.starts.iter().find_map(|start| search(start, coset.null, &mut best, budget).err());
    Found { lightest: best, exhausted: exhaustible && limit.is_none(), limit }
}

fn exhaust(start: &Bits, null: &[Bits], best: &mut Bits, budget: &mut Budget) -> Result<(), Limit> {
    let mut weight = best.count();
    let mut vector = start.clone();
    for step in 1u64..=1 << null.len() {
        budget.node()?;
        let here = vector.count();
        if here < weight {
            (weight, *best) = (here, vector.clone());
        }
        // Step k of the Gray code changes the coordinate of k's lowest one; the last step is none.
        if let Some(change) = null.get(step.trailing_zeros() as usize) {
            vector.xor(change);
        }
    }
    Ok(())
}

fn improve(start: &Bits, null: &[Bits], best: &mut Bits, budget: &mut Budget) -> Result<(), Limit> {
    let mut vector = start.clone();
    let mut better = true;
    while better {
        if vector.count() < best.count() {
            *best = vector.clone();
        }
        better = false;
        for (i, first) in null.iter().enumerate() {
            for second in std::iter::once(None).chain(null[..i].iter().map(Some)) {
                budget.node()?;
                let before = vector.count();
                let toggle = |vector: &mut Bits| {
                    vector.xor(first);
                    second.into_iter().for_each(|second| vector.xor(second));
                };
                toggle(&mut vector);
                if vector.count() < before {
                    better = true;
                } else {
                    toggle(&mut vector);
                }
            }
        }
    }
    Ok(())
}
