//! Versions, statements and error messages; the linear form of formulas.

use super::{PIGEONS, PROOF, check, message};
use crate::{Formula, Opb, ProofError, Refutation, VeriPb};

const SMALL: &str = "* three constraints\n+1 x1 +1 x2 >= 1 ;\n+1 x1 -1 x2 >= 0 ;\n-1 x1 >= 0 ;\n";

#[test]
fn the_three_versions_are_read() {
    let counts =
        |proof: &str| check(PIGEONS, proof).map(|found| (found.clauses, found.steps, found.propagations));
    assert_eq!(counts(PROOF), Ok((7, 15, 11)));
    assert_eq!(counts(&PROOF.replace('\n', "\n \n")), counts(PROOF), "blank lines are no steps");
    for proof in [
        "pseudo-Boolean proof version 1.1\nrup >= 0 ;\nl 1\nl 2\nl 3\npol 2 3 + s\npol 5 4 +\nc 6\n",
        "pseudo-Boolean proof version 1.1\nl 1\nl 1\ndel id 1\nl 2\nl 3\npol 2 3 + s\npol 5 4 +\nc 6\n",
        "pseudo-Boolean proof version 1.1\nl 1\nl 1\ndel id 1\nl 1\ndel id 2 3\nl 2\nl 3\npol 4 5 +\nrup >= 1 ;\nc -1\n",
        "pseudo-Boolean proof version 1.1\nf 3\np 1 2 + s\np 4 3 +\nc 5\n",
        "pseudo-Boolean proof version 2.0\nf 3\npol 1 2 + s\npol -1 3 +\noutput NONE\nconclusion UNSAT : -1\nend\n",
        "pseudo-Boolean proof version 2.0\nrup >= 1 ;\nconclusion UNSAT\n",
        "pseudo-Boolean proof version 3.0\nf 3;pol 1\n2 + s ; % a comment ;\nrup >= 1 : -1 3;\nconclusion UNSAT : 5;",
        "pseudo-Boolean proof version 2.0\n  * a comment\nrup >= 1 ;\n# 1\nw 1\n \nconclusion UNSAT",
        "pseudo-Boolean proof version 2.0\npol 3 1 d 3 2 * 2 d +\ne +2 ~x1 >= 2 ; -1\npol 1 0 *\nrup >= 1 ;\nconclusion UNSAT\n",
        "pseudo-Boolean proof version 3.0\n% a comment\nred +1 x3 >= 1 : x3 -> 1 ; % another ;\nrup >= 1 ; conclusion UNSAT ;",
        "pseudo-Boolean proof version 3.0;\nrup >= 1 ; conclusion UNSAT : -1 ;",
        "pseudo-Boolean proof version 3.0\nrup % a comment ; inside\n>= 1 ;\nconclusion UNSAT ;",
    ] {
        assert_eq!(message(SMALL, proof), "accepted", "{proof}");
    }
}

#[test]
fn version_1_becomes_version_2() {
    for proof in [
        "pseudo-Boolean proof version 1.1\nrup >= 0 ;\nl 1\nl 2\n\nl 3\n* x\npol 2 3 + 2 d s\ndel id 2\npol 5 4 + 3 *\nc 6\nz\n",
        "pseudo-Boolean proof version 1.2\nf 3\nu +1 x1 >= 1 ;\np 4 3 +\nd 1 2\nc 5\n",
    ] {
        assert_eq!(message(SMALL, proof), "accepted");
        let proof = VeriPb::from(proof).to_version_2(3).unwrap();
        assert_eq!(message(SMALL, std::str::from_utf8(&proof).unwrap()), "accepted");
    }
    // The numbers of constraints grow by 2; a factor and a divisor stay.
    let proof = "pseudo-Boolean proof version 1.1\nf 2\np 1 2 + 2 d 3 *\nd 1 -1\nc 3\n";
    let rewritten = "pseudo-Boolean proof version 2.0\nf 2\npol 1\npol 2\npol 3 4 + 2 d 3 *\ndel id 3 -1\n\
        output NONE\nconclusion UNSAT : 5\nend pseudo-Boolean proof\n";
    assert_eq!(VeriPb::from(proof).to_version_2(2).unwrap(), rewritten.as_bytes());
    assert_eq!(VeriPb::from(PROOF).to_version_2(3), None);
    assert_eq!(VeriPb::from("").to_version_2(3), None);
}

