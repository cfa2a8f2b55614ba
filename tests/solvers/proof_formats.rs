//! The proof checkers against proofs of a foreign shape: extension steps, bytes, hints, and their forgeries.

use crate::proof_common::{Clause, bytes, formula, line, pigeons, with_hints};
use counterpoint::engine::Limit;
use counterpoint::proof::{Drat, Formula, Lrat, Place, ProofError, Refutation};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn accepted(formula: &Formula, proof: impl Into<Refutation>) -> bool {
    let stop: counterpoint::engine::Stop = std::sync::Arc::new(|| None);
    proof.into().check_until(formula, &stop).is_ok()
}

fn drat(formula: &Formula, text: &str) -> Result<(), ProofError> {
    Drat::from(text).check(formula).map(|_| ())
}

/// All four clauses over two variables, beside seven that are free.
fn square() -> Formula {
    formula(9, &[vec![1, 2], vec![1, -2], vec![-1, 2], vec![-1, -2]])
}

#[test]
fn a_refutation_needs_the_empty_clause() {
    let f = square();
    let refused = |line| Err(ProofError::NotImplied(Place::Line(line)));
    assert_eq!(drat(&f, "1 0\n0\n"), Ok(()));
    assert_eq!(drat(&f, "1 0\n"), Ok(()), "unit propagation alone finishes it");
    assert_eq!(drat(&f, "c by hand\n\n  1 \t0\r\n0"), Ok(()));
    assert_eq!(drat(&f, ""), Err(ProofError::NoEmptyClause));
    assert_eq!(drat(&f, "3 0\n"), Err(ProofError::NoEmptyClause), "it is RAT, and says nothing");
    assert_eq!(drat(&f, "3 0\n-3 0\n"), refused(2));
    assert_eq!(drat(&f, "0\n"), refused(1));
    assert_eq!(drat(&f, "d 1 2 0\nd 7 8 0\n0\n"), refused(3));
    for (text, found) in
        [("1 x 0\n", "x"), ("1 2\n", "end of line"), ("1 0 2\n", "2"), ("99999999999 0\n", "99999999999")]
    {
        let expected = "literal; a step is 'LIT ... 0' or 'd LIT ... 0'";
        let error = ProofError::Syntax { place: Place::Line(1), found: found.into(), expected };
        assert_eq!(drat(&f, text), Err(error));
    }
    assert_eq!(drat(&formula(9, &[vec![]]), ""), Ok(()), "an empty clause needs no proof");
    assert_eq!(drat(&formula(9, &[vec![4], vec![-4]]), ""), Ok(()));
}

#[test]
fn definitions_are_added_and_nothing_else_that_is_new() {
    let f = formula(3, &[vec![1, 2], vec![3]]);
    // 4 iff 1 or 2.
    let definition = "4 -1 0\n4 -2 0\n-4 1 2 0\n";
    assert_eq!(drat(&f, &format!("{definition}4 0\n")), Err(ProofError::NoEmptyClause));
    let refused = |line| Err(ProofError::NotImplied(Place::Line(line)));
    assert_eq!(drat(&f, &format!("{definition}-4 3 0\n-4 0\n")), refused(5));
    // The pivot is the first literal: RAT on another one does not count.
    assert_eq!(drat(&f, "-3 5 0\n"), refused(1));
    assert_eq!(drat(&f, "5 -3 0\n-5 0\n"), refused(2));
    // What a deletion names for the first time is no variable yet.
    assert_eq!(drat(&f, "d 5 0\n5 0\n-5 0\n"), refused(3));
    // The deletion of a reason is ignored, here and in the resolvents: 3 still holds.
    assert_eq!(drat(&f, "d 3 0\n-3 0\n"), refused(2));
    assert_eq!(drat(&f, "d 3 0\n-3 6 0\n"), refused(2));
    // That of a clause is not: then -1 is RAT, as nothing holds 1.
    assert_eq!(drat(&f, "d 1 2 0\n-1 0\n"), Err(ProofError::NoEmptyClause));
}

