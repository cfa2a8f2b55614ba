//! Exponential growth of times with the size of the instance.

use crate::bootstrap::Resampling;
use crate::order::{ascending, censored_median, quantile};
use crate::tails::student_quantile;
use rand::RngExt;

/// A line fitted to the logarithms of medians: median ≈ 2^(intercept + slope · x).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// Number of doublings per unit of x.
    pub slope: f64,
    /// The logarithm to base 2 of the fitted median at x = 0.
    pub intercept: f64,
    /// The proportion of the variance that the line explains, 0 … 1; `None` if there is no variance because all medians
    /// are equal.
    pub r_squared: Option<f64>,
    /// Number of points fitted. With two points, R² is always 1 and says nothing.
    pub points: usize,
    /// Half the width of the 95 % confidence interval of the slope, if the deviations from the line are independent and
    /// normal with equal variance; `None` with two points, which lie on every line through them.
    pub margin: Option<f64>,
}

/// Fits log₂(median) against x by least squares. Points whose median is not positive and finite have no logarithm and
/// are left out. `None` unless at least two different x remain.
pub fn growth(medians: &[(f64, f64)]) -> Option<Growth> {
    let usable = medians.iter().filter(|(x, median)| x.is_finite() && *median > 0.0 && median.is_finite());
    let points: Vec<(f64, f64)> = usable.map(|(x, median)| (*x, median.log2())).collect();
    let n = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
    let (mean_x, mean_y) = (mean(|p| p.0), mean(|p| p.1));
    let sum =
        |of: &dyn Fn(f64, f64) -> f64| points.iter().map(|p| of(p.0 - mean_x, p.1 - mean_y)).sum::<f64>();
    let (xx, xy, yy) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
    let (first, rest) = points.split_first()?;
    if rest.iter().all(|point| point.0 == first.0) {
        return None;
    }
    let slope = xy / xx;
    let flat = rest.iter().all(|point| point.1 == first.1);
    let r_squared = (!flat).then(|| (xy * xy / (xx * yy)).min(1.0));
    let intercept = mean_y - slope * mean_x;
    let freedom = points.len() - 2;
    let squares: f64 = points.iter().map(|(x, y)| (y - intercept - slope * x).powi(2)).sum();
    let margin = student_quantile(0.975, freedom).map(|t| t * (squares / freedom as f64 / xx).sqrt());
    Some(Growth { slope, intercept, r_squared, points: points.len(), margin })
}

/// The instances of one size, for [`growth_interval`].
#[derive(Clone, Debug, PartialEq)]
pub struct SizeRuns {
    /// The size.
    pub x: f64,
    /// For each instance, the values of its runs. Infinity stands for an unsolved run.
    pub instances: Vec<Vec<f64>>,
}

/// The slopes of resamples, and their interval.
#[derive(Clone, Debug, PartialEq)]
pub struct GrowthInterval {
    /// The lower end of the interval of the slope, a percentile of the slopes; −∞ if too many resamples have none.
    pub low: f64,
    /// The upper end; ∞ if too many resamples have none.
    pub high: f64,
    /// The slopes of the resamples, in ascending order.
    pub slopes: Vec<f64>,
    /// The number of resamples without a slope, because fewer than two sizes had a median.
    pub without: usize,
}

/// The points of [`growth`]: the median of all runs of each size. A size has no point unless more than half of its runs
/// are solved.
pub fn growth_points(sizes: &[SizeRuns]) -> Vec<(f64, f64)> {
    let point = |size: &SizeRuns| point(size.x, size.instances.iter());
    sizes.iter().filter_map(point).collect()
}

fn point<'a>(x: f64, instances: impl Iterator<Item = &'a Vec<f64>>) -> Option<(f64, f64)> {
    Some((x, censored_median(&ascending(instances.flatten().copied()))?))
}

