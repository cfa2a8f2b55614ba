//! Tests of the crossover, by hand and by other ways to compute it.

use super::*;

const DRAW: Resampling = Resampling { level: 0.9, resamples: 400, seed: 3 };

/// The times of both engines on one instance. Infinity means unsolved within 100 s.
fn pair(first: f64, second: f64) -> (Score, Score) {
    let score = |time: f64| Score { solved: time.is_finite(), time_s: time.min(100.0), limit_s: 100.0 };
    (score(first), score(second))
}

fn size(x: f64, pairs: &[(f64, f64)]) -> Size {
    Size { x, pairs: pairs.iter().map(|(a, b)| pair(*a, *b)).collect() }
}

fn point(pairs: &[(f64, f64)]) -> SizePoint {
    SizePoint::new(0.0, size(0.0, pairs).pairs.into_iter())
}

/// A size at which d is known to be `log`.
fn known(x: f64, log: f64) -> Size {
    size(x, &[(10.0_f64.powf(log), 1.0), (1.0, 50.0), (50.0, 1.0)])
}

const OPEN: f64 = f64::INFINITY;

#[test]
fn the_median_may_be_known_despite_unsolved_runs() {
    // The log ratios are at least 2, exactly 1 and exactly 0, so their median is 1.
    assert_eq!(point(&[(OPEN, 1.0), (10.0, 1.0), (1.0, 1.0)]).median(), Some(1.0));
    // The log ratios are at least 0, exactly 1 and exactly 2, so their median is between 1 and 2.
    let open = point(&[(OPEN, 100.0), (10.0, 1.0), (100.0, 1.0)]);
    assert_eq!((open.median(), open.least, open.greatest), (None, Some(1.0), Some(2.0)));
    assert_eq!(open.ahead(), Some(Side::Second));
    // The log ratios are at least 0, exactly −1 and at most −2, so their median is −1.
    let open = point(&[(OPEN, 100.0), (1.0, 10.0), (1.0, OPEN)]);
    assert_eq!(open.median(), Some(-1.0));
    let open = point(&[(1.0, OPEN), (10.0, OPEN), (1.0, 1.0)]);
    assert_eq!((open.least, open.greatest), (Some(f64::NEG_INFINITY), Some(-1.0)));
    assert_eq!((open.median(), open.ahead()), (None, Some(Side::First)));
    // One of the two log ratios is bounded at one end only, so the median is unbounded at the other end.
    let open = point(&[(OPEN, 50.0), (1.0, 50.0)]);
    assert_eq!((open.greatest, open.ahead()), (Some(f64::INFINITY), None));
    let open = point(&[(1.0, OPEN), (1.0, 10.0)]);
    assert_eq!((open.least, open.greatest), (Some(f64::NEG_INFINITY), Some(-1.5)));
}

#[test]
fn instances_that_neither_solved_are_left_out() {
    let found = point(&[(OPEN, OPEN), (10.0, 1.0), (OPEN, OPEN)]);
    assert_eq!((found.counted, found.left_out, found.median()), (1, 2, Some(1.0)));
    let none = point(&[(OPEN, OPEN)]);
    assert_eq!((none.least, none.ahead(), none.median()), (None, None, None));
    assert_eq!(point(&[(0.0, 0.0)]).median(), Some(0.0));
}

#[test]
fn linear_interpolation_between_two_sizes() {
    let found = crossover(&[known(4.0, -1.0), known(6.0, -0.5), known(10.0, 1.5)], &DRAW);
    assert!((found.changes[0].at().unwrap() - 7.0).abs() < 1e-12);
    assert_eq!(found.changes.len(), 1);
    assert_eq!((found.changes[0].after, found.changes[0].before), (6.0, 10.0));
    assert_eq!((found.changes[0].ahead, found.throughout), (Side::Second, None));
}

#[test]
fn the_last_of_several_changes_is_the_crossover() {
    let sizes = [known(1.0, 1.0), known(2.0, -1.0), known(3.0, 0.0), known(4.0, -1.0), known(5.0, 1.0)];
    let found = crossover(&sizes, &DRAW);
    let at: Vec<_> = found.changes.iter().map(|change| change.at().unwrap()).collect();
    assert_eq!((at, found.place()), (vec![1.5, 4.5], Some((4.5, 4.5))));
}

#[test]
fn zeros_between_two_signs_are_the_crossover() {
    let found = crossover(&[known(1.0, -1.0), known(2.0, 0.0), known(5.0, 0.0), known(6.0, 1.0)], &DRAW);
    assert_eq!((found.place(), found.changes[0].at()), (Some((2.0, 5.0)), None));
    // Zeros at the ends are not changes.
    assert!(crossover(&[known(1.0, 0.0), known(2.0, 1.0), known(3.0, 0.0)], &DRAW).changes.is_empty());
}

