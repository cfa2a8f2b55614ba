//! Bootstrap intervals of a mean difference.
//!
//! # References
//! B. Efron: *Better bootstrap confidence intervals*, JASA 82 (1987). B. Efron, R. J. Tibshirani: *An Introduction
//! to the Bootstrap* (1993), chapters 13 and 14.

use crate::order::{ascending, quantile};
use crate::tails;
use chacha20::{ChaCha8Rng, rand_core::SeedableRng};
use rand::RngExt;

/// How to resample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resampling {
    /// The confidence level of the interval, between 0 and 1.
    pub level: f64,
    /// Number of resamples. With 10,000, the ends of a 95 % interval vary from seed to seed by about 1 % of
    /// its width.
    pub resamples: usize,
    /// Seed of the ChaCha8 generator. The same seed gives the same interval.
    pub seed: u64,
}

impl Resampling {
    /// Whether there are resamples and the level is between 0 and 1.
    pub(super) fn is_usable(&self) -> bool {
        self.resamples > 0 && self.level > 0.0 && self.level < 1.0
    }

    pub(super) fn random(&self) -> ChaCha8Rng {
        ChaCha8Rng::seed_from_u64(self.seed)
    }

    /// The proportions of resamples below the two ends of a percentile interval.
    pub(super) fn ends(&self) -> (f64, f64) {
        ((1.0 - self.level) / 2.0, (1.0 + self.level) / 2.0)
    }
}

/// How an interval was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntervalKind {
    /// Bias-corrected and accelerated.
    Bca,
    /// Plain percentiles, because the correction is undefined: for example, all differences are equal, or all resamples
    /// lie on one side of the mean.
    Percentile,
}

/// The result of [`bootstrap()`], in the unit of the differences.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bootstrap {
    /// The mean of the differences.
    pub mean: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// How the interval was computed.
    pub kind: IntervalKind,
}

/// A confidence interval for the mean of paired differences, one per instance, by resampling instances.
///
/// `None` if there are fewer than two differences, if one is not finite, if the number of resamples is zero, or if the
/// level is not between 0 and 1. With fewer than about ten differences, any bootstrap interval is too short. If all
/// differences are equal, the interval has no width, because the sample contains no information about the variance.
/// O(n · resamples) for up to 20,000 differences. With more, the resamples are not drawn, and the time is O(n).
pub fn bootstrap(differences: &[f64], resampling: &Resampling) -> Option<Bootstrap> {
    let n = differences.len();
    if n < 2 || !resampling.is_usable() || !differences.iter().all(|d| d.is_finite()) {
        return None;
    }
    if differences.iter().all(|d| *d == differences[0]) {
        let (mean, kind) = (differences[0], IntervalKind::Percentile);
        return Some(Bootstrap { mean, low: mean, high: mean, kind });
    }
    let mean = differences.iter().sum::<f64>() / n as f64;
    let means = ascending(means(differences, resampling));
    let proportions = accelerated(differences, mean, &means, resampling);
    let kind = if proportions.is_some() { IntervalKind::Bca } else { IntervalKind::Percentile };
    let (low, high) = proportions.unwrap_or(resampling.ends());
    Some(Bootstrap { mean, low: quantile(&means, low)?, high: quantile(&means, high)?, kind })
}

/// With more differences than this, no resamples are drawn. Instead, the quantiles of the limiting
/// distribution of their means are used: those of a normal distribution, corrected for the skewness of the
/// differences (the first terms of the Cornish-Fisher expansion; Hall, *The Bootstrap and Edgeworth
/// Expansion*, 1992, 2.5).
const MAX_DRAWN: usize = 20_000;

/// Quantiles of the distribution of the means of resamples, in the limit of many differences.
fn limiting_means(differences: &[f64], resampling: &Resampling) -> Vec<f64> {
    let n = differences.len() as f64;
    let mean = differences.iter().sum::<f64>() / n;
    let moment = |k: i32| differences.iter().map(|d| (d - mean).powi(k)).sum::<f64>() / n;
    let (deviation, third) = (moment(2).sqrt(), moment(3));
    let skewness = third / deviation.powi(3) / n.sqrt();
    let count = resampling.resamples;
    let quantiles = (0..count).filter_map(|i| tails::normal_quantile((i as f64 + 0.5) / count as f64));
    quantiles.map(|z| mean + deviation / n.sqrt() * (z + skewness * (z * z - 1.0) / 6.0)).collect()
}

/// The means of the resamples. The drawn differences are added in their given order, not in the order of the draws. So
/// a resample that contains every difference once has exactly their mean, and is a tie when the bias is computed.
fn means(differences: &[f64], resampling: &Resampling) -> Vec<f64> {
    let n = differences.len();
    if n > MAX_DRAWN {
        return limiting_means(differences, resampling);
    }
    let mut random = resampling.random();
    let mut drawn = vec![0_u32; n];
    let mut mean = || {
        drawn.fill(0);
        (0..n).for_each(|_| drawn[random.random_range(0..n)] += 1);
        drawn.iter().zip(differences).map(|(times, d)| f64::from(*times) * d).sum::<f64>() / n as f64
    };
    (0..resampling.resamples).map(|_| mean()).collect()
}

