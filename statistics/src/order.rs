//! Quantiles and medians of small or censored samples.

use crate::score::Score;
use crate::tails;

/// Sorts values in ascending order; NaN comes last.
pub fn ascending(values: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_unstable_by(f64::total_cmp);
    values
}

/// The p-quantile of ascending values, by linear interpolation between order statistics: type 7 of R. J. Hyndman, Y.
/// Fan: *Sample quantiles in statistical packages* (1996), the default of R and NumPy. `None` if there are no values or
/// p is outside 0 … 1.
pub fn quantile(ascending: &[f64], p: f64) -> Option<f64> {
    if !(0.0..=1.0).contains(&p) {
        return None;
    }
    let place = ascending.len().checked_sub(1)? as f64 * p;
    let below = ascending.get(place.floor() as usize)?;
    let above = ascending.get(place.ceil() as usize)?;
    // Arithmetic with infinite values may give NaN, as in ∞ − ∞. So it is avoided where the result is known without it.
    Some(if below == above || below.is_infinite() { *below } else { below + place.fract() * (above - below) })
}

/// The median of ascending values. For an even number of values, it is the mean of the two in the middle. `None` if
/// there are no values.
///
/// All medians of the workbench are computed by this function or by [`censored_median`].
pub fn median(ascending: &[f64]) -> Option<f64> {
    quantile(ascending, 0.5)
}

/// The [`median`] of ascending values. Infinity stands for a value that is only known to exceed a limit. `None` unless
/// more than half are finite: for an even number of values, both middle values must be known.
pub fn censored_median(ascending: &[f64]) -> Option<f64> {
    median(ascending).filter(|median| median.is_finite())
}

/// The [`censored_median`] of times in seconds: an unsolved run takes longer than any solved one.
pub fn median_time(scores: impl IntoIterator<Item = Score>) -> Option<f64> {
    let time = |score: Score| if score.solved { score.time_s } else { f64::INFINITY };
    censored_median(&ascending(scores.into_iter().map(time)))
}

/// An interval for the median between two order statistics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MedianInterval {
    /// The k-th smallest value.
    pub low: f64,
    /// The k-th largest value.
    pub high: f64,
    /// The probability that such an interval contains the median, for any continuous distribution: 1 − 2 P(B < k) for a
    /// binomial B with parameters n and ½. If values may be equal, the probability is at least this.
    pub coverage: f64,
}

/// The shortest interval from the k-th smallest to the k-th largest value with a coverage of at least `level`. If there
/// is none (at level 0.95, with fewer than 6 values), the result is the range of all values with its own coverage,
/// which is 0 for a single value. `None` if there are no values.
///
/// # References
/// H. A. David, H. N. Nagaraja: *Order Statistics*, 3rd edition, 7.1.
pub fn median_interval(ascending: &[f64], level: f64) -> Option<MedianInterval> {
    let n = ascending.len();
    // The coverage if `out` values are cut off at each end. A coverage that misses the level only by rounding is
    // enough.
    let coverage = |out: usize| (1.0 - 2.0 * tails::coin(n, out)).max(0.0);
    let enough = |tail: &(usize, f64)| (1.0 - 2.0 * tail.1).max(0.0) + 1e-12 >= level;
    let tails = (0..n.div_ceil(2)).zip(tails::coins(n)).skip(1);
    let out = tails.take_while(enough).last().map_or(0, |(out, _)| out);
    let (low, high) = (*ascending.get(out)?, *ascending.get(n.checked_sub(out + 1)?)?);
    Some(MedianInterval { low, high, coverage: coverage(out) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_by_hand() {
        assert_eq!(quantile(&[1.0, 2.0, 4.0, 8.0], 0.25), Some(1.75));
        assert_eq!(quantile(&[1.0, 2.0, 4.0, 8.0], 1.0), Some(8.0));
        assert_eq!(quantile(&[3.0], 0.9), Some(3.0));
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(quantile(&[1.0], 1.1), None);
        assert_eq!(quantile(&[1.0], f64::NAN), None);
        assert_eq!(median(&[1.0, 5.0]), Some(3.0));
        let far = f64::INFINITY;
        assert_eq!(quantile(&[1.0, far, far], 0.75), Some(far));
        assert_eq!(quantile(&[1.0, far], 0.0), Some(1.0));
    }

    #[test]
    fn a_median_needs_more_than_half_solved() {
        let done = |time_s| Score { solved: true, time_s, limit_s: 9.0 };
        let open = Score { solved: false, time_s: 0.5, limit_s: 9.0 };
        assert_eq!(median_time([done(2.0), open, done(1.0)]), Some(2.0));
        assert_eq!(median_time([done(2.0), open]), None);
        assert_eq!(median_time([done(2.0), done(4.0), open, done(1.0)]), Some(3.0));
        // Two of four are solved: the upper middle value is beyond the limit, so the mean of the middle values is
        // unknown.
        assert_eq!(median_time([done(2.0), open, open, done(1.0)]), None);
        assert_eq!(median_time([open]), None);
        assert_eq!(median_time([]), None);
    }

    #[test]
    fn intervals_have_their_coverage() {
        let values = |n: u32| (1..=n).map(f64::from).collect::<Vec<_>>();
        let found = |n, level| median_interval(&values(n), level).map(|i| (i.low, i.high));
        let coverage = |n, level| median_interval(&values(n), level).unwrap().coverage;
        assert_eq!(found(0, 0.95), None);
        assert_eq!((found(1, 0.95), coverage(1, 0.95)), (Some((1.0, 1.0)), 0.0));
        assert_eq!(found(5, 0.95), Some((1.0, 5.0)));
        assert!((coverage(5, 0.95) - 0.9375).abs() < 1e-12);
        assert_eq!(found(6, 0.95), Some((1.0, 6.0)));
        // As in published tables: 2nd of 9, 6th of 20, 40th of 100.
        assert_eq!(found(9, 0.95), Some((2.0, 8.0)));
        assert_eq!(found(20, 0.95), Some((6.0, 15.0)));
        assert_eq!(found(100, 0.95), Some((40.0, 61.0)));
        // A level that is exactly reached counts: if k are cut off, 1 − 2 (C(n, 0) + … + C(n, k)) / 2ⁿ.
        for n in 3..50_u32 {
            let (mut term, mut sum) = (1_u64, 1_u64);
            for k in 1..n.div_ceil(2) {
                term = term * u64::from(n - k + 1) / u64::from(k);
                sum += term;
                let level = 1.0 - sum as f64 / 2.0_f64.powi(n as i32 - 1);
                assert_eq!(found(n, level), Some((f64::from(k + 1), f64::from(n - k))));
            }
        }
        assert_eq!(found(7, 0.0), Some((4.0, 4.0)));
        assert_eq!(found(8, 0.0), Some((4.0, 5.0)));
    }
}
