//! The exact sign test, its power, and an exact interval for a share.
//!
//! # References
//! W. J. Conover: *Practical Nonparametric Statistics*, 3rd edition (1999), 3.4. C. J. Clopper, E. S. Pearson: *The use
//! of confidence or fiducial limits*, Biometrika 26 (1934).

use crate::tails;
use statrs::function::factorial::ln_binomial;

/// The maximum number of pairs that [`needed`] considers.
pub const MAX_PAIRS: usize = 10_000;

/// A p-value that exceeds the level by at most this proportion exceeds it only by rounding.
const ROUNDING: f64 = 1e-9;

/// The one-sided p-value of the sign test: the probability that at least `wins` of `wins + losses` tosses of a fair
/// coin are heads. It is 1 if there are no pairs.
pub fn sign_test(wins: usize, losses: usize) -> f64 {
    tails::coin(wins + losses, losses)
}

/// The number of pairs for which the sign test at level `level` has at least the power `power`, if each pair is a win
/// with probability `share`, independently.
///
/// The distribution is discrete, so the power is not monotone in the number of pairs. The result is the least n such
/// that the power is reached by n and by every number from n to [`MAX_PAIRS`]. `None` if there is no such n, or if an
/// argument is not between 0 and 1. A `share` of 1 is allowed. All probabilities are exact up to rounding. Linear in
/// [`MAX_PAIRS`].
pub fn needed(share: f64, power: f64, level: f64) -> Option<usize> {
    let inside = |p: f64| p > 0.0 && p < 1.0;
    if !(inside(power) && inside(level) && (inside(share) || share == 1.0)) {
        return None;
    }
    let exact = |n: usize, wins: usize, p: f64| -> f64 {
        let term = |i: usize| pmf(n, i, p);
        (wins..=n).rev().map(term).sum()
    };
    // For n pairs, the test rejects if at least `critical` of them are wins. With one more pair, this number stays or
    // grows by one. `null` and `reached` are the probabilities of that many wins for a coin and for `share`.
    let (mut critical, mut null, mut reached) = (1, 0.0, 0.0);
    let mut least = None;
    for n in 1..=MAX_PAIRS {
        null += 0.5 * pmf(n - 1, critical - 1, 0.5);
        reached += share * pmf(n - 1, critical - 1, share);
        if null > level * (1.0 + ROUNDING) {
            null -= pmf(n, critical, 0.5);
            reached -= pmf(n, critical, share);
            critical += 1;
        }
        // Sums of many terms collect rounding errors, so they are computed anew from time to time.
        if n.is_multiple_of(256) {
            (null, reached) = (exact(n, critical, 0.5), exact(n, critical, share));
        }
        match reached + ROUNDING >= power {
            true if critical <= n => least = least.or(Some(n)),
            _ => least = None,
        }
    }
    least
}

/// The probability of `wins` wins in `n` pairs.
fn pmf(n: usize, wins: usize, p: f64) -> f64 {
    let (lost, log) =
        (n.saturating_sub(wins), |k: usize, p: f64| if k == 0 { 0.0 } else { k as f64 * p.ln() });
    if wins > n {
        return 0.0;
    }
    (ln_binomial(n as u64, wins as u64) + log(wins, p) + log(lost, 1.0 - p)).exp()
}

