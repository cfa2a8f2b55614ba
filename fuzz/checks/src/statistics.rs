//! Statistics against slow definitions: sums over all subsets, ranks by counting, quantiles by sorting.

use crate::input::Input;
use counterpoint::statistics::{
    Bounds, Matrix, Score, Worth, ascending, bounds_interval, censored_median, growth, holm, marginal,
    median, median_bounds, median_interval, par, quantile, rank_scores, shapley, share_interval, shifts,
    sign_test, single_best, solved, value, virtual_best, wilcoxon,
};

/// The largest relative error that rounding explains here.
const ROUNDING: f64 = 1e-9;

pub(crate) fn statistics(data: &[u8]) {
    let input = &mut Input::new(data);
    let values: Vec<f64> = (0..input.number(0..=12)).map(|_| number(input)).collect();
    match input.number(0..=4) {
        0 => quantiles(&values, f64::from(input.number(0..=20u8)) / 20.0),
        1 => ranks(&values),
        2 => tests(&values, input),
        3 => bounds(&values, input),
        _ => portfolios(input),
    }
}

/// Numbers with many ties, and infinity now and then.
fn number(input: &mut Input<'_>) -> f64 {
    match input.number(0..=9) {
        0 => f64::INFINITY,
        1..=5 => f64::from(input.number(0..=7u8)),
        _ => f64::from(input.number(-1_000_000..=1_000_000i32)) / 128.0,
    }
}

fn close(one: f64, other: f64) -> bool {
    one == other || (one - other).abs() <= ROUNDING * one.abs().max(other.abs()).max(1e-3)
}

/// The number of ways to choose.
fn choose(n: usize, k: usize) -> f64 {
    (0..k).fold(1.0, |product, i| product * (n - i) as f64 / (i + 1) as f64)
}

/// The probability of at most `k` heads in `n` tosses of a coin that shows heads with probability `p`.
fn at_most(k: usize, n: usize, p: f64) -> f64 {
    (0..=k.min(n)).map(|i| choose(n, i) * p.powi(i as i32) * (1.0 - p).powi((n - i) as i32)).sum()
}

fn quantiles(values: &[f64], p: f64) {
    let sorted = ascending(values.iter().copied());
    let at_or_below = |x: f64| values.iter().filter(|value| **value <= x).count();
    let found = quantile(&sorted, p);
    assert_eq!(found.is_none(), values.is_empty());
    let Some(found) = found else { return };
    // The quantile lies between the values whose ranks enclose its place.
    let place = p * (values.len() - 1) as f64;
    assert!(at_or_below(found) as f64 > place.floor(), "{values:?} {p} {found}");
    let below = values.iter().filter(|value| **value < found).count();
    assert!(below as f64 <= place.ceil(), "{values:?} {p} {found}");
    let half = (values.len() - 1) as f64 / 2.0;
    let [low, high] = [half.floor(), half.ceil()].map(|at| sorted[at as usize]);
    let middle = median(&sorted).unwrap_or(f64::NAN);
    // Between a finite and an infinite value, the median is infinite.
    let expected = if low == high { low } else { low + (high - low) / 2.0 };
    assert!(close(middle, expected), "{values:?} {middle} {expected}");
    assert_eq!(censored_median(&sorted), Some(middle).filter(|middle| middle.is_finite()));
    let interval = median_interval(&sorted, p).unwrap_or_else(|| panic!("{values:?} has an interval"));
    // The k-th smallest and the k-th largest value: the coverage is 1 - 2 P(fewer than k heads).
    let coverage = |k: usize| (1.0 - 2.0 * at_most(k - 1, values.len(), 0.5)).max(0.0);
    let n = values.len();
    let k = (1..=n.div_ceil(2)).rev().find(|&k| k == 1 || coverage(k) + 1e-12 >= p).unwrap_or(1);
    assert_eq!((interval.low, interval.high), (sorted[k - 1], sorted[n - k]), "{values:?} {p}");
    assert!(close(interval.coverage, coverage(k)), "{interval:?} {}", coverage(k));
}

/// The mean rank of a value among others, from 1.
fn rank(values: &[f64], value: f64) -> f64 {
    let below = values.iter().filter(|other| **other < value).count() as f64;
    let equal = values.iter().filter(|other| **other == value).count() as f64;
    below + (equal + 1.0) / 2.0
}

