//! An engine's own model, refuted by a proof that starts from the checker's plain formula.
//!
//! Variables of the same name are the same. The model's other variables are defined first; then each of
//! its clauses follows by unit propagation, and what the claim adds stands in the checker's formula, with
//! variables of its own such as counters. So the solver's proof for both, with variables renamed, goes on where
//! the derivation ends. The checker believes none of this: it reads definitions as RAT steps and the rest as any
//! proof.

use super::auxiliary::{self, Constraint};
use super::{Certificate, Clause, parities, twins};
use crate::engine::{Budget, Limit, Stop};
use crate::proof::{Derivation, Drat, Formula, Obligation, Proof};
use crate::solver;
use counterpoint_encodings::{Cnf, Lit, Sink};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

/// Tries to prove an obligation by refuting `model` together with what the claim adds.
///
/// # Errors
/// Why the model does not follow from the checker's formula; the formula itself can still be refuted.
pub fn certificate_of(
    obligation: &Obligation<'_>,
    model: &Cnf,
    most_bytes: u64,
    budget: &mut Budget,
) -> Result<Certificate, String> {
    let claim = obligation.claim.clone();
    let Some(plain) = obligation.formula() else { return Ok(Certificate::TooLarge(claim)) };
    let mut tied = Tied::new(&plain, model);
    let question = tied.question(&plain);
    // Whether the derivation holds is known before the solver starts.
    let stop = budget.stop();
    let derived = match tied.derive(&plain, &stop) {
        Ok(derived) => derived,
        Err(Refusal::Stopped(limit)) => return Ok(Certificate::Stopped(claim, limit)),
        Err(Refusal::Because(why)) => return Err(why),
    };
    let refuted = derived.refuted();
    let Drat(mut text) = derived.into_proof();
    if refuted {
        return Ok(Certificate::Proof(Proof::new(claim, Drat(text))));
    }
    let Some(left) = most_bytes.checked_sub(text.len() as u64) else {
        return Ok(Certificate::TooLong(claim, most_bytes));
    };
    let mut formula = Formula::new();
    formula.vars(tied.to.len());
    model.clauses().for_each(|clause| formula.clause(clause.iter().map(|lit| lit.to_ipasir())));
    question.into_iter().for_each(|clause| formula.clause(clause));
    match solver::prove(&formula, left, budget) {
        Ok(Some(drat)) => {
            tied.rename(&drat, &mut text);
            Ok(Certificate::Proof(Proof::new(claim, Drat(text))))
        }
        // The claim is wrong, or the model says less than the plain formula.
        Ok(None) => Err("the model is satisfiable".to_owned()),
        Err(Limit::Memory) => Ok(Certificate::TooLong(claim, most_bytes)),
        Err(limit) => Ok(Certificate::Stopped(claim, limit)),
    }
}

/// A model whose variables have numbers in the proof.
struct Tied {
    /// By the model's index: the checker's variable, or one beyond those.
    to: Vec<i32>,
    /// Variables of the checker.
    plain: i32,
    clauses: Vec<Clause>,
}

impl Tied {
    fn new(plain: &Formula, model: &Cnf) -> Tied {
        let known: FxHashMap<&str, i32> = plain.names().map(|(var, name)| (name, var)).collect();
        let named: FxHashMap<usize, i32> = (model.names().iter())
            .filter_map(|(var, name)| Some((var.idx(), *known.get(name.as_str())?)))
            .collect();
        let beyond = |index: usize| plain.n_vars() + 1 + index as i32;
        let n = model.n_vars() as usize;
        let to: Vec<i32> = (0..n).map(|i| named.get(&i).copied().unwrap_or(beyond(i))).collect();
        let rename = |lit: &Lit| match lit.is_pos() {
            true => to[lit.vidx()],
            false => -to[lit.vidx()],
        };
        let clauses = model.clauses().map(|clause| clause.iter().map(rename).collect()).collect();
        Tied { to, plain: plain.n_vars(), clauses }
    }

    /// What the claim adds to the base question, over the model's variables and further ones.
    fn question(&mut self, plain: &Formula) -> Vec<Clause> {
        let mut back: FxHashMap<i32, i32> = (1..).zip(&self.to).map(|(index, &var)| (var, index)).collect();
        let mut lit = |lit: &i32| {
            let index = *back.entry(lit.abs()).or_insert_with(|| {
                self.to.push(lit.abs());
                self.to.len() as i32
            });
            index * lit.signum()
        };
        plain.claim_clauses().map(|clause| clause.iter().map(&mut lit).collect()).collect()
    }

    fn is_added(&self, lit: i32) -> bool {
        lit.abs() > self.plain
    }

