//! Matchings of moves, and the balance of signs.
//!
//! Boards i and m can be equal up to a symmetry only if they have the same number of spots in each of its
//! cycles. So the moves between them can be paired such that the two moves of each pair are in the same cycle
//! and have opposite signs. `is_balanced` tests less: whether each move can get a partner that no other
//! move has; two moves need not be partners of each other.

use super::super::{Entry, Instance, Sign};
use super::position::Position;
use counterpoint_core::board::Cell;

/// The maximum number of vertices for which a matching is computed; it bounds the depth of the recursion.
pub(super) const MAX_MATCHED: usize = 128;

/// Whether the moves after move `earlier` up to move `mv` can be balanced in each cycle of element `image` of the
/// group.
pub(super) fn is_balanced(
    instance: &Instance,
    position: &Position,
    earlier: usize,
    mv: usize,
    image: usize,
) -> bool {
    let lines = &instance.record[earlier..mv];
    let count = |sign: Option<Sign>| lines.iter().filter(|entry| entry.sign() == sign).count();
    if count(Some(Sign::Place)).abs_diff(count(Some(Sign::Take))) > count(None) {
        return false;
    }
    if lines.len() > MAX_MATCHED {
        return true;
    }
    // Whether the cycle of a square has a square that a line allows.
    let meets = |start: Cell, entry: &Entry| {
        let (size, mut cell) = (instance.size(), start);
        loop {
            if entry.allows(cell) {
                return true;
            }
            cell = size.cell(position.image_of(image, size.index(cell)));
            if cell == start {
                return false;
            }
        }
    };
    let is_open = |entry: &Entry| entry.x().is_none() && entry.y().is_none();
    let pairs_with = |a: usize, b: usize| {
        let (a, b) = (&lines[a], &lines[b]);
        let opposite = a.sign().is_none() || a.sign() != b.sign();
        let shares_cycle = || {
            let mut squares = instance.size().iter().filter(|cell| a.allows(*cell));
            is_open(a) || is_open(b) || squares.any(|cell| meets(cell, b))
        };
        opposite && shares_cycle()
    };
    let fits: Vec<Vec<bool>> =
        (0..lines.len()).map(|a| (0..lines.len()).map(|b| a != b && pairs_with(a, b)).collect()).collect();
    has_matching(lines.len(), lines.len(), &mut |a, b| fits[a][b])
}

/// Whether each of `left` vertices can be matched to one of `right` vertices that it `fits`, by augmenting paths.
pub(super) fn has_matching(left: usize, right: usize, fits: &mut dyn FnMut(usize, usize) -> bool) -> bool {
    fn augment(
        fits: &mut dyn FnMut(usize, usize) -> bool,
        matched: &mut [Option<usize>],
        tried: &mut [usize],
        root: usize,
        vertex: usize,
    ) -> bool {
        for other in 0..matched.len() {
            if tried[other] == root || !fits(vertex, other) {
                continue;
            }
            tried[other] = root;
            if matched[other].is_none_or(|next| augment(fits, matched, tried, root, next)) {
                matched[other] = Some(vertex);
                return true;
            }
        }
        false
    }
    let (mut matched, mut tried) = (vec![None; right], vec![usize::MAX; right]);
    (0..left).all(|vertex| augment(fits, &mut matched, &mut tried, vertex, vertex))
}
