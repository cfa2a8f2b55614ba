//! Scores, the matrix of them, and what is counted of one engine.

/// One engine on one instance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// Whether it gave an answer that counts.
    pub solved: bool,
    /// CPU time in seconds; of an unsolved run what it used.
    pub time_s: f64,
    /// CPU time in seconds that it was allowed; positive.
    pub limit_s: f64,
}

impl Score {
    /// Its time in seconds, of an unsolved run `k` times its limit.
    pub fn par(&self, k: f64) -> f64 {
        if self.solved { self.time_s } else { k * self.limit_s }
    }
}

/// A row of another length than there are engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("row {row} has {found} scores; it should have {engines}, one for each engine")]
pub struct WrongWidth {
    /// Which row, from 0.
    pub row: usize,
    /// How many scores it has.
    pub found: usize,
    /// How many engines there are.
    pub engines: usize,
}

/// Instances × engines, both numbered from 0; `None` where an engine was not run or does not serve.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    engines: usize,
    /// One for each instance, each as long as there are engines.
    rows: Vec<Vec<Option<Score>>>,
}

impl Matrix {
    /// No instances yet.
    pub fn new(engines: usize) -> Self {
        Matrix { engines, rows: Vec::new() }
    }

    /// Adds an instance.
    ///
    /// # Errors
    /// Where the row does not have one place for each engine.
    pub fn push(&mut self, row: Vec<Option<Score>>) -> Result<(), WrongWidth> {
        if row.len() != self.engines {
            return Err(WrongWidth { row: self.rows.len(), found: row.len(), engines: self.engines });
        }
        self.rows.push(row);
        Ok(())
    }

    /// How many engines.
    pub fn engines(&self) -> usize {
        self.engines
    }

    /// How many instances.
    pub fn instances(&self) -> usize {
        self.rows.len()
    }

    /// The instances in the order in which they came.
    pub fn rows(&self) -> impl Iterator<Item = &[Option<Score>]> {
        self.rows.iter().map(Vec::as_slice)
    }

    /// The scores that an engine has; of one that is not there, none.
    pub fn column(&self, engine: usize) -> impl Iterator<Item = Score> {
        self.rows.iter().filter_map(move |row| row.get(engine).copied().flatten())
    }

    /// The scores of two engines on the instances where both were run: what a paired comparison looks at.
    pub fn pairs(&self, first: usize, second: usize) -> impl Iterator<Item = (Score, Score)> {
        self.rows.iter().filter_map(move |row| {
            let score = |engine: usize| row.get(engine).copied().flatten();
            score(first).zip(score(second))
        })
    }
}

/// PAR-k, the penalized average run time in seconds: the mean of the times, where an unsolved run counts `k`
/// times its own limit. `None` of no scores.
pub fn par(scores: impl IntoIterator<Item = Score>, k: f64) -> Option<f64> {
    let (sum, n) = scores.into_iter().fold((0.0, 0_usize), |(sum, n), score| (sum + score.par(k), n + 1));
    (n > 0).then(|| sum / n as f64)
}

/// How many are solved.
pub fn solved(scores: impl IntoIterator<Item = Score>) -> usize {
    scores.into_iter().filter(|score| score.solved).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Score = Score { solved: true, time_s: 2.0, limit_s: 10.0 };
    const B: Score = Score { solved: false, time_s: 3.0, limit_s: 5.0 };

    #[test]
    fn unsolved_runs_count_their_own_limit_whatever_they_used() {
        assert_eq!(par([A, B], 2.0), Some(6.0));
        assert_eq!(par([A, B], 10.0), Some(26.0));
        assert_eq!(par([], 2.0), None);
        assert_eq!(solved([A, B, A]), 2);
    }

    #[test]
    fn columns_and_pairs_leave_out_what_was_not_run() {
        let mut matrix = Matrix::new(2);
        matrix.push(vec![Some(A), None]).unwrap();
        matrix.push(vec![Some(B), Some(A)]).unwrap();
        assert_eq!(matrix.column(0).collect::<Vec<_>>(), [A, B]);
        assert_eq!(matrix.column(1).collect::<Vec<_>>(), [A]);
        assert_eq!(matrix.column(2).count(), 0);
        assert_eq!(matrix.pairs(1, 0).collect::<Vec<_>>(), [(A, B)]);
        let wrong = matrix.push(vec![None]).unwrap_err();
        assert_eq!(wrong.to_string(), "row 2 has 1 scores; it should have 2, one for each engine");
        assert_eq!((matrix.instances(), matrix.engines()), (2, 2));
    }
}
