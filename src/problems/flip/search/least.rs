//! The lightest vector of a coset: fewest presses.
//!
//! In few dimensions all sums of null vectors are gone through in Gray order. In more, information sets
//! give a light one, and branch and bound over the folded board finds what is lighter still or that
//! nothing is. Where that would take too long the light one is an upper bound only, unless somebody allows that all
//! sums are gone through by transforms, coset by coset.

use super::branch;
use super::cosets::Cosets;
use super::filtration::stages;
use super::folding::{self, Folding, fold};
use super::wants_least;
use super::{information_sets, symmetric};
use crate::board::{Bits, Size, Symmetry};
use crate::engine::{Budget, Limit, Outcome};
use crate::problems::flip::answer::Answer;
use crate::problems::flip::{Rules, Target};

/// What leads from one solution to all others.
pub(super) struct Others {
    size: Size,
    /// Presses that turn all squares over.
    over: Option<Bits>,
    /// A basis of the presses that change nothing, or as much of one as memory holds.
    null: Vec<Bits>,
    /// True if `null` is a whole basis.
    whole: bool,
    plan: Plan,
    effort: Effort,
}

/// How far the search for the lightest goes before it settles for a bound from above.
#[derive(Clone, Copy, Debug)]
pub(in crate::problems::flip) struct Effort {
    /// The most dimensions that are chosen before the board has folded to an eighth.
    pub(in crate::problems::flip) unfolded: usize,
    /// Nodes for each symmetry where the null space itself is too large.
    pub(in crate::problems::flip) symmetric_nodes: u64,
    /// Which symmetries solutions are to have there, each by what generates it.
    pub(in crate::problems::flip) symmetries: &'static [&'static [Symmetry]],
    /// The most dimensions of a null space that is gone through by transforms where nothing else does.
    pub(in crate::problems::flip) transformed: usize,
}

/// What an answer may take.
const USUAL: Effort =
    Effort { unfolded: 26, symmetric_nodes: 1 << 24, symmetries: symmetric::TURNS, transformed: 0 };

/// How all vectors are gone through.
enum Plan {
    /// One after another.
    Gray,
    /// In stages.
    Branch(Vec<Vec<Bits>>, Folding),
    /// Coset by coset, all sums of each at once.
    Transform(Cosets),
    /// They are too many.
    Never,
}

/// The most dimensions for [`Plan::Gray`] in any case.
const FEW_DIMENSIONS: usize = 12;

/// Information sets that are tried before branch and bound, and where nothing follows.
const FEW_SETS: usize = 16;
const MANY_SETS: usize = 512;
/// Operations on words that a bound from above may take; all vectors in Gray order 16 times as many.
const MAX_WORDS: u64 = 1 << 31;

/// Dimensions that are left where a stage of more than so many is cut.
const CUTS: [usize; 2] = [8, 5];
const LONG: usize = 6;

/// Prepares the search for the lightest among solutions that differ by `null`, of dimension `nullity`,
/// and, where either colour will do, by `over`.
pub(super) fn others(size: Size, over: Option<Bits>, null: Vec<Bits>, nullity: usize) -> Others {
    within(USUAL, size, over, null, nullity)
}

fn within(effort: Effort, size: Size, over: Option<Bits>, null: Vec<Bits>, nullity: usize) -> Others {
    let (whole, plan) = (null.len() == nullity, plan(effort, size, &null));
    Others { size, over, null, whole, plan, effort }
}

/// The lightest sum of `start` and any of `null`, a whole basis: whether it is least, or the limit that was met.
/// A node a vector that is weighed or bounded, or a coset that is transformed; `told` hears of how many of these how many
/// are done.
pub(in crate::problems::flip) fn of_coset(
    effort: Effort,
    size: Size,
    (start, null): (Bits, Vec<Bits>),
    budget: &mut Budget,
    told: &mut dyn FnMut(u64, u64),
) -> (Bits, Result<bool, Limit>) {
    let nullity = null.len();
    let others = within(effort, size, None, null, nullity);
    let mut best = start.clone();
    let end = lightest(&[start], &others, &mut best, budget, told);
    (best, end.map(|()| !matches!(others.plan, Plan::Never)))
}

