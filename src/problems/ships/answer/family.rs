//! From covered sets to an answer: can the family of sets that fit be won with m misses?
//!
//! By the theorem of the safe choice (see the problem's page) there is nothing to backtrack over: any
//! cell whose miss leaves a part in W(m - 1) is shot at, and the sets that hold it are left. The cells
//! of a set run out, so that is at most k shots that hit. For one miss all such cells show at once: a
//! set that alone lacks some cell goes (*peeling*). For more misses each cell asks the same question of
//! a part with one miss less, and three facts spare most of it:
//! * *size*: more than C(k + m, m) sets of k cells that are in doubt are lost;
//! * *sunflower*: so are m + 2 sets that share nothing beyond the cells common to all;
//! * m + 1 sets are won: whatever is shot at, a miss leaves fewer.
//!
//! Cells that the same sets lack ask the same question, a part that holds a lost part is lost, and in
//! which order cells were missed makes no difference: parts are asked from the smallest up, and what was
//! found out of them is kept.

use super::{Answer, Plan};
use crate::board::{Cell, Size, ones};
use crate::engine::{Budget, Limit};
use crate::problems::ships::MAX_SIDE;
use itertools::Itertools;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

/// Words of a set on the largest board.
const MAX_WORDS: usize = (MAX_SIDE * MAX_SIDE) as usize / 64;

/// More sets than this are not kept.
pub const MAX_SETS: usize = 1 << 18;

/// Up to so many sets, each new one is asked whether they are plainly lost.
const FEW: usize = 256;

/// A lost family of more sets than this is first lessened by parts, then set by set.
const MANY: usize = 32;

/// Whether some sets, listed in this order, are won with so many misses.
type Known = FxHashMap<(Vec<u32>, u32), bool>;

/// The most parts that are kept, and the most sets of one.
const MAX_KNOWN: usize = 1 << 16;
const MAX_KNOWN_SETS: usize = 256;

/// How a family stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Some plan wins, or none was ruled out yet.
    Open,
    /// No plan wins, nor will one if sets are added.
    Lost,
}

/// Distinct covered sets of one size, added one by one until they are lost.
#[derive(Clone, Debug)]
pub struct Family {
    size: Size,
    misses: u32,
    /// Words of a set.
    words: usize,
    /// Set after set; bit i of a set is the cell with index i.
    sets: Vec<u64>,
    /// The number of sets at which the next whole test is due.
    due: usize,
    known: Known,
}

impl Family {
    /// No set yet, on a board of `size`, to be won with so many misses.
    pub fn new(size: Size, misses: u32) -> Self {
        let words = size.cells().div_ceil(64);
        Family { size, misses, words, sets: Vec::new(), due: misses as usize + 2, known: Known::default() }
    }

    /// Number of sets.
    pub fn len(&self) -> usize {
        self.sets.len() / self.words.max(1)
    }

    /// True if there is no set.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// Adds a set that the family does not hold yet: bit i of `set`, in words of 64, is the cell with
    /// index i. With two misses or more the family is tested whole only now and then, since that is
    /// dear: it may be lost a while before this says so.
    ///
    /// # Errors
    /// `Limit::Memory` at the set number 2^18 + 1; the budget's own limits.
    pub fn add(&mut self, set: &[u64], budget: &mut Budget) -> Result<Standing, Limit> {
        debug_assert!(set.iter().skip(self.words).all(|&word| word == 0));
        if self.len() == MAX_SETS {
            return Err(Limit::Memory);
        }
        self.sets.extend_from_slice(&set[..self.words]);
        let (n, all) = (self.len(), self.all());
        if n < self.misses as usize + 2 {
            return Ok(Standing::Open);
        }
        let lost = match self.misses {
            0 | 1 => !self.is_won(all, budget)?,
            _ if n > FEW && n < self.due => false,
            _ if self.is_plainly_lost(&all, self.misses) => true,
            _ if n < self.due => false,
            _ => {
                self.due = n + n / 4 + 1;
                !self.is_won(all, budget)?
            }
        };
        Ok(if lost { Standing::Lost } else { Standing::Open })
    }

    /// The answer, if these are all sets that fit or they are lost.
    ///
    /// # Errors
    /// The budget's limits.
    pub fn answer(mut self, budget: &mut Budget) -> Result<Answer, Limit> {
        if self.is_empty() {
            return Ok(Answer::NoFleet);
        }
        let mut known = std::mem::take(&mut self.known);
        let order = self.ordered();
        let listed = |order: &[u32]| order.iter().map(|&s| self.cells(s)).collect();
        Ok(match self.plan(order.clone(), self.misses, &mut known, budget)? {
            Some(plan) => {
                let sets = listed(&order);
                Answer::Yes { sets, plan: renumbered(plan, &order) }
            }
            None => Answer::No { lost: listed(&self.lessened(order, &mut known, budget)?) },
        })
    }

