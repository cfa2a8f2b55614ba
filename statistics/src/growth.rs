//! Exponential growth of times with the size of the instance.

use crate::tails::student_quantile;

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

#[cfg(test)]
mod tests {
    use super::*;

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
