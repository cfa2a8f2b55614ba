//! Every rule is sound: what it adds holds in all solutions, or, for `red`, at least one solution remains. Brute force
//! finds the solutions.

use crate::cutting::database::Database;
use crate::cutting::inequality::{Image, Inequality};
use crate::cutting::redundance::{self, Substitution, follows};
use crate::meter::Meter;
use crate::tests::common::rounds;
use chacha20::ChaCha8Rng;
use counterpoint_base::budget::Stop;
use rand::{RngExt, SeedableRng};
use std::sync::Arc;

const N: u32 = 4;

fn holds(inequality: &Inequality, assignment: u32) -> bool {
    let value = |lit: u32| (assignment >> (lit / 2) & 1 == 1) == (lit & 1 == 0);
    let sum: i128 = inequality.terms().iter().filter(|term| value(term.lit)).map(|term| term.factor).sum();
    sum >= inequality.degree()
}

fn random(rng: &mut ChaCha8Rng) -> Inequality {
    let sum = (0..rng.random_range(0..=5))
        .map(|_| (rng.random_range(-4..=4), rng.random_range(0..2 * N)))
        .collect();
    Inequality::new(sum, rng.random_range(-5..=6)).unwrap()
}

#[test]
fn normal_form_keeps_the_solutions() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..rounds(8_000) {
        let sum: Vec<(i128, u32)> = (0..rng.random_range(0..=6))
            .map(|_| (rng.random_range(-4..=4), rng.random_range(0..2 * N)))
            .collect();
        let degree = rng.random_range(-9..=9);
        let inequality = Inequality::new(sum.clone(), degree).unwrap();
        assert!(inequality.terms().iter().all(|term| term.factor > 0));
        assert!(inequality.terms().is_sorted_by(|a, b| a.lit / 2 < b.lit / 2));
        for assignment in 0..1 << N {
            let value = |lit: u32| i128::from((assignment >> (lit / 2) & 1 == 1) == (lit & 1 == 0));
            let total: i128 = sum.iter().map(|&(factor, lit)| factor * value(lit)).sum();
            assert_eq!(holds(&inequality, assignment), total >= degree);
        }
    }
}

#[test]
fn what_a_rule_adds_holds_in_all_solutions_of_its_premises() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let (mut contradictions, mut implied) = (0, 0);
    for _ in 0..rounds(8_000) {
        let (a, b) = (random(&mut rng), random(&mut rng));
        let factor = rng.random_range(0..4);
        let derived = [
            a.clone().plus(b.clone()).unwrap(),
            a.clone().times(factor).unwrap().plus(b.clone()).unwrap(),
            a.clone().plus(b.clone()).unwrap().divided_by(factor + 1),
            a.clone().saturated().plus(b.clone()).unwrap(),
            a.clone().weakened(rng.random_range(0..N)).unwrap(),
            a.clone().divided_by(factor + 1),
        ];
        for one in derived.iter().chain([&a.clone().saturated(), &a.clone().times(factor).unwrap()]) {
            assert!(one.terms().iter().all(|term| term.factor > 0), "{one:?}");
        }
        for variable in 0..N {
            let left = a.clone().weakened(variable).unwrap();
            assert!(left.terms().iter().eq(a.terms().iter().filter(|term| term.lit / 2 != variable)));
        }
        let implies = a.implies(&b).unwrap();
        implied += u32::from(implies);
        contradictions += u32::from(a.is_contradiction());
        for assignment in 0..1 << N {
            let (in_a, in_b) = (holds(&a, assignment), holds(&b, assignment));
            if in_a && in_b {
                derived.iter().for_each(|one| assert!(holds(one, assignment), "{a:?} {b:?} {one:?}"));
            }
            assert_eq!(holds(&a.negated().unwrap(), assignment), !in_a);
            assert_eq!(holds(&a.clone().saturated(), assignment), in_a);
            assert!(!implies || !in_a || in_b, "{a:?} {b:?}");
            assert!(!in_a || !a.is_contradiction());
            assert!(!in_a || holds(&Inequality::axiom(3), assignment));
        }
    }
    assert!(contradictions > rounds(100) && implied > rounds(400), "{contradictions} {implied}");
}