#[test]
fn a_size_with_a_known_sign_gives_a_range() {
    let after = |pairs| crossover(&[known(6.0, -1.0), size(7.0, &[(OPEN, OPEN)]), size(8.0, pairs)], &DRAW);
    // d(8) is at least log₁₀ 50; in the next call, it is between 1 and 3.
    assert_eq!(after(&[(OPEN, 1.0), (OPEN, 2.0), (3.0, 1.0)]).place().unwrap().0, 6.0);
    let found = after(&[(OPEN, 10.0), (100.0, 0.1), (1.0, 1.0), (100.0, 0.1), (1.0, 10.0)]);
    assert_eq!((found.points[2].least, found.points[2].greatest), (Some(1.0), Some(3.0)));
    assert_eq!((found.place(), found.changes[0].at()), (Some((6.5, 7.0)), None));
    // At size 6, d is anything up to −1.
    let far = size(6.0, &[(1.0, OPEN), (10.0, OPEN), (1.0, 1.0)]);
    assert_eq!(crossover(&[far, known(8.0, 1.0)], &DRAW).place(), Some((7.0, 8.0)));
    let none = crossover(&[known(6.0, -1.0), known(8.0, 1.0)], &Resampling { resamples: 0, ..DRAW });
    assert_eq!((none.place(), none.interval, none.crossing), (Some((7.0, 7.0)), None, 0.0));
}

#[test]
fn without_a_change_one_engine_is_faster_throughout() {
    let found = crossover(&[size(1.0, &[(1.0, 2.0)]), size(2.0, &[(2.0, OPEN)])], &DRAW);
    assert_eq!((found.throughout, found.place()), (Some(Side::First), None));
    assert_eq!((found.interval, found.crossing), (None, 0.0));
    let empty = crossover(&[size(1.0, &[]), size(2.0, &[(OPEN, OPEN)])], &DRAW);
    assert_eq!((empty.throughout, empty.points[0].counted), (None, 0));
    assert!(crossover(&[], &DRAW).points.is_empty());
}

#[test]
fn ranks_of_many_pairs_agree_with_drawn_pairs() {
    // The log ratios spread by ±2 around x / 10 − ½, in an order without a pattern. In every tenth pair,
    // the first engine is unsolved.
    let wobbly = |x: f64, count: usize| -> Size {
        let log = |i: usize| x / 10.0 - 0.5 + 4.0 * ((i as f64 * 0.618_033_988_749_895).fract() - 0.5);
        let pair = |i: usize| if i.is_multiple_of(10) { (OPEN, 1.0) } else { (10.0_f64.powf(log(i)), 1.0) };
        size(x, &(0..count).map(pair).collect::<Vec<_>>())
    };
    let found = |count: usize| {
        let sizes: Vec<Size> = [1.0, 3.0, 5.0, 7.0].map(|x| wobbly(x, count)).into();
        crossover(&sizes, &Resampling { resamples: 2000, ..DRAW }).interval.unwrap()
    };
    let (drawn, ranked) = (found(MAX_DRAWN), found(MAX_DRAWN + 1));
    assert!((drawn.0 - ranked.0).abs() < 0.1 * (drawn.1 - drawn.0), "{drawn:?} {ranked:?}");
    assert!((drawn.1 - ranked.1).abs() < 0.1 * (drawn.1 - drawn.0), "{drawn:?} {ranked:?}");
}

/// With 10,000 pairs, the rank has the mean 5000 and the standard deviation 50. The normal distribution has the
/// quantiles ±1 at the proportions 0.8413 and 0.1587. With up to 1000 pairs, no ranks are drawn.
#[test]
fn quantiles_of_the_rank_by_hand() {
    let pairs: Vec<(f64, f64)> = (0..10_000).map(|i| (10.0_f64.powf(f64::from(i) / 5000.0), 1.0)).collect();
    let ranked = Ranked::of_many(&size(3.0, &pairs)).unwrap();
    for (uniform, rank) in [(0.5, 5000.0), (0.841_344_75, 5050.0), (0.158_655_25, 4950.0)] {
        let found = ranked.drawn(uniform);
        assert_eq!((found.x, found.counted, found.left_out), (3.0, 10_000, 0));
        // A rank may be rounded down.
        let log = found.median().unwrap();
        assert!((log - rank / 5000.0).abs() < 1.5 / 5000.0, "{uniform}: {log}");
    }
    assert!(Ranked::of_many(&size(3.0, &pairs[..MAX_DRAWN])).is_none());
    assert!(Ranked::of_many(&size(3.0, &pairs[..=MAX_DRAWN])).is_some());
}

#[test]
fn the_interval_is_reproducible_and_contains_the_crossover() {
    let wobbly = |x: f64| -> Size {
        let pairs = (0..15).map(|i| (2.0_f64.powf(x - 5.0 + f64::from(i * 4 % 15) / 7.0 - 1.0), 1.0));
        size(x, &pairs.collect::<Vec<_>>())
    };
    let sizes: Vec<Size> = [2.0, 4.0, 5.5, 8.0].map(wobbly).into();
    let found = crossover(&sizes, &DRAW);
    let ((low, high), place) = (found.interval.unwrap(), found.changes[0].at().unwrap());
    assert!(low < place && place < high, "{low} {place} {high}");
    assert_eq!(found.crossing, 1.0);
    assert_eq!(crossover(&sizes, &DRAW), found);
    assert_ne!(crossover(&sizes, &Resampling { seed: 4, ..DRAW }).interval, found.interval);
}
