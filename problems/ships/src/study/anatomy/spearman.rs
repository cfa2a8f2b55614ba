//! Spearman's rank correlation coefficient.

/// Spearman's coefficient: Pearson's coefficient of the ranks. Equal values share the mean of their ranks. `None` if
/// one list is constant or the lengths differ. O(n log n).
///
/// # References
/// C. Spearman: *The proof and measurement of association between two things*, American Journal of Psychology 15
/// (1904).
pub(super) fn spearman(a: &[f64], b: &[f64]) -> Option<f64> {
    if a.len() != b.len() {
        return None;
    }
    // The mean of the ranks 1 to n. Shared ranks do not change it.
    let mean = (a.len() as f64 + 1.0) / 2.0;
    let from_mean = |values| ranks(values).into_iter().map(|rank| rank - mean).collect::<Vec<_>>();
    let (a, b) = (from_mean(a), from_mean(b));
    let product = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    let scale = (product(&a, &a) * product(&b, &b)).sqrt();
    (scale > 0.0).then(|| product(&a, &b) / scale)
}

/// The rank of each value, from 1.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&i, &j| values[i].total_cmp(&values[j]));
    let mut ranks = vec![0.0; values.len()];
    let mut below = 0;
    for equal in order.chunk_by(|&i, &j| values[i] == values[j]) {
        let rank = below as f64 + (equal.len() as f64 + 1.0) / 2.0;
        equal.iter().for_each(|&i| ranks[i] = rank);
        below += equal.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        assert_eq!(ranks(&[5.0, 1.0, 5.0, 7.0]), [2.5, 1.0, 2.5, 4.0]);
        assert_eq!(spearman(&[1.0, 2.0, 3.0], &[10.0, 100.0, 1000.0]), Some(1.0));
        assert_eq!(spearman(&[1.0, 2.0, 3.0], &[3.0, 2.0, -1.0]), Some(-1.0));
        // Without ties, the coefficient is 1 − 6 Σ d² / (n³ − n). Here d = 1, 1, 1, 1, so it is 1 − 24 / 60.
        let close = |found: Option<f64>, value: f64| (found.unwrap() - value).abs() < 1e-12;
        assert!(close(spearman(&[1.0, 2.0, 3.0, 4.0], &[2.0, 1.0, 4.0, 3.0]), 0.6));
        // The ranks are 1.5, 1.5, 3 and 1, 2, 3, so the coefficient is 1.5 / √(1.5 · 2).
        assert!(close(spearman(&[4.0, 4.0, 9.0], &[1.0, 2.0, 3.0]), 0.75_f64.sqrt()));
        assert_eq!(spearman(&[1.0, 1.0], &[1.0, 2.0]), None);
        assert_eq!(spearman(&[1.0], &[1.0]), None);
        assert_eq!(spearman(&[], &[]), None);
        assert_eq!(spearman(&[1.0, 2.0], &[1.0]), None);
    }
}