/// A percentile interval for the slope of [`growth`], by resampling the instances within each size. All runs of an
/// instance are drawn together, because they are not independent. As in [`growth`], a size whose median is not known in
/// a resample is left out of this resample. The slope of a resample with fewer than two sizes is unknown, so in the
/// worst case it lies outside the interval: such slopes count as −∞ for the lower end and as ∞ for the upper one.
///
/// `None` if the sizes themselves have no slope, if no resample has one, if the number of resamples is zero, or if the
/// level is not between 0 and 1. With fewer than about six instances of a size, the interval is too short.
/// O(runs · log(runs) · resamples).
///
/// # References
/// B. Efron, R. J. Tibshirani: *An Introduction to the Bootstrap* (1993), chapters 9 and 13.
pub fn growth_interval(sizes: &[SizeRuns], resampling: &Resampling) -> Option<GrowthInterval> {
    growth(&growth_points(sizes)).filter(|_| resampling.is_usable())?;
    let mut random = resampling.random();
    let mut slope = || {
        let points: Vec<(f64, f64)> = sizes
            .iter()
            .filter_map(|size| {
                let n = size.instances.len();
                point(size.x, (0..n).map(|_| &size.instances[random.random_range(0..n)]))
            })
            .collect();
        growth(&points).map(|found| found.slope)
    };
    let slopes = ascending((0..resampling.resamples).filter_map(|_| slope()));
    let without = resampling.resamples - slopes.len();
    let padded =
        |unknown: f64| ascending(slopes.iter().copied().chain(std::iter::repeat_n(unknown, without)));
    let (low, high) = resampling.ends();
    let low = quantile(&padded(f64::NEG_INFINITY), low)?;
    let high = quantile(&padded(f64::INFINITY), high)?;
    Some(GrowthInterval { low, high, without, slopes })
}

impl GrowthInterval {
    /// The one-sided p-value of the slope being above `value`: the proportion of resamples whose slope is not above it,
    /// or that have none. Both the numerator and the denominator are increased by one, so the p-value is never 0.
    pub fn p_above(&self, value: f64) -> f64 {
        self.p(self.slopes.partition_point(|slope| *slope <= value))
    }

    /// The one-sided p-value of the slope being below `value`, as [`Self::p_above`].
    pub fn p_below(&self, value: f64) -> f64 {
        self.p(self.slopes.len() - self.slopes.partition_point(|slope| *slope < value))
    }

