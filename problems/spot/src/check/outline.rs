//! Counting arguments by which the checker refutes endings without trying completions.
//!
//! The *outline* of a record is what its completions have in common. Some moves may be made already; then the
//! outline is what the completions with these first moves have in common. A move that is not made yet, and
//! whose square the record does not give, is *open*. `boards` has the boards after all steps if the open
//! moves are left out. So the true board after a step differs from the outline's board on the squares that an
//! odd number of open moves up to this step have toggled.
//!
//! # When two boards differ
//! Suppose that a symmetry maps the true board after step i to that after step j, and i < j.
//! * The two boards have the same number of spots. So the moves after step i, up to step j, place as many spots as they
//!   remove. Those with an unknown sign must make up for the others. The number of spots must never fall below zero if
//!   the unknown signs are chosen as favourably as possible: `+` up to step i, and `+` as early as possible after it.
//! * The two boards have the same number of spots on each orbit (the images of a square). The outline's boards may
//!   differ modulo 2 on some orbits; each of these orbits needs an open move after step i. An open move up to step i
//!   does not help, because it changes both boards on the same orbit.
//! * The image of the outline's board after step i differs from the outline's board after step j on some squares. An open
//!   move after step i changes one of the two boards and so settles one square. An open move up to step i changes both,
//!   and so settles at most two squares; if the symmetry is the identity, it settles none.
//! * Each of these orbits, and under the identity each of these squares, needs an open move after step i that is allowed
//!   there.
//! * Consider the last move after step i, up to step j, that gives a certain square. If it also gives its
//!   sign, it leaves the square as the sign says. If the image of the outline's board after step i has the
//!   square in the other state, then either an open move up to step i is on the square that the symmetry maps
//!   to this one, or an open move after the considered move is on the square itself.
//!
//! # Moves that no game reaches
//! * If no open move is between two steps and the outline's boards after them are equal, then the later one
//!   is a repeat, and no game continues after it.
//! * A move with a given square and sign needs the square in the right state. The state is known at the start
//!   and after each earlier move of this kind on the square. If it is wrong, an open move on this square must
//!   come in between. Different moves need different open moves. If there are fewer open moves, no game
//!   reaches the move.
//!
//! All this holds only if each move toggles a square, so nothing is refuted under lenient rules.

use super::{Board, image};
use crate::answer::Ending;
use crate::{Entry, Instance, Legality, Move, Rules, Sign, Start};
use counterpoint_core::board::{Cell, Symmetry};
use counterpoint_core::engine::{Budget, Limit};

/// What the completions of a record have in common.
pub(super) struct Outline<'a> {
    rules: &'a Rules,
    instance: &'a Instance,
    n: usize,
    group: Vec<Symmetry>,
    /// For each square, the least of its images, which stands for its orbit.
    orbits: Vec<usize>,
    /// For the least square of each orbit, all squares of the orbit; empty for the other squares.
    members: Vec<Vec<usize>>,
    /// After each step, the board without the open moves, and all images of this board.
    boards: Vec<Vec<Board>>,
    /// After each step, the orbits on which this board has an odd number of spots.
    odd: Vec<Board>,
    /// The number of open moves up to each step.
    open: Vec<usize>,
    /// The number of `+` minus the number of `-` among the known signs up to each step.
    balance: Vec<i64>,
    /// The number of unknown signs up to each step.
    unsigned: Vec<i64>,
    /// The sign of each move, if it is known.
    signs: Vec<Option<Sign>>,
    /// The square of each move, if it is given.
    given: Vec<Option<usize>>,
    /// An upper bound on the number of moves up to the first repeat. Greater than the length of the record if
    /// a draw is not excluded.
    longest: usize,
}

impl<'a> Outline<'a> {
    /// The outline of a record whose first moves are given by `made`.
    pub(super) fn new(rules: &'a Rules, instance: &'a Instance, made: &[Move]) -> Self {
        let n = instance.n as usize;
        let group = rules.group.elements();
        let square = |cell: Cell| cell.row as usize * n + cell.col as usize;
        let orbits: Vec<usize> = (instance.size().iter())
            .map(|cell| group.iter().map(|g| square(g.apply(instance.n, cell))).min().unwrap_or(0))
            .collect();
        let mut members = vec![Vec::new(); n * n];
        orbits.iter().enumerate().for_each(|(square, &orbit)| members[orbit].push(square));
        let empty = Board::zeros(n * n);
        let mut outline = Outline {
            rules,
            instance,
            n,
            boards: vec![group.iter().map(|g| image(n, &empty, *g)).collect()],
            group,
            orbits,
            members,
            odd: vec![empty],
            open: vec![0],
            balance: vec![0],
            unsigned: vec![0],
            signs: Vec::new(),
            given: Vec::new(),
            longest: instance.record.len() + 1,
        };
        for (step, entry) in instance.record.iter().enumerate() {
            let (cell, sign) = match (made.get(step), entry.x(), entry.y()) {
                (Some(mv), ..) => (Some(mv.cell), Some(mv.sign)),
                (None, Some(x), Some(y)) => (Some(Cell::new(y - 1, x - 1)), entry.sign()),
                _ => (None, entry.sign()),
            };
            outline.add(cell.map(square), sign);
        }
        if rules.legality == Legality::Strict {
            outline.longest = outline.longest.min(outline.first_certain_repeat(made.len()));
            outline.longest = outline.longest.min(first_certain_fault(instance, made));
        }
        outline
    }

