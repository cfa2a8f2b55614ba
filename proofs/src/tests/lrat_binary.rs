//! Binary LRAT: the same proofs as in text, truncated proofs, and altered proofs.

use super::common::{Clause, formula, lrat_bytes, pigeons, rounds, with_hints};
use crate::{Lrat, ProofError};
use chacha20::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// All four clauses over two variables.
const SQUARE: [[i32; 2]; 4] = [[1, 2], [1, -2], [-1, 2], [-1, -2]];

fn square() -> Vec<Clause> {
    SQUARE.iter().map(|clause| clause.to_vec()).collect()
}

#[test]
fn binary_and_text_give_the_same_result() {
    let definition =
        "5 3 -1 0 0\n6 3 -2 0 0\n7 -3 1 2 0 -5 -6 0\n8 1 0 1 2 0\n8 d 7 5 0\n9 0 8 3 4 0\n".to_owned();
    let mut all = vec![(2, square(), definition)];
    for holes in 1..=5 {
        let (n, clauses, proof) = pigeons(holes);
        let text = with_hints(&clauses, &proof);
        all.push((n, clauses, text));
    }
    for (n, clauses, text) in all {
        let f = formula(n, &clauses);
        let (text, bytes) = (Lrat::from(text.clone()), Lrat::from(lrat_bytes(&text)));
        assert_eq!(text.check(&f).unwrap(), bytes.check(&f).unwrap());
    }
}

/// The proof for [`SQUARE`] that CaDiCaL 2.2.0 wrote with `--lrat`.
#[test]
fn a_proof_by_cadical() {
    let proof = b"a\x0a\x02\0\x02\x04\0a\x0c\x04\0\x0a\x06\0a\x0e\0\x0a\x0c\x08\0";
    let checked = Lrat::from(&proof[..]).check(&formula(2, &square())).unwrap();
    assert_eq!((checked.steps, checked.propagations), (3, 7));
}

#[test]
fn truncated_proofs_are_rejected() {
    let (n, clauses, proof) = pigeons(3);
    let f = formula(n, &clauses);
    let whole = lrat_bytes(&with_hints(&clauses, &proof));
    assert!(Lrat::from(whole.clone()).check(&f).is_ok());
    // The last step adds the empty clause, so every byte of the proof is needed.
    for end in 0..whole.len() {
        assert!(Lrat::from(&whole[..end]).check(&f).is_err(), "{end}");
    }
}

#[test]
fn errors_name_the_byte() {
    let f = formula(2, &square());
    let rejected = |bytes: &[u8]| Lrat::from(bytes).check(&f).unwrap_err().to_string();
    assert_eq!(
        rejected(b"a"),
        "proof byte 0: unexpected end of file; expected a clause number whose code is at most 2^64 - 1"
    );
    assert_eq!(
        rejected(b"a\x00\x02\x00\x00"),
        "proof byte 0: unexpected byte 0; expected the positive number of a new clause"
    );
    assert_eq!(
        rejected(b"a\x0b\x02\x00\x00"),
        "proof byte 0: unexpected byte 11; expected the positive number of a new clause"
    );
    assert_eq!(
        rejected(b"a\x0a\x02\x00\x02\x04\x00x"),
        "proof byte 7: unexpected byte 120; expected a step that starts with 'a' or 'd'"
    );
    assert_eq!(rejected(b"a\x0a\x02\x00\x02\x12\x00"), "proof byte 0: there is no clause 9");
    assert_eq!(rejected(b"d\x12\x00"), "proof byte 0: there is no clause 9");
    assert_eq!(rejected(b"d\x03\x00"), "proof byte 0: there is no clause 1");
    assert_eq!(rejected(b"a\x08\x02\x00\x02\x04\x00"), "proof byte 0: there is already a clause 4");
    assert_eq!(
        rejected(b"a\x0a\x01\x00\x00"),
        "proof byte 0: unexpected byte 1; expected a number other than 0, or the single byte 0"
    );
    assert_eq!(
        rejected(b"a\x0a\x80\x00\x00\x00"),
        "proof byte 0: unexpected byte 0; expected a number other than 0, or the single byte 0"
    );
    for long in
        [&b"a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02\x00\x00"[..], &[[b'a'].as_slice(), &[128; 99]].concat()]
    {
        assert!(rejected(long).contains("expected a clause number whose code is at most 2^64 - 1"));
    }
    let most = [&b"a\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01\x02\x00\x02\x04\x00"[..], b"a\x0c\x00"];
    let last = [&most.concat()[..], b"\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01\x06\x08\x00"].concat();
    assert!(Lrat::from(last).check(&f).is_ok(), "the largest clause number is allowed");
    assert_eq!(Lrat::from("").check(&f), Err(ProofError::NoEmptyClause));
}

/// However bytes of a proof are changed, removed or inserted, the proof does not refute a satisfiable formula.
#[test]
fn proofs_with_altered_bytes_refute_no_satisfiable_formula() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let (n, clauses, proof) = pigeons(3);
    let weaker: Vec<_> = (0..clauses.len())
        .map(|gone| {
            let mut left = clauses.clone();
            left.remove(gone);
            left
        })
        .collect();
    let whole = formula(n, &clauses);
    let (mut rejected, mut held) = (0, 0);
    for round in 0..rounds(1_000) as usize {
        let of = &weaker[round % weaker.len()];
        let with = if round % 2 == 0 { of } else { &clauses };
        let mut bytes = lrat_bytes(&with_hints(with, &proof));
        for _ in 0..rng.random_range(0..3) {
            let at = rng.random_range(0..bytes.len());
            match rng.random_range(0..4) {
                0 => bytes[at] = rng.random(),
                1 => bytes[at] ^= 1 << rng.random_range(0..8),
                2 => drop(bytes.remove(at)),
                _ => bytes.insert(at, rng.random_range(0..80)),
            }
        }
        let proof = Lrat::from(bytes);
        assert!(proof.check(&formula(n, of)).is_err());
        match proof.check(&whole) {
            Ok(_) => held += 1,
            Err(_) => rejected += 1,
        }
    }
    assert!(rejected > rounds(200) && held > rounds(50), "{rejected} {held}");
}
