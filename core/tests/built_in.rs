//! Built-in solvers compared with brute force, and known bugs of varisat.
//!
//! When varisat fixes a bug, the test of this bug fails. Then our workaround can be removed.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

use chacha20::ChaCha8Rng;
use counterpoint_core::certify::MAX_BYTES;
use counterpoint_core::engine::{Budget, Limit, Stop};
use counterpoint_core::solver::{self, Solver, SolverFactory, SolverRegistry, Stops, Verdict};
use counterpoint_encodings::{Lit, Var};
use counterpoint_proofs::{Drat, Formula, ProofError};
use rand::{RngExt, SeedableRng};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use varisat::{ExtendFormula, ProofFormat};

fn lit(dimacs: i32) -> Lit {
    Lit::from_ipasir(dimacs).unwrap()
}

/// True iff some assignment satisfies all clauses and assumptions.
fn satisfiable(n: u32, clauses: &[Vec<i32>], assumed: &[i32]) -> bool {
    (0..1u32 << n).any(|m| {
        let holds = |l: &i32| (m >> (l.unsigned_abs() - 1) & 1 == 1) == (*l > 0);
        clauses.iter().all(|c| c.iter().any(holds)) && assumed.iter().all(holds)
    })
}

fn random_lits(rng: &mut ChaCha8Rng, n: i32, most: usize) -> Vec<i32> {
    let length = rng.random_range(1..=most);
    (0..length).map(|_| rng.random_range(1..=n) * if rng.random() { 1 } else { -1 }).collect()
}

#[test]
fn incremental_solving_with_assumptions_against_brute_force() {
    for factory in SolverRegistry::built_in().iter() {
        let name = factory.name();
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..400 {
            let n = rng.random_range(2..=8);
            let mut solver = factory.fresh();
            (0..n).for_each(|_| assert!(solver.new_var().idx() < 8));
            let mut clauses: Vec<Vec<i32>> = Vec::new();
            for _ in 0..6 {
                for _ in 0..rng.random_range(1..=8) {
                    clauses.push(random_lits(&mut rng, n, 3));
                    let lits: Vec<Lit> = clauses.last().unwrap().iter().map(|&l| lit(l)).collect();
                    solver.clause(&lits);
                }
                let assumed = random_lits(&mut rng, n, 2);
                let lits: Vec<Lit> = assumed.iter().map(|&l| lit(l)).collect();
                let (sat, next) = solver::step(solver, &lits, &mut Budget::unlimited()).unwrap();
                assert_eq!(
                    sat,
                    satisfiable(n as u32, &clauses, &assumed),
                    "{name}: {clauses:?} under {assumed:?}"
                );
                if sat {
                    let holds = |l: &i32| next.value(lit(*l));
                    assert!(
                        clauses.iter().all(|c| c.iter().any(holds)) && assumed.iter().all(holds),
                        "{name}"
                    );
                }
                solver = next;
            }
        }
    }
}

/// The pigeonhole formula: `holes + 1` pigeons in `holes` holes.
fn pigeons(holes: usize, new_var: &mut dyn FnMut() -> i32, clause: &mut dyn FnMut(&[i32])) {
    let at: Vec<Vec<i32>> = (0..=holes).map(|_| (0..holes).map(|_| new_var()).collect()).collect();
    at.iter().for_each(|row| clause(row));
    for a in 0..=holes {
        for b in 0..a {
            (0..holes).for_each(|h| clause(&[-at[a][h], -at[b][h]]));
        }
    }
}

fn pigeon_solver(factory: &SolverFactory, holes: usize) -> Box<dyn Solver> {
    let solver = std::cell::RefCell::new(factory.fresh());
    let new_var = &mut || solver.borrow_mut().new_var().to_ipasir();
    pigeons(holes, new_var, &mut |c| {
        let lits: Vec<Lit> = c.iter().map(|&l| lit(l)).collect();
        solver.borrow_mut().clause(&lits);
    });
    solver.into_inner()
}