    fn add(&mut self, square: Option<usize>, sign: Option<Sign>) {
        let step = self.open.len() - 1;
        let (mut board, mut odd) = (self.boards[step][0].clone(), self.odd[step].clone());
        if let Some(square) = square {
            board.flip(square);
            odd.flip(self.orbits[square]);
        }
        self.boards.push(self.group.iter().map(|g| image(self.n, &board, *g)).collect());
        self.odd.push(odd);
        self.open.push(self.open[step] + usize::from(square.is_none()));
        self.signs.push(sign);
        self.given.push(square);
        let sign = sign.map(|sign| if sign == Sign::Place { 1 } else { -1 });
        self.balance.push(self.balance[step] + sign.unwrap_or(0));
        self.unsigned.push(self.unsigned[step] + i64::from(sign.is_none()));
    }

    /// The first step whose board is the same as an earlier one in all completions; `usize::MAX` if none is
    /// found. None of the first `made` moves may be a repeat.
    fn first_certain_repeat(&self, made: usize) -> usize {
        let first = if self.rules.start == Start::Counted { 0 } else { 1 };
        for later in made + 1..self.open.len() {
            for earlier in (first..later).rev() {
                if self.open[earlier] < self.open[later] {
                    break;
                }
                // Without open moves up to `later`, both boards are known, so images can be compared, too.
                let images = if self.open[later] == 0 { self.group.len() } else { 1 };
                if self.boards[earlier][..images].contains(&self.boards[later][0]) {
                    return later;
                }
            }
        }
        usize::MAX
    }

