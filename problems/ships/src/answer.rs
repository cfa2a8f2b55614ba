//! An answer is a plan of shots, a family that no plan wins, or the statement that no fleet fits. For a program that
//! was written for the judge, only the verdict is known.

pub mod count;
pub mod family;
pub mod lost;
pub mod reason;

use super::Instance;
use counterpoint_core::board::{Cell, Size};
use counterpoint_core::errors::FormatError;
use counterpoint_core::problem::Agreement;
use serde_json::{Map, Value, json};

/// An outcome with its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Some plan uncovers the fleet with the misses allowed, whichever set the fleet covers.
    Yes {
        /// All covered sets that fit, each ascending, in ascending order.
        sets: Vec<Vec<Cell>>,
        /// The plan.
        plan: Plan,
    },
    /// No plan uncovers the fleet in all cases.
    No {
        /// Covered sets that fit. No plan wins against all of them.
        lost: Vec<Vec<Cell>>,
    },
    /// No fleet fits the board.
    NoFleet,
    /// What the judge expects of a program: the outcome without evidence.
    Verdict(Verdict),
}

/// A verdict for the judge, who accepts "no" also if no fleet fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A fleet fits, and some plan uncovers it with the misses allowed, whichever set it covers.
    Yes,
    /// No plan uncovers the fleet in all cases, or no fleet fits.
    No,
}

/// A plan of shots, as a binary tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Uncover a cell and continue with one of two plans.
    Shoot {
        /// The cell.
        cell: Cell,
        /// The plan if the cell belongs to a ship.
        hit: Box<Plan>,
        /// The plan if it does not.
        miss: Box<Plan>,
    },
    /// Only one set is left. This is its index in the list of sets, from 0.
    Sink(usize),
}

/// The JSON member which says that a verdict has no evidence.
const EVIDENCE: &str = "evidence";

/// The outcome in a word.
pub fn outcome(answer: &Answer) -> &'static str {
    match answer {
        Answer::Yes { .. } | Answer::Verdict(Verdict::Yes) => "yes",
        Answer::No { .. } | Answer::Verdict(Verdict::No) => "no",
        Answer::NoFleet => "no-fleet",
    }
}

/// Two answers agree if their outcomes are equal. If both answers list all sets that fit, the sets must be equal, too.
/// The verdict "no" includes the case that no fleet fits.
pub fn agree(a: &Answer, b: &Answer) -> Agreement {
    let same = match (a, b) {
        (Answer::Verdict(Verdict::No), Answer::NoFleet) | (Answer::NoFleet, Answer::Verdict(Verdict::No)) => {
            return Agreement::Compatible;
        }
        (Answer::Yes { sets: a, .. }, Answer::Yes { sets: b, .. }) => a == b,
        _ => outcome(a) == outcome(b),
    };
    if same { Agreement::Same } else { Agreement::Contradict }
}

/// The outcome and its evidence as JSON members. Rows, columns and sets are numbered from 1. If the evidence is
/// missing, a member says so.
pub fn to_json(answer: &Answer) -> Map<String, Value> {
    let mut map = Map::new();
    map.insert("outcome".into(), outcome(answer).into());
    match answer {
        Answer::Yes { sets, plan } => {
            map.insert("sets".into(), sets_to_json(sets));
            map.insert("plan".into(), plan_to_json(plan));
        }
        Answer::No { lost } => {
            map.insert("lost".into(), sets_to_json(lost));
        }
        Answer::NoFleet => {}
        Answer::Verdict(_) => drop(map.insert(EVIDENCE.into(), "none".into())),
    }
    map
}

fn sets_to_json(sets: &[Vec<Cell>]) -> Value {
    sets.iter().map(|set| set.iter().map(|cell| json!(cell.one_based())).collect::<Value>()).collect()
}

fn plan_to_json(plan: &Plan) -> Value {
    match plan {
        Plan::Sink(set) => json!({ "sink": set + 1 }),
        Plan::Shoot { cell, hit, miss } => {
            json!({ "shoot": cell.one_based(), "hit": plan_to_json(hit), "miss": plan_to_json(miss) })
        }
    }
}

