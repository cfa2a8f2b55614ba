//! Upper bounds on the move with which a game that completes a smudged record can end.
//!
//! # Classes by parity
//! A move changes the parity of the number of spots, and a symmetry does not. So moves that are not repeats produce new
//! classes of the two parities alternately, and the numbers of classes of each parity give a bound. These numbers come
//! from Burnside's lemma: the number of classes is the average, over the group, of the number of boards that an element
//! fixes. The same lemma with boards weighted by +1 or -1 according to parity gives the difference between the two
//! numbers.
//!
//! # Known moves
//! A known move is legal only if its square is in the state that its sign demands: empty for `+`, occupied for `-`. If
//! playing the known moves alone leaves the square in the other state, then this known move *needs* an unknown move on
//! that square, after the previous known move on the square and before this one. Different known moves need different
//! unknown moves. So the number of unknown moves before a known move must be at least the number of known moves, up to
//! and including this one, that need an unknown move.

use super::super::{Instance, Legality, Rules, Sign};
use super::position::Position;
use counterpoint_core::board::{Bits, Size, Symmetry};

/// The number of lines of the record that `by_known_moves` looks ahead.
const HORIZON: usize = 256;
/// Classes are counted on boards of up to this many squares. Larger boards have more classes than a record
/// has moves.
const MAX_SQUARES: usize = 36;

/// The bounds of one record.
pub(super) struct Bounds<'a> {
    rules: &'a Rules,
    instance: &'a Instance,
    /// The numbers of classes with an even and with an odd number of spots.
    classes: [u64; 2],
    /// For each square: the number of the last call of `by_known_moves` that reached a known move on the square, and
    /// whether this move left a spot there. Entries of earlier calls are ignored, so nothing has to be reset.
    known: Vec<(u64, bool)>,
    /// Number of calls of `by_known_moves` so far.
    call: u64,
}

impl<'a> Bounds<'a> {
    pub(super) fn new(rules: &'a Rules, instance: &'a Instance) -> Self {
        let known = vec![(0, false); instance.size().cells()];
        Bounds { rules, instance, classes: classes(rules, instance.size()), known, call: 0 }
    }

    /// An upper bound on the move, counted from 1, with which the game can end, if the first `step` moves led to the
    /// current position. If a draw is not excluded, the bound is the length of the record plus 1.
    pub(super) fn last_move(&mut self, step: usize, position: &Position) -> usize {
        self.by_classes(step, position).min(self.by_known_moves(step, position))
    }

    fn by_classes(&self, step: usize, position: &Position) -> usize {
        let moves = self.instance.record.len();
        // Under lenient rules the first move may produce the empty board and keep the parity. A later move
        // that keeps the parity changes nothing, and so is a repeat.
        if step == 0 && self.rules.legality == Legality::Lenient {
            return moves + 1;
        }
        let left = |parity: usize| self.classes[parity].saturating_sub(position.produced_of(parity));
        let (here, there) = (left(position.parity()), left(1 - position.parity()));
        // New classes alternate between the parities, beginning with the parity that the board does not have.
        let new = there.saturating_mul(2).min(here.saturating_mul(2).saturating_add(1));
        usize::try_from(new)
            .map_or(moves + 1, |new| step.saturating_add(new).saturating_add(1).min(moves + 1))
    }

    fn by_known_moves(&mut self, step: usize, position: &Position) -> usize {
        let moves = self.instance.record.len();
        if self.rules.legality == Legality::Lenient {
            return moves + 1;
        }
        self.call += 1;
        let size = self.instance.size();
        let (mut unknown, mut needed) = (0, 0);
        for (i, entry) in self.instance.record.iter().enumerate().skip(step).take(HORIZON) {
            let Some(mv) = entry.known() else {
                unknown += 1;
                continue;
            };
            let square = size.index(mv.cell);
            let (call, spot) = self.known[square];
            let spot = if call == self.call { spot } else { position.is_occupied(square) };
            needed += usize::from(spot == (mv.sign == Sign::Place));
            if needed > unknown {
                // Move i + 1 cannot be legal, so the game ends at move i or earlier.
                return i;
            }
            self.known[square] = (self.call, mv.sign == Sign::Place);
        }
        moves + 1
    }
}

/// The numbers of classes with an even and with an odd number of spots. A symmetry fixes the boards that are constant
/// on each of its cycles. If every cycle has even length, all of these boards have an even number of spots. Otherwise,
/// half of these boards do.
fn classes(rules: &Rules, size: Size) -> [u64; 2] {
    if size.cells() > MAX_SQUARES {
        return [u64::MAX; 2];
    }
    let group = rules.group.elements();
    let (mut all, mut even_minus_odd) = (0, 0);
    for cycles in group.iter().map(|g| cycles(size, *g)) {
        let fixed = 1u64 << cycles.len();
        all += fixed;
        even_minus_odd += if cycles.iter().all(|length| length % 2 == 0) { fixed } else { 0 };
    }
    let order = group.len() as u64;
    [(all + even_minus_odd) / 2 / order, (all - even_minus_odd) / 2 / order]
}

/// The lengths of the cycles of a symmetry, as a permutation of the squares.
fn cycles(size: Size, symmetry: Symmetry) -> Vec<usize> {
    let mut visited = Bits::zeros(size.cells());
    let mut lengths = Vec::new();
    for start in size.iter() {
        let (mut at, mut length) = (start, 0);
        while !visited.get(size.index(at)) {
            visited.set(size.index(at));
            at = symmetry.apply(size.width, at);
            length += 1;
        }
        if length > 0 {
            lengths.push(length);
        }
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MoveLimit, Start};
    use counterpoint_core::board::Group;

    #[test]
    fn numbers_of_classes_by_parity_are_those_of_the_class_graph() {
        let count = |n, group| {
            let (start, limit, legality) = (Start::Counted, MoveLimit::None, Legality::Strict);
            classes(&Rules { group, start, limit, legality }, Size::new(n, n))
        };
        assert_eq!([2, 3, 4].map(|n| count(n, Group::C4)), [[4, 2], [70, 70], [8_264, 8_192]]);
        assert_eq!([3, 4].map(|n| count(n, Group::D4)), [[51, 51], [4_324, 4_224]]);
        assert_eq!(count(5, Group::C4), [4_195_360, 4_195_360]);
        assert_eq!(count(1, Group::Trivial), [1, 1]);
    }
}
