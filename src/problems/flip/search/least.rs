//! The lightest vector of a coset: fewest presses.
//!
//! In few dimensions all sums of null vectors are gone through in Gray order. In more, information sets
//! give a light one, and branch and bound over the folded board finds what is lighter still or that
//! nothing is. Where that would take too long the light one is an upper bound only.

use super::branch;
use super::filtration::stages;
use super::folding::{self, Folding, fold};
use super::information_sets;
use super::wants_least;
use crate::board::{Bits, Size};
use crate::engine::{Budget, Limit, Outcome};
use crate::problems::flip::answer::Answer;
use crate::problems::flip::{Rules, Target};

/// What leads from one solution to all others.
pub(super) struct Others {
    /// Presses that turn all squares over.
    over: Option<Bits>,
    /// A basis of the presses that change nothing, or as much of one as memory holds.
    null: Vec<Bits>,
    /// True if `null` is a whole basis.
    whole: bool,
    plan: Plan,
}

/// How all vectors are gone through.
enum Plan {
    /// One after another.
    Gray,
    /// In stages.
    Branch(Vec<Vec<Bits>>, Folding),
    /// They are too many.
    Never,
}

/// The most dimensions for [`Plan::Gray`] in any case, and where there is nothing better.
const FEW_DIMENSIONS: usize = 12;
const MOST_DIMENSIONS: usize = 30;
/// The most dimensions that are chosen before the board has folded to an eighth.
const MOST_UNFOLDED: usize = 26;

/// Information sets that are tried before branch and bound, and where nothing follows.
const FEW_SETS: usize = 16;
const MANY_SETS: usize = 512;

/// Dimensions that are left where a stage of more than so many is cut.
const CUTS: [usize; 2] = [8, 5];
const LONG: usize = 6;

/// Prepares the search for the lightest among solutions that differ by `null`, of dimension `nullity`,
/// and, where either colour will do, by `over`.
pub(super) fn others(size: Size, over: Option<Bits>, null: Vec<Bits>, nullity: usize) -> Others {
    let whole = null.len() == nullity;
    let foldable = null.len() <= folding::MOST_DIMENSIONS && size.cells() <= folding::MOST_SQUARES;
    let plan = match null.len() {
        0..=FEW_DIMENSIONS => Plan::Gray,
        _ if foldable => {
            let stages = cut(stages(size, &null));
            let folding = fold(size.cells(), &stages);
            let well = folding.stages.iter().position(|stage| 8 * stage.width <= size.cells());
            let before = stages.iter().take(well.map_or(stages.len(), |k| k + 1));
            let dimensions = before.map(Vec::len).sum::<usize>();
            match dimensions {
                ..=MOST_UNFOLDED => Plan::Branch(stages, folding),
                _ => Plan::Never,
            }
        }
        n if n <= MOST_DIMENSIONS => Plan::Gray,
        _ => Plan::Never,
    };
    Others { over, null, whole, plan }
}

/// Cuts long stages where the vectors left tell 255 and 31 kinds of squares apart: whatever the board, it
/// folds well there.
fn cut(stages: Vec<Vec<Bits>>) -> Vec<Vec<Bits>> {
    let mut left: usize = stages.iter().map(Vec::len).sum();
    let mut pieces = Vec::new();
    for mut stage in stages {
        let after = left - stage.len();
        for place in CUTS {
            if stage.len() > LONG && (after + 1..left).contains(&place) {
                let tail = stage.split_off(stage.len() - (place - after));
                pieces.push(std::mem::replace(&mut stage, tail));
            }
        }
        pieces.push(stage);
        left = after;
    }
    pieces
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
    let others = others();
    let mut starts = vec![start];
    if let (Target::Either, Some(over)) = (&rules.target, &others.over) {
        let mut other = starts[0].clone();
        other.xor(over);
        starts.push(other);
    }
    let mut best = starts[0].clone();
    let least = others.whole && !matches!(others.plan, Plan::Never);
    let answer = |best: Bits, least| Answer::Presses { presses: best.into(), least };
    match lightest(&starts, others, &mut best, budget) {
        Ok(()) => Outcome::Decided(answer(best, least)),
        Err(limit) => Outcome::GaveUp(limit, Some(answer(best, false))),
    }
}

/// Leaves the lightest vector that is found in `best`. A node a vector that is weighed or bounded.
fn lightest(starts: &[Bits], others: &Others, best: &mut Bits, budget: &mut Budget) -> Result<(), Limit> {
    let Others { null, plan, .. } = others;
    if let Plan::Gray = plan {
        return starts.iter().try_for_each(|start| exhaust(start, null, best, budget));
    }
    let rounds = if matches!(plan, Plan::Never) { MANY_SETS } else { FEW_SETS };
    information_sets::improve(starts, null, rounds, best, budget)?;
    if best.count() == 0 {
        return Ok(());
    }
    let Plan::Branch(stages, folding) = plan else { return Ok(()) };
    let (found, end) = match branch::fewer((folding, stages), starts, best.count(), budget) {
        Ok(found) => (found, Ok(())),
        Err((limit, found)) => (found, Err(limit)),
    };
    found.into_iter().for_each(|found| *best = found);
    end
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
