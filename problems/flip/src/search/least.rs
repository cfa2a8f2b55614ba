//! Finds a coset leader: a lightest solution, which has the fewest presses.
//!
//! The solutions for one final board are the sums of one solution and each element of the null space. If the
//! final board may have either colour, adding a set of presses that flips every square turns these solutions
//! into the solutions for the other colour. Finding the lightest element of a coset is syndrome decoding,
//! which is hard in general. So the method depends on the dimension d of the null space and on how well the
//! board *folds*. Branch and bound decides for one basis vector after another whether to add it. Folding replaces
//! several squares by one number if each basis vector that is still undecided contains either all of these squares or
//! none (`folding.rs`).
//!
//! # Plans, in the order in which `plan` tests them
//! 1. [`Plan::Gray`], if d ≤ [`MAX_GRAY_DIMENSIONS`]: all 2^d sums are enumerated in Gray code order.
//! 2. [`Plan::Branch`], if the board folds to an eighth of its squares when at most `Effort::unfolded` dimensions are
//!    decided: branch and bound over the folded board (`branch.rs`). Until the board has folded that far, the bound is
//!    weak, and nearly all sums are enumerated.
//! 3. [`Plan::Transform`], if d ≤ `Effort::transformed`: fast Walsh–Hadamard transforms, one coset after another
//!    (`cosets.rs`). Ordinary answers never use this plan, because `Effort::transformed` is 0 for them.
//! 4. [`Plan::BoundOnly`], otherwise: the space is too large for an exact search, so the answer is an upper bound.
//!
//! A board cannot be folded if it has more than 32,767 squares or if d exceeds 64. Then the plan is [`Plan::Gray`] if d
//! is below 32 and the 2^d sums together fill at most 2^35 words, otherwise [`Plan::BoundOnly`].
//!
//! # Steps
//! 1. Start from the lighter of the known solutions. If it has no presses, the search is done.
//! 2. Information-set decoding (`information_sets.rs`) looks for a light solution, which the plan takes as its initial
//!    bound. The number of information sets is [`FEW_SETS`] before branch and bound. For the last two plans it is
//!    [`MANY_SETS`], or fewer if they would take more than [`MAX_WORDS`] operations. Gray enumeration needs no initial
//!    bound.
//! 3. The plan is carried out.
//! 4. If the plan is `BoundOnly` and at least one information set was tried, further searches look only at solutions
//!    that are invariant under a symmetry group (`symmetric.rs`): one search for each of several groups and each known
//!    solution, with at most `Effort::symmetric_nodes` nodes. Invariant solutions form a coset of a far smaller space.
//!    Its leader may improve the upper bound, but need not be a leader of the whole coset.
//!
//! # Invariants
//! * `best` is a solution at any time, so a limit leaves a valid upper bound.
//! * An answer with at least one press is marked optimal only if the plan is not `BoundOnly` and the basis of the null
//!   space is complete (`Others::whole`). A basis that does not fit in memory is left empty.

use super::branch;
use super::cosets::Cosets;
use super::filtration::stages;
use super::folding::{self, Folding, fold};
use super::wants_fewest;
use super::{information_sets, symmetric};
use crate::answer::Answer;
use crate::{Rules, Target};
use counterpoint_core::board::{Bits, Size, Symmetry};
use counterpoint_core::engine::{Budget, Limit, Outcome};

/// The vectors by which solutions differ, and the plan for searching the solutions.
pub(super) struct Others {
    size: Size,
    /// Presses that flip every square; `None` if there are none, or if only one final board is of interest.
    over: Option<Bits>,
    /// A basis of the null space; empty if it does not fit in memory.
    null: Vec<Bits>,
    /// Whether `null` is a complete basis.
    whole: bool,
    plan: Plan,
    effort: Effort,
}

/// The limits beyond which the search is not exact and gives only an upper bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// The greatest number of dimensions that branch and bound decides before the board has folded to an eighth of its
    /// squares.
    pub(crate) unfolded: usize,
    /// The maximum number of nodes of each search for symmetric solutions, if the null space is too large for an exact
    /// search. There is one such search for each symmetry group and known solution.
    pub(crate) symmetric_nodes: u64,
    /// The symmetry groups whose invariant solutions are searched for; each group is given by its generators.
    pub(crate) symmetries: &'static [&'static [Symmetry]],
    /// The greatest dimension of a null space that is searched by transforms, if branch and bound does not apply.
    pub(crate) transformed: usize,
}

/// The effort for an ordinary answer; studies may allow more.
const USUAL: Effort =
    Effort { unfolded: 26, symmetric_nodes: 1 << 24, symmetries: symmetric::TURNS, transformed: 0 };