    /// All sets, each ascending, in ascending order.
    pub fn into_sets(self) -> Vec<Vec<Cell>> {
        self.ordered().into_iter().map(|s| self.cells(s)).collect()
    }

    /// Of two sets the one with the lowest cell that the other lacks comes first.
    fn ordered(&self) -> Vec<u32> {
        let mut order = self.all();
        order.sort_unstable_by(|&a, &b| {
            let (a, b) = (self.set(a), self.set(b));
            let apart = a.iter().zip(b).map(|(a, b)| (a ^ b, b)).find(|(apart, _)| *apart != 0);
            apart.map_or(Ordering::Equal, |(apart, b)| match b >> apart.trailing_zeros() & 1 {
                0 => Ordering::Less,
                _ => Ordering::Greater,
            })
        });
        order
    }

    fn all(&self) -> Vec<u32> {
        (0..self.len() as u32).collect()
    }

    fn set(&self, s: u32) -> &[u64] {
        &self.sets[s as usize * self.words..][..self.words]
    }

    fn has(&self, s: u32, cell: usize) -> bool {
        self.set(s)[cell / 64] >> (cell % 64) & 1 == 1
    }

    /// A set's cells, ascending.
    fn cells(&self, s: u32) -> Vec<Cell> {
        let set = self.set(s);
        let mut cells = Vec::with_capacity(set.iter().map(|word| word.count_ones() as usize).sum());
        for (w, &word) in set.iter().enumerate() {
            cells.extend(ones(word).map(|bit| self.size.cell(64 * w + bit)));
        }
        cells
    }

    /// True if the sets `left` are won.
    fn is_won(&mut self, left: Vec<u32>, budget: &mut Budget) -> Result<bool, Limit> {
        let mut known = std::mem::take(&mut self.known);
        let won = self.wins(left, self.misses, &mut known, budget);
        self.known = known;
        won
    }

    /// True if the sets `left` are won with so many misses.
    fn wins(
        &self,
        mut left: Vec<u32>,
        misses: u32,
        known: &mut Known,
        budget: &mut Budget,
    ) -> Result<bool, Limit> {
        match misses {
            0 => return Ok(left.len() <= 1),
            1 => return Ok(self.peels(left)),
            _ if left.len() <= misses as usize + 1 => return Ok(true),
            _ => {}
        }
        let question = (left.clone(), misses);
        if let Some(&won) = known.get(&question) {
            return Ok(won);
        }
        let mut lost = Vec::new();
        let won = loop {
            if left.len() <= misses as usize + 1 {
                break true;
            }
            if self.is_plainly_lost(&left, misses) {
                break false;
            }
            match self.safe_cell(&left, misses, &mut lost, known, budget)? {
                None => break false,
                Some(cell) => left.retain(|&s| self.has(s, cell)),
            }
        };
        if known.len() < MAX_KNOWN && question.0.len() <= MAX_KNOWN_SETS {
            known.insert(question, won);
        }
        Ok(won)
    }

    /// One miss: takes away all sets that are alone in lacking some cell, until none is.
    fn peels(&self, mut left: Vec<u32>) -> bool {
        while left.len() > 1 {
            let mut alone = [0; MAX_WORDS];
            self.alone(&left, &mut alone);
            let before = left.len();
            left.retain(|&s| self.set(s).iter().zip(&alone).all(|(set, alone)| !set & alone == 0));
            if left.len() == before {
                return false;
            }
        }
        true
    }

    /// Finds the cells that exactly one of the sets lacks.
    fn alone(&self, left: &[u32], alone: &mut [u64; MAX_WORDS]) {
        for (w, alone) in alone.iter_mut().enumerate().take(self.words) {
            let (mut once, mut twice) = (0, 0);
            for &s in left {
                let lacks = !self.set(s)[w];
                twice |= once & lacks;
                once |= lacks;
            }
            *alone = once & !twice;
        }
    }

    /// One miss: the lowest cell that the first set lacks of those that are alone in lacking one.
    fn alone_cell(&self, left: &[u32]) -> Option<usize> {
        let mut alone = [0; MAX_WORDS];
        self.alone(left, &mut alone);
        let lacked = |(w, (set, alone)): (usize, (&u64, &u64))| {
            let cells = !set & alone;
            (cells != 0).then(|| 64 * w + cells.trailing_zeros() as usize)
        };
        left.iter().find_map(|&s| self.set(s).iter().zip(&alone).enumerate().find_map(lacked))
    }

