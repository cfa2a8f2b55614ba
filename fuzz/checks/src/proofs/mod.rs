//! The proof checkers against brute force, against a slow checker, and against each other.

mod pseudo_boolean;
mod reference;
mod slow_lrat;
mod splits;

pub(crate) use pseudo_boolean::veripb;
pub(crate) use splits::splits;

use crate::brute::satisfiable;
use crate::input::Input;
use counterpoint::engine::Budget;
use counterpoint::proof::{Drat, Formula, Lrat, ProofError, Refutation};
use counterpoint::solver;
use reference::{Hinted, Reference, push};

/// The longest proof that a solver writes for these formulas.
const MAX_PROOF: u64 = 1 << 16;

/// A formula as clauses, whether it has a model, and in the form of the checkers.
pub(crate) struct Small {
    pub(crate) n: i32,
    pub(crate) clauses: Vec<Vec<i32>>,
    pub(crate) satisfiable: bool,
    pub(crate) formula: Formula,
}

#[derive(Clone, Debug)]
enum Step {
    Add(Vec<i32>),
    Delete(Vec<i32>),
}

impl Small {
    /// A formula of up to eight variables. Short clauses are frequent, so that about half of the formulas have no model.
    pub(crate) fn new(input: &mut Input<'_>) -> Self {
        let n = input.number(1..=8);
        let clauses: Vec<Vec<i32>> = (0..input.number(0..=24)).map(|_| input.clause(n, 3)).collect();
        Small::of(n, clauses)
    }

    pub(crate) fn of(n: i32, clauses: Vec<Vec<i32>>) -> Self {
        let mut formula = Formula::new();
        formula.vars(n as usize);
        clauses.iter().for_each(|clause| formula.clause(clause.iter().copied()));
        Small { n, satisfiable: satisfiable(n, &clauses), clauses, formula }
    }

    /// The steps of a solver's proof; none if the formula has a model. The checker must accept the proof.
    fn proof(&self) -> Vec<Step> {
        let found = solver::prove(&self.formula, MAX_PROOF, &mut Budget::unlimited());
        let Some(proof) = found.expect("the solver has no limit") else {
            assert!(self.satisfiable, "the solver finds a model of {:?}", self.clauses);
            return Vec::new();
        };
        assert!(!self.satisfiable, "the solver refutes {:?}", self.clauses);
        let checked = proof.check(&self.formula);
        assert!(checked.is_ok(), "{:?}: {checked:?}", self.clauses);
        let text = Refutation::from(proof).to_drat_text(|lit| lit).expect("the checker has read it");
        String::from_utf8_lossy(&text.0).lines().map(step).collect()
    }
}

/// The step on a line of a DRAT proof.
fn step(line: &str) -> Step {
    let (words, is_deletion) = line.strip_prefix('d').map_or((line, false), |rest| (rest, true));
    let lits =
        words.split_whitespace().filter_map(|word| word.parse().ok()).filter(|&lit| lit != 0).collect();
    if is_deletion { Step::Delete(lits) } else { Step::Add(lits) }
}

/// Steps for a formula: those of a solver, altered here and there, or steps with up to three new variables.
fn steps(small: &Small, input: &mut Input<'_>) -> Vec<Step> {
    let mut steps = if input.flag() { small.proof() } else { Vec::new() };
    let most = small.n + 3;
    for _ in 0..input.number(0..=12) {
        let at = input.number(0..=steps.len());
        let known: Vec<&Vec<i32>> = small.clauses.iter().chain(steps.iter().map(Step::lits)).collect();
        match input.number(0..=6) {
            0 if at < steps.len() => drop(steps.remove(at)),
            1 if at < steps.len() => {
                let lits = steps[at].lits_mut();
                let place = input.number(0..=lits.len());
                match lits.get_mut(place) {
                    Some(lit) => *lit = input.literal(most),
                    None => lits.push(input.literal(most)),
                }
            }
            2 if !known.is_empty() => {
                let lits = (*input.choose(&known)).clone();
                steps.insert(at, Step::Delete(lits));
            }
            3 => {
                // The definition of a new variable: p is the conjunction of two literals.
                let (p, a, b) =
                    (small.n + input.number(1..=3), input.literal(small.n), input.literal(small.n));
                let definition = [vec![p, -a, -b], vec![-p, a], vec![-p, b]];
                steps.splice(at..at, definition.into_iter().map(Step::Add));
            }
            _ => steps.insert(at, Step::Add(input.clause(most, 3))),
        }
    }
    steps
}

impl Step {
    fn lits(&self) -> &Vec<i32> {
        let (Step::Add(lits) | Step::Delete(lits)) = self;
        lits
    }

    fn lits_mut(&mut self) -> &mut Vec<i32> {
        let (Step::Add(lits) | Step::Delete(lits)) = self;
        lits
    }
}

