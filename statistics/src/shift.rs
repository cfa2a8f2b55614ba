//! Tests whether the values of a group are shifted. Only values of the same stratum are compared.
//!
//! # References
//! P. van Elteren: *On the combination of independent two-sample tests of Wilcoxon*, Bulletin of the
//! International Statistical Institute 37 (1960): ranks within strata, where the weight of a stratum is one
//! over its size plus one, that is, 1/(n+1) for n values. The variance is that of the permutations within
//! strata, so ties need no correction.

use crate::tails;

/// The result of [`shifts`] for a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shift {
    /// The number of its values in strata that also have values of other groups and in which not all scores
    /// are equal.
    pub n: usize,
    /// The sum of its scores in these strata, divided by its standard deviation under random exchange within strata.
    /// Positive if its scores are higher than those of others.
    pub z: f64,
    /// The two-sided p-value, by the normal approximation.
    pub p: f64,
}

/// Scores of n values for [`shifts`]: (rank − (n + 1) / 2) / (n + 1), where equal values share the mean of
/// their ranks. So the scores sum to zero and lie between −½ and ½. No value may be NaN.
pub fn rank_scores(values: &[f64]) -> Vec<f64> {
    debug_assert!(values.iter().all(|value| !value.is_nan()), "a value is NaN");
    let n = values.len();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut scores = vec![0.0; n];
    let mut below = 0;
    for group in order.chunk_by(|&a, &b| values[a] == values[b]) {
        // Ranks count from 1, so the mean rank of these values is `below + (group.len() + 1) / 2`.
        let rank = below as f64 + (group.len() + 1) as f64 / 2.0;
        group.iter().for_each(|&at| scores[at] = rank / (n + 1) as f64 - 0.5);
        below += group.len();
    }
    scores
}

