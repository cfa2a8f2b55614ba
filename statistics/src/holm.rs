//! Holm's correction for multiple tests.

/// Adjusts p-values and returns them in the given order: the i-th smallest of m p-values becomes the maximum of
/// (m − j + 1) pⱼ over j ≤ i, at most 1. Rejecting all hypotheses whose adjusted p-value is at most α has a family-wise
/// error rate of at most α, under any dependence of the tests.
///
/// # References
/// S. Holm: *A simple sequentially rejective multiple test procedure*, Scandinavian Journal of Statistics 6
/// (1979).
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut adjusted = vec![0.0; p.len()];
    let mut greatest = 0.0_f64;
    for (i, &at) in order.iter().enumerate() {
        greatest = greatest.max((p.len() - i) as f64 * p[at]).min(1.0);
        adjusted[at] = greatest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        assert_eq!(holm(&[0.25, 0.0625, 0.125]), [0.25, 0.1875, 0.25]);
        assert_eq!(holm(&[0.5, 0.75]), [1.0, 1.0]);
        assert_eq!(holm(&[0.03125]), [0.03125]);
        assert!(holm(&[]).is_empty());
    }

    #[test]
    fn adjusted_values_keep_the_order_and_are_not_smaller() {
        let p: Vec<f64> = (0..40).map(|i| f64::from(i * 17 % 23) / 200.0).collect();
        let adjusted = holm(&p);
        for i in 0..p.len() {
            assert!(adjusted[i] >= p[i] && adjusted[i] <= 1.0);
            for j in 0..p.len() {
                assert!(p[i] > p[j] || adjusted[i] <= adjusted[j]);
            }
        }
    }
}
