//! The study `transition`: how much of a random fleet's board must be uncovered before m misses suffice.
//!
//! Squares are uncovered one by one in random order. An uncovered square can only exclude covered sets, and if m misses
//! suffice for a family of sets, they suffice for every subfamily. So there is a *threshold*: m misses suffice if and
//! only if at least this number of squares is uncovered. Binary search finds the threshold without a grid of shares. If
//! a share r of the squares is uncovered, the probability that m misses suffice is the probability that the threshold
//! is at most r times the number of squares. The quartiles of the threshold show where half of the boards are won and
//! how sharp the transition is.

use crate::answer::Answer;
use crate::search::cover;
use crate::{Instance, Rules, Square, families};
use counterpoint_core::engine::{Budget, Outcome};
use counterpoint_core::problem::{Param, Params, StudyRequest};
use counterpoint_core::study::{StudyError, StudyOutput, row};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

/// `n`: side of the board. `boards`: number of boards. `most`: maximum number of misses. `seed`: seed of the first
/// board.
pub const PARAMS: &[Param] = &[
    Param::number("n", 8.0, 6.0, 32.0),
    Param::number("boards", 100.0, 4.0, 1e6),
    Param::number("most", 3.0, 0.0, 6.0),
    Param::number("seed", 1.0, 0.0, 4e9),
];

/// One row for each number of misses: the share of squares at which a quarter, a half and three quarters of the boards
/// are won, and the difference between the first and the last of these shares. The column `moments` lists the
/// thresholds of all boards, ascending.
///
/// # Errors
/// Returns `Unsupported` if no fleet fits, or the limit of the budget that was reached. Before such an error, the rows
/// are written for the boards that were finished.
pub fn transition(
    request: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let [n, boards, most, seed] = ["n", "boards", "most", "seed"].map(|key| request.params.whole(key));
    let given = [("n".to_owned(), n.to_string()), ("reveal".to_owned(), "1".to_owned())];
    let params = Params::new(families::RANDOM, &given)?;
    let mut workspaces = cover::Workspaces::default();
    let mut thresholds: Vec<Vec<usize>> = vec![Vec::new(); most as usize + 1];
    let mut end = Ok(());
    for i in 0..boards {
        output.progress(format_args!("{i} of {boards} boards"));
        let mut rng = ChaCha8Rng::seed_from_u64(u64::from(seed) + u64::from(i));
        let board = families::random(request.rules, &params, &mut rng)?;
        let mut order: Vec<usize> = (0..board.squares.len()).collect();
        order.shuffle(&mut rng);
        match thresholds_of(request.rules, &board, &order, most, &mut workspaces, budget) {
            Ok(found) => thresholds.iter_mut().zip(found).for_each(|(all, threshold)| all.push(threshold)),
            Err(error) => {
                end = Err(error);
                break;
            }
        }
    }
    for (misses, thresholds) in thresholds.iter_mut().enumerate().filter(|(_, of)| !of.is_empty()) {
        thresholds.sort_unstable();
        let share = |part: usize| thresholds[(thresholds.len() - 1) * part / 4] as f64 / f64::from(n * n);
        let rounded = |x: f64| Value::from((x * 1e4).round() / 1e4);
        output.row(row([
            ("n", n.into()),
            ("misses", misses.into()),
            ("boards", thresholds.len().into()),
            ("quarter", rounded(share(1))),
            ("half", rounded(share(2))),
            ("three_quarters", rounded(share(3))),
            ("width", rounded(share(3) - share(1))),
            ("moments", thresholds.clone().into()),
        ]));
    }
    end
}

/// For each number of misses from 0 to `most`, the threshold of `board` if its squares are uncovered in the order
/// `order`.
///
/// # Errors
/// Returns the limit of the budget that was reached.
pub fn thresholds_of(
    rules: &Rules,
    board: &Instance,
    order: &[usize],
    most: u32,
    workspaces: &mut cover::Workspaces,
    budget: &mut Budget,
) -> Result<Vec<usize>, StudyError> {
    let mut thresholds = Vec::new();
    // The threshold does not increase with the number of misses.
    let mut high = order.len();
    for misses in 0..=most {
        let rules = Rules { misses, ..rules.clone() };
        let mut low = 0;
        while low < high {
            let middle = low.midpoint(high);
            if wins(&rules, &uncovered(board, &order[..middle]), workspaces, budget)? {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        thresholds.push(high);
    }
    Ok(thresholds)
}

/// The board with only these squares uncovered.
pub fn uncovered(board: &Instance, squares: &[usize]) -> Instance {
    let mut known = vec![Square::Unknown; board.squares.len()];
    squares.iter().for_each(|&i| known[i] = board.squares[i]);
    Instance { size: board.size, squares: known }
}

fn wins(
    rules: &Rules,
    board: &Instance,
    workspaces: &mut cover::Workspaces,
    budget: &mut Budget,
) -> Result<bool, StudyError> {
    match cover::solve(workspaces, rules, board, budget) {
        Outcome::Decided(answer) => Ok(matches!(answer, Answer::Yes { .. })),
        Outcome::GaveUp(limit, _) => Err(limit.into()),
        Outcome::Unsupported(why) => Err(why.into()),
        Outcome::Failed(why) => Err(why.into()),
    }
}