    /// Lost by size or by a sunflower, petals taken as they come.
    fn is_plainly_lost(&self, left: &[u32], misses: u32) -> bool {
        let [first, ..] = *left else { return false };
        let mut core = self.set(first).to_vec();
        for &s in left {
            core.iter_mut().zip(self.set(s)).for_each(|(core, set)| *core &= set);
        }
        let doubtful = self.set(first).iter().zip(&core).map(|(set, core)| (set & !core).count_ones()).sum();
        if left.len() > most_sets(doubtful, misses) {
            return true;
        }
        let mut taken = vec![0; self.words];
        let mut petals = 0;
        for set in left.iter().map(|&s| self.set(s)) {
            if set.iter().zip(&core).zip(&taken).all(|((set, core), taken)| set & !core & taken == 0) {
                taken.iter_mut().zip(set).for_each(|(taken, set)| *taken |= set);
                petals += 1;
            }
        }
        petals >= misses as usize + 2
    }

    /// A cell in doubt whose miss leaves sets that are won with a miss less, one that the fewest sets
    /// lack; the lowest of equal ones. `lost` has parts that were found lost with a miss less.
    fn safe_cell(
        &self,
        left: &[u32],
        misses: u32,
        lost: &mut Vec<Vec<u32>>,
        known: &mut Known,
        budget: &mut Budget,
    ) -> Result<Option<usize>, Limit> {
        if misses == 1 {
            return Ok(self.alone_cell(left));
        }
        let lacking = |cell| left.iter().copied().filter(|&s| !self.has(s, cell)).collect_vec();
        let parts = (0..self.size.cells()).map(|cell| (lacking(cell), cell));
        let mut parts = parts.filter(|(part, _)| !part.is_empty() && part.len() < left.len()).collect_vec();
        parts.sort_by(|(a, _), (b, _)| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
        parts.dedup_by(|(a, _), (b, _)| a == b);
        for (part, cell) in parts {
            if lost.iter().any(|lost| is_within(lost, &part)) {
                continue;
            }
            budget.node()?;
            if self.wins(part.clone(), misses - 1, known, budget)? {
                return Ok(Some(cell));
            }
            lost.push(part);
        }
        Ok(None)
    }

    /// A plan for the sets `left`, of which there is at least one; its ends name sets of the family.
    fn plan(
        &self,
        mut left: Vec<u32>,
        misses: u32,
        known: &mut Known,
        budget: &mut Budget,
    ) -> Result<Option<Plan>, Limit> {
        let (mut shots, mut lost) = (Vec::new(), Vec::new());
        while left.len() > 1 {
            if misses == 0 || (misses > 1 && self.is_plainly_lost(&left, misses)) {
                return Ok(None);
            }
            let Some(cell) = self.safe_cell(&left, misses, &mut lost, known, budget)? else {
                return Ok(None);
            };
            let (hold, lack): (Vec<u32>, _) = left.iter().partition(|&&s| self.has(s, cell));
            let Some(miss) = self.plan(lack, misses - 1, known, budget)? else { return Ok(None) };
            shots.push((self.size.cell(cell), miss));
            left = hold;
        }
        let last = Plan::Sink(left.first().map_or(0, |&s| s as usize));
        Ok(Some(shots.into_iter().rev().fold(last, |hit, (cell, miss)| Plan::Shoot {
            cell,
            hit: hit.into(),
            miss: miss.into(),
        })))
    }

    /// A lost part of the lost sets `left` from which no set can be dropped.
    fn lessened(
        &self,
        mut left: Vec<u32>,
        known: &mut Known,
        budget: &mut Budget,
    ) -> Result<Vec<u32>, Limit> {
        let mut part = if left.len() > MANY { left.len() / 2 } else { 1 };
        loop {
            let mut end = left.len();
            while end > 0 {
                let start = end.saturating_sub(part);
                let fewer = left[..start].iter().chain(&left[end..]).copied().collect_vec();
                if !self.wins(fewer.clone(), self.misses, known, budget)? {
                    left = fewer;
                }
                end = start;
            }
            if part == 1 {
                return Ok(left);
            }
            part /= 2;
        }
    }
}

/// True if all of `part` stand in `whole`, in the same order.
fn is_within(part: &[u32], whole: &[u32]) -> bool {
    let mut rest = whole.iter();
    part.len() <= whole.len() && part.iter().all(|s| rest.any(|other| other == s))
}

/// C(k + m, m), the most sets of k cells in doubt that m misses win against.
fn most_sets(cells: u32, misses: u32) -> usize {
    (1..=misses as usize).fold(1, |most: usize, m| most.saturating_mul(cells as usize + m) / m)
}

/// A plan whose ends count along `order` instead of naming its members.
fn renumbered(plan: Plan, order: &[u32]) -> Plan {
    let mut place = vec![0; order.len()];
    order.iter().enumerate().for_each(|(i, &s)| place[s as usize] = i);
    relabel(plan, &place)
}

fn relabel(plan: Plan, place: &[usize]) -> Plan {
    match plan {
        Plan::Sink(s) => Plan::Sink(place[s]),
        Plan::Shoot { cell, hit, miss } => {
            Plan::Shoot { cell, hit: relabel(*hit, place).into(), miss: relabel(*miss, place).into() }
        }
    }
}

#[cfg(test)]
mod tests;
