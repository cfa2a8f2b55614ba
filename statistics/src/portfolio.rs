//! Portfolios: the virtual best and the single best engine, and the contribution of each engine.
//!
//! A portfolio runs all its members and takes the best result. So its value on an instance is the maximum of its
//! members' values (a *max game*), and its total value is the sum over the instances. Each member may use its whole
//! limit, as if it ran alone.
//!
//! # References
//! A. Fréchette, L. Kotthoff, T. Michalak, T. Rahwan, H. Hoos, K. Leyton-Brown: *Using the Shapley value to
//! analyze algorithm portfolios*, AAAI 2016. S. C. Littlechild, G. Owen: *A simple expression for the Shapley
//! value in a special case*, Management Science 20 (1973); this paper has the closed form.

use crate::score::{Matrix, Score};

/// The value of a score to a portfolio. It is 0 if the engine was not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// 1 if solved, else 0.
    Solved,
    /// Seconds of PAR-2 saved compared with an unsolved run: 2 × limit − time, and 0 if unsolved.
    Saved,
}

impl Worth {
    fn of(self, score: Option<Score>) -> f64 {
        match (self, score.filter(|score| score.solved)) {
            (_, None) => 0.0,
            (Worth::Solved, _) => 1.0,
            // A measured time may be a little above the limit. Even a time above twice the limit gives no
            // negative value.
            (Worth::Saved, Some(score)) => (2.0 * score.limit_s - score.time_s).max(0.0),
        }
    }
}

/// The best score of any engine on each instance: the smallest time of the engines that solved it. If none solved it,
/// the unsolved score with the smallest limit, so that no engine has a better PAR. `None` if no engine was run.
pub fn virtual_best(matrix: &Matrix) -> Vec<Option<Score>> {
    let key = |score: &Score| if score.solved { score.time_s } else { score.limit_s };
    let best = |row: &[Option<Score>]| {
        let better = |a: &Score, b: &Score| b.solved.cmp(&a.solved).then(key(a).total_cmp(&key(b)));
        row.iter().flatten().copied().min_by(better)
    };
    matrix.rows().map(best).collect()
}

/// The best single engine: the one with the smallest PAR-2 over all instances. Ties go to the engine that solves more
/// instances, then to the lower index. `None` if nothing was run.
///
/// If an engine was not run on an instance, the instance counts as unsolved, with the longest limit of the others.
/// Otherwise, an engine that supports only easy instances would be the best. Instances without any score are left out.
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
    // `min_by` returns the first of several minima.
    let best = sums.iter().enumerate().min_by(|(_, a), (_, b)| order(a, b));
    best.map(|(engine, _)| engine).filter(|_| any)
}

/// The value of the portfolio of all engines.
pub fn value(matrix: &Matrix, worth: Worth) -> f64 {
    let best = |row: &[Option<Score>]| row.iter().map(|score| worth.of(*score)).fold(0.0, f64::max);
    matrix.rows().map(best).sum()
}

/// The marginal contribution of each engine: the value that the portfolio of all engines loses without it. On each
/// instance, the best engine contributes the difference between the best and the second best value; the others
/// contribute 0. Two equal engines both have a marginal contribution of 0, even if they are good.
pub fn marginal(matrix: &Matrix, worth: Worth) -> Vec<f64> {
    let mut shares = vec![0.0; matrix.engines()];
    for row in matrix.rows() {
        let (mut best, mut second, mut best_engine) = (0.0_f64, 0.0_f64, None);
        for (engine, score) in row.iter().enumerate() {
            let worth = worth.of(*score);
            if worth > best {
                (second, best, best_engine) = (best, worth, Some(engine));
            } else {
                second = second.max(worth);
            }
        }
        if let Some(engine) = best_engine {
            shares[engine] += best - second;
        }
    }
    shares
}

/// The Shapley value of each engine: its marginal contribution averaged over all orders in which engines may join the
/// portfolio. The Shapley values sum to the [`value`] of the portfolio, and equal engines have equal Shapley values.
///
/// On one instance, let the values of m engines be s₁ ≤ … ≤ sₘ, with s₀ = 0. The engines j … m share the
/// increment sⱼ − sⱼ₋₁ equally, so φₖ = Σ_{j≤k} (sⱼ − sⱼ₋₁) / (m − j + 1). O(m log m) per instance.
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
    use chacha20::{ChaCha8Rng, rand_core::SeedableRng};
    use itertools::Itertools;
    use rand::RngExt;

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
        // The sums of PAR-2 are 2 + 20 + 20, 5 + 8 + 20, and 20 + 8 + 20.
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
        // Both have 20 s of PAR-2; the second engine solves two instances.
        assert_eq!(single_best(&matrix(&[&[done(0.0), done(10.0)], &[open(), done(10.0)]])), Some(1));
        assert_eq!(single_best(&matrix(&[&[open(), open()]])), Some(0));
        assert_eq!(single_best(&matrix(&[&[None, None]])), None);
        assert_eq!(single_best(&Matrix::new(3)), None);
        assert_eq!(single_best(&Matrix::new(0)), None);
        // The first instance counts as unsolved for the first engine, with the longest limit of the others. The sums of
        // the first two engines are 40 + 1 and 6 + 30.
        let longer = Some(Score { limit_s: 20.0, ..done(6.0).unwrap() });
        let slow = Some(Score { limit_s: 20.0, ..done(30.0).unwrap() });
        assert_eq!(single_best(&matrix(&[&[None, longer, open()], &[done(1.0), slow, open()]])), Some(1));
        // An engine that was run only on an easy instance is not the best.
        assert_eq!(single_best(&matrix(&[&[done(1.0), done(2.0)], &[None, done(9.0)]])), Some(1));
    }

    #[test]
    fn the_best_unsolved_score_has_the_smallest_limit() {
        let other = Some(Score { limit_s: 5.0, ..open().unwrap() });
        assert_eq!(virtual_best(&matrix(&[&[open(), other], &[None, None]])), [other, None]);
    }

    /// The definition: the mean over all orders of the engines.
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
    fn shapley_values_agree_with_the_definition_and_sum_to_the_value() {
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
