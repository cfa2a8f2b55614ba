//! Proofs that external solvers write: right ones close claims, and varisat replaces all others.

use counterpoint::certify::{Certificate, Prover, certificate};
use counterpoint::engine::Budget;
use counterpoint::proof::{Drat, Formula, Obligation};
use counterpoint::solver::SolverFactory;
use counterpoint::solver::external::{self, Input, Program, ProofFormat, ProofOutput};
use std::sync::Arc;

/// A formula with these clauses over the variables 1 and 2.
fn formula(clauses: &[[i32; 2]]) -> Formula {
    let mut formula = Formula::new();
    formula.vars(2);
    clauses.iter().for_each(|clause| formula.clause(*clause));
    formula
}

/// A solver that is a shell script. The script gets the paths of the formula and of the proof, `$0` and `$1`.
fn proving(text: &str, format: ProofFormat) -> SolverFactory {
    let proof = Some(ProofOutput { arguments: vec!["{proof}".to_owned()], format });
    let command = ["sh", "-c", text].map(str::to_owned).to_vec();
    let name = "fake".to_owned();
    let input = if format == ProofFormat::VeriPb { Input::Opb } else { Input::File };
    external::factory(Program { name, proof, command, input, ..Program::default() }, Arc::default())
}

/// Tries to prove that a formula is unsatisfiable with a proof of at most 1000 bytes. Returns the certificate, whether
/// the solver wrote the proof, and the remark.
fn certified(factory: &SolverFactory, clauses: &[[i32; 2]]) -> (Certificate, bool, String) {
    let mut prover = Prover::of(Some(factory));
    let obligation = Obligation::new("it holds", 4, || formula(clauses));
    let certificate = certificate(&obligation, 1000, &mut prover, &mut Budget::unlimited());
    (certificate, prover.external() == Some("fake"), prover.take_remarks().join("|"))
}

const CONTRADICTION: [[i32; 2]; 4] = [[1, 2], [-1, 2], [1, -2], [-1, -2]];

#[test]
fn an_external_solver_proves_what_it_claims() {
    let says = "echo s UNSATISFIABLE; exit 20";
    for (write, format) in [
        ("printf '2 0\\n0\\n' > $1", ProofFormat::Drat),
        ("printf 'a\\004\\000a\\000' > $1", ProofFormat::Drat),
        ("printf '5 2 0 1 2 0\\n6 0 5 3 4 0\\n' > $1", ProofFormat::Lrat),
        (
            "grep -q '^+1 x1 -1 x2 >= 0 ;' $0 && printf 'pseudo-Boolean proof version 1.1\\nf 4\\n\
             pol 1 2 + 2 d 3 4 + 2 d +\\nc 5\\n' > $1",
            ProofFormat::VeriPb,
        ),
    ] {
        let (certificate, is_own, remark) =
            certified(&proving(&format!("{write}; {says}"), format), &CONTRADICTION);
        assert!(is_own && remark.is_empty(), "{write}: {remark}");
        let Certificate::Proof(proof) = certificate else { panic!("{write}: {certificate:?}") };
        assert!(proof.refutation.check_until(&formula(&CONTRADICTION), &Budget::unlimited().stop()).is_ok());
    }
}

