//! A bound for `cover`: can the remaining ships cover the pending hits if ships may overlap?
//!
//! The relaxation ignores all squares but the hits. Each remaining ship chooses one of the sets of hits that its
//! placements cover; only inclusion-maximal sets matter. So the relaxation is a set cover problem with one set per
//! ship. The search branches on the hit with the fewest sets, and keeps a memo table of pairs (pending hits, remaining
//! ships). It prunes by two bounds that `cover` uses, too: if no two of several hits fit under one ship, each of
//! these hits needs a ship of its own; and the ships cannot cover more hits than each of them at most, added up.

use super::mask::members;
use counterpoint_core::board::ones;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// Maximum number of pairs in the memo table. When it is full, pairs that are not in it are no longer pruned.
const MAX_KNOWN: usize = 1 << 18;

/// The relaxation of one board. Hits are numbered in ascending order of their cells, and a set of hits is a word.
pub(super) struct Relaxed {
    /// For each cell up to the last hit, the number of the hit on it; 0 for cells without a hit.
    numbers: Vec<u32>,
    /// For each hit, pairs of a ship and one of this ship's maximal sets that contain the hit, large sets first.
    choices: Vec<Vec<(usize, u64)>>,
    /// For each ship, its maximal sets, the largest first.
    of_ship: Vec<Vec<u64>>,
    /// For each hit and each ship, the number of pairs in `choices`.
    counts: Vec<[u16; 32]>,
    /// For each hit, all hits that one ship can cover together with it, and the hit itself.
    reach: Vec<u64>,
    /// The memo table: whether the hits of a key can be covered by its ships.
    known: FxHashMap<(u64, u32), bool>,
}

impl Relaxed {
    /// Maximum number of hits, which is the number of bits in a word.
    pub(super) const MAX_HITS: usize = 64;

    /// `hits` are cells, ascending. `sets` are all pairs of a ship and the hits under one of its placements.
    pub(super) fn new(
        hits: Vec<usize>,
        sets: impl Iterator<Item = (usize, impl Iterator<Item = usize>)>,
    ) -> Self {
        debug_assert!(hits.len() <= Self::MAX_HITS);
        let n = hits.len();
        let mut numbers = vec![0; hits.last().map_or(0, |last| last + 1)];
        hits.iter().zip(0..).for_each(|(&cell, number)| numbers[cell] = number);
        let mut relaxed = Relaxed {
            numbers,
            choices: vec![Vec::new(); n],
            of_ship: vec![Vec::new(); 32],
            counts: vec![[0; 32]; n],
            reach: (0..n).map(|hit| 1 << hit).collect(),
            known: FxHashMap::default(),
        };
        let mut sets: Vec<_> = sets.map(|(ship, cells)| (ship, relaxed.word(cells))).collect();
        sets.sort_unstable_by_key(|&(ship, set)| (Reverse(set.count_ones()), ship, set));
        sets.dedup();
        for (ship, set) in sets {
            let own = &mut relaxed.of_ship[ship];
            if !own.iter().any(|larger| set & !larger == 0) {
                own.push(set);
            }
            for hit in ones(set) {
                let choices = &mut relaxed.choices[hit];
                if !choices.iter().any(|&(s, larger)| s == ship && set & !larger == 0) {
                    choices.push((ship, set));
                    relaxed.counts[hit][ship] += 1;
                    relaxed.reach[hit] |= set;
                }
            }
        }
        relaxed
    }

    /// The hits on these cells, as a word.
    fn word(&self, cells: impl Iterator<Item = usize>) -> u64 {
        cells.fold(0, |word, cell| word | 1 << self.numbers[cell])
    }

    /// False only if the ships `remaining` cannot cover the hits on the cells `pending`. `ready` returns those of the
    /// remaining ships that may be placed next: of equal ships only the first.
    pub(super) fn may_cover(
        &mut self,
        pending: impl Iterator<Item = usize>,
        remaining: u32,
        ready: &dyn Fn(u32) -> u32,
    ) -> bool {
        self.decide(self.word(pending), remaining, ready)
    }

    /// True if a greedy choice of hits, no two of which fit under one ship, outnumbers the ships.
    fn are_apart(&self, mut pending: u64, remaining: u32) -> bool {
        let mut ships = remaining.count_ones();
        while pending != 0 {
            if ships == 0 {
                return true;
            }
            ships -= 1;
            pending &= !self.reach[pending.trailing_zeros() as usize];
        }
        false
    }

    /// True if there are more hits than the ships can cover if each covers as many of them as it can.
    fn are_too_many(&self, pending: u64, remaining: u32) -> bool {
        let mut left = pending.count_ones();
        for ship in members(remaining) {
            let mut max = 0;
            for set in &self.of_ship[ship] {
                if set.count_ones() <= max {
                    break;
                }
                max = max.max((set & pending).count_ones());
            }
            left = left.saturating_sub(max);
            if left == 0 {
                return false;
            }
        }
        true
    }

    fn decide(&mut self, pending: u64, remaining: u32, ready: &dyn Fn(u32) -> u32) -> bool {
        if pending == 0 {
            return true;
        }
        if self.are_apart(pending, remaining) {
            return false;
        }
        if let Some(&known) = self.known.get(&(pending, remaining)) {
            return known;
        }
        if self.are_too_many(pending, remaining) {
            return false;
        }
        if self.known.len() >= MAX_KNOWN {
            return true;
        }
        let usable = ready(remaining);
        let count = |&hit: &usize| members(usable).map(|ship| self.counts[hit][ship]).sum::<u16>();
        let Some(hit) = ones(pending).min_by_key(count) else { return true };
        let mut may = false;
        for next in 0..self.choices[hit].len() {
            let (ship, set) = self.choices[hit][next];
            if usable >> ship & 1 == 1 && self.decide(pending & !set, remaining & !(1 << ship), ready) {
                may = true;
                break;
            }
        }
        self.known.insert((pending, remaining), may);
        may
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chacha20::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    /// The definition: each ship takes any one of its sets, or none.
    fn covers(sets: &[Vec<u64>], pending: u64, left: u32) -> bool {
        let Some(ship) = (0..sets.len()).find(|s| left >> s & 1 == 1) else { return pending == 0 };
        let rest = left & !(1 << ship);
        covers(sets, pending, rest) || sets[ship].iter().any(|set| covers(sets, pending & !set, rest))
    }

    #[test]
    fn the_bound_is_a_set_cover_by_ships() {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        // Hit i lies on cell 3 i + 1. Ships 2 and 3 are equal, so 2 is placed before 3.
        let cell = |hit: usize| 3 * hit + 1;
        let ready = |left: u32| if left >> 2 & 1 == 1 { left & !(1 << 3) } else { left };
        for _ in 0..200 {
            let mut sets: Vec<Vec<u64>> = (0..3)
                .map(|_| (0..rng.random_range(0..5)).map(|_| rng.random_range(0..128)).collect())
                .collect();
            sets.push(sets[2].clone());
            let pairs =
                sets.iter().enumerate().flat_map(|(ship, sets)| sets.iter().map(move |&set| (ship, set)));
            let mut relaxed = Relaxed::new(
                (0..7).map(cell).collect(),
                pairs.map(|(ship, set)| (ship, ones(set).map(cell))),
            );
            for pending in 0..128 {
                for left in (0..16).filter(|left| left >> 3 & 1 == 1 || left >> 2 & 1 == 0) {
                    let may = relaxed.may_cover(ones(pending).map(cell), left, &ready);
                    assert_eq!(may, covers(&sets, pending, left), "{sets:?} {pending:b} {left:b}");
                }
            }
        }
    }
}