fn ranks(values: &[f64]) {
    let n = values.len() as f64;
    for (score, &value) in rank_scores(values).into_iter().zip(values) {
        let expected = (rank(values, value) - (n + 1.0) / 2.0) / (n + 1.0);
        assert!((score - expected).abs() < ROUNDING, "{values:?} {score} {expected}");
    }
    // Wilcoxon's test by counting sign vectors.
    let nonzero: Vec<f64> = values.iter().copied().filter(|value| *value != 0.0).collect();
    let sizes: Vec<f64> = nonzero.iter().map(|value| value.abs()).collect();
    let ranks: Vec<f64> = sizes.iter().map(|&size| rank(&sizes, size)).collect();
    let sum = |signs: &dyn Fn(usize) -> bool| -> f64 {
        ranks.iter().enumerate().filter(|(i, _)| signs(*i)).map(|(_, rank)| rank).sum()
    };
    let found = wilcoxon(values);
    assert_eq!((found.n, found.zeros), (nonzero.len(), values.len() - nonzero.len()));
    assert_eq!(found.w_plus, sum(&|i| nonzero[i] > 0.0), "{values:?}");
    assert_eq!(found.w_minus, sum(&|i| nonzero[i] < 0.0), "{values:?}");
    let least = found.w_plus.min(found.w_minus);
    let as_far = (0u32..1 << nonzero.len()).filter(|signs| sum(&|i| signs >> i & 1 == 1) <= least).count();
    let p = 2.0 * as_far as f64 / f64::from(1u32 << nonzero.len());
    assert!(close(found.p, p.min(1.0)), "{values:?} {found:?} {p}");
}

fn tests(values: &[f64], input: &mut Input<'_>) {
    let (wins, losses) = (input.number(0..=20usize), input.number(0..=20usize));
    let expected = at_most(losses, wins + losses, 0.5);
    assert!(close(sign_test(wins, losses), expected), "{wins} {losses}");
    let level = f64::from(input.number(1..=19u8)) / 20.0;
    if let Some((low, high)) = share_interval(wins, wins + losses, level) {
        let (n, tail) = (wins + losses, (1.0 - level) / 2.0);
        assert!(0.0 <= low && low <= high && high <= 1.0);
        assert!(wins == n || (at_most(wins, n, high) - tail).abs() < 1e-6, "{wins} {losses} {level}");
        assert!(
            wins == 0 || (1.0 - at_most(wins - 1, n, low) - tail).abs() < 1e-6,
            "{wins} {losses} {level}"
        );
    }
    let p: Vec<f64> = values.iter().map(|value| (value.abs() / 8_000.0).min(1.0)).collect();
    for (i, adjusted) in holm(&p).into_iter().enumerate() {
        // Each p-value not above this one is multiplied by the number of those that are not below it. Of equal ones,
        // the first to come has the greatest factor.
        let others = p.iter().filter(|other| **other <= p[i]);
        let expected = others.map(|q| p.iter().filter(|other| *other >= q).count() as f64 * q);
        let expected = expected.fold(0.0, f64::max).min(1.0);
        assert!(close(adjusted, expected), "{p:?} {i} {adjusted} {expected}");
    }
    let points: Vec<(f64, f64)> =
        values.iter().map(|value| (f64::from(input.number(0..=6u8)), value.abs())).collect();
    if let Some(line) = growth(&points) {
        // No other line has a smaller sum of squares.
        let usable = || points.iter().filter(|(_, y)| *y > 0.0 && y.is_finite());
        let squares = |slope: f64, intercept: f64| -> f64 {
            usable().map(|(x, y)| (y.log2() - intercept - slope * x).powi(2)).sum()
        };
        let least = squares(line.slope, line.intercept);
        assert_eq!(line.points, usable().count());
        for (slope, intercept) in [(0.01, 0.0), (-0.01, 0.0), (0.0, 0.01), (0.0, -0.01), (0.01, -0.01)] {
            let other = squares(line.slope + slope, line.intercept + intercept);
            assert!(other >= least - ROUNDING, "{points:?} {line:?}");
        }
        assert!(line.r_squared.is_none_or(|r| (0.0..=1.0).contains(&r)), "{points:?} {line:?}");
    }
    let strata: Vec<Vec<(usize, f64)>> = values
        .chunks(4)
        .map(|chunk| rank_scores(chunk).into_iter().map(|score| (input.number(0..=2), score)).collect())
        .collect();
    for shift in shifts(&strata, 3).into_iter().flatten() {
        assert!((0.0..=1.0).contains(&shift.p) && shift.z.is_finite() && shift.n > 0, "{strata:?}");
    }
}