fn plan(effort: Effort, size: Size, null: &[Bits]) -> Plan {
    let foldable = null.len() <= folding::MAX_DIMENSIONS && size.cells() <= folding::MAX_SQUARES;
    match null.len() {
        0..=FEW_DIMENSIONS => Plan::Gray,
        _ if foldable => {
            let stages = cut(stages(size, null));
            let folding = fold(size.cells(), &stages);
            let well = folding.stages.iter().position(|stage| 8 * stage.width <= size.cells());
            let before = stages.iter().take(well.map_or(stages.len(), |k| k + 1));
            match before.map(Vec::len).sum::<usize>() {
                chosen if chosen <= effort.unfolded => Plan::Branch(stages, folding),
                _ if null.len() <= effort.transformed => Plan::Transform(Cosets::new(&stages)),
                _ => Plan::Never,
            }
        }
        d if d < 32 && words(size) << d <= MAX_WORDS << 4 => Plan::Gray,
        _ => Plan::Never,
    }
}

/// Words of a board.
fn words(size: Size) -> u64 {
    size.cells().div_ceil(64) as u64
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
    let answer = |best: Bits, least| Answer::Presses { presses: best.into(), least };
    let lighter = usize::from(starts.len() > 1 && starts[1].count() < starts[0].count());
    let mut best = starts[lighter].clone();
    if best.count() == 0 {
        return Outcome::Decided(answer(best, true));
    }
    let least = others.whole && !matches!(others.plan, Plan::Never);
    match lightest(&starts, others, &mut best, budget, &mut |_, _| ()) {
        Ok(()) => Outcome::Decided(answer(best, least)),
        Err(limit) => Outcome::GaveUp(limit, Some(answer(best, false))),
    }
}

/// Leaves the lightest vector that is found in `best`. A node a vector that is weighed or bounded.
fn lightest(
    starts: &[Bits],
    others: &Others,
    best: &mut Bits,
    budget: &mut Budget,
    told: &mut dyn FnMut(u64, u64),
) -> Result<(), Limit> {
    let Others { size, null, plan, .. } = others;
    let round = words(*size).saturating_mul((null.len() * null.len() + 1) as u64);
    let rounds = match plan {
        Plan::Gray => 0,
        Plan::Branch(..) => FEW_SETS,
        Plan::Transform(_) | Plan::Never => MANY_SETS.min((MAX_WORDS / round) as usize),
    };
    information_sets::improve(starts, null, rounds, best, budget)?;
    carry_out(plan, (*size, starts, null), best, budget, told)?;
    if let (Plan::Never, 1..) = (plan, rounds) {
        for generators in others.effort.symmetries {
            for start in starts {
                symmetric_ones(generators, others, start, best, budget)?;
            }
        }
    }
    Ok(())
}

fn carry_out(
    plan: &Plan,
    (size, starts, null): (Size, &[Bits], &[Bits]),
    best: &mut Bits,
    budget: &mut Budget,
    told: &mut dyn FnMut(u64, u64),
) -> Result<(), Limit> {
    let found = match plan {
        Plan::Gray => return starts.iter().try_for_each(|start| exhaust(start, null, best, budget)),
        Plan::Branch(stages, folding) => branch::fewer((folding, stages), starts, best.count(), budget),
        Plan::Transform(cosets) => cosets.fewer(size, starts, best.count(), budget, told),
        Plan::Never => return Ok(()),
    };
    let (found, end) = found.map_or_else(|(limit, found)| (found, Err(limit)), |found| (found, Ok(())));
    found.into_iter().for_each(|found| *best = found);
    end
}

/// The lightest among those that the symmetries keep, as far as the nodes for them go.
fn symmetric_ones(
    generators: &[Symmetry],
    &Others { size, ref null, effort, .. }: &Others,
    start: &Bits,
    best: &mut Bits,
    budget: &mut Budget,
) -> Result<(), Limit> {
    let Some((start, null)) = symmetric::kept(size, start, null, generators) else { return Ok(()) };
    let nodes = budget.left().min(effort.symmetric_nodes);
    let mut some = budget.part(nodes);
    let end = carry_out(&plan(effort, size, &null), (size, &[start], &null), best, &mut some, &mut |_, _| ());
    budget.work.nodes += some.work.nodes;
    match end {
        Err(Limit::Work) => budget.poll(),
        end => end,
    }
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
