//! Answers: a model, or the statement that there is none.

use super::Formula;
use counterpoint_core::errors::FormatError;
use serde_json::{Map, Value};
use std::sync::Arc;

/// An answer with its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The formula has this model: the value of each variable.
    Satisfiable(Arc<[bool]>),
    /// The formula has no model.
    Unsatisfiable,
}

impl Answer {
    /// The answer with this model.
    pub fn model(model: Vec<bool>) -> Self {
        Answer::Satisfiable(model.into())
    }
}

const SATISFIABLE: &str = "satisfiable";
const UNSATISFIABLE: &str = "unsatisfiable";

/// The outcome in a word.
pub fn outcome(answer: &Answer) -> String {
    match answer {
        Answer::Satisfiable(_) => SATISFIABLE,
        Answer::Unsatisfiable => UNSATISFIABLE,
    }
    .to_owned()
}

/// The answer as JSON members. The model is the list of its true literals as DIMACS numbers.
pub fn to_json(answer: &Answer) -> Map<String, Value> {
    let mut map = Map::from_iter([("outcome".to_owned(), outcome(answer).into())]);
    if let Answer::Satisfiable(model) = answer {
        let numbers = (1i64..).zip(model.iter()).map(|(var, &value)| if value { var } else { -var });
        map.insert("model".to_owned(), numbers.collect());
    }
    map
}

/// Reads an answer back from JSON.
///
/// # Errors
/// Returns a message that names the member that is missing or malformed. A model must give exactly one value to each
/// variable of the formula.
pub fn from_json(formula: &Formula, json: &Map<String, Value>) -> Result<Answer, FormatError> {
    match json.get("outcome").and_then(Value::as_str) {
        Some(SATISFIABLE) => {
            let list =
                json.get("model").and_then(Value::as_array).ok_or("\"model\" is not a list of literals")?;
            Ok(Answer::Satisfiable(model(formula, list)?.into()))
        }
        Some(UNSATISFIABLE) => Ok(Answer::Unsatisfiable),
        _ => Err(format!("\"outcome\" is neither \"{SATISFIABLE}\" nor \"{UNSATISFIABLE}\"").into()),
    }
}

fn model(formula: &Formula, list: &[Value]) -> Result<Vec<bool>, FormatError> {
    let n = formula.n_vars();
    let mut model: Vec<Option<bool>> = vec![None; n as usize];
    for value in list {
        let literal = value.as_i64().and_then(|number| {
            let var = usize::try_from(number.unsigned_abs().checked_sub(1)?).ok()?;
            Some((var, number > 0))
        });
        let slot = literal.and_then(|(var, value)| Some((model.get_mut(var)?, value)));
        let Some((slot, value)) = slot else {
            return Err(format!(
                "\"model\" contains {value}, which is not a literal of the formula's {n} variables"
            )
            .into());
        };
        if slot.replace(value).is_some() {
            return Err("\"model\" gives a variable two values".to_owned().into());
        }
    }
    let missing = model.iter().position(Option::is_none);
    match missing {
        Some(var) => Err(format!("\"model\" gives no value to variable {}", var + 1).into()),
        None => Ok(model.into_iter().flatten().collect()),
    }
}
