//! Tricks in proofs whose verdict is known: legitimate ones are accepted, others are refused with a message that names
//! the step. Prefixes of proofs, and steps compared with a plain implementation of the rules.

use crate::formulas::{
    Clause, Hinted, Refuted, Step, conflicts, drat_bytes, drat_text, formula, is_satisfiable, lrat_bytes,
    lrat_text, random_clause, random_refuted, with_hints,
};
use crate::samples::samples;
use chacha20::ChaCha8Rng;
use counterpoint::engine::Budget;
use counterpoint::proof::{Drat, Lrat, Refutation, VeriPb};
use rand::{RngExt, SeedableRng};

/// Accepted, or why the proof is refused.
fn verdict(n: i32, clauses: &[Clause], refutation: impl Into<Refutation>) -> String {
    let checked = refutation.into().check_until(&formula(n, clauses), &Budget::unlimited().stop());
    checked.map_or_else(|error| error.to_string(), |_| "accepted".to_owned())
}

/// All four clauses over 1 and 2, the unit clause 3, and two clauses with 4 and 5.
fn square() -> Vec<Clause> {
    vec![vec![1, 2], vec![1, -2], vec![-1, 2], vec![-1, -2], vec![3], vec![4, 5], vec![-4, 5]]
}

const NOT_IMPLIED: &str =
    "the clause does not follow by unit propagation, nor is it RAT on its first literal";
const NO_EMPTY: &str = "the proof never reaches the empty clause";

#[test]
fn drat_tricks() {
    let (f, refused) = (square(), |line: usize| format!("proof line {line}: {NOT_IMPLIED}"));
    // Without the first clause, the formula has a model.
    let weaker = f[1..].to_vec();
    for (text, expected, on_weaker) in [
        ("1 0\n0\n", "accepted".to_owned(), refused(1)),
        // The deletion of a unit clause is ignored, so 3 stays true and -3 cannot be derived.
        ("d 3 0\n-3 0\n0\n", refused(2), refused(2)),
        ("d 3 0\n1 0\n", "accepted".to_owned(), refused(2)),
        // A clause that is true because of a unit clause may be deleted, and its reason stays.
        ("3 6 0\nd 3 6 0\n-3 6 0\n", refused(3), refused(3)),
        // RAT on new variables: a definition, and then its use.
        ("6 -1 0\n6 -2 0\n-6 1 2 0\n6 0\n1 0\n", "accepted".to_owned(), refused(4)),
        // The same definition with its first literal elsewhere: the clause is RAT on the wrong literal.
        ("6 -1 0\n6 -2 0\n1 -6 2 0\n", NO_EMPTY.to_owned(), refused(3)),
        ("6 0\n-6 0\n", refused(2), refused(2)),
        ("6 1 0\n-6 1 0\n-1 0\n", "accepted".to_owned(), refused(2)),
        // RAT on a used variable: 5 is RAT because no clause has -5, and 4 because the only resolvent, 5, follows. For
        // -5, the resolvent with the clause 4 5 does not follow.
        ("5 0\n", NO_EMPTY.to_owned(), NO_EMPTY.to_owned()),
        ("4 0\n", NO_EMPTY.to_owned(), NO_EMPTY.to_owned()),
        ("5 0\n4 0\n", NO_EMPTY.to_owned(), NO_EMPTY.to_owned()),
        // After 5 was added as RAT, -5 does not follow.
        ("5 0\n-5 0\n", refused(2), refused(2)),
        ("-5 0\n", refused(1), refused(1)),
        // Tautologies may be added, but say nothing.
        ("1 -1 0\n-1 1 6 0\n", NO_EMPTY.to_owned(), NO_EMPTY.to_owned()),
        ("-1 1 0\n1 0\n", "accepted".to_owned(), refused(2)),
        ("7 -7 0\n7 0\n-7 0\n", refused(3), refused(3)),
        // Literals that are listed twice count once.
        ("1 1 0\n", "accepted".to_owned(), refused(1)),
        ("d 1 1 2 0\n0\n", refused(2), refused(2)),
        ("d 2 1 0\nd -2 1 0\n1 0\n", refused(3), refused(3)),
        // A clause that is listed twice stays when it is deleted once.
        ("1 2 0\nd 1 2 0\n1 0\n", "accepted".to_owned(), refused(1)),
        ("1 2 0\nd 1 2 0\nd 1 2 0\n1 0\n", refused(4), refused(1)),
        // After the deletion of all clauses with -1, 1 is RAT. That closes nothing.
        ("d -1 2 0\nd -1 -2 0\n1 0\n", NO_EMPTY.to_owned(), NO_EMPTY.to_owned()),
    ] {
        assert_eq!(verdict(8, &f, Drat::from(text)), expected, "{text}");
        assert_eq!(verdict(8, &weaker, Drat::from(text)), on_weaker, "{text}, without the first clause");
    }
}

