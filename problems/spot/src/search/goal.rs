//! One ending as a goal, and when it is out of reach.
//!
//! A repeat at move m is divided into goals: one for each earlier board i and each symmetry g that can map board i to
//! board m. The known moves alone determine the set of squares in which the two boards differ, and the unknown moves
//! must cancel this set. There are many more ways to fill in the unknown moves than ways to cancel the set, so most
//! goals are refuted without a search, and a search for the others has few branches.
//!
//! # Cycles
//! The unknown moves up to move i and those after it must suffice to cancel the set: `cancel.rs`. Below, those up
//! to move i are *early*, and those after it are *late*.
//!
//! # Demands
//! A known move with a sign determines the state of its square. So between two known moves on a square, the
//! number of unknown moves on the square is known to be even or known to be odd. This also holds from the
//! current board to the next known move on the square and, once board i is known, from the last one to board
//! m. If the number is odd, one of these unknown moves has the sign that leads to the required state: this is
//! a *demand* for an unknown move on this square, with this sign, in this interval. Different demands need
//! different moves, so the demands must have a matching into the unknown moves. After move i, the parity is
//! determined for every square, so an unknown move that meets no demand makes a new demand.
//!
//! # Spots
//! The signs of the lines bound the number of spots of each board, and this number is never negative.

use super::super::{Entry, Instance, Sign};
use super::cancel::{Left, can_cancel};
use super::known::{KnownLines, Steps, bits};
use super::matching::{MAX_MATCHED, has_matching, is_balanced};
use super::position::Position;
use counterpoint_core::board::Cell;
use std::ops::RangeInclusive;

/// An ending that is searched for.
#[derive(Clone)]
pub(super) struct Goal {
    /// The index of the ending in the order of [`Ending::all`](super::super::answer::Ending::all).
    pub(super) ending: usize,
    /// The decisive move or, for a draw, the last move.
    mv: usize,
    /// The two boards that are to be equal; `None` for a draw.
    pair: Option<Pair>,
    demands: Vec<Demand>,
    /// The lines after the current step, up to `mv`, that have no known square.
    open: Vec<usize>,
    /// The numbers of spots from which the goal can be reached, now and after the next move.
    spots: RangeInclusive<i64>,
    next_spots: RangeInclusive<i64>,
}

/// Board `earlier`, under element `image` of the group, is to be equal to board `mv`.
#[derive(Clone)]
struct Pair {
    earlier: usize,
    image: usize,
    /// The image of the earlier board or, until it is reached, of the current board.
    target: Vec<u64>,
    /// The set of squares in which the two boards would differ if no further unknown move were made.
    difference: Vec<u64>,
    /// The number of squares in `difference`.
    size: usize,
    /// The number of spots of the earlier board or, until it is reached, of the current board.
    spots: i64,
}

/// An unknown move that is needed: on `square`, after move `after`, up to move `until`.
#[derive(Clone)]
struct Demand {
    square: usize,
    after: usize,
    until: usize,
    /// The sign of the move, if it is known.
    sign: Option<Sign>,
}

impl Goal {
    /// Goals that together cover the ending with a repeat at move `mv`: one for each symmetry and each board
    /// that move `mv` can repeat. The boards have numbers from `first` on.
    pub(super) fn repeats(first: usize, mv: usize, order: usize) -> impl Iterator<Item = Goal> {
        // Equal boards are an even number of moves apart.
        let earlier =
            (first..mv.saturating_sub(1)).rev().filter(move |earlier| (mv - earlier).is_multiple_of(2));
        let pairs = earlier.flat_map(move |earlier| (0..order).map(move |image| (earlier, image)));
        pairs.map(move |pair| Goal::new(mv, Some(pair)))
    }

    /// The goal of a draw after `moves` moves.
    pub(super) fn draw(moves: usize) -> Goal {
        Goal::new(moves, None)
    }

