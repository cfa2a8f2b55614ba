//! Branch and bound for a coset leader: searches all sums of null vectors, stage by stage, on several threads.
//!
//! # Algorithm
//! The basis of the null space comes in stages (`filtration.rs`). The search enumerates all sums of a stage's vectors
//! in Gray code order, so each step adds or removes one vector. After each step it folds the board (`folding.rs`):
//! squares that all later stages change alike become one number, the sum of their signs. If the bound allows it, the
//! search enumerates the next stage on the folded board. After the last stage, only a constant is left: the sum of all
//! signs. A sum S over n squares means (n - S) / 2 presses, so the search maximizes S.
//!
//! # Bound
//! Whatever vectors the later stages add, they change only the signs of the folded numbers. So no completion exceeds
//! the constant plus the sum of their absolute values (`reach`). A step is pruned if this bound is less than the best
//! sum so far plus `gain`. Here `gain` is the smallest possible improvement: 4 if the weights of all solutions and the
//! weight to beat have the same parity, otherwise 2. There is no other bound. Only a limit ends the search early.
//!
//! # Threads
//! Each known solution is a start. The starts are processed one after another. For each, the first stage's Gray code is
//! cut into pieces of [`PIECE`] steps, and rounds of [`ROUND`] pieces run in parallel. All pieces of a round begin with
//! the best sum of the previous round and do not share what they find; results are merged in the order of the pieces.
//! So answers and node counts do not depend on the number of threads. If a limit is reached within a round, its pieces
//! run again one after another, so that the search always stops at the same node.
//!
//! # Invariants in `descend`
//! * `sums[0]` belongs to the current stage: for each slot the sum of signs after adding the vectors in `codes[depth]`.
//!   A Gray step changes both together.
//! * `sums[1..]` is scratch memory for the later stages. `Stage::fold` overwrites `sums[1]` before it is read.
//! * `codes[depth + 1]` is reset to 0 just before the next stage is entered; later entries are stale.
//!
//! # Complexity
//! If the null space has d dimensions, the last stage takes at most 2^d steps for each start, and earlier stages take
//! fewer. Each step is linear in the number of slots of its stage. Pruning in the first stages avoids most steps.

use super::folding::{Folding, Stage, Sum};
use counterpoint_core::board::Bits;
use counterpoint_core::engine::{Budget, Limit, threads};
use std::ops::Range;

/// Steps of the first stage per piece.
const PIECE: u64 = 1 << 7;
/// Pieces per round.
const ROUND: usize = 1 << 6;

/// The greatest sum of signs so far. A greater sum means fewer presses.
#[derive(Clone)]
struct Best {
    sum: i32,
    /// The index of the start, and for each stage a bit mask of the vectors that are added to the start. `None` until
    /// the search has improved on the weight to beat.
    found: Option<(usize, Vec<u64>)>,
}

