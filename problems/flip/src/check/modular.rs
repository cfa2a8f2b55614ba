//! The checker for more than two colours. It eliminates modulo p and enumerates all solutions.

use super::suffice;
use crate::{End, Instance, Rules};
use counterpoint_core::board::Digits;
use counterpoint_core::claim::Status;
use counterpoint_core::engine::{Budget, Limit};

/// The greatest number of squares for which the system is written down.
const MAX_SQUARES: usize = 1 << 10;
/// The greatest number of solutions that are enumerated for one final board.
const MAX_SOLUTIONS: f64 = 1e6;

/// Why the checker does not know the solutions of a system.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NotSolved {
    /// A limit was reached.
    #[error("{0}")]
    Limit(Limit),
    /// A limit was reached while the solutions were searched. The null space has this dimension.
    #[error("{0}, with 2^{1} solutions")]
    LimitAmong(Limit, usize),
    /// The board has more squares than this number.
    #[error("the board is too large; elimination supports at most {0} squares")]
    TooManySquares(usize),
    /// The board has more unknowns than this number.
    #[error("the board is too large; elimination supports at most {0} unknowns")]
    TooManyUnknowns(usize),
    /// With two colours, the null space has this dimension.
    #[error("2^{0} solutions are too many to enumerate")]
    TooManySums(usize),
    /// With this many colours, the null space has this dimension.
    #[error("{0}^{1} solutions are too many; at most {MAX_SOLUTIONS} are enumerated")]
    TooManySolutions(u32, usize),
}

impl From<Limit> for NotSolved {
    fn from(limit: Limit) -> Self {
        NotSolved::Limit(limit)
    }
}

/// The claim stays open.
impl From<NotSolved> for Status {
    fn from(why: NotSolved) -> Self {
        Status::Open(why.to_string())
    }
}

/// Enumerates all solutions for every final board; the claim holds if none has fewer presses.
pub(super) fn no_fewer(rules: &Rules, instance: &Instance, presses: &Digits, budget: &mut Budget) -> Status {
    for end in rules.ends() {
        let (start, null) = match solutions(rules, instance, &end, budget) {
            Ok((Some(start), null)) => (start, null),
            Ok((None, _)) => continue,
            Err(why) => return why.into(),
        };
        match min_weight(rules.colours, start, &null, budget) {
            Ok(weight) if (weight as usize) < presses.total() => {
                return Status::Failed(suffice(weight, &format!(" for {end}")));
            }
            Ok(_) => {}
            Err(why) => return why.into(),
        }
    }
    Status::Recomputed
}

