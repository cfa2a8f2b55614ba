//! A partial assignment of a formula with unit propagation, and a count of the literals of each clause.
//!
//! Each clause counts its true literals and those without a value. So after an assumption, all clauses that became
//! shorter are known, which watched literals would not show. The cost is linear in the occurrences of the assigned
//! literals.

use crate::proof::Formula;
use std::ops::Range;

/// The code of a literal: twice its variable's index, plus 1 if it is negated.
pub(super) type Code = u32;

/// The code of a DIMACS literal.
pub(super) fn code(lit: i32) -> Code {
    2 * (lit.unsigned_abs() - 1) + Code::from(lit < 0)
}

/// The number of literals of a clause that are true, and of those without a value.
#[derive(Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) holding: u32,
    pub(super) free: u32,
}

/// The clauses of a formula under an assignment.
pub(super) struct State {
    lits: Vec<Code>,
    /// For each clause, where its literals begin in `lits`. One more entry gives the end of the last clause.
    starts: Vec<usize>,
    /// For each literal, where its clauses begin in `occurrences`. One more entry gives the end.
    places: Vec<usize>,
    /// The clauses that contain each literal.
    occurrences: Vec<u32>,
    /// For each literal, whether it is true.
    holds: Vec<bool>,
    counts: Vec<Counts>,
    /// The true literals in the order in which they were assigned.
    trail: Vec<Code>,
    /// The number of literals, from the start of the trail, that the counts take into account.
    head: usize,
    /// Whether propagation without assumptions leads to a conflict.
    is_refuted: bool,
}

impl State {
    /// The clauses of a formula, except tautologies. A literal that occurs twice in a clause is kept once.
    /// The unit clauses are propagated.
    pub(super) fn new(formula: &Formula) -> Self {
        let n_lits = 2 * formula.n_vars().unsigned_abs() as usize;
        let (mut lits, mut starts) = (Vec::new(), vec![0]);
        for clause in formula.clauses() {
            let start = lits.len();
            let mut codes: Vec<Code> = clause.iter().map(|&lit| code(lit)).collect();
            codes.sort_unstable();
            codes.dedup();
            // The two literals of a variable have neighbouring codes.
            if codes.windows(2).any(|pair| pair[0] ^ 1 == pair[1]) {
                continue;
            }
            lits.extend(codes);
            debug_assert!(lits.len() >= start);
            starts.push(lits.len());
        }
        let mut places = vec![0; n_lits + 1];
        lits.iter().for_each(|&lit| places[lit as usize + 1] += 1);
        (0..n_lits).for_each(|lit| places[lit + 1] += places[lit]);
        let (mut next, mut occurrences) = (places.clone(), vec![0; lits.len()]);
        let counts: Vec<Counts> =
            starts.windows(2).map(|ends| Counts { holding: 0, free: (ends[1] - ends[0]) as u32 }).collect();
        for clause in 0..counts.len() {
            for &lit in &lits[starts[clause]..starts[clause + 1]] {
                occurrences[next[lit as usize]] = clause as u32;
                next[lit as usize] += 1;
            }
        }
        let mut state = State {
            lits,
            starts,
            places,
            occurrences,
            holds: vec![false; n_lits],
            counts,
            trail: Vec::new(),
            head: 0,
            is_refuted: false,
        };
        let short: Vec<usize> =
            (0..state.counts.len()).filter(|&clause| state.counts[clause].free <= 1).collect();
        for clause in short {
            match state.clause(clause) {
                [] => state.is_refuted = true,
                &[lit, ..] => state.is_refuted |= !state.assign(lit),
            }
        }
        state.is_refuted |= !state.propagate(&mut |_| {});
        state
    }

    fn clause(&self, clause: usize) -> &[Code] {
        &self.lits[self.starts[clause]..self.starts[clause + 1]]
    }

    fn clauses_of(&self, lit: Code) -> Range<usize> {
        self.places[lit as usize]..self.places[lit as usize + 1]
    }

    /// The counts of the clauses that contain a literal.
    pub(super) fn counts_of(&self, lit: Code) -> impl Iterator<Item = Counts> {
        self.occurrences[self.clauses_of(lit)].iter().map(|&clause| self.counts[clause as usize])
    }

    /// The counts of a clause.
    pub(super) fn counts(&self, clause: u32) -> Counts {
        self.counts[clause as usize]
    }

    /// The number of clauses.
    pub(super) fn n_clauses(&self) -> usize {
        self.counts.len()
    }

    /// Whether propagation without assumptions leads to a conflict.
    pub(super) fn is_refuted(&self) -> bool {
        self.is_refuted
    }

    /// Whether the variable of a literal has no value.
    pub(super) fn is_free(&self, lit: Code) -> bool {
        !self.holds[lit as usize] && !self.holds[(lit ^ 1) as usize]
    }

    /// The number of assigned variables, to be passed to [`State::back_to`].
    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Makes a literal true unless it is false. Returns whether it is true now.
    fn assign(&mut self, lit: Code) -> bool {
        if self.is_free(lit) {
            self.holds[lit as usize] = true;
            self.trail.push(lit);
        }
        self.holds[lit as usize]
    }

    /// Assumes a literal and propagates. Returns whether there is no conflict. Calls `shortened` for a clause each time
    /// that it loses a literal while none of its literals counts as true. Some of these clauses may have become true
    /// by the end.
    pub(super) fn assume(&mut self, lit: Code, shortened: &mut dyn FnMut(u32)) -> bool {
        self.assign(lit) && self.propagate(shortened)
    }

    fn propagate(&mut self, shortened: &mut dyn FnMut(u32)) -> bool {
        let mut is_consistent = true;
        while let (true, Some(&lit)) = (is_consistent, self.trail.get(self.head)) {
            self.head += 1;
            for at in self.clauses_of(lit) {
                let counts = &mut self.counts[self.occurrences[at] as usize];
                counts.holding += 1;
                counts.free -= 1;
            }
            // All counts are updated even after a conflict, so that they can be restored.
            for at in self.clauses_of(lit ^ 1) {
                let clause = self.occurrences[at];
                let counts = &mut self.counts[clause as usize];
                counts.free -= 1;
                let Counts { holding: 0, free } = *counts else { continue };
                shortened(clause);
                match free {
                    0 => is_consistent = false,
                    1 => {
                        // Its last literal may be false already, but not counted yet. Then the conflict is found later.
                        let last =
                            self.clause(clause as usize).iter().copied().find(|&lit| self.is_free(lit));
                        last.into_iter().for_each(|lit| {
                            self.assign(lit);
                        });
                    }
                    _ => {}
                }
            }
        }
        is_consistent
    }

    /// Withdraws all assignments since a mark.
    pub(super) fn back_to(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let Some(lit) = self.trail.pop() else { break };
            self.holds[lit as usize] = false;
            if self.trail.len() >= self.head {
                continue;
            }
            self.head = self.trail.len();
            for at in self.clauses_of(lit) {
                let counts = &mut self.counts[self.occurrences[at] as usize];
                counts.holding -= 1;
                counts.free += 1;
            }
            for at in self.clauses_of(lit ^ 1) {
                self.counts[self.occurrences[at] as usize].free += 1;
            }
        }
    }
}