#[test]
fn a_short_proof_takes_little_memory_whatever_it_names() {
    let f = square();
    assert_eq!(drat(&f, "2000000000 0\n-2147483647 0\n1 0\n"), Ok(()));
    assert_eq!(drat(&f, "d 2000000000 1999999999 0\n1 0\n"), Ok(()));
    let used = allocation_counter::measure(|| {
        assert!(drat(&f, "2000000000 0\n").is_err());
        assert!(!accepted(&f, Lrat::from("18446744073709551615 2000000000 0 0\n")));
        assert!(!accepted(&f, Lrat::from("5 2000000000 0 -9223372036854775808 0\n")));
        assert!(!accepted(&f, Drat::from(&b"a\xfe\xff\xff\xff\x0f\x00"[..])));
    });
    assert!(used.bytes_max < 20_000, "{}", used.bytes_max);
}

#[test]
fn bytes_are_told_from_text() {
    let f = square();
    assert!(accepted(&f, Drat(bytes(b'a', &[1]))));
    assert!(accepted(&f, Drat([bytes(b'd', &[1, 2, 300]), bytes(b'a', &[1])].concat())));
    assert!(accepted(
        &f,
        Drat([bytes(b'a', &[300, 1, 5]), bytes(b'd', &[-1, 5]), bytes(b'a', &[1])].concat())
    ));
    let refused = |bytes: &[u8]| Drat(bytes.to_vec()).check(&f).unwrap_err().to_string();
    assert_eq!(refused(b"a"), "proof byte 0: 'end of file' is no literal; one is at most 2^32 - 1");
    assert_eq!(
        refused(&[bytes(b'd', &[1, 2, 3]), vec![b'x']].concat()),
        "proof byte 5: 'byte 120' is no step; one starts with 'a' or 'd'"
    );
    assert!(refused(b"a\x01\x00").contains("is no end of a literal"), "there is no variable 0");
    assert!(refused(b"a\x80\x00\x00").contains("is no end of a literal"));
    assert!(refused(b"a\xff\xff\xff\xff\xff\x01\x00").contains("one is at most 2^32 - 1"));
    assert!(refused(&bytes(b'a', &[])).contains("proof byte 0: the clause does not follow"));
}

fn as_text(proof: &[Clause]) -> String {
    proof.iter().map(|lits| line(lits)).collect()
}

#[test]
fn cooks_refutation_of_the_pigeonhole_principle_holds() {
    for holes in 1..=12 {
        let (n, clauses, proof) = pigeons(holes);
        let f = formula(n, &clauses);
        assert!(accepted(&f, Drat::from(as_text(&proof))), "{holes}");
        assert!(accepted(&f, Drat(proof.iter().flat_map(|lits| bytes(b'a', lits)).collect())), "{holes}");
        if holes <= 5 {
            assert!(accepted(&f, Lrat::from(with_hints(&clauses, &proof))), "{holes}");
        }
    }
}

/// Whatever is changed in the proof, it does not refute a formula that has a model.
#[test]
fn no_change_of_a_line_refutes_what_has_a_model() {
    let (n, clauses, proof) = pigeons(3);
    let whole = formula(n, &clauses);
    let weaker: Vec<Vec<Clause>> = (0..clauses.len())
        .map(|gone| clauses.iter().enumerate().filter(|(i, _)| *i != gone).map(|(_, c)| c.clone()).collect())
        .collect();
    let mut refused = 0;
    let mut try_all = |changed: &[Clause]| {
        let hinted = with_hints(&clauses, changed);
        for weaker in &weaker {
            let f = formula(n, weaker);
            assert!(!accepted(&f, Drat::from(as_text(changed))));
            assert!(!accepted(&f, Lrat::from(hinted.clone())));
        }
        refused += usize::from(!accepted(&whole, Drat::from(as_text(changed))));
    };
    try_all(&proof);
    for weaker in &weaker {
        assert!(!accepted(&formula(n, weaker), Lrat::from(with_hints(weaker, &proof))));
    }
    for i in 0..proof.len() {
        let mut changed = proof.clone();
        changed.remove(i);
        try_all(&changed);
        for k in 0..proof[i].len() {
            let mut changed = proof.clone();
            changed[i][k] = -changed[i][k];
            try_all(&changed);
            changed[i].remove(k);
            try_all(&changed);
        }
    }
    assert!(refused > proof.len(), "{refused}");
}

