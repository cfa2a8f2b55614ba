//! Wilcoxon's signed-rank test for paired differences.
//!
//! # References
//! F. Wilcoxon: *Individual comparisons by ranking methods*, Biometrics Bulletin 1 (1945). Exact distribution with
//! ties by shifts: B. Streitberg, J. Röhmel, Computational Statistics Quarterly 1 (1984).

use crate::tails;

/// The maximum n for which the null distribution is computed exactly. Its counts sum to 2ⁿ, so `f64` represents them
/// exactly for n ≤ 53. For n > 50, the normal distribution is a close approximation.
const MAX_EXACT: usize = 50;

/// How a p-value was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Exactly, over all 2ⁿ sign vectors of the observed ranks, including ties.
    Exact,
    /// By the normal approximation, with the variance corrected for ties and without continuity correction (SciPy's
    /// default, `correction=False`).
    Normal,
}

/// The result of [`wilcoxon()`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wilcoxon {
    /// Number of differences that are not zero.
    pub n: usize,
    /// Number of differences that are zero.
    pub zeros: usize,
    /// The sum of the ranks of the positive differences.
    pub w_plus: f64,
    /// The sum of the ranks of the negative differences.
    pub w_minus: f64,
    /// The two-sided p-value; 1 if n = 0.
    pub p: f64,
    /// How the p-value was computed.
    pub method: Method,
}

/// Tests whether differences, one per instance, are symmetric about zero.
///
/// Zeros are dropped, as in Wilcoxon's paper. Differences with equal absolute values share the mean of their
/// ranks. Absolute values tie only if they are the same number, so round the differences first if close
/// values should tie. Infinite differences have the largest ranks. No difference may be NaN. The smallest
/// possible p-value of n differences is 2¹⁻ⁿ, so five differences never reach 0.05.
pub fn wilcoxon(differences: &[f64]) -> Wilcoxon {
    debug_assert!(differences.iter().all(|d| !d.is_nan()), "a difference is NaN");
    let mut sizes: Vec<f64> = differences.iter().copied().filter(|d| *d != 0.0).collect();
    sizes.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    let n = sizes.len();
    let zeros = differences.len() - n;

    // Twice the mean rank is an integer: for the indices i to j - 1 (from 0) in ascending order, it is (i + 1) + j.
    let (mut doubled, mut plus, mut ties) = (Vec::with_capacity(n), 0_usize, 0.0);
    for group in sizes.chunk_by(|a, b| a.abs() == b.abs()) {
        let rank = 2 * doubled.len() + group.len() + 1;
        plus += rank * group.iter().filter(|d| **d > 0.0).count();
        doubled.extend(group.iter().map(|_| rank));
        let t = group.len() as f64;
        ties += t * t * t - t;
    }
    let minus = n * (n + 1) - plus;
    let (method, p) = if n <= MAX_EXACT {
        (Method::Exact, exact(&doubled, plus.min(minus)))
    } else {
        (Method::Normal, approximate(n, ties, plus as f64 / 2.0))
    };
    Wilcoxon { n, zeros, w_plus: plus as f64 / 2.0, w_minus: minus as f64 / 2.0, p, method }
}

/// Twice the proportion of sign vectors whose positive signs have doubled ranks with a sum of at most
/// `lower`. The factor covers the other tail, because inverting all signs reflects the distribution.
/// O(n · lower).
fn exact(doubled: &[usize], lower: usize) -> f64 {
    let mut counts = vec![0.0_f64; lower + 1];
    counts[0] = 1.0;
    for &rank in doubled {
        for sum in (rank..=lower).rev() {
            counts[sum] += counts[sum - rank];
        }
    }
    let all = 2.0_f64.powi(doubled.len() as i32);
    (2.0 * counts.iter().sum::<f64>() / all).min(1.0)
}

fn approximate(n: usize, ties: f64, w_plus: f64) -> f64 {
    let n = n as f64;
    let mean = n * (n + 1.0) / 4.0;
    let variance = (n * (n + 1.0) * (2.0 * n + 1.0) - ties / 2.0) / 24.0;
    (2.0 * tails::normal(-((w_plus - mean) / variance.sqrt()).abs())).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chacha20::{ChaCha8Rng, rand_core::SeedableRng};
    use rand::RngExt;

    #[test]
    fn by_hand() {
        // The ranks are 1, 2.5, 2.5, 4. The sums of at most 2.5 are 0, 1, 2.5, 2.5, so p = 2 · 4 / 16.
        let found = wilcoxon(&[-2.0, 1.0, 0.0, 2.0, 5.0]);
        let (n, zeros, w_plus, w_minus) = (4, 1, 7.5, 2.5);
        assert_eq!(found, Wilcoxon { n, zeros, w_plus, w_minus, p: 0.5, method: Method::Exact });
        assert_eq!(wilcoxon(&[3.0]).p, 1.0);
        assert_eq!(wilcoxon(&[1.0, 2.0, 3.0, 4.0, 5.0]).p, 0.0625);
        assert_eq!(wilcoxon(&[f64::INFINITY, f64::INFINITY, -1.0]).w_minus, 1.0);
        let none = wilcoxon(&[0.0, -0.0]);
        assert_eq!((none.n, none.zeros, none.p), (0, 2, 1.0));
    }

    #[test]
    fn the_exact_p_value_is_a_count_of_sign_vectors() {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        for n in 1..=12_usize {
            for spread in [2, 4, 1000] {
                let mut draw =
                    || f64::from(random.random_range(1..=spread) * [1, -1][random.random_range(0..2)]);
                let differences: Vec<f64> = (0..n).map(|_| draw()).collect();
                let found = wilcoxon(&differences);
                // Mean ranks by their definition.
                let ranks = differences.iter().map(|d| {
                    let below = differences.iter().filter(|e| e.abs() < d.abs()).count() as f64;
                    let equal = differences.iter().filter(|e| e.abs() == d.abs()).count() as f64;
                    below + (equal + 1.0) / 2.0
                });
                let ranks: Vec<f64> = ranks.collect();
                let least = found.w_plus.min(found.w_minus);
                let as_far = (0..1_u32 << n).filter(|signs| {
                    let sum: f64 = (0..n).filter(|i| signs >> i & 1 == 1).map(|i| ranks[i]).sum();
                    sum <= least
                });
                let p = 2.0 * as_far.count() as f64 / f64::from(1_u32 << n);
                assert_eq!(found.p, p.min(1.0), "{differences:?}");
            }
        }
    }

    #[test]
    fn the_two_methods_agree_at_the_threshold() {
        let differences = |n: usize| -> Vec<f64> {
            (0..n)
                .map(|i| (i % 7) as f64 + 1.0)
                .enumerate()
                .map(|(i, d)| if i % 3 == 0 { -d } else { d })
                .collect()
        };
        let (exact, normal) = (wilcoxon(&differences(50)), wilcoxon(&differences(51)));
        assert_eq!((exact.method, normal.method), (Method::Exact, Method::Normal));
        assert!((exact.p - normal.p).abs() < 0.01, "{} {}", exact.p, normal.p);
    }

    #[test]
    fn exchanging_the_engines_does_not_change_p() {
        for n in [3, 20, 90] {
            let ahead: Vec<f64> = (0..n).map(|i| f64::from(i * 31 % 17) - 5.0).collect();
            let back: Vec<f64> = ahead.iter().map(|d| -d).collect();
            let (a, b) = (wilcoxon(&ahead), wilcoxon(&back));
            assert_eq!((a.p, a.w_plus, a.w_minus), (b.p, b.w_minus, b.w_plus));
        }
    }
}
