//! Proofs in all formats, with definitions, deletions and hints, and altered proofs.

use super::common::{Clause, bytes, formula, line, pigeons, rounds, with_hints};
use crate::{Drat, Formula, Lrat, Place, ProofError, Refutation};
use chacha20::ChaCha8Rng;
use counterpoint_base::budget::{Limit, Stop};
use rand::{RngExt, SeedableRng};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn accepted(formula: &Formula, proof: impl Into<Refutation>) -> bool {
    let stop: Stop = Arc::new(|| None);
    proof.into().check_until(formula, &stop).is_ok()
}

fn drat(formula: &Formula, text: &str) -> Result<(), ProofError> {
    Drat::from(text).check(formula).map(|_| ())
}

/// All four clauses over two variables, and seven variables that occur in no clause.
fn square() -> Formula {
    formula(9, &[vec![1, 2], vec![1, -2], vec![-1, 2], vec![-1, -2]])
}

#[test]
fn a_refutation_needs_the_empty_clause() {
    let f = square();
    let rejected = |line| Err(ProofError::NotImplied(Place::Line(line)));
    assert_eq!(drat(&f, "1 0\n0\n"), Ok(()));
    assert_eq!(drat(&f, "1 0\n"), Ok(()), "unit propagation alone finishes it");
    let checked = Drat::from("c\n3 0\nd 3 0\n1 0\n").check(&f).unwrap();
    assert_eq!((checked.clauses, checked.steps, checked.propagations), (4, 3, 4));
    assert_eq!(drat(&f, "c by hand\n\n  1 \t0\r\n0"), Ok(()));
    assert_eq!(drat(&f, ""), Err(ProofError::NoEmptyClause));
    assert_eq!(drat(&f, "3 0\n"), Err(ProofError::NoEmptyClause), "the clause is RAT, but proves nothing");
    assert_eq!(drat(&f, "3 0\n-3 0\n"), rejected(2));
    assert_eq!(drat(&f, "0\n"), rejected(1));
    assert_eq!(drat(&f, "d 1 2 0\nd 7 8 0\n0\n"), rejected(3));
    for (text, found) in [
        ("1 x 0\n", "'x'"),
        ("1 2\n", "end of line"),
        ("1 0 2\n", "'2'"),
        ("99999999999 0\n", "'99999999999'"),
        ("-2147483648 0\n", "'-2147483648'"),
    ] {
        let expected = "a step of the form 'LIT ... 0' or 'd LIT ... 0'";
        let error = ProofError::Syntax { place: Place::Line(1), found: found.into(), expected };
        assert_eq!(drat(&f, text), Err(error));
    }
    assert!(matches!(drat(&f, "3 4 0\nd1 0\n"), Err(ProofError::Syntax { place: Place::Line(2), .. })));
    assert_eq!(drat(&formula(9, &[vec![]]), ""), Ok(()), "an empty clause needs no proof");
    assert_eq!(drat(&formula(9, &[vec![4], vec![-4]]), ""), Ok(()));
}

#[test]
fn clauses_with_new_variables_must_be_rat() {
    let f = formula(3, &[vec![1, 2], vec![3]]);
    // 4 iff 1 or 2.
    let definition = "4 -1 0\n4 -2 0\n-4 1 2 0\n";
    assert_eq!(drat(&f, &format!("{definition}4 0\n")), Err(ProofError::NoEmptyClause));
    let rejected = |line| Err(ProofError::NotImplied(Place::Line(line)));
    assert_eq!(drat(&f, &format!("{definition}-4 3 0\n-4 0\n")), rejected(5));
    // The pivot is the first literal. RAT on another one does not count.
    // A tautology is not stored, so it is no partner of later clauses.
    assert_eq!(drat(&square(), "10 -10 0\n10 0\n1 0\n"), Ok(()));
    assert_eq!(drat(&f, "-3 5 0\n"), rejected(1));
    assert_eq!(drat(&f, "5 -3 0\n-5 0\n"), rejected(2));
    // A deletion does not make a variable known.
    assert_eq!(drat(&f, "d 5 0\n5 0\n-5 0\n"), rejected(3));
    // A deletion needs the same signs.
    assert_eq!(drat(&formula(4, &[vec![1, 2], vec![3, 4]]), "d 3 -4 0\n-3 0\n"), rejected(2));
    // The deletion of a reason is ignored, also in RAT tests: 3 is still true.
    assert_eq!(drat(&f, "d 3 0\n-3 0\n"), rejected(2));
    assert_eq!(drat(&f, "d 3 0\n-3 6 0\n"), rejected(2));
    // Other deletions take effect: after this one, no clause contains 1, so -1 is RAT.
    assert_eq!(drat(&f, "d 1 2 0\n-1 0\n"), Err(ProofError::NoEmptyClause));
}

