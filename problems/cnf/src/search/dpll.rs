//! The engine `dpll`: depth-first search with unit propagation and chronological backtracking (Davis, Logemann and
//! Loveland, CACM 1962). It learns nothing, so it is the baseline against which clause learning is measured.
//!
//! Two literals of each clause are watched (Moskewicz et al., DAC 2001): a clause is visited only when a
//! watched literal becomes false. Backtracking does not change the watches. Each watch also stores another
//! literal of its clause, the blocker; while the blocker is true, the clause need not be read (Eén and
//! Sörensson, MiniSat 2.2). Two variables of each parity constraint are watched, and the constraint is
//! visited whenever one of them is assigned. The search for a new literal to watch resumes where the last
//! such search in the constraint ended, so that a long constraint is not read from its start again and again along one
//! path of the search tree (Gent, JAIR 2013).
//!
//! # Branching
//! The branching rule is the two-sided rule of Jeroslow and Wang (Hooker and Vinay, *Branching rules for
//! satisfiability*, JAR 1995), applied to the current formula. Each constraint that does not hold yet adds a weight to
//! each of its unassigned literals. The search branches on the variable whose two literals have the greatest sum of
//! weights, and tries the heavier literal first. Ties go to the lower variable and to true, so node counts are
//! reproducible. The weight of a clause with r unassigned literals is 5^-r: on random 3-SAT with 150 variables, 2^-r
//! needs 1.7 times as many nodes. A parity of r unassigned variables counts as the 2^(r-1) clauses that it
//! stands for. A node stops computing weights after it has read about `MAX_READ` literals. So on long
//! formulas, only the first constraints that do not hold yet contribute.
//!
//! A node is a partial assignment on which unit propagation runs: the root and each branch. Memory is linear in the
//! length of the formula.

mod branching;

use super::constraints::{self, Constraint, Variables};
use crate::Formula;
use branching::Branching;
use counterpoint_core::engine::{Budget, Limit};
use counterpoint_core::errors::Unsupported;

/// Number of watches visited from one test of the limits to the next.
const POLL_EVERY: usize = 1 << 20;

/// Accepts a formula unless it is too long for positions of 32 bits.
///
/// # Errors
/// Returns why the formula is not supported.
pub fn supports(formula: &Formula) -> Result<(), Unsupported> {
    constraints::supports(formula)
}

/// Searches for a model of a formula that [`supports`] accepts. `None` means that there is none.
///
/// # Errors
/// Returns the limit that was reached.
pub fn dpll(formula: &Formula, budget: &mut Budget) -> Result<Option<Vec<bool>>, Limit> {
    let variables = Variables::new(formula);
    let mut search = Search::new(formula, &variables, budget)?;
    let found = search.run(budget);
    budget.work.propagations += search.propagations;
    Ok(found?.then(|| variables.model(|var| search.value[2 * var] == TRUE)))
}

const TRUE: i8 = 1;
const FALSE: i8 = -1;
const UNASSIGNED: i8 = 0;

/// A clause in which a literal is watched.
#[derive(Clone, Copy)]
struct Watch {
    clause: u32,
    /// Another literal of the clause.
    blocker: u32,
}

/// A branch that the search has taken and not left yet.
struct Level {
    /// The position of the branching literal in the trail.
    trail: usize,
    /// The value of [`Branching::open`] when this literal was chosen.
    open: usize,
    /// Whether the other branch has been refuted.
    is_second: bool,
}

struct Search {
    /// By literal.
    value: Vec<i8>,
    constraints: Store,
    /// By literal: the clauses in which it is watched.
    watches: Vec<Vec<Watch>>,
    /// By variable: the parities in which it is watched. Empty if the formula has no parities.
    parity_watches: Vec<Vec<u32>>,
    /// The true literals in the order of their assignment.
    trail: Vec<u32>,
    /// Number of literals of the trail that have been propagated.
    propagated: usize,
    levels: Vec<Level>,
    branching: Branching,
    /// Whether a constraint has no literals, or two unit constraints contradict each other.
    is_refuted: bool,
    propagations: u64,
    /// Watches visited since the last test of the limits.
    visits: usize,
}

