//! `check --against`: checks that the instance of an answer is a game of a file, in any dialect that the problem reads.

use super::exit::Failure;
use super::read;
use crate::claim::{Claim, Status};
use crate::erased::DynProblem;
use crate::errors::OpenError;
use crate::input::{FileReference, OpenedFile, Source, Warnings};
use crate::rules::{Settings, Values};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::io::{self, Cursor};
use std::sync::Arc;

/// The maximum length of the file, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// A file of games.
pub(super) struct Against {
    name: String,
    bytes: Arc<[u8]>,
    /// The games that were read from the file, by problem and rules.
    read: HashMap<String, Games>,
}

/// The games of a file under given rules.
#[derive(Default)]
struct Games {
    /// Maps the hash of an instance to the number of the first game with this hash, counted from 1.
    first: HashMap<String, usize>,
    /// The number of games.
    count: usize,
    /// The input error that ended reading; `None` if all of the file was read.
    error: Option<String>,
}

impl Against {
    pub(super) fn load(name: &str) -> Result<Self, Failure> {
        let bytes = match name {
            "-" => read::bytes(name, io::stdin().lock(), MAX_BYTES)?,
            _ => read::bytes(name, read::open(name)?, MAX_BYTES)?,
        };
        Ok(Against { name: name.to_owned(), bytes: bytes.into(), read: HashMap::new() })
    }

    /// The claim that the instance of the answer is one of the games. The file is read under the rules of the answer,
    /// but a rule that affects only reading, such as a dialect, may have any value.
    ///
    /// # Errors
    /// If the instance is not a game of the file, and the file has an input error under the default reading rules.
    pub(super) fn claim(
        &mut self,
        problem: &dyn DynProblem,
        map: &Map<String, Value>,
    ) -> Result<Claim, Failure> {
        let instance = map.get("instance").and_then(Value::as_str).unwrap_or_default();
        if problem.info().has_files && FileReference::parse(instance).is_some() {
            // Restoring the answer read this file and compared its hash with the answer's.
            return Ok(Claim::new(format!("the instance is the file {}", self.name), Status::Recomputed));
        }
        let hash = map.get("instance_hash").and_then(Value::as_str).unwrap_or_default();
        let rules = map.get("rules").and_then(Value::as_object).cloned().unwrap_or_default();
        let (mut counts, mut errors) = (Vec::new(), Vec::new());
        for reading_rule in reading_rules(problem) {
            let mut rules = rules.clone();
            rules.extend(reading_rule);
            let games = self.games(problem, &rules.into())?;
            if let Some(game) = games.first.get(hash) {
                let (game, name) = (*game, &self.name);
                return Ok(Claim::new(format!("the instance is game {game} of {name}"), Status::Recomputed));
            }
            counts.push(games.count);
            errors.push(games.error.clone());
        }
        // The first element belongs to the default reading rules.
        if let Some(Some(error)) = errors.into_iter().next() {
            return Err(Failure::usage(error));
        }
        let why = match counts.first() {
            Some(0) | None => "it has no games".to_owned(),
            Some(1) => "its only game is a different one".to_owned(),
            Some(n) => format!("its {n} games are different ones"),
        };
        Ok(Claim::new(format!("the instance is a game of {}", self.name), Status::Failed(why)))
    }

    fn games(&mut self, problem: &dyn DynProblem, rules: &Value) -> Result<&Games, Failure> {
        let key = format!("{} {rules}", problem.name());
        if !self.read.contains_key(&key) {
            let settings = Settings::from_json(problem.rules(), rules)?;
            let warnings = Warnings::default();
            let mut games = Games::default();
            for instance in problem.open(&settings, Source::new(&self.name, &*self.bytes), &warnings)? {
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

/// Opens the file to which an answer refers or, if `against` is given, that file in its place.
pub(super) fn opener(against: Option<&Against>) -> impl Fn(&str) -> Result<OpenedFile, OpenError> + use<> {
    let given = against.map(|against| (against.name.clone(), Arc::clone(&against.bytes)));
    move |path| match &given {
        Some((name, bytes)) => Ok(OpenedFile {
            name: name.clone(),
            reader: Box::new(Cursor::new(Arc::clone(bytes))),
            on_disk: None,
        }),
        None => read::referenced(path),
    }
}

/// The settings to try for the rules that affect only reading. The first settings set none of these rules, so all of
/// them have their defaults. Each of the other settings sets one rule to a value other than its default.
fn reading_rules(problem: &dyn DynProblem) -> Vec<Map<String, Value>> {
    let mut found = vec![Map::new()];
    for rule in problem.rules().iter().filter(|rule| rule.reading) {
        if let Values::OneOf(words) = rule.values {
            let others = words.iter().filter(|word| **word != rule.default);
            found.extend(others.map(|word| Map::from_iter([(rule.key.to_owned(), (*word).into())])));
        }
    }
    found
}
