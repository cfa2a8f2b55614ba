//! Small formulas with refutations, without any solver: models by enumeration, refutations by case distinction, hints by
//! unit propagation from clause to clause.

use chacha20::ChaCha8Rng;
use counterpoint::proof::Formula;
use rand::RngExt;
use rand::seq::SliceRandom;
use std::collections::HashMap;

pub(crate) type Clause = Vec<i32>;

/// A formula that has no model, but has one without any of its clauses, and a refutation of it.
pub(crate) struct Refuted {
    pub(crate) n: i32,
    pub(crate) clauses: Vec<Clause>,
    /// Clauses that follow by unit propagation, the last one is empty.
    pub(crate) proof: Vec<Clause>,
}

fn holds(clause: &[i32], model: u32) -> bool {
    clause.iter().any(|lit| (model >> (lit.unsigned_abs() - 1) & 1 == 1) == (*lit > 0))
}

/// Whether an assignment of the variables 1 to n satisfies all clauses.
pub(crate) fn is_satisfiable(n: i32, clauses: &[Clause]) -> bool {
    (0..1u32 << n).any(|model| clauses.iter().all(|clause| holds(clause, model)))
}

pub(crate) fn random_clause(n: i32, rng: &mut ChaCha8Rng) -> Clause {
    let mut vars: Vec<i32> = (1..=n).collect();
    vars.shuffle(rng);
    vars.truncate(rng.random_range(1..=n.min(3)) as usize);
    vars.into_iter().map(|var| if rng.random_bool(0.5) { var } else { -var }).collect()
}

pub(crate) fn random_refuted(rng: &mut ChaCha8Rng) -> Refuted {
    let n = rng.random_range(2..=5);
    let (mut clauses, mut left): (Vec<Clause>, Vec<u32>) = (Vec::new(), (0..1 << n).collect());
    while !left.is_empty() {
        let clause = random_clause(n, rng);
        let before = left.len();
        // Unit clauses are rare, because most formulas would consist of them.
        if clause.len() > 1 || rng.random_bool(0.1) {
            left.retain(|&model| holds(&clause, model));
            if left.len() < before {
                clauses.push(clause);
            }
        }
    }
    for at in (0..clauses.len()).rev() {
        let clause = clauses.remove(at);
        if is_satisfiable(n, &clauses) {
            clauses.insert(at, clause);
        }
    }
    let mut proof = Vec::new();
    refute(n, &clauses, &mut Vec::new(), &mut proof);
    Refuted { n, clauses, proof }
}

/// Whether unit propagation from these literals, assumed to be true, leads to a conflict.
pub(crate) fn conflicts(clauses: &[Clause], assumed: &[i32]) -> bool {
    let mut truth: Vec<i32> = Vec::new();
    for lit in assumed {
        if truth.contains(&-lit) {
            return true;
        }
        truth.push(*lit);
    }
    loop {
        let before = truth.len();
        for clause in clauses {
            if clause.iter().any(|lit| truth.contains(lit)) {
                continue;
            }
            let mut left: Vec<i32> = clause.iter().copied().filter(|lit| !truth.contains(&-lit)).collect();
            left.sort_unstable();
            left.dedup();
            match left[..] {
                [] => return true,
                [unit] => truth.push(unit),
                _ => {}
            }
        }
        if truth.len() == before {
            return false;
        }
    }
}

/// Appends clauses that follow one after another by unit propagation, up to the one that excludes the case `path`.
fn refute(n: i32, clauses: &[Clause], path: &mut Vec<i32>, proof: &mut Vec<Clause>) {
    if !conflicts(clauses, path) {
        let var = path.len() as i32 + 1;
        assert!(var <= n, "the formula has a model");
        for lit in [var, -var] {
            path.push(lit);
            refute(n, clauses, path, proof);
            path.pop();
        }
    }
    proof.push(path.iter().map(|lit| -lit).collect());
}

pub(crate) fn formula(n: i32, clauses: &[Clause]) -> Formula {
    let mut formula = Formula::new();
    formula.vars(n as usize);
    clauses.iter().for_each(|clause| formula.clause(clause.iter().copied()));
    formula
}

pub(crate) fn dimacs(n: i32, clauses: &[Clause]) -> String {
    let header = format!("p cnf {n} {}\n", clauses.len());
    header + &clauses.iter().map(|clause| line(clause)).collect::<String>()
}

pub(crate) fn line(lits: &[i32]) -> String {
    lits.iter().map(|lit| format!("{lit} ")).collect::<String>() + "0\n"
}

