//! Variables that a constraint defines one after another, such as the carries of a parity that is cut.
//!
//! The clauses in which a variable is the last one to be made define it, if each is RAT on that variable. What
//! is not, follows: by unit propagation, or once other inputs are set either way. Of a parity's pieces each
//! is decided by the inputs that another one is about, so that takes 2^k lemmas for k inputs elsewhere.

use super::Clause;
use super::auxiliary::Constraint;
use crate::engine::Limit;
use crate::proof::Derivation;

/// The most lemmas for one clause.
const MAX_LEMMAS: usize = 1 << 10;

/// Adds the clauses of a constraint; false if one is no definition and does not follow.
///
/// # Errors
/// The limit that was met.
pub(super) fn derive(constraint: &Constraint<'_>, lines: &mut Derivation<'_>) -> Result<bool, Limit> {
    let last = |clause: &Clause| clause.iter().map(|lit| lit.abs()).max().unwrap_or(0);
    let mut clauses = constraint.clauses.clone();
    clauses.sort_by_key(|clause| last(clause));
    for clause in clauses {
        let defined = last(clause);
        let mut pivoted = clause.clone();
        pivoted.sort_by_key(|lit| lit.abs() != defined);
        if lines.define(&pivoted)? {
            continue;
        }
        let mut lemmas = Vec::new();
        let follows = split(&mut clause.clone(), &constraint.inputs, lines, &mut lemmas);
        lemmas.iter().for_each(|lemma| lines.delete(lemma));
        if !follows {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Adds a clause, if need be by way of itself with each of the next inputs, true and false.
fn split(clause: &mut Clause, inputs: &[i32], lines: &mut Derivation<'_>, lemmas: &mut Vec<Clause>) -> bool {
    if lines.add(clause) {
        return true;
    }
    let Some((&input, rest)) = inputs.split_first() else { return false };
    if clause.iter().any(|lit| lit.abs() == input) {
        return split(clause, rest, lines, lemmas);
    }
    for lit in [input, -input] {
        clause.push(lit);
        let follows = lemmas.len() < MAX_LEMMAS && split(clause, rest, lines, lemmas);
        if follows {
            lemmas.push(clause.clone());
        }
        clause.pop();
        if !follows {
            return false;
        }
    }
    lines.add(clause)
}
