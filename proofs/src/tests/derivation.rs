//! A derivation accepts what the checkers accept, stores no clause twice, and writes a proof that they accept.

use super::common::{Clause, formula, pigeons};
use crate::{Derivation, Drat};
use counterpoint_base::budget::{Limit, Stop};
use std::sync::Arc;

fn text(derivation: Derivation<'_>) -> String {
    String::from_utf8(derivation.into_proof().0).unwrap()
}

#[test]
fn only_clauses_that_follow_are_added() {
    let stop: Stop = Arc::new(|| None);
    let f = formula(4, &[vec![1, 2], vec![-1, 2], vec![3, 4]]);
    let mut derivation = Derivation::new(&f, &stop);
    assert!(derivation.contains(&[2, 1]) && !derivation.contains(&[2]));
    // The clause 5 is RAT, but does not follow.
    assert!(!derivation.add(&[3]) && !derivation.add(&[5]) && !derivation.contains(&[5]));
    assert!(derivation.add(&[2]) && derivation.contains(&[2]));
    assert!(derivation.add(&[2]), "an active clause is not written again");
    assert_eq!(derivation.define(&[-2, 3]), Ok(false));
    assert_eq!(derivation.define(&[5, -3]), Ok(true));
    assert_eq!(derivation.define(&[5, -3]), Ok(true));
    derivation.delete(&[-3, 5]);
    derivation.delete(&[-3, 5]);
    derivation.delete(&[4]);
    assert!(!derivation.contains(&[5, -3]) && !derivation.refuted());
    assert_eq!(text(derivation), "2 0\n5 -3 0\nd -3 5 0\n");
}

#[test]
fn lemmas_are_the_clauses_that_were_added() {
    let stop: Stop = Arc::new(|| None);
    let f = formula(3, &[vec![1, 2], vec![-1, 2], vec![-2, 3], vec![-3, 1], vec![-3, -1]]);
    let (mut derivation, mut lemmas) = (Derivation::new(&f, &stop), Vec::<Clause>::new());
    assert!(!derivation.add_lemma(&[5], &mut lemmas));
    assert!(derivation.add_lemma(&[2, 1], &mut lemmas));
    assert!(lemmas.is_empty());
    assert!(derivation.add_lemma(&[2, 3], &mut lemmas));
    assert!(derivation.add_lemma(&[3, 2], &mut lemmas));
    assert_eq!(lemmas, [[2, 3]]);
    assert!(derivation.add_lemma(&[2], &mut lemmas) && derivation.refuted());
    // Everything follows now, and nothing more is written.
    assert!(derivation.add_lemma(&[5], &mut lemmas) && derivation.add(&[6]));
    assert_eq!(derivation.define(&[7]), Ok(true));
    assert_eq!(lemmas, [vec![2, 3], vec![2]]);
    let proof = derivation.into_proof();
    assert_eq!(proof, Drat::from("2 3 0\n2 0\n"));
    assert!(proof.check(&f).is_ok());
}

#[test]
fn cooks_refutation_can_be_derived() {
    let stop: Stop = Arc::new(|| None);
    let (n, clauses, proof) = pigeons(4);
    let f = formula(n, &clauses);
    let mut derivation = Derivation::new(&f, &stop);
    for clause in proof.iter().filter(|clause| !clause.is_empty()) {
        assert_eq!(derivation.define(clause), Ok(true));
    }
    assert!(derivation.refuted() && derivation.into_proof().check(&f).is_ok());
    let cancelled: Stop = Arc::new(|| Some(Limit::Cancelled));
    assert_eq!(Derivation::new(&f, &cancelled).define(&[-1, 2]), Err(Limit::Cancelled));
}