#[test]
fn limits_and_flags_stop_a_solver() {
    for factory in SolverRegistry::built_in().iter() {
        let name = factory.name();
        // If a limit takes effect only after a call, the call must be short.
        let (holes, most) = match factory.profile().capabilities.stops {
            Stops::AfterCall => (6, 20),
            _ => (9, 500),
        };
        let mut budget = Budget::of_work(most);
        let Verdict::Stopped(limit) = pigeon_solver(factory, holes).solve(&[], &mut budget) else {
            panic!("{name}")
        };
        assert_eq!(limit, Limit::Work, "{name}");
        assert!((most..20_000).contains(&budget.work.conflicts), "{name}: {:?}", budget.work);
        let flag = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&flag);
        let mut budget = Budget::new(
            None,
            Arc::new(move || stop.swap(true, Ordering::Relaxed).then_some(Limit::Cancelled)),
        );
        assert!(matches!(
            pigeon_solver(factory, holes).solve(&[], &mut budget),
            Verdict::Stopped(Limit::Cancelled)
        ));
    }
}

#[test]
fn the_same_formula_costs_the_same_conflicts() {
    for factory in SolverRegistry::built_in().iter() {
        let name = factory.name();
        let count = || {
            let mut budget = Budget::unlimited();
            assert!(matches!(pigeon_solver(factory, 6).solve(&[], &mut budget), Verdict::Unsat(_)));
            budget.work.conflicts
        };
        assert!(count() > 50, "{name}");
        assert_eq!(count(), count(), "{name}");
    }
}

fn pigeon_formula(holes: usize) -> Formula {
    let formula = std::cell::RefCell::new(Formula::new());
    pigeons(holes, &mut || formula.borrow_mut().var(), &mut |c| {
        formula.borrow_mut().clause(c.iter().copied())
    });
    formula.into_inner()
}

#[test]
fn proofs_are_valid_and_truncated_ones_are_not() {
    let formula = pigeon_formula(6);
    let drat = solver::prove(&formula, MAX_BYTES, &mut Budget::unlimited()).unwrap().unwrap();
    assert!(drat.check(&formula).is_ok());
    let lines: Vec<&[u8]> = drat.0.split(|&byte| byte == b'\n').collect();
    let half = Drat(lines[..lines.len() / 2].join(&b'\n'));
    assert!(half.check(&formula).is_err());
    // The same proof does not refute a formula without one of the clauses.
    let mut weaker = Formula::new();
    weaker.vars(formula.n_vars() as usize);
    formula.clauses().skip(1).for_each(|c| weaker.clause(c.iter().copied()));
    assert!(drat.check(&weaker).is_err());
    assert_eq!(solver::prove(&weaker, MAX_BYTES, &mut Budget::unlimited()), Ok(None));
    assert_eq!(solver::prove(&pigeon_formula(9), MAX_BYTES, &mut Budget::of_work(100)), Err(Limit::Work));
}

#[test]
fn checking_a_proof_can_be_stopped() {
    let formula = pigeon_formula(6);
    let drat = solver::prove(&formula, MAX_BYTES, &mut Budget::unlimited()).unwrap().unwrap();
    let stopped = drat.check_until(&formula, &(Arc::new(|| Some(Limit::Cancelled)) as Stop));
    assert_eq!(stopped, Err(ProofError::Stopped(Limit::Cancelled)));
}

#[test]
fn random_proofs_are_checked() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut refuted = 0;
    for _ in 0..300 {
        let n = rng.random_range(3..=9);
        let mut formula = Formula::new();
        formula.vars(n as usize);
        let clauses: Vec<_> = (0..n * 5).map(|_| random_lits(&mut rng, n, 3)).collect();
        clauses.iter().for_each(|c| formula.clause(c.iter().copied()));
        match solver::prove(&formula, MAX_BYTES, &mut Budget::unlimited()).unwrap() {
            Some(drat) => {
                refuted += 1;
                assert!(drat.check(&formula).is_ok(), "{clauses:?}");
                assert!(!satisfiable(n as u32, &clauses, &[]));
            }
            None => assert!(satisfiable(n as u32, &clauses, &[])),
        }
    }
    assert!(refuted > 50, "{refuted}");
}

// ---- Known bugs of varisat ---------------------------------------------------------------------

fn raw(clauses: &[&[isize]]) -> varisat::Solver<'static> {
    let mut solver = varisat::Solver::new();
    clauses.iter().for_each(|c| add(&mut solver, c));
    solver
}

