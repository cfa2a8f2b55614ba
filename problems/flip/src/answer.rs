//! Answers: an answer says how often to press each square, or only how many presses suffice, or that the board cannot
//! be solved.

pub mod reason;

use counterpoint_core::board::{Cell, Digits, Size};
use counterpoint_core::errors::FormatError;
use counterpoint_core::problem::Agreement;
use serde_json::{Map, Value, json};
use std::cmp::Ordering;
use std::sync::Arc;

/// An answer with its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// These presses solve the board.
    Presses {
        /// How often each square is pressed. Shared, so that an engine can reuse the memory for its next answer.
        presses: Arc<Digits>,
        /// The engine asserts that no solution has fewer presses. The JSON key is `least`.
        optimal: bool,
    },
    /// This many presses solve the board. The answer does not name them, because it is the output of a program for the
    /// judge.
    Number {
        /// The number of presses. Programs may print any number, so it may exceed what any solution can have.
        presses: usize,
        /// As for [`Answer::Presses`].
        optimal: bool,
    },
    /// No presses solve the board. The evidence, if the engine has any, is a weight for each square: every press
    /// changes the weighted sum of the colours by a multiple of p, but solving the board would change it by a number
    /// that is not a multiple of p. With two colours, the squares of weight 1 are called marked: every press turns over
    /// an even number of marked squares, but an odd number of them must change.
    Impossible(Option<Digits>),
}

/// A number of presses that solve the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PressCount {
    /// The number of presses.
    pub presses: usize,
    /// Whether the answer asserts that no solution has fewer.
    pub optimal: bool,
}

impl Answer {
    /// The number of presses; `None` if the answer says that the board is impossible.
    pub fn number(&self) -> Option<PressCount> {
        match self {
            Answer::Presses { presses, optimal } => {
                Some(PressCount { presses: presses.total(), optimal: *optimal })
            }
            &Answer::Number { presses, optimal } => Some(PressCount { presses, optimal }),
            Answer::Impossible(_) => None,
        }
    }
}

/// The maximum number of presses that JSON lists one by one. Longer lists are written as rows of digits.
const MAX_LISTED: usize = 1 << 16;

/// The outcome in words: `4 presses`, `impossible`.
pub fn outcome(answer: &Answer) -> String {
    match answer.number() {
        Some(PressCount { presses, optimal }) => {
            let at_most = if optimal { "" } else { "at most " };
            format!("{at_most}{presses} {}", if presses == 1 { "press" } else { "presses" })
        }
        None => "impossible".to_owned(),
    }
}

/// A list of `[row, column]`, counted from 1, in which a square of number n occurs n times. If the list would have more
/// than [`MAX_LISTED`] entries, rows of digits take its place.
fn numbers_to_json(size: Size, numbers: &Digits) -> Value {
    if numbers.total() <= MAX_LISTED {
        let cell = |i| json!(size.cell(i).one_based());
        return numbers.iter().flat_map(|(i, n)| (0..n).map(move |_| cell(i))).collect();
    }
    let digit = |row, col| char::from_digit(numbers.get(size.index(Cell::new(row, col))), 36).unwrap_or('?');
    (0..size.height).map(|row| (0..size.width).map(|col| digit(row, col)).collect::<String>()).collect()
}

/// The answer and its evidence as JSON members.
pub fn to_json(size: Size, answer: &Answer) -> Map<String, Value> {
    let mut map = Map::new();
    match answer {
        Answer::Presses { presses, optimal } => {
            map.insert("outcome".into(), "presses".into());
            map.insert("presses".into(), numbers_to_json(size, presses));
            map.insert("least".into(), (*optimal).into());
        }
        Answer::Number { presses, optimal } => {
            map.insert("outcome".into(), "presses".into());
            map.insert("number".into(), (*presses).into());
            map.insert("least".into(), (*optimal).into());
        }
        Answer::Impossible(weights) => {
            map.insert("outcome".into(), "impossible".into());
            if let Some(weights) = weights {
                map.insert("weights".into(), numbers_to_json(size, weights));
            }
        }
    }
    map
}

fn numbers_from_json(size: Size, key: &str, value: &Value) -> Result<Digits, FormatError> {
    let read = |list: &Vec<Value>| match list.first() {
        Some(Value::String(_)) => numbers_from_rows(size, list),
        _ => numbers_from_list(size, list),
    };
    let error = || format!("\"{key}\" is not a list of squares [row, column] of the board");
    Ok(value.as_array().and_then(read).ok_or_else(error)?)
}

fn numbers_from_list(size: Size, list: &[Value]) -> Option<Digits> {
    let mut numbers = Digits::zeros(size.cells());
    for place in list {
        let [row, col] = place.as_array()?.as_slice() else { return None };
        numbers.increment(size.index(size.one_based(row.as_u64()?, col.as_u64()?)?));
    }
    Some(numbers)
}

fn numbers_from_rows(size: Size, rows: &[Value]) -> Option<Digits> {
    let mut numbers = Digits::zeros(size.cells());
    let mut places = 0..size.cells();
    for row in rows {
        for digit in row.as_str()?.chars() {
            let (i, number) = (places.next()?, digit.to_digit(36)?);
            (0..number).for_each(|_| numbers.increment(i));
        }
    }
    places.is_empty().then_some(numbers)
}

/// Reads an answer back from JSON.
///
/// # Errors
/// Returns a message that names the member that is missing or malformed. A square outside the board is malformed, too.
pub fn from_json(size: Size, json: &Map<String, Value>) -> Result<Answer, FormatError> {
    let numbers = |key| json.get(key).map(|value| numbers_from_json(size, key, value)).transpose();
    match json.get("outcome").and_then(Value::as_str) {
        Some("presses") => {
            let optimal =
                json.get("least").and_then(Value::as_bool).ok_or("\"least\" is neither true nor false")?;
            match (numbers("presses")?, json.get("number")) {
                (Some(presses), _) => Ok(Answer::Presses { presses: presses.into(), optimal }),
                (None, Some(number)) => {
                    let presses = number.as_u64().and_then(|number| usize::try_from(number).ok());
                    let presses = presses.ok_or("\"number\" is not a number of presses")?;
                    Ok(Answer::Number { presses, optimal })
                }
                (None, None) => Err("\"presses\" is missing".into()),
            }
        }
        Some("impossible") => Ok(Answer::Impossible(numbers("weights")?)),
        _ => Err("\"outcome\" is neither \"presses\" nor \"impossible\"".into()),
    }
}

/// Two solutions contradict each other if one claims to be optimal and the other has fewer presses. A solution
/// contradicts `Impossible`.
pub fn agree(a: &Answer, b: &Answer) -> Agreement {
    match (a.number(), b.number()) {
        (None, None) => Agreement::Same,
        (Some(a), Some(b)) => match a.presses.cmp(&b.presses) {
            Ordering::Equal => Agreement::Same,
            Ordering::Less if b.optimal => Agreement::Contradict,
            Ordering::Greater if a.optimal => Agreement::Contradict,
            _ => Agreement::Compatible,
        },
        _ => Agreement::Contradict,
    }
}
