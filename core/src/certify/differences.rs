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
    for clause in plain.clauses() {
        let &[v, a, b] = clause else { continue };
        if !unpaired.remove(&[v, -a, -b]) {
            unpaired.insert([v, a, b]);
        } else if lines.add(&[v, a]) && !lines.add(&[v]) {
            lines.delete(&[v, a]);
        }
    }
}
