//! Compares linear constraints with their definition, on all assignments of small constraints.

use crate::propagation::{Propagator, lit};
use counterpoint_encodings::{
    Bounds, Cardinality, Cnf, Count, EncodingSize, Linear, Lit, Relation, Sink, Tally, Var,
};
use itertools::Itertools;

const RELATIONS: [Relation; 3] = [Relation::AtMost, Relation::AtLeast, Relation::Equal];

fn cnf(n: u32, constraint: &Linear<'_>) -> Cnf {
    let mut cnf = Cnf::default();
    (0..n).for_each(|_| _ = cnf.new_var());
    cnf.linear(constraint);
    cnf
}

/// Tests a constraint over variables `0..n` on all assignments.
fn test(n: u32, constraint: &Linear<'_>) {
    let cnf = cnf(n, constraint);
    let propagator = Propagator::new(&cnf);
    let start = propagator.start();
    for inputs in 0..1u32 << n {
        let value = |lit: Lit| (inputs >> lit.vidx() & 1 == 1) == lit.is_pos();
        let lits: Vec<Lit> = (0..n as usize).map(|i| lit(i, inputs >> i & 1 == 1)).collect();
        let values = start.as_ref().and_then(|start| propagator.propagate(start, &lits));
        // Unit propagation alone decides a full assignment of the inputs.
        assert_eq!(values.is_some(), constraint.holds(value), "{constraint:?}: inputs {inputs:b}");
        assert!(values.is_none_or(|values| propagator.models(&values, 1) == 1), "{constraint:?}");
    }
}

/// Tests all relations of a sum with all bounds from below its least value to above its greatest.
fn test_sum(n: u32, terms: &[(i64, Lit)]) {
    let sum = |sign: i64| terms.iter().map(|(weight, _)| (sign * weight).max(0)).sum::<i64>();
    for bound in -sum(-1) - 2..=sum(1) + 2 {
        for relation in RELATIONS {
            test(n, &Linear { terms, relation, bound });
        }
    }
}

#[test]
fn all_small_sums_with_signs() {
    for n in 0..=3 {
        for weights in (0..n).map(|_| -3..=3_i64).multi_cartesian_product() {
            let lits = (0..n).map(|i| Var::new(i).lit(i % 2 == 1));
            test_sum(n, &weights.into_iter().zip(lits).collect::<Vec<_>>());
        }
    }
}

#[test]
fn longer_sums() {
    for weights in [
        &[1, 1, 1, 1, 1, 1, 1, 1][..],
        &[4, 4, 4, 4, 4],
        &[1, 2, 4, 8, 16],
        &[7, 5, 3, 3, 2, 1],
        &[6, 10, 15, 15],
        &[-9, 8, -7, 6, -5],
        &[13, 11, 7, 5, 3, 2],
        &[100, 1, 1, 1, 1, 1, 1],
    ] {
        let lits = (0..).map(|i| Var::new(i).lit(i % 3 == 1));
        test_sum(weights.len() as u32, &weights.iter().copied().zip(lits).collect::<Vec<_>>());
    }
}

/// At each bit, literals and carries together are more than the literals.
#[test]
fn sums_with_many_carries() {
    let lits = (0..).map(|i| Var::new(i).lit(i % 3 == 1));
    let terms: Vec<_> = [7, 7, 7, 7, 7, 7, 7, 6].into_iter().zip(lits).collect();
    for bound in 35..=55 {
        test(8, &Linear { terms: &terms, relation: Relation::AtMost, bound });
    }
}

#[test]
fn variables_that_occur_several_times() {
    let x = |i: u32| Var::new(i).pos_lit();
    for terms in [
        &[(2, x(0)), (3, x(0)), (1, x(1))][..],
        &[(2, x(0)), (2, !x(0))],
        &[(5, x(0)), (2, !x(0)), (4, x(1)), (3, x(2))],
        &[(1, x(0)), (-1, x(0)), (1, x(1)), (1, x(2)), (2, !x(1))],
        &[(-3, !x(0)), (3, x(0)), (0, x(1)), (2, !x(2)), (2, !x(2))],
    ] {
        test_sum(3, terms);
    }
}

#[test]
fn constraints_that_are_always_true_or_always_false() {
    let lits: Vec<Lit> = (0..3).map(|i| Var::new(i).pos_lit()).collect();
    let terms: Vec<(i64, Lit)> = [2, 4, 6].into_iter().zip(lits).collect();
    let clauses = |relation, bound| {
        let cnf = cnf(3, &Linear { terms: &terms, relation, bound });
        assert_eq!(cnf.n_vars(), 3);
        cnf.clauses().map(<[Lit]>::to_vec).collect::<Vec<_>>()
    };
    for (relation, bound) in [(Relation::AtMost, 12), (Relation::AtLeast, 0), (Relation::AtLeast, -5)] {
        assert!(clauses(relation, bound).is_empty());
    }
    for (relation, bound) in
        [(Relation::AtMost, -1), (Relation::AtLeast, 13), (Relation::Equal, 14), (Relation::Equal, 5)]
    {
        assert_eq!(clauses(relation, bound), [[]], "{relation:?} {bound}");
    }
    let nothing = |relation, bound| cnf(0, &Linear { terms: &[], relation, bound }).clauses().count();
    assert_eq!(RELATIONS.map(|relation| nothing(relation, 0)), [0, 0, 0]);
    assert_eq!(RELATIONS.map(|relation| nothing(relation, 1)), [0, 1, 1]);
}