/// The proportions of resamples below the two ends, corrected for bias and acceleration. `None` if they are undefined.
fn accelerated(differences: &[f64], mean: f64, means: &[f64], resampling: &Resampling) -> Option<(f64, f64)> {
    // Equal means of different draws may differ by rounding.
    let slack = 1e-12 * differences.iter().fold(0.0_f64, |max, d| max.max(d.abs()));
    let below = means.partition_point(|m| *m < mean - slack);
    let up_to = means.partition_point(|m| *m <= mean + slack);
    // A resample whose mean ties with the mean of all differences counts as one half.
    let bias = tails::normal_quantile((below + up_to) as f64 / (2 * means.len()) as f64)?;

    // Jackknife: if one difference is left out, the deviation of the mean is proportional to minus the deviation of
    // that difference.
    let power = |k| differences.iter().map(|d| (d - mean).powi(k)).sum::<f64>();
    let acceleration = power(3) / (6.0 * power(2).powf(1.5));
    let proportion = |end: f64| {
        let z = bias + tails::normal_quantile(end)?;
        let scale = 1.0 - acceleration * z;
        // A scale of 0 gives the limit for small positive scales, which is 0 or 1.
        let proportion = tails::normal(bias + z / scale);
        (scale.is_sign_positive() && proportion.is_finite()).then_some(proportion)
    };
    let (low, high) = resampling.ends();
    bias.is_finite().then_some(())?;
    Some((proportion(low)?, proportion(high)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAW: Resampling = Resampling { level: 0.95, resamples: 2000, seed: 5 };

    #[test]
    fn small_samples_have_no_interval() {
        assert_eq!(bootstrap(&[], &DRAW), None);
        assert_eq!(bootstrap(&[1.0], &DRAW), None);
        assert_eq!(bootstrap(&[1.0, f64::INFINITY], &DRAW), None);
        assert_eq!(bootstrap(&[1.0, 2.0], &Resampling { resamples: 0, ..DRAW }), None);
        assert_eq!(bootstrap(&[1.0, 2.0], &Resampling { level: 1.0, ..DRAW }), None);
        assert_eq!(bootstrap(&[1.0, 2.0], &Resampling { level: 0.0, ..DRAW }), None);
        assert!(DRAW.is_usable() && !Resampling { resamples: 0, ..DRAW }.is_usable());
    }

    /// The mean is ¼, the variance 3/16, and the skewness of the mean 1 / √3. The quartiles of the normal distribution are
    /// ±0.6744898.
    #[test]
    fn quantiles_of_the_limit_by_hand() {
        let found = limiting_means(&[0.0, 0.0, 0.0, 1.0], &Resampling { resamples: 2, ..DRAW });
        let expected = [-0.674_489_75_f64, 0.674_489_75]
            .map(|z| 0.25 + (3.0_f64 / 16.0).sqrt() / 2.0 * (z + (z * z - 1.0) / 3.0_f64.sqrt() / 6.0));
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?} {expected:?}");
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn the_limit_agrees_with_drawn_resamples() {
        // Skewed differences in an order without a pattern.
        let differences: Vec<f64> = (0..=MAX_DRAWN)
            .map(|i| (4.0 * (i as f64 * 0.618_033_988_749_895).fract()).exp() - 13.0)
            .collect();
        let drawn = bootstrap(&differences[1..], &DRAW).unwrap();
        let limit = bootstrap(&differences, &DRAW).unwrap();
        assert_eq!((drawn.kind, limit.kind), (IntervalKind::Bca, IntervalKind::Bca));
        let width = drawn.high - drawn.low;
        assert!((limit.low - drawn.low).abs() < 0.03 * width, "{limit:?} {drawn:?}");
        assert!((limit.high - drawn.high).abs() < 0.03 * width, "{limit:?} {drawn:?}");
    }

    #[test]
    fn the_seed_matters_only_if_resamples_are_drawn() {
        let differences: Vec<f64> = (0..=MAX_DRAWN).map(|i| (i % 7) as f64).collect();
        let few = Resampling { resamples: 20, ..DRAW };
        let found = |n: usize, seed: u64| bootstrap(&differences[..n], &Resampling { seed, ..few });
        assert_ne!(found(MAX_DRAWN, 5), found(MAX_DRAWN, 6));
        assert_eq!(found(MAX_DRAWN + 1, 5), found(MAX_DRAWN + 1, 6));
    }

    #[test]
    fn two_differences_by_hand() {
        // The means 0, 1 and 2 have the frequencies 1 : 2 : 1. There is no bias or skew, so the interval ends at the
        // percentiles 2.5 and 97.5.
        let found = bootstrap(&[0.0, 2.0], &DRAW).unwrap();
        assert_eq!(found, Bootstrap { mean: 1.0, low: 0.0, high: 2.0, kind: IntervalKind::Bca });
    }

    #[test]
    fn equal_differences_have_a_percentile_interval_without_width() {
        let found = bootstrap(&[0.1; 7], &DRAW).unwrap();
        assert_eq!(found.kind, IntervalKind::Percentile);
        assert_eq!((found.mean, found.low, found.high), (0.1, 0.1, 0.1));
        // The mean of a single resample is on one side of the mean, or equal to it.
        let one = bootstrap(&[0.0, 1.0, 5.0], &Resampling { resamples: 1, ..DRAW }).unwrap();
        assert_eq!(one.low, one.high);
    }

    #[test]
    fn resamples_equal_to_the_mean_tie_despite_rounding() {
        // 0.1 + 0.4 + 0.7 and 3 · 0.4 differ in the last bit, but ten times these numbers do not.
        let shares = |differences: [f64; 3]| {
            let means = ascending(means(&differences, &DRAW));
            accelerated(&differences, differences.iter().sum::<f64>() / 3.0, &means, &DRAW).unwrap()
        };
        let (rounded, exact) = (shares([0.1, 0.4, 0.7]), shares([1.0, 4.0, 7.0]));
        assert!((rounded.0 - exact.0).abs() < 1e-12 && (rounded.1 - exact.1).abs() < 1e-12);
    }

    /// The differences are 1 and 1 − 18,014 / 2⁵³, so the mean is 9,007 / 2⁵³ from both. The slack is 10⁻¹² =
    /// 9,007.2 / 2⁵³, which rounds to the same distance. So all resamples tie with the mean, and there is no bias.
    #[test]
    fn means_at_the_distance_of_the_slack_tie() {
        let differences = [1.0 - 18_014.0 / 2.0_f64.powi(53), 1.0];
        let mean = (differences[0] + differences[1]) / 2.0;
        let found = accelerated(&differences, mean, &[differences[0], mean, mean, 1.0], &DRAW).unwrap();
        assert!((found.0 - 0.025).abs() < 1e-9 && (found.1 - 0.975).abs() < 1e-9, "{found:?}");
    }

    /// With one large difference among 1000, the acceleration is 0.9985 / 6 = 0.16642. At a level of 1 − 10⁻⁹, the
    /// upper end has the quantile 6.109, so the scale is at most 1 − 0.16642 · 6.109 < 0.
    #[test]
    fn a_negative_scale_gives_a_percentile_interval() {
        let mut differences = [0.0; 1000];
        differences[7] = 1.0;
        let found = bootstrap(&differences, &Resampling { level: 1.0 - 1e-9, ..DRAW }).unwrap();
        assert_eq!((found.kind, found.low), (IntervalKind::Percentile, 0.0));
        assert!(found.high >= 0.003, "{found:?}");
        assert_eq!(bootstrap(&differences, &DRAW).unwrap().kind, IntervalKind::Bca);
    }

    #[test]
    fn the_same_seed_gives_the_same_bits() {
        let differences: Vec<f64> = (0..40).map(|i| f64::from(i * i % 37) / 7.0 - 1.0).collect();
        let found = bootstrap(&differences, &DRAW).unwrap();
        assert_eq!(bootstrap(&differences, &DRAW), Some(found));
        assert_ne!(bootstrap(&differences, &Resampling { seed: 6, ..DRAW }), Some(found));
        assert!(found.low < found.mean && found.mean < found.high);
        let narrow = bootstrap(&differences, &Resampling { level: 0.5, ..DRAW }).unwrap();
        assert!(found.low < narrow.low && narrow.high < found.high);
    }

    #[test]
    fn scaling_translation_and_negation_commute_with_the_interval() {
        let differences = [3.0, -1.0, 0.1, 0.2, 9.0, 0.3, 4.0];
        let a = bootstrap(&differences, &DRAW).unwrap();
        // Multiplying by a power of two does not round, and the draws are the same.
        for factor in [4.0, 2.0_f64.powi(60), 2.0_f64.powi(-60)] {
            let b = bootstrap(&differences.map(|d| d * factor), &DRAW).unwrap();
            let (low, high) = (b.low / factor, b.high / factor);
            assert!((a.low - low).abs() < 1e-9 && (a.high - high).abs() < 1e-9, "{factor}: {a:?} {b:?}");
        }
        let moved = bootstrap(&differences.map(|d| d + 100.0), &DRAW).unwrap();
        assert!((a.low + 100.0 - moved.low).abs() < 1e-9, "{a:?} {moved:?}");
        assert!((a.high + 100.0 - moved.high).abs() < 1e-9, "{a:?} {moved:?}");
        let negated = bootstrap(&differences.map(|d| -d), &DRAW).unwrap();
        assert!((negated.low + a.high).abs() < 1e-9 && (negated.high + a.low).abs() < 1e-9);
    }
}
