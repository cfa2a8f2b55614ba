//! Names and texts of encodings, sums of sizes, and sizes that depend on how a constraint is written.

use counterpoint_encodings::{
    AtMostOne, Bounds, Cardinality, Cnf, EncodingSize, Linear, Lit, Parity, Relation, Sink, Tally, TallyRow,
    Var, catalogue,
};

#[test]
fn names_read_back() {
    for kind in AtMostOne::ALL {
        assert_eq!((AtMostOne::from_name(kind.name()), kind.to_string().as_str()), (Some(kind), kind.name()));
    }
    for kind in Cardinality::ALL {
        assert_eq!(
            (Cardinality::from_name(kind.name()), kind.to_string().as_str()),
            (Some(kind), kind.name())
        );
    }
    for (kind, name) in Parity::ALL.into_iter().zip(Parity::NAMES) {
        assert_eq!(Parity::from_name(name), Some(kind));
    }
    assert_eq!(
        (AtMostOne::from_name("x"), Cardinality::from_name("x"), Parity::from_name("x")),
        (None, None, None)
    );
}

#[test]
fn the_catalogue_names_each_kind_of_constraint() {
    let mut rows: Vec<_> =
        catalogue().map(|entry| (entry.constraint.family(), entry.constraint.bounds())).collect();
    rows.sort_unstable();
    rows.dedup();
    let expected = [
        ("at most one", "<= 1, = 1"),
        ("count", "<= k"),
        ("count", "<= k, >= k"),
        ("order", "x <= y"),
        ("parity", "odd, even"),
    ];
    assert_eq!(rows, expected);
}

#[test]
fn linear_constraints_are_shown_as_opb() {
    let x = |i: u32| Var::new(i).pos_lit();
    let shown = |terms: &[(i64, Lit)], relation, bound| Linear { terms, relation, bound }.to_string();
    let terms = [(2, x(0)), (3, !x(1))];
    assert_eq!(shown(&terms, Relation::AtLeast, 4), "+2 x1 -3 x2 >= 1");
    assert_eq!(shown(&terms, Relation::AtMost, 4), "-2 x1 +3 x2 >= -1");
    assert_eq!(shown(&terms, Relation::Equal, 4), "+2 x1 -3 x2 = 1");
    assert_eq!(shown(&[], Relation::AtMost, -1), "+0 x1 >= 1");
}

#[test]
fn sizes_are_added() {
    let size = |vars, clauses| EncodingSize { vars, clauses };
    assert_eq!([size(1, 2), size(30, 40)].into_iter().sum::<EncodingSize>(), size(31, 42));
}

#[test]
fn a_tally_counts_variables_by_group() {
    let mut tally = Tally::default();
    let first = [tally.new_var(), tally.new_var()];
    tally.group("more");
    assert_eq!((first, tally.new_var()), ([Var::new(0), Var::new(1)], Var::new(2)));
    let rows: Vec<_> =
        tally.rows().iter().map(|TallyRow { label, vars, .. }| (label.as_str(), *vars)).collect();
    assert_eq!(rows, [("", 2), ("more", 1)]);
}

#[test]
fn parities_in_large_pieces_have_the_computed_size() {
    for (n, k) in (0..=12u32).flat_map(|n| (3..=7).map(move |k| (n, k))) {
        let mut cnf = Cnf::default();
        let lits: Vec<Lit> = (0..n).map(|_| cnf.new_var().pos_lit()).collect();
        Parity::Cut(k).encode(&mut cnf, &lits, false);
        let written = EncodingSize { vars: u64::from(cnf.n_vars() - n), clauses: cnf.clauses().len() as u64 };
        assert_eq!(Parity::Cut(k).size(u64::from(n)), Some(written), "{n} {k}");
    }
}

/// An equation with equal weights counts the true or the false literals, whichever are fewer.
#[test]
fn equations_with_equal_weights_are_one_totalizer() {
    for n in 2..12u64 {
        for k in 1..n {
            let mut tally = Tally::default();
            let terms: Vec<(i64, Lit)> = (0..n).map(|_| (3, tally.new_var().pos_lit())).collect();
            tally.linear(&Linear { terms: &terms, relation: Relation::Equal, bound: 3 * k as i64 });
            let written = EncodingSize { vars: u64::from(tally.n_vars()) - n, clauses: tally.n_clauses() };
            let count = Cardinality::Totalizer.size(n, k.min(n - k) + 1, Bounds::Both);
            assert_eq!(written, count + EncodingSize { vars: 0, clauses: 2 }, "{k} of {n}");
        }
    }
}
