//! The searches for models of formulas against truth tables and against varisat.

use crate::samples::samples;
use chacha20::ChaCha8Rng;
use counterpoint::engine::{Budget, Limit};
use counterpoint::problems::cnf::Formula;
use counterpoint::problems::cnf::search::{dpll, walksat};
use counterpoint::solver::{self, Solver, SolverRegistry};
use counterpoint_encodings::{Lit, Sink};
use rand::{RngExt, SeedableRng};

/// A constraint: the literals of a clause or of a parity, written as in a DIMACS file.
#[derive(Clone, Debug)]
enum Constraint {
    Clause(Vec<i32>),
    Parity(Vec<i32>, bool),
}

impl Constraint {
    fn lits(&self) -> &[i32] {
        let (Constraint::Clause(lits) | Constraint::Parity(lits, _)) = self;
        lits
    }

    /// Whether it holds if variable i (from 1) has the value of bit i - 1.
    fn holds(&self, values: u32) -> bool {
        let is_true = |&&lit: &&i32| (values >> (lit.unsigned_abs() - 1) & 1 == 1) == (lit > 0);
        match self {
            Constraint::Clause(lits) => lits.iter().any(|lit| is_true(&lit)),
            Constraint::Parity(lits, odd) => (lits.iter().filter(is_true).count() % 2 == 1) == *odd,
        }
    }
}

/// A formula of n variables without constraints.
fn unconstrained(n: u32) -> Formula {
    let mut formula = Formula::default();
    for _ in 0..n {
        formula.cnf.new_var();
    }
    formula
}

fn formula(n: u32, constraints: &[&Constraint]) -> Formula {
    let mut formula = unconstrained(n);
    for constraint in constraints {
        let lits: Vec<Lit> =
            constraint.lits().iter().map(|lit| Lit::new(lit.unsigned_abs() - 1, *lit < 0)).collect();
        match constraint {
            Constraint::Clause(_) => formula.cnf.clause(&lits),
            Constraint::Parity(_, odd) => formula.parities.push((lits, *odd)),
        }
    }
    formula
}

/// Runs both searches. A search that finds a model must find one that satisfies all constraints.
fn test(n: u32, constraints: &[&Constraint], flips: u64) {
    let formula = formula(n, constraints);
    let holds = |values| constraints.iter().all(|constraint| constraint.holds(values));
    let is_satisfiable = (0..1 << n).any(holds);
    let is_model = |model: &[bool]| {
        assert_eq!(model.len(), n as usize);
        holds(model.iter().enumerate().map(|(i, &value)| u32::from(value) << i).sum())
    };
    let found = dpll::dpll(&formula, &mut Budget::of_work(1 << 20)).unwrap();
    assert_eq!(found.is_some(), is_satisfiable, "{constraints:?}");
    assert!(found.is_none_or(|model| is_model(&model)), "dpll: {constraints:?}");
    match walksat::walksat(&formula, &mut Budget::of_work(flips)) {
        Ok(model) => assert!(is_model(&model), "walksat: {constraints:?}"),
        Err(limit) => assert!(!is_satisfiable, "walksat: {limit}: {constraints:?}"),
    }
}

/// All clauses and parities of distinct variables up to 3, and some in which a variable occurs twice.
fn all_constraints() -> Vec<Constraint> {
    let mut all = Vec::new();
    for signs in 0..27 {
        let sign = |var: i32| [0, 1, -1][signs / 3usize.pow(var as u32 - 1) % 3];
        all.push(Constraint::Clause(
            (1..=3).filter(|&var| sign(var) != 0).map(|var| var * sign(var)).collect(),
        ));
    }
    for vars in 0..8 {
        let lits: Vec<i32> = (1..=3).filter(|var| vars >> (var - 1) & 1 == 1).collect();
        all.extend([false, true].map(|odd| Constraint::Parity(lits.clone(), odd)));
    }
    all.extend([vec![1, -1], vec![2, 2], vec![3, -2, 3], vec![-1, 2, 1]].map(Constraint::Clause));
    all.extend(
        [vec![1, -1], vec![2, 2], vec![-3, 2, -3], vec![-1, -2, 3]].map(|p| Constraint::Parity(p, true)),
    );
    all
}

