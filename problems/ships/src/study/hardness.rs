//! The study `hardness`: for each number of misses and each share, the work of the search and of SAT on boards of a
//! family, the fraction of these boards that are won, and the fraction that no fleet fits.
//!
//! The share sets the parameter that decides how hard the family is: the share of uncovered squares in `random`, of
//! hidden squares in `hard` and `moved`; the number of hits in `contradictory`, as a share of the squares of the fleet;
//! and in `packed` the number of spare squares, as a share of the squares outside the fleet. The other parameters have
//! their defaults. So the boards are those that `generate` makes for the same parameters and seeds.

use super::effort::{OwnerEngine, by_search};
use crate::answer::Answer;
use crate::search::cover;
use crate::{Instance, Rules, families};
use chacha20::ChaCha8Rng;
use counterpoint_core::engine::Budget;
use counterpoint_core::errors::GenerateError;
use counterpoint_core::problem::{Param, Params, StudyRequest};
use counterpoint_core::study::{Effort, StudyError, StudyOutput, row};
use rand::SeedableRng;
use serde_json::Value as Json;

/// `family`: the family of the boards. `n`: side of the board. `boards`: number of boards for each share. `most`: maximum
/// number of misses. `steps`: the shares are the multiples of 1/`steps` between 0 and 1. `seed`: seed of the first
/// board. `work`: maximum number of nodes or conflicts on one board. If a board reaches this limit, the work done until
/// then is counted.
pub const PARAMS: &[Param] = &[
    Param::word("family", &[FAMILIES[0].0, FAMILIES[1].0, FAMILIES[2].0, FAMILIES[3].0, FAMILIES[4].0]),
    Param::number("n", 10.0, 6.0, 32.0),
    Param::number("boards", 30.0, 1.0, 1e6),
    Param::number("most", 2.0, 0.0, 6.0),
    Param::number("steps", 10.0, 2.0, 100.0),
    Param::number("seed", 1.0, 0.0, 4e9),
    Param::number("work", 1e6, 1.0, 4e9),
];

/// A generator of boards.
type Make = fn(&Rules, &Params, &mut ChaCha8Rng) -> Result<Instance, GenerateError>;
/// The value of a parameter for a share between 0 and 1. The other numbers are those of the squares of the fleet and of
/// the board.
type Value = fn(share: f64, fleet: f64, board: f64) -> f64;

/// The families: name, parameters, the parameter that the share sets, its value, generator.
const FAMILIES: [(&str, &[Param], &str, Value, Make); 5] = [
    ("random", families::RANDOM, "reveal", |share, _, _| share, families::random),
    ("hard", families::HARD, "hidden", |share, _, _| share, families::hard),
    (
        "contradictory",
        families::CONTRADICTORY,
        "hits",
        |share, fleet, _| (share * fleet).round(),
        families::contradictory,
    ),
    ("moved", families::MOVED, "hidden", |share, _, _| share, families::moved),
    (
        "packed",
        families::PACKED,
        "spare",
        |share, fleet, board| (share * (board - fleet).max(0.0)).round(),
        families::packed,
    ),
];

/// The results for one share.
struct Point {
    share: f64,
    /// Fraction of the boards that an engine found to be won.
    won: f64,
    /// Mean number of nodes.
    nodes: f64,
    /// Mean number of conflicts.
    conflicts: f64,
}

/// One row for each number of misses and each share; the shares 0 and 1 are left out.
///
/// # Errors
/// Returns `Unsupported` if the fleet does not fit the board, or the limit of the budget that was reached. Rows that were
/// written before an error remain.
pub fn hardness(
    request: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let [n, boards, most, steps, seed, work] =
        ["n", "boards", "most", "steps", "seed", "work"].map(|key| request.params.whole(key));
    let name = request.params.word("family");
    let Some((_, accepted, key, value, make)) = FAMILIES.into_iter().find(|family| family.0 == name) else {
        return Err(StudyError::unsupported(format!("there is no family {name}")));
    };
    let (fleet, board) = (request.rules.fleet.cells() as f64, f64::from(n * n));
    let sat = OwnerEngine::with_defaults()?;
    let mut workspaces = cover::Workspaces::default();
    for misses in 0..=most {
        let rules = Rules { misses, ..request.rules.clone() };
        let mut points = Vec::new();
        for step in 1..steps {
            let share = f64::from(step) / f64::from(steps);
            let value = value(share, fleet, board);
            let given = [("n".to_owned(), n.to_string()), (key.to_owned(), value.to_string())];
            let params = Params::new(accepted, &given)?;
            let (mut nodes, mut conflicts) = (Effort::default(), Effort::default());
            let (mut won, mut no_fleet) = (0, 0);
            for i in 0..boards {
                let what = format_args!("boards with {misses} of {most} misses, share {share}");
                output.steps((i.into(), boards.into()), what);
                let mut rng = ChaCha8Rng::seed_from_u64(u64::from(seed) + u64::from(i));
                let board = make(&rules, &params, &mut rng)?;
                let searched =
                    nodes.measure(work, budget, |part| by_search(&rules, &board, &mut workspaces, part))?;
                let solved = conflicts.measure(work, budget, |part| sat.solve(&rules, &board, part))?;
                let answer = searched.or(solved).map(|measured| measured.answer);
                won += u32::from(matches!(answer, Some(Answer::Yes { .. })));
                no_fleet += u32::from(matches!(answer, Some(Answer::NoFleet)));
            }
            let point = Point {
                share,
                won: f64::from(won) / f64::from(boards),
                nodes: nodes.mean(boards),
                conflicts: conflicts.mean(boards),
            };
            let rounded = |x: f64| Json::from((x * 1e4).round() / 1e4);
            let tenth = |x: f64| Json::from((x * 10.0).round() / 10.0);
            output.row(row([
                ("family", name.into()),
                ("n", n.into()),
                ("misses", misses.into()),
                ("share", rounded(share)),
                (key, rounded(value)),
                ("boards", boards.into()),
                ("won", rounded(point.won)),
                ("no_fleet", rounded(f64::from(no_fleet) / f64::from(boards))),
                ("nodes", tenth(point.nodes)),
                ("worst_nodes", nodes.worst.into()),
                ("conflicts", tenth(point.conflicts)),
                ("worst_conflicts", conflicts.worst.into()),
                ("given_up", (nodes.given_up + conflicts.given_up).into()),
            ]));
            points.push(point);
        }
        output.note(&peaks(n, misses, &points));
    }
    Ok(())
}

/// The shares with the greatest mean work, and the lowest share at which half of the boards are won.
fn peaks(n: u32, misses: u32, points: &[Point]) -> String {
    let peak_of = |of: fn(&Point) -> f64| {
        let peak = points.iter().max_by(|a, b| of(a).total_cmp(&of(b)));
        peak.map_or(String::new(), |point| format!("at share {} ({:.1})", point.share, of(point)))
    };
    let half = points.iter().find(|point| point.won >= 0.5);
    let half = half.map_or("at no share".to_owned(), |point| format!("from share {}", point.share));
    format!(
        "{n}x{n}, misses={misses}: mean nodes peak {}, mean conflicts {}; half of the boards are won {half}.",
        peak_of(|point| point.nodes),
        peak_of(|point| point.conflicts),
    )
}