fn as_text(steps: &[Step]) -> String {
    let line = |step: &Step| {
        let lits: String = step.lits().iter().map(|lit| format!("{lit} ")).collect();
        format!("{}{lits}0\n", if matches!(step, Step::Delete(_)) { "d " } else { "" })
    };
    steps.iter().map(line).collect()
}

fn as_binary(steps: &[Step]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for step in steps {
        bytes.push(if matches!(step, Step::Delete(_)) { b'd' } else { b'a' });
        step.lits().iter().for_each(|&lit| push(&mut bytes, lit.into()));
        bytes.push(0);
    }
    bytes
}

/// What the slow checker says about steps: the LRAT proof up to the empty clause, or the index of the step that does
/// not follow, or neither if the steps end early.
enum Slow {
    Refuted(Vec<Hinted>),
    Rejected(usize),
    Unfinished(Vec<Hinted>),
}

fn slow(small: &Small, steps: &[Step]) -> Slow {
    let (mut reference, first) = Reference::new(&small.clauses);
    let mut hinted = vec![first];
    for (i, step) in steps.iter().enumerate() {
        if let Some(end) = reference.refuted() {
            hinted.push(end);
            return Slow::Refuted(hinted);
        }
        match step {
            Step::Add(lits) => match reference.add(lits) {
                None => return Slow::Rejected(i),
                Some(added) => {
                    hinted.push(added);
                    hinted.extend(reference.tautology(lits));
                }
            },
            Step::Delete(lits) => hinted.extend(reference.delete(lits)),
        }
    }
    match reference.refuted() {
        Some(end) => {
            hinted.push(end);
            Slow::Refuted(hinted)
        }
        None => Slow::Unfinished(hinted),
    }
}

/// DRAT: the checker and the slow one agree on every proof, text and binary agree, and no proof refutes a formula that
/// has a model. The hints that the slow checker writes make an LRAT proof, which is accepted if and only if the DRAT
/// proof is.
pub(crate) fn drat(data: &[u8]) {
    let input = &mut Input::new(data);
    let small = Small::new(input);
    let steps = steps(&small, input);
    let text = as_text(&steps);
    let about = || format!("{:?}\n{text}", small.clauses);
    let found = Drat::from(text.as_str()).check(&small.formula);
    assert!(found.is_err() || !small.satisfiable, "{}", about());
    let (expected, hinted) = match slow(&small, &steps) {
        Slow::Refuted(hinted) => (None, hinted),
        Slow::Rejected(at) => (Some(format!("proof line {}: the clause does not follow", at + 1)), vec![]),
        Slow::Unfinished(hinted) => (Some("the proof never reaches the empty clause".to_owned()), hinted),
    };
    match (&found, &expected) {
        (Ok(_), None) => {}
        (Err(error), Some(expected)) => {
            assert!(error.to_string().starts_with(expected), "{error}\n{}", about())
        }
        _ => panic!("{found:?}, but the slow checker says {expected:?}\n{}", about()),
    }
    if !matches!(steps.first(), Some(Step::Delete(_))) {
        // A binary proof that begins with a deletion may look like a text.
        let binary = Drat(as_binary(&steps)).check(&small.formula);
        match (&found, &binary) {
            (Ok(text), Ok(binary)) => assert_eq!(text, binary, "{}", about()),
            (Err(ProofError::NotImplied(_)), Err(ProofError::NotImplied(_))) => {}
            (Err(text), Err(binary)) => assert_eq!(text, binary, "{}", about()),
            _ => panic!("text: {found:?}, binary: {binary:?}\n{}", about()),
        }
    }
    if !hinted.is_empty() {
        let lrat = Lrat::from(reference::text(&hinted)).check(&small.formula);
        let is_expected = match &lrat {
            Ok(_) => expected.is_none(),
            Err(ProofError::NoEmptyClause) => expected.is_some(),
            Err(_) => false,
        };
        assert!(is_expected, "{lrat:?}\n{}{}", about(), reference::text(&hinted));
    }
}