/// Solves the system for each final board; the claim holds if none has a solution.
pub(super) fn unsolvable(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Status {
    for end in rules.ends() {
        match solutions(rules, instance, &end, budget) {
            Ok((Some(_), _)) => return Status::Failed(format!("elimination finds a solution for {end}")),
            Ok((None, _)) => {}
            Err(why) => return why.into(),
        }
    }
    Status::Recomputed
}

/// One solution, or `None` if there is none, and a basis of the null space.
pub(super) type Solutions = (Option<Vec<u32>>, Vec<Vec<u32>>);

/// Solves the full system. The equation of a square says that the presses around it sum to the change that it needs,
/// modulo p.
fn solutions(
    rules: &Rules,
    instance: &Instance,
    end: &End,
    budget: &mut Budget,
) -> Result<Solutions, NotSolved> {
    let (p, size) = (rules.colours, instance.size);
    let n = size.cells();
    if n > MAX_SQUARES {
        return Err(NotSolved::TooManySquares(MAX_SQUARES));
    }
    let mut rows = vec![vec![0; n + 1]; n];
    for (i, cell) in size.iter().enumerate() {
        rules.stencil.squares(size, cell).into_iter().for_each(|turned| rows[size.index(turned)][i] = 1);
        rows[i][n] = (p + end.colour(i) - instance.squares.get(i)) % p;
    }
    eliminate(p, rows, n, budget)
}

/// Solves linear equations modulo p. Each row holds `n` coefficients and a right-hand side. Every row operation counts
/// as a node.
pub(super) fn eliminate(
    p: u32,
    mut rows: Vec<Vec<u32>>,
    n: usize,
    budget: &mut Budget,
) -> Result<Solutions, NotSolved> {
    // The pivot row of each unknown; free unknowns have none.
    let mut row_of: Vec<Option<usize>> = vec![None; n];
    let mut used = vec![false; rows.len()];
    for press in 0..n {
        let Some(pivot) = (0..rows.len()).find(|&r| !used[r] && rows[r][press] > 0) else { continue };
        (used[pivot], row_of[press]) = (true, Some(pivot));
        // The inverse exists because p is prime.
        let inverse = (1..p).find(|k| k * rows[pivot][press] % p == 1).unwrap_or(1);
        rows[pivot].iter_mut().for_each(|a| *a = *a * inverse % p);
        let pivot_row = rows[pivot].clone();
        for r in (0..rows.len()).filter(|&r| r != pivot) {
            let times = (p - rows[r][press]) % p;
            if times > 0 {
                budget.node()?;
                rows[r].iter_mut().zip(&pivot_row).for_each(|(a, b)| *a = (*a + times * b) % p);
            }
        }
    }
    let consistent = (0..rows.len()).all(|r| used[r] || rows[r][n] == 0);
    let start = (0..n).map(|press| row_of[press].map_or(0, |r| rows[r][n])).collect();
    let null = (0..n).filter(|&free| row_of[free].is_none()).map(|free| {
        let value = |press: usize| row_of[press].map_or(0, |r| (p - rows[r][free]) % p);
        (0..n).map(|press| if press == free { 1 } else { value(press) }).collect()
    });
    Ok((consistent.then_some(start), null.collect()))
}

/// The minimum weight of `sum` plus a linear combination of null vectors, over all such combinations.
pub(super) fn min_weight(
    p: u32,
    sum: Vec<u32>,
    null: &[Vec<u32>],
    budget: &mut Budget,
) -> Result<u32, NotSolved> {
    let mut min = u32::MAX;
    each_weight(p, sum, null, budget, |weight| min = min.min(weight))?;
    Ok(min)
}

/// For each number, whether some solution for some final board has this number of presses.
pub(super) fn weights(
    rules: &Rules,
    instance: &Instance,
    budget: &mut Budget,
) -> Result<Vec<bool>, NotSolved> {
    let mut found = vec![false; instance.size.cells() * (rules.colours - 1) as usize + 1];
    for end in rules.ends() {
        if let (Some(start), null) = solutions(rules, instance, &end, budget)? {
            each_weight(rules.colours, start, &null, budget, |weight| found[weight as usize] = true)?;
        }
    }
    Ok(found)
}

/// Calls `seen` with the weight of `sum` plus each linear combination of null vectors. The coefficients count up like
/// an odometer. Every combination counts as a node.
fn each_weight(
    p: u32,
    mut sum: Vec<u32>,
    null: &[Vec<u32>],
    budget: &mut Budget,
    mut seen: impl FnMut(u32),
) -> Result<(), NotSolved> {
    let all = f64::from(p).powi(null.len() as i32);
    if all > MAX_SOLUTIONS {
        return Err(NotSolved::TooManySolutions(p, null.len()));
    }
    let mut coefficients = vec![0; null.len()];
    loop {
        budget.node()?;
        seen(sum.iter().sum());
        let mut k = 0;
        loop {
            let Some(vector) = null.get(k) else { return Ok(()) };
            sum.iter_mut().zip(vector).for_each(|(a, b)| *a = (*a + b) % p);
            coefficients[k] = (coefficients[k] + 1) % p;
            if coefficients[k] > 0 {
                break;
            }
            k += 1;
        }
    }
}