#[test]
fn hints_must_name_units_that_are_there() {
    let f = square();
    let check = |text: &str| Lrat::from(text).check(&f).map_err(|e| e.to_string());
    let refused = |text: &str| check(text).unwrap_err();
    let checked = check("c by hand\n5 1 0 1 2 0\n6 d 1 2 0\n7 0 5 3 4 0\n").unwrap();
    assert_eq!((checked.clauses, checked.steps, checked.propagations), (4, 3, 5));
    assert_eq!(refused("5 1 0 1 2 0\n"), "the proof never reaches the empty clause");
    assert_eq!(refused("5 1 0 1 9 0\n"), "proof line 1: there is no clause 9");
    assert_eq!(refused("5 1 0 1 2 0\n6 d 1 0\n7 2 0 1 0\n"), "proof line 3: there is no clause 1");
    assert_eq!(refused("5 d 9 0\n"), "proof line 1: there is no clause 9");
    assert_eq!(refused("4 1 0 1 2 0\n"), "proof line 1: there is a clause 4 already");
    assert_eq!(refused("5 1 0 3 1 2 0\n"), "proof line 1: clause 3 is not unit there");
    assert_eq!(refused("5 1 0 1 0\n"), "proof line 1: the hints end without a conflict");
    assert_eq!(refused("5 0 0\n"), "proof line 1: the hints end without a conflict");
    assert_eq!(refused("5 1 0 -3 0\n"), "proof line 1: the hints end without a conflict with clause 3");
    assert_eq!(refused("5 1 0 -1 0\n"), "proof line 1: there is no clause 1", "it does not hold the pivot");
    assert_eq!(refused("5 x 0 0\n"), "proof line 1: 'x' is no literal");
    assert_eq!(refused("5 1 0 1\n"), "proof line 1: 'end of line' is no hint");
    assert_eq!(refused("0 1 0 1 2 0\n"), "proof line 1: '0' is no clause number");
    assert_eq!(refused("5 1 0 1 2 0 7\n"), "proof line 1: '7' is no line of 'ID LIT ... 0 HINT ... 0'");
    // A definition, once with the resolvents named and once not; both hold.
    for hints in ["-5 -6", ""] {
        let text = format!("5 12 -1 0 0\n6 12 -2 0 0\n7 -12 1 2 0 {hints} 0\n8 1 0 1 2 0\n9 0 8 3 4 0\n");
        assert!(check(&text).is_ok(), "{hints}");
    }
    assert_eq!(refused("5 12 0 0\n6 -12 0 0\n"), "proof line 2: the hints end without a conflict");
}

#[test]
fn errors_show_little_and_only_what_prints() {
    let f = square();
    let long = "9".repeat(1 << 20);
    let cut = "9".repeat(40) + "...";
    for token in ["\x1b[2J", "\u{202e}x", "\u{7f}", &long] {
        let text = format!("1 {token} 0\n");
        let errors = [
            Drat::from(text.as_str()).check(&f).unwrap_err().to_string(),
            Lrat::from(format!("5 {text}")).check(&f).unwrap_err().to_string(),
            Formula::from_dimacs(format!("p cnf 1 1\n{text}").as_bytes()).unwrap_err().to_string(),
        ];
        for error in errors {
            assert!(error.chars().all(|c| !c.is_control() && c != '\u{202e}'), "{error}");
            assert!(error.len() < 200 && (token.len() < 9 || error.contains(&cut)), "{error}");
        }
    }
    assert_eq!(
        drat(&f, "\t1\x07 0\n").unwrap_err().to_string(),
        "proof line 1: '1\\u{7}' is no literal; a step is 'LIT ... 0' or 'd LIT ... 0'"
    );
}

