//! Bounds for `cover`: tests that a node has no completion.
//!
//! * [`are_apart`]: if no two of several hits fit under one ship, each of these hits needs a ship of its own.
//! * [`reach_all`]: let m(s) be the maximum number of pending hits that ship s can cover from one anchor. The sum of
//!   m(s) over the remaining ships must be at least the number of pending hits. If the ships other than s can cover
//!   only part of these hits, then s has to cover the rest, say r hits. This rules out anchors at which s covers fewer
//!   than r.
//! * [`is_cramped`]: the squares that the remaining ships can cover must include every pending hit and be as many as
//!   the ships need, in total and of each chessboard colour. A tetromino T covers three squares of one colour and one
//!   of the other; every other tetromino covers two of each. If all ships have g cells, or multiples of g, then each
//!   connected part of these squares holds a multiple of g cells of ships, and its other squares stay empty. Solvers of
//!   the pentomino puzzle have long used this (D. Scott, 1958).

use super::mask::{Mask, members};
use super::slices::sum_of_four;
use super::tables::{Shape, Tables};
use counterpoint_core::board::ones;

/// If more squares than this stay empty, [`is_cramped`] seldom prunes, so it is not tested.
const SPARE: u32 = 12;

/// True if ships that have `cells` cells together leave more than [`SPARE`] of the `free` squares empty.
#[inline]
pub(super) fn is_roomy(free: u32, cells: u32) -> bool {
    free > cells + SPARE
}

/// True if a greedy choice of pending hits, no two of which fit under one ship, outnumbers the remaining ships.
pub(super) fn are_apart<const W: usize>(tables: &Tables<W>, pending: Mask<W>, remaining: u32) -> bool {
    let mut ships = remaining.count_ones();
    let mut apart = pending;
    while let Some(hit) = apart.first() {
        if ships == 0 {
            return true;
        }
        ships -= 1;
        apart = apart.without(tables.reach[hit]);
    }
    false
}

/// For each anchor, the number of pending hits that a shape covers there, as a bit-sliced counter: one mask for each
/// binary digit, least significant first. For each offset of [`Tables::shifts`], `pending` holds the pending hits, with
/// each square's index lowered by that offset.
#[inline]
fn counts<const W: usize, const D: usize>(shape: &Shape<W>, pending: &[Mask<W>]) -> [Mask<W>; D] {
    let mut digits = [Mask::EMPTY; D];
    let cells = &shape.cells[..];
    // Special case for tetrominoes, without a loop.
    if let &[a, b, c, d] = cells
        && let Some(low) = digits.first_chunk_mut()
    {
        *low = sum_of_four([a, b, c, d].map(|cell| pending[cell]));
        return digits;
    }
    for &cell in cells {
        let mut carry = pending[cell];
        for digit in &mut digits {
            let next = digit.and(carry);
            *digit = digit.xor(carry);
            carry = next;
            if carry.is_empty() {
                break;
            }
        }
    }
    digits
}

/// False if the remaining ships cannot cover all `hits` pending hits, even if ships may overlap. Discards anchors at
/// which a ship would leave more hits than the other ships can cover. For each offset of [`Tables::shifts`], `pending`
/// holds the pending hits, with each square's index lowered by that offset; `available` are those shapes of
/// the remaining ships that have an anchor.
pub(super) fn reach_all<const W: usize>(
    tables: &Tables<W>,
    pending: &[Mask<W>],
    anchors: &mut [Mask<W>],
    available: &[usize],
    hits: u32,
) -> bool {
    // A ship has at most 16 cells, so five digits suffice.
    match tables.are_small() {
        true => reach_all_by::<W, 3>(tables, pending, anchors, available, hits),
        false => reach_all_by::<W, 5>(tables, pending, anchors, available, hits),
    }
}