/// The lightest set of presses among `starts` plus all sums of null vectors, or `None` if none is lighter than
/// `weight`. Ties go to the first in search order. Every Gray step of every stage counts as a node.
///
/// # Errors
/// Returns the limit that was reached, with the best set so far if it is lighter than `weight`.
pub(super) fn fewer(
    (folding, stages): (&Folding, &[Vec<Bits>]),
    starts: &[Bits],
    weight: usize,
    budget: &mut Budget,
) -> Result<Option<Bits>, (Limit, Option<Bits>)> {
    // One press changes the sum by 2. If the weights of all solutions are congruent modulo 2, the next better sum is 4
    // more.
    let even = |bits: &Bits| bits.count().is_multiple_of(2);
    let alike = starts.iter().all(|start| even(start) == weight.is_multiple_of(2));
    let gain = if alike && stages.iter().flatten().all(even) { 4 } else { 2 };
    let mut best = Best { sum: starts[0].len() as i32 - 2 * weight as i32, found: None };
    let steps = 1u64 << stages[0].len();
    let signs: Vec<(Vec<Sum>, i32)> = starts.iter().map(|start| folding.signs(start)).collect();
    let pieces =
        (0..starts.len()).flat_map(|s| (0..steps).step_by(PIECE as usize).map(move |first| (s, first)));
    let pieces: Vec<(usize, u64)> = pieces.collect();
    let search = |&(start, first): &(usize, u64), best: Best, budget: &mut Budget| {
        let mut walk = Walk { start, codes: vec![0; stages.len()], gain, best };
        let end = piece(&mut walk, &folding.stages, &signs[start], first..steps.min(first + PIECE), budget);
        (walk.best, end)
    };
    for round in pieces.chunks(ROUND) {
        let before = best.clone();
        let results = threads::map(budget.threads(), round.len(), |i| {
            let mut alone = budget.part(budget.left());
            let (best, end) = search(&round[i], before.clone(), &mut alone);
            (best, alone.work.nodes, end)
        });
        let nodes: u64 = results.iter().map(|(_, nodes, _)| nodes).sum();
        if nodes <= budget.left() && results.iter().all(|(.., end)| end.is_ok()) {
            budget.work.nodes += nodes;
            best = results.into_iter().fold(best, |best, (here, ..)| better(best, here));
            continue;
        }
        // A limit is reached within this round. Repeat its pieces one after another to stop at a reproducible node.
        for piece in round {
            let (here, end) = search(piece, before.clone(), budget);
            best = better(best, here);
            end.map_err(|limit| (limit, presses(&best, starts, stages)))?;
        }
    }
    Ok(presses(&best, starts, stages))
}

/// The better of two results: the one with the greater sum, or `a` if the sums are equal.
fn better(a: Best, b: Best) -> Best {
    if b.sum > a.sum { b } else { a }
}

fn presses(best: &Best, starts: &[Bits], stages: &[Vec<Bits>]) -> Option<Bits> {
    let (start, codes) = best.found.as_ref()?;
    let mut presses = starts[*start].clone();
    for (vectors, code) in stages.iter().zip(codes) {
        vectors.iter().enumerate().filter(|(k, _)| code >> k & 1 == 1).for_each(|(_, v)| presses.xor(v));
    }
    Some(presses)
}

/// The state of the search within a piece.
struct Walk {
    /// The index of the start.
    start: usize,
    /// For each stage a bit mask of the vectors that are added.
    codes: Vec<u64>,
    /// The least amount by which a better sum exceeds the best one.
    gain: i32,
    best: Best,
}

/// Searches some Gray steps of the first stage, each with all later stages.
fn piece(
    walk: &mut Walk,
    stages: &[Stage],
    (signs, constant): &(Vec<Sum>, i32),
    steps: Range<u64>,
    budget: &mut Budget,
) -> Result<(), Limit> {
    let mut sums = vec![signs.clone()];
    sums.extend(stages.iter().map(|stage| vec![0; stage.width]));
    walk.codes[0] = steps.start ^ steps.start >> 1;
    (0..64).filter(|k| walk.codes[0] >> k & 1 == 1).for_each(|k| stages[0].change(k, &mut sums[0]));
    descend(walk, 0, stages, &mut sums, *constant, steps, budget)
}

