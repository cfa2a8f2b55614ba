//! Decides whether a family of covered sets can be won with m misses, and derives a plan or a minimal lost family.
//!
//! A family is *won* with m misses (it is in W(m)) if some plan of shots, with at most m misses, identifies the set
//! that the fleet covers, whichever set that is; otherwise the family is *lost*. Every subfamily of a won family is
//! won, so a family that contains a lost one is lost.
//!
//! # Algorithm
//! A cell is *safe* if some sets lack it, some sets contain it, and the sets that lack it are won with m - 1 misses. By
//! the fact *safe choice* (see `lib.rs`), a shot at a safe cell never has to be taken back. `wins` shoots at a safe
//! cell and keeps the sets that contain the cell, until few enough sets remain (won) or no cell is safe (lost). Each
//! such shot hits one more cell of every remaining set, so sets of k cells need at most k shots.
//! * m = 0: won iff there is at most one set.
//! * m = 1 (`peels`): a cell is safe iff exactly one set lacks it. Word operations find all these cells at once. The
//!   sets that lack them are removed, round by round.
//! * m >= 2 (`safe_cell`): the sets that lack a cell are a subfamily, which `wins` decides with m - 1 misses. If the
//!   same sets lack several cells, their subfamily is decided once. Small subfamilies come first: they are won most
//!   often, and if one of them is lost, so are all larger ones that contain it.
//!
//! In `family/evidence.rs`, `plan` finds safe cells in the same way and records what follows a hit and a miss. `shrink`
//! removes sets from a lost family, first in chunks and then one by one, as long as it stays lost (deletion-based
//! shrinking).
//!
//! # Bounds for m >= 2, in the order in which they are tested
//! 1. In `safe_cell`, a subfamily is lost with m - 1 misses if it contains a subfamily for which this is known.
//! 2. A family of at most m + 1 sets is won: a miss at any cell that distinguishes some of them leaves at most m sets,
//!    with m - 1 misses.
//! 3. The memo table `known`, on entry to `wins` only.
//! 4. *Size*: a family of more than C(k + m, m) sets is lost. Here k is the number of those cells of a set that are not
//!    common to all sets; it is the same for every set.
//! 5. *Sunflower*: a family is lost if it has m + 2 sets such that every cell shared by two of them belongs to all sets
//!    of the family. Then each miss rules out at most one of these m + 2 sets. They are chosen greedily in the order of
//!    the list.
//!
//! # Ending early
//! `add` may answer [`Standing::Lost`] before all sets are known, because further sets cannot make a lost family won.
//! For at most one miss, the exact test `wins` runs after every new set. For more misses, the exact test is expensive,
//! so it runs only when the number of sets has grown by a quarter since the last time. Bounds 4 and 5 are tested before
//! each exact test, and also for each new set while there are at most `MAX_BOUNDED_SETS`. So a family can be lost some
//! time before `add` reports it; `answer` runs the exact test, unless `become_lost` was called.
//!
//! # Invariants
//! * Sets are distinct and of equal size; the caller guarantees both. The size bound and the case m = 0 rely on it.
//! * Sets keep their numbers, so entries of `known` remain true when sets are added. The same sets in another order
//!   have another key and are decided again, which costs only time.
//! * In one call of `wins` or `plan`, every list of sets is a subsequence of the list with which the call starts.
//!   `is_subsequence` relies on it.
//! * The budget counts one node for each subfamily that `safe_cell` decides, so with at most one miss a family costs no
//!   node.

mod evidence;

use super::Answer;
use crate::MAX_SIDE;
use counterpoint_core::board::{Cell, Size, ones};
use counterpoint_core::engine::{Budget, Limit};
use evidence::renumbered;
use itertools::Itertools;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

/// Number of words of a set on the largest board.
const MAX_WORDS: usize = (MAX_SIDE * MAX_SIDE) as usize / 64;

/// Maximum number of sets in a family.
pub const MAX_SETS: usize = 1 << 18;

/// For at most this many sets, the size and sunflower bounds are tested whenever a set is added.
const MAX_BOUNDED_SETS: usize = 256;

/// A lost family of more sets than this is shrunk by chunks before it is shrunk set by set.
const MIN_CHUNKED_SETS: usize = 32;

/// The memo table: whether the sets in a list are won with this many misses.
type Known = FxHashMap<(Vec<u32>, u32), bool>;

/// Maximum number of entries in the memo table.
const MAX_KNOWN: usize = 1 << 16;
/// Maximum length of a list in the memo table.
const MAX_KNOWN_SETS: usize = 256;

/// What is known of a family while sets are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Some plan may win.
    Open,
    /// No plan wins, even if more sets are added.
    Lost,
}

/// Distinct covered sets of equal size, added one by one until they are lost.
#[derive(Clone, Debug)]
pub struct Family {
    size: Size,
    misses: u32,
    /// Number of words of a set.
    words: usize,
    /// The words of all sets, one set after another. Bit i of a set stands for the cell with index i.
    sets: Vec<u64>,
    /// With two or more misses, the number of sets at which the next exact test runs.
    next_test: usize,
    /// The sets are known to be a minimal lost family.
    is_minimal: bool,
    known: Known,
}

impl Family {
    /// The empty family on a board of `size`, to be won with this many misses.
    pub fn new(size: Size, misses: u32) -> Self {
        let words = size.cells().div_ceil(64);
        Family {
            size,
            misses,
            words,
            sets: Vec::new(),
            next_test: misses as usize + 2,
            is_minimal: false,
            known: Known::default(),
        }
    }

    /// Number of sets.
    pub fn len(&self) -> usize {
        self.sets.len() / self.words.max(1)
    }

