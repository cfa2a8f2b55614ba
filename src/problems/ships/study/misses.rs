//! The question `misses`: the fewest misses with which the fleet can be uncovered for sure, and how.
//!
//! One miss more is allowed until the exact cover finds a plan. The covered sets that were lost with one miss less
//! are the lower bound's evidence: a lost family stays lost whatever else fits.

use super::certificate;
use super::families::game::{Set, fewest_wins};
use super::tree;
use crate::board::{Cell, Size};
use crate::engine::{Budget, Limit, Outcome};
use crate::problem::{Param, StudyRequest};
use crate::problems::ships::answer::{Answer, Plan};
use crate::problems::ships::search::cover;
use crate::problems::ships::{Instance, Rules, answer};
use crate::study::{StudyError, StudyOutput, row};
use serde_json::Value;

/// Default maximum number of misses.
pub const PARAMS: &[Param] = &[Param { key: "most", default: 8.0, min: 0.0, max: 64.0 }];

/// Plans with more leaves than this are written to files only.
const MAX_TOLD: usize = 64;
/// Nodes for trying the orders of shots at squares that the fewest sets lack.
const FEWEST_NODES: u64 = 100_000;

/// Whether shooting at squares that the fewest sets lack, in some order of equal ones, does with so many misses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fewest {
    /// It does.
    Wins,
    /// It does not.
    Fails,
    /// Over 64 squares in doubt, or too many orders to try.
    Unknown,
}

/// A row for each number of misses, from 0 to the first that suffices or to `most`. Files: `certificate.json`, `tree.svg`.
///
/// # Errors
/// The limit that was met.
pub fn misses(
    asked: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    report: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let board =
        asked.instance.ok_or_else(|| StudyError::Unsupported("misses is about a position".to_owned()))?;
    let most = asked.params.whole("most");
    let mut memory = cover::Memory::default();
    let mut lost: Option<Answer> = None;
    for misses in 0..=most {
        report.progress(format_args!("{misses} of at most {most} misses"));
        let rules = Rules { misses, ..asked.rules.clone() };
        let before = budget.work.nodes;
        let answer = match cover::solve(&mut memory, &rules, board, budget) {
            Outcome::Decided(answer) => answer,
            Outcome::GaveUp(limit, _) => return Err(limit.into()),
            Outcome::Unsupported(why) | Outcome::Failed(why) => return Err(StudyError::Unsupported(why)),
        };
        let [mut sets, mut beaten, mut shots, mut plan, mut covered] = [const { Value::Null }; 5];
        let mut fewest = Fewest::Unknown;
        match &answer {
            Answer::Yes { sets: listed, plan: found } => {
                (sets, shots) = (listed.len().into(), tree::shots(found).into());
                let mut evidence = answer::to_json(&answer);
                plan = evidence.remove("plan").unwrap_or_default();
                covered = evidence.remove("sets").unwrap_or_default();
                fewest = by_fewest(board.size, listed, misses, budget)?;
            }
            Answer::No { lost } => beaten = lost.len().into(),
            Answer::NoFleet => sets = 0.into(),
        }
        report.row(row([
            ("misses", misses.into()),
            ("outcome", answer::outcome(&answer).into()),
            ("sets", sets),
            ("lost", beaten),
            ("shots", shots),
            (
                "fewest_o",
                match fewest {
                    Fewest::Wins => "wins".into(),
                    Fewest::Fails => "fails".into(),
                    Fewest::Unknown => Value::Null,
                },
            ),
            ("nodes", (budget.work.nodes - before).into()),
            ("plan", plan),
            // A plan's ends count them from 0.
            ("covered_sets", covered),
        ]));
        let Answer::No { .. } = answer else {
            report.file("certificate.json", &|| {
                certificate::misses(&rules, board, &answer, lost.as_ref(), fewest)
            });
            if let Answer::Yes { sets, plan } = &answer {
                tell(board, sets, plan, report);
            }
            return Ok(());
        };
        lost = Some(answer);
    }
    // Not an error: of a file of games the next may need fewer.
    let why = format!("Not with {most} misses or fewer; allow more by most=N.");
    report.note(&why);
    report.no_file(&why);
    Ok(())
}

fn by_fewest(size: Size, sets: &[Vec<Cell>], misses: u32, budget: &mut Budget) -> Result<Fewest, StudyError> {
    let held = |cell: &Cell| sets.iter().filter(|set| set.contains(cell)).count();
    let doubtful: Vec<Cell> = size.iter().filter(|cell| (1..sets.len()).contains(&held(cell))).collect();
    if doubtful.len() > Set::BITS as usize {
        return Ok(Fewest::Unknown);
    }
    let bits = |set: &Vec<Cell>| {
        (0..doubtful.len()).filter(|&i| set.contains(&doubtful[i])).fold(0, |s, i| s | 1 << i)
    };
    let family: Vec<Set> = sets.iter().map(bits).collect();
    let mut part = budget.part(FEWEST_NODES.min(budget.left()));
    let wins = fewest_wins(&family, misses, &mut part);
    budget.work.nodes += part.work.nodes;
    match wins {
        Ok(true) => Ok(Fewest::Wins),
        Ok(false) => Ok(Fewest::Fails),
        Err(Limit::Work) if budget.left() > 0 => Ok(Fewest::Unknown),
        Err(limit) => Err(limit.into()),
    }
}

fn tell(board: &Instance, sets: &[Vec<crate::board::Cell>], plan: &Plan, report: &mut dyn StudyOutput) {
    report.file("tree.svg", &|| tree::drawn(plan).into_bytes());
    if sets.len() <= MAX_TOLD {
        report.note(&tree::told(board, sets, plan));
    } else {
        report.note(&format!("The plan has {} ends; --save DIR keeps it.", sets.len()));
    }
}