/// The constraints of at least two literals, in one list of words: first the clauses, then the parities. A constraint
/// is identified by the position of its first word. Its words are its length, the position at which the last
/// search for a literal to watch ended, and its literals. The first two literals are watched.
struct Store {
    words: Vec<u32>,
    first_parity: usize,
}

impl Store {
    fn is_parity(&self, at: u32) -> bool {
        at as usize >= self.first_parity
    }

    fn lits(&self, at: u32) -> &[u32] {
        let start = at as usize + 2;
        &self.words[start..start + self.words[at as usize] as usize]
    }

    /// Looks for a literal, from the third one on, that `is_free` accepts. If there is one, exchanges it with the
    /// second literal and returns it.
    #[inline]
    fn replace_second(&mut self, at: u32, is_free: impl Fn(u32) -> bool) -> Option<u32> {
        let (head, rest) = self.words[at as usize..].split_at_mut(2);
        let lits = &mut rest[..head[0] as usize];
        let from = head[1] as usize;
        let found = (from..lits.len()).chain(2..from).find(|&i| is_free(lits[i]))?;
        head[1] = found as u32;
        lits.swap(1, found);
        Some(lits[1])
    }
}

impl Search {
    /// Stores the constraints, and assigns the literals of those that have only one.
    fn new(formula: &Formula, variables: &Variables, budget: &Budget) -> Result<Self, Limit> {
        let n = variables.count();
        let mut search = Search {
            value: vec![UNASSIGNED; 2 * n],
            constraints: Store { words: Vec::new(), first_parity: usize::MAX },
            watches: vec![Vec::new(); 2 * n],
            parity_watches: vec![Vec::new(); if formula.parities.is_empty() { 0 } else { n }],
            trail: Vec::new(),
            propagated: 0,
            levels: Vec::new(),
            branching: Branching::new(n),
            is_refuted: false,
            propagations: 0,
            visits: 0,
        };
        variables.constraints(formula, budget, |constraint| search.add(&constraint))?;
        Ok(search)
    }

    fn add(&mut self, constraint: &Constraint<'_>) {
        let Store { words, first_parity } = &mut self.constraints;
        let at = words.len() as u32;
        let (Constraint::Clause(lits) | Constraint::Odd(lits)) = *constraint;
        let (first, second) = match *lits {
            [] => {
                self.is_refuted = true;
                return;
            }
            [unit] => {
                match self.value[unit as usize] {
                    FALSE => self.is_refuted = true,
                    UNASSIGNED => self.assign(unit),
                    _ => {}
                }
                return;
            }
            [first, second, ..] => (first, second),
        };
        words.extend([lits.len() as u32, 2]);
        words.extend(lits);
        match constraint {
            Constraint::Clause(_) => {
                self.watches[first as usize].push(Watch { clause: at, blocker: second });
                self.watches[second as usize].push(Watch { clause: at, blocker: first });
            }
            Constraint::Odd(_) => {
                *first_parity = (*first_parity).min(at as usize);
                self.parity_watches[first as usize / 2].push(at);
                self.parity_watches[second as usize / 2].push(at);
            }
        }
        self.branching.add(at);
    }

    /// Whether there is a model. If there is, the trail is one; unassigned variables may have any value.
    fn run(&mut self, budget: &mut Budget) -> Result<bool, Limit> {
        budget.node()?;
        if self.is_refuted || !self.propagate(budget)? {
            return Ok(false);
        }
        while let Some(lit) = self.branching.choose(&self.constraints, &self.value) {
            let level = Level { trail: self.trail.len(), open: self.branching.open, is_second: false };
            self.branch(lit, level, budget)?;
            while !self.propagate(budget)? {
                let Some((lit, level)) = self.backtrack() else { return Ok(false) };
                self.branch(lit, level, budget)?;
            }
        }
        Ok(true)
    }

    fn branch(&mut self, lit: u32, level: Level, budget: &mut Budget) -> Result<(), Limit> {
        budget.node()?;
        self.levels.push(level);
        self.assign(lit);
        Ok(())
    }

