//! Clauses alive with unit propagation over them, two watched literals a clause.
//!
//! What follows from the clauses alone stays assigned for good; an assumption on top of it is taken
//! back. A clause that is, or may be, the reason of a literal that stays is never removed: see
//! [`Clauses::remove`]. M. Moskewicz and others, *Chaff*, DAC 2001; the second literal beside a watch
//! is from N. Eén and N. Sörensson's MiniSat.

use crate::room::{NONE, extend, fill, push};
use crate::variables::Code;

#[derive(Clone, Copy)]
struct Span {
    /// Where its literals start; the first two are watched.
    start: usize,
    /// Their number; 0 once removed.
    len: u32,
    /// The clause before in the same bucket.
    before: u32,
}

#[derive(Clone, Copy)]
struct Watch {
    clause: u32,
    /// Some other literal: while it holds, the clause need not be looked at.
    other: Code,
}

#[derive(Default)]
pub(crate) struct Clauses {
    lits: Vec<Code>,
    spans: Vec<Span>,
    /// By the literals' hash, the last clause with it; a power of two, not fewer than clauses.
    buckets: Vec<u32>,
    /// For each literal, which of `lists` it has; most literals of long clauses have none.
    list_of: Vec<u32>,
    /// The clauses that watch a literal.
    lists: Vec<Vec<Watch>>,
    /// Whether each literal holds.
    holds: Vec<bool>,
    trail: Vec<Code>,
    /// How much of the trail was propagated.
    head: usize,
    refuted: bool,
    propagations: u64,
}

/// A hash that does not depend on the order.
fn hash(lits: &[Code]) -> u64 {
    let (mut sum, mut product, mut xor) = (0u64, 1u64, 0u64);
    for &lit in lits {
        sum = sum.wrapping_add(u64::from(lit));
        product = product.wrapping_mul(2 * u64::from(lit) + 1);
        xor ^= u64::from(lit);
    }
    sum.wrapping_mul(1023).wrapping_add(product) ^ xor.wrapping_mul(31)
}

/// Sorts and drops what stands twice; true if no literal meets its negation.
pub(crate) fn normalize(lits: &mut Vec<Code>) -> bool {
    lits.sort_unstable();
    lits.dedup();
    lits.windows(2).all(|pair| pair[0] ^ 1 != pair[1])
}

impl Clauses {
    /// The clauses alive are contradictory by unit propagation.
    pub(crate) fn refuted(&self) -> bool {
        self.refuted
    }

    /// Literals propagated so far.
    pub(crate) fn propagations(&self) -> u64 {
        self.propagations
    }

