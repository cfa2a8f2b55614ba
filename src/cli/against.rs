//! `check --against`: whether an answer is about an instance of a file, in any form that the problem reads.

use super::exit::Failure;
use super::read;
use crate::claim::{Claim, Status};
use crate::erased::DynProblem;
use crate::input::{Source, Warnings};
use crate::rules::{Settings, Values};
use serde_json::{Map, Value};
use std::collections::HashMap;

/// The longest file that is read.
const MAX_BYTES: u64 = 1 << 30;

/// A file of games.
pub(super) struct Against {
    name: String,
    text: String,
    /// What was read, by problem and rules.
    read: HashMap<String, Games>,
}

/// The games of a file under some rules.
#[derive(Default)]
struct Games {
    /// The first game with an instance, by the instance's hash.
    first: HashMap<String, usize>,
    count: usize,
    /// What is wrong behind the last game.
    error: Option<String>,
}

impl Against {
    pub(super) fn load(name: &str) -> Result<Self, Failure> {
        Ok(Against { name: name.to_owned(), text: read::whole(name, MAX_BYTES)?, read: HashMap::new() })
    }

    /// That the answer is about one of the games. The answer's rules say how the file is read; a rule that is
    /// about reading alone, such as a dialect, may have any value.
    ///
    /// # Errors
    /// A file that cannot be read to its end and has no such game before that.
    pub(super) fn claim(
        &mut self,
        problem: &dyn DynProblem,
        map: &Map<String, Value>,
    ) -> Result<Claim, Failure> {
        let hash = map.get("instance_hash").and_then(Value::as_str).unwrap_or_default();
        let rules = map.get("rules").and_then(Value::as_object).cloned().unwrap_or_default();
        let (mut counts, mut errors) = (Vec::new(), Vec::new());
        for reading in readings(problem) {
            let mut rules = rules.clone();
            rules.extend(reading);
            let games = self.games(problem, &rules.into())?;
            if let Some(game) = games.first.get(hash) {
                let (game, name) = (*game, &self.name);
                return Ok(Claim::new(format!("the instance is game {game} of {name}"), Status::Recomputed));
            }
            counts.push(games.count);
            errors.push(games.error.clone());
        }
        // As it is read where nothing is said about reading.
        if let Some(Some(error)) = errors.into_iter().next() {
            return Err(Failure::usage(error));
        }
        let why = match counts.first() {
            Some(0) | None => "there is none in it".to_owned(),
            Some(1) => "its only game is another".to_owned(),
            Some(n) => format!("none of its {n} games is"),
        };
        Ok(Claim::new(format!("the instance is a game of {}", self.name), Status::Failed(why)))
    }

    fn games(&mut self, problem: &dyn DynProblem, rules: &Value) -> Result<&Games, Failure> {
        let key = format!("{} {rules}", problem.name());
        if !self.read.contains_key(&key) {
            let settings = Settings::from_json(problem.rules(), rules)?;
            let warnings = Warnings::default();
            let mut games = Games::default();
            for instance in problem.open(&settings, Source::from_text(&self.name, &self.text), &warnings)? {
                match instance {
                    Ok(instance) => {
                        games.count += 1;
                        games.first.entry(instance.hash()).or_insert(games.count);
                    }
                    Err(error) => games.error = Some(error.to_string()),
                }
            }
            self.read.insert(key.clone(), games);
        }
        Ok(&self.read[&key])
    }
}

/// Values of the rules that are about reading alone: the default first, then one other value of one rule.
fn readings(problem: &dyn DynProblem) -> Vec<Map<String, Value>> {
    let mut found = vec![Map::new()];
    for rule in problem.rules().iter().filter(|rule| rule.reading) {
        if let Values::OneOf(words) = rule.values {
            let others = words.iter().filter(|word| **word != rule.default);
            found.extend(others.map(|word| Map::from_iter([(rule.key.to_owned(), (*word).into())])));
        }
    }
    found
}
