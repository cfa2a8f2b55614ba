//! Counting arguments that show that two boards of a record differ, however its unknown moves are completed.
//!
//! Let K(s) be the board after step s if only the moves with a named square were made. A move toggles one
//! square. So the true board after step s differs from K(s) on the squares that an odd number of moves
//! without a named square has toggled. These moves are called *open*. For two steps i < j, a move up to step
//! i is *early*, and a move after step i, up to step j, is *late*. Early moves are part of both boards. If a
//! symmetry g maps the board after step i to the board after step j, then:
//! 1. Equally many late moves are `+` and `-`, because the numbers of spots are equal. So the known late
//!    signs must not be more unequal than the unknown ones can make up for. The number of spots must never
//!    fall below zero if the unknown signs are chosen as favourably as possible: all early ones are `+`, and
//!    of the late ones, as many as are needed, from the first on.
//! 2. K(i) and K(j) have different numbers of spots modulo 2 on at most as many orbits as there are late open
//!    moves, because a symmetry preserves the number of spots on an orbit, and an early move changes both
//!    boards.
//! 3. g(K(i)) and K(j) differ on at most as many squares as there are late open moves, plus twice the early
//!    ones if g is not the identity. (Under the identity, early moves change both boards on the same square.)
//! 4. Consider the last late move that names a certain square. If it also names its sign, it leaves the
//!    square as this sign says. If g(K(i)) has the square in the other state, an early open move has toggled
//!    the square that g maps to this one, or a late open move toggles the square after the considered move.
//!
//! Under lenient rules, a move may toggle no square, so nothing is excluded.

use super::super::{Instance, Legality, Rules, Sign, Start};
use super::image;
use counterpoint_core::board::{Bits, Symmetry};
use counterpoint_core::errors::Unsupported;

/// The maximum number of moves between two steps that are considered one by one.
const HORIZON: usize = 256;

/// The maximum number of pairs of squares that are compared while the formula is built. No limit ends these comparisons;
/// they take about three seconds at worst.
const MAX_COMPARED: u64 = 1 << 27;

/// Two steps count as at least this number of comparisons.
const MIN_COMPARED: u64 = 64;

/// Accepts a record if its boards can be compared with little work.
///
/// # Errors
/// Returns a message with the number of comparisons.
pub(super) fn few_enough(rules: &Rules, instance: &Instance) -> Result<(), Unsupported> {
    let squares = instance.size().cells() as u64;
    let symmetries = rules.group.elements().len() as u64;
    let steps = instance.record.len() as u64;
    let step = if rules.legality == Legality::Strict { 2 } else { 1 };
    // On small boards, most of the work does not depend on the number of squares.
    let pairs = (symmetries * squares).max(MIN_COMPARED);
    let compared = (steps.saturating_mul(steps + 1) / 2 / step).saturating_mul(pairs);
    if compared > MAX_COMPARED {
        return Err(
            format!("the formula compares {compared} pairs of squares; the limit is {MAX_COMPARED}").into()
        );
    }
    Ok(())
}

/// Which steps may have equal boards.
pub(super) struct Ways<'a> {
    rules: &'a Rules,
    group: Vec<Symmetry>,
    /// The counts of a record with open moves under strict rules; otherwise `None`, and nothing is excluded.
    counts: Option<Counts>,
}

/// For each step, what the moves up to it have in common in all completions.
struct Counts {
    /// For each element of the group and each step, the image of K.
    known: Vec<Vec<Bits>>,
    /// The orbits on which K has an odd number of spots.
    odd: Vec<Bits>,
    /// The number of open moves.
    open: Vec<usize>,
    /// The number of `+` minus the number of `-` among the known signs.
    balance: Vec<i64>,
    /// The number of unknown signs.
    unsigned: Vec<i64>,
    /// For each move, +1 or -1 for a known sign and 0 for an unknown one.
    signs: Vec<i64>,
    /// For each move, the square that it names, if any.
    named: Vec<Option<usize>>,
}

/// A way in which the board after a step can be a repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Way {
    /// The step whose board is repeated.
    pub(super) earlier: usize,
    /// The symmetry that maps the earlier board to the later one.
    pub(super) symmetry: Symmetry,
}

impl<'a> Ways<'a> {
    /// All ways that the parity of the number of spots does not exclude.
    pub(super) fn all(rules: &'a Rules) -> Self {
        Ways { rules, group: rules.group.elements(), counts: None }
    }

    /// The ways that the counting arguments do not exclude.
    pub(super) fn counted(rules: &'a Rules, instance: &Instance) -> Self {
        let is_counted = rules.legality == Legality::Strict && instance.first_unknown().is_some();
        let counts = is_counted.then(|| Counts::new(rules, instance));
        Ways { counts, ..Ways::all(rules) }
    }

    /// The earlier steps whose boards may equal the board after step `later`. A legal move changes the number of spots
    /// by one, and a symmetry preserves this number, so under strict rules these steps are an even number of steps
    /// before.
    pub(super) fn earlier(&self, later: usize) -> impl Iterator<Item = usize> + use<> {
        let first = if self.rules.start == Start::Counted { 0 } else { 1 };
        let strict = self.rules.legality == Legality::Strict;
        (first..later).filter(move |i| !strict || (later - i).is_multiple_of(2))
    }

    /// The ways in which the board after step `later` can be a repeat.
    pub(super) fn to(&self, later: usize) -> impl Iterator<Item = Way> {
        self.earlier(later).flat_map(move |earlier| self.between(earlier, later))
    }