fn reach_all_by<const W: usize, const D: usize>(
    tables: &Tables<W>,
    pending: &[Mask<W>],
    anchors: &mut [Mask<W>],
    available: &[usize],
    hits: u32,
) -> bool {
    // For each ship, the maximum number of pending hits under one of its placements.
    let mut max = [0; 32];
    for &shape in available {
        let (mut at, mut count) = (anchors[shape], 0);
        for (i, digit) in counts::<W, D>(&tables.shapes[shape], pending).into_iter().enumerate().rev() {
            let larger = at.and(digit);
            if !larger.is_empty() {
                at = larger;
                count |= 1 << i;
            }
        }
        let max = &mut max[tables.shapes[shape].ship];
        *max = count.max(*max);
    }
    let all: u32 = max.iter().sum();
    if all < hits {
        return false;
    }
    for &shape in available {
        let needed = hits.saturating_sub(all - max[tables.shapes[shape].ship]);
        if needed < 2 {
            continue;
        }
        // Compare the counters with `needed` from the most significant digit on: `more` are the anchors whose counter
        // is already greater, `equal` those whose counter is equal so far.
        let (mut more, mut equal) = (Mask::EMPTY, anchors[shape]);
        for (i, digit) in counts::<W, D>(&tables.shapes[shape], pending).into_iter().enumerate().rev() {
            if needed >> i & 1 == 1 {
                equal = equal.and(digit);
            } else {
                more = more.or(equal.and(digit));
                equal = equal.without(digit);
            }
        }
        anchors[shape] = more.or(equal);
    }
    true
}

/// True if no remaining ship can cover some pending hit, or if the squares that the remaining ships can cover are too
/// few, in total or of one colour; with `pockets`, also if they are too few because connected parts of them hold only
/// whole ships. `cells` is the number of cells of these ships.
pub(super) fn is_cramped<const W: usize>(
    tables: &Tables<W>,
    anchors: &[Mask<W>],
    available: &[usize],
    remaining: u32,
    cells: u32,
    pending: Mask<W>,
    pockets: bool,
) -> bool {
    let mut usable = Mask::EMPTY;
    for &shape in available {
        usable = usable.or(tables.shapes[shape].union(anchors[shape]));
    }
    if !pending.without(usable).is_empty() {
        return true;
    }
    let black = usable.and(tables.black).len();
    let white = usable.len() - black;
    // A ship covers `excess` more squares of one colour than of the other; which colour depends on where it lies.
    let excess = members(remaining).map(|s| tables.excess[s]).filter(|&excess| excess > 0);
    !balances(excess, cells as i32, black as i32, white as i32)
        || pockets && tables.divisor > 1 && holds(tables, usable) < cells
}

/// The number of squares of `usable` that whole ships can cover at most: of each connected part, the greatest multiple
/// of the common divisor of the ships' numbers of cells.
fn holds<const W: usize>(tables: &Tables<W>, mut usable: Mask<W>) -> u32 {
    let mut held = 0;
    while let Some(first) = usable.first() {
        let mut part = Mask::of([first]);
        loop {
            let grown = tables.with_neighbours(part).and(usable);
            if grown == part {
                break;
            }
            part = grown;
        }
        usable = usable.without(part);
        held += part.len() / tables.divisor * tables.divisor;
    }
    held
}

/// Ships with `cells` cells together cover some black and some white squares; the number of black ones exceeds that of
/// white ones by ±excess₁ ± excess₂ …. True if for some choice of the signs, the ships cover at most `black` black
/// squares and at most `white` white ones.
fn balances(excess: impl Iterator<Item = u32>, cells: i32, black: i32, white: i32) -> bool {
    // Bit i is set if some choice of signs gives the sum `max` - 2 i. If the sum can exceed 63, the bound does not
    // prune.
    let (mut sums, mut max) = (1u64, 0);
    for by in excess {
        max += by as i32;
        if max > 63 {
            return true;
        }
        sums |= sums << by;
    }
    let fits = |sum: i32| cells + sum <= 2 * black && cells - sum <= 2 * white;
    ones(sums).any(|less| fits(max - 2 * less as i32))
}
