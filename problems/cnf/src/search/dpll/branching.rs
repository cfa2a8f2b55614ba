//! Chooses the variable on which `dpll` branches.

use super::{Store, TRUE, UNASSIGNED};
use std::cmp::Reverse;

/// A node reads constraints until it has read at least this number of literals and found one constraint that does not
/// hold yet. Random 3-SAT formulas at the threshold with up to 1,280 variables are shorter, so they are read whole.
const MAX_READ: usize = 1 << 14;

/// By number r of unassigned literals, up to 12: the weight 5^-r of a clause, times 5^12.
const CLAUSE: [u64; 13] = weights(1);
/// By number r of unassigned variables, up to 12: the weight 2^(r-2) 5^-r that a parity adds to each literal, times
/// 5^12. A parity stands for 2^(r-1) clauses, and each literal occurs in half of them.
const PARITY: [u64; 13] = weights(2);

/// At index r: 5^(12-r) times `factor`^(r-2); 0 for r < 2.
const fn weights(factor: u64) -> [u64; 13] {
    let mut weights = [0; 13];
    let mut r = 2;
    while r <= 12 {
        weights[r] = 5u64.pow(12 - r as u32) * factor.pow(r as u32 - 2);
        r += 1;
    }
    weights
}

pub(super) struct Branching {
    /// All constraints, as positions in the [`Store`]. Those at index `open` or later hold under every extension of the
    /// current assignment: a clause has a true literal, or all variables of a parity are assigned.
    constraints: Vec<u32>,
    pub(super) open: usize,
    /// By variable: the sums of the weights of its two literals; 0 between calls.
    score: Vec<[u64; 2]>,
    /// The variables with positive scores.
    scored: Vec<u32>,
    /// The unassigned literals of one constraint; a buffer.
    unassigned: Vec<u32>,
}

impl Branching {
    pub(super) fn new(n_vars: usize) -> Self {
        let [constraints, scored, unassigned] = [const { Vec::new() }; 3];
        Branching { constraints, open: 0, score: vec![[0; 2]; n_vars], scored, unassigned }
    }

    pub(super) fn add(&mut self, constraint: u32) {
        self.constraints.push(constraint);
        self.open += 1;
    }

    /// The literal to make true next, after unit propagation; `None` if all constraints hold.
    pub(super) fn choose(&mut self, store: &Store, value: &[i8]) -> Option<u32> {
        let (mut read, mut i) = (0, 0);
        while i < self.open && (read < MAX_READ || i == 0) {
            let at = self.constraints[i];
            read += store.lits(at).len();
            if self.weigh(store, at, value) {
                i += 1;
            } else {
                // The constraint holds until the latest branch is undone. Then the caller restores `open`.
                self.open -= 1;
                self.constraints.swap(i, self.open);
            }
        }
        let weight = |var: u32| self.score[var as usize].iter().sum::<u64>();
        let best = self.scored.iter().copied().max_by_key(|&var| (weight(var), Reverse(var)));
        let chosen = best.map(|var| {
            let [positive, negative] = self.score[var as usize];
            2 * var + u32::from(negative > positive)
        });
        self.scored.drain(..).for_each(|var| self.score[var as usize] = [0; 2]);
        chosen
    }

    /// Adds the weight of an open constraint to its unassigned literals. Returns `false` if it is not open.
    fn weigh(&mut self, store: &Store, at: u32, value: &[i8]) -> bool {
        let is_parity = store.is_parity(at);
        self.unassigned.clear();
        for &lit in store.lits(at) {
            match value[lit as usize] {
                UNASSIGNED => self.unassigned.push(lit),
                TRUE if !is_parity => return false,
                _ => {}
            }
        }
        let r = self.unassigned.len().min(12);
        for &lit in &self.unassigned {
            let score = &mut self.score[lit as usize / 2];
            if *score == [0, 0] {
                self.scored.push(lit / 2);
            }
            if is_parity {
                *score = score.map(|sum| sum + PARITY[r]);
            } else {
                score[lit as usize % 2] += CLAUSE[r];
            }
        }
        r > 0
    }
}