    fn p(&self, against: usize) -> f64 {
        (against + self.without + 1) as f64 / (self.slopes.len() + self.without + 1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAW: Resampling = Resampling { level: 0.95, resamples: 1999, seed: 5 };

    fn size(x: f64, values: &[f64]) -> SizeRuns {
        SizeRuns { x, instances: values.iter().map(|value| vec![*value]).collect() }
    }

    #[test]
    fn intervals_of_the_slope_by_hand() {
        // In resamples, the second size has the medians 2, 5 and 8.
        let sizes = [size(0.0, &[1.0]), size(1.0, &[2.0, 8.0])];
        let found = growth_interval(&sizes, &DRAW).unwrap();
        assert_eq!((found.low, found.high, found.without), (1.0, 3.0, 0));
        let counted = |slope: f64| found.slopes.iter().filter(|one| **one == slope).count();
        let frequencies = [1.0, 5f64.log2(), 3.0].map(counted);
        assert_eq!(frequencies.iter().sum::<usize>(), 1999);
        // 1 : 2 : 1, within five standard deviations.
        assert!(frequencies.iter().zip([0.25, 0.5, 0.25]).all(|(&n, share)| {
            (n as f64 - 1999.0 * share).abs() < 5.0 * (1999.0 * share * (1.0 - share)).sqrt()
        }));
        assert_eq!(found.p_above(1.0), (frequencies[0] + 1) as f64 / 2000.0);
        assert_eq!(found.p_above(0.9), 1.0 / 2000.0);
        assert_eq!(found.p_below(3.0), (frequencies[2] + 1) as f64 / 2000.0);
        assert_eq!(found.p_below(0.9), 1.0);
    }

    #[test]
    fn sizes_without_a_median_are_left_out_of_a_resample() {
        let far = f64::INFINITY;
        let sizes = [size(0.0, &[1.0]), size(1.0, &[2.0]), size(2.0, &[16.0, far, 16.0])];
        let found = growth_interval(&sizes, &DRAW).unwrap();
        // With the third size, the slope is 2; without it, 1.
        assert_eq!((found.slopes.first(), found.slopes.last()), (Some(&1.0), Some(&2.0)));
        let sizes = [size(0.0, &[1.0]), size(2.0, &[16.0, far, 16.0])];
        let found = growth_interval(&sizes, &DRAW).unwrap();
        assert!(found.without > 0 && found.slopes.len() + found.without == 1999);
        assert_eq!(found.p_above(0.0), (found.without + 1) as f64 / 2000.0);
        // In 7 of 27 resamples, most of the drawn instances are the unsolved one.
        assert!((found.without as f64 - 1999.0 * 7.0 / 27.0).abs() < 5.0 * 20.0, "{}", found.without);
        assert_eq!((found.low, found.high), (f64::NEG_INFINITY, far));
        let narrow = growth_interval(&sizes, &Resampling { level: 0.2, ..DRAW }).unwrap();
        assert_eq!((narrow.low, narrow.high), (2.0, 2.0));
        assert_eq!(growth_interval(&[size(0.0, &[1.0]), size(1.0, &[far])], &DRAW), None);
        assert_eq!(growth_interval(&sizes, &Resampling { resamples: 0, ..DRAW }), None);
    }

    #[test]
    fn runs_of_an_instance_are_drawn_together() {
        let sizes = [size(0.0, &[1.0]), SizeRuns { x: 1.0, instances: vec![vec![2.0, 8.0, 8.0]] }];
        let found = growth_interval(&sizes, &DRAW).unwrap();
        assert_eq!((found.low, found.high), (3.0, 3.0));
    }

    #[test]
    fn the_same_seed_gives_the_same_slopes() {
        let values: Vec<f64> = (0..20).map(|i| f64::from(1 + i * i % 37)).collect();
        let sizes = [size(0.0, &values), size(1.0, &values[5..]), size(3.0, &values[..9])];
        let found = growth_interval(&sizes, &DRAW);
        assert!(found.is_some() && found == growth_interval(&sizes, &DRAW));
        assert_ne!(found, growth_interval(&sizes, &Resampling { seed: 6, ..DRAW }));
    }

    #[test]
    fn doublings_by_hand() {
        let found = growth(&[(1.0, 2.0), (2.0, 8.0), (3.0, 32.0)]).unwrap();
        assert_eq!((found.slope, found.intercept, found.r_squared, found.points), (2.0, -1.0, Some(1.0), 3));
        assert_eq!(found.margin, Some(0.0));
        // Logarithms 0, 2, 1: slope ½, R² = 1² / (2 · 2).
        let found = growth(&[(0.0, 1.0), (1.0, 4.0), (2.0, 2.0), (3.0, 0.0), (4.0, f64::INFINITY)]).unwrap();
        assert_eq!((found.slope, found.intercept, found.r_squared, found.points), (0.5, 0.5, Some(0.25), 3));
        // The deviations are -½, 1 and -½, so the standard error is √(3/2 / 2); t = tan(0.475 π) with one degree of
        // freedom.
        let margin = (0.475 * std::f64::consts::PI).tan() * 0.75f64.sqrt();
        assert!((found.margin.unwrap() / margin - 1.0).abs() < 1e-9, "{found:?}");
        assert_eq!(growth(&[(1.0, 2.0), (2.0, 8.0)]).unwrap().margin, None);
        // Logarithms 0, 2, 1, 3: the sum of (x − 3/2)² is 5, the slope 4/5, and the line 0.3, 1.1, 1.9, 2.7. The
        // deviations are ∓0.3 and ±0.9, so their squares sum to 1.8. With two degrees of freedom, the standard error is
        // √(1.8 / 2 / 5), and the quantile t of p is (2p − 1) √(2 / (1 − (2p − 1)²)).
        let found = growth(&[(0.0, 1.0), (1.0, 4.0), (2.0, 2.0), (3.0, 8.0)]).unwrap();
        let margin = 0.95 * (2.0_f64 / (1.0 - 0.95 * 0.95)).sqrt() * 0.18_f64.sqrt();
        assert!((found.margin.unwrap() / margin - 1.0).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn points_without_a_line() {
        assert_eq!(growth(&[]), None);
        assert_eq!(growth(&[(1.0, 2.0)]), None);
        assert_eq!(growth(&[(0.1, 2.0), (0.1, 4.0), (0.1, 5.0)]), None);
        let flat = growth(&[(1.0, 0.1), (2.0, 0.1), (3.0, 0.1)]).unwrap();
        assert_eq!((flat.slope, flat.r_squared), (0.0, None));
    }
}