#[test]
fn blanks_of_any_kind_make_no_bytes_of_a_text() {
    let f = square();
    for text in ["\t1 0\n0\n", "c\t(by hand)\n1 0\n", "d\t7 8 0\n1\t0\n", "c \u{e9}\n1 0\n"] {
        assert_eq!(drat(&f, text), Ok(()), "{text}");
    }
}

/// One step with two hundred partners: asked to stop, it does.
#[test]
fn one_long_step_can_be_stopped() {
    let pairs = (3..203).flat_map(|k| [vec![-1, 2, k], vec![2, k]]);
    let f = formula(202, &pairs.collect::<Vec<_>>());
    let hints: String = (0..200).map(|k| format!("-{} {} ", 2 * k + 1, 2 * k + 2)).collect();
    let drat = Refutation::from(Drat::from("1 0\n"));
    let lrat = Refutation::from(Lrat::from(format!("401 1 0 {hints}0\n")));
    for proof in [drat, lrat] {
        for patience in 0..4 {
            let asked = Arc::new(AtomicUsize::new(0));
            let stop: counterpoint::engine::Stop = Arc::new(move || {
                (asked.fetch_add(1, Ordering::Relaxed) >= patience).then_some(Limit::Cancelled)
            });
            assert_eq!(
                proof.check_until(&f, &stop),
                Err(ProofError::Stopped(Limit::Cancelled)),
                "{patience}"
            );
        }
    }
}

fn satisfiable(n: usize, clauses: &[Clause]) -> bool {
    let value = |m: u32, lit: &i32| (m >> (lit.unsigned_abs() - 1) & 1 == 1) == (*lit > 0);
    (0..1u32 << n).any(|m| clauses.iter().all(|c| c.iter().any(|lit| value(m, lit))))
}

/// Proofs grown at random, with new variables and deletions: each step stays that the checker lets pass.
#[test]
fn random_proofs_refute_only_what_has_no_model() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let (mut refuted, mut kept) = (0, 0);
    for _ in 0..600 {
        let n = rng.random_range(2..=5);
        let clause = |rng: &mut ChaCha8Rng, most: i32| -> Clause {
            let lit = |rng: &mut ChaCha8Rng| rng.random_range(1..=most) * if rng.random() { 1 } else { -1 };
            (0..rng.random_range(1..=3)).map(|_| lit(rng)).collect()
        };
        let clauses: Vec<Clause> = (0..2 * n).map(|_| clause(&mut rng, n)).collect();
        let f = formula(n as usize, &clauses);
        let possible = satisfiable(n as usize, &clauses);
        let mut steps: Vec<(bool, Clause)> = Vec::new();
        for _ in 0..40 {
            let adds = rng.random_bool(0.8);
            let pool: Vec<&Clause> = clauses.iter().chain(steps.iter().map(|(_, c)| c)).collect();
            let lits = match adds {
                true => clause(&mut rng, n + 2),
                false => pool[rng.random_range(0..pool.len())].clone(),
            };
            steps.push((adds, lits));
            let text =
                |(adds, lits): &(bool, Clause)| format!("{}{}", if *adds { "" } else { "d " }, line(lits));
            let step = |(adds, lits): &(bool, Clause)| bytes(if *adds { b'a' } else { b'd' }, lits);
            let result = Drat::from(steps.iter().map(text).collect::<String>()).check(&f);
            let binary = Drat(steps.iter().flat_map(step).collect()).check(&f);
            assert_eq!(result.is_ok(), binary.is_ok());
            match result {
                Ok(_) => {
                    assert!(!possible, "{clauses:?}: {steps:?}");
                    refuted += 1;
                    break;
                }
                Err(ProofError::NoEmptyClause) => kept += 1,
                Err(_) => drop(steps.pop()),
            }
        }
    }
    assert!(refuted > 50 && kept > 5_000, "{refuted} {kept}");
}
