//! Bounds: how far a smudged record can still go without a repeat.
//!
//! A move changes the parity of the number of spots and no symmetry does, so classes never produced are
//! taken from the two parities in turn, and each has only so many (W. Burnside's lemma, with signs for
//! the difference of the two). And each known move that does not fit the board demands one of the
//! unknown moves before it.

use super::super::{Instance, Legality, Rules, Sign};
use super::position::Position;
use crate::board::{Bits, Size, Symmetry};

/// So many moves ahead known moves are held against the board.
const HORIZON: usize = 256;
/// Boards of more squares have more classes than any record has moves.
const MAX_SQUARES: usize = 36;

/// What the bounds need to know of a record.
pub(super) struct Reach<'a> {
    rules: &'a Rules,
    instance: &'a Instance,
    /// The classes with an even number of spots, and with an odd one.
    classes: [u64; 2],
    /// By square: the node at which a known move there was met last, and whether it left a spot.
    known: Vec<(u64, bool)>,
    node: u64,
}

impl<'a> Reach<'a> {
    pub(super) fn new(rules: &'a Rules, instance: &'a Instance) -> Self {
        let known = vec![(0, false); instance.size().cells()];
        Reach { rules, instance, classes: classes(rules, instance.size()), known, node: 0 }
    }

    /// A bound on the number of moves, `step` of them made, with which a completion from here can end by a
    /// repeat; one more than the record's moves if a draw is not excluded.
    pub(super) fn last(&mut self, step: usize, position: &Position) -> usize {
        self.by_classes(step, position).min(self.by_known_moves(step, position))
    }

    fn by_classes(&self, step: usize, position: &Position) -> usize {
        let moves = self.instance.record.len();
        // A lenient first move may produce the empty board; every other changes the parity.
        if step == 0 && self.rules.legality == Legality::Lenient {
            return moves + 1;
        }
        let left = |parity: usize| self.classes[parity].saturating_sub(position.produced_of(parity));
        let (here, there) = (left(position.parity()), left(1 - position.parity()));
        let fresh = there.saturating_mul(2).min(here.saturating_mul(2).saturating_add(1));
        usize::try_from(fresh)
            .map_or(moves + 1, |fresh| step.saturating_add(fresh).saturating_add(1).min(moves + 1))
    }

    fn by_known_moves(&mut self, step: usize, position: &Position) -> usize {
        let moves = self.instance.record.len();
        if self.rules.legality == Legality::Lenient {
            return moves + 1;
        }
        self.node += 1;
        let size = self.instance.size();
        let (mut unknown, mut demanded) = (0, 0);
        for (i, entry) in self.instance.record.iter().enumerate().skip(step).take(HORIZON) {
            let Some(mv) = entry.known() else {
                unknown += 1;
                continue;
            };
            let square = size.index(mv.cell);
            let (node, spot) = self.known[square];
            let spot = if node == self.node { spot } else { position.occupied(square) };
            demanded += usize::from(spot == (mv.sign == Sign::Place));
            if demanded > unknown {
                // Move i + 1 cannot be legal, so the game has to end before it.
                return i;
            }
            self.known[square] = (self.node, mv.sign == Sign::Place);
        }
        moves + 1
    }
}

/// The classes with an even number of spots and with an odd one. A symmetry fixes the boards that are
/// constant on its cycles; their even ones outnumber their odd ones only if every cycle is even.
fn classes(rules: &Rules, size: Size) -> [u64; 2] {
    if size.cells() > MAX_SQUARES {
        return [u64::MAX; 2];
    }
    let group = rules.group.elements();
    let (mut all, mut difference) = (0, 0);
    for cycles in group.iter().map(|g| cycles(size, *g)) {
        let fixed = 1u64 << cycles.len();
        all += fixed;
        difference += if cycles.iter().all(|length| length % 2 == 0) { fixed } else { 0 };
    }
    let order = group.len() as u64;
    [(all + difference) / 2 / order, (all - difference) / 2 / order]
}

/// The lengths of a symmetry's cycles on the squares.
fn cycles(size: Size, symmetry: Symmetry) -> Vec<usize> {
    let mut seen = Bits::zeros(size.cells());
    let mut lengths = Vec::new();
    for start in size.iter() {
        let (mut at, mut length) = (start, 0);
        while !seen.get(size.index(at)) {
            seen.set(size.index(at));
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
    use crate::board::Group;
    use crate::problems::spot::{MoveLimit, Start};

    #[test]
    fn classes_of_either_parity_are_those_of_the_class_graph() {
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