/// How the solutions are searched.
enum Plan {
    /// Gray code enumeration.
    Gray,
    /// Branch and bound over these stages: groups of basis vectors, which are decided group by group.
    Branch(Vec<Vec<Bits>>, Folding),
    /// Transforms, one coset after another.
    Transform(Cosets),
    /// No exact search: an upper bound only.
    BoundOnly,
}

/// Null spaces of at most this dimension are always enumerated in Gray code order.
const MAX_GRAY_DIMENSIONS: usize = 12;

/// The number of information sets that are tried before branch and bound.
const FEW_SETS: usize = 16;
/// The number of information sets that are tried before transforms, or if no exact search follows.
const MANY_SETS: usize = 512;
/// If [`MANY_SETS`] information sets need more operations on words than this, fewer are tried. If a board
/// cannot be folded, Gray enumeration is used only if all sums together fill at most 16 times this number of
/// words.
const MAX_WORDS: u64 = 1 << 31;

/// Long stages are cut where these numbers of dimensions remain.
const CUTS: [usize; 2] = [8, 5];
/// Stages of more than this many dimensions are long.
const LONG: usize = 6;

/// Prepares the search among solutions that differ by sums of `null`, and by `over` if the final board may have either
/// colour. `null` is a basis of the null space, which has dimension `nullity`; it is empty if a basis does not fit in
/// memory.
pub(super) fn others(size: Size, over: Option<Bits>, null: Vec<Bits>, nullity: usize) -> Others {
    within(USUAL, size, over, null, nullity)
}

fn within(effort: Effort, size: Size, over: Option<Bits>, null: Vec<Bits>, nullity: usize) -> Others {
    let (whole, plan) = (null.len() == nullity, plan(effort, size, &null));
    Others { size, over, null, whole, plan, effort }
}

/// How transforms searched a null space, so that a checker can repeat it.
#[derive(Clone, Debug)]
pub(crate) struct Split {
    /// A basis of the null space in two parts: one coset for each sum of vectors of the first part.
    pub(crate) bases: [Vec<Bits>; 2],
    /// A symmetry that exchanges cosets; `None` if none of [`Split::SYMMETRIES`] does.
    pub(crate) symmetry: Option<Symmetry>,
}

impl Split {
    /// The symmetries that are tried: exchanging rows and columns, and reversing each row.
    pub(crate) const SYMMETRIES: [Symmetry; 2] =
        [Symmetry { turns: 3, mirrored: true }, Symmetry { turns: 0, mirrored: true }];
}

/// The lightest vector found among `start` plus all sums of `null`, a complete basis, and how transforms searched the
/// null space, if they did. Also returns whether the vector is known to be a coset leader, or the limit that was reached. Nodes are vectors that are weighed, steps of branch and bound,
/// and transformed cosets. During transforms, `progress` is called with the number of cosets done and the number of all
/// cosets.
pub(crate) fn of_coset(
    effort: Effort,
    size: Size,
    (start, null): (Bits, Vec<Bits>),
    budget: &mut Budget,
    progress: &mut dyn FnMut(u64, u64),
) -> (Bits, Option<Split>, Result<bool, Limit>) {
    let nullity = null.len();
    let others = within(effort, size, None, null, nullity);
    let mut best = start.clone();
    let split = match &others.plan {
        Plan::Transform(cosets) => {
            let exchanges = |symmetry: &Symmetry| cosets.exchanges(size, &start, *symmetry);
            Some(Split { bases: cosets.bases(), symmetry: Split::SYMMETRIES.into_iter().find(exchanges) })
        }
        _ => None,
    };
    let end = lightest(&[start], &others, &mut best, budget, progress);
    (best, split, end.map(|()| !matches!(others.plan, Plan::BoundOnly)))
}

fn plan(effort: Effort, size: Size, null: &[Bits]) -> Plan {
    let foldable = null.len() <= folding::MAX_DIMENSIONS && size.cells() <= folding::MAX_SQUARES;
    match null.len() {
        0..=MAX_GRAY_DIMENSIONS => Plan::Gray,
        _ if foldable => {
            let stages = cut(stages(size, null));
            let folding = fold(size.cells(), &stages);
            let well = folding.stages.iter().position(|stage| 8 * stage.width <= size.cells());
            let before = stages.iter().take(well.map_or(stages.len(), |k| k + 1));
            match before.map(Vec::len).sum::<usize>() {
                chosen if chosen <= effort.unfolded => Plan::Branch(stages, folding),
                _ if null.len() <= effort.transformed => Plan::Transform(Cosets::new(&stages)),
                _ => Plan::BoundOnly,
            }
        }
        d if d < 32 && words(size) << d <= MAX_WORDS << 4 => Plan::Gray,
        _ => Plan::BoundOnly,
    }
}

/// The number of words that hold a bit for each square of a board.
fn words(size: Size) -> u64 {
    size.cells().div_ceil(64) as u64
}

