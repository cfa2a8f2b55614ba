//! Explains why sets are lost: which sets each miss leaves, and why these are lost with one fewer miss.
//!
//! If no miss is left, any two sets are lost. Otherwise, a family of at least two sets is lost if every shot that
//! distinguishes some of them leaves, after a miss, sets that are lost with one fewer miss. By the fact *safe choice*
//! (see `lib.rs`), every lost family has a *kernel*, a subfamily to which this argument applies.

use counterpoint_core::board::Cell;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A subfamily: bit i stands for the set with number i.
type Mask = u128;
/// Maximum number of sets that are explained.
const MAX_SETS: usize = Mask::BITS as usize;
/// Maximum number of steps of an explanation.
const MAX_STEPS: usize = 12;
/// Maximum number of entries in the memo table.
const MAX_KNOWN: usize = 1 << 14;

/// Some sets, and what each miss leaves of them. Sets are numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Number of misses that are left.
    pub misses: u32,
    /// The sets, ascending.
    pub sets: Vec<usize>,
    /// All squares that distinguish some of these sets, grouped by the sets that lack them.
    pub shots: Vec<Shots>,
}

/// The squares that the same sets lack. A miss at any of them leaves these sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shots {
    /// The squares, ascending.
    pub cells: Vec<Cell>,
    /// The sets that lack them, ascending. With one miss left, there are at least two; with more misses left, they
    /// include all sets of a later step, if later steps are listed.
    pub lacking: Vec<usize>,
}

/// The kernel of lost sets. A shot is safe if the sets that its miss leaves are won with one fewer miss. The kernel is
/// found by repeatedly removing these sets. All sets together are lost, so the sets that a hit leaves must be lost.
pub fn kernel(sets: &[Vec<Cell>], misses: u32) -> Vec<Vec<Cell>> {
    let kernel = if misses == 1 { peeled(sets) } else { hit(sets, misses) };
    // Sets that are won have no kernel, so they are returned unchanged.
    if kernel.len() > 1 { kernel } else { sets.to_vec() }
}

/// The kernel for one miss, for any number of sets.
fn peeled(sets: &[Vec<Cell>]) -> Vec<Vec<Cell>> {
    let mut sets = sets.to_vec();
    while let Some(alone) = sole_lacking(&sets) {
        sets.remove(alone);
    }
    sets
}

/// The kernel for any number of misses. More than [`MAX_SETS`] sets are returned unchanged.
fn hit(sets: &[Vec<Cell>], misses: u32) -> Vec<Vec<Cell>> {
    let Some((family, mut left)) = Family::of(sets).filter(|_| misses > 0) else { return sets.to_vec() };
    let mut known = FxHashMap::default();
    loop {
        let safe = family
            .lacking(left)
            .into_iter()
            .find(|&part| family.is_lost(part, misses - 1, &mut known) == Some(false));
        let Some(safe) = safe else { break };
        left &= !safe;
    }
    family.numbers(left).map(|i| sets[i].clone()).collect()
}

/// The index of a set that is the only one to lack some square; `None` if there is no such set.
fn sole_lacking(sets: &[Vec<Cell>]) -> Option<usize> {
    let mut lacked: BTreeMap<Cell, Vec<usize>> = BTreeMap::new();
    for cell in sets.iter().flatten() {
        lacked
            .entry(*cell)
            .or_insert_with(|| (0..sets.len()).filter(|&i| sets[i].binary_search(cell).is_err()).collect());
    }
    lacked.into_values().find(|by| by.len() == 1).map(|by| by[0])
}

/// The steps that explain why a kernel is lost. The first step is about all its sets. Only this step is returned if
/// there would be more than `MAX_STEPS` steps, or if the memo table is full. Returns `None` if no miss is allowed, if
/// the sets are won, or if a limit is reached before this is decided.
pub fn steps(sets: &[Vec<Cell>], misses: u32) -> Option<Vec<Step>> {
    let (family, all) = Family::of(sets).filter(|_| misses > 0)?;
    let mut known = FxHashMap::default();
    if !family.is_lost(all, misses, &mut known)? {
        return None;
    }
    let mut asked = vec![(all, misses)];
    let mut at = 0;
    while let Some(&(sets, misses)) = asked.get(at) {
        for left in family.lacking(sets).into_iter().filter(|_| misses > 1) {
            let covers = |&(other, n): &(Mask, u32)| n == misses - 1 && other & !left == 0;
            if !asked.iter().any(covers) {
                // If the memo table is full, `left` will do, because only the first step is kept.
                let lost = family.shrink(left, misses - 1, &mut known).unwrap_or(left);
                asked.push((lost, misses - 1));
            }
        }
        at += 1;
        if asked.len() > MAX_STEPS || known.len() == MAX_KNOWN {
            asked.truncate(1);
            break;
        }
    }
    // Steps with more misses come first.
    asked.sort_by_key(|&(_, misses)| std::cmp::Reverse(misses));
    Some(asked.into_iter().map(|(sets, misses)| family.step(sets, misses)).collect())
}

struct Family {
    /// Each square that some sets contain and others lack, with a mask of the sets that lack it.
    lacked: Vec<(Cell, Mask)>,
}