    /// Undoes levels up to the last one that has another branch. Returns that branch; `None` if there is none.
    fn backtrack(&mut self) -> Option<(u32, Level)> {
        loop {
            let level = self.levels.pop()?;
            let lit = self.trail[level.trail];
            for lit in self.trail.drain(level.trail..) {
                self.value[lit as usize] = UNASSIGNED;
                self.value[lit as usize ^ 1] = UNASSIGNED;
            }
            self.propagated = level.trail;
            self.branching.open = level.open;
            if !level.is_second {
                return Some((lit ^ 1, Level { is_second: true, ..level }));
            }
        }
    }

    #[inline]
    fn assign(&mut self, lit: u32) {
        self.value[lit as usize] = TRUE;
        self.value[lit as usize ^ 1] = FALSE;
        self.trail.push(lit);
    }

    /// Assigns all literals that unit propagation implies. Returns `false` if a constraint is violated.
    fn propagate(&mut self, budget: &Budget) -> Result<bool, Limit> {
        while let Some(&lit) = self.trail.get(self.propagated) {
            self.propagated += 1;
            self.propagations += 1;
            if !self.visit_clauses(lit ^ 1) || !self.visit_parities(lit) {
                return Ok(false);
            }
            if self.visits >= POLL_EVERY {
                self.visits = 0;
                budget.poll()?;
            }
        }
        Ok(true)
    }

    /// Visits the clauses in which the false literal `lit` is watched. Returns `false` if one of them is violated.
    fn visit_clauses(&mut self, lit: u32) -> bool {
        let mut watches = std::mem::take(&mut self.watches[lit as usize]);
        self.visits += watches.len();
        let mut is_violated = false;
        // `watches[..kept]` stay; `watches[kept..next]` have moved to other literals.
        let (mut kept, mut next) = (0, 0);
        while let Some(&watch) = watches.get(next) {
            next += 1;
            if self.value[watch.blocker as usize] == TRUE {
                watches[kept] = watch;
                kept += 1;
                continue;
            }
            let start = watch.clause as usize + 2;
            let watched = &mut self.constraints.words[start..start + 2];
            if watched[0] == lit {
                watched.swap(0, 1);
            }
            let other = watched[0];
            let watch = Watch { blocker: other, ..watch };
            if self.value[other as usize] != TRUE {
                let value = &self.value;
                let moved = self.constraints.replace_second(watch.clause, |l| value[l as usize] != FALSE);
                if let Some(moved) = moved {
                    self.watches[moved as usize].push(watch);
                    continue;
                }
            }
            watches[kept] = watch;
            kept += 1;
            match self.value[other as usize] {
                UNASSIGNED => self.assign(other),
                FALSE => {
                    is_violated = true;
                    break;
                }
                _ => {}
            }
        }
        watches.copy_within(next.., kept);
        watches.truncate(watches.len() - (next - kept));
        self.watches[lit as usize] = watches;
        !is_violated
    }

    /// Visits the parities in which the variable of `lit` is watched. Returns `false` if one of them is violated.
    fn visit_parities(&mut self, lit: u32) -> bool {
        let var = lit as usize / 2;
        let Some(watches) = self.parity_watches.get_mut(var) else { return true };
        let mut watches = std::mem::take(watches);
        self.visits += watches.len();
        let mut is_violated = false;
        watches.retain(|&at| {
            let start = at as usize + 2;
            let watched = &mut self.constraints.words[start..start + 2];
            if watched[0] as usize / 2 == var {
                watched.swap(0, 1);
            }
            let other = watched[0];
            let value = &self.value;
            if let Some(moved) = self.constraints.replace_second(at, |l| value[l as usize] == UNASSIGNED) {
                self.parity_watches[moved as usize / 2].push(at);
                return false;
            }
            let rest = &self.constraints.lits(at)[1..];
            let is_rest_odd = rest.iter().filter(|&&l| value[l as usize] == TRUE).count() % 2 == 1;
            match value[other as usize] {
                UNASSIGNED => self.assign(other ^ u32::from(is_rest_odd)),
                value => is_violated |= (value == TRUE) == is_rest_odd,
            }
            true
        });
        self.parity_watches[var] = watches;
        !is_violated
    }
}