/// Cuts long stages where 8 and 5 basis vectors are still undecided. 8 vectors distinguish at most 255 kinds of squares
/// that they change, and 5 vectors 31, so a large board folds well there, whatever it looks like.
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

/// The answer for a board that `start` solves. Under `goal=any` it is `start` itself, otherwise the lightest solution
/// that is found.
pub(super) fn answer<'a>(
    rules: &Rules,
    start: Bits,
    others: impl FnOnce() -> &'a Others,
    budget: &mut Budget,
) -> Outcome<Answer> {
    if !wants_fewest(rules) {
        return Outcome::Decided(Answer::Presses { presses: start.into(), optimal: false });
    }
    let others = others();
    let mut starts = vec![start];
    if let (Target::Either, Some(over)) = (&rules.target, &others.over) {
        let mut other = starts[0].clone();
        other.xor(over);
        starts.push(other);
    }
    let answer = |best: Bits, optimal| Answer::Presses { presses: best.into(), optimal };
    let lighter = usize::from(starts.len() > 1 && starts[1].count() < starts[0].count());
    let mut best = starts[lighter].clone();
    if best.count() == 0 {
        return Outcome::Decided(answer(best, true));
    }
    let least = others.whole && !matches!(others.plan, Plan::BoundOnly);
    match lightest(&starts, others, &mut best, budget, &mut |_, _| ()) {
        Ok(()) => Outcome::Decided(answer(best, least)),
        Err(limit) => Outcome::GaveUp(limit, Some(answer(best, false))),
    }
}

/// Improves `best` by information-set decoding, then by the plan, then by symmetric solutions. If a limit is reached,
/// `best` is still a solution.
fn lightest(
    starts: &[Bits],
    others: &Others,
    best: &mut Bits,
    budget: &mut Budget,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<(), Limit> {
    let Others { size, null, plan, .. } = others;
    // For each information set and start, about d²/2 vectors are weighed, with two operations per word.
    let cost_per_set = words(*size).saturating_mul((null.len() * null.len() + 1) as u64);
    let rounds = match plan {
        Plan::Gray => 0,
        Plan::Branch(..) => FEW_SETS,
        Plan::Transform(_) | Plan::BoundOnly => MANY_SETS.min((MAX_WORDS / cost_per_set) as usize),
    };
    information_sets::improve(starts, null, rounds, best, budget)?;
    carry_out(plan, (*size, starts, null), best, budget, progress)?;
    if let (Plan::BoundOnly, 1..) = (plan, rounds) {
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
    progress: &mut dyn FnMut(u64, u64),
) -> Result<(), Limit> {
    let found = match plan {
        Plan::Gray => return starts.iter().try_for_each(|start| exhaust(start, null, best, budget)),
        Plan::Branch(stages, folding) => branch::fewer((folding, stages), starts, best.count(), budget),
        Plan::Transform(cosets) => cosets.fewer(size, starts, best.count(), budget, progress),
        Plan::BoundOnly => return Ok(()),
    };
    let (found, end) = found.map_or_else(|(limit, found)| (found, Err(limit)), |found| (found, Ok(())));
    found.into_iter().for_each(|found| *best = found);
    end
}

/// Searches the solutions that differ from `start` by null vectors and are invariant under a symmetry group, with at
/// most `Effort::symmetric_nodes` nodes. Running out of these nodes is not an error; the limits of the whole run still
/// apply.
fn symmetric_ones(
    generators: &[Symmetry],
    &Others { size, ref null, effort, .. }: &Others,
    start: &Bits,
    best: &mut Bits,
    budget: &mut Budget,
) -> Result<(), Limit> {
    let Some((start, null)) = symmetric::fixed(size, start, null, generators) else { return Ok(()) };
    let nodes = budget.left().min(effort.symmetric_nodes);
    let mut some = budget.part(nodes);
    let end = carry_out(&plan(effort, size, &null), (size, &[start], &null), best, &mut some, &mut |_, _| ());
    budget.work.nodes += some.work.nodes;
    match end {
        Err(Limit::Work) => budget.poll(),
        end => end,
    }
}

/// Gray code enumeration of `start` plus all sums of `null`. Every vector counts as a node.
fn exhaust(start: &Bits, null: &[Bits], best: &mut Bits, budget: &mut Budget) -> Result<(), Limit> {
    let mut weight = best.count();
    let mut vector = start.clone();
    for step in 1u64..=1 << null.len() {
        budget.node()?;
        let here = vector.count();
        if here < weight {
            (weight, *best) = (here, vector.clone());
        }
        // Step k of the reflected Gray code changes the bit at the number of trailing zeros of k. After the last vector
        // that bit does not exist, so nothing changes.
        if let Some(change) = null.get(step.trailing_zeros() as usize) {
            vector.xor(change);
        }
    }
    Ok(())
}
