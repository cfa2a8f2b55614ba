//! Tests what a sink that supports linear constraints receives: it has the same models as the clauses.

use crate::exhaustive::cases;
use counterpoint_encodings::{
    AtMostOne, Bounds, Cardinality, Constraint, Count, Forward, Linear, Lit, ModelCount, Parity, Relation,
    Sink, Var, catalogue, one_of,
};

/// A linear constraint with its terms.
type Row = (Vec<(i64, Lit)>, Relation, i64);

/// Stores clauses and linear constraints.
#[derive(Default)]
struct Rows {
    n_vars: u32,
    clauses: Vec<Vec<Lit>>,
    rows: Vec<Row>,
}

impl Sink for Rows {
    fn new_var(&mut self) -> Var {
        self.n_vars += 1;
        Var::new(self.n_vars - 1)
    }
    fn n_vars(&self) -> u32 {
        self.n_vars
    }
    fn clause(&mut self, lits: &[Lit]) {
        self.clauses.push(lits.to_vec());
    }
    fn linear(&mut self, constraint: &Linear<'_>) {
        self.rows.push((constraint.terms.to_vec(), constraint.relation, constraint.bound));
    }
    fn supports_linear(&self) -> bool {
        true
    }
}

impl Rows {
    fn hold(&self, assignment: u32) -> bool {
        let value = |lit: Lit| (assignment >> lit.vidx() & 1 == 1) == lit.is_pos();
        let row = |(terms, relation, bound): &Row| {
            Linear { terms, relation: *relation, bound: *bound }.holds(value)
        };
        self.clauses.iter().all(|clause| clause.iter().any(|&lit| value(lit))) && self.rows.iter().all(row)
    }

    /// The number of models with these values of the first `n` variables.
    fn models(&self, n: u32, inputs: u32) -> usize {
        (0..1u32 << (self.n_vars - n)).filter(|new| self.hold(inputs | new << n)).count()
    }
}

struct Guarded<'a>(&'a mut Rows, Lit);

impl Forward for Guarded<'_> {
    type Inner = Rows;
    fn inner(&self) -> &Rows {
        self.0
    }
    fn inner_mut(&mut self) -> &mut Rows {
        self.0
    }
    fn guard(&self) -> Option<Lit> {
        Some(self.1)
    }
}

#[test]
fn every_constraint_of_the_catalogue_arrives_as_sums() {
    for (entry, n) in catalogue().flat_map(|entry| (0..=5).map(move |n| (entry, n))) {
        if entry.constraint == Constraint::Lexicographic {
            continue;
        }
        for case in cases(&entry, n) {
            let mut rows = Rows::default();
            let inputs: Vec<Lit> = (0..n).map(|_| rows.new_var().pos_lit()).collect();
            (case.encode)(&mut rows, &inputs);
            let guard = inputs.len() as u32;
            let mut guarded = Rows { n_vars: guard + 1, ..Rows::default() };
            (case.encode)(&mut Guarded(&mut guarded, Var::new(guard).pos_lit()), &inputs);
            for assignment in 0..1u32 << n {
                let models = rows.models(n as u32, assignment);
                let holds = (case.holds)(assignment);
                assert_eq!(models > 0, holds, "{}: {assignment:b}", case.what);
                assert!(models < 2 || entry.models != ModelCount::Exact, "{}: {assignment:b}", case.what);
                let if_guarded = guarded.models(guard + 1, assignment | 1 << guard) > 0;
                assert_eq!(if_guarded, holds, "{}: {assignment:b} with a guard", case.what);
                assert!(guarded.models(guard + 1, assignment) > 0, "{}: without the guard", case.what);
            }
        }
    }
}

/// Whatever encoding is chosen, the sink receives one linear constraint, or none if the bound always holds.
#[test]
fn the_chosen_encoding_does_not_matter() {
    let written = |write: &dyn Fn(&mut Rows, &[Lit])| {
        let mut rows = Rows::default();
        let lits: Vec<Lit> = (0..40).map(|_| rows.new_var().pos_lit()).collect();
        write(&mut rows, &lits);
        (rows.n_vars - 40, rows.clauses.len(), rows.rows.len())
    };
    for kind in AtMostOne::ALL {
        assert_eq!(written(&|rows, lits| kind.at_most_one(rows, lits)), (0, 0, 1));
        assert_eq!(written(&|rows, lits| kind.exactly_one(rows, lits)), (0, 0, 1));
    }
    for kind in Parity::ALL {
        // The sum is 1 + 2 t for a t of at most 19, which has 5 bits.
        assert_eq!(written(&|rows, lits| kind.encode(rows, lits, true)), (5, 0, 1));
    }
    for kind in Cardinality::ALL {
        assert_eq!(written(&|rows, lits| kind.at_most(rows, lits, 7)), (0, 0, 1));
        assert_eq!(written(&|rows, lits| kind.at_most(rows, lits, 40)), (0, 0, 0));
    }
    assert_eq!(written(&|rows, lits| one_of(rows, lits[0], &lits[1..])), (0, 0, 1));
}