#[test]
fn errors_name_line_and_column() {
    for (steps, why) in [
        ("", "the proof does not conclude that the formula is unsatisfiable"),
        ("conclusion NONE", "the proof does not conclude that the formula is unsatisfiable"),
        ("f 4", "proof line 2, column 1: the formula has 3 constraints, not 4"),
        ("jump 4", "proof line 2, column 1: unexpected 'jump'; expected a rule of a pseudo-Boolean proof"),
        ("pol 1 4 +", "proof line 2, column 7: there is no constraint 4"),
        ("pol 1 0 +", "proof line 2, column 7: there is no constraint 0"),
        ("pol 1 -4 +", "proof line 2, column 7: there is no constraint -4"),
        ("pol 1 +", "proof line 2, column 7: there is no operand left for the operation"),
        ("pol 1 2", "proof line 2, column 1: the operations do not leave exactly one constraint"),
        ("pol 1 0 d", "proof line 2, column 7: unexpected '0'; expected a positive number"),
        ("pol 1 -1 *", "proof line 2, column 7: unexpected '-1'; expected a positive number"),
        ("pol 1 ? +", "proof line 2, column 7: unexpected '?'; expected an operand or an operator"),
        ("del id 1\npol 1", "proof line 3, column 5: there is no constraint 1"),
        ("del id 1 1", "proof line 2, column 10: there is no constraint 1"),
        // The number after a range is not deleted, unless the range ends after the last number.
        ("del range 1 3\npol 3\npol 2", "proof line 4, column 5: there is no constraint 2"),
        ("del range 2 9\npol 1\npol 3", "proof line 4, column 5: there is no constraint 3"),
        (
            "del find +1 x1 +1 x2 >= 1 ;\ndel spec +1 x1 +1 x2 >= 1 ;\npol 1\npol 5",
            "proof line 5, column 5: there is no constraint 5",
        ),
        ("rup +1 x1 >= 1 ;\npol 5", "proof line 3, column 5: there is no constraint 5"),
        (
            "del id 1\nrup +1 x1 >= 1 ;",
            "proof line 3, column 1: the constraint does not follow by unit propagation",
        ),
        ("rup +1 x3 >= 1 ;", "proof line 2, column 1: the constraint does not follow by unit propagation"),
        (
            "rup +1 x1 = 1 ;",
            "proof line 2, column 4: the constraint is an equation; expected an inequality with '>='",
        ),
        ("rup +1 x1 > 1 ;", "proof line 2, column 11: unexpected '>'; expected a factor, '>=' or '='"),
        ("rup +1 x1 >=", "proof line 2, column 13: unexpected end of statement; expected the right side"),
        ("e +2 x1 >= 1 ; 1", "proof line 2, column 1: constraint 1 is not equal to the given one"),
        ("e 1 +2 x1 >= 1 ;", "proof line 2, column 1: constraint 1 is not equal to the given one"),
        ("i +1 x1 >= 1 ; 1", "proof line 2, column 1: constraint 1 does not imply the given one"),
        // Constraint 1 implies this one, but they are not equal.
        ("e +2 x1 +1 x2 >= 1 ; 1", "proof line 2, column 1: constraint 1 is not equal to the given one"),
        // `e` and `i` add nothing; `ea` and `ia` do.
        ("e +1 x1 +1 x2 >= 1 ; 1\npol 4", "proof line 3, column 5: there is no constraint 4"),
        ("i +2 x1 +1 x2 >= 1 ; 1\npol 4", "proof line 3, column 5: there is no constraint 4"),
        (
            "ea +1 x1 +1 x2 >= 1 ; 1\nia +2 x1 +1 x2 >= 1 ; 4\npol 5\npol 7",
            "proof line 5, column 5: there is no constraint 7",
        ),
        (
            "e +1 x1 +1 x2 >= 1 ;",
            "proof line 2, column 1: without the number of a constraint, the rule 'e' is not supported",
        ),
        ("red +1 x3 >= 1 ; x3 0", "proof line 2, column 1: the witness does not satisfy the constraint"),
        ("red -1 x1 >= 0 ; x1 0", "proof line 2, column 1: the witness may violate another constraint"),
        (
            "red +1 x3 >= 1 ; x3 1 x3 1",
            "proof line 2, column 23: unexpected 'x3'; expected a variable that has no image yet",
        ),
        ("red +1 x3 >= 1 ; 3 1", "proof line 2, column 18: unexpected '3'; expected a variable"),
        ("red +1 x3 >= 1 ;", "proof line 2, column 1: the witness does not satisfy the constraint"),
        ("pol 1 x w", "proof line 2, column 7: unexpected 'x'; expected an operand or an operator"),
        ("pol 1 x +", "proof line 2, column 7: unexpected 'x'; expected an operand or an operator"),
        ("a +1 x3 >= 1 ;", "proof line 2, column 1: the step is an assumption, which proves nothing"),
        ("dom +1 x3 >= 1 ; x3 1", "proof line 2, column 1: the rule 'dom' is not supported"),
        ("red +1 x3 >= 1 ; x3 1 ; begin", "proof line 2, column 25: the subproof 'begin' is not supported"),
        ("conclusion UNSAT : 1", "proof line 2, column 1: constraint 1 is not a contradiction"),
        ("conclusion UNSAT 1", "proof line 2, column 18: unexpected '1'; expected the end of the statement"),
    ] {
        let formula = SMALL.replace("-1 x1 >= 0", "-1 x1 >= -1");
        let proof = format!("pseudo-Boolean proof version 2.0\n{steps}\n");
        assert_eq!(message(&formula, &proof), why, "{steps}");
    }
    for (proof, why) in [
        ("", "proof line 1, column 1: unexpected end of statement; expected pseudo-Boolean proof version"),
        ("1 2 0", "proof line 1, column 1: unexpected '1'; expected pseudo-Boolean"),
        (
            "pseudo-Boolean proof version 9.0",
            "proof line 1, column 30: unexpected '9.0'; expected version 1.1, 2.0 or 3.0",
        ),
        (
            "pseudo-Boolean proof version 2.0 2.1",
            "proof line 1, column 34: unexpected '2.1'; expected the end of the statement",
        ),
        (
            "pseudo-Boolean proof version 3.0\nrup >= 0 ;\n% a comment at the end\n",
            "the proof does not conclude that the formula is unsatisfiable",
        ),
        (
            "pseudo-Boolean proof version 1.1\nl 4",
            "proof line 2, column 3: the formula has no constraint 4 left; it had 3",
        ),
        (
            "pseudo-Boolean proof version 1.1\nl 1\ndel id 1\nl 1",
            "proof line 4, column 3: the formula has no constraint 1 left; it had 3",
        ),
        (
            "pseudo-Boolean proof version 3.0\nrup >= 0",
            "proof line 2, column 9: unexpected end of statement; expected ';'",
        ),
    ] {
        assert_eq!(message(SMALL, proof), why, "{proof}");
    }
    for (proof, found) in [
        ("2.0\n% x\n", "line 2, column 1: unexpected '%'"),
        ("2.0\nconclusion FOO\n", "line 2, column 12: unexpected 'FOO'"),
        ("2.0\nf 3 % x\n", "line 2, column 5: unexpected '%'"),
        ("3.0\n* x ;\n", "line 2, column 1: unexpected '*'"),
        ("3.0\nrup\n\n >= x ;\n", "line 4, column 5: unexpected 'x'"),
        ("3.0\nrup >= 0 % c", "line 2, column 13: unexpected end of statement"),
    ] {
        let why = message(SMALL, &format!("pseudo-Boolean proof version {proof}"));
        assert!(why.starts_with(&format!("proof {found};")), "{proof}: {why}");
    }
    let ended = "pseudo-Boolean proof version 2.0\nend pseudo-Boolean proof\n";
    assert_eq!(message(SMALL, ended), "the proof does not conclude that the formula is unsatisfiable");
    let opb = Opb::read(b"+1 x1\n* inside\n>= 1 ;\n* last").unwrap();
    assert!(opb.len() == 1 && !opb.is_empty() && Opb::read(b"").unwrap().is_empty());
    let error = Opb::read(b"+1 x1 >= 1 ;\n+1 x1 2 >= 1 ;\n").unwrap_err();
    assert_eq!(error.to_string(), "proof line 2, column 9: unexpected '>='; expected a literal");
}

