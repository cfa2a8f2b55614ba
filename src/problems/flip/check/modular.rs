//! The checker for more than two colours: plain elimination modulo p, and all solutions one by one.

use super::suffice;
use crate::board::Digits;
use crate::claim::Status;
use crate::engine::{Budget, Limit};
use crate::problems::flip::{End, Instance, Rules};

/// The most squares for which the system is written down, and the most solutions that are gone through.
const MAX_SQUARES: usize = 1 << 10;
const MAX_SOLUTIONS: f64 = 1e6;

/// Goes through all solutions for every end and finds none of fewer presses.
pub(super) fn no_fewer(rules: &Rules, instance: &Instance, presses: &Digits, budget: &mut Budget) -> Status {
    for end in rules.ends() {
        let (start, null) = match solutions(rules, instance, &end, budget) {
            Ok((Some(start), null)) => (start, null),
            Ok((None, _)) => continue,
            Err(why) => return Status::Open(why),
        };
        match fewest(rules.colours, start, &null, budget) {
            Ok(least) if (least as usize) < presses.total() => {
                return Status::Failed(suffice(least, &format!(" for {end}")));
            }
            Ok(_) => {}
            Err(why) => return Status::Open(why),
        }
    }
    Status::Recomputed
}

/// Eliminates for each end and finds no solution.
pub(super) fn unsolvable(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Status {
    for end in rules.ends() {
        match solutions(rules, instance, &end, budget) {
            Ok((Some(_), _)) => return Status::Failed(format!("elimination finds a solution for {end}")),
            Ok((None, _)) => {}
            Err(why) => return Status::Open(why),
        }
    }
    Status::Recomputed
}

/// A solution, if there is one, and a basis of the presses that change nothing.
pub(super) type Solutions = (Option<Vec<u32>>, Vec<Vec<u32>>);

/// Eliminates one equation a square: the presses around it, modulo p, against the turns it needs.
fn solutions(
    rules: &Rules,
    instance: &Instance,
    end: &End,
    budget: &mut Budget,
) -> Result<Solutions, String> {
    let (p, size) = (rules.colours, instance.size);
    let n = size.cells();
    if n > MAX_SQUARES {
        return Err(format!("the board is too large; at most {MAX_SQUARES} squares are eliminated"));
    }
    let mut rows = vec![vec![0; n + 1]; n];
    for (i, cell) in size.iter().enumerate() {
        rules.stencil.squares(size, cell).into_iter().for_each(|turned| rows[size.index(turned)][i] = 1);
        rows[i][n] = (p + end.colour(i) - instance.squares.get(i)) % p;
    }
    eliminate(p, rows, n, budget)
}

/// Solves equations modulo p, a row each: `n` coefficients and a right-hand side. A node a row operation.
pub(super) fn eliminate(
    p: u32,
    mut rows: Vec<Vec<u32>>,
    n: usize,
    budget: &mut Budget,
) -> Result<Solutions, String> {
    let told = |limit: Limit| limit.to_string();
    // The row that says what a press has to be, for the presses that the others determine.
    let mut row_of: Vec<Option<usize>> = vec![None; n];
    let mut used = vec![false; rows.len()];
    for press in 0..n {
        let Some(pivot) = (0..rows.len()).find(|&r| !used[r] && rows[r][press] > 0) else { continue };
        (used[pivot], row_of[press]) = (true, Some(pivot));
        // Some multiple is 1, as p is prime.
        let inverse = (1..p).find(|k| k * rows[pivot][press] % p == 1).unwrap_or(1);
        rows[pivot].iter_mut().for_each(|a| *a = *a * inverse % p);
        let by = rows[pivot].clone();
        for r in (0..rows.len()).filter(|&r| r != pivot) {
            let times = (p - rows[r][press]) % p;
            if times > 0 {
                budget.node().map_err(told)?;
                rows[r].iter_mut().zip(&by).for_each(|(a, b)| *a = (*a + times * b) % p);
            }
        }
    }
    let consistent = (0..rows.len()).all(|r| used[r] || rows[r][n] == 0);
    let start = (0..n).map(|press| row_of[press].map_or(0, |r| rows[r][n])).collect();
    let null = (0..n).filter(|&free| row_of[free].is_none()).map(|free| {
        let follows = |press: usize| row_of[press].map_or(0, |r| (p - rows[r][free]) % p);
        (0..n).map(|press| if press == free { 1 } else { follows(press) }).collect()
    });
    Ok((consistent.then_some(start), null.collect()))
}

/// The fewest presses among a solution plus all sums of null vectors, counted up like an odometer.
pub(super) fn fewest(
    p: u32,
    mut sum: Vec<u32>,
    null: &[Vec<u32>],
    budget: &mut Budget,
) -> Result<u32, String> {
    let all = f64::from(p).powi(null.len() as i32);
    if all > MAX_SOLUTIONS {
        return Err(format!(
            "{p}^{} solutions are too many; at most {MAX_SOLUTIONS} are enumerated",
            null.len()
        ));
    }
    let mut wheels = vec![0; null.len()];
    let mut least = u32::MAX;
    loop {
        budget.node().map_err(|limit| limit.to_string())?;
        least = least.min(sum.iter().sum());
        let mut turning = 0;
        loop {
            let Some(vector) = null.get(turning) else { return Ok(least) };
            sum.iter_mut().zip(vector).for_each(|(a, b)| *a = (*a + b) % p);
            wheels[turning] = (wheels[turning] + 1) % p;
            if wheels[turning] > 0 {
                break;
            }
            turning += 1;
        }
    }
}
