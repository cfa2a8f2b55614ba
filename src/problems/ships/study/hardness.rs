//! The question `hardness`: what boards of a random fleet cost, by the share of squares that is uncovered and by the
//! misses allowed, for the search and for SAT; and on how many of them the misses suffice.
//!
//! Fleets are uniform over placements, and each square is uncovered with the same chance, as in the family `random`:
//! the boards of a share are those that `generate` gives for the same seeds.

use super::effort::{Conflicts, nodes};
use crate::engine::{Budget, Limit};
use crate::problem::{Param, Params, StudyRequest};
use crate::problems::ships::answer::Answer;
use crate::problems::ships::search::cover;
use crate::problems::ships::{Instance, Rules, families};
use crate::study::{StudyError, StudyOutput, row};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

/// Side of the board; boards of each share; the most misses; shares are multiples of 1/`steps`; the seed of the first
/// board; nodes or conflicts after which a board is given up and counts with what it took.
pub const PARAMS: &[Param] = &[
    Param { key: "n", default: 10.0, min: 6.0, max: 32.0 },
    Param { key: "boards", default: 30.0, min: 1.0, max: 1e6 },
    Param { key: "most", default: 2.0, min: 0.0, max: 6.0 },
    Param { key: "steps", default: 10.0, min: 2.0, max: 100.0 },
    Param { key: "seed", default: 1.0, min: 0.0, max: 4e9 },
    Param { key: "work", default: 1e6, min: 1.0, max: 4e9 },
];

/// Work of one engine over the boards of a share.
#[derive(Default)]
struct Effort {
    all: u64,
    worst: u64,
    given_up: u32,
}

impl Effort {
    fn mean(&self, boards: u32) -> f64 {
        self.all as f64 / f64::from(boards)
    }
}

/// What was found at a share.
struct Point {
    share: f64,
    won: f64,
    nodes: f64,
    conflicts: f64,
}

/// A row for each number of misses and each share between 0 and 1.
///
/// # Errors
/// The limit that was met, behind the rows that were done; `Refused` where no fleet fits.
pub fn hardness(
    asked: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    report: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let [n, boards, most, steps, seed, work] =
        ["n", "boards", "most", "steps", "seed", "work"].map(|key| asked.params.whole(key));
    let sat = Conflicts::usual()?;
    let mut memory = cover::Memory::default();
    for misses in 0..=most {
        let rules = Rules { misses, ..asked.rules.clone() };
        let mut points = Vec::new();
        for step in 1..steps {
            let share = f64::from(step) / f64::from(steps);
            let given = [("n".to_owned(), n.to_string()), ("reveal".to_owned(), share.to_string())];
            let params = Params::new(families::RANDOM, &given).map_err(StudyError::Unsupported)?;
            let (mut search, mut clauses, mut won) = (Effort::default(), Effort::default(), 0);
            for i in 0..boards {
                report.progress(format_args!(
                    "{misses} of {most} misses, share {share}: {i} of {boards} boards"
                ));
                let mut rng = ChaCha8Rng::seed_from_u64(u64::from(seed) + u64::from(i));
                let board = families::random(&rules, &params, &mut rng).map_err(StudyError::Unsupported)?;
                let by_search =
                    spent(&mut search, work, budget, |part| nodes(&rules, &board, &mut memory, part))?;
                let by_sat = spent(&mut clauses, work, budget, |part| sat.of(&rules, &board, part))?;
                won += u32::from(matches!(by_search.or(by_sat), Some(Answer::Yes { .. })));
            }
            let point = Point {
                share,
                won: f64::from(won) / f64::from(boards),
                nodes: search.mean(boards),
                conflicts: clauses.mean(boards),
            };
            let rounded = |x: f64| Value::from((x * 1e4).round() / 1e4);
            let tenth = |x: f64| Value::from((x * 10.0).round() / 10.0);
            report.row(row([
                ("n", n.into()),
                ("misses", misses.into()),
                ("share", rounded(share)),
                ("boards", boards.into()),
                ("won", rounded(point.won)),
                ("nodes", tenth(point.nodes)),
                ("worst_nodes", search.worst.into()),
                ("conflicts", tenth(point.conflicts)),
                ("worst_conflicts", clauses.worst.into()),
                ("given_up", (search.given_up + clauses.given_up).into()),
            ]));
            points.push(point);
        }
        report.note(&peaks(n, misses, &points));
    }
    Ok(())
}

/// Counts the work on one board. No answer where its own limit was met.
fn spent(
    effort: &mut Effort,
    work: u32,
    budget: &mut Budget,
    ask: impl FnOnce(&mut Budget) -> Result<(Answer, u64), StudyError>,
) -> Result<Option<Answer>, StudyError> {
    let mut part = budget.part(budget.left().min(work.into()));
    let found = ask(&mut part);
    let here = part.work.nodes + part.work.conflicts;
    budget.work.nodes += part.work.nodes;
    budget.work.conflicts += part.work.conflicts;
    effort.all += here;
    effort.worst = effort.worst.max(here);
    match found {
        Ok((answer, _)) => Ok(Some(answer)),
        Err(StudyError::Limit(Limit::Work)) => {
            budget.poll()?;
            effort.given_up += 1;
            Ok(None)
        }
        Err(halt) => Err(halt),
    }
}

/// Where the work is greatest in the mean, and from which share on half of the boards are won.
fn peaks(n: u32, misses: u32, points: &[Point]) -> String {
    let most = |of: fn(&Point) -> f64| {
        let peak = points.iter().max_by(|a, b| of(a).total_cmp(&of(b)));
        peak.map_or(String::new(), |point| format!("at {} ({:.1})", point.share, of(point)))
    };
    let half = points.iter().find(|point| point.won >= 0.5);
    let half = half.map_or("at none of these shares".to_owned(), |point| format!("from {} on", point.share));
    format!(
        "{n}x{n}, misses={misses}: most nodes {}, most conflicts {}; half of the boards are won {half}.",
        most(|point| point.nodes),
        most(|point| point.conflicts),
    )
}
