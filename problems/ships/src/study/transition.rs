//! The study `transition`: how much of a random fleet's board must be uncovered before m misses suffice.
//!
//! Squares are uncovered one by one in random order. An uncovered square can only exclude covered sets, and if m misses
//! suffice for a family of sets, they suffice for every subfamily. So there is a *threshold*: m misses suffice if and
//! only if at least this number of squares is uncovered. Binary search finds the threshold without a grid of shares. If
//! a share r of the squares is uncovered, the probability that m misses suffice is the probability that the threshold
//! is at most r times the number of squares. The quartiles of the threshold show where half of the boards are won and
//! how sharp the transition is.
//!
//! With `limit=yes`, the side of the board is infinite: `transition/limit.rs` draws the boards to which random boards
//! tend, and `transition/exact.rs` has the probabilities that have a formula.

pub mod exact;
pub mod limit;

use crate::answer::Answer;
use crate::search::cover;
use crate::{Instance, Rules, Square, families};
use chacha20::ChaCha8Rng;
use counterpoint_core::engine::{Budget, Outcome};
use counterpoint_core::problem::{Param, Params, StudyRequest};
use counterpoint_core::study::{Row, StudyError, StudyOutput, row};
use limit::PreparedFleet;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use serde_json::Value;

/// `n`: side of the board. `boards`: number of boards. `most`: maximum number of misses. `seed`: seed of the first
/// board. `limit`: `yes` for the limit as the side grows; then `n` has no meaning.
pub const PARAMS: &[Param] = &[
    Param::number("n", 8.0, 6.0, 32.0),
    Param::number("boards", 100.0, 4.0, 1e6),
    Param::number("most", 3.0, 0.0, 6.0),
    Param::number("seed", 1.0, 0.0, 4e9),
    Param::word("limit", &["no", "yes"]),
];

/// One row for each number of misses: the share of squares at which a quarter, a half and three quarters of the boards
/// are won, and the difference between the first and the last of these shares. `half_from` and `half_to` bound the
/// median with confidence 95 %. The column `intervals` has such bounds for all three shares, `won` the share of boards
/// that are won at shares .1 to .9, and `moments` the thresholds of all boards, ascending.
///
/// With `limit=yes`, thresholds are shares, and a last row is about any number of misses. A summary has the exact
/// quartiles for any number of misses and, if no two ships are equal and the ships are small, for no miss.
///
/// # Errors
/// Returns `Unsupported` if no fleet fits, or if the limit does not support this fleet; or the limit of the budget that
/// was reached. Before such an error, the rows are written for the boards that were finished.
pub fn transition(
    request: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    if request.params.word("limit") == "yes" {
        return in_the_limit(request, budget, output);
    }
    let n = request.params.whole("n");
    let most = request.params.whole("most");
    let given = [("n".to_owned(), n.to_string()), ("reveal".to_owned(), "1".to_owned())];
    let params = Params::new(families::RANDOM, &given)?;
    let mut workspaces = cover::Workspaces::default();
    let (found, end) = for_each_board(request, output, |rng| {
        let board = families::random(request.rules, &params, rng)?;
        let mut order: Vec<usize> = (0..board.squares.len()).collect();
        order.shuffle(rng);
        thresholds_of(request.rules, &board, &order, most, &mut workspaces, budget)
    });
    for (misses, mut thresholds) in by_misses(&found).into_iter().enumerate() {
        thresholds.sort_unstable();
        let shares: Vec<f64> = thresholds.iter().map(|&count| count as f64 / f64::from(n * n)).collect();
        output.row(finding((n.into(), misses.into()), &shares, thresholds.into()));
    }
    end
}