/// Bounds contain what a number may be: the bounds of ratios and medians contain those of all numbers within.
fn bounds(values: &[f64], input: &mut Input<'_>) {
    let mut numbers = Vec::new();
    let mut actual = Vec::new();
    for value in values.iter().map(|value| value.abs()).filter(|value| value.is_finite()) {
        let more = f64::from(input.number(0..=5u8));
        numbers.push(match input.number(0..=2) {
            0 => Bounds::exact(value),
            1 => Bounds::at_least(value),
            _ => Bounds { low: value, high: value + more },
        });
        let last = numbers[numbers.len() - 1];
        actual.push(if input.flag() { last.low } else { (value + more).min(last.high) });
    }
    let within = |bounds: Bounds, value: f64| {
        bounds.low <= value * (1.0 + ROUNDING) && value <= bounds.high * (1.0 + ROUNDING)
    };
    for (pair, values) in numbers.windows(2).zip(actual.windows(2)) {
        let ratio = match (values[0], values[1]) {
            (0.0, 0.0) => 1.0,
            (_, 0.0) => f64::INFINITY,
            (one, other) => one / other,
        };
        assert!(within(pair[0].over(pair[1]), ratio), "{pair:?} {values:?}");
    }
    let sorted = ascending(actual.iter().copied());
    assert_eq!(median_bounds(&numbers).is_some(), median(&sorted).is_some());
    if let (Some(bounds), Some(median)) = (median_bounds(&numbers), median(&sorted)) {
        assert!(within(bounds, median), "{numbers:?} {actual:?}");
    }
    if let (Some(bounds), Some(exact)) = (bounds_interval(&numbers, 0.8), median_interval(&sorted, 0.8)) {
        assert!(
            within(bounds.bounds, exact.low) && within(bounds.bounds, exact.high),
            "{numbers:?} {actual:?}"
        );
        assert_eq!(bounds.coverage, exact.coverage);
    }
}

/// Contributions to portfolios, from the values of all subsets of engines.
fn portfolios(input: &mut Input<'_>) {
    let engines = input.number(1..=4usize);
    let mut rows: Vec<Vec<Option<Score>>> = Vec::new();
    for _ in 0..input.number(0..=5) {
        let score = |input: &mut Input<'_>| {
            let score = Score {
                solved: input.flag(),
                time_s: f64::from(input.number(0..=12u8)),
                limit_s: f64::from(input.number(1..=9u8)),
            };
            (!input.rarely(5)).then_some(score)
        };
        rows.push((0..engines).map(|_| score(input)).collect());
    }
    let matrix_of = |engines: &[usize]| {
        let mut matrix = Matrix::new(engines.len());
        for row in &rows {
            let row = engines.iter().map(|&engine| row[engine]).collect();
            matrix.push(row).expect("the row has one score for each engine");
        }
        matrix
    };
    let all: Vec<usize> = (0..engines).collect();
    let whole = matrix_of(&all);
    for worth in [Worth::Solved, Worth::Saved] {
        let of = |members: u32| {
            let members: Vec<usize> = all.iter().copied().filter(|i| members >> i & 1 == 1).collect();
            if members.is_empty() { 0.0 } else { value(&matrix_of(&members), worth) }
        };
        let everybody = (1u32 << engines) - 1;
        let (marginal, shapley) = (marginal(&whole, worth), shapley(&whole, worth));
        for engine in 0..engines {
            assert!(close(marginal[engine], of(everybody) - of(everybody ^ 1 << engine)), "{rows:?}");
            // The mean over all orders, grouped by the set of those who come before.
            let before = (0..=everybody).filter(|set| set >> engine & 1 == 0);
            let gain = |set: u32| {
                let k = set.count_ones() as usize;
                (of(set | 1 << engine) - of(set)) / (engines as f64 * choose(engines - 1, k))
            };
            assert!(close(shapley[engine], before.map(gain).sum()), "{rows:?} {worth:?} {shapley:?}");
        }
    }
    for engine in 0..engines {
        let scores: Vec<Score> = rows.iter().filter_map(|row| row[engine]).collect();
        let sum: f64 = scores.iter().map(|one| if one.solved { one.time_s } else { 3.0 * one.limit_s }).sum();
        let expected = (!scores.is_empty()).then(|| sum / scores.len() as f64);
        assert_eq!(par(whole.column(engine), 3.0), expected);
        assert_eq!(solved(whole.column(engine)), scores.iter().filter(|one| one.solved).count());
    }
    for (best, row) in virtual_best(&whole).into_iter().zip(&rows) {
        let least = row.iter().flatten().filter(|one| one.solved).map(|one| one.time_s).reduce(f64::min);
        assert_eq!(best.is_some(), row.iter().any(Option::is_some));
        assert_eq!(best.filter(|best| best.solved).map(|best| best.time_s), least, "{rows:?}");
    }
    assert_eq!(single_best(&whole).is_some(), rows.iter().flatten().any(Option::is_some));
}