#[test]
fn a_short_proof_takes_little_memory_whatever_its_numbers() {
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
fn binary_proofs_are_recognised() {
    let f = square();
    assert!(accepted(&f, Drat(bytes(b'a', &[1]))));
    assert!(accepted(&f, Drat([bytes(b'd', &[1, 2, 300]), bytes(b'a', &[1])].concat())));
    assert!(accepted(
        &f,
        Drat([bytes(b'a', &[300, 1, 5]), bytes(b'd', &[-1, 5]), bytes(b'a', &[1])].concat())
    ));
    // Its second byte is a space, and the third is not text; its first ten bytes are digits.
    assert!(accepted(&f, Drat([bytes(b'a', &[-i32::MAX]), bytes(b'a', &[1])].concat())));
    for deleted in [&[16, 3][..], &[24, 25, 26, 27, 28, 24, 25, 26, 27, 28, 24]] {
        assert!(accepted(&f, Drat([bytes(b'd', deleted), bytes(b'a', &[1])].concat())), "{deleted:?}");
    }
    let rejected = |bytes: &[u8]| Drat(bytes.to_vec()).check(&f).unwrap_err().to_string();
    assert_eq!(
        rejected(b"a"),
        "proof byte 0: unexpected end of file; expected a literal whose code is at most 2^32 - 1"
    );
    assert_eq!(
        rejected(&[bytes(b'd', &[1, 2, 3]), vec![b'x']].concat()),
        "proof byte 5: unexpected byte 120; expected a step that starts with 'a' or 'd'"
    );
    assert!(rejected(b"a\x01\x00").contains("expected a number other than 0"), "there is no variable 0");
    assert!(rejected(b"a\x80\x00\x00").contains("expected a number other than 0"));
    assert!(
        rejected(b"a\xff\xff\xff\xff\xff\x01\x00")
            .contains("expected a literal whose code is at most 2^32 - 1")
    );
    assert!(rejected(&bytes(b'a', &[])).contains("proof byte 0: the clause does not follow"));
}

fn as_text(proof: &[Clause]) -> String {
    proof.iter().map(|lits| line(lits)).collect()
}

#[test]
fn cooks_refutation_of_the_pigeonhole_principle_is_accepted() {
    for holes in 1..=if cfg!(miri) { 3 } else { 12 } {
        let (n, clauses, proof) = pigeons(holes);
        let f = formula(n, &clauses);
        assert!(accepted(&f, Drat::from(as_text(&proof))), "{holes}");
        assert!(accepted(&f, Drat(proof.iter().flat_map(|lits| bytes(b'a', lits)).collect())), "{holes}");
        if holes <= 5 {
            assert!(accepted(&f, Lrat::from(with_hints(&clauses, &proof))), "{holes}");
        }
    }
}

/// No altered proof refutes a formula that has a model.
#[test]
fn proofs_with_an_altered_line_refute_no_satisfiable_formula() {
    let (n, clauses, proof) = pigeons(3);
    let whole = formula(n, &clauses);
    let weaker: Vec<Vec<Clause>> = (0..clauses.len())
        .map(|gone| clauses.iter().enumerate().filter(|(i, _)| *i != gone).map(|(_, c)| c.clone()).collect())
        .collect();
    let mut rejected = 0;
    let mut try_all = |changed: &[Clause]| {
        let hinted = with_hints(&clauses, changed);
        for weaker in &weaker {
            let f = formula(n, weaker);
            assert!(!accepted(&f, Drat::from(as_text(changed))));
            assert!(!accepted(&f, Lrat::from(hinted.clone())));
        }
        rejected += usize::from(!accepted(&whole, Drat::from(as_text(changed))));
    };
    try_all(&proof);
    for weaker in &weaker {
        assert!(!accepted(&formula(n, weaker), Lrat::from(with_hints(weaker, &proof))));
    }
    for i in (0..proof.len()).step_by(if cfg!(miri) { 40 } else { 1 }) {
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
    assert!(cfg!(miri) || rejected > proof.len(), "{rejected}");
}

#[test]
fn hints_must_name_active_unit_clauses() {
    let f = square();
    let check = |text: &str| Lrat::from(text).check(&f).map_err(|e| e.to_string());
    let rejected = |text: &str| check(text).unwrap_err();
    let checked = check("c by hand\n5 1 0 1 2 0\n6 d 1 2 0\n7 0 5 3 4 0\n").unwrap();
    assert_eq!((checked.clauses, checked.steps, checked.propagations), (4, 3, 5));
    assert_eq!(rejected("5 1 0 1 2 0\n"), "the proof never reaches the empty clause");
    assert_eq!(rejected("5 1 0 1 9 0\n"), "proof line 1: there is no clause 9");
    assert_eq!(rejected("5 1 0 1 2 0\n6 d 1 0\n7 2 0 1 0\n"), "proof line 3: there is no clause 1");
    assert_eq!(rejected("5 d 9 0\n"), "proof line 1: there is no clause 9");
    assert_eq!(rejected("4 1 0 1 2 0\n"), "proof line 1: there is already a clause 4");
    assert_eq!(rejected("5 1 0 3 1 2 0\n"), "proof line 1: clause 3 is not unit when its hint is reached");
    assert_eq!(rejected("5 1 0 1 0\n"), "proof line 1: the hints end without a conflict");
    assert_eq!(rejected("5 0 0\n"), "proof line 1: the hints end without a conflict");
    assert_eq!(
        rejected("5 1 0 -3 0\n"),
        "proof line 1: the hints for the resolvent with clause 3 end without a conflict"
    );
    assert_eq!(
        rejected("5 1 0 -1 0\n"),
        "proof line 1: there is no clause 1",
        "clause 1 does not contain the negated pivot"
    );
    // The clauses 1 and 2 contain the negated pivot.
    for (text, clause) in [("5 -1 0 -1 -2 0\n", 1), ("5 -1 4 0 -2 3 0\n", 2), ("5 -1 2 0 -2 0\n", 1)] {
        let why =
            format!("proof line 1: the hints for the resolvent with clause {clause} end without a conflict");
        assert_eq!(rejected(text), why, "{text}");
    }
    assert_eq!(rejected("5 -12 0 0\n"), "the proof never reaches the empty clause");
    assert_eq!(rejected("5 x 0 0\n"), "proof line 1: unexpected 'x'; expected a literal");
    assert_eq!(rejected("5 1 0 1\n"), "proof line 1: unexpected end of line; expected a hint");
    assert_eq!(rejected("0 1 0 1 2 0\n"), "proof line 1: unexpected '0'; expected a clause number");
    assert_eq!(
        rejected("5 1 0 1 2 0 7\n"),
        "proof line 1: unexpected '7'; expected the end of a step 'ID LIT ... 0 HINT ... 0' or 'ID d ID ... 0'"
    );
    // A definition, with hints for its resolvents and without; both are accepted.
    for hints in ["-5 -6", ""] {
        let text = format!("5 12 -1 0 0\n6 12 -2 0 0\n7 -12 1 2 0 {hints} 0\n8 1 0 1 2 0\n9 0 8 3 4 0\n");
        assert!(check(&text).is_ok(), "{hints}");
    }
    assert_eq!(rejected("5 12 0 0\n6 -12 0 0\n"), "proof line 2: the hints end without a conflict");
}

#[test]
fn errors_show_short_printable_excerpts() {
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
        "proof line 1: unexpected '1\\u{7}'; expected a step of the form 'LIT ... 0' or 'd LIT ... 0'"
    );
}

#[test]
fn a_text_with_any_white_space_is_not_taken_for_binary() {
    let f = square();
    for text in ["\t1 0\n0\n", "c\t(by hand)\n1 0\n", "d\t7 8 0\n1\t0\n", "c \u{e9}\n1 0\n"] {
        assert_eq!(drat(&f, text), Ok(()), "{text}");
    }
}

/// A step with two hundred resolvents calls the stop closure.
#[test]
fn one_long_step_can_be_stopped() {
    let pairs = (3..203).flat_map(|k| [vec![-1, 2, k], vec![2, k]]);
    let f = formula(202, &pairs.collect::<Vec<_>>());
    let hints: String = (0..200).map(|k| format!("-{} {} ", 2 * k + 1, 2 * k + 2)).collect();
    let drat = Refutation::from(Drat::from("1 0\n"));
    let lrat = Refutation::from(Lrat::from(format!("401 1 0 {hints}0\n")));
    // Before the loop, and after each 64 resolvents. The checker for DRAT also visits 2^16 watches on the way.
    for (proof, calls) in [(drat, 5), (lrat, 4)] {
        let asked = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&asked);
        let stop: Stop = Arc::new(move || {
            counter.fetch_add(1, Ordering::Relaxed);
            None
        });
        assert_eq!(proof.check_until(&f, &stop), Err(ProofError::NoEmptyClause));
        assert_eq!(asked.load(Ordering::Relaxed), calls);
        for patience in 0..4 {
            let asked = Arc::new(AtomicUsize::new(0));
            let stop: Stop = Arc::new(move || {
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

#[test]
fn proofs_can_be_stopped_after_each_64_steps() {
    let drat: String = (10..210).map(|var| format!("{var} 0\n")).collect();
    let lrat: String = (10..210).map(|id| format!("{id} 1 2 0 1 0\n")).collect();
    for proof in [Refutation::from(Drat::from(drat)), Refutation::from(Lrat::from(lrat))] {
        let asked = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&asked);
        let stop: Stop = Arc::new(move || {
            counter.fetch_add(1, Ordering::Relaxed);
            None
        });
        assert_eq!(proof.check_until(&square(), &stop), Err(ProofError::NoEmptyClause));
        assert_eq!(asked.load(Ordering::Relaxed), 3);
    }
}

fn satisfiable(n: usize, clauses: &[Clause]) -> bool {
    let value = |m: u32, lit: &i32| (m >> (lit.unsigned_abs() - 1) & 1 == 1) == (*lit > 0);
    (0..1u32 << n).any(|m| clauses.iter().all(|c| c.iter().any(|lit| value(m, lit))))
}

/// Random proofs with new variables and deletions, made of the steps that the checker accepts.
#[test]
fn random_proofs_refute_only_unsatisfiable_formulas() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let (mut refuted, mut kept) = (0, 0);
    for _ in 0..rounds(600) {
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
    assert!(refuted > rounds(50) && kept > rounds(5_000), "{refuted} {kept}");
}