    /// The lines by which the model follows.
    fn derive<'a>(&self, plain: &Formula, stop: &'a Stop) -> Result<Derivation<'a>, Refusal> {
        let mut lines = Derivation::new(plain, stop);
        let fixed: BTreeSet<i32> = (self.clauses.iter())
            .filter_map(|clause| if let [lit] = clause[..] { Some(lit) } else { None })
            .filter(|&lit| self.is_added(lit))
            .collect();
        for &lit in &fixed {
            lines.define(&[lit])?;
        }
        for constraint in self.constraints(&fixed) {
            match auxiliary::derive(&constraint) {
                Ok(derivation) => follow(derivation, &mut lines)?,
                Err(_) if parities::derive(&constraint, &mut lines)? => {}
                Err(why) => {
                    let about = about(plain, &constraint.inputs);
                    return Err(Refusal::Because(format!(
                        "{about} does not follow from the plain formula; it is no \"at most one\" ({why}), and its \
                         variables do not define each other"
                    )));
                }
            }
        }
        let mut twins = Once::ToDo;
        for clause in self.clauses.iter().filter(|clause| !self.is_constrained(clause, &fixed)) {
            if lines.add(clause) {
                continue;
            }
            if twins == Once::ToDo {
                twins::derive(plain, &mut lines);
                twins = Once::Done;
            }
            if !lines.add(clause) {
                let about = about(plain, &clause.iter().map(|lit| lit.abs()).collect::<Vec<_>>());
                return Err(Refusal::Because(format!("{about} does not follow from the plain formula")));
            }
        }
        Ok(lines)
    }

    /// True if a clause has a variable that must be defined before it.
    fn is_constrained(&self, clause: &Clause, fixed: &BTreeSet<i32>) -> bool {
        clause.iter().any(|&lit| self.is_added(lit) && !fixed.contains(&lit) && !fixed.contains(&-lit))
    }

    /// The clauses with added variables, those together that share one.
    fn constraints(&self, fixed: &BTreeSet<i32>) -> Vec<Constraint<'_>> {
        // Each added variable points on to another of its constraint, the last one to itself.
        let mut next: FxHashMap<i32, i32> = FxHashMap::default();
        fn last(next: &mut FxHashMap<i32, i32>, mut var: i32) -> i32 {
            while let Some(&on) = next.get(&var).filter(|&&on| on != var) {
                let further = next.get(&on).copied().unwrap_or(on);
                next.insert(var, further);
                var = further;
            }
            var
        }
        let is_open = |var: i32| self.is_added(var) && !fixed.contains(&var) && !fixed.contains(&-var);
        let added = |clause: &Clause| clause.iter().map(|lit| lit.abs()).find(|&var| is_open(var));
        for clause in &self.clauses {
            let Some(first) = added(clause) else { continue };
            let root = last(&mut next, first);
            next.insert(root, root);
            for var in clause.iter().map(|lit| lit.abs()).filter(|&var| is_open(var)) {
                let other = last(&mut next, var);
                next.insert(other, root);
            }
        }
        let mut together: BTreeMap<i32, Vec<&Clause>> = BTreeMap::new();
        for clause in &self.clauses {
            if let Some(first) = added(clause) {
                together.entry(last(&mut next, first)).or_default().push(clause);
            }
        }
        let mut constraints = Vec::new();
        for clauses in together.into_values() {
            let lits = clauses.iter().flat_map(|clause| clause.iter());
            let vars: BTreeSet<i32> = lits.map(|lit| lit.abs()).collect();
            let (added, inputs) = vars.into_iter().partition(|&var| is_open(var));
            constraints.push(Constraint { clauses, inputs, added });
        }
        constraints
    }

    /// Appends a proof for the model, its variables renamed.
    fn rename(&self, drat: &Drat, text: &mut Vec<u8>) {
        for token in drat.0.split_inclusive(u8::is_ascii_whitespace) {
            let number = std::str::from_utf8(token).ok().and_then(|token| token.trim().parse::<i32>().ok());
            let var = number.and_then(|lit| self.to.get(lit.unsigned_abs().checked_sub(1)? as usize));
            match (number, var) {
                (Some(lit), Some(var)) => {
                    // Writing to memory cannot fail.
                    let _ = write!(text, "{}", var * lit.signum());
                    text.extend(token.last().filter(|byte| byte.is_ascii_whitespace()));
                }
                _ => text.extend_from_slice(token),
            }
        }
    }
}

/// What is done at most once.
#[derive(Clone, Copy, PartialEq)]
enum Once {
    ToDo,
    Done,
}

/// Why nothing is derived.
enum Refusal {
    Stopped(Limit),
    Because(String),
}

impl From<Limit> for Refusal {
    fn from(limit: Limit) -> Self {
        Refusal::Stopped(limit)
    }
}

/// Adds what derives an at-most-one constraint.
fn follow(derivation: auxiliary::Derivation, lines: &mut Derivation<'_>) -> Result<(), Refusal> {
    let held = |holds: bool, clause: &Clause| match holds {
        true => Ok(()),
        false => {
            Err(Refusal::Because(format!("the clause {clause:?} does not follow from the plain formula")))
        }
    };
    for clause in &derivation.definitions {
        held(lines.define(clause)?, clause)?;
    }
    for (lemmas, clause) in &derivation.clauses {
        if lines.contains(clause) {
            continue;
        }
        let new: Vec<_> = lemmas.iter().filter(|lemma| !lines.contains(lemma)).collect();
        for lemma in &new {
            held(lines.add(lemma), lemma)?;
        }
        held(lines.add(clause), clause)?;
        new.iter().for_each(|lemma| lines.delete(lemma));
    }
    Ok(())
}

/// A constraint by two of its inputs.
fn about(plain: &Formula, inputs: &[i32]) -> String {
    let known: FxHashMap<i32, &str> = plain.names().collect();
    let shown: Vec<_> = inputs.iter().take(2).map(|var| known.get(var).copied().unwrap_or("?")).collect();
    match inputs.len().saturating_sub(2) {
        0 => format!("its constraint on {}", shown.join(", ")),
        more => format!("its constraint on {} and {more} more", shown.join(", ")),
    }
}