/// A short inequality is added to a long one in place.
#[test]
fn a_sum_does_not_depend_on_lengths() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for _ in 0..rounds(2_000) {
        let mut sum = |n: i128| -> Vec<(i128, u32)> {
            (0..n).map(|_| (rng.random_range(-3..=3), rng.random_range(0..100))).collect()
        };
        let (long, short) = (sum(60), sum(3));
        let both = Inequality::new([&long[..], &short[..]].concat(), 5).unwrap();
        let (long, short) = (Inequality::new(long, 3).unwrap(), Inequality::new(short, 2).unwrap());
        assert_eq!(long.clone().plus(short.clone()), Ok(both.clone()));
        assert_eq!(short.plus(long), Ok(both));
    }
}

#[test]
fn unit_propagation_and_redundance_are_sound() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let (mut accepted, mut redundant) = (0, 0);
    for _ in 0..rounds(8_000) {
        let mut constraints: Vec<Inequality> =
            (0..rng.random_range(1..=5)).map(|_| random(&mut rng)).collect();
        let mut database = Database::new(constraints.clone(), 0, Meter::default()).unwrap();
        let solutions = |constraints: &[Inequality]| {
            (0..1u32 << N).filter(|&m| constraints.iter().all(|one| holds(one, m))).collect::<Vec<_>>()
        };
        assert!(!database.propagator.refuted() || solutions(&constraints).is_empty());
        for _ in 0..4 {
            let added = random(&mut rng);
            let before = solutions(&constraints);
            if follows(&mut database, &added).unwrap() {
                accepted += 1;
                assert!(before.iter().all(|&m| holds(&added, m)), "{constraints:?} {added:?}");
                // The same question gets the same answer: assumptions leave nothing behind.
                assert!(follows(&mut database, &added).unwrap());
            }
            let mut witness = Substitution::default();
            for variable in 0..N {
                let image = match rng.random_range(0..4) {
                    0 => Image::Value(rng.random_range(0..2) == 0),
                    1 => Image::Literal(rng.random_range(0..2 * N)),
                    _ => continue,
                };
                witness.set(variable, image);
            }
            let stop: Stop = Arc::new(|| None);
            if redundance::check(&mut database, &added, &witness, &stop).is_ok() {
                constraints.push(added.clone());
                assert!(database.add(added).is_ok());
                let after = solutions(&constraints);
                redundant += u32::from(after.len() < before.len());
                assert_eq!(before.is_empty(), after.is_empty(), "{constraints:?}");
            }
        }
    }
    assert!(accepted > rounds(1000) && redundant > rounds(200), "{accepted} {redundant}");
}

#[test]
fn numbers_that_are_too_large_are_errors() {
    let large = Inequality::new(vec![(i128::MAX, 0)], i128::MAX).unwrap();
    assert!(large.clone().plus(large.clone()).is_err() && large.clone().times(2).is_err());
    assert!(Inequality::new(vec![(i128::MIN, 0)], 0).is_err());
    assert!(Inequality::new(vec![(i128::MAX, 1), (2, 1)], 0).is_err());
    assert!(Inequality::new(vec![(i128::MAX, 0), (2, 2)], 0).unwrap().negated().is_err());
    assert!(
        Database::new(vec![Inequality::new(vec![(i128::MAX, 0), (2, 2)], 0).unwrap()], 0, Meter::default())
            .is_err()
    );
    assert!(
        Database::new(vec![Inequality::new(vec![(1, 0)], i128::MIN).unwrap()], 0, Meter::default()).is_err()
    );
    assert!(!large.is_contradiction());
    assert_eq!(Ok(Inequality::axiom(3)), Inequality::new(vec![(1, 3)], 0));
}
