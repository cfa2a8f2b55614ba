//! The library's default SAT solver for a page: numbers in, numbers out, one question at a time.
//!
//! The page calls [`begin`], then [`literal`] for each number of the clauses as DIMACS writes them (a 0 ends
//! a clause), then [`assume`] for each assumption, then [`solve()`], and reads a model by [`value`]. No memory
//! is shared, so nothing here is unsafe but the names, which a page needs plain.

#![allow(unsafe_code, reason = "the attribute that keeps a function's name asks for it")]

use counterpoint::engine::Budget;
use counterpoint::solver::{Solver, SolverFactory, Verdict};
use counterpoint_encodings::{Lit, Var};
use std::cell::RefCell;

/// The most variables of a formula.
const MAX_VARIABLES: u32 = 1 << 20;
/// The most conflicts of a question: a page shall not hang.
const MAX_CONFLICTS: u64 = 1_000_000;

/// What [`solve()`] tells.
mod told {
    /// There is no model.
    pub(super) const UNSATISFIABLE: i32 = 0;
    /// There is a model.
    pub(super) const SATISFIABLE: i32 = 1;
    /// The limit was met.
    pub(super) const GAVE_UP: i32 = 2;
    /// A number names no variable, a clause has no end, or nothing was begun.
    pub(super) const MALFORMED: i32 = 3;
}

/// A question that is being asked.
#[derive(Default)]
struct Question {
    /// `None` before the first question.
    solver: Option<Box<dyn Solver>>,
    clause: Vec<Lit>,
    assumed: Vec<Lit>,
    malformed: bool,
}

thread_local! {
    static QUESTION: RefCell<Question> = RefCell::default();
}

impl Question {
    fn of(n_vars: u32) -> Question {
        let mut solver = SolverFactory::default().fresh();
        (0..n_vars.min(MAX_VARIABLES)).for_each(|_| {
            solver.new_var();
        });
        Question { solver: Some(solver), malformed: n_vars > MAX_VARIABLES, ..Question::default() }
    }

    /// The literal of a number; `None` if there is no such variable.
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
        let whole = !self.malformed && self.clause.is_empty();
        let Some(solver) = self.solver.take().filter(|_| whole) else { return told::MALFORMED };
        match solver.solve(&self.assumed, &mut Budget::of_work(MAX_CONFLICTS)) {
            Verdict::Sat(next) => {
                self.solver = Some(next);
                told::SATISFIABLE
            }
            Verdict::Unsat(_) => told::UNSATISFIABLE,
            Verdict::Stopped(_) | Verdict::Failed(_) => told::GAVE_UP,
        }
    }

    fn value(&self, number: i32) -> i32 {
        let holds = self.lit(number).zip(self.solver.as_ref());
        i32::from(holds.is_some_and(|(lit, solver)| solver.value(lit)))
    }
}

/// Forgets everything and takes a formula over the variables `1..=n_vars`, at most a million.
#[unsafe(no_mangle)]
pub extern "C" fn begin(n_vars: u32) {
    QUESTION.with_borrow_mut(|question| *question = Question::of(n_vars));
}

/// The next literal of a clause: a variable's number, negative for its negation; 0 ends the clause.
#[unsafe(no_mangle)]
pub extern "C" fn literal(number: i32) {
    QUESTION.with_borrow_mut(|question| question.literal(number));
}

/// A literal that shall hold.
#[unsafe(no_mangle)]
pub extern "C" fn assume(number: i32) {
    QUESTION.with_borrow_mut(|question| question.assume(number));
}

/// Looks for a model: 1 if there is one, 0 if there is none, 2 past a million conflicts, 3 if what was asked
/// is malformed.
#[unsafe(no_mangle)]
pub extern "C" fn solve() -> i32 {
    QUESTION.with_borrow_mut(Question::solve)
}

/// Whether a literal holds in the model that was found last, as 0 or 1; 0 where there is none.
#[unsafe(no_mangle)]
pub extern "C" fn value(number: i32) -> i32 {
    QUESTION.with_borrow(|question| question.value(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(n_vars: u32, numbers: &[i32], assumed: &[i32]) -> i32 {
        begin(n_vars);
        numbers.iter().for_each(|&number| literal(number));
        assumed.iter().for_each(|&number| assume(number));
        solve()
    }

    #[test]
    fn models_and_refutations_come_back_as_numbers() {
        assert_eq!(ask(2, &[1, 2, 0, -1, 0], &[]), told::SATISFIABLE);
        assert_eq!([1, -1, 2, -2].map(|number| value(number)), [0, 1, 1, 0]);
        assert_eq!(ask(2, &[1, 2, 0, -1, 0], &[-2]), told::UNSATISFIABLE);
        assert_eq!(value(2), 0);
        assert_eq!(ask(0, &[0], &[]), told::UNSATISFIABLE);
    }

    #[test]
    fn what_is_malformed_is_refused() {
        for numbers in [&[3, 0][..], &[1], &[i32::MIN, 0]] {
            assert_eq!(ask(2, numbers, &[]), told::MALFORMED);
        }
        assert_eq!(ask(2, &[1, 0], &[0]), told::MALFORMED);
        assert_eq!(ask(MAX_VARIABLES + 1, &[1, 0], &[]), told::MALFORMED);
    }
}