/// The exact interval of Clopper and Pearson for a share, of which `hits` of `n` independent trials are a sample. Its
/// coverage is at least `level`. `None` if there are no trials, if there are more hits than trials, or if the level is
/// not between 0 and 1.
pub fn share_interval(hits: usize, n: usize, level: f64) -> Option<(f64, f64)> {
    if n == 0 || hits > n || !(level > 0.0 && level < 1.0) {
        return None;
    }
    let tail = (1.0 - level) / 2.0;
    // The share for which at least `k` hits have the probability `tail`; bisected until the ends are adjacent numbers.
    let share_of = |k: usize| {
        let at_least = |p: f64| (k..=n).rev().map(|i| pmf(n, i, p)).sum::<f64>();
        let (mut low, mut high) = (0.0, 1.0);
        loop {
            let middle = (low + high) / 2.0;
            if middle <= low || middle >= high {
                return middle;
            }
            if at_least(middle) < tail { low = middle } else { high = middle }
        }
    };
    let low = if hits == 0 { 0.0 } else { share_of(hits) };
    let misses = n - hits;
    // By symmetry, the upper end is one minus the lower end of the share of misses.
    let upper = if misses == 0 { 1.0 } else { 1.0 - share_of(misses) };
    Some((low, upper))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p_values_are_fractions() {
        assert_eq!(sign_test(0, 0), 1.0);
        let close = |found: f64, exact: f64| assert!((found / exact - 1.0).abs() < 1e-12, "{found} {exact}");
        close(sign_test(5, 0), 1.0 / 32.0);
        close(sign_test(8, 2), 56.0 / 1024.0);
        close(sign_test(2, 8), 1013.0 / 1024.0);
        // scipy.stats.binomtest(60, 90, alternative="greater").pvalue, SciPy 1.17.1
        close(sign_test(60, 30), 0.001_030_132_840_481_537_2);
    }

    /// The power at n pairs by plain sums.
    fn power(n: usize, share: f64, level: f64) -> f64 {
        let critical = (0..=n).find(|&wins| sign_test(wins, n - wins) <= level * (1.0 + ROUNDING));
        critical.map_or(0.0, |critical| (critical..=n).map(|wins| pmf(n, wins, share)).sum())
    }

    #[test]
    fn enough_pairs_for_the_power() {
        // If every pair is a win, n pairs reject at level 2⁻ⁿ.
        assert_eq!(needed(1.0, 0.9, 1.0 / 32.0), Some(5));
        assert_eq!(needed(1.0, 0.9, 0.031), Some(6));
        // Computed with scipy.stats.binom (SciPy 1.17.1): the least n from which on the power holds up to 10,000.
        for (share, power, level, pairs) in [
            (0.75, 0.9, 0.05, 35),
            (0.75, 0.9, 0.05 / 12.0, 62),
            (0.6, 0.8, 0.05, 169),
            (0.9, 0.95, 0.01, 22),
            (0.55, 0.9, 0.05 / 12.0, 1564),
            (0.66, 0.9, 0.001, 190),
        ] {
            assert_eq!(needed(share, power, level), Some(pairs), "{share} {power} {level}");
        }
        // A coin never reaches a power above the level.
        assert_eq!(needed(0.5, 0.9, 0.05), None);
        assert_eq!((needed(0.0, 0.9, 0.05), needed(0.7, 1.0, 0.05)), (None, None));
        assert_eq!((needed(f64::NAN, 0.9, 0.05), needed(0.7, 0.0, 0.05)), (None, None));
        // With fewer than five pairs, the test never rejects: the power is 0, and not only small.
        assert_eq!(needed(0.7, 1e-10, 0.05), Some(5));
        // One win has the p-value ½, which exceeds this level by the proportion that rounding may have.
        assert_eq!(needed(1.0, 0.9, 0.5 / (1.0 + ROUNDING)), Some(1));
        assert_eq!(needed(1.0, 0.9, 0.5 / (1.0 + 2.0 * ROUNDING)), Some(2));
    }

    #[test]
    fn a_power_that_is_just_reached_is_enough() {
        // From 35 pairs on, the power is at least 0.9. The smallest of these powers is reached by all of them.
        let smallest = (35..335).map(|n| power(n, 0.75, 0.05)).fold(1.0, f64::min);
        assert!(smallest > 0.9 && power(34, 0.75, 0.05) < 0.9);
        assert_eq!(needed(0.75, smallest, 0.05), Some(35));
    }

    #[test]
    fn the_power_holds_from_the_needed_number_on() {
        for (share, wanted, level) in [(0.75, 0.9, 0.05), (0.8, 0.8, 0.01), (0.9, 0.95, 0.05 / 12.0)] {
            let least = needed(share, wanted, level).unwrap();
            assert!(power(least - 1, share, level) < wanted, "{share}: {least}");
            assert!((least..least + 300).all(|n| power(n, share, level) >= wanted), "{share}: {least}");
        }
        // The power is not monotone: a smaller number reaches it, but a later one does not.
        let least = needed(0.75, 0.9, 0.05).unwrap();
        assert!((1..least - 1).any(|n| power(n, 0.75, 0.05) >= 0.9));
    }

    #[test]
    fn intervals_of_a_share() {
        // scipy.stats.binomtest(hits, n).proportion_ci(0.95, "exact"), SciPy 1.17.1
        for (hits, n, low, high) in [
            (0, 10, 0.0, 0.308_497_107_818_762_94),
            (3, 10, 0.066_739_511_177_734_47, 0.652_452_850_060_008),
            (10, 10, 0.691_502_892_181_237_1, 1.0),
            (28, 28, 0.876_563_881_499_730_6, 1.0),
            (40, 200, 0.146_894_488_215_744_52, 0.262_226_364_589_600_2),
        ] {
            let found = share_interval(hits, n, 0.95).unwrap();
            assert!((found.0 - low).abs() < 1e-9 && (found.1 - high).abs() < 1e-9, "{hits}/{n}: {found:?}");
        }
        assert_eq!((share_interval(0, 0, 0.95), share_interval(3, 2, 0.95)), (None, None));
        assert!([-0.5, 0.0, 1.0, 1.5, f64::NAN].iter().all(|&level| share_interval(3, 10, level).is_none()));
    }
}