/// A step of an LRAT proof.
#[derive(Clone, Debug)]
pub(crate) enum Hinted {
    Add { id: i64, lits: Clause, hints: Vec<i64> },
    Delete { at: i64, ids: Vec<i64> },
}

/// The proof with hints: for each clause, all unit clauses in the order of propagation, up to the conflict. A clause that
/// does not follow is taken for RAT: its hints only name the clauses that contain the negation of its first literal.
pub(crate) fn with_hints(clauses: &[Clause], proof: &[Clause]) -> Vec<Hinted> {
    let mut clauses: Vec<Clause> = clauses.to_vec();
    let mut steps = Vec::new();
    for lits in proof {
        let mut value: HashMap<i32, bool> = HashMap::new();
        let set = |value: &mut HashMap<i32, bool>, lit: i32| {
            value.insert(lit, true);
            value.insert(-lit, false);
        };
        lits.iter().for_each(|lit| set(&mut value, -lit));
        let (mut hints, mut conflict) = (Vec::new(), false);
        while !conflict {
            let left = |c: &Clause| -> Clause {
                c.iter().copied().filter(|lit| value.get(lit) != Some(&false)).collect()
            };
            let unit =
                |c: &Clause| left(c).is_empty() || left(c).len() == 1 && !value.contains_key(&left(c)[0]);
            let Some(at) = clauses.iter().position(unit) else { break };
            hints.push(at as i64 + 1);
            let left = left(&clauses[at]);
            conflict = left.is_empty();
            left.first().iter().for_each(|lit| set(&mut value, **lit));
        }
        if !conflict {
            let is_partner = |c: &Clause| lits.first().is_some_and(|lit| c.contains(&-lit));
            hints = (1..).zip(&clauses).filter(|(_, c)| is_partner(c)).map(|(id, _): (i64, _)| -id).collect();
        }
        clauses.push(lits.clone());
        steps.push(Hinted::Add { id: clauses.len() as i64, lits: lits.clone(), hints });
    }
    steps
}

fn numbers(numbers: impl IntoIterator<Item = i64>) -> String {
    numbers.into_iter().map(|number| format!("{number} ")).collect::<String>() + "0"
}

pub(crate) fn lrat_text(steps: &[Hinted]) -> String {
    let step = |step: &Hinted| match step {
        Hinted::Add { id, lits, hints } => {
            format!(
                "{id} {} {}\n",
                numbers(lits.iter().map(|&lit| lit.into())),
                numbers(hints.iter().copied())
            )
        }
        Hinted::Delete { at, ids } => format!("{at} d {}\n", numbers(ids.iter().copied())),
    };
    steps.iter().map(step).collect()
}

/// Appends numbers in the binary formats, and a 0.
fn push(bytes: &mut Vec<u8>, numbers: impl IntoIterator<Item = i64>) {
    for number in numbers {
        let mut code = number.unsigned_abs() * 2 + u64::from(number < 0);
        while code > 127 {
            bytes.push(code as u8 | 128);
            code >>= 7;
        }
        bytes.push(code as u8);
    }
    bytes.push(0);
}

pub(crate) fn lrat_bytes(steps: &[Hinted]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for step in steps {
        match step {
            Hinted::Add { id, lits, hints } => {
                bytes.push(b'a');
                push(&mut bytes, [*id]);
                // The number of the clause has no 0 after it.
                bytes.pop();
                push(&mut bytes, lits.iter().map(|&lit| lit.into()));
                push(&mut bytes, hints.iter().copied());
            }
            Hinted::Delete { ids, .. } => {
                bytes.push(b'd');
                push(&mut bytes, ids.iter().copied());
            }
        }
    }
    bytes
}

/// A step of a DRAT proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Add(Clause),
    Delete(Clause),
}

pub(crate) fn drat_text(steps: &[Step]) -> String {
    let step = |step: &Step| match step {
        Step::Add(lits) => line(lits),
        Step::Delete(lits) => format!("d {}", line(lits)),
    };
    steps.iter().map(step).collect()
}

pub(crate) fn drat_bytes(steps: &[Step]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for step in steps {
        let (kind, lits) = match step {
            Step::Add(lits) => (b'a', lits),
            Step::Delete(lits) => (b'd', lits),
        };
        bytes.push(kind);
        push(&mut bytes, lits.iter().map(|&lit| lit.into()));
    }
    bytes
}
