//! Formulas and proofs that several tests use.

use crate::Formula;
use counterpoint_base::budget::{Limit, Stop};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

pub(crate) type Clause = Vec<i32>;

/// The number of rounds of a test with random numbers: a fiftieth under Miri, which is a thousand times slower. Also scales
/// the counts that the test expects.
pub(crate) fn rounds(n: u32) -> u32 {
    if cfg!(miri) { n / 50 } else { n }
}

pub(crate) fn formula(n_vars: usize, clauses: &[Clause]) -> Formula {
    let mut formula = Formula::new();
    formula.vars(n_vars);
    clauses.iter().for_each(|clause| formula.clause(clause.iter().copied()));
    formula
}

/// A stop closure that ends the computation at its call of this number, counted from 1.
pub(crate) fn cancelled_at(call: usize) -> Stop {
    let calls = AtomicUsize::new(0);
    Arc::new(move || (calls.fetch_add(1, Ordering::Relaxed) + 1 >= call).then_some(Limit::Cancelled))
}

/// A satisfiable formula of which unit propagation derives, from the negation of variable 1, that of each variable up to
/// `n`. A long clause contains all of these and three others.
pub(crate) fn chain(n: i32) -> Formula {
    let mut clauses: Vec<Clause> = (1..n).map(|i| vec![i, -(i + 1)]).collect();
    clauses.push((1..=n + 3).collect());
    formula(n as usize + 3, &clauses)
}

pub(crate) fn line(lits: &[i32]) -> String {
    lits.iter().map(|lit| format!("{lit} ")).collect::<String>() + "0\n"
}

/// A step of a binary proof.
pub(crate) fn bytes(kind: u8, lits: &[i32]) -> Vec<u8> {
    let mut bytes = vec![kind];
    for lit in lits {
        let mut code = lit.unsigned_abs() * 2 + u32::from(*lit < 0);
        while code > 127 {
            bytes.push(code as u8 | 128);
            code >>= 7;
        }
        bytes.push(code as u8);
    }
    bytes.push(0);
    bytes
}

/// The pigeonhole formula for n + 1 pigeons and n holes, with its number of variables, and Cook's refutation of
/// polynomial size. From an assignment of n + 1 pigeons to n holes, the refutation defines an assignment of n pigeons
/// to n - 1 holes: a pigeon in the last hole moves to the hole of the last pigeon. It repeats this down to one hole. S.
/// Cook, SIGACT News 8 (1976).
pub(crate) fn pigeons(holes: usize) -> (usize, Vec<Clause>, Vec<Clause>) {
    let mut n_vars = 0;
    let mut board = |pigeons: usize, holes: usize| -> Vec<Vec<i32>> {
        let row = |n_vars: &mut i32| (0..holes).map(|_| (*n_vars += 1, *n_vars).1).collect();
        (0..pigeons).map(|_| row(&mut n_vars)).collect()
    };
    let mut p = board(holes + 1, holes);
    let (n, mut clauses) = ((holes + 1) * holes, p.clone());
    for i in 0..=holes {
        (0..i).for_each(|k| (0..holes).for_each(|j| clauses.push(vec![-p[i][j], -p[k][j]])));
    }
    let mut proof = Vec::new();
    for last in (1..holes).rev() {
        let q = board(last + 1, last);
        for i in 0..=last {
            for j in 0..last {
                let (q, here, out, from) = (q[i][j], p[i][j], p[i][last], p[last + 1][j]);
                proof.extend([
                    vec![q, -here],
                    vec![q, -out, -from],
                    vec![-q, here, out],
                    vec![-q, here, from],
                ]);
            }
        }
        for j in 0..last {
            for i in 0..=last {
                for k in 0..i {
                    proof.extend([vec![-q[i][j], -q[k][j], -p[i][j]], vec![-q[i][j], -q[k][j]]]);
                }
            }
        }
        proof.extend(q.iter().cloned());
        p = q;
    }
    proof.push(Vec::new());
    (n, clauses, proof)
}

/// The proof as LRAT. The hints of a clause are all unit clauses in the order of propagation, up to the conflict. A
/// clause that is not RUP is taken for a definition: its hints only name the clauses with which it has resolvents.
pub(crate) fn with_hints(formula: &[Clause], proof: &[Clause]) -> String {
    let mut clauses: Vec<Clause> = formula.to_vec();
    let mut text = String::new();
    for lits in proof {
        let mut value: HashMap<i32, bool> = HashMap::new();
        let set = |value: &mut HashMap<i32, bool>, lit: i32| {
            value.insert(lit, true);
            value.insert(-lit, false);
        };
        lits.iter().for_each(|lit| set(&mut value, -lit));
        let (mut hints, mut conflict) = (String::new(), false);
        while !conflict {
            let left = |c: &Clause| -> Vec<i32> {
                c.iter().copied().filter(|lit| value.get(lit) != Some(&false)).collect()
            };
            let unit =
                |c: &Clause| left(c).is_empty() || left(c).len() == 1 && !value.contains_key(&left(c)[0]);
            let Some(id) = clauses.iter().position(unit) else { break };
            hints += &format!("{} ", id + 1);
            let left = left(&clauses[id]);
            conflict = left.is_empty();
            left.first().iter().for_each(|lit| set(&mut value, **lit));
        }
        if !conflict {
            let against =
                clauses.iter().zip(1..).filter(|(c, _)| lits.first().is_some_and(|lit| c.contains(&-lit)));
            hints = against.map(|(_, id)| format!("-{id} ")).collect();
        }
        clauses.push(lits.clone());
        text += &format!("{} {} {hints}0\n", clauses.len(), line(lits).trim_end());
    }
    text
}

fn push(bytes: &mut Vec<u8>, number: i64) {
    let mut code = u128::from(number.unsigned_abs()) * 2 + u128::from(number < 0);
    while code > 127 {
        bytes.push(code as u8 | 128);
        code >>= 7;
    }
    bytes.push(code as u8);
}

/// An LRAT proof, given as text, in the binary format that CaDiCaL writes.
pub(crate) fn lrat_bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for line in text.lines() {
        let (id, rest) = line.split_once(' ').unwrap_or((line, ""));
        let numbers = match rest.strip_prefix("d ") {
            Some(deleted) => {
                bytes.push(b'd');
                deleted
            }
            None => {
                bytes.push(b'a');
                push(&mut bytes, id.parse().unwrap_or(0));
                rest
            }
        };
        numbers.split_whitespace().for_each(|number| push(&mut bytes, number.parse().unwrap_or(0)));
    }
    bytes
}
