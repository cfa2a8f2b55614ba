//! Compares our encodings with RustSAT's encodings of the same constraints: ours are as small or smaller.

use counterpoint_encodings::{AtMostOne, Bounds, Cardinality, EncodingSize};
use rustsat::encodings::am1::{Commander, Encode, Pairwise};
use rustsat::encodings::card::{BoundUpper, Totalizer};
use rustsat::instances::{BasicVarManager, Cnf, ManageVars};
use rustsat::types::Lit;

fn inputs(n: u64) -> (BasicVarManager, Vec<Lit>) {
    let mut vars = BasicVarManager::default();
    let lits = (0..n).map(|_| vars.new_lit()).collect();
    (vars, lits)
}

/// New variables and clauses of an at-most-one constraint.
fn at_most_one<E: Encode + From<Vec<Lit>>>(n: u64) -> EncodingSize {
    let ((mut vars, lits), mut cnf) = (inputs(n), Cnf::new());
    E::from(lits).encode(&mut cnf, &mut vars).unwrap();
    EncodingSize { vars: u64::from(vars.n_used()) - n, clauses: cnf.len() as u64 }
}

#[test]
fn pairwise_encodings_have_the_same_size() {
    (0..40).for_each(|n| {
        assert_eq!(at_most_one::<Pairwise>(n), AtMostOne::Pairwise.at_most_one_size(n));
    });
}

#[test]
fn commanders_of_commanders_grow_linearly() {
    let flat = at_most_one::<Commander<4, Pairwise>>(840);
    let recursive = AtMostOne::Commander.at_most_one_size(840);
    assert_eq!((flat.clauses, recursive.clauses), (24045, 2933));
}

#[test]
fn totalizers_have_the_same_size() {
    for n in [8, 20, 64] {
        for k in [1, 3, 7] {
            let ((mut vars, lits), mut cnf) = (inputs(n), Cnf::new());
            Totalizer::from(lits).encode_ub(0..=k, &mut cnf, &mut vars).unwrap();
            let theirs = EncodingSize { vars: u64::from(vars.n_used()) - n, clauses: cnf.len() as u64 };
            assert_eq!(
                Cardinality::Totalizer.size(n, k as u64 + 1, Bounds::Upper),
                theirs,
                "n = {n}, k = {k}"
            );
        }
    }
}