fn in_the_limit(
    request: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    if request.params.is_given("n") {
        return Err("with limit=yes the side is infinite; leave out n".into());
    }
    let most = request.params.whole("most");
    let ships = PreparedFleet::new(&request.rules.fleet)?;
    let (found, end) =
        for_each_board(request, output, |rng| Ok(ships.draw(rng).thresholds(most, rng, budget)?));
    for (misses, mut shares) in (0..).zip(by_misses(&found)) {
        shares.sort_by(f64::total_cmp);
        let misses = if misses > most { "any".into() } else { misses.into() };
        output.row(finding(
            ("inf".into(), misses),
            &shares,
            shares.iter().map(|&share| rounded(share)).collect(),
        ));
    }
    let quartiles = |of: &dyn Fn(f64) -> f64| [0.25, 0.5, 0.75].map(|part| exact::quantile(part, of));
    let any = quartiles(&|r| exact::all_hit(&ships, r));
    let none = exact::NoMiss::new(&ships).map(|none| quartiles(&|r| none.probability(r)));
    let text = |of: &[f64; 3]| of.map(|share| format!("{share:.4}")).join(" ");
    let mut lines = vec![format!("Exact quartiles, any number of misses: {}.", text(&any))];
    lines.extend(none.as_ref().map(|none| format!("Exact quartiles, no miss: {}.", text(none))));
    let numbers = |of: [f64; 3]| Value::from(of.map(|share| (share * 1e8).round() / 1e8).to_vec());
    output.summary(
        &lines.join("\n"),
        row([("exact_any", numbers(any)), ("exact_no_miss", none.map_or(Value::Null, numbers))]),
    );
    end
}

/// Calls `thresholds` once for each board, with a generator of its own. Returns the results and, if one of the calls
/// failed, its error; no board follows that one.
fn for_each_board<T>(
    request: &StudyRequest<'_, Rules, Instance>,
    output: &mut dyn StudyOutput,
    mut thresholds: impl FnMut(&mut ChaCha8Rng) -> Result<Vec<T>, StudyError>,
) -> (Vec<Vec<T>>, Result<(), StudyError>) {
    let [boards, seed] = ["boards", "seed"].map(|key| request.params.whole(key));
    let mut found = Vec::new();
    for i in 0..boards {
        output.steps((i.into(), boards.into()), format_args!("boards"));
        match thresholds(&mut ChaCha8Rng::seed_from_u64(u64::from(seed) + u64::from(i))) {
            Ok(of) => found.push(of),
            Err(error) => return (found, Err(error)),
        }
    }
    (found, Ok(()))
}

/// The thresholds of all boards, listed for each number of misses.
fn by_misses<T: Copy>(boards: &[Vec<T>]) -> Vec<Vec<T>> {
    let numbers = boards.first().map_or(0, Vec::len);
    (0..numbers).map(|misses| boards.iter().map(|of| of[misses]).collect()).collect()
}

/// A row. `shares` are the thresholds of all boards as shares, ascending.
fn finding((n, misses): (Value, Value), shares: &[f64], moments: Value) -> Row {
    let quartile = |part: usize| shares[(shares.len() - 1) * part / 4];
    let intervals = [0.25, 0.5, 0.75].map(|part| interval(shares, part));
    let won = (1..10).map(|tenths| {
        let won = shares.partition_point(|&share| share <= f64::from(tenths) / 10.0);
        rounded(won as f64 / shares.len() as f64)
    });
    row([
        ("n", n),
        ("misses", misses),
        ("boards", shares.len().into()),
        ("quarter", rounded(quartile(1))),
        ("half", rounded(quartile(2))),
        ("half_from", rounded(intervals[1][0])),
        ("half_to", rounded(intervals[1][1])),
        ("three_quarters", rounded(quartile(3))),
        ("width", rounded(quartile(3) - quartile(1))),
        (
            "intervals",
            intervals.iter().map(|of| of.map(rounded).to_vec().into()).collect::<Vec<Value>>().into(),
        ),
        ("won", won.collect()),
        ("moments", moments),
    ])
}

/// Bounds of a quantile with confidence 95 %, for any distribution. The number of boards below the quantile is
/// binomial, and two standard deviations to either side of its mean are taken from the ascending list `shares`.
fn interval(shares: &[f64], part: f64) -> [f64; 2] {
    let count = shares.len() as f64;
    let (mean, around) = (count * part, 1.96 * (count * part * (1.0 - part)).sqrt());
    let at = |rank: f64| shares[(rank.max(1.0) as usize).min(shares.len()) - 1];
    [at((mean - around).floor()), at((mean + around).ceil() + 1.0)]
}

fn rounded(x: f64) -> Value {
    Value::from((x * 1e4).round() / 1e4)
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
