//! Bootstrap intervals of a mean difference.
//!
//! # References
//! B. Efron: *Better bootstrap confidence intervals*, JASA 82 (1987). B. Efron, R. J. Tibshirani: *An Introduction
//! to the Bootstrap* (1993), chapters 13 and 14.

use crate::order::{ascending, quantile};
use crate::tails;
use rand::RngExt;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

/// How to draw again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resampling {
    /// Of the interval, between 0 and 1.
    pub level: f64,
    /// How many samples are drawn; 10 000 settle a 95 % interval to about 1 % of its width.
    pub resamples: usize,
    /// Of the ChaCha8 generator; the same seed gives the same interval.
    pub seed: u64,
}

impl Resampling {
    /// Whether there is anything to draw, and a level to draw it for.
    pub(super) fn is_usable(&self) -> bool {
        self.resamples > 0 && self.level > 0.0 && self.level < 1.0
    }

    pub(super) fn random(&self) -> ChaCha8Rng {
        ChaCha8Rng::seed_from_u64(self.seed)
    }

    /// The shares below the two ends of a percentile interval.
    pub(super) fn ends(&self) -> (f64, f64) {
        ((1.0 - self.level) / 2.0, (1.0 + self.level) / 2.0)
    }
}

/// How an interval was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntervalKind {
    /// Bias-corrected and accelerated.
    Bca,
    /// Plain percentiles: all differences are equal, or all resamples lie on one side of the mean.
    Percentile,
}

/// The result of [`bootstrap()`], in the unit of the differences.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bootstrap {
    /// The mean of the differences.
    pub mean: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// How it was found.
    pub kind: IntervalKind,
}

/// An interval of the mean of paired differences, one for each instance, by drawing instances again.
///
/// `None` of fewer than two differences, where one is not finite, where nothing shall be drawn or the level is
/// not between 0 and 1. Below about ten differences any bootstrap interval is too short; the differences all being
/// equal even has no width, which means that the sample cannot tell, not that there is no doubt.
/// O(n · resamples).
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
    let shares = accelerated(differences, mean, &means, resampling);
    let kind = if shares.is_some() { IntervalKind::Bca } else { IntervalKind::Percentile };
    let (low, high) = shares.unwrap_or(resampling.ends());
    Some(Bootstrap { mean, low: quantile(&means, low)?, high: quantile(&means, high)?, kind })
}

/// The means of the resamples. Each is summed in the order of the differences, not of the draws: a resample
/// that has every difference once shall have their mean to the last bit, as such ties count in the bias.
fn means(differences: &[f64], resampling: &Resampling) -> Vec<f64> {
    let n = differences.len();
    let mut random = resampling.random();
    let mut drawn = vec![0_u32; n];
    let mut mean = || {
        drawn.fill(0);
        (0..n).for_each(|_| drawn[random.random_range(0..n)] += 1);
        drawn.iter().zip(differences).map(|(times, d)| f64::from(*times) * d).sum::<f64>() / n as f64
    };
    (0..resampling.resamples).map(|_| mean()).collect()
}

/// The shares of resamples below the two ends; `None` where they are not defined.
fn accelerated(differences: &[f64], mean: f64, means: &[f64], resampling: &Resampling) -> Option<(f64, f64)> {
    // Different draws may have one mean, told apart by rounding alone.
    let slack = 1e-12 * differences.iter().fold(0.0_f64, |most, d| most.max(d.abs()));
    let below = means.partition_point(|m| *m < mean - slack);
    let up_to = means.partition_point(|m| *m <= mean + slack);
    // Ties count half.
    let bias = tails::normal_quantile((below + up_to) as f64 / (2 * means.len()) as f64)?;

    // The mean without one difference deviates in proportion to that one, turned round.
    let power = |k| differences.iter().map(|d| (d - mean).powi(k)).sum::<f64>();
    let acceleration = power(3) / (6.0 * power(2).powf(1.5));
    let share = |end: f64| {
        let z = bias + tails::normal_quantile(end)?;
        let turned = 1.0 - acceleration * z;
        let share = tails::normal(bias + z / turned);
        (turned > 0.0 && share.is_finite()).then_some(share)
    };
    let (low, high) = resampling.ends();
    bias.is_finite().then_some(())?;
    Some((share(low)?, share(high)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAW: Resampling = Resampling { level: 0.95, resamples: 2000, seed: 5 };

    #[test]
    fn too_little_has_no_interval() {
        assert_eq!(bootstrap(&[], &DRAW), None);
        assert_eq!(bootstrap(&[1.0], &DRAW), None);
        assert_eq!(bootstrap(&[1.0, f64::INFINITY], &DRAW), None);
        assert_eq!(bootstrap(&[1.0, 2.0], &Resampling { resamples: 0, ..DRAW }), None);
        assert_eq!(bootstrap(&[1.0, 2.0], &Resampling { level: 1.0, ..DRAW }), None);
    }

    #[test]
    fn two_differences_by_hand() {
        // The means are 0, 1, 2 with 1 : 2 : 1, without bias or skew: percentiles at 2.5 % and 97.5 %.
        let found = bootstrap(&[0.0, 2.0], &DRAW).unwrap();
        assert_eq!(found, Bootstrap { mean: 1.0, low: 0.0, high: 2.0, kind: IntervalKind::Bca });
    }

    #[test]
    fn equal_differences_fall_back_to_percentiles_without_width() {
        let found = bootstrap(&[0.1; 7], &DRAW).unwrap();
        assert_eq!(found.kind, IntervalKind::Percentile);
        assert_eq!((found.mean, found.low, found.high), (0.1, 0.1, 0.1));
        // A single resample lies on one side of the mean, or on it.
        let one = bootstrap(&[0.0, 1.0, 5.0], &Resampling { resamples: 1, ..DRAW }).unwrap();
        assert_eq!(one.low, one.high);
    }

    #[test]
    fn ties_with_the_mean_are_ties_however_they_round() {
        // 0.1 + 0.4 + 0.7 and 3 · 0.4 differ in the last bit, tens of them do not.
        let shares = |differences: [f64; 3]| {
            let means = ascending(means(&differences, &DRAW));
            accelerated(&differences, differences.iter().sum::<f64>() / 3.0, &means, &DRAW).unwrap()
        };
        let (rounded, exact) = (shares([0.1, 0.4, 0.7]), shares([1.0, 4.0, 7.0]));
        assert!((rounded.0 - exact.0).abs() < 1e-12 && (rounded.1 - exact.1).abs() < 1e-12);
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
    fn scaling_and_turning_carry_over() {
        // A power of two rounds nothing; the same draws are made.
        let differences = [3.0, -1.0, 0.1, 0.2, 9.0, 0.3, 4.0];
        let scaled = differences.map(|d| d * 4.0);
        let (a, b) = (bootstrap(&differences, &DRAW).unwrap(), bootstrap(&scaled, &DRAW).unwrap());
        assert_eq!((a.low * 4.0, a.high * 4.0), (b.low, b.high));
        let turned = bootstrap(&differences.map(|d| -d), &DRAW).unwrap();
        assert!((turned.low + a.high).abs() < 1e-9 && (turned.high + a.low).abs() < 1e-9);
    }
}
