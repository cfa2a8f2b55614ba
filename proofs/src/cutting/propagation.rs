//! Unit propagation over linear inequalities, by counters.
//!
//! The *slack* of an inequality is the sum of the factors of its literals that are not false, minus its degree. If the
//! slack is negative, the inequality is violated. A literal whose factor exceeds the slack must be true. The slack of an
//! inequality changes only when one of its literals becomes false.
//!
//! Literals that follow without any assumption stay assigned. As in the checker for DRAT, an inequality that was the
//! reason of such a literal is never removed, so assigned literals always follow from the inequalities that are left.

use super::inequality::{Inequality, Overflow, Term};
use crate::growth::push;
use crate::meter::Meter;
use crate::variables::Code;
use counterpoint_base::budget::Limit;

/// The index of an inequality in the order in which they were added.
pub(super) type Index = u32;

struct Entry {
    inequality: Inequality,
    slack: i128,
    /// The largest factor.
    largest: i128,
    /// Whether a literal that stays assigned follows from it.
    is_reason: bool,
}

/// The active inequalities.
#[derive(Default)]
pub(super) struct Propagator {
    /// Each inequality; `None` if it was removed.
    entries: Vec<Option<Entry>>,
    /// For each literal, the inequalities that contain it, with the position of its term.
    occurrences: Vec<Vec<(Index, u32)>>,
    /// The number of occurrences, and how many of them belong to removed inequalities.
    occurring: usize,
    dead: usize,
    /// For each literal, whether it is assigned true.
    is_true: Vec<bool>,
    trail: Vec<Code>,
    /// Inequalities whose slack fell below their largest factor.
    pending: Vec<Index>,
    /// Whether propagation without assumptions violates an inequality.
    refuted: bool,
    propagations: u64,
    /// Counts the terms and occurrences that are visited.
    meter: Meter,
}

/// The state to which [`Propagator::retract`] returns.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    trail: usize,
    entries: usize,
}

impl Propagator {
    pub(super) fn with_meter(meter: Meter) -> Self {
        Propagator { meter, ..Self::default() }
    }

    /// The limit that the meter reached.
    pub(super) fn limit(&self) -> Option<Limit> {
        self.meter.limit()
    }

    /// Whether propagation without assumptions violates an inequality.
    pub(super) fn refuted(&self) -> bool {
        self.refuted
    }

    pub(super) fn propagations(&self) -> u64 {
        self.propagations
    }

    pub(super) fn get(&self, index: Index) -> Option<&Inequality> {
        self.entries.get(index as usize)?.as_ref().map(|entry| &entry.inequality)
    }

    /// The indices of the active inequalities.
    pub(super) fn active(&self) -> impl Iterator<Item = Index> {
        (0..).zip(&self.entries).filter(|(_, entry)| entry.is_some()).map(|(index, _)| index)
    }

    /// Adds an inequality for good.
    pub(super) fn add(&mut self, inequality: Inequality) -> Result<Index, Overflow> {
        let index = self.insert(inequality)?;
        if !self.refuted && self.propagate(true) {
            self.refuted = true;
        }
        self.pending.clear();
        Ok(index)
    }

    /// Assumes an inequality. Returns whether propagation then violates one. [`retract`](Self::retract) ends the
    /// assumption.
    pub(super) fn assume(&mut self, inequality: Inequality) -> Result<(Mark, bool), Overflow> {
        let mark = Mark { trail: self.trail.len(), entries: self.entries.len() };
        self.insert(inequality)?;
        let conflict = self.refuted || self.propagate(false);
        self.pending.clear();
        Ok((mark, conflict))
    }

    /// Ends the assumptions that were made since `mark`.
    pub(super) fn retract(&mut self, mark: Mark) {
        while self.trail.len() > mark.trail {
            let Some(lit) = self.trail.pop() else { break };
            self.is_true[lit as usize] = false;
            for &(index, at) in &self.occurrences[lit as usize ^ 1] {
                if let Some(entry) = &mut self.entries[index as usize] {
                    entry.slack += entry.inequality.terms()[at as usize].factor;
                }
            }
        }
        while self.entries.len() > mark.entries {
            let Some(Some(entry)) = self.entries.pop() else { continue };
            for term in entry.inequality.terms() {
                self.occurrences[term.lit as usize].pop();
            }
            self.occurring -= entry.inequality.terms().len();
        }
    }

    /// Removes an inequality, unless a literal that stays assigned follows from it. Returns the number of its terms if
    /// it was removed.
    pub(super) fn remove(&mut self, index: Index) -> Option<usize> {
        let entry = &mut self.entries[index as usize];
        let removed = entry.take_if(|entry| !entry.is_reason)?.inequality.terms().len();
        self.dead += removed;
        if self.dead > self.occurring / 2 + 1024 {
            let entries = &self.entries;
            self.occurrences.iter_mut().for_each(|list| list.retain(|&(i, _)| entries[i as usize].is_some()));
            self.occurring -= self.dead;
            self.dead = 0;
        }
        Some(removed)
    }

