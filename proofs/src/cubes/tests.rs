//! Files of cubes with errors, and the formulas of the cases.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

use super::{Cubes, combine};
use crate::{Drat, Formula, Obligation, Refutation};
use counterpoint_base::budget::Budget;
use counterpoint_base::claim::{Checked, Claim, Status};

/// All four clauses over two of three variables.
fn formula() -> Formula {
    Formula::from_dimacs(b"p cnf 3 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n").unwrap()
}

fn read(text: &str) -> Result<Cubes, String> {
    Cubes::read(text.as_bytes(), &formula()).map_err(|error| error.to_string())
}

#[test]
fn cubes_read_back() {
    let cubes = read("c by hand\np inccnf\na 1 3 0\na 1 -3 0\r\n\na\t-1 0").unwrap();
    assert_eq!(cubes.iter().collect::<Vec<_>>(), [&[1, 3][..], &[1, -3], &[-1]]);
    assert_eq!(cubes.to_icnf(), "p inccnf\na 1 3 0\na 1 -3 0\na -1 0\n");
    assert_eq!(read(&cubes.to_icnf()), Ok(cubes));
    // Without a header, and with the clauses of the formula.
    assert_eq!(read("a 1 0\n").unwrap().len(), 1);
    assert_eq!(read("p inccnf\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\na 1 0\na -1 0\n").unwrap().len(), 2);
}

#[test]
fn errors_in_files_have_a_position() {
    for (text, error) in [
        ("a 1 0\na 1 -4 2 0\n", "2:5: unexpected literal -4; the formula has the variables 1 to 3"),
        ("a 1\nc 4\n 4 0\n", "3:2: unexpected literal 4; the formula has the variables 1 to 3"),
        ("p inccnf\na 0\n", "2:1: the cube is empty, so it does not split the formula"),
        ("a 1 2 -1 0\n", "1:7: the cube has variable 1 twice"),
        ("a 1 1 0\n", "1:5: the cube has variable 1 twice"),
        ("a 1 2 0\na 3 0\n  a 2 1 0\n", "3:3: the cube repeats cube 1"),
        ("a 1 x 0\n", "1:5: unexpected 'x'; expected a literal, or 0 after the last one"),
        (
            "a 1 2\n",
            "1:1: unexpected end of file in the constraint that begins here; expected 0 after its last literal",
        ),
        ("p cnf 3 4\na 1 0\n", "1:1: unexpected 'p cnf 3 4'; expected 'p inccnf'"),
        ("1 2 0\n1 2 0\na 1 0\n", "2:1: clause 2 of this file is not clause 2 of the formula"),
        ("1 2 0\na 1 0\n", "3:1: the file has 1 clauses, but the formula has 4; expected all or none"),
        ("p inccnf\n", "2:1: the file has no cube; expected lines such as 'a 1 -2 0'"),
        ("", "1:1: the file has no cube; expected lines such as 'a 1 -2 0'"),
    ] {
        assert_eq!(read(text).unwrap_err(), error, "{text:?}");
    }
    let long = format!("c{}\na 1 0\n", "x".repeat(1 << 21));
    assert_eq!(read(&long).unwrap().len(), 1, "comments may be long");
    assert_ne!(read("a 1 0\n"), read("a -1 0\n"));
}

#[test]
fn each_case_has_a_formula_of_its_own() {
    let claim = Obligation::new("no model", 4, formula);
    let cubes = read("a 1 0\na -1 3 0\na -1 -3 0\n").unwrap();
    let parts = claim.split(&cubes);
    let texts: Vec<&str> = parts.iter().map(|part| part.claim.as_str()).collect();
    assert_eq!(
        texts,
        [
            "no model: cube 1/3",
            "no model: cube 2/3",
            "no model: cube 3/3",
            "no model: the 3 cubes cover all cases"
        ]
    );
    let added = |part: &Obligation<'_>| {
        let formula = part.formula().unwrap();
        formula.claim_clauses().map(<[i32]>::to_vec).collect::<Vec<_>>()
    };
    assert_eq!(added(&parts[1]), [[-1], [3]]);
    assert_eq!(added(&parts[3]), [vec![-1], vec![1, -3], vec![1, 3]]);
    let stop = Budget::unlimited().stop();
    let status = |part: usize, proof: &str| parts[part].status(Drat::from(proof).into(), &stop);
    // Unit propagation refutes each case, so an empty clause is a proof.
    assert!((0..4).all(|part| status(part, "0\n").is_closed()));
    // The formula without the cube's literals needs a step, so this proof is not one of the whole formula.
    assert!(claim.status(Refutation::from(Drat::from("0\n")), &stop).is_failed());
}

#[test]
fn halves_replace_the_cube_that_was_split() {
    let claim = Obligation::new("no model", 4, formula);
    let mut cubes = read("a 1 0\na -1 3 0\na -1 -3 0\n").unwrap();
    let numbers = |text: &str| text.split(' ').map(|number| number.parse().unwrap()).collect();
    assert_eq!(cubes.set_numbers(numbers("1/2 2.2/2")).unwrap_err().to_string(), "cube 2.1/2 is missing");
    assert!(!cubes.is_split());
    cubes.set_numbers(numbers("1/2 2.1/2 2.2/2")).unwrap();
    assert_eq!((cubes.is_split(), cubes.len(), cubes.n_original()), (true, 3, 2));
    let texts: Vec<String> = claim.split(&cubes).iter().map(|part| part.claim.clone()).collect();
    assert_eq!(
        texts,
        [
            "no model: cube 1/2",
            "no model: cube 2.1/2",
            "no model: cube 2.2/2",
            "no model: the 3 cubes cover all cases"
        ]
    );
}

#[test]
fn a_claim_is_proved_only_by_all_cases() {
    let claim = Obligation::new("no model", 4, formula);
    let cubes = read("a 1 0\na -1 0\n").unwrap();
    let stop = Budget::unlimited().stop();
    let parts = || {
        let parts = claim.split(&cubes);
        let proved = |part: &Obligation<'_>| part.status(Drat::from("0\n").into(), &stop);
        parts.iter().map(|part| Claim::new(part.claim.as_str(), proved(part))).collect::<Vec<_>>()
    };
    assert_eq!(combine(&parts()).word(), "proved");
    let with = |changes: &[(usize, Status)]| {
        let mut parts = parts();
        changes.iter().for_each(|(i, status)| parts[*i].status = status.clone());
        combine(&parts).to_string()
    };
    let open = |why: &str| Status::Open(why.to_owned());
    assert_eq!(with(&[(1, open("no proof"))]), "open: cube 2/2: no proof");
    assert_eq!(with(&[(0, open("a")), (2, open("b"))]), "open: cube 1/2: a; 1 more cases are open");
    assert_eq!(
        with(&[(0, open("a")), (2, Status::Failed("b".to_owned()))]),
        "failed: the 2 cubes cover all cases: b"
    );
    assert_eq!(
        with(&[(1, Status::ProvedElsewhere("it is another's".to_owned()))]),
        "open: cube 2/2: it is another's"
    );
    assert_eq!(combine(&[]).to_string(), "open: no cases are listed");
    let counted = |clauses, steps, propagations| {
        Claim::new("part", Status::Proved(Checked { clauses, steps, propagations }))
    };
    let sum = Checked { clauses: 9, steps: 12, propagations: 112 };
    let parts = [counted(4, 7, 100), counted(9, 5, 12), Claim::new("part", Status::Recomputed)];
    assert_eq!(combine(&parts), Status::Proved(sum));
}
