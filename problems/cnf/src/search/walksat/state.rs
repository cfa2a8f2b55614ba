//! An assignment of all variables, with the violated constraints and the break counts of the variables.
//!
//! If the parities are short, a flip takes time proportional to the number of constraints in which the variable occurs.
//! For this, each clause stores how many of its literals are true, and the exclusive or of these literals. If
//! only one literal is true, this exclusive or is the literal itself.

use crate::Formula;
use crate::search::constraints::{Constraint, Variables};
use chacha20::ChaCha8Rng;
use counterpoint_core::engine::{Budget, Limit};
use rand::RngExt;

/// Lists of numbers, one after another in a single list.
struct Lists {
    items: Vec<u32>,
    /// List i ends before position `ends[i]`.
    ends: Vec<u32>,
}

impl Lists {
    fn new() -> Self {
        Lists { items: Vec::new(), ends: Vec::new() }
    }

    fn push(&mut self, list: impl IntoIterator<Item = u32>) {
        self.items.extend(list);
        self.ends.push(self.items.len() as u32);
    }

    #[inline]
    fn range(&self, i: usize) -> std::ops::Range<usize> {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        start as usize..self.ends[i] as usize
    }

    #[inline]
    fn get(&self, i: usize) -> &[u32] {
        &self.items[self.range(i)]
    }

    /// For each of the numbers below `n`, the lists in which it occurs.
    fn inverse(&self, n: usize) -> Lists {
        let mut ends = vec![0; n];
        self.items.iter().for_each(|&item| ends[item as usize] += 1);
        let mut sum = 0;
        for end in &mut ends {
            sum += std::mem::replace(end, sum);
        }
        // `ends[i]` is now the start of list i. The loop below moves it to the end of the list.
        let mut items = vec![0; self.items.len()];
        for i in 0..self.ends.len() {
            for &item in self.get(i) {
                let end = &mut ends[item as usize];
                items[*end as usize] = i as u32;
                *end += 1;
            }
        }
        Lists { items, ends }
    }
}

/// The position of a constraint that is not violated.
const NOWHERE: u32 = u32::MAX;

/// The violated constraints in any order.
struct Violated {
    list: Vec<u32>,
    /// By constraint: its position in the list, or [`NOWHERE`].
    position: Vec<u32>,
}

impl Violated {
    fn insert(&mut self, constraint: u32) {
        self.position[constraint as usize] = self.list.len() as u32;
        self.list.push(constraint);
    }

    fn remove(&mut self, constraint: u32) {
        let position = std::mem::replace(&mut self.position[constraint as usize], NOWHERE);
        self.list.swap_remove(position as usize);
        if let Some(&moved) = self.list.get(position as usize) {
            self.position[moved as usize] = position;
        }
    }

    fn contains(&self, constraint: u32) -> bool {
        self.position[constraint as usize] != NOWHERE
    }
}

/// The true literals of a clause.
#[derive(Clone, Copy, Default)]
struct True {
    count: u32,
    /// Exclusive or of these literals. If `count` is 1, this is the only true literal.
    xor: u32,
}

/// The state of a try. Constraints are numbered: first the clauses, then the parities.
pub(super) struct State {
    /// By literal.
    value: Vec<bool>,
    clauses: Lists,
    /// The literals of each parity, an odd number of which must be true.
    parities: Lists,
    /// By literal: the clauses in which it occurs.
    in_clauses: Lists,
    /// By literal: the parities in which it occurs, counted from 0.
    in_parities: Lists,
    true_lits: Vec<True>,
    violated: Violated,
    /// By variable: the number of constraints that hold and would be violated if the variable were flipped.
    breaks: Vec<u32>,
    /// Whether a constraint has no literals, so that it cannot hold.
    pub(super) has_empty: bool,
    /// The variables with the least break count; a buffer for [`State::choose`].
    least: Vec<u32>,
}

impl State {
    pub(super) fn new(formula: &Formula, variables: &Variables, budget: &Budget) -> Result<Self, Limit> {
        let (mut clauses, mut parities) = (Lists::new(), Lists::new());
        let mut has_empty = false;
        variables.constraints(formula, budget, |constraint| {
            let (lists, lits) = match constraint {
                Constraint::Clause(lits) => (&mut clauses, lits),
                Constraint::Odd(lits) => (&mut parities, lits),
            };
            has_empty |= lits.is_empty();
            lists.push(lits.iter().copied());
        })?;
        let n = variables.count();
        let n_constraints = clauses.ends.len() + parities.ends.len();
        Ok(State {
            value: vec![false; 2 * n],
            in_clauses: clauses.inverse(2 * n),
            in_parities: parities.inverse(2 * n),
            true_lits: vec![True::default(); clauses.ends.len()],
            violated: Violated { list: Vec::new(), position: vec![NOWHERE; n_constraints] },
            breaks: vec![0; n],
            clauses,
            parities,
            has_empty,
            least: Vec::new(),
        })
    }