    fn new(mv: usize, pair: Option<(usize, usize)>) -> Goal {
        let pair = pair.map(|(earlier, image)| {
            let (target, difference) = (Vec::new(), Vec::new());
            Pair { earlier, image, target, difference, size: 0, spots: 0 }
        });
        let ending = if pair.is_some() { mv - 1 } else { mv };
        Goal { ending, mv, pair, demands: Vec::new(), open: Vec::new(), spots: 0..=0, next_spots: 0..=0 }
    }

    /// The decisive move or, for a draw, the last move.
    pub(super) fn last_move(&self) -> usize {
        self.mv
    }

    /// Whether this is the goal of a draw.
    pub(super) fn is_draw(&self) -> bool {
        self.pair.is_none()
    }

    /// Whether signs and squares of the known lines alone leave the goal open.
    pub(super) fn is_open(&mut self, instance: &Instance, known: &KnownLines, position: &Position) -> bool {
        let is_balanced = self
            .pair
            .as_ref()
            .is_none_or(|pair| is_balanced(instance, position, pair.earlier, self.mv, pair.image));
        is_balanced && self.reach(instance, known, position, 0).is_ok()
    }

    /// Tests whether the bounds of the module's documentation admit the goal after `step` moves. Up to and
    /// including the earlier board, notes the image of the current board as the target.
    ///
    /// # Errors
    /// If the goal is out of reach, returns the moves that show this.
    pub(super) fn reach(
        &mut self,
        instance: &Instance,
        known: &KnownLines,
        position: &Position,
        step: usize,
    ) -> Result<(), Steps> {
        if let Some(pair) = &mut self.pair {
            if step <= pair.earlier {
                pair.target.clear();
                pair.target.extend_from_slice(position.image(pair.image));
            }
            if !pair.can_cancel(known, position, step, self.mv) {
                return Err(pair.reason(known, step));
            }
        }
        self.find_spots(known, position, step);
        if !self.spots.contains(&(position.spots() as i64)) {
            return Err(known.steps(0, step));
        }
        self.find_demands(known, position, step);
        self.open.clear();
        self.open.extend(known.open_lines(step, self.mv));
        let is_met = self.demands.len() <= self.open.len() && self.are_met(instance);
        if is_met { Ok(()) } else { Err(self.demanding(instance, known, step)) }
    }

    fn find_demands(&mut self, known: &KnownLines, position: &Position, step: usize) {
        self.demands.clear();
        let until = self.mv;
        let target = self.pair.as_ref().filter(|pair| pair.earlier <= step);
        for (square, lines) in known.by_square() {
            let mut spot = position.is_occupied(*square);
            let (mut after, mut sign_is_known) = (step, true);
            let mut demand = |spot: bool, wanted: bool, after, until, sign_is_known: bool| {
                if spot != wanted {
                    let sign = sign_is_known.then_some(if wanted { Sign::Place } else { Sign::Take });
                    self.demands.push(Demand { square: *square, after, until, sign });
                }
            };
            // Under the identity, the square is in the same state on the earlier board as on board `mv`. If
            // the known lines show this state, it is used once, at the first line after the earlier board.
            let mut earlier =
                self.pair.as_ref().filter(|pair| pair.image == 0 && step < pair.earlier).and_then(|pair| {
                    let state = known.state_after(lines, pair.earlier, until)?;
                    Some((pair.earlier, state))
                });
            let later = lines.iter().filter(|(line, _)| *line > step && *line <= until);
            for &(line, sign) in later {
                if let Some((at, state)) = earlier.filter(|(at, _)| line > *at) {
                    demand(spot, state, after, at, sign_is_known);
                    (spot, after, sign_is_known, earlier) = (state, at, true, None);
                }
                if let Some(sign) = sign {
                    demand(spot, sign == Sign::Take, after, line - 1, sign_is_known);
                    (spot, after, sign_is_known) = (sign == Sign::Place, line, true);
                } else {
                    (spot, sign_is_known) = (!spot, false);
                }
            }
            if let Some(pair) = target {
                demand(
                    spot,
                    pair.target[*square / 64] >> (*square % 64) & 1 == 1,
                    after,
                    until,
                    sign_is_known,
                );
            }
        }
        // Under the identity, the difference does not depend on early moves.
        if let Some(pair) = self.pair.as_ref().filter(|pair| step < pair.earlier && pair.image == 0) {
            let others: Vec<_> = bits(&pair.difference)
                .filter(|square| self.demands.iter().all(|d| d.square != *square || d.until <= pair.earlier))
                .collect();
            self.demands.extend(others.into_iter().map(|square| Demand {
                square,
                after: pair.earlier,
                until,
                sign: None,
            }));
        }
        if let Some(pair) = target {
            let unnamed = bits(&pair.difference).filter(|square| !known.is_named(*square));
            self.demands.extend(unnamed.map(|square| {
                let sign = if position.is_occupied(square) { Sign::Take } else { Sign::Place };
                Demand { square, after: step, until, sign: Some(sign) }
            }));
        }
        self.demands.sort_by_key(|demand| (demand.until, demand.after));
    }