fn add(solver: &mut varisat::Solver<'_>, clause: &[isize]) {
    solver.add_clause(&lits(clause));
}

fn lits(dimacs: &[isize]) -> Vec<varisat::Lit> {
    dimacs.iter().map(|&l| varisat::Lit::from_dimacs(l)).collect()
}

/// Whether `run` panics.
fn panics(run: impl FnOnce()) -> bool {
    catch_unwind(AssertUnwindSafe(run)).is_err()
}

#[test]
fn trap_failed_core_is_sometimes_wrong() {
    let mut solver = raw(&[&[-4]]);
    solver.assume(&lits(&[4]));
    assert!(!solver.solve().unwrap());
    add(&mut solver, &[-6]);
    solver.assume(&lits(&[-5]));
    assert!(solver.solve().unwrap());
    add(&mut solver, &[-5, -2]);
    solver.assume(&lits(&[2, 5]));
    assert!(!solver.solve().unwrap());
    let core = solver.failed_core().unwrap().to_vec();
    assert_eq!(core, lits(&[5]));
    solver.assume(&core);
    assert!(solver.solve().unwrap(), "expected a wrong core, which is satisfiable");
}

#[test]
fn trap_drat_supports_neither_assumptions_nor_later_clauses() {
    let with_drat = || {
        let mut solver = varisat::Solver::new();
        solver.write_proof(std::io::sink(), ProofFormat::Drat);
        add(&mut solver, &[1, 2]);
        solver
    };
    assert!(panics(|| with_drat().assume(&[])));
    assert!(panics(|| {
        let mut solver = with_drat();
        assert!(solver.solve().unwrap());
        add(&mut solver, &[-1]);
    }));
}

#[test]
fn trap_proofs_start_before_the_first_variable() {
    assert!(panics(|| {
        let mut solver = varisat::Solver::new();
        solver.new_var();
        solver.write_proof(std::io::sink(), ProofFormat::Drat);
    }));
}

#[test]
fn trap_the_native_checker_accepts_a_run_that_found_a_model() {
    let mut proof = Vec::new();
    let mut solver = varisat::Solver::new();
    solver.write_proof(&mut proof, ProofFormat::Varisat);
    add(&mut solver, &[1, 2]);
    assert!(solver.solve().unwrap());
    solver.close_proof().unwrap();
    drop(solver);
    let mut checker = varisat_checker::Checker::new();
    checker.add_clause(&lits(&[1, 2])).unwrap();
    assert!(checker.check_proof(&proof[..]).is_ok(), "expected Ok although a model was found");
}

#[test]
fn trap_a_stopped_solver_cannot_be_used_again() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("full"))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut solver = varisat::Solver::new();
    solver.write_proof(Full, ProofFormat::Varisat);
    add(&mut solver, &[1, 2]);
    // The stream stops the solver at its last flush. The solver has finished by then, but still returns an error.
    assert!(solver.solve().is_err());
    assert!(panics(|| drop(solver.solve())));
}

#[test]
fn trap_a_witness_variable_may_not_be_constrained() {
    assert!(panics(|| {
        let mut solver = varisat::Solver::new();
        let var = solver.new_var();
        solver.witness_var(var);
        solver.add_clause(&[var.positive()]);
    }));
}

#[test]
fn trap_the_dimacs_reader_requires_a_correct_header() {
    let read = |text: &str| varisat::Solver::new().add_dimacs_cnf(text.as_bytes()).is_ok();
    assert!(read("p cnf 2 1\n1 2 0\n"));
    assert!(!read("p cnf 2 2\n1 2 0\n"));
    assert!(!read("p cnf 2 1\n1 2\n"));
}

#[test]
fn every_variable_has_a_value_in_a_model() {
    for factory in SolverRegistry::built_in().iter() {
        let mut solver = factory.fresh();
        let vars: Vec<Var> = (0..4).map(|_| solver.new_var()).collect();
        solver.clause(&[vars[3].pos_lit()]);
        let Verdict::Sat(model) = solver.solve(&[], &mut Budget::unlimited()) else { panic!() };
        assert!(vars.iter().all(|v| model.value(v.pos_lit()) != model.value(v.neg_lit())));
        assert!(model.value(vars[3].pos_lit()));
    }
}