#[test]
fn both_searches_are_right_on_all_small_formulas() {
    let all = all_constraints();
    test(0, &[], 10);
    test(3, &[], 10);
    for (i, a) in all.iter().enumerate() {
        test(3, &[a], 100);
        for (j, b) in all.iter().enumerate().skip(i) {
            test(3, &[a, b], 100);
            for (k, c) in all.iter().enumerate().skip(j) {
                test(3, &[a, b, c], 100);
                // Every third formula of four constraints.
                let last = all.iter().enumerate().skip(k).filter(|(l, _)| (i + j + k + l) % 3 == 0);
                last.for_each(|(_, d)| test(3, &[a, b, c, d], 200));
            }
        }
    }
}

#[test]
fn both_searches_are_right_on_random_formulas() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..samples(1_000) {
        let n = rng.random_range(1..=10);
        let constraints: Vec<Constraint> = (0..rng.random_range(0..=5 * n))
            .map(|_| {
                let longest = if rng.random_bool(0.1) { 10 } else { 4 };
                let len = rng.random_range(1..=n.min(longest));
                let lit = |_| rng.random_range(1..=n as i32) * if rng.random() { 1 } else { -1 };
                let lits = (0..len).map(lit).collect();
                if rng.random_bool(0.15) {
                    Constraint::Parity(lits, rng.random())
                } else {
                    Constraint::Clause(lits)
                }
            })
            .collect();
        test(n, &constraints.iter().collect::<Vec<_>>(), 10_000);
    }
}

/// Random 3-SAT with distinct variables in a clause.
fn random(n: u32, m: u32, rng: &mut ChaCha8Rng) -> Formula {
    let mut clause = || {
        let mut lits: Vec<i32> = Vec::new();
        while lits.len() < 3 {
            let var = rng.random_range(1..=n as i32);
            if lits.iter().all(|lit| lit.abs() != var) {
                lits.push(if rng.random() { var } else { -var });
            }
        }
        Constraint::Clause(lits)
    };
    let constraints: Vec<Constraint> = (0..m).map(|_| clause()).collect();
    formula(n, &constraints.iter().collect::<Vec<_>>())
}

fn varisat() -> Box<dyn Solver> {
    let solvers = SolverRegistry::built_in();
    solvers.iter().find(|factory| factory.name() == "varisat").unwrap().fresh()
}

fn is_model(formula: &Formula, model: &[bool]) -> bool {
    let is_true = |lit: &Lit| model[lit.vidx()] == lit.is_pos();
    let parity = |lits: &[Lit]| lits.iter().filter(|lit| is_true(lit)).count() % 2 == 1;
    formula.clauses().all(|clause| clause.iter().any(is_true))
        && formula.parities.iter().all(|(lits, odd)| parity(lits) == *odd)
}

#[test]
fn dpll_agrees_with_varisat_at_the_threshold() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut satisfiable = 0;
    for _ in 0..200 {
        let formula = random(60, 256, &mut rng);
        let mut varisat = varisat();
        formula.write(&mut *varisat);
        let expected = solver::step(varisat, &[], &mut Budget::unlimited()).unwrap().0;
        let found = dpll::dpll(&formula, &mut Budget::unlimited()).unwrap();
        assert_eq!(found.is_some(), expected);
        if let Some(model) = found {
            assert!(is_model(&formula, &model));
            let found = walksat::walksat(&formula, &mut Budget::unlimited()).unwrap();
            assert!(is_model(&formula, &found));
            satisfiable += 1;
        }
    }
    assert!((60..160).contains(&satisfiable), "{satisfiable}");
}

