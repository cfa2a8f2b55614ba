//! The clauses of a formula and its proof, with unit propagation by two watched literals.
//!
//! # Assignment
//! The trail begins with the literals that unit propagation derives from the clauses alone. They stay assigned for
//! good. Assumptions are made on top of them: [`Clauses::mark`] remembers the length of the trail, [`Clauses::deny`]
//! assumes the negations of literals and propagates, and [`Clauses::back_to`] unassigns everything behind the mark.
//! Marks may be nested. Clauses are added and removed only while there are no assumptions.
//!
//! # Watched literals
//! A clause of two or more literals watches its first two. Each watch also stores a *blocking literal*,
//! some other literal of the clause: while that one is true, the clause need not be visited. (M. Moskewicz
//! and others, *Chaff*, DAC 2001; blocking literals as in N. Eén and N. Sörensson's MiniSat.)
//!
//! Invariant, whenever propagation has ended without a conflict: if a watched literal is false, the clause has a true
//! literal, and every `back_to` that unassigns the true literal also unassigns the false one. So propagation misses no
//! clause that is unit or false.
//!
//! * `assign` breaks the invariant: a watched literal may become false. `propagate` restores it by visiting
//!   the watch list of each newly false literal. `visit` moves the watch to a literal that is not false, or
//!   else assigns the other watched literal or reports a conflict.
//! * A conflict leaves the rest of the trail unpropagated. Under assumptions, `back_to` removes this rest. Without
//!   assumptions, the formula is refuted, and nothing more is propagated.
//! * `back_to` keeps the invariant: if it unassigns the true literal, it also unassigns the false watched literal.
//! * `add` puts literals that are not false first. If there is only one such literal, `add` assigns it. So a new
//!   clause satisfies the invariant.
//!
//! # Deletion
//! [`Clauses::remove`] finds a clause through a hash table whose hash does not depend on the order of literals. The
//! clause is marked as removed (length 0); `visit` then drops it from the watch lists. A list whose first clause leads
//! to a conflict is not visited to its end, so `sweep` drops removed clauses when there are many. A clause with fewer
//! than two literals that are not false is never removed, because it may be the reason of a literal that stays assigned.
//! DRAT-trim ignores such deletions by default, too.

#[cfg(test)]
mod tests;

use crate::growth::{NONE, extend, fill, push};
use crate::meter::Meter;
use crate::variables::Code;
use counterpoint_base::budget::Limit;
use counterpoint_base::keyed::Keys;

#[derive(Clone, Copy)]
struct Span {
    /// The index of the clause's first literal in `lits`. The first two literals are watched.
    start: usize,
    /// The number of literals; 0 after the clause was removed.
    len: u32,
    /// The previous clause in the same hash bucket, or `NONE`.
    before: u32,
}

#[derive(Clone, Copy)]
struct Watch {
    clause: u32,
    /// The blocking literal: while it is true, the clause need not be visited.
    blocker: Code,
}

/// Is told why literals are assigned and why there is a conflict. The checkers need no reasons and use `()`.
pub(crate) trait Reasons: Default {
    /// `lit` becomes true, because all other literals of `clause` are false; `NONE` if it is an assumption.
    fn assigned(&mut self, _lit: Code, _clause: u32) {}

    /// There is a conflict.
    fn conflict(&mut self, _with: Conflict) {}
}

impl Reasons for () {}

/// What a conflict is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conflict {
    /// All literals of this clause are false.
    Clause(u32),
    /// This literal is true, and was to be assumed false.
    Literal(Code),
}

#[derive(Default)]
pub(crate) struct Clauses<R = ()> {
    lits: Vec<Code>,
    spans: Vec<Span>,
    /// For each hash bucket, the clause that was entered last, or `NONE`. The number of buckets is a power of two and
    /// not less than the number of clauses.
    buckets: Vec<u32>,
    /// What the hashes depend on.
    keys: Keys,
    /// For each literal, the index of its watch list in `lists`, or `NONE`. Most literals of long clauses are never
    /// watched, so they have no list.
    list_of: Vec<u32>,
    /// The watch lists.
    lists: Vec<Vec<Watch>>,
    /// For each literal, whether it is true.
    holds: Vec<bool>,
    /// The number of removed clauses, and how many of them may still be in watch lists.
    removed: usize,
    unswept: usize,
    /// The true literals, in the order of assignment.
    trail: Vec<Code>,
    /// The number of literals of the trail that were propagated.
    head: usize,
    refuted: bool,
    propagations: u64,
    /// Counts the literals and watches that are visited.
    meter: Meter,
    reasons: R,
}

/// A hash of the set of literals: it does not depend on their order. It is the sum of the keyed hashes of the literals,
/// so nobody who writes a proof knows which clauses share a bucket.
fn hash(keys: Keys, lits: &[Code]) -> u64 {
    lits.iter().fold(0, |sum, &lit| sum.wrapping_add(keys.of_number(lit.into())))
}

