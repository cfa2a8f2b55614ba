//! A wrapper that shuffles the formulas of a solver: it renumbers the variables and reorders clauses and literals. This
//! does not change the answer, so differences between shuffles show the solver's run-to-run variance.
//!
//! All constraints that are added between two calls of `solve` are shuffled together, because an incremental solver
//! receives them together. A solver with native parity constraints or linear constraints receives them mixed with the
//! clauses. The terms of a linear constraint and the literals of a parity constraint are put into random order. Some
//! literals of a parity constraint are negated at random; its right-hand side is adjusted.

use crate::engine::Budget;
use crate::solver::{Solver, SolverFactory, Verdict};
use chacha20::{ChaCha8Rng, rand_core::SeedableRng};
use counterpoint_encodings::{Linear, Lit, Parity, Relation, Sink, Var};
use rand::RngExt;
use rand::seq::SliceRandom;

/// Wraps the solvers that a factory makes. The seed determines the shuffle.
pub(super) fn shuffled(factory: &SolverFactory, seed: u64) -> SolverFactory {
    let inner = factory.clone();
    let parities =
        if factory.profile().capabilities.native_parity { Parities::Native } else { Parities::AsClauses };
    SolverFactory::new(factory.profile().clone(), move || {
        let random = ChaCha8Rng::seed_from_u64(seed);
        let (renumbered, pending) = (Vec::new(), Vec::new());
        Box::new(Shuffled {
            inner: inner.fresh(),
            parities,
            random,
            renumbered,
            n_vars: 0,
            pending,
            n_constraints: 0,
        })
    })
}

/// How the inner solver receives parity constraints.
#[derive(Clone, Copy)]
enum Parities {
    Native,
    AsClauses,
}

/// A constraint that the inner solver has not received yet.
enum Pending {
    Clause(Vec<Lit>),
    /// The literals, and whether an odd number of them must be true.
    Parity(Vec<Lit>, bool),
    /// The terms, the relation and the bound; only for solvers that support linear constraints.
    Linear(Vec<(i64, Lit)>, Relation, i64),
}

struct Shuffled {
    inner: Box<dyn Solver>,
    parities: Parities,
    random: ChaCha8Rng,
    /// By the index of a variable, its number in the inner solver. Shorter than `n_vars` if the inner solver has not
    /// received all variables yet.
    renumbered: Vec<Var>,
    /// The number of all variables.
    n_vars: u32,
    /// Constraints that the inner solver has not received yet.
    pending: Vec<Pending>,
    n_constraints: u64,
}

impl Shuffled {
    /// Passes pending variables and constraints to the inner solver.
    fn flush(&mut self) {
        let fresh = self.renumbered.len()..self.n_vars as usize;
        let mut fresh: Vec<Var> = fresh.map(|_| self.inner.new_var()).collect();
        fresh.shuffle(&mut self.random);
        self.renumbered.append(&mut fresh);
        let mut pending = std::mem::take(&mut self.pending);
        pending.shuffle(&mut self.random);
        for constraint in pending {
            match constraint {
                Pending::Clause(clause) => {
                    let clause = self.permuted(clause);
                    self.inner.clause(&clause);
                }
                Pending::Parity(lits, mut odd) => {
                    let mut lits = self.permuted(lits);
                    for lit in &mut lits {
                        if self.random.random() {
                            (*lit, odd) = (!*lit, !odd);
                        }
                    }
                    self.inner.xor(&lits, odd);
                }
                Pending::Linear(mut terms, relation, bound) => {
                    terms.iter_mut().for_each(|(_, lit)| *lit = self.lit(*lit));
                    terms.shuffle(&mut self.random);
                    self.inner.linear(&Linear { terms: &terms, relation, bound });
                }
            }
        }
    }

    /// Renumbers literals for the inner solver and puts them into random order.
    fn permuted(&mut self, mut lits: Vec<Lit>) -> Vec<Lit> {
        lits.iter_mut().for_each(|lit| *lit = self.lit(*lit));
        lits.shuffle(&mut self.random);
        lits
    }

    /// Calls the inner solver, and wraps it again.
    fn call(self, call: impl FnOnce(Box<dyn Solver>) -> Verdict) -> Verdict {
        let Shuffled { inner, parities, random, renumbered, n_vars, pending, n_constraints } = self;
        let wrap = |inner| {
            Box::new(Shuffled { inner, parities, random, renumbered, n_vars, pending, n_constraints })
        };
        match call(inner) {
            Verdict::Sat(inner) => Verdict::Sat(wrap(inner)),
            Verdict::Unsat(inner) => Verdict::Unsat(wrap(inner)),
            ended @ (Verdict::Stopped(_) | Verdict::Failed(_)) => ended,
        }
    }

    fn lit(&self, lit: Lit) -> Lit {
        self.renumbered[lit.vidx()].lit(lit.is_neg())
    }
}

impl Sink for Shuffled {
    fn new_var(&mut self) -> Var {
        self.n_vars += 1;
        Var::new(self.n_vars - 1)
    }

    fn n_vars(&self) -> u32 {
        self.n_vars
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.n_constraints += 1;
        self.pending.push(Pending::Clause(lits.to_vec()));
    }

    fn xor(&mut self, lits: &[Lit], odd: bool) {
        match self.parities {
            Parities::Native if !lits.is_empty() => {
                self.n_constraints += 1;
                self.pending.push(Pending::Parity(lits.to_vec(), odd));
            }
            _ => Parity::Cut(4).encode(self, lits, odd),
        }
    }

