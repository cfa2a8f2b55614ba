//! The question `misses`: the fewest misses with which the fleet can be uncovered for sure, and how.
//!
//! One miss more is allowed until the exact cover finds a plan. The covered sets that were lost with one miss less
//! are the lower bound's evidence: a lost family stays lost whatever else fits.

use super::certificate;
use super::tree;
use crate::engine::{Budget, Outcome};
use crate::problem::{Asked, Param};
use crate::problems::ships::answer::{Answer, Plan};
use crate::problems::ships::search::cover;
use crate::problems::ships::{Instance, Rules, answer};
use crate::study::{Halt, Report, row};
use serde_json::Value;

/// Misses past which nobody asks.
pub const PARAMS: &[Param] = &[Param { key: "most", default: 8.0, min: 0.0, max: 64.0 }];

/// Plans of more ends than this are told in files alone.
const MOST_TOLD: usize = 64;

/// A row for each number of misses, from 0 to the first that suffices. Files: `certificate.json`, `tree.svg`.
///
/// # Errors
/// The limit that was met; `Refused` where `most` misses do not suffice.
pub fn misses(
    asked: &Asked<'_, Rules, Instance>,
    budget: &mut Budget,
    report: &mut dyn Report,
) -> Result<(), Halt> {
    let board = asked.instance.ok_or_else(|| Halt::Refused("misses is about a position".to_owned()))?;
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
            Outcome::Unsupported(why) | Outcome::Failed(why) => return Err(Halt::Refused(why)),
        };
        let (mut sets, mut beaten, mut shots, mut plan) =
            (Value::Null, Value::Null, Value::Null, Value::Null);
        match &answer {
            Answer::Yes { sets: listed, plan: found } => {
                (sets, shots) = (listed.len().into(), tree::shots(found).into());
                plan = answer::to_json(&answer).remove("plan").unwrap_or_default();
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
            ("nodes", (budget.work.nodes - before).into()),
            ("plan", plan),
        ]));
        let Answer::No { .. } = answer else {
            report.file("certificate.json", &|| certificate::misses(&rules, board, &answer, lost.as_ref()));
            if let Answer::Yes { sets, plan } = &answer {
                tell(board, sets, plan, report);
            }
            return Ok(());
        };
        lost = Some(answer);
    }
    Err(Halt::Refused(format!("{most} misses are not enough; allow more by most=N")))
}

fn tell(board: &Instance, sets: &[Vec<crate::board::Cell>], plan: &Plan, report: &mut dyn Report) {
    report.file("tree.svg", &|| tree::drawn(plan).into_bytes());
    if sets.len() <= MOST_TOLD {
        report.note(&tree::told(board, sets, plan));
    } else {
        report.note(&format!("The plan has {} ends; --save DIR keeps it.", sets.len()));
    }
}