/// LRAT: the checker and a slow one agree on altered proofs, these refute no formula that has a model, text and binary agree, and the clauses of an accepted
/// proof without deletions are an accepted DRAT proof.
pub(crate) fn lrat(data: &[u8]) {
    let input = &mut Input::new(data);
    let small = Small::new(input);
    let steps = steps(&small, input);
    let (Slow::Refuted(mut hinted) | Slow::Unfinished(mut hinted)) = slow(&small, &steps) else { return };
    let ids = small.clauses.len() as i64 + hinted.len() as i64 + 1;
    for _ in 0..input.number(0..=8) {
        alter(&mut hinted, ids, small.n + 3, input);
    }
    let text = reference::text(&hinted);
    let about = || format!("{:?}\n{text}", small.clauses);
    let found = Lrat::from(text.as_str()).check(&small.formula);
    assert!(found.is_err() || !small.satisfiable, "{}", about());
    let expected = match slow_lrat::check(&small.clauses, &hinted) {
        Ok(()) => String::new(),
        Err(Some(at)) => format!("proof line {}: ", at + 1),
        Err(None) => "the proof never reaches the empty clause".to_owned(),
    };
    let message = found.as_ref().err().map_or(String::new(), ToString::to_string);
    let is_expected = found.is_ok() == expected.is_empty() && message.starts_with(&expected);
    assert!(is_expected, "{message:?}, but the slow checker says {expected:?}\n{}", about());
    let binary = Lrat(reference::binary(&hinted)).check(&small.formula);
    match (&found, &binary) {
        (Ok(text), Ok(binary)) => assert_eq!(text, binary, "{}", about()),
        (Err(text), Err(binary)) => {
            assert_eq!(std::mem::discriminant(text), std::mem::discriminant(binary), "{}", about());
        }
        _ => panic!("text: {found:?}, binary: {binary:?}\n{}", about()),
    }
    let deletes = |step: &Hinted| matches!(step, Hinted::Delete(ids) if !ids.is_empty());
    if found.is_ok() && !hinted.iter().any(deletes) {
        let clauses = Refutation::from(Lrat::from(text.as_str())).to_drat_text(|lit| lit);
        let clauses = clauses.expect("the checker has read it");
        let checked = clauses.check(&small.formula);
        assert!(checked.is_ok(), "{checked:?}\n{}", about());
    }
}

/// Changes a number, a literal or a hint of an LRAT proof, or a whole step.
fn alter(steps: &mut Vec<Hinted>, ids: i64, most: i32, input: &mut Input<'_>) {
    let at = input.number(0..=steps.len() - 1);
    match input.number(0..=5) {
        0 if steps.len() > 1 => drop(steps.remove(at)),
        1 => {
            let hints = (0..input.number(0..=4)).map(|_| input.number(-ids..=ids)).filter(|&id| id != 0);
            let hints = hints.collect();
            steps.insert(at, Hinted::Add(input.number(1..=ids), input.clause(most, 3), hints));
        }
        2 => steps.insert(at, Hinted::Delete(vec![input.number(1..=ids)])),
        3 => {
            if let Hinted::Add(id, ..) = &mut steps[at] {
                *id = input.number(1..=ids);
            }
        }
        4 => {
            if let Hinted::Add(_, lits, _) = &mut steps[at] {
                let place = input.number(0..=lits.len());
                match lits.get_mut(place) {
                    Some(lit) => *lit = input.literal(most),
                    None => lits.insert(0, input.literal(most)),
                }
            }
        }
        _ => {
            let (Hinted::Add(_, _, hints) | Hinted::Delete(hints)) = &mut steps[at];
            let place = input.number(0..=hints.len());
            let hint = input.number(-ids..=ids);
            match hints.get_mut(place) {
                _ if hint == 0 => drop(hints.pop()),
                Some(old) => *old = hint,
                None => hints.push(hint),
            }
        }
    }
}

/// The readers of proofs: arbitrary bytes are refused without a panic, refute no formula that has a model, and mean the
/// same after they were rewritten as DRAT text.
pub(crate) fn proof_bytes(data: &[u8]) {
    let input = &mut Input::new(data);
    let has_model = input.flag();
    let mut clauses = vec![vec![1, 2], vec![1, -2], vec![-1, 2, 3]];
    clauses.extend([vec![-1, -2], vec![-3, 2]].into_iter().filter(|_| !has_model));
    let small = Small::of(3, clauses);
    let format = *input.choose(&Refutation::FORMATS);
    let bytes = input.bytes(usize::MAX);
    let proof = Refutation::of_format(format, bytes.to_vec()).expect("the format is one of the list");
    let stop = Budget::unlimited().stop();
    let found = proof.check_until(&small.formula, &stop);
    assert!(found.is_err() || !small.satisfiable, "{bytes:?}");
    let rewritten = proof.to_drat_text(|lit| lit);
    match (format, rewritten) {
        ("drat", Ok(text)) => {
            let again = Refutation::from(text.clone());
            assert_eq!(again.to_drat_text(|lit| lit).as_ref(), Ok(&text));
            // Text has other places in its errors.
            let checked = again.check_until(&small.formula, &stop);
            assert_eq!(found.is_ok(), checked.is_ok(), "{found:?} {checked:?}");
        }
        (_, Ok(text)) => {
            let checked = text.check(&small.formula);
            assert!(checked.is_err() || !small.satisfiable);
        }
        (_, Err(_)) => {}
    }
}