/// The models of the linear form are those of the clauses, without the values of the variables that only the
/// encodings of counts have.
#[test]
fn the_linear_form_has_the_same_models() {
    for max in 0..4 {
        let mut formula = Formula::new();
        let lits: Vec<i32> =
            formula.vars(4).into_iter().map(|var| if var == 2 { -var } else { var }).collect();
        formula.clause([lits[0], -lits[1]]);
        formula.at_most(max, &lits);
        formula.at_most_one(&lits[2..]);
        formula.clause([lits[3], lits[1]]);
        let linear = Opb::of(&formula);
        assert_eq!(linear.len(), 4);
        let read = Opb::read(formula.to_opb().as_bytes()).unwrap();
        assert_eq!(read.len(), linear.len());
        let n_vars = formula.n_vars() as u32;
        let is_model = |m: &u32| {
            let holds = |lit: &i32| (m >> (lit.unsigned_abs() - 1) & 1 == 1) == (*lit > 0);
            formula.clauses().all(|clause| clause.iter().any(holds))
        };
        let by_clauses: Vec<u32> = (0..1u32 << n_vars).filter(is_model).map(|m| m & 15).collect();
        for assignment in 0..1u32 << 4 {
            let fixed: String = (0..4)
                .map(|i| {
                    if assignment >> i & 1 == 1 {
                        format!("+1 x{} >= 1 ;\n", i + 1)
                    } else {
                        format!("-1 x{} >= 0 ;\n", i + 1)
                    }
                })
                .collect();
            let text = formula.to_opb() + &fixed;
            let refuted =
                message(&text, "pseudo-Boolean proof version 2.0\nconclusion UNSAT\n") == "accepted";
            assert_eq!(refuted, !by_clauses.contains(&assignment), "at most {max}: {assignment:b}");
        }
    }
}

