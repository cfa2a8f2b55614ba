//! Ships: short refutations of boards of the family `pigeonhole`. With cutting planes they have polynomial size; with
//! leaders, unit propagation refutes the formula.

use crate::pigeonhole::{fleet, rows};
use crate::ships_common::{decide, engines, instance, settings};
use counterpoint::engine::Budget;
use counterpoint::erased::DynInstance;
use counterpoint::proof::{Constraint, Drat, Formula, VeriPb};
use counterpoint_encodings::{AtMostOne, Cnf, Sink};
use std::collections::BTreeMap;
use std::fmt::Write;

fn board(pictures: &[&str]) -> Box<dyn DynInstance> {
    instance(&settings(&[("fleet", &fleet(pictures))]), &rows(pictures, &[("spare", "0")], 1))
}

/// The checker's formula for the claim that no fleet fits.
fn obligation(board: &dyn DynInstance) -> Formula {
    let answer = decide(board, &engines("search:cover")[0]);
    let obligations = answer.obligations();
    assert_eq!(obligations.len(), 1);
    obligations[0].formula().unwrap()
}

/// A refutation of the checker's formula by cutting planes. For each ship, it derives from the clauses "the ship does
/// not own both of these hits" that the ship owns at most one hit (Cook, Coullard and Turán 1987). The sum over all
/// ships and the clauses "some ship owns this hit" is a contradiction.
///
/// If at most one of k - 1 variables is 1, then k - 2 times this inequality and those for the pairs with another
/// variable add up to k - 1 times "at most one of k variables" with a slack below k - 1, which division rounds away.
fn cutting_planes(formula: &Formula, ships: &[String], hits: &[String]) -> String {
    let by_name: BTreeMap<&str, i32> = formula.names().map(|(var, name)| (name, var)).collect();
    let own = |ship: &str, hit: &str| by_name[format!("own {ship} {hit}").as_str()];
    let mut numbers: BTreeMap<Vec<i32>, usize> = BTreeMap::new();
    for (number, constraint) in (1..).zip(formula.constraints()) {
        if let Constraint::Clause(lits) = constraint {
            let mut lits = lits.to_vec();
            lits.sort_unstable();
            numbers.insert(lits, number);
        }
    }
    let number = |mut lits: Vec<i32>| {
        lits.sort_unstable();
        numbers[&lits]
    };
    let count = formula.constraints().count();
    let mut proof = format!("pseudo-Boolean proof version 2.0\nf {count}\n");
    for ship in ships {
        let pair = |a: usize, b: usize| number(vec![-own(ship, &hits[a]), -own(ship, &hits[b])]);
        write!(proof, "pol {}", pair(0, 1)).unwrap();
        for k in 2..hits.len() {
            write!(proof, " {} *", k - 1).unwrap();
            (0..k).for_each(|earlier| write!(proof, " {} +", pair(earlier, k)).unwrap());
            write!(proof, " {k} d").unwrap();
        }
        proof.push('\n');
    }
    let some_ship = |hit: &String| number(ships.iter().map(|ship| own(ship, hit)).collect());
    let derived = (1..=ships.len()).map(|ship| count + ship);
    let mut terms = hits.iter().map(some_ship).chain(derived);
    write!(proof, "pol {}", terms.next().unwrap()).unwrap();
    terms.for_each(|number| write!(proof, " {number} +").unwrap());
    writeln!(proof, "\noutput NONE\nconclusion UNSAT : {}", count + ships.len() + 1).unwrap();
    proof + "end pseudo-Boolean proof\n"
}

/// The names of the hits of the board that [`board`] returns.
fn hits(pictures: &[&str]) -> Vec<String> {
    let rows = rows(pictures, &[("spare", "0")], 1);
    let cells = (1..).zip(rows.split('/')).flat_map(|(row, squares)| {
        (1..).zip(squares.chars()).filter(|(_, square)| *square == 'x').map(move |(col, _)| (row, col))
    });
    cells.map(|(row, col): (u32, u32)| format!("r{row}c{col}")).collect()
}

#[test]
fn cutting_planes_refute_the_checkers_formula_in_polynomially_many_steps() {
    for (picture, max) in [("x", 14), ("xx", 12)] {
        for n in 2..=max {
            let pictures = vec![picture; n];
            let board = board(&pictures);
            let formula = obligation(&*board);
            let (ships, hits) = ((1..=n).map(|ship| ship.to_string()).collect::<Vec<_>>(), hits(&pictures));
            let proof = cutting_planes(&formula, &ships, &hits);
            let checked = VeriPb::from(proof.as_str()).check_until(&formula, &Budget::unlimited().stop());
            // The header of the formula, a sum for each ship, a sum of all, the output and the conclusion.
            assert_eq!(checked.unwrap().steps, n as u64 + 4, "{picture} {n}");
            // For each ship: n(n+1)/2 pairs, each but the first with a `+`, four words for each of the n - 1 divisions,
            // and `pol`. For all ships: n + 1 hits and n sums, each but the first with a `+`, and `pol`.
            let words = proof.lines().filter(|line| line.starts_with("pol")).flat_map(str::split_whitespace);
            assert_eq!(words.count(), n * (n * (n + 1) + 4 * (n - 1)) + 4 * n + 2, "{picture} {n}");
            assert!((picture, n) != ("x", 8) || proof.len() == 2331, "{} bytes", proof.len());
            if n == 4 {
                let less = proof.replacen(" +", "", 1);
                let without = VeriPb::from(less.as_str()).check_until(&formula, &Budget::unlimited().stop());
                assert!(without.is_err());
            }
        }
    }
    // Without one of the hits, the same sums are no contradiction.
    let pictures = ["xx"; 4];
    let formula = obligation(&*board(&pictures));
    let ships: Vec<String> = (1..=4).map(|ship| ship.to_string()).collect();
    let proof = cutting_planes(&formula, &ships, &hits(&pictures)[..4]);
    assert!(VeriPb::from(proof.as_str()).check_until(&formula, &Budget::unlimited().stop()).is_err());
}

/// The clauses that an engine writes.
fn clauses(board: &dyn DynInstance, engine: &counterpoint::spec::EngineSpec) -> Formula {
    let mut cnf = Cnf::default();
    board.formula(engine, &mut cnf).unwrap();
    let mut formula = Formula::new();
    formula.vars(cnf.n_vars() as usize);
    cnf.clauses().for_each(|clause| formula.clause(clause.iter().map(|lit| lit.to_ipasir())));
    formula
}

#[test]
fn unit_propagation_refutes_formulas_that_count_leaders_and_no_others() {
    let empty_clause = Drat::from("0\n");
    for (picture, max) in [("x", 12), ("xx", 9)] {
        for n in [2, 3, 5, max] {
            let board = board(&vec![picture; n]);
            let all = engines("sat:*/amo=*/idle=*/leaders=yes");
            assert_eq!(all.len(), 2 * AtMostOne::ALL.len() * 2);
            for engine in all {
                let checked = empty_clause.check(&clauses(&*board, &engine));
                assert!(checked.is_ok(), "{engine} {picture} {n}: {checked:?}");
            }
            for engine in engines("sat:*/amo=*/idle=*/leaders=no") {
                assert!(empty_clause.check(&clauses(&*board, &engine)).is_err(), "{engine} {picture} {n}");
            }
        }
    }
}
