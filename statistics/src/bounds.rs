//! Numbers of which only bounds are known, such as the times of runs that ended at a limit, and their ratios.

use crate::order::{ascending, median, median_interval};

/// What is known about a number that is not negative: it lies between two bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The least possible value.
    pub low: f64,
    /// The greatest possible value; infinite if there is no bound.
    pub high: f64,
}

/// A confidence interval for a median of numbers of which only bounds are known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundsInterval {
    /// The interval.
    pub bounds: Bounds,
    /// The probability that such an interval contains the median, as in [`MedianInterval`](crate::MedianInterval).
    pub coverage: f64,
}

impl Bounds {
    /// A known number.
    pub fn exact(value: f64) -> Self {
        Bounds { low: value, high: value }
    }

    /// A number that is at least `value`, such as the time of a run that ended at a limit after this time.
    pub fn at_least(value: f64) -> Self {
        Bounds { low: value, high: f64::INFINITY }
    }

    /// Whether the number is known.
    pub fn is_exact(self) -> bool {
        self.low == self.high
    }

    /// The number divided by another one. Two zeros have the ratio 1, because they are equal; any other number divided
    /// by zero is infinite. If neither number has an upper bound, nothing is known about the ratio.
    #[must_use]
    pub fn over(self, other: Bounds) -> Bounds {
        let divided = |a: f64, b: f64| match (a, b) {
            (0.0, 0.0) => 1.0,
            _ => a / b,
        };
        if self.is_exact() && other.is_exact() {
            return Bounds::exact(divided(self.low, other.low));
        }
        // Zero over a range that begins at zero can be 0 as well as 1, so each bound is the extreme one.
        let low = if other.high.is_infinite() || self.low == 0.0 { 0.0 } else { self.low / other.high };
        let high =
            if self.high.is_infinite() || other.low == 0.0 { f64::INFINITY } else { self.high / other.low };
        Bounds { low, high }
    }
}

/// The bounds of the median: the median of the lower bounds and that of the upper ones. `None` if there are no numbers.
pub fn median_bounds(numbers: &[Bounds]) -> Option<Bounds> {
    let (low, high) = ends(numbers);
    Some(Bounds { low: median(&low)?, high: median(&high)? })
}

/// A confidence interval for the median, from the k-th smallest lower bound to the k-th largest upper bound, with k as
/// for [`median_interval`]. Whatever the numbers are, their k-th smallest and k-th largest lie in this interval, so its
/// coverage is at least that of the interval of known numbers. `None` if there are no numbers.
pub fn bounds_interval(numbers: &[Bounds], level: f64) -> Option<BoundsInterval> {
    let (low, high) = ends(numbers);
    let (low, high) = (median_interval(&low, level)?, median_interval(&high, level)?);
    Some(BoundsInterval { bounds: Bounds { low: low.low, high: high.high }, coverage: low.coverage })
}

/// The lower and the upper bounds, each ascending.
fn ends(numbers: &[Bounds]) -> (Vec<f64>, Vec<f64>) {
    (ascending(numbers.iter().map(|one| one.low)), ascending(numbers.iter().map(|one| one.high)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_of_bounds() {
        let (exact, least) = (Bounds::exact, Bounds::at_least);
        assert_eq!(exact(6.0).over(exact(2.0)), exact(3.0));
        assert_eq!(least(6.0).over(exact(2.0)), least(3.0));
        assert_eq!(exact(6.0).over(least(2.0)), Bounds { low: 0.0, high: 3.0 });
        assert_eq!(least(6.0).over(least(2.0)), least(0.0));
        assert_eq!(
            (exact(0.0).over(exact(0.0)), exact(3.0).over(exact(0.0))),
            (exact(1.0), exact(f64::INFINITY))
        );
        assert_eq!(exact(0.0).over(least(2.0)), exact(0.0));
        assert_eq!(exact(5.0).over(least(0.0)), least(0.0));
        assert_eq!(least(0.0).over(exact(4.0)), least(0.0));
        assert_eq!((least(0.0).over(exact(0.0)), exact(0.0).over(least(0.0))), (least(0.0), least(0.0)));
    }

    #[test]
    fn medians_between_bounds() {
        let found = median_bounds(&[Bounds::exact(2.0), Bounds::at_least(5.0), Bounds::exact(3.0)]);
        assert_eq!(found, Some(Bounds::exact(3.0)));
        let found = median_bounds(&[Bounds::exact(2.0), Bounds::at_least(4.0)]);
        assert_eq!(found, Some(Bounds::at_least(3.0)));
        // The unknown one is below or above the others.
        let found = median_bounds(&[Bounds::exact(2.0), Bounds::at_least(0.0), Bounds::exact(3.0)]);
        assert_eq!(found, Some(Bounds { low: 2.0, high: 3.0 }));
        assert_eq!(median_bounds(&[]), None);
    }

    #[test]
    fn intervals_hold_whatever_the_unknown_numbers_are() {
        // Nine numbers: the interval of known ones is from the 2nd to the 8th, with the coverage 1 − 2 · 10 / 512.
        let known: Vec<Bounds> = (1..=9).map(|i| Bounds::exact(f64::from(i))).collect();
        let found = bounds_interval(&known, 0.95).unwrap();
        assert_eq!(found.bounds, Bounds { low: 2.0, high: 8.0 });
        assert!((found.coverage - (1.0 - 20.0 / 512.0)).abs() < 1e-12);
        let mut partly = known.clone();
        (partly[4], partly[7]) = (Bounds::at_least(0.0), Bounds::at_least(8.0));
        let worst = bounds_interval(&partly, 0.95).unwrap();
        assert_eq!(
            (worst.bounds, worst.coverage),
            (Bounds { low: 1.0, high: f64::INFINITY }, found.coverage)
        );
        for unknown in [0.0, 4.5, 100.0] {
            (partly[4], partly[7]) = (Bounds::exact(unknown), Bounds::exact(8.0));
            let one = bounds_interval(&partly, 0.95).unwrap().bounds;
            assert!(worst.bounds.low <= one.low && one.high <= worst.bounds.high, "{unknown}");
        }
        assert_eq!(bounds_interval(&[], 0.95), None);
    }
}