    fn linear(&mut self, constraint: &Linear<'_>) {
        match self.inner.supports_linear() {
            true => {
                self.n_constraints += 1;
                let Linear { terms, relation, bound } = *constraint;
                self.pending.push(Pending::Linear(terms.to_vec(), relation, bound));
            }
            false => constraint.encode(self),
        }
    }

    fn supports_linear(&self) -> bool {
        self.inner.supports_linear()
    }
}

impl Solver for Shuffled {
    fn solve(mut self: Box<Self>, assumptions: &[Lit], budget: &mut Budget) -> Verdict {
        self.flush();
        let assumptions: Vec<Lit> = assumptions.iter().map(|&lit| self.lit(lit)).collect();
        self.call(|inner| inner.solve(&assumptions, budget))
    }

    fn optimises(&self) -> bool {
        self.inner.optimises()
    }

    fn minimise(mut self: Box<Self>, costs: &[(Lit, u64)], budget: &mut Budget) -> Verdict {
        self.flush();
        let mut costs: Vec<_> = costs.iter().map(|&(lit, cost)| (self.lit(lit), cost)).collect();
        costs.shuffle(&mut self.random);
        self.call(|inner| inner.minimise(&costs, budget))
    }

    fn value(&self, lit: Lit) -> bool {
        self.inner.value(self.lit(lit))
    }

    fn n_clauses(&self) -> u64 {
        self.n_constraints
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterpoint_encodings::Cnf;

    /// Whether some assignment satisfies all clauses and assumptions.
    fn brute(n_vars: u32, clauses: &[Vec<Lit>], assumptions: &[Lit]) -> bool {
        (0..1u32 << n_vars).any(|mask| {
            let holds = |lit: &Lit| (mask >> lit.vidx32() & 1 == 1) == lit.is_pos();
            clauses.iter().all(|clause| clause.iter().any(holds)) && assumptions.iter().all(holds)
        })
    }

    #[test]
    fn shuffles_do_not_change_the_answer() {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        for seed in 0..60 {
            let factory = shuffled(&SolverFactory::default(), seed);
            let (mut solver, mut formula, mut clauses) = (factory.fresh(), Cnf::default(), Vec::new());
            for _ in 0..4 {
                for _ in 0..3 {
                    solver.new_var();
                    formula.new_var();
                }
                let n = formula.n_vars();
                let lit = |random: &mut ChaCha8Rng| Var::new(random.random_range(0..n)).lit(random.random());
                for _ in 0..8 {
                    let clause: Vec<Lit> = (0..3).map(|_| lit(&mut random)).collect();
                    solver.clause(&clause);
                    clauses.push(clause);
                }
                let assumptions = [lit(&mut random)];
                let expected = brute(n, &clauses, &assumptions);
                solver = match solver.solve(&assumptions, &mut Budget::unlimited()) {
                    Verdict::Sat(solver) => {
                        assert!(expected);
                        assert!(clauses.iter().all(|c| c.iter().any(|&lit| solver.value(lit))));
                        assert!(assumptions.iter().all(|&lit| solver.value(lit)));
                        solver
                    }
                    Verdict::Unsat(solver) => {
                        assert!(!expected);
                        solver
                    }
                    Verdict::Stopped(_) | Verdict::Failed(_) => unreachable!("the budget is unlimited"),
                };
                assert_eq!(solver.n_clauses(), clauses.len() as u64);
            }
        }
    }

    #[test]
    fn a_seed_determines_the_order() {
        /// A solver that always fails. Its message lists the constraints that it received.
        struct Recorder(Vec<(Vec<Lit>, Option<bool>)>, u32);
        impl Sink for Recorder {
            fn new_var(&mut self) -> Var {
                self.1 += 1;
                Var::new(self.1 - 1)
            }
            fn n_vars(&self) -> u32 {
                self.1
            }
            fn clause(&mut self, lits: &[Lit]) {
                self.0.push((lits.to_vec(), None));
            }
            fn xor(&mut self, lits: &[Lit], odd: bool) {
                self.0.push((lits.to_vec(), Some(odd)));
            }
        }
        impl Solver for Recorder {
            fn solve(self: Box<Self>, _: &[Lit], _: &mut Budget) -> Verdict {
                Verdict::Failed(format!("{:?}", self.0))
            }
            fn value(&self, _: Lit) -> bool {
                false
            }
            fn n_clauses(&self) -> u64 {
                0
            }
        }
        let received = |seed, native_parity| {
            let mut profile = SolverFactory::default().profile().clone();
            profile.capabilities.native_parity = native_parity;
            let factory = SolverFactory::new(profile, || Box::new(Recorder(Vec::new(), 0)));
            let mut solver = shuffled(&factory, seed).fresh();
            let vars: Vec<Var> = (0..20).map(|_| solver.new_var()).collect();
            vars.windows(3).for_each(|w| solver.clause(&[w[0].pos_lit(), w[1].neg_lit(), w[2].pos_lit()]));
            vars.windows(4)
                .for_each(|w| solver.xor(&[0, 1, 2, 3].map(|i| w[i].lit(i == 2)), w[0].idx32() % 3 == 0));
            match solver.solve(&[], &mut Budget::unlimited()) {
                Verdict::Failed(constraints) => constraints,
                _ => String::new(),
            }
        };
        assert_eq!(received(1, true), received(1, true));
        assert_ne!(received(1, true), received(2, true));
        assert_eq!(received(1, true).matches("Some").count(), 17);
        assert_eq!(received(1, false).matches("Some").count(), 0, "parities are encoded as clauses");
    }
}
