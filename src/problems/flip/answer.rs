//! Answers: the squares to press, or that no presses do.

use super::Instance;
use crate::board::Cell;
use crate::problem::Agreement;
use serde_json::{Map, Value, json};
use std::cmp::Ordering;

/// An outcome with its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Pressing these squares, each once, makes the board one colour.
    Presses {
        /// Ascending, each once.
        cells: Vec<Cell>,
        /// The engine asserts that fewer presses never do.
        least: bool,
    },
    /// No presses do. Evidence, where the engine has any: squares of which every press turns over an
    /// even number, though an odd number of them must change.
    Impossible(Option<Vec<Cell>>),
}

/// The outcome in words: `4 presses`, `impossible`.
pub fn outcome(answer: &Answer) -> String {
    match answer {
        Answer::Presses { cells, least } => {
            let (n, at_most) = (cells.len(), if *least { "" } else { "at most " });
            format!("{at_most}{n} {}", if n == 1 { "press" } else { "presses" })
        }
        Answer::Impossible(_) => "impossible".to_owned(),
    }
}

/// Cells as `[row, column]` from 1.
fn cells_to_json(cells: &[Cell]) -> Value {
    cells.iter().map(|cell| json!(cell.one_based())).collect()
}

/// The evidence as JSON members.
pub fn to_json(answer: &Answer) -> Map<String, Value> {
    let mut map = Map::new();
    match answer {
        Answer::Presses { cells, least } => {
            map.insert("outcome".into(), "presses".into());
            map.insert("presses".into(), cells_to_json(cells));
            map.insert("least".into(), (*least).into());
        }
        Answer::Impossible(weights) => {
            map.insert("outcome".into(), "impossible".into());
            if let Some(weights) = weights {
                map.insert("weights".into(), cells_to_json(weights));
            }
        }
    }
    map
}

fn cells_from_json(instance: &Instance, key: &str, value: &Value) -> Result<Vec<Cell>, String> {
    let wrong = || format!("\"{key}\" is no list of [row, column] on the board");
    let cell = |value: &Value| {
        let [row, col] = value.as_array()?.as_slice() else { return None };
        instance.size.one_based(row.as_u64()?, col.as_u64()?)
    };
    value.as_array().and_then(|list| list.iter().map(cell).collect()).ok_or_else(wrong)
}

/// Back from JSON; cells lie on the board afterwards.
///
/// # Errors
/// What is missing or of the wrong shape.
pub fn from_json(instance: &Instance, json: &Map<String, Value>) -> Result<Answer, String> {
    let cells = |key| json.get(key).map(|value| cells_from_json(instance, key, value)).transpose();
    match json.get("outcome").and_then(Value::as_str) {
        Some("presses") => {
            let least =
                json.get("least").and_then(Value::as_bool).ok_or("\"least\" is neither true nor false")?;
            let cells = cells("presses")?.ok_or("\"presses\" is missing")?;
            Ok(Answer::Presses { cells, least })
        }
        Some("impossible") => Ok(Answer::Impossible(cells("weights")?)),
        _ => Err("\"outcome\" is neither \"presses\" nor \"impossible\"".to_owned()),
    }
}

/// Two solutions contradict each other if one has fewer presses than the other calls least.
pub fn agree(a: &Answer, b: &Answer) -> Agreement {
    match (a, b) {
        (Answer::Impossible(_), Answer::Impossible(_)) => Agreement::Same,
        (Answer::Presses { cells: a, least: a_least }, Answer::Presses { cells: b, least: b_least }) => {
            match a.len().cmp(&b.len()) {
                Ordering::Equal => Agreement::Same,
                Ordering::Less if *b_least => Agreement::Contradict,
                Ordering::Greater if *a_least => Agreement::Contradict,
                _ => Agreement::Compatible,
            }
        }
        _ => Agreement::Contradict,
    }
}