/// Searches some Gray steps of `stages[0]`, the stage at index `depth`. `sums[0]` holds its folded board.
fn descend(
    walk: &mut Walk,
    depth: usize,
    stages: &[Stage],
    sums: &mut [Vec<Sum>],
    constant: i32,
    steps: Range<u64>,
    budget: &mut Budget,
) -> Result<(), Limit> {
    let ([stage, later @ ..], [here, rest @ ..]) = (stages, sums) else { return Ok(()) };
    for step in steps {
        budget.node()?;
        let (more, reach) = stage.fold(here, &mut rest[0]);
        let constant = constant + more;
        if constant + reach >= walk.best.sum + walk.gain {
            match later.first() {
                Some(next) => {
                    walk.codes[depth + 1] = 0;
                    let all = 0..1 << next.changes.len();
                    descend(walk, depth + 1, later, rest, constant, all, budget)?;
                }
                None => walk.best = Best { sum: constant, found: Some((walk.start, walk.codes.clone())) },
            }
        }
        // From step k to k + 1 the reflected Gray code changes the bit at the number of trailing zeros of k + 1. After
        // the last step that bit does not exist, so nothing changes.
        let change = (step + 1).trailing_zeros() as usize;
        if change < stage.changes.len() {
            stage.change(change, here);
            walk.codes[depth] ^= 1 << change;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::filtration;
    use super::super::folding::fold;
    use super::*;
    use chacha20::ChaCha8Rng;
    use counterpoint_core::board::Size;
    use rand::{RngExt, SeedableRng};

    fn random(rng: &mut ChaCha8Rng, n: usize, p: f64) -> Bits {
        Bits::from_indices(n, (0..n).filter(|_| rng.random_bool(p)))
    }

    /// The minimum weight by brute force over all sums.
    fn plain(starts: &[Bits], null: &[Bits]) -> usize {
        let sums = |start: &Bits| {
            let mut sum = start.clone();
            let mut least = sum.count();
            for step in 1u64..1 << null.len() {
                sum.xor(&null[step.trailing_zeros() as usize]);
                least = least.min(sum.count());
            }
            least
        };
        starts.iter().map(sums).min().unwrap()
    }

    #[test]
    fn finds_the_minimum_of_random_spaces_for_any_stages() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for round in 0..60 {
            let size = Size::new(rng.random_range(5..12), rng.random_range(5..12));
            let n = size.cells();
            // Sparse vectors leave many squares of the same kind.
            let null: Vec<Bits> =
                (0..10).map(|k| random(&mut rng, n, if k < 5 { 0.1 } else { 0.5 })).collect();
            let starts: Vec<Bits> = (0..1 + round % 2).map(|_| random(&mut rng, n, 0.5)).collect();
            let expected = plain(&starts, &null);
            let cut = rng.random_range(1..10);
            let two = vec![null[..cut].to_vec(), null[cut..].to_vec()];
            for stages in [vec![null.clone()], two, filtration::stages(size, &null)] {
                let folding = fold(n, &stages);
                let search =
                    |weight, budget: &mut Budget| fewer((&folding, &stages), &starts, weight, budget);
                let found = search(starts[0].count(), &mut Budget::unlimited()).unwrap();
                assert_eq!(found.as_ref().unwrap_or(&starts[0]).count(), expected, "round {round}");
                assert_eq!(search(expected, &mut Budget::unlimited()), Ok(None), "nothing is better");
                let Err((Limit::Work, best)) = search(starts[0].count(), &mut Budget::of_work(3)) else {
                    panic!()
                };
                assert!(best.is_none_or(|best| best.count() >= expected));
            }
        }
    }

    #[test]
    fn stages_span_the_space_and_vanish_line_by_line() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let size = Size::new(7, 9);
        let null: Vec<Bits> = (0..12).map(|_| random(&mut rng, 63, 0.3)).collect();
        let stages = filtration::stages(size, &null);
        let all: Vec<Bits> = stages.concat();
        assert_eq!(all.len(), 12);
        let start = [Bits::zeros(63)];
        assert_eq!(plain(&start, &all), plain(&start, &null));
        for k in 1..stages.len() {
            let later = stages[k..].concat();
            let dark = |line: Vec<usize>| later.iter().all(|v| line.iter().all(|&i| !v.get(i)));
            let rows = (0..9).filter(|r| dark((r * 7..r * 7 + 7).collect())).count();
            let columns = (0..7).filter(|c| dark((*c..63).step_by(7).collect())).count();
            assert!(rows + columns >= k);
        }
    }
}
