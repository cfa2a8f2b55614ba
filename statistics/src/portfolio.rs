//! What engines are worth together: the virtual best, the single best, and each one's share.
//!
//! A portfolio runs every member and takes the best result, so its worth on an instance is the greatest of
//! its members' (a *max game*), and over instances the sum. Limits are taken as they stand in the scores.
//!
//! # References
//! A. Fréchette, L. Kotthoff, T. Michalak, T. Rahwan, H. Hoos, K. Leyton-Brown: *Using the Shapley value to
//! analyze algorithm portfolios*, AAAI 2016. S. C. Littlechild, G. Owen: *A simple expression for the Shapley
//! value in a special case*, Management Science 20 (1973), has the closed form.

use crate::score::{Matrix, Score};

/// What a score is worth to a portfolio; nothing where an engine was not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// 1 if solved, else 0.
    Solved,
    /// Seconds of PAR-2 saved against leaving the instance unsolved: 2 × limit − time, and 0 if unsolved.
    Saved,
}

impl Worth {
    fn of(self, score: Option<Score>) -> f64 {
        match (self, score.filter(|score| score.solved)) {
            (_, None) => 0.0,
            (Worth::Solved, _) => 1.0,
            // A run may be seen to end a little after its limit, never at twice that; still no loss.
            (Worth::Saved, Some(score)) => (2.0 * score.limit_s - score.time_s).max(0.0),
        }
    }
}

/// Of each instance the best score of any engine, `None` where no engine was run: the least time of those
/// that solved it, else the unsolved score with the least limit, so that its PAR is nobody's to beat.
pub fn virtual_best(matrix: &Matrix) -> Vec<Option<Score>> {
    let key = |score: &Score| if score.solved { score.time_s } else { score.limit_s };
    let best = |row: &[Option<Score>]| {
        let better = |a: &Score, b: &Score| b.solved.cmp(&a.solved).then(key(a).total_cmp(&key(b)));
        row.iter().flatten().copied().min_by(better)
    };
    matrix.rows().map(best).collect()
}

/// The engine to take if only one may be taken: least PAR-2 over all instances, ties to the one that solves
/// more, then to the lower index. `None` where nothing was run.
///
/// An engine that was not run on an instance has not solved it: it counts as unsolved at the longest limit
/// that others had there, or whoever serves only the easy instances would be the best. Instances without any
/// score are left out.
pub fn single_best(matrix: &Matrix) -> Option<usize> {
    let mut sums = vec![(0.0_f64, 0_usize); matrix.engines()];
    let mut any = false;
    for row in matrix.rows() {
        let Some(limit_s) = row.iter().flatten().map(|score| score.limit_s).max_by(f64::total_cmp) else {
            continue;
        };
        any = true;
        for (sum, score) in sums.iter_mut().zip(row) {
            let score = score.unwrap_or(Score { solved: false, time_s: 0.0, limit_s });
            sum.0 += score.par(2.0);
            sum.1 += usize::from(score.solved);
        }
    }
    let order = |a: &(f64, usize), b: &(f64, usize)| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1));
    // `min_by` keeps the first of equals.
    let best = sums.iter().enumerate().min_by(|(_, a), (_, b)| order(a, b));
    best.map(|(engine, _)| engine).filter(|_| any)
}

/// What all engines are worth together.
pub fn value(matrix: &Matrix, worth: Worth) -> f64 {
    let best = |row: &[Option<Score>]| row.iter().map(|score| worth.of(*score)).fold(0.0, f64::max);
    matrix.rows().map(best).sum()
}

/// What all engines together would lose without one, for each: on each instance what the best has before the
/// second best. Two equal engines have a marginal contribution of 0 each, however good they are.
pub fn marginal(matrix: &Matrix, worth: Worth) -> Vec<f64> {
    let mut shares = vec![0.0; matrix.engines()];
    for row in matrix.rows() {
        let (mut best, mut second, mut owner) = (0.0, 0.0, None);
        for (engine, score) in row.iter().enumerate() {
            let worth = worth.of(*score);
            if worth > best {
                (second, best, owner) = (best, worth, Some(engine));
            } else if worth > second {
                second = worth;
            }
        }
        if let Some(engine) = owner {
            shares[engine] += best - second;
        }
    }
    shares
}