/// Reads an answer from JSON. Checks that cells lie on the board, that each leaf of the plan is the number of a listed
/// set, and that no path has more shots than the board has cells.
///
/// # Errors
/// Returns a message that names the member that is missing or has the wrong form.
pub fn from_json(instance: &Instance, json: &Map<String, Value>) -> Result<Answer, FormatError> {
    if let Some(evidence) = json.get(EVIDENCE) {
        return verdict_from_json(evidence, json.get("outcome"));
    }
    match json.get("outcome").and_then(Value::as_str) {
        Some("yes") => {
            let sets = sets_from_json(instance.size, "sets", json.get("sets"))?;
            let plan = json.get("plan").ok_or("\"plan\" is missing")?;
            let plan = plan_from_json(instance.size, sets.len(), plan, instance.size.cells())?;
            Ok(Answer::Yes { sets, plan })
        }
        Some("no") => lost_from_json(instance, json),
        Some("no-fleet") => Ok(Answer::NoFleet),
        _ => Err("\"outcome\" is neither \"yes\", \"no\" nor \"no-fleet\"".into()),
    }
}

/// Reads an answer "no" from the members of its evidence, whatever its outcome is said to be.
///
/// # Errors
/// As for [`from_json`].
pub(crate) fn lost_from_json(instance: &Instance, json: &Map<String, Value>) -> Result<Answer, FormatError> {
    match json.get(EVIDENCE) {
        Some(evidence) => verdict_from_json(evidence, Some(&"no".into())),
        None => Ok(Answer::No { lost: sets_from_json(instance.size, "lost", json.get("lost"))? }),
    }
}

fn verdict_from_json(evidence: &Value, outcome: Option<&Value>) -> Result<Answer, FormatError> {
    match (evidence.as_str(), outcome.and_then(Value::as_str)) {
        (Some("none"), Some("yes")) => Ok(Answer::Verdict(Verdict::Yes)),
        (Some("none"), Some("no")) => Ok(Answer::Verdict(Verdict::No)),
        (Some("none"), _) => {
            Err("\"outcome\" of an answer without evidence is neither \"yes\" nor \"no\"".into())
        }
        _ => Err("\"evidence\" is not \"none\"; an answer with evidence has no such member".into()),
    }
}

fn cell_from_json(size: Size, value: &Value) -> Option<Cell> {
    let [row, col] = value.as_array()?.as_slice() else { return None };
    size.one_based(row.as_u64()?, col.as_u64()?)
}

fn sets_from_json(size: Size, key: &str, value: Option<&Value>) -> Result<Vec<Vec<Cell>>, FormatError> {
    let list = value.ok_or_else(|| format!("\"{key}\" is missing"))?.as_array();
    let set = |value: &Value| value.as_array()?.iter().map(|cell| cell_from_json(size, cell)).collect();
    let sets = list.and_then(|list| list.iter().map(set).collect());
    Ok(sets.ok_or_else(|| format!("\"{key}\" is not a list of lists of [row, column] on the board"))?)
}

/// Reads a plan whose leaves are numbers of `n_sets` sets. `depth` is the maximum number of shots on a path: no plan needs
/// more shots than the board has cells.
///
/// # Errors
/// As for [`from_json`].
pub(crate) fn plan_from_json(
    size: Size,
    n_sets: usize,
    value: &Value,
    depth: usize,
) -> Result<Plan, FormatError> {
    if let Some(leaf) = value.get("sink") {
        let set = leaf.as_u64().and_then(|n| usize::try_from(n).ok()?.checked_sub(1));
        let set = set.filter(|&set| set < n_sets);
        let set = set.ok_or_else(|| format!("\"sink\" is not a number from 1 to {n_sets}"))?;
        return Ok(Plan::Sink(set));
    }
    let depth = depth.checked_sub(1).ok_or("\"plan\" shoots more often than the board has squares")?;
    let shoot = value.get("shoot").ok_or("\"plan\" has neither \"shoot\" nor \"sink\"")?;
    let cell = cell_from_json(size, shoot).ok_or("\"shoot\" is not [row, column] on the board")?;
    let branch = |key| {
        let branch = value.get(key).ok_or_else(|| format!("\"{key}\" is missing in \"plan\""))?;
        plan_from_json(size, n_sets, branch, depth).map(Box::new)
    };
    Ok(Plan::Shoot { cell, hit: branch("hit")?, miss: branch("miss")? })
}