#[test]
fn simple_constraints_are_single_clauses_or_units() {
    let x: Vec<Lit> = (0..3).map(|i| Var::new(i).pos_lit()).collect();
    let clauses = |terms: &[(i64, Lit)], relation, bound| {
        let cnf = cnf(3, &Linear { terms, relation, bound });
        cnf.clauses().map(<[Lit]>::to_vec).collect::<Vec<_>>()
    };
    let ones: Vec<(i64, Lit)> = x.iter().map(|&lit| (1, lit)).collect();
    assert_eq!(clauses(&ones, Relation::AtLeast, 1), std::slice::from_ref(&x));
    assert_eq!(clauses(&ones, Relation::AtMost, 2), [[!x[0], !x[1], !x[2]]]);
    assert_eq!(clauses(&ones, Relation::AtMost, 0), [[!x[0]], [!x[1]], [!x[2]]]);
    assert_eq!(clauses(&[(9, x[0]), (1, x[1]), (1, x[2])], Relation::AtMost, 2), [[!x[0]]]);
}

#[test]
fn equal_weights_are_a_totalizer() {
    for n in 4..20 {
        for k in 1..n - 1 {
            let mut tally = Tally::default();
            let terms: Vec<(i64, Lit)> = (0..n).map(|_| (7, tally.new_var().pos_lit())).collect();
            tally.linear(&Linear { terms: &terms, relation: Relation::AtMost, bound: 7 * k + 6 });
            let size = |max: i64, bounds| Cardinality::Totalizer.size(n as u64, max as u64, bounds);
            let (true_lits, false_lits) = (size(k + 1, Bounds::Upper), size(n - k, Bounds::Both));
            let count = if false_lits.clauses < true_lits.clauses { false_lits } else { true_lits };
            let written =
                EncodingSize { vars: u64::from(tally.n_vars()) - n as u64, clauses: tally.n_clauses() };
            assert_eq!(written, count + EncodingSize { vars: 0, clauses: 1 });
        }
    }
    // The clauses are those of a count, in the same order.
    let (mut linear, mut count) = (Cnf::default(), Cnf::default());
    let lits: Vec<Lit> = (0..6).map(|_| linear.new_var().pos_lit()).collect();
    (0..6).for_each(|_| _ = count.new_var());
    let terms: Vec<(i64, Lit)> = lits.iter().map(|&lit| (1, lit)).collect();
    linear.linear(&Linear { terms: &terms, relation: Relation::AtMost, bound: 2 });
    Count::new(Cardinality::Totalizer, &mut count, &lits, 3, Bounds::Upper).require_at_most(&mut count, 2);
    assert!(linear.clauses().eq(count.clauses()));
}

/// The sum x1 + x2 + x3 + x4 + 2 x5 <= 2 becomes sum + 1 < 4. At bit 0, three outputs are enough for four literals,
/// because the first carry needs one literal and the second one needs three. This takes 7 variables and 13 clauses: 2
/// and 3 for each half, 3 and 7 for their sum. At bit 1, two outputs of three literals take 4 variables and 7 clauses.
/// The last clause says that the second output is false.
#[test]
fn a_watchdog_counts_no_further_than_it_has_to() {
    let mut tally = Tally::default();
    let terms: Vec<(i64, Lit)> = [1, 1, 1, 1, 2].map(|weight| (weight, tally.new_var().pos_lit())).into();
    tally.linear(&Linear { terms: &terms, relation: Relation::AtMost, bound: 2 });
    assert_eq!((tally.n_vars() - 5, tally.n_clauses()), (7 + 4, 13 + 7 + 1));
}

/// Every set of true literals leads to a conflict if and only if its weights sum to more than the bound.
#[test]
fn unit_propagation_detects_that_an_upper_bound_is_exceeded() {
    let terms: Vec<(i64, Lit)> =
        (0..).map(|i| Var::new(i).pos_lit()).zip([7, 5, 3, 3, 2, 1]).map(|(l, w)| (w, l)).collect();
    for bound in 0..21 {
        let cnf = cnf(6, &Linear { terms: &terms, relation: Relation::AtMost, bound });
        let propagator = Propagator::new(&cnf);
        let start = propagator.start();
        for inputs in 0..1u32 << 6 {
            let chosen = terms.iter().filter(|(_, lit)| inputs >> lit.vidx() & 1 == 1);
            let (weights, lits): (Vec<i64>, Vec<Lit>) = chosen.copied().unzip();
            let values = start.as_ref().and_then(|start| propagator.propagate(start, &lits));
            assert_eq!(values.is_some(), weights.iter().sum::<i64>() <= bound);
        }
    }
}

#[test]
fn large_weights_stay_polynomial() {
    let mut tally = Tally::default();
    let terms: Vec<(i64, Lit)> =
        (0..100).map(|i| (i64::MAX - (1 << (i / 2)), tally.new_var().pos_lit())).collect();
    tally.linear(&Linear { terms: &terms, relation: Relation::AtMost, bound: i64::MAX });
    // About two clauses per bit and pair of terms.
    assert!(tally.n_clauses() < 2 * 63 * 100 * 100, "{} clauses", tally.n_clauses());
    // The extremes do not overflow.
    let extreme = [
        (i64::MIN, Var::new(0).neg_lit()),
        (i64::MAX, Var::new(1).pos_lit()),
        (i64::MIN, Var::new(0).pos_lit()),
    ];
    for relation in RELATIONS {
        for bound in [i64::MIN, -1, 0, i64::MAX] {
            test(2, &Linear { terms: &extreme, relation, bound });
        }
    }
}
