//! The checker evaluates every clause and every parity constraint under a model. The claim that there is no
//! model needs a proof.
//!
//! The checker shares no code with the engines. A proof refutes clauses, so each parity constraint is
//! replaced by clauses for it; new variables cut a long constraint into short ones.

use super::answer::Answer;
use super::{Formula, Instance};
use counterpoint_core::claim::{Claim, Status, WrongWitness};
use counterpoint_core::engine::Budget;
use counterpoint_core::proof::{self, Obligation, Proof};
use counterpoint_encodings::Lit;

/// The maximum number of literals of a false constraint that a message shows.
const MAX_SHOWN: usize = 12;

/// Derives the claims from the instance and the answer, and returns each with its status.
pub fn check(instance: &Instance, answer: &Answer, proofs: &[Proof], budget: &mut Budget) -> Vec<Claim> {
    let formula = &*instance.formula;
    match answer {
        Answer::Satisfiable(model) => {
            let mut claims =
                vec![Claim::replayed("the model satisfies every clause", clauses(formula, model))];
            if !formula.parities.is_empty() {
                let right = parities(formula, model);
                claims.push(Claim::replayed("the model satisfies every parity constraint", right));
            }
            claims
        }
        Answer::Unsatisfiable => {
            let obligation = no_model(formula);
            let status = proof::close(&obligation, proofs, &budget.stop(), || {
                Status::Open("only a proof can show this".to_owned())
            });
            vec![Claim::new(obligation.claim, status)]
        }
    }
}

/// The first constraint that the model of an answer violates, as a message.
pub fn fault(instance: &Instance, answer: &Answer) -> Option<String> {
    let Answer::Satisfiable(model) = answer else { return None };
    let formula = &*instance.formula;
    clauses(formula, model).and_then(|()| parities(formula, model)).err().map(|wrong| wrong.to_string())
}

/// The formula itself if the answer says that it has no model.
pub fn obligations<'a>(instance: &'a Instance, answer: &Answer) -> Vec<Obligation<'a>> {
    match answer {
        Answer::Satisfiable(_) => Vec::new(),
        Answer::Unsatisfiable => vec![no_model(&instance.formula)],
    }
}

fn no_model(formula: &Formula) -> Obligation<'_> {
    Obligation::new("the formula has no model", estimate(formula), || plain(formula))
}

/// An upper bound on the number of clauses of [`plain`]. A parity constraint is cut into parts. Each part has at most eight
/// clauses and takes two literals off the rest, so there are about four clauses for each literal.
fn estimate(formula: &Formula) -> usize {
    let parities: usize = formula.parities.iter().map(|(lits, _)| 4 * (lits.len() + 2)).sum();
    formula.clauses().len().saturating_add(parities)
}

/// The formula as clauses.
fn plain(formula: &Formula) -> proof::Formula {
    let mut plain = proof::Formula::new();
    plain.vars(formula.n_vars() as usize);
    formula.clauses().for_each(|clause| plain.clause(clause.iter().map(|lit| lit.to_ipasir())));
    for (lits, odd) in &formula.parities {
        plain.parity(&lits.iter().map(|lit| lit.to_ipasir()).collect::<Vec<_>>(), *odd);
    }
    plain
}

/// A message about the first constraint that some values of the unassigned variables violate; `None` if all
/// constraints hold whatever these values are.
pub(super) fn broken(formula: &Formula, values: &[Option<bool>]) -> Option<String> {
    let value = |lit: Lit| values.get(lit.vidx()).copied().flatten().map(|value| value == lit.is_pos());
    let is_true = |lit: &Lit| value(*lit) == Some(true);
    let is_open = |clause: &[Lit]| {
        let is_tautology = || {
            let mut open: Vec<Lit> = clause.iter().copied().filter(|lit| value(*lit).is_none()).collect();
            // The literals of a variable become neighbours.
            open.sort_unstable();
            open.windows(2).any(|two| two[0] == !two[1])
        };
        !clause.iter().any(is_true) && !is_tautology()
    };
    if let Some((i, clause)) = formula.clauses().enumerate().find(|(_, clause)| is_open(clause)) {
        return Some(format!(
            "the printed model makes no literal of clause {} true: {}",
            i + 1,
            shown(clause)
        ));
    }
    let is_odd = |lits: &[Lit]| {
        let values: Option<Vec<bool>> = lits.iter().map(|&lit| value(lit)).collect();
        values.map(|values| values.iter().filter(|value| **value).count() % 2 == 1)
    };
    let parity = formula.parities.iter().position(|(lits, odd)| is_odd(lits) != Some(*odd))?;
    Some(format!("the printed model violates parity constraint {}", parity + 1))
}

/// Whether a literal is true. A literal of a variable that the model lacks is not.
fn holds(lit: Lit, model: &[bool]) -> bool {
    model.get(lit.vidx()).is_some_and(|&value| value == lit.is_pos())
}

fn clauses(formula: &Formula, model: &[bool]) -> Result<(), WrongWitness> {
    let is_false = |clause: &[Lit]| !clause.iter().any(|&lit| holds(lit, model));
    match formula.clauses().enumerate().find(|(_, clause)| is_false(clause)) {
        None => Ok(()),
        Some((i, clause)) => Err(format!("clause {} is false: {}", i + 1, shown(clause)).into()),
    }
}

fn parities(formula: &Formula, model: &[bool]) -> Result<(), WrongWitness> {
    for (i, (lits, odd)) in formula.parities.iter().enumerate() {
        // Without a value, neither the variable nor its negation is true, so the number of true literals says nothing.
        if let Some(lit) = lits.iter().find(|lit| lit.vidx() >= model.len()) {
            return Err(format!("the model gives no value to variable {}", lit.vidx() + 1).into());
        }
        let count = lits.iter().filter(|&&lit| holds(lit, model)).count();
        if (count % 2 == 1) != *odd {
            let parity = if *odd { "odd" } else { "even" };
            let (number, lits) = (i + 1, shown(lits));
            return Err(format!(
                "in parity constraint {number}, {count} literals are true, not an {parity} number: {lits}"
            )
            .into());
        }
    }
    Ok(())
}

/// The first literals of a constraint as DIMACS.
fn shown(lits: &[Lit]) -> String {
    let first = lits.iter().take(MAX_SHOWN).map(|lit| format!("{} ", lit.to_ipasir())).collect::<String>();
    first + if lits.len() > MAX_SHOWN { "..." } else { "0" }
}

#[cfg(test)]
mod tests {
    use super::{broken, estimate, plain};
    use crate::read::parsed;

    /// A parity of 1 to 20 literals, besides a clause.
    #[test]
    fn the_estimate_is_an_upper_bound_and_not_far_from_the_number_of_clauses() {
        for count in 1..=20 {
            let lits: Vec<String> = (1..=count).map(|lit| lit.to_string()).collect();
            let formula = parsed(&format!("p cnf {count} 2\n1 0\nx {} 0\n", lits.join(" ")));
            let written = plain(&formula).clauses().len();
            assert!((written..=4 * written + 12).contains(&estimate(&formula)), "{written} clauses");
        }
    }

    /// In quadratic time, this would take minutes.
    #[test]
    fn a_long_clause_of_open_literals_is_searched_for_a_literal_and_its_negation() {
        let lits: Vec<String> = (1..=500_000).map(|lit| lit.to_string()).collect();
        for (more, is_broken) in [("", true), ("-499999", false)] {
            let formula = parsed(&format!("p cnf 500000 1\n{} {more} 0\n", lits.join(" ")));
            assert_eq!(broken(&formula, &vec![None; 500_000]).is_some(), is_broken);
        }
    }
}