impl Family {
    /// The family and the mask of all its sets; `None` if there is no set, or more than [`MAX_SETS`].
    fn of(sets: &[Vec<Cell>]) -> Option<(Family, Mask)> {
        if sets.is_empty() || sets.len() > MAX_SETS {
            return None;
        }
        let all = Mask::MAX >> (MAX_SETS - sets.len());
        let mut held: BTreeMap<Cell, Mask> = BTreeMap::new();
        for (i, set) in sets.iter().enumerate() {
            set.iter().for_each(|&cell| *held.entry(cell).or_default() |= 1 << i);
        }
        let lacked = held.into_iter().map(|(cell, by)| (cell, all & !by)).filter(|(_, by)| *by != 0);
        Some((Family { lacked: lacked.collect() }, all))
    }

    /// For all squares that distinguish some of the sets, the distinct subsets that a miss leaves, smallest first.
    fn lacking(&self, sets: Mask) -> Vec<Mask> {
        let mut parts: Vec<Mask> =
            self.lacked.iter().map(|(_, by)| by & sets).filter(|&part| part != 0 && part != sets).collect();
        parts.sort_unstable_by_key(|&part| (part.count_ones(), part));
        parts.dedup();
        parts
    }

    /// True if the sets are lost; `None` if the memo table is full.
    fn is_lost(&self, sets: Mask, misses: u32, known: &mut FxHashMap<(Mask, u32), bool>) -> Option<bool> {
        if misses == 0 || sets.count_ones() <= misses + 1 {
            return Some(misses == 0 && sets.count_ones() > 1);
        }
        if let Some(&lost) = known.get(&(sets, misses)) {
            return Some(lost);
        }
        if known.len() == MAX_KNOWN {
            return None;
        }
        let mut left = sets;
        let lost = loop {
            let mut safe = None;
            for part in self.lacking(left) {
                if !self.is_lost(part, misses - 1, known)? {
                    safe = Some(part);
                    break;
                }
            }
            match safe {
                Some(part) => left &= !part,
                None => break left.count_ones() > 1,
            }
        };
        known.insert((sets, misses), lost);
        Some(lost)
    }

    /// A minimal lost subset of lost sets; `None` if the memo table is full.
    fn shrink(&self, mut sets: Mask, misses: u32, known: &mut FxHashMap<(Mask, u32), bool>) -> Option<Mask> {
        for i in self.numbers(sets) {
            let fewer = sets & !(1 << i);
            if self.is_lost(fewer, misses, known)? {
                sets = fewer;
            }
        }
        Some(sets)
    }

    fn numbers(&self, sets: Mask) -> impl Iterator<Item = usize> + use<> {
        (0..MAX_SETS).filter(move |i| sets >> i & 1 == 1)
    }

    fn step(&self, sets: Mask, misses: u32) -> Step {
        let mut groups: Vec<(Vec<Cell>, Mask)> = Vec::new();
        for &(cell, by) in &self.lacked {
            let part = by & sets;
            if part == 0 || part == sets {
                continue;
            }
            match groups.iter_mut().find(|(_, other)| *other == part) {
                Some((cells, _)) => cells.push(cell),
                None => groups.push((vec![cell], part)),
            }
        }
        // Squares that few sets lack look safest, so they come first.
        groups.sort_by_key(|(cells, part)| (part.count_ones(), cells.first().copied()));
        let shots =
            groups.into_iter().map(|(cells, part)| Shots { cells, lacking: self.numbers(part).collect() });
        Step { misses, sets: self.numbers(sets).collect(), shots: shots.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(cells: &[u32]) -> Vec<Cell> {
        cells.iter().map(|&col| Cell::new(0, col)).collect()
    }

    #[test]
    fn a_sunflower_is_explained_step_by_step() {
        // Four sets that share square 0: with two misses, the first miss leaves three of them, and the second leaves
        // two.
        let sets: Vec<_> = (1..5).map(|i| set(&[0, i])).collect();
        assert_eq!(kernel(&sets, 2), sets);
        let steps = steps(&sets, 2).unwrap_or_default();
        assert_eq!(steps.len(), 5);
        assert_eq!((steps[0].misses, steps[0].sets.len(), steps[0].shots.len()), (2, 4, 4));
        assert!(steps[1..].iter().all(|step| step.misses == 1 && step.sets.len() == 3));
        assert!(steps[1..].iter().flat_map(|step| &step.shots).all(|shots| shots.lacking.len() == 2));
    }

    #[test]
    fn only_the_first_of_many_steps_is_returned() {
        let sets: Vec<_> = (1..9).map(|i| set(&[0, i])).collect();
        let steps = steps(&sets, 5).unwrap_or_default();
        assert_eq!(steps.iter().map(|step| (step.misses, step.shots.len())).collect::<Vec<_>>(), [(5, 8)]);
    }

    #[test]
    fn sets_that_a_safe_shot_separates_are_removed() {
        // Only the last set lacks square 9, so a shot there is safe.
        let mut sets: Vec<_> = (1..4).map(|i| set(&[i, 9])).collect();
        sets.push(set(&[4, 5]));
        assert_eq!(kernel(&sets, 1), sets[..3]);
        assert_eq!(steps(&sets[..3], 1).map(|steps| steps.len()), Some(1));
        // With two misses, the four sets are won.
        assert_eq!((kernel(&sets, 2), steps(&sets, 2)), (sets, None));
    }

    #[test]
    fn without_misses_or_with_too_many_sets_there_are_no_steps() {
        let sets: Vec<_> = (0..200).map(|i| set(&[i])).collect();
        assert_eq!((steps(&sets[..2], 0), steps(&sets, 2)), (None, None));
        assert_eq!(kernel(&sets, 2), sets);
    }
}
