//! The study `misses`: the minimum number of misses with which the fleet can certainly be uncovered, and a plan.
//!
//! The study tries 0, 1, 2, … misses until the exact cover search finds a plan. The evidence for the lower bound is the
//! family of covered sets that was lost with one fewer miss: every family that contains a lost one is lost.

use super::families::game::{FewestO, Set, fewest_o_wins};
use super::{certificate, tree};
use crate::answer::{Answer, Plan};
use crate::search::cover;
use crate::{Instance, Rules, answer};
use counterpoint_core::board::{Cell, Size};
use counterpoint_core::engine::{Budget, Limit, Outcome};
use counterpoint_core::problem::{Param, StudyRequest};
use counterpoint_core::study::{StudyError, StudyOutput, plural, row};
use serde_json::Value;

/// `most`: the maximum number of misses that are tried.
pub const PARAMS: &[Param] = &[Param::number("most", 8.0, 0.0, 64.0)];

/// Maximum number of leaves of a plan that is printed. Larger plans are only written to files.
const MAX_PRINTED_LEAVES: usize = 64;
/// Maximum number of nodes for trying the policies that shoot at squares that the fewest sets lack.
const FEWEST_O_NODES: u64 = 100_000;

/// One row for each number of misses, from 0 to the first that suffices or to `most`. Files: `certificate.json`,
/// `tree.svg`.
///
/// # Errors
/// Returns `Unsupported` without a position, or the limit of the budget that was reached.
pub fn misses(
    request: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let board = request.instance.ok_or_else(|| StudyError::unsupported("misses needs a position"))?;
    let most = request.params.whole("most");
    let mut workspaces = cover::Workspaces::default();
    let mut lost: Option<Answer> = None;
    for misses in 0..=most {
        output.progress(format_args!("{misses} misses of at most {most}"));
        let rules = Rules { misses, ..request.rules.clone() };
        let before = budget.work.nodes;
        let answer = match cover::solve(&mut workspaces, &rules, board, budget) {
            Outcome::Decided(answer) => answer,
            Outcome::GaveUp(limit, _) => return Err(limit.into()),
            Outcome::Unsupported(why) => return Err(why.into()),
            Outcome::Failed(why) => return Err(why.into()),
        };
        let [mut sets, mut lost_sets, mut shots, mut plan, mut covered] = [const { Value::Null }; 5];
        let mut fewest_o = FewestO::Unknown;
        match &answer {
            Answer::Yes { sets: listed, plan: found } => {
                (sets, shots) = (listed.len().into(), tree::max_shots(found).into());
                let mut evidence = answer::to_json(&answer);
                plan = evidence.remove("plan").unwrap_or_default();
                covered = evidence.remove("sets").unwrap_or_default();
                fewest_o = play_fewest_o(board.size, listed, misses, budget)?;
            }
            Answer::No { lost } => lost_sets = lost.len().into(),
            Answer::NoFleet => sets = 0.into(),
            // Engines give evidence.
            Answer::Verdict(_) => {}
        }
        output.row(row([
            ("misses", misses.into()),
            ("outcome", answer::outcome(&answer).into()),
            ("sets", sets),
            ("lost", lost_sets),
            ("shots", shots),
            (
                "fewest_o",
                match fewest_o {
                    FewestO::Wins => "wins".into(),
                    FewestO::Fails => "fails".into(),
                    FewestO::Unknown => Value::Null,
                },
            ),
            ("nodes", (budget.work.nodes - before).into()),
            ("plan", plan),
            // The leaves of the plan number these sets from 1.
            ("covered_sets", covered),
        ]));
        let Answer::No { .. } = answer else {
            output.file("certificate.json", &|| {
                certificate::misses(&rules, board, &answer, lost.as_ref(), fewest_o)
            });
            if let Answer::Yes { sets, plan } = &answer {
                write_plan(board, sets, plan, output);
            }
            return Ok(());
        };
        lost = Some(answer);
    }
    // This is not an error: the next position of the file may need fewer misses.
    let why = format!("{} not enough; allow more with most=N.", plural(most, "miss is", "misses are"));
    output.note(&why);
    output.no_file(&why);
    Ok(())
}

/// Whether some fewest-`o` policy wins against these sets.
fn play_fewest_o(
    size: Size,
    sets: &[Vec<Cell>],
    misses: u32,
    budget: &mut Budget,
) -> Result<FewestO, StudyError> {
    let containing = |cell: &Cell| sets.iter().filter(|set| set.contains(cell)).count();
    let ambiguous: Vec<Cell> =
        size.iter().filter(|cell| (1..sets.len()).contains(&containing(cell))).collect();
    if ambiguous.len() > Set::BITS as usize {
        return Ok(FewestO::Unknown);
    }
    let bits = |set: &Vec<Cell>| {
        (0..ambiguous.len()).filter(|&i| set.contains(&ambiguous[i])).fold(0, |s, i| s | 1 << i)
    };
    let family: Vec<Set> = sets.iter().map(bits).collect();
    let mut part = budget.part(FEWEST_O_NODES.min(budget.left()));
    let wins = fewest_o_wins(&family, misses, &mut part);
    budget.work.nodes += part.work.nodes;
    match wins {
        Ok(true) => Ok(FewestO::Wins),
        Ok(false) => Ok(FewestO::Fails),
        Err(Limit::Work) if budget.left() > 0 => Ok(FewestO::Unknown),
        Err(limit) => Err(limit.into()),
    }
}

/// Writes a plan to a file and, if it is small, prints it.
fn write_plan(board: &Instance, sets: &[Vec<Cell>], plan: &Plan, output: &mut dyn StudyOutput) {
    output.file("tree.svg", &|| tree::svg(plan).into_bytes());
    if sets.len() <= MAX_PRINTED_LEAVES {
        output.note(&tree::text(board, sets, plan));
    } else {
        output.note(&format!("The plan has {} leaves; --save DIR writes it to a file.", sets.len()));
    }
}