    /// Assigns each variable the next value of `random`.
    pub(super) fn start(&mut self, mut random: impl FnMut() -> bool) {
        for pair in self.value.chunks_exact_mut(2) {
            pair[0] = random();
            pair[1] = !pair[0];
        }
        self.violated.list.clear();
        self.violated.position.fill(NOWHERE);
        self.breaks.fill(0);
        for i in 0..self.true_lits.len() {
            let is_true = |lit: &&u32| self.value[**lit as usize];
            let add = |sum: True, &lit: &u32| True { count: sum.count + 1, xor: sum.xor ^ lit };
            let found = self.clauses.get(i).iter().filter(is_true).fold(True::default(), add);
            self.true_lits[i] = found;
            match found.count {
                0 => self.violated.insert(i as u32),
                1 => self.breaks[found.xor as usize / 2] += 1,
                _ => {}
            }
        }
        for i in 0..self.parities.ends.len() {
            let lits = self.parities.get(i);
            if lits.iter().filter(|&&lit| self.value[lit as usize]).count() % 2 == 1 {
                lits.iter().for_each(|lit| self.breaks[*lit as usize / 2] += 1);
            } else {
                self.violated.insert((self.true_lits.len() + i) as u32);
            }
        }
    }

    pub(super) fn is_model(&self) -> bool {
        self.violated.list.is_empty()
    }

    pub(super) fn value(&self, var: usize) -> bool {
        self.value[2 * var]
    }

    /// The variable to flip next; `None` if no constraint is violated.
    pub(super) fn choose(&mut self, rng: &mut ChaCha8Rng) -> Option<u32> {
        let violated = &self.violated.list;
        let constraint = *violated.get(pick(violated.len(), rng))? as usize;
        let lits = match constraint.checked_sub(self.true_lits.len()) {
            None => self.clauses.get(constraint),
            Some(parity) => self.parities.get(parity),
        };
        let mut fewest = u32::MAX;
        for &lit in lits {
            let breaks = self.breaks[lit as usize / 2];
            if breaks < fewest {
                fewest = breaks;
                self.least.clear();
            }
            if breaks == fewest {
                self.least.push(lit / 2);
            }
        }
        let is_noise = fewest > 0 && rng.random();
        Some(if is_noise { lits[pick(lits.len(), rng)] / 2 } else { self.least[pick(self.least.len(), rng)] })
    }

    pub(super) fn flip(&mut self, var: u32) {
        let State { value, in_clauses, true_lits, violated, breaks, .. } = self;
        let lit = 2 * var + u32::from(value[2 * var as usize]);
        // `lit` becomes true.
        value[lit as usize] = true;
        value[lit as usize ^ 1] = false;
        for &clause in in_clauses.get(lit as usize) {
            let now = &mut true_lits[clause as usize];
            match now.count {
                0 => {
                    violated.remove(clause);
                    breaks[var as usize] += 1;
                }
                1 => breaks[now.xor as usize / 2] -= 1,
                _ => {}
            }
            *now = True { count: now.count + 1, xor: now.xor ^ lit };
        }
        for &clause in in_clauses.get(lit as usize ^ 1) {
            let now = &mut true_lits[clause as usize];
            *now = True { count: now.count - 1, xor: now.xor ^ lit ^ 1 };
            match now.count {
                0 => {
                    violated.insert(clause);
                    breaks[var as usize] -= 1;
                }
                1 => breaks[now.xor as usize / 2] += 1,
                _ => {}
            }
        }
        for lit in [lit, lit ^ 1] {
            for &parity in self.in_parities.get(lit as usize) {
                let constraint = self.true_lits.len() as u32 + parity;
                let lits = self.parities.get(parity as usize);
                if self.violated.contains(constraint) {
                    self.violated.remove(constraint);
                    lits.iter().for_each(|lit| self.breaks[*lit as usize / 2] += 1);
                } else {
                    self.violated.insert(constraint);
                    lits.iter().for_each(|lit| self.breaks[*lit as usize / 2] -= 1);
                }
            }
        }
    }
}

/// A random number below `n`; 0 if `n` is 0.
#[inline]
fn pick(n: usize, rng: &mut ChaCha8Rng) -> usize {
    if n == 0 { 0 } else { rng.random_range(0..n as u32) as usize }
}
