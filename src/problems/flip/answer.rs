//! Answers: the squares to press, or that no presses do.

pub mod reason;

use crate::board::{Cell, Digits, Size};
use crate::problem::Agreement;
use serde_json::{Map, Value, json};
use std::cmp::Ordering;
use std::sync::Arc;

/// An outcome with its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// These presses do.
    Presses {
        /// How often each square is pressed; an engine may keep the memory for its next answer.
        presses: Arc<Digits>,
        /// The engine asserts that fewer presses never do.
        least: bool,
    },
    /// No presses do. Evidence, where the engine has any: a weight for each square, such that every
    /// press changes the weighted sum of the colours by 0, though it would have to change by something
    /// else. With two colours: marked squares of which every press turns over an even number, though
    /// an odd number of them must change.
    Impossible(Option<Digits>),
}

/// The most squares that JSON lists one by one. More are given as rows of digits.
const MAX_LISTED: usize = 1 << 16;

/// The outcome in words: `4 presses`, `impossible`.
pub fn outcome(answer: &Answer) -> String {
    match answer {
        Answer::Presses { presses, least } => {
            let (n, at_most) = (presses.total(), if *least { "" } else { "at most " });
            format!("{at_most}{n} {}", if n == 1 { "press" } else { "presses" })
        }
        Answer::Impossible(_) => "impossible".to_owned(),
    }
}

/// `[row, column]` from 1, as often as the number says; or rows of digits.
fn numbers_to_json(size: Size, numbers: &Digits) -> Value {
    if numbers.total() <= MAX_LISTED {
        let cell = |i| json!(size.cell(i).one_based());
        return numbers.iter().flat_map(|(i, n)| (0..n).map(move |_| cell(i))).collect();
    }
    let digit = |row, col| char::from_digit(numbers.get(size.index(Cell::new(row, col))), 36).unwrap_or('?');
    (0..size.height).map(|row| (0..size.width).map(|col| digit(row, col)).collect::<String>()).collect()
}

/// The evidence as JSON members.
pub fn to_json(size: Size, answer: &Answer) -> Map<String, Value> {
    let mut map = Map::new();
    match answer {
        Answer::Presses { presses, least } => {
            map.insert("outcome".into(), "presses".into());
            map.insert("presses".into(), numbers_to_json(size, presses));
            map.insert("least".into(), (*least).into());
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

fn numbers_from_json(size: Size, key: &str, value: &Value) -> Result<Digits, String> {
    let read = |list: &Vec<Value>| match list.first() {
        Some(Value::String(_)) => numbers_from_rows(size, list),
        _ => numbers_from_list(size, list),
    };
    let wrong = || format!("\"{key}\" is no list of [row, column] on the board");
    value.as_array().and_then(read).ok_or_else(wrong)
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

/// Back from JSON; squares lie on the board afterwards.
///
/// # Errors
/// What is missing or of the wrong shape.
pub fn from_json(size: Size, json: &Map<String, Value>) -> Result<Answer, String> {
    let numbers = |key| json.get(key).map(|value| numbers_from_json(size, key, value)).transpose();
    match json.get("outcome").and_then(Value::as_str) {
        Some("presses") => {
            let least =
                json.get("least").and_then(Value::as_bool).ok_or("\"least\" is neither true nor false")?;
            let presses = numbers("presses")?.ok_or("\"presses\" is missing")?.into();
            Ok(Answer::Presses { presses, least })
        }
        Some("impossible") => Ok(Answer::Impossible(numbers("weights")?)),
        _ => Err("\"outcome\" is neither \"presses\" nor \"impossible\"".to_owned()),
    }
}

/// Two solutions contradict each other if one has fewer presses than the other calls least.
pub fn agree(a: &Answer, b: &Answer) -> Agreement {
    match (a, b) {
        (Answer::Impossible(_), Answer::Impossible(_)) => Agreement::Same,
        (Answer::Presses { presses: a, least: a_least }, Answer::Presses { presses: b, least: b_least }) => {
            match a.total().cmp(&b.total()) {
                Ordering::Equal => Agreement::Same,
                Ordering::Less if *b_least => Agreement::Contradict,
                Ordering::Greater if *a_least => Agreement::Contradict,
                _ => Agreement::Compatible,
            }
        }
        _ => Agreement::Contradict,
    }
}
