//! The question `transition`: how much of a random fleet's board must be uncovered until m misses suffice.
//!
//! Squares are uncovered one by one in random order. Each rules sets out and lets none in, and parts of won families
//! are won, so there is a first moment from which on m misses suffice: it is found by halving, and no grid of shares
//! is needed. If a share r of the squares is uncovered, m misses suffice with the probability that this moment is
//! not past r; its quartiles are where half of the boards are won, and how sharply.

use crate::engine::{Budget, Outcome};
use crate::problem::{Param, Params, StudyRequest};
use crate::problems::ships::answer::Answer;
use crate::problems::ships::search::cover;
use crate::problems::ships::{Instance, Rules, Square, families};
use crate::study::{StudyError, StudyOutput, row};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

/// Side of the board, how many boards, the most misses, and the seed of the first board.
pub const PARAMS: &[Param] = &[
    Param { key: "n", default: 8.0, min: 6.0, max: 32.0 },
    Param { key: "boards", default: 100.0, min: 4.0, max: 1e6 },
    Param { key: "most", default: 3.0, min: 0.0, max: 6.0 },
    Param { key: "seed", default: 1.0, min: 0.0, max: 4e9 },
];

/// A row for each number of misses: the share of squares at which a quarter, half and three quarters of the boards are
/// won, and the width between the outer two.
///
/// # Errors
/// The limit that was met, after rows of the boards so far; `Refused` where no fleet fits.
pub fn transition(
    asked: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    report: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let [n, boards, most, seed] = ["n", "boards", "most", "seed"].map(|key| asked.params.whole(key));
    let given = [("n".to_owned(), n.to_string()), ("reveal".to_owned(), "1".to_owned())];
    let params = Params::new(families::RANDOM, &given).map_err(StudyError::Unsupported)?;
    let mut memory = cover::Memory::default();
    let mut moments: Vec<Vec<usize>> = vec![Vec::new(); most as usize + 1];
    let mut end = Ok(());
    for i in 0..boards {
        report.progress(format_args!("{i} of {boards} boards"));
        let mut rng = ChaCha8Rng::seed_from_u64(u64::from(seed) + u64::from(i));
        let board = families::random(asked.rules, &params, &mut rng).map_err(StudyError::Unsupported)?;
        let mut order: Vec<usize> = (0..board.squares.len()).collect();
        order.shuffle(&mut rng);
        match of_board(asked.rules, &board, &order, most, &mut memory, budget) {
            Ok(found) => moments.iter_mut().zip(found).for_each(|(all, moment)| all.push(moment)),
            Err(halt) => {
                end = Err(halt);
                break;
            }
        }
    }
    for (misses, moments) in moments.iter_mut().enumerate().filter(|(_, moments)| !moments.is_empty()) {
        moments.sort_unstable();
        let share = |part: usize| moments[(moments.len() - 1) * part / 4] as f64 / f64::from(n * n);
        let rounded = |x: f64| Value::from((x * 1e4).round() / 1e4);
        report.row(row([
            ("n", n.into()),
            ("misses", misses.into()),
            ("boards", moments.len().into()),
            ("quarter", rounded(share(1))),
            ("half", rounded(share(2))),
            ("three_quarters", rounded(share(3))),
            ("width", rounded(share(3) - share(1))),
            ("moments", moments.clone().into()),
        ]));
    }
    end
}

/// For each number of misses up to `most`, how many squares of `order` have to be uncovered.
///
/// # Errors
/// The limit that was met.
pub fn of_board(
    rules: &Rules,
    board: &Instance,
    order: &[usize],
    most: u32,
    memory: &mut cover::Memory,
    budget: &mut Budget,
) -> Result<Vec<usize>, StudyError> {
    let mut moments = Vec::new();
    // A miss more never needs more squares.
    let mut high = order.len();
    for misses in 0..=most {
        let rules = Rules { misses, ..rules.clone() };
        let mut low = 0;
        while low < high {
            let middle = low.midpoint(high);
            if wins(&rules, &uncovered(board, &order[..middle]), memory, budget)? {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        moments.push(high);
    }
    Ok(moments)
}

/// The board with these squares uncovered alone.
pub fn uncovered(board: &Instance, squares: &[usize]) -> Instance {
    let mut known = vec![Square::Unknown; board.squares.len()];
    squares.iter().for_each(|&i| known[i] = board.squares[i]);
    Instance { size: board.size, squares: known }
}

fn wins(
    rules: &Rules,
    board: &Instance,
    memory: &mut cover::Memory,
    budget: &mut Budget,
) -> Result<bool, StudyError> {
    match cover::solve(memory, rules, board, budget) {
        Outcome::Decided(answer) => Ok(matches!(answer, Answer::Yes { .. })),
        Outcome::GaveUp(limit, _) => Err(limit.into()),
        Outcome::Unsupported(why) | Outcome::Failed(why) => Err(StudyError::Unsupported(why)),
    }
}