/// Tests for each of `groups` groups whether its scores are shifted. A stratum is a list of scores, each with the
/// number of its group. Under the null hypothesis, the scores of a stratum could be exchanged between its groups.
/// `None` for a group that is in no stratum together with a different score of another group.
///
/// # Panics
/// If the number of a group is `groups` or more.
pub fn shifts(strata: &[Vec<(usize, f64)>], groups: usize) -> Vec<Option<Shift>> {
    let (mut sums, mut variances, mut counts) = (vec![0.0; groups], vec![0.0; groups], vec![0; groups]);
    let mut sizes = vec![0_usize; groups];
    for stratum in strata {
        let n = stratum.len() as f64;
        let mean = stratum.iter().map(|(_, score)| score).sum::<f64>() / n;
        let spread: f64 = stratum.iter().map(|(_, score)| (score - mean).powi(2)).sum();
        stratum.iter().for_each(|&(group, _)| sizes[group] += 1);
        for &(group, score) in stratum {
            let size = sizes[group];
            if size < stratum.len() && spread > 0.0 {
                // For the `size` values of the group, these terms add up to the variance of the sum of a
                // random sample of this size without replacement.
                let size = size as f64;
                variances[group] += size * (n - size) / (n * (n - 1.0)) * spread / size;
                sums[group] += score - mean;
                counts[group] += 1;
            }
        }
        stratum.iter().for_each(|&(group, _)| sizes[group] = 0);
    }
    let shift = |group: usize| {
        let z = sums[group] / f64::sqrt(variances[group]);
        (variances[group] > 0.0).then(|| Shift {
            n: counts[group],
            z,
            p: (2.0 * tails::normal(-z.abs())).min(1.0),
        })
    };
    (0..groups).map(shift).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chacha20::{ChaCha8Rng, rand_core::SeedableRng};
    use rand::RngExt;
    use rand::seq::SliceRandom;

    #[test]
    fn scores_by_hand() {
        assert_eq!(rank_scores(&[30.0, 10.0, 20.0]), [0.25, -0.25, 0.0]);
        assert_eq!(rank_scores(&[1.0, 1.0, f64::INFINITY]), [1.5 / 4.0 - 0.5, 1.5 / 4.0 - 0.5, 0.25]);
        assert_eq!(rank_scores(&[7.0]), [0.0]);
        assert!(rank_scores(&[]).is_empty());
    }

    #[test]
    fn the_variance_is_that_of_all_permutations() {
        let strata: [&[f64]; 2] = [&[1.0, 2.0, 2.0, 9.0], &[3.0, 4.0, 5.0]];
        let groups: [&[usize]; 2] = [&[0, 0, 1, 2], &[0, 1, 1]];
        let scored: Vec<Vec<(usize, f64)>> = strata
            .iter()
            .zip(groups)
            .map(|(values, groups)| groups.iter().copied().zip(rank_scores(values)).collect())
            .collect();
        let found = shifts(&scored, 4);
        // A group without values.
        assert_eq!(found[3], None);
        let mut random = ChaCha8Rng::seed_from_u64(3);
        for (group, shift) in found.iter().enumerate().take(3) {
            let sum = |strata: &[Vec<(usize, f64)>]| -> f64 {
                strata.iter().flatten().filter(|(other, _)| *other == group).map(|(_, score)| score).sum()
            };
            let mut squares = 0.0;
            for _ in 0..20_000 {
                let mut mixed = scored.clone();
                for stratum in &mut mixed {
                    let mut scores: Vec<f64> = stratum.iter().map(|(_, score)| *score).collect();
                    scores.shuffle(&mut random);
                    stratum.iter_mut().zip(scores).for_each(|(entry, score)| entry.1 = score);
                }
                squares += sum(&mixed).powi(2);
            }
            let deviation = (squares / 20_000.0).sqrt();
            let z = sum(&scored) / deviation;
            let exact = shift.unwrap().z;
            assert!((z - exact).abs() < 0.05, "group {group}: {z} {exact}");
        }
    }

    #[test]
    fn a_shift_is_found_and_noise_is_not() {
        let mut random = ChaCha8Rng::seed_from_u64(4);
        let mut strata = |factor: f64| -> Vec<Vec<(usize, f64)>> {
            (0..20)
                .map(|_| {
                    let groups: Vec<usize> = (0..30).map(|i| i % 3).collect();
                    let value = |group: usize, random: &mut ChaCha8Rng| {
                        random.random_range(1.0..2.0) * if group == 1 { factor } else { 1.0 }
                    };
                    let values: Vec<f64> = groups.iter().map(|&group| value(group, &mut random)).collect();
                    groups.into_iter().zip(rank_scores(&values)).collect()
                })
                .collect()
        };
        let (same, slower) = (shifts(&strata(1.0), 3), shifts(&strata(1.2), 3));
        assert!(same.iter().all(|shift| shift.unwrap().p > 0.01), "{same:?}");
        let slow = slower[1].unwrap();
        assert!(slow.z > 4.0 && slow.p < 1e-4 && slow.n == 200, "{slow:?}");
        assert!(slower[0].unwrap().z < 0.0);
    }

    /// Only the first stratum has different scores of both groups. Its mean is 3. Group 1 has one of the scores 1, 2 and
    /// 6, with the mean square (4 + 1 + 9) / 3 of their distances from 3.
    #[test]
    fn one_stratum_by_hand() {
        let strata = [
            vec![(0, 1.0), (0, 2.0), (1, 6.0)],
            vec![(0, 5.0), (0, 9.0)],
            vec![(0, 4.0), (1, 4.0)],
            vec![(1, 3.0)],
        ];
        let found = shifts(&strata, 2);
        let z = 3.0 / (14.0_f64 / 3.0).sqrt();
        for (shift, n, z) in [(found[0].unwrap(), 2, -z), (found[1].unwrap(), 1, z)] {
            assert_eq!(shift.n, n);
            assert!((shift.z - z).abs() < 1e-12, "{shift:?}, should be {z}");
        }
    }

    #[test]
    fn groups_that_never_meet_are_not_compared() {
        assert_eq!(shifts(&[vec![(0, 1.0), (0, 2.0)], vec![(1, 5.0), (1, 6.0)]], 2), [None, None]);
        assert_eq!(shifts(&[vec![(0, 1.0), (1, 1.0)]], 2), [None, None], "equal scores say nothing");
        assert_eq!(shifts(&[], 1), [None]);
    }
}