#[test]
fn node_counts_are_reproducible() {
    let formula = random(100, 426, &mut ChaCha8Rng::seed_from_u64(3));
    let mut budget = Budget::unlimited();
    let dpll_found = dpll::dpll(&formula, &mut budget).unwrap();
    let mut again = Budget::unlimited();
    assert_eq!(dpll::dpll(&formula, &mut again).unwrap(), dpll_found);
    assert_eq!(again.work, budget.work);
    assert!(budget.work.nodes > 10 && budget.work.propagations > budget.work.nodes);
    // A limit on work ends the search at the same node.
    let nodes = budget.work.nodes;
    assert_eq!(dpll::dpll(&formula, &mut Budget::of_work(nodes)).unwrap(), dpll_found);
    assert_eq!(dpll::dpll(&formula, &mut Budget::of_work(nodes - 1)), Err(Limit::Work));
}

#[test]
fn walksat_gives_up_on_an_unsatisfiable_formula() {
    let pair = [Constraint::Clause(vec![1]), Constraint::Clause(vec![-1])];
    let unsatisfiable = formula(1, &pair.iter().collect::<Vec<_>>());
    let mut budget = Budget::unlimited();
    assert_eq!(walksat::walksat(&unsatisfiable, &mut budget), Err(Limit::Solver));
    assert_eq!(budget.work.nodes, walksat::MAX_FLIPS);
    let empty = formula(2, &[&Constraint::Clause(Vec::new())]);
    assert_eq!(walksat::walksat(&empty, &mut Budget::unlimited()), Err(Limit::Solver));
}

#[test]
fn deep_formulas_need_no_stack_and_long_constraints_no_quadratic_time() {
    const N: u32 = 100_000;
    let lit = |i: u32, negated| Lit::new(i, negated);
    // x0, x0 -> x1 -> ... -> x(N-1): propagation only.
    let mut chain = unconstrained(N);
    chain.cnf.clause(&[lit(0, false)]);
    (1..N).for_each(|i| chain.cnf.clause(&[lit(i - 1, true), lit(i, false)]));
    assert_eq!(dpll::dpll(&chain, &mut Budget::of_work(1)).unwrap(), Some(vec![true; N as usize]));
    // Independent parities of two variables: each needs a decision.
    let mut pairs = unconstrained(20_000);
    pairs.parities = (0..10_000).map(|i| (vec![lit(2 * i, false), lit(2 * i + 1, false)], true)).collect();
    let model = dpll::dpll(&pairs, &mut Budget::of_work(10_001)).unwrap().unwrap();
    assert!(is_model(&pairs, &model));
    // One long clause and one long parity, in which all variables but the last are false.
    let mut long = unconstrained(N);
    let all: Vec<Lit> = (0..N).map(|i| lit(i, false)).collect();
    long.cnf.clause(&all);
    long.parities.push((all, true));
    (0..N - 1).for_each(|i| long.cnf.clause(&[lit(i, true)]));
    let model = dpll::dpll(&long, &mut Budget::of_work(1)).unwrap().unwrap();
    assert!(model[N as usize - 1] && is_model(&long, &model));
}

#[test]
fn memory_follows_the_literals_and_not_the_variables() {
    // A list of watches for each literal would take a gigabyte.
    let mut formula = unconstrained(20_000_000);
    formula.cnf.clause(&[Lit::new(19_999_999, true), Lit::new(7, false)]);
    formula.cnf.clause(&[Lit::new(19_999_999, false)]);
    for model in [
        dpll::dpll(&formula, &mut Budget::of_work(1)).unwrap().unwrap(),
        walksat::walksat(&formula, &mut Budget::unlimited()).unwrap(),
    ] {
        assert_eq!(model.len(), 20_000_000);
        assert!(model[7] && model[19_999_999] && !model[0]);
    }
}