/// Each engine's marginal contribution averaged over all orders in which a portfolio may be assembled; sums to
/// the [`value`] of the whole, and equal engines have equal shares.
///
/// Of one instance, with worths s₁ ≤ … ≤ sₘ and s₀ = 0: what the engines j … m have in common above sⱼ₋₁ is
/// shared among them, so φₖ = Σ_{j≤k} (sⱼ − sⱼ₋₁) / (m − j + 1). O(m log m) an instance.
pub fn shapley(matrix: &Matrix, worth: Worth) -> Vec<f64> {
    let engines = matrix.engines();
    let mut shares = vec![0.0; engines];
    for row in matrix.rows() {
        let mut worths: Vec<(f64, usize)> =
            row.iter().enumerate().map(|(engine, score)| (worth.of(*score), engine)).collect();
        worths.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (mut share, mut below) = (0.0, 0.0);
        for (j, (worth, engine)) in worths.into_iter().enumerate() {
            share += (worth - below) / (engines - j) as f64;
            below = worth;
            shares[engine] += share;
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use itertools::Itertools;
    use rand::RngExt;
    use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

    fn done(time_s: f64) -> Option<Score> {
        Some(Score { solved: true, time_s, limit_s: 10.0 })
    }

    fn open() -> Option<Score> {
        Some(Score { solved: false, time_s: 7.0, limit_s: 10.0 })
    }

    fn matrix(rows: &[&[Option<Score>]]) -> Matrix {
        let mut matrix = Matrix::new(rows.first().map_or(0, |row| row.len()));
        rows.iter().for_each(|row| matrix.push(row.to_vec()).unwrap());
        matrix
    }

    #[test]
    fn three_engines_by_hand() {
        let all =
            matrix(&[&[done(2.0), done(5.0), None], &[open(), done(8.0), done(8.0)], &[None, open(), None]]);
        assert_eq!(virtual_best(&all), [done(2.0), done(8.0), open()]);
        // 2 + 20 + 20, 5 + 8 + 20, 20 + 8 + 20.
        assert_eq!(single_best(&all), Some(1));
        assert_eq!(value(&all, Worth::Solved), 2.0);
        assert_eq!(marginal(&all, Worth::Solved), [0.0, 0.0, 0.0]);
        assert_eq!(shapley(&all, Worth::Solved), [0.5, 1.0, 0.5]);
        assert_eq!(value(&all, Worth::Saved), 30.0);
        assert_eq!(marginal(&all, Worth::Saved), [3.0, 0.0, 0.0]);
        assert_eq!(shapley(&all, Worth::Saved), [10.5, 13.5, 6.0]);
    }

    #[test]
    fn ties_of_the_single_best_go_to_more_solved_then_to_the_lower_index() {
        // Both have 20; the second solves two.
        assert_eq!(single_best(&matrix(&[&[done(0.0), done(10.0)], &[open(), done(10.0)]])), Some(1));
        assert_eq!(single_best(&matrix(&[&[open(), open()]])), Some(0));
        assert_eq!(single_best(&matrix(&[&[None, None]])), None);
        assert_eq!(single_best(&Matrix::new(3)), None);
        assert_eq!(single_best(&Matrix::new(0)), None);
        // Not run is unsolved at the longest limit of the others: 40 + 1 against 6 + 30.
        let longer = Some(Score { limit_s: 20.0, ..done(6.0).unwrap() });
        let slow = Some(Score { limit_s: 20.0, ..done(30.0).unwrap() });
        assert_eq!(single_best(&matrix(&[&[None, longer, open()], &[done(1.0), slow, open()]])), Some(1));
        // One easy instance alone does not make an engine the best.
        assert_eq!(single_best(&matrix(&[&[done(1.0), done(2.0)], &[None, done(9.0)]])), Some(1));
    }

    #[test]
    fn the_best_of_unsolved_scores_has_the_least_limit() {
        let other = Some(Score { limit_s: 5.0, ..open().unwrap() });
        assert_eq!(virtual_best(&matrix(&[&[open(), other], &[None, None]])), [other, None]);
    }

    /// The definition: over all orders of the engines.
    fn shapley_by_orders(matrix: &Matrix, worth: Worth) -> Vec<f64> {
        let engines = matrix.engines();
        let of = |members: &[usize]| -> f64 {
            let best = |row: &[Option<Score>]| members.iter().map(|&e| worth.of(row[e])).fold(0.0, f64::max);
            matrix.rows().map(best).sum()
        };
        let mut shares = vec![0.0; engines];
        let mut orders = 0.0;
        for order in (0..engines).permutations(engines) {
            orders += 1.0;
            for k in 0..engines {
                shares[order[k]] += of(&order[..=k]) - of(&order[..k]);
            }
        }
        shares.into_iter().map(|share| share / orders).collect()
    }

    #[test]
    fn shapley_is_its_definition_and_sums_to_the_whole() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for engines in 1..=6 {
            for _ in 0..10 {
                let mut all = Matrix::new(engines);
                for _ in 0..random.random_range(0..5) {
                    let row = (0..engines).map(|_| match random.random_range(0..6) {
                        0 => None,
                        1 => open(),
                        // Whole seconds, so that ties are frequent.
                        _ => done(f64::from(random.random_range(0..6_u8))),
                    });
                    all.push(row.collect()).unwrap();
                }
                for worth in [Worth::Solved, Worth::Saved] {
                    let shares = shapley(&all, worth);
                    for (share, definition) in shares.iter().zip(shapley_by_orders(&all, worth)) {
                        assert!((share - definition).abs() < 1e-9, "{share} {definition}");
                    }
                    assert!((shares.iter().sum::<f64>() - value(&all, worth)).abs() < 1e-9);
                    let marginal = marginal(&all, worth);
                    assert!(marginal.iter().zip(&shares).all(|(m, s)| *m <= s + 1e-9));
                }
            }
        }
    }
}