/// A count of the plain formula reaches a pseudo-Boolean solver as one inequality, and its proof may use it as such.
#[test]
fn a_pseudo_boolean_proof_refutes_the_linear_form_of_the_plain_formula() {
    let pigeons = || {
        let mut formula = Formula::new();
        let holes = formula.vars(6);
        holes.chunks(2).for_each(|pigeon| formula.clause(pigeon.iter().copied()));
        let hole = |at: usize| holes.iter().skip(at).step_by(2).copied().collect::<Vec<_>>();
        formula.at_most_one(&hole(0));
        formula.at_most(1, &hole(1));
        formula
    };
    let write = |steps: &str| {
        let script = format!(
            "printf 'pseudo-Boolean proof version 1.1\\n{steps}' > $1; echo s UNSATISFIABLE; exit 20"
        );
        proving(&script, ProofFormat::VeriPb)
    };
    let obligation = Obligation::new("it holds", 4, pigeons);
    for (steps, own, words) in [
        ("f 5\\npol 1 2 + 3 + 4 + 5 +\\nc 6\\n", true, ""),
        ("f 5\\npol 1 2 + 3 + 4 +\\nc 6\\n", false, "FAULT of solver fake"),
        ("f 11\\nc 6\\n", false, "the formula has 5 constraints, not 11"),
        (
            "dom 1\\n",
            false,
            "the proof by solver fake that it holds cannot be checked: proof line 2, column 1: the rule 'dom'",
        ),
    ] {
        let mut prover = Prover::of(Some(&write(steps)));
        assert!(prover.is_pseudo_boolean());
        let certificate = certificate(&obligation, 1000, &mut prover, &mut Budget::unlimited());
        let remarks = prover.take_remarks().join("|");
        assert_eq!((prover.external().is_some(), remarks.is_empty()), (own, own), "{steps}: {remarks}");
        assert!(remarks.contains(words), "{remarks}");
        let Certificate::Proof(proof) = certificate else { panic!("{steps}: {certificate:?}") };
        assert_eq!(proof.refutation.format(), if own { "pbp" } else { "drat" });
    }
}

/// varisat proves what the external solver does not, and a remark says why. A wrong proof is a fault of the solver.
#[test]
fn varisat_proves_what_an_external_solver_does_not() {
    let says = "echo s UNSATISFIABLE; exit 20";
    for (script, words) in [
        (
            format!("printf '0\\n' > $1; {says}"),
            "FAULT of solver fake: it calls a formula unsatisfiable, but its proof that it holds is wrong (proof line 1: the clause",
        ),
        (format!("printf 'junk' > $1; {says}"), "FAULT of solver fake"),
        (
            says.to_owned(),
            "solver fake has not proved that it holds: it wrote no proof; varisat proves it instead",
        ),
        (format!("rm $1; ln -s /dev/zero $1; {says}"), "it wrote no proof"),
        (format!("head -c 1001 /dev/zero > $1; {says}"), "its proof is longer than 1000 bytes"),
        (format!("yes > $1; {says}"), "its proof is longer than 1000 bytes"),
        ("echo s SATISFIABLE; echo v 1 2 0; exit 10".to_owned(), "its model does not satisfy clause 4"),
        ("echo s UNKNOWN; exit 0".to_owned(), "it reached a limit of its own"),
        ("exit 3".to_owned(), "ended with exit status: 3"),
    ] {
        let (certificate, is_own, remark) = certified(&proving(&script, ProofFormat::Drat), &CONTRADICTION);
        assert!(!is_own && remark.contains(words), "{script}: {remark}");
        let Certificate::Proof(proof) = certificate else { panic!("{script}: {certificate:?}") };
        let Ok(text) = proof.refutation.to_drat_text(|lit| lit) else { panic!("{script}") };
        assert!(Drat(text.0).check(&formula(&CONTRADICTION)).is_ok(), "{script}");
    }
    // On a satisfiable formula, a lie is found, and the truth is accepted.
    let satisfiable = &CONTRADICTION[..3];
    let lie = proving(&format!("printf '0\\n' > $1; {says}"), ProofFormat::Drat);
    let (certificate, _, remark) = certified(&lie, satisfiable);
    assert!(matches!(certificate, Certificate::Satisfiable(_)) && remark.contains("FAULT"), "{remark}");
    let truth = proving("echo s SATISFIABLE; echo v 1 2 0; exit 10", ProofFormat::Drat);
    let (certificate, _, remark) = certified(&truth, satisfiable);
    assert!(matches!(certificate, Certificate::Satisfiable(_)) && remark.is_empty(), "{remark}");
}