#[test]
fn lrat_tricks() {
    let f = square();
    let weaker = [&[vec![6, 7]], &f[1..]].concat();
    let at = |line: usize, why: &str| format!("proof line {line}: {why}");
    for (text, expected) in [
        ("8 1 0 1 2 0\n9 0 8 3 4 0\n", "accepted".to_owned()),
        // Numbers: one in use, one that is free again, the number of a clause that is added later, its own number.
        ("7 1 0 1 2 0\n", at(1, "there is already a clause 7")),
        ("8 1 0 1 2 0\n8 0 8 3 4 0\n", at(2, "there is already a clause 8")),
        ("8 d 1 0\n1 1 0 2 3 0\n", at(2, "the hints end without a conflict")),
        ("8 1 0 1 2 0\n8 d 1 2 0\n1 0 8 3 4 0\n", "accepted".to_owned()),
        ("8 1 0 9 2 0\n", at(1, "there is no clause 9")),
        ("8 1 0 8 0\n", at(1, "there is no clause 8")),
        // A deleted clause is used later, or deleted twice.
        ("8 1 0 1 2 0\n9 d 8 0\n9 0 8 3 4 0\n", at(3, "there is no clause 8")),
        ("8 d 1 1 0\n", at(1, "there is no clause 1")),
        ("8 d -1 0\n", at(1, "there is no clause 1")),
        // Hints in another order, repeated, missing, superfluous.
        ("8 1 0 2 1 0\n9 0 8 4 3 0\n", "accepted".to_owned()),
        ("8 1 0 1 1 2 0\n9 0 8 3 4 0\n", "accepted".to_owned()),
        ("8 1 0 1 2 0\n9 0 3 8 4 0\n", at(2, "clause 3 is not unit when its hint is reached")),
        ("8 1 0 1 0\n", at(1, "the hints end without a conflict")),
        ("8 1 0 1 2 3 0\n9 0 8 3 4 0\n", "accepted".to_owned()),
        // The hint of a clause that is true changes nothing.
        ("8 1 0 5 1 2 0\n9 0 8 3 4 0\n", "accepted".to_owned()),
        // RAT on used variables: no clause has -5. For 4, the resolvent with -4 5 needs hints that do not exist.
        ("8 5 0 0\n9 1 0 1 2 0\n10 0 9 3 4 0\n", "accepted".to_owned()),
        ("8 4 0 -7 0\n", at(1, "the hints for the resolvent with clause 7 end without a conflict")),
        ("8 4 0 0\n", at(1, "the hints end without a conflict")),
        // The groups of hints name a clause without the negated pivot, or the same clause twice.
        ("8 5 0 -7 0\n", at(1, "there is no clause 7")),
        ("8 4 3 0 -7 -7 0\n", at(1, "the hints for the resolvent with clause 7 end without a conflict")),
        // RAT on a new variable, twice, and then its negation.
        ("8 6 0 0\n9 -6 0 0\n", at(2, "the hints end without a conflict")),
        ("8 6 0 0\n9 -6 0 -8 0\n", at(2, "the hints for the resolvent with clause 8 end without a conflict")),
        // Tautologies and duplicate literals.
        ("8 1 -1 0 0\n9 1 1 0 1 2 0\n10 0 9 3 4 0\n", "accepted".to_owned()),
        ("8 1 -1 0 0\n9 0 8 3 4 0\n", at(2, "clause 8 is not unit when its hint is reached")),
        ("8 0 0\n", at(1, "the hints end without a conflict")),
        ("8 1 0 1 2 0\n", NO_EMPTY.to_owned()),
    ] {
        assert_eq!(verdict(8, &f, Lrat::from(text)), expected, "{text}");
        assert_ne!(verdict(8, &weaker, Lrat::from(text)), "accepted", "{text}");
    }
}