/// Sorts literals and removes duplicates. Returns false for a tautology, which has a literal and its negation.
pub(crate) fn normalize(lits: &mut Vec<Code>) -> bool {
    lits.sort_unstable();
    lits.dedup();
    lits.windows(2).all(|pair| pair[0] ^ 1 != pair[1])
}

impl<R: Reasons> Clauses<R> {
    /// Whether unit propagation without assumptions has found a conflict.
    pub(crate) fn refuted(&self) -> bool {
        self.refuted
    }

    pub(crate) fn with_meter(meter: Meter) -> Self {
        Clauses { meter, ..Self::default() }
    }

    /// The limit that the meter reached.
    pub(crate) fn limit(&self) -> Option<Limit> {
        self.meter.limit()
    }

    /// The number of literals propagated so far.
    pub(crate) fn propagations(&self) -> u64 {
        self.propagations
    }

    /// The numbers of the active clauses: those that were not removed.
    pub(crate) fn active(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.spans.len() as u32).filter(|&clause| self.spans[clause as usize].len > 0)
    }

    /// The true literals, in the order of assignment.
    pub(crate) fn trail(&self) -> &[Code] {
        &self.trail
    }

    pub(crate) fn reasons(&self) -> &R {
        &self.reasons
    }

    /// The literals of a clause, in no particular order; empty after it was removed.
    pub(crate) fn lits(&self, clause: u32) -> &[Code] {
        let Span { start, len, .. } = self.spans[clause as usize];
        &self.lits[start..start + len as usize]
    }

    pub(crate) fn is_true(&self, lit: Code) -> bool {
        self.holds[lit as usize]
    }

    /// Grows the tables that are indexed by literal, so that these literals fit.
    pub(crate) fn reserve(&mut self, lits: &[Code]) {
        let len = lits.iter().map(|&lit| (lit | 1) as usize + 1).max().unwrap_or(0);
        fill(&mut self.holds, len, false);
        fill(&mut self.list_of, len, NONE);
    }

    fn watch(&mut self, lit: Code, watch: Watch) {
        let list = &mut self.list_of[lit as usize];
        if *list == NONE {
            *list = self.lists.len() as u32;
            push(&mut self.lists, Vec::with_capacity(1));
        }
        self.lists[*list as usize].push(watch);
    }

    /// The hash bucket of a clause. `buckets` must not be empty.
    fn bucket(&self, lits: &[Code]) -> usize {
        let bits = self.buckets.len().trailing_zeros();
        hash(self.keys, lits).unbounded_shr(u64::BITS - bits) as usize
    }

    /// Enters a clause into the hash table, which is rebuilt if it has fewer buckets than there are clauses.
    fn note(&mut self, clause: u32) {
        let first = match self.spans.len() > self.buckets.len() {
            true => {
                self.buckets = vec![NONE; self.spans.len().next_power_of_two().max(16)];
                0
            }
            false => clause,
        };
        for clause in first..=clause {
            if self.spans[clause as usize].len > 0 {
                let bucket = self.bucket(self.lits(clause));
                self.spans[clause as usize].before = self.buckets[bucket];
                self.buckets[bucket] = clause;
            }
        }
    }

    fn assign(&mut self, lit: Code, reason: u32) {
        self.reasons.assigned(lit, reason);
        self.holds[lit as usize] = true;
        push(&mut self.trail, lit);
    }

    /// Adds a clause of distinct literals, propagates, and returns its number. There must be no assumptions.
    pub(crate) fn add(&mut self, lits: &[Code]) -> u32 {
        self.reserve(lits);
        let clause = self.spans.len() as u32;
        let start = self.lits.len();
        extend(&mut self.lits, lits);
        push(&mut self.spans, Span { start, len: lits.len() as u32, before: NONE });
        self.note(clause);
        // Literals that are not false come first, so that they are watched.
        let mut free = 0;
        for i in start..self.lits.len() {
            if !self.is_true(self.lits[i] ^ 1) {
                self.lits.swap(start + free, i);
                free += 1;
            }
        }
        if let [first, second, ..] = self.lits[start..] {
            self.watch(first, Watch { clause, blocker: second });
            self.watch(second, Watch { clause, blocker: first });
        }
        match free {
            0 => {
                self.reasons.conflict(Conflict::Clause(clause));
                self.refuted = true;
            }
            1 if !self.is_true(self.lits[start]) => self.assign(self.lits[start], clause),
            _ => {}
        }
        self.meter.spend(lits.len());
        self.refuted = self.refuted || self.propagate();
        clause
    }

    /// Removes one copy of a clause, given by its sorted literals, and returns its number. Does nothing if there is no
    /// such clause, or if fewer than two of its literals are not false. In the latter case, the clause may be the reason
    /// of an assigned literal.
    pub(crate) fn remove(&mut self, lits: &[Code]) -> Option<u32> {
        if self.buckets.is_empty() {
            return None;
        }
        let bucket = self.bucket(lits);
        let (mut later, mut clause) = (NONE, self.buckets[bucket]);
        let mut sorted = Vec::new();
        while clause != NONE {
            sorted.clear();
            if self.lits(clause).len() == lits.len() {
                sorted.extend_from_slice(self.lits(clause));
                sorted.sort_unstable();
                if sorted == lits {
                    break;
                }
            }
            (later, clause) = (clause, self.spans[clause as usize].before);
        }
        if clause == NONE || lits.iter().filter(|&&lit| !self.is_true(lit ^ 1)).count() <= 1 {
            return None;
        }
        let before = self.spans[clause as usize].before;
        if later == NONE {
            self.buckets[bucket] = before;
        } else {
            self.spans[later as usize].before = before;
        }
        self.spans[clause as usize].len = 0;
        self.sweep();
        Some(clause)
    }

    /// Counts a removed clause. If there are as many as active clauses and lists, drops them from the watch lists.
    fn sweep(&mut self) {
        (self.removed, self.unswept) = (self.removed + 1, self.unswept + 1);
        if self.unswept > self.spans.len() - self.removed + self.lists.len() + 1024 {
            self.unswept = 0;
            let spans = &self.spans;
            self.lists.iter_mut().for_each(|list| list.retain(|watch| spans[watch.clause as usize].len > 0));
        }
    }

    /// The length of the trail, to be passed to [`Clauses::back_to`]. The trail must be propagated to its end.
    pub(crate) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Unassigns all literals assigned since `mark`: assumptions and what was propagated from them.
    pub(crate) fn back_to(&mut self, mark: usize) {
        for lit in self.trail.drain(mark..) {
            self.holds[lit as usize] = false;
        }
        self.head = mark;
    }

    /// Assumes that all of `lits` are false, and propagates. Returns whether there is a conflict.
    pub(crate) fn deny(&mut self, lits: impl IntoIterator<Item = Code>) -> bool {
        for lit in lits {
            if self.is_true(lit) {
                self.reasons.conflict(Conflict::Literal(lit));
                return true;
            }
            if !self.is_true(lit ^ 1) {
                self.assign(lit ^ 1, NONE);
            }
        }
        self.propagate()
    }

    /// Propagates the trail to its end, to a conflict or to a limit. Returns whether there is a conflict.
    fn propagate(&mut self) -> bool {
        while !self.meter.is_stopped()
            && let Some(&lit) = self.trail.get(self.head)
        {
            let falsified = lit ^ 1;
            self.head += 1;
            self.propagations += 1;
            let list = self.list_of[falsified as usize];
            if list == NONE {
                continue;
            }
            let mut watching = std::mem::take(&mut self.lists[list as usize]);
            self.meter.spend(watching.len());
            let (mut kept, mut conflict) = (0, false);
            for i in 0..watching.len() {
                let watch = watching[i];
                let stays = match conflict || self.is_true(watch.blocker) {
                    true => Some(watch),
                    false => self.visit(watch.clause, falsified, &mut conflict),
                };
                if let Some(watch) = stays {
                    watching[kept] = watch;
                    kept += 1;
                }
            }
            watching.truncate(kept);
            // Nothing was added to this list meanwhile, because watches move to literals that are not false.
            self.lists[list as usize] = watching;
            if conflict {
                return true;
            }
        }
        false
    }

    /// Visits a clause one of whose watched literals became false. Returns its watch, or `None` if the clause now
    /// watches another literal or was removed.
    fn visit(&mut self, clause: u32, falsified: Code, conflict: &mut bool) -> Option<Watch> {
        let Span { start, len, .. } = self.spans[clause as usize];
        let lits = &mut self.lits[start..start + len as usize];
        if lits.is_empty() {
            return None;
        }
        if lits[0] == falsified {
            lits.swap(0, 1);
        }
        let other = lits[0];
        let watch = Watch { clause, blocker: other };
        if self.holds[other as usize] {
            return Some(watch);
        }
        let free = (2..lits.len()).find(|&k| !self.holds[(lits[k] ^ 1) as usize]);
        self.meter.spend(free.unwrap_or(lits.len()));
        if let Some(k) = free {
            lits.swap(1, k);
            let lit = lits[1];
            self.watch(lit, watch);
            return None;
        }
        if self.holds[(other ^ 1) as usize] {
            *conflict = true;
            self.reasons.conflict(Conflict::Clause(clause));
        } else {
            self.assign(other, clause);
        }
        Some(watch)
    }
}
