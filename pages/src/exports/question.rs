//! Questions of a lesson to the default SAT solver, number by number.

use counterpoint_core::engine::Budget;
use counterpoint_core::solver::{Solver, SolverFactory, Verdict};
use counterpoint_encodings::{Lit, Var};

/// The maximum number of variables.
const MAX_VARIABLES: u32 = 1 << 20;

/// The maximum number of conflicts of a call, so that a page does not hang.
const MAX_CONFLICTS: u64 = 1_000_000;

/// The results of [`Question::solve`].
mod result {
    /// The formula is unsatisfiable.
    pub(super) const UNSATISFIABLE: i32 = 0;
    /// The formula is satisfiable.
    pub(super) const SATISFIABLE: i32 = 1;
    /// The solver reached its limit or failed.
    pub(super) const GAVE_UP: i32 = 2;
    /// A variable does not exist, a clause has no end, or there is no formula: each question is asked anew after a
    /// result other than `SATISFIABLE`.
    pub(super) const MALFORMED: i32 = 3;
}

/// A formula with assumptions. The default has no formula yet.
#[derive(Default)]
pub struct Question {
    /// `None` in the default, and after a result other than `SATISFIABLE`.
    solver: Option<Box<dyn Solver>>,
    /// The literals of the unfinished clause.
    clause: Vec<Lit>,
    assumed: Vec<Lit>,
    malformed: bool,
}

impl Question {
    /// A formula without clauses over the variables `1..=n_vars`; `n_vars` is at most 2^20.
    pub fn new(n_vars: u32) -> Question {
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

    /// Adds a literal to the current clause: the number of a variable, negative if it is negated. A 0 ends the clause.
    pub fn literal(&mut self, number: i32) {
        match (number, self.lit(number), &mut self.solver) {
            (0, _, Some(solver)) => {
                solver.clause(&self.clause);
                self.clause.clear();
            }
            (_, Some(lit), _) => self.clause.push(lit),
            _ => self.malformed = true,
        }
    }

    /// Adds an assumption.
    pub fn assume(&mut self, number: i32) {
        match self.lit(number) {
            Some(lit) => self.assumed.push(lit),
            None => self.malformed = true,
        }
    }

    /// Searches for a model. Returns 1 if the formula is satisfiable, 0 if it is unsatisfiable, 2 if the solver failed
    /// or stopped after a million conflicts, and 3 if the formula is malformed.
    pub fn solve(&mut self) -> i32 {
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

    /// Whether a literal is true in the last model: 1 if it is, otherwise 0. Without a model, 0.
    pub fn value(&self, number: i32) -> i32 {
        let holds = self.lit(number).zip(self.solver.as_ref());
        i32::from(holds.is_some_and(|(lit, solver)| solver.value(lit)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(n_vars: u32, numbers: &[i32], assumed: &[i32]) -> (i32, Question) {
        let mut question = Question::new(n_vars);
        numbers.iter().for_each(|&number| question.literal(number));
        assumed.iter().for_each(|&number| question.assume(number));
        (question.solve(), question)
    }

    #[test]
    fn results_and_values_are_numbers() {
        let (found, question) = asked(2, &[1, 2, 0, -1, 0], &[]);
        assert_eq!(found, result::SATISFIABLE);
        assert_eq!([1, -1, 2, -2].map(|number| question.value(number)), [0, 1, 1, 0]);
        let (found, question) = asked(2, &[1, 2, 0, -1, 0], &[-2]);
        assert_eq!((found, question.value(2)), (result::UNSATISFIABLE, 0));
        assert_eq!(asked(0, &[0], &[]).0, result::UNSATISFIABLE);
    }

    #[test]
    fn malformed_formulas_are_rejected() {
        for numbers in [&[3, 0][..], &[1], &[i32::MIN, 0]] {
            assert_eq!(asked(2, numbers, &[]).0, result::MALFORMED);
        }
        assert_eq!(asked(2, &[1, 0], &[0]).0, result::MALFORMED);
        assert_eq!(asked(MAX_VARIABLES + 1, &[1, 0], &[]).0, result::MALFORMED);
        assert_eq!(Question::default().solve(), result::MALFORMED);
    }
}
