//! A bound: can the ships left cover the hits left if ships may overlap?
//!
//! Each ship takes one of the sets of hits that some placement of it covers; only maximal sets
//! matter. That is a set cover with a handful of ships, decided by the same branching on the hit with
//! fewest choices and remembered for every pair of hits and ships.

use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// No more pairs than this are remembered; beyond, the bound is silent.
const MOST_KNOWN: usize = 1 << 18;

/// Hits are numbered by their cells in ascending order; a set of hits is a word.
pub(super) struct Relaxed {
    /// For each cell up to the last hit, the number of the hit there.
    numbers: Vec<u32>,
    /// For each hit, ships with the maximal sets that they cover together with it, large ones first.
    choices: Vec<Vec<(usize, u64)>>,
    known: FxHashMap<(u64, u32), bool>,
}

impl Relaxed {
    /// The most hits that are served.
    pub(super) const MOST_HITS: usize = 64;

    /// `hits` are cells, ascending; `sets` are all pairs of a ship and the hits that one of its
    /// placements covers.
    pub(super) fn new(
        hits: Vec<usize>,
        sets: impl Iterator<Item = (usize, impl Iterator<Item = usize>)>,
    ) -> Self {
        debug_assert!(hits.len() <= Self::MOST_HITS);
        let mut numbers = vec![0; hits.last().map_or(0, |last| last + 1)];
        hits.iter().zip(0..).for_each(|(&cell, number)| numbers[cell] = number);
        let mut relaxed =
            Relaxed { numbers, choices: vec![Vec::new(); hits.len()], known: FxHashMap::default() };
        let mut sets: Vec<_> = sets.map(|(ship, cells)| (ship, relaxed.word(cells))).collect();
        sets.sort_unstable_by_key(|&(ship, set)| (Reverse(set.count_ones()), ship, set));
        sets.dedup();
        for (ship, set) in sets {
            for hit in bits(set) {
                let choices = &mut relaxed.choices[hit];
                if !choices.iter().any(|&(s, larger)| s == ship && set & !larger == 0) {
                    choices.push((ship, set));
                }
            }
        }
        relaxed
    }

    fn word(&self, cells: impl Iterator<Item = usize>) -> u64 {
        cells.fold(0, |word, cell| word | 1 << self.numbers[cell])
    }

    /// False only if the ships `left` cannot cover the hits at `pending`. `ready` are those of a set
    /// of ships that may be placed next.
    pub(super) fn may_cover(
        &mut self,
        pending: impl Iterator<Item = usize>,
        left: u32,
        ready: &dyn Fn(u32) -> u32,
    ) -> bool {
        self.decide(self.word(pending), left, ready)
    }

    fn decide(&mut self, pending: u64, left: u32, ready: &dyn Fn(u32) -> u32) -> bool {
        if pending == 0 {
            return true;
        }
        if let Some(&known) = self.known.get(&(pending, left)) {
            return known;
        }
        if self.known.len() >= MOST_KNOWN {
            return true;
        }
        let usable = ready(left);
        let count =
            |&hit: &usize| self.choices[hit].iter().filter(|(ship, _)| usable >> ship & 1 == 1).count();
        let Some(hit) = bits(pending).min_by_key(count) else { return true };
        let mut may = false;
        for next in 0..self.choices[hit].len() {
            let (ship, set) = self.choices[hit][next];
            if usable >> ship & 1 == 1 && self.decide(pending & !set, left & !(1 << ship), ready) {
                may = true;
                break;
            }
        }
        self.known.insert((pending, left), may);
        may
    }
}

/// The numbers of the ones, ascending.
fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros() as usize;
        (word != 0).then(|| {
            word &= word - 1;
            bit
        })
    })
}