/// The linear form in memory is the one that is written. Its variables occur in their order.
#[test]
fn the_linear_form_reads_back() {
    let mut formula = Formula::new();
    formula.vars(3);
    formula.clause([-1, 2]);
    formula.clause([-3, 2, -1]);
    formula.clause([]);
    formula.at_most(2, &[1, -2, 3]);
    formula.at_most_one(&[-1, 3]);
    formula.name(2, "square");
    let text = formula.to_opb();
    assert_eq!(Opb::read(text.as_bytes()).unwrap().inequalities, Opb::of(&formula).inequalities);
    let lines = [
        "* varname x2 square",
        "-1 x1 +1 x2 >= 0 ;",
        "-1 x3 +1 x2 -1 x1 >= -1 ;",
        "+0 x1 >= 1 ;",
        "-1 x1 +1 x2 -1 x3 >= -1 ;",
        "+1 x1 -1 x3 >= 0 ;",
    ];
    assert_eq!(text.lines().skip(1).collect::<Vec<_>>(), lines);
}

#[test]
fn a_step_that_is_not_supported_is_no_rejection() {
    let error = check(SMALL, "pseudo-Boolean proof version 2.0\nload_order x\n").unwrap_err();
    assert!(matches!(error, ProofError::Unsupported { .. }) && !error.is_rejection());
    assert!(check(SMALL, "pseudo-Boolean proof version 2.0\nc 1\n").unwrap_err().is_rejection());
    assert_eq!(Refutation::from(VeriPb::from("")).format(), "pbp");
    assert!(Refutation::from(VeriPb::from(PROOF)).to_drat_text(|lit| lit).is_err());
}
