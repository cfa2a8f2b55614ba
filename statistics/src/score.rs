//! Scores, matrices of scores, and summaries of one engine.

/// The result of one engine on one instance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// Whether the run ended with an accepted answer.
    pub solved: bool,
    /// CPU time used, in seconds, whether or not the run is solved.
    pub time_s: f64,
    /// The limit on CPU time, in seconds; positive.
    pub limit_s: f64,
}

impl Score {
    /// The time in seconds, or `k` times the limit if the run is unsolved.
    pub fn par(&self, k: f64) -> f64 {
        if self.solved { self.time_s } else { k * self.limit_s }
    }
}

/// The error that a row does not have one score per engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("row {row} has {found} scores; expected {engines}, one for each engine")]
pub struct WrongWidth {
    /// Index of the row, from 0.
    pub row: usize,
    /// Number of scores in the row.
    pub found: usize,
    /// Number of engines.
    pub engines: usize,
}

/// The scores of engines (columns) on instances (rows), both numbered from 0. A score is `None` if the engine was not
/// run or does not support the instance.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    engines: usize,
    /// One row per instance, with one score per engine.
    rows: Vec<Vec<Option<Score>>>,
}

impl Matrix {
    /// A matrix without instances.
    pub fn new(engines: usize) -> Self {
        Matrix { engines, rows: Vec::new() }
    }

    /// Adds an instance.
    ///
    /// # Errors
    /// If the length of the row is not the number of engines.
    pub fn push(&mut self, row: Vec<Option<Score>>) -> Result<(), WrongWidth> {
        if row.len() != self.engines {
            return Err(WrongWidth { row: self.rows.len(), found: row.len(), engines: self.engines });
        }
        self.rows.push(row);
        Ok(())
    }

    /// The number of engines.
    pub fn engines(&self) -> usize {
        self.engines
    }

    /// The number of instances.
    pub fn instances(&self) -> usize {
        self.rows.len()
    }

    /// The rows in the order in which they were added.
    pub fn rows(&self) -> impl Iterator<Item = &[Option<Score>]> {
        self.rows.iter().map(Vec::as_slice)
    }

    /// The scores of an engine, without the instances on which it was not run.
    pub fn column(&self, engine: usize) -> impl Iterator<Item = Score> {
        self.rows.iter().filter_map(move |row| row.get(engine).copied().flatten())
    }

    /// The scores of two engines on the instances on which both were run, for paired comparisons.
    pub fn pairs(&self, first: usize, second: usize) -> impl Iterator<Item = (Score, Score)> {
        self.rows.iter().filter_map(move |row| {
            let score = |engine: usize| row.get(engine).copied().flatten();
            score(first).zip(score(second))
        })
    }
}

/// PAR-k, the penalized average run time in seconds: the mean of the times, where an unsolved run counts as `k` times
/// its limit. `None` if there are no scores.
pub fn par(scores: impl IntoIterator<Item = Score>, k: f64) -> Option<f64> {
    let (sum, n) = scores.into_iter().fold((0.0, 0_usize), |(sum, n), score| (sum + score.par(k), n + 1));
    (n > 0).then(|| sum / n as f64)
}

/// The number of solved runs.
pub fn solved(scores: impl IntoIterator<Item = Score>) -> usize {
    scores.into_iter().filter(|score| score.solved).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Score = Score { solved: true, time_s: 2.0, limit_s: 10.0 };
    const B: Score = Score { solved: false, time_s: 3.0, limit_s: 5.0 };

    #[test]
    fn unsolved_runs_count_their_own_limit_and_not_their_time() {
        assert_eq!(par([A, B], 2.0), Some(6.0));
        assert_eq!(par([A, B], 10.0), Some(26.0));
        assert_eq!(par([], 2.0), None);
        assert_eq!(solved([A, B, A]), 2);
    }

    #[test]
    fn columns_and_pairs_leave_out_missing_scores() {
        let mut matrix = Matrix::new(2);
        matrix.push(vec![Some(A), None]).unwrap();
        matrix.push(vec![Some(B), Some(A)]).unwrap();
        assert_eq!(matrix.column(0).collect::<Vec<_>>(), [A, B]);
        assert_eq!(matrix.column(1).collect::<Vec<_>>(), [A]);
        assert_eq!(matrix.column(2).count(), 0);
        assert_eq!(matrix.pairs(1, 0).collect::<Vec<_>>(), [(A, B)]);
        let wrong = matrix.push(vec![None]).unwrap_err();
        assert_eq!(wrong.to_string(), "row 2 has 1 scores; expected 2, one for each engine");
        assert_eq!((matrix.instances(), matrix.engines()), (2, 2));
    }
}