    /// The ways in which the board after step `later` can repeat that after step `earlier`.
    pub(super) fn between(&self, earlier: usize, later: usize) -> impl Iterator<Item = Way> {
        let possible = self.counts.as_ref().is_none_or(|counts| counts.may_be_equal(earlier, later));
        let group = if possible { &self.group[..] } else { &[] };
        let ways = group.iter().enumerate().filter(move |(g, _)| {
            self.counts.as_ref().is_none_or(|counts| counts.may_map(*g, earlier, later))
        });
        ways.map(move |(_, &symmetry)| Way { earlier, symmetry })
    }

    /// The squares on which the named moves alone make a difference between two boards that may be equal; `None` if this
    /// was not counted.
    pub(super) fn changed(&self, instance: &Instance) -> Option<Bits> {
        let counts = self.counts.as_ref()?;
        let mut changed = Bits::zeros(instance.size().cells());
        let mut union = changed.words().to_vec();
        for later in 1..=instance.record.len() {
            for Way { earlier, symmetry } in self.to(later) {
                let g = self.group.iter().position(|other| *other == symmetry).unwrap_or(0);
                let boards = counts.known[g][earlier].words().iter().zip(counts.known[0][later].words());
                union.iter_mut().zip(boards).for_each(|(union, (a, b))| *union |= a ^ b);
            }
        }
        changed.xor_words(0, &union);
        Some(changed)
    }
}

impl Counts {
    fn new(rules: &Rules, instance: &Instance) -> Self {
        let size = instance.size();
        let group = rules.group.elements();
        let orbit_of = |square: usize| {
            let images = group.iter().map(|g| size.index(g.apply(instance.n, size.cell(square))));
            images.min().unwrap_or(square)
        };
        let (mut known, mut odd) = (vec![Bits::zeros(size.cells())], vec![Bits::zeros(size.cells())]);
        let (mut open, mut balance, mut unsigned) = (vec![0], vec![0], vec![0]);
        let (mut signs, mut named) = (Vec::new(), Vec::new());
        for (step, entry) in instance.record.iter().enumerate() {
            let (mut board, mut parity) = (known[step].clone(), odd[step].clone());
            let square = entry.x().zip(entry.y()).map(|(x, y)| ((y - 1) * instance.n + x - 1) as usize);
            if let Some(square) = square {
                board.flip(square);
                parity.flip(orbit_of(square));
            }
            named.push(square);
            known.push(board);
            odd.push(parity);
            open.push(open[step] + usize::from(square.is_none()));
            let sign = entry.sign().map_or(0, |sign| if sign == Sign::Place { 1 } else { -1 });
            balance.push(balance[step] + sign);
            unsigned.push(unsigned[step] + i64::from(sign == 0));
            signs.push(sign);
        }
        let images = |g: &Symmetry| known.iter().map(|board| image(instance, board, *g)).collect();
        Counts { known: group.iter().map(images).collect(), odd, open, balance, unsigned, signs, named }
    }

    /// Arguments 1 and 2.
    fn may_be_equal(&self, earlier: usize, later: usize) -> bool {
        let balance = (self.balance[later] - self.balance[earlier]).abs();
        balance <= self.unsigned[later] - self.unsigned[earlier]
            && difference(&self.odd[earlier], &self.odd[later]) <= self.open[later] - self.open[earlier]
            && self.has_enough_spots(earlier, later)
    }

    /// The second half of argument 1.
    fn has_enough_spots(&self, earlier: usize, later: usize) -> bool {
        let mut spots = self.balance[earlier] + self.unsigned[earlier];
        // Half of the moves remove a spot, so this many spots always suffice.
        if 2 * spots >= (later - earlier) as i64 || later - earlier > HORIZON {
            return true;
        }
        let unsigned = self.unsigned[later] - self.unsigned[earlier];
        let mut plus = (unsigned - (self.balance[later] - self.balance[earlier])) / 2;
        for &sign in &self.signs[earlier..later] {
            spots += match sign {
                0 if plus > 0 => {
                    plus -= 1;
                    1
                }
                0 => -1,
                known => known,
            };
            if spots < 0 {
                return false;
            }
        }
        true
    }

    /// Argument 3, for element number `g` of the group. Element 0 is the identity.
    fn may_map(&self, g: usize, earlier: usize, later: usize) -> bool {
        let late = self.open[later] - self.open[earlier];
        let most = if g == 0 { late } else { late + 2 * self.open[earlier] };
        difference(&self.known[g][earlier], &self.known[0][later]) <= most
            && self.may_end_so(&self.known[g][earlier], earlier, later)
    }

    /// Argument 4. `image` is the image of K after the earlier step.
    fn may_end_so(&self, image: &Bits, earlier: usize, later: usize) -> bool {
        let (mut wrong, mut late) = (0, 0);
        let mut met: Vec<usize> = Vec::new();
        for step in (earlier..later).rev().take(HORIZON) {
            // Then the open moves can change every square.
            if late + self.open[earlier] >= image.len() {
                return true;
            }
            let Some(square) = self.named[step] else {
                late += 1;
                continue;
            };
            if met.contains(&square) {
                continue;
            }
            met.push(square);
            wrong += usize::from(self.signs[step] != 0 && image.get(square) != (self.signs[step] > 0));
            if wrong > late + self.open[earlier] {
                return false;
            }
        }
        true
    }
}

/// The number of squares on which two boards differ.
fn difference(a: &Bits, b: &Bits) -> usize {
    a.words().iter().zip(b.words()).map(|(a, b)| (a ^ b).count_ones() as usize).sum()
}
