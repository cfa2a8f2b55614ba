//! Tails of the binomial distribution with p = ½, of the normal distribution and of Student's distributions.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};
use statrs::function::factorial::ln_binomial;
use std::f64::consts::LN_2;

/// P(X ≤ k), where X is the number of heads in n tosses of a fair coin.
pub(super) fn coin(n: usize, k: usize) -> f64 {
    coins(n).nth(k.min(n)).unwrap_or(1.0)
}

/// [`coin`] for k = 0, 1, …, n.
pub(super) fn coins(n: usize) -> impl Iterator<Item = f64> {
    let n = n as u64;
    let term = move |i: u64| (ln_binomial(n, i) - n as f64 * LN_2).exp();
    (0..=n).map(term).scan(0.0, |sum, term| {
        *sum += term;
        Some(f64::min(*sum, 1.0))
    })
}

/// P(Z ≤ z), where Z is standard normal.
pub(super) fn normal(z: f64) -> f64 {
    Normal::standard().cdf(z)
}

/// The z with P(Z ≤ z) = p, which is infinite for p = 0 and p = 1; `None` if p is not a probability.
pub(super) fn normal_quantile(p: f64) -> Option<f64> {
    (0.0..=1.0).contains(&p).then(|| Normal::standard().inverse_cdf(p))
}

/// The t with P(T ≤ t) = p, where T has Student's distribution; `None` without a degree of freedom, or if p is not a
/// probability.
pub(super) fn student_quantile(p: f64, freedom: usize) -> Option<f64> {
    let student = StudentsT::new(0.0, 1.0, freedom as f64).ok()?;
    (0.0..=1.0).contains(&p).then(|| student.inverse_cdf(p))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_coin_is_fair() {
        assert_eq!(coin(0, 0), 1.0);
        assert!((coin(1, 0) - 0.5).abs() < 1e-15);
        assert!((coin(5, 1) - 6.0 / 32.0).abs() < 1e-15);
        for n in [7, 100, 3001] {
            // Pascal's rule: the last toss is heads or tails.
            let k = n / 3;
            let pascal = (coin(n - 1, k) + coin(n - 1, k - 1)) / 2.0;
            assert!((coin(n, k) / pascal - 1.0).abs() < 1e-10);
            assert!((coin(n, n) - 1.0).abs() < 1e-10);
        }
    }

    #[test]
    fn the_quantile_inverts_the_tail() {
        for p in [1e-9, 0.001, 0.025, 0.3, 0.5, 0.9, 0.999] {
            let back = normal(normal_quantile(p).unwrap());
            assert!((back / p - 1.0).abs() < 1e-10, "{p} {back:e}");
        }
        assert_eq!(normal_quantile(0.0), Some(f64::NEG_INFINITY));
        assert_eq!((normal_quantile(1.5), normal_quantile(f64::NAN)), (None, None));
    }

    #[test]
    fn students_quantiles_are_those_of_the_tables() {
        for (freedom, t) in [(1, 12.7062), (2, 4.3027), (5, 2.5706), (30, 2.0423)] {
            assert!((student_quantile(0.975, freedom).unwrap() - t).abs() < 1e-4, "{freedom}");
        }
        assert_eq!((student_quantile(0.975, 0), student_quantile(2.0, 3)), (None, None));
    }
}