    /// Whether the counting arguments leave this ending possible. Each pair of steps counts as a node.
    ///
    /// # Errors
    /// Returns the limit of the budget that was reached.
    pub(super) fn allows(&self, ending: Ending, budget: &mut Budget) -> Result<bool, Limit> {
        let last = match ending {
            Ending::Draw => return Ok(self.longest > self.open.len() - 1),
            Ending::Repeat(last) => last,
        };
        if last > self.longest {
            return Ok(false);
        }
        if self.rules.legality == Legality::Lenient {
            return Ok(true);
        }
        for earlier in self.earlier(last) {
            budget.node()?;
            if self.allows_steps(earlier, last)
                && (0..self.group.len()).any(|g| self.allows_symmetry(earlier, last, g))
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The steps whose boards step `last` can repeat by a legal move, from the latest to the first.
    pub(super) fn earlier(&self, last: usize) -> impl Iterator<Item = usize> + use<> {
        let first = if self.rules.start == Start::Counted { 0 } else { 1 };
        (first..last).rev().filter(move |earlier| (last - earlier).is_multiple_of(2))
    }

    /// Whether the counting arguments leave it possible that no step before `last` is a repeat and symmetry number `g`
    /// maps the board after step `earlier` to that after step `last`. This counts as a node.
    ///
    /// # Errors
    /// Returns the limit of the budget that was reached.
    pub(super) fn allows_pair(
        &self,
        earlier: usize,
        last: usize,
        g: usize,
        budget: &mut Budget,
    ) -> Result<bool, Limit> {
        budget.node()?;
        Ok(last <= self.longest && self.allows_steps(earlier, last) && self.allows_symmetry(earlier, last, g))
    }

    /// Whether the arguments that do not depend on the symmetry leave it possible.
    fn allows_steps(&self, earlier: usize, last: usize) -> bool {
        let late = self.open[last] - self.open[earlier];
        (self.balance[last] - self.balance[earlier]).abs() <= self.unsigned[last] - self.unsigned[earlier]
            && differing(&self.odd[earlier], &self.odd[last]) <= late
            && self.has_spots(earlier, last)
            && self.can_settle_orbits(earlier, last)
    }

    /// Whether the arguments that depend on the symmetry leave it possible.
    fn allows_symmetry(&self, earlier: usize, last: usize, g: usize) -> bool {
        let (image, board) = (&self.boards[earlier][g], &self.boards[last][0]);
        let late = self.open[last] - self.open[earlier];
        let settled = if g == 0 { late } else { late + 2 * self.open[earlier] };
        differing(image, board) <= settled
            && (g > 0 || self.can_settle([image, board], None, earlier, last))
            && self.can_end_so(image, earlier, last)
    }
}

impl Outline<'_> {
    /// Whether each orbit with different numbers of spots modulo 2 has a square on which a later open move is allowed.
    fn can_settle_orbits(&self, earlier: usize, last: usize) -> bool {
        self.can_settle([&self.odd[earlier], &self.odd[last]], Some(&self.members), earlier, last)
    }

    /// Whether an open move between the two steps can settle each difference between two boards. An open move must be
    /// allowed on each square at which the boards differ or, with `members`, on one of the squares that are listed for it.
    fn can_settle(
        &self,
        boards: [&Board; 2],
        members: Option<&[Vec<usize>]>,
        earlier: usize,
        last: usize,
    ) -> bool {
        let open = (earlier..last).filter(|&step| self.given[step].is_none());
        let open: Vec<Entry> = open.map(|step| self.instance.record[step]).collect();
        if open.iter().any(|entry| entry.x().is_none() && entry.y().is_none()) {
            return true;
        }
        let mut differ = boards[0].clone();
        differ.xor(boards[1]);
        let is_allowed = |&square: &usize| {
            let cell = self.instance.size().cell(square);
            open.iter().any(|entry| entry.allows(cell))
        };
        differ.iter().all(|place| match members {
            None => is_allowed(&place),
            Some(members) => members[place].iter().any(is_allowed),
        })
    }

    /// Whether there are enough open moves for the squares whose last given move leaves them in another state
    /// than `image`, which is the image of the outline's board after the earlier step.
    fn can_end_so(&self, image: &Board, earlier: usize, last: usize) -> bool {
        let mut met = Board::zeros(self.n * self.n);
        let (mut wrong, mut open) = (0, self.open[earlier]);
        for step in (earlier..last).rev() {
            match self.given[step] {
                None => open += 1,
                Some(square) if met.get(square) => {}
                Some(square) => {
                    met.set(square);
                    let is_wrong = |sign| image.get(square) != (sign == Sign::Place);
                    wrong += usize::from(self.signs[step].is_some_and(is_wrong));
                }
            }
            if wrong > open {
                return false;
            }
        }
        true
    }

    /// Whether the number of spots can stay at zero or above between two steps with equal numbers of spots.
    fn has_spots(&self, earlier: usize, last: usize) -> bool {
        let unsigned = self.unsigned[last] - self.unsigned[earlier];
        // The unknown signs between the two steps: `places` of them are `+`, the others `-`.
        let mut places = (unsigned - (self.balance[last] - self.balance[earlier])) / 2;
        let mut spots = self.balance[earlier] + self.unsigned[earlier];
        for sign in &self.signs[earlier..last] {
            let is_placed = match sign {
                Some(sign) => *sign == Sign::Place,
                None => {
                    places -= 1;
                    places >= 0
                }
            };
            spots += if is_placed { 1 } else { -1 };
            if spots < 0 {
                return false;
            }
        }
        true
    }
}

/// The number of squares on which two boards differ.
fn differing(a: &Board, b: &Board) -> usize {
    let mut both = a.clone();
    both.xor(b);
    both.count()
}

/// The number of moves before the first one for which there are too few open moves; `usize::MAX` if there is
/// none.
fn first_certain_fault(instance: &Instance, made: &[Move]) -> usize {
    let mut spots = vec![false; instance.size().cells()];
    let (mut open, mut needed) = (0, 0);
    for (step, entry) in instance.record.iter().enumerate() {
        let (cell, sign) = match (made.get(step), entry.x(), entry.y()) {
            (Some(mv), ..) => (mv.cell, Some(mv.sign)),
            (None, Some(x), Some(y)) => (Cell::new(y - 1, x - 1), entry.sign()),
            _ => {
                open += 1;
                continue;
            }
        };
        let spot = &mut spots[instance.size().index(cell)];
        if let Some(sign) = sign {
            needed += usize::from(*spot == (sign == Sign::Place));
            *spot = sign == Sign::Take;
        }
        *spot = !*spot;
        if needed > open {
            return step;
        }
    }
    usize::MAX
}