    /// Stores an inequality and computes its slack.
    fn insert(&mut self, inequality: Inequality) -> Result<Index, Overflow> {
        let terms = inequality.terms();
        self.meter.spend(terms.len());
        if let Some(last) = terms.last() {
            let codes = (last.lit as usize | 1) + 1;
            if self.is_true.len() < codes {
                self.is_true.resize(codes, false);
                self.occurrences.resize_with(codes, Vec::new);
            }
        }
        let (mut sum, mut largest, mut is_false) = (0i128, 0, 0i128);
        for &Term { lit, factor } in terms {
            sum = sum.checked_add(factor).ok_or(Overflow)?;
            largest = largest.max(factor);
            if self.is_true[lit as usize ^ 1] {
                is_false += factor;
            }
        }
        // Slacks stay between the negated degree and this number.
        let slack = sum.checked_sub(inequality.degree()).ok_or(Overflow)?;
        inequality.degree().checked_neg().ok_or(Overflow)?;
        let index = self.entries.len() as Index;
        for (at, term) in (0..).zip(terms) {
            push(&mut self.occurrences[term.lit as usize], (index, at));
        }
        self.occurring += terms.len();
        let slack = slack - is_false;
        // A violated inequality, too, because `largest` is not negative.
        if slack < largest {
            self.pending.push(index);
        }
        push(&mut self.entries, Some(Entry { inequality, slack, largest, is_reason: false }));
        Ok(index)
    }

    /// Propagates until nothing more follows or a limit is reached. Returns whether an inequality is violated.
    fn propagate(&mut self, permanently: bool) -> bool {
        while !self.meter.is_stopped()
            && let Some(index) = self.pending.pop()
        {
            let Some(Some(entry)) = self.entries.get_mut(index as usize) else { continue };
            let (slack, length) = (entry.slack, entry.inequality.terms().len());
            self.meter.spend(length);
            if slack < 0 {
                // The violated inequality need not be kept, because `add` records a permanent conflict in `refuted`.
                return true;
            }
            for at in 0..length {
                let Some(Some(entry)) = self.entries.get_mut(index as usize) else { break };
                let Term { lit, factor } = entry.inequality.terms()[at];
                if factor > slack && !self.is_true[lit as usize] && !self.is_true[lit as usize ^ 1] {
                    entry.is_reason |= permanently;
                    if self.assign(lit) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Makes a literal true. Returns whether that violates an inequality. Such a violation is found here rather than in
    /// `propagate`, because most steps of real proofs need only a few assignments if the first violation ends them.
    fn assign(&mut self, lit: Code) -> bool {
        let mut is_violated = false;
        self.propagations += 1;
        self.is_true[lit as usize] = true;
        push(&mut self.trail, lit);
        self.meter.spend(self.occurrences[lit as usize ^ 1].len());
        for &(index, at) in &self.occurrences[lit as usize ^ 1] {
            let Some(entry) = &mut self.entries[index as usize] else { continue };
            entry.slack -= entry.inequality.terms()[at as usize].factor;
            is_violated |= entry.slack < 0;
            if entry.slack < entry.largest {
                self.pending.push(index);
            }
        }
        is_violated
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot continue must panic")]

    use super::*;

    fn at_least(degree: i128, lits: &[Code]) -> Inequality {
        Inequality::new(lits.iter().map(|&lit| (1, lit)).collect(), degree).unwrap()
    }

    fn occurring(propagator: &Propagator) -> usize {
        propagator.occurrences.iter().map(Vec::len).sum()
    }

    #[test]
    fn removed_inequalities_leave_the_lists() {
        let mut propagator = Propagator::default();
        let kept = propagator.add(at_least(1, &[0, 2, 4])).unwrap();
        let mut most = 0;
        for _ in 0..3_000 {
            let index = propagator.add(at_least(1, &[1, 2, 6])).unwrap();
            let (mark, conflict) = propagator.assume(at_least(1, &[0, 7])).unwrap();
            propagator.retract(mark);
            assert!(!conflict && propagator.occurring == occurring(&propagator));
            assert_eq!((propagator.remove(index), propagator.get(index)), (Some(3), None));
            most = most.max(propagator.occurring);
        }
        // All but three are dead: the lists are cleaned when more than half of them and 1024 are.
        assert_eq!(most, 2052);
        assert_eq!(propagator.active().collect::<Vec<_>>(), [kept]);
    }

    #[test]
    fn reasons_of_lasting_assignments_stay() {
        let mut propagator = Propagator::default();
        let reason = propagator.add(at_least(1, &[0])).unwrap();
        let other = propagator.add(at_least(1, &[0, 2])).unwrap();
        assert_eq!((propagator.remove(reason), propagator.remove(other)), (None, Some(2)));
        assert!(propagator.get(reason).is_some());
        let (mark, conflict) = propagator.assume(at_least(1, &[1])).unwrap();
        propagator.retract(mark);
        assert!(conflict && !propagator.refuted());
        assert_eq!(propagator.propagations(), 1);
        propagator.add(at_least(2, &[1, 4])).unwrap();
        assert!(propagator.refuted());
    }
}