    /// Those of the first `step` moves that cause the demands.
    fn demanding(&self, instance: &Instance, known: &KnownLines, step: usize) -> Steps {
        let own = |demand: &Demand| {
            let state = |step| known.since_sign(instance, demand.square, step);
            state(step)
                | match &self.pair {
                    Some(pair) if pair.image == 0 => state(pair.earlier.min(step)) | pair.reason(known, step),
                    Some(_) => known.steps(0, step),
                    None => 0,
                }
        };
        self.demands.iter().fold(0, |steps, demand| steps | own(demand))
    }

    /// Whether the demands have a matching into the open lines.
    fn are_met(&self, instance: &Instance) -> bool {
        let fits = &mut |demand: usize, line: usize| {
            let Demand { square, after, until, sign } = self.demands[demand];
            let (line, entry) = (self.open[line], instance.record[self.open[line] - 1]);
            after < line
                && line <= until
                && entry.allows(instance.size().cell(square))
                && (sign.is_none() || entry.sign().is_none() || sign == entry.sign())
        };
        self.demands.len() > MAX_MATCHED || has_matching(self.demands.len(), self.open.len(), fits)
    }

    /// The squares to try with the next move, of those that its line allows, in the order in which to try them; and the
    /// earlier moves that rule out the others.
    pub(super) fn choices(
        &self,
        instance: &Instance,
        known: &KnownLines,
        position: &Position,
        step: usize,
        squares: impl Iterator<Item = Cell>,
    ) -> (Vec<u32>, Steps) {
        let (size, line) = (instance.size(), step + 1);
        let sign = instance.record.get(step).and_then(Entry::sign);
        let spare = self.open.len() - self.demands.len();
        let (mut reason, mut demanding) = (0, None);
        let mut choices: Vec<(usize, i64, u32)> = Vec::new();
        for square in squares.map(|cell| size.index(cell)) {
            let change = self.pair.as_ref().map_or(0, |pair| pair.change(position, square, step));
            if let Some(pair) = &self.pair
                && !pair.admits(known, step, self.mv, change)
            {
                reason |= pair.reason(known, step);
                continue;
            }
            let removes = position.is_occupied(square);
            if sign.is_some_and(|sign| removes != (sign == Sign::Take)) {
                reason |= known.since_sign(instance, square, step);
                continue;
            }
            let spots = position.spots() as i64 + if removes { -1 } else { 1 };
            if sign.is_none() && !(self.next_spots.contains(&spots)) {
                reason |= known.steps(0, step);
                continue;
            }
            let mut demands = self.demands.iter().filter(|demand| demand.square == square);
            let demand = demands.find(|demand| demand.after < line && line <= demand.until);
            // A move that meets no demand on a square makes a new one, if the state of the square matters.
            let needs = match &self.pair {
                Some(pair) if line > pair.earlier => 2,
                _ => 1,
            };
            if demand.is_none() && spare < needs {
                reason |= *demanding.get_or_insert_with(|| self.demanding(instance, known, step));
                continue;
            }
            let rank =
                demand.map_or(usize::MAX - usize::from(known.is_named(square)), |demand| 2 + demand.until);
            choices.push((rank, change, square as u32));
        }
        choices.sort_unstable();
        (choices.into_iter().map(|(_, _, square)| square).collect(), reason)
    }