#[test]
fn pseudo_boolean_tricks() {
    let f = vec![vec![1, 2], vec![1, -2], vec![-1, 2], vec![-1, -2]];
    let at = |line: usize, why: &str| format!("proof line {line}: {why}");
    let rup = "rup +1 x1 >= 1 ;\n";
    for (body, expected) in [
        (format!("f 4\n{rup}conclusion UNSAT\n"), "accepted".to_owned()),
        (format!("f 4\n{rup}pol 3 4 + 2 d 5 +\nconclusion UNSAT : 6\n"), "accepted".to_owned()),
        (format!("f 3\n{rup}conclusion UNSAT\n"), at(2, "the formula has 4 constraints, not 3")),
        (format!("f 4\n{rup}conclusion UNSAT : 5\n"), at(4, "constraint 5 is not a contradiction")),
        ("f 4\nconclusion UNSAT\n".to_owned(), at(3, "unit propagation does not lead to a conflict")),
        (
            format!("f 4\n{rup}conclusion NONE\n"),
            "the proof does not conclude that the formula is unsatisfiable".into(),
        ),
        (format!("f 4\n{rup}"), "the proof does not conclude that the formula is unsatisfiable".to_owned()),
        // A constraint that was deleted is used later.
        (format!("f 4\n{rup}del id 5\npol 5 3 +\n"), at(5, "there is no constraint 5")),
        (format!("f 4\ndel id 1\n{rup}"), at(4, "the constraint does not follow by unit propagation")),
        // Redundance: on a new variable, on a used one, and with a witness that is no solution.
        (
            "f 4\nred +1 x9 >= 1 ; x9 -> 1\nred +1 ~x9 >= 1 ; x9 -> 0\n".to_owned(),
            at(4, "the witness may violate another constraint"),
        ),
        ("f 4\nred +1 x9 >= 1 ; x9 -> 0\n".to_owned(), at(3, "the witness does not satisfy the constraint")),
        ("f 4\nred >= 1 ;\n".to_owned(), at(3, "the witness does not satisfy the constraint")),
        ("f 4\na +1 x1 >= 1 ;\n".to_owned(), at(3, "the step is an assumption, which proves nothing")),
        ("f 4\nrup >= 1 ;\n".to_owned(), at(3, "the constraint does not follow by unit propagation")),
    ] {
        let text = format!("pseudo-Boolean proof version 2.0\n{body}");
        let found = verdict(2, &f, VeriPb::from(text.as_str()));
        let found = found
            .split_once(", column")
            .map_or(found.clone(), |(line, rest)| format!("{line}: {}", rest.split_once(": ").unwrap().1));
        assert_eq!(found, expected, "{text}");
        assert_ne!(verdict(2, &f[1..], VeriPb::from(text.as_str())), "accepted", "{text}");
    }
}

fn steps(refuted: &Refuted) -> Vec<Step> {
    refuted.proof.iter().cloned().map(Step::Add).collect()
}

/// A proof that ends early is accepted if and only if unit propagation over the formula and the steps so far leads to a
/// conflict, whether it ends after a step or within one.
#[test]
fn truncated_proofs() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..samples(20) {
        let refuted = random_refuted(&mut rng);
        let Refuted { n, clauses, proof } = &refuted;
        let (all, hinted) = (steps(&refuted), with_hints(clauses, proof));
        for len in 0..proof.len() {
            let derived = [&clauses[..], &proof[..len]].concat();
            let expected = conflicts(&derived, &[]);
            accepted += usize::from(expected);
            refused += usize::from(!expected);
            for bytes in [drat_text(&all[..len]).into_bytes(), drat_bytes(&all[..len])] {
                assert_eq!(
                    verdict(*n, clauses, Drat(bytes)) == "accepted",
                    expected,
                    "{clauses:?} {proof:?} {len}"
                );
            }
            // LRAT needs the empty clause itself.
            for bytes in [lrat_text(&hinted[..len]).into_bytes(), lrat_bytes(&hinted[..len])] {
                let has_empty = clauses.iter().chain(&proof[..len]).any(Vec::is_empty);
                assert_eq!(verdict(*n, clauses, Lrat(bytes)) == "accepted", has_empty);
            }
            // Within the next step, which is then incomplete.
            let (before, after) = (drat_text(&all[..len]), drat_text(&all[..=len]));
            for end in before.len() + 1..after.len() - 1 {
                let cut = verdict(*n, clauses, Drat::from(&after.as_bytes()[..end]));
                assert_eq!(cut == "accepted", expected, "{cut}: {}", &after[..end]);
            }
            let (before, after) = (drat_bytes(&all[..len]).len(), drat_bytes(&all[..=len]));
            for end in before + 1..after.len() {
                assert_eq!(verdict(*n, clauses, Drat(after[..end].to_vec())) == "accepted", expected);
            }
            let (text, bytes) = (lrat_text(&hinted[..=len]), lrat_bytes(&hinted[..=len]));
            let (shorter, from) = (lrat_text(&hinted[..len]).len(), lrat_bytes(&hinted[..len]).len());
            for end in shorter + 1..text.len() - 1 {
                assert_ne!(
                    verdict(*n, clauses, Lrat::from(&text.as_bytes()[..end])),
                    "accepted",
                    "{}",
                    &text[..end]
                );
            }
            for end in from + 1..bytes.len() {
                assert_ne!(verdict(*n, clauses, Lrat(bytes[..end].to_vec())), "accepted");
            }
        }
        assert_eq!(verdict(*n, clauses, Drat(drat_bytes(&all))), "accepted");
        assert_eq!(verdict(*n, clauses, Lrat(lrat_bytes(&hinted))), "accepted");
    }
    assert!(accepted > 20 && refused > 20, "{accepted} {refused}");
}

