//! Derives constraints whose auxiliary variables define each other one after another, such as the pieces of a parity
//! constraint that was cut.
//!
//! For each variable, take the clauses that contain it and whose other variables were all created earlier.
//! These clauses define the variable if each of them is RAT on it. A clause that is not RAT must follow from
//! the clauses before it: by unit propagation alone, or after a case split on inputs that the clause does not
//! contain. For a piece of a parity constraint, the cases are the values of the k inputs of the other pieces,
//! so the split takes about 2^k lemmas.

use super::Clause;
use super::auxiliary::Constraint;
use crate::engine::Limit;
use crate::proof::Derivation;

/// The maximum number of lemmas for one clause.
const MAX_LEMMAS: usize = 1 << 10;

/// Adds the clauses of a constraint. Returns false if one of them is not part of a definition and does not follow.
///
/// # Errors
/// Returns the limit that was reached.
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

/// Adds a clause. If it does not follow by unit propagation, two longer clauses are added first: one that also contains
/// the next input, and one that also contains its negation. Each is added by a recursive call and pushed to `lemmas`.
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
        // A clause that was active before is not a lemma: it must not be deleted.
        let is_new = !lines.contains(clause);
        let follows = lemmas.len() < MAX_LEMMAS && split(clause, rest, lines, lemmas);
        if follows && is_new {
            lemmas.push(clause.clone());
        }
        clause.pop();
        if !follows {
            return false;
        }
    }
    lines.add(clause)
}