    /// Computes the numbers of spots, now and after the next move, from which the goal can be reached: the signs of the
    /// lines must allow it, without a negative number of spots on any board.
    fn find_spots(&mut self, known: &KnownLines, position: &Position, step: usize) {
        let mv = self.mv;
        let (mut low, mut high, from) = match &self.pair {
            None => (0, i64::MAX / 2, mv),
            Some(pair) if step > pair.earlier => (pair.spots, pair.spots, mv),
            Some(pair) => {
                if step == pair.earlier {
                    let spots = position.spots() as i64;
                    (spots, spots, mv)
                } else {
                    (known.least_spots(pair.earlier, mv), i64::MAX / 2, pair.earlier)
                }
            }
        };
        if let Some(pair) = &mut self.pair
            && step <= pair.earlier
        {
            pair.spots = position.spots() as i64;
        }
        self.next_spots = low..=high;
        for line in (step + 1..=from).rev() {
            self.next_spots = low..=high;
            let (up, down) = known.signs(line);
            (low, high) = (low - i64::from(up), high + i64::from(down));
            if !up {
                low += 1;
            }
            if !down {
                high -= 1;
            }
            low = low.max(0);
        }
        self.spots = low..=high;
    }
}

impl Pair {
    /// Computes the difference, and returns whether the unknown moves after `step` moves can cancel it.
    fn can_cancel(&mut self, known: &KnownLines, position: &Position, step: usize, mv: usize) -> bool {
        let Pair { earlier, image, target, difference, size, .. } = self;
        difference.clear();
        difference.extend(position.image(0).iter().zip(&*target).map(|(board, target)| board ^ target));
        known.toggled(step, mv, |square| difference[square / 64] ^= 1 << (square % 64));
        if step < *earlier {
            known.toggled(step, *earlier, |square| {
                let square = position.image_of(*image, square);
                difference[square / 64] ^= 1 << (square % 64);
            });
        }
        *size = difference.iter().map(|word| word.count_ones() as usize).sum();
        let late = known.open_between(step.max(*earlier), mv);
        // Under the identity, early moves do not change the difference.
        let early = if *image == 0 { 0 } else { known.open_between(step, (*earlier).max(step)) };
        let image_of = |square| position.image_of(*image, square);
        let fixes_square = || position.fixes_square(*image);
        can_cancel(difference, *size, Left { early, late }, image_of, fixes_square)
    }

    /// By how much the size of the difference grows if move `step` + 1 toggles a square.
    fn change(&self, position: &Position, square: usize, step: usize) -> i64 {
        let grows = |square: usize| 1 - 2 * (self.difference[square / 64] >> (square % 64) & 1) as i64;
        if step >= self.earlier {
            return grows(square);
        }
        let image = position.image_of(self.image, square);
        if image == square { 0 } else { grows(square) + grows(image) }
    }

    /// Whether the difference can still be cancelled if its size grows by `change` with the next move.
    fn admits(&self, known: &KnownLines, step: usize, mv: usize, change: i64) -> bool {
        let late = known.open_between((step + 1).max(self.earlier), mv) as i64;
        let early = known.open_between((step + 1).min(self.earlier), self.earlier) as i64;
        self.size as i64 + change <= late + 2 * early
    }

    /// The moves that determine the difference after `step` moves. Under the identity, early moves do not change it.
    fn reason(&self, known: &KnownLines, step: usize) -> Steps {
        if self.image == 0 { known.steps(self.earlier.min(step), step) } else { known.steps(0, step) }
    }
}