    /// True if there is no set.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// Adds a set that the family does not contain yet. Bit i of `set`, in words of 64 bits, stands for the cell with
    /// index i. With two or more misses the exact test is expensive, so it runs at growing intervals, and the family
    /// may be lost before this returns [`Standing::Lost`].
    ///
    /// # Errors
    /// Returns `Limit::Memory` at set number 2^18 + 1, or the limit of the budget that was reached.
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
            _ if n > MAX_BOUNDED_SETS && n < self.next_test => false,
            _ if self.is_lost_by_bounds(&all, self.misses) => true,
            _ if n < self.next_test => false,
            _ => {
                self.next_test = n + n / 4 + 1;
                !self.is_won(all, budget)?
            }
        };
        Ok(if lost { Standing::Lost } else { Standing::Open })
    }

    /// Replaces all sets by those of a minimal lost family, each in words as for [`Family::add`].
    pub fn become_lost<'a>(&mut self, sets: impl Iterator<Item = &'a [u64]>) {
        self.sets = sets.flat_map(|set| &set[..self.words]).copied().collect();
        self.is_minimal = true;
    }

    /// True if the sets that were added so far are won. Always runs the exact test.
    ///
    /// # Errors
    /// Returns the limit of the budget that was reached.
    pub fn is_won_now(&mut self, budget: &mut Budget) -> Result<bool, Limit> {
        self.is_won(self.all(), budget)
    }

    /// The answer. The family must hold all sets that fit, or be lost.
    ///
    /// # Errors
    /// Returns the limit of the budget that was reached.
    pub fn answer(mut self, budget: &mut Budget) -> Result<Answer, Limit> {
        if self.is_empty() {
            return Ok(Answer::NoFleet);
        }
        if self.is_minimal {
            return Ok(Answer::No { lost: self.into_sets() });
        }
        let mut known = std::mem::take(&mut self.known);
        let order = self.ordered();
        let listed = |order: &[u32]| order.iter().map(|&s| self.cells(s)).collect();
        Ok(match self.plan(order.clone(), self.misses, &mut known, budget)? {
            Some(plan) => {
                let sets = listed(&order);
                Answer::Yes { sets, plan: renumbered(plan, &order) }
            }
            None => Answer::No { lost: listed(&self.shrink(order, &mut known, budget)?) },
        })
    }

    /// All sets, each ascending, in ascending order.
    pub fn into_sets(self) -> Vec<Vec<Cell>> {
        self.ordered().into_iter().map(|s| self.cells(s)).collect()
    }

    /// The numbers of all sets, ordered like their ascending lists of cells: of two sets, the one that contains the
    /// lowest cell in which they differ comes first.
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

    /// The numbers of all sets, in the order in which they were added.
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

    /// True if the sets `left` are won with the misses of the family.
    fn is_won(&mut self, left: Vec<u32>, budget: &mut Budget) -> Result<bool, Limit> {
        let mut known = std::mem::take(&mut self.known);
        let won = self.wins(left, self.misses, &mut known, budget);
        self.known = known;
        won
    }

    /// True if the sets `left` are won with this many misses.
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
            if self.is_lost_by_bounds(&left, misses) {
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

    /// True if the sets `left` are won with one miss. Each round removes every set that is the only one to lack some
    /// cell. Takes O(rounds × sets × words) time.
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

    /// Stores in `alone` the cells that exactly one of the sets `left` lacks.
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

    /// A safe cell to shoot at with one miss; `None` if there is none. Finds the first set that is the only one to lack
    /// some cell, and takes the lowest such cell.
    fn alone_cell(&self, left: &[u32]) -> Option<usize> {
        let mut alone = [0; MAX_WORDS];
        self.alone(left, &mut alone);
        let lacked = |(w, (set, alone)): (usize, (&u64, &u64))| {
            let cells = !set & alone;
            (cells != 0).then(|| 64 * w + cells.trailing_zeros() as usize)
        };
        left.iter().find_map(|&s| self.set(s).iter().zip(&alone).enumerate().find_map(lacked))
    }

    /// True if the size bound or a greedily chosen sunflower shows that the sets are lost.
    fn is_lost_by_bounds(&self, left: &[u32], misses: u32) -> bool {
        let [first, ..] = *left else { return false };
        let mut core = self.set(first).to_vec();
        for &s in left {
            core.iter_mut().zip(self.set(s)).for_each(|(core, set)| *core &= set);
        }
        let doubtful = self.set(first).iter().zip(&core).map(|(set, core)| (set & !core).count_ones()).sum();
        if left.len() > max_sets(doubtful, misses) {
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

    /// A safe cell, as defined at the top of this file; `None` if there is none. With two or more misses, it is a safe
    /// cell that the fewest sets lack; ties go to the lexicographically lower list of these sets, then to the lower
    /// cell. `lost` collects subfamilies that are lost with one fewer miss. A later call with as many misses may reuse
    /// `lost` if its `left` is a subsequence of the `left` of this call.
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
            if lost.iter().any(|lost| is_subsequence(lost, &part)) {
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
}

/// True if `part` is a subsequence of `whole`.
fn is_subsequence(part: &[u32], whole: &[u32]) -> bool {
    let mut rest = whole.iter();
    part.len() <= whole.len() && part.iter().all(|s| rest.any(|other| other == s))
}

/// C(k + m, m) for k = `cells` and m = `misses`. A family that is won with m misses has at most this many sets if k
/// cells of each set are not common to all sets. Saturates.
fn max_sets(cells: u32, misses: u32) -> usize {
    (1..=misses as usize).fold(1, |max: usize, m| max.saturating_mul(cells as usize + m) / m)
}

#[cfg(test)]
mod tests;