    /// Numbers of the clauses alive.
    pub(crate) fn alive(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.spans.len() as u32).filter(|&clause| self.spans[clause as usize].len > 0)
    }

    /// The literals of a clause, in no particular order; none once it was removed.
    pub(crate) fn lits(&self, clause: u32) -> &[Code] {
        let Span { start, len, .. } = self.spans[clause as usize];
        &self.lits[start..start + len as usize]
    }

    pub(crate) fn is_true(&self, lit: Code) -> bool {
        self.holds[lit as usize]
    }

    /// Makes room for these literals.
    pub(crate) fn reserve(&mut self, lits: &[Code]) {
        let most = lits.iter().map(|&lit| (lit | 1) as usize + 1).max().unwrap_or(0);
        fill(&mut self.holds, most, false);
        fill(&mut self.list_of, most, NONE);
    }

    fn watch(&mut self, lit: Code, watch: Watch) {
        let list = &mut self.list_of[lit as usize];
        if *list == NONE {
            *list = self.lists.len() as u32;
            push(&mut self.lists, Vec::with_capacity(1));
        }
        self.lists[*list as usize].push(watch);
    }

    /// Where the last clause with these literals' hash is noted; there are buckets.
    fn bucket(&self, lits: &[Code]) -> usize {
        let bits = self.buckets.len().trailing_zeros();
        // The upper bits of a product depend on all bits (Knuth, TAOCP 6.4).
        hash(lits).wrapping_mul(0x9e37_79b9_7f4a_7c15).unbounded_shr(u64::BITS - bits) as usize
    }

    /// Notes a clause by its hash; all are noted anew where there are more than buckets.
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

    fn assign(&mut self, lit: Code) {
        self.holds[lit as usize] = true;
        push(&mut self.trail, lit);
    }

    /// Adds a clause of distinct literals for good, propagates what follows, and tells its number.
    pub(crate) fn add(&mut self, lits: &[Code]) -> u32 {
        self.reserve(lits);
        let clause = self.spans.len() as u32;
        let start = self.lits.len();
        extend(&mut self.lits, lits);
        push(&mut self.spans, Span { start, len: lits.len() as u32, before: NONE });
        self.note(clause);
        // Literals that are not false come first, so that the watches are sound.
        let mut free = 0;
        for i in start..self.lits.len() {
            if !self.is_true(self.lits[i] ^ 1) {
                self.lits.swap(start + free, i);
                free += 1;
            }
        }
        if let [first, second, ..] = self.lits[start..] {
            self.watch(first, Watch { clause, other: second });
            self.watch(second, Watch { clause, other: first });
        }
        match free {
            0 => self.refuted = true,
            1 if !self.is_true(self.lits[start]) => self.assign(self.lits[start]),
            _ => {}
        }
        self.refuted = self.refuted || self.propagate();
        clause
    }

    /// Removes one copy of a clause, if there is one with two literals that are not false. One with
    /// fewer may be the reason of a literal that holds, and stays.
    pub(crate) fn remove(&mut self, lits: &[Code]) {
        if self.buckets.is_empty() {
            return;
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
            return;
        }
        let before = self.spans[clause as usize].before;
        if later == NONE {
            self.buckets[bucket] = before;
        } else {
            self.spans[later as usize].before = before;
        }
        // Lists of watches drop it when they next come to it.
        self.spans[clause as usize].len = 0;
    }

    /// Where assumptions made from now on begin.
    pub(crate) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes back all assumptions since `mark`, with what followed.
    pub(crate) fn back_to(&mut self, mark: usize) {
        for lit in self.trail.drain(mark..) {
            self.holds[lit as usize] = false;
        }
        self.head = mark;
    }

    /// Assumes all of `lits` false and propagates; true on a conflict.
    pub(crate) fn deny(&mut self, lits: impl IntoIterator<Item = Code>) -> bool {
        for lit in lits {
            if self.is_true(lit) {
                return true;
            }
            if !self.is_true(lit ^ 1) {
                self.assign(lit ^ 1);
            }
        }
        self.propagate()
    }

    /// Propagates the trail to its end; true on a conflict.
    fn propagate(&mut self) -> bool {
        while let Some(&lit) = self.trail.get(self.head) {
            let falsified = lit ^ 1;
            self.head += 1;
            self.propagations += 1;
            let list = self.list_of[falsified as usize];
            if list == NONE {
                continue;
            }
            let mut watching = std::mem::take(&mut self.lists[list as usize]);
            let (mut kept, mut conflict) = (0, false);
            for i in 0..watching.len() {
                let watch = watching[i];
                let stays = match conflict || self.is_true(watch.other) {
                    true => Some(watch),
                    false => self.visit(watch.clause, falsified, &mut conflict),
                };
                if let Some(watch) = stays {
                    watching[kept] = watch;
                    kept += 1;
                }
            }
            watching.truncate(kept);
            // A visit never adds to the list taken out: no clause watches a false literal anew.
            self.lists[list as usize] = watching;
            if conflict {
                return true;
            }
        }
        false
    }

    /// Looks at a clause one of whose watches became false; `None` if it now watches another literal
    /// or was removed.
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
        let watch = Watch { clause, other };
        if self.holds[other as usize] {
            return Some(watch);
        }
        if let Some(k) = (2..lits.len()).find(|&k| !self.holds[(lits[k] ^ 1) as usize]) {
            lits.swap(1, k);
            let lit = lits[1];
            self.watch(lit, watch);
            return None;
        }
        if self.holds[(other ^ 1) as usize] {
            *conflict = true;
        } else {
            self.assign(other);
        }
        Some(watch)
    }
}
