//! Derives ¬v for those difference variables v of the plain formula that an encoding may have omitted.
//!
//! For two squares a and b, a checker writes "v implies that a and b differ", with the clauses (¬v ∨ a ∨ b) and
//! (¬v ∨ ¬a ∨ ¬b). An encoding omits v if it writes a and b as the same literal. If unit propagation derives a from b
//! and b from a, then ¬v follows. But unit propagation alone does not derive ¬v: the lemma (¬v ∨ a) is needed first.

use crate::proof::{Derivation, Formula};
use rustc_hash::FxHashSet;

/// Adds the unit clause ¬v for each difference variable v, if it follows.
pub(super) fn derive(plain: &Formula, lines: &mut Derivation<'_>) {
    // The first clauses of pairs whose second clause has not been found yet.
    let mut unpaired: FxHashSet<[i32; 3]> = FxHashSet::default();
    let mut lemmas = Vec::new();
    for clause in plain.clauses() {
        let &[v, a, b] = clause else { continue };
        if !unpaired.remove(&[v, -a, -b]) {
            unpaired.insert([v, a, b]);
        } else if lines.add_lemma(&[v, a], &mut lemmas) && !lines.add(&[v]) {
            lemmas.iter().for_each(|lemma| lines.delete(lemma));
        }
        lemmas.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    /// The clause (¬1 ∨ 2), which the derivation needs as a lemma, is part of the formula, so it stays.
    #[test]
    fn clauses_of_the_formula_are_not_deleted() {
        let mut plain = Formula::new();
        plain.vars(3);
        let clauses: [&[i32]; 3] = [&[-1, 2], &[-1, 2, 3], &[-1, -2, -3]];
        clauses.iter().for_each(|clause| plain.clause(clause.iter().copied()));
        let stop: crate::engine::Stop = Arc::new(|| None);
        let mut lines = Derivation::new(&plain, &stop);
        derive(&plain, &mut lines);
        assert!(lines.contains(&[-1, 2]) && !lines.contains(&[-1]));
    }
}
