//! The constraints of a formula in a simple form: each variable occurs at most once in a constraint.
//!
//! Variables and literals are numbers here: variable v has the literals 2v (true) and 2v + 1 (false), so `lit ^ 1` is
//! the negation of `lit`.

use crate::Formula;
use counterpoint_core::engine::{Budget, Limit};
use counterpoint_core::errors::Unsupported;

/// Numbers of constraints and positions in lists of literals have 32 bits. A constraint takes up to two more words than
/// it has literals.
const MAX_WORDS: u64 = u32::MAX as u64;

/// Number of constraints from one test of the limits to the next.
const POLL_EVERY: usize = 1 << 14;

/// A simplified constraint.
pub(super) enum Constraint<'a> {
    /// At least one of the literals is true. The literals are sorted, and their variables are distinct.
    Clause(&'a [u32]),
    /// An odd number of the literals is true. The variables are sorted and distinct, and only the first literal may be
    /// negated.
    Odd(&'a [u32]),
}

/// Accepts a formula unless it is too long for positions of 32 bits.
///
/// # Errors
/// Returns why the formula is not supported.
pub(super) fn supports(formula: &Formula) -> Result<(), Unsupported> {
    let parities = formula.parities.iter().map(|(lits, _)| lits.len());
    let words: u64 = formula.clauses().map(<[_]>::len).chain(parities).map(|len| len as u64 + 2).sum();
    if words > MAX_WORDS {
        return Err(
            "the searches support fewer than 2^32 literals, counting two more for each constraint".into()
        );
    }
    Ok(())
}

/// The variables that occur in a formula, numbered from 0 without gaps, so that memory is proportional to the number of
/// literals of the formula and not to its number of variables.
pub(super) struct Variables {
    n: usize,
    /// The occurring variables in ascending order; `None` if all variables keep their numbers.
    used: Option<Vec<u32>>,
}

impl Variables {
    /// The variables of a formula. They keep their numbers unless the formula has more variables than literals.
    pub(super) fn new(formula: &Formula) -> Self {
        let parities = formula.parities.iter().map(|(lits, _)| &lits[..]);
        let lits = || formula.clauses().chain(parities.clone()).flatten();
        let n = formula.n_vars() as usize;
        if n <= lits().count() {
            return Variables { n, used: None };
        }
        let mut used: Vec<u32> = lits().map(|lit| lit.vidx32()).collect();
        used.sort_unstable();
        used.dedup();
        Variables { n, used: Some(used) }
    }

    /// The number of variables of the simplified constraints.
    pub(super) fn count(&self) -> usize {
        self.used.as_ref().map_or(self.n, Vec::len)
    }

    /// The number of an occurring variable of the formula.
    fn number(&self, var: u32) -> u32 {
        match &self.used {
            None => var,
            Some(used) => used.partition_point(|&before| before < var) as u32,
        }
    }

    /// The values of all variables of the formula, given those of the occurring variables. The others are false.
    pub(super) fn model(&self, value: impl Fn(usize) -> bool) -> Vec<bool> {
        match &self.used {
            None => (0..self.n).map(value).collect(),
            Some(used) => {
                let mut model = vec![false; self.n];
                used.iter().enumerate().for_each(|(i, &var)| model[var as usize] = value(i));
                model
            }
        }
    }

    /// Passes each constraint of the formula to `receive`. Clauses that contain a variable and its negation are left
    /// out, and so are even parities of no variables, because they always hold.
    ///
    /// # Errors
    /// Returns the limit that was reached.
    pub(super) fn constraints(
        &self,
        formula: &Formula,
        budget: &Budget,
        mut receive: impl FnMut(Constraint<'_>),
    ) -> Result<(), Limit> {
        let mut lits: Vec<u32> = Vec::new();
        for (i, clause) in formula.clauses().enumerate() {
            if i % POLL_EVERY == 0 {
                budget.poll()?;
            }
            lits.clear();
            lits.extend(clause.iter().map(|lit| 2 * self.number(lit.vidx32()) + u32::from(lit.is_neg())));
            lits.sort_unstable();
            lits.dedup();
            if !lits.windows(2).any(|pair| pair[0] ^ 1 == pair[1]) {
                receive(Constraint::Clause(&lits));
            }
        }
        for (i, (parity, odd)) in formula.parities.iter().enumerate() {
            if i % POLL_EVERY == 0 {
                budget.poll()?;
            }
            let negations = parity.iter().filter(|lit| lit.is_neg()).count();
            let mut vars: Vec<u32> = parity.iter().map(|lit| self.number(lit.vidx32())).collect();
            vars.sort_unstable();
            lits.clear();
            for var in vars {
                // A variable that occurs twice cancels out.
                if lits.last().is_some_and(|last| last >> 1 == var) {
                    lits.pop();
                } else {
                    lits.push(2 * var);
                }
            }
            let odd = odd ^ (negations % 2 == 1);
            match lits.first_mut() {
                Some(first) => {
                    *first ^= u32::from(!odd);
                    receive(Constraint::Odd(&lits));
                }
                None if odd => receive(Constraint::Odd(&[])),
                None => {}
            }
        }
        Ok(())
    }
}