#[test]
fn one_of_has_the_same_models_in_both_forms() {
    for n in 0..5u32 {
        let (mut rows, mut cnf) = (Rows::default(), counterpoint_encodings::Cnf::default());
        let lits: Vec<Lit> = (0..=n).map(|_| rows.new_var().pos_lit()).collect();
        (0..=n).for_each(|_| _ = cnf.new_var());
        one_of(&mut rows, lits[0], &lits[1..]);
        one_of(&mut cnf, lits[0], &lits[1..]);
        assert_eq!(cnf.clauses().len() as u32, n + 1);
        for assignment in (0..1u32 << (n + 1)).filter(|a| (a >> 1).count_ones() < 2) {
            let holds = |lit: &Lit| (assignment >> lit.vidx() & 1 == 1) == lit.is_pos();
            assert_eq!(cnf.clauses().all(|clause| clause.iter().any(holds)), rows.hold(assignment));
        }
    }
}

/// A bound that always holds is left out under a guard: two literals never sum to more than 2. The other bound of the
/// equation a + b = 2 is raised from -2 to 0 if the guard g is false: -a - b + 2 g <= 0.
#[test]
fn a_guard_keeps_no_bound_that_always_holds() {
    for (relation, count) in [(Relation::AtMost, 0), (Relation::AtLeast, 1), (Relation::Equal, 1)] {
        let mut rows = Rows::default();
        let [a, b, guard] = [(); 3].map(|()| rows.new_var().pos_lit());
        let terms = [(1, a), (1, b)];
        Guarded(&mut rows, guard).linear(&Linear { terms: &terms, relation, bound: 2 });
        let raised = (vec![(-1, a), (-1, b), (2, guard)], Relation::AtMost, 0);
        assert_eq!(rows.rows, vec![raised; count], "{relation:?}");
        assert!(rows.clauses.is_empty());
    }
}

/// The weight of a guard may not fit into 64 bits; then the constraint becomes clauses.
#[test]
fn huge_weights_under_a_guard_become_clauses() {
    let mut rows = Rows::default();
    let [a, b, guard] = [(); 3].map(|()| rows.new_var().pos_lit());
    let terms = [(i64::MAX, a), (i64::MAX, b)];
    Guarded(&mut rows, guard).linear(&Linear { terms: &terms, relation: Relation::AtMost, bound: i64::MAX });
    assert!(rows.rows.is_empty());
    assert!((0..8).all(|assignment| rows.hold(assignment) == (assignment != 7)));
}

/// One constraint, and a second one if both bounds are needed and the last output stands for several numbers.
#[test]
fn counts_are_one_or_two_sums() {
    for (bounds, max, expected) in [
        (Bounds::Upper, 2, vec![(Relation::AtMost, -3)]),
        (Bounds::Upper, 4, vec![(Relation::AtMost, -1)]),
        (Bounds::Both, 4, vec![(Relation::Equal, -1)]),
        (Bounds::Both, 2, vec![(Relation::AtMost, -3), (Relation::AtLeast, -1)]),
    ] {
        let mut rows = Rows::default();
        let lits: Vec<Lit> = (0..4).map(|_| rows.new_var().pos_lit()).collect();
        Count::new(Cardinality::Totalizer, &mut rows, &lits, max, bounds);
        let last_weight = |(terms, relation, _): &Row| (*relation, terms[terms.len() - 1].0);
        assert_eq!(rows.rows.iter().map(last_weight).collect::<Vec<_>>(), expected, "{bounds:?} {max}");
    }
    let mut rows = Rows::default();
    AtMostOne::Pairwise.exactly_one(&mut rows, &[]);
    assert_eq!((rows.clauses.len(), rows.rows.len()), (1, 0));
}
