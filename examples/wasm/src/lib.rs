//! The library as a WebAssembly module, for pages.
//!
//! A playground calls [`feed`] for each byte of a request, then [`answer`], and reads the bytes of the answer with
//! [`byte()`]. Requests and answers are JSON; see `counterpoint_pages::playground`.
//!
//! A lesson uses the default SAT solver, for one formula at a time. It first calls [`begin`]. It then calls [`literal`] for each number of the clauses in DIMACS (a 0 ends a
//! clause), [`assume`] for each assumption, and [`solve()`]. It reads a model with [`value`].
//!
//! All arguments are numbers
//! and no memory is shared, so the only unsafe code is the attribute `no_mangle`.

#![allow(unsafe_code, reason = "`no_mangle` is an unsafe attribute")]

mod playground;

pub use playground::{answer, byte, feed};

use counterpoint::engine::Budget;
use counterpoint::solver::{Solver, SolverFactory, Verdict};
use counterpoint_encodings::{Lit, Var};
use std::cell::RefCell;

/// The maximum number of variables.
const MAX_VARIABLES: u32 = 1 << 20;

/// The maximum number of conflicts of a call, so that a page does not hang.
const MAX_CONFLICTS: u64 = 1_000_000;

/// The results of [`solve()`].
mod result {
    /// The formula is unsatisfiable.
    pub(super) const UNSATISFIABLE: i32 = 0;
    /// The formula is satisfiable.
    pub(super) const SATISFIABLE: i32 = 1;
    /// The solver reached its limit or failed.
    pub(super) const GAVE_UP: i32 = 2;
    /// A variable does not exist, a clause has no end, or there is no formula: [`begin`](super::begin) must be called
    /// first, and again after each result other than `SATISFIABLE`.
    pub(super) const MALFORMED: i32 = 3;
}

/// A formula with assumptions.
#[derive(Default)]
struct Question {
    /// `None` before the first call of [`begin`], and after a result other than `SATISFIABLE`.
    solver: Option<Box<dyn Solver>>,
    /// The literals of the unfinished clause.
    clause: Vec<Lit>,
    assumed: Vec<Lit>,
    malformed: bool,
}

thread_local! {
    static QUESTION: RefCell<Question> = RefCell::default();
}

impl Question {
    fn new(n_vars: u32) -> Question {
        let mut solver = SolverFactory::default().fresh();
        (0..n_vars.min(MAX_VARIABLES)).for_each(|_| {
            solver.new_var();
        });
        Question { solver: Some(solver), malformed: n_vars > MAX_VARIABLES, ..Question::default() }
    }

    /// The literal of a DIMACS number; `None` if there is no such variable.
    fn lit(&self, number: i32) -> Option<Lit> {
        let var = number.unsigned_abs().checked_sub(1)?;
        let known = self.solver.as_ref().is_some_and(|solver| var < solver.n_vars());
        known.then(|| Var::new(var).lit(number < 0))
    }

    fn literal(&mut self, number: i32) {
        match (number, self.lit(number), &mut self.solver) {
            (0, _, Some(solver)) => {
                solver.clause(&self.clause);
                self.clause.clear();
            }
            (_, Some(lit), _) => self.clause.push(lit),
            _ => self.malformed = true,
        }
    }

    fn assume(&mut self, number: i32) {
        match self.lit(number) {
            Some(lit) => self.assumed.push(lit),
            None => self.malformed = true,
        }
    }

    fn solve(&mut self) -> i32 {
        let complete = !self.malformed && self.clause.is_empty();
        let Some(solver) = self.solver.take().filter(|_| complete) else { return result::MALFORMED };
        match solver.solve(&self.assumed, &mut Budget::of_work(MAX_CONFLICTS)) {
            Verdict::Sat(next) => {
                self.solver = Some(next);
                result::SATISFIABLE
            }
            Verdict::Unsat(_) => result::UNSATISFIABLE,
            Verdict::Stopped(_) | Verdict::Failed(_) => result::GAVE_UP,
        }
    }

    fn value(&self, number: i32) -> i32 {
        let holds = self.lit(number).zip(self.solver.as_ref());
        i32::from(holds.is_some_and(|(lit, solver)| solver.value(lit)))
    }
}

/// Starts a new formula over the variables `1..=n_vars`; `n_vars` is at most 2^20.
#[unsafe(no_mangle)]
pub extern "C" fn begin(n_vars: u32) {
    QUESTION.with_borrow_mut(|question| *question = Question::new(n_vars));
}

/// Adds a literal to the current clause: the number of a variable, negative if it is negated. A 0 ends the clause.
#[unsafe(no_mangle)]
pub extern "C" fn literal(number: i32) {
    QUESTION.with_borrow_mut(|question| question.literal(number));
}

/// Adds an assumption.
#[unsafe(no_mangle)]
pub extern "C" fn assume(number: i32) {
    QUESTION.with_borrow_mut(|question| question.assume(number));
}

/// Searches for a model. Returns 1 if the formula is satisfiable, 0 if it is unsatisfiable, 2 if the solver failed or
/// stopped after a million conflicts, and 3 if the formula is malformed.
#[unsafe(no_mangle)]
pub extern "C" fn solve() -> i32 {
    QUESTION.with_borrow_mut(Question::solve)
}

/// Whether a literal is true in the last model: 1 if it is, otherwise 0. Without a model, 0.
#[unsafe(no_mangle)]
pub extern "C" fn value(number: i32) -> i32 {
    QUESTION.with_borrow(|question| question.value(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solve_numbers(n_vars: u32, numbers: &[i32], assumed: &[i32]) -> i32 {
        begin(n_vars);
        numbers.iter().for_each(|&number| literal(number));
        assumed.iter().for_each(|&number| assume(number));
        solve()
    }

    #[test]
    fn results_and_values_are_numbers() {
        assert_eq!(solve_numbers(2, &[1, 2, 0, -1, 0], &[]), result::SATISFIABLE);
        assert_eq!([1, -1, 2, -2].map(|number| value(number)), [0, 1, 1, 0]);
        assert_eq!(solve_numbers(2, &[1, 2, 0, -1, 0], &[-2]), result::UNSATISFIABLE);
        assert_eq!(value(2), 0);
        assert_eq!(solve_numbers(0, &[0], &[]), result::UNSATISFIABLE);
    }

    #[test]
    fn malformed_formulas_are_rejected() {
        for numbers in [&[3, 0][..], &[1], &[i32::MIN, 0]] {
            assert_eq!(solve_numbers(2, numbers, &[]), result::MALFORMED);
        }
        assert_eq!(solve_numbers(2, &[1, 0], &[0]), result::MALFORMED);
        assert_eq!(solve_numbers(MAX_VARIABLES + 1, &[1, 0], &[]), result::MALFORMED);
    }
}