/// Whether a clause may be added: it follows by unit propagation, or each resolvent on its first literal does.
fn may_be_added(clauses: &[Clause], added: &Clause) -> bool {
    let denied: Vec<i32> = added.iter().map(|lit| -lit).collect();
    if conflicts(clauses, &denied) {
        return true;
    }
    let Some(pivot) = added.first() else { return false };
    let follows = |partner: &Clause| {
        let rest = partner.iter().filter(|lit| **lit != -pivot).map(|lit| -lit);
        conflicts(clauses, &denied.iter().copied().chain(rest).collect::<Vec<_>>())
    };
    // A tautology is true in any case.
    let is_tautology = |clause: &Clause| clause.iter().any(|lit| clause.contains(&-lit));
    clauses.iter().filter(|clause| clause.contains(&-pivot) && !is_tautology(clause)).all(follows)
}

/// Random steps, most of which are wrong, with new variables, tautologies and literals listed twice: the checker refuses
/// the same step as a plain implementation of the rules, and accepts the same proofs.
#[test]
fn steps_are_refused_as_by_the_plain_rules() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let (mut accepted, mut at_step, mut at_end) = (0, 0, 0);
    for _ in 0..samples(1_000) {
        let Refuted { n, mut clauses, proof } = random_refuted(&mut rng);
        if rng.random_bool(0.4) {
            clauses.remove(rng.random_range(0..clauses.len()));
        }
        let mut added: Vec<Clause> = proof;
        for _ in 0..rng.random_range(0..5) {
            let mut clause = random_clause(n + 2, &mut rng);
            if rng.random_bool(0.3) {
                let lit = clause[rng.random_range(0..clause.len())];
                clause.push(if rng.random_bool(0.5) { lit } else { -lit });
            }
            added.insert(rng.random_range(0..=added.len()), clause);
        }
        let mut active = clauses.clone();
        let mut expected = NO_EMPTY.to_owned();
        for (line, clause) in (1..).zip(&added) {
            if conflicts(&active, &[]) {
                break;
            }
            if !may_be_added(&active, clause) {
                expected = format!("proof line {line}: {NOT_IMPLIED}");
                at_step += 1;
                break;
            }
            active.push(clause.clone());
        }
        if conflicts(&active, &[]) {
            expected = "accepted".to_owned();
            accepted += 1;
            // The rules are sound.
            assert!(!is_satisfiable(n, &clauses), "{clauses:?} {added:?}");
        } else {
            at_end += usize::from(expected == NO_EMPTY);
        }
        let steps: Vec<Step> = added.iter().cloned().map(Step::Add).collect();
        assert_eq!(verdict(n, &clauses, Drat::from(drat_text(&steps))), expected, "{clauses:?} {added:?}");
    }
    assert!(accepted > 100 && at_step > 100 && at_end == 0, "{accepted} {at_step} {at_end}");
}

/// The hints of a genuine proof in another order: a proof with hints that unit propagation cannot follow is refused, and
/// the conclusion stays the same.
#[test]
fn hints_in_another_order() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..samples(200) {
        let Refuted { n, clauses, proof } = random_refuted(&mut rng);
        let mut steps = with_hints(&clauses, &proof);
        let at = rng.random_range(0..steps.len());
        let Hinted::Add { lits, hints, .. } = &mut steps[at] else { unreachable!() };
        hints.reverse();
        let known = [&clauses[..], &proof[..at]].concat();
        // Follows the hints in order.
        let mut truth: Vec<i32> = lits.iter().map(|lit| -lit).collect();
        let mut ends = false;
        for hint in hints.iter() {
            let mut left: Vec<i32> =
                known[*hint as usize - 1].iter().copied().filter(|lit| !truth.contains(&-lit)).collect();
            left.dedup();
            match left[..] {
                [] => ends = true,
                [unit] => truth.push(unit),
                _ => break,
            }
            if ends {
                break;
            }
        }
        let found = verdict(n, &clauses, Lrat::from(lrat_text(&steps)));
        assert_eq!(found == "accepted", ends, "{found} {clauses:?} {steps:?}");
        accepted += usize::from(ends);
        refused += usize::from(!ends);
    }
    assert!(accepted > 20 && refused > 20, "{accepted} {refused}");
}
